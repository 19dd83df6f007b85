"""A launch has one prediction, wherever the system puts its arguments, the program's variables and memory of the host."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
#include <hip/hip_runtime.h>
#include <cstdlib>

__constant__ float table[512];
__device__ float kept[4096];

__global__ void variables(const float *x, float *z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i];
  for (int k = 0; k < 64; k++) sum += table[k * 7 & 511] * kept[(i + k * 64) & 4095];
  z[i] = sum;
}

__global__ void of_the_host(const float *x, float *z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  z[i] = x[i];
}

int main() {
  const int n = 1 << 18;
  float *x, *z, *own = (float *)aligned_alloc(4096, n * sizeof(float)), *seen;
  hipMalloc(&x, n * sizeof(float));
  hipMalloc(&z, n * sizeof(float));
  hipMemset(x, 0, n * sizeof(float));
  hipHostRegister(own, n * sizeof(float), 0);
  hipHostGetDevicePointer((void **)&seen, own, 0);
  variables<<<n / 256, 256>>>(x, z);
  of_the_host<<<n / 256, 256>>>(seen, z);
  return hipDeviceSynchronize();
}
"""
# How glibc places what is allocated: in the heap, in pages of their own, behind much else
PLACED = (
    {},
    {"MALLOC_MMAP_THRESHOLD_": "1000"},
    {"MALLOC_TOP_PAD_": "300000000"},
    {"MALLOC_MMAP_THRESHOLD_": "500000000"},
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("places") / "places.hip"
    path.write_text(PROGRAM)
    return path


def cycles(source: Path, placed: dict[str, str], folder: Path) -> list[int]:
    done = subprocess.run(
        [sys.executable, "-m", "porter", "run", source, "--time", "--json", folder / "out.json"],
        env={**os.environ, **placed}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [launch["predicted"]["cycles"] for launch in json.loads((folder / "out.json").read_text())["launches"]]


@pytest.mark.slow
def test_a_launch_has_one_prediction_wherever_memory_lies(source: Path, tmp_path: Path) -> None:
    all_cycles = [cycles(source, placed, tmp_path) for placed in PLACED]
    assert len(all_cycles[0]) == 2 and all(all_cycles[0])
    assert all_cycles == all_cycles[:1] * len(PLACED)
