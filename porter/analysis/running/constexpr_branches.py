"""Branches of `if constexpr` that no instance of their function takes.

libclang compiles a copy of the source in which each condition is an argument of porter_taken<...>(). Its attribute makes a
diagnostic of the value, in each instance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.frontend.lexer import TokenFile

__all__ = ["DECLARED", "NOT_TAKEN", "TAKEN", "Choice", "choices_of"]

TAKEN, NOT_TAKEN = "porter taken", "porter not taken"
DECLARED = (
    "template <bool B> __attribute__((host, device)) constexpr bool porter_taken() "
    f'__attribute__((diagnose_if(B, "{TAKEN}", "warning"))) '
    f'__attribute__((diagnose_if(!B, "{NOT_TAKEN}", "warning"))) {{ return B; }}\n'
)
_OPENS, _CLOSES = "porter_taken<bool(", ")>()"
_SEVERAL = frozenset({";", "=", "{", "["})  # of a condition that declares something, or holds a lambda or requirements


@dataclass(frozen=True, slots=True)
class Choice:
    """One `if constexpr`, by tokens (first, last)."""

    condition: tuple[int, int]
    then: tuple[int, int]
    otherwise: tuple[int, int] | None

    def marks(self, file: TokenFile) -> Iterator[tuple[int, str]]:
        """What is inserted at which offsets."""
        yield file.tokens[self.condition[0]].start, _OPENS
        yield file.tokens[self.condition[1]].end, _CLOSES


def choices_of(file: TokenFile) -> Iterator[Choice]:
    """Those outside of macros whose condition is one expression and whose branches are in braces."""
    tokens = file.tokens
    for at in file.places("constexpr"):
        opening = at + 1
        if tokens[at].directive >= 0 or tokens[at - 1].text != "if" or file.partner(opening) < opening + 2:
            continue
        first, last = opening + 1, file.partner(opening) - 1
        words = (tokens[k] for k in range(first, last + 1))
        if any(word.text in _SEVERAL or word.directive >= 0 for word in words):
            continue
        then = _block(file, last + 2)
        if then:
            behind = then[1] + 1
            has_else = behind < len(tokens) and tokens[behind].text == "else"
            yield Choice((first, last), then, _otherwise(file, behind + 1) if has_else else None)


def _block(file: TokenFile, at: int) -> tuple[int, int] | None:
    """The braces that open at a token."""
    if at >= len(file.tokens) or file.tokens[at].text != "{" or file.partner(at) < 0:
        return None
    return at, file.partner(at)


def _otherwise(file: TokenFile, at: int) -> tuple[int, int] | None:
    """What follows an `else`: a block, or the first block of another `if`; what comes behind that is another choice's."""
    tokens = file.tokens
    if at < len(tokens) and tokens[at].text == "if":
        opening = next((k for k in range(at, min(at + 3, len(tokens))) if tokens[k].text == "("), -1)
        block = _block(file, file.partner(opening) + 1) if opening >= 0 and file.partner(opening) > 0 else None
        if block is None:
            return None
        behind = block[1] + 1
        more = _otherwise(file, behind + 1) if behind < len(tokens) and tokens[behind].text == "else" else None
        return at, more[1] if more else block[1]
    return _block(file, at)
