"""What differs within lines: pairs of lines, the changed words, and long lines cut around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

__all__ = ["Span", "Words", "around", "changed_words", "pairs"]

Span = tuple[int, int]

_WORD = re.compile(r"\w+|\s+|.")
_WORDS_COMPARED = 400  # of a line: longer ones are compared by their ends
_LINES_COMPARED = 40  # of one side
_LIKE = 0.4  # from this share in common on, a line became the other
_DOTS = "\u2026"


@dataclass(frozen=True, slots=True)
class Words:
    """The parts of a line before and after that differ, in order: of each the span before and the span after."""

    changes: tuple[tuple[Span, Span], ...]

    @property
    def before(self) -> list[Span]:
        """The spans that are gone."""
        return [old for old, _ in self.changes if old[0] < old[1]]

    @property
    def after(self) -> list[Span]:
        """The spans that are new."""
        return [new for _, new in self.changes if new[0] < new[1]]


@lru_cache(maxsize=256)
def changed_words(before: str, after: str) -> Words:
    """The words of a line that changed."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _WORDS_COMPARED:
        return _by_ends(before, after)
    starts = [_starts(words) for words in (old, new)]
    changes: list[tuple[Span, Span]] = []
    for what, a0, a1, b0, b1 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        spans = (starts[0][a0], starts[0][a1]), (starts[1][b0], starts[1][b1])
        if changes and not before[changes[-1][0][1] : spans[0][0]].strip():  # blanks between two changes are no word
            last = changes.pop()
            spans = (last[0][0], spans[0][1]), (last[1][0], spans[1][1])
        changes.append(spans)
    return Words(tuple(changes))


def _starts(words: Sequence[str]) -> list[int]:
    at, starts = 0, [0]
    for word in words:
        at += len(word)
        starts.append(at)
    return starts


def _by_ends(before: str, after: str) -> Words:
    """What is between the beginning and the end that both have."""
    shortest, head, tail = min(len(before), len(after)), 0, 0
    while head < shortest and before[head] == after[head]:
        head += 1
    while tail < shortest - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    spans = (head, len(before) - tail), (head, len(after) - tail)
    return Words((spans,) if before != after else ())


def pairs(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of lines of source and port, as indices, in order; lines that are unlike have none."""
    if not before or not after or max(len(before), len(after)) > _LINES_COMPARED:
        return []
    old, new = ([_triples(line) for line in lines] for lines in (before, after))
    like = [[_likeness(one, other) for other in new] for one in old]
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i in reversed(range(len(before))):
        for j in reversed(range(len(after))):
            both = best[i + 1][j + 1] + like[i][j] if like[i][j] >= _LIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], both)
    matched, i, j = [], 0, 0
    while i < len(before) and j < len(after):
        if like[i][j] >= _LIKE and best[i][j] == best[i + 1][j + 1] + like[i][j]:
            matched.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return matched


def _triples(line: str) -> frozenset[str]:
    """The runs of three characters of a line; of a shorter one itself."""
    line = line.strip()
    return frozenset(line[i : i + 3] for i in range(max(len(line) - 2, 1)))


def _likeness(before: frozenset[str], after: frozenset[str]) -> float:
    """The share that both lines have: names that became others are like them."""
    return 2 * len(before & after) / (len(before) + len(after))


def around(text: str, spans: Sequence[Span], width: int) -> tuple[str, list[Span]]:
    """A line of at most `width` characters with what of the spans is in it: around the first where it is longer."""
    if len(text) <= width:
        return text, list(spans)
    first = spans[0] if spans else (0, 0)
    room = max(width - (first[1] - first[0]), 0) // 2
    start = max(0, min(first[0] - room, len(text) - width + 1))
    end = min(len(text), start + width - (1 if start else 0) - 1)
    if start == 0:
        end = width - 1
    left, right = _DOTS * bool(start), _DOTS * (end < len(text))
    moved = len(left) - start
    kept = [(max(a, start) + moved, min(b, end) + moved) for a, b in spans if a < end and b > start]
    return f"{left}{text[start:end]}{right}", kept
