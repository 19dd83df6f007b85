"""Applies edits to the original text: sorted spans, conflicts refused, holes filled.

An edit's text may contain holes: `hole(a, b)` stands for source[a:b] as *it* comes out of the
rewrite. A rule that must reorder the arguments of a call can so do it without disturbing the edits
of sites nested in those arguments. The marks of a hole lie outside of latin-1 and cannot occur in
source text (see findings.py).
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind, TokenFile, lex

__all__ = ["Rewritten", "breaks_structure", "rewrite", "same_structure"]

_HOLE = re.compile("\u27e6(\\d+):(\\d+)\u27e7")


class Rewritten:
    """The text after the edits, and the findings that took part (or were refused, as LEFT)."""

    __slots__ = ("findings", "text")

    def __init__(self, text: str, findings: list[Finding]) -> None:
        self.text = text
        self.findings = findings


def rewrite(text: str, findings: Sequence[Finding]) -> Rewritten:
    """Apply every finding's edits, or none of that finding's where they cannot be combined."""
    accepted = _Accepted()
    kept: list[Finding] = []
    # The widest site first: what lies inside an edit without a hole for it is covered by that edit.
    order = sorted(range(len(findings)), key=lambda i: (_begin(findings[i]), -findings[i].end, i))
    for index in order:
        finding = findings[index]
        # a finding without edits still yields to one that rewrites the text it speaks of
        site = Edit(finding.start, finding.end, "")
        verdict = accepted.try_all(finding.edits) if finding.edits else accepted.probe(site)
        if verdict == "ok":
            kept.append(finding)
        elif verdict == "conflict":
            kept.append(
                replace(
                    finding,
                    safety=Safety.LEFT,
                    edits=(),
                    message=f"{finding.message} (not applied: it overlaps the port of a neighbouring site)",
                )
            )
        # "covered": the enclosing edit rewrites this text altogether; its finding speaks for both
    kept.sort(key=lambda f: (f.start, f.end))
    return Rewritten(accepted.render(text), kept)


def _begin(finding: Finding) -> int:
    """Where a finding begins; what has no extent of its own is where its first edit is."""
    if finding.start < finding.end:
        return finding.start
    return min([finding.start, *(edit.start for edit in finding.edits)])


class _Accepted:
    """Edits taken so far, sorted by start; nested ones only inside holes."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self.keys: list[tuple[int, int]] = []
        self.widest = 0
        self.holes: list[tuple[int, int, int, int]] = []  # hole start, end, edit start, end

    def try_all(self, edits: Sequence[Edit]) -> str:
        fresh = [e for e in edits if e not in self.edits[slice(*self._near(e))]]
        for edit in fresh:
            verdict = self._fits(edit)
            if verdict != "ok":
                return verdict
        for edit in fresh:
            at = bisect.bisect_right(self.keys, (edit.start, edit.end))
            self.keys.insert(at, (edit.start, edit.end))
            self.edits.insert(at, edit)
            self.widest = max(self.widest, edit.end - edit.start)
            for hole in _HOLE.finditer(edit.text):
                self.holes.append((int(hole[1]), int(hole[2]), edit.start, edit.end))
        return "ok"

    def probe(self, edit: Edit) -> str:
        return "covered" if edit.start < edit.end and self._fits(edit) == "covered" else "ok"

    def _near(self, edit: Edit) -> tuple[int, int]:
        low = bisect.bisect_left(self.keys, (edit.start, -1))
        high = bisect.bisect_right(self.keys, (edit.start, edit.end))
        return low, high

    def _fits(self, edit: Edit) -> str:
        # Only edits that reach this one matter, and none of them starts further left than the widest is wide.
        low = bisect.bisect_left(self.keys, (edit.start - self.widest, -1))
        high = bisect.bisect_right(self.keys, (edit.end, 1 << 60))
        for other in self.edits[low:high]:
            if other.end <= edit.start or other.start >= edit.end:
                continue  # apart, or two insertions at one place: both, in order
            inside = other.start <= edit.start and edit.end <= other.end
            if inside and self._in_hole(edit, other):
                continue
            around = edit.start <= other.start and other.end <= edit.end
            if around and any(int(h[1]) <= other.start and other.end <= int(h[2]) for h in _HOLE.finditer(edit.text)):
                continue
            return "covered" if inside else "conflict"
        return "ok"

    def _in_hole(self, edit: Edit, other: Edit) -> bool:
        return any(
            (o_start, o_end) == (other.start, other.end) and start <= edit.start and edit.end <= end
            for start, end, o_start, o_end in self.holes
        )

    def render(self, text: str, start: int = 0, end: int | None = None) -> str:
        return self._render(text, start, len(text) if end is None else end, None, set())

    def _render(self, text: str, start: int, end: int, within: Edit | None, done: set[int]) -> str:
        """text[start:end] after the edits; an insertion on the border of a hole counts as inside, once."""
        parts: list[str] = []
        position = start
        at = bisect.bisect_left(self.keys, (start, -1))
        while at < len(self.edits) and self.edits[at].start <= end:
            edit = self.edits[at]
            if at not in done and edit is not within and position <= edit.start and edit.end <= end:
                done.add(at)
                parts.append(text[position : edit.start])
                parts.append(self._filled(text, edit, done))
                position = edit.end
            at += 1
        parts.append(text[position:end])
        return "".join(parts)

    def _filled(self, text: str, edit: Edit, done: set[int]) -> str:
        rendered: dict[tuple[int, int], str] = {}  # the same hole twice is the same text twice

        def fill(hole: re.Match[str]) -> str:
            span = int(hole[1]), int(hole[2])
            if span not in rendered:
                rendered[span] = self._render(text, *span, edit, done)
            return rendered[span]

        return _HOLE.sub(fill, edit.text)


def breaks_structure(text: str, finding: Finding) -> bool:
    """Would this finding's edits, alone, leave a bracket or an #if without its partner?"""
    if not finding.edits:
        return False
    start, end = min(e.start for e in finding.edits), max(e.end for e in finding.edits)
    accepted = _Accepted()
    accepted.try_all(finding.edits)
    return same_structure(lex(text[start:end]), accepted.render(text, start, end)) != ""


def same_structure(before: TokenFile, after_text: str) -> str:
    """Why the rewritten text is not well-formed where the original was; "" if it is."""
    after = lex(after_text)
    counts = [Counter(t.text for t in file.tokens if t.kind == Kind.PUNCT) for file in (before, after)]
    for opening, closing in (("(", ")"), ("{", "}"), ("[", "]")):
        if len({count[opening] - count[closing] for count in counts}) > 1:
            return f"unbalanced '{opening}{closing}'"
    if _conditionals(before) != _conditionals(after):
        return "unbalanced #if"
    return ""


def _conditionals(file: TokenFile) -> tuple[int, int]:
    """How many #if stay open at the end, and how many #else stand outside of any."""
    depth = stray = 0
    for directive in file.directives:
        if directive.name in ("if", "ifdef", "ifndef"):
            depth += 1
        elif directive.name == "endif":
            depth -= 1
        elif directive.name in ("else", "elif", "elifdef", "elifndef") and depth <= 0:
            stray += 1
    return depth, stray
