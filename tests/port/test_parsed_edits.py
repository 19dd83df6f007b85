"""Edits that write a type are tried by a parse of the port as HIP, without --build."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import FilePort, Safety
from porter.frontend.unit import Options
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain import find_toolchain, syntax_check

CHECKED = pytest.mark.skipif(find_toolchain().hip_headers is None, reason="no HIP headers")

MEMBER_TYPES = """#include <cstdint>
#include <cuda.h>
template <int B> struct arg { using type = unsigned; };
template <int B> struct gl { gl(float *, typename arg<B>::type, size_t) {} };
namespace boxes { using word = unsigned; struct pair { word a, b; }; }
struct of_odd_types { decltype(0u) a; std::uint32_t b; };
#define TWICE(a) {a, a}
#define SAME(a) a
#define ONE_OF(n) unsigned from_body[1] = {n * sizes}
void f(float *p, const int n, int sizes) {
  using G = gl<8>;
  G g{p, n, n};
  boxes::pair pair{n, n};
  of_odd_types odd{n, n};
  cuuint64_t shape[2] = {n, n};
  unsigned twice[2] = TWICE(n), same[1] = {SAME(n)};
}
"""


def converted(folder: Path, **texts: str) -> tuple[FilePort, ...]:
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text)
    conversion = Conversion(Options(runtime="include"))
    todo = plan([folder], folder.parent / f"{folder.name}-port", False, conversion)
    return tuple(run_jobs(todo.jobs, conversion, 1))


def of(port: FilePort, rule: str) -> list[tuple[Safety, str]]:
    return [(f.safety, port.source[f.start : f.end]) for f in port.findings if f.rule == rule]


@CHECKED
def test_casts_name_types_that_are_known_at_the_value(tmp_path: Path) -> None:
    (port,) = converted(tmp_path, a_cu=MEMBER_TYPES)
    assert {safety for safety, _ in of(port, "narrowing")} == {Safety.EXACT}
    assert "G g{p, static_cast<unsigned int>(n), static_cast<size_t>(n)};" in port.port
    assert "of_odd_types odd{static_cast<unsigned int>(n), static_cast<std::uint32_t>(n)};" in port.port
    made = tmp_path / "a.hip"
    made.write_text(port.port)
    assert not syntax_check(made, runtime=True).errors


@CHECKED
def test_a_cast_that_the_port_refuses_is_taken_back(tmp_path: Path) -> None:
    source = """typedef unsigned word;
struct one { word a; };
void right(int n) { one o{n}; }
void wrong(int n) {
  int word = n;
  one o{word};
}
__global__ void k() {}
"""
    (port,) = converted(tmp_path, a_cu=source)
    assert of(port, "narrowing") == [(Safety.EXACT, "n"), (Safety.LEFT, "word")]
    assert "one o{static_cast<word>(n)};" in port.port
    assert "  // porter[narrowing]: " in port.port and "\n  one o{word};\n" in port.port
    (left,) = (f for f in port.findings if f.safety is Safety.LEFT)
    assert "HIP's compiler says: " in left.message and left.edits


@CHECKED
@pytest.mark.parametrize("line", ["one o{word}; two t{n};", "two t{n}; one o{word};", "both b{n, word};"])
def test_the_other_casts_of_its_line_stay(line: str, tmp_path: Path) -> None:
    source = f"""typedef unsigned word;
struct one {{ word a; }};
struct two {{ unsigned b; }};
struct both {{ unsigned b; word a; }};
void f(int n) {{ int word = n; {line} }}
__global__ void k() {{}}
"""
    (port,) = converted(tmp_path, a_cu=source)
    assert sorted(of(port, "narrowing"), key=str) == [(Safety.EXACT, "n"), (Safety.LEFT, "word")]
    assert "static_cast<unsigned int>(n)" in port.port


@CHECKED
def test_a_header_is_tried_in_its_unit(tmp_path: Path) -> None:
    """A macro of the unit hides the name of the type in the header."""
    header = "struct one { size_t a; };\n#define size_t (1 +)\ninline void f(int n) { one o{n}; }\n#undef size_t\n"
    header += "__device__ inline int warp() { return __any_sync(~0u, 1); }\n"
    ports = converted(tmp_path, a_cu='#include "b.cuh"\n__global__ void k() {}\n', b_cuh=header)
    (port,) = (port for port in ports if port.path.endswith(".cuh"))
    assert of(port, "narrowing") == [(Safety.LEFT, "n")]


def test_other_errors_of_a_line_take_nothing_back(tmp_path: Path) -> None:
    source = "struct one { unsigned a; };\nvoid f(int n) { one o{n}; of_a_missing_header(n); }\n"
    (port,) = converted(tmp_path, a_cu=source + "__global__ void k() {}\n")
    assert of(port, "narrowing") == [(Safety.EXACT, "n")]


@CHECKED
def test_a_unit_without_its_headers_takes_nothing_back(tmp_path: Path) -> None:
    source = """#include "missing.h"
#include <cuda.h>
void f(CUdeviceptr p, int n) { check(cuMemAlloc(&p, n)); check(later(p + n)); }
"""
    (port,) = converted(tmp_path, a_cu=source)
    assert {safety for safety, _ in of(port, "handle-as-number")} == {Safety.EXACT}


def test_what_no_cast_fits_is_left(tmp_path: Path) -> None:
    source = """template <class T> void each(int n) { T two[2] = {n, 1}; }
template <class T> void alone(int n) { T two[2] = {n, 1}; unsigned one[1] = {n}; }
#define BOX(a) unsigned box[1] = {a + count}
__global__ void k() {}
void f(int n, int count) {
  each<unsigned>(n);
  each<size_t>(n);
  alone<unsigned>(n);
  BOX(n);
}
"""
    (port,) = converted(tmp_path, a_cu=source)
    assert [(f.safety, f.message) for f in port.findings if f.rule == "narrowing"] == [
        (
            Safety.LEFT,
            "clang refuses a value that may not fit its place in braces: cast it to unsigned int or unsigned long",
        ),
        (
            Safety.REVIEW,
            "clang refuses a value that may not fit its place in braces: the cast says that it does; "
            "the template's instances in this unit want unsigned int, others may not",
        ),
        (Safety.EXACT, "clang refuses a value that may not fit its place in braces: the cast says that it does"),
        (
            Safety.LEFT,
            "clang refuses a value that may not fit its place in braces: cast it to unsigned int in the macro",
        ),
    ]
