"""What the symbolic machine knows while it executes a kernel: variables, guards, effects and types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from porter.frontend.cpp.constants import Constants
from porter.frontend.cpp.expressions import (
    Assign,
    Binary,
    Call,
    Cast,
    Choice,
    Comma,
    Expr,
    Index,
    Member,
    Name,
    Number,
    Unary,
)
from porter.frontend.cpp.statements import Statement
from porter.proofs.facts import (
    ARITHMETIC,
    FLOATS,
    MAXIMA,
    MINIMA,
    PURE,
    THREAD_NAMES,
    UNSIGNED,
    VECTOR,
    WIDTHS,
    common_type,
)
from porter.proofs.program import SHUFFLES, Program, Routine, canonical_type
from porter.proofs.values import Region, Sym, Terms, Value, fingerprint, symbol

__all__ = ["Frame", "Local", "Loop", "State", "Unknown", "Vec"]

Vec = list[Any]  # one value for each thread that takes part


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
class Loop:
    """A loop that is being executed: where it stands among conditions on data, and who jumped."""

    forks: int
    broken: list[int] = field(default_factory=list)
    continued: list[int] = field(default_factory=list)


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


class State:
    """What the machine knows; how it evaluates and executes is added by the classes that build on it."""

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
        self.loops: list[Loop] = []
        self.shared: dict[int, Region] = {}  # shared arrays by the token that declares them
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
            if isinstance(node.base, Name) and node.base.name in THREAD_NAMES:
                return "unsigned"
            vector = VECTOR.fullmatch(self.type_of(node.base))
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
            return common_type(self.type_of(node.left), self.type_of(node.right))
        if isinstance(node, Choice):
            return common_type(self.type_of(node.yes), self.type_of(node.no))
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
        if name in MAXIMA or name in MINIMA or name in ARITHMETIC:
            if len(node.arguments) == 2:
                return common_type(self.type_of(node.arguments[0]), self.type_of(node.arguments[1]))
        found = self.program.functions.get(name, ())
        if len(found) == 1:
            routine = self.program.routine(found[0])
            for parameter, argument in zip(routine.parameters, node.arguments):
                if parameter.type == routine.returns and any(t.name == parameter.type for t in routine.template):
                    return self.type_of(argument)
            return self.type_named(routine.returns)
        return "float" if name.endswith("f") and PURE.fullmatch(name) else "?"

    def convert(self, value: Any, target: str, source: str) -> Any:
        """What an assignment does to a value; only what could change a sum of it leaves a trace."""
        if type(value) is int:
            if target == "bool":
                return int(value != 0)
            if value < 0 and target in UNSIGNED:
                return value % (1 << UNSIGNED[target])
            return value
        if not isinstance(value, (Sym, Terms)) or target == source or target in FLOATS or target in ("auto", "?"):
            return value  # floating-point: at most rounded
        if source in WIDTHS and target in WIDTHS and (
            WIDTHS[target] == WIDTHS[source] or (WIDTHS[target] > WIDTHS[source] and source != "bool")
        ):  # fmt: skip
            return value
        return symbol("convert", target, fingerprint(value))

    # --- what the classes that build on this one add ---------------------------------------------------

    def evaluate(self, node: Expr, active: list[int]) -> Vec:
        raise NotImplementedError

    def binary(self, op: str, left: Expr, right: Expr, active: list[int]) -> Vec:
        raise NotImplementedError

    def choose(self, condition: Any, yes: Any, no: Any) -> Any:
        raise NotImplementedError

    def call(self, node: Call, active: list[int]) -> Vec:
        raise NotImplementedError

    def run(self, node: Statement, active: list[int]) -> list[int]:
        raise NotImplementedError

    def inline(self, node: Call, name: str, active: list[int]) -> Vec:
        raise NotImplementedError
