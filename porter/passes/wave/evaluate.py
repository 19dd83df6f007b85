"""Expressions of a kernel, evaluated for all active threads of a block at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from porter.passes.constants import Constants
from porter.passes.expressions import (
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
from porter.passes.wave.program import SHUFFLES, Program, Refused, Routine, canonical_type
from porter.passes.wave.values import (
    Pointer,
    Region,
    Struct,
    Sym,
    Terms,
    Value,
    fingerprint,
    join,
    mix,
    negate,
    symbol,
)

__all__ = ["Evaluator", "Frame", "Local", "Unknown", "Vec", "is_pure"]

Vec = list[Any]  # one value for each thread that takes part
_FULL = {0xFFFFFFFF, -1, 0xFFFFFFFFFFFFFFFF}
_FLOATS = frozenset({"float", "double"})
_WIDTHS = {
    "bool": 1, "char": 8, "unsigned char": 8, "uint8_t": 8, "int8_t": 8, "short": 16, "unsigned short": 16, "uint16_t": 16,
    "int16_t": 16, "int": 32, "unsigned": 32, "long long": 64, "size_t": 64,
}  # fmt: skip
_UNSIGNED = {"unsigned": 32, "size_t": 64, "unsigned char": 8, "uint8_t": 8, "unsigned short": 16, "uint16_t": 16}
_MAXIMA = {"max": "max", "fmaxf": "max", "fmax": "max", "umax": "max", "__hmax": "max", "llmax": "max", "ullmax": "max"}
_MINIMA = {"min": "min", "fminf": "min", "fmin": "min", "umin": "min", "__hmin": "min", "llmin": "min", "ullmin": "min"}
_ARITHMETIC = {
    "__fadd_rn": "+", "__fmul_rn": "*", "__fsub_rn": "-", "__hadd": "+", "__hmul": "*", "__hsub": "-", "__dadd_rn": "+",
    "__hadd2": "+", "__hmul2": "*",
}  # fmt: skip
_FUSED = frozenset({"fmaf", "fma", "__fmaf_rn", "__fma_rn", "__hfma"})
_BARRIERS = frozenset({"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "__threadfence_system"})
_ATOMIC = re.compile(r"atomic(Add|Sub|Min|Max|And|Or|Xor)(?:_block|_system)?")
# One thread's arithmetic: the result depends on the arguments alone.
_PURE = re.compile(
    r"__?(?:expf|exp10f|logf|log2f|log10f|sinf|cosf|powf|tanf|fdividef|frcp_r.|fsqrt_r.|frsqrt_rn|saturatef|fdiv_rn)"
    r"|r?sqrtf?|exp(?:2|10|m1)?f?|log(?:2|10|1p)?f?|sinf?|cosf?|tanf?|tanhf?|sinhf?|coshf?|erf[c]?f?|powf?|fabsf?|abs|fmodf?"
    r"|floorf?|ceilf?|roundf?|truncf?|rintf?|lrintf?|isnan|isinf|isfinite|signbit|copysignf?|cbrtf?|hypotf?|atan2?f?|asinf?|acosf?"
    r"|__(?:half2float|float2half|float2half_rn|bfloat162float|float2bfloat16|int2float_r.|float2int_r.|ldg|popc|clz|ffs|brev"
    r"|float_as_int|int_as_float|float_as_uint|uint_as_float|low2float|high2float|half22float2|float22half2_rn|halves2half2)"
    r"|h?exp2?|hsqrt|hrsqrt|make_\w+[1-4]|[a-z0-9_]+_cast"
)
_VECTOR = re.compile(r"(?:(float|double|int|uint|long|char|uchar|short|ushort|longlong)([1-4]))")
_NAMED = {"INT_MAX": 0x7FFFFFFF, "true": 1, "false": 0, "nullptr": 0, "NULL": 0, "UINT_MAX": 0xFFFFFFFF}
_THREAD = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})
_DEEPEST = 12
_MOST_WORK = 1_500_000  # values, some two seconds; a softmax in blocks of 1024 threads takes 900 000


class Unknown(Exception):
    """A condition that is not known here decides over a jump; the enclosing loop is taken as a whole."""

    def __init__(self, index: int, why: str) -> None:
        super().__init__(why)
        self.index, self.why = index, why


@dataclass(eq=False)
class Local:
    """A variable: one value for each thread of the block, or a Region for each."""

    name: str
    type: str
    values: Vec
    pointer: bool = False

    def state(self) -> Any:
        return [v.state() if isinstance(v, Region) else v for v in self.values]

    def restore(self, state: Any) -> None:
        for t, saved in enumerate(state):
            self.set_one(t, saved)

    def set_one(self, thread: int, saved: Any) -> None:
        current = self.values[thread]
        if isinstance(current, Region):
            if isinstance(saved, tuple):
                current.restore(saved)
        else:
            self.values[thread] = saved


@dataclass
class Frame:
    """One call of one function."""

    routine: Routine
    types: dict[str, str]
    integers: dict[str, int]
    scopes: list[dict[str, Any]] = field(default_factory=lambda: [{}])  # name -> Local or Region
    path: dict[int, Any] = field(default_factory=dict)  # thread -> condition, since the call, under which it runs
    results: list[tuple[list[int], Vec, Vec]] = field(default_factory=list)  # threads, conditions, values
    guarded: bool = False  # some threads may already have returned

    def find(self, name: str) -> Local | Region | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]  # type: ignore[no-any-return]
        return None


class Evaluator:
    """What machine.Machine adds are the statements."""

    def __init__(self, program: Program, wave: int, threads: int) -> None:
        self.program = program
        self.constants: Constants = program.constants
        self.wave = wave
        self.threads = threads
        self.frames: list[Frame] = []
        self.known = {"warpSize": wave, "blockDim.x": threads, "blockDim.y": 1, "blockDim.z": 1}
        self.guard: Value = 1  # under which the whole block (or the part that is active) runs
        self.own_guard: Vec = [1] * threads  # under which single threads run, as far as it differs among them
        self.journals: list[dict[Any, Any]] = []
        self.effects: list[tuple[int, Any]] = []  # token, what happened to memory
        self.order: dict[int, tuple[str, Value, Value]] = {}  # comparison symbols: what they compare
        self.exchanged: dict[int, set[str]] = {}  # shuffles by token: the types they moved
        self.calls = 0
        self.work = 0

    # --- state -------------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def version(self) -> int:
        return len(self.effects)

    def touch(self, thing: Local | Region) -> None:
        """Note a variable's state before it changes."""
        if self.journals and thing not in self.journals[-1]:
            self.work += self.threads
            self.journals[-1][thing] = thing.state()

    def effect(self, index: int, what: Any) -> None:
        self.effects.append((index, what))

    def guards(self, active: Sequence[int]) -> list[int]:
        whole = fingerprint(self.guard)
        return [int(symbol("guard", whole, fingerprint(self.own_guard[t]))) for t in active]

    # --- types -------------------------------------------------------------------------------------

    def type_named(self, text: str) -> str:
        plain = canonical_type(text)
        for frame in reversed(self.frames):
            if plain in frame.types:
                return frame.types[plain]
        return plain

    def type_of(self, node: Expr) -> str:
        if isinstance(node, Number):
            if isinstance(node.value, int):
                return "int"
            return "float" if node.value[-1] in "fF" else "double"
        if isinstance(node, Name):
            found = self.frame.find(node.name)
            return found.type if found is not None else "int" if node.name == "warpSize" else "?"
        if isinstance(node, Member):
            if isinstance(node.base, Name) and node.base.name in _THREAD:
                return "unsigned"
            vector = _VECTOR.fullmatch(self.type_of(node.base))
            return canonical_type(vector[1]) if vector else "?"
        if isinstance(node, Index):
            return self.type_of(node.base)
        if isinstance(node, Cast):
            return self.type_named(node.type.replace("*", "").strip())
        if isinstance(node, Unary):
            return "bool" if node.op == "!" else self.type_of(node.operand)
        if isinstance(node, Binary):
            if node.op in ("<", ">", "<=", ">=", "==", "!=", "&&", "||"):
                return "bool"
            return _common(self.type_of(node.left), self.type_of(node.right))
        if isinstance(node, Choice):
            return _common(self.type_of(node.yes), self.type_of(node.no))
        if isinstance(node, Assign):
            return self.type_of(node.target)
        if isinstance(node, Comma):
            return self.type_of(node.right)
        if isinstance(node, Call) and isinstance(node.function, Name):
            return self.type_of_call(node, node.function.name.rpartition("::")[2])
        return "?"

    def type_of_call(self, node: Call, name: str) -> str:
        if name in SHUFFLES and len(node.arguments) > SHUFFLES[name][0]:
            return self.type_of(node.arguments[SHUFFLES[name][0]])
        if name in _MAXIMA or name in _MINIMA or name in _ARITHMETIC:
            if len(node.arguments) == 2:
                return _common(self.type_of(node.arguments[0]), self.type_of(node.arguments[1]))
        found = self.program.functions.get(name, ())
        if len(found) == 1:
            routine = self.program.routine(found[0])
            for parameter, argument in zip(routine.parameters, node.arguments):
                if parameter.type == routine.returns and any(t.name == parameter.type for t in routine.template):
                    return self.type_of(argument)
            return self.type_named(routine.returns)
        return "float" if name.endswith("f") and _PURE.fullmatch(name) else "?"

    def convert(self, value: Any, target: str, source: str) -> Any:
        """What an assignment does to a value; only what could change a sum of it leaves a trace."""
        if type(value) is int:
            if target == "bool":
                return int(value != 0)
            if value < 0 and target in _UNSIGNED:
                return value % (1 << _UNSIGNED[target])
            return value
        if not isinstance(value, (Sym, Terms)) or target == source or target in _FLOATS or target in ("auto", "?"):
            return value  # floating-point: at most rounded
        if source in _WIDTHS and target in _WIDTHS and (
            _WIDTHS[target] == _WIDTHS[source] or (_WIDTHS[target] > _WIDTHS[source] and source != "bool")
        ):  # fmt: skip
            return value
        return symbol("convert", target, fingerprint(value))

    # --- expressions -------------------------------------------------------------------------------

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
            bits = _UNSIGNED.get(_common(self.type_of(left), self.type_of(right)))
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
            return self.load([_inner(v) for v in self.evaluate(node.operand, active)], node.index)
        if op == "&":
            return [*self.address(node.operand, active)]
        values = self.evaluate(node.operand, active)
        if op == "-":
            bits = _UNSIGNED.get(self.type_of(node.operand)) if isinstance(node.operand, (Name, Member)) else None
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

    # --- memory ------------------------------------------------------------------------------------

    def address(self, node: Expr, active: list[int]) -> Vec:
        """Pointers to the place that an lvalue names."""
        if isinstance(node, Index):
            base = self.evaluate(node.base, active)
            subscript = self.evaluate(node.subscript, active)
            result: Vec = []
            for b, s in zip(base, subscript):
                result.append(_inner(mix("+", b, s)))
            return result
        if isinstance(node, Unary) and node.op == "*":
            return [_inner(v) for v in self.evaluate(node.operand, active)]
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
        if isinstance(node.base, Name) and node.base.name in _THREAD and self.frame.find(node.base.name) is None:
            return self.built_in(node.base.name, node.name, active)
        values = self.evaluate(node.base, active)
        if node.arrow:
            values = self.load([_inner(v) for v in values], node.index)
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
            source = _common(target, self.type_of(node.value))
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

    # --- calls -------------------------------------------------------------------------------------

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
        if name in _MAXIMA or name in _MINIMA:
            if len(node.arguments) == 2:
                return self.extreme(node, "max" if name in _MAXIMA else "min", active)
        if name in _ARITHMETIC and len(node.arguments) == 2:
            return self.binary(_ARITHMETIC[name], node.arguments[0], node.arguments[1], active)
        if name in _FUSED and len(node.arguments) == 3:
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
        if name in self.program.macros or name in self.program.foreign:
            raise Refused(node.index, f"{name} is defined in another file or is a macro")
        if name.isupper() and len(name) > 2:
            raise Refused(node.index, f"{name} looks like a macro")
        if name.startswith("__") and any(
            w in name for w in ("ballot", "any", "all_sync", "match", "activemask", "reduce_", "shfl")
        ):
            raise Refused(node.index, f"{name} depends on the number of lanes")
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
        rows = [tuple(fingerprint(c[k]) for c in columns) for k in range(len(active))]
        vector = re.fullmatch(r"make_(\w+?)([1-4])", name)
        if vector and len(columns) == int(vector[2]):
            return [
                Struct(symbol("vector", name), tuple(sorted(zip("xyzw", (c[k] for c in columns)))))
                for k in range(len(active))
            ]
        if _PURE.fullmatch(name) and not outputs and not memory:
            version = self.version if name == "__ldg" else 0
            if name == "__ldg":
                return [symbol("load", row[0], version) for row in rows]
            return [symbol("call", name, row) for row in rows]
        self.calls += 1
        guards = self.guards(active)
        whole = symbol("all", name, frozenset(zip(rows, guards, active)), self.calls)
        for number, output in enumerate(outputs):
            self.assign(output, [symbol("out", whole, number, t) for t in active], active, node.index)
        for column in columns:
            for region in {v.region for v in column if isinstance(v, Pointer)}:
                self.touch(region)
                region.base, region.items = symbol("called", whole, region.contents()), {}
        self.effect(node.index, ("call", name, int(whole)))
        return [symbol("result", whole, t) for t in active]

    def method(self, node: Call, function: Member, active: list[int]) -> Vec:
        name = function.name
        if name in self.program.functions or name in self.program.foreign:
            raise Refused(node.index, f"the method {name} is the project's own")
        if name in (
            "shfl",
            "shfl_down",
            "shfl_up",
            "shfl_xor",
            "ballot",
            "any",
            "all",
            "match_any",
            "match_all",
            "sync",
        ):
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

    def inline(self, node: Call, name: str, active: list[int]) -> Vec:
        raise NotImplementedError  # machine.Machine has it


