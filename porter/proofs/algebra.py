"""Which values of two executions are certainly the same: by fingerprints in a prime field.

Sums and products are those of the field, so two sums of the same terms in another order are the same element, and two
different ones collide with a chance of 2**-61. Maxima, minima and bit operations are sets of their operands. Every other
operation is an unknown function of its operands. Conversions between float and double count as none: they round at most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from porter.native.machine.values import Refused, Scalar, Term
from porter.proofs.guards import ALWAYS, Guard, within

__all__ = ["FIELD", "Algebra", "hashed"]

FIELD = (1 << 61) - 1
_SETS = {"and": (), "or": (0,), "xor": (0,)}  # what an operand adds nothing by
_SAME = frozenset(("fpext", "f32", "freeze"))
# A comparison by another: its name, whether the sides change places, whether it is the opposite.
_COMPARISONS = {
    "eq": ("eq", False, False), "ne": ("eq", False, True), "oeq": ("oeq", False, False), "une": ("oeq", False, True),
    "one": ("one", False, False), "ueq": ("one", False, True), "ord": ("ord", False, False), "uno": ("ord", False, True),
    "olt": ("olt", False, False), "ogt": ("olt", True, False), "ole": ("ole", False, False), "oge": ("ole", True, False),
    "uge": ("olt", False, True), "ugt": ("ole", False, True),
    "slt": ("slt", False, False), "sgt": ("slt", True, False), "sge": ("slt", False, True), "sle": ("slt", True, True),
}  # fmt: skip
_UNSIGNED = {
    "ult": ("ult", False, False),
    "ugt": ("ult", True, False),
    "uge": ("ult", False, True),
    "ule": ("ult", True, True),
}
_UNORDERED = {"ult": ("ole", True, True), "ule": ("olt", True, True)}


def hashed(*parts: object) -> int:
    return hash(parts) % FIELD


class Algebra:
    """Fingerprints of the values of both executions, which are the same for values that are the same."""

    def __init__(self) -> None:
        self._prints: dict[int, tuple[Term, int]] = {}  # by id, with what keeps it alive
        self._operands: dict[tuple[str, int], tuple[Term, frozenset[int]]] = {}
        self._under: dict[tuple[int, Guard], tuple[Term, Scalar]] = {}
        self._guards: dict[int, Guard] = {}
        self._compared: dict[int, tuple[str, int, int]] = {}  # literals of comparisons: which, and of what

    def print(self, value: object) -> int:
        if isinstance(value, Term):
            known = self._prints.get(id(value))
            if known is None:
                known = self._prints[id(value)] = (value, self._of_term(value))
            return known[1]
        if isinstance(value, int):
            return value % FIELD
        if isinstance(value, float):
            whole = math.isfinite(value) and value == int(value) and abs(value) < 1e15
            return int(value) % FIELD if whole else hashed("number", str(value))
        if isinstance(value, tuple):
            return hashed("parts", *map(self.print, value))
        raise Refused(f"{type(value).__name__} cannot be compared")

    def _of_term(self, term: Term) -> int:
        op, parts = term.op, term.parts
        if op in ("add", "fadd"):
            return (self.print(parts[0]) + self.print(parts[1])) % FIELD
        if op in ("sub", "fsub"):
            return (self.print(parts[0]) - self.print(parts[1])) % FIELD
        if op in ("mul", "fmul"):
            return self.print(parts[0]) * self.print(parts[1]) % FIELD
        if op == "fneg":
            return -self.print(parts[0]) % FIELD
        if op in _SAME:
            return self.print(parts[0])
        if op == "select":
            return self._of_choice(parts)
        if self._is_condition(term):
            literal = self.literal(term)
            return literal if literal > 0 else hashed("not", -literal)
        if op in ("max", "min") or op in _SETS:
            kind = op + term.word
            return _of_set(kind, self.operands(kind, term))
        return hashed(op, term.word, *map(self.print, parts))

    # Sets of operands

    def operands(self, kind: str, value: Scalar) -> frozenset[int]:
        """Of a maximum of maxima all that it is the maximum of."""
        if not isinstance(value, Term):
            return self._operand(kind, value)
        known = self._operands.get((kind, id(value)))
        if known is None:
            known = self._operands[kind, id(value)] = (value, self._of_operation(kind, value))
        return known[1]

    def _of_operation(self, kind: str, term: Term) -> frozenset[int]:
        if term.op + term.word == kind:
            first, second = (self.operands(kind, part) for part in term.parts)
            return first ^ second if kind == "xor" else first | second
        if term.op == "select":
            literal, yes, no = self._choice(term.parts)
            if self._largest(literal, self.print(yes), self.print(no)) == kind:
                return self.operands(kind, yes) | self.operands(kind, no)
        return self.operands(kind, term.parts[0]) if term.op in _SAME else self._operand(kind, term)

    def _operand(self, kind: str, value: Scalar) -> frozenset[int]:
        neutral = (value == -math.inf and kind == "maxo") or (value == math.inf and kind == "mino")
        if neutral or value in _SETS.get(kind, ()):
            return frozenset()
        return frozenset((self.print(value),))

    # Conditions

    def literal(self, value: Scalar) -> int:
        """A condition's fingerprint, negative where the value is the opposite of a condition."""
        if not isinstance(value, Term):
            return self.print(value) or 1
        op, parts = value.op, value.parts
        if op == "guard":
            return self._guard(value).literal or hashed("guard", self._guard(value).clauses) or 1
        inner = self._inner(value)
        if inner is not None:
            return self.literal(inner) if value.word != "eq" else -self.literal(inner)
        if op == "xor" and self._is_condition(value):
            return -self.literal(parts[0])
        if op not in ("compare", "fcompare"):
            return self.print(value) or 1
        return self._comparison(value)

    def _comparison(self, value: Term) -> int:
        predicate = value.word
        table = _UNORDERED if value.op == "fcompare" else _UNSIGNED
        name, swapped, opposite = table.get(predicate) or _COMPARISONS[predicate]
        left, right = (self.print(part) for part in (reversed(value.parts) if swapped else value.parts))
        if name in ("eq", "oeq", "one", "ord") and left > right:
            left, right = right, left
        number = hashed(name, left, right) or 1
        self._compared[number] = (name, left, right)
        return -number if opposite else number

    @staticmethod
    def _inner(value: Term) -> Term | None:
        """The condition that is truncated or compared with zero after it was made a byte of."""
        wide = value.parts[0] if value.op == "trunc" and value.parts[1] == 1 else None
        if value.op == "compare" and value.word in ("ne", "eq") and value.parts[1] == 0:
            wide = value.parts[0]
        if isinstance(wide, Term) and wide.op == "zext" and Algebra._is_condition(wide.parts[0]):
            inner = wide.parts[0]
            return inner if isinstance(inner, Term) else None
        return None

    @staticmethod
    def _is_condition(value: Scalar) -> bool:
        if not isinstance(value, Term):
            return False
        if value.op == "xor":
            return value.parts[1] == 1 and Algebra._is_condition(value.parts[0])
        return value.op in ("compare", "fcompare", "guard") or (value.op == "trunc" and value.parts[1] == 1)

    # Choices

    def chosen(self, guard: Guard, new: Scalar, old: Scalar) -> Scalar:
        """The new value where the guard holds, else the old one."""
        if guard is ALWAYS or guard == ALWAYS or new is old or (type(new) is type(old) is int and new == old):
            return new
        return Term("select", (self.condition(guard), new, old))

    def condition(self, guard: Guard) -> Term:
        number = hash(guard)
        self._guards[number] = guard
        return Term("guard", (number,))

    def _guard(self, term: Term) -> Guard:
        number = term.parts[0]
        assert isinstance(number, int)
        return self._guards[number]

    def under(self, value: Scalar, guard: Guard) -> Scalar:
        """The value where the guard holds, without choices that it decides."""
        if not isinstance(value, Term) or value.op != "select" or guard == ALWAYS:
            return value
        key = id(value), guard
        known = self._under.get(key)
        if known is None:
            known = self._under[key] = (value, self._under_guard(value, guard))
        return known[1]

    def _under_guard(self, value: Term, guard: Guard) -> Scalar:
        condition, yes, no = value.parts
        assert isinstance(condition, Term)
        known = (
            self._guard(condition)
            if condition.op == "guard"
            else Guard(frozenset((frozenset((self.literal(condition),)),)))
        )
        left = within(known, guard)
        if left is None:
            return self.under(no, guard)
        if left == ALWAYS:
            return self.under(yes, guard)
        first, second = self.under(yes, guard), self.under(no, guard)
        if left == known and first is yes and second is no:
            return value
        return Term("select", (self.condition(left), first, second))

    def _choice(self, parts: Sequence[Scalar]) -> tuple[int, Scalar, Scalar]:
        condition, yes, no = parts
        literal = self.literal(condition)
        return (literal, yes, no) if literal > 0 else (-literal, no, yes)

    def _of_choice(self, parts: Sequence[Scalar]) -> int:
        """A comparison's choice between what it compares is a maximum or a minimum."""
        literal, yes, no = self._choice(parts)
        first, second = self.print(yes), self.print(no)
        if first == second:
            return first
        kind = self._largest(literal, first, second)
        if kind:
            return _of_set(kind, self.operands(kind, yes) | self.operands(kind, no))
        return hashed("choose", literal, first, second)

    def _largest(self, literal: int, yes: int, no: int) -> str:
        name, left, right = self._compared.get(literal, ("", 0, 0))
        if name[1:] not in ("lt", "le") or (yes, no) not in ((left, right), (right, left)):
            return ""
        return ("max" if (yes, no) == (right, left) else "min") + name[0]


def _of_set(kind: str, operands: frozenset[int]) -> int:
    if len(operands) == 1:
        return next(iter(operands))
    return hashed(kind, operands) if operands else 0
