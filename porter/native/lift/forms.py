"""The forms over the reals of what a block's threads store."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from porter.native.lift.algebra import MINUS_INFINITY, Algebra, Form, Quotient
from porter.native.machine.values import GLOBAL, Element, Product, Refused, Scalar, Sum, Term, shown

__all__ = ["Forms"]

_LOG2_E, _LN_2 = math.log2(math.e), math.log(2.0)
_SAME = frozenset("bf16 f16 f32 fpext e4m3 e5m2 held canonicalize freeze".split())  # roundings, which reals do not have
_EXP2 = frozenset("exp2 exp2f amdgcn.exp2.f32 __builtin_exp2f".split())
_EXP = frozenset("exp expf __expf".split())
_LOG2 = frozenset("log2 log2f amdgcn.log.f32 __log2f".split())
_LOG = frozenset("log logf __logf".split())
_MAXIMUM = frozenset("maxnum maximum fmaxf maximumnum".split())
_RECIPROCAL = frozenset(("amdgcn.rcp.f32", "rcp"))
_OPAQUE = frozenset("tanh tanhf sqrt sqrtf rsqrtf erff".split())
_UNORDERED = {"uno": False, "ord": True}


@dataclass
class Forms:
    """Each value's form is worked out once for each thread that has it."""

    algebra: Algebra = field(default_factory=Algebra)
    _known: dict[tuple[int, int], Form] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)  # whose ids are known

    def of(self, value: Scalar, thread: int) -> Form:
        """Of what a thread holds."""
        stack = [(value, thread)]
        known = self._known
        while stack:
            one, owner = stack[-1]
            if (id(one), owner) in known:
                stack.pop()
                continue
            open_parts = [part for part in self._parts(one, owner) if (id(part[0]), part[1]) not in known]
            if open_parts:
                stack.extend(open_parts)
                continue
            known[id(one), owner] = self._form(one, owner)
            self._kept.append(one)
            stack.pop()
        return known[id(value), thread]

    def _parts(self, value: Scalar, thread: int) -> list[tuple[Scalar, int]]:
        """What its form follows from."""
        if isinstance(value, Sum):
            return [part for one in value.products for part in _held(one, value, thread)]
        if not isinstance(value, Term):
            return []
        if value.op == "held":
            return [(value.parts[0], int(value.parts[1]))]  # type: ignore[arg-type]
        if value.op in ("select", "compare", "or", "and", "xor", "is.fpclass", "parameter", "shl"):
            return []
        return [(part, thread) for part in value.parts]

    def _form(self, value: Scalar, thread: int) -> Form:
        algebra = self.algebra
        if isinstance(value, (int, float)):
            return algebra.number(float(value))
        if isinstance(value, Element):
            return algebra.atom(("element", value.parameter, value.offset, value.size))
        if isinstance(value, Sum):
            return self._sum(value, thread)
        if value.op == "held":
            return self._known[id(value.parts[0]), int(value.parts[1])]  # type: ignore[arg-type]
        if value.op == "select":
            condition, yes, no = value.parts
            return self.of(yes if self._holds(condition, thread) else no, thread)
        if value.op == "parameter":
            return algebra.atom(("parameter", *value.parts))  # type: ignore[arg-type]
        if value.op == "shl" and value.parts[1] == 16:  # bf16 as f32
            return self.of(_unextended(value.parts[0]), thread)
        return self._applied(value.op, [self._known[id(part), thread] for part in value.parts])

    def _applied(self, op: str, parts: Sequence[Form]) -> Form:
        algebra = self.algebra
        if op in _SAME:
            return parts[0]
        if op in _EXP2 or op in _EXP:
            return algebra.exp2(parts[0] if op in _EXP2 else self._scaled(parts[0], _LOG2_E))
        if op in _LOG2 or op in _LOG:
            result = algebra.log2(parts[0])
            return result if op in _LOG2 else self._scaled(result, _LN_2)
        if op in _MAXIMUM:
            return algebra.largest(parts)
        if op in _OPAQUE:
            return algebra.function(op.removesuffix("f"), parts[0])
        operation = self._operations().get(op)
        if operation is None:
            raise Refused(f"{op} of data")
        return operation(*parts)

    def _operations(self) -> dict[str, Callable[..., Form]]:
        a = self.algebra
        return {
            "fadd": a.add, "fmul": a.multiply, "fdiv": a.divide, "__fdividef": a.divide, "fneg": a.negative,
            "fsub": lambda x, y: a.add(x, a.negative(y)),
            **dict.fromkeys(_RECIPROCAL, lambda x: a.divide(a.number(1.0), x)),
        }  # fmt: skip

    def _scaled(self, value: Form, factor: float) -> Form:
        return self.algebra.multiply(self.algebra.number(factor), value)

    # Products

    def _sum(self, value: Sum, thread: int) -> Form:
        pairs: list[tuple[Form, Form]] = []
        plain: list[tuple[np.ndarray, np.ndarray]] = []
        for one in value.products:
            row, column = one.place(_owner(value, thread), value.element)
            left, right = _row(one.a, row), _row(one.b, column)
            if left.dtype != object and right.dtype != object:
                plain.append((left, right))
                continue
            operands = zip(left.tolist(), right.tolist())
            pairs += [(self._operand(x, thread), self._operand(y, thread)) for x, y in operands if x != 0 and y != 0]
        total = self.algebra.inner(pairs)
        return self.algebra.add(total, self._dot(plain)) if plain else total

    def _operand(self, value: Scalar, thread: int) -> Form:
        """What a product's table has for an element: where it lies in memory, or a value."""
        if isinstance(value, int):
            return self._element(value)
        return self._known[id(value), thread]

    def _element(self, address: int) -> Form:
        if not address:
            return self.algebra.number(0.0)
        return self.algebra.atom(("element", address // GLOBAL - 1, address % GLOBAL, 2))

    def _dot(self, parts: Sequence[tuple[np.ndarray, np.ndarray]]) -> Form:
        """Of elements of memory."""
        pairs = np.stack([np.concatenate([left for left, _ in parts]), np.concatenate([right for _, right in parts])])
        pairs = pairs[:, (pairs != 0).all(0)]
        if not pairs.shape[1]:
            return self.algebra.number(0.0)
        pairs = pairs[:, np.lexsort(pairs[::-1])]
        steps = np.diff(pairs, axis=1)
        if steps.shape[1] and (steps != steps[:, :1]).any():
            raise Refused("a product of elements that do not lie at equal steps")
        step = steps[:, 0].tolist() if steps.shape[1] else [0, 0]
        first = pairs[:, 0].tolist()
        return self.algebra.atom(("dot", first[0], step[0], first[1], step[1], pairs.shape[1]))

    # Conditions on data

    def _holds(self, condition: Scalar, thread: int) -> bool:
        if isinstance(condition, int):
            return bool(condition & 1)
        if isinstance(condition, Term):
            if condition.op in ("or", "and", "xor"):
                first, second = (self._holds(part, thread) for part in condition.parts)
                return {"or": first or second, "and": first and second, "xor": first != second}[condition.op]
            if condition.op == "is.fpclass":
                return False  # values are finite
            if condition.op == "compare":
                return self._compared(condition.word, *(self.of(part, thread) for part in condition.parts))
        raise Refused(f"a choice that depends on data ({shown(condition)})")

    def _compared(self, predicate: str, left: Form, right: Form) -> bool:
        if predicate in _UNORDERED:
            return _UNORDERED[predicate]
        order = self._order(left, right)
        if order is None:
            raise Refused("a choice that depends on data (a comparison)")
        return {"eq": order == 0, "ne": order != 0, "lt": order < 0, "le": order <= 0, "gt": order > 0,
                "ge": order >= 0}[predicate[-2:]]  # fmt: skip

    def _order(self, left: Form, right: Form) -> int | None:
        """-1, 0 or 1; None where it is not known."""
        if left is MINUS_INFINITY or right is MINUS_INFINITY:
            return (left is not MINUS_INFINITY) - (right is not MINUS_INFINITY)
        assert isinstance(left, Quotient) and isinstance(right, Quotient)
        a, b = left.constant, right.constant
        if a is not None and b is not None:
            return (a > b) - (a < b)
        if b is not None and b <= 0 and self.algebra.is_positive(left):
            return 1
        if a is not None and a <= 0 and self.algebra.is_positive(right):
            return -1
        return None


def _owner(value: Sum, thread: int) -> int:
    return value.thread if value.thread >= 0 else thread


def _row(table: int | np.ndarray, number: int) -> np.ndarray:
    if isinstance(table, int):
        raise Refused("a product of tiles in shared memory")
    row: np.ndarray = table[number]
    return row


def _held(one: Product, value: Sum, thread: int) -> list[tuple[Scalar, int]]:
    """The values among the elements that an element of a product is the sum of."""
    row, column = one.place(_owner(value, thread), value.element)
    rows = (_row(one.a, row), _row(one.b, column))
    return [(x, thread) for part in rows if part.dtype == object for x in part.tolist() if not isinstance(x, int)]


def _unextended(value: Scalar) -> Scalar:
    return value.parts[0] if isinstance(value, Term) and value.op == "zext" else value
