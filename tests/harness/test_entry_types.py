"""Types of an entry's parameters where a header that declares them is not there: clang takes int for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.harness.building.build import build_library, entry_of
from porter.harness.cases.case import load_case
from porter.harness.cases.entry import SignatureError

SOURCE = """
#include "elements.cuh"
typedef lib::bf16 element;
struct Matrix { element *data; int rows; Matrix *next; };
struct Known { float *data; int rows; Known *next; };
extern "C" void directly(lib::bf16 *x, int n) {}
void renamed(const element *x, int n) {}
void in_a_struct(Matrix x) {}
void known(Known x, float *y) {}
"""


@pytest.mark.parametrize("name", ["", "renamed", "in_a_struct"])
def test_a_type_that_clang_does_not_know_is_none_of_int(tmp_path: Path, name: str) -> None:
    (tmp_path / "kernels.cu").write_text(SOURCE)
    with pytest.raises(SignatureError, match="the type of parameter x is not known") as caught:
        entry_of(tmp_path / "kernels.cu", name)
    assert caught.value.fix == "name the folders of elements.cuh in INCLUDES"


def test_what_cannot_be_named_for_want_of_a_header(tmp_path: Path) -> None:
    (tmp_path / "kernels.cu").write_text(SOURCE)
    with pytest.raises(SignatureError, match="no function directly that can be called") as caught:
        entry_of(tmp_path / "kernels.cu", "directly")
    assert caught.value.fix == "name the folders of elements.cuh in INCLUDES"
    known = entry_of(tmp_path / "kernels.cu", "known")
    assert [p.dtype for p in known.parameters] == ["float32", "", "", "float32"]


def test_a_name_that_a_header_has_too(tmp_path: Path) -> None:
    (tmp_path / "lib.cuh").write_text("namespace lib { inline float product(float a, float b) { return a * b; } }\n")
    source = '#include "lib.cuh"\nusing namespace lib;\nvoid product(const float *a, float *b, int n) {}\n'
    (tmp_path / "kernels.cu").write_text(source)
    with pytest.raises(SignatureError, match="product is also the name of something else") as caught:
        entry_of(tmp_path / "kernels.cu", "product")
    assert caught.value.fix.startswith('say ENTRY = "product(const float *, float *, int)"')
    entry = entry_of(tmp_path / "kernels.cu", "product(const float *, float *, int)")
    assert [p.name for p in entry.parameters] == ["a", "b", "n"]


def test_halves_of_clangs_own(tmp_path: Path) -> None:
    """cindex has no name for their kind of type."""
    source = "struct Half { _Float16 data; };\nvoid halves(_Float16 *x, const _Float16 *y, Half *z, Half *w) {}\n"
    (tmp_path / "halves.cu").write_text(source + "void value(_Float16 x) {}\nvoid record(Half x) {}\n")
    entry = entry_of(tmp_path / "halves.cu", "halves")
    assert [p.dtype for p in entry.parameters] == ["float16", "float16", "", ""]
    for name in ("value", "record"):
        with pytest.raises(SignatureError, match=r"parameter x .*: the harness cannot make such a value"):
            entry_of(tmp_path / "halves.cu", name)


def test_a_port_that_needs_no_such_header_says_what_its_parameters_are(tmp_path: Path) -> None:
    original = '#include "elements.cuh"\nextern "C" int copy(const lib::bf16 *x, lib::bf16 *y, int n) { return 0; }\n'
    port = """\
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
namespace lib { using bf16 = __hip_bfloat16; }
extern "C" int copy(const lib::bf16 *x, lib::bf16 *y, int n) { return 0; }
"""
    (tmp_path / "copy.cu").write_text(original)
    (tmp_path / "copy.hip").write_text(port)
    (tmp_path / "case.py").write_text("SHAPES = [dict(n=1)]\ndef inputs(n): return {}\ndef reference(): return {}\n")
    case = load_case(tmp_path / "case.py")
    library = build_library(case, "port", "emulator")
    assert [p.dtype for p in library.entry.parameters] == ["bfloat16", "bfloat16", ""]
    (tmp_path / "copy.hip").unlink()
    with pytest.raises(SignatureError, match=r"copy\.cu: copy: the type of parameter x is not known"):
        build_library(load_case(tmp_path / "case.py"), "port", "emulator")
