"""Inline PTX becomes C++; what the table does not know becomes a call that stops the compiler.

Whether an asm statement holds PTX is decided from its content: x86 and AMD assembly stay as they
are, and so do empty statements, which are compiler barriers on every target. A later pass that
knows more constructs (Hopper's) gives `claim` to `port_asm` and is asked first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from porter.frontend.asm import AsmOperand, AsmStatement, find_asm
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.ptx import (
    OPAQUE,
    Instruction,
    Memory,
    Not,
    Operand,
    Pair,
    Placeholder,
    Ptx,
    Vector,
    instructions,
    parse_ptx,
)
from porter.model import Edit, Finding, Safety
from porter.passes.ptx_cpp import Block, translate
from porter.passes.ptx_match import Match, Refusal, find_row
from porter.passes.ptx_table import PtxTable, load_ptx_table
from porter.passes.ptx_types import Mismatch, Value
from porter.rules import builtin_rules_dir

__all__ = ["Claim", "port_asm", "run"]

HEADER = "porter/ptx.h"


class _HasFile(Protocol):
    @property
    def file(self) -> TokenFile: ...


# Asked before the table: a Finding takes the statement over, None leaves it to this pass.
Claim = Callable[[AsmStatement, Ptx], "Finding | None"]


def run(unit: _HasFile, rules: Any) -> list[Finding]:
    return port_asm(unit.file, ptx_table(rules))


def ptx_table(rules: Any) -> PtxTable:
    folders: Sequence[Path] = getattr(rules, "folders", None) or (builtin_rules_dir(),)
    return load_ptx_table(folders)


def port_asm(file: TokenFile, table: PtxTable, claim: Claim | None = None) -> list[Finding]:
    findings: list[Finding] = []
    for asm in find_asm(file):
        ptx = parse_ptx(asm.text)
        taken = claim(asm, ptx) if claim is not None else None
        finding = taken or _port(file, asm, ptx, table)
        if finding is not None:
            findings.append(finding)
    return findings


def _port(file: TokenFile, asm: AsmStatement, ptx: Ptx, table: PtxTable) -> Finding | None:
    verdict = _classify(asm, ptx, table)
    if verdict == "foreign":
        return None
    if verdict == "doubtful":
        return Finding(
            "asm-doubtful", asm.start, asm.end, Safety.LEFT,
            f"cannot tell whether this is PTX: {_short(asm)}",
        )  # fmt: skip
    if asm.problem:
        return _stub(file, asm, "ptx-unread", _short(asm), asm.problem)
    if asm.opaque:
        return _stub(
            file, asm, "ptx-unread", _short(asm),
            f"the preprocessor puts this text together from {', '.join(asm.opaque)}",
        )  # fmt: skip
    if ptx.problems:
        problem = ptx.problems[0]
        line, column = file.position(asm.origin(problem.start))
        return _stub(file, asm, "ptx-unread", _short(asm), f"{problem.message} (line {line}, column {column})")
    result = _translate(file, asm, ptx, table)
    for text in asm.others:
        other = _translate(file, asm, parse_ptx(text), table)
        if isinstance(result, Block) and (isinstance(other, Refusal) or other.lines != result.lines):
            return _stub(
                file, asm, "ptx-unread", _short(asm), "the branches of the preprocessor mean different things here"
            )
    if isinstance(result, Refusal):
        rule = "ptx-unsupported" if result.known else "ptx-unknown"
        return _stub(file, asm, rule, result.construct, result.reason)
    return _finding(file, asm, result)


def _translate(file: TokenFile, asm: AsmStatement, ptx: Ptx, table: PtxTable) -> Block | Refusal:
    if ptx.problems:
        return Refusal(_short(asm), ptx.problems[0].message, known=True)
    try:
        return _Statement(file, asm, ptx, table).translate()
    except Mismatch as mismatch:
        return Refusal(_short(asm), str(mismatch), known=True)


# What is PTX?

_PTX_CONSTRAINTS = frozenset({"h", "r", "l", "f", "d", "q", "n", "i", "C", "b"})
_BARE = frozenset({"ret", "exit", "trap", "brkpt", "bra", "call"})
_PTX_WORD = re.compile(
    r"[usbf](8|16|32|64|128)|bf16(x2)?|f16x2|[us]16x2|tf32|pred|global|shared(::\w+)?|local|const|param"
    r"|sync|aligned|async|gpu|cta|cluster|sys|gl|approx|ftz|r[nzmp]i?|v[248]|warp|wait|arrive|mbarrier(::\w+)*"
    r"|release|acquire|proxy|bulk|inc|dec|uni|commit_group|wait_group|wait_all|launch_dependents|relaxed"
)


def _classify(asm: AsmStatement, ptx: Ptx, table: PtxTable) -> str:
    """ "ptx", "foreign" (another machine's assembly, or a barrier) or "doubtful"."""
    if asm.goto:
        return "foreign"
    found = list(instructions(ptx.statements))
    if not asm.text.replace(OPAQUE, "").strip(" \t\r\n;") and not asm.opaque:
        return "foreign"
    looks = [_looks_ptx(i, table) for i in found]
    kinds = {o.kind for o in asm.operands if not o.kind.isdigit()}
    alien = bool(kinds - _PTX_CONSTRAINTS)
    if not any(looks):
        if asm.opaque and not alien and any(map(_PTX_WORD.fullmatch, re.findall(r"\.([\w:]+)", asm.text))):
            return "ptx"
        return "foreign"
    if alien:
        return "doubtful"
    if all(looks) or ptx.problems or asm.opaque:
        return "ptx"
    return "ptx" if any(i.modifiers and ok for i, ok in zip(found, looks)) else "doubtful"


def _looks_ptx(instruction: Instruction, table: PtxTable) -> bool:
    if not table.is_ptx(instruction.opcode):
        return sum(_PTX_WORD.fullmatch(word) is not None for word in instruction.modifiers) >= 2
    if instruction.opcode in _BARE:
        return True
    return any(_PTX_WORD.fullmatch(word) for word in instruction.modifiers)


# One statement


@dataclass(frozen=True)
class _Use:
    first: int  # index of the instruction
    count: int


class _Statement:
    """Gives the operands of one asm statement their C++ and keeps asm's order of reads and writes.

    An asm statement reads all its inputs before it writes any output. Where the C++ would write an
    output first, the inputs that are read later are copied into locals at the top.
    """

    def __init__(self, file: TokenFile, asm: AsmStatement, ptx: Ptx, table: PtxTable) -> None:
        self.file, self.asm, self.ptx, self.table = file, asm, ptx, table
        self.in_macro = asm.directive >= 0
        self.values: dict[int, Value] = {}
        self.names = {o.name: i for i, o in enumerate(asm.operands) if o.name}
        self.suffix = "_ptx" if self.in_macro else ""
        self.reserved = {
            t.text for o in asm.operands for t in file.tokens[o.first : o.last] if t.kind == Kind.IDENT
        }

    def translate(self) -> Block | Refusal:
        before, after = self.bind()
        result = translate(self.ptx.statements, self.table, self.resolve, self.reserved, self.suffix)
        if isinstance(result, Refusal) or not (before or after):
            return result
        local = result.locals or any(" = " in line and line.startswith("const ") for line in before) or bool(after)
        return replace(result, lines=(*before, *result.lines, *after), locals=local)

    def index(self, placeholder: Placeholder) -> int:
        if placeholder.name:
            if placeholder.name not in self.names:
                raise Mismatch(f"there is no operand %[{placeholder.name}]")
            return self.names[placeholder.name]
        if placeholder.index >= len(self.asm.operands):
            raise Mismatch(f"there is no operand %{placeholder.index}")
        return placeholder.index

    def resolve(self, placeholder: Placeholder) -> Value:
        index = self.index(placeholder)
        if index not in self.values:
            self.values[index] = self.plain(self.asm.operands[index])
        return self.values[index]

    def plain(self, operand: AsmOperand) -> Value:
        kind = operand.kind
        if kind.isdigit():
            return self.plain(self.asm.operands[int(kind)])
        register = {"h": "16", "r": "32", "l": "64", "f": "f32", "d": "f64", "n": "const", "i": "const"}.get(kind)
        if register is None:
            raise Mismatch(f"an operand with the constraint '{operand.constraint}' is not read")
        text = operand.expression
        if _has_top_comma(self.file, operand):
            text = f"({text})"
        written = operand in self.asm.outputs
        pointer = written and register == "64" and _declared_pointer(self.file, operand)
        return Value(text, register, _known_type(text), pointer=pointer)

    def bind(self) -> tuple[list[str], list[str]]:
        """Lines before and after the block: copies of inputs and outputs where order asks for them."""
        asm = self.asm
        order = list(instructions(self.ptx.statements))
        outputs = len(asm.outputs)
        uses: dict[int, list[int]] = {}
        first_write = len(order)
        for at, instruction in enumerate(order):
            match = find_row(instruction, self.table, self.lookup)
            several = isinstance(match, Match) and ";" in match.row.cpp
            for index in map(self.index, _placeholders(instruction)):
                uses.setdefault(index, []).append(at)
                if index < outputs:
                    first_write = min(first_write, at if several else at + 1)
        if asm.outputs and any(i.opcode == "bra" for i in order):
            first_write = -1
        before: list[str] = []
        after: list[str] = []
        tied = [(o, int(o.kind)) for o in asm.inputs if o.kind.isdigit() and int(o.kind) < outputs]
        if tied:
            first_write = -1
        for index, operand in enumerate(asm.operands):
            if index not in uses or operand.kind in ("n", "i"):
                continue
            if index < outputs:
                if len(uses[index]) > 1 and _has_effects(operand.expression):
                    value = self.plain(operand)
                    name = self.local(f"out{index}")
                    ctype = _LOCAL[value.register]
                    start = f" = {operand.expression}" if operand.is_read else ""
                    before.append(f"{ctype} {name}{start};")
                    after.append(f"{operand.expression} = {name};")
                    self.values[index] = Value(name, value.register, ctype)
                continue
            if operand.kind.isdigit():
                continue
            late = uses[index][-1] >= first_write
            twice = len(uses[index]) > 1 and _has_effects(operand.expression)
            if (late or twice) and not re.fullmatch(r"[0-9][\w.]*", operand.expression):
                value = self.plain(operand)
                name = self.local(f"in{index}")
                ctype = _LOCAL[value.register]
                text = f"{ctype}({value.text})" if value.register == "64" and not value.ctype else value.text
                before.append(f"const {ctype} {name} = {text};")
                self.values[index] = Value(name, value.register, ctype)
        for operand, target in tied:
            self.values[asm.operands.index(operand)] = self.resolve(Placeholder(target))
            if operand.expression != asm.outputs[target].expression:
                before.append(f"{asm.outputs[target].expression} = {operand.expression};")
        return before, after

    def lookup(self, operand: Operand) -> Value:
        if isinstance(operand, Placeholder):
            return self.plain(self.asm.operands[self.index(operand)])
        if hasattr(operand, "kind"):
            return Value(operand.text, "const", immediate=operand)  # type: ignore[union-attr,arg-type]
        raise Mismatch("not needed here")

    def local(self, wanted: str) -> str:
        name = wanted + self.suffix
        while name in self.reserved:
            name += "_"
        self.reserved.add(name)
        return name


_LOCAL: Mapping[str, str] = {
    "16": "uint16_t", "32": "uint32_t", "64": "uint64_t", "f32": "float", "f64": "double",
}  # fmt: skip


def _placeholders(instruction: Instruction) -> list[Placeholder]:
    found: list[Placeholder] = []

    def visit(operand: Operand | None) -> None:
        if isinstance(operand, Placeholder):
            found.append(operand)
        elif isinstance(operand, Memory):
            visit(operand.base)
            visit(operand.offset)
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

    for operand in (instruction.guard, *instruction.operands):
        visit(operand)
    return found


def _has_effects(expression: str) -> bool:
    """May reading it twice differ from reading it once? Calls and assignments do; subscripts don't."""
    if re.search(r"\+\+|--|(?<![=!<>])=(?!=)", expression):
        return True
    return re.search(r"[A-Za-z_]\w*\s*\(", re.sub(r"\b\w*(?:int|float|double|_t|cast<[^()]*>)\s*\(", "(", expression)) is not None


def _has_top_comma(file: TokenFile, operand: AsmOperand) -> bool:
    depth = 0
    for token in file.tokens[operand.first : operand.last]:
        if token.kind == Kind.PUNCT:
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.text, 0)
            if token.text == "," and depth == 0:
                return "<" not in operand.expression
    return False


