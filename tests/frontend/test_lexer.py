"""The token view: what is a token, a comment, a directive, and where exactly it stands."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from porter.frontend.lexer import Kind, TokenFile, joined, lex, split_commas, template_end
from porter.frontend.scopes import find_scopes


def texts(file: TokenFile) -> list[str]:
    return [t.text for t in file.tokens]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(t.kind, t.text) for t in lex(text).tokens]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k<<<1, 2>>>(p);", ["k", "<<<", "1", ",", "2", ">>>", "(", "p", ")", ";"]),
        ("a->*b ... <=> ## ::", ["a", "->*", "b", "...", "<=>", "##", "::"]),
        ("x<<=1; y>>=2;", ["x", "<<=", "1", ";", "y", ">>=", "2", ";"]),
        ("1'000'000 0x1p-3f .5e+2 1.f 0b1'0", ["1'000'000", "0x1p-3f", ".5e+2", "1.f", "0b1'0"]),
        ('u8"a" L\'x\' R"(a"b)" LR"x(\n)x"', ['u8"a"', "L'x'", 'R"(a"b)"', 'LR"x(\n)x"']),
        ("\"a\\\"b\" '\\''", ['"a\\"b"', "'\\''"]),
        ("cuda\\\nMalloc", ["cudaMalloc"]),
        ("caf\xe9 $x _y", ["caf\xe9", "$x", "_y"]),
        ("a//b\nc", ["a", "c"]),
        ("a/* \n */b", ["a", "b"]),
        ("a // b \\\n still comment\nc", ["a", "c"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert texts(lex(text)) == expected


def test_unfinished_things_end_somewhere() -> None:
    assert kinds('"abc\nx') == [(Kind.STRING, '"abc'), (Kind.IDENT, "x")]
    assert kinds("'a\nx")[-1] == (Kind.IDENT, "x")
    assert lex("a /* never ends").comments == [(2, 15)]
    assert kinds('R"(never')[0][0] == Kind.STRING
    assert texts(lex("\\ @ ` \x00 \x7f")) == ["\\", "@", "`", "\x00", "\x7f"]


def test_directives() -> None:
    file = lex('#include <a/b.h> // c\n  # define F(x) \\\n   x\n#include "d.h"\r\nint a; #\n#\n#pragma once')
    assert [d.name for d in file.directives] == ["include", "define", "include", "", "pragma"]
    assert [t.text for t in file.tokens if t.kind == Kind.HEADER] == ["<a/b.h>", '"d.h"']
    define = file.directives[1]
    assert texts(file)[define.first : define.last] == ["F", "(", "x", ")", "x"]
    assert file.text[define.start : define.end] == "# define F(x) \\\n   x"
    assert all(t.directive == -1 for t in file.tokens if t.text in ("int", "a", ";"))


def test_byte_order_mark_is_no_token() -> None:
    file = lex("\xef\xbb\xbf#include <x>\nint y;")
    assert file.directives[0].name == "include"
    assert texts(file) == ["<x>", "int", "y", ";"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_positions(newline: str) -> None:
    file = lex(f"ab{newline}{newline}\tcd")
    assert [file.position(t.start) for t in file.tokens] == [(1, 1), (3, 2)]


def test_places() -> None:
    file = lex('a b "b" // b\n#if b\na c\n')
    assert list(file.places("b")) == [1, 3]
    assert list(file.places("c", "d", "a")) == [0, 4, 5]
    assert list(file.places("d")) == list(file.places()) == list(lex("").places("a")) == []
    assert set(file.texts()) == {"a", "b", '"b"', "c"}


def test_brackets() -> None:
    file = lex("f(a[1], {b, (c)}) ) (")
    assert file.partner(1) == texts(file).index("}") + 1
    assert [file.partner(len(file.tokens) - 1), file.partner(len(file.tokens) - 2)] == [-1, -1]
    # a bracket in a directive has nothing to do with one outside of it
    file = lex("(\n#define X )\n)")
    assert file.partner(0) == len(file.tokens) - 1
    file = lex("s = f(0xff( s, d);\n}\nint g() { h(1 2)); }")  # cut within a function: its end ends the call
    assert file.partner(texts(file).index("(")) == -1
    assert file.partner(texts(file).index("h") + 1) == texts(file).index("2") + 1


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("f()", []),
        ("f(a)", ["a"]),
        ("f(a, b + c(d, e), {1, 2})", ["a", "b + c(d, e)", "{1, 2}"]),
        ("f(g<int, 3>(a), b)", ["g<int, 3>(a)", "b"]),
        ("f(std::pair<int, T<2, 3>>{1, 2}, b)", ["std::pair<int, T<2, 3>>{1, 2}", "b"]),
        ("f(a < b, c > d)", ["a < b", "c > d"]),
        ("f(i < n ? x : y, j >> 1)", ["i < n ? x : y", "j >> 1"]),
        ("f(, a)", ["", "a"]),
        ("f([&](int a, int b) { return a, b; }, c)", ["[&](int a, int b) { return a, b; }", "c"]),
    ],
)
def test_arguments(call: str, expected: list[str]) -> None:
    file = lex(call)
    assert [file.source(*part) for part in file.arguments(1)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<int, 3>(x)", "<int, 3>"),
        ("a<b<c<int>>>(x)", "<b<c<int>>>"),
        ("a<(b > c), d[e > 1]>{}", "<(b > c), d[e > 1]>"),
        ("a<b; c>(d)", ""),
        ("a<b && c>(d)", ""),
        ("a<b>>(c)", ""),
        ("a<b", ""),
    ],
)
def test_template_arguments(text: str, expected: str) -> None:
    file = lex(text)
    end = template_end(file, 1, len(file.tokens))
    assert file.source(1, end) == expected
    assert (end == -1) == (not expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<b<1, 2>>(x)", ["b<1, 2"]),
        ("a<b<1, 2>, 3>(x)", ["b<1, 2>", "3"]),
        ("a<3, b<1, c<4, 5>>>(x)", ["3", "b<1, c<4, 5"]),
        ("a<(n < 1), 2>(x)", ["(n < 1)", "2"]),
    ],
)
def test_lists_of_template_arguments(text: str, expected: list[str]) -> None:
    """A `>>` that closes the last argument's own list, too, is a part of none."""
    file = lex(text)
    end = template_end(file, 1, len(file.tokens), known=True)
    assert [file.source(*part) for part in split_commas(file, 2, end - 1)] == expected


