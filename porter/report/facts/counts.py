"""How many sites were ported how, and how many sites for a person need none after all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from porter.findings import Finding, Safety

__all__ = [
    "ACCEPTED",
    "ASIDE_WORDS",
    "LABELS",
    "NOT_CALLED",
    "NOT_COMPILED",
    "PERSON",
    "SAFETY_WORDS",
    "Counts",
    "counts_of",
    "person_words",
    "plural",
    "why_aside",
]

SAFETY_WORDS = {
    Safety.EXACT: "ported exactly",
    Safety.HINT: "ported, made for NVIDIA's chips",
    Safety.SLOWER: "ported slower",
    Safety.REVIEW: "ported, for review",
    Safety.LEFT: "left",
    Safety.ERROR: "does not compile",
}
HEADLINE_WORDS = {
    Safety.EXACT: "exact",
    Safety.HINT: "hints",
    Safety.SLOWER: "slower",
    Safety.REVIEW: "for review",
    Safety.LEFT: "left",
    Safety.ERROR: "errors",
}
LABELS = {
    Safety.EXACT: "Exact",
    Safety.HINT: "Hint",
    Safety.SLOWER: "Slower",
    Safety.REVIEW: "For review",
    Safety.LEFT: "Left",
    Safety.ERROR: "Error",
}
PERSON = (Safety.ERROR, Safety.LEFT, Safety.REVIEW)  # what needs a person, the worst first
_ALWAYS = (Safety.EXACT, Safety.SLOWER, Safety.REVIEW, Safety.LEFT)  # have a column in every table
NOT_COMPILED, NOT_CALLED, ACCEPTED = "not_compiled", "not_called", "accepted"  # why a site needs no person
ASIDE_WORDS = {
    NOT_COMPILED: "in code that is not compiled",
    NOT_CALLED: "in headers' code that nothing here reaches",
    ACCEPTED: "accepted",
}


def why_aside(finding: Finding) -> str:
    """Why it needs no person though its safety says so; "" where it does, or its safety does not say so."""
    if not finding.safety.needs_person:
        return ""
    if finding.accepted:
        return ACCEPTED
    return "" if finding.needs_person else NOT_CALLED if finding.compiled else NOT_COMPILED


@dataclass(frozen=True, slots=True)
class Counts:
    numbers: Mapping[tuple[Safety, str], int] = field(default_factory=dict)  # by safety, and why it needs no person

    @property
    def sites(self) -> int:
        return sum(self.numbers.values())

    def of(self, safety: Safety) -> int:
        return sum(count for (one, _), count in self.numbers.items() if one is safety)

    def aside(self, why: str, *safeties: Safety) -> int:
        """Sites of these safeties, of any where none is given, that need no person for a reason."""
        return sum(self.numbers.get((safety, why), 0) for safety in safeties or PERSON)

    @property
    def shown(self) -> tuple[Safety, ...]:
        """The safeties that a table has a column for."""
        return tuple(safety for safety in Safety if safety in _ALWAYS or self.of(safety))

    @property
    def open(self) -> int:
        """Sites that need a person."""
        return sum(map(self.open_of, PERSON))

    def open_of(self, safety: Safety) -> int:
        """Those of them with one safety."""
        return self.numbers.get((safety, ""), 0)

    @property
    def person(self) -> int:
        """Sites whose safety needs a person."""
        return sum(map(self.of, PERSON))

    @property
    def headline(self) -> str:
        """How many sites were ported how, without counts of zero."""
        counted = ((self.of(safety), words, self._aside(safety)) for safety, words in HEADLINE_WORDS.items())
        parts = ", ".join(f"{count:,} {_one(words, count)}{aside}" for count, words, aside in counted if count)
        return f"{plural(self.sites, 'site')}{': ' if parts else ''}{parts}"

    def _aside(self, safety: Safety) -> str:
        counted = ((self.numbers.get((safety, why), 0), words) for why, words in ASIDE_WORDS.items())
        parts = ", ".join(f"{count:,} {words}" for count, words in counted if count)
        return f" ({parts})" if parts else ""


def counts_of(findings: Iterable[tuple[Safety, Finding]]) -> Counts:
    """Of findings, each with the safety that a report gives it."""
    counts: dict[tuple[Safety, str], int] = {}
    for safety, finding in findings:
        key = safety, why_aside(finding) if safety.needs_person else ""
        counts[key] = counts.get(key, 0) + 1
    return Counts(counts)


def plural(count: int, word: str) -> str:
    """The count with its word, which gets an s unless there is one: `2 sites`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _one(words: str, count: int) -> str:
    return words.removesuffix("s") if count == 1 and words in ("hints", "errors") else words


def person_words(counts: Counts) -> str:
    """How many sites need a person: `3 sites, 1 of them in code that is not compiled`."""
    words = plural(counts.person, "site")
    asides = ((counts.aside(why), words_for) for why, words_for in ASIDE_WORDS.items())
    return words + "".join(f", {count:,} of them {words_for}" for count, words_for in asides if count)
