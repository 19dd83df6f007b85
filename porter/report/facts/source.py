"""Source text as a reader sees it: places in it, and the lines of a finding before and after.

Source text is latin-1 (one character a byte); shown text is read as UTF-8, with U+FFFD for invalid bytes and visible
signs for control characters. So no source can move a cursor, hide text or break a file format.
"""

from __future__ import annotations

import bisect
import contextlib
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from porter.findings import Edit, Finding
from porter.report.facts.edits import apart

__all__ = ["Change", "Changes", "Position", "SourceLines", "prose", "show", "unicode_text"]

LONG_LINE = 300  # a site further than this from the end of its line is shown with part of the line
PART = 160

# Control characters get their picture (ESC is U+241B); C1 and bidirectional controls, which can
# make code read as something that it is not, become U+FFFD.
_VISIBLE = {c: 0x2400 + c for c in range(32) if c != 9} | {127: 0x2421}
_VISIBLE |= dict.fromkeys([*range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD)
_NEWLINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Position:
    line: int  # 1-based
    column: int  # 1-based, in UTF-16 code units, as editors and SARIF count; a BOM does not count


@dataclass(frozen=True, slots=True)
class Change:
    """Whole lines, as they stand before and after the port; `after` is None where nothing changes."""

    line: int
    before: tuple[str, ...]
    after: tuple[str, ...] | None
    column: int = 0  # characters of the first line that are not shown, less the sign for them


def unicode_text(source: str) -> str:
    """Source text (one character a byte) as Unicode, exact but for bytes that are not UTF-8."""
    if source.isascii():
        return source
    try:
        return source.encode("latin-1").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return source  # text that no source holds, so it is Unicode already


def show(source: str) -> str:
    """Source text as a reader sees it."""
    return unicode_text(source).translate(_VISIBLE)


def prose(text: str) -> str:
    """A message on one line. Fragments of source that it quotes are read as UTF-8 where they are."""
    if not text.isascii():
        with contextlib.suppress(UnicodeError):  # raised by ordinary Unicode, which needs no reading
            text = text.encode("latin-1").decode("utf-8")
    # A file name that is not UTF-8 reaches us with surrogates, which no format can carry.
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return _NEWLINE.sub(" ", text).translate(_VISIBLE).strip()


class SourceLines:
    """Where an offset lies. Lines end as compilers see them: CRLF, LF or CR."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._starts = [0, *(m.end() for m in _NEWLINE.finditer(source))]
        self._digests: dict[int, str] = {}

    def line(self, offset: int) -> int:
        """0-based."""
        return bisect.bisect_right(self._starts, offset) - 1

    def start(self, line: int) -> int:
        return self._starts[line]

    def end(self, line: int) -> int:
        """Past the line's terminator."""
        return self._starts[line + 1] if line + 1 < len(self._starts) else len(self.source)

    def position(self, offset: int) -> Position:
        offset = max(0, min(offset, len(self.source)))
        line = self.line(offset)
        begin = self._starts[line]
        if line == 0 and self.source.startswith("\xef\xbb\xbf"):
            begin = 3
        before = unicode_text(self.source[begin:offset])
        return Position(line + 1, 1 + len(before) + sum(c > "\uffff" for c in before))

    def digest(self, line: int) -> str:
        """Of a line (1-based) without its white space, for fingerprints that outlive formatting."""
        if line not in self._digests:
            text = "".join(self.source[self.start(line - 1) : self.end(line - 1)].split())
            self._digests[line] = hashlib.sha256(text.encode("latin-1", "replace")).hexdigest()
        return self._digests[line]


class Changes:
    """Before and after of single findings. Edits of other findings that touch the same lines are
    shown too: a reader compares these lines with the port, where all of them are applied."""

    def __init__(self, lines: SourceLines, findings: Sequence[Finding]) -> None:
        self._lines = lines
        widest_first = sorted(findings, key=lambda f: (f.start, -f.end))  # as rewrite() applies them
        self._edits = apart(lines.source, [edit for finding in widest_first for edit in finding.edits])
        self._starts = [edit.start for edit in self._edits]

    def of(self, finding: Finding) -> tuple[Change, ...]:
        size = len(self._lines.source)
        if not finding.edits:
            start = min(finding.start, size)
            lo, hi = self._left(start), self._right(start, max(start, min(finding.end, size)))
            return (self._change(lo, hi, None),)
        windows: list[tuple[int, int]] = []
        for edit in sorted(finding.edits, key=lambda e: e.start):
            lo, hi = self._window(edit.start, edit.end)
            while windows and lo <= windows[-1][1]:
                previous = windows.pop()
                lo, hi = min(lo, previous[0]), max(hi, previous[1])
            windows.append((lo, hi))
        return tuple(self._change(lo, hi, self._within(lo, hi)) for lo, hi in windows)

    def _left(self, offset: int) -> int:
        begin = self._lines.start(self._lines.line(offset))
        if offset - begin <= LONG_LINE:
            return begin
        return _whole_character(self._lines.source, offset - PART)

    def _right(self, start: int, end: int) -> int:
        stop = self._lines.end(self._lines.line(end - 1 if end > start else end))
        if stop - end <= LONG_LINE:
            return stop
        return _whole_character(self._lines.source, end + PART)

    def _window(self, start: int, end: int) -> tuple[int, int]:
        """The lines around start..end, grown until no edit crosses their border."""
        source = self._lines.source
        while True:
            lo, hi = self._left(start), self._right(start, end)
            crossing = [edit for offset in (lo, hi) for edit in self._crossing(offset)]
            if crossing:
                start = min(start, *(edit.start for edit in crossing))
                end = max(end, *(edit.end for edit in crossing))
                continue
            after = _apply(source, lo, hi, self._within(lo, hi))
            if hi < len(source) and source[hi - 1 : hi] in ("\n", "\r") and after and after[-1] not in "\r\n":
                end = hi + 1  # the newline goes: the next line joins this one
                continue
            return lo, hi

    def _crossing(self, offset: int) -> list[Edit]:
        index = bisect.bisect_left(self._starts, offset) - 1
        return [self._edits[index]] if index >= 0 and self._edits[index].end > offset else []

    def _within(self, lo: int, hi: int) -> Sequence[Edit]:
        # An insertion at hi stands before the next line, unless there is none.
        last = hi + (hi == len(self._lines.source))
        return self._edits[bisect.bisect_left(self._starts, lo) : bisect.bisect_left(self._starts, last)]

    def _change(self, lo: int, hi: int, edits: Sequence[Edit] | None) -> Change:
        source, lines = self._lines.source, self._lines
        first = lines.line(lo)
        cut_left = lo > lines.start(first)
        cut_right = hi < len(source) and hi > lo and source[hi - 1] not in "\r\n"
        before = _display(source[lo:hi], cut_left, cut_right)
        column = len(unicode_text(source[lines.start(first) : lo])) - 1 if cut_left else 0
        if edits is None:
            return Change(first + 1, before, None, column)
        after = _display(_apply(source, lo, hi, edits), cut_left, cut_right)
        while len(before) > 1 and len(after) > 1 and before[0] == after[0]:
            before, after, first, column = before[1:], after[1:], first + 1, 0
        while len(before) > 1 and len(after) > 1 and before[-1] == after[-1]:
            before, after = before[:-1], after[:-1]
        return Change(first + 1, before, after, column)


def _apply(source: str, lo: int, hi: int, edits: Sequence[Edit]) -> str:
    pieces, at = [], lo
    for edit in edits:
        pieces += [source[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, source[at:hi]])


def _display(text: str, cut_left: bool, cut_right: bool) -> tuple[str, ...]:
    lines = _NEWLINE.split(text.removeprefix("\xef\xbb\xbf"))
    if lines[-1] == "":
        lines.pop()  # what follows the last terminator is the next line
    shown = [show(line) for line in lines]
    if shown and cut_left:
        shown[0] = "\u2026" + shown[0]
    if shown and cut_right:
        shown[-1] += "\u2026"
    return tuple(shown)


def _whole_character(source: str, offset: int) -> int:
    """Back to where the UTF-8 sequence that holds this offset begins."""
    for back in range(4):
        if not "\x80" <= source[offset - back] < "\xc0":
            return offset - back
    return offset
