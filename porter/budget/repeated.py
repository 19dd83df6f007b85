"""Lengths that shared arrays have as plain numbers, in several places: what would fit with a smaller number in all of
them. It is for a person: such numbers need not be one length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porter.budget.constants import Constant
from porter.budget.literals import is_integer
from porter.budget.problem import Problem
from porter.budget.refusals import Row, refused, table
from porter.frontend.lexer import launch_arguments
from porter.frontend.unit import Unit

__all__ = ["proposals"]

_SHORTEST, _MOST = 32, 3  # of a length; lengths, each of which costs parses


def proposals(problem: Problem, unit: Unit, number: int) -> tuple[list[Row], list[str]]:
    """For a request: what would fit, and why it is not applied."""
    lengths = _lengths(unit)
    rows = table(problem, lengths, number) or refused(problem, lengths, number)
    tried = dict.fromkeys(problem.forbidding(row.values) for row in rows)
    unproven = "these numbers need not be one length, and others may follow from it"
    return rows, [why or unproven for why in tried]


def _lengths(unit: Unit) -> list[Constant]:
    """The largest first."""
    places: dict[int, list[int]] = {}
    for index in _numbers(unit):
        places.setdefault(int(unit.text(index).rstrip("uUlL")), []).append(index)
    extents = {value for value, uses in places.items() if any(_is_extent(unit, index) for index in uses)}
    values = sorted((v for v in extents if v >= _SHORTEST and v % 2 == 0 and len(places[v]) > 1), reverse=True)
    return [_constant(unit, value, places[value]) for value in values[:_MOST]]


def _numbers(unit: Unit) -> Iterator[int]:
    """Tokens that may be the length of a tile: not of a launch's or a kernel's threads, nor the value of a name."""
    launches = [(at, parts[-1][1]) for at in unit.file.places("<<<") if (parts := launch_arguments(unit.file, at))]
    bounds = [(at, unit.file.partner(at + 1)) for at in unit.file.places("__launch_bounds__")]
    apart = [*launches, *bounds]
    for index, token in enumerate(unit.tokens):
        named = unit.text(index - 1) == "=" or token.directive >= 0
        if is_integer(unit, index) and not named and not any(first < index < last for first, last in apart):
            yield index


def _is_extent(unit: Unit, index: int) -> bool:
    """Of a member's array, or of a shared one."""
    opening = next((k for k in range(index - 1, max(index - 8, 0), -1) if unit.text(k) in ("[", "]", ";", "{")), 0)
    if unit.text(opening) != "[":
        return False
    first = next((k for k in range(opening, 0, -1) if unit.text(k) in (";", "{", "}")), 0)
    words = {unit.text(k) for k in range(first, opening)}
    return unit.scope(index).function is None or "__shared__" in words


def _constant(unit: Unit, value: int, places: Sequence[int]) -> Constant:
    lines = [str(line) for line in dict.fromkeys(unit.file.position(unit.tokens[index].start)[0] for index in places)]
    named = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(lines[:-1])} and {lines[-1]}"
    tokens = [unit.tokens[index] for index in places]
    return Constant(
        f"the {value} of {named}",
        value,
        tuple((token.start, token.start + len(str(value))) for token in tokens),
        stages=False,
        of_k=False,
        forbidden="",
        sized=False,
        lower_bound=False,
    )
