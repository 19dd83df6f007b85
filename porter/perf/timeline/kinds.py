"""Kinds of instructions as a reader of a timeline sees them, with their colours, and what the matrix pipe does."""

from __future__ import annotations

import re
from enum import Enum
from functools import cache

import numpy as np

from porter.emu.execution_units import matrix_passes
from porter.perf.timeline.timeline import Events, Instruction, Timeline, Wave

__all__ = ["Kind", "kind_numbers", "kind_of", "matrix_cycles", "matrix_intervals"]


class Kind(Enum):
    """Label and colour; the order is that of tables and of the page. `IDLE` is time that no instruction holds."""

    MFMA = "MFMA", "#e2571e"
    VALU = "VALU", "#3a7bd5"
    LDS_READ = "LDS read", "#1aa39a"
    LDS_WRITE = "LDS write", "#5fb233"
    LOAD = "global load", "#8a4fd0"
    STORE = "global store", "#d14fa5"
    SCALAR = "scalar", "#5a6b86"
    OTHER = "nop, setprio", "#9a8f80"
    WAITCNT = "waitcnt", "#efc53c"
    BARRIER = "barrier", "#b9bec9"
    IDLE = "idle", "#eceef2"

    @property
    def label(self) -> str:
        return self.value[0]

    @property
    def colour(self) -> str:
        return self.value[1]


_KINDS = tuple(Kind)
_VECTOR_MEMORY = ("buffer_", "tbuffer_", "global_", "flat_", "scratch_")
_HEADS = (
    (("v_mfma", "v_smfmac"), Kind.MFMA),
    (("v_",), Kind.VALU),
    (("ds_read", "ds_load", "ds_bpermute", "ds_permute", "ds_swizzle", "ds_consume"), Kind.LDS_READ),
    (("ds_",), Kind.LDS_WRITE),
    (("s_waitcnt",), Kind.WAITCNT),
    (("s_barrier",), Kind.BARRIER),
    (("s_nop", "s_setprio", "s_sleep", "s_sethalt", "s_endpgm"), Kind.OTHER),
    (("s_",), Kind.SCALAR),
)
_DESTINATION = re.compile(r"\S+\s+[va](?:\[(\d+):(\d+)\]|\d+)")


def kind_of(instruction: Instruction) -> Kind:
    """Its kind by the mnemonic; atomics and writes are stores."""
    name = instruction.mnemonic
    if name.startswith(_VECTOR_MEMORY):
        return Kind.LOAD if "_load" in name else Kind.STORE
    return next((kind for heads, kind in _HEADS if name.startswith(heads)), Kind.OTHER)


def kind_numbers(timeline: Timeline) -> Events:
    """The place in `Kind` of each instruction's kind."""
    return np.array([_KINDS.index(kind_of(row)) for row in timeline.instructions], np.int64)


@cache
def matrix_cycles(instruction: Instruction) -> int:
    """Cycles that it holds the matrix pipe of its SIMD: passes of four cycles by AMD's table; 0 for other instructions."""
    registers_named = _DESTINATION.match(instruction.text)
    if not registers_named:
        return 0
    registers = int(registers_named[2]) - int(registers_named[1]) + 1 if registers_named[1] else 1
    return 4 * matrix_passes(instruction.mnemonic, registers)


def matrix_intervals(timeline: Timeline, waves: list[Wave]) -> tuple[Events, Events, Events]:
    """When the matrix pipe of these waves' SIMD begins and ends each product, and the slot it is of, by time.

    A product that is issued while another is under way begins behind it.
    """
    cycles = np.array([matrix_cycles(row) for row in timeline.instructions], np.int64)
    begins, lengths, slots = [], [], []
    for wave in waves:
        lasts = cycles[wave.numbers]
        own = lasts > 0
        begins.append(wave.issues[own])
        lengths.append(lasts[own])
        slots.append(np.full(int(own.sum()), wave.slot))
    if not begins:
        return (np.zeros(0, np.int64),) * 3
    begin, length, slot = (np.concatenate(column) for column in (begins, lengths, slots))
    order = np.argsort(begin, kind="stable")
    begin, length, slot = begin[order], length[order], slot[order]
    before = np.cumsum(length) - length
    ends = (
        np.maximum.accumulate(begin - before) + before + length
    )  # a queue: each begins when it may and the pipe is free
    return ends - length, ends, slot
