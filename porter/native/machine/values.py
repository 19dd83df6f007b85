"""What a kernel's execution is about: numbers, symbols for what is not known, and what threads do to memory."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Union

import numpy as np

from porter.native.ir.module import Type, Unread

__all__ = [
    "GLOBAL",
    "MODULE",
    "NULL",
    "PARAMETER",
    "PRIVATE",
    "SHARED",
    "TILE",
    "Asserted",
    "Element",
    "Load",
    "One",
    "Product",
    "Refused",
    "Scalar",
    "Staged",
    "Store",
    "Sum",
    "Sync",
    "Term",
    "TileStore",
    "as_type",
    "bits_of",
    "bound",
    "convert",
    "element_address",
    "filled",
    "joined",
    "of_thread",
    "piece",
    "shown",
    "signed",
    "sums_in",
    "zero",
]  # fmt: skip

# Where pointers point to, by their size: the n-th parameter of the kernel to (n + 1) * GLOBAL.
SHARED, PRIVATE, PARAMETER, MODULE, GLOBAL = 1 << 44, 1 << 45, 1 << 46, 1 << 47, 1 << 56
# Shared memory that a copy fills, as a load from it sees it: TILE, which warp loads (10 bits), after how many of its events
# (16), and the address (24). Such a load is one from parameter -1.
TILE = 1 << 54


class Refused(Exception):
    """The kernel does something that no native schedule is known for.

    at: where one instruction is the reason, innermost call first: a function and the number of its instruction.
    places: the same as file and line of the compiled text, once somebody has asked the module for them.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.at: list[tuple[str, int]] = []
        self.places: list[tuple[str, int]] = []


class Asserted(Refused):
    """An assertion of the kernel does not hold on this problem."""


# Those that are made by the million are not frozen, which takes twice the time; nobody changes them.
@dataclass(slots=True, unsafe_hash=True)
class Term:
    """An operation on symbols."""

    op: str
    parts: tuple[Scalar, ...] = ()
    word: str = ""  # a comparison's predicate


@dataclass(slots=True, unsafe_hash=True)
class Element:
    """Bytes of memory as they are before the kernel: of what a parameter points to, from an offset on."""

    parameter: int  # -1: of shared memory that a copy fills, see TILE
    offset: int
    size: int


NULL = Term("null")  # what a pointer among the parameters is compared with


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """One matrix instruction: of the tiles under two descriptors, or of the elements of memory that a warp's threads hold."""

    number: int  # in the machine's order
    kind: str  # the call's template arguments
    rows: int
    columns: int
    a: int | np.ndarray  # a descriptor; by row and k: the address that an element was loaded from, 0 for a zero
    b: int | np.ndarray
    place: Callable[[int, int], tuple[int, int]]  # row and column of a thread's n-th result
    when: tuple[int, int]  # one of the warps, and how many of its events were over

    @property
    def descriptors(self) -> tuple[int, int]:
        """Of both operands, where they are tiles."""
        if isinstance(self.a, int) and isinstance(self.b, int):
            return self.a, self.b
        raise Refused("operands of a product that are elements, not tiles")


@dataclass(slots=True, eq=False)
class Sum:
    """Element `element` of a thread's accumulators, after products. What leaves its thread knows it."""

    element: int
    products: tuple[Product, ...]
    thread: int = -1

    @property
    def ends(self) -> tuple[int, int, int]:
        """Tells the sums of one set of accumulators from another's."""
        return self.products[0].number, self.products[-1].number, len(self.products)


Scalar = Union[int, float, Term, Element, Sum]
One = Union[Scalar, tuple["One", ...]]  # of one thread, or the same in all of them


def bound(value: Scalar, thread: int) -> Scalar:
    """A value that leaves its thread."""
    if isinstance(value, Sum):
        return value if value.thread >= 0 else Sum(value.element, value.products, thread)
    if isinstance(value, Term) and value.parts and value.op != "parameter":
        return Term(value.op, tuple(bound(p, thread) for p in value.parts), value.word)
    return value


def sums_in(value: object) -> list[Sum]:
    if isinstance(value, Sum):
        return [value]
    return [one for part in value.parts for one in sums_in(part)] if isinstance(value, Term) else []


def of_thread(value: object) -> bool:
    """Does a value that threads have in common mean another sum in each of them?"""
    if isinstance(value, Sum):
        return value.thread < 0
    return isinstance(value, Term) and any(map(of_thread, value.parts))


