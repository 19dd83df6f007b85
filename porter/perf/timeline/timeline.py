"""The data of a timeline: the waves of a compute unit, each with the instructions that it executed and when.

It is the same for a thread trace of a real chip and for a run of a model. The times are cycles of the chip.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = ["COLUMNS", "EventType", "Events", "Instruction", "Source", "Timeline", "Wave"]

Events = npt.NDArray[np.int64]
Source = Literal["measured", "predicted"]

# Of a row of events. The duration holds the stall, which comes first: the instruction issues at time + stall. All of a wait is
# stall, as the decoder of thread traces has it (every one of four public traces).
COLUMNS = ("time", "type", "stall", "duration", "instruction")


class EventType(IntEnum):
    """How the decoder of thread traces calls the unit that an instruction went to."""

    SCALAR_LOAD = 1
    SALU = 2
    VECTOR_MEMORY = 3  # buffer instructions
    FLAT = 4  # global and flat ones
    LDS = 5
    VALU = 6  # matrix instructions too
    BRANCH_TAKEN = 7  # in four public traces 7 are every s_branch, and all that do not go on with the next instruction
    BRANCH = 8
    WAIT = 9  # s_waitcnt, s_barrier, s_nop, s_setprio
    END = 11


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of the code. A label or a comment of the listing has a place in the list too, and no events."""

    text: str
    address: int = 0
    file: str = ""
    line: int = 0  # 0: not known
    inlined: str = ""  # of inlined code all places, innermost first, as the decoder writes them
    marks: tuple[str, ...] = ()  # begins and ends of regions in front of it (porter.emu.assembly.split_marks)

    @property
    def mnemonic(self) -> str:
        return self.text.split(None, 1)[0] if self.text else ""

    @property
    def place(self) -> str:
        """`file:line`, or as much of it as is known."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True, eq=False)
class Wave:
    """One wave: where it ran, and its events in the order of time, a row of `COLUMNS` each."""

    simd: int
    slot: int
    workgroup: int  # in the order of their begins
    begin: int
    end: int
    events: Events = field(repr=False)
    engine: int = 0  # shader engine

    def __post_init__(self) -> None:
        events = np.array(self.events, np.int64).reshape(-1, len(COLUMNS))
        waits = events[:, 1] == EventType.WAIT
        events[waits, 2] = events[waits, 3]
        events.flags.writeable = False
        object.__setattr__(self, "events", events)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wave) and self._place == other._place and np.array_equal(self.events, other.events)

    def __hash__(self) -> int:
        return hash(self._place)

    @property
    def _place(self) -> tuple[int, ...]:
        return self.engine, self.simd, self.slot, self.workgroup, self.begin, self.end

    @property
    def times(self) -> Events:
        """When each event begins, its stall included."""
        return self.events[:, 0]

    @property
    def ends(self) -> Events:
        return self.events[:, 0] + self.events[:, 3]

    @property
    def issues(self) -> Events:
        """When each instruction issues, after its stall."""
        return self.events[:, 0] + self.events[:, 2]

    @property
    def numbers(self) -> Events:
        """Which instruction of the timeline each event is of."""
        return self.events[:, 4]

    @property
    def gaps(self) -> Events:
        """Cycles between the end of the last event, or the wave's begin, and each event: what no event holds."""
        before = np.concatenate(([self.begin], self.ends[:-1])) if len(self.events) else self.times
        return np.maximum(self.times - before, 0)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The waves of a compute unit, by engine, SIMD and slot, in the order of time. Events name `instructions` by number."""

    kernel: str
    source: Source
    clock: str  # what is known about the clock, in words; "" is nothing
    instructions: tuple[Instruction, ...]
    waves: tuple[Wave, ...]
    mhz: float = 0  # the likely clock, where it is predicted

    @property
    def begin(self) -> int:
        return min((wave.begin for wave in self.waves), default=0)

    @property
    def end(self) -> int:
        return max((wave.end for wave in self.waves), default=0)
