"""What the emulator's counts add up to."""

from __future__ import annotations

from porter.emu.device import InstructionCount
from porter.perf.counters import total


def test_exchanges_between_lanes_take_the_lds_two_cycles() -> None:
    read = InstructionCount(
        "ds_read_b32 v0, v1", "x.hip", 1, 5, times=5, lanes=320, bytes=1280, lds_cycles=20, lds_ideal=10
    )
    moves = [
        InstructionCount(f"{name} v0, v1, v2", "x.hip", 2, 7)
        for name in ("ds_bpermute_b32", "ds_permute_b32", "ds_swizzle_b32")
    ]
    sums = total([read, *moves])
    assert (sums.lds_cycles, sums.lds_ideal, sums.by_class["lds"]) == (20 + 42, 10 + 42, 26)
    assert total(moves).lds_conflict_factor == 1.0
