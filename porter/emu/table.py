"""The table of instructions: one row each, with its operands, what it does, and an example.

A row of `isa/*.isa` has four columns, two or more spaces between them: mnemonic, signature, semantics, example.

    v_add_u32     u32 = u32 u32       a + b                           0xfffffffe 3 -> 1
    v_fmac_f32    f32 = f32 f32 +     __builtin_fmaf(a, b, c)         2.0 3.0 1.0 -> 7.0
    v_add_co_u32  u32 mask = u32 u32  d = a + b; e = d < a            0xffffffff 1 -> 0 1
    s_add_u32     u32 scc = u32 u32   d = a + b; scc = d < a          0xffffffff 1 -> 0 1
    s_barrier     -                   native

The signature lists the destinations, `=`, and the sources in the order of the assembly text. The semantics are C over
`a`, `b`, `c` ... for the sources and `d`, `e` for the destinations: an expression for `d`, or statements. Of lane-wise
rows (v_*) they say what happens in one lane, of s_* rows what happens to the scalars. `native` rows have a handler of
their own in the C core, `op_<mnemonic>`; `native NAME ARGS` shares the handler macro NAME.

A row with brackets in its mnemonic is two instructions: the second has the text in the row's brackets. Its
examples are two where they differ, `;` between.

    v_add_u16[.clamp]      u16 = u16 u16            [to_u16](a + b)                    0xfffe 3 -> 1; 0xfffe 3 -> 0xffff
    v_cmp[x]_lt_i32        mask [exec] = i32 i32    a < b                              -1 2 -> 1 [1]
    ds_add[_rtn]_u32       [b32 =] u32 b32          native lds_atomic[_rtn] add, 32, 1

Memory rows are native; their sources stand in the order of the text too, `vaddr` (a VGPR, a pair, or off), `saddr`
(a scalar pair, or off), `soffset` (a scalar, a number, or nothing) and `rsrc` (a buffer descriptor in four scalars)
among them. `NAME.rtn` is the form of an atomic with sc0, `NAME.lds` that of a load with lds, `NAME.clamp` that of an
operation on integers with clamp.

Results are the chip's to the bit, as far as the ISA says what they are, except below a line `@near WORDS`: there the
emulator is close to the chip, as WORDS say, up to the line `@exact`.

Types: u32 i32 f32 u64 i64 f64; u16 i16 f16 (low half; as a destination the high half becomes 0, `f16+` keeps it);
pk (two halves, op_sel applies; pkf: halves are floats), pkf32 (two f32 in two registers); mix (an f32, or the half
that op_sel names, as an f32); u8+ (a byte of the destination, which op_sel names; the others stay); b96, b128, b256, b512, b1024
(registers in a row, by native handlers; f64x4: of four doubles); mask (a bit a lane, in a scalar pair); scc, vcc, exec (implicit, not in the
text); `+` the destination's old value; label, imm (a number in the text).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DWORDS", "Instruction", "TableError", "instructions", "load"]

ISA = Path(__file__).resolve().parent / "isa"

DWORDS = {
    **dict.fromkeys("u32 i32 f32 u16 i16 f16 pk pkf bf16 b32 soffset mix u8+ u16+ i16+ f16+".split(), 1),
    **dict.fromkeys("u64 i64 f64 pkf32 b64".split(), 2),
    **{f"b{32 * n}": n for n in (3, 4, 5, 6, 8, 12, 16, 32)},
    "f64x4": 8,
    **dict.fromkeys("mask scc vcc exec label imm + m0 waitcnt hwreg sendmsg gpr_idx vaddr saddr rsrc".split(), 0),
}
IMPLICIT = frozenset({"scc", "vcc", "exec", "+", "m0"})  # not written in the assembly text


class TableError(Exception):
    """A row that cannot be read; it names the file and line."""


@dataclass(frozen=True, slots=True)
class Instruction:
    name: str
    outs: tuple[str, ...]
    ins: tuple[str, ...]
    semantics: str
    example: str
    family: str  # the file it is in
    line: int
    near: str = ""  # what of its result is only close to the chip's; empty: it is the chip's to the bit

    @property
    def native(self) -> bool:
        return self.semantics.split(maxsplit=1)[:1] == ["native"]

    @property
    def vector(self) -> bool:
        return not self.name.startswith("s_")

    @property
    def symbol(self) -> str:
        """The name of its C handler."""
        return "op_" + self.name.replace(".", "_")


@functools.cache
def instructions() -> dict[str, Instruction]:
    """Every row by mnemonic, in the order of the files: the position is the operation's number."""
    rows: dict[str, Instruction] = {}
    for path in sorted(ISA.glob("*.isa")):
        for row in load(path):
            if row.name in rows:
                other = rows[row.name]
                raise TableError(f"{path.name}:{row.line}: {row.name} is in {other.family}.isa:{other.line} too")
            rows[row.name] = row
    return rows


def load(path: Path) -> list[Instruction]:
    """The instructions of one file, in the order of its rows."""
    rows: list[Instruction] = []
    near = ""
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text.startswith("@"):
            word, _, near = text[1:].strip().partition(" ")
            if word not in ("near", "exact") or (word == "near") is not bool(near):
                raise TableError(f"{path.name}:{number}: expected @near and words, or @exact")
        elif text.strip() and not text.startswith("#"):
            rows += (_instruction(fields, path, number, near) for fields in _forms(text, f"{path.name}:{number}"))
    return rows


_BRACKETS = re.compile(r"\[([^][]*)\]")


def _forms(text: str, place: str) -> list[tuple[str, ...]]:
    """Mnemonic, signature, semantics and example of the instructions that a row stands for: one, or two."""
    fields = re.split(r"\s{2,}", text.strip())
    if not 3 <= len(fields) <= 4:
        raise TableError(f"{place}: expected mnemonic, signature, semantics and example, two spaces between")
    *columns, example = (*fields, "")[:4]
    if not _BRACKETS.search(columns[0]):
        if any(_BRACKETS.search(column) for column in columns) or ";" in example:
            raise TableError(f"{place}: brackets or two examples, but no brackets in the mnemonic")
        return [(*columns, example)]
    first, _, second = example.partition(";")
    without = *(_BRACKETS.sub("", column) for column in columns), _BRACKETS.sub("", first)
    with_them = *(_BRACKETS.sub(r"\1", column) for column in columns), _BRACKETS.sub(r"\1", second or first)
    for column in (*without, *with_them):
        if "[" in column or "]" in column:
            raise TableError(f"{place}: a bracket without its other one, or brackets in brackets: {column.strip()}")
    return [tuple(column.strip() for column in form) for form in (without, with_them)]


def _instruction(fields: tuple[str, ...], path: Path, number: int, near: str) -> Instruction:
    name, signature, semantics, example = fields
    outs, equals, ins = signature.partition("=")
    if not equals:
        outs, ins = "", signature
    types = tuple(outs.split()), tuple(part for part in ins.split() if part != "-")
    unknown = [part for part in (*types[0], *types[1]) if part not in DWORDS]
    if unknown:
        raise TableError(f"{path.name}:{number}: unknown type {unknown[0]!r}")
    return Instruction(name, *types, semantics, example, path.stem, number, near)
