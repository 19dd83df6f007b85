"""A page of Markdown with a budget, and text in which nothing is markup by accident.

GitHub refuses a comment of more than 65,536 characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["ELSEWHERE", "LIMIT", "Page", "code", "cut", "plain"]

LIMIT = 60_000  # bytes of UTF-8, so at most as many characters
ELSEWHERE = "the JSON report (`--report FILE.json`) holds all of them"


class Page:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._base = 0

    def add(self, block: str, end: int = LIMIT) -> bool:
        """Append the block with a newline, unless the page would grow past `end`."""
        size = len(block.encode()) + 1
        end = self._base + end * (LIMIT - self._base) // LIMIT
        if self._size + size > end:
            return False
        self._parts.append(block + "\n")
        self._size += size
        return True

    def add_all(self, blocks: Iterable[str], end: int) -> int:
        """Append until one does not fit; returns how many did."""
        shown = 0
        for block in blocks:
            if not self.add(block, end):
                break
            shown += 1
        return shown

    def begin(self) -> None:
        """What is there already is no part of the budgets that follow: they shrink to what it leaves."""
        self._base = self._size

    def __str__(self) -> str:
        return "".join(self._parts)


def cut(text: str, length: int) -> str:
    """The text, shortened to `length` characters with an ellipsis at its end."""
    return text if len(text) <= length else text[: length - 1] + "\u2026"


def code(text: str, length: int = 300) -> str:
    """Code within a line or a table cell. Where a code span could not hold it, entities do."""
    text = cut(text, length)
    if text.strip() == text and text and not re.search(r"[`|\\]", text):
        return f"`{text}`"
    body = "".join(c if c.isalnum() or c == " " or c > "\x7f" else f"&#{ord(c)};" for c in text)
    return f"<code>{body}</code>"


def plain(text: str, length: int = 1500) -> str:
    """Prose in which nothing is markup but `code` between backticks."""
    parts = cut(text, length).split("`")
    if len(parts) % 2 == 0:  # an odd backtick is only a character
        return _escape("`".join(parts))
    return "".join(code(part) if i % 2 and part else _escape(part) for i, part in enumerate(parts))


def _escape(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*_{}\[\]|~])", r"\\\1", text)
    # GitHub reads these after Markdown does: a name would be notified, an issue linked, TeX set.
    text = re.sub(r"([@#])(?=\w)", r"\1<!-- -->", text)
    return text.replace("$", "<span>$</span>")