def is_pure(name: str) -> bool:
    """Does a call depend on its arguments alone, and change nothing?"""
    return bool(_PURE.fullmatch(name)) or name in _MAXIMA or name in _MINIMA or name in _ARITHMETIC or name in _FUSED


def _accumulate(kind: str, old: Any, value: Any) -> Any:
    if kind in ("Add", "Sub"):
        return mix("+" if kind == "Add" else "-", old, value)
    if kind in ("Max", "Min"):
        if type(old) is int and type(value) is int:
            return max(old, value) if kind == "Max" else min(old, value)
        return join(kind.lower(), old, value)
    return mix({"And": "&", "Or": "|", "Xor": "^"}[kind], old, value)


def _common(left: str, right: str) -> str:
    """The type of arithmetic on the two; "?" where it is not known."""
    if left == right:
        return left
    if "?" in (left, right):
        return "?"
    for kind in ("double", "float"):
        if kind in (left, right):
            other = right if left == kind else left
            return kind if other in _FLOATS or other in _WIDTHS else "?"
    if left in _WIDTHS and right in _WIDTHS:
        wide = max(32, _WIDTHS[left], _WIDTHS[right])
        if wide == 64:
            return "size_t" if "size_t" in (left, right) else "long long"
        return "unsigned" if "unsigned" in (left, right) else "int"
    # an integer literal takes the type of its partner: `T(0) + 1`
    return right if left == "int" else left if right == "int" else "?"


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


def _inner(value: Any) -> Any:
    """What a pointer points to: one dimension less."""
    return Pointer(value.region, value.offset, value.dimensions[1:]) if isinstance(value, Pointer) else value
