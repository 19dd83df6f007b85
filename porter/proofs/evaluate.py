"""Expressions of a kernel, evaluated for all active threads of a block at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porter.frontend.cpp.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Choice,
    Comma,
    Expr,
    Index,
    Init,
    Member,
    Name,
    Number,
    Text,
    Unary,
    Unreadable,
    parse,
    walk,
)
from porter.proofs.facts import UNSIGNED, common_type
from porter.proofs.memory import Memory, inner
from porter.proofs.program import SHUFFLES, Refused
from porter.proofs.state import Local, Vec
from porter.proofs.values import Pointer, Region, Sym, fingerprint, join, mix, negate, symbol

__all__ = ["Expressions"]

_NAMED = {"INT_MAX": 0x7FFFFFFF, "true": 1, "false": 0, "nullptr": 0, "NULL": 0, "UINT_MAX": 0xFFFFFFFF}
_DEEPEST = 12
_MOST_WORK = 1_500_000  # values, some two seconds; a softmax in blocks of 1024 threads takes 900 000


class Expressions(Memory):
    """Every kind of expression but calls."""

    def evaluate(self, node: Expr, active: list[int]) -> Vec:
        self.work += len(active)
        if self.work > _MOST_WORK:
            raise Refused(node.index, "too much to be executed on symbols")
        if isinstance(node, Number):
            value: Any = node.value if isinstance(node.value, int) else _real(node.value)
            return [value] * len(active)
        if isinstance(node, Name):
            return self.name(node, active)
        if isinstance(node, Binary):
            if node.op in ("&&", "||"):
                return self.logical(node, active)
            return self.binary(node.op, node.left, node.right, active)
        if isinstance(node, Assign):
            return self.assignment(node, active)
        if isinstance(node, Member):
            return self.member(node, active)
        if isinstance(node, Index):
            return self.load([*self.address(node, active)], node.index)
        if isinstance(node, Unary):
            return self.unary(node, active)
        if isinstance(node, Choice):
            return self.choice(node, active)
        if isinstance(node, Cast):
            return self.cast(node, active)
        if isinstance(node, Call):
            return self.call(node, active)
        if isinstance(node, Comma):
            self.evaluate(node.left, active)
            return self.evaluate(node.right, active)
        if isinstance(node, Text):
            return [symbol("text", node.text)] * len(active)
        if isinstance(node, Init):
            parts = [self.evaluate(p, active) for p in node.parts]
            return [symbol("init", tuple(fingerprint(p[k]) for p in parts)) for k in range(len(active))]
        raise Refused(0, "an expression of an unknown kind")

    def name(self, node: Name, active: list[int]) -> Vec:
        found = self.frame.find(node.name)
        if isinstance(found, Local):
            values = [found.values[t] for t in active]
            return [Pointer(v, 0, v.dimensions) if isinstance(v, Region) else v for v in values]
        if isinstance(found, Region):
            if found.dimensions:
                return [Pointer(found, 0, found.dimensions)] * len(active)
            return [found.read(0)] * len(active)
        for frame in reversed(self.frames):
            if node.name in frame.integers:
                return [frame.integers[node.name]] * len(active)
        return self.outside(node, active)

    def outside(self, node: Name, active: list[int]) -> Vec:
        """A name that no scope of the function declares."""
        last = node.name.rpartition("::")[2]
        if last == "warpSize":
            return [self.wave] * len(active)
        macro = self.program.macros.get(last, ())
        if macro is None:
            raise Refused(node.index, f"{last} is a macro with arguments")
        value = self.constants.named(last, node.index, self.known)
        if value is not None:
            return [value] * len(active)
        if macro:
            try:
                meant = parse(self.program.file, *macro, self.program.types)
            except Unreadable:
                raise Refused(node.index, f"{last} is a macro that cannot be read") from None
            if len(self.frames) > _DEEPEST or (isinstance(meant, Name) and meant.name == last):
                raise Refused(node.index, f"{last} is a macro that names itself")
            return self.evaluate(meant, active)
        if last in _NAMED:
            return [_NAMED[last]] * len(active)
        if last in ("CUDART_INF_F", "HUGE_VALF", "CUDART_INF"):
            last = "INFINITY"
        if last == "INFINITY":
            return [symbol("name", last)] * len(active)
        return [symbol("name", last) if last.isupper() else symbol("global", last, self.version)] * len(active)

    def binary(self, op: str, left: Expr, right: Expr, active: list[int]) -> Vec:
        a, b = self.evaluate(left, active), self.evaluate(right, active)
        result = [mix(op, x, y) for x, y in zip(a, b)]
        if op in ("<", ">", "<=", ">="):
            for value, x, y in zip(result, a, b):
                if type(value) is Sym:
                    self.order[int(value)] = (op, x, y)
        elif op == "-" and any(type(v) is int and v < 0 for v in result):
            bits = UNSIGNED.get(common_type(self.type_of(left), self.type_of(right)))
            if bits:
                result = [v % (1 << bits) if type(v) is int else v for v in result]
        return result

    def logical(self, node: Binary, active: list[int]) -> Vec:
        left = self.evaluate(node.left, active)
        stop = 0 if node.op == "&&" else 1
        on = [t for t, v in zip(active, left) if not (type(v) is int and bool(v) == bool(stop))]
        self.only_reads((node.right,), [t for t, v in zip(active, left) if type(v) is not int])
        right = dict(zip(on, self.evaluate(node.right, on))) if on else {}
        result: Vec = []
        for t, v in zip(active, left):
            if t not in right:
                result.append(stop)
            elif type(v) is int:
                result.append(int(right[t] != 0) if type(right[t]) is int else right[t])
            elif type(right[t]) is int:
                result.append(stop if bool(right[t]) == bool(stop) else v)
            else:
                result.append(join("land" if node.op == "&&" else "lor", v, right[t]))
        return result

    def choose(self, condition: Any, yes: Any, no: Any) -> Any:
        """`condition ? yes : no` for one thread; a comparison of the two is their maximum or minimum."""
        if type(condition) is int:
            return yes if condition else no
        a, b = fingerprint(yes), fingerprint(no)
        if a == b:
            return yes
        compared = self.order.get(int(condition)) if type(condition) is Sym else None
        if compared is not None:
            op, left, right = compared
            sides = fingerprint(left), fingerprint(right)
            if sides in ((a, b), (b, a)):
                greater = (op in (">", ">=")) == (sides == (a, b))
                return join("max" if greater else "min", yes, no)
        return symbol("choose", fingerprint(condition), a, b)

    def choice(self, node: Choice, active: list[int]) -> Vec:
        condition = self.evaluate(node.condition, active)
        yes_threads = [t for t, c in zip(active, condition) if type(c) is not int or c]
        no_threads = [t for t, c in zip(active, condition) if type(c) is not int or not c]
        unknown = [t for t, c in zip(active, condition) if type(c) is not int]
        self.only_reads((node.yes, node.no), unknown)
        yes = dict(zip(yes_threads, self.evaluate(node.yes, yes_threads))) if yes_threads else {}
        no = dict(zip(no_threads, self.evaluate(node.no, no_threads))) if no_threads else {}
        return [self.choose(c, yes.get(t), no.get(t)) for t, c in zip(active, condition)]

    def only_reads(self, parts: Sequence[Expr], unknown: Sequence[int]) -> None:
        """What may or may not be evaluated must not change anything, nor take part in an exchange."""
        if not unknown:
            return
        for node in (n for part in parts for n in walk(part)):
            called = node.function if isinstance(node, Call) else None
            name = called.name.rpartition("::")[2] if isinstance(called, Name) else ""
            changes = isinstance(node, Assign) or (isinstance(node, Unary) and node.op[-2:] in ("++", "--"))
            if changes or name in SHUFFLES or name.startswith("atomic") or name in self.program.functions:
                raise Refused(node.index, "a condition on data decides whether this part of an expression runs")

    def unary(self, node: Unary, active: list[int]) -> Vec:
        op = node.op
        if op in ("++", "--", "post++", "post--"):
            old = self.evaluate(node.operand, active)
            new = [mix("+" if "+" in op else "-", v, 1) for v in old]
            self.assign(node.operand, new, active, node.index)
            return old if op.startswith("post") else new
        if op == "*":
            return self.load([inner(v) for v in self.evaluate(node.operand, active)], node.index)
        if op == "&":
            return [*self.address(node.operand, active)]
        values = self.evaluate(node.operand, active)
        if op == "-":
            bits = UNSIGNED.get(self.type_of(node.operand)) if isinstance(node.operand, (Name, Member)) else None
            if bits:
                return [-v % (1 << bits) if type(v) is int else mix("-", 0, v) for v in values]
            return [-v if type(v) is int else mix("-", 0, v) for v in values]
        if op == "+":
            return values
        if op == "!":
            return [negate(v) for v in values]
        token = self.program.file.tokens[node.operand.index].text if isinstance(node.operand, Number) else ""
        if "u" in token.lower():
            return [~v % (1 << 32) if type(v) is int else symbol("~", fingerprint(v)) for v in values]
        return [~v if type(v) is int else symbol("~", fingerprint(v)) for v in values]

    def cast(self, node: Cast, active: list[int]) -> Vec:
        values = self.evaluate(node.operand, active)
        if "*" in node.type:
            for value in values:
                if isinstance(value, Pointer):
                    self.retype(value.region, self.type_named(node.type.replace("*", "").strip()), node.index)
            return values
        target, source = self.type_named(node.type), self.type_of(node.operand)
        if target == "void":
            return values
        return [self.convert(v, target, source) for v in values]

    def retype(self, region: Region, target: str, index: int) -> None:
        """A shared array seen as another type: fine as long as nobody used it as the first one."""
        if region.type == target or region.type == "":
            region.type = target
        elif not region.items and region.base == symbol("shared", region.name):
            region.type = target
        else:
            raise Refused(index, f"{region.name} is used as {region.type} and as {target}")


def _real(text: str) -> Sym:
    """A floating-point literal; whole ones are that number of the field, so 0.0f adds nothing."""
    plain = text.rstrip("fFlL").lower()
    try:
        number = float(plain)
    except ValueError:
        return symbol("number", text)
    if number == int(number) and abs(number) < 1e15:
        return Sym(fingerprint(int(number)))
    return symbol("number", number)
