"""Calls that clang 18 takes for ambiguous by the `const` of a value."""

from __future__ import annotations

from pathlib import Path

from porter.frontend.ast import ParseOptions, parse

CONCEPTS = """
template <typename T> concept Tile = requires { T::rows; };
template <typename T> concept Square = Tile<T> && T::rows == T::columns;
struct Block { static constexpr int rows = 4, columns = 4; };
template <class T> struct Box { T held; };
"""
CONST = """
template <Square T> int f(T &to, const int *const p, Box<const int *> const b, int const v) { return 1; }
template <Tile T> int f(T &to, const int *p, Box<const int *> b, int v = 0) { return 2; }
int called(Block b, int *p) { return f(b, p, {p}, 1); }
"""


def errors_and_text(folder: Path, text: str) -> tuple[int, str]:
    """The parser's errors, and the text without what was left out."""
    (folder / "a.cu").write_text(text)
    ast = parse(folder / "a.cu", folder / "a.cu", ParseOptions((), (), "c++20", ""))
    assert ast is not None
    for start, end in sorted(ast.ambiguous_consts(), reverse=True):
        text = text[:start] + text[end:]
    return ast.errors, text


def test_the_const_of_values_and_no_other_is_left_out(tmp_path: Path) -> None:
    first = "f(T &to, const int *p, Box<const int *> b, int v) { return 1; }"
    meant = CONST.replace("f(T &to, const int *const p, Box<const int *> const b, int const v) { return 1; }", first)
    assert errors_and_text(tmp_path, CONCEPTS + CONST) == (0, CONCEPTS + meant)


def test_a_call_that_stays_ambiguous_is_an_error(tmp_path: Path) -> None:
    unlike = CONCEPTS + CONST.replace("<Tile T>", "<class T> requires(T::columns > 1)")
    assert errors_and_text(tmp_path, unlike) == (1, unlike)
