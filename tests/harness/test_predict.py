"""`porter verify --bench` without a GPU: predicted times beside the proof, and what cannot be predicted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from commands import porter

from porter.harness.running.devices import Placed
from porter.harness.timing import predict
from porter.perf.model.boards import Inputs

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
BENCH = [dict(n=1 << 17), dict(n=1 << 19)]
PUBLISHED = [dict(n=1 << 17, board="MI300X", by="somebody", us=5)]
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
        *command, "--inputs", "cache", "--check", "none", "--json", out, "--report", folder / "port.md",
        env={**os.environ, "COLUMNS": "250"},
    )  # fmt: skip
    return result, json.loads(out.read_text()), (folder / "port.md").read_text()


def test_the_shapes_of_bench_are_predicted_and_prove_nothing(done) -> None:
    result, data, report = done
    assert result.returncode == 0, result.stderr
    assert data["passed"] == len(data["verdicts"]) == 2 * 5  # kinds of values on the one shape
    predicted = [one for one in data["predicted"] if one["case"] == "scale"]
    times = {one["shape"]["n"]: one["predicted"]["microseconds"] for one in predicted}
    assert list(times) == [1 << 17, 1 << 19]
    assert all(low < likely < high for low, likely, high in times.values())
    assert times[1 << 17][1] < times[1 << 19][1]
    assert "predicted for MI300X by the model of time, inputs in the last cache" in result.stdout
    assert "somebody 5.00 us, x " in result.stdout
    assert "**all 10 runs passed. Predicted on an MI300X: at " in report
    (row,) = [line for line in report.splitlines() if "`scale`" in line and "n=131072" in line and "somebody" in line]
    assert "% memory | " in row and "% of somebody (5.00 us)" in row


def test_a_kernel_whose_workgroups_wait_for_one_another_is_not_predicted(done) -> None:
    result, data, report = done
    predicted = [one for one in data["predicted"] if one["case"] == "wait"]
    assert [one["status"] for one in predicted] == ["NOT RUN", "NOT RUN"]
    assert "its workgroups wait for one another" in result.stdout
    assert "Not predicted: `wait`, n=131072: its workgroups wait for one another" in report


def test_a_product_is_made_in_the_type_of_what_is_multiplied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not in that of sums that the kernel adds to, which may be larger: its share of the peak was 331%."""
    one = SimpleNamespace(microseconds=(1.0, 2.0, 3.0), as_json=dict)
    monkeypatch.setattr(predict, "predict", lambda *_, **__: one)
    monkeypatch.setattr(predict, "read_recorded", lambda path: None)
    monkeypatch.setattr(predict, "what_to_do", lambda prediction: ["nothing"])
    pointers = [SimpleNamespace(name=name, constant=name == "a") for name in "ad"]
    job = SimpleNamespace(
        recordings=tmp_path,
        compiled=(),
        board="MI300X",
        inputs=Inputs.MEMORY,
        kept=True,
        entry=SimpleNamespace(pointers=pointers),
    )
    case = SimpleNamespace(path=tmp_path, flops=None, bytes=None, published=())
    inputs = {"a": torch.zeros(4, 4, dtype=torch.float16), "d": torch.zeros(8, 8)}
    placed = {name: Placed(name, 0, tuple(value.shape), value.dtype) for name, value in inputs.items()}
    launch = {"kernel": "k", "symbol": "k", "grid": [1, 1, 1], "block": [64, 1, 1], "dynamic_lds": 0, "recording": "r"}
    said = predict.predicted(job, case, SimpleNamespace(shape={}), inputs, placed, [launch])
    assert said["launches"][0]["what_to_do"] == ["nothing"]
    assert said["dtype"] == "float16"
    assert said["bytes"] == 4 * 4 * 2 + 2 * 8 * 8 * 4


CLUSTERS = """#include <cooperative_groups.h>
__global__ void __cluster_dims__(4, 1, 1) exchange(float *y) {
  __shared__ float mine;
  auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) mine = float(blockIdx.x);
  cluster.sync();
  const float theirs = *cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % 4);
  cluster.sync();
  if (threadIdx.x == 0) y[blockIdx.x] = theirs;
}
int main() {
  float *y;
  cudaMalloc(&y, 1 << 16);
  exchange<<<1 << 14, 64>>>(y);
  return cudaDeviceSynchronize();
}
"""


@pytest.mark.slow
def test_workgroups_of_a_cluster_run_together_where_a_sample_is_followed(tmp_path: Path) -> None:
    source, port = tmp_path / "clusters.cu", tmp_path / "clusters.hip"
    source.write_text(CLUSTERS)
    assert porter("convert", source, "-o", port).returncode == 0
    json_file, cycles = tmp_path / "launches.json", []
    for threads in ("1", "8", "8"):
        env = {**os.environ, "COLUMNS": "250", "PORTER_EMU_THREADS": threads}
        result = porter("run", port, "--emulate", "--time", "--partial", "--json", json_file, "--force", env=env)
        assert result.returncode == 0, result.stdout + result.stderr
        said = result.stdout + result.stderr
        assert "exchange" in said and "(clusters): those waits are not in the time" in said
        (launch,) = [one for one in json.loads(json_file.read_text())["launches"] if "exchange" in one["kernel"]]
        cycles.append(launch["predicted"]["cycles"])
    assert len(set(cycles)) == 1, cycles  # how often blocks look does not hang on the machine


@pytest.mark.slow
def test_launches_whose_clusters_are_of_one_block_are_not_doubtful(tmp_path: Path) -> None:
    source, port = tmp_path / "clusters.cu", tmp_path / "clusters.hip"
    alone = "__global__ void alone(float *y) { y[blockIdx.x * 64 + threadIdx.x] = 1; }\n"
    source.write_text(CLUSTERS.replace("__global__", alone + "__global__", 1).replace("  return cuda", "  alone<<<1 << 14, 64>>>(y);\n  return cuda").replace("1 << 16)", "1 << 22)"))  # fmt: skip
    assert porter("convert", source, "-o", port).returncode == 0
    json_file = tmp_path / "launches.json"
    for how in ((), ("--partial",)):
        result = porter(
            "run", port, "--emulate", "--time", *how, "--json", json_file, env={**os.environ, "COLUMNS": "250"}
        )
        assert result.returncode == 0, result.stdout + result.stderr
        launches = {launch["kernel"]: launch for launch in json.loads(json_file.read_text())["launches"]}
        assert not any(launch["predicted"]["doubt"] for name, launch in launches.items() if "alone" in name), how
        assert any(launch["predicted"]["doubt"] for name, launch in launches.items() if "exchange" in name), how
