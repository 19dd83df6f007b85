"""Executes a block of a kernel on a small problem, all threads at once, and notes what they do.

Numbers are worked out. What memory holds and what matrix products give are symbols; a value that depends on them is an
expression over them, and control flow that does is refused. Whatever is waited for is taken as done. The kernel is the
faithful port: copies, barriers and products are calls of porter's own functions (porter.native.machine.runtime_calls), whatever dialect
they came from.

Threads that go different ways are executed one group after the other, the one that is at the earliest block of a function
first: clang writes loops before what follows them, so that groups meet again where the source does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from porter.native.ir.module import End, Function, Instruction, Module, Operand, Register, Type, Unread
from porter.native.machine.arithmetic import integer
from porter.native.machine.lanes import Active, Many, each, merged, one_of
from porter.native.machine.loaded_values import Loaded, plain
from porter.native.machine.memory import Memory
from porter.native.machine.operations import OPERATIONS
from porter.native.machine.values import (
    GLOBAL,
    MODULE,
    NULL,
    PARAMETER,
    PRIVATE,
    Asserted,
    Load,
    Product,
    Refused,
    Sync,
    Term,
    convert,
    element_address,
    filled,
    joined,
    piece,
    shown,
    signed,
    zero,
)
from porter.native.recognise.kernel_arguments import Given

__all__ = ["Block", "Machine", "Undecided"]

_MOST_STEPS = 1_000_000
_MOST_EVENTS = 1 << 16


class Undecided(Exception):
    """Where threads go depends on the kernel's parameters."""

    def __init__(self, condition: Term) -> None:
        super().__init__()
        self.condition = condition


@dataclass(slots=True)
class Block:
    """The part of a launch that a thread can see."""

    index: tuple[int, int, int]
    grid: tuple[int, int, int]
    shape: tuple[int, int, int]  # of CUDA's threads

    @property
    def threads(self) -> int:
        return math.prod(self.shape)


