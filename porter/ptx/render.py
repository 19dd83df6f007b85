"""Fills the C++ of a table row in: the statements that an instruction becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from porter.frontend.ptx import Immediate, Memory, Name, Not, Operand, Vector
from porter.ptx.match import Lookup, Match, is_sink, kind_of, length_of, may_be_wider
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
            kind = kind_of(many.type, match.words)
            local = fresh("v")
            statements.append(Statement(None, f"const {vector_type(kind, match.count)} {local} = {body};"))
            for index in range(match.count):
                operand = match.operands[f"{many.name}.{index}"]
                if not is_sink(operand):
                    member = f"{local}.{'xyzw'[index]}"
                    statements.append(Statement(operand, from_result(member, kind, lookup(operand))))
            continue
        if target == "":
            statements.append(Statement(None, body + ";"))
            continue
        operand = match.operands[target]
        if is_sink(operand):
            if "(" in body:
                statements.append(Statement(None, body + ";"))
            continue
        kind = kind_of(match.slots[target].type, match.words)
        if flush := _flush(match, kind):
            body = f"porter::{flush}({body})"
        if "SAT" in match.words and kind in ("f32", "f64"):
            body = f"porter::saturate({body})"
        statements.append(Statement(operand, from_result(body, kind, lookup(operand))))
    return statements


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
                registers = (match.operands[f"{name}.{i}"] for i in range(length_of(many, match.words)))
                return ", ".join(lookup(register).text for register in registers)
            kind = kind_of(many.type, match.words)
            parts = (match.operands[f"{name}.{i}"] for i in range(match.count))
            arguments = ", ".join(to_slot(lookup(p), kind, True, False, may_be_wider(match.row)) for p in parts)
            return f"{MAKE}{vector_type(kind, match.count)}({arguments})"
        operand = match.operands[name]
        if slot.role == "address":
            space = attribute or match.words.get("S", "")
            return _address(operand, space, lookup, bare=attribute != "")
        if slot.role == "out":
            return operand.text if isinstance(operand, Written) else lookup(operand).text
        kind = kind_of(slot.type, match.words)
        if attribute:
            wanted = kind_of(attribute, match.words)
            if attribute == "U":
                wanted = kind.replace("s", "u").replace("b", "u")
            rendered = to_slot(lookup(operand), wanted, argument, True, may_be_wider(match.row))
        else:
            rendered = to_slot(lookup(operand), kind, argument, False, may_be_wider(match.row))
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
