"""Tiles whose lengths are types: `using TileShape = Shape<_128, _128, _32>;`, as libraries of templates take them.

What follows from such an alias follows by types. From another shape, the library derives its layouts, copies and stage
counts, or a static_assert refuses it. So nothing else has to change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit

__all__ = ["Length", "lengths_of_shapes"]

_TILE = re.compile(r"tile|block|cta", re.IGNORECASE)
_OTHER = re.compile(r"warp|thread|cluster|group|atom|epi|store|layout|stride|count|num|copy|value|grid", re.IGNORECASE)
_SHAPE = re.compile(r"shape|tile|tuple", re.IGNORECASE)
_NAMED = re.compile(r"_(\d+)$")  # of the constant's type
_LETTERS = "MNK"


@dataclass(frozen=True, slots=True)
class Length:
    name: str  # "TileShape's K"
    value: int
    index: int  # the token that says it
    form: str  # how the token says a number: "_{}" or "{}"
    of_k: bool


def lengths_of_shapes(unit: Unit) -> Iterator[Length]:
    """Of the file's aliases for shapes of three constant lengths."""
    for index in unit.file.places("using"):
        name = unit.text(index + 1)
        if unit.text(index + 2) != "=" or not _TILE.search(name) or _OTHER.search(name):
            continue
        opening = index + 3
        while unit.text(opening + 1) == "::":
            opening += 2
        opening += 1
        if unit.text(opening) != "<" or not _SHAPE.search(unit.text(opening - 1)):
            continue
        lengths = _arguments(unit, opening + 1)
        if len(lengths) == len(_LETTERS):
            for letter, (at, value, form) in zip(_LETTERS, lengths):
                yield Length(f"{name}'s {letter}", value, at, form, letter == "K")


def _arguments(unit: Unit, index: int) -> list[tuple[int, int, str]]:
    """The constants of a list that ends an alias: where each stands, its value, and its form; none if it has others."""
    lengths: list[tuple[int, int, str]] = []
    while True:
        while unit.text(index + 1) == "::":
            index += 2
        if named := _NAMED.match(unit.text(index)):
            lengths.append((index, int(named[1]), "_{}"))
            index += 1
        elif unit.text(index + 1) == "<" and _is_number(unit, index + 2) and unit.text(index + 3) in (">", ">>"):
            lengths.append((index + 2, int(unit.text(index + 2)), "{}"))
            index += 3 if unit.text(index + 3) == ">>" else 4
        else:
            return []
        if unit.text(index) in (">", ">>") and unit.text(index + 1) == ";":
            return lengths
        if unit.text(index) != ",":
            return []
        index += 1


def _is_number(unit: Unit, index: int) -> bool:
    return unit.tokens[index].kind == Kind.NUMBER and unit.text(index).isdigit()
