"""What LLVM's instructions do to guarded memory; those on numbers are porter.native.machine's."""

from __future__ import annotations

from typing import cast

import numpy as np

from porter.native.ir.module import Instruction, Type
from porter.native.machine.lanes import Many, each, is_whole
from porter.native.machine.loaded_values import Value
from porter.native.machine.machine import Machine, Operation, Registers
from porter.native.machine.operations import OPERATIONS
from porter.native.machine.values import PRIVATE, SHARED, Refused, Term
from porter.proofs.addresses import ROOM, of_element
from porter.proofs.calls import call

__all__ = ["INSTRUCTIONS"]


def _alloca(machine: Machine, one: Instruction, registers: Registers) -> Value:
    machine.memory.top = PRIVATE + ((machine.memory.top - PRIVATE) // ROOM + 1) * ROOM
    at = machine.memory.top
    machine.memory.top += 1
    return at


def _generic(kind: Type, address: Value) -> Value:
    if kind.space == 3 and is_whole(address):
        return address + (np.uint64(SHARED) if type(address) is Many else SHARED)
    return address


def _load(machine: Machine, instruction: Instruction, registers: Registers) -> Value:
    kind, _ = instruction.operands[0]
    return machine.memory.load(_generic(kind, machine.value(instruction.operands[0], registers)), instruction.type)


def _store(machine: Machine, instruction: Instruction, registers: Registers) -> None:
    address = _generic(instruction.operands[1][0], machine.value(instruction.operands[1], registers))
    machine.memory.store(address, instruction.type, machine.raw(instruction.operands[0], registers))


def _element(machine: Machine, instruction: Instruction, registers: Registers) -> Value:
    values = [machine.value(operand, registers) for operand in instruction.operands]
    if all(map(is_whole, values)):
        return cast(Value, OPERATIONS["getelementptr"](machine, instruction, registers))
    types = [kind for kind, _ in instruction.operands]
    return each(machine.state.active, lambda *of: of_element(instruction.detail, types, of), *values)


def _compare_floats(machine: Machine, one: Instruction, registers: Registers) -> Value:
    value = cast(Value, OPERATIONS["fcmp"](machine, one, registers))
    if one.detail[0] != "u" or is_whole(value):
        return value
    return each(
        machine.state.active,
        lambda v: Term("fcompare", v.parts, v.word) if isinstance(v, Term) and v.op == "compare" else v,
        value,
    )


def _atomic(machine: Machine, one: Instruction, registers: Registers) -> Value:
    raise Refused("an atomic of the compiler's own")


INSTRUCTIONS: dict[str, Operation] = {
    **OPERATIONS, "alloca": _alloca, "load": _load, "store": _store, "getelementptr": _element, "call": call,
    "fcmp": _compare_floats, "atomicrmw": _atomic, "cmpxchg": _atomic,
}  # fmt: skip
