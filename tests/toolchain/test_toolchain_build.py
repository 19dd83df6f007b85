"""Builds by the real compiler: every public function, what bad input gets, and the cache."""

from __future__ import annotations

import ctypes
import os
import re
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from porter import cpp_library, toolchain
from porter.errors import CompileError, InputError, OutputError, PorterError
from porter.toolchain import (
    Options,
    Part,
    Toolchain,
    assemble,
    bundle,
    c_library,
    code_object,
    compilers,
    device_assembly,
    executable,
    find_pip_clang,
    find_rocm,
    find_toolchain,
    native,
    pip_clang,
    process,
    shared_library,
    store,
    tree,
)

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)

# The few functions that the host half of these programs calls, and what it registers.
STAND_IN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { unsigned x, y, z; } dim3;
static struct { unsigned magic, version; const char *data; } *held;
void **__hipRegisterFatBinary(void *data) {
  held = data;
  unsigned long long size;
  memcpy(&size, held->data + 32 + 24 + 30 + 8, 8);
  printf("bundle %.24s %llu %.5s\n", held->data, size, held->data + 4096);
  return malloc(8);
}
void __hipUnregisterFatBinary(void **handle) { free(handle); }
void __hipRegisterFunction(void **h, void *f, char *a, const char *name) { printf("kernel %s\n", name); }
void __hipRegisterVar(void **h, void *v, char *a, const char *name) { printf("variable %s\n", name); }
int __hipPushCallConfiguration(dim3 g, dim3 b, unsigned long n, void *s) { return 0; }
int __hipPopCallConfiguration(dim3 *g, dim3 *b, unsigned long *n, void **s) { return 0; }
int hipLaunchKernel(const void *f, dim3 g, dim3 b, void **args, unsigned long n, void *s) {
  printf("launch %d\n", *(int *)args[0]);
  return 0;
}
"""

KERNEL = """#include <hip/hip_runtime.h>
#include "amount.h"
__device__ int counter;
__global__ void add(int n, float *x) { x[threadIdx.x] += AMOUNT * n; }
void start(int n) { add<<<1, 64>>>(n, nullptr); }
"""
MAIN = """#include <cstdio>
#include <hip/hip_runtime.h>
void start(int n);
__global__ void other(int n) {}
int main() { start(7); other<<<1, 64>>>(8); std::puts("end"); }
"""


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("hip") / "hip.c"
    source.write_text(STAND_IN)
    library = source.with_name("libamdhip64.so")
    library.write_bytes(c_library([source], ["-w"]).read_bytes())
    return library


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("program")
    (folder / "amount.h").write_text("#define AMOUNT 1.5f\n")
    (folder / "a kernel.hip").write_text(KERNEL)
    (folder / "main.cpp").write_text(MAIN)
    return folder / "main.cpp", folder / "a kernel.hip"


def run(path: Path) -> list[str]:
    done = subprocess.run([path], capture_output=True, text=True, timeout=60, check=True)
    return sorted(done.stdout.splitlines())


def test_assembly_names_source_lines_and_goes_through_the_assembler(program: tuple[Path, Path]) -> None:
    assembly = device_assembly(program[1])
    text = assembly.read_text()
    assert 'amdgcn_target "amdgcn-amd-amdhsa--gfx942"' in text
    assert "a kernel.hip" in text and re.search(r"\.loc\s+\d+ 4 ", text)
    assert assemble(assembly).read_bytes()[:4] == b"\x7fELF"
    object = code_object(assembly).read_bytes()
    assert struct.unpack_from("<HH", object, 16) == (3, 224)  # a shared object for AMDGPU
    assert device_assembly(program[1]) == assembly


def test_options_reach_the_compiler(tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "half.h").write_text("#define HALF 0.5f\n")
    source.write_text(
        "#include <hip/hip_runtime.h>\n#include <half.h>\n#include <concepts>\nstatic_assert(N == 3);\n"
        "template <std::integral T> __device__ T same(T x) { return x; }\n"
        "__global__ void f(float *x) { x[0] = sqrtf(x[1] / x[2]) * HALF; x[3] = same(N); }\n"
    )
    plain = Options(std="c++20", defines=("N=3",), includes=(tmp_path / "inc",), line_tables=False)
    slow = device_assembly(source, plain).read_text()
    assert ".loc" not in slow
    quick = device_assembly(source, Options("c++20", "3", ("N=3",), (tmp_path / "inc",), True)).read_text()
    assert "v_div_fmas_f32" in slow and "v_div_fmas_f32" not in quick  # exact division, exact square root
    unoptimised = device_assembly(source, Options("c++20", "0", ("N=3",), (tmp_path / "inc",))).read_text()
    assert "scratch_store" in unoptimised or "buffer_store" in unoptimised
    with pytest.raises(CompileError, match=r"no type named .integral."):
        device_assembly(source, Options("c++17", defines=("N=3",), includes=(tmp_path / "inc",)))
    with pytest.raises(CompileError, match="static assertion failed"):
        device_assembly(source, Options("c++20", includes=(tmp_path / "inc",), flags=("-UN", "-DN=4")))


def test_rocms_folders_are_where_build_files_say(tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text("#include <hip_bf16.h>\n__global__ void f(__hip_bfloat16 *x) { x[0] = __float2bfloat16(1.f); }\n")
    with pytest.raises(CompileError, match=r"hip_bf16\.h"):
        device_assembly(source)
    named = device_assembly(source, Options(includes=("/nowhere/rocm-7.0.0/include/hip", "rocm/include")))
    assert "16256" in named.read_text() or "0x3f80" in named.read_text()
    (tmp_path / "rocm" / "include" / "hip").mkdir(parents=True)
    with pytest.raises(CompileError, match=r"hip_bf16\.h"):  # a folder that is there is the one that was meant
        device_assembly(source, Options(includes=(tmp_path / "rocm" / "include" / "hip",)))


def test_programs_of_several_units_run(program: tuple[Path, Path], stand_in: Path, tmp_path: Path) -> None:
    built = executable(program, tmp_path / "run me", library=stand_in)
    assert built.path == tmp_path / "run me"
    assert len(built.assembly) == 2 and all(path.suffix == ".s" for path in built.assembly)
    assert {"clang", "-shared"} <= {word for command in built.commands for word in command}
    lines = run(built.path)
    assert "launch 7" in lines and "launch 8" in lines and "end" in lines
    assert "kernel _Z3addiPf" in lines and "kernel _Z5otheri" in lines and "variable counter" in lines
    assert (
        sum(line.startswith("bundle __CLANG_OFFLOAD_BUNDLE__") and line.endswith("\x7fELF\x02") for line in lines) == 2
    )


def test_an_image_takes_the_place_of_the_code_object(
    program: tuple[Path, Path], stand_in: Path, tmp_path: Path
) -> None:
    seen: list[str] = []
    key = str(time.time_ns())  # of no earlier run

    def image(assembly: Path) -> bytes:
        seen.append(assembly.read_text())
        return b"IMAGE" + bytes(10)

    first = executable(program, image=image, image_key=key, library=stand_in)
    assert run(first.path).count("bundle __CLANG_OFFLOAD_BUNDLE__ 15 IMAGE") == 2
    assert len(seen) == 2
    began = time.process_time()
    again = executable(program, image=image, image_key=key, library=stand_in)
    assert time.process_time() - began < 0.3
    assert again.path == first.path and len(seen) == 2
    other = executable(program, image=lambda path: b"OTHER", image_key="2", library=stand_in)
    assert other.path != first.path
    executable(program, image=image, library=stand_in)  # without a key it is asked each time
    assert len(seen) == 4


def test_a_library_loads_and_its_c_parts_are_c_that_may_call_hip(
    program: tuple[Path, Path], stand_in: Path, tmp_path: Path
) -> None:
    part, caller = tmp_path / "part.c", tmp_path / "caller.hip"
    part.write_text(
        "#include <hip/hip_runtime_api.h>\nint plus(int new) { hipError_t e = hipSuccess; return new + 1 + e; }\n"
    )
    caller.write_text('extern "C" int plus(int);\nextern "C" int call(int n) { return plus(n); }\n')
    built = shared_library([program[1], caller, part], library=stand_in)
    part.write_text("int plus(int new) { return new + 1; }\n")
    ready = shared_library([program[1], caller, c_library([part])], tmp_path / "b.so", library=stand_in)
    for path in (built.path, ready.path):
        code = f"import ctypes; print(ctypes.CDLL({str(path)!r}).call(41))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert "42" in done.stdout.splitlines()


def test_calls_of_the_host_become_one_marked_instruction(tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text(
        "#include <cassert>\n#include <cstdio>\n#include <hip/hip_runtime.h>\n"
        '__host__ __device__ int both(int n) { return printf("%d", n); }\n'
        "__global__ void f(float *x, char *s, int n) {\n"
        '  assert(n > 0);\n  printf("alone");\n  printf("%f %s %d %p %lu\\n", x[0], s, short(n), x, 5ul);\n'
        "  x[1] = both(n);\n}\n"
        'int main() { std::printf("%d\\n", both(1)); }\n'
    )
    for level in "03":
        text = device_assembly(source, Options(level=level, emulator=True)).read_text()
        assert {int(n, 0) for n in re.findall(r"s_incperflevel (\w+)", text)} >= {0x5001, 0x5002}
        assert not re.search(r"__ockl_f?printf", text)
    assert "s_incperflevel" not in device_assembly(source).read_text()
    assert executable([source], image=lambda path: b"x", library=c_library([_empty(tmp_path)])).path.is_file()


def _empty(folder: Path) -> Path:
    source = folder / "hip.c"
    source.write_text(STAND_IN)
    return source


def test_a_compile_error_is_the_compilers_own(tmp_path: Path) -> None:
    source = tmp_path / "bad.hip"
    source.write_text("#include <hip/hip_runtime.h>\n__global__ void f(int *x) {\n  x[0] = nowhere;\n}\n")
    with pytest.raises(CompileError) as caught:
        device_assembly(source)
    assert caught.value.problem == f"{source}:3:10: error: use of undeclared identifier 'nowhere'"
    assert "x[0] = nowhere;" in caught.value.text
    assert str(source) in caught.value.command
    for build in (shared_library, executable):
        with pytest.raises(CompileError, match=r"bad\.hip:3:10: error"):
            build([source], library=sys.executable)


def test_the_assembler_names_the_source_line(tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text(
        '#include <hip/hip_runtime.h>\n__global__ void f() {\n  asm volatile("v_no_such_thing v0, v1");\n}\n'
    )
    assembly = device_assembly(source)
    with pytest.raises(CompileError) as caught:
        assemble(assembly)
    assert caught.value.problem == f"{source}:3: error: invalid instruction"
    with pytest.raises(CompileError, match=r"a.hip:3: error: invalid instruction"):
        shared_library([source], image=lambda path: b"", library=sys.executable)


def test_a_link_error_names_the_symbol(tmp_path: Path, stand_in: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text("void missing_one();\nint main() { missing_one(); }\n")
    with pytest.raises(CompileError, match="missing_one"):
        executable([source], library=stand_in)


def test_device_code_that_does_not_link_names_the_symbol_and_who_needs_it(tmp_path: Path, stand_in: Path) -> None:
    """For the emulator, too, which would find it out when the program runs."""
    source = tmp_path / "a.hip"
    source.write_text(
        "#include <hip/hip_runtime.h>\n__device__ float elsewhere(float);\n"
        "__global__ void k(float *x) {\n  *x = elsewhere(*x);\n}\n"
    )
    for how in ({}, {"image": lambda path: b""}):
        with pytest.raises(CompileError) as caught:
            shared_library([source], library=stand_in, **how)
        expected = f"{source}:4: error: device code does not link: undefined hidden symbol: elsewhere(float)"
        assert caught.value.problem == expected


def test_warnings_are_kept_with_the_result(tmp_path: Path, stand_in: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text("#warning mind this\nint f() { return 1; }\n")
    for _ in range(2):
        assert "mind this" in shared_library([source], library=stand_in).warnings


def test_bad_requests(tmp_path: Path, stand_in: Path, program: tuple[Path, Path]) -> None:
    with pytest.raises(InputError, match="does not exist"):
        device_assembly(tmp_path / "none.hip")
    with pytest.raises(InputError, match="is not a file"):
        device_assembly(tmp_path)
    with pytest.raises(InputError, match="no source"):
        executable([])
    with pytest.raises(InputError, match=r"none\.so does not exist"):
        executable(program, library=tmp_path / "none.so")
    with pytest.raises(OutputError, match="cannot be written"):
        executable(program, tmp_path / "none" / "a", library=stand_in)
    with pytest.raises(PorterError) as caught:
        device_assembly(program[1], toolchain=Toolchain("pip", (Part("thing", None, "thing"),)))
    assert caught.value.problem == "no HIP compiler: thing not found"
    assert caught.value.fix == 'pip install "thing"'


@pytest.mark.skipif(find_rocm().complete, reason="ROCm has a libamdhip64")
def test_without_rocm_a_runtime_has_to_be_named(program: tuple[Path, Path]) -> None:
    with pytest.raises(PorterError, match="no libamdhip64"):
        executable(program)


def test_a_change_of_any_file_is_seen_and_no_other(tmp_path: Path) -> None:
    source, header = tmp_path / "a.hip", tmp_path / "b # $c.h"
    source.write_text('#include "b # $c.h"\n__attribute__((device)) int x = VALUE;\n')
    header.write_text("#define VALUE 1\n")
    first = device_assembly(source)
    header.write_text("#define VALUE 2\n")
    second = device_assembly(source)
    assert first != second
    header.write_text("#define VALUE 1\n")
    os.utime(header, ns=(1, 1))
    assert device_assembly(source) == first
    first.unlink()
    assert device_assembly(source).is_file()
    source.write_text(source.read_text() + "// more\n")
    assert device_assembly(source) != first


@pytest.mark.slow
def test_two_builds_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First use, by threads and by processes: the tree, the results and the answer are the same for all."""
    source = tmp_path / "a.hip"
    source.write_text("__attribute__((device)) int x = 1;\n")
    code = f"from porter.toolchain import device_assembly; print(device_assembly({str(source)!r}))"
    env = {**os.environ, "PORTER_CACHE": str(tmp_path / "cache")}
    started = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=env) for _ in range(3)
    ]
    answers = {child.communicate(timeout=120)[0].strip() for child in started}
    assert all(child.returncode == 0 for child in started)
    assert len(answers) == 1 and "x:" in Path(answers.pop()).read_text()
    assert len(list((tmp_path / "cache").glob("rocm-*"))) <= 1
    assert not list((tmp_path / "cache").glob("**/.make-*")) and not list((tmp_path / "cache").glob(".rocm-*"))


