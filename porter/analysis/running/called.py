"""Functions that a unit's code leads to, by their names; of the others nothing runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porter.frontend.lexer import Kind, Token
from porter.frontend.scopes import Function
from porter.frontend.source_file import SourceFile

__all__ = ["is_called_by_name", "named_functions"]

_UNNAMED = frozenset({"virtual", "operator", "~"})  # what is called without its name


def named_functions(units: Iterable[Sequence[SourceFile]]) -> frozenset[str]:
    """The names that each of the units leads to. A unit is its files, the main one first."""
    return frozenset(set.intersection(*map(_led_to, units)))


def _led_to(members: Sequence[SourceFile]) -> set[str]:
    bodies: dict[str, list[frozenset[str]]] = {}
    seen: set[str] = set()
    for source in members:
        main = source is members[0]
        functions = (f for f in source.scopes.functions if f.name and f.body[0] >= 0)
        own = [f for f in functions if is_called_by_name(source.tokens.tokens, f, main)]
        for function in own:
            bodies.setdefault(function.name, []).append(_words(source, function.body[0], function.body[1]))
        seen |= _outside(source, own)
    todo = list(seen)
    while todo:
        for words in bodies.get(todo.pop(), ()):
            todo += words - seen
            seen |= words
    return seen


def is_called_by_name(tokens: Sequence[Token], function: Function, main: bool) -> bool:
    """Not what another unit, a launch or a table of virtual functions may lead to."""
    words = {token.text for token in tokens[function.first : function.params[0]]}
    return not function.kernel and _UNNAMED.isdisjoint(words) and (not main or "static" in words)


def _outside(source: SourceFile, functions: Sequence[Function]) -> set[str]:
    """The words of a file, without declarations and definitions of these functions."""
    tokens, words, at = source.tokens.tokens, set[str](), 0
    for function in sorted(functions, key=lambda f: f.first):
        if function.first >= at:
            words |= _words(source, at, function.name_index) | _words(source, function.name_index + 1, function.body[0])
            at = function.body[1]
    return words | _words(source, at, len(tokens))


def _words(source: SourceFile, first: int, last: int) -> frozenset[str]:
    return frozenset(token.text for token in source.tokens.tokens[first:last] if token.kind == Kind.IDENT)
