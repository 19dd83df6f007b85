"""What the functions and macros of a unit use, by name: all of one name together, in every file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from porter.frontend.asm.uses import asm_texts
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.source_file import beside
from porter.frontend.unit import Unit

__all__ = ["Words", "reached_from", "using", "with_asm", "words_by_name"]

Words = Mapping[str, set[str]]


@dataclass(frozen=True, slots=True)
class _Body:
    name: str
    file: TokenFile
    first: int  # tokens[first:last]
    last: int


def words_by_name(unit: Unit) -> dict[str, set[str]]:
    """The identifiers in the bodies of the functions and macros of each name."""
    words: dict[str, set[str]] = {}
    for body in _bodies(unit):
        inside = body.file.tokens[body.first : body.last]
        words.setdefault(body.name, set()).update(token.text for token in inside if token.kind == Kind.IDENT)
    return words


def with_asm(unit: Unit, pattern: re.Pattern[str]) -> set[str]:
    """The names of functions and macros with an asm statement that the pattern is found in."""
    places = {
        id(file): [at for at, text in asm_texts(file, around) if pattern.search(text)] for file, around in _files(unit)
    }
    return {b.name for b in _bodies(unit) if any(b.first < at < b.last for at in places[id(b.file)])}


def using(names: Collection[str], words: Words, passed_over: Collection[str] = ()) -> set[str]:
    """These names, and all that lead to them; not by way of words that are passed over."""
    found = set(names)
    while more := {name for name, used in words.items() if not used.isdisjoint(found.difference(passed_over))} - found:
        found |= more
    return found


def reached_from(name: str, words: Words) -> set[str]:
    """The words of a name, and of the names among them."""
    reached, todo = set[str](), [name]
    while todo:
        one = todo.pop()
        if one not in reached:
            reached.add(one)
            todo += words.get(one, ())
    return reached


def _files(unit: Unit) -> Iterator[tuple[TokenFile, tuple[TokenFile, ...]]]:
    """Every file, with the others whose macros it may use."""
    yield unit.file, unit.beside
    for one in {one.path: one for one in (*unit.members, *unit.included)}.values():
        if one.path != unit.path:
            yield one.tokens, beside(unit.members, one)


def _bodies(unit: Unit) -> Iterator[_Body]:
    scopes = [(unit.file, unit.scopes)]
    known = {one.path: one for one in (*unit.members, *unit.included)}
    scopes += [(one.tokens, one.scopes) for path, one in known.items() if path != unit.path]
    for file, functions in scopes:
        for f in functions.functions:
            if f.body[0] >= 0 and f.name:
                yield _Body(f.name, file, *f.body)
        for d in file.directives:
            if d.name == "define":
                yield _Body(file.word(d.first), file, d.first, d.last)
