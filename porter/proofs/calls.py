"""Calls in a kernel: shuffles, atomics, and functions whose text is not at hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from porter.frontend.cpp.expressions import Call, Expr, Member, Name, Unary
from porter.proofs.evaluate import Expressions
from porter.proofs.facts import ARITHMETIC, FUSED, MAXIMA, MINIMA, PURE
from porter.proofs.program import SHUFFLES, Refused
from porter.proofs.state import Local, Vec
from porter.proofs.values import Pointer, Region, Struct, fingerprint, join, mix, symbol

__all__ = ["Calls"]

_FULL = {0xFFFFFFFF, -1, 0xFFFFFFFFFFFFFFFF}
_BARRIERS = frozenset({"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "__threadfence_system"})
_ATOMIC = re.compile(r"atomic(Add|Sub|Min|Max|And|Or|Xor)(?:_block|_system)?")
_VECTOR = re.compile(r"make_(\w+?)([1-4])")
_OF_THE_WARP = ("ballot", "any", "all_sync", "match", "activemask", "reduce_", "shfl")  # in names of intrinsics
_OF_GROUPS = frozenset("shfl shfl_down shfl_up shfl_xor ballot any all match_any match_all sync".split())


@dataclass(frozen=True, slots=True)
class _Given:
    """The arguments of a call."""

    outputs: tuple[Expr, ...]  # locals whose addresses it gets
    columns: tuple[Vec, ...]  # the values of each argument, by thread
    memory: bool  # it gets other addresses


class Calls(Expressions):
    """Calls; those of the file's own functions are executed by machine.py."""

    def call(self, node: Call, active: list[int]) -> Vec:
        if isinstance(node.function, Member):
            return self.method(node, node.function, active)
        if not isinstance(node.function, Name):
            raise Refused(node.index, "a call through a value")
        name = node.function.name.rpartition("::")[2]
        found = self.program.functions.get(name, ())
        if found and self.frame.find(name) is None:
            return self.inline(node, name, active)
        if name in SHUFFLES:
            return self.shuffle(node, name, active)
        if name in MAXIMA or name in MINIMA:
            if len(node.arguments) == 2:
                return self.extreme(node, "max" if name in MAXIMA else "min", active)
        if name in ARITHMETIC and len(node.arguments) == 2:
            return self.binary(ARITHMETIC[name], node.arguments[0], node.arguments[1], active)
        if name in FUSED and len(node.arguments) == 3:
            a, b, c = (self.evaluate(x, active) for x in node.arguments)
            return [mix("+", mix("*", x, y), z) for x, y, z in zip(a, b, c)]
        if name in _BARRIERS:
            if name == "__syncwarp" and node.arguments:
                self.check_mask(node.arguments[0], active, node.index)
            return [0] * len(active)
        atomic = _ATOMIC.fullmatch(name)
        if atomic and len(node.arguments) == 2:
            return self.atomic(node, atomic[1], active)
        return self.stranger(node, name, active)

    def extreme(self, node: Call, kind: str, active: list[int]) -> Vec:
        left, right = (self.evaluate(a, active) for a in node.arguments)
        pick = max if kind == "max" else min
        return [pick(a, b) if type(a) is int and type(b) is int else join(kind, a, b) for a, b in zip(left, right)]

    def check_mask(self, node: Expr, active: list[int], index: int) -> None:
        for value in self.evaluate(node, active):
            if type(value) is not int or value not in _FULL:
                raise Refused(index, "the mask is not that of all lanes")

    def shuffle(self, node: Call, name: str, active: list[int]) -> Vec:
        skip, kind = SHUFFLES[name]
        arguments = node.arguments[skip:]
        if len(arguments) not in (2, 3) or (skip and len(node.arguments) < 3):
            raise Refused(node.index, f"{name} with {len(node.arguments)} arguments")
        if skip:
            self.check_mask(node.arguments[0], active, node.index)
        values = dict(zip(active, self.evaluate(arguments[0], active)))
        steps = dict(zip(active, self.evaluate(arguments[1], active)))
        widths = self.evaluate(arguments[2], active) if len(arguments) == 3 else [self.wave] * len(active)
        self.exchanged.setdefault(node.index, set()).add(self.type_of(arguments[0]))
        self.check_whole_waves(active, node.index)
        result: Vec = []
        for t, width in zip(active, widths):
            step = steps[t]
            if type(width) is not int or width not in (2, 4, 8, 16, 32, 64) or width > self.wave:
                raise Refused(node.index, "the width of the shuffle is not known")
            if type(step) is not int:
                raise Refused(node.index, "the lane that the shuffle reads is not known")
            first = t - t % width
            lane = t - first
            source = {"idx": step % width, "up": lane - step, "down": lane + step, "xor": lane ^ step}[kind]
            if kind == "xor" and source >= width:
                source = lane
            elif kind in ("up", "down") and not 0 <= source < width:
                source = lane
            result.append(values[first + source])
        return result

    def check_whole_waves(self, active: Sequence[int], index: int) -> None:
        present = set(active)
        for first in {t - t % self.wave for t in active}:
            for t in range(first, first + self.wave):
                if t not in present:
                    raise Refused(index, "not all lanes of the wave take part in the shuffle")
                if self.own_guard[t] != 1:
                    raise Refused(index, "a condition on data decides which lanes take part in the shuffle")

    def atomic(self, node: Call, kind: str, active: list[int]) -> Vec:
        addresses = self.pointer_argument(node.arguments[0], active)
        values = self.evaluate(node.arguments[1], active)
        guards = self.guards(active)
        summed: dict[Any, Any] = {}
        for k, (address, value) in enumerate(zip(addresses, values)):
            own = self.own_guard[active[k]]
            if isinstance(address, Pointer):
                if type(address.offset) is not int:
                    raise Refused(node.index, "an atomic on a shared element whose number is not known")
                region = address.region
                self.within(address, node.index)
                self.touch(region)
                old = region.read(address.offset)
                region.items[address.offset] = self.choose(own, _accumulate(kind, old, value), old)
            else:
                key = (fingerprint(address), guards[k])
                summed[key] = _accumulate(kind, summed[key], value) if key in summed else value
        if summed:
            self.effect(node.index, ("atomic", kind, frozenset((a, g, fingerprint(v)) for (a, g), v in summed.items())))
        whole = frozenset((fingerprint(a), fingerprint(v), g) for a, v, g in zip(addresses, values, guards))
        self.calls += 1
        return [symbol("old", whole, t, self.calls) for t in active]

    def pointer_argument(self, node: Expr, active: list[int]) -> Vec:
        return (
            self.address(node.operand, active)
            if isinstance(node, Unary) and node.op == "&"
            else self.evaluate(node, active)
        )

    def stranger(self, node: Call, name: str, active: list[int]) -> Vec:
        """A function of CUDA or of a library; of the project's own, its text would have to be here."""
        why = self._unknown(name)
        if why:
            raise Refused(node.index, f"{name} {why}")
        given = self._given(node, active)
        rows = [tuple(fingerprint(column[k]) for column in given.columns) for k in range(len(active))]
        vector = _VECTOR.fullmatch(name)
        if vector and len(given.columns) == int(vector[2]):
            members = (tuple(sorted(zip("xyzw", values))) for values in zip(*given.columns))
            return [Struct(symbol("vector", name), own) for own in members]
        if PURE.fullmatch(name) and not given.outputs and not given.memory:
            if name == "__ldg":
                return [symbol("load", row[0], self.version) for row in rows]
            return [symbol("call", name, row) for row in rows]
        self.calls += 1
        whole = symbol("all", name, frozenset(zip(rows, self.guards(active), active)), self.calls)
        for number, output in enumerate(given.outputs):
            self.assign(output, [symbol("out", whole, number, t) for t in active], active, node.index)
        for region in (
            region for column in given.columns for region in {v.region for v in column if isinstance(v, Pointer)}
        ):
            self.touch(region)
            region.base, region.items = symbol("called", whole, region.contents()), {}
        self.effect(node.index, ("call", name, int(whole)))
        return [symbol("result", whole, t) for t in active]

    def _unknown(self, name: str) -> str:
        """Why nobody can say what a function of that name does; "" where it is a library's."""
        if name in self.program.macros or name in self.program.foreign:
            return "is defined in another file or is a macro"
        if name.isupper() and len(name) > 2:
            return "looks like a macro"
        if name.startswith("__") and any(word in name for word in _OF_THE_WARP):
            return "depends on the number of lanes"
        return ""

    def _given(self, node: Call, active: list[int]) -> _Given:
        outputs: list[Expr] = []
        columns: list[Vec] = []
        memory = False
        for argument in node.arguments:
            local = argument.operand if isinstance(argument, Unary) and argument.op == "&" else None
            found = self.frame.find(local.name) if isinstance(local, Name) else None
            if local is not None and isinstance(found, Local) and not any(isinstance(v, Region) for v in found.values):
                outputs.append(local)
                columns.append(self.evaluate(local, active))
            else:
                columns.append(self.evaluate(argument, active))
                memory = memory or any(isinstance(v, Pointer) for v in columns[-1]) or local is not None
        return _Given(tuple(outputs), tuple(columns), memory)

    def method(self, node: Call, function: Member, active: list[int]) -> Vec:
        name = function.name
        if name in self.program.functions or name in self.program.foreign:
            raise Refused(node.index, f"the method {name} is the project's own")
        if name in _OF_GROUPS:
            raise Refused(node.index, f"the cooperative group's {name}() keeps its 32 lanes")
        base = (
            self.evaluate(function.base, active)
            if not isinstance(function.base, Call)
            else self.call(function.base, active)
        )
        columns = [base, *(self.evaluate(a, active) for a in node.arguments)]
        rows = [tuple(fingerprint(c[k]) for c in columns) for k in range(len(active))]
        self.calls += 1
        whole = symbol("method", name, frozenset(zip(rows, self.guards(active), active)), self.calls)
        self.effect(node.index, ("call", name, int(whole)))
        return [symbol("result", whole, t) for t in active]


def _accumulate(kind: str, old: Any, value: Any) -> Any:
    if kind in ("Add", "Sub"):
        return mix("+" if kind == "Add" else "-", old, value)
    if kind in ("Max", "Min"):
        if type(old) is int and type(value) is int:
            return max(old, value) if kind == "Max" else min(old, value)
        return join(kind.lower(), old, value)
    return mix({"And": "&", "Or": "|", "Xor": "^"}[kind], old, value)
