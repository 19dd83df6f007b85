"""`std::array<T, 2>(a, b)`, whose parentheses nvcc takes for the braces of the array within."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.parsed import ARRAY_IN_PARENTHESES
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

MESSAGE = "clang takes the first element for the array: braces hold elements"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings = []
    for place in unit.ast.marked(ARRAY_IN_PARENTHESES) if unit.ast is not None else ():
        opening = unit.file.token_at(place) - 1  # the place is that of the first element
        closing = unit.file.partner(opening) if unit.text(opening) == "(" else -1
        if closing > 0:
            first, last = unit.tokens[opening], unit.tokens[closing]
            edits = Edit(first.start, first.end, "{"), Edit(last.start, last.end, "}")
            findings.append(Finding("array-in-parentheses", first.start, first.end, Safety.EXACT, MESSAGE, edits))
    return findings
