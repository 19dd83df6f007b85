"""Lambdas that name a `__shared__` array: a reference in its place has to be captured, and not by copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porter.findings import Edit
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit

__all__ = ["captures", "lambdas_around"]

_BEFORE_BODY = frozenset({"mutable", "constexpr", "noexcept", "->", "__device__", "__host__"})


def captures(unit: Unit, body: tuple[int, int], name: str, uses: Sequence[int] | None = None) -> Iterator[Edit]:
    """`[=]` as `[=, &name]` and `[]` as `[&name]` where a lambda in this range names the array. `uses`: where the port does."""
    if uses is None:
        uses = [k for k in unit.file.places(name) if body[0] < k < body[1] and not unit.is_member(k)]
    for opening, closing in lambdas_around(unit, body, uses):
        named = [unit.text(k) for k in range(opening + 1, closing)]
        by_reference = named[:1] == ["&"] and named[1:2] in ([], [","])
        if not by_reference and name not in named:
            place = unit.tokens[closing].start
            yield Edit(place, place, f", &{name}" if named else f"&{name}")


def lambdas_around(unit: Unit, body: tuple[int, int], places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The brackets of captures of lambdas in this range that have one of these tokens in their bodies."""
    for opening in unit.file.places("["):
        closing = unit.file.partner(opening)
        if not body[0] < opening < body[1] or not _begins_lambda(unit, opening, closing):
            continue
        first = _body(unit, closing)
        last = unit.file.partner(first) if first > 0 else -1
        if any(first < place < last for place in places):
            yield opening, closing


def _begins_lambda(unit: Unit, opening: int, closing: int) -> bool:
    before, after = unit.tokens[opening - 1], unit.text(closing + 1)
    value = before.kind in (Kind.IDENT, Kind.NUMBER, Kind.STRING) and before.text not in ("return", "co_return")
    attribute = "[" in (before.text, unit.text(opening + 1))
    subscript = value or before.text in (")", "]")
    return closing > opening and not attribute and not subscript and after in ("(", "{", "<", *_BEFORE_BODY)


def _body(unit: Unit, closing: int) -> int:
    """The brace that opens it; -1 where none is found."""
    index = closing + 1
    while index < len(unit.tokens) and unit.text(index) not in ("{", ";", ")"):
        index = max(unit.file.partner(index), index) + 1
    return index if unit.text(index) == "{" else -1
