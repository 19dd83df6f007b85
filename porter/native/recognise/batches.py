"""Several products in one launch: which of the block's indices counts them, and how far their matrices lie apart.

A block of the first product is known to be right when this is asked. A block of another problem must do the same,
except for its loads of A and B and its stores of C. Those lie further behind by bytes, rows or elements of a tensor
map's last dimension. The distance is a number among the kernel's arguments, or the product of two of them, whichever
number is changed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from porter.native.machine.state import Event
from porter.native.machine.values import GLOBAL, Asserted, Element, Refused, Scalar, Staged, Store, Sum, Term
from porter.native.recognise.problem import Behind
from porter.native.recognise.results import sums_in
from porter.native.recognise.size_guesses import amounts
from porter.native.recognise.traces import Trace

__all__ = ["Batches", "Matrices", "batches"]

Index = tuple[int, int, int]
Made = Callable[[Sequence["int | None"], Index], "Trace | None"]  # with these arguments, by the block of this index

_FREE = (3, 7, 13, 19, 29, 37, 43, 53)  # numbers that no size depends on become 4096 and 64 times such a prime
_NUMBERS = (1, 3, 6, 11)  # of the products that are compared with the first one
_FEW = (1, 3)  # what each number is set to, beside twice itself
_NO = "{} chooses what is computed: one of several products, or a part of k"


@dataclass(frozen=True, slots=True)
class Shift:
    """How far a matrix is behind that of the first product."""

    kind: str = ""  # as Behind's
    much: int = 0


@dataclass(frozen=True, slots=True)
class Matrices:
    """Numbers of the kernel's parameters, and bytes of an element."""

    a: tuple[int, int]
    b: tuple[int, int]
    c: tuple[int, int]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter((self.a, self.b, self.c))


@dataclass(frozen=True, slots=True)
class Batches:
    axis: str  # "y" or "z" of blockIdx
    a: Behind
    b: Behind
    c: Behind
    count: str  # C++ of what the index has to be less than, "" if the launch alone says


@dataclass(frozen=True, slots=True)
class _Trial:
    """Two blocks that are compared: of the first product, and of another one."""

    arguments: list[int | None]
    number: int  # of the other product
    other: int = 0  # both blocks' index apart from that which counts products
    changed: int | None = None  # the argument that is another than usual


@dataclass(frozen=True, slots=True)
class _Distances:
    """How far A, B and C of a product with this number lie behind the first one's."""

    arguments: Sequence[int | None]
    number: int
    shifts: tuple[Shift, Shift, Shift]


class _Failure(Enum):
    ASSERTS = "an assertion of the kernel does not hold"
    REFUSED = "it is no product"


def batches(
    made: Made, letters: Sequence[str], names: Sequence[str], problems: Sequence[Mapping[str, int]], of: Matrices, axis: int
) -> Batches:  # fmt: skip
    """problems: sizes, the ones with the fewest steps first."""

    def block(number: int, other: int) -> Index:
        place = [other, other, 0]
        place[axis] = number
        return place[0], place[1], place[2]

    reason = _NO.format("blockIdx." + "xyz"[axis])
    arguments = _apart(made, amounts(letters, problems[0]), of)
    wholes = [n for n, value in enumerate(arguments) if value is not None]
    seen: list[_Distances] = []
    limit: int | None = None  # the argument that says how many there are
    for trial in _trials(arguments, wholes, [amounts(letters, sizes) for sizes in problems[1:]]):
        first, second = (_outcome(made, trial.arguments, block(n, trial.other)) for n in (0, trial.number))
        if isinstance(first, Trace) and isinstance(second, Trace):
            seen.append(_Distances(trial.arguments, trial.number, _shifts(first, second, of, reason)))
        elif isinstance(first, Trace) and second is None and _is_one(trial) and limit in (None, trial.changed):
            limit = trial.changed
        elif first is not second:
            raise Refused(reason)
    if not any(one.shifts[2].much for one in seen):
        raise Refused(reason)
    shifts = [_explained([(one, one.shifts[n]) for one in seen], size, wholes, names) for n, (_, size) in enumerate(of)]
    a, b, c = shifts
    if a is None or b is None or c is None:
        raise Refused(reason)
    return Batches("xyz"[axis], a, b, c, names[limit] if limit is not None else "")


