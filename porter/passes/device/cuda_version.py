"""Conditions on the version of CUDA: the port takes the branches of the release whose API it follows."""

from __future__ import annotations

from porter.frontend.releases import VERSIONS
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.passes.device.conditions import comparison, in_condition, in_macro_body
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [f for index in unit.file.places(*VERSIONS) for f in _condition(unit, index)]


def _condition(unit: Unit, index: int) -> list[Finding]:
    """`#if CUDART_VERSION >= 11000`; uses outside of conditions are left to the name tables, but for the compiler's own."""
    token = unit.tokens[index]
    value = f"{VERSIONS[token.text]} /* {token.text} */"
    if not in_condition(unit, index):
        undefined = token.directive >= 0 and not in_macro_body(unit, index)
        if not token.text.startswith("__") or undefined:
            return []
        return [_version(token.start, token.end, value)]
    compared = comparison(unit, index)
    if compared is not None:
        start, end = compared.start, compared.end
        replacement = f"{int(compared.holds(VERSIONS[token.text]))} /* {unit.file.text[start:end]} */"
    elif unit.text(index - 1) == "defined" or unit.text(index - 2) == "defined" or _names_macro(unit, index):
        start, end, replacement = token.start, token.end, "HIP_VERSION"
    else:  # a part of a sum, or compared with something that only the preprocessor knows
        start, end, replacement = token.start, token.end, value
    return [_version(start, end, replacement)]


def _version(start: int, end: int, replacement: str) -> Finding:
    message = "takes the branch of CUDA 12.4, whose API the port follows"
    return Finding("cuda-version", start, end, Safety.EXACT, message, (Edit(start, end, replacement),))


def _names_macro(unit: Unit, index: int) -> bool:
    return unit.file.directives[unit.tokens[index].directive].name in ("ifdef", "ifndef", "elifdef", "elifndef")
