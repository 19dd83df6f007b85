"""Arrays of a length that the program works out, with an empty initialiser: g++ under nvcc takes it, clang does not."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.cpp.empty_initializers import empty_initializers
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_RULE = "variable-array"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    return [_finding(unit, unit.file.token_at(offset)) for offset in unit.ast.initialized_variable_arrays()]


def _finding(unit: Unit, length: int) -> Finding:
    """`Type name[length] = {};`"""
    name = next((k for k in range(length, 0, -1) if unit.text(k) == "["), 1) - 1
    token = unit.tokens[name]
    initializer = next((one for one in empty_initializers(unit.file) if one.name == name), None)
    if initializer is None or unit.ast is None or not unit.ast.is_plain_data(token.start):
        message = "clang does not initialise an array whose length is no constant: assign to its elements"
        return Finding(_RULE, token.start, token.end, Safety.LEFT, message)
    start, stop = unit.tokens[initializer.first - 1].end, unit.tokens[initializer.last].end
    message = "clang does not initialise an array whose length is no constant: its bytes are cleared"
    edit = Edit(start, stop, f"; __builtin_memset({token.text}, 0, sizeof({token.text}))")
    return Finding(_RULE, token.start, stop, Safety.EXACT, message, (edit,))
