"""What a kernel's whole numbers are for, found by changing one at a time: sizes, the result's pitch, or something else.

While a kernel is recognised each whole number is taken for M, N or K. A number that chooses what is computed, or a pitch
beside a size, would pass for one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations

from porter.native.machine.values import Refused
from porter.native.recognise.size_guesses import amounts, size_of

__all__ = ["Check", "Numbers", "Reach", "numbers"]

# Values of the elements that a block stores, for these arguments, if C has these dimensions. None: it is no such product;
# other things than that are refused.
Check = Callable[[Sequence[int | None], Mapping[str, int]], frozenset[str] | None]
# How many rows and columns of C the block's stores reach, by "M" and "N"; None where it is no such product.
Reach = Callable[[Sequence[int | None], Mapping[str, int]], Mapping[str, int] | None]

_CHOICES = (0, 1, 2)  # what flags and modes are
_SMALL = (3, 5, 11)  # what no flag is, and sizes are that leave parts of warps
_EDGES = (40, 56, 120, 184, 248)  # within the first tile, but not within the first rows of one of its warps
_OF_C = "MN"
_TILES = (16, 32, 48, 64, 96, 128)  # where kernels end that store whole tiles of warps alone


@dataclass(frozen=True, slots=True)
class Numbers:
    sizes: dict[str, str]  # by M, N and K: the parameter
    pitches: dict[str, str]  # by name of the pitch
    limits: dict[str, str]  # of K: C++ of as many as a number of tiles has
    gates: frozenset[str]  # numbers that matter only by being 0, which gives no product
    bounds: tuple[str, str]  # the parameters that keep stores within M rows and N columns, or ""


@dataclass(frozen=True, slots=True)
class _Problem:
    """A product that the kernel is, and how it is asked what it does with another number."""

    check: Check
    reach: Reach
    letters: Sequence[str]
    names: Sequence[str]
    arguments: Sequence[int | None]
    dimensions: Mapping[str, int]  # pitches as well
    pitches: Mapping[str, str]
    usual: frozenset[str] | None

    def changed(self, number: int, value: int) -> list[int | None]:
        return [value if n == number else a for n, a in enumerate(self.arguments)]

    def outcome(self, number: int, value: int, roles: Sequence[str]) -> frozenset[str] | None:
        """What is stored if the number has this value, and C these roles of so much."""
        unit = size_of(self.letters[number])[1]
        return self.check(self.changed(number, value), {**self.dimensions, **dict.fromkeys(roles, value * unit)})

    def ends_tiles(self, number: int, letter: str, roles: Sequence[str]) -> bool:
        """Do the stores of whole tiles end where the number says?"""
        most = (self.reach(self.arguments, self.dimensions) or {}).get(letter, 0)
        for value in (tile for tile in _TILES if tile < most):
            reached = self.reach(self.changed(number, value), {**self.dimensions, **dict.fromkeys(roles, value)})
            if reached is not None and reached.get(letter) == value:
                return True
        return False

    def ends_stores(self, number: int, letter: str, pitches: Sequence[str]) -> bool:
        """Are stores behind the number left out, but for whole tiles?"""
        for edge in _EDGES:
            try:
                if (
                    self.outcome(number, edge, pitches) is None
                    and self.outcome(number, edge, [*pitches, letter]) == self.usual
                ):
                    return True
            except Refused:  # parts of warps that end leave others without them
                continue
        return False


@dataclass(slots=True)
class _Roles:
    """As Numbers, while they are looked for."""

    sizes: dict[str, str] = field(default_factory=dict)
    pitches: dict[str, str] = field(default_factory=dict)
    limits: dict[str, str] = field(default_factory=dict)
    gates: set[str] = field(default_factory=set)
    bounds: dict[str, str] = field(default_factory=dict)  # by "M" and "N"
    open_at_one: set[str] = field(default_factory=set)  # numbers that change something only as 0

    def add_pitch(self, pitch: str, name: str, text: str) -> None:
        if pitch in self.pitches:
            raise Refused(f"{self.pitches[pitch]} and {name} are not told apart")
        self.pitches[pitch] = text

    def add_limit(self, letter: str, name: str, text: str) -> None:
        if letter != "K" or letter in self.limits:
            raise Refused(f"what {name} is the number of was not found")
        self.limits[letter] = text

    def add_size(self, letter: str, name: str) -> None:
        known = self.sizes.get(letter)
        if known is None:
            self.sizes[letter] = name
        elif name in self.open_at_one:
            self.gates.add(name)
        elif known in self.open_at_one:
            self.gates.add(known)
            self.sizes[letter] = name
        else:
            raise Refused(f"{known} and {name} are not told apart")


def numbers(
    check: Check,
    reach: Reach,
    letters: Sequence[str],
    names: Sequence[str],
    dimensions: Mapping[str, int],
    pitches: Mapping[str, str],
) -> Numbers:
    """letters: what each parameter was taken for, "M" or "M/128". pitches: which size each pitch is where nothing else is said."""
    arguments = amounts(letters, dimensions)
    wide = {**dimensions, **{name: dimensions[letter] for name, letter in pitches.items()}}
    problem = _Problem(check, reach, letters, names, arguments, wide, pitches, check(arguments, wide))
    roles = _Roles()
    for number, value in enumerate(arguments):
        if value is not None:
            _look_at(problem, number, value, roles)
    bounds = roles.bounds.get("M", ""), roles.bounds.get("N", "")
    return Numbers(roles.sizes, roles.pitches, roles.limits, frozenset(roles.gates), bounds)


def _look_at(problem: _Problem, number: int, value: int, so_far: _Roles) -> None:
    """Adds what a number is for to what was found."""
    name, (letter, unit) = problem.names[number], size_of(problem.letters[number])
    moved = _matters(partial(problem.outcome, number), letter, name, problem.usual)
    if not moved:
        return
    if moved == {0}:
        so_far.open_at_one.add(name)
    roles = _roles(problem, number, value)
    text = f"{name} * {unit}" if unit > 1 else name
    pitches = [role for role in roles if role != letter]
    for pitch in pitches:
        so_far.add_pitch(pitch, name, text)
    if unit > 1:
        if letter in roles:
            so_far.add_limit(letter, name, text)
        return
    if letter in _OF_C and problem.ends_stores(number, letter, pitches):
        so_far.bounds[letter] = name
    elif pitches and letter not in roles and not (letter in _OF_C and problem.ends_tiles(number, letter, roles)):
        return  # it is a pitch alone
    so_far.add_size(letter, name)


def _roles(problem: _Problem, number: int, value: int) -> tuple[str, ...]:
    """What is twice as large where a number is: a size, pitches, or both."""
    letter, unit = size_of(problem.letters[number])
    likely = [letter, *(pitch for pitch, of in problem.pitches.items() if of == letter)]
    for count in range(len(likely) + 1):
        for roles in combinations(likely, count):
            if problem.outcome(number, 2 * value, roles) == problem.usual:
                counts = unit > 1 and letter in roles
                if counts and problem.outcome(number, value + 1, roles) != problem.usual:
                    raise Refused(f"what {problem.names[number]} is the number of was not found")
                return roles
    if unit > 1:
        raise Refused(f"what {problem.names[number]} is the number of was not found")
    return (letter,)


def _matters(
    outcome: Callable[[int, Sequence[str]], frozenset[str] | None], letter: str, name: str, usual: frozenset[str] | None
) -> set[int]:
    """Which of some small numbers change anything? Refused where it changes what is computed."""
    moved = set()
    for choice in _CHOICES:
        try:
            result = outcome(choice, ())
        except Refused as why:
            # No sum at all is no sum for a size of 0.
            if letter != "K" and not all(_refuses(outcome, value, why) for value in _SMALL):
                raise Refused(f"what it computes depends on {name}") from None
            result = None
        if result is not None and result != usual:
            raise Refused(f"what it computes depends on {name}")
        if result is None:
            moved.add(choice)
    return moved


def _refuses(outcome: Callable[[int, Sequence[str]], frozenset[str] | None], value: int, why: Refused) -> bool:
    """For the same reason?"""
    try:
        outcome(value, ())
    except Refused as other:
        return str(other) == str(why)
    return False
