"""Braces that make a half2, or a vector of one number: HIP's classes have several ways to take them, or none."""

from __future__ import annotations

import re

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_ASSIGNED = re.compile(r"__half2?|__nv_bfloat162?")
_OF_ONE = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)1")
_SPELLED = re.compile(rb"half|bfloat16|" + _OF_ONE.pattern.encode())
_BEFORE = ("=", "{", ",", "(", "return")  # not `x{1}`, which names its class


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None or not any(unit.text(index - 1) in _BEFORE for index in unit.file.places("{")):
        return []
    if not (unit.has(_SPELLED) or any(source.has(_SPELLED) for source in unit.included)):
        return []
    findings: dict[int, Finding] = {}
    for place, kind in unit.ast.braced():
        at = unit.file.token_at(place)
        if at >= len(unit.tokens) or unit.tokens[at].start != place or unit.text(at) != "{":
            continue
        assigned = _ASSIGNED.fullmatch(kind) and unit.text(at - 1) == "="
        closing = unit.file.partner(at)
        if closing > 0 and (assigned or (_OF_ONE.fullmatch(kind) and unit.text(at - 1) in _BEFORE)):
            findings.setdefault(at, _named(unit, at, closing, kind, rules))
    return list(findings.values())


def _named(unit: Unit, opening: int, closing: int, kind: str, rules: RuleSet) -> Finding:
    row = rules.names.get(kind)
    name = row.hip if row is not None and row.hip else kind
    first, last = unit.tokens[opening], unit.tokens[closing]
    nested = any(unit.text(index) == "{" for index in range(opening + 1, closing))
    pair = ("{", "}") if nested else ("(", ")")  # in brackets a float becomes a half as well
    edits = (Edit(first.start, first.end, f"{name}{pair[0]}"), Edit(last.start, last.end, pair[1]))
    message = f"HIP's {name} does not take braces of no class here"
    return Finding("braced-vector", first.start, first.end, Safety.EXACT, message, edits)