def test_template_parameters_may_have_defaults() -> None:
    file = lex("template<class T = float, bool B = (N > 2) && C> void f();")
    assert file.source(1, template_end(file, 1, len(file.tokens), parameters=True)).endswith("&& C>")
    assert template_end(file, 1, len(file.tokens)) == -1


@given(st.text(alphabet=st.characters(max_codepoint=0xFF), max_size=80))
@example('R"a(')
@example("#\\\n\\\r\n")
@example("'\\")
@example("/*/")
@example("a\\ \n\x0b b")
def test_tokens_and_gaps_are_the_text(text: str) -> None:
    file = lex(text)
    rebuilt, at = [], 0
    pieces = sorted([(t.start, t.end) for t in file.tokens] + file.comments)
    for start, end in pieces:
        assert at <= start < end <= len(text)
        rebuilt.append(text[at:start])
        rebuilt.append(text[start:end])
        at = end
    rebuilt.append(text[at:])
    assert "".join(rebuilt) == text
    for token in file.tokens:
        assert token.text.replace("\\", "") != "" or token.text == "\\"
        if token.kind == Kind.PUNCT:
            assert text[token.start : token.end] == token.text
    for offset in range(len(text) + 1):
        line, column = file.position(offset)
        assert line >= 1 and column >= 1
        index = file.token_at(offset)
        assert index == len(file.tokens) or file.tokens[index].end > offset
        assert index == 0 or file.tokens[index - 1].end <= offset
    for index in range(len(file.tokens)):
        partner = file.partner(index)
        assert partner == -1 or file.partner(partner) == index
    split_commas(file, 0, len(file.tokens))


CUDA_PIECES = st.sampled_from(
    ["__global__", "void", "k", "(", ")", "{", "}", "<", ">", "<<<", ">>>", ",", ";", "[", "]", "=", "template", "class",
     "struct", ":", "::", "->", "operator", "int", "__device__", "noexcept", "\n#define X ", "\n", "//c\n", "1", "try", "&"]
)  # fmt: skip


@given(st.lists(CUDA_PIECES, max_size=40))
def test_scopes_of_anything(pieces: list[str]) -> None:
    file = lex(" ".join(pieces))
    scopes = find_scopes(file)
    for index in range(len(file.tokens) + 1):
        scopes.at(index)
    for function in scopes.functions:
        assert 0 <= function.params[0] < function.params[1] < len(file.tokens)
        assert function.body == (-1, -1) or function.params[1] < function.body[0] < function.body[1]


_ENDS = [
    "",
    " ",
    "int a;",
    "f(a,",
    "#define A 1",
    "#if 1\n",
    "// c",
    "// c \\ ",
    "/* open",
    "/* c */",
    "x\\",
    '"a',
    'R"(open',
    'R"(a)"',
    "\xef\xbb\xbfint b;",
]


@given(st.lists(st.sampled_from(_ENDS) | st.text("ab(){}#\\\n\"'/* ", max_size=12), min_size=1, max_size=4))
def test_joined_files_are_those_of_their_text(pieces: list[str]) -> None:
    one, other = joined([lex(piece) for piece in pieces]), lex("\n".join(pieces))
    assert (one.text, one.tokens, one.comments, one.directives) == (
        other.text,
        other.tokens,
        other.comments,
        other.directives,
    )
