"""`dim3` and `uint3`, which convert into each other in CUDA alone, and `threadIdx` as a value: HIP's is a class of its own."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_RULE, _HEADER = "grid-vector", "porter/grid_vector.h"
_TYPES = {"threadIdx": "make_uint3", "blockIdx": "make_uint3", "blockDim": "dim3", "gridDim": "dim3"}
_FROM = {"dim3": "uint3", "operator uint3": "dim3"}
_TO = {"dim3": ("dim3", "porter::dimensions"), "operator uint3": ("make_uint3", "porter::indices")}


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    whole = [index for index in unit.file.places(*_TYPES.keys() & unit.file.texts()) if _is_value(unit, index)]
    texts = (unit.file.texts(), *(source.tokens.texts() for source in unit.included))
    if not whole and not any("uint3" in names or "make_uint3" in names for names in texts):
        return []
    converted = {(start, end): how for start, end, how in unit.ast.conversions(_FROM)} if unit.ast is not None else {}
    findings = [_value(unit, index, converted.pop(_span(unit, index), "")) for index in whole]
    for (start, end), how in converted.items():
        if start >= 0:
            findings.append(_converted(unit, start, end, how))
    return [finding for finding in findings if finding is not None]


def _span(unit: Unit, index: int) -> tuple[int, int]:
    return unit.tokens[index].start, unit.tokens[index].end


def _is_value(unit: Unit, index: int) -> bool:
    """Not one of its numbers, `threadIdx.x`."""
    token = unit.tokens[index]
    if token.kind != Kind.IDENT or unit.is_member(index) or unit.text(index + 1) in (".", "##"):
        return False
    if unit.text(index - 1) in ("##", "#", "::", "extern", "dim3", "uint3") or unit.is_user_symbol(index):
        return False
    bracketed = unit.text(index - 1) == "(" and unit.text(index + 1) == ")"
    if bracketed and (unit.text(index + 2) == "." or unit.text(index - 2) in ("decltype", "sizeof")):
        return False
    return token.directive < 0 or unit.file.directives[token.directive].name == "define"


def _value(unit: Unit, index: int, how: str) -> Finding | None:
    name, (start, end) = unit.text(index), _span(unit, index)
    made = _TO[how][0] if how else _TYPES[name]
    if made == "dim3" and not unit.facts.mirrored and (how or _begins_dim3(unit, index)):
        return None  # HIP's class converts by itself
    text = f"{made}({name}.x, {name}.y, {name}.z)"
    message = f"{name} as a value is {made.removeprefix('make_')} in CUDA, and a class of its own in HIP"
    return Finding(_RULE, start, end, Safety.EXACT, message, (Edit(start, end, text),))


def _begins_dim3(unit: Unit, index: int) -> bool:
    """`dim3 size = blockDim`"""
    return unit.text(index - 1) == "=" and unit.text(index - 3) == "dim3" and unit.text(index + 1) in (";", ",")


def _converted(unit: Unit, start: int, end: int, how: str) -> Finding | None:
    first, last = unit.file.token_at(start), unit.file.token_at(end - 1)
    if last >= len(unit.tokens) or unit.tokens[first].start != start or unit.tokens[last].end != end:
        return None
    call = _TO[how][1]
    edits = (Edit(start, start, f"{call}("), Edit(end, end, ")"))
    message = f"{_FROM[how]} does not become {'dim3' if how == 'dim3' else 'uint3'} by itself in HIP"
    return Finding(_RULE, start, start, Safety.EXACT, message, edits, (_HEADER,))
