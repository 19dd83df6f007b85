"""Macros that conditions ask for, by who decides them: the unit's files and compilers, or its user alone (-D)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from porter.frontend.compilations import COMPILATIONS, values_of
from porter.frontend.conditions import CONDITIONS
from porter.frontend.lexer import Directive, Kind, TokenFile
from porter.frontend.once import once_per_file
from porter.frontend.source_file import SourceFile

__all__ = ["are_settled", "asked_around", "open_macros"]

_OF_COMPILERS = frozenset(name for hip in (False, True) for k in range(len(COMPILATIONS)) for name in values_of(k, hip))
_KNOWN = _OF_COMPILERS | {"defined"}


def open_macros(members: Sequence[SourceFile], sites: Iterable[tuple[SourceFile, int]]) -> Counter[str]:
    """Macros that nothing defines, neither the unit, nor a compiler, nor the user, by how many of the sites (file, offset)
    they decide about; `members` are the unit's files."""
    known = _KNOWN.union(*(member.macros for member in members))
    macros: Counter[str] = Counter()
    for source, offset in sites:
        macros.update(asked_around(source.tokens, offset) - known)
    return macros


def are_settled(members: Sequence[SourceFile], names: Iterable[str]) -> bool:
    """Whether the unit's files and compilers decide these macros alone: each is defined there, and only under conditions
    that ask for others of this kind."""
    asked, seen = list(names), set(_KNOWN)
    while asked:
        name = asked.pop()
        if name in seen:
            continue
        seen.add(name)
        definers = [member.tokens for member in members if name in member.macros]
        if not definers:
            return False
        asked += (
            other for file in definers for place in _definitions(file, name) for other in asked_around(file, place)
        )
    return True


def _definitions(file: TokenFile, name: str) -> Iterator[int]:
    return (one.start for one in file.directives if one.name == "define" and _first(file, one) == name)


def _first(file: TokenFile, one: Directive) -> str:
    return file.tokens[one.first].text if one.first < one.last else ""


def asked_around(file: TokenFile, offset: int) -> frozenset[str]:
    """The names in the conditions of the `#if`s around an offset, without those that only compilers define, and without
    the guards of headers."""
    starts, names = _conditions(file)
    return names[bisect_right(starts, offset) - 1]


@once_per_file
def _conditions(file: TokenFile) -> tuple[Sequence[int], Sequence[frozenset[str]]]:
    """From which offsets on the conditions around ask for which names."""
    starts, names = [-1], [frozenset[str]()]
    opened: list[frozenset[str]] = [frozenset()]  # of each #if, with those around it
    for one, following in zip(file.directives, [*file.directives[1:], *file.directives[-1:]]):
        if one.name in ("if", "ifdef", "ifndef"):
            opened.append(opened[-1])
        guards = one.name == "ifndef" and following.name == "define"
        if guards and _first(file, one) == _first(file, following):
            continue
        if one.name in CONDITIONS and len(opened) > 1:
            tokens = file.tokens[one.first : one.last]
            asked = (t.text for t in tokens if t.kind == Kind.IDENT and not t.text.startswith("__"))
            opened[-1] = opened[-1].union(asked)
        elif one.name == "endif" and len(opened) > 1:
            opened.pop()
        else:
            continue
        starts.append(one.start)
        names.append(opened[-1])
    return starts, names
