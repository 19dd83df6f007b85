"""Asm that writes an input operand: the compiler is not told, and the next statement finds what the register holds."""

from __future__ import annotations

import re

from porter.findings import Edit
from porter.frontend.asm.statements import AsmStatement
from porter.frontend.lexer import TokenFile
from porter.ptx.cpp import Block

__all__ = ["without_const", "written_inputs"]


def written_inputs(asm: AsmStatement, block: Block) -> list[str]:
    """The variables among the inputs that the C++ assigns to."""
    outputs = {operand.expression for operand in asm.outputs}
    names = dict.fromkeys(operand.expression for operand in asm.inputs if operand.expression not in outputs)
    assigned = {assignment[1] for line in block.lines if (assignment := re.match(r"\s*(\w+) = ", line))}
    return [name for name in names if name in assigned]


def without_const(file: TokenFile, asm: AsmStatement, name: str) -> list[Edit]:
    """What takes the `const` away from the nearest declaration above of a variable with an initialiser."""
    tokens = file.tokens
    declared = [i for i in file.places(name) if i < asm.first and tokens[i + 1].text in ("=", "{")]
    first = declared[-1] if declared else 0
    while first > 0 and tokens[first - 1].text not in (";", "{", "}", "(", ")"):
        first -= 1
    words = range(first, declared[-1]) if declared else ()
    return [Edit(tokens[i].start, tokens[i + 1].start, "") for i in words if tokens[i].text == "const"]
