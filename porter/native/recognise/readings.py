"""A kernel that is taken for a product: what its numbers are, and what its blocks do if they are that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from porter.native.machine.machine import Undecided
from porter.native.machine.values import Refused, Term
from porter.native.recognise.epilogue import common, condition
from porter.native.recognise.results import Place, View, stored_places
from porter.native.recognise.size_guesses import amounts
from porter.native.recognise.traces import GRID, Elsewhere, Runs, Trace

__all__ = ["Index", "Problem", "Reading", "checked", "made"]

_MOST_DECISIONS = 3

Index = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Problem:
    dimensions: Mapping[str, int]
    blocks: tuple[Index, ...]  # that are executed


@dataclass(frozen=True, slots=True)
class Reading:
    """A kernel that is taken for a product: what its numbers are, and how C lies."""

    runs: Runs
    letters: tuple[str, ...]  # of each thing that the kernel is given, as size_guesses says
    row_major: bool
    axis: int  # of blockIdx, by which there may be several products
    depth: int  # K, if that is a constant of the kernel; else 0
    problems: Sequence[Problem]

    @property
    def first(self) -> Mapping[str, int]:
        return self.problems[0].dimensions

    def given(self, dimensions: Mapping[str, int]) -> list[int | None]:
        return amounts(self.letters, dimensions)

    def check(self, dimensions: Mapping[str, int], index: Index, grid: Index = GRID) -> set[Place]:
        return checked(self.runs, self.given(dimensions), dimensions, index, self.row_major, grid=grid)


def checked(
    runs: Runs, arguments: Sequence[int | None], dimensions: Mapping[str, int], index: Index,
    row_major: bool, decisions: Mapping[Term, bool] | None = None, grid: Index = GRID,
) -> set[Place]:  # fmt: skip
    """Where elements go and what they are, if the block makes its part of a product."""
    decided = decisions or {}
    open_condition = next((c for c in runs.conditions if c not in decided), None)
    if open_condition is None:
        try:
            trace = runs.trace(arguments, index, decided, grid)
            return stored_places(View(trace, dimensions, runs.names, row_major, {}))
        except Undecided as one:
            if len(runs.conditions) == _MOST_DECISIONS:
                raise Refused("too many conditions on parameters") from None
            runs.conditions.append(one.condition)
            open_condition = one.condition
    # What it computes either way is a part of f.
    yes, no = (
        checked(runs, arguments, dimensions, index, row_major, {**decided, open_condition: way}, grid)
        for way in (True, False)
    )
    if yes == no:
        return yes
    text = condition(open_condition, runs.names)
    value = f"({text} ? {common({p.value for p in yes})} : {common({p.value for p in no})})"
    return {replace(p, value=value) for p in yes | no}


def made(
    runs: Runs, way: bool, arguments: Sequence[int | None], dimensions: Mapping[str, int], index: Index,
    grid: Index,
) -> Trace | None:  # fmt: skip
    """What a block does if conditions on parameters turn out this way; None where it multiplies nothing."""
    decided = dict.fromkeys(runs.conditions, way)
    while True:
        try:
            return runs.trace(arguments, index, decided, grid)
        except Undecided as one:
            decided[one.condition] = way
        except Elsewhere:
            return None
