"""Where a source cuts something into tiles: what the host divides by, and what device code multiplies blocks with.

A tile's length that stands there as another number, or under another name, does not follow from the tile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.frontend.lexer import Kind, template_begin
from porter.frontend.unit import Unit

__all__ = ["lengths", "operand"]

_DIVIDES = re.compile(r"ceil|div|round_?up|align_?up|tiles", re.IGNORECASE)
# Of a block's number, under the names that it has in device code; not of a constant.
_BLOCK = re.compile(
    r"blockIdx\b|^(?:[mn]_?)?(?:block|tile|cta|bid)_?(?:[mnkxyz]|idx|id|rows?|cols?)?(?:_?(?:idx|id))?$|^b[xyz]$"
)

_Place = tuple[int, int]


def lengths(unit: Unit) -> Iterator[tuple[str, _Place]]:
    """Offsets of expressions: each a host's "divisor", what device code multiplies a "block" with, or a loop's "step"; or
    the bits by which it is "shifted" instead, or a "mask" of the bits below."""
    for index, token in enumerate(unit.tokens):
        scope = unit.scope(index)
        if token.directive < 0 and scope.function is not None:
            for kind, (first, last) in _device(unit, index) if scope.device else _host(unit, index):
                yield kind, (unit.tokens[first].start, unit.tokens[last - 1].end)


def _host(unit: Unit, index: int) -> Iterator[tuple[str, _Place]]:
    text = unit.text(index)
    if text in ("/", "%"):
        yield from (("divisor", place) for place in operand(unit, index + 1))
    elif text in (">>", ">>=") and template_begin(unit.file, index) == index:
        yield from (("shifted divisor", place) for place in operand(unit, index + 1))
    elif text == "&" and (unit.tokens[index - 1].kind in (Kind.NUMBER, Kind.IDENT) or unit.text(index - 1) == ")"):
        yield from (("mask", place) for place in operand(unit, index + 1 + (unit.text(index + 1) == "~")))
    elif unit.tokens[index].kind == Kind.IDENT and unit.text(index + 1) == "(" and _DIVIDES.search(text):
        parts = unit.file.arguments(index + 1)
        if len(parts) > 1:
            yield "divisor", parts[-1]


def _device(unit: Unit, index: int) -> Iterator[tuple[str, _Place]]:
    text = unit.text(index)
    if text == "+=":
        yield from (("step", place) for place in operand(unit, index + 1))
    elif text == "*" and _BLOCK.search(_before(unit, index)):
        yield from (("block", place) for place in operand(unit, index + 1))
    elif text == "<<" and _BLOCK.search(_before(unit, index)):
        yield from (("shifted block", place) for place in operand(unit, index + 1))
    elif text == "*" and _BLOCK.search(unit.text(index + 1)):
        first = unit.file.partner(index - 1) if unit.text(index - 1) == ")" else index - 1
        if first >= 0 and (unit.tokens[first].kind in (Kind.NUMBER, Kind.IDENT) or unit.text(first) == "("):
            yield "block", (first, index)


def _before(unit: Unit, index: int) -> str:
    """The name to the left: `blockIdx` of `blockIdx.x`, or what is in brackets."""
    last = index - 1
    if unit.text(last) == ")":
        return unit.file.source(max(unit.file.partner(last), 0), last)
    while unit.text(last - 1) in (".", "->", "::"):
        last -= 2
    return unit.text(last)


def operand(unit: Unit, first: int) -> Iterator[_Place]:
    """A name, a number or what is in brackets."""
    last = first
    if unit.text(first) == "(":
        last = unit.file.partner(first)
    elif first < len(unit.tokens) and unit.tokens[first].kind in (Kind.NUMBER, Kind.IDENT):
        while unit.text(last + 1) in ("::", "."):
            last += 2
        if unit.text(last + 1) in ("(", "<", "["):
            return
    else:
        return
    if last >= first:
        yield first, last + 1
