"""Preprocessor lines within asm statements, and macros with several definitions that statements use."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import Safety
from porter.frontend.asm.statements import find_asm
from porter.frontend.lexer import lex
from porter.toolchain import syntax_check
from tests.porting import port

DEFINED_INSIDE = """__device__ void product(float (&d)[8], unsigned long long a, unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7}, %8, %9, 1, 1, 1, 0, 0;"
#define R4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
               : R4(0), R4(4)
#undef R4
               : "l"(a), "l"(b));
}
#define R4(i) "=r"(r[i])
__device__ void load(unsigned (&r)[2], const unsigned *p) {
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : R4(0), R4(1) : "l"(p));
}
"""


def test_a_macro_that_is_defined_inside(tmp_path: Path) -> None:
    result = port(DEFINED_INSIDE, tmp_path)
    assert not [f for f in result.findings if f.safety is Safety.LEFT]
    assert "d[0], d[0 + 1], d[0 + 2], d[0 + 3], d[4], d[4 + 1], d[4 + 2], d[4 + 3]" in result.port
    assert "r[0] = v.x;" in result.port and "r[1] = v.y;" in result.port
    inside = result.port[: result.port.index("r[i]")]
    assert inside.count("\n#define R4(i) ") == 2 and inside.count("\n#undef R4\n") == 1


CHOICES = """__device__ int chosen(int *p, int x) {
  asm("add.s32 %0, %1, "
#ifdef TWO
      "2"
#else
      "%2"
#endif
      ";" : "=r"(x) : "r"(x)
#ifndef TWO
      , "r"(3)
#endif
  ); x += 1;
  asm volatile(
#if SIZE > 4
      "st.global.u32 [%0], %1;" :: "l"(p), "r"(x)
#elif SIZE == 4
      "st.global.u16 [%0], %1;" :: "l"(p), "h"((short)x)
#endif
      : "memory");
  return x;
}
"""
CHOSEN = """__device__ int chosen(int *p, int x) {
#if defined(TWO)
  x = uint32_t(x) + 2;
#else
  x = uint32_t(x) + 3;
#endif
 x += 1;
#if (SIZE > 4)
  porter::st<uint32_t>(porter::global(p), x);
#elif (SIZE == 4)
  porter::st<uint16_t>(porter::global(p), (short)x);
#endif
  return x;
}
"""


def test_conditions_choose_operands(tmp_path: Path) -> None:
    result = port(CHOICES, tmp_path)
    assert {f.safety for f in result.findings} == {Safety.EXACT}
    assert result.port.endswith(CHOSEN)
    made = tmp_path / "a.hip"
    made.write_text(result.port)
    for defines in (("TWO", "SIZE=8"), ("SIZE=4",)):
        assert not syntax_check(made, runtime=True, defines=defines).errors


def test_conditions_choose_instructions(tmp_path: Path) -> None:
    source = """__device__ int f(int a, int b) {
  asm(
#if FIRST
      "add.s32"
#elif defined(SECOND)
      "sub.s32"
#else
      "mul.lo.s32"
#endif
      " %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
"""
    result = port(source, tmp_path)
    assert "#if (FIRST)\n" in result.port and "#elif (defined(SECOND))\n" in result.port and "#else\n" in result.port
    assert not [f for f in result.findings if f.safety is Safety.LEFT]


@pytest.mark.parametrize(
    "inside",
    [
        '"=r"(x)\n#if A\n#if B\n, "=r"(y)\n#endif\n#endif\n',  # conditions in conditions
        '"=r"(x)); asm(\n#if A\n"add.u32 %0, %1 1;" : "=r"(x)\n#else\n"mov.u32 %0, 1;" : "=r"(y)\n#endif\n',
        '"=r"(a[\n#if A\n1\n#else\n2\n#endif\n])',
    ],
)
def test_what_is_left(inside: str, tmp_path: Path) -> None:
    result = port(f'__device__ void f(int x, int y) {{\n  asm("mov.u32 %0, 1;" : {inside});\n}}\n', tmp_path)
    assert [f.rule for f in result.findings if f.safety is Safety.LEFT] in (["ptx-unread"], ["asm-doubtful"])


def test_the_definition_before_the_statement_counts() -> None:
    source = """#define OP "add"
#define T(n) "=r"(v##n)
asm(OP ".u32 %0, 1, 2;" : T(1));
#undef OP
#undef T
#define OP "sub"
#define T(n) "=r"(w##n)
asm(OP ".u32 %0, 1, 2;" : T(1));
#undef T
asm(OP ".u32 %0, 1, 2;" : T(1));
"""
    first, second, third = find_asm(lex(source))
    assert [(one.text, one.others, [o.expression for o in one.outputs]) for one in (first, second)] == [
        ("add.u32 %0, 1, 2;", (), ["v1"]),
        ("sub.u32 %0, 1, 2;", (), ["w1"]),
    ]
    assert third.problem.startswith("the constraint 'T'")


def test_definitions_of_another_file_may_come_between() -> None:
    own = '#define OP "add"\n#undef OP\n#define OP "sub"\n#include "b.h"\nasm(OP ".u32 %0, 1, 2;" : "=r"(x));\n'
    (statement,) = find_asm(lex(own), [lex('#undef OP\n#define OP "mul"\n')])
    assert {statement.text, *statement.others} == {"add.u32 %0, 1, 2;", "sub.u32 %0, 1, 2;"}
