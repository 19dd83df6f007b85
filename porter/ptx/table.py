"""The table of PTX instructions (rules/ptx/*.tbl): one row says what one form of instruction is in C++.

A row has four columns, `form | C++ | safety | note`, and at least one example, indented below it:

    bfe.{T:u32,s32} d=T a:T b:u32 c:u32 | porter::bfe_{T}({a}, {b}, {c}) | exact |
        bfe.u32 r0, r1, r2, r3;  =>  r0 = porter::bfe_u32(r1, r2, r3);

Registers of examples are named by kind: b 8-bit, h 16-bit, r 32-bit, l 64-bit, q 128-bit, f f32, d f64, p predicate. An
instruction that is dropped gives `nothing`, one that its row leaves `refused`: the note is the reason.

Form, mnemonic: `{T:u32,s32}` names an alternative, `[.x]` is optional. `[.ftz!]` and `[.sat!]` are optional and add their
effect around the C++ of the row. Operands: `d=T` is written, `a:T` read, `[a]` an address, `[a,c]` one with coordinates (as
many as the mnemonic's D says, {c} is all of them), `d*=T` a vector as long as `.v2`/`.v4` in V says, `d[N/2]+T` one as long
as half of the number N in the mnemonic, read and written (`{d}` in C++ is all its registers, by reference), `{x=T,y=T}` a
vector of named parts, `d=T|q=pred` a pair, `b:0..31` a literal in that range, `b:imm` any constant, `b:T?` may be missing. A
type variable called B holds bits without a type: it takes on f32 or f64 when all its operands are floating-point registers.

C++: `{T}` is the word in the mnemonic, `{T.c}` its C++ type, `{C.op}` a comparison's operator; `{a}` an operand converted as
for a function argument, `{a.T}` one of exactly the C++ type of T, `{a.U}` of its unsigned form, `{CC}` the carry, `{MW}` the
template arguments for memory order and scope, `{SW}` those for the scope alone, `{VB}` HIP's vector of V elements of type B.
`{kept:TEXT}` is TEXT where accumulators stay as the MFMAs have them (passes/hopper/kept_accumulators.py) or copies are held
(passes/ptx/held_copies.py), and nothing elsewhere. Statements are separated by ';'; one without `name =` is assigned to d if there is a d. An empty C++ column drops
the instruction; the safety `left` refuses it, with the note as the reason.

What instructions need of the unit that they are in (porter/analysis/roles.py) is said before their rows, for all that
follow, or indented below a row, for that row alone:

    @include HEADER         the header, beside porter/ptx.h
    @mirrored [apart|no]    one warp a wave; `apart`: where warps may come to a wait of it apart from each other
    @waits [no]             it waits for other threads
    @needs [named-barriers] [warpgroups]    memory that each kernel has to clear first; without a word, none

`@let name = text` defines a piece that later rows use as `<name>`. `@opcodes WORDS` are instructions of PTX, with a row or
without. `@left WORDS | reason` says why no form with one of these words, an opcode or `.modifier`, is ported, where no row
says more; examples below it are `refused`. `@refused PTX  =>  reason` is an example of what no row takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from porter.errors import RuleError
from porter.findings import Safety
from porter.ptx.rows import Mirrored, Needs, PtxExample, PtxRow, Role, Slot, SpecialRow
from porter.rules import builtin_rules_dir

__all__ = ["PtxTable", "load_ptx_table", "ptx_table"]


@dataclass(frozen=True)
class PtxTable:
    rows: Mapping[str, tuple[PtxRow, ...]]  # by opcode
    specials: Mapping[str, SpecialRow]
    opcodes: frozenset[str] = field(default=frozenset())  # all that PTX has, in the table or not
    reasons: Mapping[str, str] = field(default_factory=dict)  # why forms with an opcode or a .modifier are not ported
    refused: tuple[PtxExample, ...] = ()  # examples of what no row takes

    def is_ptx(self, opcode: str) -> bool:
        return opcode in self.rows or opcode in self.opcodes

    @cached_property
    def fitting(self) -> dict[str, list[tuple[PtxRow, str]]]:
        """By mnemonic: the rows that have it, as far as somebody asked (match.py)."""
        return {}

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of its mnemonics."""
        return frozenset().union(*(row.words for group in self.rows.values() for row in group))

    @cached_property
    def mirrored(self) -> dict[str, list[PtxRow]]:
        """By the text of an asm statement: its rows that need mirrors, as far as somebody asked (roles.py)."""
        return {}

    @cached_property
    def keeping(self) -> PtxTable:
        """The same table where the accumulators of matrix products stay as the MFMAs have them."""
        rows = {k: tuple(replace(r, cpp=r.kept) if r.kept else r for r in group) for k, group in self.rows.items()}
        return replace(self, rows=rows)


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
    refused: list[PtxExample] = []
    for folder in folders:
        fresh: dict[str, list[PtxRow]] = {}
        for path in sorted((folder / "ptx").glob("*.tbl")):
            table_file = _File(path)
            for row in table_file.rows:
                for opcode in row.opcodes:
                    fresh.setdefault(opcode, []).append(row)
            specials.update(table_file.specials)
            opcodes |= table_file.opcodes
            reasons.update(table_file.reasons)
            refused += table_file.refused
        for opcode, group in fresh.items():
            rows[opcode] = group + rows.get(opcode, [])
    return PtxTable({k: tuple(v) for k, v in rows.items()}, specials, frozenset(opcodes), reasons, tuple(refused))


