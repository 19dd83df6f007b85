"""The text of string literals that stand side by side, and where each of its characters stands in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from porter.frontend.asm.literals import unescape

__all__ = ["LiteralText", "literal_text"]

_RAW = re.compile(r'(?:u8)?R"([^()\\\s"]{0,16})\(')
_PLAIN = re.compile(r'(?:u8)?"')
_PART = re.compile(r"\\[ \t]*(?:\r\n|\n|\r)|\\x[0-9A-Fa-f]+|\\[0-7]{1,3}|\\.|.", re.DOTALL)
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


@dataclass(frozen=True, slots=True)
class _Piece:
    first: int  # of its characters, in the text
    start: int  # in the file, of what is between its quotes
    end: int
    closing: str  # what ends a raw literal; "" where it is an ordinary one


@dataclass(frozen=True)
class LiteralText:
    """`places` has where each character begins in the file, and the end of the last one."""

    text: str
    places: tuple[int, ...]
    ends: tuple[int, ...]
    pieces: tuple[_Piece, ...]

    def place(self, offset: int) -> int:
        """Where the character at an offset begins in the file."""
        return self.places[offset] if offset < len(self.places) else self.pieces[-1].end

    def end(self, offset: int) -> int:
        """Where the character before an offset ends in the file."""
        return self.ends[offset - 1] if 0 < offset <= len(self.ends) else self.place(offset)

    def spelled(self, text: str, first: int, last: int) -> str | None:
        """`text` as it is written in the place of the characters [first, last); None where one literal cannot hold it: what it
        replaces begins in a raw literal and ends in an ordinary one, or it would end the literal."""
        opening, ending = self._piece(first), self._piece(max(first, last - 1))
        if opening.closing != ending.closing:
            return None
        if opening.closing:
            return None if opening.closing in text else text
        return "".join(_ESCAPES.get(letter, letter) for letter in text)

    def _piece(self, offset: int) -> _Piece:
        return self.pieces[max(0, bisect_right([piece.first for piece in self.pieces], offset) - 1)]


def literal_text(source: str, literals: Sequence[tuple[int, int]]) -> LiteralText | None:
    """What the literals at these places of the source stand for together; None where one is of wide characters."""
    text: list[str] = []
    places: list[int] = []
    ends: list[int] = []
    pieces: list[_Piece] = []
    for start, end in literals:
        raw, plain = _RAW.match(source, start, end), _PLAIN.match(source, start, end)
        if raw is not None:
            closing = f'){raw[1]}"'
            piece = _Piece(len(text), raw.end(), end - len(closing), closing)
            parts = [(source[at], at, at + 1) for at in range(piece.start, piece.end)]
        elif plain is not None:
            piece = _Piece(len(text), plain.end(), end - 1, "")
            parts_found = _PART.finditer(source, piece.start, piece.end)
            parts = [
                (unescape(f'"{part[0]}"') if part[0][0] == "\\" else part[0], *part.span()) for part in parts_found
            ]
        else:
            return None
        pieces.append(piece)
        for letters, at, behind in parts:
            for letter in letters:
                text.append(letter)
                places.append(at)
                ends.append(behind)
    return LiteralText("".join(text), tuple(places), tuple(ends), tuple(pieces))
