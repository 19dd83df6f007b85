"""What the waits of a timeline tell of the loads: whether waves get them together, and in which order they come."""

from __future__ import annotations

import numpy as np

from porter.perf.timeline.timeline import Instruction, Timeline, Wave
from porter.validation.traces.returns import returns

CODE = tuple(
    map(
        Instruction,
        ("buffer_load_dwordx4 v[0:3], off", "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(1)", "global_store_dword"),
    )
)
LOAD, ALL, ALL_BUT_ONE, STORE = range(4)
TYPES = (3, 9, 9, 4)


def wave(simd: int, *events: tuple[int, int, int], workgroup: int = 0) -> Wave:
    """One with events of (begin, duration, instruction)."""
    rows = np.array([(begin, TYPES[number], 0, cycles, number) for begin, cycles, number in events])
    return Wave(simd, 0, workgroup, 0, 1000, rows)


def unit(*waves: Wave) -> Timeline:
    return Timeline("k", "measured", "", CODE, waves)


def test_four_waves_that_wait_together() -> None:
    ends = (300, 308, 312, 316)
    result = returns(unit(*(wave(n, (4 * n, 4, LOAD), (40, end - 40, ALL)) for n, end in enumerate(ends))))
    assert result.apart == (16, 16, 16)
    assert (result.stood, result.overtaking) == (4, 0)
    assert result.text == "16, 16, 16; 0.0% of 4"


def test_of_eight_waves_those_that_end_one_behind_the_other_are_together() -> None:
    ends = (300, 900, 304, 904, 308, 908, 320, 940)
    result = returns(unit(*(wave(n % 4, (4 * n, 4, LOAD), (40, end - 40, ALL)) for n, end in enumerate(ends))))
    assert result.apart == (22, 30, 38)  # 20 and 40 cycles


def test_a_load_that_overtakes_an_earlier_one() -> None:
    result = returns(
        unit(
            wave(0, (0, 4, LOAD), (40, 460, ALL)),
            wave(1, (4, 4, LOAD), (40, 260, ALL)),  # 200 before the other wave's
            wave(2, (8, 4, LOAD), (40, 450, ALL)),  # 10 before it: not told
            wave(3, (12, 4, LOAD), (600, 4, ALL)),  # did not stand: nothing is known of its load
        )
    )
    assert (result.stood, result.overtaking) == (3, 1)


def test_a_wait_for_all_but_one_is_for_the_load_before_the_last() -> None:
    result = returns(
        unit(
            wave(0, (0, 4, LOAD), (100, 4, LOAD), (104, 196, ALL_BUT_ONE)),  # its load of 0 comes by 300
            wave(1, (50, 4, LOAD), (60, 440, ALL)),  # of 50 by 500
            wave(2, (80, 4, LOAD), (84, 4, STORE), (90, 260, ALL)),  # for a store: left out
        )
    )
    assert result.apart is None  # three waves
    assert (result.stood, result.overtaking) == (2, 0)


def test_waves_that_wait_unequally_often_and_units_without_waits() -> None:
    waves = [wave(n, (0, 4, LOAD), (40, 200, ALL)) for n in range(3)]
    more = wave(3, (0, 4, LOAD), (40, 200, ALL), (300, 4, LOAD), (310, 90, ALL))
    assert returns(unit(*waves, more)).apart is None
    assert returns(unit()).text == "none; none of 0"
