"""Memory of a kernel under symbolic execution: what an lvalue names, loads, stores, structs."""

from __future__ import annotations

from typing import Any

from porter.frontend.cpp.expressions import Assign, Expr, Index, Member, Name, Unary
from porter.proofs.facts import THREAD_NAMES, common_type
from porter.proofs.program import Refused
from porter.proofs.state import Local, State, Vec
from porter.proofs.values import Pointer, Region, Struct, Sym, fingerprint, mix, symbol

__all__ = ["Memory", "inner"]


class Memory(State):
    """Reads and writes, for all active threads at once."""

    def address(self, node: Expr, active: list[int]) -> Vec:
        """Pointers to the place that an lvalue names."""
        if isinstance(node, Index):
            base = self.evaluate(node.base, active)
            subscript = self.evaluate(node.subscript, active)
            result: Vec = []
            for b, s in zip(base, subscript):
                result.append(inner(mix("+", b, s)))
            return result
        if isinstance(node, Unary) and node.op == "*":
            return [inner(v) for v in self.evaluate(node.operand, active)]
        if isinstance(node, Name):
            found = self.frame.find(node.name)
            if isinstance(found, Region):
                return [Pointer(found, 0, found.dimensions)] * len(active)
            if found is None:
                return [symbol("address", node.name)] * len(active)
            values = [found.values[t] for t in active]
            if values and all(isinstance(v, Region) for v in values):
                return [Pointer(v, 0, v.dimensions) for v in values]
            raise Refused(node.index, f"the address of the local variable {node.name} is taken")
        if isinstance(node, Member):
            base = self.evaluate(node.base, active) if node.arrow else self.address(node.base, active)
            return [symbol("address", fingerprint(b), node.name) for b in base]
        raise Refused(node.index, "an address that cannot be followed")

    def load(self, addresses: Vec, index: int) -> Vec:
        result: Vec = []
        for address in addresses:
            if isinstance(address, Pointer):
                if address.dimensions:  # a row of an array of several dimensions is a pointer itself
                    result.append(address)
                    continue
                self.within(address, index)
                result.append(address.region.read(address.offset))
            else:
                result.append(symbol("load", fingerprint(address), self.version))
        return result

    def within(self, address: Pointer, index: int) -> None:
        """Half as many warps must not reach further into an array than it is long."""
        region, offset = address.region, address.offset
        if type(offset) is int:
            size = region.size
            if offset < 0 or (size is not None and offset >= size):
                raise Refused(index, f"element {offset} of {region.name.rpartition('.')[2]} would lie outside of it")
            region.top = max(region.top, offset)

    def member(self, node: Member, active: list[int]) -> Vec:
        if isinstance(node.base, Name) and node.base.name in THREAD_NAMES and self.frame.find(node.base.name) is None:
            return self.built_in(node.base.name, node.name, active)
        values = self.evaluate(node.base, active)
        if node.arrow:
            values = self.load([inner(v) for v in values], node.index)
        return [
            v.get(node.name) if isinstance(v, Struct) else symbol("member", fingerprint(v), node.name) for v in values
        ]

    def built_in(self, name: str, axis: str, active: list[int]) -> Vec:
        if name == "threadIdx":
            return list(active) if axis == "x" else [0] * len(active)
        if name == "blockDim":
            return [self.threads if axis == "x" else 1] * len(active)
        return [symbol(name, axis)] * len(active)

    def assignment(self, node: Assign, active: list[int]) -> Vec:
        target = self.type_of(node.target)
        if node.op == "=":
            values, source = self.evaluate(node.value, active), self.type_of(node.value)
        else:
            values = self.binary(node.op[:-1], node.target, node.value, active)
            source = common_type(target, self.type_of(node.value))
        values = [self.convert(v, target, source) for v in values]
        self.assign(node.target, values, active, node.index)
        return values

    def assign(self, target: Expr, values: Vec, active: list[int], index: int) -> None:
        if isinstance(target, Name):
            found = self.frame.find(target.name)
            if isinstance(found, Local):
                self.touch(found)
                if self.frame.guarded and not any(found is v for scope in self.frame.scopes for v in scope.values()):
                    raise Refused(index, f"{target.name} is set after some threads may have returned")
                for t, v in zip(active, values):
                    if isinstance(found.values[t], Region):
                        raise Refused(index, f"{target.name} is assigned as a whole")
                    found.values[t] = v
                return
            if isinstance(found, Region):
                self.store([Pointer(found, 0, ())] * len(active), values, active, index)
                return
            self.store([symbol("address", target.name)] * len(active), values, active, index)
            return
        if isinstance(target, Member) and not target.arrow and not self.is_global(target.base):
            whole = self.evaluate(target.base, active)
            changed: Vec = []
            for w, v in zip(whole, values):
                struct = w if isinstance(w, Struct) else Struct(Sym(fingerprint(w)), ())
                changed.append(struct.with_field(target.name, v))
            self.assign(target.base, changed, active, index)
            return
        self.store(self.address(target, active), values, active, index)

    def is_global(self, node: Expr) -> bool:
        """Is the struct whose member is assigned behind a pointer to global memory?"""
        if isinstance(node, Name):
            return self.frame.find(node.name) is None
        if isinstance(node, Member):
            return node.arrow or self.is_global(node.base)
        if isinstance(node, Index):
            base: Expr = node
            while isinstance(base, Index):
                base = base.base
            found = self.frame.find(base.name) if isinstance(base, Name) else None
            return not (
                isinstance(found, Region)
                or (isinstance(found, Local) and any(isinstance(v, Region) for v in found.values))
            )
        return True

    def store(self, addresses: Vec, values: Vec, active: list[int], index: int) -> None:
        outside: set[Any] = set()
        guards: list[int] | None = None
        scattered: dict[Region, set[Any]] = {}
        for k, (address, value) in enumerate(zip(addresses, values)):
            t = active[k]
            if isinstance(address, Pointer):
                region = address.region
                own = self.own_guard[t]
                self.within(address, index)
                if type(address.offset) is int:
                    self.touch(region)
                    region.items[address.offset] = (
                        value if own == 1 else self.choose(own, value, region.read(address.offset))
                    )
                else:
                    scattered.setdefault(region, set()).add(
                        (fingerprint(address.offset), fingerprint(value), fingerprint(own))
                    )
            else:
                guards = guards or self.guards(active)
                outside.add((fingerprint(address), fingerprint(value), guards[k]))
        for region, writes in scattered.items():
            self.touch(region)
            region.base = symbol("scattered", region.contents(), frozenset(writes))
            region.items = {}
        if outside:
            self.effect(index, ("store", frozenset(outside)))


def inner(value: Any) -> Any:
    """What a pointer points to: one dimension less."""
    return Pointer(value.region, value.offset, value.dimensions[1:]) if isinstance(value, Pointer) else value
