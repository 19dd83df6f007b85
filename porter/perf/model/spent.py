"""Where the waves' time goes, by source line, by instruction and by named region, and what would go without the stalls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.perf.model.core import STALLS, Die, Timing
from porter.perf.model.load_waits import LoneLoads, lone_loads
from porter.perf.model.parameters import Parameters
from porter.perf.model.recorded import Recorded
from porter.perf.model.rows import Kind
from porter.perf.timeline.regions import regions_of, spans_of

__all__ = ["Spent", "spent_of"]

_LISTED = 20
_TRIED = 4  # lines and instructions that are followed again without their stalls
_VM, _LGKM, _KIND, _PASSES, _NUMBER, _ADDRESS, _REGISTERS = 4, 5, 0, 3, 6, 7, 11  # columns of a row (rows.py)
_SOURCES = 6
_TURN = 4  # cycles of an issue
_INNER_SHARE, _INNER_LISTED = 0.2, 3  # of a line whose places in a library are told, and how many of them
_WORTH = 0.01  # of the time


@dataclass(frozen=True, slots=True)
class Spent:
    """Each row has `share` (of the waves' time), `stall` (of it, before the issue), `why`, and for the first
    lines, or instructions where no line is known, `gain`. That is the share of the launch's time that its stalls cost.
    A line's `inner` has rows of the library's places that it calls, where it takes much of the time. `one_by_one`: loads that
    are waited for one by one, with their lines, the waits' `share` and the `gain` of one wait for all; empty without them."""

    lines: tuple[Mapping[str, Any], ...]
    instructions: tuple[Mapping[str, Any], ...]
    regions: tuple[Mapping[str, Any], ...]
    one_by_one: Mapping[str, Any]


def spent_of(
    launch: Recorded, die: Die, rows: npt.NDArray[np.int32], parameters: Parameters, timing: Timing, alone: int
) -> Spent:
    """Of the waves of the followed unit, which takes `alone` cycles by itself."""
    cycles, stalls = _sums(len(launch.program), timing)
    total = max(1, sum(wave.end - wave.begin for wave in timing.waves))
    by_line: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for number in np.flatnonzero(cycles):
        instruction = launch.program[int(number)]
        if instruction.line:
            by_line[instruction.file, instruction.line].append(int(number))

    def about(numbers: Sequence[int], tried: bool) -> dict[str, Any]:
        own = stalls[numbers].sum(axis=0)
        entry: dict[str, Any] = {
            "share": float(cycles[numbers].sum() / total),
            "stall": float(own.sum() / total),
            "why": STALLS[int(own.argmax())] if own.any() else "",
        }
        if tried:
            without = die.again(_without_stalls(rows, numbers), parameters).cycles
            entry["gain"] = min(max(0, alone - without) / timing.cycles, timing.idle)
        return entry

    def line_of(place: tuple[str, int], own: Sequence[int], tried: bool) -> dict[str, Any]:
        entry = {"file": place[0], "line": place[1], **about(own, tried)}
        if tried and entry["share"] > _INNER_SHARE:
            parts = sorted(_inner(launch, own).items(), key=lambda item: -int(cycles[item[1]].sum()))[:_INNER_LISTED]
            entry["inner"] = [
                {"file": file, "line": line, "from_file": place[0], "from_line": place[1], **about(part, True)}
                for (file, line), part in parts
            ]
        return entry

    def without_waits(waits: Sequence[int]) -> float:
        """With all units: dispatch, queues and memory may leave nothing of what one unit by itself gains."""
        return max(0.0, 1 - die.time(_without_stalls(rows, waits), parameters).cycles / timing.cycles)

    lines = sorted(by_line.items(), key=lambda item: -int(cycles[item[1]].sum()))[:_LISTED]
    numbers = [int(n) for n in np.argsort(-cycles, kind="stable")[:_LISTED] if cycles[n]]
    return Spent(
        tuple(line_of(place, own, number < _TRIED) for number, (place, own) in enumerate(lines)),
        tuple(
            {
                "number": n,
                "address": int(rows[n, _ADDRESS]),
                "text": launch.program[n].text,
                "file": launch.program[n].file,
                "line": launch.program[n].line,
                **about([n], not lines and place < _TRIED),
            }
            for place, n in enumerate(numbers)
        ),
        _regions(launch, timing, total),
        _one_by_one(launch, lone_loads(launch, rows, timing), cycles, total, without_waits),
    )


def _inner(launch: Recorded, numbers: Sequence[int]) -> dict[tuple[str, int], list[int]]:
    """The instructions by their places in libraries; without the others."""
    parts: dict[tuple[str, int], list[int]] = {}
    for number in numbers:
        one = launch.program[number]
        if one.inner_line:
            parts.setdefault((one.inner_file, one.inner_line), []).append(number)
    return parts


def _one_by_one(
    launch: Recorded,
    lone: LoneLoads | None,
    cycles: npt.NDArray[np.int64],
    total: int,
    without: Callable[[Sequence[int]], float],
) -> Mapping[str, Any]:
    """What waiting for each of these loads costs. The last wait stays: somebody needs their values; in a loop that is a wait of
    many turns."""
    share = float(cycles[list(lone.waits)].sum() / total) if lone else 0.0
    waits = lone.waits if lone and lone.of_turns else lone.waits[:-1] if lone else ()
    if not lone or not waits or share < _WORTH:
        return {}
    places = dict.fromkeys((launch.program[n].file, launch.program[n].line) for n in lone.loads)
    return {
        "loads": len(lone.loads),
        "places": [{"file": file, "line": line} for file, line in sorted(places)],
        "of_turns": lone.of_turns,
        "share": share,
        "gain": without(waits),
    }


def _sums(count: int, timing: Timing) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Cycles of each instruction, and of them those before its issue, by why."""
    cycles, stalls = np.zeros(count, np.int64), np.zeros((count, len(STALLS)), np.int64)
    for wave in timing.waves:
        if wave.events is None:
            continue
        numbers, kinds, reasons = (wave.events[name] for name in ("instruction", "kind", "reason"))
        lasts, held = wave.events["duration"].astype(np.int64), wave.events["stall"].astype(np.int64)
        waits = (kinds == Kind.WAIT) | (kinds == Kind.BARRIER)  # all of their time but one turn is a stall
        held = np.where(waits, np.maximum(lasts - _TURN, 0), held)
        why = np.where(
            kinds == Kind.BARRIER, STALLS.index("barrier"), np.where(reasons == 0, STALLS.index("port"), reasons)
        )
        np.add.at(cycles, numbers, lasts)
        np.add.at(stalls, (numbers, why), held)
    return cycles, stalls


def _without_stalls(rows: npt.NDArray[np.int32], numbers: Sequence[int]) -> npt.NDArray[np.int32]:
    """The rows where these instructions wait for nothing: no counter, barrier, register, and one pass of the matrix unit."""
    free: npt.NDArray[np.int32] = rows.copy()
    own = np.asarray(numbers, np.int64)
    free[own, _VM] = free[own, _LGKM] = -1
    for source in range(_SOURCES):
        free[own, _REGISTERS + 2 * source + 1] = 0  # no register to wait for
    barriers = own[rows[own, _KIND] == Kind.BARRIER]
    free[barriers, _KIND], free[barriers, _NUMBER] = Kind.NOP, 0
    free[own[rows[own, _KIND] == Kind.MFMA], _PASSES] = 1
    return free


def _regions(launch: Recorded, timing: Timing, total: int) -> tuple[Mapping[str, Any], ...]:
    marks = [one.marks for one in launch.program]
    if not any(marks):
        return ()
    waves = [
        spans_of(marks, wave.events["time"], wave.events["instruction"], wave.end)
        for wave in timing.waves
        if wave.events is not None
    ]
    return tuple(
        {
            "name": region.name,
            "spans": region.spans,
            "share": region.cycles / total,
            "own_share": region.own / total,
            "cycles": region.median,
        }
        for region in regions_of(waves)
    )
