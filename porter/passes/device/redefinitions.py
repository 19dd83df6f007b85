"""Functions that the project defines and that HIP has already: operators on vector types, overloads of atomics.

CUDA's float2 and its kin have no operators, so projects bring their own (CUDA's sample header
helper_math.h does). HIP's have them: `*`, `/` and the unary ones as functions of the very same
signature, the compound ones as members. Two equal candidates make every use ambiguous.
"""

from __future__ import annotations

import re

from porter.frontend.lexer import newline_of
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.rules import RuleSet

__all__ = ["run"]

_VECTOR = re.compile(r"((?:u?(?:char|short|int|long|longlong))|float|double)([1-4])")
_BINARY = frozenset({"*", "/"})
_COMPOUND = frozenset({"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_UNARY = frozenset({"-", "~"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for function in unit.scopes.functions:
        findings += _atomic(unit, function)
        operator = _operator(unit, function)
        if not operator or unit.tokens[function.first].directive >= 0:
            continue
        vector, names = _same_vector(unit, function, operator)
        if not vector or function.body[0] < 0:
            continue
        start = unit.tokens[function.first].start
        end = unit.tokens[function.body[1]].end
        what = f"operator{operator} on {vector}"
        if not _is_elementwise(unit, function, operator, vector, names):
            message = f"HIP defines {what} itself, element by element; this one does something else and is ambiguous"
            findings.append(Finding("vector-operator", start, end, Safety.LEFT, message))
            continue
        message = f"HIP defines {what} itself, with the same meaning"
        edits = _guard(unit, start, end)
        findings.append(Finding("vector-operator", start, end, Safety.EXACT, message, edits))
    return findings


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


def _atomic(unit: Unit, function: Function) -> list[Finding]:
    """An overload of an atomic that CUDA lacked and HIP has: `double atomicMax(double*, double)`."""
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
    return [Finding("atomic-overload", start, end, Safety.EXACT, message, _guard(unit, start, end))]


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


def _operator(unit: Unit, function: Function) -> str:
    """`operator` and what follows it in front of the parameter list, e.g. "*="; "" for other functions."""
    opening = function.params[0]
    for at in (opening - 2, opening - 3):
        if at >= function.first and unit.text(at) == "operator":
            text = "".join(unit.text(k) for k in range(at + 1, opening))
            return text if text in _BINARY | _COMPOUND | _UNARY else ""
    return ""


def _same_vector(unit: Unit, function: Function, operator: str) -> tuple[str, list[str]]:
    """The vector type that all parameters have, and their names; "" if HIP has no such operator."""
    names: list[str] = []
    types: list[str] = []
    for first, last in unit.file.arguments(function.params[0]):
        words = [unit.text(k) for k in range(first, last) if unit.text(k) not in ("const", "&", "__restrict__")]
        if len(words) != 2 or not _VECTOR.fullmatch(words[0]):
            return "", []
        types.append(words[0])
        names.append(words[1])
    wanted = 1 if operator in _UNARY and len(types) == 1 else 2
    if len(types) != wanted or len(set(types)) != 1 or (wanted == 2 and operator in _UNARY):
        return "", []
    return types[0], names


def _is_elementwise(unit: Unit, function: Function, operator: str, vector: str, names: list[str]) -> bool:
    body = [unit.text(k) for k in range(function.body[0] + 1, function.body[1])]
    found = _VECTOR.fullmatch(vector)
    members = "xyzw"[: int(found[2])] if found else ""
    a = names[0]
    if operator in _COMPOUND:
        b = names[1]
        steps = [[a, ".", m, operator, b, ".", m, ";"] for m in members]
        plain = [token for step in steps for token in step]
        return body in (plain, [*plain, "return", a, ";"])
    if operator in _BINARY:
        b = names[1]
        parts = [[a, ".", m, operator, b, ".", m] for m in members]
    else:
        parts = [[operator, a, ".", m] for m in members]
    inner: list[str] = []
    for number, part in enumerate(parts):
        inner += ([","] if number else []) + part
    return body in (
        ["return", f"make_{vector}", "(", *inner, ")", ";"],
        ["return", vector, "(", *inner, ")", ";"],
        ["return", vector, "{", *inner, "}", ";"],
        ["return", "{", *inner, "}", ";"],
    )


def _guard(unit: Unit, start: int, end: int) -> tuple[Edit, ...]:
    """#if around the definition: it stays in the port for other platforms."""
    newline = newline_of(unit.file.text)
    text = unit.file.text
    before = text.rfind("\n", 0, start) + 1
    alone = text[before:start].strip() == ""
    place, lead = (before, "") if alone else (start, newline)
    head = Edit(place, place, f"{lead}#if !defined(__HIP_PLATFORM_AMD__){newline}")
    after = text.find("\n", end)
    rest = text[end : after if after >= 0 else len(text)]
    if after >= 0 and (not rest.strip() or rest.lstrip().startswith("//")):
        return head, Edit(after + 1, after + 1, f"#endif{newline}")
    return head, Edit(end, end, f"{newline}#endif{newline}")
