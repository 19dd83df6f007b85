"""`alignas` behind the brackets of an array, where nvcc takes it and clang does not."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings = []
    for index in unit.file.places("alignas"):
        closing = unit.file.partner(index + 1)
        if unit.text(index - 1) == "]" and closing > 0 and unit.text(closing + 1) in (";", "=", "{"):
            findings.append(_in_front(unit, index, closing))
    return findings


def _in_front(unit: Unit, index: int, closing: int) -> Finding:
    """It in front of the declaration."""
    first = index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}", ":") and unit.tokens[first - 1].directive < 0:
        first -= 1
    begin, end = unit.tokens[index].start, unit.tokens[closing].end
    start = unit.tokens[first].start
    edits = (Edit(start, start, f"{unit.file.source(index, closing + 1)} "), Edit(unit.tokens[index - 1].end, end, ""))
    message = "clang takes alignas behind an array's brackets for an attribute of the type"
    return Finding("trailing-alignas", begin, end, Safety.EXACT, message, edits)
