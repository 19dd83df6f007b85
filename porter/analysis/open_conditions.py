"""Macros that conditions ask for and that nothing defines: neither the unit, nor a compiler, nor the user (-D)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from porter.frontend.compilations import COMPILATIONS, values_of
from porter.frontend.conditions import CONDITIONS
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.source_file import SourceFile

__all__ = ["open_macros"]

_OF_COMPILERS = frozenset(name for hip in (False, True) for k in range(len(COMPILATIONS)) for name in values_of(k, hip))


def open_macros(members: Sequence[SourceFile], sites: Iterable[tuple[SourceFile, int]]) -> Counter[str]:
    """Such macros, by how many of the sites (file, offset) they decide about; `members` are the unit's files."""
    known = _OF_COMPILERS.union(*(member.macros for member in members)) | {"defined"}
    macros: Counter[str] = Counter()
    for source, offset in sites:
        macros.update({name for name in _asked_around(source.tokens, offset) if name not in known})
    return macros


def _asked_around(file: TokenFile, offset: int) -> Iterator[str]:
    """The names in the conditions of the `#if`s around an offset, without those that only compilers define."""
    opened: list[set[str]] = []
    for one in file.directives:
        if one.start > offset:
            break
        if one.name in ("if", "ifdef", "ifndef"):
            opened.append(set())
        if one.name in CONDITIONS and opened:
            tokens = file.tokens[one.first : one.last]
            opened[-1].update(t.text for t in tokens if t.kind == Kind.IDENT and not t.text.startswith("__"))
        elif one.name == "endif" and opened:
            opened.pop()
    return (name for names in opened for name in names)
