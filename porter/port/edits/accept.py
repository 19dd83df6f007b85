"""Which findings a team has accepted: by `// porter: ignore[rule] reason` at a site, by rule, and by rule in some files.

An accepted site is ported as any other. It is counted and listed as accepted, with the reason; it needs no person, has no
comment in the port and does not fail a run.
"""

from __future__ import annotations

import bisect
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from porter.findings import Finding
from porter.frontend.lexer import TokenFile
from porter.frontend.unit import Options
from porter.port.leave_out import matches

__all__ = ["accept", "accept_in_build_file", "unused_comments"]

_COMMENT = re.compile(r"porter:\s*ignore\s*\[([^\]]*)\]\s*(.*?)\s*(?:\*/)?\s*\Z", re.DOTALL)
_HASH = re.compile(r"#.*?(porter:\s*ignore.*)")
_UNUSED = "porter: ignore[{}] accepts nothing: the rule finds nothing there"


def accept(file: TokenFile, path: Path, findings: Iterable[Finding], options: Options) -> list[Finding]:
    """The findings; accepted ones have the reason."""
    comments = _comments(file) if "porter:" in file.text else {}
    return [
        f if f.accepted else replace(f, accepted=_reason(file.position(f.start)[0], path, f, options, comments))
        for f in findings
    ]


def accept_in_build_file(
    text: str, path: Path, findings: Iterable[Finding], options: Options
) -> tuple[list[Finding], tuple[str, ...]]:
    """The findings of a file whose comments begin with #; accepted ones have the reason. and a note for
    each rule that a comment accepts where the rule has found nothing."""
    comments = _hash_comments(text) if "porter:" in text else {}
    placed = [(text.count("\n", 0, finding.start) + 1, finding) for finding in findings]
    accepted = [
        f if f.accepted else replace(f, accepted=_reason(line, path, f, options, comments)) for line, f in placed
    ]
    sites = {(line, finding.rule) for line, finding in placed}
    unused = tuple(
        f"line {place}: {_UNUSED.format(rule)}"
        for line, rules in comments.items()
        for rule, (_, place) in rules.items()
        if (line, rule) not in sites
    )
    return accepted, unused


def unused_comments(file: TokenFile, findings: Sequence[Finding]) -> tuple[str, ...]:
    """A note for each rule that a comment accepts where the rule has found nothing."""
    if "porter:" not in file.text:
        return ()
    sites = {(file.position(f.start)[0], f.rule) for f in findings}
    return tuple(
        f"line {file.position(start)[0]}: {_UNUSED.format(rule)}"
        for line, rules in _comments(file).items()
        for rule, (_, start) in rules.items()
        if (line, rule) not in sites
    )


def _reason(
    line: int, path: Path, finding: Finding, options: Options, comments: dict[int, dict[str, tuple[str, int]]]
) -> str:
    comment = comments.get(line, {}).get(finding.rule)
    if comment is not None:
        return comment[0] or "a comment in the source"
    if finding.rule in options.ignore:
        return "the rule is ignored"
    if options.select and finding.rule not in options.select:
        return "the rule is not selected"
    for pattern, rules in options.per_file_ignores:
        if finding.rule in rules and matches(path, (pattern,)):
            return f"the rule is ignored in {os.path.basename(pattern)}"
    return ""


def _hash_comments(text: str) -> dict[int, dict[str, tuple[str, int]]]:
    """By line, the rules that comments accept there: the reason, and the line of the comment. A comment alone in its line is
    for the next line that is no comment."""
    by_line: dict[int, dict[str, tuple[str, int]]] = {}
    lines = [line.strip() for line in text.split("\n")]
    for number, line in enumerate(lines, 1):
        comment = _HASH.search(line)
        match = _COMMENT.search(comment[1]) if comment else None
        if match is None:
            continue
        below = (n for n, other in enumerate(lines[number:], number + 1) if other and not other.startswith("#"))
        meant = next(below, number) if line.startswith("#") else number
        for rule in match[1].split(","):
            if rule.strip():
                by_line.setdefault(meant, {})[rule.strip()] = (" ".join(match[2].split()), number)
    return by_line


def _comments(file: TokenFile) -> dict[int, dict[str, tuple[str, int]]]:
    """By line, the rules that comments accept there: the reason, and where the comment is. A comment on lines of its own is
    for the next line with a token."""
    by_line: dict[int, dict[str, tuple[str, int]]] = {}
    starts = [token.start for token in file.tokens]
    for start, end in file.comments:
        match = _COMMENT.search(file.text[start:end])
        if match is None:
            continue
        line = file.position(start)[0]
        after = bisect.bisect_left(starts, start)
        if (after == 0 or file.position(file.tokens[after - 1].end - 1)[0] != line) and after < len(starts):
            line = file.position(starts[after])[0]
        for rule in match[1].split(","):
            if rule.strip():
                by_line.setdefault(line, {})[rule.strip()] = (" ".join(match[2].split()), start)
    return by_line
