"""`porter run --code-object`: kernels that another compilation made, in place of porter's own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from commands import porter

from porter.toolchain import Options, device_assembly

PROGRAM = """
#include <hip/hip_runtime.h>
#include <cstdio>
__constant__ int factor;
extern "C" __global__ void scale(const int *in, int *out, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 8; k++) sum += in[(i + k) % n];
  out[i] = sum * factor;
}
int main() {
  int *in, *out;
  const int three = 3;
  hipMallocManaged(&in, 256);
  hipMallocManaged(&out, 256);
  for (int i = 0; i < 64; i++) in[i] = 1;
  if (hipMemcpyToSymbol(HIP_SYMBOL(factor), &three, 4) != hipSuccess) return 2;
  scale<<<1, 64>>>(in, out, 64);
  if (hipDeviceSynchronize() != hipSuccess) return 3;
  for (int i = 0; i < 64; i++)
    if (out[i] != 24) return 4;
  printf("right\\n");
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, and its device code at another level as a code object, in a bundle, and as assembly."""
    path = tmp_path_factory.mktemp("objects")
    source = path / "scale.hip"
    source.write_text(PROGRAM)
    for name, more in (("scale.hsaco", ["--elf"]), ("scale.co", [])):
        done = porter("build", "--genco", source, "-O", "0", "-o", path / name, *more)
        assert done.returncode == 0, done.stderr
    shutil.copy(device_assembly(source, Options(level="0")), path / "scale.s")
    return path


def instructions(folder: Path, out: Path, *words: object) -> tuple[int, list[dict[str, object]], str]:
    done = porter("run", folder / "scale.hip", "--emulate", "--time", "--json", out, "--force", *words)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr
    report = json.loads(out.read_text())
    return report["launches"][0]["instructions"], report["compiled"], done.stderr


def test_times_the_code_that_is_given_and_names_its_compiler(folder, tmp_path):
    own, compiled, said = instructions(folder, tmp_path / "own.json")
    (one,) = compiled
    assert one["file"] == "" and "clang version" in one["compiler"] and "-O3" in one["flags"]
    assert one["compiler"] in said and "-O3" in said
    counts = set()
    for name in ("scale.hsaco", "scale.co", "scale.s"):
        path = folder / name
        count, (one,), said = instructions(folder, tmp_path / "other.json", "--code-object", path)
        assert one["file"] == str(path) and one["kernels"] == ["scale"] and "clang version" in one["compiler"]
        assert f"code of {path}: clang version" in said
        counts.add(count)
    assert len(counts) == 1 and counts.pop() > 2 * own


def refused(folder: Path, given: Path) -> str:
    done = porter("run", folder / "scale.hip", "--emulate", "--code-object", given)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def built(tmp_path: Path, text: str) -> Path:
    source, made = tmp_path / "other.hip", tmp_path / "other.co"
    source.write_text(text)
    assert porter("build", "--genco", source, "-o", made).returncode == 0
    return made


def test_refuses_code_that_does_not_fit(folder, tmp_path):
    other = built(tmp_path, PROGRAM.replace("scale", "twice"))
    assert "no kernel of this program, but twice" in refused(folder, other)
    other = built(tmp_path, PROGRAM.replace("int n)", "long n)"))
    assert "argument 3 is 8 bytes at 16 (by_value), the program's 4 bytes at 16" in refused(folder, other)
    other = built(
        tmp_path,
        PROGRAM.replace("__constant__ int factor", "__constant__ int factor[2]").replace("* factor", "* factor[0]"),
    )
    assert "its variable factor has 8 bytes, the program's 4" in refused(folder, other)


def test_refuses_a_part_of_a_sources_kernels(folder, tmp_path):
    two = tmp_path / "scale.hip"
    two.write_text(PROGRAM + 'extern "C" __global__ void more(int *out) { out[threadIdx.x] = 1; }\n')
    done = porter("run", two, "--emulate", "--code-object", folder / "scale.co")
    assert done.returncode == 2 and "it lacks more of the same source; it has scale" in done.stderr


def test_refuses_files_that_are_not_for_this_chip(folder, tmp_path):
    data = bytearray((folder / "scale.hsaco").read_bytes())
    data[48] = 0x4F
    other = tmp_path / "other.hsaco"
    other.write_bytes(data)
    assert "another GPU (gfx950)" in refused(folder, other)
    assert "neither a code object" in refused(folder, folder / "scale.hip")
    assert "cannot be read" in refused(folder, tmp_path / "none.co")
