"""What a kernel's whole numbers are for, found by changing one at a time: sizes, the result's pitch, or something else.

While a kernel is recognised each whole number is taken for M, N or K. A number that chooses what is computed, or a pitch
beside a size, would pass for one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from porter.native.machine.values import Refused
from porter.native.recognise.size_guesses import amount, size_of

__all__ = ["Check", "Numbers", "Reach", "numbers"]

# Values of the elements that a block stores, for these arguments, if C has these dimensions. None: it is no such product;
# other things than that are refused.
Check = Callable[[Sequence[int | None], Mapping[str, int]], frozenset[str] | None]
# How many rows and columns of C the block's stores reach, by "M" and "N"; None where it is no such product.
Reach = Callable[[Sequence[int | None], Mapping[str, int]], Mapping[str, int] | None]

_CHOICES = (0, 1, 2)  # what flags and modes are
_SMALL = (3, 5, 11)  # what no flag is, and sizes are that leave parts of warps
_EDGES = (40, 56, 120, 184, 248)  # within the first tile, but not within the first rows of one of its warps
_TILES = (16, 32, 48, 64, 96, 128)  # where kernels end that store whole tiles of warps alone


@dataclass(frozen=True, slots=True)
class Numbers:
    sizes: dict[str, str]  # by M, N and K: the parameter
    pitches: dict[str, str]  # by name of the pitch
    limits: dict[str, str]  # of K: C++ of as many as a number of tiles has
    gates: frozenset[str]  # of which 0 is no product, and nothing else matters
    bounds: tuple[str, str]  # the parameters that keep stores within M rows and N columns, or ""


def numbers(
    check: Check,
    reach: Reach,
    letters: Sequence[str],
    names: Sequence[str],
    dimensions: Mapping[str, int],
    pitches: Mapping[str, str],
) -> Numbers:
    """letters: what each parameter was taken for, "M" or "M/128". pitches: which size each pitch is where nothing else is said."""
    arguments = [amount(s, dimensions) for s in letters]
    now = {name: dimensions[letter] for name, letter in pitches.items()}
    usual = check(arguments, {**dimensions, **now})

    def outcome(number: int, value: int, roles: Sequence[str]) -> frozenset[str] | None:
        changed = [value if n == number else a for n, a in enumerate(arguments)]
        unit = size_of(letters[number])[1]
        return check(changed, {**dimensions, **now, **dict.fromkeys(roles, value * unit)})

    def ends_tiles(number: int, letter: str, roles: Sequence[str]) -> bool:
        """Do the stores of whole tiles end where the number says?"""
        most = (reach(arguments, {**dimensions, **now}) or {}).get(letter, 0)
        for value in (tile for tile in _TILES if tile < most):
            changed = [value if n == number else a for n, a in enumerate(arguments)]
            reached = reach(changed, {**dimensions, **now, **dict.fromkeys(roles, value)})
            if reached is not None and reached.get(letter) == value:
                return True
        return False

    sizes: dict[str, str] = {}
    found: dict[str, str] = {}
    limits: dict[str, str] = {}
    gates: set[str] = set()
    open_at_one: set[str] = set()
    bounds = {"M": "", "N": ""}
    for number, given in enumerate(letters):
        value = arguments[number]
        if value is None:
            continue
        name, (letter, unit) = names[number], size_of(given)
        counts = unit > 1
        matters = _matters(partial(outcome, number), letter, name, usual)
        if not matters:
            continue
        if matters == {0}:
            open_at_one.add(name)
        mine = [p for p, of in pitches.items() if of == letter]
        roles = next(
            (
                roles
                for count in range(len(mine) + 2)
                for roles in combinations([letter, *mine], count)
                if outcome(number, 2 * value, roles) == usual
            ),
            None if counts else (letter,),
        )
        if roles is None or (letter in roles and counts and outcome(number, value + 1, roles) != usual):
            raise Refused(f"what {name} is the number of was not found")
        for pitch in roles:
            if pitch != letter:
                if pitch in found:
                    raise Refused(f"{found[pitch]} and {name} are not told apart")
                found[pitch] = f"{name} * {unit}" if counts else name
        if counts:
            if letter in roles and (letter != "K" or letter in limits):
                raise Refused(f"what {name} is the number of was not found")
            limits |= {letter: f"{name} * {unit}"} if letter in roles else {}
            continue
        if letter in bounds:
            for edge in _EDGES:
                row = [r for r in roles if r != letter]
                try:
                    ends = outcome(number, edge, row) is None and outcome(number, edge, [*row, letter]) == usual
                except Refused:  # parts of warps that end leave others without them
                    ends = False
                if ends:
                    bounds[letter] = name
                    break
        if any(r != letter for r in roles) and letter not in roles and bounds.get(letter) != name:
            if letter not in bounds or not ends_tiles(number, letter, roles):
                continue
        if letter in sizes and name in open_at_one:
            gates.add(name)
            continue
        if letter in sizes and sizes[letter] in open_at_one:
            gates.add(sizes.pop(letter))
        if letter in sizes:
            raise Refused(f"{sizes[letter]} and {name} are not told apart")
        sizes[letter] = name
    return Numbers(sizes, found, limits, frozenset(gates), (bounds["M"], bounds["N"]))


def _matters(
    outcome: Callable[[int, Sequence[str]], frozenset[str] | None], letter: str, name: str, usual: frozenset[str] | None
) -> set[int]:
    """Which of some small numbers change anything? Refused where it changes what is computed."""
    moved = set()
    for choice in _CHOICES:
        try:
            found = outcome(choice, ())
        except Refused as why:
            # No sum at all is no sum for a size of 0.
            if letter != "K" and not all(_refuses(outcome, value, why) for value in _SMALL):
                raise Refused(f"what it computes depends on {name}") from None
            found = None
        if found is not None and found != usual:
            raise Refused(f"what it computes depends on {name}")
        if found is None:
            moved.add(choice)
    return moved


def _refuses(outcome: Callable[[int, Sequence[str]], frozenset[str] | None], value: int, why: Refused) -> bool:
    """For the same reason?"""
    try:
        outcome(value, ())
    except Refused as other:
        return str(other) == str(why)
    return False
