"""Operators on vector types that the project defines and that HIP has already.

CUDA's float2 and its kin have no operators, so projects bring their own (CUDA's sample header
helper_math.h does). HIP's have them: `*`, `/` and the unary ones as functions of the very same
signature, the compound ones as members. Two equal candidates make every use ambiguous. The others
of HIP are templates that a project's own are preferred to: they need no #if, and go into one
between two that do if they do the same. What does something else becomes a function for each side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.asm.macros import macros
from porter.frontend.lexer import newline_of
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.insertions import neighbours, outside_hip
from porter.rules import RuleSet

__all__ = ["run"]

_VECTOR = re.compile(r"((?:u?(?:char|short|int|long|longlong))|float|double)([1-4])")
_SIDES = frozenset({"__device__", "__host__"})
_AMBIGUOUS = frozenset({"*", "/"})
_BINARY = _AMBIGUOUS | {"+", "-", "%", "&", "|", "^", "<<", ">>"}
_COMPOUND = frozenset({"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_UNARY = frozenset({"-", "~"})
_SCALARS = {
    "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int", "ulong": "unsigned long",
    "longlong": "long long", "ulonglong": "unsigned long long",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Operator:
    """An operator on one vector type: each operand is such a vector or one element."""

    function: Function
    sign: str
    vector: str
    operands: tuple[tuple[str, bool], ...]  # names, and whether it is a vector
    same: bool  # does it do the same as HIP's, element by element?

    @property
    def for_both_sides(self) -> bool:
        """As HIP's are: to one for the caller's side alone none of HIP's is preferred."""
        return self.function.marks >= _SIDES

    @property
    def ambiguous(self) -> bool:
        if len(self.operands) == 1:
            return True
        return all(vector for _, vector in self.operands) and self.sign in _AMBIGUOUS | _COMPOUND


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    operators = {f.first: one for f in unit.scopes.functions if (one := _operator(unit, f)) is not None}
    findings: list[Finding] = []
    for region in neighbours(unit.file, (one.function for one in operators.values() if one.same)):
        needed = [k for k, function in enumerate(region) if operators[function.first].ambiguous]
        if not needed:
            continue
        edits = outside_hip(unit.file, region[needed[0] : needed[-1] + 1])
        for k in needed:
            one = operators[region[k].first]
            start, end = _span(unit, one)
            message = f"HIP defines operator{one.sign} on {one.vector} itself, with the same meaning"
            findings.append(Finding("vector-operator", start, end, Safety.EXACT, message, edits))
    findings += [
        _of_its_own(unit, one) for one in operators.values() if one.ambiguous and not one.same and one.for_both_sides
    ]
    return findings


def _of_its_own(unit: Unit, one: _Operator) -> Finding:
    """With another meaning than HIP's, for both sides as HIP's is: one for each side is preferred to that."""
    start, end = _span(unit, one)
    message = f"HIP defines operator{one.sign} on {one.vector} itself, element by element; this one does something else"
    copies = None if _is_declared(unit, one) else [_for_side(unit, one.function, side) for side in sorted(_SIDES)]
    if copies is None or None in copies:
        return Finding("vector-operator", start, end, Safety.LEFT, f"{message} and is ambiguous")
    message += ": a function for each side is preferred to HIP's, which is for both"
    between = newline_of(unit.file.text) + _indent(unit.file.text, start)
    edit = Edit(start, end, between.join(copy for copy in copies if copy))
    return Finding("vector-operator", start, end, Safety.EXACT, message, (edit,))


def _is_declared(unit: Unit, one: _Operator) -> bool:
    """Whether there is a declaration of such an operator, which would have to be two as well."""
    scopes = [unit.scopes, *(member.scopes for member in unit.members if member.path != unit.path)]
    return any(f.body[0] < 0 and f.name == one.function.name for each in scopes for f in each.functions)


