"""The C++ operands of one asm statement, and the order in which they are read and written."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace

from porter.findings import hole
from porter.frontend.asm.statements import AsmOperand, AsmStatement
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.ptx import (
    Instruction,
    Pair,
    Placeholder,
    Ptx,
    Vector,
    instructions,
    leaves,
)
from porter.ptx.cpp import Block, translate
from porter.ptx.match import Refusal
from porter.ptx.table import PtxTable
from porter.ptx.types import NUMBER, Mismatch, Value

__all__ = ["translate_asm"]


def translate_asm(file: TokenFile, asm: AsmStatement, ptx: Ptx, table: PtxTable) -> Block | Refusal:
    if ptx.problems:
        return Refusal(" ".join(asm.text.split()), ptx.problems[0].message, known=True)
    try:
        return _Statement(file, asm, ptx, table).translate()
    except Mismatch as mismatch:
        return Refusal(" ".join(asm.text.split()), str(mismatch), known=True)


class _Statement:
    """Gives the operands of one asm statement their C++ and keeps asm's order of reads and writes.

    An asm statement reads all its inputs before it writes any output. Where the C++ would write an
    output first, the inputs that are read later are copied into locals at the top.
    """

    def __init__(self, file: TokenFile, asm: AsmStatement, ptx: Ptx, table: PtxTable) -> None:
        self.file, self.asm, self.ptx, self.table = file, asm, ptx, table
        self.order = list(instructions(ptx.statements))
        self.in_macro = asm.directive >= 0
        self.values: dict[int, Value] = {}
        self.operands = asm.operands
        self.names = {o.name: i for i, o in enumerate(self.operands) if o.name}
        self.suffix = "_ptx" if self.in_macro else ""
        self.has_locals = False
        self.reserved = {word for o in self.operands for word in o.words if word.isidentifier()}

    def translate(self) -> Block | Refusal:
        before = self.bind()
        result = translate(self.ptx.statements, self.table, self.resolve, self.reserved, self.suffix)
        if isinstance(result, Refusal) or not before:
            return result
        return replace(result, lines=(*before, *result.lines), locals=result.locals or self.has_locals)

    def index(self, placeholder: Placeholder) -> int:
        if placeholder.name:
            if placeholder.name not in self.names:
                raise Mismatch(f"there is no operand %[{placeholder.name}]")
            return self.names[placeholder.name]
        if placeholder.index >= len(self.operands):
            raise Mismatch(f"there is no operand %{placeholder.index}")
        return placeholder.index

    def resolve(self, placeholder: Placeholder) -> Value:
        return self.value(self.index(placeholder))

    def value(self, index: int) -> Value:
        if index not in self.values:
            self.values[index] = self.plain(index)
        return self.values[index]

    def plain(self, index: int) -> Value:
        operand = self.operands[index]
        kind = operand.kind
        if kind.isdigit():
            if int(kind) >= len(self.asm.outputs):
                raise Mismatch(f"there is no output operand %{kind}")
            return self.plain(int(kind))
        register = {"h": "16", "r": "32", "l": "64", "q": "128", "f": "f32", "d": "f64", "n": "const",
                    "i": "const"}.get(kind)  # fmt: skip
        if register is None:
            raise Mismatch(f"an operand with the constraint '{operand.constraint}' is not read")
        source = operand.expression
        cast = _declared_cast(self.file, operand, register) if index < len(self.asm.outputs) else ""
        if _has_top_comma(operand):
            source = f"({source})"
            return Value(f"({self.hole(operand)})", register, cast=cast, source=source)
        if _is_variable(source) and not self.in_macro:  # may be repeated; nobody else rewrites it
            return Value(source, register, cast=cast)
        known = "" if self.in_macro else _known_type(source)
        return Value(self.hole(operand), register, known, cast=cast, source=source, macro=self.in_macro)

    def hole(self, operand: AsmOperand) -> str:
        """The operand's place in the source, so that other passes still reach into it."""
        if operand.expanded:
            cuda = next((w for w in operand.words if _BUILTIN.fullmatch(w) and w not in _IN_MACROS), "")
            if cuda:
                raise Mismatch(f"a macro has an operand with {cuda} in it")
            return re.sub(r"\w+", lambda word: _IN_MACROS.get(word[0], word[0]), operand.expression)
        tokens = self.file.tokens
        return hole(tokens[operand.first].start, tokens[operand.last - 1].end)

    def bind(self) -> list[str]:
        """Lines before the block: inputs that must be copied, and outputs that are named more than once."""
        outputs = self.asm.outputs
        tied = [(o, int(o.kind)) for o in self.asm.inputs if o.kind.isdigit() and int(o.kind) < len(outputs)]
        uses = self.uses()
        first_write = -1 if tied else self.first_write()
        lines: list[str] = []
        for index, operand in enumerate(self.operands):
            if index not in uses or operand.kind in ("n", "i"):
                continue
            several = len(uses[index]) > 1
            if index < len(outputs):
                lines += self.bind_output(index, several)
            elif not operand.kind.isdigit():
                lines += self.bind_input(index, several, late=uses[index][-1] >= first_write)
        for operand, output in tied:
            self.values[self.operands.index(operand)] = self.resolve(Placeholder(output))
            if operand.expression != outputs[output].expression:
                lines.append(f"{self.resolve(Placeholder(output)).text} = {self.hole(operand)};")
        return lines

    def uses(self) -> dict[int, list[int]]:
        """By the operand's number, which instructions name it."""
        by_number: dict[int, list[int]] = {}
        for at, instruction in enumerate(self.order):
            for index in map(self.index, _placeholders(instruction)):
                by_number.setdefault(index, []).append(at)
        return by_number

    def first_write(self) -> int:
        """From which instruction on inputs may be read that an output has overwritten."""
        if self.asm.outputs and any(i.opcode == "bra" for i in self.order):
            return -1
        for at, instruction in enumerate(self.order):
            if any(self.index(p) < len(self.asm.outputs) for p in _placeholders(instruction)):
                # Two destinations are written one after the other; a load has read all by then.
                target = instruction.operands[0] if instruction.operands else None
                return at if isinstance(target, (Vector, Pair)) and instruction.opcode != "ld" else at + 1
        return len(self.order)

    def bind_output(self, index: int, several: bool) -> Iterator[str]:
        value = self.value(index)
        if several and value.source:
            name = self.local(f"out{index}")
            self.values[index] = Value(name, value.register, cast=value.cast)
            yield f"auto& {name} = {value.text};"

    def bind_input(self, index: int, several: bool, late: bool) -> Iterator[str]:
        value = self.value(index)
        if (late or (several and value.source)) and not NUMBER.fullmatch(value.shown):
            name = self.local(f"in{index}")
            ctype = _LOCAL[value.register]
            text = f"{ctype}({value.text})" if value.register == "64" and not value.ctype else value.text
            self.values[index] = Value(name, value.register, ctype)
            yield f"const {ctype} {name} = {text};"

    def local(self, wanted: str) -> str:
        self.has_locals = True
        name = wanted + self.suffix
        while name in self.reserved:
            name += "_"
        self.reserved.add(name)
        return name


