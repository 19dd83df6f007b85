"""Functions of the CUDA runtime that device code calls: HIP's run on the host alone."""

from __future__ import annotations

from porter.findings import Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "device-runtime-call"
MESSAGE = "HIP's runtime has no functions for device code"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    rows = (rules.names[name] for name in unit.file.texts() if name in rules.names)
    names = [row.cuda for row in rows if row.rule == "name-runtime" and row.kind == "func"]
    calls = [index for index in unit.file.places(*names) if unit.is_call(index) and _on_the_device_alone(unit, index)]
    # The site is the bracket: the name is ported, too.
    places = [unit.tokens[index + 1] for index in calls]
    return [Finding(RULE, place.start, place.end, Safety.LEFT, MESSAGE) for place in places]


def _on_the_device_alone(unit: Unit, index: int) -> bool:
    scope = unit.scope(index)
    if unit.tokens[index].directive >= 0 or not scope.device or scope.function is None:
        return False
    before = unit.tokens[index - 1]
    declared = before.kind == Kind.IDENT and before.text != "return"
    return "__host__" not in scope.function.marks and not declared and not unit.is_member(index)
