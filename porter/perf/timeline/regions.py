"""Named regions of a kernel (porter/region.h): when each wave is in which, from the marks between its instructions.

A mark costs no instruction: it is a comment in the assembly, which stands in front of an instruction. A wave enters or
leaves a region when the event of that instruction begins, its stall included.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from porter.perf.timeline.timeline import Timeline, Wave

__all__ = ["Region", "Span", "regions_of", "spans_of", "wave_spans"]


@dataclass(frozen=True, slots=True)
class Span:
    """A wave's stay in a region; `depth` regions are around it."""

    name: str
    begin: int
    end: int
    depth: int


@dataclass(frozen=True, slots=True)
class Region:
    """The stays of all waves in the regions of one name. Cycles are those of waves, with what regions within take."""

    name: str
    spans: int
    cycles: int
    own: int  # without regions within
    median: float


def spans_of(
    marks: Sequence[tuple[str, ...]], times: npt.NDArray[np.int64], numbers: npt.NDArray[np.int64], end: int
) -> list[Span]:
    """The stays of one wave, in the order of their begins. `marks` are those of each instruction of the program, `times`
    and `numbers` the wave's events. A region that the wave never leaves ends with it."""
    marked = np.zeros(len(marks), bool)
    marked[[n for n, own in enumerate(marks) if own]] = True
    inside: list[tuple[str, int]] = []
    spans: list[Span] = []

    def leave(time: int) -> None:
        name, begin = inside.pop()
        spans.append(Span(name, begin, time, len(inside)))

    for at in np.flatnonzero(marked[numbers]):
        number, time = int(numbers[at]), int(times[at])
        fell = at > 0 and int(numbers[at - 1]) == number - 1  # into the instruction, from the one in front of it
        for mark in marks[number]:
            if mark.endswith("~") and not fell:
                continue
            name = mark[1:].removesuffix("~")
            if mark[0] == "+":
                inside.append((name, time))
            elif any(name == one for one, _ in inside):
                while inside[-1][0] != name:
                    leave(time)
                leave(time)
    while inside:
        leave(end)
    return sorted(spans, key=lambda span: (span.begin, span.depth))


def wave_spans(timeline: Timeline, wave: Wave) -> list[Span]:
    """Those of a wave of a timeline. In a window of one, a region that began before it is not known."""
    return spans_of([row.marks for row in timeline.instructions], wave.times, wave.numbers, wave.end)


def regions_of(waves: Sequence[Sequence[Span]]) -> list[Region]:
    """The regions of all waves' spans, in the order of their first begins."""
    lengths: defaultdict[str, list[int]] = defaultdict(list)
    own: defaultdict[str, int] = defaultdict(int)
    first: dict[str, int] = {}
    for spans in waves:
        around: list[Span] = []
        for span in spans:
            del around[span.depth :]
            length = span.end - span.begin
            lengths[span.name].append(length)
            own[span.name] += length
            first[span.name] = min(first.get(span.name, span.begin), span.begin)
            if around:
                own[around[-1].name] -= length
            around.append(span)
    return [
        Region(name, len(lengths[name]), sum(lengths[name]), own[name], float(np.median(lengths[name])))
        for name in sorted(first, key=lambda name: first[name])
    ]
