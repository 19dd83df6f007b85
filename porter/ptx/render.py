"""Fills the C++ of a table row in: the statements that an instruction becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from porter.frontend.ptx import Immediate, Memory, Name, Not, Operand, Vector
from porter.ptx.match import Lookup, Match, Several, is_sink, kind_of, may_be_wider
from porter.ptx.rows import Role, Slot
from porter.ptx.types import CPP, MAKE, Mismatch, from_result, to_slot, vector_type, width

__all__ = ["Statement", "render"]


@dataclass(frozen=True)
class Statement:
    """One C++ statement: `target = text`, or `text` alone when there is no target."""

    target: Operand | None
    text: str


class Written(Name):
    """A local of C++ in the place of an operand."""


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
    if "FTZ" not in match.words or ("cvt" in match.row.opcodes and kind != "f32"):
        return ""
    return _FLUSH.get(kind, "")


_HOLE = re.compile(r"\{(\w+)(?:\.(\w+))?\}")


def render(match: Match, lookup: Lookup, fresh: Callable[[str], str], carry: str) -> list[Statement]:
    """The row's C++ with the operands in place. `fresh` makes a local name that nothing else uses."""
    statements: list[Statement] = []
    match = _with_sinks(match, fresh, statements)
    holes = _Holes(match, lookup, carry)
    for part in _split(match.row.cpp):
        target, expression = _target(part, match)
        body = holes.fill(expression)
        if target in match.several:
            statements += _taken_apart(match, match.several[target], body, fresh("v"), lookup)
        elif target == "":
            statements.append(Statement(None, body + ";"))
        elif not is_sink(match.operands[target]):
            kind = kind_of(match.slots[target].type, match.words)
            body = _with_effects(match, kind, body)
            operand = match.operands[target]
            statements.append(Statement(operand, from_result(body, kind, lookup(operand))))
        elif "(" in body:  # a call may do more than give a result
            statements.append(Statement(None, body + ";"))
    return statements


def _taken_apart(match: Match, several: Several, body: str, local: str, lookup: Lookup) -> Iterator[Statement]:
    """A result of one of HIP's vector types, and its members to registers."""
    kind = kind_of(several.type, match.words)
    yield Statement(None, f"const {vector_type(kind, match.count)} {local} = {body};")
    for member, operand in zip("xyzw", several.operands):
        if not is_sink(operand):
            yield Statement(operand, from_result(f"{local}.{member}", kind, lookup(operand)))


def _with_effects(match: Match, kind: str, body: str) -> str:
    if flush := _flush(match, kind):
        body = f"porter::{flush}({body})"
    if "SAT" in match.words and kind in ("f32", "f64"):
        body = f"porter::saturate({body})"
    return body


def _with_sinks(match: Match, fresh: Callable[[str], str], statements: list[Statement]) -> Match:
    """Results that nobody wants, but that C++ takes by reference, get a local each."""
    unused = [n for n in match.outputs if is_sink(match.operands[n]) and match.row.by_reference(n)]
    if not unused:
        return match
    operands = dict(match.operands)
    for name in unused:
        local = fresh("unused")
        statements.append(Statement(None, f"{CPP[kind_of(match.slots[name].type, match.words)]} {local};"))
        operands[name] = Written(local)
    return replace(match, operands=operands)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def _target(part: str, match: Match) -> tuple[str, str]:
    """The result that a statement gives, "" for none, and its expression."""
    assignment = re.match(r"(\w+) = (.*)$", part)
    if assignment is not None and (
        assignment[1] in match.slots or any(s.name == assignment[1] for s in match.row.slots)
    ):
        return assignment[1], assignment[2]
    return ("d", part) if match.gives("d") else ("", part)


class _Holes:
    """What stands in braces in a row's C++."""

    def __init__(self, match: Match, lookup: Lookup, carry: str) -> None:
        self.match, self.lookup, self.carry = match, lookup, carry
        self.narrow = may_be_wider(match.row)

    def fill(self, text: str) -> str:
        return _HOLE.sub(self.hole, text)

    def hole(self, hole: re.Match[str]) -> str:
        name, attribute = hole[1], hole[2] or ""
        words = self.match.words
        if name == "CC":
            return self.carry
        if name in ("MW", "SW"):
            return _scope_arguments(words if name == "MW" else {k: w for k, w in words.items() if k != "M"})
        if name in words or name == "VB":
            return _word(name, attribute, self.match)
        if name in self.match.several:
            return self.vector(self.match.several[name])
        slot = self.match.slots.get(name)
        if slot is None:  # an optional modifier or operand that is absent
            return ""
        operand = self.match.operands[name]
        if slot.role is Role.ADDRESS:
            return _address(operand, attribute or words.get("S", ""), self.lookup, bare=attribute != "")
        if slot.role is Role.OUT:
            return operand.text if isinstance(operand, Written) else self.lookup(operand).text
        before, after = hole.string[: hole.start()].rstrip(), hole.string[hole.end() :].lstrip()
        rendered = self.read(slot, operand, attribute, alone=before[-1:] in "(," and after[:1] in "),")
        if ">" in rendered and _opened(before) == "<":  # it would end the template arguments
            rendered = f"({rendered})"
        return rendered

    def vector(self, several: Several) -> str:
        if several.role is Role.INOUT:
            return ", ".join(self.lookup(register).text for register in several.operands)
        kind = kind_of(several.type, self.match.words)
        values = map(self.lookup, several.operands)
        listed = ", ".join(to_slot(value, kind, True, False, self.narrow) for value in values)
        return listed if several.role is Role.ADDRESS else f"{MAKE}{vector_type(kind, self.match.count)}({listed})"

    def read(self, slot: Slot, operand: Operand, attribute: str, alone: bool) -> str:
        kind = kind_of(slot.type, self.match.words)
        value = self.lookup(operand)
        if (flush := _flush(self.match, kind)) and not isinstance(operand, Immediate):
            return f"porter::{flush}({to_slot(value, kind, True, False)})"
        wanted = kind_of(attribute or slot.type, self.match.words)
        if attribute == "U":
            wanted = kind.replace("s", "u").replace("b", "u")
        return to_slot(value, wanted, alone, attribute != "", self.narrow)


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
