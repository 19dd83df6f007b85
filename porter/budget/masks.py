"""Causal masks: whether they hold whatever the proportion of a block's rows to a tile of keys.

A mask that compares the place of a key with the place of a row holds. A mask of the last two tiles of keys holds only
while these are as long as a block's rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["hold_by_places"]

_LOWEST = frozenset({"INFINITY", "HUGE_VALF", "CUDART_INF_F"})  # with a minus: what hides a score
_COUNTS = frozenset({"==", "!=", "%", "/", ">>"})  # numbers of tiles, not places
_Range = tuple[int, int]


def hold_by_places(unit: Unit, rows: Set[str], keys: Set[str]) -> bool:
    """Whether all masks of the unit's device code do, where constants with these names are the tiles' lengths."""
    bodies = [_Body(unit, f, rows, keys) for f in unit.scopes.functions if f.device and f.body[0] >= 0]
    masks = [(body, place) for body in bodies for place in body.masks()]
    return bool(masks) and all(place >= 0 and body.holds(place) for body, place in masks)


@dataclass(frozen=True, slots=True)
class _Loop:
    variable: str
    parts: tuple[_Range, _Range, _Range]  # what it begins with, its condition, its step


class _Body:
    """A function's body, with what its variables are made of."""

    def __init__(self, unit: Unit, function: Function, rows: Set[str], keys: Set[str]) -> None:
        self.unit, self.body, self.rows, self.keys = unit, function.body, rows, keys

    @cached_property
    def made(self) -> Mapping[str, Sequence[_Range]]:
        """By variable, what it is given."""
        unit, made = self.unit, dict[str, list[_Range]]()
        for index in range(*self.body):
            if unit.text(index) in ("=", "+=") and unit.tokens[index - 1].kind == Kind.IDENT:
                made.setdefault(unit.text(index - 1), []).append((index + 1, self._end(index + 1)))
        return made

    def masks(self) -> Iterator[int]:
        """Assignments of the lowest score to elements; -1 for another use behind a condition."""
        for index in self.unit.file.places(*_LOWEST):
            if self.body[0] < index < self.body[1] and self.unit.text(index - 1) == "-":
                before = self.unit.text(index - 2)
                if before == "=" and self.unit.text(index - 3) == "]" and self.unit.text(index + 1) == ";":
                    yield index
                elif before in ("?", ":"):
                    yield -1

    def holds(self, place: int) -> bool:
        """Whether a mask is decided by places: each condition compares them, and the loop over tiles of keys goes as far
        as rows do."""
        conditions = list(self._controlling(place, "if"))
        loop = next((one for one in self._loops(place) if self._is_over_keys(one, place)), None)
        if loop is None or not any(self._of_elements(c) for c in conditions):
            return False
        return all(self._compares_places(condition, loop) for condition in conditions)

    def _compares_places(self, condition: _Range, loop: _Loop) -> bool:
        names = self._names(condition)
        if any(self.unit.text(i) in _COUNTS for i in range(*condition)):
            return False
        if any(self._counts_tiles(self._ranges({name})) for name in names - {loop.variable}):
            return False
        if self._subtracts([condition, *self._ranges(names)], self.rows | self.keys | {loop.variable}):
            return False  # a place within a tile, maybe
        led = self._closure(names)
        absolute = bool(led & self.rows) and bool(led & self.keys) and {"blockIdx", loop.variable} <= led
        if self._of_elements(condition):
            return absolute
        numbers = {self.unit.text(i) for i in range(*condition) if self.unit.tokens[i].kind == Kind.NUMBER}
        return absolute and not names & self.rows and numbers <= {"0", "1"}

    def _of_elements(self, condition: _Range) -> bool:
        return "threadIdx" in self._closure(self._names(condition))

    def _is_over_keys(self, loop: _Loop, place: int) -> bool:
        """`block < (end + kKeys - 1) / kKeys` with places `block * kKeys`, or `first < end; first += kKeys`."""
        begin, condition, step = loop.parts
        if self._names(step) & self.keys:
            return "blockIdx" in self._closure(self._names(condition))
        ends = [begin, condition, *self._ranges(self._names(begin) | self._names(condition))]
        places = (r for made in self.made.values() for r in made if loop.variable in self._names(r))
        multiplied = any(self._names(r) & self.keys and "*" in self._texts(r) for r in places)
        return multiplied and self._counts_tiles(ends)

    def _counts_tiles(self, ranges: list[_Range]) -> bool:
        return any(self._names(r) & self.keys and not {"/", ">>"}.isdisjoint(self._texts(r)) for r in ranges)

    def _subtracts(self, ranges: list[_Range], places: Set[str]) -> bool:
        """Whether something that is made of `places` is taken off."""
        taken = (i + 1 for part in ranges for i in range(*part) if self.unit.text(i) == "-")
        return any(self.unit.text(i) == "(" or self._closure({self.unit.text(i)}) & places for i in taken)

    def _texts(self, part: _Range) -> set[str]:
        return {self.unit.text(i) for i in range(*part)}

    def _names(self, part: _Range) -> set[str]:
        return {self.unit.text(i) for i in range(*part) if self.unit.tokens[i].kind == Kind.IDENT}

    def _ranges(self, names: set[str]) -> list[_Range]:
        return [part for name in self._closure(names) for part in self.made.get(name, ())]

    def _closure(self, names: set[str]) -> set[str]:
        names_reached, todo = set(names), list(names)
        while todo:
            fresh = set[str]().union(*(self._names(part) for part in self.made.get(todo.pop(), ()))) - names_reached
            names_reached |= fresh
            todo += fresh
        return names_reached

    def _loops(self, place: int) -> Iterator[_Loop]:
        for first, last in self._controlling(place, "for"):
            ends = [i for i in range(first, last) if self.unit.text(i) == ";"]
            if len(ends) == 2 and "=" in self._texts((first, ends[0])):
                variable = next(i for i in range(first, ends[0]) if self.unit.text(i) == "=") - 1
                parts = ((first, ends[0]), (ends[0] + 1, ends[1]), (ends[1] + 1, last))
                yield _Loop(self.unit.text(variable), parts)

    def _controlling(self, place: int, word: str) -> Iterator[_Range]:
        """What is in the brackets of the statements `word (...)` that decide about a place."""
        unit = self.unit
        for index in unit.file.places(word):
            opening = index + 1 + (unit.text(index + 1) == "constexpr")
            closing = unit.file.partner(opening)
            if self.body[0] < index < place and unit.text(opening) == "(" and 0 < closing < place:
                end = self._statement_end(closing + 1)
                while unit.text(end + 1) == "else":
                    end = self._statement_end(end + 2)
                if place < end:
                    yield opening + 1, closing

    def _statement_end(self, index: int) -> int:
        """The last token of the statement that begins there."""
        while index < self.body[1] and self.unit.text(index) not in (";", "{"):
            index = max(self.unit.file.partner(index), index) + 1
        return self.unit.file.partner(index) if self.unit.text(index) == "{" else index

    def _end(self, index: int) -> int:
        """Past an initialiser."""
        while index < self.body[1] and self.unit.text(index) not in (";", ",", ")"):
            index = max(self.unit.file.partner(index), index) + 1
        return index