class Machine:
    """mirrored: threads are the lanes of waves, two for each of CUDA's."""

    block: Block
    active: Active
    everyone: Active
    memory: Memory
    events: list[list[Any]]  # by thread
    index: Any  # CUDA's number of each thread

    def __init__(
        self,
        module: Module,
        kernel: Function,
        knows: Sequence[Given],
        arguments: Sequence[int | None],
        mirrored: bool = False,
        decisions: Mapping[Term, bool] | None = None,
        launched: tuple[int, int, int] = (1, 1, 1),
    ) -> None:
        """arguments: a number for each thing that the kernel is given, None for what is no whole number.

        decisions: how conditions on such parameters turn out; launched: a cluster's size, where launches give it."""
        self.module = module
        self.kernel = kernel
        self.knows = knows
        self.arguments = arguments
        self.members = {(g.parameter, g.offset): number for number, g in enumerate(knows) if g.offset >= 0}
        self.mirrored = mirrored
        self.decisions = decisions or {}
        self.places: dict[str, int] = {}  # of shared variables
        self.bases: dict[str, int] = {}
        self._next_shared = 0x100
        self.warp = 64 if mirrored else 32  # threads
        self.products: list[Product] = []
        self.fragments: dict[tuple[int, ...], Any] = {}  # operands that were looked at before
        self.launched = launched
        self.cluster: tuple[int, int, int] = (1, 1, 1)  # blocks
        self.tokens = 0  # of arrivals at mbarriers
        self.constants: dict[int, Any] = {}  # by id of an instruction's operand
        self.plans: dict[int, Any] = {}  # by id of a getelementptr: how its addresses are made

    @property
    def rank(self) -> int:
        """Of the block in its cluster."""
        x, y, z = (i % size for i, size in zip(self.block.index, self.cluster))
        return (z * self.cluster[1] + y) * self.cluster[0] + x

    def run(self, block: Block) -> list[list[Any]]:
        """What each thread does, in its order."""
        threads = block.threads * (2 if self.mirrored else 1)
        self.index = np.arange(threads, dtype=np.uint64)
        if self.mirrored:
            lane = self.index % 64
            row = (lane >> np.uint64(1) & np.uint64(6)) | lane & np.uint64(1)
            self.index = self.index // 64 * 32 + row * 4 + lane // 16
        self.block = block
        self.events = [[] for _ in range(threads)]
        # What orders warps, and how many lanes each did; what each reads of tiles in shared memory, after so many of these:
        # chunks of 16 bytes. By wgmma: with the product's number.
        self.orders: list[list[tuple[Load | Sync, int]]] = [[] for _ in range(-(-threads // self.warp))]
        self.touched: dict[tuple[int, int], set[int]] = {}
        self.touched_later: dict[tuple[int, int], dict[int, set[int]]] = {}
        self.memory = Memory(self, threads)
        self.everyone = self.active = Active(np.ones(threads, bool))
        self.ended = np.zeros(threads, bool)
        self.top = PRIVATE
        self.steps = 0
        values: list[Any] = []
        for number, (_, _, by_value) in enumerate(self.kernel.parameters):
            values.append(PARAMETER + (number << 32) if by_value is not None else self._of(number))
        self.call(self.kernel, values)
        return self.events

    def forget(self) -> None:
        """What was in memory, which knows this machine: they would keep one another."""
        vars(self).pop("memory", None)

    def _of(self, number: int) -> Any:
        """What a parameter or a member of one is."""
        kind, argument = self.knows[number].kind, self.arguments[number]
        if kind.kind == "ptr":
            return GLOBAL * (number + 1)
        if argument is None or kind.kind != "int":
            return Term("parameter", (number,))
        return argument & (1 << kind.bits) - 1

    def member(self, parameter: int, offset: int, size: int) -> Any:
        """What lies in a parameter that is a structure."""
        parts: list[tuple[int, Any]] = []
        at = offset
        while at < offset + size:
            number = self.members.get((parameter, at))
            if number is None and parts:  # what lies between members
                after = next((n for n in range(at + 1, offset + size) if (parameter, n) in self.members), offset + size)
                parts.append((after - at, Term("undefined")))
                at = after
                continue
            if number is None or self.knows[number].by_value is not None:
                return Term("parameter", (parameter, offset, size))
            length = self.knows[number].kind.size
            parts.append((length, self._of(number)))
            at += length
        return joined(parts) if at == offset + size else piece(parts[0][1], parts[0][0], 0, size)

    def happens(self, events: Iterable[tuple[int, Load | Sync]]) -> None:
        """What orders threads, by thread. The lanes of a warp go together."""
        found: dict[tuple[int, Load | Sync], int] = {}
        for thread, event in events:
            if isinstance(event, Load):
                self.events[thread].append(event)
            if not self.mirrored or not thread & 2:  # one of two mirrors
                key = thread // self.warp, event
                found[key] = found.get(key, 0) + 1
        for (warp, event), lanes in found.items():
            self.orders[warp].append((event, lanes))

    def synchronised(self, event: Sync) -> None:
        self.happens((thread, event) for thread in self.active.threads)

    def when(self, thread: int) -> tuple[int, int]:
        """A thread's warp, and how many events that has behind it."""
        warp = thread // self.warp
        if len(self.orders[warp]) >= _MOST_EVENTS:
            raise Refused("too many copies and barriers to follow")
        return warp, len(self.orders[warp])

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
    def only(self, mask: Any) -> Iterator[Active]:
        before = self.active
        self.active = Active(mask)
        try:
            yield self.active
        finally:
            self.active = before

    # Calls

    def call(self, function: Function, values: Sequence[Any]) -> Any:
        code = function.code
        registers: dict[str, Any] = {name: v for (_, name, _), v in zip(function.parameters, values)}
        floor, entry = self.top, self.active
        waiting: dict[int, Any] = {}  # by block: the threads that come there
        result: Any = None
        returned = False
        current = 0
        one: Instruction | None = None
        try:
            while True:
                block = code.blocks[current]
                apart = self.active is not entry
                for one in block.body:
                    value = OPERATIONS[one.op](self, one, registers)
                    name = one.result
                    if name:
                        if apart and name in code.crossing and name in registers:
                            value = merged(self.active, value, registers[name])
                        registers[name] = value
                self.steps += len(block.body) + 1
                if self.steps > _MOST_STEPS:
                    raise Asserted("the kernel does not end on the problems that were tried")
                end = block.end
                if end is None:
                    raise Refused(f"control leaves {self.module.title(function.name)}")
                if end.op == "unreachable":
                    raise Refused("a trap in the kernel")
                if end.op == "ret":
                    value = self.raw(end.operands[0], registers) if end.operands else None
                    result = merged(self.active, value, result) if returned else value
                    returned = True
                    if function is self.kernel:
                        self.ended |= self.active.mask
                    if not waiting:
                        return result
                else:
                    targets = self._targets(end, registers)
                    for target, mask in targets:
                        if code.blocks[target].phis:
                            self._choose(code.blocks[target].phis, block.name, mask, registers, entry)
                    if len(targets) == 1 and not waiting:
                        current = targets[0][0]
                        continue
                    for target, mask in targets:
                        waiting[target] = mask | waiting[target] if target in waiting else mask
                current = min(waiting)
                mask = waiting.pop(current)
                self.active = entry if not waiting and not returned else Active(mask)
        except Refused as why:
            if one is not None:
                why.places.append(self.module.place(one.line))
            raise
        finally:
            self.top = floor
            self.active = entry

    def _targets(self, end: End, registers: dict[str, Any]) -> list[tuple[int, Any]]:
        """The blocks where threads go next, and which of them."""
        mask = self.active.mask
        if not end.operands:
            return [(end.targets[0], mask)]
        value = self._control(self.value(end.operands[0], registers))
        if end.op == "br":
            if type(value) is int:
                return [(end.targets[0 if value & 1 else 1], mask)]
            chosen = (value & np.uint64(1)).astype(bool)
            return [(end.targets[0], mask & chosen), (end.targets[1], mask & ~chosen)]
        width = end.operands[0][0].bits
        if type(value) is int:
            return [(end.cases.get(signed(value, width), end.targets[0]), mask)]
        found: dict[int, Any] = {}
        for number in np.unique(value[mask]):
            target = end.cases.get(signed(int(number), width), end.targets[0])
            found[target] = found.get(target, False) | (mask & (value == number))
        return list(found.items())

    def _choose(self, phis: Sequence[Any], previous: str, mask: Any, registers: dict[str, Any], entry: Active) -> None:
        chosen = [(phi.type, next(v for v, label in phi.detail if label == previous)) for phi in phis]
        values = [registers[v.name] if type(v) is Register else self.constant(kind, v) for kind, v in chosen]
        part = Active(mask)
        for phi, value in zip(phis, values):
            if phi.result in registers and part.mask is not entry.mask:
                value = merged(part, value, registers[phi.result])
            registers[phi.result] = value

    def _control(self, value: Any) -> Any:
        """What decides where threads go: a number, or an array of numbers that differ."""
        if type(value) is Many:
            if value.dtype == object:
                value = each(self.active, self.known, value)
            return one_of(self.active, value)
        return self.known(value)

    def known(self, value: Any) -> int:
        value = one_of(self.active, value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, Term) and value.op == "compare" and _of_parameters(value):
            if value not in self.decisions:
                raise Undecided(value)
            return int(self.decisions[value])
        raise Refused(f"control depends on data ({shown(value)})")

    def value(self, operand: tuple[Type, Operand], registers: dict[str, Any]) -> Any:
        one = operand[1]
        found = registers[one.name] if type(one) is Register else self.raw(operand, registers)
        return plain(found) if type(found) is Loaded or type(found) is tuple else found

    def raw(self, operand: tuple[Type, Operand], registers: dict[str, Any]) -> Any:
        """Of an instruction; what was loaded from memory as it is, or in a tuple."""
        one = operand[1]
        if type(one) is Register:
            return registers[one.name]
        key = id(operand)
        if key not in self.constants:
            self.constants[key] = self.constant(operand[0], one)
        return self.constants[key]

    def constant(self, kind: Type, one: Operand) -> Any:
        if isinstance(one, Register):
            raise Unread("a register among constants")
        if one.kind == "int":
            return int(one.value) & (1 << kind.bits) - 1
        if one.kind == "float":
            return one.value
        if one.kind == "zero":
            return zero(kind)
        if one.kind == "undef":
            return filled(kind, Term("undefined"))
        if one.kind == "global":
            return self.place(str(one.value))
        if one.kind == "list":
            return tuple(self.constant(t, v) for t, v in one.parts)
        if one.kind == "cast":
            ((source, inner),) = one.parts
            op, target = one.value
            return convert(op, source, target, self.constant(source, inner))
        if one.kind == "arithmetic":
            left, right = (self.constant(t, v) for t, v in one.parts)
            return integer(str(one.value), left, right, kind.bits)
        if one.kind == "element":
            values = [self.constant(t, v) for t, v in one.parts]
            return element_address(one.value, [t for t, _ in one.parts], values)
        raise Unread(one.kind)

    def place(self, name: str) -> int:
        """The address of a global variable, in its own address space."""
        known = self.module.globals.get(name)
        if known is None:
            return MODULE - 1  # a function's address
        if known.space == 3:
            if name not in self.places:
                size = known.type.size
                self.places[name] = -(-self._next_shared // 1024) * 1024
                self._next_shared = self.places[name] + (size or 1 << 20)
            return self.places[name]
        if name not in self.bases:
            self.bases[name] = MODULE + (len(self.bases) + 1 << 32)
        return self.bases[name]

    # Memory

    def store(self, address: Any, kind: Type, value: Any) -> None:
        self.memory.store(address, kind, value)

    def load(self, address: Any, kind: Type) -> Any:
        return self.memory.load(address, kind)

    def initial(self, address: int, kind: Type) -> Any:
        """What a constant of the module holds."""
        for name, base in self.bases.items():
            known = self.module.globals[name]
            if base <= address < base + max(1, known.type.size):
                found = self.module.initialiser(name)
                if found is None:
                    break
                type_, value = found[0], self.constant(found[0], found[1])
                at = address - base
                while type_.kind in ("array", "struct", "vector"):
                    count = type_.count if type_.kind != "struct" else len(type_.fields)
                    index = max(i for i in range(count) if type_.offset(i) <= at)
                    at -= type_.offset(index)
                    if type(value) is not tuple:
                        return Term("undefined")
                    type_, value = type_.member(index), value[index]
                return value
        return Term("variable", (address,))


def _of_parameters(value: Any) -> bool:
    if not isinstance(value, Term):
        return isinstance(value, (int, float, str))
    return (
        value is NULL
        or (value.op == "parameter" and len(value.parts) == 1)
        or (value.op in ("compare", "fpext") and all(_of_parameters(p) for p in value.parts))
    )
