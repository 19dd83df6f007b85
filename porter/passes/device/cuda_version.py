"""Conditions on the version of CUDA: the port takes the branches of the release whose API it follows."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.compilations import VERSIONS
from porter.frontend.unit import Unit
from porter.passes.device.conditions import condition_finding, in_condition, in_macro_body
from porter.rules import RuleSet

__all__ = ["run"]

_BRANCH = "takes the branch of CUDA 12.4, whose API the port follows"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [f for index in unit.file.places(*VERSIONS) for f in _version(unit, index)]


def _version(unit: Unit, index: int) -> list[Finding]:
    """`#if CUDART_VERSION >= 11000`; uses outside of conditions are left to the name tables, but for the compiler's own."""
    token = unit.tokens[index]
    if in_condition(unit, index):
        return [condition_finding(unit, index, "cuda-version", _BRANCH)]
    undefined = token.directive >= 0 and not in_macro_body(unit, index)
    if not token.text.startswith("__") or undefined:
        return []
    edit = Edit(token.start, token.end, f"{VERSIONS[token.text]} /* {token.text} */")
    return [Finding("cuda-version", token.start, token.end, Safety.EXACT, _BRANCH, (edit,))]
