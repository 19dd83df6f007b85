"""Kernels in string literals: programs that compile by NVRTC are ported whole and run, and texts keep their literals' form."""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

import pytest

from porter.findings import FilePort, Safety
from porter.frontend.literal_text import literal_text
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source
from porter.toolchain import find_toolchain

PROGRAMS = Path(__file__).parent / "nvrtc"


def port(folder: Path, text: str, **files: str) -> FilePort:
    path = folder / "program.cpp"
    path.write_text(text)
    for name, content in files.items():
        (folder / f"{name}.h").write_text(content)
    return port_source(Project(folder, whole=True), path, "program.hip", Options(runtime="include"), {})


@functools.cache
def converted(out: Path, name: str) -> Path:
    target = out / f"{name}.hip"
    command = [sys.executable, "-m", "porter", "convert", str(PROGRAMS / f"{name}.cu"), "-o", str(target)]
    subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return target


@pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}")
@pytest.mark.parametrize("name", ["saxpy", "templates", "reduction"])
@pytest.mark.sample(1)
def test_program_runs(tmp_path: Path, name: str) -> None:
    target = converted(tmp_path, name)
    assert "nvrtc" not in target.read_text().replace("by NVRTC", "").replace("porter[nvrtc-option]", "")
    command = [sys.executable, "-m", "porter", "run", str(target), "--check", "all"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0 and "PASS" in done.stdout, done.stdout + done.stderr


def test_headers_for_the_text_lie_in_the_port(tmp_path: Path) -> None:
    converted(tmp_path, "templates")
    texts = (tmp_path / "porter" / "rtc_headers.h").read_text()
    assert '{"porter/warp.h", R"' in texts and '{"porter/mirror_lanes.h", R"' in texts
    assert '{"porter/default_device.h", R"' in texts
    assert "hip/hip_runtime.h" not in texts and '{"porter/rtc.h"' not in texts


def call(source: str) -> str:
    return f'void f(nvrtcProgram *p) {{ nvrtcCreateProgram(p, {source}, "k.cu", 0, nullptr, nullptr); }}\n'


def kernel(ballot: str) -> str:
    return f"__global__ void k(unsigned *x) {{ *x = {ballot}(~0u, true); }}"


CUDAS, PORTERS = kernel("__ballot_sync"), kernel("porter::ballot_sync")


def test_escapes_of_ordinary_literals_are_kept(tmp_path: Path) -> None:
    text = (
        '#include <nvrtc.h>\nconst char *s = "/* \\"x\\" \\x41\\101\\\\ */\\n"\n'
        '    "__global__ void k(unsigned *x) {\\n"\n    "\\t*x = __ballot_sync(~0u, \\\n true); }\\n";\n' + call("s")
    )
    ported = port(tmp_path, text).port
    assert 'const char *s = "/* \\"x\\" \\x41\\101\\\\ */\\n"\n' in ported
    assert '    "#include \\"porter/warp.h\\"\\n__global__ void k' in ported
    assert '    "\\t*x = porter::ballot_sync(~0u, \\\n true); }\\n";\n' in ported


def test_places_are_those_in_the_file(tmp_path: Path) -> None:
    text = '#include <nvrtc.h>\nconst char *s = R"(\n\n  __global__ void k(unsigned *x) { *x = __ballot_sync(~0u, true); }\n)";\n'
    result = port(tmp_path, text + call("s"))
    (vote,) = (f for f in result.findings if f.rule == "warp-vote")
    assert text[vote.start :].startswith("__ballot_sync") and vote.safety is Safety.EXACT


@pytest.mark.parametrize(
    "program",
    [
        f'const char s[] = R"x({CUDAS})x";\n' + call("s"),
        f'#define S R"({CUDAS})"\n' + call("S"),
        f'static const char *const all[] = {{"", R"({CUDAS})"}};\n' + call("all[1]"),
        f'std::string s{{R"({CUDAS})"}};\n' + call("s.c_str()"),
        'void g(const char *name, const char *t) { nvrtcCreateProgram(0, (const char *)t, name, 0, 0, 0); }\n'
        f'void f() {{ g("k.cu", R"({CUDAS})"); }}\n',
        f'void f() {{ auto s = std::string(R"({CUDAS})"); nvrtcCreateProgram(0, s.data(), 0, 0, 0, 0); }}\n',
    ],
)  # fmt: skip
def test_ways_to_a_literal(tmp_path: Path, program: str) -> None:
    result = port(tmp_path, "#include <nvrtc.h>\n#include <string>\n" + program)
    assert PORTERS in result.port
    assert "porter::create_program(" in result.port
    assert not [f for f in result.findings if f.rule == "kernel-text" and f.safety is not Safety.EXACT]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ('std::string s = "a"; void g() { s += "b"; }\n' + call("s.c_str()"), "put together at run time"),
        (call("read_file(name).c_str()"), "cannot be followed"),
        (call("unknown"), "where the text of unknown comes from"),
    ],
)
def test_what_is_out_of_reach_is_said(tmp_path: Path, program: str, said: str) -> None:
    result = port(tmp_path, "#include <nvrtc.h>\n#include <string>\n" + program)
    said_of = [f for f in result.findings if f.rule == "kernel-text" and f.safety is Safety.REVIEW]
    assert said_of and said in said_of[0].message


def test_text_in_a_header_asks_for_headers_where_it_is_compiled(tmp_path: Path) -> None:
    text = '#include <nvrtc.h>\n#include "kernels.h"\n' + call("source")
    result = port(tmp_path, text, kernels=f'static const char *source = R"({CUDAS})";\n')
    assert "porter::create_program(" in result.port
    assert not [f for f in result.findings if f.rule == "kernel-text"]


def test_a_comment_stands_beside_what_is_left_in_a_text(tmp_path: Path) -> None:
    text = (
        '#include <nvrtc.h>\nconst char *s = R"(\n__global__ void k() {\n  asm("tcgen05.fence::before_thread_sync;");\n}\n)";\n'
        + call("s")
    )
    result = port(tmp_path, text)
    left = [f for f in result.findings if f.safety is Safety.LEFT]
    assert [text[f.start :][:3] for f in left] == ["asm"]
    assert "/* porter[" in result.port and result.port.count(')"') == text.count(')"')


def test_mirrored_kernels_stay(tmp_path: Path) -> None:
    text_of = '__global__ void k(float *x) { asm volatile("wgmma.fence.sync.aligned;"); }'
    text = f'#include <nvrtc.h>\nconst char *s = R"({text_of})";\n' + call("s")
    result = port(tmp_path, text)
    assert text_of in result.port
    assert [f.safety for f in result.findings if f.rule == "kernel-text"] == [Safety.LEFT]


def test_a_replacement_never_ends_its_literal() -> None:
    raw = literal_text('R"(a)" "b"', [(0, 6), (7, 10)])
    assert raw is not None and raw.text == "ab"
    assert raw.spelled('x)"', 0, 1) is None and raw.spelled("x", 0, 2) is None
    assert raw.spelled('"\n', 1, 2) == '\\"\\n'
