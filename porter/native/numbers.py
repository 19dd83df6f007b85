"""What a kernel's whole numbers are for, found by changing one at a time: sizes, the result's pitch, or something else.

While a kernel is recognised each whole number is taken for M, N or K. A number that chooses what is computed, or a pitch
beside a size, would pass for one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from porter.native.values import Refused

__all__ = ["Check", "Numbers", "numbers"]

# Values of the elements that a block stores, for these arguments, if C has these dimensions. None: it is no such product;
# other things than that are refused.
Check = Callable[[Sequence[int | None], Mapping[str, int]], frozenset[str] | None]

_CHOICES = (0, 1, 2)  # what flags and modes are
_EDGES = (40, 56, 120, 184, 248)  # within the first tile, but not within the first rows of one of its warps


@dataclass(frozen=True, slots=True)
class Numbers:
    sizes: dict[str, str]  # by M, N and K: the parameter
    pitch: str
    bounds: tuple[str, str]  # the parameters that keep stores within M rows and N columns, or ""


def numbers(
    check: Check, letters: Sequence[str], names: Sequence[str], dimensions: Mapping[str, int], pitched: str
) -> Numbers:
    """letters: what each parameter was taken for. pitched: what C's pitch is, "" where a tensor map knows."""
    arguments = [dimensions[s] if s else None for s in letters]
    usual = check(arguments, dimensions)
    pitch_now = {"pitch": dimensions[pitched]} if pitched else {}

    def outcome(number: int, value: int, **other: int) -> frozenset[str] | None:
        changed = [value if n == number else a for n, a in enumerate(arguments)]
        return check(changed, {**dimensions, **pitch_now, **other})

    pitch = ""
    sizes: dict[str, str] = {}
    bounds = {"M": "", "N": ""}
    for number, letter in enumerate(letters):
        if not letter:
            continue
        name, value = names[number], dimensions[letter]
        moved = False
        for choice in _CHOICES:
            try:
                found = outcome(number, choice)
            except Refused:
                if letter != "K":  # no sum at all is no sum for a size of 0
                    raise Refused(f"what it computes depends on {name}") from None
                found = None
            if found is not None and found != usual:
                raise Refused(f"what it computes depends on {name}")
            moved |= found is None
        if not moved:
            continue
        is_pitch = letter == pitched and usual in (
            outcome(number, 2 * value, pitch=2 * value),
            outcome(number, 2 * value, **{"pitch": 2 * value, letter: 2 * value}),
        )
        if is_pitch and usual != outcome(number, 2 * value):
            if pitch:
                raise Refused(f"{pitch} and {name} are not told apart")
            pitch = name
        else:
            is_pitch = False
        if pitched and letter in bounds:
            for edge in _EDGES:
                row = {"pitch": edge} if is_pitch else {}
                if outcome(number, edge, **row) is None and outcome(number, edge, **{**row, letter: edge}) == usual:
                    bounds[letter] = name
                    break
        if is_pitch and bounds[letter] != name:
            continue
        if letter in sizes:
            raise Refused(f"{sizes[letter]} and {name} are not told apart")
        sizes[letter] = name
    return Numbers(sizes, pitch, (bounds["M"], bounds["N"]))
