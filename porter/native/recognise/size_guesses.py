"""What the names of a kernel's whole numbers let one try first: sizes, or numbers of tiles in place of sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product as choices

from porter.native.ir.kernel_arguments import Given

__all__ = ["amount", "amounts", "assignments", "size_of"]

_MOST_TRIALS = 30
_MOST_OPEN = 8  # numbers that more than one thing is tried for
# What parameters for each size are called, in lower case; pitches too.
_LIKELY = {
    "M": ("m", "size_m", "m_size", "dim_m", "rows"),
    "N": ("n", "size_n", "n_size", "dim_n", "ldc", "ldd", "cols", "columns"),
    "K": ("k", "size_k", "k_size", "dim_k", "lda", "ldb"),
}
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
    likely = [_options(knows[number].name) for number in wholes]
    likely = [options if place < _MOST_OPEN else options[:1] for place, options in enumerate(likely)]
    trials = sorted(choices(*(range(len(one)) for one in likely)), key=sum)[:_MOST_TRIALS]
    for trial in trials:
        chosen = [""] * len(knows)
        for number, options, index in zip(wholes, likely, trial):
            chosen[number] = options[index]
        if len({c.upper() for c in chosen if c}) == min(len(wholes), 3) or any(c.islower() for c in chosen):
            yield tuple(chosen)


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
