"""Preprocessor lines within an asm statement, and which of several definitions of a macro holds where."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from porter.frontend.asm.macros import Known, Macro, definition, definitions
from porter.frontend.lexer import Directive, Kind, Token, TokenFile
from porter.frontend.once import once_per_file

__all__ = ["CONDITIONS", "Case", "Positions", "cases_of", "inside", "text_of"]

CONDITIONS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif")
_MOST_CASES = 16


def inside(file: TokenFile, start: int, end: int) -> Sequence[Directive]:
    """The directives between two offsets."""
    first = bisect.bisect_right(file.directives, start, key=lambda d: d.start)
    return list(itertools.takewhile(lambda d: d.start < end, itertools.islice(file.directives, first, None)))


@dataclass(frozen=True, slots=True)
class Case:
    """One way in which the preprocessor may read a statement."""

    condition: str  # "" for what is left when the conditions of the cases before do not hold
    left_out: frozenset[int]  # tokens of branches that it does not take


@dataclass(frozen=True, slots=True)
class _Way:
    """Branches that are taken together."""

    holds: Mapping[str, bool]  # conditions, as they have to be
    asked: tuple[str, ...]  # those of the branches themselves
    left_out: frozenset[int]

    def and_(self, other: _Way) -> _Way | None:
        """None where a condition would have to hold and not to hold."""
        if any(other.holds.get(name, value) != value for name, value in self.holds.items()):
            return None
        return _Way({**self.holds, **other.holds}, self.asked + other.asked, self.left_out | other.left_out)


def cases_of(file: TokenFile, directives: Sequence[Directive]) -> Sequence[Case]:
    """In an order in which the first that holds is meant; none where conditions are in conditions, or too many."""
    groups = list(_groups(directives))
    if sum(map(len, groups)) != sum(d.name in CONDITIONS for d in directives):
        return ()
    ways = [_Way({}, (), frozenset())]
    for group in groups:
        branches = list(_branches_of(file, group))
        ways = [both for way in ways for branch in branches if (both := way.and_(branch)) is not None]
        if len(ways) > _MOST_CASES:
            return ()
    conditions = [" && ".join(dict.fromkeys(way.asked)) for way in ways]
    return [Case(text, way.left_out) for text, way in zip([*conditions[:-1], ""], ways)]


def _groups(directives: Sequence[Directive]) -> Iterator[list[Directive]]:
    """Each #if with what belongs to it, the #endif last; an #if in a branch of another ends all."""
    group: list[Directive] = []
    for directive in directives:
        if directive.name not in CONDITIONS:
            continue
        if directive.name.startswith("if") == bool(group):
            return
        group.append(directive)
        if directive.name == "endif":
            yield group
            group = []


def _branches_of(file: TokenFile, group: Sequence[Directive]) -> Iterator[_Way]:
    every = frozenset(range(group[0].last, group[-1].first))
    before: dict[str, bool] = {}
    for one, following in itertools.pairwise(group):
        own = every - frozenset(range(one.last, following.first))
        if one.name == "else":
            yield _Way(before, (), own)
            return
        text = file.source(one.first, one.last)
        name = f"({text})" if one.name in ("if", "elif") else f"defined({text})"
        value = not one.name.endswith("ndef")
        yield _Way({**before, name: value}, (name if value else f"!{name}",), own)
        before = {**before, name: not value}
    yield _Way(before, (), every)


def text_of(file: TokenFile, directive: Directive) -> str:
    return file.text[directive.start : directive.end].rstrip()


@dataclass(frozen=True, slots=True)
class _Event:
    """A #define, or an #undef (`macro` is None), and the branches that it is in."""

    offset: int
    macro: Macro | None
    tokens: tuple[Token, ...]  # the body
    branches: tuple[tuple[int, int], ...]


@once_per_file
def _events(file: TokenFile) -> Mapping[str, Sequence[_Event]]:
    """Of the macros that the file defines or takes back more than once, in order."""
    by_name: dict[str, list[_Event]] = {}
    for number, directive in enumerate(file.directives):
        if directive.name in ("define", "undef") and directive.first < directive.last:
            macro = definition(file, directive) if directive.name == "define" else None
            body = () if macro is None else tuple(file.tokens[directive.first + 1 : directive.last])
            name = file.tokens[directive.first].text
            by_name.setdefault(name, []).append(_Event(directive.start, macro, body, _branches(file)[number]))
    return {name: events for name, events in by_name.items() if len(events) > 1}


@once_per_file
def _branches(file: TokenFile) -> Sequence[tuple[tuple[int, int], ...]]:
    """Behind each directive: the numbers of the #if lines that are open, and of the lines that begin their branches."""
    opened: list[tuple[int, int]] = []
    branches_behind: list[tuple[tuple[int, int], ...]] = []
    for number, directive in enumerate(file.directives):
        if directive.name.startswith("if"):
            opened.append((number, number))
        elif directive.name == "endif" and opened:
            opened.pop()
        elif directive.name in CONDITIONS and opened:
            opened[-1] = (opened[-1][0], number)
        branches_behind.append(tuple(opened))
    return branches_behind


class Positions:
    """What macros mean at the places of a file: those with several definitions that it alone defines, as of the last."""

    def __init__(self, file: TokenFile, beside: Sequence[TokenFile], known: Known) -> None:
        self._file, self._known = file, known
        events = _events(file)
        others = {name for one in beside for name, _ in definitions(one)} if events and beside else set()
        self._events = {name: own for name, own in events.items() if name not in others}
        self._offsets = sorted(event.offset for events in self._events.values() for event in events)
        self._last: tuple[object, Known] = None, known  # statements come in order

    def at(self, offset: int) -> Known:
        if not self._events:
            return self._known
        here = bisect.bisect_right(self._file.directives, offset, key=lambda d: d.start) - 1
        around = _branches(self._file)[here] if here >= 0 else ()
        key = bisect.bisect_right(self._offsets, offset), around
        if self._last[0] != key:
            self._last = key, self._worked_out(offset, around)
        return self._last[1]

    def _worked_out(self, offset: int, around: tuple[tuple[int, int], ...]) -> Known:
        strings, meant = dict(self._known.strings), dict(self._known.macros)
        for name, events in self._events.items():
            at = bisect.bisect_right(events, offset, key=lambda e: e.offset) - 1
            event = events[at] if at >= 0 else None
            if event is None or event.branches != around[: len(event.branches)]:
                continue
            strings.pop(name, None)
            meant.pop(name, None)
            if event.macro is not None:
                meant[name] = event.macro
                if event.macro.parameters is None and all(token.kind == Kind.STRING for token in event.tokens):
                    strings[name] = [event.tokens]
        return replace(self._known, strings=strings, macros=meant)
