"""Statements of a kernel, executed for one block of threads in lockstep.

Where a condition is known for every thread, the threads part and meet again. Where it depends on data,
both ways are executed and what they set is joined. A loop whose end is not known is taken as one opaque
step if it exchanges nothing between lanes; otherwise one iteration stands for all, by induction: what
it changes holds, at its start, an unknown value that is the same for both versions, and proof.py checks
that it is the same again at its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from porter.frontend.cpp.expressions import Name
from porter.frontend.cpp.statements import (
    Block,
    Declaration,
    Do,
    For,
    If,
    Jump,
    Opaque,
    Return,
    Simple,
    Statement,
    Variable,
    While,
)
from porter.proofs.inlining import Inlining
from porter.proofs.program import Program, Refused, Routine
from porter.proofs.state import Frame, Local, Loop, Unknown, Vec
from porter.proofs.summary import Summary
from porter.proofs.values import Pointer, Region, both, fingerprint, negate, symbol

__all__ = ["Again", "Facts", "Machine"]

_DEEPEST = 12
_MOST_TURNS = 72
_MOST_TURNS_WITH_SHUFFLES = 1100
_SKIPPED = frozenset({"using", "typedef", "static_assert", "struct", "enum"})
_ASSIGN = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"})


class Again(Exception):
    """An assumption about a loop did not hold: it is corrected in Facts, and the kernel is executed anew."""


@dataclass
class Facts:
    """What is assumed of the variables that a loop changes: "same" in all threads, "own" to each, "junk"."""

    kinds: dict[tuple[int, str], str] = field(default_factory=dict)


class Machine(Inlining):
    def __init__(self, program: Program, wave: int, threads: int, facts: Facts) -> None:
        super().__init__(program, wave, threads)
        self.facts = facts
        self.forks = 0
        self.inductions = 0

    def kernel(self, routine: Routine, integers: Mapping[str, int], types: Mapping[str, str]) -> None:
        frame = Frame(routine, dict(types), dict(integers))
        self.frames.append(frame)
        for constant in routine.template:
            if not constant.is_type and constant.name not in frame.integers:
                value = symbol("template", constant.name)
                frame.scopes[0][constant.name] = Local(constant.name, "int", [value] * self.threads)
        for parameter in routine.parameters:
            value = symbol("parameter", parameter.name)
            frame.scopes[0][parameter.name] = Local(parameter.name, parameter.type, [value] * self.threads)
        self.run(routine.body, list(range(self.threads)))

    # --- statements --------------------------------------------------------------------------------

    def run(self, node: Statement, active: list[int]) -> list[int]:
        """Execute for the active threads; returns those that go on behind the statement."""
        if not active:
            return active
        if isinstance(node, Block):
            self.frame.scopes.append({})
            for statement in node.statements:
                active = self.run(statement, active)
            self.frame.scopes.pop()
            return active
        if isinstance(node, Simple):
            self.evaluate(node.expression, active)
            return active
        if isinstance(node, Declaration):
            for variable in node.variables:
                self.declare(variable, node.shared, active)
            return active
        if isinstance(node, If):
            return self.branch(node, active)
        if isinstance(node, (For, While, Do)):
            return self.loop(node, active)
        if isinstance(node, Return):
            values = self.evaluate(node.value, active) if node.value is not None else [0] * len(active)
            source = self.type_of(node.value) if node.value is not None else "?"
            values = [self.convert(v, self.type_named(self.frame.routine.returns), source) for v in values]
            self.frame.results.append((active, [self.frame.path.get(t, 1) for t in active], values))
            return []
        if isinstance(node, Jump):
            if not self.loops or self.loops[-1].forks != self.forks:
                raise Unknown(node.first, f"a condition on data decides over a {node.word}")
            (self.loops[-1].broken if node.word == "break" else self.loops[-1].continued).extend(active)
            return []
        return self.opaque(node, active)

    def opaque(self, node: Opaque, active: list[int]) -> list[int]:
        first = self.program.file.tokens[node.first].text
        texts = [self.program.file.tokens[k].text for k in range(node.first, node.last)]
        if first in _SKIPPED and (first != "struct" or "(" not in texts):
            return active
        if first == "switch":
            self.summarise(node.first, node.last, active)
            return active
        raise Refused(node.first, f"a statement that is not understood ({node.why})")

    def declare(self, variable: Variable, shared: bool, active: list[int]) -> None:
        kind = self.type_named(variable.type)
        scope = self.frame.scopes[-1]
        if shared:
            region = self.shared.get(variable.index)
            if region is None:
                name = f"{self.frame.routine.name}.{variable.name}"
                region = Region(name, kind, self.sizes(variable, active), symbol("shared", name))
                self.shared[variable.index] = region
            scope[variable.name] = region
            return
        if variable.reference:
            target = self.frame.find(variable.value.name) if isinstance(variable.value, Name) else None
            if target is None:
                raise Refused(variable.index, f"{variable.name} is a reference")
            scope[variable.name] = target
            return
        values: Vec = [symbol("unset", variable.name)] * self.threads
        if variable.dimensions:
            given = (
                self.evaluate(variable.value, active) if variable.value is not None else [symbol("unset")] * len(active)
            )
            sizes = self.sizes(variable, active)
            for t, v in zip(active, given):
                values[t] = Region(variable.name, kind, sizes, symbol("local", fingerprint(v)))
        elif variable.value is not None:
            source = self.type_of(variable.value)
            if kind == "auto":
                kind = source
            for t, v in zip(active, self.evaluate(variable.value, active)):
                values[t] = v if variable.pointer else self.convert(v, kind, source)
        scope[variable.name] = Local(variable.name, kind, values, variable.pointer)

    def sizes(self, variable: Variable, active: list[int]) -> tuple[int | None, ...]:
        sizes: list[int | None] = []
        for dimension in variable.dimensions:
            value = self.evaluate(dimension, active[:1])[0] if dimension is not None else None
            sizes.append(value if type(value) is int else None)
        return tuple(sizes)

    # --- conditions on data ------------------------------------------------------------------------

    def branch(self, node: If, active: list[int]) -> list[int]:
        condition = dict(zip(active, self.evaluate(node.condition, active)))
        unknown = [t for t in active if type(condition[t]) is not int]
        yes = [t for t in active if type(condition[t]) is int and condition[t]]
        no = [t for t in active if type(condition[t]) is int and not condition[t]]
        if not unknown:
            left = self.run(node.yes, yes)
            right = self.run(node.no, no) if node.no is not None else no
            return sorted([*left, *right]) if left and right else left or right
        same = not yes and not no and len({fingerprint(condition[t]) for t in unknown}) == 1
        saved = self.guard, list(self.own_guard), dict(self.frame.path)
        self.forks += 1
        try:
            self.enter(unknown, condition, same)
            self.journals.append({})
            after_yes = self.run(node.yes, sorted([*yes, *unknown]))
            first = self.journals.pop()
            outcome = {thing: thing.state() for thing in first}
            for thing, state in first.items():
                if isinstance(thing, Local):
                    for t in unknown:
                        thing.set_one(t, state[t])
                elif same:
                    thing.restore(state)
            self.leave(saved, unknown)
            self.enter(unknown, {t: negate(condition[t]) for t in unknown}, same)
            self.journals.append({})
            joined = sorted([*no, *unknown])
            after_no = self.run(node.no, joined) if node.no is not None else joined
            second = self.journals.pop()
        finally:
            self.forks -= 1
        self.leave(saved, unknown)
        return self.meet(unknown, condition, same, first, outcome, second, after_yes, after_no, node.first)

    def enter(self, threads: Sequence[int], condition: Mapping[int, Any], same: bool) -> None:
        if same:
            self.guard = both(self.guard, condition[threads[0]])
        for t in threads:
            if not same:
                self.own_guard[t] = both(self.own_guard[t], condition[t])
            self.frame.path[t] = both(self.frame.path.get(t, 1), condition[t])

    def leave(self, saved: tuple[Any, Vec, dict[int, Any]], threads: Sequence[int]) -> None:
        """Back to the guards before the branch, but for what a return inside of it added."""
        self.guard, own, path = saved
        for t in threads:
            self.own_guard[t] = own[t]
            self.frame.path[t] = path.get(t, 1)

    def meet(
        self,
        unknown: Sequence[int],
        condition: Mapping[int, Any],
        same: bool,
        first: dict[Any, Any],
        outcome: dict[Any, Any],
        second: dict[Any, Any],
        after_yes: list[int],
        after_no: list[int],
        index: int,
    ) -> list[int]:
        """Join what the two ways of a branch did to the threads that may have gone either."""
        went_on, stayed = set(after_yes), set(after_no)
        leaving = [t for t in unknown if (t in went_on) != (t in stayed)]
        inner = len(self.frames) > 1
        if leaving and inner and same and any(isinstance(thing, Region) for thing in (*first, *second)):
            raise Refused(index, "shared memory is written on a way that returns early")
        for thing in {**first, **second}:
            before = first[thing] if thing in first else second[thing]
            if self.journals and thing not in self.journals[-1]:
                self.journals[-1][thing] = before
            if isinstance(thing, Local):
                taken = outcome.get(thing, before)
                for t in unknown:
                    if isinstance(thing.values[t], Region):
                        continue
                    a, b = taken[t], thing.values[t]
                    if t in went_on and t not in stayed:
                        thing.values[t] = a
                    elif (t in went_on) == (t in stayed):
                        thing.values[t] = self.choose(condition[t], a, b)
            elif same:
                self.meet_region(thing, condition[unknown[0]], outcome.get(thing, before), leaving, went_on)
        for t in leaving:
            stays = negate(condition[t]) if t in stayed else condition[t]
            self.frame.path[t] = both(self.frame.path.get(t, 1), stays)
            self.frame.guarded = inner
            if inner or not same:
                self.own_guard[t] = both(self.own_guard[t], stays)
        if leaving and same and not inner:
            t = leaving[0]
            self.guard = both(self.guard, negate(condition[t]) if t in stayed else condition[t])
        return sorted(went_on | stayed)

    def meet_region(
        self, region: Region, condition: Any, taken: Any, leaving: Sequence[int], went_on: set[int]
    ) -> None:
        base, items = taken
        if leaving:
            if leaving[0] in went_on:
                region.restore(taken)
            return
        if base != region.base:
            other = Region(region.name, region.type, region.dimensions, base, dict(items))
            region.base, region.items = (
                symbol("choose", fingerprint(condition), other.contents(), region.contents()),
                {},
            )
            return
        yes = Region(region.name, region.type, region.dimensions, base, dict(items))
        region.items = {k: self.choose(condition, yes.read(k), region.read(k)) for k in {**items, **region.items}}

    # --- loops -------------------------------------------------------------------------------------

    def loop(self, node: For | While | Do, active: list[int]) -> list[int]:
        self.frame.scopes.append({})
        try:
            if isinstance(node, For) and node.start is not None:
                self.run(node.start, active)
            exchanges = self.program.has_shuffles(node.first, node.last)
            done = self.turns(node, active, _MOST_TURNS_WITH_SHUFFLES if exchanges else _MOST_TURNS)
            if done is not None:
                return done
            if exchanges:
                return self.induction(node, active)
            self.summarise(node.first, node.last, active)
            return active
        finally:
            self.frame.scopes.pop()

    def turns(self, node: For | While | Do, active: list[int], most: int) -> list[int] | None:
        """Turn by turn, as long as every condition is known; None (and nothing changed) if one is not."""
        saved = (
            self.guard,
            list(self.own_guard),
            len(self.effects),
            self.forks,
            len(self.loops),
            self.calls,
            self.inductions,
        )
        frames = [(f, len(f.scopes), dict(f.path), len(f.results), f.guarded) for f in self.frames]
        depth = len(self.journals)
        self.journals.append({})
        loop = Loop(self.forks)
        self.loops.append(loop)
        try:
            left = self.known_turns(node, active, most, loop)
        except Unknown:
            left = None
        if left is None:
            for journal in reversed(self.journals[depth:]):
                for thing, state in journal.items():
                    thing.restore(state)
            del self.journals[depth:]
            self.guard, self.own_guard = saved[0], saved[1]
            del self.effects[saved[2] :]
            self.forks, self.calls, self.inductions = saved[3], saved[5], saved[6]
            del self.loops[saved[4] :]
            del self.frames[len(frames) :]
            for frame, scopes, path, results, guarded in frames:
                del frame.scopes[scopes:]
                del frame.results[results:]
                frame.path, frame.guarded = path, guarded
            return None
        self.loops.pop()
        journal = self.journals.pop()
        if self.journals:
            for thing, state in journal.items():
                self.journals[-1].setdefault(thing, state)
        return left

    def known_turns(self, node: For | While | Do, active: list[int], most: int, loop: Loop) -> list[int] | None:
        finished: list[int] = []
        running = active
        test = node.condition
        first = isinstance(node, Do)
        for _ in range(most):
            if test is not None and not first:
                condition = self.evaluate(test, running)
                if any(type(c) is not int for c in condition):
                    return None
                finished += [t for t, c in zip(running, condition) if not c]
                running = [t for t, c in zip(running, condition) if c]
            first = False
            if not running:
                return sorted(finished)
            loop.broken, loop.continued = [], []
            running = sorted([*self.run(node.body, running), *loop.continued])
            finished += loop.broken
            if isinstance(node, For) and node.step is not None and running:
                self.evaluate(node.step, running)
            if not running:
                return sorted(finished)
        return None

    def induction(self, node: For | While | Do, active: list[int]) -> list[int]:
        """One turn that stands for all of them."""
        number = self.inductions
        self.inductions += 1
        changed = self.rehearse(node, active)
        names = _named(changed)
        for name, thing in names.items():
            kind = self.facts.kinds.setdefault((number, name), self.kind_of(thing, active))
            if kind == "same" and self.kind_of(thing, active) != "same":
                self.facts.kinds[(number, name)] = "own"
                raise Again
            if kind != "junk":
                self.effect(node.first, ("before", number, name, self.contents(thing, active)))
            self.touch(thing)
            self.forget(thing, active, kind, ("turn", number, name))
        test = node.condition
        condition = self.evaluate(test, active) if test is not None else [1] * len(active)
        if len({fingerprint(c) for c in condition}) != 1:
            raise Refused(node.first, "threads leave a loop with shuffles at different times")
        saved = self.guard
        self.guard = both(self.guard, symbol("turn", number, fingerprint(condition[0])))
        self.journals.append({})
        after = self.one_turn(node, active)
        journal = self.journals.pop()
        if self.journals:
            for thing, state in journal.items():
                self.journals[-1].setdefault(thing, state)
        if after != active:
            raise Refused(node.first, "threads return from within a loop with shuffles")
        for name, thing in names.items():
            kind = self.facts.kinds[(number, name)]
            if kind == "same" and self.kind_of(thing, active) != "same":
                self.facts.kinds[(number, name)] = "own"
                raise Again
            if kind != "junk":
                self.effect(node.first, ("after", number, name, self.contents(thing, active)))
            self.forget(thing, active, kind, ("end", number, name))
        self.guard = saved
        return active

    def one_turn(self, node: For | While | Do, active: list[int]) -> list[int]:
        loop = Loop(self.forks)
        self.loops.append(loop)
        try:
            after = sorted([*self.run(node.body, active), *loop.continued])
        except Unknown as problem:
            raise Refused(problem.index, problem.why) from None
        if loop.broken:
            raise Refused(node.first, "a loop with shuffles is left by break")
        self.loops.pop()
        if isinstance(node, For) and node.step is not None:
            self.evaluate(node.step, after)
        return after

    def rehearse(self, node: For | While | Do, active: list[int]) -> list[Any]:
        """What a turn changes, found by taking one and undoing it."""
        saved = self.guard, list(self.own_guard), len(self.effects), self.calls, self.inductions
        path, results = dict(self.frame.path), len(self.frame.results)
        self.journals.append({})
        self.one_turn(node, active)
        journal = self.journals.pop()
        for thing, state in journal.items():
            thing.restore(state)
        self.guard, self.own_guard = saved[0], saved[1]
        del self.effects[saved[2] :]
        self.calls, self.inductions = saved[3], saved[4]
        self.frame.path = path
        del self.frame.results[results:]
        alive = {id(v) for f in self.frames for scope in f.scopes for v in scope.values()}
        alive |= {
            id(v)
            for f in self.frames
            for scope in f.scopes
            for x in scope.values()
            if isinstance(x, Local)
            for v in x.values
        }
        alive |= {id(region) for region in self.shared.values()}
        return [thing for thing in journal if id(thing) in alive]

    def kind_of(self, thing: Local | Region, active: Sequence[int]) -> str:
        if isinstance(thing, Region):
            return "same"
        return "same" if len({fingerprint(thing.values[t]) for t in active}) == 1 else "own"

    def contents(self, thing: Local | Region, active: Sequence[int]) -> int:
        if isinstance(thing, Region):
            return int(thing.contents())
        return int(symbol("values", tuple((t, fingerprint(thing.values[t])) for t in active)))

    def forget(self, thing: Local | Region, active: Sequence[int], kind: str, label: tuple[Any, ...]) -> None:
        if kind == "junk":
            label = (*label, self.wave)  # in the two versions something else
        if isinstance(thing, Region):
            thing.base, thing.items = symbol(*label), {}
            return
        for t in active:
            if isinstance(thing.values[t], Region):
                continue
            if isinstance(thing.values[t], Pointer):
                raise Refused(0, f"{thing.name} points to shared memory and moves in a loop")
            thing.values[t] = symbol(*label) if kind == "same" else symbol(*label, t)

    # --- whole regions as one step -------------------------------------------------------------------

    def summarise(self, first: int, last: int, active: list[int]) -> None:
        """Loops and switches without exchange between lanes: what they set is a function of what they read."""
        region = Summary(self, first, last)
        rows = {t: region.row(t) for t in active}
        if region.whole:
            everything = symbol("block", frozenset((t, r) for t, r in rows.items()))
            rows = {t: (everything, t) for t in active}
        keys = {t: symbol("summary", region.text, rows[t]) for t in active}
        guards = self.guards(active)
        for name, thing in region.set_locals.items():
            self.touch(thing)
            if self.frame.guarded and not any(thing is v for scope in self.frame.scopes for v in scope.values()):
                raise Refused(first, f"{name} is set after some threads may have returned")
            for t in active:
                value = thing.values[t]
                if isinstance(value, Region):
                    self.touch(value)
                    value.base, value.items = symbol("set", keys[t], name), {}
                elif isinstance(value, Pointer):
                    raise Refused(first, f"{name} points to shared memory and moves in a loop")
                else:
                    thing.values[t] = symbol("set", keys[t], name)
        for shared in region.set_regions:
            self.touch(shared)
            everything = symbol("set", shared.name, frozenset(zip((keys[t] for t in active), guards)))
            shared.base, shared.items = symbol("set", everything, shared.contents()), {}
        if region.outside:
            self.effect(first, ("loop", frozenset(zip((int(keys[t]) for t in active), guards))))


def _named(things: Sequence[Any]) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for thing in things:
        name, number = thing.name, 0
        while name in names:
            number += 1
            name = f"{thing.name}#{number}"
        names[name] = thing
    return names
