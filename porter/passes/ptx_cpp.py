"""Turns the statements of one asm text into C++ lines: registers become locals, predicates become if.

Labels become structure where they form one: a forward branch over some statements is an `if`, a
backward branch a loop, a branch out of a loop a `break`. Anything else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

from porter.frontend.ptx import (
    Instruction,
    Label,
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
)
from porter.model import Safety
from porter.passes.ptx_match import Match, Refusal, find_row, render, written
from porter.passes.ptx_table import PtxTable
from porter.passes.ptx_types import CPP, Mismatch, Value, width

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


@dataclass(frozen=True)
class _If:
    guard: Operand
    negated: bool
    body: tuple[_Node, ...]


@dataclass(frozen=True)
class _Loop:
    body: tuple[_Node, ...]
    guard: Operand | None  # repeats while it holds; None: for ever
    negated: bool


@dataclass(frozen=True)
class _Break:
    guard: Operand | None
    negated: bool


_Node = Union[Instruction, RegisterDecl, Scope, _If, _Loop, _Break]


class _Refused(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


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
    except _Refused as refused:
        return refused.refusal


def _refuse(construct: str, reason: str, known: bool = True) -> _Refused:
    return _Refused(Refusal(construct, reason, known))


def _structure(statements: Sequence[Statement]) -> tuple[_Node, ...]:
    """Labels and branches of one statement list as structure; raises _Refused where there is none."""
    items: list[Statement | _Node] = list(statements)
    labels = {s.name: i for i, s in enumerate(items) if isinstance(s, Label)}
    for name, start in sorted(labels.items(), key=lambda item: -item[1]):  # inner loops first
        start = next(i for i, s in enumerate(items) if isinstance(s, Label) and s.name == name)
        ends = [i for i, s in enumerate(items) if i > start and _branch(s) == name]
        if not ends:
            continue
        end = ends[-1]
        last = items[end]
        assert isinstance(last, Instruction)
        after = items[end + 1].name if end + 1 < len(items) and isinstance(items[end + 1], Label) else ""  # type: ignore[union-attr]
        body: list[Statement | _Node] = []
        for inner in items[start + 1 : end]:
            target = _branch(inner)
            if target == name:
                raise _refuse("bra", f"two branches back to the label {name}")
            if target and target == after:
                assert isinstance(inner, Instruction)
                body.append(_Break(inner.guard, inner.negated))
            else:
                body.append(inner)
        items[start : end + 1] = [_Loop(_forward(body), last.guard, last.negated)]
    return _forward(items)


def _forward(items: Sequence[Statement | _Node]) -> tuple[_Node, ...]:
    nodes: list[_Node] = []
    index = 0
    while index < len(items):
        item = items[index]
        target = _branch(item)
        if target:
            assert isinstance(item, Instruction)
            end = next(
                (i for i in range(index + 1, len(items)) if isinstance(s := items[i], Label) and s.name == target), -1
            )
            if end < 0:
                raise _refuse("bra", f"the branch to {target} is neither a loop nor a jump ahead in the same scope")
            skipped = items[index + 1 : end]
            if any(isinstance(s, Label) for s in skipped):
                raise _refuse("bra", f"the branch to {target} jumps over another label")
            body = _forward(skipped)
            if any(isinstance(node, RegisterDecl) for node in body):
                raise _refuse("bra", f"the branch to {target} jumps over a declaration")
            if item.guard is not None:
                nodes.append(_If(item.guard, not item.negated, body))
            index = end + 1
            continue
        if isinstance(item, Label):
            index += 1
            continue
        if isinstance(item, (Instruction, RegisterDecl, Scope, _If, _Loop, _Break)):
            nodes.append(item)
        else:
            raise _refuse(f".{item.space}", f"the declaration '{item.text}' has no counterpart")
        index += 1
    return tuple(nodes)


def _branch(item: object) -> str:
    if isinstance(item, Instruction) and item.opcode == "bra" and len(item.operands) == 1:
        target = item.operands[0]
        return target.text if isinstance(target, Name) else "?"
    return ""


@dataclass
class _Local:
    name: str  # in C++
    kind: str  # PTX type
    writes: int = 0
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
        self.locals = False
        self.carry = ""  # the C++ name of the carry flag once one is set
        self.carry_kind = ""  # "add" or "sub": a borrow is not a carry

    def run(self, statements: tuple[Statement, ...]) -> Block:
        while len(statements) == 1 and isinstance(statements[0], Scope):
            statements = statements[0].body
        self.scope(statements)
        return Block(
            tuple(self.lines), self.locals, self.safety, tuple(dict.fromkeys(self.notes)), tuple(self.constructs)
        )

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
                raise Mismatch(f"'{operand.sign}' before '{inner.text}'")
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
            kind = "special register" if name.startswith("%") else "name"
            raise Mismatch(f"the {kind} '{name}' is not known here")
        if row.safety is Safety.LEFT:
            raise Mismatch(f"{name}: {row.note}")
        self.weigh(row.safety, row.note)
        return Value(row.cpp, width(row.type), CPP[row.type] if row.type != "u32" else "")

    def weigh(self, safety: Safety, note: str) -> None:
        order = list(Safety)
        self.safety = max(self.safety, safety, key=order.index)
        if note:
            self.notes.append(note)

    # Statements

    def scope(self, statements: Sequence[Statement]) -> None:
        nodes = _structure(statements)
        frame = _Frame()
        self.frames.append(frame)
        for node in nodes:
            if isinstance(node, RegisterDecl):
                self.declare(node, frame)
        self.plan(nodes, frame)
        for local in frame.locals.values():
            if local.writes and not local.inline:
                self.line(f"{CPP[local.kind]} {local.name};")
                local.declared = True
        self.body(nodes)
        self.frames.pop()

    def declare(self, decl: RegisterDecl, frame: _Frame) -> None:
        if decl.type not in CPP:
            raise _refuse(f".reg .{decl.type}", f"registers of type .{decl.type} have no counterpart")
        if decl.vector != 1:
            raise _refuse(f".reg .v{decl.vector}", "vector registers are not known yet")
        for name in decl.names:
            frame.locals[name] = _Local(self.fresh(name), decl.type)

    def plan(self, nodes: Sequence[_Node], frame: _Frame) -> None:
        """Which locals can be declared at their first write: those that are written plainly at this level."""
        seen: set[str] = set()

        def visit(items: Sequence[_Node], nested: bool) -> None:
            for node in items:
                if isinstance(node, Instruction):
                    self.plan_instruction(node, frame, seen, nested)
                elif isinstance(node, Scope):
                    for inner in instructions(node.body):
                        self.plan_instruction(inner, frame, seen, True)
                elif isinstance(node, (_If, _Loop)):
                    visit(node.body, True)

        visit(nodes, False)

    def plan_instruction(self, instruction: Instruction, frame: _Frame, seen: set[str], nested: bool) -> None:
        names = set(_names(instruction))
        match = self.match(instruction, quiet=True)
        outs = {o.text for o in written(match) if isinstance(o, Name)} if match else names
        for name in names & frame.locals.keys():
            local = frame.locals[name]
            if name in outs:
                local.writes += 1
                if name not in seen:
                    by_reference = match is None or f"{{{_slot_of(match, name)}}}" in match.row.cpp
                    reads = list(_names(instruction)).count(name) > 1
                    local.inline = not (nested or by_reference or reads or instruction.guard is not None)
            seen.add(name)

    def match(self, instruction: Instruction, quiet: bool = False) -> Match | None:
        found = find_row(instruction, self.table, self.value)
        if isinstance(found, Refusal):
            if quiet:
                return None
            raise _Refused(found)
        return found

    def line(self, text: str) -> None:
        self.lines.append("\t" * self.depth + text)

    def body(self, nodes: Sequence[_Node]) -> None:
        index = 0
        while index < len(nodes):
            node = nodes[index]
            if isinstance(node, Instruction) and node.guard is not None:
                index = self.guarded(nodes, index)
                continue
            self.node(node)
            index += 1

    def guarded(self, nodes: Sequence[_Node], index: int) -> int:
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

    def nested(self, nodes: Sequence[_Node]) -> list[str]:
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
            raise _refuse("@p", str(mismatch)) from None
        if value.register != "pred":
            raise _refuse("@p", f"the guard '{value.text}' is no predicate")
        return f"!{value.grouped}" if negated else value.text

    def node(self, node: _Node) -> None:
        if isinstance(node, Instruction):
            self.instruction(node)
        elif isinstance(node, Scope):
            self.line("{")
            self.depth += 1
            self.scope(node.body)
            self.depth -= 1
            self.line("}")
        elif isinstance(node, _If):
            condition = self.condition(node.guard, node.negated)
            self.nest(f"if ({condition})", self.nested(node.body))
        elif isinstance(node, _Loop):
            inner = self.nested(node.body)
            again = "true" if node.guard is None else self.condition(node.guard, node.negated)
            self.line("do {")
            self.lines.extend(inner)
            self.line(f"}} while ({again});")
        elif isinstance(node, _Break):
            head = "" if node.guard is None else f"if ({self.condition(node.guard, node.negated)}) "
            self.line(head + "break;")

    def instruction(self, instruction: Instruction) -> None:
        match = self.match(instruction)
        assert match is not None
        self.constructs.append(instruction.mnemonic)
        self.weigh(match.row.safety, match.row.note)
        if "FTZ" in match.words and match.row.safety is Safety.EXACT:
            self.weigh(Safety.SLOWER, "subnormals are flushed by hand: gfx942 keeps them")
        self.carry_flag(instruction)
        try:
            statements = render(match, self.value, self.fresh, self.carry)
        except Mismatch as mismatch:
            raise _refuse(instruction.mnemonic, str(mismatch)) from None
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
            raise _refuse(
                instruction.mnemonic, "the carry comes from another asm statement, which C++ cannot pass on"
            )
        if reads and kind != self.carry_kind:
            raise _refuse(instruction.mnemonic, "a carry is read as a borrow, or a borrow as a carry")
        if writes:
            if instruction.guard is not None or self.depth:
                raise _refuse(instruction.mnemonic, "the carry is set under a condition")
            if not self.carry:
                self.carry = self.fresh("carry")
                self.line(f"uint32_t {self.carry};")
            self.carry_kind = kind


def _names(instruction: Instruction) -> list[str]:
    found: list[str] = []

    def visit(operand: Operand) -> None:
        if isinstance(operand, Name):
            found.append(operand.text)
        elif isinstance(operand, Memory):
            visit(operand.base)
            for part in operand.extra:
                visit(part)
        elif isinstance(operand, Vector):
            for part in operand.parts:
                visit(part)
        elif isinstance(operand, Pair):
            visit(operand.first)
            visit(operand.second)
        elif isinstance(operand, Not):
            visit(operand.operand)

    for operand in instruction.operands:
        visit(operand)
    return found


def _slot_of(match: Match, name: str) -> str:
    return next((n for n in match.outputs if match.operands[n] == Name(name)), "")


_KEYWORDS = {
    "and", "asm", "auto", "bool", "break", "case", "char", "class", "const", "continue", "default",
    "delete", "do", "double", "else", "enum", "float", "for", "goto", "if", "int", "long", "new", "not",
    "or", "register", "return", "short", "signed", "static", "struct", "switch", "this", "true", "false",
    "union", "unsigned", "using", "void", "volatile", "while", "xor", "min", "max",
}  # fmt: skip
