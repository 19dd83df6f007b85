"""The sizes by which device code has copies and barriers count bytes.

A type may be padded: once a length in it is small, its size no longer falls with what is copied, and a barrier that
expects it waits for more than comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from porter.frontend.lexer import Kind, TokenFile, template_end
from porter.frontend.source_file import SourceFile

__all__ = ["byte_counts", "explains"]

_COUNTING = re.compile(r"\bexpect_tx\b|\bcomplete_tx\b|\bcp\.(?:reduce\.)?async\.bulk\b")
# Functions of CUDA's headers that take a number of bytes.
_OF_CUDA = ("memcpy", "memcpy_async", "barrier_arrive_tx", "barrier_expect_tx", "cp_async_bulk")
_MAY_COUNT = re.compile(_COUNTING.pattern.encode() + b"|" + b"|".join(rb"\b%s\b" % name.encode() for name in _OF_CUDA))
_SIZEOF = re.compile(rb"\bsizeof\b")
_Span = tuple[SourceFile, int, int]  # tokens


def byte_counts(sources: Sequence[SourceFile]) -> Iterator[tuple[Path, int, int]]:
    """File and offsets of each `sizeof` of a unit's files that bytes are counted by: in an argument or operand, or in the
    value of a name there."""
    if not any(source.has(_MAY_COUNT) for source in sources):
        return
    sources = [source for source in sources if source.has(_SIZEOF) or source.has(_MAY_COUNT)]
    spans = list(_counted(sources))
    places = {place for span in _with_values(sources, spans) for place in _sizes(span)}
    yield from sorted(places)


def explains(then: Sequence[int], by: tuple[Sequence[int], Sequence[int], Sequence[int]], share: float) -> bool:
    """Whether sizes are what is left of them with a share of a length, where sizes with the length, twice and four times
    of it say how they follow: as a sum of products. Each has one value for each type."""
    once, twice, four = by
    if len(once) == len(twice) == len(four) == len(then):
        return all(size in _expected(a, b, c, share) for size, a, b, c in zip(then, once, twice, four))
    expected = {size for a, b, c in product(once, twice, four) for size in _expected(a, b, c, share)}
    return expected.issuperset(then)


def _expected(once: int, twice: int, four: int, share: float) -> tuple[float, float]:
    """By a line, and by a parabola."""
    square = (four - 3 * twice + 2 * once) / 6
    line = twice - once - 3 * square
    return once - (1 - share) * (twice - once), once - (1 - share) * line - (1 - share * share) * square


def _counted(sources: Sequence[SourceFile]) -> Iterator[_Span]:
    """What says how many bytes: operands of asm, and arguments of functions that pass them on."""
    todo: list[tuple[str, int]] = [(name, -1) for name in _OF_CUDA]  # names of functions, the argument; -1: any
    for source in sources:
        for span in _operands(source):
            yield span
            todo += _passed(span)
    seen = set(todo)
    while todo:
        name, number = todo.pop()
        for source in sources:
            for span in _arguments(source, name, number):
                yield span
                fresh = set(_passed(span)) - seen
                seen |= fresh
                todo += fresh


def _operands(source: SourceFile) -> Iterator[_Span]:
    """Of the asm statements that count bytes."""
    file = source.tokens
    for index in file.places("asm", "__asm__", "__asm") if source.has(_MAY_COUNT) else ():
        opening = next((k for k in range(index + 1, min(index + 4, len(file.tokens))) if file.word(k) == "("), -1)
        closing = file.partner(opening)
        strings = (t.text for t in file.tokens[opening:closing] if t.kind == Kind.STRING)
        if closing > 0 and _COUNTING.search(" ".join(strings)):
            yield source, opening + 1, closing


def _arguments(source: SourceFile, name: str, number: int) -> Iterator[_Span]:
    """Of calls by a name, the ones with a number."""
    file = source.tokens
    for index in file.places(name):
        opening = index + 1
        if file.word(opening) == "<":
            opening = template_end(file, opening, len(file.tokens), known=True)
        if file.word(opening) != "(" or file.tokens[index].kind != Kind.IDENT:
            continue
        given = file.arguments(opening)
        yield from ((source, *one) for one in (given if number < 0 else given[number : number + 1]))


def _passed(span: _Span) -> Iterator[tuple[str, int]]:
    """The function or macro around it, with the numbers of its parameters that stand there."""
    source, first, _ = span
    name, parameters = _around(source, first)
    words = set(_names(span))
    yield from ((name, number) for number, parameter in enumerate(parameters) if name and parameter in words)


def _around(source: SourceFile, index: int) -> tuple[str, list[str]]:
    """Its name and its parameters' names."""
    file = source.tokens
    number = file.tokens[index].directive
    if number >= 0:
        first = file.directives[number].first
        return file.word(first), _parameters(file, first + 1)
    function = source.scopes.at(index).function
    return ("", []) if function is None else (function.name, _parameters(file, function.params[0]))


def _parameters(file: TokenFile, opening: int) -> list[str]:
    names = []
    for first, last in file.arguments(opening) if file.word(opening) == "(" else ():
        end = next((k for k in range(first, last) if file.word(k) == "="), last)
        names.append(file.word(end - 1))
    return names


def _with_values(sources: Sequence[SourceFile], spans: Sequence[_Span]) -> Iterator[_Span]:
    """And what the names in them are given, wherever they are."""
    todo, seen = list(spans), set[str]()
    while todo:
        span = todo.pop()
        yield span
        fresh = set(_names(span)) - seen
        seen |= fresh
        todo += [value for source in sources for name in fresh for value in _values(source, name)]


def _values(source: SourceFile, name: str) -> Iterator[_Span]:
    """What a name is given; what a function returns."""
    file = source.tokens
    for index in file.places(name):
        if file.word(index + 1) in ("=", "+=") and file.word(index - 1) not in ("*", "&"):
            yield source, index + 2, _end(file, index + 2)
        elif file.word(index + 1) == "{" and file.tokens[index - 1].kind == Kind.IDENT:
            yield source, index + 2, file.partner(index + 1)
    for function in source.scopes.functions:
        if function.name == name and function.body[0] >= 0:
            returned = (k for k in range(*function.body) if file.word(k) == "return")
            yield from ((source, k + 1, _end(file, k + 1)) for k in returned)


def _end(file: TokenFile, index: int) -> int:
    """Past an initialiser."""
    while index < len(file.tokens) and file.word(index) not in (";", ",", ")", "}"):
        index = max(file.partner(index), index) + 1
    return index


def _names(span: _Span) -> Iterator[str]:
    source, first, last = span
    return (token.text for token in source.tokens.tokens[first:last] if token.kind == Kind.IDENT)


def _sizes(span: _Span) -> Iterator[tuple[Path, int, int]]:
    source, first, last = span
    file = source.tokens
    for index in range(first, last):
        closing = file.partner(index + 1)
        if file.word(index) == "sizeof" and file.word(index + 1) == "(" and closing > 0:
            yield source.path, file.tokens[index].start, file.tokens[closing].end
