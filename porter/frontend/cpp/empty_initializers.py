"""Empty initialisers of arrays in functions, whose length a name gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.once import once_per_file

__all__ = ["EmptyInitializer", "empty_initializers"]


class EmptyInitializer(NamedTuple):
    """Tokens of `name[length] = {};`"""

    name: int
    first: int  # = or {
    last: int  # }


@once_per_file
def empty_initializers(file: TokenFile) -> Sequence[EmptyInitializer]:
    """Those that a declaration may do without."""
    tokens, initializers = file.tokens, []
    for opening in file.places("{"):
        if opening + 2 >= len(tokens) or (tokens[opening + 1].text, tokens[opening + 2].text) != ("}", ";"):
            continue
        first = opening - (tokens[opening - 1].text == "=")
        closing = first - 1
        while tokens[closing].text == "]":
            bracket = file.partner(closing)
            if bracket < 2 or all(token.kind != Kind.IDENT for token in tokens[bracket:closing]):
                break
            closing = bracket - 1
        name = tokens[closing]
        begin = next((k for k in range(closing, 0, -1) if tokens[k].text in (";", "{", "}", ")")), 0)
        words = {token.text for token in tokens[begin:closing]}
        if closing < first - 1 and name.kind == Kind.IDENT and words.isdisjoint(("const", "constexpr", "static")):
            initializers.append(EmptyInitializer(closing, first, opening + 1))
    return initializers
