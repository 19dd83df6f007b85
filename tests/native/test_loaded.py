"""What threads load is worked on by arrays: the same as of each thread's value alone."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from porter.native.ir.module import Module
from porter.native.machine.constants import Constants
from porter.native.machine.lanes import Active, each, merged
from porter.native.machine.loaded_values import Loaded, joined_parts, plain
from porter.native.machine.memory import Memory
from porter.native.machine.parameters import Parameters
from porter.native.machine.shared_bytes import Places
from porter.native.machine.state import Block, State
from porter.native.machine.values import GLOBAL, SHARED, Element, Refused, Term, joined, piece

THREADS = 4
WORDS = Loaded(4, np.array([[GLOBAL + 8], [GLOBAL + 64], [0], [2 * GLOBAL + 4]]))
HALVES = Loaded(2, np.array([[GLOBAL + 8, GLOBAL + 10], [GLOBAL + 64, GLOBAL + 80], [0, 0], [0, 2 * GLOBAL + 4]]))


def listed(value: Any) -> list[Any]:
    return list(plain(value).tolist())


def load(parameter: int, at: int, size: int) -> Element:
    return Element(parameter, at, size)


def test_values_of_threads() -> None:
    assert listed(WORDS) == [load(0, 8, 4), load(0, 64, 4), 0, load(1, 4, 4)]
    pack = Term("pack", (load(0, 64, 2), load(0, 80, 2)))
    assert listed(HALVES) == [load(0, 8, 4), pack, 0, Term("pack", (0, load(1, 4, 2)))]
    assert plain(Loaded(4, np.zeros((THREADS, 1), np.int64))).dtype == np.uint64


@pytest.mark.parametrize("whole", [WORDS, HALVES], ids=["words", "halves"])
@pytest.mark.parametrize(("at", "length"), [(0, 4), (0, 2), (2, 2), (1, 1), (3, 1)])
def test_pieces(whole: Loaded, at: int, length: int) -> None:
    part = whole.piece(at, length)
    assert part is not None
    assert listed(part) == [piece(v, 4, at, length) for v in listed(whole)]


def test_bytes_of_two_parts_are_no_piece() -> None:
    assert HALVES.piece(1, 2) is None


def test_values_that_are_joined() -> None:
    other = Loaded(2, np.array([[GLOBAL + 12], [GLOBAL + 66], [0], [GLOBAL]]))
    result = joined_parts([(4, WORDS), (2, other)])
    assert result is not None
    assert listed(result)[0] == joined([(4, load(0, 8, 4)), (2, load(0, 12, 2))]) == load(0, 8, 6)
    assert joined_parts([(4, WORDS), (4, 1.0)]) is None
    assert joined_parts([(4, 0), (4, 0)]) is None


def test_some_threads_have_another_value() -> None:
    active = Active(np.array([True, False, True, False]))
    for old, kind in (
        (0, Loaded),
        (HALVES, Loaded),
        (np.zeros(THREADS, np.uint64), Loaded),
        (Term("undefined"), np.ndarray),
        (7, np.ndarray),
    ):
        result = merged(active, WORDS, old)
        before = listed(old) if isinstance(old, (Loaded, np.ndarray)) else [old] * THREADS
        assert listed(result) == [a if there else b for a, b, there in zip(listed(WORDS), before, active.mask)]
        assert type(result) is kind


def test_a_function_is_asked_once_for_what_threads_share() -> None:
    asked = []
    one = Term("one")
    values = np.array([one, one, Term("two"), one], object)
    result = each(Active(np.ones(THREADS, bool)), lambda v: asked.append(v) or Term("f", (v,)), values)
    assert [v.parts[0].op for v in result] == ["one", "one", "two", "one"]
    assert len(asked) == 2


def memory(mask: list[bool]) -> Memory:
    state = State(Block((0, 0, 0), (1, 1, 1), (THREADS, 1, 1)))
    state.active = Active(np.array(mask))
    state.warp, state.orders = 2, [[], []]
    return Memory(state, Parameters([], []), Constants(Module()))


def addresses(*offsets: int) -> np.ndarray:
    return np.array(offsets, np.uint64) + np.uint64(SHARED)


def test_bytes_that_were_loaded_in_shared_memory() -> None:
    of = memory([True] * THREADS)
    of.places.reaches(64)
    assert of._store_loaded(addresses(0, 4, 8, 12), WORDS)
    result = of.loaded(np.arange(THREADS), addresses(14, 2, 6, 8), 2)
    assert result is not None
    assert listed(result) == [load(1, 6, 2), load(0, 10, 2), load(0, 66, 2), 0]
    # from two stores, each of which one thread sees alone
    assert of.loaded(np.arange(1), addresses(2), 4) is None
    assert of.load_shared(0, SHARED + 2, 4) == Term("pack", (load(0, 10, 2), load(0, 64, 2)))
    # over a part of it another value, and over that again what was loaded
    of.store_shared(1, SHARED + 2, 4, 0x01020304)
    assert of.load_shared(0, SHARED, 4) == Term("pack", (load(0, 8, 2), 0x0304))
    assert of._store_loaded(addresses(4, 16, 20, 24), WORDS)
    assert of.load_shared(2, SHARED + 2, 4) == Term("pack", (4, 3, load(0, 8, 1), load(0, 9, 1)))
    assert of.stored(1)
    assert not of.stored(40)


def test_what_copies_bring_is_asked_for_by_warps() -> None:
    of = memory([True] * THREADS)
    result = of.loaded(np.arange(THREADS), addresses(0, 16, 32, 48), 4)
    assert result is not None
    assert listed(result) == [of.tile(thread, 16 * thread, 4) for thread in range(THREADS)]
    assert of.state.touched == {(0, 0): {0, 16}, (1, 0): {32, 48}}


def test_warps_that_run_apart_exchange_nothing_without_a_barrier() -> None:
    of = memory([True, True, False, False])
    assert of._store_loaded(addresses(0, 4, 8, 12), WORDS)
    of.state.active = Active(np.array([False, False, True, True]))
    with pytest.raises(Refused, match="while they run apart"):
        of.loaded(np.arange(2, 4), addresses(0, 0, 0, 4)[2:], 4)
    of.state.active = of.state.everyone
    of.meet(True)
    of.state.active = Active(np.array([False, False, True, True]))
    assert of.loaded(np.arange(2, 4), addresses(0, 0, 0, 4)[2:], 4) is not None


def test_places_grow_to_an_end() -> None:
    places = Places()
    assert places.reaches(1 << 20)
    assert places.run((1 << 20) - 1, 4)[0] == -1
    assert not places.reaches(1 << 40)


def test_memory_is_given_back_without_a_search_for_garbage() -> None:
    gc.disable()  # as it is while a kernel is recognised
    try:
        of = memory([True] * THREADS)
        assert of._store_loaded(addresses(0, 4, 8, 12), WORDS)
        kept = weakref.ref(of)
        del of
        assert kept() is None
    finally:
        gc.enable()
