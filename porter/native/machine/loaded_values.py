"""What threads loaded from memory, of all of them at once: operands of matrix products are that until they are multiplied.

As values of single threads these are Element, Term("pack") of such, or the number 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

import numpy as np

from porter.native.ir.module import Type
from porter.native.machine.values import GLOBAL, Element, Scalar, joined

__all__ = ["Loaded", "Value", "contents", "is_zero", "joined_parts", "plain", "side_by_side"]


class Loaded:
    """`unit`: bytes of a part. `at`: by thread and part, GLOBAL * (parameter + 1) and the offset that the part was loaded
    from; 0 for a part that is the number 0, and for threads that have no value."""

    __slots__ = ("_values", "at", "unit")

    def __init__(self, unit: int, at: np.ndarray) -> None:
        self.unit = unit
        self.at = at
        self._values: np.ndarray | None = None

    @property
    def size(self) -> int:
        return int(self.unit * self.at.shape[1])

    def is_number(self, kind: Type) -> bool:
        """Is some of it a number, and not the same one as a value of this type?"""
        return kind.kind == "float" and kind.bits in (32, 64) and not self.at.all()

    def values(self) -> np.ndarray:
        """An array with a value for each thread."""
        if self._values is None:
            unit, rows = self.unit, self.at.tolist()
            array = np.empty(len(rows), object)
            if self.at.shape[1] == 1:
                array[:] = [Element(a // GLOBAL - 1, a % GLOBAL, unit) if a else 0 for (a,) in rows]
            else:
                array[:] = [
                    joined([(unit, Element(a // GLOBAL - 1, a % GLOBAL, unit) if a else 0) for a in row])
                    for row in rows
                ]
            self._values = array if self.at.any() else np.zeros(len(rows), np.uint64)
        return self._values

    def piece(self, at: int, length: int) -> Loaded | None:
        """Whole parts, or some bytes of one."""
        if (at, length) == (0, self.size):
            return self
        unit, first = self.unit, at // self.unit
        if at % unit == 0 and length % unit == 0:
            return side_by_side(unit, self.at[:, first : first + length // unit])
        if first != (at + length - 1) // unit:
            return None
        column = self.at[:, first : first + 1]
        return Loaded(length, np.where(column, column + at % unit, 0))

    def elements(self, size: int) -> np.ndarray | None:
        """By thread and element of `size` bytes, where it was loaded from."""
        if self.unit % size:
            return None
        if self.unit == size:
            return self.at
        steps = np.arange(0, self.unit, size)
        wide = self.at[:, :, None]
        addresses: np.ndarray = np.where(wide, wide + steps, 0).reshape(len(self.at), -1)
        return addresses


# Of all threads: what they have in common, an array with an element for each, or what they loaded. A tuple's parts are those
# of an aggregate.
Value = Union[Scalar, np.ndarray, Loaded, tuple["Value", ...]]


def side_by_side(unit: int, at: np.ndarray) -> Loaded:
    """Parts that are neighbours in memory are one."""
    if at.shape[1] > 1:
        first = at[:, :1]
        if (at == np.where(first, first + unit * np.arange(at.shape[1]), 0)).all():
            return Loaded(unit * at.shape[1], first)
    return Loaded(unit, at)


def joined_parts(parts: Sequence[tuple[int, Value]]) -> Loaded | None:
    """Of values with these numbers of bytes; None where some are neither loaded nor 0."""
    known = [value for _, value in parts if type(value) is Loaded]
    if not known:
        return None
    unit = min(min(v.unit for v in known), *(length for length, _ in parts))
    columns = []
    for length, value in parts:
        if type(value) is Loaded:
            elements = value.elements(unit)
            if elements is None:
                return None
            columns.append(elements)
        elif type(value) is int and value == 0 and length % unit == 0:
            columns.append(np.zeros((len(known[0].at), length // unit), np.int64))
        else:
            return None
    return side_by_side(unit, np.concatenate(columns, axis=1))


def contents(value: Value, like: Loaded, mask: np.ndarray) -> np.ndarray | None:
    """Parts of another value of these threads, as those of `like`, where it is loaded as well, or 0."""
    if type(value) is Loaded:
        return value.elements(like.unit) if value.size == like.size else None
    return np.zeros_like(like.at) if is_zero(value, mask) else None


def is_zero(value: Value, mask: np.ndarray) -> bool:
    """Is it the number 0 for all of these threads?"""
    if type(value) is np.ndarray:
        return value.dtype != object and not value[mask].any()
    return type(value) is int and value == 0


def plain(value: Value) -> Value:
    """The same with an element for each thread."""
    if type(value) is Loaded:
        return value.values()
    if type(value) is tuple:
        return tuple(plain(v) for v in value)
    return value
