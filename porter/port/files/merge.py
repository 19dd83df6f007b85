"""A merge of two changed versions of a text, line by line: what one side alone has changed is taken, the rest is marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.line_matches import matches, same_lines

__all__ = ["MARKS", "Merged", "conflict_lines", "merge"]

OURS, BASE, MIDDLE, THEIRS = MARKS = (
    b"<<<<<<< changed by hand", b"||||||| as porter wrote it before", b"=======", b">>>>>>> as porter writes it now",
)  # fmt: skip
Hunk = tuple[int, int, int, int]  # lines of the base, lines of the other text in their place


@dataclass(frozen=True, slots=True)
class Merged:
    """The text, how many places of it follow the first version alone, and how many are marked as conflicts."""

    data: bytes
    kept: int
    conflicts: int


def merge(base: bytes, ours: bytes, theirs: bytes) -> Merged:
    """Both versions' changes of the base. Where they overlap or touch and are not the same, both are there with marks."""
    before, mine, new = map(_lines, (base, ours, theirs))
    first, second = list(_hunks(before, mine)), list(_hunks(before, new))
    out: list[bytes] = []
    at = kept = conflicts = 0
    while first or second:
        start, end, a, b = _group(first, second)
        out += before[at:start]
        old = before[start:end]
        one, other = _side(mine, a, start, end), _side(new, b, start, end)
        at = end
        if not b:
            out += one
            kept += 1
        elif not a or one == other:
            out += other
        else:
            out += _conflict(old, one, other)
            conflicts += 1
    out += before[at:]
    return Merged(b"".join(out), kept, conflicts)


def conflict_lines(data: bytes) -> tuple[int, ...]:
    """The lines, from 1, at which marks of `merge` begin."""
    return tuple(number for number, line in enumerate(data.split(b"\n"), 1) if line.startswith(OURS))


def _lines(text: bytes) -> list[bytes]:
    """With their newlines. bytes.splitlines would end lines at a lone carriage return, too."""
    parts = text.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _group(first: list[Hunk], second: list[Hunk]) -> tuple[int, int, list[Hunk], list[Hunk]]:
    """Takes the next hunks of both sides that overlap or touch, with the lines of the base that they are of."""
    sides: tuple[list[Hunk], list[Hunk]] = ([], [])
    left = (first, second)
    begin = 0 if not second or (first and first[0][:2] <= second[0][:2]) else 1
    start, end = left[begin][0][:2]
    sides[begin].append(left[begin].pop(0))
    while True:
        more = [n for n in (0, 1) if left[n] and left[n][0][0] <= end]
        if not more:
            return start, end, *sides
        hunk = left[more[0]].pop(0)
        sides[more[0]].append(hunk)
        end = max(end, hunk[1])


def _side(lines: Sequence[bytes], hunks: Sequence[Hunk], start: int, end: int) -> list[bytes]:
    """What a side has in the place of these lines of the base; nothing that matters where it has no hunk."""
    if not hunks:
        return []
    first, last = hunks[0], hunks[-1]
    return list(lines[first[2] - (first[0] - start) : last[3] + (end - last[1])])


def _conflict(old: list[bytes], one: list[bytes], other: list[bytes]) -> list[bytes]:
    """Both versions with marks around them; what is the same at their ends stands outside."""
    head = same_lines(one, other)
    tail = same_lines(one[head:][::-1], other[head:][::-1])
    newline = b"\r\n" if any(line.endswith(b"\r\n") for line in (*one, *other)) else b"\n"
    parts = (one[head : len(one) - tail], old, other[head : len(other) - tail])
    marked: list[bytes] = []
    for mark, part in zip(MARKS, parts):
        marked += [mark + newline, *_ended(part, newline)]
    last = one[len(one) - tail :] if tail else []
    return [*_ended(one[:head], newline), *marked, THEIRS + newline, *last]


def _ended(lines: list[bytes], newline: bytes) -> list[bytes]:
    """With a newline at the end, so that a mark can follow."""
    return [*lines[:-1], lines[-1] + newline] if lines and not lines[-1].endswith(b"\n") else lines


def _hunks(base: Sequence[bytes], other: Sequence[bytes]) -> Iterator[Hunk]:
    """Where the two differ, in order; between two hunks there is a line that is the same at least."""
    at = to = 0
    for start, there, size in (*matches(base, other), (len(base), len(other), 0)):
        if start > at or there > to:
            yield at, start, to, there
        at, to = start + size, there + size
