"""Executions of a kernel's blocks, and what their threads did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product as choices
from typing import Optional

import numpy as np

from porter.native.ir.kernel_arguments import Given
from porter.native.ir.module import Function, Module
from porter.native.machine.machine import Machine
from porter.native.machine.operations import OPERATIONS
from porter.native.machine.parameters import Parameters
from porter.native.machine.product_kinds import BYTES, kind_of
from porter.native.machine.state import Block, Event, State
from porter.native.machine.values import Load, Product, Refused, Store, Term, TileStore
from porter.native.recognise.operands import Layout, Tiles, layouts, three
from porter.native.recognise.sync_order import Order, followed
from porter.native.recognise.tensor_boxes import elements

__all__ = ["GRID", "OF_VALUES", "Elsewhere", "Idle", "Runs", "Trace"]

GRID = (12, 3, 2)
OF_VALUES = "operands of a product that are not as they lie in memory"


class Elsewhere(Refused):
    """Not with these sizes: others may do."""


class Idle(Elsewhere):
    """The block multiplies nothing, and stores nothing."""


@dataclass(slots=True)
class Trace:
    """What the threads of one block did."""

    tiles: Tiles
    stores: list[TileStore]
    threads: list[list[Event]]
    products: list[Product]
    narrowest: dict[int, int]  # bytes of the narrowest load through a parameter
    by_elements: bool  # operands are elements, not tiles under descriptors
    layouts: tuple[Layout, Layout] | None  # of such operands
    tables: dict[int, np.ndarray]  # by id of a product's operand: where its elements lie


# Arguments, a block's index, decisions, and the grid.
_Execution = tuple[tuple[Optional[int], ...], tuple[int, int, int], tuple[tuple[Term, bool], ...], tuple[int, int, int]]


@dataclass
class Runs:
    """Executions of a kernel, each made once."""

    module: Module
    kernel: Function
    knows: Sequence[Given]
    shape: tuple[int, int, int]  # of a block
    cluster: tuple[int, int, int]
    traces: dict[_Execution, Trace] = field(default_factory=dict)
    refused: dict[_Execution, Refused] = field(default_factory=dict)  # as traces: executions that came to nothing
    conditions: list[Term] = field(default_factory=list)  # on parameters, which threads were seen to depend on

    @property
    def names(self) -> list[str]:
        return [g.name for g in self.knows]

    def forget(self) -> None:
        """All executions. What was raised knows the frames that know them: they would wait for the garbage collector,
        which takes as long to find them as they took to make."""
        for why in self.refused.values():
            why.__traceback__ = None
        self.traces.clear()
        self.refused.clear()

    def trace(
        self,
        arguments: Sequence[int | None],
        index: tuple[int, int, int],
        decisions: Mapping[Term, bool],
        grid: tuple[int, int, int] = GRID,
    ) -> Trace:
        key = (tuple(arguments), index, tuple(decisions.items()), grid)
        if key in self.refused:
            raise self.refused[key]
        if key not in self.traces:
            mirrored = any("@_ZN6nvcuda4wmma8mma_sync" in name for name in self.module.functions)
            parameters = Parameters(self.knows, arguments)
            machine = Machine(OPERATIONS, self.module, self.kernel, parameters, mirrored, decisions, self.cluster)
            try:
                self.traces[key] = _traced(machine, Block(index, grid, self.shape))
            except Refused as why:
                self.refused[key] = why.with_traceback(None)  # which would keep all that was executed
                raise
        return self.traces[key]


def _traced(machine: Machine, block: Block) -> Trace:
    state = machine.run(block)
    threads, products, narrowest = state.events, state.products, machine.memory.narrowest
    if not products:
        stores = any(isinstance(e, (Store, TileStore)) for events in threads for e in events)
        raise (Elsewhere if stores else Idle)("no matrix product")
    order = followed(state) if state.cluster == (1, 1, 1) else None
    others = [e for other in _others(block, state.cluster) for events in machine.run(other).events for e in events]
    tiles = _tiles(state, [e for e in others if isinstance(e, Load) and e.ranks], order)
    stored = [e for events in threads for e in events if isinstance(e, TileStore)]
    operands = [(table, BYTES[of]) for p in products for table, of in zip((p.a, p.b), _elements_of(p))]
    tables = [(table, size) for table, size in operands if not isinstance(table, int)]
    if not tables:
        if not tiles.loads:
            raise Elsewhere("no tile is loaded from a tensor map")
        return Trace(tiles, stored, threads, products, narrowest, False, None, {})
    if len(tables) < len(operands):
        raise Refused("products of tiles that tensor maps bring beside products of elements that threads store")
    elements_placed = elements(tables, order)
    one = products[0]
    maps = {event.map for events in threads for event in events if isinstance(event, Load)}
    both = layouts(kind_of(one.kind), elements_placed[id(one.a)], elements_placed[id(one.b)], maps)
    return Trace(tiles, stored, threads, products, narrowest, True, both, elements_placed)


def _tiles(state: State, for_several: Sequence[Load], order: Order | None) -> Tiles:
    """What tensor maps bring to this block. for_several: copies of the cluster's other blocks for more than their own."""
    loads: dict[tuple[int, int], set[tuple[int, int, int]]] = {}
    own = [e for events in state.events for e in events if isinstance(e, Load)]
    for load in (*own, *for_several):
        if load.map >= 0 and (not load.ranks or load.ranks >> state.rank & 1):
            loads.setdefault((load.map, load.shared), set()).add(three(load.at))
    return Tiles(loads, sorted((place, map) for map, place in loads), order)


def _elements_of(one: Product) -> tuple[str, str]:
    kind = kind_of(one.kind)
    return kind.a, kind.b


def _others(block: Block, size: tuple[int, int, int]) -> Iterator[Block]:
    """The other blocks of the block's cluster, whose copies may be for all of them."""
    first = [i // n * n for i, n in zip(block.index, size)]
    for x, y, z in choices(*(range(f, f + n) for f, n in zip(first, size))):
        if (x, y, z) != block.index:
            yield Block((x, y, z), block.grid, block.shape)
