"""What the names of a kernel's whole numbers let one try first: sizes, or numbers of tiles in place of sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from itertools import product as choices

from porter.native.ir.kernel_arguments import Given

__all__ = ["Matrix", "amount", "amounts", "assignments", "matrices", "size_of"]

_MOST_TRIALS = 30
_MOST_OPEN = 8  # numbers that more than one thing is tried for
# What parameters for each size are called, in lower case; pitches too.
_LIKELY = {
    "M": ("m", "size_m", "m_size", "dim_m", "rows"),
    "N": ("n", "size_n", "n_size", "dim_n", "ldc", "ldd", "cols", "columns"),
    "K": ("k", "size_k", "k_size", "dim_k", "lda", "ldb"),
}
# Rows and columns of A, B and C in memory.
_OF_MATRICES = (("MK", "KM"), ("NK", "KN"), ("MN", "NM"))
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_COUNTS = frozenset(
    "tile tiles block blocks ctas step steps iter iters iterations chunk chunks mtiles ntiles ktiles mt nt kt".split()
)
_OF = {
    "m": frozenset("m mt mtiles row rows".split()),
    "n": frozenset("n nt ntiles col cols column columns".split()),
    "k": frozenset("k kt ktiles step steps iter iters iterations chunk chunks".split()),
}


def assignments(knows: Sequence[Given]) -> Iterator[tuple[str, ...]]:
    """What each whole number that the kernel is given may be, likely ones first; "" for the others.

    "M", "N" and "K" are sizes, "m", "n" and "k" numbers of tiles."""
    wholes = [n for n, g in enumerate(knows) if g.kind.kind == "int" and g.kind.bits >= 32]
    if not wholes:
        yield ("",) * len(knows)
        return
    known = matrices(knows)
    apart = [n for n in wholes if not any(n in (one.rows, one.columns) for one in known)]
    likely = [_options(knows[number].name) for number in apart]
    likely = [options if place < _MOST_OPEN else options[:1] for place, options in enumerate(likely)]
    for letters, indices in _trials(known, [range(len(one)) for one in likely]):
        chosen = [letters.get(number, "") for number in range(len(knows))]
        for number, options, index in zip(apart, likely, indices):
            chosen[number] = options[index]
        if len({c.upper() for c in chosen if c}) == min(len(wholes), 3) or any(c.islower() for c in chosen):
            yield tuple(chosen)


@dataclass(frozen=True, slots=True)
class Matrix:
    """A structure's numbers that are a matrix's rows and columns as they lie in memory."""

    rows: int
    columns: int
    places: frozenset[int]  # pointers and tensor maps of the same structure


def matrices(knows: Sequence[Given]) -> list[Matrix]:
    """Of three structures that keep two numbers beside a pointer or a tensor map, in their order; none of other numbers of
    such structures."""
    places = {n: g.name for n, g in enumerate(knows) if g.offset >= 0 and (g.is_map or g.kind.kind == "ptr")}
    owners: dict[str, list[int]] = {}
    for number, one in enumerate(knows):
        owner = one.name if one.kind.kind == "int" and one.kind.bits >= 32 else ""
        while owner and not any(name.startswith(f"{owner}.") for name in places.values()):
            owner = owner.rpartition(".")[0]
        if owner:
            owners.setdefault(owner, []).append(number)
    matrices = []
    for owner, numbers in owners.items():
        words = [{w.lower() for w in _WORDS.findall(knows[n].name[len(owner) :])} for n in numbers]
        rows = [n for n, letters in zip(numbers, words) if letters & _OF["m"]]
        columns = [n for n, letters in zip(numbers, words) if letters & _OF["n"]]
        beside = frozenset(n for n, name in places.items() if name.startswith(f"{owner}."))
        if len(rows) == len(columns) == 1 and rows != columns:
            matrices.append(Matrix(rows[0], columns[0], beside))
        elif len(numbers) == 2 and not rows and not columns:
            matrices.append(Matrix(numbers[0], numbers[1], beside))
    return matrices if len(matrices) == len(_OF_MATRICES) else []


def _trials(known: Sequence[Matrix], others: Sequence[range]) -> Iterator[tuple[Mapping[int, str], tuple[int, ...]]]:
    """What matrices' rows and columns are taken for, with which option of each other number; likely ones first."""
    layouts: list[tuple[str, ...]] = list(choices(*_OF_MATRICES)) if known else [()]
    orders = list(permutations(known))
    ways = choices(choices(range(len(orders)), range(len(layouts))), choices(*others))
    for (order, layout), options in sorted(ways, key=lambda way: sum(way[0]) + sum(way[1]))[:_MOST_TRIALS]:
        yield dict(_lettered(orders[order], layouts[layout])), options


def _lettered(known: Sequence[Matrix], layout: Sequence[str]) -> Iterator[tuple[int, str]]:
    for one, letters in zip(known, layout):
        yield one.rows, letters[0]
        yield one.columns, letters[1]


def _options(name: str) -> list[str]:
    last = name.rpartition(".")[2].strip("_")
    words = {w.lower() for w in _WORDS.findall(last)}
    if words & _COUNTS:
        return sorted("mnk", key=lambda size: not words & _OF[size])
    return sorted("MNK", key=lambda size: last.lower() not in _LIKELY[size])


def size_of(letter: str) -> tuple[str, int]:
    """The size that a number is, and how much of it one counts: "M/128" are tiles of 128 rows."""
    size, _, unit = letter.partition("/")
    return size, int(unit or 1)


def amount(letter: str, dimensions: Mapping[str, int]) -> int | None:
    if not letter:
        return None
    size, unit = size_of(letter)
    return -(-dimensions[size] // unit)


def amounts(letters: Sequence[str], dimensions: Mapping[str, int]) -> list[int | None]:
    """What a kernel is given for a product of these sizes."""
    return [amount(letter, dimensions) for letter in letters]
