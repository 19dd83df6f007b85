"""Lines that two versions of a text have both, in the same order."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

__all__ = ["matches", "same_lines"]

_SMALL = 400  # lines of a gap for which difflib is quick whatever they are
Lines = Sequence[bytes] | Sequence[str]


def same_lines(a: Lines, b: Lines) -> int:
    """How many lines are the same from the top on."""
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count


def matches(a: Lines, b: Lines, x: int = 0, y: int = 0) -> list[tuple[int, int, int]]:
    """Blocks of the same lines in both, in order and joined: where each begins in both, counted from x and y, and its length.

    Ends come first, then lines that each side has once, then difflib. difflib alone takes the square of a header's length
    where most lines stand there a hundred times.
    """
    head = same_lines(a, b)
    tail = same_lines(a[head:][::-1], b[head:][::-1])
    inner_a, inner_b = a[head : len(a) - tail], b[head : len(b) - tail]
    blocks = [(x, y, head)] if head else []
    if inner_a and inner_b:
        blocks += _inner(inner_a, inner_b, x + head, y + head)
    if tail:
        blocks.append((x + len(a) - tail, y + len(b) - tail, tail))
    joined: list[tuple[int, int, int]] = []
    for start, there, size in blocks:
        if joined and joined[-1][0] + joined[-1][2] == start and joined[-1][1] + joined[-1][2] == there:
            joined[-1] = (*joined[-1][:2], joined[-1][2] + size)
        else:
            joined.append((start, there, size))
    return joined


def _inner(a: Lines, b: Lines, x: int, y: int) -> list[tuple[int, int, int]]:
    anchors = _anchors(a, b)
    if not anchors:
        if max(len(a), len(b)) > _SMALL:
            return []  # all of it counts as changed
        matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
        return [(x + i, y + j, size) for i, j, size in matcher.get_matching_blocks() if size]
    blocks: list[tuple[int, int, int]] = []
    i = j = 0
    for p, q in (*anchors, (len(a), len(b))):
        blocks += matches(a[i:p], b[j:q], x + i, y + j)
        if p < len(a):
            blocks.append((x + p, y + q, 1))
        i, j = p + 1, q + 1
    return blocks


def _anchors(a: Lines, b: Lines) -> list[tuple[int, int]]:
    """The longest run in the same order among the lines that both have exactly once."""
    once_a, once_b = Counter(a), Counter(b)
    places = {line: n for n, line in enumerate(b) if once_b[line] == 1}
    pairs = [(n, places[line]) for n, line in enumerate(a) if once_a[line] == 1 and line in places]
    ends: list[int] = []  # the smallest place that a run of each length ends at
    chain: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(chain[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        chain[length : length + 1] = [index]
    pairs_apart: list[tuple[int, int]] = []
    index = chain[-1] if chain else -1
    while index >= 0:
        pairs_apart.append(pairs[index])
        index = before[index]
    return pairs_apart[::-1]