@dataclass(frozen=True, slots=True)
class Load:
    """A copy to shared memory: a box of a tensor map, or bytes in a row."""

    map: int  # number of the kernel's parameter; -1: bytes from an address
    shared: int
    at: tuple[int, ...]  # coordinates; the address and the number of bytes
    ranks: int = 0  # the blocks of the cluster that get it, a bit each; 0: this one alone
    bar: int = -1  # the mbarrier that it arrives at


@dataclass(frozen=True, slots=True)
class Sync:
    """What orders threads. Of mbarriers: init, arrive, drop, expect, wait, token. Numbered barriers: meet, pass. wgmma's
    groups: commit, settle."""

    op: str
    place: int = 0
    count: int = 0
    extra: int = 0  # bytes that are expected
    token: int = 0  # an arrival's


@dataclass(slots=True, unsafe_hash=True)
class Store:
    address: int
    size: int
    value: Scalar


@dataclass(slots=True, unsafe_hash=True)
class Staged:
    """A value that a thread stores to shared memory, where it was not loaded as it is."""

    address: int
    size: int
    value: Scalar


@dataclass(frozen=True, slots=True)
class TileStore:
    map: int
    shared: int
    at: tuple[int, ...]


_SAID = {
    "compare": "a comparison of it", "parameter": "a parameter", "undefined": "what nobody wrote",
    "shared": "what is in shared memory", "sum": "a product's result", "pack": "bytes that are put together",
    "select": "a choice between values", "is.fpclass": "whether a number is a NaN or infinite",
}  # fmt: skip


def shown(value: object) -> str:
    """For a refusal."""
    if isinstance(value, Element):
        return "what is loaded"
    return _SAID.get(value.op, value.op) if isinstance(value, Term) else type(value).__name__.lower()


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 & 1 else value


@lru_cache(maxsize=1024)
def zero(kind: Type) -> One:
    if kind.kind == "float":
        return 0.0
    return filled(kind, 0)


def filled(kind: Type, value: Scalar) -> One:
    if kind.kind in ("array", "vector"):
        return tuple(filled(kind.fields[0], value) for _ in range(kind.count))
    if kind.kind == "struct":
        return tuple(filled(f, value) for f in kind.fields)
    return 0.0 if kind.kind == "float" and value == 0 and type(value) is int else value


def bits_of(value: float, size: int) -> int:
    letter = {2: "e", 4: "f", 8: "d"}[size]
    with_int = {2: "H", 4: "I", 8: "Q"}[size]
    try:
        return int(struct.unpack("<" + with_int, struct.pack("<" + letter, value))[0])
    except OverflowError:
        return int(struct.unpack("<" + with_int, struct.pack("<" + letter, math.copysign(math.inf, value)))[0])


