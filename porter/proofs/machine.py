"""One block of threads, executed on LLVM IR where conditions on data are symbols.

Where a condition is known for a thread, the thread goes that way. Where it depends on data, the thread goes both ways, each
under a guard, and what it stores there is a choice. A loop is executed turn by turn as long as all its threads know when they
leave it. For any other loop one turn stands for all, by induction: what it changes holds, at its start, an unknown value that
is the same for both versions of the kernel, and proof.py checks that it is the same again at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from porter.native.ir.module import End, Function, Instruction, Module, Type
from porter.native.machine.lanes import Active, each, listed, merged, one_of
from porter.native.machine.loaded_values import Value
from porter.native.machine.machine import Machine, Operation, Registers
from porter.native.machine.parameters import Parameters
from porter.native.machine.state import Block, State
from porter.native.machine.values import (
    PARAMETER,
    Refused,
    Scalar,
    Term,
    signed,
)
from porter.proofs.addresses import may_be_shared
from porter.proofs.algebra import Algebra, hashed
from porter.proofs.flow import Arrivals, Frame, Loop, Standing, loops_of, met
from porter.proofs.guards import ALWAYS, Guard, both, either, within
from porter.proofs.memory import GuardedMemory, Variables

__all__ = ["Facts", "Guarded"]

_MOST_TURNS = 72
_MOST_TURNS_WITH_SHUFFLES = 1100
_MOST_BLOCKS = 100_000
_UNDEFINED = Term("undefined")

Key = tuple[str, Any]  # a thread's variable by address, a shared array by name


class _Open(Exception):
    """Data decides when threads leave a loop."""


@dataclass
class Facts:
    """What is assumed of the variables that a loop changes: "same" in all threads, "own" to each, "junk". By the loop's
    number. Both versions share them, and are executed anew where one has found another."""

    sizes: dict[int, dict[Key, int]] = field(default_factory=dict)
    kinds: dict[tuple[int, Key], str] = field(default_factory=dict)
    together: dict[int, tuple[int, ...]] = field(default_factory=dict)  # by thread: the first that takes as many turns
    revision: int = 0

    def add(self, number: int, changed: Mapping[Key, int]) -> bool:
        known = self.sizes.setdefault(number, {})
        new = {key: size for key, size in changed.items() if key not in known}
        known.update(new)
        self.revision += bool(new)
        return bool(new)

    def part(self, number: int, threads: int, back: Arrivals | None) -> bool:
        """Tells threads apart that do not come to the next turn under the same guard; whether there were new ones."""
        known = self.together.setdefault(number, (0,) * threads)
        if back is None:
            return False
        first: dict[tuple[int, Guard | None], int] = {}
        groups = tuple(first.setdefault(key, thread) for thread, key in enumerate(zip(known, back)))
        self.together[number] = groups
        self.revision += groups != known
        return groups != known

    def set_kind(self, number: int, key: Key, kind: str) -> None:
        self.kinds[number, key] = kind
        self.revision += 1


@dataclass(frozen=True)
class _Saved:
    """The machine before a loop."""

    private: dict[int, tuple[int, Value]]
    regions: dict[str, tuple[Term, dict[int, tuple[int, Scalar]], int]]
    registers: Registers
    counts: tuple[int, int, int]  # of effects, calls and loops


class Guarded(Machine):
    memory: GuardedMemory

    def __init__(
        self,
        operations: Mapping[str, Operation],
        module: Module,
        kernel: Function,
        wave: int,
        threads: int,
        algebra: Algebra,
        facts: Facts,
        foreign: frozenset[str],
        site: Callable[[Instruction], int],
    ) -> None:
        """foreign: functions whose bodies are in other files; site: the token of a shuffle or of warpSize, which it refuses
        where the widening does not edit them."""
        super().__init__(operations, module, kernel, Parameters((), ()))
        self.wave = wave
        self.algebra = algebra
        self.facts = facts
        self.foreign = foreign
        self.site = site
        self.calls = self.inductions = self.tried = 0
        self.exchanged: dict[int, set[str]] = {}
        self.state = State(Block((0, 0, 0), (1, 1, 1), (threads, 1, 1)))
        self.standing = Standing(np.full(threads, ALWAYS, object))
        built_in: dict[str, Callable[[int], Value]] = {
            "@threadIdx": lambda at: 0 if at else self.state.index,
            "@blockDim": lambda at: 1 if at else threads,
            "@blockIdx": lambda at: Term("blockIdx", (at,)),
            "@gridDim": lambda at: Term("gridDim", (at,)),
            "@warpSize": lambda at: self._of_wave(),
        }
        self.constants: Variables = Variables(module)
        self.memory = GuardedMemory(self.state, self.standing, algebra, self.constants, built_in)
        self._loops: dict[str, Mapping[int, Loop]] = {}

    def _of_wave(self) -> int:
        assert self.standing.at is not None
        self.site(self.standing.at[1])
        return self.wave

    def execute(self) -> None:
        values: list[Value] = [
            PARAMETER + (number << 32) if by_value is not None else Term("parameter", (number,))
            for number, (_, _, by_value) in enumerate(self.kernel.parameters)
        ]
        self.call(self.kernel, values)

    # Control

    def call(self, function: Function, values: Sequence[Value]) -> Value | None:
        if function.name not in self._loops:
            self._loops[function.name] = loops_of(function, self.module)
        registers: Registers = {name: v for (_, name, _), v in zip(function.parameters, values)}
        frame = Frame(function, self._loops[function.name], registers)
        floor, entry, guards, guarded, at = (
            self.memory.top,
            self.state.active,
            self.standing.guards,
            self.standing.guarded,
            self.standing.at,
        )
        try:
            self._steps(frame, {0: self._here()}, None)
        except Refused as why:
            if self.standing.at is not None and self.standing.at[0] is function:
                why.at.append((function.name, function.number(self.standing.at[1])))
            raise
        finally:
            for address in [a for a in self.memory.private if a >= floor]:
                del self.memory.private[address]
            self.memory.top = floor
            self.state.active, self.standing.guards, self.standing.guarded, self.standing.at = (
                entry,
                guards,
                guarded,
                at,
            )
        return frame.result

    def _here(self) -> Arrivals:
        guards: Arrivals = self.standing.guards.copy()
        guards[~self.state.active.mask] = None
        return guards

    def _enter(self, arrivals: Arrivals) -> None:
        there = [guard is not None for guard in arrivals]
        mask = np.array(there)
        self.state.active = self.state.everyone if mask.all() else Active(mask)
        self.standing.guards = arrivals
        self.standing.guarded = any(guard is not None and guard is not ALWAYS and guard != ALWAYS for guard in arrivals)

    def _steps(
        self, frame: Frame, waiting: dict[int, Arrivals], inside: Loop | None
    ) -> tuple[dict[int, Arrivals], Arrivals | None]:
        """Executes blocks until no thread waits for one: of a loop where threads leave it, and who comes to its next turn."""
        exits: dict[int, Arrivals] = {}
        back: dict[int, Arrivals] = {}

        def send(source: int, target: int, there: Arrivals) -> None:
            places = waiting
            if inside is not None:
                places = back if target == inside.header else waiting if target in inside.blocks else exits
            pending = places.get(target)
            if source >= 0:
                self._choose_at(frame, source, target, there, pending)
            places[target] = there if pending is None else met(pending, there)

        while waiting:
            current = min(waiting)
            arrivals = waiting.pop(current)
            loop = frame.loops.get(current)
            if loop is not None and loop is not inside:
                for target, there in self._loop(frame, loop, arrivals).items():
                    send(-1, target, there)
                continue
            self._enter(arrivals)
            for target, there in self._block(frame, current):
                send(current, target, there)
        return exits, back.get(inside.header) if inside is not None else None

    def _block(self, frame: Frame, number: int) -> list[tuple[int, Arrivals]]:
        self.steps += 1
        if self.steps > _MOST_BLOCKS:
            raise Refused("it takes too long to execute")
        block, registers, crossing = frame.code.blocks[number], frame.registers, frame.code.crossing
        active = self.state.active
        for instruction in block.body:
            self.standing.at = frame.function, instruction
            value = self.operations[instruction.op](self, instruction, registers)
            if instruction.result:
                value = _UNDEFINED if value is None else value
                if not active.all and instruction.result in crossing and instruction.result in registers:
                    value = merged(active, value, registers[instruction.result])
                registers[instruction.result] = value
        end = block.end
        if end is None or end.op == "unreachable":
            return []
        if end.op == "ret":
            value = self.raw(end.operands[0], registers) if end.operands else None
            if value is not None:
                frame.result = value if frame.result is None else merged(active, value, frame.result)
            return []
        return self._ways(end, registers)

    def _ways(self, end: End, registers: Registers) -> list[tuple[int, Arrivals]]:
        here = self._here()
        if not end.operands:
            return [(end.targets[0], here)]
        value = one_of(self.state.active, self.value(end.operands[0], registers))
        width = end.operands[0][0].bits
        cases = end.cases if end.op == "switch" else {0: end.targets[1]}
        if type(value) is int:
            return [(cases.get(signed(value, width) if end.op == "switch" else value & 1, end.targets[0]), here)]
        ways: dict[int, Arrivals] = {}
        column = listed(value, self.state.threads)
        for thread in self.state.active.threads:
            one, guard = column[thread], here[thread]
            if type(one) is int:
                target = cases.get(signed(one, width) if end.op == "switch" else one & 1, end.targets[0])
                self._go(ways, target, thread, guard)
                continue
            rest: Guard | None = guard
            for number, target in cases.items():
                condition = Term("compare", (one, number), "eq")
                literal = self.algebra.literal(condition) if end.op == "switch" else -self.algebra.literal(one)
                self._go(ways, target, thread, both(rest, literal) if rest is not None else None)
                rest = both(rest, -literal) if rest is not None else None
            self._go(ways, end.targets[0], thread, rest)
        return list(ways.items())

    def _go(self, ways: dict[int, Arrivals], target: int, thread: int, guard: Guard | None) -> None:
        if guard is None:
            return
        if target not in ways:
            ways[target] = np.full(self.state.threads, None, object)
        before = ways[target][thread]
        ways[target][thread] = guard if before is None else either(before, guard)

    def _choose_at(self, frame: Frame, source: int, target: int, there: Arrivals, pending: Arrivals | None) -> None:
        """The phis of a block, for the threads that come from one other."""
        phis, registers = frame.code.blocks[target].phis, frame.registers
        if not phis:
            return
        previous = frame.code.blocks[source].name
        mask = np.array([guard is not None for guard in there])
        part = Active(mask)
        values = [
            self.raw((phi.type, next(v for v, label in phi.detail if label == previous)), registers) for phi in phis
        ]
        for phi, value in zip(phis, values):
            old = registers.get(phi.result)
            if old is not None:
                if pending is not None:
                    value = each(part, self._met_value, there, pending, value, old)
                value = merged(part, value, old)
            registers[phi.result] = value

    def _met_value(self, guard: Guard, pending: Guard | None, new: Scalar, old: Scalar) -> Scalar:
        if pending is None:
            return new
        relative = within(guard, either(guard, pending))
        return self.algebra.chosen(ALWAYS if relative is None else relative, new, old)

    # Loops

    def _loop(self, frame: Frame, loop: Loop, arrivals: Arrivals) -> dict[int, Arrivals]:
        saved = self._saved(frame)
        try:
            self.tried += 1
            return self._turns(frame, loop, arrivals)
        except _Open:
            self._restore(saved, frame)
        finally:
            self.tried -= 1
        return self._induction(frame, loop, arrivals, saved)

    def _turns(self, frame: Frame, loop: Loop, arrivals: Arrivals) -> dict[int, Arrivals]:
        """Turn by turn, as long as every thread knows whether it takes another."""
        exits: dict[int, Arrivals] = {}
        turn = arrivals
        for _ in range(_MOST_TURNS_WITH_SHUFFLES if loop.exchanges else _MOST_TURNS):
            left, back = self._steps(frame, {loop.header: turn}, loop)
            for target, there in left.items():
                if any(guard is not None and guard != arrivals[thread] for thread, guard in enumerate(there)):
                    raise _Open
                exits[target] = there if target not in exits else met(exits[target], there)
            if back is None:
                return exits
            turn = back
        raise _Open

    def _induction(self, frame: Frame, loop: Loop, arrivals: Arrivals, saved: _Saved) -> dict[int, Arrivals]:
        """One turn that stands for all of them."""
        facts, memory = self.facts, self.memory
        while True:
            self._restore(saved, frame)
            number = self.tried << 16 | self.inductions  # other loops have other numbers while one around them is tried
            self.inductions += 1
            self._enter(arrivals)
            begin = self._here()
            for key in sorted(facts.sizes.get(number, ()), key=str):
                if (number, key) not in facts.kinds:
                    facts.set_kind(number, key, "same" if self._uniform(key) else "own")
                if facts.kinds[number, key] == "same" and not self._uniform(key):
                    facts.set_kind(number, key, "own")
                self._note("before", number, key)
                self._forget("turn", number, key)
            memory.effect("loop", number)
            facts.part(number, len(begin), None)
            turn = np.full(len(begin), None, object)
            for thread, guard in enumerate(begin):
                if guard is not None:
                    turn[thread] = both(guard, hashed("turn", number, facts.together[number][thread]) or 1)
            before = self._saved(frame)
            exits, back = self._steps(frame, {loop.header: turn}, loop)
            apart = facts.part(number, len(begin), back)
            if facts.add(number, self._changed(before)) or apart:
                continue
            self._enter(arrivals if back is None else back)
            revision = facts.revision
            for key in sorted(facts.sizes.get(number, ()), key=str):
                if facts.kinds[number, key] == "same" and not self._uniform(key):
                    facts.set_kind(number, key, "own")
            if facts.revision != revision:
                continue
            return self._after(number, begin, exits)

    def _after(self, number: int, begin: Arrivals, exits: dict[int, Arrivals]) -> dict[int, Arrivals]:
        """Behind a loop: what it changed is unknown, and where it is left in several ways, the way."""
        for key in sorted(self.facts.sizes.get(number, ()), key=str):
            self._note("after", number, key)
        conditions = []
        for way, target in enumerate(sorted(exits)):
            conditions.append(
                frozenset(
                    (way, thread, hashed(guard.clauses))
                    for thread, guard in enumerate(exits[target])
                    if guard is not None
                )
            )
        self._enter(begin)
        self.memory.effect("left", number, tuple(conditions))
        for key in sorted(self.facts.sizes.get(number, ()), key=str):
            self._forget("end", number, key)
        arrivals: dict[int, Arrivals] = {}
        rest = list(begin)
        ways = sorted(exits)
        for way, target in enumerate(ways):
            alike = len({guard for guard in exits[target] if guard is not None}) == 1
            there = np.full(len(begin), None, object)
            for thread, guard in enumerate(rest):
                if guard is None or exits[target][thread] is None:
                    continue
                literal = hashed("way", number, way, -1 if alike else thread) or 1
                last = all(exits[later][thread] is None for later in ways[way + 1 :])
                there[thread] = guard if last else both(guard, literal)
                rest[thread] = both(guard, -literal)
            arrivals[target] = there
        return arrivals

    def _saved(self, frame: Frame) -> _Saved:
        memory = self.memory
        return _Saved(
            dict(memory.private),
            {name: (r.base, dict(r.cells), r.top) for name, r in memory.regions.items()},
            dict(frame.registers),
            (len(memory.effects), self.calls, self.inductions),
        )

    def _restore(self, saved: _Saved, frame: Frame) -> None:
        memory = self.memory
        memory.private = dict(saved.private)
        memory.regions = {name: r for name, r in memory.regions.items() if name in saved.regions}
        for name, (base, cells, top) in saved.regions.items():
            region = memory.regions[name]
            region.base, region.cells, region.top = base, dict(cells), top
        frame.registers.clear()
        frame.registers.update(saved.registers)
        effects, self.calls, self.inductions = saved.counts
        del memory.effects[effects:]

    def _changed(self, before: _Saved) -> dict[Key, int]:
        """What a turn has changed of what there was before it."""
        memory = self.memory
        changed: dict[Key, int] = {}
        for address, cell in memory.private.items():
            old = before.private.get(address)
            if old is not cell and (old is None or old[0] != cell[0] or not _alike(old[1], cell[1])):
                changed["private", address] = cell[0]
        if any(address not in memory.private for address in before.private):
            raise Refused("a loop sees a variable as values of two sizes")
        for name, region in memory.regions.items():
            base, cells, _ = before.regions.get(name, (None, {}, 0))
            if region.cells != cells or (region.base is not base and (base is not None or region.base.op != "shared")):
                changed["shared", name] = 0
        return changed

    def _note(self, when: str, number: int, key: Key) -> None:
        if self.facts.kinds[number, key] != "junk":
            self.memory.effect(when, number, key, self._contents(key))

    def _contents(self, key: Key) -> int:
        if key[0] == "shared":
            return self.memory.print_of(self.memory.region(key[1]))
        return hashed(*((thread, print_) for thread, print_ in self._prints(key)))

    def _prints(self, key: Key) -> list[tuple[int, int]]:
        cell = self.memory.private.get(key[1])
        column = listed(_UNDEFINED if cell is None else cell[1], self.state.threads)
        algebra, guards = self.algebra, self.standing.guards
        return [
            (
                thread,
                algebra.print(_UNDEFINED if column[thread] is None else algebra.under(column[thread], guards[thread])),
            )
            for thread in self.state.active.threads
        ]

    def _uniform(self, key: Key) -> bool:
        return key[0] == "shared" or len({print_ for _, print_ in self._prints(key)}) == 1

    def _forget(self, when: str, number: int, key: Key) -> None:
        kind = self.facts.kinds[number, key]
        word = f"{key}{self.wave if kind == 'junk' else ''}"  # junk is something else in the two versions
        if key[0] == "shared":
            region = self.memory.region(key[1])
            region.base, region.cells = Term(when, (number,), word), {}
            return
        address, size = key[1], self.facts.sizes[number][key]
        cell = self.memory.private.get(address)
        held = listed(cell[1], self.state.threads) if cell is not None else []
        new: Value = Term(when, (number,), word)
        if any(may_be_shared(held[thread]) for thread in self.state.active.threads if held):
            new = Term("lost")  # refused where it is used
        elif kind != "same":
            new = each(self.state.active, lambda thread: Term(when, (number, thread), word), self.state.index)
        guarded, self.standing.guarded = self.standing.guarded, False
        self.memory.store(address, Type("int", 8 * size), new)
        self.standing.guarded = guarded


def _alike(old: Value, new: Value) -> bool:
    return old is new or (type(old) is int and type(new) is int and old == new)
