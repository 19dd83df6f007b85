"""Turns the statements of one asm text into C++ lines: registers become locals, predicates become if."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from porter.findings import Safety
from porter.frontend.ptx import (
    Instruction,
    Memory,
    Name,
    Not,
    Operand,
    Pair,
    Placeholder,
    RegisterDecl,
    Scope,
    Statement,
    Vector,
    instructions,
    leaves,
)
from porter.ptx.flow import Break, If, Loop, Node, Refused, refuse, structure
from porter.ptx.match import Match, Refusal, find_row, written
from porter.ptx.render import render
from porter.ptx.table import PtxTable
from porter.ptx.types import CPP, Mismatch, Value, width

__all__ = ["Block", "translate"]

Resolve = Callable[[Placeholder], Value]


@dataclass(frozen=True)
class Block:
    """C++ for one asm text. Without locals its lines may stand where the asm stood."""

    lines: tuple[str, ...]
    locals: bool
    safety: Safety
    notes: tuple[str, ...]
    constructs: tuple[str, ...]  # the mnemonics it was made from
    headers: tuple[str, ...] = ()  # of the rows, beside porter/ptx.h


def translate(
    statements: tuple[Statement, ...],
    table: PtxTable,
    resolve: Resolve,
    reserved: Collection[str],
    suffix: str = "",
    registers: Mapping[str, Value] | None = None,
) -> Block | Refusal:
    """`resolve` gives the C++ of an asm operand; locals avoid the names in `reserved` and end in `suffix`.

    `registers` are names that the text may use without declaring them.
    """
    try:
        return _Translator(table, resolve, reserved, suffix, registers or {}).run(statements)
    except Refused as refused:
        return refused.refusal


@dataclass
class _Local:
    name: str  # in C++
    kind: str  # PTX type
    writes: int = 0
    used: bool = False
    inline: bool = False  # declared where it is first written
    declared: bool = False


@dataclass
class _Frame:
    locals: dict[str, _Local] = field(default_factory=dict)


class _Translator:
    def __init__(
        self,
        table: PtxTable,
        resolve: Resolve,
        reserved: Collection[str],
        suffix: str,
        registers: Mapping[str, Value],
    ) -> None:
        self.table = table
        self.registers = registers
        self.resolve = resolve
        self.taken = set(reserved) | _KEYWORDS
        self.suffix = suffix
        self.frames: list[_Frame] = []
        self.lines: list[str] = []
        self.depth = 0
        self.safety = Safety.EXACT
        self.notes: list[str] = []
        self.constructs: list[str] = []
        self.headers: list[str] = []
        self.locals = False
        self.carry = ""  # the C++ name of the carry flag once one is set
        self.carry_kind = ""  # "add" or "sub": a borrow is not a carry

    def run(self, statements: tuple[Statement, ...]) -> Block:
        while len(statements) == 1 and isinstance(statements[0], Scope):
            statements = statements[0].body
        self.scope(_scalars(statements, {}))
        return Block(
            tuple(self.lines), self.locals, self.safety, tuple(dict.fromkeys(self.notes)), tuple(self.constructs),
            tuple(dict.fromkeys(self.headers)),
        )  # fmt: skip

    # Names and values

    def fresh(self, wanted: str) -> str:
        base = re.sub(r"\W", "_", wanted.lstrip("%$")) or "t"
        base = f"r{base}" if base[0].isdigit() else base
        name, count = base + self.suffix, 1
        while name in self.taken:
            count += 1
            name = f"{base}_{count}{self.suffix}"
        self.taken.add(name)
        self.locals = True
        return name

    def find(self, name: str) -> _Local | None:
        return next((f.locals[name] for f in reversed(self.frames) if name in f.locals), None)

    def value(self, operand: Operand) -> Value:
        if isinstance(operand, Placeholder):
            return self.resolve(operand)
        if isinstance(operand, Not):
            inner = self.value(operand.operand)
            if operand.sign != "!" or inner.register != "pred":
                raise Mismatch(f"'{operand.sign}' before '{inner.shown}'")
            return Value(f"!{inner.grouped}", "pred", "bool")
        if isinstance(operand, Name):
            local = self.find(operand.text)
            if local is not None:
                return Value(local.name, width(local.kind), CPP[local.kind])
            if operand.text in self.registers:
                return self.registers[operand.text]
            return self.special(operand.text)
        if isinstance(operand, (Pair, Vector, Memory)):
            raise Mismatch("a plain operand is expected")
        if hasattr(operand, "kind"):
            return Value(operand.text, "const", immediate=operand)  # type: ignore[union-attr,arg-type]
        raise Mismatch("an operand of this kind is not read")

    def special(self, name: str) -> Value:
        if name == "WARP_SZ":
            return Value("32", "const")
        row = self.table.specials.get(name)
        if row is None:
            if f"{name}.x" in self.table.specials:
                raise Mismatch(f"{name} is several numbers: read {name}.x, .y and .z one by one")
            kind = "special register" if name.startswith("%") else "name"
            raise Mismatch(f"the {kind} '{name}' is not known here")
        if row.safety is Safety.LEFT:
            raise Mismatch(f"{name}: {row.note}")
        self.weigh(row.safety, row.note)
        if row.header:
            self.headers.append(row.header)
        return Value(row.cpp, width(row.type), CPP[row.type] if row.type != "u32" else "")

    def weigh(self, safety: Safety, note: str) -> None:
        order = list(Safety)
        self.safety = max(self.safety, safety, key=order.index)
        if note:
            self.notes.append(note)

    # Statements

    def scope(self, statements: Sequence[Statement]) -> None:
        nodes = structure(statements)
        frame = _Frame()
        self.frames.append(frame)
        for node in nodes:
            if isinstance(node, RegisterDecl):
                self.declare(node, frame)
        self.plan(nodes, frame)
        for local in frame.locals.values():
            if local.used and not local.inline:
                start = "" if local.writes else " = 0"  # read without ever being written: any value will do
                self.line(f"{CPP[local.kind]} {local.name}{start};")
                local.declared = True
        self.body(nodes)
        self.frames.pop()

    def declare(self, decl: RegisterDecl, frame: _Frame) -> None:
        if decl.type not in CPP:
            raise refuse(f".reg .{decl.type}", f"registers of type .{decl.type} have no counterpart")
        for name in decl.names:
            frame.locals[name] = _Local(self.fresh(name), decl.type)

    def plan(self, nodes: Sequence[Node], frame: _Frame) -> None:
        """The locals that can be declared at their first write: a plain write at this level."""
        seen: set[str] = set()

        def visit(items: Sequence[Node], nested: bool) -> None:
            for node in items:
                if isinstance(node, Instruction):
                    self.plan_instruction(node, frame, seen, nested)
                elif isinstance(node, Scope):
                    for inner in instructions(node.body):
                        self.plan_instruction(inner, frame, seen, True)
                elif isinstance(node, (If, Loop)):
                    visit(node.body, True)

        visit(nodes, False)

    def plan_instruction(self, instruction: Instruction, frame: _Frame, seen: set[str], nested: bool) -> None:
        names = set(_names(instruction))
        match = self.match(instruction, quiet=True)
        outs = {o.text for o in written(match) if isinstance(o, Name)} if match else names
        for name in names & frame.locals.keys():
            local = frame.locals[name]
            local.used = True
            if name in outs:
                local.writes += 1
                if name not in seen:
                    by_reference = match is None or match.row.by_reference(_slot_of(match, name).split(".")[0])
                    reads = _names(instruction).count(name) > 1
                    local.inline = not (nested or by_reference or reads or instruction.guard is not None)
            seen.add(name)

    def match(self, instruction: Instruction, quiet: bool = False) -> Match | None:
        match = find_row(instruction, self.table, self.value)
        if isinstance(match, Refusal):
            if quiet:
                return None
            raise Refused(match)
        return match

    def line(self, text: str) -> None:
        self.lines.append("\t" * self.depth + text)

    def body(self, nodes: Sequence[Node]) -> None:
        index = 0
        while index < len(nodes):
            node = nodes[index]
            if isinstance(node, Instruction) and node.guard is not None:
                index = self.guarded(nodes, index)
                continue
            self.node(node)
            index += 1

    def guarded(self, nodes: Sequence[Node], index: int) -> int:
        """Instructions with the same guard, one after the other, share one `if`."""
        first = nodes[index]
        assert isinstance(first, Instruction) and first.guard is not None
        condition = self.condition(first.guard, first.negated)
        keep, self.lines = self.lines, []
        self.depth += 1
        while index < len(nodes):
            node = nodes[index]
            if not isinstance(node, Instruction) or node.guard != first.guard or node.negated != first.negated:
                break
            self.instruction(node)
            index += 1
            match = self.match(node)
            if match is not None and first.guard in written(match):
                break
        self.depth -= 1
        inner, self.lines = self.lines, keep
        self.nest(f"if ({condition})", inner)
        return index

    def nest(self, head: str, inner: Sequence[str], tail: str = "}") -> None:
        if len(inner) == 1 and tail == "}" and not inner[0].lstrip().startswith("const "):
            self.line(f"{head} {inner[0].strip()}")
        elif inner:
            self.line(head + " {")
            self.lines.extend(inner)
            self.line(tail)

    def nested(self, nodes: Sequence[Node]) -> list[str]:
        keep, self.lines = self.lines, []
        self.depth += 1
        self.body(nodes)
        self.depth -= 1
        inner, self.lines = self.lines, keep
        return inner

    def condition(self, guard: Operand, negated: bool) -> str:
        try:
            value = self.value(guard)
        except Mismatch as mismatch:
            raise refuse("@p", str(mismatch)) from None
        if value.register != "pred":
            raise refuse("@p", f"the guard '{value.shown}' is no predicate")
        return f"!{value.grouped}" if negated else value.text

    def node(self, node: Node) -> None:
        if isinstance(node, Instruction):
            self.instruction(node)
        elif isinstance(node, Scope):
            self.line("{")
            self.depth += 1
            self.scope(node.body)
            self.depth -= 1
            self.line("}")
        elif isinstance(node, If):
            condition = self.condition(node.guard, node.negated)
            self.nest(f"if ({condition})", self.nested(node.body))
        elif isinstance(node, Loop):
            inner = self.nested(node.body)
            again = "true" if node.guard is None else self.condition(node.guard, node.negated)
            self.line("do {")
            self.lines.extend(inner)
            self.line(f"}} while ({again});")
        elif isinstance(node, Break):
            head = "" if node.guard is None else f"if ({self.condition(node.guard, node.negated)}) "
            self.line(head + "break;")

    def instruction(self, instruction: Instruction) -> None:
        match = self.match(instruction)
        assert match is not None
        self.constructs.append(instruction.mnemonic)
        self.weigh(match.row.safety, match.row.note)
        if match.row.needs.header:
            self.headers.append(match.row.needs.header)
        if "FTZ" in match.words and match.row.safety is Safety.EXACT:
            self.weigh(Safety.SLOWER, "subnormals are flushed by hand: AMD GPUs keep them")
        self.carry_flag(instruction)
        try:
            statements = render(match, self.value, self.fresh, self.carry)
        except Mismatch as mismatch:
            raise refuse(instruction.mnemonic, str(mismatch)) from None
        for statement in statements:
            if statement.target is None:
                self.line(statement.text)
                continue
            target = self.value(statement.target)
            head = ""
            local = self.find(statement.target.text) if isinstance(statement.target, Name) else None
            if local is not None and local.inline and not local.declared:
                head = ("const " if local.writes == 1 else "") + CPP[local.kind] + " "
                local.declared = True
            self.line(f"{head}{target.text} = {statement.text};")

    def carry_flag(self, instruction: Instruction) -> None:
        reads = instruction.opcode in ("addc", "subc", "madc")
        writes = "cc" in instruction.modifiers
        kind = "sub" if instruction.opcode in ("sub", "subc") else "add"
        if reads and not self.carry:
            raise refuse(instruction.mnemonic, "the carry comes from another asm statement, which C++ cannot pass on")
        if reads and kind != self.carry_kind:
            raise refuse(instruction.mnemonic, "a carry is read as a borrow, or a borrow as a carry")
        if writes:
            if instruction.guard is not None or self.depth:
                raise refuse(instruction.mnemonic, "the carry is set under a condition")
            if not self.carry:
                self.carry = self.fresh("carry")
                self.line(f"uint32_t {self.carry};")
            self.carry_kind = kind


def _scalars(statements: Sequence[Statement], vectors: dict[str, Vector]) -> tuple[Statement, ...]:
    """Vector registers (`.reg .v2 .f32 a;`) as one register for each element, called a.x and a.y as PTX does."""
    scalars: list[Statement] = []
    for statement in statements:
        if isinstance(statement, RegisterDecl) and statement.vector > 1:
            parts = {n: [f"{n}.{member}" for member in "xyzw"[: statement.vector]] for n in statement.names}
            vectors.update({n: Vector(tuple(map(Name, names))) for n, names in parts.items()})
            names = tuple(name for names in parts.values() for name in names)
            scalars.append(replace(statement, names=names, vector=1))
        elif isinstance(statement, Scope):
            scalars.append(replace(statement, body=_scalars(statement.body, dict(vectors))))
        elif isinstance(statement, Instruction) and vectors:
            operands = (vectors.get(o.text, o) if isinstance(o, Name) else o for o in statement.operands)
            scalars.append(replace(statement, operands=tuple(operands)))
        else:
            scalars.append(statement)
    return tuple(scalars)


def _names(instruction: Instruction) -> list[str]:
    return [leaf.text for operand in instruction.operands for leaf in leaves(operand) if isinstance(leaf, Name)]


def _slot_of(match: Match, name: str) -> str:
    return next((n for n in match.outputs if match.operands[n] == Name(name)), "")


_KEYWORDS = {
    "and", "asm", "auto", "bool", "break", "case", "char", "class", "const", "continue", "default",
    "delete", "do", "double", "else", "enum", "float", "for", "goto", "if", "int", "long", "new", "not",
    "or", "register", "return", "short", "signed", "static", "struct", "switch", "this", "true", "false",
    "union", "unsigned", "using", "void", "volatile", "while", "xor", "min", "max",
}  # fmt: skip
