"""Two timelines beside each other: differences by kind and by instruction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from porter.perf.timeline.kinds import Kind
from porter.perf.timeline.measures import Measures, Sums
from porter.perf.timeline.timeline import Timeline

__all__ = ["Comparison", "InstructionPair", "KindPair", "compare"]

_SAME = 0.9  # of the instructions with equal mnemonics: so many have equal texts where registers are the same


@dataclass(frozen=True, slots=True)
class KindPair:
    """Cycles and stalls of a kind, for each wave on average."""

    kind: Kind
    cycles: tuple[float, float]
    stall: tuple[float, float]

    @property
    def difference(self) -> float:
        return self.cycles[1] - self.cycles[0]


@dataclass(frozen=True, slots=True)
class InstructionPair:
    """An instruction of A and the same of B, by number; None where the other has none like it."""

    numbers: tuple[int | None, int | None]
    texts: tuple[str, str]
    sums: tuple[Sums, Sums]

    def each(self, side: int) -> tuple[float, float]:
        """Cycles and stall of an execution."""
        sums = self.sums[side]
        return (sums.cycles / sums.executions, sums.stall / sums.executions) if sums.executions else (0.0, 0.0)

    @property
    def difference(self) -> float:
        """Cycles that B takes more for an execution."""
        return self.each(1)[0] - self.each(0)[0]


@dataclass(frozen=True, slots=True)
class Comparison:
    kinds: tuple[KindPair, ...]
    instructions: tuple[InstructionPair, ...]
    waves: tuple[int, int]

    def largest(self) -> list[InstructionPair]:
        """Instructions by what their difference comes to for a wave, the largest first."""
        return sorted(self.instructions, key=lambda pair: -abs(self.for_a_wave(pair)))

    def for_a_wave(self, pair: InstructionPair) -> float:
        """Cycles that B spends more on it in a wave, on average."""
        return pair.sums[1].cycles / max(1, self.waves[1]) - pair.sums[0].cycles / max(1, self.waves[0])

    def tables(self) -> list[dict[str, Any]]:
        """Rows with their columns' names, as the page draws them."""
        instructions = [
            [pair.texts[0] or pair.texts[1], *_flat(pair.each(0), pair.each(1)), self.for_a_wave(pair)]
            for pair in self.largest()[:200]
        ]
        kinds = [
            [pair.kind.label, *_flat((pair.cycles[0], pair.stall[0]), (pair.cycles[1], pair.stall[1]))]
            for pair in self.kinds
        ]
        names = ["cycles A", "cycles B", "B - A", "stall A", "stall B", "B - A (stall)"]
        return [
            {
                "title": "differences by instruction",
                "columns": ["instruction", *(f"{name}, each" for name in names), "B - A, a wave"],
                "digits": [0, 1, 1, 1, 1, 1, 1, 0],
                "rows": instructions,
            },
            {
                "title": "differences by kind",
                "columns": ["kind", *(f"{name}, a wave" for name in names)],
                "digits": [0] * 7,
                "rows": kinds,
            },
        ]


def _flat(a: tuple[float, float], b: tuple[float, float]) -> list[float]:
    return [a[0], b[0], b[0] - a[0], a[1], b[1], b[1] - a[1]]


def compare(a: tuple[Timeline, Measures], b: tuple[Timeline, Measures]) -> Comparison:
    """The differences of B from A. Instructions are matched by their text in the order of the code."""
    sides = (a, b)
    waves = len(a[0].waves), len(b[0].waves)
    nothing = Sums()
    kinds = []
    for kind in Kind:
        own = [measures.kinds.get(kind, nothing) for _, measures in sides]
        if any(sums.cycles for sums in own):
            cycles, stall = (
                [getattr(sums, what) / max(1, n) for sums, n in zip(own, waves)] for what in ("cycles", "stall")
            )
            kinds.append(KindPair(kind, (cycles[0], cycles[1]), (stall[0], stall[1])))
    return Comparison(tuple(kinds), tuple(_instructions(a, b)), waves)


def _instructions(a: tuple[Timeline, Measures], b: tuple[Timeline, Measures]) -> list[InstructionPair]:
    ran = [sorted(measures.instructions) for _, measures in (a, b)]
    texts = [[timeline.instructions[n].text for n in own] for (timeline, _), own in zip((a, b), ran)]
    pairs = []
    for left, right in _matched(texts[0], texts[1]):
        numbers = (None if left is None else ran[0][left], None if right is None else ran[1][right])
        sums = tuple(Sums() if n is None else m.instructions[n] for n, (_, m) in zip(numbers, (a, b)))
        words = tuple("" if n is None else t.instructions[n].text for n, (t, _) in zip(numbers, (a, b)))
        pairs.append(InstructionPair(numbers, (words[0], words[1]), (sums[0], sums[1])))
    return pairs


def _matched(a: Sequence[str], b: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Places in both of what is the same, in order, and of what has no other.

    Instructions are the same whose texts are. Where few are, registers were given out in another way: then whose
    mnemonics are.
    """
    whole = SequenceMatcher(None, a, b, autojunk=False)
    names = [[text.split(None, 1)[0] for text in side] for side in (a, b)]
    by_name = SequenceMatcher(None, names[0], names[1], autojunk=False)
    if whole.ratio() < _SAME * by_name.ratio():
        return _pairs(by_name, range(len(a)), range(len(b)))
    pairs: list[tuple[int | None, int | None]] = []
    for tag, i1, i2, j1, j2 in whole.get_opcodes():
        if tag == "equal":
            pairs += zip(range(i1, i2), range(j1, j2))
        else:
            inner = SequenceMatcher(None, names[0][i1:i2], names[1][j1:j2], autojunk=False)
            pairs += _pairs(inner, range(i1, i2), range(j1, j2))
    return pairs


def _pairs(matcher: SequenceMatcher[str], a: range, b: range) -> list[tuple[int | None, int | None]]:
    """Of places that a matcher numbers from 0 on."""
    pairs: list[tuple[int | None, int | None]] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            pairs += zip(a[i1:i2], b[j1:j2])
        else:
            pairs += [(place, None) for place in a[i1:i2]]
            pairs += [(None, place) for place in b[j1:j2]]
    return pairs
