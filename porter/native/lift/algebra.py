"""Values over the reals: quotients of sums of products, with exponentials that are formal.

A term is a coefficient, a product of atoms, and an exponent of two: `3 x y 2^(s - m)`. Exponents are such sums themselves,
without a denominator. So what an online softmax does to its sums, which is to scale them by 2^(m - m') whenever its maximum
grows, cancels when terms are multiplied; what two kernels compute is the same if their forms are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Union

from porter.native.machine.values import Refused

__all__ = ["MINUS_INFINITY", "Algebra", "Atom", "Form", "Monomial", "Poly", "Quotient"]

Atom = tuple[Union[str, int, frozenset[int]], ...]  # its kind first
Monomial = tuple[tuple[int, ...], int]  # numbers of atoms in their order, and the number of an exponent
Poly = Mapping[Monomial, float]
_ONE: Monomial = ((), 0)
_HUGE = 1e18  # kernels begin maxima with the negative of that or more
_SMALL = 1e-6  # of the largest coefficient: what constants such as 1.44269504f leave when they cancel


@dataclass(frozen=True, slots=True, eq=False)
class Quotient:
    above: Poly
    below: Poly

    @property
    def is_whole(self) -> bool:
        return len(self.below) == 1 and self.below.get(_ONE) == 1.0

    @property
    def constant(self) -> float | None:
        """Its value, where it is a number."""
        if not self.above:
            return 0.0
        if self.is_whole and len(self.above) == 1:
            return self.above.get(_ONE)
        return None


class _MinusInfinity:
    pass


MINUS_INFINITY = _MinusInfinity()
Form = Union[Quotient, _MinusInfinity]
_UNIT: Poly = {_ONE: 1.0}


@dataclass
class Algebra:
    """Forms whose atoms and exponents are known by numbers."""

    atoms: list[Atom] = field(default_factory=list)
    exponents: list[Poly] = field(default_factory=lambda: [{}])
    _atom_numbers: dict[Atom, int] = field(default_factory=dict)
    _exponent_numbers: dict[tuple[tuple[Monomial, float], ...], int] = field(default_factory=lambda: {(): 0})
    _sums: dict[tuple[int, int], int] = field(default_factory=dict)

    # What there is

    def number(self, value: float) -> Form:
        if value <= -_HUGE:
            return MINUS_INFINITY
        if not math.isfinite(value):
            raise Refused("an infinite number or a NaN")
        return Quotient({_ONE: value} if value else {}, _UNIT)

    def atom(self, atom: Atom) -> Quotient:
        return Quotient({((self.atom_number(atom),), 0): 1.0}, _UNIT)

    def atom_number(self, atom: Atom) -> int:
        if atom not in self._atom_numbers:
            self._atom_numbers[atom] = len(self.atoms)
            self.atoms.append(atom)
        return self._atom_numbers[atom]

    def exponent_number(self, poly: Poly) -> int:
        key = tuple(sorted(poly.items()))
        if key not in self._exponent_numbers:
            self._exponent_numbers[key] = len(self.exponents)
            self.exponents.append(dict(key))
        return self._exponent_numbers[key]

    # What is done with it

    def add(self, left: Form, right: Form) -> Form:
        if not isinstance(left, Quotient) or not isinstance(right, Quotient):
            return MINUS_INFINITY
        if not left.above or not right.above:
            return right if not left.above else left
        if left.below == right.below:
            return Quotient(_added(left.above, right.above), left.below)
        above = _added(self._multiplied(left.above, right.below), self._multiplied(right.above, left.below))
        return Quotient(above, self._multiplied(left.below, right.below))

    def inner(self, pairs: Iterable[tuple[Form, Form]]) -> Form:
        """The sum of products, of forms that are no quotients."""
        result: dict[Monomial, float] = {}
        for left, right in pairs:
            product = self.multiply(left, right)
            if not isinstance(product, Quotient) or not product.is_whole:
                raise Refused("a product of quotients or infinite numbers")
            for monomial, coefficient in product.above.items():
                result[monomial] = result.get(monomial, 0.0) + coefficient
        return Quotient(result, _UNIT)

    def negative(self, value: Form) -> Form:
        return self.multiply(self.number(-1.0), value)

    def multiply(self, left: Form, right: Form) -> Form:
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, Quotient):
                if isinstance(other, Quotient) and self.is_positive(other):
                    return MINUS_INFINITY
                raise Refused("an infinite number that is multiplied")
        assert isinstance(left, Quotient) and isinstance(right, Quotient)
        return Quotient(self._multiplied(left.above, right.above), self._multiplied(left.below, right.below))

    def divide(self, left: Form, right: Form) -> Form:
        if not isinstance(right, Quotient) or not right.above:
            raise Refused("a division by zero or by an infinite number")
        return self.multiply(left, Quotient(right.below, right.above))

    def exp2(self, value: Form) -> Form:
        if not isinstance(value, Quotient):
            return self.number(0.0)
        if not value.is_whole:
            raise Refused("an exponential of a quotient")
        return Quotient({((), self.exponent_number(value.above)): 1.0}, _UNIT)

    def log2(self, value: Form) -> Form:
        """The exponent that all terms share stands beside the logarithm."""
        if not isinstance(value, Quotient) or not value.above:
            return MINUS_INFINITY
        shared = self.shared(value.above)
        kept = self.without(value.above, shared), self.without(value.below, self.shared(value.below))
        if kept[0] == kept[1] == _UNIT:
            return Quotient(self.exponents[shared], _UNIT)
        inner = tuple(self.exponent_number(part) for part in kept)
        outside = self.exponents[self._sum(shared, self.shared(value.below), -1.0)]
        return self.add(self.atom(("log2", *inner)), Quotient(outside, _UNIT))

    def largest(self, values: Iterable[Form]) -> Form:
        """Of values; a maximum among them is that of its own."""
        parts: set[int] = set()
        for value in values:
            if not isinstance(value, Quotient):
                continue
            if not value.is_whole:
                raise Refused("a maximum of quotients")
            inner = self._maximum(value)
            parts |= inner if inner is not None else {self.exponent_number(value.above)}
        if not parts:
            return MINUS_INFINITY
        if len(parts) == 1:
            return Quotient(self.exponents[parts.pop()], _UNIT)
        return self.atom(("max", frozenset(parts)))

    def function(self, name: str, value: Form) -> Form:
        """One that nothing is known of, but that equal values have equal results."""
        if not isinstance(value, Quotient):
            raise Refused(f"{name} of an infinite number")
        parts = (self.exponent_number(value.above), self.exponent_number(value.below))
        return self.atom((name, *parts))

    # What is known of it

    def is_positive(self, value: Quotient) -> bool:
        """Sums of exponentials; the kernel's parameters are taken to be."""
        terms = (*value.above.items(), *value.below.items())
        return bool(value.above) and all(c > 0 and all(self._positive(a) for a in m[0]) for m, c in terms)

    def _positive(self, number: int) -> bool:
        return self.atoms[number][0] == "parameter"

    def shared(self, poly: Poly) -> int:
        """The part of exponents with maxima in them, which all terms have; 0 where they do not."""
        parts = {self._of_maxima(exponent) for _, exponent in poly}
        return parts.pop() if len(parts) == 1 else 0

    def _of_maxima(self, exponent: int) -> int:
        poly = self.exponents[exponent]
        chosen = {m: c for m, c in poly.items() if any(self.atoms[a][0] == "max" for a in m[0])}
        return self.exponent_number(chosen)

    def without(self, poly: Poly, exponent: int) -> Poly:
        """Terms over 2^exponent."""
        if not exponent:
            return poly
        return {(atoms, self._sum(one, exponent, -1.0)): c for (atoms, one), c in poly.items()}

    def reduced(self, value: Form) -> Quotient:
        """Without what all terms above and below have in common."""
        if not isinstance(value, Quotient):
            raise Refused("an infinite result")
        shared = self.shared(value.below)
        above = self.shared(value.above) if value.above else shared
        if shared != above:
            return value
        return Quotient(self.without(value.above, shared), self.without(value.below, shared))

    def _maximum(self, value: Quotient) -> frozenset[int] | None:
        if len(value.above) != 1:
            return None
        ((atoms, exponent), coefficient) = next(iter(value.above.items()))
        if exponent or coefficient != 1.0 or len(atoms) != 1:
            return None
        kind, *parts = self.atoms[atoms[0]]
        return parts[0] if kind == "max" and isinstance(parts[0], frozenset) else None

    def _sum(self, left: int, right: int, factor: float = 1.0) -> int:
        if not right:
            return left
        key = (left, right) if factor == 1.0 else (left, -right)
        if key not in self._sums:
            scaled = {m: factor * c for m, c in self.exponents[right].items()}
            self._sums[key] = self.exponent_number(_added(self.exponents[left], scaled))
        return self._sums[key]

    def _multiplied(self, left: Poly, right: Poly) -> Poly:
        if right is _UNIT or (len(right) == 1 and right.get(_ONE) == 1.0):
            return left
        if left is _UNIT or (len(left) == 1 and left.get(_ONE) == 1.0):
            return right
        result: dict[Monomial, float] = {}
        for (a, x), c in left.items():
            for (b, y), d in right.items():
                atoms = a + b if not a or not b else tuple(sorted(a + b))
                key = atoms, self._sum(x, y)
                result[key] = result.get(key, 0.0) + c * d
        return result


def _added(left: Poly, right: Poly) -> Poly:
    if len(left) < len(right):
        left, right = right, left
    result = dict(left)
    for monomial, coefficient in right.items():
        total = result.get(monomial, 0.0) + coefficient
        if abs(total) <= _SMALL * abs(coefficient):
            result.pop(monomial, None)
        else:
            result[monomial] = total
    return result
