"""The table of PTX instructions (rules/ptx/*.tbl): one row says what one form of instruction is in C++.

A row has four columns, `form | C++ | safety | note`, and at least one example, indented below it:

    bfe.{T:u32,s32} d=T a:T b:u32 c:u32 | porter::bfe_{T}({a}, {b}, {c}) | exact |
        bfe.u32 r0, r1, r2, r3;  =>  r0 = porter::bfe_u32(r1, r2, r3);

Form, mnemonic: `{T:u32,s32}` names an alternative, `[.x]` is optional. `[.ftz!]` and `[.sat!]` are
optional and add their effect around the C++ of the row. Operands: `d=T` is written, `a:T` read,
`[a]` an address, `[a,c]` one with coordinates (as many as the mnemonic's D says, {c} is all of them), `d*=T` a vector as long as `.v2`/`.v4` in V says, `d[N/2]+T` one as long as half of the number N in
the mnemonic, read and written (`{d}` in C++ is all its registers, by reference), `{x=T,y=T}` a vector of named
parts, `d=T|q=pred` a pair, `b:0..31` a literal in that range, `b:imm` any constant, `b:T?` may be
missing. A type variable called B holds bits without a type: it takes on f32 or f64 when all its
operands are floating-point registers.

C++: `{T}` is the word in the mnemonic, `{T.c}` its C++ type, `{C.op}` a comparison's operator; `{a}`
an operand converted as for a function argument, `{a.T}` one of exactly the C++ type of T, `{a.U}` of
its unsigned form, `{CC}` the carry, `{MW}` the template arguments for memory order and scope, `{SW}` those
for the scope alone, `{VB}` HIP's vector of V elements of type B. Statements are separated by ';'; one without `name =` is assigned
to d if there is a d. `@let name = text` defines a piece that later rows use as `<name>`.
`@include HEADER` makes the rows after it bring that header too; `@mirrored` says that they need one warp a
wave (porter/passes/mirror.py), `@mirrored no` ends that. `@left WORDS | reason` says why no form with one of these words, an
opcode or `.modifier`, is ported, where no row says more. An empty C++ column drops the instruction; the safety `left` refuses it, with the note as the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from porter.errors import RuleError
from porter.model import Safety
from porter.rules import builtin_rules_dir

__all__ = ["PtxExample", "PtxRow", "PtxTable", "Slot", "SpecialRow", "load_ptx_table", "ptx_table"]


@dataclass(frozen=True, slots=True)
class Slot:
    """What a form says about one operand."""

    name: str
    role: str  # "out", "in", "inout" (many), "address", "vector" (parts), "pair" (parts)
    type: str = ""  # a type, a variable of the mnemonic, "imm", "pred"
    many: bool = False  # as many as V says
    optional: bool = False
    low: int = 0  # of a literal range
    high: int = -1
    parts: tuple[Slot, ...] = ()
    length: tuple[str, int] = ("", 1)  # of an "inout": a word of the mnemonic, and by what it is divided


@dataclass(frozen=True, slots=True)
class PtxExample:
    ptx: str
    cpp: str
    where: str


@dataclass(frozen=True, slots=True)
class PtxRow:
    form: str
    pattern: re.Pattern[str]  # matches the whole mnemonic
    slots: tuple[Slot, ...]
    cpp: str
    safety: Safety
    note: str
    where: str  # file:line
    examples: tuple[PtxExample, ...]
    header: str = ""  # beside porter/ptx.h
    mirrored: bool = False  # needs one warp a wave

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
    def required(self) -> int:
        """How many operands an instruction has at least."""
        return sum(not slot.optional for slot in self.slots)

    @property
    def heads(self) -> tuple[str, ...]:
        """How the mnemonic begins: up to its first alternatives, with each of them."""
        head, mark, rest = re.split(r"([\[{]|$)", self.form.split()[0], maxsplit=1)
        if mark != "{":
            return (head,)
        words = rest[: rest.index("}")].partition(":")[2]
        return tuple(head + word for word in words.split(","))


@dataclass(frozen=True, slots=True)
class SpecialRow:
    """A special register: `%laneid u32 | porter::lane_id() | exact | note`."""

    name: str
    type: str
    cpp: str
    safety: Safety
    note: str
    header: str = ""


@dataclass(frozen=True)
class PtxTable:
    rows: Mapping[str, tuple[PtxRow, ...]]  # by opcode
    specials: Mapping[str, SpecialRow]
    opcodes: frozenset[str] = field(default=frozenset())  # all that PTX has, in the table or not
    reasons: Mapping[str, str] = field(default_factory=dict)  # why forms with an opcode or a .modifier are not ported

    def is_ptx(self, opcode: str) -> bool:
        return opcode in self.rows or opcode in self.opcodes


def ptx_table(rules: Any) -> PtxTable:
    """The table of a rule set; porter's own where there is none."""
    folders: Sequence[Path] = getattr(rules, "folders", None) or (builtin_rules_dir(),)
    return load_ptx_table(folders)


