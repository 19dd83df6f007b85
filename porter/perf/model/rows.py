"""Instructions as the model sees them: core/model.h's `Row`."""

from __future__ import annotations

import functools
import re
import struct
from collections.abc import Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from porter.emu.assembly import Program
from porter.emu.decode import decode
from porter.emu.encoding import Pool, UnknownInstruction
from porter.emu.execution_units import unit
from porter.emu.image import with_distances
from porter.emu.registers import Role, record, role
from porter.perf.model.code_bytes import addresses_of, code_bytes

__all__ = ["EXEC", "SCC", "VCC", "Kind", "registers_read", "registers_written", "rows_of", "rows_of_texts"]

_SOURCES, _TARGETS, _SCALARS = 6, 3, 768
_SCC = 125  # as registers.py numbers it
_HEAD = 11
_WORDS = _HEAD + 2 * (_SOURCES + _TARGETS)
VCC, EXEC, SCC = _SCALARS + 106, _SCALARS + 126, _SCALARS + _SCC  # registers as rows number them


class Kind(IntEnum):
    """What executes an instruction: `Kind` of core/model.h."""

    SALU, SMEM, VALU, MFMA, LDS_READ, LDS_WRITE, LOAD, STORE, BRANCH, WAIT, NOP, PRIORITY, SLEEP, BARRIER, END = range(
        15
    )


_BY_NAME = (
    ("v_mfma", Kind.MFMA), ("v_smfmac", Kind.MFMA), ("v_", Kind.VALU), ("s_waitcnt", Kind.WAIT), ("s_nop", Kind.NOP),
    ("s_setprio", Kind.PRIORITY), ("s_sleep", Kind.SLEEP), ("s_barrier", Kind.BARRIER), ("s_endpgm", Kind.END),
    ("s_branch", Kind.BRANCH), ("s_cbranch", Kind.BRANCH), ("s_setpc", Kind.BRANCH), ("s_swappc", Kind.BRANCH),
    ("s_call", Kind.BRANCH), ("s_load", Kind.SMEM), ("s_buffer_load", Kind.SMEM), ("s_mem", Kind.SMEM),
    ("s_scratch_load", Kind.SMEM), ("s_", Kind.SALU),
)  # fmt: skip
_WIDE_MAD = ("v_mad_u64_u32", "v_mad_i64_i32")  # measured: a wave's next instruction comes 8 cycles later, others go on
_SLOW = re.compile(r"v_(?:rcp|rsq|sqrt|exp|log|sin|cos)_(?:legacy_|iflag_)?(f\d\d)|v_(?:exp|log)_legacy")
_COUNTER = re.compile(r"(vmcnt|lgkmcnt)\((\d+)\)")
_WIDTHS = (
    ("dwordx4", 16), ("dwordx3", 12), ("dwordx2", 8), ("b128", 16), ("b96", 12), ("b64", 8), ("u64", 8), ("i64", 8),
    ("f64", 8), ("xyzw", 16), ("xyz", 12), ("_xy", 8),
)  # fmt: skip


def rows_of(program: Program) -> npt.NDArray[np.int32]:
    """A row for each instruction of a program."""
    starts = {program.labels[name] for name in program.kernels if name in program.labels}
    texts = [with_distances(line.text, program.labels) for line in program.lines]
    return rows_of_texts(texts, addresses_of(texts, starts))


def rows_of_texts(
    texts: Sequence[str], addresses: Sequence[int], wanted: npt.NDArray[np.uint8] | None = None
) -> npt.NDArray[np.int32]:
    """The rows of instructions that lie at these addresses; of one that is not wanted the address alone."""
    out = np.zeros((len(texts), _WORDS), np.int32)
    for index in range(len(texts)) if wanted is None else np.flatnonzero(wanted).tolist():
        out[index] = _row(texts[index])
    out[:, 7] = addresses
    return out


def registers_read(row: npt.NDArray[np.int32]) -> list[int]:
    """The registers that an instruction reads, by its row."""
    return _registers_in(row[_HEAD : _HEAD + 2 * _SOURCES].tolist())


def registers_written(row: npt.NDArray[np.int32]) -> list[int]:
    """The registers that an instruction writes."""
    return _registers_in(row[_HEAD + 2 * _SOURCES :].tolist())


def _registers_in(pairs: Sequence[int]) -> list[int]:
    return [first + i for first, count in zip(pairs[::2], pairs[1::2], strict=True) for i in range(count)]


