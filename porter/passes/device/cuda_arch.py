"""The architecture's number: in conditions the port takes the branches of compute capability 9.0 in device code."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.compilations import ARCH, ARCH_FEATURE, ARCH_LIST, ARCH_NAMES
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.passes.device.conditions import ON_DEVICE, condition_finding, in_condition, in_macro_body, neighbour
from porter.rules import RuleSet

__all__ = ["run"]

_HAS_FEATURE = "__CUDA_ARCH_HAS_FEATURE__"
_BRANCH = "takes the branch of compute capability 9.0 in device code"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    numbers = [_number(unit, index) for index in unit.file.places(*ARCH_NAMES, ARCH_LIST)]
    return numbers + [f for index in unit.file.places(ARCH_FEATURE, _HAS_FEATURE) for f in _feature(unit, index)]


def _number(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    if in_condition(unit, index):
        return condition_finding(unit, index, "cuda-arch", _BRANCH)
    if in_macro_body(unit, index) and token.text != ARCH_LIST:
        # nobody knows whether a condition or code will use it
        is_tested = "defined" in (neighbour(unit, index, -1), neighbour(unit, index, -2))
        replacement = ON_DEVICE if is_tested else f"({ON_DEVICE} * {ARCH})"
        edit = Edit(token.start, token.end, replacement)
        return Finding("cuda-arch", token.start, token.end, Safety.EXACT, _BRANCH, (edit,))
    if token.text != ARCH_LIST and _is_compared(unit, index):
        edit = Edit(token.start, token.end, f"({ON_DEVICE} * {ARCH})")
        return Finding("cuda-arch", token.start, token.end, Safety.EXACT, _BRANCH, (edit,))
    message = f"the value of {token.text} is used as a number; HIP has none of this kind"
    if token.directive >= 0 and unit.file.directives[token.directive].name in ("define", "undef"):
        message = f"{token.text} stands in a macro; HIP has no architecture number of this kind"
    return Finding("cuda-arch", token.start, token.end, Safety.LEFT, message)


def _is_compared(unit: Unit, index: int) -> bool:
    """Is the number compared in an expression, as in `if constexpr (__CUDA_ARCH__ >= 800)`?"""
    before, after = unit.text(index - 1), unit.text(index + 1)
    if unit.tokens[index].directive >= 0:
        return False
    if {before, after} & {"<=", ">=", "==", "!="} or after == "<":
        return True
    number = index + 2 if after == ">" else index - 2  # else these may be brackets of template arguments
    return ">" in (before, after) and 0 <= number < len(unit.tokens) and unit.tokens[number].kind == Kind.NUMBER


def _feature(unit: Unit, index: int) -> list[Finding]:
    """`#ifdef __CUDA_ARCH_FEAT_SM90_ALL`, `#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)`: what sm_90a adds is ported."""
    token = unit.tokens[index]
    message = "takes the branch of sm_90a in device code"
    if in_condition(unit, index):
        return [condition_finding(unit, index, "cuda-arch", message)]
    if not in_macro_body(unit, index):
        return []
    start, end, replacement = token.start, token.end, ON_DEVICE
    if token.text == _HAS_FEATURE and neighbour(unit, index, 1) == "(":
        close = unit.file.partner(index + 1)
        if close != index + 3:
            return []
        end = unit.tokens[close].end
        replacement = ON_DEVICE if unit.text(index + 2) == "SM90_ALL" else "0"
    return [Finding("cuda-arch", start, end, Safety.EXACT, message, (Edit(start, end, replacement),))]
