"""The threads of a block: which of them run, where the block lies, and what they have done so far.

Everything else that executes a block takes this, and knows of the others what it needs: memory, the interpreter, the
functions that instructions are executed by. Barriers are followed in what is noted here after the block has ended.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Optional, Union

import numpy as np

from porter.native.machine.lanes import Active
from porter.native.machine.loaded_values import Value
from porter.native.machine.values import Load, Product, Refused, Staged, Store, Sync, TileStore

__all__ = ["Block", "Event", "Fragments", "State"]

_MOST_EVENTS = 1 << 16

# What a thread does that is looked at later.
Event = Union[Load, Staged, Store, TileStore]

# By warp: where the elements of an operand that its threads hold were loaded from, by row and k.
Fragments = list[Optional[np.ndarray]]

_Words = tuple[Union[int, bytes], ...]  # rows, an element's size, the active threads, the ids of an operand's values


@dataclass(frozen=True, slots=True)
class Block:
    """The part of a launch that a thread can see."""

    index: tuple[int, int, int]
    grid: tuple[int, int, int]
    shape: tuple[int, int, int]  # of CUDA's threads

    @property
    def threads(self) -> int:
        return math.prod(self.shape)


class State:
    """mirrored: threads are the lanes of waves, two for each of CUDA's."""

    def __init__(self, block: Block, mirrored: bool = False, launched: tuple[int, int, int] = (1, 1, 1)) -> None:
        """launched: a cluster's size, where launches give it."""
        self.block = block
        self.mirrored = mirrored
        self.threads = block.threads * (2 if mirrored else 1)
        self.warp = 64 if mirrored else 32  # threads
        self.index = _indices(self.threads, mirrored)  # CUDA's number of each thread
        self.everyone = self.active = Active(np.ones(self.threads, bool))
        self.ended = np.zeros(self.threads, bool)
        self.launched = launched
        self.cluster: tuple[int, int, int] = (1, 1, 1)  # blocks
        self.tokens = 0  # of arrivals at mbarriers
        self.events: list[list[Event]] = [[] for _ in range(self.threads)]
        self.products: list[Product] = []
        self.fragments: dict[_Words, tuple[Fragments, Sequence[Value]]] = {}  # operands that were looked at before
        # What orders warps, and how many lanes each did; what each reads of tiles in shared memory, after so many of these:
        # chunks of 16 bytes. By wgmma: with the product's number.
        self.orders: list[list[tuple[Load | Sync, int]]] = [[] for _ in range(-(-self.threads // self.warp))]
        self.touched: dict[tuple[int, int], set[int]] = {}
        self.touched_later: dict[tuple[int, int], dict[int, set[int]]] = {}
        self.written: dict[tuple[int, int], set[int]] = {}  # what its threads store, as touched
        self.reread: dict[tuple[int, int], set[int]] = {}  # and what they read of that

    @property
    def rank(self) -> int:
        """Of the block in its cluster."""
        x, y, z = (i % size for i, size in zip(self.block.index, self.cluster))
        return (z * self.cluster[1] + y) * self.cluster[0] + x

    def happens(self, events: Iterable[tuple[int, Load | Sync]]) -> None:
        """What orders threads, by thread. The lanes of a warp go together."""
        by_warp: dict[tuple[int, Load | Sync], int] = {}
        for thread, event in events:
            if isinstance(event, Load):
                self.events[thread].append(event)
            if not self.mirrored or not thread & 2:  # one of two mirrors
                key = thread // self.warp, event
                by_warp[key] = by_warp.get(key, 0) + 1
        for (warp, event), lanes in by_warp.items():
            self.orders[warp].append((event, lanes))

    def synchronised(self, event: Sync) -> None:
        self.happens((thread, event) for thread in self.active.threads)

    def when(self, thread: int) -> tuple[int, int]:
        """A thread's warp, and how many events that has behind it."""
        warp = thread // self.warp
        if len(self.orders[warp]) >= _MOST_EVENTS:
            raise Refused("too many copies and barriers to follow")
        return warp, len(self.orders[warp])

    def writes(self, warp: int, chunks: Iterable[int]) -> None:
        """Of shared memory, by threads of a warp."""
        self.written.setdefault((warp, len(self.orders[warp])), set()).update(chunks)

    def rereads(self, warp: int, chunk: int) -> None:
        self.reread.setdefault((warp, len(self.orders[warp])), set()).add(chunk)

    def settled(self, warp: int, epoch: int) -> bool:
        """Has a warp waited for what wgmma read after so many of its events?"""
        groups = 0
        for event, _ in self.orders[warp][epoch:]:
            if isinstance(event, Sync) and event.op == "commit":
                groups += 1
            elif isinstance(event, Sync) and event.op == "settle" and groups > event.count:
                return True
        return False

    @contextmanager
    def only(self, mask: np.ndarray) -> Iterator[Active]:
        before = self.active
        self.active = Active(mask)
        try:
            yield self.active
        finally:
            self.active = before


def _indices(threads: int, mirrored: bool) -> np.ndarray:
    index = np.arange(threads, dtype=np.uint64)
    if not mirrored:
        return index
    lane = index % 64
    row = (lane >> np.uint64(1) & np.uint64(6)) | lane & np.uint64(1)
    mirrors: np.ndarray = index // 64 * 32 + row * 4 + lane // 16
    return mirrors