@functools.cache
def _row(text: str) -> tuple[int, ...]:
    name = text.split(None, 1)[0]
    kind = _kind(text)
    size = code_bytes(text)
    counters = {counter[1]: int(counter[2]) for counter in _COUNTER.finditer(text)} if kind is Kind.WAIT else {}
    if kind is Kind.WAIT and not counters:
        counters = _packed_counters(text)
    number = int(text.split()[1], 0) if kind in (Kind.NOP, Kind.PRIORITY, Kind.SLEEP) else 0
    if kind in (Kind.LOAD, Kind.STORE):
        number = int(bool(role(name) & Role.ATOMIC))
    sources, targets, passes, accumulator = _registers(text, kind)
    moved = _bytes(name) if kind in (Kind.LDS_READ, Kind.LDS_WRITE, Kind.LOAD, Kind.STORE) else 0
    head = [
        kind, _send(name, kind, moved), moved, passes, counters.get("vmcnt", -1), counters.get("lgkmcnt", -1), number, 0,
        size, _cycles(name, kind), accumulator,
    ]  # fmt: skip
    pairs = [*sources, *[(0, 0)] * (_SOURCES - len(sources)), *targets, *[(0, 0)] * (_TARGETS - len(targets))]
    return (*map(int, head), *(number for pair in pairs for number in pair))


def _kind(text: str) -> Kind:
    name, _, operands = text.partition(" ")
    what = role(name)
    if what & Role.LDS:
        return Kind.LDS_WRITE if what & Role.STORE else Kind.LDS_READ
    if what & Role.VMEM:
        silent = what & Role.ATOMIC and "sc0" not in operands.split()  # sc0: an atomic operation gives the old value
        return Kind.STORE if what & Role.STORE or silent else Kind.LOAD
    return next((kind for start, kind in _BY_NAME if name.startswith(start)), Kind.SALU)


def _packed_counters(text: str) -> dict[str, int]:
    """Of an s_waitcnt with a number for its operand."""
    try:
        bits = int(text.split()[1], 0)
    except (IndexError, ValueError):
        return {}
    vm, lgkm = bits & 15 | bits >> 10 & 48, bits >> 8 & 15
    return {name: value for name, value, most in (("vmcnt", vm, 63), ("lgkmcnt", lgkm, 15)) if value < most}


def _bytes(name: str) -> int:
    twice = 2 if name.startswith(("ds_read2", "ds_write2")) else 1
    return twice * next((width for part, width in _WIDTHS if part in name), 4)


def _send(name: str, kind: Kind, moved: int) -> int:
    """Turns of four cycles in which registers go out: address, and data where it is written."""
    words = max(1, moved // 4)
    if kind is Kind.LDS_READ:
        return 1 + (words if role(name) & Role.ATOMIC else 0)
    if kind is Kind.LDS_WRITE:
        return 1 + words
    if kind is Kind.LOAD:
        return 1 if name.startswith("buffer") else 2
    return 2 if kind is Kind.STORE else 0


def _cycles(name: str, kind: Kind) -> int:
    if kind is Kind.VALU and (slow := _SLOW.match(name)):
        return 32 if slow[1] == "f64" else 16
    return 8 if name.startswith(_WIDE_MAD) else 4


def _registers(text: str, kind: Kind) -> tuple[list[tuple[int, int]], list[tuple[int, int]], int, int]:
    """Ranges read and written, a matrix instruction's passes, and which source it adds to."""
    try:
        decoded = decode(text, Pool())
    except (UnknownInstruction, ValueError, KeyError, IndexError):
        return [], [], 0, -1
    parts = struct.unpack("<5H5B4B4B2B2BBHH", record(decoded))
    vectors, counts = parts[:4], parts[5:9]
    scalars, scalar_counts = parts[10:14], parts[14:18]
    sources = [(first, count) for first, count in zip(vectors, counts, strict=True) if count]
    accumulator = 2 if kind is Kind.MFMA and len(sources) > 2 else -1
    sources += [(_SCALARS + first, count) for first, count in zip(scalars, scalar_counts, strict=True) if count]
    targets = [(parts[4], parts[9])] if parts[9] else []
    targets += [(_SCALARS + first, count) for first, count in zip(parts[18:20], parts[20:22], strict=True) if count]
    if decoded.row.name.startswith("s_") and "scc" in decoded.row.outs:
        targets.append((_SCALARS + _SCC, 1))
    passes = unit(decoded.row) & 255 if kind is Kind.MFMA else 0
    return sources[:_SOURCES], targets[:_TARGETS], passes, accumulator
