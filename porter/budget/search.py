"""The nearest configuration of a source's constants with which its blocks fit.

Nearest is: the largest tile, with two stages or more; of those the most waves to a compute unit; of those the fewest
constants changed; of those the most stages.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.budget.constants import Constant, Constants
from porter.budget.problem import Problem

__all__ = ["HALVINGS", "MOST_TILES", "Configuration", "grown_of", "halvings", "solve", "stays"]

HALVINGS = 4  # of a tile's volume, at most
_WITH_GROUPS = 6  # and of the groups that share it
MOST_TILES = 6


@dataclass(frozen=True, slots=True)
class Configuration:
    values: Mapping[Constant, int]  # the changed constants
    size: int  # of the largest block
    certain: bool = True
    grown: float = 1  # how many times as many rows there are to a tile of keys, where some are masked


def solve(problem: Problem, known: Constants, number: int) -> Configuration | None:
    """For one request. Tiles that leave fewer groups of warps to pass turns are tried late: a single group has no other
    to pass its turn to. Then fewer groups are; and last, more rows to a tile of keys
    that is masked: a mask may be of the last two such tiles alone."""
    moving = [c for c in known.constants if c.free and problem.matters(c, number)]
    moving = [c for c in moving if not stays(problem, known, c)]
    stages = [c for c in moving if c.stages]
    tiles = [c for c in moving if not (c.stages or c.groups)][:MOST_TILES]
    settled = [c for c in tiles if not c.turns]
    groups = [c for c in moving if c.groups]
    masked = any(c.keys for c in tiles)
    alone = [c for c in tiles if problem.holds({c: c.half})] if masked or groups else []  # the rest needs others
    plain = [settled, tiles] if len(settled) < len(tiles) else [tiles]
    attempts = [(halvings(some, HALVINGS), not masked) for some in plain]
    attempts += [(halvings([*alone, *groups], _WITH_GROUPS), not masked)] if groups else []
    if masked:
        attempts += [(halvings(alone, HALVINGS), True)]
        attempts += [(halvings([*alone, *groups], _WITH_GROUPS), True)] if groups else []
    solutions = (_solve(problem, stages, ways, number, growing) for ways, growing in attempts)
    return next((one for one in solutions if one is not None), None)


def grown_of(values: Mapping[Constant, int]) -> float:
    """How many times as many rows of a block there are to a tile of keys, where some are masked."""
    rows, keys = 1.0, 1.0
    for constant, value in values.items():
        rows *= value / constant.value if constant.rows else 1
        keys = min(keys, value / constant.value) if constant.keys else keys
    return rows / keys


def stays(problem: Problem, known: Constants, constant: Constant) -> str:
    """Why a constant may not change; empty if it may, as far as can be seen of it alone."""
    if constant.forbidden:
        return f"{constant.forbidden}{problem.uses(constant)}"
    if constant.sized and not problem.follows(constant, known.sizes):
        return f"no size in device code changes with it{problem.uses(constant)}"
    return "" if constant.stages else problem.uncut(constant, known.in_device)


def _solve(
    problem: Problem, stages: Sequence[Constant], ways: Iterable[dict[Constant, int]], number: int, growing: bool
) -> Configuration | None:
    """A single stage is tried last: whether a source works with one is no matter of sizes."""
    refused: list[
        dict[Constant, int]
    ] = []  # tiles with which constants no longer meet: nor will they with smaller ones
    ways = list(ways)
    for floor in (2, 1) if stages else (2,):
        fewest = {c: max(floor, c.fewest) for c in stages if max(floor, c.fewest) < c.value}
        for halved in _by_waves(problem, fewest, ways, number, growing):
            values = {**fewest, **halved}
            if any(all(halved.get(c, c.value) <= v for c, v in r.items()) for r in refused):
                continue
            solution = (
                _most_stages(problem, values, number) if problem.holds(values) else _alike(problem, values, number)
            )
            if solution is None:
                refused += [halved] if halved else []
                continue
            values = solution
            single = any(c.stages and v == 1 and not (c.lower_bound or c.single) for c, v in values.items())
            others = any(c.turns or c.groups or c.typed for c in values)
            size = problem.sizes(problem.probed(values))[number]
            grown = grown_of(values)
            return Configuration(values, size, not (single or others or grown > 1), grown)
    return None


def _by_waves(
    problem: Problem, fewest: Mapping[Constant, int], ways: Iterable[dict[Constant, int]], number: int, growing: bool
) -> Iterator[dict[Constant, int]]:
    """The ways that fit. Of tiles of one size those come first that leave the most waves to a compute unit."""
    for _, alike in itertools.groupby(ways, key=_volume):
        fitting = []
        for halved in alike:
            values = {**fewest, **halved}
            if values and (growing or grown_of(values) <= 1) and problem.fits(values, number):
                fitting.append((_waves(problem, values, number), halved))
        yield from (halved for _, halved in sorted(fitting, key=lambda one: -one[0]))


def _volume(halved: Mapping[Constant, int]) -> float:
    return math.prod(value / constant.value for constant, value in halved.items())


def _waves(problem: Problem, values: Mapping[Constant, int], number: int) -> float:
    """How many waves a compute unit has, in blocks as the source has them."""
    blocks = problem.lds // problem.sizes(problem.probed(values))[number]
    return blocks * math.prod(value / constant.value for constant, value in values.items() if constant.threads)


def _most_stages(problem: Problem, values: Mapping[Constant, int], number: int) -> dict[Constant, int]:
    most = dict(values)
    for stage in [c for c in values if c.stages]:
        for more in range(stage.value, values[stage], -1):
            tried = {c: v for c, v in {**most, stage: more}.items() if v != c.value}
            if problem.fits(tried, number) and problem.holds(tried):
                most = tried
                break
    return most


def _alike(problem: Problem, fewest: Mapping[Constant, int], number: int) -> dict[Constant, int] | None:
    """The largest number of stages that fits, the same for all rings. It serves where the fewest stages fail: a ring
    that several warps share may need a multiple of their number."""
    largest = None
    stages = [c for c in fewest if c.stages]
    for most in range(min((fewest[c] for c in stages), default=0) + 1, max((c.value for c in stages), default=0)):
        tried = {c: min(most, c.value) if c.stages else v for c, v in fewest.items()}
        tried = {c: v for c, v in tried.items() if v != c.value}
        if not problem.fits(tried, number):
            break
        if problem.holds(tried):
            largest = tried
    return largest


def halvings(tiles: Sequence[Constant], most: int) -> Iterator[dict[Constant, int]]:
    for total in range(most + 1):
        ways = [w for w in itertools.product(range(total + 1), repeat=len(tiles)) if sum(w) == total]
        for way in sorted(ways, key=lambda w: sum(n > 0 for n in w)):
            if all(n <= len(c.smaller) for c, n in zip(tiles, way)):
                yield {c: c.smaller[n - 1] for c, n in zip(tiles, way) if n}
