"""Finds the table row of an instruction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from porter.findings import Safety
from porter.frontend.ptx import Immediate, Instruction, Memory, Name, Operand, Pair, Vector
from porter.ptx.rows import PtxRow, Role, Slot
from porter.ptx.table import PtxTable
from porter.ptx.types import NUMBER, Mismatch, Value, from_result, to_slot, width

__all__ = [
    "Lookup",
    "Match",
    "Refusal",
    "Several",
    "find_row",
    "fitting",
    "is_sink",
    "kind_of",
    "likely_row",
    "may_be_wider",
    "written",
]

Lookup = Callable[[Operand], Value]  # raises Mismatch for an unknown name


@dataclass(frozen=True)
class Refusal:
    """Why an instruction has no C++. `known` when the table (or PTX) knows the instruction itself."""

    construct: str
    reason: str
    known: bool


@dataclass(frozen=True)
class Several:
    """The registers of a vector, or the coordinates of an address."""

    role: Role
    type: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class Match:
    row: PtxRow
    words: Mapping[str, str]  # {T} and its like
    operands: Mapping[str, Operand]  # by slot name; those of several as name.0, name.1
    slots: Mapping[str, Slot]
    several: Mapping[str, Several]  # by slot name
    outputs: tuple[str, ...]  # slot names that are written, in order

    @property
    def count(self) -> int:
        """Registers of a vector that is as long as V says."""
        return int(self.words["V"][1:]) if "V" in self.words else 1

    def gives(self, name: str) -> bool:
        """Is this slot a result?"""
        return name in self.outputs or (name in self.several and self.several[name].role is Role.OUT)


# The order in which memory instructions name their modifiers has changed over PTX's versions
# (ld.volatile.global, ld.global.volatile); rows are written for this one.
_MEMORY = ("ld", "ldu", "st", "atom", "red")
_ORDER = (
    re.compile(r"weak|volatile|relaxed|acquire|release|acq_rel|mmio|sc"),
    re.compile(r"cta|cluster|gpu|sys"),
    re.compile(r"global|shared(::\w+)?|local|const|param(::\w+)?"),
    re.compile(r"nc"),
    re.compile(r"add|sub|min|max|inc|dec|and|or|xor|exch|cas"),
    re.compile(r"noftz"),
    re.compile(r"ca|cg|cs|lu|cv|wb|wt"),
    re.compile(r"L1::\w+"),
    re.compile(r"v[248]"),
    re.compile(r"\w+"),
)
_CONVERSION = tuple(map(re.compile, (r"pack", r"r[nzmpas]i?|rna", r"ftz", r"sat|satfinite", r"relu")))
_HINTS = re.compile(r"L2::\w+|L1::evict_\w+|level::\w+")
_POLICY = ("L2::cache_hint",)


def canonical(instruction: Instruction) -> tuple[str, bool]:
    """The mnemonic as rows spell it, and whether a cache-policy operand follows."""
    if instruction.opcode in ("cvt", "fma"):
        order = [next((i for i, p in enumerate(_CONVERSION) if p.fullmatch(w)), 9) for w in instruction.modifiers]
        words = [w for _, w in sorted(zip(order, instruction.modifiers), key=lambda pair: pair[0])]
        return ".".join((instruction.opcode, *words)), False
    copy = instruction.opcode == "cp" and "bulk" not in instruction.modifiers
    if instruction.opcode not in _MEMORY and not copy:
        return instruction.mnemonic, False
    policy = any(word in _POLICY for word in instruction.modifiers)
    kept = [word for word in instruction.modifiers if not _HINTS.fullmatch(word)]
    if copy:
        return ".".join((instruction.opcode, *kept)), policy

    def rank(word: str) -> int:
        return next((i for i, pattern in enumerate(_ORDER) if pattern.fullmatch(word)), len(_ORDER))

    *front, last = kept or [""]  # the type stays last, whatever it looks like
    return ".".join((instruction.opcode, *sorted(front, key=rank), last)), policy


def fitting(instruction: Instruction, table: PtxTable) -> tuple[list[tuple[PtxRow, str]], bool]:
    """The rows whose mnemonic this is, with it as they spell it; and whether a cache-policy operand follows."""
    mnemonic, policy = canonical(instruction)
    known = table.fitting
    if mnemonic not in known:
        rows = table.rows.get(instruction.opcode, ())
        rows_fitting = [(row, mnemonic) for row in rows if row.is_spelled(mnemonic)]
        if not rows_fitting:  # the words may stand in another order
            arranged = ((row, row.arranged(mnemonic.split("."))) for row in rows)
            rows_fitting = [(row, text) for row, text in arranged if text and row.is_spelled(text)]
        known[mnemonic] = rows_fitting
    return known[mnemonic], policy


def likely_row(instruction: Instruction, table: PtxTable) -> PtxRow | None:
    """The first row with this mnemonic and as many operands, whatever they are."""
    rows, policy = fitting(instruction, table)
    count = len(instruction.operands) - policy
    return next((row for row, _ in rows if row.required <= count <= len(row.slots)), None)


def find_row(instruction: Instruction, table: PtxTable, lookup: Lookup) -> Match | Refusal:
    rows, policy = fitting(instruction, table)
    operands = instruction.operands[:-1] if policy else instruction.operands
    reason = ""
    for row, mnemonic in rows:
        spelling = row.pattern.fullmatch(mnemonic)
        assert spelling is not None
        words = {k: v for k, v in spelling.groupdict().items() if v is not None}
        try:
            match = _bind(row, words, operands, lookup)
        except Mismatch as mismatch:
            reason = reason or (row.note if row.safety is Safety.LEFT else str(mismatch))
            continue
        if row.safety is Safety.LEFT:
            return Refusal(instruction.mnemonic, row.note, known=True)
        return match
    known = (instruction.opcode, *(f".{word.partition('%')[0]}" for word in instruction.modifiers))
    reason = reason or next((table.reasons[word] for word in known if word in table.reasons), "")
    if reason:
        return Refusal(instruction.mnemonic, reason, known=True)
    return Refusal(instruction.mnemonic, _unknown(instruction, table), known=False)


_MOST_CHOICES = 12


def _unknown(instruction: Instruction, table: PtxTable) -> str:
    """How far the rows know an instruction that none of them describes."""
    words = canonical(instruction)[0].split(".")
    rows = table.rows.get(instruction.opcode, ())
    if not rows:
        whose = (
            "an instruction of PTX without a row" if table.is_ptx(instruction.opcode) else "no instruction of PTX 9.0"
        )
        return f"{instruction.opcode} is {whose}: write C++ in its place, or add a row to rules of your own (--rules)"
    seen = [row.expected(words) for row in rows]
    at = max(count for count, _ in seen)
    after = dict.fromkeys(word for count, choices in seen if count == at for word in choices)
    shown = list(after)[:_MOST_CHOICES] + (["..."] if len(after) > _MOST_CHOICES else [])
    known = ".".join(words[:at])
    if at == len(words):
        return f"PTX 9.0 has no such form: {known} goes on with one of {' '.join(shown)}"
    if not shown:
        return f"PTX 9.0 has no such form: {known} takes no .{words[at]}"
    return f"PTX 9.0 has no such form: after {known} comes no .{words[at]} but one of {' '.join(shown)}"


def _bind(row: PtxRow, words: dict[str, str], operands: tuple[Operand, ...], lookup: Lookup) -> Match:
    if not row.required <= len(operands) <= len(row.slots):
        raise Mismatch(f"{len(operands)} operands, expected {row.required}")
    binding = _Binding(words, lookup)
    for slot, operand in zip(row.slots, operands):
        binding.take(slot, operand)
    words = _settle_bits(words, binding.operands, binding.slots, lookup)
    match = Match(row, words, binding.operands, binding.slots, binding.several, tuple(binding.outputs))
    for name in match.slots:  # every value must fit its slot, or the next row is tried
        _check(match, name, lookup)
    return match


class _Binding:
    """The operands of an instruction by the names of a row's slots. Raises Mismatch where one is of another kind."""

    def __init__(self, words: Mapping[str, str], lookup: Lookup) -> None:
        self.words, self.lookup = words, lookup
        self.operands: dict[str, Operand] = {}
        self.slots: dict[str, Slot] = {}
        self.several: dict[str, Several] = {}
        self.outputs: list[str] = []

    def take(self, slot: Slot, operand: Operand) -> None:
        if slot.many:
            size = _length_of(slot, self.words)
            role = Role.OUT if slot.role is Role.INOUT else slot.role
            self.take_several(slot.name, Several(slot.role, slot.type, _parts(operand, size)), role)
        elif slot.role is Role.PAIR:
            if not isinstance(operand, Pair):
                raise Mismatch("a second destination is expected")
            self.take(slot.parts[0], operand.first)
            self.take(slot.parts[1], operand.second)
        elif slot.role is Role.VECTOR:
            for part, inner in zip(slot.parts, _parts(operand, len(slot.parts))):
                self.take(part, inner)
        elif slot.role is Role.ADDRESS:
            self.take_address(slot, operand)
        else:
            self.take_plain(slot, operand)

    def take_several(self, name: str, several: Several, role: Role) -> None:
        self.several[name] = several
        for index, inner in enumerate(several.operands):
            self.take(Slot(f"{name}.{index}", role, several.type), inner)

    def take_address(self, slot: Slot, operand: Operand) -> None:
        if not isinstance(operand, Memory) or (operand.extra and not slot.type):
            raise Mismatch("an address is expected")
        self.operands[slot.name], self.slots[slot.name] = operand, slot
        if slot.type:  # coordinates follow
            size, extra = int(self.words["D"][0]), operand.extra
            if len(extra) != 1 or not isinstance(extra[0], Vector) or len(extra[0].parts) != size:
                raise Mismatch(f"{size} coordinates are expected")
            self.take_several(slot.type, Several(Role.ADDRESS, "s32", extra[0].parts), Role.IN)

    def take_plain(self, slot: Slot, operand: Operand) -> None:
        if isinstance(operand, Vector) and len(operand.parts) == 1:  # ptxas takes `{a}` for `a`
            operand = operand.parts[0]
        if isinstance(operand, (Pair, Vector, Memory)):
            raise Mismatch("a plain operand is expected")
        if slot.type == "imm" and slot.role is Role.IN:
            _check_constant(slot, self.lookup(operand))
        self.operands[slot.name], self.slots[slot.name] = operand, slot
        if slot.role is Role.OUT:
            self.outputs.append(slot.name)


