"""Finds the table row of an instruction and fills its C++ in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from porter.frontend.ptx import Immediate, Instruction, Memory, Name, Not, Operand, Pair, Vector
from porter.model import Safety
from porter.passes.ptx_table import PtxRow, PtxTable, Slot
from porter.passes.ptx_types import CPP, MAKE, NUMBER, Mismatch, Value, from_result, to_slot, vector_type, width

__all__ = ["Match", "Refusal", "Statement", "find_row", "fitting", "render", "written"]

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


class Written(Name):
    """A local of C++ in the place of an operand."""


@dataclass(frozen=True)
class Statement:
    """One C++ statement: `target = text`, or `text` alone when there is no target."""

    target: Operand | None
    text: str


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
        whose = "an instruction of PTX without a row" if table.is_ptx(instruction.opcode) else "no instruction of PTX 9.0"
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
            size = _length(slot, words) or count
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


def _length(slot: Slot, words: Mapping[str, str]) -> int:
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
        if slot.type != "B" or isinstance(operand, Immediate) or _is_sink(operand):
            continue
        kinds.add(lookup(operand).register)
    if len(kinds) == 1 and (kind := kinds.pop()) in ("f32", "f64") and kind[1:] == words["B"][1:]:
        return {**words, "B": kind}
    return words


def _check(name: str, slot: Slot, operand: Operand, words: Mapping[str, str], lookup: Lookup, row: PtxRow) -> None:
    if slot.role == "address" or slot.type == "imm" or _is_sink(operand):
        return
    kind = _kind(slot.type, words)
    value = lookup(operand)
    if slot.role == "out":
        have, goal = width(kind), value.register
        if have.isdigit() and goal.isdigit() and int(have) < int(goal) and not _narrow(row):
            raise Mismatch(f"'{value.shown}' is wider than the result")
        from_result("", kind, value)
    else:
        to_slot(value, kind, argument=True, exact=False, narrow=_narrow(row))


def _narrow(row: PtxRow) -> bool:
    return re.split(r"[.\[{]", row.form)[0] in ("ld", "ldu", "st", "cvt")


def _is_sink(operand: Operand) -> bool:
    return isinstance(operand, Name) and operand.text == "_"


def _kind(name: str, words: Mapping[str, str]) -> str:
    return words.get(name, name)


def written(match: Match) -> tuple[Operand, ...]:
    return tuple(match.operands[n] for n in match.outputs if not _is_sink(match.operands[n]))


_ORDERS = {"relaxed": "relaxed", "acquire": "acquire", "release": "release", "acq_rel": "acq_rel"}
_OPERATORS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
    "neu": "!=", "equ": "!=", "ltu": ">=", "leu": ">", "gtu": "<=", "geu": "<",
    "and": "&&", "or": "||", "xor": "!=",
}  # fmt: skip
_FLUSH = {"f32": "ftz", "f16": "ftz_f16", "f16x2": "ftz_f16x2", "f32x2": "ftz_f32x2"}


def _flush(match: Match, kind: str) -> str:
    """What flushes a subnormal of this type, if the instruction asks for it. cvt.ftz speaks of f32 alone."""
    if "FTZ" not in match.words or (match.row.form.startswith("cvt") and kind != "f32"):
        return ""
    return _FLUSH.get(kind, "")


_HOLE = re.compile(r"\{(\w+)(?:\.(\w+))?\}")


def render(match: Match, lookup: Lookup, fresh: Callable[[str], str], carry: str) -> list[Statement]:
    """The row's C++ with the operands in place. `fresh` makes a local name that nothing else uses."""
    text = match.row.cpp
    if not text:
        return []
    statements: list[Statement] = []
    match = _with_sinks(match, fresh, statements)
    for part in _split(text):
        target, expression = _target(part, match)
        many = next((s for s in match.row.slots if s.many and s.role == "out"), None)
        body = _fill(expression, match, lookup, carry)
        if many is not None and target == many.name:
            kind = _kind(many.type, match.words)
            local = fresh("v")
            statements.append(Statement(None, f"const {vector_type(kind, match.count)} {local} = {body};"))
            for index in range(match.count):
                operand = match.operands[f"{many.name}.{index}"]
                if not _is_sink(operand):
                    member = f"{local}.{'xyzw'[index]}"
                    statements.append(Statement(operand, from_result(member, kind, lookup(operand))))
            continue
        if target == "":
            statements.append(Statement(None, body + ";"))
            continue
        operand = match.operands[target]
        if _is_sink(operand):
            if "(" in body:
                statements.append(Statement(None, body + ";"))
            continue
        kind = _kind(match.slots[target].type, match.words)
        if flush := _flush(match, kind):
            body = f"porter::{flush}({body})"
        if "SAT" in match.words and kind in ("f32", "f64"):
            body = f"porter::saturate({body})"
        statements.append(Statement(operand, from_result(body, kind, lookup(operand))))
    return statements


def _with_sinks(match: Match, fresh: Callable[[str], str], statements: list[Statement]) -> Match:
    """Results that nobody wants, but that C++ takes by reference, get a local each."""
    unused = [n for n in match.outputs if _is_sink(match.operands[n]) and f"{{{n}}}" in match.row.cpp]
    if not unused:
        return match
    operands = dict(match.operands)
    for name in unused:
        local = fresh("unused")
        statements.append(Statement(None, f"{CPP[_kind(match.slots[name].type, match.words)]} {local};"))
        operands[name] = Written(local)
    return replace(match, operands=operands)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _target(part: str, match: Match) -> tuple[str, str]:
    found = re.match(r"(\w+) = (.*)$", part)
    if found is not None and (found[1] in match.slots or any(s.name == found[1] for s in match.row.slots)):
        return found[1], found[2]
    if "d" in match.outputs or any(s.name == "d" and s.many and s.role == "out" for s in match.row.slots):
        return "d", part
    return "", part


