"""Conditions on the architecture: the port takes the branches of compute capability 9.0 in device code."""

from __future__ import annotations

from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.passes.device.conditions import COMPARE, Comparison, comparison, in_condition, in_macro_body, neighbour
from porter.rules import RuleSet

__all__ = ["run"]

_PORTED = 900  # a port takes the branches that compute capability 9.0 takes, and sm_90a where that is asked
_NUMBERS = ("__CUDA_ARCH__", "__CUDA_ARCH_SPECIFIC__", "__CUDA_ARCH_FAMILY_SPECIFIC__")
_FEATURE, _HAS_FEATURE = "__CUDA_ARCH_FEAT_SM90_ALL", "__CUDA_ARCH_HAS_FEATURE__"
_ON_DEVICE = "__HIP_DEVICE_COMPILE__"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    numbers = [_number(unit, index) for index in unit.file.places(*_NUMBERS)]
    return numbers + [f for index in unit.file.places(_FEATURE, _HAS_FEATURE) for f in _feature(unit, index)]


def _number(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    if in_condition(unit, index) or in_macro_body(unit, index):
        return _condition(unit, index)
    message = f"the value of {token.text} is used as a number; HIP has none of this kind"
    if token.directive >= 0 and unit.file.directives[token.directive].name in ("define", "undef"):
        message = f"{token.text} stands in a macro; HIP has no architecture number of this kind"
    return Finding("cuda-arch", token.start, token.end, Safety.LEFT, message)


def _condition(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    compared = comparison(unit, index)
    around = (neighbour(unit, index, -1), neighbour(unit, index, 1))
    asked = "defined" in (around[0], neighbour(unit, index, -2))
    start, end, replacement = token.start, token.end, _ON_DEVICE
    if in_macro_body(unit, index):
        # nobody knows whether a condition or code will use it
        replacement = _ON_DEVICE if asked else f"({_ON_DEVICE} * {_PORTED})"
    elif compared is not None:
        start, end, replacement = compared.start, compared.end, _branch(compared)
    elif any(text in COMPARE for text in around) or around[1] in ("/", "*", "%", "-", "+"):
        # compared with something that only the preprocessor knows
        replacement = f"({_ON_DEVICE} * {_PORTED})"
    message = "takes the branch of compute capability 9.0 in device code"
    return Finding("cuda-arch", start, end, Safety.EXACT, message, (Edit(start, end, replacement),))


def _feature(unit: Unit, index: int) -> list[Finding]:
    """`#ifdef __CUDA_ARCH_FEAT_SM90_ALL`, `#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)`: what sm_90a adds is ported."""
    token = unit.tokens[index]
    if not in_condition(unit, index) and not in_macro_body(unit, index):
        return []
    start, end, replacement = token.start, token.end, _ON_DEVICE
    if token.text == _HAS_FEATURE and neighbour(unit, index, 1) == "(":
        close = unit.file.partner(index + 1)
        if close != index + 3:
            return []
        end = unit.tokens[close].end
        replacement = _ON_DEVICE if unit.text(index + 2) == "SM90_ALL" else "0"
    message = "takes the branch of sm_90a in device code"
    return [Finding("cuda-arch", start, end, Safety.EXACT, message, (Edit(start, end, replacement),))]


def _branch(compared: Comparison) -> str:
    on_device, on_host = compared.holds(_PORTED), compared.holds(0)
    if on_device == on_host:
        return "1" if on_device else "0"
    return _ON_DEVICE if on_device else f"!{_ON_DEVICE}"
