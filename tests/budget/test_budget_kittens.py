"""Shared memory over 64 KiB in ThunderKittens kernels at wave width: sizes are those of porter's library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from porter.findings import Finding, Safety
from porter.frontend.unit import Options
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

KERNEL = """#include "kittens.cuh"
using namespace kittens;
constexpr int kStages = 4;
constexpr int kKeys = 128;
constexpr int kThreads = 2 * WARPGROUP_THREADS;
using tile = st_bf<kKeys, 64>;
struct globals { gl<bf16, 1, 1, -1, 64, tile> x; };
__global__ __launch_bounds__(kThreads, 1) void sum_kernel(const __grid_constant__ globals g) {
  extern __shared__ int memory[];
  tma_swizzle_allocator allocator(&memory[0]);
  tile(&x)[kStages] = allocator.allocate<tile, kStages>();
  __shared__ semaphore arrived[kStages];
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) init_semaphore(arrived[stage], 0, 1);
    tma::expect_bytes(arrived[0], sizeof(x[0]));
    tma::load_async(x[0], g.x, {0, 0, 0, 0}, arrived[0]);
  }
  __syncthreads();
  wait(arrived[0], 0);
  rt_fl<16, 64> sums;
  warp::zero(sums);
}
LAUNCH"""
LAUNCH = """void launch(bf16 *x, int rows) {
  const globals g{{x, nullptr, nullptr, size_t(rows), nullptr}};
  constexpr int kShared = sizeof(tile) * kStages + 1024;
  cudaFuncSetAttribute(sum_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  sum_kernel<<<rows / kKeys, kThreads, kShared>>>(g);
}
"""


def converted(folder: Path, name: str) -> tuple[dict[str, str], Sequence[Finding]]:
    conversion = Conversion(Options(kittens="native", runtime="include", oversize="refuse"))
    todo = plan([folder / name], folder / "out", False, conversion)
    ports = run_jobs(todo.jobs, conversion, 1)
    texts = {job.path.name: port.port for job, port in zip(todo.jobs, ports, strict=True)}
    return texts, [f for port in ports for f in port.findings]


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.sample(1)
def test_stages_of_tiles_are_lowered_where_the_headers_are_not_there(beside: bool, tmp_path: Path) -> None:
    """The launch may be in a source that the kernel's includes: it fits then, and has nothing left."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "sum.cu").write_text(KERNEL.replace("LAUNCH", '#include "launch.cu"\n' if beside else LAUNCH))
    if beside:
        (folder / "launch.cu").write_text(LAUNCH)
    texts, findings = converted(tmp_path, "in")
    assert "porter/kittens/kittens.h" in texts["sum.cu"]
    assert "constexpr int kStages = 3;" in texts["sum.cu"]
    budget = [f for f in findings if f.rule == "shared-memory-budget"]
    assert any("kStages is 3 instead of 4: 6" in f.message for f in budget), [f.message for f in budget]
    assert Safety.LEFT not in {f.safety for f in budget}, budget


@pytest.mark.slow
def test_a_tile_that_is_too_large_alone_is_halved(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    text = KERNEL.replace("LAUNCH", LAUNCH).replace("kKeys = 128", "kKeys = 512").replace("kStages = 4", "kStages = 1")
    (tmp_path / "in" / "sum.cu").write_text(text)
    texts, _ = converted(tmp_path, "in")
    assert "constexpr int kKeys = 256;" in texts["sum.cu"]


@pytest.mark.slow
def test_a_launch_with_all_that_a_block_can_have(tmp_path: Path) -> None:
    """That is 64 KiB in porter's library: the kernel's references say that it is too little."""
    (tmp_path / "in").mkdir()
    launch = LAUNCH.replace(
        "constexpr int kShared = sizeof(tile) * kStages + 1024", "size_t kShared = MAX_SHARED_MEMORY - 2048"
    )
    kernel = KERNEL.replace("tile(&x)[kStages]", "auto(&x)[kStages]")
    (tmp_path / "in" / "sum.cu").write_text(kernel.replace("LAUNCH", launch))
    (tmp_path / "in" / "fits.cu").write_text(kernel.replace("LAUNCH", launch).replace("kStages = 4", "kStages = 2"))
    texts, findings = converted(tmp_path, "in")
    assert "constexpr int kStages = 3;" in texts["sum.cu"]
    assert "constexpr int kStages = 2;" in texts["fits.cu"] and "kThreads, kShared>>>" in texts["fits.cu"]
    assert Safety.LEFT not in {f.safety for f in findings if f.rule == "shared-memory-budget"}
