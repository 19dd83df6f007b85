"""Asm that writes an input operand: the compiler is not told, and the next statement finds what the register holds."""

from __future__ import annotations

import re

from porter.findings import Edit
from porter.frontend.asm.statements import AsmStatement
from porter.frontend.lexer import Kind, TokenFile
from porter.ptx.cpp import Block

__all__ = ["read_by_asm_alone", "without_const", "written_inputs"]


def written_inputs(asm: AsmStatement, block: Block) -> list[str]:
    """The variables among the inputs that the C++ assigns to."""
    outputs = {operand.expression for operand in asm.outputs}
    names = dict.fromkeys(operand.expression for operand in asm.inputs if operand.expression not in outputs)
    assigned = {assignment[1] for line in block.lines if (assignment := re.match(r"\s*(\w+) = ", line))}
    return [name for name in names if name in assigned]


def read_by_asm_alone(file: TokenFile, asm: AsmStatement, name: str) -> bool:
    """Whether all that names such a variable, behind its declaration, are operands of asm statements: they find what the
    register holds on NVIDIA, too."""
    declared = _declaration(file, asm, name)
    ends = (k for k in file.places("}") if k > asm.first and file.partner(k) < declared)
    end = next(ends, -1)
    return 0 < declared < end and all(_is_input(file, i) for i in file.places(name) if declared < i < end)


def _is_input(file: TokenFile, index: int) -> bool:
    """`"l"(name)`"""
    constraint = file.tokens[index - 2]
    alone = (file.word(index - 1), file.word(index + 1)) == ("(", ")")
    return alone and constraint.kind == Kind.STRING and constraint.text[1:2] not in ("=", "+")


def _declaration(file: TokenFile, asm: AsmStatement, name: str) -> int:
    """The name in its nearest declaration above with an initialiser; -1 for none."""
    above = (i for i in file.places(name) if i < asm.first and file.word(i + 1) in ("=", "{"))
    return max(above, default=-1)


def without_const(file: TokenFile, asm: AsmStatement, name: str) -> list[Edit]:
    """What takes the `const` away from the declaration of a variable with an initialiser."""
    tokens, declared = file.tokens, _declaration(file, asm, name)
    first = max(declared, 0)
    while first > 0 and tokens[first - 1].text not in (";", "{", "}", "(", ")"):
        first -= 1
    words = range(first, declared)
    return [Edit(tokens[i].start, tokens[i + 1].start, "") for i in words if tokens[i].text == "const"]
