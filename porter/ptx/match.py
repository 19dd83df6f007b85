"""Finds the table row of an instruction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from porter.frontend.ptx import Immediate, Instruction, Memory, Name, Operand, Pair, Vector
from porter.model import Safety
from porter.ptx.rows import PtxRow, Slot
from porter.ptx.table import PtxTable
from porter.ptx.types import NUMBER, Mismatch, Value, from_result, to_slot, width

__all__ = [
    "Lookup",
    "Match",
    "Refusal",
    "find_row",
    "fitting",
    "is_sink",
    "kind_of",
    "length_of",
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
class Match:
    row: PtxRow
    words: Mapping[str, str]  # {T} and its like
    operands: Mapping[str, Operand]  # by slot name; vector parts as name.0, name.1
    slots: Mapping[str, Slot]
    outputs: tuple[str, ...]  # slot names that are written, in order
    count: int = 1  # elements of a vector slot
    notes: tuple[str, ...] = field(default=())


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
    rows = table.rows.get(instruction.opcode, ())
    found = [(row, mnemonic) for row in rows if row.pattern.fullmatch(mnemonic)]
    if not found:  # the words may stand in another order
        arranged = ((row, row.arranged(mnemonic.split("."))) for row in rows)
        found = [(row, text) for row, text in arranged if text and row.pattern.fullmatch(text)]
    return found, policy


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
        found = row.pattern.fullmatch(mnemonic)
        assert found is not None
        words = {k: v for k, v in found.groupdict().items() if v is not None}
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
    bound: dict[str, Operand] = {}
    slots: dict[str, Slot] = {}
    outputs: list[str] = []
    count = int(words["V"][1:]) if "V" in words else 1
    needed = sum(not slot.optional for slot in row.slots)
    if not needed <= len(operands) <= len(row.slots):
        raise Mismatch(f"{len(operands)} operands, expected {needed}")

    def take(slot: Slot, operand: Operand) -> None:
        if slot.role == "pair":
            if not isinstance(operand, Pair):
                raise Mismatch("a second destination is expected")
            take(slot.parts[0], operand.first)
            take(slot.parts[1], operand.second)
        elif slot.role == "vector":
            if not isinstance(operand, Vector) or len(operand.parts) != len(slot.parts):
                raise Mismatch(f"a vector of {len(slot.parts)} is expected")
            for part, inner in zip(slot.parts, operand.parts):
                take(part, inner)
        elif slot.many:
            size = length_of(slot, words) or count
            if not isinstance(operand, Vector) or len(operand.parts) != size:
                raise Mismatch(f"a vector of {size} is expected")
            role = "out" if slot.role == "inout" else slot.role
            for index, inner in enumerate(operand.parts):
                take(Slot(f"{slot.name}.{index}", role, slot.type), inner)
        elif slot.role == "address":
            if not isinstance(operand, Memory) or (operand.extra and not slot.type):
                raise Mismatch("an address is expected")
            bound[slot.name], slots[slot.name] = operand, slot
            if slot.type:  # coordinates follow
                size, extra = int(words["D"][0]), operand.extra
                if len(extra) != 1 or not isinstance(extra[0], Vector) or len(extra[0].parts) != size:
                    raise Mismatch(f"{size} coordinates are expected")
                for index, inner in enumerate(extra[0].parts):
                    take(Slot(f"{slot.type}.{index}", "in", "s32"), inner)
        else:
            if isinstance(operand, (Pair, Vector, Memory)):
                raise Mismatch("a plain operand is expected")
            if slot.type == "imm" and slot.role == "in":
                value = lookup(operand)
                number = value.immediate.value if value.immediate is not None else None
                if number is None and NUMBER.fullmatch(value.shown):
                    digits = value.shown.rstrip("uUlL")
                    number = int(digits, 8 if digits[:1] == "0" and digits.isdigit() and len(digits) > 1 else 0)
                if number is None and value.register != "const":
                    raise Mismatch(f"'{value.shown}' must be a constant")
                if slot.high >= slot.low and (number is None or not slot.low <= number <= slot.high):
                    raise Mismatch(f"'{value.shown}' is not in {slot.low}..{slot.high}")
            bound[slot.name], slots[slot.name] = operand, slot
            if slot.role == "out":
                outputs.append(slot.name)

    for slot, operand in zip(row.slots, operands):
        take(slot, operand)
    words = _settle_bits(words, bound, slots, lookup)
    for name, slot in slots.items():  # every value must fit its slot, or the next row is tried
        _check(name, slot, bound[name], words, lookup, row)
    return Match(row, words, bound, slots, tuple(outputs), count)


def length_of(slot: Slot, words: Mapping[str, str]) -> int:
    """Of a vector that is as long as the mnemonic says; 0 for the others."""
    word, divisor = slot.length
    return int(words[word]) // divisor if word else 0


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


def _check(name: str, slot: Slot, operand: Operand, words: Mapping[str, str], lookup: Lookup, row: PtxRow) -> None:
    if slot.role == "address" or slot.type == "imm" or is_sink(operand):
        return
    kind = kind_of(slot.type, words)
    value = lookup(operand)
    if slot.role == "out":
        have, goal = width(kind), value.register
        if have.isdigit() and goal.isdigit() and int(have) < int(goal) and not may_be_wider(row):
            raise Mismatch(f"'{value.shown}' is wider than the result")
        from_result("", kind, value)
    else:
        to_slot(value, kind, argument=True, exact=False, narrow=may_be_wider(row))


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
