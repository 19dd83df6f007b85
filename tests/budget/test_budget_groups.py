"""Shared memory over 64 KiB: numbers that stand for a tile's quotient, masked tiles, and warpgroups that consume."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_budget import port, said

from porter.findings import FilePort, Safety
from tests.families import family

ATTEND = """#include <cuda_runtime.h>
constexpr int kQueries = 64, kRow = 16;
constexpr int kv_rows = 128;
struct Shared { float q[kQueries * 64], k[kv_rows * 128]; };
template <bool MASK> __global__ void __launch_bounds__(128) attend(float *x, int n) {
  extern __shared__ char memory[];
  auto &s = *reinterpret_cast<Shared *>(memory);
  float d[kQueries / kRow][kv_rows / kRow] = {};
  int last = n / (kv_rows / kRow), lane = threadIdx.x % 32;
  int steps = NUMBER;
  for (int i = 0; i < steps; ++i) d[0][0] += s.k[i] + s.q[last];
  x[blockIdx.x * kQueries] = d[0][0] + lane;
}
void run(float *x, int n) { attend<true><<<n / kQueries, 128, sizeof(Shared)>>>(x, n); }
"""


def messages(result: FilePort) -> str:
    return "; ".join(f.message for f in result.findings if f.rule == "shared-memory-budget")


def test_a_number_for_a_quotient_follows_the_tile(tmp_path: Path) -> None:
    """Else the loop would end after half of its steps, without a word."""
    result = port(tmp_path, ATTEND.replace("NUMBER", "n/8"))
    assert "n/(kv_rows / kRow);" in result.port and "int kv_rows = 64;" in result.port
    assert "8 becomes (kv_rows / kRow)" in messages(result) and said(result, Safety.REVIEW)


@pytest.mark.parametrize(
    ("number", "left"),
    [("(n + 7) / 8", True), ("n % 8 + (last - 1) % 8", True), ("lane / 8", False), ("n / 4", False), ("n * 8", False)],
)
@pytest.mark.sample(2)
def test_a_number_that_may_be_a_quotient_keeps_the_tile(number: str, left: bool, tmp_path: Path) -> None:
    result = port(tmp_path, ATTEND.replace("NUMBER", number))
    assert bool(said(result, Safety.LEFT)) == left != ("int kv_rows = 64;" in result.port)
    if left:
        assert "8 in line 10 of kernel.cu would stay as it is, and (kv_rows / kRow) is as much" in messages(result)


def test_a_number_in_code_that_nothing_instantiates_is_told(tmp_path: Path) -> None:
    """What it stands for has no value there."""
    source = ATTEND.replace("NUMBER", "n").replace("int last = n / (kv_rows / kRow),", "int last = n,")
    branch = "  if constexpr (MASK) { last = n / (K::kv_rows / kRow); d[1][1] = n / 8; }\n  int steps"
    source = source.replace("constexpr int kv_rows = 128;", "struct Dims { static constexpr int kv_rows = 128; };")
    source = source.replace("kv_rows * 128]", "Dims::kv_rows * 128]").replace("[kv_rows / kRow]", "[K::kv_rows / kRow]")
    source = source.replace("<bool MASK>", "<class K, bool MASK>").replace("  int steps", branch)
    result = port(tmp_path, source.replace("attend<true>", "attend<Dims, false>"))
    assert "int kv_rows = 64;" in result.port and said(result, Safety.REVIEW), messages(result)
    assert "see that 8 in line 10 of kernel.cu does not stand for (K::kv_rows / kRow)" in messages(result)


@pytest.mark.parametrize(("mask", "level"), [("MASK", Safety.SLOWER), ("causal", Safety.REVIEW)])
def test_tiles_of_keys_that_are_masked(mask: str, level: Safety, tmp_path: Path) -> None:
    """A mask of the last two tiles of keys is none of the last four, as which a block's rows are then as long."""
    source = ATTEND.replace("NUMBER", f"{mask} ? last : n").replace("MASK", mask)
    result = port(tmp_path, source)
    assert "int kv_rows = 64;" in result.port and said(result, level) == ["kv_rows is 64"]
    assert ("2 times as many rows to a tile of keys" in messages(result)) == (level is Safety.REVIEW)


