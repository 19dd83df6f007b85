"""What the threads of a block have in memory: each its own part, the shared part, and the kernel's parameters.

Global memory is not kept: a load from it is a symbol, a store to it an event. A thread may read shared memory that
another wrote where the order of the two is certain: threads that run apart, as roles do, meet at barriers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import numpy as np

from porter.native.ir.module import Type
from porter.native.machine.constants import Constants
from porter.native.machine.lanes import Many, each, gathered, is_whole, listed, merged, one_of, part_of
from porter.native.machine.loaded_values import Loaded, Value, is_zero, joined_parts
from porter.native.machine.parameters import Parameters
from porter.native.machine.shared_bytes import CELL, NOTHING, Places
from porter.native.machine.state import State
from porter.native.machine.values import (
    GLOBAL,
    MODULE,
    PARAMETER,
    PRIVATE,
    SHARED,
    TILE,
    Element,
    Refused,
    Scalar,
    Staged,
    Store,
    Term,
    as_type,
    bound,
    joined,
    piece,
    shown,
    sums_in,
)

__all__ = ["Memory"]

_PLAIN = frozenset((int, float))
_WIDEST = 16  # bytes of what one instruction moves
_APART = "shared memory that warps exchange while they run apart"


_Cell = TypeVar("_Cell", tuple[int, Value], tuple[int, Scalar, int, int])  # its size first


class Memory:
    def __init__(self, state: State, parameters: Parameters, constants: Constants) -> None:
        self.state = state
        self.parameters = parameters
        self.constants = constants
        self.threads = threads = state.threads
        self.top = PRIVATE  # where the threads' stack ends
        self.private: dict[int, tuple[int, Value]] = {}
        # Size, value, who wrote it and at which meeting; what was loaded is in `places`, by bytes. Sums are the writer's
        # own until they are read.
        self.shared: dict[int, tuple[int, Scalar, int, int]] = {}
        self.places = Places()
        self.meetings = 0
        self.met = np.zeros(threads, np.int64)  # the last meeting that a thread took part in
        self.reading: dict[int, set[tuple[int, int]]] = {}  # chunks that wgmma reads, since a warp's n-th event
        self.narrowest: dict[int, int] = {}  # bytes of the narrowest load through a parameter
        self._symbols: dict[int, np.ndarray] = {}  # arrays without numbers in them, by id

    # Stores

    def store(self, address: Value, kind: Type, value: Value) -> None:
        if type(address) is Many:
            address = one_of(self.state.active, address)
        if type(address) is not int and (type(address) is not Many or address.dtype == object):
            raise Refused(f"a store whose address depends on data ({shown(address)})")
        if kind.kind in ("array", "vector", "struct"):
            if type(value) is tuple:
                for index in range(len(value)):
                    self.store(address + kind.offset(index), kind.member(index), value[index])
                return
            if kind.kind != "vector":
                raise Refused("an aggregate that is a symbol")
        if type(address) is int and PRIVATE <= address < GLOBAL:
            self._store_private(address, kind.size, value)
        else:
            self._store_each(address, kind.size, value)

    def _store_each(self, address: int | np.ndarray, size: int, value: Value) -> None:
        active = self.state.active
        many = listed(address, self.threads)
        first = many[active.first]
        if SHARED <= first < PRIVATE and type(address) is Many:
            if is_zero(value, active.mask):
                value = Loaded(size, np.zeros((self.threads, 1), np.int64))
            if type(value) is Loaded and self._store_loaded(address, value):
                return
        values = listed(value, self.threads)
        if first >= GLOBAL:
            for thread in active.threads:
                self.state.events[thread].append(Store(many[thread], size, values[thread]))
        elif SHARED <= first < PRIVATE:
            for thread in active.threads:
                self.store_shared(thread, many[thread], size, values[thread])
        elif type(address) is Many:
            for place, there in self._places(address):
                with self.state.only(there):
                    self._store_private(place, size, value)

    def store_shared(self, thread: int, address: int, size: int, value: Scalar) -> None:
        if type(value) not in (int, float, Element):
            self.state.events[thread].append(Staged(address - SHARED, size, value))
        shared = self.shared
        chunk = (address - SHARED) & ~15
        self.state.writes(thread // self.state.warp, (chunk,))
        if self.reading:
            self._overwrite([chunk])
        old = shared.get(address)
        if old is None or old[0] != size:
            self._make_room(address, size)
        shared[address] = (size, value, thread, self.meetings)
        self.places.fill(address - SHARED, size)

    def _overwrite(self, chunks: Iterable[int]) -> None:
        """Of shared memory, where wgmma must have read all of it."""
        for chunk in chunks:
            for reader in self.reading.pop(chunk, ()):
                if not self.state.settled(*reader):
                    raise Refused("shared memory is overwritten while wgmma may still read it")

    def _make_room(self, address: int, size: int) -> None:
        shared = self.shared
        for at, old, bytes_left in _taken(shared, address, size):
            for byte in bytes_left:
                shared[byte] = (1, piece(old[1], old[0], byte - at, 1), old[2], old[3])

    def _store_loaded(self, address: Many, value: Loaded) -> bool:
        """To shared memory, by all active threads; False: not at once."""
        mask = self.state.active.mask
        codes = value.elements(1)
        at = (address[mask] - np.uint64(SHARED)).astype(np.int64)
        if codes is None or at.min() < 0 or not self.places.reaches(int(at.max()) + value.size):
            return False
        bytes_ = at[:, None] + np.arange(value.size)
        warps = np.flatnonzero(mask) // self.state.warp
        for warp in np.unique(warps).tolist():
            self.state.writes(warp, np.unique(at[warps == warp] & ~15).tolist())
        if self.reading:
            self._overwrite(np.unique(bytes_ & ~15).tolist())
        for begin in at[(self.places.origin[bytes_] == CELL).any(1)].tolist():
            self._make_room(begin + SHARED, value.size)
        self.places.store(bytes_, codes[mask], np.flatnonzero(mask), self.meetings)
        return True

    def _store_private(self, address: int, size: int, value: Value) -> None:
        memory = self.private
        active = self.state.active
        old = memory.get(address)
        if old is not None and old[0] == size:
            memory[address] = (size, value if active.all else merged(active, value, old[1]))
            return
        if not active.all:
            before = self._pieces(address, size)
            if not isinstance(before, Term) or before.op != "undefined":
                value = merged(active, value, before)
        for at, old, bytes_left in _taken(memory, address, size):
            for byte in bytes_left:
                memory[byte] = (1, part_of(self.state.everyone, old[1], old[0], byte - at, 1))
        memory[address] = (size, value)

    def _places(self, address: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """The threads' addresses, and the threads of each address."""
        mask = self.state.active.mask
        return [(int(place), (address == place) & mask) for place in np.unique(address[mask])]

    # Loads

    def load(self, address: Value, kind: Type, whole: int = 0) -> Value:
        """whole: bytes of the load that this one is a part of."""
        active = self.state.active
        if type(address) is Many:
            address = one_of(active, address)
        if type(address) is not int and (type(address) is not Many or address.dtype == object):
            raise Refused(f"a load whose address depends on data ({shown(address)})")
        if kind.kind in ("array", "struct", "vector"):
            count = kind.count if kind.kind != "struct" else len(kind.fields)
            whole = whole or (kind.size if kind.kind == "vector" else 0)
            return tuple(self.load(address + kind.offset(i), kind.member(i), whole) for i in range(count))
        if isinstance(address, Many):
            return self._load_each(address, kind, whole)
        if address >= GLOBAL:
            self._note_width(address // GLOBAL - 1, whole or kind.size)
            return Element(address // GLOBAL - 1, address % GLOBAL, kind.size)
        if SHARED <= address < PRIVATE:
            return as_type(kind, self.load_shared(active.first, address, kind.size))
        return self._load_one(address, kind)

    def _note_width(self, parameter: int, size: int) -> None:
        self.narrowest[parameter] = min(size, self.narrowest.get(parameter, 16))

    def _load_each(self, address: Many, kind: Type, whole: int) -> Value:
        active, size = self.state.active, kind.size
        first = int(address[active.first])
        if first >= GLOBAL:
            self._note_width(first // GLOBAL - 1, whole or size)
            if address[active.mask].all():
                return Loaded(size, np.where(active.mask, address, np.uint64(0)).astype(np.int64)[:, None])
        elif SHARED <= first < PRIVATE:
            at_once = self.loaded(np.flatnonzero(active.mask), address[active.mask], size)
            if at_once is not None and not at_once.is_number(kind):
                return at_once
        else:
            result: Value = 0
            for number, (place, there) in enumerate(self._places(address)):
                with self.state.only(there) as part:
                    part_loaded = self._load_one(place, kind)
                    result = merged(part, part_loaded, result) if number else part_loaded
            return result
        many = address.tolist()
        results: list[Scalar | None] = [None] * self.threads
        for thread in active.threads:
            at = many[thread]
            if first >= GLOBAL:
                results[thread] = Element(at // GLOBAL - 1, at % GLOBAL, size)
            else:
                results[thread] = as_type(kind, self.load_shared(thread, at, size))
        return gathered(active, results)

    def loaded(self, threads: np.ndarray, addresses: np.ndarray, size: int) -> Loaded | None:
        """What threads read of shared memory, where all of it was loaded from memory; None: not known at once."""
        at = (addresses - np.uint64(SHARED)).astype(np.int64)
        if at.min() < 0 or not self.places.reaches(int(at.max()) + size):
            return None
        codes = self.places.origin[at[:, None] + np.arange(size)]
        if (codes == NOTHING).all():
            return self._tiles(threads, at, size)
        first = self.origins(self.met[threads], at, size)
        if first is None:
            return None
        origin = np.zeros((self.threads, 1), np.int64)
        origin[threads, 0] = first
        return Loaded(size, origin)

    def origins(self, met: int | np.ndarray, at: np.ndarray, size: int) -> np.ndarray | None:
        """Where elements of shared memory were loaded from, 0 for zeros; None if some were not. met: the readers' last
        meeting."""
        if at.min() < 0 or not self.places.reaches(int(at.max()) + size):
            return None
        bytes_ = at[:, None] + np.arange(size)
        codes = self.places.origin[bytes_]
        first = codes[:, :1]
        if (first < 0).any() or (codes != np.where(first, first + np.arange(size), 0)).any():
            return None
        writers, meetings = self.places.writer[bytes_], self.places.meeting[bytes_]
        apart = (self.met[writers] <= meetings) | (self.met[writers] != np.reshape(met, (-1, 1)))
        if (apart & ~self.state.active.mask[writers]).any():
            raise Refused(_APART)
        origin: np.ndarray = first[:, 0]
        return origin

    def _tiles(self, threads: np.ndarray, at: np.ndarray, size: int) -> Loaded:
        """What copies bring there, as these threads read it now."""
        state = self.state
        origin = np.zeros((self.threads, 1), np.int64)
        warps = threads // state.warp
        for number in np.unique(warps).tolist():
            mine = warps == number
            warp, epoch = state.when(number * state.warp)
            state.touched.setdefault((warp, epoch), set()).update(np.unique(at[mine] & ~15).tolist())
            origin[threads[mine], 0] = at[mine] | (TILE | warp << 40 | epoch << 24)
        return Loaded(size, origin)

    def load_shared(self, thread: int, address: int, size: int) -> Scalar:
        value = self._load_shared(thread, address, size)
        if type(value) is not Element or value.parameter >= 0:
            self.state.rereads(thread // self.state.warp, (address - SHARED) & ~15)
        return value

    def _load_shared(self, thread: int, address: int, size: int) -> Scalar:
        if self.places.loaded(address - SHARED, size):
            return self._load_parts(thread, address, size)
        cell = self.shared.get(address)
        if cell is not None and cell[0] == size:
            self._order(cell[2], cell[3], thread)
            return bound(cell[1], cell[2])
        for start in (address & ~3, address & ~7, address & ~15):
            cell = self.shared.get(start)
            if cell is not None and start + cell[0] >= address + size:
                self._order(cell[2], cell[3], thread)
                return bound(piece(cell[1], cell[0], address - start, size), cell[2])
        parts: list[tuple[int, Scalar]] = []
        at = address
        while at < address + size:
            for start in range(at, at - _WIDEST, -1):
                cell = self.shared.get(start)
                if cell is not None and start + cell[0] > at:
                    self._order(cell[2], cell[3], thread)
                    length = min(start + cell[0], address + size) - at
                    parts.append((length, bound(piece(cell[1], cell[0], at - start, length), cell[2])))
                    break
            else:
                return self.tile(thread, address - SHARED, size)
            at += parts[-1][0]
        return joined(parts)

    def _load_parts(self, thread: int, address: int, size: int) -> Scalar:
        """Some of them were loaded from memory."""
        parts: list[tuple[int, Scalar]] = []
        at = address
        while at < address + size:
            code, length, writer, meeting = self.places.run(at - SHARED, address + size - at)
            if code >= 0:
                self._order(writer, meeting, thread)
                value: Scalar = Element(code // GLOBAL - 1, code % GLOBAL, length) if code else 0
            elif code == NOTHING:
                return self.tile(thread, address - SHARED, size)
            else:
                start = next(s for s in range(at, at - _WIDEST, -1) if s in self.shared and s + self.shared[s][0] > at)
                cell = self.shared[start]
                self._order(cell[2], cell[3], thread)
                length = min(start + cell[0], address + size) - at
                value = bound(piece(cell[1], cell[0], at - start, length), cell[2])
            parts.append((length, value))
            at += length
        return joined(parts)

    def stored(self, address: int) -> bool:
        """Has a thread written there what may be an operand?

        Results are none: a copy has to have brought a tile there since, which is looked at when the block is followed.
        """
        if self.places.loaded(address, 1):
            return True
        for start in range(address + SHARED, address + SHARED - _WIDEST, -1):
            cell = self.shared.get(start)
            if cell is not None and start + cell[0] > address + SHARED:
                return self.state.cluster != (1, 1, 1) or not sums_in(cell[1])
        return False

    def read_later(self, addresses: np.ndarray, filled: bool) -> None:
        """By wgmma, until the active threads have waited for it. filled: what threads have stored."""
        chunks = set(np.unique(addresses & ~15).tolist())
        state = self.state
        if filled:
            when = state.when(state.active.first)
            for chunk in chunks:
                self.reading.setdefault(chunk, set()).add(when)
            return
        number = len(state.products) + 1
        for when in {state.when(thread) for thread in state.active.threads}:
            state.touched_later.setdefault(when, {}).setdefault(number, set()).update(chunks)

    def tile(self, thread: int, address: int, size: int) -> Element:
        """What a copy brings there, as this thread reads it now."""
        warp, epoch = self.state.when(thread)
        self.state.touched.setdefault((warp, epoch), set()).add(address & ~15)
        return Element(-1, TILE | warp << 40 | epoch << 24 | address, size)

    def _order(self, writer: int, meeting: int, reader: int) -> None:
        mask = self.state.active.mask
        if mask[writer]:
            return  # both run together
        if self.met[writer] <= meeting or self.met[writer] != self.met[reader]:
            raise Refused(_APART)

    def meet(self, everyone: bool) -> None:
        """The active threads come to a barrier."""
        self.meetings += 1
        if everyone:
            self.met[self.state.active.mask] = self.meetings

    def _load_one(self, address: int, kind: Type) -> Value:
        active = self.state.active
        cell = self.private.get(address)
        if cell is not None and cell[0] == kind.size:
            value = cell[1]
            if not active.all:
                value = one_of(active, value)
            return self._as_type(kind, value)
        if cell is not None or address < PARAMETER:
            return self._as_type(kind, self._pieces(address, kind.size))
        if address < MODULE:
            return as_type(kind, self.parameters.member((address - PARAMETER) >> 32, address & 0xFFFFFFFF, kind.size))
        return self.constants.initial(address, kind)

    def _as_type(self, kind: Type, value: Value) -> Value:
        if type(value) is Loaded:
            if not value.is_number(kind):
                return value
            value = value.values()
        if not isinstance(value, Many):
            return value if isinstance(value, (tuple, Loaded)) else as_type(kind, value)
        if value.dtype == object:
            if id(value) in self._symbols:
                return value
            if _PLAIN.isdisjoint(map(type, value.tolist())):
                self._symbols[id(value)] = value
                return value
            return each(self.state.active, lambda v: as_type(kind, v), value)
        if kind.kind == "float":
            return each(self.state.active, lambda v: as_type(kind, v), value)
        if kind.kind == "int":
            value = value & np.uint64((1 << kind.bits) - 1)
        return value

    def _pieces(self, address: int, size: int) -> Value:
        parts: list[Value] = []
        lengths: list[int] = []
        at = address
        while at < address + size:
            for start in range(at, at - _WIDEST, -1):
                old = self.private.get(start)
                if old is not None and start + old[0] > at:
                    lengths.append(min(start + old[0], address + size) - at)
                    parts.append(part_of(self.state.everyone, old[1], old[0], at - start, lengths[-1]))
                    break
            else:
                return Term("undefined")
            at += lengths[-1]
        whole = joined_parts(list(zip(lengths, parts)))
        if whole is not None:
            return whole
        wholes = [p for p in parts if is_whole(p)]
        if size <= 8 and len(wholes) == len(parts) and any(type(p) is Many for p in parts):
            total, shift = np.zeros(self.threads, np.uint64), 0
            for length, part in zip(lengths, wholes):
                total |= (part if isinstance(part, Many) else np.uint64(part)) << np.uint64(shift)
                shift += 8 * length
            return total
        return each(self.state.everyone, lambda *values: joined(list(zip(lengths, values))), *parts)


def _taken(cells: dict[int, _Cell], address: int, size: int) -> Iterator[tuple[int, _Cell, list[int]]]:
    """Takes out what a store lies over: where it was, what it was, and the bytes that stay beside the store."""
    for at in range(address - _WIDEST + 1, address + size):
        if at in cells and at + cells[at][0] > address:
            old = cells.pop(at)
            beside = list(range(at, address)) + list(range(address + size, at + old[0]))
            yield at, old, beside
