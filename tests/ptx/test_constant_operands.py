"""Mnemonics that constants of a template complete: strings ("C") and numbers ("n")."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import Finding, Safety
from porter.toolchain import syntax_check
from tests.porting import port

NAMES = """#include <cuda_runtime.h>
template <class T> constexpr char type_name[] = "b8";
template <> constexpr char type_name<int>[4] = "s32";
template <> constexpr char type_name<unsigned>[] = {"u32"};
struct up { static constexpr char mode[] = ".rp"; };
struct even { static constexpr char mode[] = ".rn"; };
"""
LEAST = """template <class T> __device__ T least(T x, T y) {
  asm("min.%2 %0, %0, %1;" : "+r"(x) : "r"(y), "C"(type_name<T>));
  return x;
}
"""
SUM = """template <class M> __device__ float sum(float x, float y) {
  asm("add%3.f32 %0, %1, %2;" : "=f"(x) : "f"(x), "f"(y), "C"(M::mode));
  return x;
}
"""
LOAD = """template <int N> __device__ uint4 load(const void *p) {
  uint4 r;
  asm("ld.global.v%5.u32 {%0, %1, %2, %3}, [%4];" : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "l"(p), "n"(N * 2));
  return r;
}
"""
USES = """__global__ void k(int *p, float *f) {{
  p[0] = {call};
}}
"""


def ported(source: str, folder: Path) -> tuple[str, list[Finding]]:
    result = port(source, folder)
    return result.port, [finding for finding in result.findings if finding.needs_person]


@pytest.mark.parametrize(
    ("function", "call", "tests"),
    [
        (LEAST, "least(p[1], p[2]) + least(1u, 2u)", ['same_text(type_name<T>, "s32")', 'same_text(type_name<T>, "u32")']),
        (SUM, "sum<up>(f[0], f[1]) + sum<even>(f[0], f[1])", ['same_text(M::mode, ".rp")', 'same_text(M::mode, ".rn")']),
        (LOAD, "load<2>(f).y", ["if constexpr ((N * 2) == 4)"]),
    ],
)  # fmt: skip
def test_what_the_instantiation_decides_is_asked_there(
    function: str, call: str, tests: list[str], tmp_path: Path
) -> None:
    text, open_ = ported(NAMES + function + USES.format(call=call), tmp_path)
    assert not open_ and [test for test in tests if test in text] == tests and text.count("if constexpr") == len(tests)
    assert "} else {\n" in text and "porter::unsupported_ptx(" in text  # an instance that has no such instruction
    (tmp_path / "a.hip").write_text(text)
    assert syntax_check(tmp_path / "a.hip", runtime=True).passed


def test_several_instructions_and_constants_of_one_statement(tmp_path: Path) -> None:
    source = NAMES + """template <class A, class B, int K> __device__ int product(int a, int b) {
  asm("{.reg .%3 t; add.%3 t, %0, %1; mad.lo.%4 %0, t, %1, %2;}" : "+r"(a) : "r"(b), "n"(K), "C"(type_name<A>), "C"(type_name<B>));
  return a;
}
"""  # fmt: skip
    text, open_ = ported(source, tmp_path)
    assert not open_ and text.count("if constexpr") == 4
    assert 'if constexpr (porter::same_text(type_name<A>, "s32") && porter::same_text(type_name<B>, "u32"))' in text


@pytest.mark.parametrize("statement", ['asm("add.%1 %0, %0, %0;" : "+r"(x) : "C"(nobody_knows<T>));',
                                       'asm("unknown.%1 %0, %0, %0;" : "+r"(x) : "C"(type_name<T>));'])  # fmt: skip
def test_strings_that_are_not_known_are_left(statement: str, tmp_path: Path) -> None:
    source = f"{NAMES}template <class T> __device__ int f(int x) {{ {statement} return x; }}\n"
    _, open_ = ported(source, tmp_path)
    assert [finding.safety for finding in open_] == [Safety.LEFT]
