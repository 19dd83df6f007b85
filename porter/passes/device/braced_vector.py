"""Braces that make a half2, or one of CUDA's vectors: HIP's classes have several ways to take them, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from porter.findings import Edit, Finding, Safety
from porter.frontend.braces import VECTOR, Braces
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_ASSIGNED = re.compile(r"__half2?|__nv_bfloat162?")
_ZERO = re.compile(r"0(?:\.0*f?)?|\.0+f?")
_SPELLED = re.compile(rb"half|bfloat16|" + VECTOR.pattern.encode())
_ARGUMENT = re.compile(
    rb"<[^<>;{}()]*\b(?:" + VECTOR.pattern.encode() + rb")\b|\b(?:" + VECTOR.pattern.encode() + rb")\s*[*&]"
)
_CLASS = re.compile(rb"\b(?:struct|class)\s+(?:\w+\([^()]*\)\s*)*(\w+)")
_MAKES = re.compile(rb"\b(\w+)\s*\(\s*\)\s*(?::[^:]|\{)")  # X() {}
_BEFORE = ("=", "{", ",", "(", "return")  # not `x{1}`, which names its class


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None or not unit.file.places("{"):
        return []
    if not (unit.has(_SPELLED) or any(source.has(_SPELLED) for source in unit.included)):
        return []
    findings: dict[int, Finding] = {}
    for braces in unit.ast.braced():
        at = unit.file.token_at(braces.place)
        if at >= len(unit.tokens) or unit.tokens[at].start != braces.place or unit.text(at) != "{":
            continue
        closing = unit.file.partner(at)
        if closing > 0 and (finding := _finding(unit, at, closing, braces, rules)) is not None:
            findings.setdefault(at, finding)
    return list(findings.values())


def _finding(unit: Unit, opening: int, closing: int, braces: Braces, rules: RuleSet) -> Finding | None:
    kind, values = braces.kind, braces.values
    before = unit.text(opening - 1)
    if _ASSIGNED.fullmatch(kind):
        return _named(unit, opening, closing, kind, rules) if before == "=" else None
    if vector := VECTOR.fullmatch(kind):
        size = int(vector[1])
        if size == 1:
            return _named(unit, opening, closing, kind, rules) if before in _BEFORE else None
        if 0 < values < size and (values > 1 or before in _BEFORE) and unit.text(opening + 1) != ".":
            return _filled(unit, opening, closing, kind, size - values)
    if braces.dependent and _all_zero(unit, opening, closing) and _may_be_of_vectors(unit):
        return _cleared(unit, opening, closing)
    return _elided(unit, opening, closing, braces) if braces.elided else None


def _all_zero(unit: Unit, opening: int, closing: int) -> bool:
    inside = [unit.text(i) for i in range(opening + 1, closing)]
    zeros = [text for text in inside if text not in ("{", "}", ",")]
    return bool(zeros) and all(map(_ZERO.fullmatch, zeros))


def _may_be_of_vectors(unit: Unit) -> bool:
    """Whether vectors may be arguments of templates in the unit, and no class of it begins otherwise than with zeros."""
    texts = {source.path: source.data for source in (*unit.members, *unit.included)}
    texts.setdefault(unit.path, unit.file.text.encode("latin-1"))
    return any(map(_ARGUMENT.search, texts.values())) and not any(map(_has_own_default, texts.values()))


@lru_cache(maxsize=1 << 9)
def _has_own_default(text: bytes) -> bool:
    """Whether a class of the file has a constructor of its own with no arguments: what it makes need not be zero."""
    return not set(_CLASS.findall(text)).isdisjoint(_MAKES.findall(text))


def _cleared(unit: Unit, opening: int, closing: int) -> Finding:
    first, last = unit.tokens[opening], unit.tokens[closing]
    message = "HIP's vectors are no aggregates whose values other braces could list; all are zero"
    cleared = Edit(first.end, last.start, "")
    return Finding("braced-vector", first.start, last.end, Safety.EXACT, message, (cleared,))


def _elided(unit: Unit, opening: int, closing: int, braces: Braces) -> Finding | None:
    """Values of vectors that have no braces of their own."""
    first, last = unit.tokens[opening], unit.tokens[closing]
    values = unit.file.arguments(opening)
    if values and not values[-1][0] < values[-1][1]:  # `{1, 2,}`
        values.pop()
    if braces.zeroed and all(b == a + 1 and _ZERO.fullmatch(unit.text(a)) for a, b in values):
        return _cleared(unit, opening, closing)
    if len(values) != braces.values:
        message = "HIP's vectors are no aggregates whose values other braces could list. Give each braces of its own: a macro here "
        message += "makes several values"
        return Finding("braced-vector", first.start, last.end, Safety.LEFT, message)
    edits = []
    for one in braces.elided:
        start, end = unit.tokens[values[one.first][0]].start, unit.tokens[values[one.last][1] - 1].end
        edits += [Edit(start, start, "{"), Edit(end, end, ", 0" * one.missing + "}")]
    message = "HIP's vectors are no aggregates whose values other braces could list: they have braces of their own"
    return Finding("braced-vector", first.start, last.end, Safety.EXACT, message, _joined(edits))


def _joined(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """One insertion for each place: what opens stands in the order of the list, and what closes in the other."""
    texts: dict[int, str] = {}
    for edit in edits:
        opens = edit.text == "{"
        before = texts.get(edit.start, "")
        texts[edit.start] = before + edit.text if opens else edit.text + before
    return tuple(Edit(place, place, text) for place, text in sorted(texts.items()))


def _filled(unit: Unit, opening: int, closing: int, kind: str, missing: int) -> Finding:
    first, last = unit.tokens[opening], unit.tokens[closing]
    zeros = ", ".join(["0"] * missing)
    text = f" {zeros}" if unit.text(closing - 1) == "," else f", {zeros}"
    message = f"HIP's {kind} takes all of its values here; those that the braces leave out are zero"
    return Finding(
        "braced-vector", first.start, first.end, Safety.EXACT, message, (Edit(last.start, last.start, text),)
    )


def _named(unit: Unit, opening: int, closing: int, kind: str, rules: RuleSet) -> Finding:
    row = rules.names.get(kind)
    name = row.hip if row is not None and row.hip else kind
    first, last = unit.tokens[opening], unit.tokens[closing]
    nested = any(unit.text(index) == "{" for index in range(opening + 1, closing))
    pair = ("{", "}") if nested else ("(", ")")  # in brackets a float becomes a half as well
    edits = (Edit(first.start, first.end, f"{name}{pair[0]}"), Edit(last.start, last.end, pair[1]))
    message = f"HIP's {name} does not take braces of no class here"
    return Finding("braced-vector", first.start, first.end, Safety.EXACT, message, edits)