_CASTS = {
    "uint32_t": "uint32_t", "unsigned": "uint32_t", "unsigned int": "uint32_t", "int": "int32_t",
    "int32_t": "int32_t", "uint64_t": "uint64_t", "unsigned long long": "uint64_t", "size_t": "uint64_t",
    "uint16_t": "uint16_t", "float": "float", "double": "double", "unsigned long": "uint64_t",
    "uintptr_t": "uint64_t", "unsigned long long int": "uint64_t", "int64_t": "int64_t", "long long": "int64_t",
}  # fmt: skip


def _known_type(text: str) -> str:
    """The C++ type of an expression that is a cast of one operand: `(uint32_t)x`, `uint32_t(x)`."""
    found = re.fullmatch(r"\(([\w ]+)\)\s*[\w.\->\[\]]+|(\w+)\([^()]*\)", text)
    if found is not None:
        return _CASTS.get((found[1] or found[2]).strip(), "")
    found = re.fullmatch(r"(?:static|reinterpret)_cast<\s*([\w ]+?)\s*>\([^()]*(?:\([^()]*\)[^()]*)*\)", text)
    return _CASTS.get(found[1], "") if found is not None else ""


_TYPE_WORDS = re.compile(
    r"void|char|int|unsigned|long|short|float|double|half|bool|T|\w+_t|u?(int|char|short|long|longlong)[1-4]"
    r"|(float|double|half)[1-4]|__half2?|__nv_bfloat16\w*|const|volatile|__restrict__"
)


