"""What warps do together apart from products: loads and stores of matrices' fragments (ldmatrix, stmatrix), shuffles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from porter.native.ir.module import Instruction, Type
from porter.native.machine.lanes import Many, gathered, listed
from porter.native.machine.loaded_values import Loaded, Value, joined_parts
from porter.native.machine.machine import Machine
from porter.native.machine.values import (
    SHARED,
    Element,
    Refused,
    Scalar,
    Term,
    bound,
    joined,
    of_thread,
    piece,
)

__all__ = ["ldmatrix", "shared_address", "shuffled", "stmatrix", "warps"]

_WORD = Type("int", 32)


def shared_address(m: Machine, value: Value) -> int | np.ndarray:
    """A pointer or an address of shared memory as that."""
    if type(value) is Many and value.dtype != object:
        return np.where(value >= SHARED, value - np.uint64(SHARED), value)
    if type(value) is not int:
        raise Refused("an address of shared memory depends on data")
    return value - SHARED if value >= SHARED else value


def warps(m: Machine, in_order: bool = False) -> Iterator[tuple[int, list[int]]]:
    """The threads of each warp, by CUDA's lane: one of two where warps are mirrored. In order: all of them."""
    for warp, begin in enumerate(range(0, len(m.state.active.mask), m.state.warp)):
        there = m.state.active.mask[begin : begin + m.state.warp]
        if there.all():
            if not m.state.mirrored or in_order:
                yield warp, list(range(begin, begin + m.state.warp))
            else:
                yield warp, [begin + (lane % 4 << 4 | (lane // 4 & 6) << 1 | lane // 4 & 1) for lane in range(32)]
        elif there.any():
            raise Refused("a part of a warp multiplies or exchanges")


# Matrices in shared memory


def ldmatrix(m: Machine, one: Instruction, values: list[Value]) -> None:
    rows, *places = values
    transposed = "<true" in m.module.title(str(one.detail))
    count = len(m.state.active.mask)
    rows = shared_address(m, rows)
    at_once = _matrices(m, rows, len(places), transposed) if type(rows) is Many else None
    if at_once is not None:
        for place, loaded in zip(places, at_once):
            m.memory.store(place, _WORD, loaded)
        return
    addresses = listed(rows, count)
    results: list[list[Scalar | None]] = [[None] * count for _ in places]
    for _, lanes in warps(m):
        for number, result in enumerate(results):
            for lane, thread in enumerate(lanes):
                row, pair = lane // 4, lane % 4
                if transposed:
                    places_of = [addresses[lanes[8 * number + 2 * pair + i]] + 2 * row for i in (0, 1)]
                    halves = [m.memory.load_shared(thread, at + SHARED, 2) for at in places_of]
                    apart = all(type(h) in (Term, Element) for h in halves)  # in two rows
                    result[thread] = Term("pack", tuple(halves)) if apart else joined([(2, h) for h in halves])
                else:
                    at = addresses[lanes[8 * number + row]] + 4 * pair
                    result[thread] = m.memory.load_shared(thread, at + SHARED, 4)
    _to_mirrors(m, results)
    for place, result in zip(places, results):
        m.memory.store(place, _WORD, gathered(m.state.active, result))


def _matrices(m: Machine, rows: Many, count: int, transposed: bool) -> list[Loaded] | None:
    """Words that ldmatrix gives, where all of them were loaded from memory; None: not known at once."""
    threads = np.array([lanes for _, lanes in warps(m)])  # by warp and CUDA's lane
    lane = np.arange(32)
    words = []
    for number in range(count):
        halves = []
        for half in range(2 if transposed else 1):
            row = 8 * number + (2 * (lane % 4) + half if transposed else lane // 4)
            within = 2 * (lane // 4) if transposed else 4 * (lane % 4)
            places = rows[threads[:, row]] + (within + SHARED).astype(np.uint64)
            one = m.memory.loaded(threads.ravel(), places.ravel(), 2 if transposed else 4)
            if one is None:
                return None
            halves.append(one)
        word = joined_parts([(2, one) for one in halves]) if transposed else halves[0]
        if word is None:
            return None
        if m.state.mirrored:
            mirrors = np.flatnonzero(m.state.active.mask & (np.arange(len(word.at)) & 2 != 0))
            word.at[mirrors] = word.at[mirrors ^ 2]
        words.append(word)
    return words


def _to_mirrors(m: Machine, results: Sequence[list[Scalar | None]]) -> None:
    if m.state.mirrored:
        for result in results:
            for thread in m.state.active.threads:
                if thread & 2:
                    result[thread] = result[thread ^ 2]


def stmatrix(m: Machine, one: Instruction, values: list[Value]) -> None:
    rows, *words = values
    transposed = "<true" in m.module.title(str(one.detail))
    count = len(m.state.active.mask)
    addresses = listed(shared_address(m, rows), count)
    for _, lanes in warps(m):
        for number, word in enumerate(words):
            column = listed(word, count)
            for lane, thread in enumerate(lanes):
                row, pair = lane // 4, lane % 4
                if transposed:
                    for i in (0, 1):
                        at = addresses[lanes[8 * number + 2 * pair + i]] + 2 * row
                        m.memory.store_shared(thread, at + SHARED, 2, piece(column[thread], 4, 2 * i, 2))
                else:
                    at = addresses[lanes[8 * number + row]] + 4 * pair
                    m.memory.store_shared(thread, at + SHARED, 4, column[thread])


def shuffled(m: Machine, one: Instruction, name: str, values: list[Value]) -> Value:
    """HIP's have the value first, CUDA's a mask before it."""
    at = 0 if one.operands[0][0] == one.type and len(values) < 4 else 1
    value, lane = values[at], values[at + 1]
    if type(value) is not Many and not of_thread(value):
        return value
    width = m.known(values[at + 2]) if len(values) > at + 2 else 32
    if m.state.mirrored or width != 32:
        raise Refused("shuffles of data")
    count = len(m.state.active.mask)
    held, steps = listed(value, count), listed(lane, count)
    results: list[Scalar | None] = [None] * count
    for _, lanes in warps(m):
        for number, thread in enumerate(lanes):
            step = steps[thread]
            if type(step) is not int:
                raise Refused("shuffles whose lanes depend on data")
            source = (
                number ^ step
                if "xor" in name
                else number + step
                if "down" in name
                else (number - step if "up" in name else step % 32)
            )
            source = lanes[source] if 0 <= source < 32 else thread
            results[thread] = _from(held[source], source)
    return gathered(m.state.active, results)


_MOST_COPIED = 8  # terms


def _from(value: Scalar, thread: int) -> Scalar:
    """Another thread's value: a large one is not copied, but said to be that thread's."""
    if isinstance(value, Term) and _terms(value, _MOST_COPIED) <= 0:
        return Term("held", (value, thread))
    return bound(value, thread)


def _terms(value: Scalar, most: int) -> int:
    """How many of `most` terms are left when those of a value are taken away."""
    if isinstance(value, Term):
        most -= 1
        for part in value.parts:
            if most <= 0:
                break
            most = _terms(part, most)
    return most
