"""Which copy a read of shared memory sees, and whether the kernel's barriers make that certain.

The machine takes all waits as over, and executes a producer before or after those who consume. Here the block runs once
more, with only its barriers, copies and reads of tiles. Threads wait until a barrier's phase is over; then each knows
what the arriving threads knew. A read sees the last copy to its place. That copy's barrier has to be
known to be through, and who asks for the next copy to that place has to know that the read is over.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from porter.native.machine.state import State
from porter.native.machine.values import Load, Refused, Sync

__all__ = ["Order", "followed"]


@dataclass(slots=True)
class _Phases:
    """An mbarrier."""

    expected: int
    pending: int
    clocks: list[np.ndarray]  # what is known to whom it let through, by the number of phases that were over
    arrived: np.ndarray  # what is known to those who came in this phase
    loads: int = 0  # that came in this phase
    bytes: int = 0  # that are expected in it


@dataclass(slots=True)
class _Meeting:
    """A numbered barrier of the block."""

    clock: np.ndarray
    here: int = 0
    count: int = 0  # of the threads that it is for; 0: all
    waiting: list[_Actor] = field(default_factory=list)
    times: int = 0


@dataclass(slots=True)
class _Actor:
    """A warp."""

    number: int
    events: Sequence[tuple[Load | Sync, int]]
    clock: np.ndarray  # by warp: how many of its events are over; by mbarrier: how many phases are
    at: int = 0
    met: int = -1  # at which time of a numbered barrier it waits
    reads: list[_Read] = field(default_factory=list)  # by wgmma, not committed
    groups: list[list[_Read]] = field(default_factory=list)
    tokens: dict[int, int] = field(default_factory=dict)
    begun: bool = False
    ended: bool = False


@dataclass(slots=True)
class _Read:
    """ends: after how many events of a warp the read is over. wgmma's are over for all its warps when they are for one,
    which waits until all have begun."""

    ends: dict[int, int] = field(default_factory=dict)
    begun: int = 0
    warps: int = 1


@dataclass(slots=True)
class _Copy:
    load: Load
    phase: int  # of its barrier
    reads: list[_Read] = field(default_factory=list)


@dataclass
class Order:
    """What was found out."""

    places: list[int]  # where copies begin
    seen: dict[tuple[int, int, int], Load]  # by warp, its number of events before, and place

    def load(self, warp: int, epoch: int, address: int) -> Load | None:
        return self.seen.get((warp, epoch, self.place(address)))

    def place(self, address: int) -> int:
        index = bisect_right(self.places, address)
        return self.places[index - 1] if index else -1


def followed(state: State) -> Order:
    return _Follow(state).run()


class _Follow:
    def __init__(self, state: State) -> None:
        everything = [event for events in state.orders for event in events]
        copies = [e for e, _ in everything if isinstance(e, Load)]
        bars = sorted(
            {e.bar for e in copies} | {e.place for e, _ in everything if isinstance(e, Sync) and e.op == "init"}
        )
        self.number = {bar: len(state.orders) + n for n, bar in enumerate(bars)}
        size = len(state.orders) + len(bars)
        self.actors = [_Actor(n, events, np.zeros(size, np.int64)) for n, events in enumerate(state.orders)]
        self.order = Order(sorted({e.shared for e in copies}), {})
        self.bars: dict[int, _Phases] = {}
        self.meetings: dict[int, _Meeting] = {}
        self.copies: dict[int, _Copy] = {}
        # By place of a copy: warps that have stored over what it brought, and after how many of their events that is over.
        self.stores: dict[int, dict[int, int]] = {}
        # By number of a product of wgmma, and warpgroup.
        parts = [(number, warp // 4) for (warp, _), of in state.touched_later.items() for number in of]
        self.together = {part: _Read(warps=warps) for part, warps in Counter(parts).items()}
        self.totals: dict[int, list[int]] = {bar: [0, 0] for bar in bars}  # copies, and bytes that are expected
        for event, lanes in everything:
            if isinstance(event, Load):
                self.totals[event.bar][0] += lanes
            elif event.op in ("arrive", "expect", "drop") and event.place in self.totals:
                self.totals[event.place][1] += event.extra * lanes
        self.now = {when: self._places(chunks) for when, chunks in state.touched.items()}
        self.later = {
            when: {number: self._places(chunks) for number, chunks in of.items()}
            for when, of in state.touched_later.items()
        }
        reads = set().union(
            *state.touched.values(), *(of for part in state.touched_later.values() for of in part.values())
        )
        stored = set().union(*state.written.values())
        self.written = {when: self._places(chunks & reads) for when, chunks in state.written.items()}
        self.reread = {when: self._places(chunks & reads & stored) for when, chunks in state.reread.items()}
        self.lanes = [32] * len(state.orders)
        if state.block.threads % 32:
            self.lanes[-1] = state.block.threads % 32

    def _places(self, chunks: set[int]) -> set[int]:
        """Of copies, which these chunks of shared memory are a part of."""
        return {self.order.place(chunk) for chunk in chunks} - {-1}

    def run(self) -> Order:
        moved = bool(self.order.places)
        while moved:
            moved = False
            for actor in self.actors:
                while self._step(actor):
                    moved = True
        if self.order.places and any(a.at < len(a.events) for a in self.actors):
            event, _ = next(a.events[a.at] for a in self.actors if a.at < len(a.events))
            what = "a barrier of the block" if isinstance(event, Sync) and event.op == "meet" else "an mbarrier"
            raise Refused(f"threads wait for {what} for ever where its arrivals and copies are followed")
        return self.order

    def _step(self, actor: _Actor) -> bool:
        """Does one event happen?"""
        if not actor.begun:
            actor.begun = True
            self._read(actor)
        if actor.at == len(actor.events):
            if actor.ended:
                return False
            actor.ended = True
            for number in self.meetings:
                self._complete(number)
            return True
        event, lanes = actor.events[actor.at]
        if isinstance(event, Load):
            self._copy(actor, event, lanes)
        elif not self._happens(actor, event, lanes):
            return False
        actor.at += 1
        actor.clock[actor.number] = actor.at
        self._read(actor)
        return True

    def _happens(self, actor: _Actor, event: Sync, lanes: int) -> bool:
        if event.op == "init":
            clock = np.zeros_like(actor.clock)
            self.bars[event.place] = _Phases(event.count, event.count, [clock], clock)
        elif event.op == "wait" or event.op == "token":
            return self._waits(actor, event)
        elif event.op in ("meet", "pass"):
            return self._meets(actor, event)
        elif event.op == "commit":
            actor.groups.append(actor.reads)
            actor.reads = []
        elif event.op == "settle":
            due = actor.groups[: max(0, len(actor.groups) - event.count)]
            if any(read.begun < read.warps for group in due for read in group):
                return False
            while len(actor.groups) > event.count:
                for read in actor.groups.pop(0):
                    read.ends[actor.number] = actor.at + 1
        else:
            return self._arrives(actor, event, lanes)
        return True

    def _bar(self, place: int) -> _Phases | None:
        """None: it is not initialised yet."""
        if place not in self.number:
            raise Refused("an mbarrier is used that no thread initialises")
        return self.bars.get(place)

    def _arrives(self, actor: _Actor, event: Sync, lanes: int) -> bool:
        bar = self._bar(event.place)
        if bar is None:
            return False
        actor.tokens[event.token] = len(bar.clocks)
        mine = actor.clock.copy()
        mine[actor.number] = actor.at + 1
        bar.arrived = np.maximum(bar.arrived, mine)
        bar.bytes += event.extra * lanes
        if event.op == "drop":
            bar.expected -= event.count * lanes
        if event.op != "expect":
            bar.pending -= event.count * lanes
        if bar.pending < 0:
            raise Refused("more arrivals at an mbarrier than it was initialised for")
        self._over(event.place, bar)
        return True

    def _over(self, place: int, bar: _Phases) -> None:
        """Is the phase? Copies of one barrier are taken for as many bytes each as it expects in all."""
        copies, expected = self.totals[place]
        if bar.pending == 0 and bar.expected and bar.loads * expected == bar.bytes * copies:
            bar.arrived = bar.arrived.copy()
            bar.arrived[self.number[place]] = len(bar.clocks)
            bar.clocks.append(bar.arrived)
            bar.pending, bar.loads, bar.bytes = bar.expected, 0, 0

    def _waits(self, actor: _Actor, event: Sync) -> bool:
        bar = self._bar(event.place)
        if bar is None:
            return False
        if event.op == "wait":
            known = int(actor.clock[self.number[event.place]])
            phases = known + (known % 2 == event.count % 2)  # the first one with another parity
        else:
            token = actor.tokens.get(event.token)
            if token is None:
                raise Refused("a wait for an mbarrier by another thread's token")
            phases = token
        if len(bar.clocks) <= phases:
            return False
        actor.clock = np.maximum(actor.clock, bar.clocks[phases])
        return True

    def _meets(self, actor: _Actor, event: Sync) -> bool:
        one = self.meetings.setdefault(event.place, _Meeting(clock=np.zeros_like(actor.clock)))
        if actor.met >= 0:
            if one.times == actor.met:
                return False
            actor.met = -1
            return True
        mine = actor.clock.copy()
        mine[actor.number] = actor.at + 1
        one.clock = np.maximum(one.clock, mine)
        one.here += self.lanes[actor.number]  # warps come as wholes
        one.count = event.count
        if event.op == "meet":
            actor.met = one.times
            one.waiting.append(actor)
        times = one.times
        self._complete(event.place)
        if event.op == "pass":
            return True
        if one.times == times:
            return False
        actor.met = -1
        return True

    def _complete(self, number: int) -> None:
        one = self.meetings[number]
        everyone = sum(lanes for a, lanes in zip(self.actors, self.lanes) if not a.ended)
        if one.here and one.here >= (one.count or everyone):
            for actor in one.waiting:
                actor.clock = np.maximum(actor.clock, one.clock)
            one.here, one.waiting, one.times = 0, [], one.times + 1

    def _copy(self, actor: _Actor, load: Load, lanes: int) -> None:
        bar = self._bar(load.bar)
        if bar is None:
            raise Refused("a copy arrives at an mbarrier before it is initialised")
        if not self._unread(actor, load.shared):
            raise Refused("a tile in shared memory is overwritten by the next copy while threads may still read it")
        for warp, end in self.stores.pop(load.shared, {}).items():
            if actor.clock[warp] < end - (warp == actor.number):
                raise Refused("a copy to shared memory that threads may still store to")
        self.copies[load.shared] = _Copy(load, len(bar.clocks))
        bar.loads += lanes
        self._over(load.bar, bar)

    def _unread(self, actor: _Actor, place: int) -> bool:
        """Does an actor know that all have read what the last copy brought there?"""
        copy = self.copies.get(place)
        return copy is None or all(
            any(actor.clock[warp] >= end - (warp == actor.number) for warp, end in read.ends.items())
            for read in copy.reads
        )

    def _write(self, actor: _Actor, place: int) -> None:
        """Over the tile that a copy has brought, or will bring."""
        copy = self.copies.get(place)
        if copy is not None and actor.clock[self.number[copy.load.bar]] < copy.phase:
            raise Refused("threads store to shared memory while a copy may bring a tile there")
        if not self._unread(actor, place):
            raise Refused("a tile in shared memory is overwritten by threads while others may still read it")
        self.stores.setdefault(place, {})[actor.number] = actor.at + 1

    def _read(self, actor: _Actor) -> None:
        when = actor.number, actor.at
        for place in self.now.get(when, ()):
            self._seen(actor, place).reads.append(_Read({actor.number: actor.at + 1}))
        for place in self.written.get(when, ()):
            self._write(actor, place)
        for place in self.reread.get(when, ()):
            if place not in self.stores:
                raise Refused("threads read what they have stored to shared memory where a copy may be by then")
            self.stores[place][actor.number] = actor.at + 1
        for number, places in self.later.get(when, {}).items():
            read = self.together[number, actor.number // 4]
            read.begun += 1
            actor.reads.append(read)
            for place in places:
                self._seen(actor, place).reads.append(read)

    def _seen(self, actor: _Actor, place: int) -> _Copy:
        copy = self.copies.get(place)
        if copy is None or actor.clock[self.number[copy.load.bar]] < copy.phase:
            raise Refused("a tile is read from shared memory without a wait for the copy that brings it")
        if place in self.stores:
            raise Refused("a tile is read from shared memory that threads have stored over")
        self.order.seen[actor.number, actor.at, place] = copy.load
        return copy