def _declared_pointer(file: TokenFile, operand: AsmOperand) -> bool:
    """Was this output declared `T* name`? Then the integer result must be cast back."""
    if operand.last - operand.first != 1:
        return False
    name, tokens = operand.expression, file.tokens
    for index in range(operand.first - 1, max(operand.first - 4000, 1), -1):
        if tokens[index].text != name or tokens[index].kind != Kind.IDENT:
            continue
        at = index - 1
        while at > 0 and tokens[at].text in ("const", "__restrict__", "__restrict", "volatile"):
            at -= 1
        if tokens[at].text == "*" and at > 0 and (
            _TYPE_WORDS.fullmatch(tokens[at - 1].text) or tokens[at - 1].text in ("*", ">")
        ):
            return True
        if tokens[at].kind == Kind.IDENT and _TYPE_WORDS.fullmatch(tokens[at].text):
            return False
    return False


# Findings


def _finding(file: TokenFile, asm: AsmStatement, block: Block) -> Finding:
    what = ", ".join(dict.fromkeys(block.constructs))
    message = f"inline PTX: {what}"
    if block.notes:
        message += " (" + "; ".join(block.notes) + ")"
    edit = Edit(*_written(file, asm, block))
    return Finding("inline-ptx", asm.start, asm.end, block.safety, message, (edit,), (HEADER,))


