"""What is made of a compiler's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.cli.complaint import complain
from porter.cpp_library import has_system_cxx
from porter.errors import CompileError
from porter.toolchain import build
from porter.toolchain.messages import lacking_headers, refusals

SOURCE = """#include <hip/hip_runtime.h>
template <class T> __device__ T twice(T x) { return x + x.second; }
__global__ void k(int* p) {
  assert(p);
  p[0] = twice(3);
  nowhere();
}
int main() {
  int z[3];
  memset(z, 0, sizeof z);
  auto begin = std::chrono::steady_clock::now();
}
"""


def test_all_errors_are_told_with_their_notes_and_the_headers_they_need(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "wrong.hip"
    source.write_text(SOURCE)
    with pytest.raises(CompileError) as refused:
        build.device_assembly(source, build.Options())
    complain(refused.value)
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("porter: ") and "error: " in said[0]
    places = [
        line.split(": ")[0 if n else 1].removeprefix(f"{source}:").split(":")[0]
        for n, line in enumerate(said)
        if "error: " in line
    ]
    brought = not has_system_cxx()  # libc++, whose <cstring> and <chrono> come with HIP's headers
    assert sorted(places) == (["2", "4", "6"] if brought else ["10", "11", "2", "4", "6"])
    note = next(line for line in said if "note: in instantiation" in line)
    assert note.startswith(f"{source}:5:"), "the user's line"
    assert any(line.strip() == "5 |   p[0] = twice(3);" for line in said)
    assert brought or said[-1].strip() == (
        "add #include <cassert> for assert, #include <cstring> for memset, #include <chrono> for std::chrono, which HIP 7's "
        "headers do not bring; or compile with -include cassert -include cstring -include chrono (--flag for each word; "
        "FLAGS of a case)"
    )


def test_warnings_and_their_notes_are_left_out() -> None:
    text = """In file included from /t/a.hip:1:
/t/h.h:3:5: error: first
    3 | code: here
      | ^
/t/a.hip:9:2: note: in instantiation of function template
/t/a.hip:4:1: warning: unused variable
    4 | int x;
/t/a.hip:4:1: note: declared here
/t/a.hip:7:1: fatal error: 'lib.h' file not found
1 warning and 2 errors generated when compiling for gfx942.
"""
    assert refusals(text) == [
        [
            "In file included from /t/a.hip:1:",
            "/t/h.h:3:5: error: first",
            "    3 | code: here",
            "      | ^",
            "/t/a.hip:9:2: note: in instantiation of function template",
        ],
        ["/t/a.hip:7:1: fatal error: 'lib.h' file not found"],
    ]


@pytest.mark.parametrize(
    ("words", "header"),
    [
        ("use of undeclared identifier 'FLT_MAX'", "cfloat"),
        ("no type named 'mt19937' in namespace 'std'", "random"),
        ("no template named 'unique_ptr' in namespace 'std'", "memory"),
        ("no member named 'cout' in namespace 'std'; did you mean 'count'?", "iostream"),
        ("use of undeclared identifier 'mine'", ""),
        ("no member named 'chrono' in namespace 'mine'", ""),
    ],
)
def test_a_name_leads_to_its_header(words: str, header: str) -> None:
    fix = lacking_headers(f"/t/a.hip:3:5: error: {words}\n    3 | x\n")
    assert (f"#include <{header}>" in fix) if header else not fix
