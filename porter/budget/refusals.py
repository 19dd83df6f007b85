"""What would fit of a source's constants, and what forbids it: for a person, where porter changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.budget.constants import Constant, Constants
from porter.budget.problem import Problem
from porter.budget.search import HALVINGS, MOST_TILES, grown_of, halvings, stays

__all__ = ["Row", "reasons", "refused", "table"]

_SHORTEST = 16  # of a tile


@dataclass(frozen=True, slots=True)
class Row:
    """Values with which a request fits."""

    values: Mapping[Constant, int]
    size: int

    def __str__(self) -> str:
        named = dict.fromkeys(f"{c.name} = {v}" for c, v in self.values.items())  # an argument may be written twice
        return " and ".join(named) + f" ({self.size:,})"


def table(problem: Problem, known: Sequence[Constant], number: int) -> list[Row]:
    """What would fit and goes with what the source says of its constants, whether or not all follows from them: one
    constant lowered, alone or with the fewest stages; or, where that is not enough, the nearest of what does."""
    stages = _fewest_stages(problem, known, number)
    rows: list[Row] = []
    for more in ({}, stages) if stages else ({},):
        if more and (fitting := list(_fitting(problem, [more], number))):
            rows += fitting
            continue
        for ways in _alone(known, more):
            rows += _first(row for row in _fitting(problem, ways, number) if problem.holds(row.values))
    return rows or _first(row for row in _together(problem, known, stages, number) if problem.holds(row.values))


def refused(problem: Problem, known: Sequence[Constant], number: int) -> list[Row]:
    """The nearest of what would fit and does not go with the source: one or none."""
    stages = _fewest_stages(problem, known, number)
    alone = (row for more in ({}, stages) for ways in _alone(known, more) for row in _fitting(problem, ways, number))
    return _first(alone) or _first(_together(problem, known, stages, number))


def reasons(problem: Problem, known: Constants, rows: Sequence[Row]) -> list[str]:
    """What forbids them: the constants' own, or a place in the source."""
    reasons: dict[str, None] = {}
    for row in rows:
        own = {c.name: why for c in row.values if (why := stays(problem, known, c))}
        reasons.update((f"{name}: {why}", None) for name, why in own.items())
        if not own:
            reasons[_of_row(problem, row)] = None
    return list(reasons)


def _of_row(problem: Problem, row: Row) -> str:
    if forbidding := problem.forbidding(row.values):
        return forbidding
    if grown_of(row.values) > 1:
        return "a block would have more rows to a tile of keys, and masks of the last tiles may not cover them"
    return "another launch in this file needs other values of them"


def _fewest_stages(problem: Problem, known: Sequence[Constant], number: int) -> dict[Constant, int]:
    return {c: c.fewest for c in known if c.stages and c.fewest < c.value and problem.matters(c, number)}


def _alone(known: Sequence[Constant], more: Mapping[Constant, int]) -> Iterator[Iterable[dict[Constant, int]]]:
    """For each tile and each count of groups, its smaller values."""
    for constant in [c for c in known if not c.stages][:MOST_TILES]:
        yield [{**more, constant: v} for v in constant.smaller if constant.groups or v >= _SHORTEST]


def _together(
    problem: Problem, known: Sequence[Constant], stages: Mapping[Constant, int], number: int
) -> Iterator[Row]:
    lengths = [c for c in [c for c in known if not c.stages][:MOST_TILES] if problem.matters(c, number)]
    ways = ({**stages, **halved} for halved in halvings(lengths, HALVINGS) if len(halved) > 1)
    return _fitting(problem, ways, number)


def _fitting(problem: Problem, ways: Iterable[Mapping[Constant, int]], number: int) -> Iterator[Row]:
    for values in ways:
        if problem.surely_over(values, number):
            continue
        size = problem.sizes(problem.probed(values))[number]
        if 0 < size <= problem.lds:
            yield Row(values, size)


def _first(rows: Iterator[Row]) -> list[Row]:
    return [row for row, _ in zip(rows, range(1))]
