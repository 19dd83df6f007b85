"""The data of an encoded instruction: operands' codes, modifiers, the pool of constants. The layout is core/emu.h's."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from porter.chip import EMULATED
from porter.emu.table import Instruction

__all__ = ["AGPR_BASE", "ARGUMENT_BYTES", "NO_OPERAND", "Decoded", "Extension", "Fixup", "Pool", "UnknownInstruction"]

ARGUMENT_BYTES = 1 << 16  # of the arguments of a launch, at most
AGPR_BASE = EMULATED.vgprs  # the row of a0; VGPRs are those before it
NO_OPERAND = -(1 << 31)
POOL = 1 << 24
EXTENDED = 1 << 25
LANES = EMULATED.wave
POST, SC0, SC1, NT, LDS, IDXEN, OFFEN = (1 << n for n in range(7))
DPP = 1 << 15


class UnknownInstruction(Exception):
    """An instruction or operand that the table does not have; the text says what is not understood."""


@dataclass(slots=True)
class Extension:
    """Modifiers of one instruction; the fields are those of the C core's Ext."""

    code: list[int] = field(default_factory=lambda: [NO_OPERAND] * 4)
    mod: list[int] = field(default_factory=lambda: [0] * 4)
    sel: list[int] = field(default_factory=lambda: [6] * 4)
    dst_sel: int = 6
    dst_unused: int = 0
    clamp: int = 0
    omod: int = 0
    op_sel: int = 0
    op_sel_hi: int = 0xF
    neg_lo: int = 0
    neg_hi: int = 0
    sdwa: int = 0
    dpp: int = 0
    row_mask: int = 0xF
    bank_mask: int = 0xF
    dpp_ctrl: int = 0
    bound_ctrl: int = 0

    def packed(self) -> bytes:
        return struct.pack(
            "<4i4B4B12BH2B", *self.code, *self.mod, *self.sel, self.dst_sel, self.dst_unused, self.clamp, self.omod,
            self.op_sel, self.op_sel_hi & 7, self.neg_lo, self.neg_hi, self.sdwa, self.dpp, self.row_mask,
            self.bank_mask, self.dpp_ctrl, self.bound_ctrl, 0,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fixup:
    """A constant in the pool that a symbol's address decides."""

    pool: int
    symbol: str
    kind: str  # rel32@lo and so on
    addend: int


@dataclass(slots=True)
class Decoded:
    row: Instruction
    d: int = NO_OPERAND
    d2: int = NO_OPERAND
    s: list[int] = field(default_factory=lambda: [NO_OPERAND] * 4)
    imm: int = 0
    imm2: int = 0
    flags: int = 0
    n: int = 0
    label: str = ""
    extension: Extension | None = None


class Pool:
    """Constants that instructions name, each once; 64-bit ones are two words in a row."""

    def __init__(self) -> None:
        self.words: list[int] = []
        self.fixups: list[Fixup] = []
        self._known: dict[tuple[int, bool], int] = {}

    def code(self, value: int, wide: bool) -> int:
        key = value, wide
        if key not in self._known:
            self._known[key] = len(self.words)
            self.words.append(value & 0xFFFFFFFF)
            if wide:
                self.words.append(value >> 32 & 0xFFFFFFFF)
        return ~(self._known[key] | POOL)

    def symbol(self, name: str, kind: str, addend: int) -> int:
        self.fixups.append(Fixup(len(self.words), name, kind, addend))
        self.words += [0, 0]
        return ~((len(self.words) - 2) | POOL)
