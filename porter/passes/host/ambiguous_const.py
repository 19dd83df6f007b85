"""The `const` of parameters that are passed by value, where clang 18 takes a call for ambiguous because of it."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "ambiguous-const"
MESSAGE = (
    "clang 18 takes a call for ambiguous by the const of a value: without it the more constrained template is called"
)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    spans = sorted(unit.ast.ambiguous_consts()) if unit.ast is not None else []
    return [Finding(RULE, start, end, Safety.EXACT, MESSAGE, (Edit(start, end, ""),)) for start, end in spans]
