"""Constants that are named through a reference: nvcc takes `static_assert(tile.rows == 16)` where tile is a `Tile&`. For clang
the value of a reference is not known, so nothing of it is a constant."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence

from porter.frontend.lexer import Kind, TokenFile, template_end
from porter.frontend.once import once_per_file
from porter.frontend.scopes import Function, find_scopes

__all__ = ["reference_constants"]

_AFTER = frozenset({"(", ".", "->", "[", "<", "::", "++", "--", "="})
_SIMPLE = re.compile(r"[\w.]+|::|[-+*/%,]")  # between the brackets of template arguments


@once_per_file
def reference_constants(file: TokenFile) -> Sequence[int]:
    """Tokens of the references in `reference.member` where a constant has to stand: in static_assert, if constexpr, the
    arguments of a template that is called, and the initialiser of a constexpr variable."""
    tokens, scopes = file.tokens, find_scopes(file)
    members = (
        index - 1
        for index in file.places(".")
        if 1 < index < len(tokens) - 2
        and tokens[index - 1].kind == tokens[index + 1].kind == Kind.IDENT
        and tokens[index - 2].text not in (".", "->", "::")
        and tokens[index + 2].text not in _AFTER
    )
    declared = [index for index in members if (f := scopes.at(index).function) and _is_reference(file, f, index)]
    if not declared:
        return []
    places = sorted(_places(file))
    return [index for index in declared if _is_within(places, index) or _is_argument(file, index)]


def _is_within(places: Sequence[tuple[int, int]], index: int) -> bool:
    at = bisect.bisect_right(places, (index, 1 << 60))
    return any(first <= index < last for first, last in places[max(at - 2, 0) : at])


def _places(file: TokenFile) -> Iterator[tuple[int, int]]:
    """Tokens [first, last) in which all values are constants."""
    tokens = file.tokens
    for index in file.places("static_assert"):
        if tokens[index + 1].text == "(":
            yield index + 2, file.partner(index + 1)
    for index in file.places("constexpr"):
        if tokens[index - 1].text == "if" and tokens[index + 1].text == "(":
            yield index + 2, file.partner(index + 1)
            continue
        end = next((k for k in range(index, len(tokens)) if tokens[k].text in (";", "{", "(", "=")), index)
        if tokens[end].text == "=":
            yield end + 1, next((k for k in range(end, len(tokens)) if tokens[k].text in (";", "{", "}")), end)


def _is_argument(file: TokenFile, index: int) -> bool:
    """Does it stand in `name<...>(`?"""
    tokens = file.tokens
    opening = next((k for k in range(index, 1, -1) if not _SIMPLE.fullmatch(tokens[k].text)), 1)
    if tokens[opening].text != "<" or tokens[opening - 1].kind != Kind.IDENT:
        return False
    end = template_end(file, opening, len(tokens))
    return index < end < len(tokens) and tokens[end].text == "("


def _is_reference(file: TokenFile, function: Function, index: int) -> bool:
    """Is what stands at `index` a parameter of the function, or a variable of its, that is declared as a reference?"""
    name, tokens = file.tokens[index].text, file.tokens
    for first, last in file.arguments(function.params[0]):
        equals = next((k for k in range(first, last) if tokens[k].text == "="), last)
        if equals > first + 1 and tokens[equals - 1].text == name:
            return tokens[equals - 2].text in ("&", "&&")
    before = (k for k in file.places(name) if function.body[0] < k < index and tokens[k + 1].text == "=")
    return any(tokens[k - 1].text in ("&", "&&") for k in before)
