"""`__maxnreg__(n)`: HIP has no attribute that caps a kernel's registers."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [f for index in unit.file.places("__maxnreg__") for f in _limit(unit, index)]


def _limit(unit: Unit, index: int) -> list[Finding]:
    if unit.text(index + 1) != "(" or unit.file.partner(index + 1) < 0:
        return []
    token = unit.tokens[index]
    end = unit.tokens[unit.file.partner(index + 1)].end
    message = "a register limit has no HIP attribute; give __launch_bounds__ the waves a SIMD instead"
    return [Finding("register-limit", token.start, end, Safety.REVIEW, message, (Edit(token.start, end, ""),))]
