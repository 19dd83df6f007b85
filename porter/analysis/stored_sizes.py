"""Sizes that reach a launch through a member of an object.

`Launch launch{grid, block, sizeof(Shared)}; launch(kernel, x);` where Launch's operator() has `<<<grid, block, shared>>>`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.frontend.lexer import Kind, TokenFile, split_commas, template_end

__all__ = ["Member", "member_name", "members", "stored"]

_Place = tuple[int, int]
_CLASSES = frozenset({"struct", "class"})
_NO_DATA = frozenset(
    {"using", "typedef", "static", "friend", "enum", "struct", "class", "union", "template", "operator"}
)
_ACCESS = frozenset({"public", "private", "protected"})


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    owner: str  # its class
    arguments: frozenset[
        int
    ]  # numbers of those that set it where an object is made: `Launch launch{grid, block, bytes};`


def member_name(file: TokenFile, first: int, last: int) -> str:
    """The name that ends a size: `shared` of `int(shared)`, `this->shared` and `launch.shared`; empty for anything else."""
    if _text(file, first) == "static_cast":
        first = template_end(file, first + 1, last)
    elif first + 1 < last and _text(file, first + 1) == "(":
        first += 1
    while first < last and _text(file, first) == "(" and file.partner(first) == last - 1:
        first, last = first + 1, last - 1
    names = range(first, last, 2)
    path = all(file.tokens[i].kind == Kind.IDENT for i in names) and (last - first) % 2 == 1
    joined = all(_text(file, i) in (".", "->") for i in range(first + 1, last, 2))
    return _text(file, last - 1) if path and joined else ""


def members(file: TokenFile, name: str) -> Iterator[Member]:
    """The data members of that name in the file's classes."""
    for owner, opening, closing in _bodies(file):
        names = [own for own, _ in _data(file, opening, closing)]
        if name in names:
            numbers = set(_of_constructors(file, owner, name, opening, closing))
            constructed = any(_text(file, k + 1) == "(" for k in _within(file, owner, opening, closing))
            yield Member(name, owner, frozenset(numbers if constructed else {names.index(name)}))


def stored(file: TokenFile, member: Member) -> Iterator[_Place]:
    """What this file gives it: initialisers, assignments, and arguments where an object is made."""
    own = [(opening, closing) for owner, opening, closing in _bodies(file) if owner == member.owner]
    for opening, closing in own:
        yield from (place for name, place in _data(file, opening, closing) if name == member.name and place)
    for index in file.places(member.name):
        if _text(file, index - 1) in (".", "->", ";", "{", "}") and _text(file, index + 1) == "=":
            yield index + 2, _end(file, index + 2)
    for index in file.places(member.owner):
        parts = [] if any(a < index < b for a, b in own) else _made(file, index)  # there it is a constructor
        if not parts or _text(file, parts[0][0]) != ".":  # else its members are named
            yield from (parts[number] for number in member.arguments if number < len(parts))


def _text(file: TokenFile, index: int) -> str:
    return file.tokens[index].text if 0 <= index < len(file.tokens) else ""


def _within(file: TokenFile, name: str, opening: int, closing: int) -> Iterator[int]:
    return (k for k in file.places(name) if opening < k < closing and file.tokens[k].directive < 0)


def _bodies(file: TokenFile) -> Iterator[tuple[str, int, int]]:
    """Classes: the name, and the brackets of the body."""
    for index in file.places(*_CLASSES):
        ends = ("{", ";", "(", ")", ">", "=")
        opening = next((k for k in range(index + 1, len(file.tokens)) if _text(file, k) in ends), index)
        if _text(file, opening) == "{" and file.partner(opening) > 0 and file.tokens[index + 1].kind == Kind.IDENT:
            yield _text(file, index + 1), opening, file.partner(opening)


def _data(file: TokenFile, opening: int, closing: int) -> Iterator[tuple[str, _Place | None]]:
    """The data members of a class in their order, with their initialisers."""
    first = opening + 1
    while first < closing:
        if _text(file, first) in _ACCESS and _text(file, first + 1) == ":":
            first += 2
        last, ends = first, False
        while last < closing and not ends:
            last = max(file.partner(last), last) + 1
            ends = _text(file, last) == ";" or (_text(file, last - 1) == "}" and _text(file, last) != ",")
        if _text(file, last) == ";" and _text(file, first) not in _NO_DATA:
            yield from _declared(file, first, last)
        first = last + (_text(file, last) == ";")


def _declared(file: TokenFile, first: int, last: int) -> Iterator[tuple[str, _Place | None]]:
    for begin, end in split_commas(file, first, last):
        name = next((k for k in range(begin, end) if _text(file, k) in ("=", "{", "[", "(")), end) - 1
        if _text(file, name + 1) == "(" or name < begin or file.tokens[name].kind != Kind.IDENT:
            return  # a function
        value = name + 2 < end and _text(file, name + 1) in ("=", "{")
        closed = _text(file, name + 1) == "{"
        yield _text(file, name), (name + 2, end - closed) if value else None


def _of_constructors(file: TokenFile, owner: str, name: str, opening: int, closing: int) -> Iterator[int]:
    """The numbers of the parameters that constructors give to the member: `Launch(size_t bytes) : shared(bytes) {}`."""
    for index in _within(file, owner, opening, closing):
        close = file.partner(index + 1) if _text(file, index + 1) == "(" else -1
        if close < 0 or _text(file, close + 1) != ":":
            continue
        names = [_text(file, last - 1) for _, last in split_commas(file, index + 2, close)]
        body = next(
            (k for k in range(close, closing) if _text(file, k) == "{" and _text(file, k - 1) in (")", "}")), close
        )
        for use in _within(file, name, close, body):
            given = _text(file, use + 2)
            if _text(file, use + 1) in ("(", "{") and file.partner(use + 1) == use + 3 and given in names:
                yield names.index(given)


def _made(file: TokenFile, index: int) -> list[_Place]:
    """The arguments where an object is made of the class that tokens[index] names."""
    if _text(file, index - 1) in _CLASSES or file.tokens[index].directive >= 0:
        return []
    opening = index + 1
    if _text(file, opening) == "<":
        opening = template_end(file, opening, len(file.tokens))
    if opening > 0 and opening < len(file.tokens) and file.tokens[opening].kind == Kind.IDENT:
        opening += 1
        opening += _text(file, opening) == "="
        opening += _text(file, opening) == _text(file, index)  # Launch launch = Launch{...}
    return file.arguments(opening) if _text(file, opening) in ("{", "(") else []


def _end(file: TokenFile, index: int) -> int:
    while index < len(file.tokens) and _text(file, index) not in (";", ",", "}", ")"):
        index = max(file.partner(index), index) + 1
    return index