def _for_side(unit: Unit, function: Function, side: str) -> str | None:
    """The function for one side alone; None where what makes it one for both is not seen."""
    (other,) = (one for one in _SIDES if one != side)
    known = macros(unit.file, unit.beside)
    text, at, seen = "", unit.tokens[function.first].start, set[str]()
    for index in range(function.first, function.name_index):
        token = unit.tokens[index]
        macro = known.get(token.text)
        words = [token.text] if macro is None else [word.text for word in macro.body]
        seen |= _SIDES & set(words)
        if other in words:
            words.remove(other)
            text += hole(at, token.start) + " ".join(words)
            at = token.end if words else unit.tokens[index + 1].start
    return text + hole(at, unit.tokens[function.body[1]].end) if seen == _SIDES else None


def _indent(text: str, offset: int) -> str:
    begun = text[text.rfind("\n", 0, offset) + 1 : offset]
    return begun[: len(begun) - len(begun.lstrip())]


def _span(unit: Unit, one: _Operator) -> tuple[int, int]:
    return unit.tokens[one.function.first].start, unit.tokens[one.function.body[1]].end


def _operator(unit: Unit, function: Function) -> _Operator | None:
    """What the function defines, if HIP has such an operator."""
    if function.body[0] < 0 or unit.tokens[function.first].directive >= 0:
        return None
    opening = function.params[0]
    at = next((k for k in (opening - 2, opening - 3) if k >= function.first and unit.text(k) == "operator"), -1)
    sign = "".join(unit.text(k) for k in range(at + 1, opening)) if at >= 0 else ""
    operands = _operands(unit, function)
    vectors = [kind for kind, _ in operands if _VECTOR.fullmatch(kind)]
    if not sign or not vectors or len(set(vectors)) != 1:
        return None
    vector = vectors[0]
    if any(kind != vector and kind not in _elements(vector) for kind, _ in operands):
        return None
    if len(operands) != 2 or sign not in _BINARY | _COMPOUND:
        if len(operands) != 1 or sign not in _UNARY:
            return None
    if sign in _COMPOUND and operands[0][0] != vector:
        return None
    named = tuple((name, kind == vector) for kind, name in operands)
    return _Operator(function, sign, vector, named, _is_elementwise(unit, function, sign, vector, named))


def _operands(unit: Unit, function: Function) -> list[tuple[str, str]]:
    """Types and names of the parameters; none where one is no plain type with a name."""
    operands = []
    for first, last in unit.file.arguments(function.params[0]):
        words = [unit.text(k) for k in range(first, last) if unit.text(k) not in ("const", "&", "__restrict__")]
        if len(words) < 2 or not all(word.isidentifier() for word in words):
            return []
        operands.append((" ".join(words[:-1]), words[-1]))
    return operands


def _elements(vector: str) -> tuple[str, ...]:
    """How the type of a vector's elements is written."""
    parts = _VECTOR.fullmatch(vector)
    assert parts is not None
    written = _SCALARS.get(parts[1], parts[1])
    return (parts[1], written, "unsigned") if parts[1] == "uint" else (parts[1], written)


def _is_elementwise(
    unit: Unit, function: Function, sign: str, vector: str, operands: tuple[tuple[str, bool], ...]
) -> bool:
    body = [unit.text(k) for k in range(function.body[0] + 1, function.body[1])]
    width = _VECTOR.fullmatch(vector)
    assert width is not None
    members = "xyzw"[: int(width[2])]
    parts = [[[name, ".", member] if is_vector else [name] for name, is_vector in operands] for member in members]
    if sign in _COMPOUND:
        plain = [token for a, b in parts for token in (*a, sign, *b, ";")]
        return body in (plain, [*plain, "return", operands[0][0], ";"])
    inner: list[str] = []
    for number, part in enumerate(parts):
        inner += [","] if number else []
        inner += [*part[0], sign, *part[1]] if len(part) == 2 else [sign, *part[0]]
    return body in (
        ["return", f"make_{vector}", "(", *inner, ")", ";"],
        ["return", vector, "(", *inner, ")", ";"],
        ["return", vector, "{", *inner, "}", ";"],
        ["return", "{", *inner, "}", ";"],
    )
