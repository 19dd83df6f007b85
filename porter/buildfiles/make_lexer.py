"""A Makefile as logical lines: assignments, rules, recipes, conditionals, with byte offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.buildfiles.words import closing

__all__ = ["Line", "lex_make", "top_level"]


@dataclass(frozen=True, slots=True)
class Line:
    """kind: assign, rule, recipe, conditional, define, endef, include or other. [start, end) leaves a comment out."""

    kind: str
    start: int
    end: int
    name: tuple[int, int] = (0, 0)  # the variable of an assignment
    op: str = ""
    value: tuple[int, int] = (0, 0)  # the value of an assignment, the prerequisites of a rule


_PHYSICAL = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_ASSIGN = re.compile(
    r"[ \t]*(?:(?:export|override|private)[ \t]+)*(?P<name>(?:[^\s:=#?+!$]|\$\([^()]*\)|\$\{[^{}]*\})+)"
    r"[ \t]*(?P<op>:::=|::=|:=|\?=|\+=|!=|=)"
)
_WORD = re.compile(r"[ \t]*([-\w]+)")
_CONDITIONAL = frozenset({"ifeq", "ifneq", "ifdef", "ifndef", "else", "endif"})


def lex_make(text: str) -> list[Line]:
    """The logical lines of a Makefile in order, with their byte offsets."""
    lines: list[Line] = []
    in_define = seen_rule = False
    prefix = "\t"
    for start, end in _logical(text):
        body = text[start:end]
        word = _WORD.match(body)
        first = word[1] if word else ""
        if in_define:
            if first == "endef":
                in_define = False
                lines.append(Line("endef", start, end))
            else:
                lines.append(Line("recipe", start, end))
            continue
        if body.startswith(prefix) and seen_rule and body.strip():
            lines.append(Line("recipe", start + 1, end))
            continue
        stop = _comment(text, start, end)
        if not text[start:stop].strip():
            continue
        line = _classify(text, start, stop, first)
        if line.kind == "define":
            in_define = True
        seen_rule = seen_rule or line.kind == "rule"
        if line.kind == "assign" and text[slice(*line.name)] == ".RECIPEPREFIX":
            prefix = text[slice(*line.value)].strip()[:1] or "\t"
        lines.append(line)
        if line.kind == "rule":
            semicolon = top_level(text, *line.value, ";")
            if semicolon >= 0:
                lines[-1] = Line("rule", line.start, semicolon, value=(line.value[0], semicolon))
                lines.append(Line("recipe", semicolon + 1, stop))
    return lines


def _logical(text: str) -> Iterator[tuple[int, int]]:
    """Spans of lines joined by a trailing backslash, without the final newline."""
    at, size = (3 if text.startswith("\xef\xbb\xbf") else 0), len(text)
    while at < size:
        start = at
        while True:
            line = _PHYSICAL.match(text, at)
            assert line is not None
            at = line.end()
            body = line.group().rstrip("\r\n")
            if at >= size or (len(body) - len(body.rstrip("\\"))) % 2 == 0:
                break
        end = at
        while end > start and text[end - 1] in "\r\n":
            end -= 1
        yield start, end


def _comment(text: str, start: int, end: int) -> int:
    """Where the comment of a line outside of recipes begins, else `end`."""
    at = start
    while at < end:
        if text[at] == "#" and (at == start or text[at - 1] != "\\"):
            return at
        at += 1
    return end


def _classify(text: str, start: int, end: int, first: str) -> Line:
    if first in _CONDITIONAL:
        return Line("conditional", start, end)
    if first == "define" and not _ASSIGN.match(text, start, end):
        return Line("define", start, end)
    if first in ("include", "sinclude", "-include"):
        return Line("include", start, end)
    assign = _ASSIGN.match(text, start, end)
    if assign:
        return _assignment(assign, end)
    colon = top_level(text, start, end, ":")
    if colon >= 0:
        after = colon + (2 if text[colon : colon + 2] == "::" else 1)
        specific = _ASSIGN.match(text, after, end)
        return _assignment(specific, end) if specific else Line("rule", start, end, value=(after, end))
    return Line("other", start, end)


def _assignment(match: re.Match[str], end: int) -> Line:
    return Line("assign", match.start(), end, match.span("name"), match["op"], (match.end(), end))


def top_level(text: str, start: int, end: int, char: str) -> int:
    """The offset of a character outside of references to variables; -1 without one."""
    at = start
    while at < end:
        if text[at] == "$" and at + 1 < end and text[at + 1] in "({":
            at = closing(text, at + 1, end)
        elif text[at] == char:
            return at
        else:
            at += 1
    return -1
