"""The characters of C++ string literals."""

from __future__ import annotations

import re

__all__ = ["unescape"]

_RAW = re.compile(r'(?:u8|u|U|L)?R"([^()\\\s"]{0,16})\((.*?)(?:\)\1"|\Z)', re.DOTALL)
_PLAIN = re.compile(r'(?:u8|u|U|L)?"')
_ESCAPE = re.compile(r"\\(?:[ \t]*(?:\r\n|\n|\r)|x[0-9A-Fa-f]+|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b"}


def unescape(literal: str) -> str:
    """The characters that a string literal stands for."""
    raw = _RAW.match(literal)
    if raw is not None:
        return raw[2]
    opening = _PLAIN.match(literal)
    at = opening.end() if opening else 0
    end = len(literal) - 1 if literal.endswith('"') and len(literal) > at else len(literal)
    return _ESCAPE.sub(_character, literal[at:end])


def _character(escape: re.Match[str]) -> str:
    body = escape[0][1:]
    if body[0] == "x" and len(body) > 1:
        return chr(int(body[1:], 16) & 0xFF)
    if body[0] in "01234567":
        return chr(int(body, 8) & 0xFF)
    if not body.strip(" \t\r\n"):  # a spliced line; a lone blank stays
        return body[0] if not body.strip(" \t") else ""
    return _SIMPLE.get(body[0], body[0])