def _trials(arguments: list[int | None], wholes: Sequence[int], others: Sequence[list[int | None]]) -> Iterator[_Trial]:
    """others: arguments for products of other sizes."""
    for number in _NUMBERS:
        yield _Trial(arguments, number)
    yield _Trial(arguments, 2, other=1)
    for given in others:
        yield _Trial(given, 2)
    for n in wholes:
        for value in (*_FEW, 2 * (arguments[n] or 0)):
            yield _Trial([value if i == n else a for i, a in enumerate(arguments)], 2, changed=n)


def _is_one(trial: _Trial) -> bool:
    """Is the changed argument 1, so that it has no other product?"""
    return trial.changed is not None and trial.arguments[trial.changed] == 1


def _outcome(made: Made, arguments: Sequence[int | None], index: Index) -> Trace | _Failure | None:
    try:
        return made(arguments, index)
    except Asserted:
        return _Failure.ASSERTS
    except Refused:
        return _Failure.REFUSED


def _apart(made: Made, arguments: list[int | None], of: Matrices) -> list[int | None]:
    """Numbers that the first product does not depend on get values that tell them apart."""
    usual = made(arguments, (0, 0, 0))
    if usual is None:
        raise Refused("no matrix product")
    for n, value in enumerate(arguments):
        if value is None:
            continue
        other = 4096 + 64 * _FREE[n % len(_FREE)] + 4096 * (n // len(_FREE))
        trial = [other if i == n else a for i, a in enumerate(arguments)]
        trace = _outcome(made, trial, (0, 0, 0))
        try:
            if isinstance(trace, Trace) and _shifts(usual, trace, of, "") == (Shift(),) * 3:
                arguments = trial
        except Refused:
            continue
    return arguments


def _explained(
    seen: Sequence[tuple[_Distances, Shift]], size: int, wholes: Sequence[int], names: Sequence[str]
) -> Behind | None:
    """What a matrix is behind in each trial: a number, or the product of two."""
    kinds = {shift.kind for _, shift in seen if shift.much}
    if not kinds:
        return Behind()
    if len(kinds) > 1:
        return None
    kind = kinds.pop()
    unit = size if kind == "elements" else 1
    if kind == "map":
        return Behind("map") if all(shift.much == trial.number for trial, shift in seen) else None
    for factors in (*((n,) for n in wholes), *((m, n) for m in wholes for n in wholes if m <= n)):
        if all(
            shift.much == trial.number * unit * math.prod(trial.arguments[n] or 0 for n in factors)
            for trial, shift in seen
        ):
            return Behind(kind, " * ".join(names[n] for n in factors))
    return None


# What two blocks do


def _shifts(first: Trace, second: Trace, of: Matrices, reason: str) -> tuple[Shift, Shift, Shift]:
    """How far the second block's A, B and C are behind the first one's. Refused if anything else differs."""
    if len(first.products) != len(second.products) or set(first.tiles.loads) != set(second.tiles.loads):
        raise Refused(reason)
    if any(layout.is_map for trace in (first, second) for layout in trace.layouts or ()):
        raise Refused(reason)  # elements of what tensor maps bring: how far those move is not looked at
    shifts: list[set[Shift]] = [set(), set(), set()]
    for p, q in zip(first.products, second.products):
        if (p.kind, p.rows, p.columns) != (q.kind, q.rows, q.columns):
            raise Refused(reason)
        for n, (one, other) in enumerate(((p.a, q.a), (p.b, q.b))):
            if type(one) is not int:
                shifts[n] |= _apart_in_memory(first.tables[id(one)], second.tables[id(other)], reason)
            elif one != other:
                raise Refused(reason)
    for (map, place), loads in first.tiles.loads.items():
        shift = _moved(sorted(loads), sorted(second.tiles.loads[map, place]), reason)
        owners = [n for n, (parameter, _) in enumerate(of) if parameter == map and n < 2]
        if shift.much and not owners:
            raise Refused(reason)
        for n in owners:
            shifts[n].add(shift)
    shifts[2] = _stores(first, second, of.c[0], reason)
    if any(len(one) != 1 for one in shifts):
        raise Refused(reason)
    a, b, c = (one.pop() for one in shifts)
    return a, b, c


def _apart_in_memory(one: np.ndarray, other: np.ndarray, reason: str) -> set[Shift]:
    there = one != 0
    if one.shape != other.shape or (there != (other != 0)).any():
        raise Refused(reason)
    return {Shift("elements" if much else "", int(much)) for much in set((other - one)[there].tolist())}


def _moved(first: Sequence[tuple[int, int, int]], second: Sequence[tuple[int, int, int]], reason: str) -> Shift:
    """Of a map's coordinates."""
    steps = {tuple(b - a for a, b in zip(p, q)) for p, q in zip(first, second)}
    if len(first) != len(second) or len(steps) != 1:
        raise Refused(reason)
    across, down, behind = steps.pop()
    if across or (down and behind) or (behind and any(at[2] for at in first)):
        raise Refused(reason)
    return Shift("map", behind) if behind else Shift("rows", down) if down else Shift()


def _stores(first: Trace, second: Trace, parameter: int, reason: str) -> set[Shift]:
    shifts: set[Shift] = set()
    if len(first.stores) != len(second.stores):
        raise Refused(reason)
    for one, other in zip(first.stores, second.stores):
        if (one.map, one.shared) != (other.map, other.shared):
            raise Refused(reason)
        at, to = ((*s.at, 0, 0)[:3] for s in (one, other))
        shifts.add(_moved([(at[0], at[1], at[2])], [(to[0], to[1], to[2])], reason))
    for events, others in zip(first.threads, second.threads):
        mine, theirs = (list(filter(_is_result, some)) for some in (events, others))
        if len(mine) != len(theirs):
            raise Refused(reason)
        for a, b in zip(mine, theirs):
            if isinstance(a, Store) and isinstance(b, Store):
                much = b.address - a.address
                if a.size != b.size or a.address // GLOBAL != b.address // GLOBAL:
                    raise Refused(reason)
                shifts.add(Shift("elements" if much else "", much))
                alike = _alike(a.value, b.value, parameter, much)
            else:
                alike = isinstance(a, Staged) and isinstance(b, Staged) and _staged_alike(a, b, parameter)
            if not alike:
                raise Refused(reason)
    return shifts


def _is_result(event: Event) -> bool:
    """Operands that go to shared memory are looked at in products."""
    return isinstance(event, Store) or (isinstance(event, Staged) and bool(sums_in(event.value)))


def _staged_alike(one: Staged, other: Staged, parameter: int) -> bool:
    return (one.address, one.size) == (other.address, other.size) and _alike(one.value, other.value, parameter, 0)


def _alike(one: Scalar, other: Scalar, parameter: int, much: int) -> bool:
    """Are values the same, but for what they load of C?"""
    if isinstance(one, Sum):
        return isinstance(other, Sum) and (one.element, one.thread, one.ends) == (
            other.element,
            other.thread,
            other.ends,
        )
    if isinstance(one, Element) and isinstance(other, Element) and one.parameter == other.parameter == parameter:
        return (one.offset + much, one.size) == (other.offset, other.size)
    if isinstance(one, Term) and isinstance(other, Term):
        return (
            (one.op, one.word) == (other.op, other.word)
            and len(one.parts) == len(other.parts)
            and all(_alike(a, b, parameter, much) for a, b in zip(one.parts, other.parts))
        )
    return type(one) is type(other) and bool(one == other)
