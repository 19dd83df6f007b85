"""Where tokens stand in the preprocessor's conditions, and what they are compared with there."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass

from porter.frontend.unit import Unit

__all__ = ["COMPARE", "Comparison", "comparison", "in_condition", "in_macro_body", "neighbour"]

COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_CONDITIONS = ("if", "elif", "ifdef", "ifndef", "elifdef", "elifndef")


def in_condition(unit: Unit, index: int) -> bool:
    """Is tokens[index] in an #if or one of its kin?"""
    directive = unit.tokens[index].directive
    return directive >= 0 and unit.file.directives[directive].name in _CONDITIONS


def in_macro_body(unit: Unit, index: int) -> bool:
    """Is tokens[index] a part of what a macro stands for?"""
    at = unit.tokens[index].directive
    directive = unit.file.directives[at] if at >= 0 else None
    return directive is not None and directive.name == "define" and index > directive.first


def neighbour(unit: Unit, index: int, distance: int) -> str:
    """The text of the token that far away, "" where that is not in the same directive."""
    at = index + distance
    same = 0 <= at < len(unit.tokens) and unit.tokens[at].directive == unit.tokens[index].directive
    return unit.text(at) if same else ""


@dataclass(frozen=True, slots=True)
class Comparison:
    start: int  # offsets of the whole of it
    end: int
    sign: str  # with the name on its left
    number: int

    def holds(self, value: int) -> bool:
        """Whether it does for that value of the name."""
        return bool(COMPARE[self.sign](value, self.number))


def comparison(unit: Unit, index: int) -> Comparison | None:
    """`X >= 700` of the X at tokens[index]; `700 <= X` is read as the same. None for a part of `Y * 10 + X >= 700`."""
    number, sign = _number(neighbour(unit, index, 2)), neighbour(unit, index, 1)
    if sign in COMPARE and number is not None and _stands_alone(unit, index, index + 2):
        return Comparison(unit.tokens[index].start, unit.tokens[index + 2].end, sign, number)
    number, sign = _number(neighbour(unit, index, -2)), neighbour(unit, index, -1)
    if sign in COMPARE and number is not None and _stands_alone(unit, index - 2, index):
        return Comparison(unit.tokens[index - 2].start, unit.tokens[index].end, _MIRRORED[sign], number)
    return None


def _stands_alone(unit: Unit, first: int, last: int) -> bool:
    return neighbour(unit, first, -1) in _BEFORE and neighbour(unit, last, 1) in _AFTER


_BEFORE = frozenset({"", "#", "if", "elif", "(", "&&", "||", "?", ":"})
_AFTER = frozenset({"", ")", "&&", "||", "?", ":"})


def _number(text: str) -> int | None:
    found = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*", text)
    return int(found[1], 0 if found[1][:2] in ("0x", "0X") else 10) if found else None
