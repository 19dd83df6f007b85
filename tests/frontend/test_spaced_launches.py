"""Launches with blanks in their brackets, as formatters write them: nvcc takes them, and libclang is shown them without."""

from __future__ import annotations

from pathlib import Path

from porting import port

from porter.frontend.ast import ParseOptions, parse
from porter.frontend.spaced_launches import joined_texts

HEADER = "template <int N> __global__ void add(float *x, int n) { if (threadIdx.x < n) x[0] += N; }\n"
SOURCE = """\
#include "add.h"
void run(float *x, int n) {
  add<2> << < (n + 255) / 256, 256 >> > (x, n);
  add<3> <<\t<n, 64 >>>(x, n);
}
"""


def test_the_parse_has_no_errors_and_all_else_is_where_it_was(tmp_path: Path) -> None:
    (tmp_path / "add.h").write_text(HEADER)
    (tmp_path / "a.cu").write_text(SOURCE)
    ast = parse(tmp_path / "a.cu", tmp_path / "a.cu", ParseOptions())
    assert ast is not None and ast.errors == 0
    ((_, text),) = joined_texts([str(tmp_path / "a.cu"), str(tmp_path / "add.h"), str(tmp_path / "none.h")])
    assert len(text) == len(SOURCE) and b"<<<  (n + 255) / 256, 256 >>>  (x" in text and b"<<<\tn, 64 >>>(x" in text


def test_the_port_has_no_blanks_in_them(tmp_path: Path) -> None:
    made = port(HEADER + SOURCE.partition("\n")[2], tmp_path, parse=True)
    assert made.parser == "libclang" and "add<2> <<< (n + 255) / 256, 256 >>> (x, n);" in made.port
