"""What a variable of one thread can hold while a kernel is executed on symbols.

A value that is known (thread numbers, offsets, sizes) is an int. What the kernel loads or computes
from data is a Sym: a random-looking element of a prime field, a function of how it came about. Sums
and products are those of the field, so two sums of the same terms in another order are the same
element, and two different ones collide with a chance of 2**-61. Maxima, minima and bit operations are
sets of their operands. Everything else is a hash of the operation and its operands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Union

__all__ = [
    "NEG_INFINITY", "Pointer", "Region", "Struct", "Sym", "Terms", "Value", "both", "fingerprint", "join", "mix", "negate",
    "symbol", "truncating",
]  # fmt: skip

_FIELD = (1 << 61) - 1


class Sym(int):
    """An element of the field; equality is that of whole histories."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """An operation whose operands' order and repetition do not matter: max, min, and, or."""

    kind: str
    items: frozenset[Any]


@dataclass(eq=False)
class Region:
    """Memory with addresses of its own: a shared array, or one thread's local array."""

    name: str
    type: str
    dimensions: tuple[int | None, ...]
    base: Sym
    items: dict[int, Any] = field(default_factory=dict)  # by offset, on top of what `base` stands for

    def read(self, offset: Value) -> Value:
        if type(offset) is int:
            found = self.items.get(offset)
            return symbol("element", self.base, offset) if found is None else found
        return symbol("element", self.contents(), fingerprint(offset))

    def contents(self) -> Sym:
        return symbol("region", self.base, frozenset((k, fingerprint(v)) for k, v in self.items.items()))

    def state(self) -> tuple[Sym, dict[int, Any]]:
        return self.base, dict(self.items)

    def restore(self, state: tuple[Sym, dict[int, Any]]) -> None:
        self.base, self.items = state[0], dict(state[1])


@dataclass(frozen=True, slots=True)
class Pointer:
    region: Region
    offset: Any  # Value
    dimensions: tuple[int | None, ...]  # of what it points into; one: its elements


@dataclass(frozen=True, slots=True)
class Struct:
    base: Sym
    fields: tuple[tuple[str, Any], ...]

    def get(self, name: str) -> Value:
        for key, value in self.fields:
            if key == name:
                return value  # type: ignore[no-any-return]
        return symbol("member", self.base, name)

    def with_field(self, name: str, value: Value) -> Struct:
        kept = dict(self.fields)
        kept[name] = value
        return Struct(self.base, tuple(sorted(kept.items(), key=lambda item: item[0])))


Value = Union[int, Sym, Terms, Pointer, Struct]


def symbol(*parts: Any) -> Sym:
    return Sym(hash(parts) % _FIELD)


NEG_INFINITY = Sym(-symbol("name", "INFINITY") % _FIELD)


def fingerprint(value: Any) -> int:
    """One number for any value, the same for equal values."""
    if isinstance(value, int):
        return int(value) % _FIELD
    if isinstance(value, Terms):
        return int(symbol("terms", value.kind, frozenset(fingerprint(i) for i in value.items)))
    if isinstance(value, Pointer):
        return int(symbol("pointer", value.region.name, fingerprint(value.offset)))
    if isinstance(value, Struct):
        return int(symbol("struct", value.base, tuple((k, fingerprint(v)) for k, v in value.fields)))
    return int(symbol("other", str(value)))


def negate(condition: Value) -> Value:
    if type(condition) is int:
        return int(not condition)
    return symbol("not", fingerprint(condition))


def both(left: Value, right: Value) -> Value:
    """Two conditions at once."""
    if type(left) is int:
        return right if left else 0
    if type(right) is int:
        return left if right else 0
    return join("land", left, right)


def join(kind: str, left: Value, right: Value) -> Value:
    """max, min, and, or, land, lor: order and repetition do not matter."""
    items: set[Any] = set()
    for value in (left, right):
        if isinstance(value, Terms) and value.kind == kind:
            items |= value.items
        else:
            items.add(value if isinstance(value, int) else Sym(fingerprint(value)))
    if kind == "max":
        items.discard(NEG_INFINITY)
    elif kind == "min":
        items.discard(Sym(-NEG_INFINITY % _FIELD))
    elif kind in ("or", "lor"):
        items.discard(0)
    elif kind == "xor":
        raise AssertionError("xor repeats")
    if not items:
        return left
    return next(iter(items)) if len(items) == 1 else Terms(kind, frozenset(items))


def _exclusive(left: Value, right: Value) -> Value:
    items: set[Any] = set()
    for value in (left, right):
        terms = value.items if isinstance(value, Terms) and value.kind == "xor" else {Sym(fingerprint(value))}
        items ^= set(terms)
    items.discard(0)
    if not items:
        return 0
    return next(iter(items)) if len(items) == 1 else Terms("xor", frozenset(items))


def truncating(left: int, right: int) -> tuple[int, int]:
    """Quotient and remainder as C++ has them, rounded to zero."""
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return quotient, left - quotient * right


_COMPARE: Mapping[str, Any] = {
    "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip


def mix(op: str, left: Value, right: Value) -> Value:
    """`left op right` for every binary operator but && and ||."""
    if type(left) is int and type(right) is int:
        return _known(op, left, right)
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        return _moved(op, left, right)
    if op in ("+", "-", "*"):
        a, b = fingerprint(left), fingerprint(right)
        return Sym((a + b if op == "+" else a - b if op == "-" else a * b) % _FIELD)
    if op in ("&", "|"):
        return join("and" if op == "&" else "or", left, right)
    if op == "^":
        return _exclusive(left, right)
    if op == ">":
        return symbol("<", fingerprint(right), fingerprint(left))
    if op == ">=":
        return symbol("<=", fingerprint(right), fingerprint(left))
    if op in ("==", "!="):
        pair = frozenset((fingerprint(left), fingerprint(right)))
        return symbol("==", pair) if op == "==" else negate(symbol("==", pair))
    return symbol(op, fingerprint(left), fingerprint(right))


def _known(op: str, left: int, right: int) -> Value:
    if op == "+":
        return left + right
    if op == "-":
        return left - right
    if op == "*":
        return left * right
    if op in ("/", "%"):
        return truncating(left, right)[op == "%"] if right else symbol("division by zero")
    if op == "&":
        return left & right
    if op == "|":
        return left | right
    if op == "^":
        return left ^ right
    if op in ("<<", ">>"):
        if not 0 <= right < 64:
            return symbol(op, left, right)
        return left << right if op == "<<" else left >> right
    return int(_COMPARE[op](left, right))


def _moved(op: str, left: Value, right: Value) -> Value:
    if op == "+" and isinstance(right, Pointer):
        left, right = right, left
    if op in ("+", "-") and isinstance(left, Pointer) and not isinstance(right, Pointer):
        scale = 1
        for size in left.dimensions[1:]:
            if size is None:
                return symbol(op, fingerprint(left), fingerprint(right))
            scale *= size
        return Pointer(left.region, mix(op, left.offset, mix("*", right, scale)), left.dimensions)
    return symbol(op, fingerprint(left), fingerprint(right))
