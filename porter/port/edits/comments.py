"""The short comment that the port carries where a person must look."""

from __future__ import annotations

import bisect
from collections.abc import Iterator

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind, TokenFile, newline_of

__all__ = ["comment_edits"]


def comment_edits(file: TokenFile, findings: list[Finding]) -> list[tuple[Finding, Edit]]:
    """One comment a rule and line, and one for each thing that is left: above the line, or before the token where a line has
    no room above.

    What several lines of a file have to say is said above the first, with the number of the others.
    """
    lines: dict[tuple[str, str, bool], dict[int, Finding]] = {}
    seen: set[tuple[str, int, str]] = set()
    for finding in findings:
        line, _ = file.position(finding.start)
        key = (finding.rule, line, finding.message if finding.safety is Safety.LEFT else "")
        if finding.safety.needs_person and not finding.accepted and key not in seen:
            seen.add(key)
            lines.setdefault((finding.rule, finding.message, finding.compiled), {})[line] = finding
    result: list[tuple[Finding, Edit]] = []
    for (rule, message, _), places in lines.items():
        first, *others = sorted(places)
        more = f" (and {len(others)} more below)" if others else ""
        text = f"porter[{rule}]: {' '.join(message.split()).replace('*/', '* /')}{more}"
        edit = _comment(file, places[first], text)
        if edit is not None:
            result.append((places[first], edit))
    return sorted(result, key=lambda commented: commented[1].start)


def _comment(file: TokenFile, finding: Finding, text: str) -> Edit | None:
    """The comment for a site; None if the source has it already."""
    newline = newline_of(file.text)
    place = _line_above(file, finding.start)
    if place is None:
        if f"/* porter[{finding.rule}]" in file.text[max(0, finding.start - 400) : finding.start]:
            return None
        return Edit(finding.start, finding.start, f"/* {text} */ ")
    if any(f"porter[{finding.rule}]" in line for line in _comments_above(file.text, place)):
        return None
    indent_end = place
    while indent_end < len(file.text) and file.text[indent_end] in " \t":
        indent_end += 1
    indent = file.text[place:indent_end]
    return Edit(place, place, f"{indent}// {text}{newline}")


def _comments_above(text: str, place: int) -> Iterator[str]:
    """The line before a place, and those before it as long as all are comments of porter's."""
    line = "porter["
    while place > 0 and "porter[" in line:
        end = place
        while end > 0 and text[end - 1] in "\r\n":
            end -= 1
        place = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
        line = text[place:end]
        yield line


def _line_above(file: TokenFile, offset: int) -> int | None:
    """The start of the line that holds `offset`, if a line comment may stand there."""
    index = file.token_at(offset)
    start = offset
    if index < len(file.tokens) and file.tokens[index].directive >= 0:
        directive = file.directives[file.tokens[index].directive]
        if directive.name == "define" and file.position(directive.start)[0] != file.position(offset)[0]:
            return None  # a macro of several lines: stay with the token
        start = directive.start
    starts = file.line_starts()
    place = starts[bisect.bisect_right(starts, start) - 1]
    if place == 0 and file.text.startswith("\xef\xbb\xbf"):
        place = 3
    if any(a < place < b for a, b in file.comments):
        return None
    at = file.token_at(place)
    if at < len(file.tokens):
        token = file.tokens[at]
        if token.start < place and token.kind == Kind.STRING:
            return None
    return place
