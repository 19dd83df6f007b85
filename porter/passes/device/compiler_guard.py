"""Conditions that ask whether nvcc, or clang, compiles CUDA: the port asks for HIP's compiler."""

from __future__ import annotations

from porter.frontend.compilations import GUARDS
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.passes.device.conditions import CLANG, condition_finding, in_condition
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    """Uses outside of conditions are left to the name tables."""
    findings = []
    for index in unit.file.places(*GUARDS, CLANG):
        if not in_condition(unit, index):
            continue
        token = unit.tokens[index]
        if token.text != CLANG:
            message = f"{token.text} says that nvcc compiles; __HIPCC__ says so of HIP's compiler"
            findings.append(condition_finding(unit, index, "compiler-guard", message))
        else:
            message = (
                "nvcc does not define __CUDA__, clang does where it compiles CUDA; "
                "the port, which clang compiles, takes clang's branch"
            )
            edit = Edit(token.start, token.end, "__HIP__")
            findings.append(Finding("compiler-guard", token.start, token.end, Safety.REVIEW, message, (edit,)))
    return findings
