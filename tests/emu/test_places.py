"""Findings in code that the compiler inlined from a library's header name the user's line, and the header's beside it."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from commands import porter

from porter.emu.assembly import AssemblyError, parse
from porter.emu.device import Check, FaultKind, Finding, Module, allow, forbid
from porter.emu.image import build_image
from porter.emu.places import Place, in_library, inlined_at, place_of
from porter.toolchain import device_assembly

HEADER = """#pragma once
template <class T> __device__ T nth(const T *p, int n) {
  return p[n];
}
"""
SOURCE = """#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include "own.h"
#include <porter/memory.h>
extern "C" __global__ void added(int *out, int n) {
  atomicAdd(&out[n * threadIdx.x], 1);
}
extern "C" __global__ void loaded(int *out, int n) {
  int values[2];
  hipcub::BlockLoad<int, 64, 2>().Load(out + n, values);
  out[threadIdx.x] = values[0] + values[1];
}
extern "C" __global__ void own(int *out, int n) {
  out[0] = nth(out, n);
}
__device__ __forceinline__ void twice(int *out, int n) {
  atomicAdd(out + n, 1);
  atomicAdd(out + n, 1);
}
extern "C" __global__ void nested(int *out, int n) {
  twice(out, n);
}
extern "C" __global__ void shared(int *out, int n) {
  __shared__ int tile[64];
  if (threadIdx.x / 64 == n) porter::store(&tile[threadIdx.x % 64], n);
  else out[threadIdx.x % 64] = porter::load(&tile[threadIdx.x % 64]);
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("places")
    (path / "own.h").write_text(HEADER)
    (path / "user.hip").write_text(SOURCE)
    return path


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SOURCE.split("\n"), 1) if text in line)


def findings(folder: Path, kernel: str, n: int, block: int = 64) -> tuple[Finding, ...]:
    out = np.zeros(64, dtype=np.int32)
    allow(out.ctypes.data, out.nbytes)
    try:
        with Module(build_image(device_assembly(folder / "user.hip").read_text())) as module:
            done = module.launch(kernel, 1, block, struct.pack("<Qi", out.ctypes.data, n), checks=tuple(Check))
    finally:
        forbid(out.ctypes.data)
    return done.findings


def test_an_atomic(folder: Path) -> None:
    (finding,) = findings(folder, "added", 1 << 24)
    assert finding.kind is FaultKind.OUT_OF_BOUNDS
    assert (finding.file, finding.line) == (str(folder / "user.hip"), line_of("atomicAdd(&out"))
    assert Path(finding.inner_file).name == "amd_hip_atomic.h" and finding.inner_line > 0


def test_the_innermost_own_function(folder: Path) -> None:
    """Not the kernel that calls it."""
    (finding,) = findings(folder, "nested", 1 << 24)
    assert (Path(finding.file).name, finding.line) == ("user.hip", line_of("atomicAdd(out"))


def test_an_own_header_is_no_library(folder: Path) -> None:
    (finding,) = findings(folder, "own", 1 << 24)
    assert (finding.file, finding.line, finding.inner_file) == (str(folder / "own.h"), 3, "")


def test_a_block_primitive(folder: Path) -> None:
    (finding,) = findings(folder, "loaded", 1 << 24)
    assert (Path(finding.file).name, finding.line) == ("user.hip", line_of("BlockLoad"))
    assert Path(finding.inner_file).parts[-2:] == ("porter", "block.hpp") and finding.inner_line > 0


def test_a_race(folder: Path) -> None:
    """Both places are the user's."""
    (finding,) = (f for f in findings(folder, "shared", 1, 128) if f.kind is FaultKind.LDS_RACE)
    assert {finding.line, finding.other_line} == {line_of("porter::store"), line_of("porter::load")}


def test_clangs_comment() -> None:
    text = "\t.loc\t1 254 59 prologue_end           ; /opt/rocm/a.h:254:59 @[ b.h:278 @[ /x y/c.hip:4:17 ] ]"
    assert inlined_at(text[text.index(" @[ ") :]) == (("b.h", 278, 0), ("/x y/c.hip", 4, 17))
    assert inlined_at("") == ()


