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


def test_scalar_loads_are_of_no_lane() -> None:
    load = InstructionCount("global_load_dword v0, v[1:2], off", "x.hip", 1, 8, times=8, lanes=8 * 64, bytes=2048)
    scalar = InstructionCount("s_load_dwordx2 s[0:1], s[4:5], 0x0", "x.hip", 1, 24, times=24, lanes=24, bytes=192)
    half = InstructionCount("ds_write_b32 v0, v1", "x.hip", 1, 8, times=8, lanes=8 * 32, bytes=1024)
    assert total([load, scalar]).active_lanes == 1 and total([load, scalar]).accesses == 8
    assert total([load, scalar, half]).active_lanes == 0.75
