"""`std::printf` in device code: the name in namespace std is the host's alone with clang."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "std-printf"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    named = (index for index in unit.file.places("printf") if unit.is_call(index) and unit.scope(index).device)
    return [_finding(unit, index) for index in named if unit.text(index - 1) == "::" and unit.text(index - 2) == "std"]


def _finding(unit: Unit, index: int) -> Finding:
    first, name = unit.tokens[index - 2], unit.tokens[index]
    edit = Edit(first.start, name.start, "")
    return Finding(RULE, first.start, name.end, Safety.EXACT, "std::printf is a host function with clang", (edit,))