@pytest.mark.skipif(os.name != "posix", reason="mode bits")
def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "a.hip"
    source.write_text("__attribute__((device)) int y = 1;\n")
    (tmp_path / "cache").touch()  # a file where the folder should be, which stops root as well
    monkeypatch.setattr(store, "cache_dir", lambda: tmp_path / "cache")
    with pytest.raises(PorterError, match=r"build cache .* cannot be written") as caught:
        device_assembly(source)
    assert "PORTER_CACHE" in caught.value.fix


def test_a_kept_header_that_another_build_uses_meanwhile_is_unchanged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each use sets the time of a kept file: a result that includes it is kept all the same."""
    monkeypatch.setattr(store, "cache_dir", lambda: tmp_path)
    made: list[Path] = []

    def prelude() -> Path:
        return store.keep("aa" * 20, ".h", lambda out: out.touch() or "")

    def make(out: Path, dependencies: Path) -> str:
        made.append(out)
        out.write_text("compiled")
        dependencies.write_text(f"out: {prelude()}\n")
        prelude()
        return ""

    for _ in range(2):
        store.keep_compiled("bb" * 20, ".o", make)
    assert len(made) == 1


def test_old_results_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "cache_dir", lambda: tmp_path)

    def make(out: Path) -> str:
        out.write_text("x")
        return ""

    old = store.keep("aa" * 20, ".x", make)
    os.utime(old, (1, 1))
    (store.store() / "pruned").unlink()
    store._pruned.cache_clear()
    new = store.keep("bb" * 20, ".x", make)
    assert new.is_file() and not old.exists()
    store._pruned.cache_clear()


def test_the_tree_is_what_clang_looks_for() -> None:
    chain = find_pip_clang()
    if not chain.complete:
        pytest.skip("NOT RUN: the pip toolchain is not installed")
    folder = tree.rocm_tree(chain)
    names = {path.name for path in (folder / "amdgcn" / "bitcode").iterdir()}
    assert {"ocml.bc", "ockl.bc", "opencl.bc", "oclc_isa_version_942.bc", "oclc_abi_version_600.bc"} <= names
    assert {f"oclc_{name}_{state}.bc" for name in ("daz_opt", "finite_only") for state in ("on", "off")} <= names
    assert (folder / "share" / "hip" / "version").read_text().startswith("HIP_VERSION_MAJOR=")
    assert (folder / "include" / "hip" / "hip_runtime.h").is_file()
    assert not list(folder.glob("*.ll"))


def test_no_system_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zig's own C++ library on the host side. The link is not made here: its first one takes 20 s and more."""
    monkeypatch.setattr(cpp_library, "has_system_cxx", lambda: False)
    chain = find_pip_clang()
    if not chain.complete:
        pytest.skip("NOT RUN: the pip toolchain is not installed")
    tools = compilers.compilers(chain)
    assert tools.linker[1:3] == ("c++", "-target")
    assert tools.linking(())[-1] == "-s" and "-s" not in tools.linking(("-gline-tables-only",))
    source = tmp_path / "a.hip"
    source.write_text(
        "#include <hip/hip_runtime.h>\n#include <vector>\n#include <algorithm>\n__global__ void f(int *x) { *x = 1; }\n"
        "std::vector<int> go() { f<<<1, 1>>>(nullptr); return {1}; }\n"
    )
    from porter.toolchain.build import _host_object

    assert b"__hip_fatbin" in _host_object(source, Options(), tools, []).read_bytes()
    assert "s_endpgm" in device_assembly(source, toolchain=chain).read_text()


