"""Addresses, which are numbers as long as they do not depend on data.

One of a shared array or of a thread's variable that does is a place: the number it starts from, and what is added to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from porter.native.ir.module import Type
from porter.native.machine.lanes import Active, Many, each, is_whole
from porter.native.machine.loaded_values import Value
from porter.native.machine.values import PARAMETER, SHARED, Scalar, Term, signed

__all__ = ["ROOM", "may_be_shared", "moved", "of_element"]

ROOM = 1 << 20  # bytes from one variable to the next: an address says which one it is of


def may_be_shared(value: object) -> bool:
    """Is it an address of shared memory or of a variable, or a choice of such?"""
    if isinstance(value, Term):
        return value.op in ("place", "lost") or (value.op == "select" and any(map(may_be_shared, value.parts[1:])))
    return type(value) is int and SHARED <= value < PARAMETER


def moved(active: Active, address: Value, offset: int) -> Value:
    if offset == 0:
        return address
    if is_whole(address):
        return address + (np.uint64(offset) if type(address) is Many else offset)
    return each(active, lambda at: moved_by(at, offset), address)


def moved_by(address: Any, offset: Any) -> Scalar:
    """An address and a number of bytes; one that depends on data stays with its variable."""
    if type(offset) is int:
        if type(address) is int:
            return address + offset
        if offset == 0:
            return address  # type: ignore[no-any-return]
        if isinstance(address, Term) and address.op == "place":
            return Term("place", (address.parts[0] + offset, address.parts[1]))  # type: ignore[operator]
    elif type(address) is int and SHARED <= address < PARAMETER:
        return Term("place", (address, offset))
    elif isinstance(address, Term) and address.op == "place":
        return Term("place", (address.parts[0], Term("add", (address.parts[1], offset))))
    return Term("add", (address, offset))


def of_element(base: Type, types: Sequence[Type], values: Sequence[Any]) -> Scalar:
    at, kind = values[0], base
    for number, (index_type, index) in enumerate(zip(types[1:], values[1:])):
        if number and kind.kind == "struct":
            at, kind = moved_by(at, kind.offset(index)), kind.fields[index]
            continue
        kind = kind.fields[0] if number else kind
        if type(index) is int:
            at = moved_by(at, signed(index, index_type.bits) * kind.size)
        else:
            at = moved_by(at, Term("mul", (index, kind.size)))
    return cast(Scalar, at)
