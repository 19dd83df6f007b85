"""Constants that say how much shared memory a block of an NVIDIA device can have: `constexpr int MAX_SMEM = 227 * 1024;`.

What follows from one are checks (static_assert), sizes of launches, and how many stages a kernel may have. A header's has
one value for all units that include it, whatever static shared memory each of them has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.chip import Chip
from porter.findings import Edit
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.source_file import SourceFile

__all__ = ["Limit", "limits", "may_limit", "names_of_limits"]

_NAME = re.compile(
    r"(?:max|most|limit|total|avail|capacity|opt_?in)\w*(?:shared|smem|shm)"
    r"|(?:shared|smem|shm)\w*(?:max|most|limit|total|avail|capacity|opt_?in)",
    re.IGNORECASE,
)
_MAY_NAME = re.compile(_NAME.pattern.replace(r"\w", r"[\w\x80-\xff]").encode(), re.IGNORECASE)
_DEVICES = frozenset(kib << 10 for kib in (96, 99, 100, 163, 164, 227, 228))  # a block's, and a multiprocessor's
_STATIC = 2 << 10  # for barriers: the source's own, and those of porter's runtime


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    value: int
    start: int  # offsets of the value
    end: int

    def lowered(self, chip: Chip) -> int:
        return chip.lds_bytes - _STATIC

    def edit(self, file: TokenFile, chip: Chip) -> Edit:
        return Edit(self.start, self.end, f"{self.lowered(chip)} /* {file.text[self.start : self.end]} */")


def may_limit(source: SourceFile) -> bool:
    """Asked before a file's tokens."""
    return source.has(_MAY_NAME)


def limits(file: TokenFile) -> Iterator[Limit]:
    """Of one file: constants and macros that are a number."""
    return (limit for limit in _named(file) if limit.value in _DEVICES)


def names_of_limits(file: TokenFile, chip: Chip) -> set[str]:
    """Their names, and the names of the chip's own constants, as in porter's headers."""
    own = {chip.lds_bytes, chip.lds_bytes - _STATIC}
    return {limit.name for limit in _named(file) if limit.value in _DEVICES or limit.value in own}


def _named(file: TokenFile) -> Iterator[Limit]:
    """The constants and macros that are called as limits are."""
    tokens = file.tokens
    for directive in file.directives:
        if directive.name == "define" and directive.last > directive.first + 1:
            yield from _limit(file, directive.first, directive.first + 1, directive.last)
    for index in file.places("="):
        before = tokens[index - 1]
        if before.kind == Kind.IDENT and _NAME.search(before.text) and tokens[index].directive < 0:
            last = next((k for k in range(index + 1, len(tokens)) if tokens[k].text in (";", ",")), index)
            yield from _limit(file, index - 1, index + 1, last)


def _limit(file: TokenFile, name: int, first: int, last: int) -> Iterator[Limit]:
    tokens = file.tokens
    value = _value([tokens[k].text for k in range(first, last)]) if _NAME.search(tokens[name].text) else 0
    if value:
        yield Limit(tokens[name].text, value, tokens[first].start, tokens[last - 1].end)


def _value(texts: list[str]) -> int:
    """Of `227 * 1024`, `(227 << 10)` and `232448`; 0 of anything else."""
    words = [text.rstrip("uUlL") for text in texts if text not in ("(", ")")]
    numbers, signs = words[::2], set(words[1::2])
    if not numbers or not all(number.isdigit() for number in numbers):
        return 0
    if signs <= {"*"}:
        return math.prod(map(int, numbers))
    return int(numbers[0]) << int(numbers[1]) if signs == {"<<"} and len(numbers) == 2 and len(numbers[1]) < 3 else 0
