"""Threads that run apart: what some of them do does not change what others have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from porter.native.ir.module import Module, Type
from porter.native.machine.arithmetic import integer
from porter.native.machine.constants import Constants
from porter.native.machine.lanes import Active, whole_numbers
from porter.native.machine.loaded_values import Loaded
from porter.native.machine.matrix_products import _fragments
from porter.native.machine.memory import Memory
from porter.native.machine.parameters import Parameters
from porter.native.machine.state import Block, State
from porter.native.machine.values import GLOBAL, PRIVATE, Term

WORD, LONG = Type("int", 32), Type("int", 64)


def state(threads: int) -> State:
    return State(Block((0, 0, 0), (1, 1, 1), (threads, 1, 1)))


def test_a_part_of_a_symbol_is_overwritten_by_some_threads() -> None:
    of = state(4)
    memory = Memory(of, Parameters([], []), Constants(Module()))
    memory.store(PRIVATE, LONG, Term("pack", (Term("low"), Term("high"))))
    with of.only(np.array([True, True, False, False])):
        memory.store(PRIVATE, WORD, Term("new"))
    low: Any = memory.load(PRIVATE, WORD)
    assert low.tolist() == [Term("new"), Term("new"), Term("low"), Term("low")]


def test_warps_that_multiply_the_same_words_apart() -> None:
    of = state(64)
    machine: Any = SimpleNamespace(state=of)
    words = [Loaded(4, GLOBAL + 4 * np.arange(64).reshape(-1, 1))]
    for warp, other in ((0, 1), (1, 0)):
        of.active = Active(np.arange(64) // 32 == warp)
        fragments = _fragments(machine, words, 8, 2)
        assert fragments[other] is None
        table = fragments[warp]
        assert table is not None
        assert table[0, 0] == GLOBAL + 128 * warp


@pytest.mark.parametrize("op", ["sdiv", "srem", "udiv", "urem"])
@pytest.mark.parametrize("bits", [8, 32])
def test_divisions_of_all_threads_are_those_of_each(op: str, bits: int) -> None:
    """Where both numbers differ between threads, or one of them does."""
    minus = (1 << bits) - 7
    left, right = [100, minus, 7, 0], [7, 3, minus, 1]
    everyone = Active(np.ones(4, bool))
    for a, b in ((left, right), (left, [minus] * 4), ([minus] * 4, right)):
        one, other = (np.array(n, np.uint64) if len(set(n)) > 1 else n[0] for n in (a, b))
        assert whole_numbers(everyone, op, one, other, bits).tolist() == [integer(op, x, y, bits) for x, y in zip(a, b)]
