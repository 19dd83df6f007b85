"""`__grid_constant__`: kernel arguments are constant for the whole grid on AMD anyway."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [_dropped(unit, index) for index in unit.file.places("__grid_constant__") if not unit.is_user_symbol(index)]


def _dropped(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    following = unit.tokens[index + 1].start if index + 1 < len(unit.tokens) else token.end
    end = following if unit.file.text[token.end : following].strip(" \t") == "" else token.end
    message = "kernel arguments stay in constant memory on AMD anyway, one copy for the whole grid"
    return Finding("grid-constant", token.start, token.end, Safety.EXACT, message, (Edit(token.start, end, ""),))
