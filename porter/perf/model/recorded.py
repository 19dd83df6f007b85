"""What the waves of a launch did, as the emulator's runtime wrote it (emu/host/launches/recordings.cpp)."""

from __future__ import annotations

import ctypes
import functools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.emu.assembly import split_marks
from porter.emu.device import RecordedWave
from porter.errors import PorterError
from porter.perf.model.code_bytes import addresses_of
from porter.perf.model.rows import rows_of_texts

__all__ = ["Instruction", "Recorded", "read_recorded"]

_MAGIC = 0x31454D4954545250


@dataclass(frozen=True, slots=True)
class Instruction:
    text: str
    file: str
    line: int
    marks: tuple[str, ...] = ()  # begins and ends of regions in front of it (porter.emu.assembly.split_marks)
    inner_file: str = ""  # where in a library's header, which the line calls
    inner_line: int = 0


@dataclass(slots=True)
class Recorded:
    """A launch: its sizes, its program, and the waves of the recorded workgroups."""

    symbol: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    lds: int
    vgprs: int
    agprs: int
    groups: int  # recorded ones
    beside: int  # and of another die, behind them
    waves_a_group: int
    stride: int  # between them
    program: tuple[Instruction, ...]
    entry: int  # the number of the kernel's first instruction
    _waves: Any = field(repr=False)
    _owner: Any = field(repr=False)  # keeps the words

    @property
    def waves(self) -> int:
        """The address of the waves' records."""
        return ctypes.addressof(self._waves)

    @property
    def all_groups(self) -> int:
        return self.grid[0] * self.grid[1] * self.grid[2]

    @property
    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    def addresses(self) -> list[int]:
        """Where each instruction lies in the code, in bytes."""
        return addresses_of([one.text for one in self.program], {self.entry})

    def rows(self, wanted: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
        """The program as the model takes it: rows of the wanted instructions, and addresses of all."""
        return rows_of_texts([one.text for one in self.program], self.addresses(), wanted)


def read_recorded(path: Path) -> Recorded:
    """The launch in a file. Its program lies beside it."""
    words = bytearray(path.read_bytes())
    magic, length = np.frombuffer(words, "<u8", 2)
    if magic != _MAGIC:
        raise PorterError(f"{path}: no recording of a launch")
    about = json.loads(words[16 : 16 + int(length)])
    count = (about["groups"] + about["beside"]) * about["waves_a_group"]
    waves = (RecordedWave * max(1, count))()
    base = ctypes.addressof((ctypes.c_char * len(words)).from_buffer(words))
    at = 16 + int(length)
    for n in range(count):
        group, number, size, _ = (int(v) for v in np.frombuffer(words, "<u8", 4, at))
        waves[n].group, waves[n].number, waves[n].length = group, number, size
        waves[n].words = ctypes.cast(base + at + 32, ctypes.POINTER(ctypes.c_uint64))
        at += 32 + 8 * size
    program = path.parent / about["program"]
    return Recorded(
        about["symbol"], tuple(about["grid"]), tuple(about["block"]), about["lds"], about["vgprs"], about["agprs"],
        about["groups"], about["beside"], about["waves_a_group"], about["stride"], _program(program, program.stat().st_mtime_ns), about["entry"],
        waves, words,
    )  # fmt: skip


@functools.lru_cache(4)
def _program(path: Path, written: int) -> tuple[Instruction, ...]:
    """That of all launches of a library. `written`: when, so that another file of that name is read."""
    instructions = []
    rows = (
        path.read_text("utf-8", "replace").rstrip("\n").replace("\n", ",")
    )  # at once: a line at a time takes five times as long
    for text, file, line, inner_file, inner_line in json.loads(f"[{rows}]"):
        own, marks = split_marks(text)
        instructions.append(Instruction(own, file, line, marks, inner_file, inner_line))
    return tuple(instructions)
