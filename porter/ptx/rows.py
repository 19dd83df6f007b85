"""The rows of the table of PTX instructions (table.py says how they are written)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from porter.findings import Safety

__all__ = ["Mirrored", "Needs", "PtxExample", "PtxRow", "Role", "Slot", "SpecialRow"]


class Role(Enum):
    OUT = "written"
    IN = "read"
    INOUT = "read and written"  # many
    ADDRESS = "address"
    VECTOR = "vector"  # of parts
    PAIR = "pair"  # of parts


@dataclass(frozen=True, slots=True)
class Slot:
    """What a form says about one operand."""

    name: str
    role: Role
    type: str = ""  # a type, a variable of the mnemonic, "imm", "pred"
    many: bool = False  # as many as V says
    optional: bool = False
    low: int = 0  # of a literal range
    high: int = -1
    parts: tuple[Slot, ...] = ()
    length: tuple[str, int] = ("", 1)  # of an INOUT: a word of the mnemonic, and by what it is divided


@dataclass(frozen=True, slots=True)
class PtxExample:
    ptx: str  # registers are named by kind: b 8-bit, h 16-bit, r 32-bit, l 64-bit, q 128-bit, f f32, d f64, p predicate
    expected: str  # C++, or the reason why there is none
    refused: bool
    where: str


class Mirrored(Enum):
    """Whether an instruction needs one warp a wave."""

    NO = "no"
    APART = "apart"  # where warps may come to a wait of it apart from each other
    YES = ""


@dataclass(frozen=True, slots=True)
class Needs:
    """What an instruction needs of the unit that it is in."""

    header: str = ""  # beside porter/ptx.h
    mirrored: Mirrored = Mirrored.NO
    waits: bool = False  # it waits for other threads
    named_barriers: bool = False  # memory of the block, which each kernel has to clear first
    warpgroups: bool = False  # likewise: how far their warps are with wgmma


@dataclass(frozen=True, slots=True)
class PtxRow:
    form: str
    opcodes: tuple[str, ...]
    slots: tuple[Slot, ...]
    cpp: str
    safety: Safety
    note: str
    where: str  # file:line
    needs: Needs = Needs()
    kept: str = ""  # the C++ where the accumulators stay as the MFMAs have them
    examples: tuple[PtxExample, ...] = ()

    @property
    def pattern(self) -> re.Pattern[str]:
        """Matches the whole mnemonic."""
        return _pattern(self.form.split()[0])

    @property
    def mirrored(self) -> bool:
        return self.needs.mirrored is not Mirrored.NO

    def by_reference(self, name: str) -> bool:
        """Is this result an argument in the C++?"""
        return f"{{{name}}}" in self.cpp

    def arranged(self, words: Sequence[str]) -> str:
        """These words of a mnemonic, the opcode first, in the form's order; "" if they do not make the form.

        ptxas takes modifiers in any order, but for types and layouts, which say what operand they belong to.
        """
        left = list(words)
        out: list[str] = []
        for unit, optional in _units(self.form.split()[0]):
            first = next((i for i, word in enumerate(left) if _ORDERED.fullmatch(word)), len(left))
            for i in range(len(left)):
                length = _length_of(unit, left, i)
                if length and (i <= first or not _ORDERED.fullmatch(left[i])):
                    out += left[i : i + length]
                    del left[i : i + length]
                    break
            else:
                if not optional:
                    return ""
        return "" if left else ".".join(out)

    def expected(self, words: Sequence[str]) -> tuple[int, tuple[str, ...]]:
        """How many of these words begin the form, and what may come after them."""
        at = 0
        after: list[str] = []
        for unit, optional in _units(self.form.split()[0]):
            length = _length_of(unit, words, at)
            if length:
                at += length
                after = []
                continue
            after += [".".join(("", *choice)) for choice in unit]
            if not optional:
                break
        return at, tuple(after)

    @property
    def words(self) -> frozenset[str]:
        """All words that its mnemonics have."""
        return frozenset(w for unit, _ in _units(self.form.split()[0]) for choice in unit for w in choice)

    @property
    def required(self) -> int:
        """How many operands an instruction has at least."""
        return sum(not slot.optional for slot in self.slots)

    @property
    def heads(self) -> tuple[str, ...]:
        """How the mnemonic begins: up to its first alternatives, with each of them."""
        return _heads(self.form.split()[0])

    def is_spelled(self, mnemonic: str) -> bool:
        """Is this the whole mnemonic? Most rows of an opcode are told from it by their heads."""
        return mnemonic.startswith(self.heads) and self.pattern.fullmatch(mnemonic) is not None


@dataclass(frozen=True, slots=True)
class SpecialRow:
    """A special register: `%laneid u32 | porter::lane_id() | exact | note`."""

    name: str
    type: str
    cpp: str
    safety: Safety
    note: str
    header: str = ""


@cache
def _heads(mnemonic: str) -> tuple[str, ...]:
    head, mark, rest = re.split(r"([\[{]|$)", mnemonic, maxsplit=1)
    if mark != "{":
        return (head,)
    words = rest[: rest.index("}")].partition(":")[2]
    return tuple(head + word for word in words.split(","))


@cache
def _pattern(mnemonic: str) -> re.Pattern[str]:
    return re.compile(_regex(mnemonic))


def _regex(mnemonic: str) -> str:
    out, at = "", 0
    while at < len(mnemonic):
        char = mnemonic[at]
        if char == "{":
            end = mnemonic.index("}", at)
            name, _, words = mnemonic[at + 1 : end].partition(":")
            out += f"(?P<{name}>{'|'.join(re.escape(w) for w in words.split(','))})"
            at = end + 1
        elif char == "[":
            end = mnemonic.index("]", at)
            inner = mnemonic[at + 1 : end]
            if inner.endswith("!"):
                out += f"(?P<{inner[1:-1].upper()}>{re.escape(inner[:-1])})?"
            else:
                out += f"(?:{_regex(inner)})?"
            at = end + 1
        else:
            out += re.escape(char)
            at += 1
    return out


_ORDERED = re.compile(r"[usbf](8|16|32|64|128)(x\d)?|bf16(x2)?|tf32|u?e\dm\d(x\d)?|[us]4|b1|pred|row|col")
_TOP = re.compile(r"\[\.((?:\{[^}]*\}|[^\]{])*)\]|((?:\{[^}]*\}|[^.\[{])+)\.?")


_Unit = tuple[tuple[str, ...], ...]  # what may stand at a place of a mnemonic; most choices are one word


@cache
def _units(mnemonic: str) -> tuple[tuple[_Unit, bool], ...]:
    """The form place by place, and whether the place may stay empty."""
    units = []
    for optional, plain in _TOP.findall(mnemonic):
        head, brace, rest = (optional or plain).removesuffix("!").partition("{")
        choices, _, tail = rest.partition("}")
        words = choices.partition(":")[2].split(",") if brace else [""]
        units.append((tuple(tuple(f"{head}{word}{tail}".split(".")) for word in words), bool(optional)))
    return tuple(units)


def _length_of(unit: _Unit, words: Sequence[str], at: int) -> int:
    """How many of the words from there on are a choice of this place."""
    return next((len(choice) for choice in unit if tuple(words[at : at + len(choice)]) == choice), 0)
