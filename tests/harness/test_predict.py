"""`porter verify --bench` without a GPU: predicted times beside the proof, and what cannot be predicted."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from commands import porter

KERNEL = """#include <hip/hip_runtime.h>
__global__ void scale(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
__device__ int flags[8];
__global__ void wait(const float *x, float *y, int n) {
  if (threadIdx.x == 0) {
    __hip_atomic_store(&flags[blockIdx.x & 7], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    while (!__hip_atomic_load(&flags[(blockIdx.x + 4) & 7], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)) {}
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
extern "C" void entry(const float *x, float *y, int n) { KERNEL<<<(n + 255) / 256, 256>>>(x, y, n); }
"""
CASE = """import torch
SHAPES = [dict(n=2048)]
BENCH = [dict(n=1 << 20), dict(n=1 << 22)]
PUBLISHED = [dict(n=1 << 20, board="MI300X", by="somebody", us=5)]
def inputs(n):
    return {"x": torch.randn(n)}
def reference(x):
    return {"y": 2 * x}
"""


def case(folder: Path, kernel: str) -> Path:
    home = folder / kernel
    home.mkdir()
    (home / f"{kernel}.hip").write_text(KERNEL.replace("KERNEL", kernel))
    (home / "case.py").write_text(CASE)
    return home


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("predicted")
    out = folder / "out.json"
    command = ["verify", case(folder, "scale"), case(folder, "wait"), "--bench", "--emulate", "--no-history"]
    result = porter(
        *command, "--inputs", "cache", "--check", "none", "--json", out, env={**os.environ, "COLUMNS": "250"}
    )
    return result, json.loads(out.read_text())


def test_the_shapes_of_bench_are_predicted_and_prove_nothing(done) -> None:
    result, data = done
    assert result.returncode == 0, result.stderr
    assert data["passed"] == len(data["verdicts"]) == 2 * 5  # kinds of values on the one shape
    found = [one for one in data["predicted"] if one["case"] == "scale"]
    times = {one["shape"]["n"]: one["predicted"]["microseconds"] for one in found}
    assert list(times) == [1 << 20, 1 << 22]
    assert times[1 << 20][0] < times[1 << 20][1] < times[1 << 20][2] < times[1 << 22][1]
    assert "predicted for MI300X by the model of time, inputs in the last cache" in result.stdout
    assert "somebody 5.00 us, x " in result.stdout


def test_a_kernel_whose_workgroups_wait_for_one_another_is_not_predicted(done) -> None:
    result, data = done
    found = [one for one in data["predicted"] if one["case"] == "wait"]
    assert [one["status"] for one in found] == ["NOT RUN", "NOT RUN"]
    assert "its workgroups wait for one another" in result.stdout