def _written(file: TokenFile, asm: AsmStatement, block: Block) -> tuple[int, int, str]:
    """Span and text of the edit; one plain statement leaves the source's own ';' where it is."""
    closing = file.tokens[asm.last - (2 if asm.ended else 1)].end
    lines = list(block.lines)
    if not lines:
        name = ", ".join(dict.fromkeys(block.constructs)).replace("*/", "* /")
        return asm.start, closing, f"/* {name}: nothing to do on AMD */"
    if len(lines) == 1 and not block.locals and lines[0].endswith(";"):
        return asm.start, closing, lines[0][:-1]
    in_macro = asm.directive >= 0
    indent = _indent(file, asm.start)
    step = "\t" if "\t" in indent else ("  " if len(indent) % 4 == 2 else "    ")
    newline = "\r\n" if "\r\n" in file.text[:4096] else "\n"
    if in_macro:
        newline = " \\" + newline if "\\" in file.text[asm.start : asm.end] else " "
        indent = indent if "\\" in newline else ""
        step = step if "\\" in newline else ""
    bare = not block.locals and not in_macro and asm.first > 0 and file.tokens[asm.first - 1].text in (";", "{", "}")
    opening = "" if bare else ("{" if asm.ended or not in_macro else "do {")
    ending = "" if bare else ("}" if opening == "{" else "} while (0)")
    inner = indent if bare else indent + step
    body = [inner + line.replace("\t", step) for line in lines]
    if bare:
        return asm.start, asm.end if asm.ended else closing, newline.join(body).lstrip()
    text = newline.join([opening, *body, indent + ending])
    return asm.start, asm.end if asm.ended else closing, text


def _indent(file: TokenFile, offset: int) -> str:
    begin = max(file.text.rfind("\n", 0, offset), file.text.rfind("\r", 0, offset)) + 1
    found = re.match(r"[ \t]*", file.text[begin:offset])
    return found.group() if found else ""


def _short(asm: AsmStatement) -> str:
    text = " ".join(asm.text.replace(OPAQUE, "...").split())
    return text if len(text) <= 80 else text[:77] + "..."


def _stub(file: TokenFile, asm: AsmStatement, rule: str, construct: str, reason: str) -> Finding:
    """The statement becomes a call that cannot be compiled, with the text and the reason in it."""
    closing = file.tokens[asm.last - (2 if asm.ended else 1)].end
    shown = _literal(" ".join(asm.text.replace(OPAQUE, " ... ").split()))
    edit = Edit(asm.start, closing, f'porter::unsupported_ptx("{shown}", "{_literal(reason)}")')
    message = f"{construct}: {reason}"
    return Finding(rule, asm.start, asm.end, Safety.LEFT, message, (edit,), (HEADER,))


def _literal(text: str) -> str:
    text = text if len(text) <= 200 else text[:197] + "..."
    return "".join(c if " " <= c <= "~" and c not in '"\\' else "?" if c not in '"\\' else "\\" + c for c in text)
