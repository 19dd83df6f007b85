"""Executes a block of a kernel on a small problem, all threads at once, and notes what they do.

Numbers are worked out. What memory holds and what matrix products give are symbols; a value that depends on them is an
expression over them, and control flow that does is refused. Whatever is waited for is taken as done. The kernel is the
faithful port: copies, barriers and products are calls of porter's own functions (porter.native.machine.runtime_calls),
whatever dialect they came from.

Threads that go different ways are executed one group after the other, the group at the earliest block of a function
first. clang writes loops before what follows them, so groups meet again where the source does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Optional

import numpy as np

from porter.native.ir.module import End, Function, Instruction, Module, Operand, Register, Type
from porter.native.machine.constants import Constants
from porter.native.machine.lanes import Active, Many, each, is_whole, merged, one_of
from porter.native.machine.loaded_values import Loaded, Value, plain
from porter.native.machine.memory import Memory
from porter.native.machine.parameters import Parameters
from porter.native.machine.state import Block, State
from porter.native.machine.values import NULL, Asserted, Refused, Scalar, Term, shown, signed

__all__ = ["Machine", "Operation", "Registers", "Undecided"]

_MOST_STEPS = 1_000_000
_UNDEFINED = Term("undefined")


Registers = dict[str, Value]  # of a function, by name


class Undecided(Exception):
    """Where threads go depends on the kernel's parameters."""

    def __init__(self, condition: Term) -> None:
        super().__init__()
        self.condition = condition


class Machine:
    """One kernel with its arguments. What is known of a block alone is in `state` and `memory`, which are its last run's."""

    state: State
    memory: Memory

    def __init__(
        self,
        operations: Mapping[str, Operation],
        module: Module,
        kernel: Function,
        parameters: Parameters,
        mirrored: bool = False,
        decisions: Mapping[Term, bool] | None = None,
        launched: tuple[int, int, int] = (1, 1, 1),
        multiplies_values: bool = False,
    ) -> None:
        """multiplies_values: products may have operands that are no elements of memory; operations: what instructions do, by their name; decisions: how conditions on parameters turn out that are no
        whole numbers; mirrored, launched: as State's."""
        self.operations = operations
        self.module = module
        self.kernel = kernel
        self.parameters = parameters
        self.mirrored = mirrored
        self.decisions = decisions or {}
        self.launched = launched
        self.multiplies_values = multiplies_values
        self.constants = Constants(module)
        self.steps = 0
        self.plans: dict[
            int, tuple[int, list[tuple[tuple[Type, Operand], int, int]]]
        ] = {}  # by id of a getelementptr: how its addresses are made
        self._known: dict[int, Value] = {}  # constants, by id of an instruction's operand

    def run(self, block: Block) -> State:
        """What the threads of a block do."""
        self.state = State(block, self.mirrored, self.launched)
        self.memory = Memory(self.state, self.parameters, self.constants)
        self.steps = 0
        self.call(self.kernel, self.parameters.of_call(self.kernel))
        return self.state

    def call(self, function: Function, values: Sequence[Value]) -> Value | None:
        code, state, operations = function.code, self.state, self.operations
        registers: Registers = {name: v for (_, name, _), v in zip(function.parameters, values)}
        floor, entry = self.memory.top, state.active
        waiting: dict[int, np.ndarray] = {}  # by block: the threads that come there
        result: Value | None = None
        returned = False
        current = 0
        one: Instruction | None = None
        try:
            while True:
                block = code.blocks[current]
                apart = state.active is not entry
                for one in block.body:
                    value = operations[one.op](self, one, registers)
                    name = one.result
                    if name:
                        if value is None:
                            value = _UNDEFINED
                        if apart and name in code.crossing and name in registers:
                            value = merged(state.active, value, registers[name])
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
                    if value is not None:
                        result = value if result is None else merged(state.active, value, result)
                    returned = True
                    if function is self.kernel:
                        state.ended |= state.active.mask
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
                state.active = entry if not waiting and not returned else Active(mask)
        except Refused as why:
            if one is not None:
                why.at.append((function.name, function.number(one)))
            raise
        finally:
            self.memory.top = floor
            state.active = entry

    def _targets(self, end: End, registers: Registers) -> list[tuple[int, np.ndarray]]:
        """The blocks where threads go next, and which of them."""
        mask = self.state.active.mask
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
        targets: dict[int, np.ndarray] = {}
        for number in np.unique(np.asarray(value)[mask]):
            target = end.cases.get(signed(int(number), width), end.targets[0])
            there: np.ndarray = mask & (value == number)
            targets[target] = targets[target] | there if target in targets else there
        return list(targets.items())

    def _choose(
        self, phis: Sequence[Instruction], previous: str, mask: np.ndarray, registers: Registers, entry: Active
    ) -> None:
        chosen = [(phi.type, next(v for v, label in phi.detail if label == previous)) for phi in phis]
        values = [registers[v.name] if type(v) is Register else self.constants.value(kind, v) for kind, v in chosen]
        part = Active(mask)
        for phi, value in zip(phis, values):
            if phi.result in registers and part.mask is not entry.mask:
                value = merged(part, value, registers[phi.result])
            registers[phi.result] = value

    def _control(self, value: Value) -> int | np.ndarray:
        """What decides where threads go: a number, or an array of numbers that differ."""
        if type(value) is Many and value.dtype == object:
            value = each(self.state.active, self.known, value)
        if is_whole(value):
            alike = one_of(self.state.active, value)
            return alike if is_whole(alike) else self.known(alike)
        return self.known(value)

    def known(self, value: Value) -> int:
        value = one_of(self.state.active, value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, Term) and value.op == "compare" and _of_parameters(value):
            if value not in self.decisions:
                raise Undecided(value)
            return int(self.decisions[value])
        raise Refused(f"control depends on data ({shown(value)})")

    def value(self, operand: tuple[Type, Operand], registers: Registers) -> Value:
        one = operand[1]
        value_read = registers[one.name] if type(one) is Register else self.raw(operand, registers)
        return plain(value_read) if type(value_read) is Loaded or type(value_read) is tuple else value_read

    def raw(self, operand: tuple[Type, Operand], registers: Registers) -> Value:
        """Of an instruction; what was loaded from memory as it is, or in a tuple."""
        one = operand[1]
        if type(one) is Register:
            return registers[one.name]
        key = id(operand)
        if key not in self._known:
            self._known[key] = self.constants.value(operand[0], one)
        return self._known[key]


Operation = Callable[[Machine, Instruction, Registers], Optional[Value]]


def _of_parameters(value: Scalar) -> bool:
    if not isinstance(value, Term):
        return isinstance(value, (int, float))
    return (
        value is NULL
        or (value.op == "parameter" and len(value.parts) == 1)
        or (value.op in ("compare", "fpext") and all(_of_parameters(p) for p in value.parts))
    )
