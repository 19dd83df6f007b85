"""Words of a build file with their places, and the edits that carry a Change over to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.buildfiles.flags import Change
from porter.findings import Edit, Finding

__all__ = ["Word", "closing", "findings_for", "shell_words", "unquote"]

_BLANK = re.compile(r"(?:[ \t\f\v\r\n]|\\\r?\n)+")
_OPERATOR = re.compile(r"&&|\|\||;;|[;|&<>()]")


@dataclass(frozen=True, slots=True)
class Word:
    value: str  # without surrounding quotes
    start: int
    end: int
    operator: bool = False


def unquote(raw: str) -> str:
    """The word without a pair of quotes around it; the word itself where quotes or escapes are inside."""
    if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'" and raw[0] not in raw[1:-1] and "\\" not in raw:
        return raw[1:-1]
    return raw


def closing(text: str, opening: int, end: int) -> int:
    """The offset past the bracket that closes text[opening], a '(' or '{'; `end` if none does."""
    pairs = {"(": ")", "{": "}"}
    open_char, close_char = text[opening], pairs[text[opening]]
    depth = 0
    for at in range(opening, end):
        if text[at] == open_char:
            depth += 1
        elif text[at] == close_char:
            depth -= 1
            if depth == 0:
                return at + 1
    return end


def shell_words(text: str, start: int, end: int, operators: bool) -> Iterator[Word]:
    """Words split at blanks and line splices; $(...) and quoted strings stay whole.

    With `operators`, the shell's `;`, `&&`, `|` ... are words of their own and `#` ends the line.
    """
    at = start
    while at < end:
        blank = _BLANK.match(text, at, end)
        if blank:
            at = blank.end()
            continue
        if operators:
            if text[at] == "#":
                newline = re.compile(r"(?<!\\)\r?\n").search(text, at, end)
                at = newline.end() if newline else end
                continue
            operator = _OPERATOR.match(text, at, end)
            if operator:
                yield Word(operator.group(), at, operator.end(), True)
                at = operator.end()
                continue
        begin = at
        at = _word_end(text, at, end, operators)
        yield Word(unquote(text[begin:at]), begin, at)


def _word_end(text: str, at: int, end: int, operators: bool) -> int:
    quote = ""
    while at < end:
        char = text[at]
        if char == "$" and at + 1 < end and text[at + 1] in "({":
            at = closing(text, at + 1, end)
            continue
        if char == "\\" and at + 1 < end and quote != "'":
            if text[at + 1] in "\r\n" and not quote:
                return at
            at += 2
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char.isspace() or (operators and _OPERATOR.match(text, at, end)):
            return at
        at += 1
    return end


def findings_for(text: str, words: Sequence[Word], changes: Sequence[Change], begin: int, end: int) -> list[Finding]:
    """One finding a change; begin and end bound the list that the words stand in."""
    findings: list[Finding] = []
    cursor = begin
    for change in changes:
        first, last = words[change.first], words[change.last - 1]
        edits: tuple[Edit, ...] = ()
        if change.words:
            edits = (_replace(text, first.start, last.end, " ".join(change.words)),)
        elif change.words is not None:
            before = words[change.first - 1].end if change.first else begin
            after = words[change.last].start if change.last < len(words) else end
            edits = (_delete(text, max(before, cursor), first.start, last.end, after, change.first == 0),)
        if edits:
            cursor = edits[0].end
        findings.append(Finding(change.rule, first.start, last.end, change.safety, change.message, edits))
    return findings


def _replace(text: str, start: int, end: int, new: str) -> Edit:
    """Only what differs: `-Xcompiler -Wall` loses its first word, and edits inside the second still apply."""
    old = text[start:end]
    same = 0
    while same < min(len(old), len(new)) and old[-1 - same] == new[-1 - same]:
        same += 1
    if same and new[len(new) - same :].lstrip("-").isalnum() and same != len(new):
        same = 0  # a common tail of two different flags says nothing
    return Edit(start, end - same, new[: len(new) - same])


def _delete(text: str, before: int, start: int, end: int, after: int, is_first: bool) -> Edit:
    lead, trail = text[before:start], text[end:after]
    alone = "\n" in lead and ("\n" in trail or not trail.strip())
    if is_first or ("\n" in lead and not alone):
        plain = "\n" not in trail
        return Edit(start, after if plain else end, "")
    return Edit(before, end, "")
