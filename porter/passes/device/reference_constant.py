"""Constants that are named through a reference, which clang does not take for constants."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.cpp.reference_constants import reference_constants
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_RULE = "reference-constant"
_MESSAGE = "nothing of a reference is a constant for clang: the member is named by the type"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [_finding(unit, index) for index in reference_constants(unit.file)]


def _finding(unit: Unit, index: int) -> Finding:
    name, dot = unit.tokens[index], unit.tokens[index + 1]
    edit = Edit(name.start, dot.end, f"std::remove_reference_t<decltype({name.text})>::")
    return Finding(_RULE, name.start, unit.tokens[index + 2].end, Safety.EXACT, _MESSAGE, (edit,))
