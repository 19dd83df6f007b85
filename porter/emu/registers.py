"""Which registers an instruction reads and writes, and what kind of instruction it is: what the checks look at.

The record is core/image.h's `Regs`, byte for byte.
"""

from __future__ import annotations

import functools
import re
import struct
from enum import IntEnum, IntFlag

from porter.emu.encoding import AGPR_BASE, EXTENDED, IDXEN, LANES, NO_OPERAND, OFFEN, POOL, Decoded, UnknownInstruction
from porter.emu.execution_units import unit
from porter.emu.table import DWORDS, Instruction

__all__ = ["Flow", "Role", "flow", "record", "role"]


class Role(IntFlag):
    """What an instruction does, as far as counters, waits and races care."""

    ENDS_BLOCK = 1  # control may go elsewhere after it
    VMEM = 2  # counted by vmcnt
    LDS = 4  # counted by lgkmcnt, in order
    SMEM = 8  # counted by lgkmcnt, out of order
    LOAD = 16  # writes registers when it completes
    STORE = 32
    WAIT = 64
    BARRIER = 128
    MFMA = 256
    COMPARE = 512  # decides something: undefined inputs matter
    SELECT = 1024  # takes one of its sources
    FLAT = 2048  # may be LDS, global or private memory
    ATOMIC = 4096
    NOP = 8192
    BRANCH = 16384
    PRIVATE = 32768  # a lane's own memory: what is stored there is only kept


_BLOCK_ENDS = ("s_branch", "s_cbranch", "s_endpgm", "s_barrier", "s_sleep", "s_setpc", "s_swappc", "s_call", "s_trap")


def role(name: str) -> Role:
    """By the mnemonic: AMD names instructions by what executes them."""
    roles = Role(0)
    if name.startswith(_BLOCK_ENDS):
        roles |= Role.ENDS_BLOCK
    if name.startswith(("s_branch", "s_cbranch")):
        roles |= Role.BRANCH
    if name == "s_barrier":
        roles |= Role.BARRIER
    if name.startswith("s_waitcnt"):
        roles |= Role.WAIT
    if name == "s_nop":
        roles |= Role.NOP
    if name.startswith(("global_", "flat_", "scratch_", "buffer_", "tbuffer_")) and not name.startswith(
        ("buffer_wbl2", "buffer_inv", "buffer_gl")
    ):
        roles |= Role.VMEM
        if name.startswith("flat_"):
            roles |= Role.FLAT
        if name.startswith("scratch_"):
            roles |= Role.PRIVATE
        roles |= Role.ATOMIC if "_atomic" in name else Role.STORE if "_store" in name else Role.LOAD
    elif name.startswith("ds_") and name != "ds_nop":
        roles |= Role.LDS
        if name.startswith(("ds_read", "ds_bpermute", "ds_permute", "ds_swizzle")):
            roles |= Role.LOAD
        elif name.startswith("ds_write"):
            roles |= Role.STORE
        else:
            roles |= Role.ATOMIC
    elif name.startswith(("s_load", "s_buffer_load", "s_memtime", "s_memrealtime", "s_scratch_load")):
        roles |= Role.SMEM | Role.LOAD
    elif name.startswith(("v_mfma", "v_smfmac")):
        roles |= Role.MFMA
    elif name.startswith("v_cmp"):
        roles |= Role.COMPARE
    elif name.startswith("v_cndmask"):
        roles |= Role.SELECT
    return roles


class Flow(IntEnum):
    """How undefined bits travel through a scalar instruction: core/image.h's `Regs.flow`, and its flags."""

    ALL = 4  # any of the sources makes all of the result undefined
    AND = 5
    OR = 6
    XOR = 7  # bit by bit; moves too
    SHL = 8
    SHR = 9
    ASHR = 10
    SELECT = 11
    FROM_INDEXED = 12
    TO_INDEXED = 13
    SINK = 14  # they decide something


_FIRST_INVERTED, _SECOND_INVERTED, _INVERTED, _WRITES_EXEC = 16, 32, 64, 128
_MASK_SOURCES = {2: 1, 3: 2}  # of vector instructions
_LOGIC = {
    "and": Flow.AND, "nand": Flow.AND | _INVERTED, "andn1": Flow.AND | _FIRST_INVERTED,
    "andn2": Flow.AND | _SECOND_INVERTED, "or": Flow.OR, "nor": Flow.OR | _INVERTED,
    "orn1": Flow.OR | _FIRST_INVERTED, "orn2": Flow.OR | _SECOND_INVERTED, "xor": Flow.XOR,
    "xnor": Flow.XOR | _INVERTED, "not": Flow.XOR | _INVERTED, "mov": Flow.XOR | _INVERTED,
    "lshl": Flow.SHL, "lshr": Flow.SHR, "ashr": Flow.ASHR, "cselect": Flow.SELECT, "cmov": Flow.SELECT,
    "cmovk": Flow.SELECT, "movrels": Flow.FROM_INDEXED, "movreld": Flow.TO_INDEXED,
}  # fmt: skip
_SCALAR_NAME = re.compile(r"s_([a-z0-9]+?)(?:_(saveexec|wrexec))?_[bi](?:32|64)$")
_SINKS = (
    "s_load", "s_store", "s_buffer", "s_scratch", "s_atomic", "s_dcache", "s_cbranch", "s_setpc", "s_swappc",
)  # fmt: skip


