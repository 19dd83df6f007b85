"""When the waves of a unit get what they loaded, as the waits of a timeline tell: together or not, in order or not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from porter.perf.timeline.kinds import Kind, kind_of
from porter.perf.timeline.timeline import Events, Timeline, Wave

__all__ = ["Returns", "returns"]

_LEFT = re.compile(r"vmcnt\((\d+)\)")
_TURN = 4  # cycles of a wait that has nothing to wait for
_SLACK = 16  # ends that are no further apart say nothing of an order: waves issue by turns
_SIMDS = 4
_PERCENT = (10, 50, 90)


@dataclass(frozen=True, slots=True)
class Returns:
    """Cycles from the first to the last end of a wait for everything (vmcnt(0)) of four waves that wait together, at
    the 10th, 50th and 90th percentile; how many waits for a load stalled, and how many ended before the wait for an
    earlier load of the unit."""

    apart: tuple[float, float, float] | None  # None: no four waves wait together
    stood: int
    overtaking: int

    @property
    def text(self) -> str:
        """In words."""
        apart = "none" if self.apart is None else ", ".join(f"{cycles:,.0f}" for cycles in self.apart)
        share = f"{self.overtaking / self.stood:.1%}" if self.stood else "none"
        return f"{apart}; {share} of {self.stood:,}"


def returns(timeline: Timeline) -> Returns:
    """What the waits of a unit's waves tell."""
    kinds = [kind_of(row) for row in timeline.instructions]
    counted = np.array([kind in (Kind.LOAD, Kind.STORE) for kind in kinds], bool)
    loads = np.array([kind is Kind.LOAD for kind in kinds], bool)
    left = np.full(len(kinds), -1, np.int64)
    for number, row in enumerate(timeline.instructions):
        if kinds[number] is Kind.WAITCNT and (remaining := _LEFT.search(row.text)):
            left[number] = int(remaining[1])
    ends = sorted(pair for wave in timeline.waves for pair in _waited_for(wave, counted, loads, left))
    latest, overtaking = 0, 0
    for _, end in ends:
        overtaking += end < latest - _SLACK
        latest = max(latest, end)
    apart = _apart(timeline, left)
    spread = tuple(float(cycles) for cycles in np.percentile(apart, _PERCENT)) if apart else None
    return Returns(spread, len(ends), overtaking)  # type: ignore[arg-type]


def _waited_for(wave: Wave, counted: Events, loads: Events, left: Events) -> Iterator[tuple[int, int]]:
    """Of each wait that stood: when the load was issued that it stood for, and when it ended."""
    numbers = wave.numbers
    issued: list[tuple[int, bool]] = []
    for at in np.nonzero(counted[numbers] | (left[numbers] >= 0))[0]:
        number = numbers[at]
        if counted[number]:
            issued.append((int(wave.issues[at]), bool(loads[number])))
        elif len(issued) > left[number] and wave.events[at, 3] > _TURN:
            time, is_load = issued[len(issued) - 1 - int(left[number])]
            if is_load:
                yield time, int(wave.ends[at])


def _apart(timeline: Timeline, left: Events) -> list[int]:
    """Cycles between the first and the last end of each wait for everything, of four waves of a workgroup that end it one
    behind the other. Waves that come to a wait unequally often are left out."""
    ends: dict[tuple[int, int], list[Events]] = defaultdict(list)
    for wave in timeline.waves:
        for number in np.unique(wave.numbers[left[wave.numbers] == 0]):
            ends[wave.workgroup, int(number)].append(wave.ends[wave.numbers == number])
    spreads: list[int] = []
    for of_waves in ends.values():
        if len({len(one) for one in of_waves}) > 1 or len(of_waves) % _SIMDS:
            continue
        together = np.sort(np.stack(of_waves), axis=0)
        for first in range(0, len(together), _SIMDS):
            spreads += (together[first + _SIMDS - 1] - together[first]).tolist()
    return spreads