def _length_of(slot: Slot, words: Mapping[str, str]) -> int:
    """Of a vector that is as long as the mnemonic says."""
    word, divisor = slot.length
    if word:
        return int(words[word]) // divisor
    return int(words["V"][1:]) if "V" in words else 1


def _parts(operand: Operand, size: int) -> tuple[Operand, ...]:
    if not isinstance(operand, Vector) or len(operand.parts) != size:
        raise Mismatch(f"a vector of {size} is expected")
    return operand.parts


def _check_constant(slot: Slot, value: Value) -> None:
    number = value.immediate.value if value.immediate is not None else None
    if number is None and NUMBER.fullmatch(value.shown):
        digits = value.shown.rstrip("uUlL")
        number = int(digits, 8 if digits[:1] == "0" and digits.isdigit() and len(digits) > 1 else 0)
    if number is None and value.register != "const":
        raise Mismatch(f"'{value.shown}' must be a constant")
    if slot.high >= slot.low and (number is None or not slot.low <= number <= slot.high):
        raise Mismatch(f"'{value.shown}' is not in {slot.low}..{slot.high}")


def _settle_bits(
    words: dict[str, str], bound: Mapping[str, Operand], slots: Mapping[str, Slot], lookup: Lookup
) -> dict[str, str]:
    """B is a type of bits only: floats stay floats when all of its operands are."""
    if words.get("B") not in ("b16", "b32", "b64"):
        return words
    kinds = set()
    for name, slot in slots.items():
        operand = bound[name]
        if slot.type != "B" or isinstance(operand, Immediate) or is_sink(operand):
            continue
        kinds.add(lookup(operand).register)
    if len(kinds) == 1 and (kind := kinds.pop()) in ("f32", "f64") and kind[1:] == words["B"][1:]:
        return {**words, "B": kind}
    return words


def _check(match: Match, name: str, lookup: Lookup) -> None:
    slot, operand = match.slots[name], match.operands[name]
    if slot.role is Role.ADDRESS or slot.type == "imm" or is_sink(operand):
        return
    kind = kind_of(slot.type, match.words)
    value = lookup(operand)
    if slot.role is not Role.OUT:
        to_slot(value, kind, argument=True, exact=False, narrow=may_be_wider(match.row))
        return
    have, goal = width(kind), value.register
    if have.isdigit() and goal.isdigit() and int(have) < int(goal) and not may_be_wider(match.row):
        raise Mismatch(f"'{value.shown}' is wider than the result")
    from_result("", kind, value)


def may_be_wider(row: PtxRow) -> bool:
    """May registers be wider than the type of the instruction?"""
    return not _WIDER.isdisjoint(row.opcodes)


_WIDER = frozenset({"ld", "ldu", "st", "cvt"})


def is_sink(operand: Operand) -> bool:
    return isinstance(operand, Name) and operand.text == "_"


def kind_of(name: str, words: Mapping[str, str]) -> str:
    return words.get(name, name)


def written(match: Match) -> tuple[Operand, ...]:
    return tuple(match.operands[n] for n in match.outputs if not is_sink(match.operands[n]))