class _File:
    """What one file of the table says."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[PtxRow] = []
        self.specials: dict[str, SpecialRow] = {}
        self.opcodes: set[str] = set()
        self.reasons: dict[str, str] = {}
        self.lets: dict[str, str] = {}
        self.needs = Needs()
        self.refused: list[PtxExample] = []
        self.row: PtxRow | None = None  # the one that indented lines belong to
        self.examples: list[PtxExample] = []
        self.reason = ""  # of an @left that indented lines belong to
        self.number = 0
        for self.number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if line[:1].isspace() and line.strip():
                self.below(line.strip())
            elif line and not line.startswith("#"):
                self.finish()
                self.line(line)
        self.finish()

    @property
    def where(self) -> str:
        return f"{self.path.name}:{self.number}"

    def wrong(self, problem: str, fix: str = "") -> RuleError:
        return RuleError(f"{self.path}:{self.number}: {problem}", fix)

    def finish(self) -> None:
        if self.row is not None:
            self.rows.append(replace(self.row, examples=tuple(self.examples)))
        self.row, self.examples, self.reason = None, [], ""

    def line(self, line: str) -> None:
        if line.startswith("%"):
            special = self.special(line)
            self.specials[special.name] = special
        elif not line.startswith("@"):
            for name, text in self.lets.items():
                line = line.replace(f"<{name}>", text)
            self.row = self.form(line)
        else:
            word, _, rest = line[1:].partition(" ")
            if word == "let":
                name, _, text = rest.partition("=")
                self.lets[name.strip()] = text.strip()
            elif word == "opcodes":
                self.opcodes.update(rest.split())
            elif word == "left":
                words, _, reason = rest.partition("|")
                self.reason = reason.strip()
                self.reasons.update(dict.fromkeys(words.split(), self.reason))
            elif word == "refused":
                ptx, reason = self.example(rest)
                self.refused.append(PtxExample(ptx, reason, True, self.where))
            else:
                self.needs = self.needing(self.needs, word, rest.split())

    def below(self, text: str) -> None:
        """An indented line."""
        if self.row is None and not self.reason:
            raise self.wrong("nothing above that this indented line may belong to")
        if self.row is not None and text.startswith("@"):
            word, *rest = text[1:].split()
            self.row = replace(self.row, needs=self.needing(self.row.needs, word, rest))
            return
        ptx, expected = self.example(text)
        if (expected == "refused") != (self.row is None or self.row.safety is Safety.LEFT):
            raise self.wrong("examples of what is left are `refused`, and no others")
        if self.row is None:
            self.refused.append(PtxExample(ptx, self.reason, True, self.where))
        elif self.row.safety is Safety.LEFT:
            self.examples.append(PtxExample(ptx, self.row.note, True, self.where))
        else:
            self.examples.append(PtxExample(ptx, expected, False, self.where))

    def example(self, text: str) -> tuple[str, str]:
        ptx, _, expected = text.partition("=>")
        if not expected.strip():
            raise self.wrong("an example reads `PTX  =>  C++`")
        return ptx.strip(), expected.strip()

    def needing(self, needs: Needs, directive: str, words: list[str]) -> Needs:
        """The needs that a directive changes."""
        match directive, words:
            case "include", [header]:
                return replace(needs, header=header)
            case "mirrored", [] | ["apart" | "no"]:
                return replace(needs, mirrored=Mirrored("".join(words)))
            case "waits", [] | ["no"]:
                return replace(needs, waits=not words)
            case "needs", _ if _MEMORY.issuperset(words):
                return replace(needs, named_barriers="named-barriers" in words, warpgroups="warpgroups" in words)
        text = " ".join((f"@{directive}", *words))
        raise self.wrong(f"'{text}' is no directive", "the docstring of porter/ptx/table.py lists them")

    def columns(self, line: str) -> list[str]:
        columns = [c.strip().replace("\\|", "|") for c in re.split(r"(?<=\s)\|(?=\s|$)", line)]
        if len(columns) != 4:
            raise self.wrong(f"{len(columns)} columns, a row has 4", "form | C++ | safety | note")
        return columns

    def safety(self, word: str) -> Safety:
        try:
            return Safety(word)
        except ValueError:
            raise self.wrong(f"'{word}' is no safety level", "exact, slower, review or left") from None

    def special(self, line: str) -> SpecialRow:
        head, cpp, safety, note = self.columns(line)
        name, kind = head.split()
        return SpecialRow(name, kind, cpp, self.safety(safety), note, self.needs.header)

    def form(self, line: str) -> PtxRow:
        form, cpp, safety, note = self.columns(line)
        mnemonic, *operands = form.split()
        slots = tuple(map(self.slot, operands))
        opcode = re.match(r"\{\w:([^}]*)\}|[^.\[]+", mnemonic)
        if opcode is None or any(mnemonic.count(a) != mnemonic.count(b) for a, b in ("{}", "[]")):
            raise self.wrong(f"the form '{form}' names no instruction")
        opcodes = tuple((opcode[1] or opcode[0]).split(","))
        plain, kept = _KEPT.sub("", cpp), _KEPT.sub(r"\1", cpp)
        known = {*_OF_ALL, *_names(slots), *_VARIABLE.findall(mnemonic)}
        unknown = next((name for name in _HOLE.findall(plain) if name not in known), "")
        if unknown:
            raise self.wrong(f"the form has no {{{unknown}}}")
        kept = kept if kept != plain else ""
        return PtxRow(form, opcodes, slots, plain, self.safety(safety), note, self.where, self.needs, kept)

    def slot(self, text: str) -> Slot:
        """What an operand of a form says."""
        if text.startswith("[") and text.endswith("]"):
            name, _, coordinates = text[1:-1].partition(",")
            return Slot(name, Role.ADDRESS, coordinates)
        if text.startswith("{") and text.endswith("}"):
            return Slot("", Role.VECTOR, parts=tuple(map(self.slot, text[1:-1].split(","))))
        if "|" in text:
            return Slot("", Role.PAIR, parts=tuple(map(self.slot, text.split("|"))))
        long = _LONG.match(text)
        if long is not None:
            return Slot(long[1], Role.INOUT, long[4], many=True, length=(long[2], int(long[3] or 1)))
        slot_match = _SLOT.match(text)
        if slot_match is None:
            raise self.wrong(f"the operand '{text}' cannot be read")
        name, many, mark, kind, optional = slot_match.groups()
        role = Role.OUT if mark == "=" else Role.IN
        span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", kind)
        if span is not None:
            return Slot(name, role, "imm", low=int(span[1]), high=int(span[2]))
        return Slot(name, role, kind, bool(many), bool(optional))


def _names(slots: Sequence[Slot]) -> Iterator[str]:
    for slot in slots:
        yield slot.name
        if slot.role is Role.ADDRESS:
            yield slot.type  # of its coordinates
        yield from _names(slot.parts)


_MEMORY = frozenset({"named-barriers", "warpgroups"})
_OF_ALL = ("CC", "MW", "SW", "VB")
_KEPT = re.compile(r"\{kept:((?:[^{}]|\{[^{}]*\})*)\}")
_HOLE = re.compile(r"\{(\w+)(?:\.\w+)?\}")
_VARIABLE = re.compile(r"\{(\w+):")
_LONG = re.compile(r"(\w+)\[(\w+)(?:/(\d+))?\]\+(\w+)$")
_SLOT = re.compile(r"(\w+)(\*?)([=:])([\w.-]+)(\??)$")
