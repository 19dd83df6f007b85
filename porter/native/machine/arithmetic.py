"""Sums, products and comparisons of numbers and symbols."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from porter.native.ir.module import Type
from porter.native.machine.values import Asserted, Scalar, Sum, Term, signed

__all__ = ["PLAIN", "integer", "mixed"]

# Of numbers and of arrays of them.
PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor,
}  # fmt: skip


def integer(op: str, a: int, b: int, bits: int) -> int:
    mask = (1 << bits) - 1
    if op in PLAIN:
        return int(PLAIN[op](a, b)) & mask
    if op == "shl":
        return a << b & mask if b < bits else 0
    if op == "lshr":
        return a >> b if b < bits else 0
    if op == "ashr":
        return signed(a, bits) >> min(b, bits - 1) & mask
    if b == 0:
        raise Asserted("a division by zero on the problems that were tried")
    if op in ("udiv", "urem"):
        return a // b if op == "udiv" else a % b
    return truncating(signed(a, bits), signed(b, bits))[op != "sdiv"] & mask


def truncating(left: int, right: int) -> tuple[int, int]:
    """Quotient and remainder, rounded to zero."""
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return quotient, left - quotient * right


def mixed(op: str, kind: Type, left: Scalar, right: Scalar) -> Scalar:
    """Of numbers and symbols."""
    result = _of_floats(op, left, right) if kind.kind == "float" else _of_wholes(op, left, right)
    return Term(op, (left, right)) if result is None else result


def _of_floats(op: str, left: Scalar, right: Scalar) -> Scalar | None:
    if type(left) is float and type(right) is float:
        return _floating(op, left, right)
    if op == "fadd" and (left == 0.0 or right == 0.0):
        return right if left == 0.0 else left
    if op == "fmul" and (left == 1.0 or right == 1.0):
        return right if left == 1.0 else left
    if op == "fadd" and isinstance(left, Sum) and isinstance(right, Sum):
        if (left.element, left.thread) == (right.element, right.thread):
            return Sum(left.element, left.products + right.products, left.thread)
    return None


def _of_wholes(op: str, left: Scalar, right: Scalar) -> Scalar | None:
    if op == "and":
        return 0 if left == 0 or right == 0 else None
    if op == "or":
        for low, high in ((left, right), (right, left)):  # two halves of a word
            if isinstance(high, Term) and high.op == "shl" and high.parts[1] == 16:
                return Term("pack", (_unextended(low), _unextended(high.parts[0])))
        return None
    return left if op in ("add", "shl", "lshr", "ashr", "xor") and right == 0 else None


def _unextended(value: Scalar) -> Scalar:
    return value.parts[0] if isinstance(value, Term) and value.op == "zext" else value


def _floating(op: str, a: float, b: float) -> float:
    try:
        return {"fadd": a + b, "fsub": a - b, "fmul": a * b, "fdiv": a / b if b else math.nan}.get(op, math.nan)
    except OverflowError:
        return math.inf