MASKED = """#include <cuda_runtime.h>
constexpr int kBlockQ = 64, kBlockKv = 64;
struct Shared { float q[kBlockQ * 64], k[kBlockKv * 256]; };
__global__ void __launch_bounds__(2 * kBlockQ) attend(float *x, int seq, bool causal) {
  extern __shared__ char memory[];
  auto &s = *reinterpret_cast<Shared *>(memory);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int q0 = blockIdx.x * kBlockQ;
  const int end = causal ? min(seq, q0 + kBlockQ) : seq;
  const int blocks = LIMIT;
  float sum = 0;
  for (int block = 0; block < blocks; ++block) {
    const int first = block * kBlockKv;
    float score[kBlockKv / 8][4];
    for (int j = 0; j < kBlockKv / 8; ++j) score[j][0] = s.k[8 * j + lane] * s.q[16 * warp];
    if (WHERE) {
      for (int j = 0; j < kBlockKv / 8; ++j) {
        const int column = first + 8 * j + lane % 4, row = q0 + 16 * warp + lane / 4;
        if (HIDDEN) score[j][0] = -INFINITY;
      }
    }
    sum += score[0][0];
  }
  x[q0 + lane] = sum;
}
void run(float *x, int n) { attend<<<(n + kBlockQ - 1) / kBlockQ, 2 * kBlockQ, sizeof(Shared)>>>(x, n, true); }
"""
PLACES = {"LIMIT": "(end + kBlockKv - 1) / kBlockKv", "WHERE": "first + kBlockKv - 1 > q0", "HIDDEN": "column > row"}


def masked(folder: Path, **parts: str) -> FilePort:
    source = MASKED
    for name, text in (PLACES | parts).items():
        source = source.replace(name, text)
    return port(folder, source)


def test_a_mask_that_compares_places_lets_keys_alone_be_halved(tmp_path: Path) -> None:
    """A block keeps its rows, and a compute unit its waves."""
    result = masked(tmp_path)
    assert "kBlockQ = 64, kBlockKv = 32;" in result.port
    assert said(result, Safety.SLOWER) == ["kBlockKv is 32"]


@family(
    "parts",
    [
        {"WHERE": "block == blocks - 1"},  # tiles of keys are counted
        {"WHERE": "block >= blocks - 2"},
        {"WHERE": "first + kBlockKv >= q0 + kBlockQ"},  # of the last rows alone
        {"WHERE": "first + 32 > q0"},
        {"HIDDEN": "block == blocks - 1 && column > row"},
        {"HIDDEN": "column - first > row - q0 && first > q0 - 1"},
        {"LIMIT": "blockIdx.x + 1"},  # as many as blocks of rows
    ],
)
def test_other_masks_keep_the_proportion(parts: dict[str, str], tmp_path: Path) -> None:
    result = masked(tmp_path, **parts)
    assert "kBlockQ = 64, kBlockKv = 32;" not in result.port or said(result, Safety.REVIEW)


GROUPS = """#include <cuda_runtime.h>
constexpr int kConsumers = 3;
struct Shared { float q[kConsumers][64 * 96], k[1024]; };
__global__ void __launch_bounds__(kConsumers * 128 + 128) attend(float *x) {
  extern __shared__ char memory[];
  float (&q)[kConsumers][64 * 96] = reinterpret_cast<Shared *>(memory)->q;
  const int tile = blockIdx.x * DEVICE + threadIdx.x / 128;
  x[tile] = q[threadIdx.x / 128][0] + q[INDEX][1];
}
void run(float *x, int n) { attend<<<n / (HOST * 64), kConsumers * 128 + 128, sizeof(Shared)>>>(x); }
"""


@pytest.mark.parametrize(
    ("device", "host", "index", "becomes"),
    [
        ("kConsumers", "kConsumers", "0", 2),
        ("kConsumers", "kConsumers", "1", 2),
        ("kConsumers", "kConsumers", "2", 3),
        ("3", "kConsumers", "0", 3),
        ("kConsumers", "3", "0", 3),
    ],
)
@pytest.mark.sample(2)
def test_fewer_groups_consume(device: str, host: str, index: str, becomes: int, tmp_path: Path) -> None:
    """Where the grid, the block's tiles and the arrays go with them; always for review."""
    source = GROUPS.replace("DEVICE", device).replace("HOST", host).replace("INDEX", index)
    result = port(tmp_path, source)
    assert f"int kConsumers = {becomes};" in result.port
    assert bool(said(result, Safety.LEFT)) == (becomes == 3) != bool(said(result, Safety.REVIEW))
