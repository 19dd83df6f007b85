"""Conversions between half and bf16, which CUDA has constructors for and HIP has none: by way of float, which is exact.

The parser's stub headers mark the constructors, so that it names the places, in instances of templates too.
"""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.asm.macros import definitions
from porter.frontend.lexer import Kind, template_end
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "half-from-bf16"
HEADER = "porter/half_from_bf16.h"
_TO_FLOAT = {  # by the type that is made
    "half": "__bfloat162float",
    "__half": "__bfloat162float",
    "nv_bfloat16": "__half2float",
    "__nv_bfloat16": "__half2float",
}


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    return [_finding(unit, offset) for offset in unit.ast.marked(RULE)]


def _finding(unit: Unit, offset: int) -> Finding:
    index = unit.file.token_at(offset)
    opening = _opening(unit, offset, index)
    operand = _operand(unit, offset, opening) if opening > 0 else None
    if operand is None:
        message = "HIP has no conversion between half and bf16: convert to float first"
        return Finding(RULE, offset, unit.tokens[index].end, Safety.LEFT, message)
    function = _TO_FLOAT.get(_made(unit, index))
    message = "HIP has no conversion between half and bf16: by way of float, which is exact"
    edits = (
        Edit(operand[0], operand[0], f"{function or 'porter::widened'}("),
        Edit(operand[1], operand[1], ")"),
    )
    place = unit.tokens[opening]  # the type's name before it is a site of its own
    return Finding(RULE, place.start, place.end, Safety.EXACT, message, edits, () if function else (HEADER,))


def _opening(unit: Unit, offset: int, index: int) -> int:
    """The bracket of the constructor's arguments, or of the cast; 0 where a macro hides it."""
    token = unit.tokens[index]
    named = {name for file in (unit.file, *unit.beside) for name, _ in definitions(file)}
    if token.start != offset or token.directive >= 0 or token.text in named:
        return 0
    at = index if token.text == "(" else index + 1
    if unit.text(at) == "<":
        at = template_end(unit.file, at, len(unit.tokens))
    return at if unit.text(at) in ("(", "{") else 0


def _operand(unit: Unit, offset: int, opening: int) -> tuple[int, int] | None:
    """What is converted: the argument of a constructor or a cast, or what stands behind a C cast."""
    if unit.ast is not None and unit.tokens[opening].start == offset:
        return unit.ast.cast_operand(offset)
    closing = unit.file.partner(opening)
    return (unit.tokens[opening + 1].start, unit.tokens[closing - 1].end) if closing > opening + 1 else None


def _made(unit: Unit, index: int) -> str:
    """The last word of the type that the expression or declaration at tokens[index] makes."""
    if unit.text(index) == "(":
        return unit.text(unit.file.partner(index) - 1)
    if unit.text(index + 1) == "<":
        return unit.text(template_end(unit.file, index + 1, len(unit.tokens)) - 2)
    declared = unit.tokens[index - 1].kind == Kind.IDENT and unit.text(index - 1) not in ("return", "else", "do")
    return unit.text(index - 1 if declared else index)