def load_ptx_table(folders: Sequence[Path]) -> PtxTable:
    """The rows of FOLDER/ptx/*.tbl for each folder; a later folder's rows are tried first."""
    return _load(tuple(folders))


@lru_cache(maxsize=8)
def _load(folders: tuple[Path, ...]) -> PtxTable:
    rows: dict[str, list[PtxRow]] = {}
    specials: dict[str, SpecialRow] = {}
    opcodes: set[str] = set()
    reasons: dict[str, str] = {}
    for folder in folders:
        fresh: dict[str, list[PtxRow]] = {}
        for path in sorted((folder / "ptx").glob("*.tbl")):
            _read(path, fresh, specials, opcodes, reasons)
        for opcode, found in fresh.items():
            rows[opcode] = found + rows.get(opcode, [])
    return PtxTable({k: tuple(v) for k, v in rows.items()}, specials, frozenset(opcodes), reasons)


def _read(
    path: Path,
    rows: dict[str, list[PtxRow]],
    specials: dict[str, SpecialRow],
    opcodes: set[str],
    reasons: dict[str, str],
) -> None:
    lets: dict[str, str] = {}
    header = ""
    mirrored = False
    pending: list[str] = []
    examples: list[PtxExample] = []
    where = ""

    def finish() -> None:
        if pending:
            row, words = _row(pending[0], where, tuple(examples), header, mirrored)
            for opcode in words:
                rows.setdefault(opcode, []).append(row)
        pending.clear()
        examples.clear()

    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line[0].isspace():
            ptx, arrow, cpp = line.partition("=>")
            if not arrow or not pending:
                raise RuleError(f"{path}:{number}: an example reads `PTX  =>  C++` and follows its row")
            examples.append(PtxExample(ptx.strip(), cpp.strip(), f"{path.name}:{number}"))
            continue
        finish()
        where = f"{path.name}:{number}"
        if line.startswith("@let "):
            name, _, text = line[5:].partition("=")
            lets[name.strip()] = text.strip()
        elif line.startswith("@include "):
            header = line.split()[1]
        elif line.startswith("@mirrored"):
            mirrored = line.split()[1:] != ["no"]
        elif line.startswith("@opcodes "):
            opcodes.update(line.split()[1:])
        elif line.startswith("@left "):
            words, _, reason = line[6:].partition("|")
            reasons.update(dict.fromkeys(words.split(), reason.strip()))
        elif line.startswith("%"):
            special = _special(line, f"{path}:{number}", header)
            specials[special.name] = special
        else:
            for name, text in lets.items():
                line = line.replace(f"<{name}>", text)
            pending.append(line)
    finish()