def _fill(text: str, match: Match, lookup: Lookup, carry: str) -> str:
    def value(hole: re.Match[str]) -> str:
        name, attribute = hole[1], hole[2] or ""
        if name == "CC":
            return carry
        if name == "MW":
            return _scope_arguments(match.words)
        if name == "SW":
            return _scope_arguments({k: w for k, w in match.words.items() if k != "M"})
        if name in match.words or name == "VB":
            return _word(name, attribute, match)
        slot = match.slots.get(name)
        if f"{name}.0" in match.slots and any(s.role == "address" and s.type == name for s in match.row.slots):
            found = (f"{name}.{i}" for i in range(int(match.words["D"][0])))
            return ", ".join(to_slot(lookup(match.operands[n]), "s32", True, False) for n in found)
        before, after = text[: hole.start()].rstrip()[-1:], text[hole.end() :].lstrip()[:1]
        argument = before in "(," and after in "),"
        if slot is None:
            many = next((s for s in match.row.slots if s.name == name and s.many), None)
            if many is None:  # an optional modifier or operand that is absent
                return ""
            if many.role == "inout":
                registers = (match.operands[f"{name}.{i}"] for i in range(_length(many, match.words)))
                return ", ".join(lookup(register).text for register in registers)
            kind = _kind(many.type, match.words)
            parts = (match.operands[f"{name}.{i}"] for i in range(match.count))
            arguments = ", ".join(to_slot(lookup(p), kind, True, False, _narrow(match.row)) for p in parts)
            return f"{MAKE}{vector_type(kind, match.count)}({arguments})"
        operand = match.operands[name]
        if slot.role == "address":
            space = attribute or match.words.get("S", "")
            return _address(operand, space, lookup, bare=attribute != "")
        if slot.role == "out":
            return operand.text if isinstance(operand, Written) else lookup(operand).text
        kind = _kind(slot.type, match.words)
        if attribute:
            wanted = _kind(attribute, match.words)
            if attribute == "U":
                wanted = kind.replace("s", "u").replace("b", "u")
            rendered = to_slot(lookup(operand), wanted, argument, True, _narrow(match.row))
        else:
            rendered = to_slot(lookup(operand), kind, argument, False, _narrow(match.row))
        if (flush := _flush(match, kind)) and not isinstance(operand, Immediate):
            rendered = f"porter::{flush}({to_slot(lookup(operand), kind, True, False)})"
        if ">" in rendered and _opened(text[: hole.start()]) == "<":  # it would end the template arguments
            rendered = f"({rendered})"
        return rendered

    return _HOLE.sub(value, text)


def _opened(text: str) -> str:
    """The innermost bracket that is open at the end."""
    while (shorter := _CLOSED.sub("", text)) != text:
        text = shorter
    return next((c for c in reversed(text) if c in "(<["), "")


_CLOSED = re.compile(r"\([^()<>\[\]]*\)|<[^()<>\[\]]*>|\[[^()<>\[\]]*\]")


def _word(name: str, attribute: str, match: Match) -> str:
    if name == "VB":
        return vector_type(match.words["B"], match.count)
    word = match.words[name]
    if attribute == "c":
        return CPP[word]
    if attribute == "op":
        return _OPERATORS[word]
    if attribute == "w":
        return width(word)
    if attribute == "sfx":
        return "_" + word
    return word


def _scope_arguments(words: Mapping[str, str]) -> str:
    """Template arguments after the type: nothing for the default, relaxed at device scope."""
    scope, order = words.get("W", "gpu"), words.get("M", "relaxed")
    scope = "gpu" if scope == "cluster" else scope  # a cluster's blocks may run on different units
    if order != "relaxed":
        return f", porter::{scope}, porter::{_ORDERS[order]}"
    return f", porter::{scope}" if scope != "gpu" else ""


def _address(operand: Operand, space: str, lookup: Lookup, bare: bool) -> str:
    """An address as a call in the right address space; `bare` ones without offset stay as they are."""
    assert isinstance(operand, Memory)
    base = operand.base
    if isinstance(base, (Immediate, Not, Vector)):
        raise Mismatch("an absolute address has no counterpart")
    value = lookup(base)
    if value.register not in ("32", "64"):
        raise Mismatch(f"'{value.shown}' is no address")
    if space.startswith("shared"):
        if space == "shared::cluster":
            raise Mismatch("memory of other blocks in a cluster has no counterpart")
        text = f"porter::lds({value.text})"
    elif value.register == "32":
        raise Mismatch(f"'{value.shown}' is a 32-bit address outside shared memory")
    elif space == "global":
        text = f"porter::global({value.text})"
    elif operand.offset is not None:
        text = f"porter::generic({value.text})"
    else:
        return value.text
    if operand.offset is None:
        return value.text if bare else text
    offset = lookup(operand.offset)
    if offset.immediate is not None:
        number = int(offset.immediate.value)
        if number == 0:
            return text
        return f"{text} {'-' if number < 0 else '+'} {abs(number)}"
    if offset.register == "const":
        return f"{text} + {offset.grouped}"
    raise Mismatch("the offset of an address must be a constant")
