"""Loads that a wave waits for one by one, though none needs the value of the one before it: the compiler could issue them
together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from porter.perf.model.core import STALLS, Timing
from porter.perf.model.recorded import Recorded
from porter.perf.model.rows import EXEC, SCC, VCC, Kind, registers_read, registers_written

__all__ = ["LoneLoads", "lone_loads"]

_LOOKED_AT = 30_000  # instructions of a wave
_LEAST_LOADS, _LEAST_SHARE = 2, 0.5  # that the wave executes; of all of them
_LEAST_WAIT = 0.05  # of the waves' time
_MEMORY_WAIT = STALLS.index("wait for memory")
_VM = 4  # column of a row
_WAIT, _LOAD, _STORE, _BRANCH = int(Kind.WAIT), int(Kind.LOAD), int(Kind.STORE), int(Kind.BRANCH)
_CONDITIONS = {"scc": SCC, "vcc": VCC, "exec": EXEC}  # of branches


@dataclass(frozen=True, slots=True)
class LoneLoads:
    """Numbers in the program, in order."""

    loads: tuple[int, ...]
    waits: tuple[int, ...]  # one behind each load, or behind several of them
    of_turns: bool  # the next load is mostly the same one of a loop's next turn


@dataclass(slots=True)
class _Walk:
    """A wave's way through the program: loads under way, and what depends on the last one that it waited for."""

    rows: npt.NDArray[np.int32]
    launch: Recorded
    under_way: list[int] = field(default_factory=list)  # vector memory operations, the oldest first
    waited: tuple[int, int] | None = None  # a load by itself, and its wait
    depends: set[int] = field(default_factory=set)  # registers
    lone: list[tuple[int, int, bool]] = field(default_factory=list)  # load, wait, whether it is the next one too
    loads: int = 0

    def step(self, number: int) -> None:
        kind = int(self.rows[number, 0])
        if kind == _WAIT and (left := int(self.rows[number, _VM])) >= 0:
            self._wait(number, left)
        elif kind in (_LOAD, _STORE):
            self._memory(number, kind == _LOAD)
        elif self.waited:
            self._follow(number, kind == _BRANCH)

    def _wait(self, number: int, left: int) -> None:
        done = self.under_way[: max(0, len(self.under_way) - left)]
        loads = [one for one in self.under_way if self.rows[one, 0] == _LOAD]
        if loads and loads[-1] in done and len(loads) == 1:
            self.waited, self.depends = (loads[0], number), set(registers_written(self.rows[loads[0]]))
        elif any(self.rows[one, 0] == _LOAD for one in done):
            self.waited = None
        self.under_way = self.under_way[len(done) :]

    def _memory(self, number: int, load: bool) -> None:
        if load:
            self.loads += 1
            needs = EXEC in self.depends or not self.depends.isdisjoint(registers_read(self.rows[number]))
            if self.waited and not needs:
                self.lone.append((*self.waited, self.waited[0] == number))
            self.waited = None
        self.under_way.append(number)

    def _follow(self, number: int, branch: bool) -> None:
        row, text = self.rows[number], self.launch.program[number].text
        tainted = not self.depends.isdisjoint(registers_read(row))
        if branch:
            if _condition(text) & self.depends:
                self.waited = None
            return
        written = set(registers_written(row))
        if "saveexec" in text or "v_cmpx" in text or text.split(" ", 1)[-1].startswith("exec"):
            written.add(EXEC)
        self.depends = self.depends | written if tainted else self.depends - (written - {EXEC})


def _condition(text: str) -> set[int]:
    """The register that a branch looks at."""
    return {register for name, register in _CONDITIONS.items() if name in text}


def lone_loads(launch: Recorded, rows: npt.NDArray[np.int32], timing: Timing) -> LoneLoads | None:
    """Those of the wave that executes most; None where most of its loads are under way together."""
    waves = [wave for wave in timing.waves if wave.events is not None]
    events = [wave.events["instruction"] for wave in waves if wave.events is not None]
    waited = sum(int(wave.by_stall[_MEMORY_WAIT]) for wave in waves)
    if waited <= _LEAST_WAIT * sum(wave.end - wave.begin for wave in waves):
        return None
    walk = _Walk(rows, launch)
    for number in max(events, key=len)[:_LOOKED_AT].tolist():
        walk.step(number)
    if len(walk.lone) < max(_LEAST_LOADS, _LEAST_SHARE * walk.loads):
        return None
    of_turns = 2 * sum(same for *_, same in walk.lone) > len(walk.lone)
    chosen = [one for one in walk.lone if one[2] is of_turns]
    return LoneLoads(_in_order(one[0] for one in chosen), _in_order(one[1] for one in chosen), of_turns)


def _in_order(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(numbers)))
