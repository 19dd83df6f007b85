"""Kernels that device code launches."""

from __future__ import annotations

from porter.findings import Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [f for index in unit.file.places("<<<") for f in _launch(unit, index)]


def _launch(unit: Unit, index: int) -> list[Finding]:
    token = unit.tokens[index]
    scope = unit.scope(index)
    if token.directive >= 0 or not scope.device or (scope.function and "__host__" in scope.function.marks):
        return []
    start = unit.tokens[index - 1].start if index else token.start
    message = "kernels cannot be launched from device code on AMD GPUs"
    return [Finding("device-launch", start, token.end, Safety.LEFT, message)]
