"""Overloads of atomics that CUDA lacked and HIP has: `double atomicMax(double*, double)`."""

from __future__ import annotations

from porter.findings import Finding, Safety
from porter.frontend.branches import branches_of
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.insertions import neighbours, outside_hip
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
    types = {f.first: kind for f in unit.scopes.functions if (kind := _type(unit, f))}
    findings = []
    for run in neighbours(unit.file, (f for f in unit.scopes.functions if f.first in types)):
        edits = outside_hip(unit.file, run)
        for function in run:
            start, end = unit.tokens[function.first].start, unit.tokens[function.body[1]].end
            message = f"HIP defines {function.name} for {types[function.first]} itself"
            findings.append(Finding("atomic-overload", start, end, Safety.EXACT, message, edits))
    return findings


def _type(unit: Unit, function: Function) -> str:
    """The type for which it defines an atomic that HIP has; "" for other functions, and where the port skips it anyway."""
    types = _ATOMICS.get(function.name)
    if types is None or function.body[0] < 0 or not function.device:
        return ""
    if not branches_of(unit.file).at(unit.tokens[function.first].start).compiled(device=False):
        return ""
    parameters: list[str] = []
    for first, last in unit.file.arguments(function.params[0]):
        words = [unit.text(k) for k in range(first, last) if unit.text(k) not in ("const", "volatile", "__restrict__")]
        parameters.append(" ".join(words[:-1]))
    count = 3 if function.name == "atomicCAS" else 2
    if len(parameters) != count or parameters[0] != f"{parameters[1]} *" or parameters[1] not in types:
        return ""
    return parameters[1]
