"""Products of tiles that come and are multiplied in other ways: mma.sync on the tiles of tensor maps, A of wgmma in registers,
sums in f16, tiles without a swizzle, bulk copies, columns; and when a tile is there, and for how long."""

from __future__ import annotations

from pathlib import Path

import pytest
import tile_variants as tiles
from test_recognise import native, reason, written

ROLES, MMA_SYNC, REGISTERS = tiles.ROLES, tiles.MMA_SYNC, tiles.REGISTERS


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (ROLES, "map_a and map_b (bf16 x bf16) and stores the sum as bf16"),
        (REGISTERS, "map_a and map_b (bf16 x bf16) and stores the sum as bf16"),
        (tiles.HALF_SUMS, "(f16 x f16) and stores the sum as f16"),
        (tiles.CORE_MATRICES, "map_a and map_b (bf16 x bf16)"),
        (tiles.M_MAJOR, "map_a and map_b (bf16 x bf16)"),
        (tiles.BULK_ROWS, "a_of and b_of (bf16 x bf16)"),
        (tiles.STORED, "a_of and b_of (bf16 x bf16)"),
        (tiles.OVER_TILES, "map_a and map_b (bf16 x bf16) and stores the sum as bf16"),
    ],
    ids=["mma.sync", "A in registers", "sums in f16", "core matrices", "A by columns", "bulk copies", "stored", "over tiles"],
)  # fmt: skip
@pytest.mark.sample(3)
def test_other_ways_to_multiply(changes: tiles.Changes, told: str, tmp_path: Path) -> None:
    message = written(native(tiles.BASIC, tmp_path, *changes))
    assert told in message
    assert ("Sums stay f32" in message) == (changes is tiles.HALF_SUMS)


WAIT = "barrier_wait(&shared.full[stage], (step / kStages) & 1);"
EMPTY = "barrier_wait(&shared.empty[step % kStages], (step / kStages & 1) ^ 1);\n"


@pytest.mark.parametrize(
    ("changes", "wrong", "told"),
    [
        # nobody waits for the tiles
        ((), (WAIT, ""), "without a wait for the copy"),
        (MMA_SYNC, (WAIT, ""), "without a wait for the copy"),
        # the second time round the wait is for a phase that is over already
        (ROLES, (WAIT, "barrier_wait(&shared.full[stage], 0);"), "tile"),
        # another stage is waited for
        (ROLES, (WAIT, "barrier_wait(&shared.full[(step + 1) % kStages], (step / kStages) & 1);"), ""),
        # the next copies do not wait until the stage is free
        (ROLES, (EMPTY, ""), "tile"),
        (MMA_SYNC, ("    __syncthreads();  // all four warps have read the stage\n", ""), "tile"),
        ((), ("    wgmma_wait<0>();\n", ""), "overwritten by the next copy"),
        # a stage is free when the first of four warps has read it
        (ROLES, ("barrier_init(&shared.empty[s], 4)", "barrier_init(&shared.empty[s], 1)"), ""),
        # freed before it is read
        (ROLES, ("    __syncwarp();\n    if (lane_id == 0)\n", "    if (lane_id == 0 && step == 0)\n"), "for ever"),
        # operands of another stage, of one k twice, of other rows
        (ROLES, ("place(shared.b[stage]", "place(shared.b[(stage + 1) % kStages]"), ""),
        (MMA_SYNC, ("2 * i + lane_id / 16)", "lane_id / 16)"), ""),
        (MMA_SYNC, ("first + lane_id % 16,", "first + (lane_id % 16 ^ 1),"), ""),
        (MMA_SYNC, ("multiply(&sum[8 * j], of_a, of_b[0], of_b[1])", "multiply(&sum[8 * j], of_a, of_b[2], of_b[3])"), ""),
        (MMA_SYNC, ("chunk ^ row % 8", "chunk ^ row % 4"), ""),
        (REGISTERS, ("row_of_a, 2 * i", "row_of_a, 2 * (i / 2)"), ""),
        (REGISTERS, ("row_of_a = 16 * (threadIdx.x / 32)", "row_of_a = 16 * (threadIdx.x / 32 ^ 1)"), ""),
        (tiles.CORE_MATRICES, ("a + 2 * i * kBlockM", "a + i * kBlockM"), ""),
        (tiles.CORE_MATRICES, ("static_cast<uint64_t>(128 >> 4) << 32", "static_cast<uint64_t>(256 >> 4) << 32"), ""),
        (tiles.BULK_ROWS, ("b_of + size_t(column0 + row) * k", "b_of + size_t(column0 + (row ^ 1)) * k"), ""),
        (tiles.BULK_ROWS, ("kBlockK * sizeof(__nv_bfloat16))), ", "kBlockK)), "), "behind the bytes"),
        (tiles.STORED, ("    wgmma_wait<0>();\n", ""), "while wgmma may still read"),
        (tiles.M_MAJOR, ("a + 128 * i", "a + 64 * i"), ""),
        (tiles.OVER_TILES, ("  __syncthreads();  // stored\n", ""), "a copy to shared memory that threads may still store to"),
        # a result lies over a tile that is multiplied next, or that is still on its way
        (tiles.OVER_TILES,
         ("    wgmma_fence();\n", "    if (step) reinterpret_cast<float*>(shared.a[stage])[threadIdx.x] = sum[0];\n    wgmma_fence();\n"),
         "that threads have stored over"),
        (tiles.OVER_TILES,
         ("    barrier_wait(", "    if (step) reinterpret_cast<float*>(shared.a[stage])[threadIdx.x] = sum[0];\n    barrier_wait("),
         "while a copy may bring a tile there"),
    ],
)  # fmt: skip
@pytest.mark.sample(6)
def test_wrong_tiles(changes: tiles.Changes, wrong: tuple[str, str], told: str, tmp_path: Path) -> None:
    assert told in reason(native(tiles.BASIC, tmp_path, *changes, wrong))


def test_a_namespace_of_a_kernel_alone_stays(tmp_path: Path) -> None:
    """All that was beside the kernel goes."""
    port = native(tiles.BASIC, tmp_path, *tiles.STORED)
    assert "gemm_native::grid(m, n)" in port.port
    assert "gemm(const __hip_bfloat16* __restrict__ a_of" in port.port
