"""Executes one thread of a kernel on a small problem, with whatever it waits for taken as done, and notes what it does.

Numbers are worked out. What tensor maps bring and what matrix products give are symbols; a value that depends on them
is an expression over them, and control flow that does is refused. The kernel is the faithful port: copies, barriers and
products are calls of porter's own functions (porter.native.library), whatever dialect they came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from porter.native.ir import Function, Module, Operand, Register, Type, Unread
from porter.native.operations import OPERATIONS
from porter.native.values import (
    GLOBAL,
    MODULE,
    PARAMETER,
    PRIVATE,
    SHARED,
    Refused,
    Store,
    Term,
    as_type,
    convert,
    element_address,
    filled,
    joined,
    piece,
    shown,
    signed,
    zero,
)  # fmt: skip

__all__ = ["Block", "Machine"]

_MOST_STEPS = 4_000_000


@dataclass(slots=True)
class Block:
    """The part of a launch that a thread can see."""

    index: tuple[int, int, int]
    grid: tuple[int, int, int]
    threads: int  # of CUDA's


class Machine:
    thread: int
    block: Block
    cluster: tuple[int, int, int]

    def __init__(self, module: Module, kernel: Function, arguments: Sequence[int | None]) -> None:
        """arguments: a number for each parameter, None for pointers and what is passed by value."""
        self.module = module
        self.kernel = kernel
        self.arguments = arguments
        self.shared: dict[str, int] = {}
        self.bases: dict[str, int] = {}
        self._next_shared = 0x100
        self.multiplied = 0
        self.cluster = (1, 1, 1)  # blocks, as the kernel says

    @property
    def rank(self) -> int:
        """Of the block in its cluster."""
        x, y, z = (i % size for i, size in zip(self.block.index, self.cluster))
        return (z * self.cluster[1] + y) * self.cluster[0] + x

    def run(self, block: Block, thread: int) -> list[Any]:
        """What the thread does, in its order."""
        self.block, self.thread = block, thread
        self.events: list[Any] = []
        self.memory: dict[int, tuple[int, Any]] = {}
        self.top = PRIVATE
        self.steps = 0
        values: list[Any] = []
        for number, ((kind, _, by_value), given) in enumerate(zip(self.kernel.parameters, self.arguments, strict=True)):
            if by_value is not None:
                values.append(PARAMETER + (number << 32))
            elif kind.kind == "ptr":
                values.append(GLOBAL * (number + 1))
            elif given is None:
                values.append(Term("parameter", (number,)))
            else:
                values.append(given & (1 << kind.bits) - 1 if kind.kind == "int" else Term("parameter", (number,)))
        self.call(self.kernel, values)
        return self.events

    # Calls

    def call(self, function: Function, values: Sequence[Any]) -> Any:
        registers: dict[str, Any] = {name: v for (_, name, _), v in zip(function.parameters, values)}
        floor = self.top
        block = function.blocks[function.first]
        previous = ""
        try:
            while True:
                for one in block.instructions:
                    self.steps += 1
                    op = one.op
                    if op == "br":
                        labels: Any = one.detail
                        if len(labels) == 1:
                            target = labels[0]
                        else:
                            target = labels[0] if self.known(self.value(one.operands[0], registers)) & 1 else labels[1]
                        break
                    if op == "ret":
                        return self.value(one.operands[0], registers) if one.operands else None
                    if op == "switch":
                        default, cases = one.detail
                        width = one.operands[0][0].bits
                        number = signed(self.known(self.value(one.operands[0], registers)), width)
                        target = cases.get(number, default)
                        break
                    if op == "phi":
                        value = next(v for v, label in one.detail if label == previous)
                        registers[one.result] = self.value((one.type, value), registers)
                    else:
                        result = OPERATIONS[op](self, one, registers)
                        if one.result:
                            registers[one.result] = result
                else:
                    raise Refused(f"control leaves {self.module.title(function.name)}")
                if self.steps > _MOST_STEPS:
                    raise Refused("the kernel does not end on a small problem")
                previous, block = block.name, function.blocks[target]
        finally:
            self.top = floor

    def known(self, value: Any) -> int:
        if isinstance(value, bool):
            return int(value)
        if type(value) is int:
            return value
        raise Refused(f"control depends on data ({shown(value)})")

    def value(self, operand: tuple[Type, Operand], registers: dict[str, Any]) -> Any:
        kind, one = operand
        if type(one) is Register:
            return registers[one.name]
        return self.constant(kind, one)

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
            if name not in self.shared:
                size = known.type.size
                self.shared[name] = -(-self._next_shared // 1024) * 1024
                self._next_shared = self.shared[name] + (size or 1 << 20)
            return self.shared[name]
        if name not in self.bases:
            self.bases[name] = MODULE + (len(self.bases) + 1 << 32)
        return self.bases[name]

    # Memory

    def store(self, address: Any, kind: Type, value: Any) -> None:
        if type(address) is not int:
            raise Refused(f"a store whose address depends on data ({shown(address)})")
        if kind.kind in ("array", "vector", "struct"):
            if type(value) is tuple:
                for index in range(len(value)):
                    self.store(address + kind.offset(index), kind.member(index), value[index])
                return
            if kind.kind != "vector":
                raise Refused("an aggregate that is a symbol")
        size = kind.size
        if address >= GLOBAL:
            self.events.append(Store(address, size, value))
            return
        if SHARED <= address < PRIVATE:
            self.events.append(Term("shared", (address - SHARED, size, value)))
        memory = self.memory
        old = memory.get(address)
        if old is None or old[0] != size:
            self._make_room(address, size)
        memory[address] = (size, value)

    def _make_room(self, address: int, size: int) -> None:
        """Splits what lies there now."""
        for at in range(address - 15, address + size):
            old = self.memory.get(at)
            if old is None or at + old[0] <= address:
                continue
            del self.memory[at]
            for start, end in ((at, address), (address + size, at + old[0])):
                if start < end:
                    for byte in range(start, end):
                        self.memory[byte] = (1, piece(old[1], old[0], byte - at, 1))

    def load(self, address: Any, kind: Type) -> Any:
        if type(address) is not int:
            raise Refused(f"a load whose address depends on data ({shown(address)})")
        if kind.kind in ("array", "struct", "vector"):
            count = kind.count if kind.kind != "struct" else len(kind.fields)
            return tuple(self.load(address + kind.offset(i), kind.member(i)) for i in range(count))
        size = kind.size
        if address >= GLOBAL:
            return Term("load", (address // GLOBAL - 1, address % GLOBAL, size))
        found = self.memory.get(address)
        if found is not None and found[0] == size:
            return as_type(kind, found[1])
        if found is not None or address < PARAMETER:
            return as_type(kind, self._pieces(address, size))
        if address < MODULE:
            return Term("parameter", ((address - PARAMETER) >> 32, address & 0xFFFFFFFF, size))
        return self._initial(address, kind)

    def _pieces(self, address: int, size: int) -> Any:
        parts: list[tuple[int, Any]] = []
        at = address
        while at < address + size:
            for start in range(at, at - 16, -1):
                old = self.memory.get(start)
                if old is not None and start + old[0] > at:
                    length = min(start + old[0], address + size) - at
                    parts.append((length, piece(old[1], old[0], at - start, length)))
                    break
            else:
                return Term("shared load", (address,)) if address < PRIVATE else Term("undefined")
            at += parts[-1][0]
        return joined(parts)

    def _initial(self, address: int, kind: Type) -> Any:
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
