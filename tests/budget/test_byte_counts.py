"""A tile may not become so short that a padded size, by which a barrier counts bytes, is more than what is copied."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import FilePort, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

SOURCE = """#include <cuda_runtime.h>
#include <cstdint>
constexpr int BLOCK_M = 128;
template <class T, int N> struct __align__(128) Vector { T values[N]; };
using Tile = Vector<short, BLOCK_M * 512>;
using Square = Vector<char, BLOCK_M * BLOCK_M>;
using Scales = Vector<SCALE, BLOCK_M>;
struct Shared { Tile x; Scales scales; };
__device__ void expect(uint64_t *barrier, uint32_t bytes) {
  uint32_t address = (uint32_t)__cvta_generic_to_shared(barrier);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address), "r"(bytes) : "memory");
}
template <class T> constexpr uint32_t bytes_of() { return sizeof(T); }
template <class T> __device__ void expect_it(uint64_t *barrier, const T &) { expect(barrier, sizeof(T)); }
struct Counts { static constexpr uint32_t kBytes = sizeof(Tile) + sizeof(Scales); };
__global__ __launch_bounds__(BLOCK_M) void scaled(float *y) {
  extern __shared__ __align__(128) char memory[];
  Shared &shared = *reinterpret_cast<Shared *>(memory);
  __shared__ uint64_t barrier;
  COUNT;
  y[blockIdx.x * BLOCK_M + threadIdx.x] = shared.scales.values[threadIdx.x];
}
void run(float *y, int rows) {
  cudaFuncSetAttribute(scaled, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
  scaled<<<rows / BLOCK_M, BLOCK_M, sizeof(Shared)>>>(y);
}
"""


def port(folder: Path, source: str) -> tuple[FilePort, list[str]]:
    """The port, and what is left of it."""
    path = folder / "kernel.cu"
    path.write_text(source)
    options = Options(runtime="include", oversize="refuse")
    result = port_source(Project(folder), path, "kernel.hip", options, {})
    return result, [f.message for f in result.findings if f.safety is Safety.LEFT]


@pytest.mark.parametrize(
    ("count", "scale", "padded"),
    [
        ("expect(&barrier, sizeof(Tile) + sizeof(shared.scales))", "short", True),
        ("expect_it(&barrier, shared.scales)", "short", True),
        ("expect(&barrier, bytes_of<Scales>())", "short", True),
        ("expect(&barrier, Counts::kBytes)", "short", True),
        ("expect(&barrier, Counts::kBytes)", "int", False),  # 128 bytes are a whole line
        ("expect(&barrier, sizeof(Square))", "short", False),
        ("expect(&barrier, BLOCK_M * sizeof(short))", "short", False),
        ("shared.x.values[sizeof(Scales)] = 0", "short", False),  # nothing counts bytes by it
    ],
)
def test_a_padded_size_that_a_barrier_expects(count: str, scale: str, padded: bool, tmp_path: Path) -> None:
    """With 32 rows the scales are 64 bytes in an object of 128."""
    result, left = port(tmp_path, SOURCE.replace("COUNT", count).replace("SCALE", scale))
    assert ("BLOCK_M = 32;" in result.port) is not padded
    assert [m for m in left if "would be 128 bytes with its padding" in m and "BLOCK_M = 32" in m] == left
    assert bool(left) is padded


@pytest.mark.parametrize("body", ["{} return sizeof(T);", "return [] {{ {} return sizeof(T); }}();"])
def test_an_assertion_beside_a_byte_count_is_told_as_it_is_written(body: str, tmp_path: Path) -> None:
    source = SOURCE.replace("COUNT", "expect(&barrier, bytes_of<Scales>())").replace("SCALE", "short")
    asserting = body.format("static_assert(sizeof(T) >= 256);")
    _, (message, *_) = port(tmp_path, source.replace("return sizeof(T);", asserting))
    assert "(static assertion failed due to requirement 'sizeof(Vector<short, 32>) >= 256'" in message