@pytest.mark.slow
def test_rocm_does_the_same_steps(
    tmp_path: Path, program: tuple[Path, Path], stand_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ROCm folder whose compiler is pip's: the commands of the ROCm side, run for real."""
    chain = find_pip_clang()
    if not chain.complete:
        pytest.skip("NOT RUN: the pip toolchain is not installed")
    folder = tmp_path / "rocm"
    (folder / "amdgcn").mkdir(parents=True)
    (folder / "llvm" / "bin").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "lib").mkdir()
    zig, host = chain.command[0], " ".join(pip_clang.pip_host_flags(chain))
    hip = " ".join([*(flag for flag in chain.flags if flag != "-nogpulib"), *chain.prelude])
    scripts = {
        "bin/amdclang++": f'case "$*" in *"-x hip"*) exec {zig} clang {hip} --rocm-path={tree.rocm_tree(chain)} '
        '-Qunused-arguments "$@";; esac\n'
        f'case "$*" in *"-c"*) exec {zig} clang {host} "$@";; esac\nexec g++ "$@"\n',
        "llvm/bin/ld.lld": f'exec {zig} ld.lld "$@"\n',
    }
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}")
        (folder / name).chmod(0o755)
    (folder / "lib" / "libamdhip64.so").write_bytes(stand_in.read_bytes())
    monkeypatch.setenv("ROCM_PATH", str(folder))
    rocm = find_rocm()
    built = executable(program, tmp_path / "a", toolchain=rocm)
    assert run(built.path).count("launch 7") == 1
    assert compilers.compilers(rocm).rocm == folder
    (folder / "llvm" / "bin" / "ld.lld").unlink()
    compilers._rocm.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PorterError, match=r"ld\.lld is not beside"):
        compilers.compilers(rocm)