def as_type(kind: Type, value: Scalar) -> Scalar:
    """A value of memory as a type asks for it."""
    if kind.kind == "float":
        if type(value) is int and kind.bits in (32, 64):
            letter = "f" if kind.bits == 32 else "d"
            return float(struct.unpack("<" + letter, value.to_bytes(kind.bits // 8, "little"))[0])
    elif type(value) is float:
        return bits_of(value, kind.size)
    elif type(value) is int and kind.kind == "int":
        return value & (1 << kind.bits) - 1
    return value


def piece(value: Scalar, size: int, at: int, length: int) -> Scalar:
    if (at, length) == (0, size):
        return value
    if type(value) is float:
        value = bits_of(value, size)
    if type(value) is int:
        return value >> 8 * at & (1 << 8 * length) - 1
    if isinstance(value, Term) and value.op == "pack":
        unit = size // len(value.parts)
        if at % unit == 0 and length % unit == 0:
            return joined([(unit, part) for part in value.parts[at // unit : (at + length) // unit]])
        if at // unit == (at + length - 1) // unit:
            return piece(value.parts[at // unit], unit, at % unit, length)
    if isinstance(value, Element):
        return Element(value.parameter, value.offset + at, length)
    return Term("piece", (value, at, length))


def joined(parts: Sequence[tuple[int, Scalar]]) -> Scalar:
    """Values of so many bytes each, the first one lowest, as one."""
    first = parts[0][1]
    if type(first) is int:
        total, shift = 0, 0
        for length, value in parts:
            if type(value) is not int:
                break
            total |= value << shift
            shift += 8 * length
        else:
            return total
    elif type(first) is Element:
        at = first.offset
        for length, value in parts:
            if type(value) is not Element or (value.parameter, value.offset, value.size) != (
                first.parameter,
                at,
                length,
            ):
                break
            at += length
        else:
            return Element(first.parameter, first.offset, at - first.offset)
    if len(parts) == 1:
        return parts[0][1]
    unit = min(length for length, _ in parts)  # parts of a pack are of one size
    return Term("pack", tuple(piece(v, n, at, unit) for n, v in parts for at in range(0, n, unit)))


def convert(op: str, source: Type, target: Type, value: One) -> One:
    if op == "bitcast":
        return _recast(source, target, value)
    if op not in _CONVERSIONS:
        raise Unread(op)
    if not isinstance(value, tuple):
        return _CONVERSIONS[op](source, target, value)
    if op in _OF_POINTERS:
        return value
    return tuple(convert(op, source.fields[0], target.fields[0], v) for v in value)


def _to_space(source: Type, target: Type, value: Scalar) -> Scalar:
    if type(value) is not int or (source.space == 3) == (target.space == 3):
        return value
    if target.space != 3:
        return value + SHARED
    return value - SHARED if value else value


def _pointer(source: Type, target: Type, value: Scalar) -> Scalar:
    return value & (1 << 8 * target.size) - 1 if type(value) is int else value


def _sign_extended(source: Type, target: Type, value: Scalar) -> Scalar:
    return signed(value, source.bits) & target.mask if type(value) is int else Term("sext", (value,))


def _narrowed(source: Type, target: Type, value: Scalar) -> Scalar:
    name = "bf16" if target.space else "f16" if target.bits == 16 else "f32"
    return value if type(value) is float else Term(name, (value,))


def _whole(op: str) -> Callable[[Type, Type, Scalar], Scalar]:
    def of(source: Type, target: Type, value: Scalar) -> Scalar:
        return int(value) & target.mask if type(value) is float else Term(op, (value,))

    return of


_OF_POINTERS = ("addrspacecast", "ptrtoint", "inttoptr")
_CONVERSIONS: dict[str, Callable[[Type, Type, Scalar], Scalar]] = {
    "addrspacecast": _to_space,
    "ptrtoint": _pointer,
    "inttoptr": _pointer,
    "trunc": lambda s, t, v: v & t.mask if type(v) is int else _truncated(v, t.bits),
    "zext": lambda s, t, v: v if type(v) is int else Term("zext", (v,)),
    "sext": _sign_extended,
    "uitofp": lambda s, t, v: float(v) if type(v) is int else Term("uitofp", (v,)),
    "sitofp": lambda s, t, v: float(signed(v, s.bits)) if type(v) is int else Term("sitofp", (v,)),
    "fptoui": _whole("fptoui"),
    "fptosi": _whole("fptosi"),
    "fptrunc": _narrowed,
    "fpext": lambda s, t, v: v if type(v) is float else Term("fpext", (v,)),
}


def _truncated(value: Scalar, bits: int) -> Scalar:
    if isinstance(value, Term):
        if value.op == "zext" and bits >= 16:
            return value.parts[0]
        if value.op == "zext" and bits == 8 and _is_codes(value.parts[0]):
            return piece(value.parts[0], 2, 0, 1)
        if value.op == "pack" and bits == 16:
            return value.parts[0]
    return Term("trunc", (value, bits))


def _is_codes(value: Scalar) -> bool:
    """Two of fp8."""
    return (
        isinstance(value, Term)
        and value.op == "pack"
        and all(isinstance(part, Term) and part.op in ("e4m3", "e5m2") for part in value.parts)
    )


def _recast(source: Type, target: Type, value: One) -> One:
    """The same bits as another type."""
    if isinstance(value, tuple):
        length = source.fields[0].size
        scalars = [v for v in value if not isinstance(v, tuple)]
        value = joined([(length, bits_of(v, length) if type(v) is float else v) for v in scalars])
    if target.kind == "vector":
        length, size = target.fields[0].size, target.size
        return tuple(as_type(target.fields[0], piece(value, size, i * length, length)) for i in range(target.count))
    return as_type(target, value)


def element_address(base: Type, types: Sequence[Type], values: Sequence[object]) -> int:
    """Of what a getelementptr of this type and these operands gives."""
    wholes = [v for v in values if type(v) is int]
    if len(wholes) != len(values):
        raise Refused("an address depends on data")
    at, *indices = wholes
    kind = base
    for number, (index_type, index) in enumerate(zip(types[1:], indices)):
        index = signed(index, index_type.bits)
        if number == 0:
            at += index * kind.size
        elif kind.kind == "struct":
            at += kind.offset(index)
            kind = kind.fields[index]
        else:
            kind = kind.fields[0]
            at += index * kind.size
    return at
