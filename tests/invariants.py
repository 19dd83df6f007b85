"""What holds for every port, whatever the source: nothing outside the edits changes, and no site is dropped without a word."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from porter.findings import FilePort, FileStatus, Finding, Safety, decode
from porter.frontend.lexer import Kind, lex

__all__ = ["RUBBISH", "SOURCES", "check", "pieces_of", "text_of"]

GOLDEN = Path(__file__).resolve().parent / "golden"
SOURCES = sorted(p for p in GOLDEN.glob("*/in/**/*") if p.suffix in (".cu", ".cuh", ".cpp", ".h", ".hpp"))
RUBBISH = ["\x01", "\xff", "\xe9", "\\", '"', "'", "/*", "*/", "//", "\n#", "R\"(", "(", ")", "{", "}", "<<<", ">>>", "\r", "\x0c",
           "asm(", "__shfl_sync(", "cudaMalloc(", "warpSize", "__launch_bounds__(", "#if 0\n", "#endif\n", "template <"]  # fmt: skip


@cache
def text_of(path: Path) -> str:
    return decode(path.read_bytes())


@cache
def pieces_of(path: Path) -> list[str]:
    """The tokens with the white space and comments before them: joined they are the file."""
    text, at, pieces = text_of(path), 0, []
    for token in lex(text).tokens:
        pieces.append(text[at : token.end])
        at = token.end
    return [*pieces, text[at:]]


def check(result: FilePort, text: str) -> None:
    if result.status is FileStatus.FAILED:
        # what an edit drops may hold a bracket without its partner; never where all brackets match
        assert "well-formed" in result.problem and not balanced(text), result.problem
        return
    assert result.source == text
    nothing_outside_the_edits_changed(result)
    strings_and_comments_stay(result)
    for finding in result.findings:
        assert 0 <= finding.start <= finding.end <= len(text)
        assert finding.message and finding.rule
        assert not (finding.safety is Safety.LEFT and _ports(finding, text)), finding


def balanced(text: str) -> bool:
    file = lex(text)
    return all(file.partner(i) >= 0 for i, t in enumerate(file.tokens) if t.kind == Kind.PUNCT and t.text in "()[]{}")


def _ports(finding: Finding, text: str) -> bool:
    """Does it change anything but add a comment? Inline PTX that is left becomes a marked stub."""
    if finding.rule.startswith(("ptx-", "asm-")):
        return False
    return any(
        e.start != e.end and e.text.strip() != text[e.start : e.end].strip() and "porter[" not in e.text
        for e in finding.edits
    )


def nothing_outside_the_edits_changed(result: FilePort) -> None:
    edits = sorted({(e.start, e.end, e.text) for f in result.findings for e in f.edits})
    if not any("\u27e6" in text for _, _, text in edits):
        expected, at = [], 0
        # insertions at one place keep the order of their findings; here only their sum counts
        for start, end, text in edits:
            assert start >= at, "edits overlap"
            expected += [result.source[at:start], text]
            at = end
        expected.append(result.source[at:])
        made = "".join(expected)
        assert made == result.port or sorted(made) == sorted(result.port)
        return
    kept, at = [], 0
    for start, end, _ in edits:
        if start >= at:
            kept.append(result.source[at:start])
        at = max(at, end)
    kept.append(result.source[at:])
    position = 0
    for piece in kept:
        place = result.port.find(piece, position)
        assert place >= 0, piece
        position = place + len(piece)


def strings_and_comments_stay(result: FilePort) -> None:
    before, after = lex(result.source), lex(result.port)

    def strings(file) -> list[str]:  # type: ignore[no-untyped-def]
        return [t.text for t in file.tokens if t.kind in (Kind.STRING, Kind.CHAR)]

    if not re.search(r"\basm\b|__asm", result.source):
        # the port may add comments, and drop those within what it replaces
        replaced = [(e.start, e.end) for f in result.findings for e in f.edits]
        # kernels in strings are ported in place, and so are the options of their compiler
        if any(f.rule == "kernel-text" for f in result.findings) or re.search(r"\bnvrtc", result.source):
            literals = (t for t in before.tokens if t.kind in (Kind.STRING, Kind.CHAR))
            same = [t.text for t in literals if not any(a < t.end and t.start < b for a, b in replaced)]
            there = iter(strings(after))
            assert all(text in there for text in same)
        else:
            assert strings(after) == strings(before)
        expected = [c for c in before.comments if not any(a <= c[0] and c[1] <= b for a, b in replaced)]
        kept = iter([after.text[a:b] for a, b in after.comments])
        for a, b in expected:
            text = before.text[a:b]
            ended = b < len(before.text)  # one that nothing ends takes what is written behind it
            assert any(text == one or (not ended and one.startswith(text)) for one in kept), text
