"""Operators on vector types that the project defines and that HIP has already.

CUDA's float2 and its kin have no operators, so projects bring their own (CUDA's sample header
helper_math.h does). HIP's have them: `*`, `/` and the unary ones as functions of the very same
signature, the compound ones as members. Two equal candidates make every use ambiguous.
"""

from __future__ import annotations

import re

from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.model import Finding, Safety
from porter.passes.insertions import outside_hip
from porter.rules import RuleSet

__all__ = ["run"]

_VECTOR = re.compile(r"((?:u?(?:char|short|int|long|longlong))|float|double)([1-4])")
_BINARY = frozenset({"*", "/"})
_COMPOUND = frozenset({"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_UNARY = frozenset({"-", "~"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for function in unit.scopes.functions:
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
        edits = outside_hip(unit.file, start, end)
        findings.append(Finding("vector-operator", start, end, Safety.EXACT, message, edits))
    return findings


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
