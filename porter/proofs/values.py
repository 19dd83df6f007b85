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


class Terms:
    """An operation whose operands' order and repetition do not matter: max, min, and, or."""

    __slots__ = ("_print", "items", "kind")

    def __init__(self, kind: str, items: frozenset[int]) -> None:
        self.kind = kind
        self.items = items  # fingerprints
        self._print = -1

    def fingerprint(self) -> int:
        if self._print < 0:
            self._print = int(symbol("terms", self.kind, self.items))
        return self._print


@dataclass(eq=False)
class Region:
    """Memory with addresses of its own: a shared array, or one thread's local array."""

    name: str
    type: str
    dimensions: tuple[int | None, ...]
    base: Sym
    items: dict[int, Any] = field(default_factory=dict)  # by offset, on top of what `base` stands for
    top: int = -1  # the highest offset that was used

    @property
    def size(self) -> int | None:
        size = 1
        for dimension in self.dimensions:
            if dimension is None:
                return None
            size *= dimension
        return size

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
    """The symbol for these parts: equal parts give equal symbols."""
    return Sym(hash(parts) % _FIELD)


NEG_INFINITY = Sym(-symbol("name", "INFINITY") % _FIELD)


def fingerprint(value: Any) -> int:
    """One number for any value, the same for equal values."""
    if isinstance(value, int):
        return int(value) % _FIELD
    if isinstance(value, Terms):
        return value.fingerprint()
    if isinstance(value, Pointer):
        return int(symbol("pointer", value.region.name, fingerprint(value.offset)))
    if isinstance(value, Struct):
        return int(symbol("struct", value.base, tuple((k, fingerprint(v)) for k, v in value.fields)))
    return int(symbol("other", str(value)))


def negate(condition: Value) -> Value:
    """The opposite condition: a number for a number, a symbol for anything else."""
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
    # all threads of a wave end up with the same sets: each union is made once
    key = kind, fingerprint(left), fingerprint(right)
    known = _joined.get(key)
    if known is not None:
        return known
    items = _items(kind, left) | _items(kind, right)
    if kind == "max":
        items -= {int(NEG_INFINITY)}
    elif kind == "min":
        items -= {-int(NEG_INFINITY) % _FIELD}
    elif kind in ("or", "lor"):
        items -= {0}
    result = _terms(kind, items, left, right)
    if len(_joined) > _MOST_JOINED:
        _joined.clear()
    _joined[key] = result
    return result


_joined: dict[tuple[str, int, int], Value] = {}
_MOST_JOINED = 50_000


def _items(kind: str, value: Value) -> frozenset[int]:
    return value.items if isinstance(value, Terms) and value.kind == kind else frozenset((fingerprint(value),))


def _terms(kind: str, items: frozenset[int], left: Value, right: Value) -> Value:
    if len(items) > 1:
        return Terms(kind, items)
    if not items:
        return 0 if kind == "xor" else left
    return (
        right
        if items == frozenset((fingerprint(right),))
        else left
        if items == frozenset((fingerprint(left),))
        else Sym(*items)
    )


def _exclusive(left: Value, right: Value) -> Value:
    return _terms("xor", (_items("xor", left) ^ _items("xor", right)) - {0}, left, right)


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
