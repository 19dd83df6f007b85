"""Which words of a line changed, which line became which, and how long lines are cut."""

from __future__ import annotations

import pytest

from porter.report.facts.words import around, changed_words, pairs


def marked(line: str, spans: list[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        line = f"{line[:start]}[{line[start:end]}]{line[end:]}"
    return line


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        ("x = __any(p);", "x = porter::any(p);", "x = [__any](p);", "x = [porter::any](p);"),
        ("a(cudaX); b(cudaY);", "a(hipX); b(hipY);", "a([cudaX]); b([cudaY]);", "a([hipX]); b([hipY]);"),
        ("f(a, b);", "f(a);", "f(a[, b]);", "f(a);"),
        ("f(a);", "f(a, b);", "f(a);", "f(a[, b]);"),
        ("same", "same", "same", "same"),
        ("", "x", "", "[x]"),
        ("one two", "three four", "[one two]", "[three four]"),
    ],
)
def test_changed_words(before: str, after: str, old: str, new: str) -> None:
    words = changed_words(before, after)
    assert (marked(before, words.before), marked(after, words.after)) == (old, new)


def test_very_long_lines_are_compared_by_their_ends() -> None:
    words = changed_words("a " * 1000 + "b;" + " c" * 1000, "a " * 1000 + "d;" + " c" * 1000)
    assert words.before == words.after == [(2000, 2001)]


def test_lines_find_what_became_of_them() -> None:
    before = ["int a = __ballot(p);", "cudaFree(x);"]
    after = ["// a comment that porter wrote", "int a = porter::ballot(p);", "", "hipFree(x);"]
    assert pairs(before, after) == [(0, 1), (1, 3)]
    assert pairs(["asm(a, b);"], ["const bool p = 0;"]) == []
    assert pairs([], ["x"]) == pairs(["x"] * 41, ["x"]) == []


@pytest.mark.parametrize("at", [0, 3, 150, 290])
@pytest.mark.parametrize("width", [20, 80, 160])
def test_a_long_line_is_cut_around_its_change(at: int, width: int) -> None:
    text = "".join(chr(97 + i % 26) for i in range(at)) + "CHANGED" + "z" * (293 - at)
    cut, spans = around(text, [(at, at + 7)], width)
    assert len(cut) <= width
    assert [cut[start:end] for start, end in spans] == ["CHANGED"]
    assert cut.startswith("\u2026") or text.startswith(cut[:-1])
    assert cut.endswith("\u2026") or text.endswith(cut[1:])
    assert cut.strip("\u2026") in text


def test_a_short_line_stays_and_a_span_that_is_too_long_is_cut() -> None:
    assert around("short", [(0, 5)], 5) == ("short", [(0, 5)])
    cut, spans = around("x" * 50, [(10, 40)], 20)
    assert len(cut) <= 20 and spans == [(1, len(cut) - 1)]
