"""What a timeline adds up to: spans of SIMDs, the share of the matrix pipe, cycles by kind, instruction and line, steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from porter.perf.timeline.kinds import Kind, kind_numbers, matrix_intervals
from porter.perf.timeline.steps import Steps, main_loop
from porter.perf.timeline.timeline import Events, Timeline, Wave

__all__ = ["Measures", "Simd", "Sums", "by_simd", "measure", "window"]

_KINDS = tuple(Kind)


@dataclass(frozen=True, slots=True)
class Sums:
    """Executions and cycles of waves. `pipe_idle` are those of the cycles in which the SIMD's matrix pipe had nothing."""

    executions: int = 0
    cycles: int = 0
    stall: int = 0
    pipe_idle: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.executions + other.executions,
            self.cycles + other.cycles,
            self.stall + other.stall,
            self.pipe_idle + other.pipe_idle,
        )


@dataclass(frozen=True, slots=True)
class Simd:
    """One SIMD: when its waves ran, and what its matrix pipe did.

    A turn is products in a row of one wave. `between` are the pipe's idle cycles from one wave's last product to the next
    wave's first, on average, `between_median` their median; `within` is the average between products of a turn.
    """

    engine: int
    simd: int
    waves: int
    begin: int
    end: int
    products: int
    matrix_cycles: int
    turns: int
    between: float
    between_median: float
    within: float

    @property
    def span(self) -> int:
        return self.end - self.begin

    @property
    def share(self) -> float:
        """Of the span, in which the matrix pipe is busy."""
        return self.matrix_cycles / self.span if self.span else 0.0


@dataclass(frozen=True, slots=True)
class Measures:
    simds: tuple[Simd, ...]
    kinds: Mapping[Kind, Sums]
    instructions: Mapping[int, Sums]  # by number, where they ran
    lines: Mapping[tuple[str, int], Sums]
    steps: Steps | None
    wave_cycles: int = field(default=0)  # all waves together

    @property
    def share(self) -> float:
        """Busy share of the matrix pipes, over the spans of all SIMDs."""
        span = sum(simd.span for simd in self.simds)
        return sum(simd.matrix_cycles for simd in self.simds) / span if span else 0.0

    @property
    def span(self) -> int:
        """Cycles of the SIMD that was busy for longest."""
        return max(simd.span for simd in self.simds)

    def part(self, kind: Kind) -> float:
        """Share of the waves' time that instructions of a kind took."""
        sums = self.kinds.get(kind)
        return sums.cycles / self.wave_cycles if sums and self.wave_cycles else 0.0


def by_simd(timeline: Timeline) -> dict[tuple[int, int], list[Wave]]:
    """The waves of each (engine, SIMD), in the order of slots and time."""
    groups: defaultdict[tuple[int, int], list[Wave]] = defaultdict(list)
    for wave in sorted(timeline.waves, key=lambda w: (w.engine, w.simd, w.slot, w.begin)):
        groups[wave.engine, wave.simd].append(wave)
    return dict(groups)


def window(timeline: Timeline, start: int | None, stop: int | None, workgroup: int | None) -> Timeline:
    """The part between two times, in cycles after the first wave's begin, or of one workgroup; events stay whole."""
    low = timeline.begin + (start or 0)
    high = timeline.end if stop is None else timeline.begin + stop
    waves = []
    for wave in timeline.waves:
        if wave.end <= low or wave.begin >= high or workgroup not in (None, wave.workgroup):
            continue
        events = wave.events[(wave.ends > low) & (wave.times < high)]
        begin, end = max(wave.begin, low), min(wave.end, high)
        if len(events):
            begin, end = min(begin, int(events[0, 0])), max(end, int((events[:, 0] + events[:, 3]).max()))
        waves.append(replace(wave, begin=begin, end=end, events=events))
    return replace(timeline, waves=tuple(waves))


def measure(timeline: Timeline) -> Measures:
    """All sums of a timeline."""
    sums = np.zeros((len(timeline.instructions), 4), np.int64)
    idle = np.zeros(4, np.int64)
    simds = []
    for (engine, simd), waves in by_simd(timeline).items():
        begins, ends, slots = matrix_intervals(timeline, waves)
        simds.append(_simd(engine, simd, waves, begins, ends, slots))
        for wave in waves:
            pipe = _pipe_idle(begins, ends, wave.times, wave.ends)
            ones = np.ones_like(pipe)
            np.add.at(sums, wave.numbers, np.stack([ones, wave.events[:, 3], wave.events[:, 2], pipe], axis=1))
            starts = wave.times - wave.gaps
            gap_pipe = _pipe_idle(begins, ends, starts, wave.times)
            last = max(wave.end - int(wave.ends[-1]), 0) if len(wave.events) else wave.end - wave.begin
            idle += np.array([0, int(wave.gaps.sum()) + last, 0, int(gap_pipe.sum())])
    instructions = {n: _sums(row) for n, row in enumerate(sums) if row[0]}
    return Measures(
        simds=tuple(simds),
        kinds=_by_kind(timeline, sums, idle),
        instructions=instructions,
        lines=_by_line(timeline, instructions),
        steps=main_loop(timeline),
        wave_cycles=sum(wave.end - wave.begin for wave in timeline.waves),
    )


def _sums(row: Events) -> Sums:
    return Sums(*row.tolist())


def _by_kind(timeline: Timeline, sums: Events, idle: Events) -> dict[Kind, Sums]:
    kinds = np.zeros((len(_KINDS), 4), np.int64)
    np.add.at(kinds, kind_numbers(timeline), sums)
    kinds[_KINDS.index(Kind.IDLE)] = idle
    return {kind: _sums(row) for kind, row in zip(_KINDS, kinds) if row.any()}


def _by_line(timeline: Timeline, instructions: Mapping[int, Sums]) -> dict[tuple[str, int], Sums]:
    lines: defaultdict[tuple[str, int], Sums] = defaultdict(Sums)
    for number, sums in instructions.items():
        row = timeline.instructions[number]
        if row.line:
            lines[row.file, row.line] += sums
    return dict(lines)


def _pipe_idle(begins: Events, ends: Events, starts: Events, stops: Events) -> Events:
    """Of each stretch from start to stop, the cycles in which none of the intervals is under way."""
    if not len(begins):
        return stops - starts
    busy = np.concatenate(([0], np.cumsum(ends - begins)))
    points = np.stack([begins, ends], axis=1).ravel()
    heights = np.stack([busy[:-1], busy[1:]], axis=1).ravel()
    used = np.interp(stops, points, heights) - np.interp(starts, points, heights)
    idle: Events = stops - starts - np.rint(used).astype(np.int64)
    return idle


def _simd(engine: int, simd: int, waves: list[Wave], begins: Events, ends: Events, slots: Events) -> Simd:
    change = np.flatnonzero(np.diff(slots)) + 1
    gaps = begins[1:] - ends[:-1]
    inner = np.ones(len(gaps), bool)
    inner[change - 1] = False
    return Simd(
        engine,
        simd,
        len(waves),
        min(wave.begin for wave in waves),
        max(wave.end for wave in waves),
        len(begins),
        int((ends - begins).sum()),
        len(change) + 1 if len(begins) else 0,
        float(gaps[change - 1].mean()) if len(change) else 0.0,
        float(np.median(gaps[change - 1])) if len(change) else 0.0,
        float(gaps[inner].mean()) if inner.any() else 0.0,
    )