def _columns(line: str, where: str) -> list[str]:
    columns = [c.strip().replace("\\|", "|") for c in re.split(r"(?<=\s)\|(?=\s|$)", line)]
    if len(columns) != 4:
        raise RuleError(f"{where}: {len(columns)} columns, a row has 4", "form | C++ | safety | note")
    return columns


def _safety(word: str, where: str) -> Safety:
    try:
        return Safety(word)
    except ValueError:
        raise RuleError(f"{where}: '{word}' is no safety level", "exact, slower, review or left") from None


def _special(line: str, where: str, header: str) -> SpecialRow:
    head, cpp, safety, note = _columns(line, where)
    name, kind = head.split()
    return SpecialRow(name, kind, cpp, _safety(safety, where), note, header)


def _row(
    line: str, where: str, examples: tuple[PtxExample, ...], header: str, mirrored: bool
) -> tuple[PtxRow, list[str]]:
    form, cpp, safety, note = _columns(line, where)
    mnemonic, *operands = form.split()
    slots = tuple(_slot(text, where) for text in operands)
    opcode = re.match(r"\{\w:([^}]*)\}|[^.\[]+", mnemonic)
    if opcode is None:
        raise RuleError(f"{where}: the form '{form}' names no instruction")
    words = (opcode[1] or opcode[0]).split(",")
    safe = _safety(safety, where)
    row = PtxRow(form, re.compile(_regex(mnemonic)), slots, cpp, safe, note, where, examples, header, mirrored)
    return row, words


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


_LONG = re.compile(r"(\w+)\[(\w+)(?:/(\d+))?\]\+(\w+)$")
_SLOT = re.compile(r"(\w+)(\*?)([=:])([\w.-]+)(\??)$")


_ORDERED = re.compile(r"[usbf](8|16|32|64|128)(x\d)?|bf16(x2)?|tf32|u?e\dm\d(x\d)?|[us]4|b1|pred|row|col")
_TOP = re.compile(r"\[\.((?:\{[^}]*\}|[^\]{])*)\]|((?:\{[^}]*\}|[^.\[{])+)\.?")


_Unit = tuple[tuple[str, ...], ...]  # what may stand at a place of a mnemonic; most choices are one word


@cache
def _units(mnemonic: str) -> tuple[tuple[_Unit, bool], ...]:
    """The form place by place, and whether the place may stay empty."""
    found = []
    for optional, plain in _TOP.findall(mnemonic):
        head, brace, rest = (optional or plain).removesuffix("!").partition("{")
        choices, _, tail = rest.partition("}")
        words = choices.partition(":")[2].split(",") if brace else [""]
        found.append((tuple(tuple(f"{head}{word}{tail}".split(".")) for word in words), bool(optional)))
    return tuple(found)


def _length_of(unit: _Unit, words: Sequence[str], at: int) -> int:
    """How many of the words from there on are a choice of this place."""
    return next((len(choice) for choice in unit if tuple(words[at : at + len(choice)]) == choice), 0)


def _slot(text: str, where: str) -> Slot:
    if text.startswith("[") and text.endswith("]"):
        name, _, coordinates = text[1:-1].partition(",")
        return Slot(name, "address", coordinates)
    if text.startswith("{") and text.endswith("}"):
        parts = tuple(_slot(part, where) for part in text[1:-1].split(","))
        return Slot("", "vector", parts=parts)
    if "|" in text:
        first, second = text.split("|")
        return Slot("", "pair", parts=(_slot(first, where), _slot(second, where)))
    long = _LONG.match(text)
    if long is not None:
        return Slot(long[1], "inout", long[4], many=True, length=(long[2], int(long[3] or 1)))
    found = _SLOT.match(text)
    if found is None:
        raise RuleError(f"{where}: the operand '{text}' cannot be read")
    name, many, mark, kind, optional = found.groups()
    role = "out" if mark == "=" else "in"
    span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", kind)
    if span is not None:
        return Slot(name, role, "imm", low=int(span[1]), high=int(span[2]))
    return Slot(name, role, kind, bool(many), bool(optional))
