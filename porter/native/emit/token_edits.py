"""Changes of a file by its tokens, as edits that leave no empty lines behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from porter.findings import Edit
from porter.frontend.lexer import TokenFile

__all__ = ["Change", "cuts", "replaced", "without"]


@dataclass(frozen=True, slots=True)
class Change:
    """Tokens `first` to `last` become `text`; without one they go."""

    first: int
    last: int
    text: str


def replaced(file: TokenFile, change: Change) -> Edit:
    return Edit(file.tokens[change.first].start, file.tokens[change.last].end, change.text)


def cuts(file: TokenFile, changes: Sequence[Change]) -> list[Edit]:
    """Removes tokens with the comments above them and the lines that they leave empty; neighbours as one."""
    text = file.text
    spans: list[list[int]] = []
    for start, end in sorted(_lines(file, c.first, c.last) for c in changes):
        if spans and not text[spans[-1][1] : start].strip():
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([start, end])
    for span in spans:
        if text[: span[0]].endswith(("\n\n", "{\n")):
            while text[span[1] : span[1] + 1] == "\n":
                span[1] += 1
    return [Edit(start, end, "") for start, end in spans]


def _lines(file: TokenFile, first: int, last: int) -> tuple[int, int]:
    text = file.text
    start, end = file.tokens[first].start, file.tokens[last].end
    if file.tokens[first].directive >= 0:
        directive = file.directives[file.tokens[first].directive]
        return directive.start, directive.end + 1
    if last + 1 < len(file.tokens) and file.tokens[last + 1].text == ";" and file.tokens[last].text == "}":
        end = file.tokens[last + 1].end
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():
        return start, end
    start = line
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if not text[above:start].lstrip().startswith("//"):
            break
        start = above
    rest = text.find("\n", end)
    if rest >= 0 and (not text[end:rest].strip() or text[end:rest].lstrip().startswith("//")):
        end = rest + 1
    return start, end


def without(text: str, edits: Sequence[Edit]) -> str:
    for edit in sorted(edits, key=lambda e: -e.start):
        text = text[: edit.start] + text[edit.end :]
    return text
