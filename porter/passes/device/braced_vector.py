"""Braces that make a half2, or one of CUDA's vectors: HIP's classes have several ways to take them, or none."""

from __future__ import annotations

import re

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_ASSIGNED = re.compile(r"__half2?|__nv_bfloat162?")
_VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)([1-4])")
_ARRAY = re.compile(rf"{_VECTOR.pattern}(?:\[\d+\])+")
_ZERO = re.compile(r"0(?:\.0*f?)?|\.0+f?")
_SPELLED = re.compile(rb"half|bfloat16|" + _VECTOR.pattern.encode())
_BEFORE = ("=", "{", ",", "(", "return")  # not `x{1}`, which names its class


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None or not unit.file.places("{"):
        return []
    if not (unit.has(_SPELLED) or any(source.has(_SPELLED) for source in unit.included)):
        return []
    findings: dict[int, Finding] = {}
    for place, kind, values in unit.ast.braced():
        at = unit.file.token_at(place)
        if at >= len(unit.tokens) or unit.tokens[at].start != place or unit.text(at) != "{":
            continue
        closing = unit.file.partner(at)
        if closing > 0 and (finding := _finding(unit, at, closing, kind, values, rules)) is not None:
            findings.setdefault(at, finding)
    return list(findings.values())


def _finding(unit: Unit, opening: int, closing: int, kind: str, values: int, rules: RuleSet) -> Finding | None:
    before = unit.text(opening - 1)
    if _ASSIGNED.fullmatch(kind):
        return _named(unit, opening, closing, kind, rules) if before == "=" else None
    if vector := _VECTOR.fullmatch(kind):
        size = int(vector[1])
        if size == 1:
            return _named(unit, opening, closing, kind, rules) if before in _BEFORE else None
        if 0 < values < size and (values > 1 or before in _BEFORE) and unit.text(opening + 1) != ".":
            return _filled(unit, opening, closing, kind, size - values)
    elif _ARRAY.fullmatch(kind) and closing == opening + 2 and _ZERO.fullmatch(unit.text(opening + 1)):
        zero = unit.tokens[opening + 1]
        message = (
            f"HIP's {kind[: kind.index('[')]} is no aggregate whose values an array's braces could list; all are zero"
        )
        first, last = unit.tokens[opening], unit.tokens[closing]
        return Finding("braced-vector", first.start, last.end, Safety.EXACT, message, (Edit(zero.start, zero.end, ""),))
    return None


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
