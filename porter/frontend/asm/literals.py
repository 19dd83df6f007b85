"""The characters of C++ string literals."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["decode", "unescape"]

_RAW = re.compile(r'(?:u8|u|U|L)?R"([^()\\\s"]{0,16})\((.*?)(?:\)\1"|\Z)', re.DOTALL)
_PLAIN = re.compile(r'(?:u8|u|U|L)?"')
_ESCAPE = re.compile(r"\\(?:[ \t]*(?:\r\n|\n|\r)|x[0-9A-Fa-f]+|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b"}


def decode(literal: str) -> Iterator[tuple[str, int]]:
    """The characters of a string literal, each with its offset in the literal's source."""
    raw = _RAW.match(literal)
    if raw is not None:
        for offset, char in enumerate(raw[2], raw.start(2)):
            yield char, offset
        return
    opening = _PLAIN.match(literal)
    at = opening.end() if opening else 0
    end = len(literal) - 1 if literal.endswith('"') and len(literal) > at else len(literal)
    while at < end:
        escape = _ESCAPE.match(literal, at) if literal[at] == "\\" else None
        if escape is None:
            yield literal[at], at
            at += 1
            continue
        body = escape.group()[1:]
        if body[0] == "x" and len(body) > 1:
            yield chr(int(body[1:], 16) & 0xFF), at
        elif body[0] in "01234567":
            yield chr(int(body, 8) & 0xFF), at
        elif not body.strip(" \t\r\n"):
            if body[0] in " \t" and body.strip(" \t") == "":
                yield body[0], at
        else:
            yield _SIMPLE.get(body[0], body[0]), at
        at = escape.end()


def unescape(literal: str) -> str:
    return "".join(char for char, _ in decode(literal))
