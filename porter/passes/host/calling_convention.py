"""Macros of CUDA's headers that name a calling convention of Windows."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_NAMES = ("CUDART_CB", "CUDA_CB", "CUDARTAPI", "CUDAAPI", "CUBLASWINAPI", "CUFFTAPI")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [_dropped(unit, index) for index in unit.file.places(*_NAMES) if not unit.is_user_symbol(index)]


def _dropped(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    following = unit.tokens[index + 1].start if index + 1 < len(unit.tokens) else token.end
    end = (
        following
        if unit.file.text[token.end : following].isspace() and "\n" not in unit.file.text[token.end : following]
        else token.end
    )
    message = f"{token.text} names a calling convention of Windows; HIP has no such macro"
    return Finding("calling-convention", token.start, token.end, Safety.EXACT, message, (Edit(token.start, end, ""),))
