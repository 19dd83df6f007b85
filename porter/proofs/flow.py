"""Where threads go in a function: its loops, and who comes to a block under which guard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from porter.native.ir.module import Code, Function, Instruction, Module
from porter.native.machine.loaded_values import Value
from porter.native.machine.machine import Registers
from porter.proofs.guards import either

__all__ = ["Arrivals", "Frame", "Loop", "Standing", "loops_of", "met"]

Arrivals = np.ndarray  # by thread: the Guard under which it comes to a place, None where it does not


@dataclass
class Standing:
    """Where the active threads are."""

    guards: Arrivals
    guarded: bool = False  # some are there under conditions
    at: tuple[Function, Instruction] | None = None


@dataclass(frozen=True)
class Loop:
    header: int
    blocks: frozenset[int]
    exchanges: bool


@dataclass
class Frame:
    """A call of a function."""

    function: Function
    loops: Mapping[int, Loop]
    registers: Registers
    result: Value | None = None

    @cached_property
    def code(self) -> Code:
        return self.function.code


def met(pending: Arrivals, there: Arrivals) -> Arrivals:
    guards: Arrivals = pending.copy()
    for thread, guard in enumerate(there):
        if guard is not None:
            guards[thread] = guard if guards[thread] is None else either(guards[thread], guard)
    return guards


def loops_of(function: Function, module: Module) -> dict[int, Loop]:
    """The loops of a function by the block that they begin with. clang writes blocks in the order of the source."""
    blocks = function.code.blocks
    before: dict[int, list[int]] = {}
    for number, block in enumerate(blocks):
        for target in [*block.end.targets, *block.end.cases.values()] if block.end else []:
            before.setdefault(target, []).append(number)
    loops: dict[int, Loop] = {}
    for header in range(len(blocks)):
        inner = {header}
        waiting = [latch for latch in before.get(header, ()) if latch >= header]
        if not waiting:
            continue
        while waiting:
            number = waiting.pop()
            if number not in inner:
                inner.add(number)
                waiting += before.get(number, ())
        called = {str(one.detail) for block in inner for one in blocks[block].body if one.op == "call"}
        loops[header] = Loop(header, frozenset(inner), any(_exchanges(name, module, set()) for name in called))
    return loops


def _exchanges(name: str, module: Module, seen: set[str]) -> bool:
    if "__shfl" in name:
        return True
    function = module.functions.get(name)
    if function is None or name in seen:
        return False
    seen.add(name)
    called = {str(one.detail) for one in function.instructions if one.op == "call"}
    return any(_exchanges(other, module, seen) for other in called)