def test_c_library(tmp_path: Path) -> None:
    (tmp_path / "n.h").write_text("#define N 40\n")
    (tmp_path / "a.c").write_text('#include <math.h>\n#include "n.h"\nint b(void);\nint a(void) { return N + b(); }\n')
    (tmp_path / "b.c").write_text("int b(void) { return MORE; }\n")
    sources = [tmp_path / "a.c", tmp_path / "b.c"]
    made = c_library(sources, ["-DMORE=2"])
    assert ctypes.CDLL(str(made)).a() == 42
    assert c_library(sources, ["-DMORE=2"]) == made
    (tmp_path / "n.h").write_text("#define N 41\n")
    assert ctypes.CDLL(str(c_library(sources, ["-DMORE=2"]))).a() == 43
    assert ctypes.CDLL(str(c_library(sources, ["-DMORE=3"], native=False))).a() == 44
    plus = tmp_path / "c.cpp"
    plus.write_text('#include <string>\nextern "C" int c() { return int(std::string("abc").size()); }\n')
    assert ctypes.CDLL(str(c_library([plus]))).c() == 3
    with pytest.raises(CompileError, match=r"b\.c:1:\d+: error: use of undeclared identifier 'MORE'"):
        c_library(sources)


def test_c_library_falls_back_on_the_systems_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "a.c"
    source.write_text("int a(void) { return 5; }\n")
    monkeypatch.setattr(pip_clang, "package_file", lambda package, names: None)
    if native.shutil.which("cc"):
        assert ctypes.CDLL(str(c_library([source]))).a() == 5
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PorterError, match="no C compiler"):
        c_library([source])


