"""The rewriter, against the plainest implementation of the same rules."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import lex
from porter.port.edits.rewrite import rewrite, same_structure


def finding(*edits: Edit, start: int | None = None, end: int | None = None, rule: str = "r") -> Finding:
    low = min((e.start for e in edits), default=0) if start is None else start
    high = max((e.end for e in edits), default=0) if end is None else end
    return Finding(rule, low, high, Safety.EXACT, "", edits)


def test_apart() -> None:
    assert rewrite("abcdef", [finding(Edit(4, 5, "Y")), finding(Edit(1, 2, "X"))]).text == "aXcdYf"


def test_adjacent_edits_both_happen() -> None:
    assert rewrite("abcd", [finding(Edit(0, 2, "X")), finding(Edit(2, 4, "Y"))]).text == "XY"


def test_insertions_at_one_place_keep_their_order() -> None:
    assert rewrite("ab", [finding(Edit(1, 1, "1"), rule="a"), finding(Edit(1, 1, "2"), rule="b")]).text == "a12b"


def test_insertion_beside_a_replacement() -> None:
    assert (
        rewrite("abc", [finding(Edit(1, 2, "X")), finding(Edit(1, 1, "<")), finding(Edit(2, 2, ">"))]).text == "a<X>c"
    )


def test_all_or_none_of_a_finding() -> None:
    result = rewrite("abcdef", [finding(Edit(0, 4, "WIDE")), finding(Edit(3, 5, "x"), Edit(5, 6, "y"))])
    assert result.text == "WIDEef"
    assert [(f.safety, f.edits) for f in result.findings if f.start == 3] == [(Safety.LEFT, ())]
    assert "overlaps" in result.findings[1].message


def test_what_lies_inside_a_rewritten_site_is_covered() -> None:
    result = rewrite("f(a)", [finding(Edit(0, 4, "g()")), finding(Edit(2, 3, "b"))])
    assert result.text == "g()"
    assert len(result.findings) == 1


def test_holes_carry_the_edits_inside_them() -> None:
    outer = finding(Edit(0, 7, f"g({hole(5, 6)}, {hole(2, 3)})"))
    inner = finding(Edit(2, 3, "A"))
    assert rewrite("f(a, b)", [inner, outer]).text == "g(b, A)"
    assert rewrite("f(a, b)", [outer, inner]).text == "g(b, A)"


def test_holes_in_holes() -> None:
    text = "f(g(x, y), z)"
    outer = finding(Edit(0, 13, f"F({hole(11, 12)}, {hole(2, 9)})"))
    middle = finding(Edit(2, 9, f"G({hole(7, 8)}, {hole(4, 5)})"))
    assert rewrite(text, [outer, middle, finding(Edit(4, 5, "X"))]).text == "F(z, G(y, X))"


def test_a_hole_may_stand_twice() -> None:
    assert rewrite("f(a)", [finding(Edit(0, 4, f"{hole(2, 3)} + {hole(2, 3)}"))]).text == "a + a"


def test_a_finding_without_edits_survives() -> None:
    result = rewrite("abc", [replace(finding(start=1, end=2), safety=Safety.LEFT)])
    assert result.text == "abc" and len(result.findings) == 1


def test_same_edit_twice_is_one() -> None:
    assert rewrite("abc", [finding(Edit(1, 2, "X"), rule="a"), finding(Edit(1, 2, "X"), rule="b")]).text == "aXc"


def test_structure() -> None:
    assert same_structure(lex("f(a)"), "g(b, [])") == ""
    assert same_structure(lex("f(a)"), "g(b") != ""
    assert same_structure(lex("f(a"), "g(b") == ""
    assert same_structure(lex('f("(")'), 'g("))")') == ""


# --- against a reference -----------------------------------------------------------------------------

Site = tuple[int, int, str]


@st.composite
def flat_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """Edits that do not overlap; several may touch, or insert at the same place."""
    text = draw(st.text(alphabet="abc(\xe9\n", max_size=30))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=10)))
    edits = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        edits.append(Edit(start, end, draw(st.text(alphabet="XYZ", max_size=3))))
    return text, edits


@given(flat_edits(), st.randoms(use_true_random=False))
def test_flat_edits_like_the_reference(case: tuple[str, list[Edit]], random) -> None:  # type: ignore[no-untyped-def]
    text, edits = case
    expected, at = [], 0
    for edit in edits:
        expected += [text[at : edit.start], edit.text]
        at = edit.end
    expected.append(text[at:])
    findings = [finding(e, rule=str(i)) for i, e in enumerate(edits)]
    shuffled = findings[:]
    random.shuffle(shuffled)
    distinct_places = len({(e.start, e.end) for e in edits}) == len(edits) and not any(
        a.end == b.start and (a.start == a.end or b.start == b.end) for a in edits for b in edits if a is not b
    )
    assert rewrite(text, findings).text == "".join(expected) or not distinct_places
    if distinct_places:
        assert rewrite(text, shuffled).text == "".join(expected)
    result = rewrite(text, shuffled)
    assert all(f.safety is Safety.EXACT for f in result.findings) or not distinct_places


@st.composite
def call_tree(
    draw: st.DrawFn, depth: int = 0
) -> tuple[str, str, list[tuple[int, int, list[tuple[int, int]], list[int], str]]]:
    """A nest of calls, the text that reordering and renaming some of them gives, and those sites."""
    name = draw(st.sampled_from(["f", "gg", "hhh"]))
    if depth >= 3 or draw(st.booleans()):
        leaf = draw(st.sampled_from(["x", "yy", "(z)"]))
        renamed = draw(st.booleans()) and leaf != "(z)"
        sites = [(0, len(leaf), [], [], leaf.upper())] if renamed else []
        return leaf, leaf.upper() if renamed else leaf, sites  # type: ignore[return-value]
    arguments = [draw(call_tree(depth + 1)) for _ in range(draw(st.integers(1, 3)))]
    text, spans, sites = name + "(", [], []
    for number, (source, _, inner) in enumerate(arguments):
        text += ", " if number else ""
        begin = len(text)
        spans.append((begin, begin + len(source)))
        sites += [(a + begin, b + begin, [(p + begin, q + begin) for p, q in s], o, n) for a, b, s, o, n in inner]
        text += source
    text += ")"
    if not draw(st.booleans()):
        return text, f"{name}({', '.join(after for _, after, _ in arguments)})", sites  # type: ignore[return-value]
    order = draw(st.permutations(range(len(arguments))))
    kept = order[: draw(st.integers(1, len(order)))]
    sites.append((0, len(text), spans, list(kept), name.upper()))
    return text, f"{name.upper()}({', '.join(arguments[i][1] for i in kept)})", sites  # type: ignore[return-value]


@given(call_tree(), st.randoms(use_true_random=False))
def test_nested_calls_like_the_reference(case, random) -> None:  # type: ignore[no-untyped-def]
    text, expected, sites = case
    findings = []
    for start, end, spans, order, name in sites:
        new = f"{name}({', '.join(hole(*spans[i]) for i in order)})" if spans else name
        findings.append(finding(Edit(start, end, new)))
    random.shuffle(findings)
    result = rewrite("<" + text + ">", [shift(f, 1) for f in findings])
    assert result.text == "<" + expected + ">"
    assert all(f.safety is Safety.EXACT for f in result.findings)


def shift(f: Finding, by: int) -> Finding:
    edits = tuple(
        Edit(
            e.start + by,
            e.end + by,
            re.sub("\u27e6(\\d+):(\\d+)\u27e7", lambda m: hole(int(m[1]) + by, int(m[2]) + by), e.text),
        )
        for e in f.edits
    )
    return replace(f, start=f.start + by, end=f.end + by, edits=edits)


@st.composite
def any_findings(draw: st.DrawFn) -> tuple[str, list[Finding]]:
    """Anything at all, overlaps and holes out of place included."""
    text = draw(st.text(alphabet="abcdef", min_size=1, max_size=20))
    place = st.integers(0, len(text))
    findings = []
    for number in range(draw(st.integers(0, 6))):
        edits = []
        for _ in range(draw(st.integers(0, 3))):
            start, end = sorted((draw(place), draw(place)))
            new = draw(st.text(alphabet="XYZ", max_size=2))
            if draw(st.booleans()) and end > start:
                a, b = sorted((draw(st.integers(start, end)), draw(st.integers(start, end))))
                new += hole(a, b)
            edits.append(Edit(start, end, new))
        findings.append(finding(*edits, rule=str(number)))
    return text, findings


@given(any_findings())
def test_whatever_comes_the_rest_of_the_text_stays(case: tuple[str, list[Finding]]) -> None:
    text, findings = case
    result = rewrite(text, findings)
    assert "\u27e6" not in result.text
    touched = bytearray(len(text))
    for f in result.findings:
        for e in f.edits:
            touched[e.start : e.end] = b"\1" * (e.end - e.start)
    survivors = "".join(c for c, t in zip(text, touched, strict=True) if not t)
    rest = iter(result.text)
    assert all(c in rest for c in survivors)  # a subsequence, in order
    # the same findings, applied a second time to the same text, give the same
    assert rewrite(text, result.findings).text == result.text
