"""The main loop of a timeline and how long each of its steps takes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from porter.perf.timeline.timeline import Events, Timeline

__all__ = ["PERCENTILES", "Steps", "main_loop"]

PERCENTILES = (1, 10, 50, 90, 99)
_MAIN = 0.6  # of the time of the loop that takes most: an inner loop with so much of it is the main one


@dataclass(frozen=True, slots=True)
class Steps:
    """The loop's first and last instruction, and each step of each wave: [wave, begin, cycles], waves by number."""

    head: int
    tail: int
    rows: Events

    @property
    def cycles(self) -> Events:
        return self.rows[:, 2]

    def percentiles(self) -> dict[int, float]:
        """Cycles that so many percent of the steps stay under."""
        return dict(zip(PERCENTILES, np.percentile(self.cycles, PERCENTILES).tolist()))


def main_loop(timeline: Timeline) -> Steps | None:
    """The innermost of the loops in which waves spend their time; None where nothing repeats.

    A step goes from one arrival at the first instruction to the next that comes from behind it.
    """
    events: defaultdict[int, list[Events]] = defaultdict(list)
    tails: dict[int, int] = {}
    for number, wave in enumerate(timeline.waves):
        back = np.flatnonzero(np.diff(wave.numbers) <= 0) + 1
        for head in np.unique(wave.numbers[back]).tolist():
            rows, tail = _steps(wave.numbers, wave.times, back[wave.numbers[back] == head], head)
            if len(rows):
                events[head].append(np.column_stack([np.full(len(rows), number), rows]))
                tails[head] = max(tail, tails.get(head, 0))
    if not events:
        return None
    loops = [Steps(head, tails[head], np.concatenate(parts)) for head, parts in events.items()]
    most = max(int(loop.cycles.sum()) for loop in loops)
    return max((loop for loop in loops if loop.cycles.sum() >= _MAIN * most), key=_inner)


def _steps(numbers: Events, times: Events, arrivals: Events, head: int) -> tuple[Events, int]:
    """[begin, cycles] of the steps that end at these arrivals, and the last instruction of the loop."""
    at_head = np.flatnonzero(numbers == head)
    before = np.searchsorted(at_head, arrivals) - 1
    arrivals = arrivals[before >= 0]
    begins = times[at_head[before[before >= 0]]]
    tail = int(numbers[arrivals - 1].max()) if len(arrivals) else head
    return np.column_stack([begins, times[arrivals] - begins]), tail


def _inner(loop: Steps) -> tuple[int, int]:
    return len(loop.rows), loop.head - loop.tail