def test_a_package_that_is_installed_again_has_the_same_stamp(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    header = site / "kit" / "include" / "a.h"
    header.parent.mkdir(parents=True)
    header.write_text("int a;")
    (site / "kit-1.0.dist-info").mkdir()
    first = store.stamp(header)
    os.utime(header, (1, 1))
    assert store.stamp(header) == first
    header.write_text("long a;")
    assert store.stamp(header) != first
    own = site / "own.h"
    own.write_text("int a;")
    first = store.stamp(own)
    os.utime(own, (1, 1))
    assert store.stamp(own) != first


def test_the_bundle_is_what_llvm_writes() -> None:
    data = bundle(b"payload")
    assert data.startswith(b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", 2))
    offset, size, length = struct.unpack_from("<QQQ", data, 32 + 24 + 30)
    assert data[offset : offset + size] == b"payload"
    assert data[32 + 24 + 30 + 24 :][:length] == b"hipv4-amdgcn-amd-amdhsa--gfx942"


def test_no_more_processes_than_processors_and_the_first_failure_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= process.processors() <= (os.cpu_count() or 1)
    inside, most, lock = [0], [0], threading.Lock()

    def started(*args: object, **kwargs: object) -> subprocess.CompletedProcess[bytes]:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        time.sleep(0.01)
        with lock:
            inside[0] -= 1
        return subprocess.CompletedProcess([], 0, b"", b"")

    with monkeypatch.context() as patch:
        patch.setattr(process.subprocess, "run", started)
        process.in_parallel([lambda: process.run(["x"], "x") for _ in range(20)])
    assert 1 <= most[0] <= process.processors()

    def fail(name: str) -> None:
        raise CompileError(name, "", ())

    with pytest.raises(CompileError, match="first"):
        process.in_parallel([lambda: fail("first"), lambda: fail("second")])
    with pytest.raises(PorterError, match="does not run"):
        process.run(["/no/such/compiler"], "x")
    monkeypatch.setattr(process, "TIMEOUT", 0.05)
    with pytest.raises(CompileError, match="not finished"):
        process.run([sys.executable, "-c", "import time; time.sleep(5)"], "slow")


def test_the_public_names_exist() -> None:
    assert all(hasattr(toolchain, name) for name in toolchain.__all__)