_LOCAL: Mapping[str, str] = {
    "16": "uint16_t", "32": "uint32_t", "64": "uint64_t", "128": "porter::u128", "f32": "float", "f64": "double",
}  # fmt: skip


def _placeholders(instruction: Instruction) -> list[Placeholder]:
    operands = (instruction.guard, *instruction.operands)
    return [leaf for operand in operands for leaf in leaves(operand) if isinstance(leaf, Placeholder)]


# What an operand out of a macro may name: no other pass reaches it there.
_IN_MACROS = {name: name for name in ("threadIdx", "blockIdx", "gridDim", "__float_as_uint", "__float_as_int", "__uint_as_float",
    "__int_as_float", "__half_as_ushort", "__ushort_as_half", "__half_as_short", "__double_as_longlong")}  # fmt: skip
_IN_MACROS |= {
    "__cvta_generic_to_shared": "porter::cvta_generic_to_shared",
    "__cvta_generic_to_global": "porter::address",
    "__cvta_generic_to_grid_constant": "porter::address",
}

_BUILTIN = re.compile(r"threadIdx|blockIdx|blockDim|gridDim|warpSize|cuda\w*|cu[A-Z]\w*|__\w+")


def _is_variable(expression: str) -> bool:
    """A plain variable or member of one: it reads the same each time, and holds no CUDA name."""
    match = re.fullmatch(r"[a-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[(?:[0-9]+|[a-z_]\w*)\])*", expression)
    return match is not None and not any(map(_BUILTIN.fullmatch, re.findall(r"[A-Za-z_]\w*", expression)))


def _has_top_comma(operand: AsmOperand) -> bool:
    depth = 0
    for word in operand.words:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(word, 0)
        if word == "," and depth == 0:
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
    cast = re.fullmatch(r"\(([\w ]+)\)\s*[\w.\->\[\]]+|(\w+)\([^()]*\)", text)
    if cast is not None:
        return _CASTS.get((cast[1] or cast[2]).strip(), "")
    cast = re.fullmatch(r"(?:static|reinterpret)_cast<\s*([\w ]+?)\s*>\([^()]*(?:\([^()]*\)[^()]*)*\)", text)
    return _CASTS.get(cast[1], "") if cast is not None else ""


_TYPE_WORDS = re.compile(
    r"void|char|int|unsigned|long|short|float|double|half|bool|T|\w+_t|u?(int|char|short|long|longlong)[1-4]"
    r"|(float|double|half)[1-4]|__half2?|__nv_bfloat16\w*|const|volatile|__restrict__"
)


_FARTHEST = 4000  # tokens between a declaration and its use


def _declared_cast(file: TokenFile, operand: AsmOperand, register: str) -> str:
    """Was this output declared `T* name`, or of an enumeration of the file? Then the integer result must be cast back."""
    if len(operand.words) != 1 or register not in ("16", "32", "64"):
        return ""
    tokens, places = file.tokens, file.places(operand.expression)
    last = bisect_left(places, operand.first)
    first = bisect_left(places, max(operand.first - _FARTHEST, 2))
    for index in reversed(places[first:last]):
        at = index - 1
        while at > 0 and tokens[at].text in ("const", "__restrict__", "__restrict", "volatile"):
            at -= 1
        if (
            tokens[at].text == "*"
            and at > 0
            and (_TYPE_WORDS.fullmatch(tokens[at - 1].text) or tokens[at - 1].text in ("*", ">"))
        ):
            return "reinterpret_cast" if register == "64" else ""
        if tokens[at].kind == Kind.IDENT and _TYPE_WORDS.fullmatch(tokens[at].text):
            return ""
        if tokens[at].kind == Kind.IDENT and _is_enumeration(file, tokens[at].text):
            return "static_cast"
    return ""


def _is_enumeration(file: TokenFile, name: str) -> bool:
    before = ((file.tokens[index - 2].text, file.tokens[index - 1].text) for index in file.places(name) if index > 1)
    return any(words[1] == "enum" or words in (("enum", "class"), ("enum", "struct")) for words in before)
