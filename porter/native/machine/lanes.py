"""Values of all threads of a block at once: what they have in common, or an array with an element for each.

Whole numbers that differ are arrays of uint64; whatever else differs (symbols, floats) are arrays of objects. What was loaded
from memory may be a Loaded instead, which is asked for by name: see Machine.raw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeGuard

import numpy as np

from porter.native.machine.arithmetic import PLAIN
from porter.native.machine.loaded_values import Loaded, Value, contents, plain
from porter.native.machine.values import Asserted, One, piece, signed

__all__ = [
    "COMPARISONS",
    "Active",
    "Many",
    "compared",
    "each",
    "is_whole",
    "listed",
    "merged",
    "one_of",
    "part_of",
    "whole_numbers",
    "widened",
]

Many = np.ndarray  # of uint64 or of objects


@dataclass(frozen=True)
class Active:
    """The threads that an instruction is executed by."""

    mask: np.ndarray  # of bool

    @cached_property
    def threads(self) -> list[int]:
        return list(np.flatnonzero(self.mask).tolist())

    @cached_property
    def all(self) -> bool:
        return bool(self.mask.all())

    @cached_property
    def first(self) -> int:
        return int(self.mask.argmax())


def listed(value: Value, count: int) -> list[Any]:
    if type(value) is Loaded:
        value = value.values()
    return value.tolist() if type(value) is Many else [value] * count


def each(active: Active, function: Callable[..., One], *values: Value) -> Value:
    """A function of numbers and symbols, of every thread's."""
    if not any(type(v) is Many or type(v) is Loaded for v in values):
        return function(*values)
    count = len(active.mask)
    columns = [listed(v, count) for v in values]
    results: list[One | None] = [None] * count
    known: dict[int | tuple[int, ...], One] = {}  # threads of a warp have one sum, and one value of it
    if len(columns) == 1:
        (column,) = columns
        for thread in active.threads:
            value = column[thread]
            key: int | tuple[int, ...] = id(value)
            if key not in known:
                known[key] = function(value)
            results[thread] = known[key]
        return gathered(active, results)
    for thread in active.threads:
        row = [c[thread] for c in columns]
        key = tuple(map(id, row))
        if key not in known:
            known[key] = function(*row)
        results[thread] = known[key]
    return gathered(active, results)


def gathered(active: Active, results: Sequence[Any]) -> Value:
    first = results[active.first]
    if type(first) is tuple:
        return tuple(gathered(active, [r if r is None else r[part] for r in results]) for part in range(len(first)))
    if all(type(results[t]) is int for t in active.threads):
        return np.array([r or 0 for r in results], np.uint64)
    array = np.empty(len(results), object)
    array[:] = results
    return array


def part_of(active: Active, value: Value, size: int, at: int, length: int) -> Value:
    """Some bytes of a value of `size` bytes."""
    if type(value) is Loaded and value.size == size:
        loaded = value.piece(at, length)
        if loaded is not None:
            return loaded
    if type(value) is Many and value.dtype != object:
        numbers: np.ndarray = value >> np.uint64(8 * at) & np.uint64((1 << 8 * length) - 1)
        return numbers
    return each(active, lambda v: piece(v, size, at, length), value)


def one_of(active: Active, value: Value) -> Value:
    """What all active threads have in common, where that is one thing."""
    if type(value) is not Many:
        return value
    first = value[active.first]
    if value.dtype != object:
        alike = value == first if active.all else value[active.mask] == first
        return int(first) if alike.all() else value
    return first if all(v is first for v in value[active.mask]) else value


def _objects(value: Value, count: int) -> np.ndarray:
    if type(value) is Many:
        return value.astype(object)
    array = np.empty(count, object)
    array.fill(value)
    return array


def is_whole(value: Value | None) -> TypeGuard[int | np.ndarray]:
    """Whole numbers of all threads?"""
    return type(value) is int or (type(value) is Many and value.dtype != object)


def _array(value: int | np.ndarray) -> Any:
    return value if type(value) is Many else np.uint64(value)


def merged(active: Active, new: Value, old: Value) -> Value:
    """The new value of active threads, the old one of others."""
    if new is old:
        return new
    if type(new) is tuple and type(old) is tuple and len(new) == len(old):
        return tuple(merged(active, n, o) for n, o in zip(new, old))
    if type(new) is Loaded or type(old) is Loaded:
        like = min((v for v in (new, old) if type(v) is Loaded), key=lambda v: v.unit)
        ours, theirs = contents(new, like, active.mask), contents(old, like, ~active.mask)
        if ours is not None and theirs is not None:
            return Loaded(like.unit, np.where(active.mask[:, None], ours, theirs))
        new, old = plain(new), plain(old)
    if is_whole(new) and is_whole(old):
        if type(new) is int and type(old) is int and new == old:
            return new
        whole: np.ndarray = np.where(active.mask, _array(new), _array(old))
        return whole
    if type(new) is tuple or type(old) is tuple:
        return new  # what the others had was of another type, and is not used
    count = len(active.mask)
    return np.where(active.mask, _objects(new, count), _objects(old, count))


def _signed(value: int | np.ndarray, bits: int) -> Any:
    if not isinstance(value, Many):
        return np.int64(signed(int(value), bits))
    spare = np.uint64(64 - bits)
    return (value << spare).view(np.int64) >> np.int64(64 - bits)


def widened(value: np.ndarray, bits: int, mask: int) -> np.ndarray:
    """With copies of its sign before it."""
    wide: np.ndarray = _signed(value, bits).view(np.uint64) & np.uint64(mask)
    return wide


def whole_numbers(active: Active, op: str, left: int | np.ndarray, right: int | np.ndarray, bits: int) -> np.ndarray:
    """Of arrays, or of an array and a number."""
    mask = np.uint64((1 << bits) - 1)
    a, b = _array(left), _array(right)
    result: np.ndarray
    if op in PLAIN:
        result = PLAIN[op](a, b) & mask
    elif op == "ashr":
        by = np.minimum(b, np.uint64(63)).astype(np.int64)
        result = (_signed(a, bits) >> by).view(np.uint64) & mask
    elif op in ("shl", "lshr"):
        by = np.minimum(b, np.uint64(63))
        result = np.where(b < bits, (a << by if op == "shl" else a >> by) & mask, np.uint64(0))
    else:
        result = _divided(active, op, a, b, bits) & mask
    return result


def _divided(active: Active, op: str, a: Any, b: Any, bits: int) -> Any:
    unused = b == 0
    if (unused & active.mask).any():
        raise Asserted("a division by zero on the problems that were tried")
    if type(b) is Many:
        b = np.where(unused, np.uint64(1), b)
    if op in ("udiv", "urem"):
        return a // b if op == "udiv" else a % b
    x: Any = _signed(a, bits)
    y: Any = _signed(b, bits)
    quotient = np.abs(x) // np.abs(y) * np.where((x < 0) == (y < 0), np.int64(1), np.int64(-1))
    return (quotient if op == "sdiv" else x - quotient * y).view(np.uint64)


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip


def compared(predicate: str, left: int | np.ndarray, right: int | np.ndarray, bits: int) -> np.ndarray:
    if predicate[0] == "s":
        a, b = _signed(left, bits), _signed(right, bits)
    else:
        a, b = _array(left), _array(right)
    result: np.ndarray = COMPARISONS[predicate[-2:]](a, b).astype(np.uint64)
    return result