@pytest.mark.parametrize(
    ("file", "line", "callers", "expected"),
    [
        ("/home/a.hip", 3, (("/home/b.hip", 4, 0),), Place("/home/a.hip", 3)),
        ("/opt/rocm/include/x.h", 3, (("/opt/rocm-7.0/y.h", 4, 0), ("/home/b.hip", 5, 0)), Place("/home/b.hip", 5, "/opt/rocm/include/x.h", 3)),
        ("/opt/rocm/include/x.h", 3, (), Place("/opt/rocm/include/x.h", 3)),
        ("/home/a.hip", 0, (("/home/b.hip", 5, 0),), Place("/home/b.hip", 5)),
        ("/opt/rocm/include/x.h", 3, (("/home/b.hip", 0, 0),), Place("/opt/rocm/include/x.h", 3)),
    ],
)  # fmt: skip
def test_which_place_counts(file: str, line: int, callers: tuple[tuple[str, int, int], ...], expected: Place) -> None:
    assert place_of(file, line, callers) == expected


def test_an_unknown_instruction_names_both() -> None:
    text = (
        '\t.text\nk:\n\t.file\t1 "/home/me" "a.hip"\n\t.file\t2 "/opt/rocm/include" "x.h"\n'
        "\t.loc\t2 7 1 ; /opt/rocm/include/x.h:7:1 @[ /home/me/a.hip:3:2 ]\n\ts_nosuch 1\n"
    )
    with pytest.raises(AssemblyError, match=r"^/home/me/a\.hip:3 \(in x\.h:7\): the emulator does not know"):
        build_image(text)


def test_libraries() -> None:
    import porter

    runtime = Path(porter.__file__).parent / "runtime" / "include" / "porter" / "half.h"
    assert in_library(str(runtime))
    assert not in_library("/home/me/project/include/kernels.h")


def test_porters_headers_are_known_beside_a_port() -> None:
    """porter convert copies them there: a finding names the line of the port that called them."""
    assert in_library("/home/me/port/porter/memory.h") and in_library("out/hipcub/warp/warp_scan.hpp")
    assert not in_library("/home/me/port/porter/kernels.h") and not in_library("memory.h")
    place = place_of("/home/me/port/porter/memory.h", 81, (("/home/me/port/k.hip", 7, 0),))
    assert place == Place("/home/me/port/k.hip", 7, "/home/me/port/porter/memory.h", 81)


def test_files_that_clang_names_by_a_part_of_their_path() -> None:
    """As in assembly that was compiled inside the project's folder."""
    text = (
        '\t.text\nk:\n\t.file\t1 "/home" "me/a.hip"\n\t.file\t2 "/opt/rocm/include" "x.h"\n'
        "\t.loc\t2 7 1 ; /opt/rocm/include/x.h:7:1 @[ me/a.hip:3:2 ]\n\ts_endpgm\n\t.loc\t1 9 1\n\ts_nop 0\n"
    )
    program = parse(text)
    first, second = program.lines
    assert program.callers[first.callers] == (("/home/me/a.hip", 3, 2),)
    assert program.callers[second.callers] == ()
    assert program.files[second.file] == "/home/me/a.hip" and second.line == 9


ADDED = line_of("atomicAdd(&out")
MAIN = """
int main() {
  int *p;
  hipMalloc(&p, 256);
  added<<<1, 64>>>(p, ARGUMENT);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 3;
}
"""


def run(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    (folder / "main.hip").write_text(SOURCE + MAIN)
    return porter("run", folder / "main.hip", *arguments)


def test_the_message_and_json(folder: Path) -> None:
    out = folder / "run.json"
    done = run(folder, "-D", "ARGUMENT=1<<24", "--json", out)
    assert done.returncode == 3
    assert f"main.hip:{ADDED} (in amd_hip_atomic.h:" in done.stderr
    ((finding,),) = (launch["findings"] for launch in json.loads(out.read_text())["launches"])
    assert (finding["file"], finding["line"]) == (str(folder / "main.hip"), ADDED)
    assert finding["inlined"]["file"].endswith("amd_hip_atomic.h") and finding["inlined"]["line"] > 0


def test_counters_by_line(folder: Path) -> None:
    out = folder / "run.json"
    done = run(folder, "-D", "ARGUMENT=1", "--counters", "--json", out)
    assert done.returncode == 0 and f"main.hip:{ADDED} " in done.stderr and "amd_hip_atomic.h" not in done.stderr
    (launch,) = json.loads(out.read_text())["launches"]
    atomics = [n for n, row in enumerate(launch["counts"]) if "atomic" in row[0]]
    assert atomics and all(launch["counts"][n][2] == ADDED for n in atomics)
    assert set(atomics) <= {row for row, file, _ in launch["inlined"] if file.endswith("amd_hip_atomic.h")}
