"""Memory of a block of threads that may be in a place under conditions.

A thread's variables hold what was stored, or a choice between that and what they held. Shared arrays are known by element;
a store to an element that depends on data makes another array of them. Loads from global memory are symbols, stores to it
effects, which count the states of memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from porter.native.ir.module import Module, Type
from porter.native.machine.constants import Constants
from porter.native.machine.lanes import Many, each, gathered, listed, one_of
from porter.native.machine.loaded_values import Value
from porter.native.machine.memory import Memory
from porter.native.machine.parameters import Parameters
from porter.native.machine.state import State
from porter.native.machine.values import (
    MODULE,
    PARAMETER,
    PRIVATE,
    SHARED,
    Refused,
    Scalar,
    Term,
    as_type,
    joined,
    piece,
)
from porter.proofs.addresses import ROOM, may_be_shared, moved
from porter.proofs.algebra import Algebra, hashed
from porter.proofs.flow import Standing
from porter.proofs.guards import Guard

__all__ = ["GuardedMemory", "Region", "Variables", "shown_name"]


class Variables(Constants):
    """The module's variables, at addresses that do not depend on their sizes."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.module = module
        self.shared: list[str] = []
        self.others: list[str] = []

    def address(self, name: str) -> int:
        known = self.module.globals.get(name)
        if known is None:
            return MODULE - 1  # a function's address
        names, room, first = (self.shared, ROOM, 0) if known.space == 3 else (self.others, 1 << 32, MODULE)
        if name not in names:
            names.append(name)
        return first + (names.index(name) + 1) * room


@dataclass(eq=False)
class Region:
    """A shared array: elements by offset, on top of what `base` stands for."""

    name: str
    size: int  # bytes; 0: only the launch knows
    base: Term
    cells: dict[int, tuple[int, Scalar]] = field(default_factory=dict)
    top: int = 0  # where the last byte ends that was used

    def read(self, at: int, size: int) -> Scalar:
        written = self.cells.get(at)
        if written is not None and written[0] == size:
            return written[1]
        parts: list[tuple[int, Scalar]] = []
        for offset in range(at - 15, at + size):
            cell = self.cells.get(offset)
            if cell is None or offset + cell[0] <= at:
                continue
            if offset <= at and offset + cell[0] >= at + size:
                return piece(cell[1], cell[0], at - offset, size)
            parts.append((cell[0], cell[1]))
            if offset != at + sum(length for length, _ in parts[:-1]) or offset + cell[0] > at + size:
                raise Refused(f"{self.name} is read as values of another size")
        if not parts:
            return Term("element", (self.base, at), str(size))
        if sum(length for length, _ in parts) != size:
            raise Refused(f"{self.name} is read as values of another size")
        return joined(parts)

    def write(self, at: int, size: int, value: Scalar) -> None:
        if at not in self.cells or self.cells[at][0] != size:
            for offset in range(at - 15, at + size):
                cell = self.cells.get(offset)
                if cell is not None and offset + cell[0] > at:
                    if offset < at or offset + cell[0] > at + size:
                        raise Refused(f"{self.name} is written as values of another size")
                    del self.cells[offset]
        self.cells[at] = size, value