def flow(row: Instruction) -> int:
    if row.vector:
        return sum(_MASK_SOURCES.get(j, 0) for j, kind in enumerate(row.ins) if kind in ("mask", "vcc"))
    return _scalar_flow(row.name)


@functools.cache
def _scalar_flow(name: str) -> int:
    if name.startswith(_SINKS):
        return Flow.SINK
    match = _SCALAR_NAME.match(name)
    if not match or match[1] not in _LOGIC:
        return Flow.ALL
    return _LOGIC[match[1]] | (_WRITES_EXEC if match[2] else 0)


_LAST_SCALAR = 127
_IMPLICIT = {"scc": (125, 1), "vcc": (106, 2), "exec": (126, 2), "m0": (124, 1)}  # SCC has no number of its own


def _vector(code: int, count: int) -> tuple[int, int]:
    if code < 0:
        return 0, 0
    row = code // LANES
    if row >= 2 * AGPR_BASE or row % AGPR_BASE + count > AGPR_BASE:
        raise UnknownInstruction(f"a vector register beyond the {AGPR_BASE} that there are")
    return row, count


def _scalar(code: int, count: int) -> tuple[int, int]:
    if code >= 0 or code == NO_OPERAND:
        return 0, 0
    reference = ~code
    if reference & (POOL | EXTENDED) or reference > _LAST_SCALAR:
        return 0, 0
    if reference + count - 1 > _LAST_SCALAR:
        raise UnknownInstruction("a scalar register beyond the last one")
    return reference, count


def record(out: Decoded) -> bytes:
    row = out.row
    vectors, scalars = [(0, 0)] * 4, [(0, 0)] * 4
    wide_address = (
        row.name.startswith("flat_")
        or (row.name.startswith("global_") and "saddr" in row.ins and out.s[row.ins.index("saddr")] == NO_OPERAND)
        or out.flags & (IDXEN | OFFEN) == IDXEN | OFFEN  # a buffer's index and offset
    )
    old = (0, 0)
    for j, kind in enumerate(row.ins[:4]):
        if kind == "+":
            old = _vector(out.d, DWORDS[row.outs[0]])
            scalars[j] = _scalar(out.d, DWORDS[row.outs[0]])
            continue
        if kind in _IMPLICIT:
            scalars[j] = _IMPLICIT[kind]
            continue
        code = out.s[j]
        if out.extension is not None and out.s[j] == ~EXTENDED:
            code = out.extension.code[j]
        vectors[j] = _vector(code, (2 if wide_address else 1) if kind == "vaddr" else DWORDS[kind])
        width = {"mask": 2, "saddr": 2, "rsrc": 4}.get(kind, DWORDS[kind])
        if kind == "saddr" and row.name.startswith("scratch_"):
            width = 1
        scalars[j] = _scalar(code, width)
    if old[1]:
        vectors[len([kind for kind in row.ins if kind != "+"])] = old
    if row.name.startswith("s_cbranch_"):  # what it asks is in its name
        scalars[0] = _IMPLICIT.get(row.name[10:13], scalars[0])
    main = row.outs[0] if row.outs else ""
    target = _vector(out.d, DWORDS.get(main, 0))
    s_target = _scalar(out.d, 2 if main == "mask" else DWORDS.get(main, 0))
    s_second = _scalar(out.d2, 2)
    for kind in row.outs:
        if kind in ("scc", "vcc", "m0"):
            s_target, s_second = (_IMPLICIT[kind], s_second) if not s_target[1] else (s_target, _IMPLICIT[kind])
    # An atomic writes its destination only where the old value comes back.
    return struct.pack(
        "<5H5B4B4B2B2BBHH", *(start for start, _ in vectors), target[0], *(count for _, count in vectors), target[1],
        *(start for start, _ in scalars), *(count for _, count in scalars),
        s_target[0], s_second[0], s_target[1], s_second[1], flow(row), int(role(row.name)), unit(row),
    )  # fmt: skip
