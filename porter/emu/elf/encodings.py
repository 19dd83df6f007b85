"""The tables of how gfx942 encodes instructions: `encodings.tbl` (fields) and `opcodes.tbl` (numbers of mnemonics)."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PROMOTED", "Encoding", "encoding_of", "encodings", "mnemonic", "opcodes"]

_HERE = Path(__file__).resolve().parent

# In vop3: where the numbers of one-dword encodings begin, highest first, and what has numbers of its own behind them.
PROMOTED = (("vop1", 0x140), ("vop2", 0x100), ("vopc", 0))
_PROMOTED_END = 0x1C0
_SEGMENTS = ("flat", "scratch", "global", "")  # of the encoding flat, by its segment


@dataclass(frozen=True, slots=True)
class Encoding:
    name: str
    dwords: int
    shift: int  # the first word, shifted by this, is `match`
    match: int
    fields: dict[str, tuple[int, int]]  # lowest bit, and mask behind the shift
    outs: tuple[str, ...]
    ins: tuple[str, ...]

    def read(self, word: int) -> dict[str, int]:
        """Every field of a word of all its dwords."""
        return {name: word >> low & mask for name, (low, mask) in self.fields.items()}


@functools.cache
def encodings() -> dict[str, Encoding]:
    """Every encoding by name, in the order in which they are tried."""
    by_name = {}
    for text in (_HERE / "encodings.tbl").read_text(encoding="utf-8").splitlines():
        if text.strip() and not text.startswith("#"):
            row = _encoding(text)
            by_name[row.name] = row
    return by_name


def _encoding(text: str) -> Encoding:
    about, _, order = text.partition("|")
    name, dwords, bits, *pairs = about.split()
    shift, match = 0, -1
    if bits != "-":
        place, _, value = bits.partition("=")
        shift, match = int(place.split(":")[1]), int(value, 0)
    fields = {}
    for field, place in zip(pairs[::2], pairs[1::2], strict=True):
        high, low = map(int, place.split(":"))
        fields[field] = low, (1 << high - low + 1) - 1
    outs, _, ins = order.partition("=")
    return Encoding(name, int(dwords), shift, match, fields, tuple(outs.split()), tuple(ins.split()))


def encoding_of(word: int) -> Encoding | None:
    """The encoding of an instruction that begins with this dword."""
    return next((row for row in encodings().values() if word >> row.shift == row.match), None)


@functools.cache
def opcodes() -> dict[tuple[str, int], str]:
    """Mnemonics by encoding and opcode, with the suffix _e64 where one in one dword exists too. Segments of flat have
    their own names."""
    mnemonics = {}
    for text in (_HERE / "opcodes.tbl").read_text(encoding="utf-8").splitlines():
        if text.strip() and not text.startswith("#"):
            encoding, number, name = text.split()
            mnemonics[encoding, int(number, 0)] = name
    for encoding, first in PROMOTED:
        for (own, opcode), name in list(mnemonics.items()):
            if own == encoding and first + opcode < _PROMOTED_END:
                mnemonics.setdefault(("vop3", first + opcode), f"{name}_e64")
    return mnemonics


def mnemonic(encoding: Encoding, fields: dict[str, int]) -> str | None:
    """The mnemonic of an instruction, or None where the table has none."""
    name = _SEGMENTS[fields["segment"]] if encoding.name == "flat" else encoding.name
    return opcodes().get((name, fields["op"]))