class GuardedMemory(Memory):
    """What the active threads load and store, under the machine's guards."""

    def __init__(
        self,
        state: State,
        standing: Standing,
        algebra: Algebra,
        variables: Variables,
        built_in: Mapping[str, Callable[[int], Value]],
    ) -> None:
        """built_in: what variables like threadIdx hold at an offset."""
        super().__init__(state, Parameters((), ()), variables)
        self.standing = standing
        self.algebra = algebra
        self.variables = variables
        self.built_in = built_in
        self.regions: dict[str, Region] = {}
        self.effects: list[tuple[object, tuple[Any, ...]]] = []  # by which instruction, and what

    def effect(self, *what: Any) -> None:
        self.effects.append((self.standing.at, what))

    # Stores

    def store(self, address: Value, kind: Type, value: Value) -> None:
        if kind.kind in ("array", "vector", "struct") and type(value) is tuple:
            for index, part in enumerate(value):
                self.store(moved(self.state.active, address, kind.offset(index)), kind.member(index), part)
            return
        address = one_of(self.state.active, address)
        if type(address) is int and PRIVATE <= address < PARAMETER:
            self._store_variable(address, kind.size, value)
            return
        size, outside = kind.size, set()
        addresses, values = listed(address, self.threads), listed(value, self.threads)
        scattered: dict[str, set[object]] = {}
        own: dict[int, list[int]] = {}
        for thread in self.state.active.threads:
            at, guard = addresses[thread], self.standing.guards[thread]
            region, offset = self._place(at)
            if region is None:
                if type(at) is int and PRIVATE <= at < PARAMETER:
                    own.setdefault(at, []).append(thread)
                else:
                    outside.add((self.algebra.print(self._global(at)), size, *self._printed(values[thread], guard)))
            elif type(offset) is int:
                self._reach(region, offset, size)
                old = region.read(offset, size)
                region.write(offset, size, self.algebra.chosen(guard, values[thread], old))
            else:
                change = (self.algebra.print(offset), size, *self._printed(values[thread], guard))
                scattered.setdefault(region.name, set()).add(change)
        for place, threads in own.items():
            mask = np.zeros(self.threads, bool)
            mask[threads] = True
            with self.state.only(mask):
                self._store_variable(place, size, value)
        for name, written in scattered.items():
            self.scatter(name, written)
        if outside:
            self.effect("store", frozenset(outside))

    def _printed(self, value: Scalar, guard: Guard) -> tuple[int, int]:
        return self.algebra.print(self.algebra.under(value, guard)), hashed(guard.clauses)

    def _store_variable(self, address: int, size: int, value: Value) -> None:
        if self.standing.guarded:
            known = self.private.get(address)
            old = known[1] if known is not None and known[0] == size else self._pieces(address, size)
            value = each(self.state.active, self._chosen, self.standing.guards, value, old)
        self._store_private(address, size, value)

    def _chosen(self, guard: Guard, new: Scalar, old: Scalar) -> Scalar:
        if old is None or (isinstance(old, Term) and old.op == "undefined"):
            return new
        return self.algebra.chosen(guard, new, old)

    # Loads

    def load(self, address: Value, kind: Type, whole: int = 0) -> Value:
        if kind.kind in ("array", "vector", "struct"):
            count = kind.count if kind.kind != "struct" else len(kind.fields)
            return tuple(
                self.load(moved(self.state.active, address, kind.offset(i)), kind.member(i)) for i in range(count)
            )
        active = self.state.active
        address = one_of(active, address)
        if type(address) is int and PRIVATE <= address < PARAMETER:
            value = self._load_one(address, kind)
        elif type(address) is int and address >= MODULE and self._name(address) in self.built_in:
            return self.built_in[self._name(address)](address % (1 << 32))
        elif type(address) is Many:
            addresses = address.tolist()
            results: list[Scalar | None] = [None] * self.threads
            for thread in active.threads:
                results[thread] = self._loaded(thread, addresses[thread], kind)
            value = gathered(active, results)
        else:
            value = self._loaded(active.first, address, kind)
        if self.standing.guarded and (type(value) is Term or (type(value) is Many and value.dtype == object)):
            return each(active, self.algebra.under, value, self.standing.guards)
        return value

    def _loaded(self, thread: int, address: Any, kind: Type) -> Scalar:
        region, offset = self._place(address)
        if region is not None:
            if type(offset) is int:
                self._reach(region, offset, kind.size)
                return as_type(kind, region.read(offset, kind.size))
            return Term("element", (self.print_of(region), offset), str(kind.size))
        if type(address) is int and PRIVATE <= address < PARAMETER:
            with self.state.only(np.arange(self.threads) == thread):
                return listed(self._load_one(address, kind), self.threads)[thread]  # type: ignore[no-any-return]
        if type(address) is int and PARAMETER <= address < MODULE:
            return Term("parameter", (address >> 32, address % (1 << 32)), str(kind.size))
        return Term("load", (self._global(address), len(self.effects)), str(kind.size))

    # Single threads, and calls

    def scatter(self, name: str, changes: set[Any]) -> None:
        """Changes of a shared array at places that depend on data."""
        region = self.regions[name]
        region.base, region.cells = Term("scattered", (self.print_of(region), hashed(frozenset(changes))), name), {}

    def name_of(self, address: Any) -> str:
        """The shared array that an address is in; "" for other memory."""
        region, _ = self._place(address)
        return region.name if region is not None else ""

    def is_known(self, address: Any) -> bool:
        return type(self._place(address)[1]) is int

    def width(self, address: Value) -> int:
        """Bytes of what lies at the address of a variable, where something does; else 0."""
        return self.private.get(address, (0,))[0] if type(address) is int else 0

    def load_one(self, thread: int, address: Any, kind: Type) -> Scalar:
        return self._loaded(thread, address, kind)

    def store_one(self, thread: int, address: Any, kind: Type, value: Scalar) -> None:
        region, offset = self._place(address)
        assert region is not None and type(offset) is int
        region.write(offset, kind.size, value)

    def outside(self, address: Any) -> Scalar:
        return self._global(address)

    @staticmethod
    def is_variable(value: Value) -> bool:
        """Is it the address of a thread's own variable?"""
        return type(value) is int and PRIVATE <= value < PARAMETER

    def contents(self, value: Value) -> Value:
        """Of a variable whose address is given; any other value as it is."""
        if type(value) is not int or not self.is_variable(value):
            return value
        cells = sorted(at for at in self.private if value <= at < value - value % ROOM + ROOM)
        if len(cells) == 1:
            return self.load(cells[0], Type("int", 8 * self.private[cells[0]][0]))
        return each(self.state.active, lambda *parts: Term("contents", parts), *(self.private[at][1] for at in cells))

    def forget(self, value: Value, call: int, number: int) -> None:
        """What a call got the address of may be anything afterwards."""
        if type(value) is int and self.is_variable(value):
            for at in [at for at in self.private if value <= at < value - value % ROOM + ROOM]:
                new = each(
                    self.state.active, lambda t, at=at: Term("out", (call, number, at % ROOM, t)), self.state.index
                )
                self.store(at, Type("int", 8 * self.private[at][0]), new)
            return
        regions = (self._place(address)[0] for address in listed(value, self.threads) if address is not None)
        for region in {region.name: region for region in regions if region is not None}.values():
            region.base, region.cells = Term("called", (call, number, self.print_of(region)), region.name), {}

    # Places

    def region(self, name: str) -> Region:
        if name not in self.regions:
            self.regions[name] = Region(name, self.variables.module.globals[name].type.size, Term("shared", (), name))
        return self.regions[name]

    def _place(self, address: Any) -> tuple[Region | None, Scalar]:
        """The shared array that an address is in, and where there; None for any other memory."""
        origin = address
        while isinstance(origin, Term) and origin.op == "add":
            origin = origin.parts[0]
        if isinstance(origin, Term) and origin.op == "lost":
            raise Refused("a pointer to shared memory moves in a loop")
        if may_be_shared(origin) and (origin is not address or (isinstance(origin, Term) and origin.op != "place")):
            raise Refused("an address that may be in one of several arrays")
        first: Any = address.parts[0] if isinstance(address, Term) and address.op == "place" else address
        if type(first) is not int or not SHARED <= first < PRIVATE:
            if first is not address:
                raise Refused("an index of data into a local array")
            return None, 0
        number, offset = divmod(first - SHARED, ROOM)
        if not 1 <= number <= len(self.variables.shared):
            raise Refused("an address outside of shared memory")
        region = self.region(self.variables.shared[number - 1])
        if first is address:
            return region, offset
        return region, Term("add", (address.parts[1], offset))

    def _reach(self, region: Region, offset: int, size: int) -> None:
        """Half as many warps must not reach further into an array than it is long."""
        if region.size and offset + size > region.size:
            raise Refused(f"element {offset // size} of {shown_name(region.name)} would lie outside of it")
        region.top = max(region.top, offset + size)

    def _name(self, address: int) -> str:
        number = (address - MODULE >> 32) - 1
        return self.variables.others[number] if 0 <= number < len(self.variables.others) else ""

    def _global(self, address: Any) -> Scalar:
        """Variables of the module by their names."""
        if type(address) is int and address >= MODULE:
            return Term("add", (Term("variable", (), self._name(address)), address % (1 << 32)))
        if type(address) is int and address:
            raise Refused("an address that cannot be followed")
        return address  # type: ignore[no-any-return]

    def prints_of(self, addresses: Iterable[Any]) -> frozenset[tuple[str, int]]:
        """The shared arrays that any of the addresses is in, with what they hold."""
        names = {self.name_of(address) for address in addresses if may_be_shared(address)}
        return frozenset((name, self.print_of(self.region(name))) for name in names - {""})

    def print_of(self, region: Region) -> int:
        cells = frozenset((at, size, self.algebra.print(value)) for at, (size, value) in region.cells.items())
        return hashed(self.algebra.print(region.base), cells)


def shown_name(mangled: str) -> str:
    """A variable's own name: the last of a mangled one."""
    own_name = re.search(r"E(\d+)(\w+?)(?:_\d+)?$", mangled)
    return own_name[2] if own_name else mangled.lstrip("@")
