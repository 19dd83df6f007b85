"""Conditions that ask whether nvcc, or clang, compiles CUDA: the port asks for HIP's compiler."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right

from porter.findings import Edit, Finding, Safety
from porter.frontend.branches import branches_of
from porter.frontend.compilations import GUARDS
from porter.frontend.unit import Unit
from porter.passes.device.conditions import CLANG, ON_DEVICE, condition_finding, in_condition
from porter.rules import RuleSet

__all__ = ["run"]

# Not `__CUDA_ARCH__ >= 700`: the port's #if has a comment that says so, too.
_GUARD = re.compile(rf"\b(?:{'|'.join(GUARDS)}|__CUDA_ARCH__(?!\s*[<>=!]))\b(?!\s*[<>=!])")


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
            safety = Safety.EXACT if _chooses_macros(unit, token.directive) else Safety.REVIEW
            findings.append(Finding("compiler-guard", token.start, token.end, safety, message, (edit,)))
    return findings + [f for number in _closing(unit) for f in _commented(unit, number)]


def _chooses_macros(unit: Unit, number: int) -> bool:
    """Whether there is nothing but preprocessor lines from the condition to its #endif: what clang is able to do."""
    depth = 0
    for directive in itertools.islice(unit.file.directives, number, None):
        depth += (directive.name in ("if", "ifdef", "ifndef")) - (directive.name == "endif")
        if depth + (unit.file.directives[number].name == "elif") == 0:
            first, last = unit.file.directives[number].last, directive.first
            return all(token.directive >= 0 for token in unit.tokens[first:last])
    return False


def _closing(unit: Unit) -> list[int]:
    """The numbers of the directives that end a branch and say in a comment what it was for."""
    comments = [start for start, _ in unit.file.comments]
    return [
        number
        for number, directive in enumerate(unit.file.directives)
        if directive.name in ("else", "endif")
        and bisect_right(comments, directive.start) < bisect_left(comments, directive.end)
    ]


def _commented(unit: Unit, number: int) -> list[Finding]:
    """`#endif // __CUDACC__`: the comment follows the #if."""
    directive = unit.file.directives[number]
    if number in branches_of(unit.file).hips_own:
        return []
    findings = []
    for name in _GUARD.finditer(unit.file.text, directive.start, directive.end):
        new = ON_DEVICE if name.group() == "__CUDA_ARCH__" else "__HIPCC__"
        edit = Edit(name.start(), name.end(), new)
        message = "a comment about a condition on the compiler"
        findings.append(Finding("compiler-guard", name.start(), name.end(), Safety.EXACT, message, (edit,)))
    return findings
