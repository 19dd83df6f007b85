"""Overloads of atomics that CUDA lacked and HIP has: `double atomicMax(double*, double)`."""

from __future__ import annotations

from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.model import Finding, Safety
from porter.passes.insertions import outside_hip
from porter.rules import RuleSet

__all__ = ["run"]

# The types that HIP 7.1 overloads its atomics for; CUDA has fewer of them.
_INTEGERS = frozenset({"int", "unsigned", "unsigned int", "unsigned long", "unsigned long long"})
_REALS = frozenset({"float", "double"})
_ATOMICS = {
    "atomicAdd": _INTEGERS | _REALS,
    "atomicSub": _INTEGERS | _REALS,
    "atomicExch": _INTEGERS | _REALS,
    "atomicMin": _INTEGERS | _REALS | {"long long"},
    "atomicMax": _INTEGERS | _REALS | {"long long"},
    "atomicCAS": _INTEGERS | _REALS | {"unsigned short"},
}


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [finding for function in unit.scopes.functions for finding in _atomic(unit, function)]


def _atomic(unit: Unit, function: Function) -> list[Finding]:
    types = _ATOMICS.get(function.name)
    if types is None or function.body[0] < 0 or not function.device or _under_arch_condition(unit, function):
        return []
    parameters: list[str] = []
    for first, last in unit.file.arguments(function.params[0]):
        words = [unit.text(k) for k in range(first, last) if unit.text(k) not in ("const", "volatile", "__restrict__")]
        parameters.append(" ".join(words[:-1]))
    count = 3 if function.name == "atomicCAS" else 2
    if len(parameters) != count or parameters[0] != f"{parameters[1]} *" or parameters[1] not in types:
        return []
    start, end = unit.tokens[function.first].start, unit.tokens[function.body[1]].end
    message = f"HIP defines {function.name} for {parameters[1]} itself"
    return [Finding("atomic-overload", start, end, Safety.EXACT, message, outside_hip(unit.file, start, end))]


def _under_arch_condition(unit: Unit, function: Function) -> bool:
    """Inside an #if that asks for __CUDA_ARCH__: the port's own condition already leaves it out on AMD."""
    stack: list[bool] = []
    start = unit.tokens[function.first].start
    for directive in unit.file.directives:
        if directive.start >= start:
            break
        asks = any(unit.text(k) == "__CUDA_ARCH__" for k in range(directive.first, directive.last))
        if directive.name in ("if", "ifdef", "ifndef"):
            stack.append(asks)
        elif directive.name in ("elif", "else") and stack:
            stack[-1] = stack[-1] or asks
        elif directive.name == "endif" and stack:
            stack.pop()
    return any(stack)
