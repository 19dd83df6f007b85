"""CMake's own syntax: commands and their arguments with byte offsets, after cmake-language(7)."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Argument", "Command", "genex_end", "lex_cmake"]


@dataclass(frozen=True, slots=True)
class Argument:
    """kind: bare, quoted, bracket, or a parenthesis of a condition: `(` or `)`. The value leaves quotes out."""

    kind: str
    value: str
    start: int
    end: int
    inner: int  # where the value begins

    @property
    def inner_end(self) -> int:
        return self.inner + len(self.value)


@dataclass(frozen=True, slots=True)
class Command:
    name: str  # in lower case: CMake does not tell cases apart
    start: int
    name_end: int
    end: int  # past the closing parenthesis
    arguments: tuple[Argument, ...]
    closed: bool = True

    @property
    def values(self) -> list[str]:
        return [a.value for a in self.arguments]


_BRACKET = re.compile(r"\[(=*)\[")
_NAME = re.compile(r"[A-Za-z_]\w*")
_SPACE = re.compile(r"[ \t\r\n\f\v]+")


def _skip(text: str, at: int) -> int:
    """Past blanks and comments, bracket comments included."""
    while at < len(text):
        space = _SPACE.match(text, at)
        if space:
            at = space.end()
        elif text[at] == "#":
            bracket = _BRACKET.match(text, at + 1)
            if bracket:
                close = text.find(f"]{bracket[1]}]", bracket.end())
                at = len(text) if close < 0 else close + len(bracket[1]) + 2
            else:
                newline = text.find("\n", at)
                at = len(text) if newline < 0 else newline + 1
        else:
            return at
    return at


def lex_cmake(text: str) -> list[Command]:
    """Every command; what is no command (a stray character) is stepped over."""
    commands: list[Command] = []
    at = 3 if text.startswith("\xef\xbb\xbf") else 0
    while True:
        at = _skip(text, at)
        if at >= len(text):
            return commands
        name = _NAME.match(text, at)
        if name is None:
            at += 1
            continue
        opening = _skip(text, name.end())
        if opening >= len(text) or text[opening] != "(":
            at = name.end()
            continue
        arguments, at, closed = _arguments(text, opening + 1)
        commands.append(Command(name.group().lower(), name.start(), name.end(), at, tuple(arguments), closed))


def _arguments(text: str, at: int) -> tuple[list[Argument], int, bool]:
    arguments_read: list[Argument] = []
    depth = 1
    while True:
        at = _skip(text, at)
        if at >= len(text):
            return arguments_read, at, False
        char = text[at]
        if char == "(":
            depth += 1
            arguments_read.append(Argument("(", "(", at, at + 1, at))
            at += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return arguments_read, at + 1, True
            arguments_read.append(Argument(")", ")", at, at + 1, at))
            at += 1
        elif char == '"':
            end = _quoted_end(text, at + 1)
            arguments_read.append(Argument("quoted", text[at + 1 : end], at, min(end + 1, len(text)), at + 1))
            at = min(end + 1, len(text))
        else:
            bracket = _BRACKET.match(text, at)
            if bracket:
                close = text.find(f"]{bracket[1]}]", bracket.end())
                stop = len(text) if close < 0 else close
                end = min(stop + len(bracket[1]) + 2, len(text))
                arguments_read.append(Argument("bracket", text[bracket.end() : stop], at, end, bracket.end()))
            else:
                end = _bare_end(text, at)
                arguments_read.append(Argument("bare", text[at:end], at, end, at))
            at = end


def _quoted_end(text: str, at: int) -> int:
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def _bare_end(text: str, at: int) -> int:
    """An unquoted argument; quotes inside it (`-Da="b c"`) and $(VAR) of a Makefile belong to it."""
    start = at
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
        elif char == '"' and at > start:
            at = _quoted_end(text, at + 1) + 1
        elif char == "$" and text[at + 1 : at + 2] == "(":
            close = text.find(")", at)
            at = len(text) if close < 0 else close + 1
        elif char.isspace() or char in '()#"':
            break
        else:
            at += 1
    return max(min(at, len(text)), start + 1)


def genex_end(text: str, at: int, end: int) -> tuple[int, int]:
    """For the `$<` at `at`: the offset of its colon (-1 if none) and of its closing `>` (-1 if none)."""
    depth, colon = 0, -1
    while at < end:
        if text.startswith("$<", at):
            depth += 1
            at += 2
            continue
        if text[at] == ">":
            depth -= 1
            if depth == 0:
                return colon, at
        elif text[at] == ":" and depth == 1 and colon < 0:
            colon = at
        at += 1
    return colon, -1
