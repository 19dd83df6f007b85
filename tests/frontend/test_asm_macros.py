"""Asm statements whose text and operands come from macros."""

from __future__ import annotations

from pathlib import Path

import pytest
from porting import port

from porter.frontend.asm.statements import AsmStatement, find_asm
from porter.frontend.lexer import lex
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.passes.hopper.products import find_products
from porter.port.pipeline import port_source
from porter.ptx.table import ptx_table

ACCUMULATORS = """
#define ACC4(d, o) "+f"(d[(o) + 0]), "+f"(d[(o) + 1]), "+f"(d[(o) + 2]), "+f"(d[(o) + 3])
#define ACC8(d) ACC4(d, 0), ACC4(d, 4)
#define REG(a) "%" #a
#define REGS8 REG(0) "," REG(1) "," REG(2) "," REG(3) "," REG(4) "," REG(5) "," REG(6) "," REG(7)
#define WGMMA(shape, ...) "wgmma.mma_async.sync.aligned." shape "." #__VA_ARGS__
#define INPUT(x) [x##_in] "l"(x)
"""
PRODUCT = (
    'asm volatile(WGMMA("m64n16k16", f32.bf16.bf16) " {" REGS8 "}, %[a_in], %[b_in], 1, 1, 1, 0, 0;"'
    " : ACC8(sum[i]) : INPUT(a), INPUT(b));"
)


def asm(source: str) -> AsmStatement:
    return list(find_asm(lex(source)))[-1]


def test_text_and_operands() -> None:
    statement = asm(ACCUMULATORS + PRODUCT)
    assert statement.problem == ""
    assert statement.opaque == ()
    assert statement.text == (
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7}, %[a_in], %[b_in], 1, 1, 1, 0, 0;"
    )
    assert [(o.constraint, o.expression) for o in statement.outputs[3:6]] == [
        ("+f", "sum[i][(0) + 3]"), ("+f", "sum[i][(4) + 0]"), ("+f", "sum[i][(4) + 1]"),
    ]  # fmt: skip
    assert [(o.name, o.expression) for o in statement.inputs] == [("a_in", "a"), ("b_in", "b")]
    assert all(o.expanded for o in statement.operands)


def test_products_know_the_elements() -> None:
    (product,) = find_products(lex(ACCUMULATORS + PRODUCT), ptx_table(None))
    assert (product.array, product.before, product.extents) == ("sum", 1, (8,))


HINT = """#if CONDITION
#define HINT(size) ".L2::" #size "B"
#else
#define HINT(size)
#endif
asm("cp.async.cg.shared.global" HINT(128) " [%0], [%1], 16;" :: "r"(to), "l"(from));
"""


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ("(__CUDACC_VER_MAJOR__ >= 11) && (__CUDACC_VER_MINOR__ >= 4)", ".L2::128B"),
        ("__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1204", ""),
        ("0\n#elif CUDART_VERSION >= 11040", ".L2::128B"),
        ("CUDA_VERSION > 11000 && !defined(PLAIN)", None),
        ("1 < CUDA_VERSION < 3", ".L2::128B"),  # which C reads as (1 < CUDA_VERSION) < 3
        ("__CUDA_ARCH__ >= 1000", ""),
        ("__CUDA_ARCH__ >= LEAST", None),
        ("defined(PLAIN)", None),
    ],
)
def test_definitions_among_which_the_release_of_cuda_chooses(condition: str, hint: str | None) -> None:
    statement = asm(HINT.replace("CONDITION", condition))
    assert statement.opaque == (() if hint is not None else ("HINT(128)",))
    assert hint is None or statement.text == f"cp.async.cg.shared.global{hint} [%0], [%1], 16;"


@pytest.mark.parametrize(
    ("source", "problem", "opaque"),
    [
        ('asm("mov.u32 %0, 1;" : OUT(d));', "the constraint 'OUT' is no string literal", ()),
        (
            '#ifdef A\n#define OUT(x) "=r"(x)\n#else\n#define OUT(x) "=l"(x)\n#endif\nasm("mov.u32 %0, 1;" : OUT(d));',
            "the constraint 'OUT'",
            (),
        ),
        ('#define OUT(x, y) "=r"(x)\nasm("mov.u32 %0, 1;" : OUT(d));', "the constraint 'OUT'", ()),
        ('#define TYPE(t) "." #t\n#define M(t) asm("mov" TYPE(t) " %0, 1;" : "=r"(d))\n', "", ("TYPE(t)",)),
        ('#define A B\n#define B A\nasm("mov.u32 %0, " A ";" : "=r"(d));', "", ("A",)),
    ],
)
def test_not_read(source: str, problem: str, opaque: tuple[str, ...]) -> None:
    statement = asm(source)
    assert statement.problem.startswith(problem)
    assert bool(problem) == bool(statement.problem)
    assert statement.opaque == opaque


def test_ported(tmp_path: Path) -> None:
    source = (
        '#define OUT(x) "=r"(x)\n#define TWO(p) "l"(p), "n"(4)\n#define U32 ".u32"\n#define LOAD "ld.global" U32\n'
        '__device__ unsigned f(const unsigned *p) {\n  unsigned d;\n  asm(LOAD " %0, [%1+%2];" : OUT(d) : TWO(p));\n'
        "  return d;\n}\n"
    )
    result = port(source, tmp_path)
    assert "d = porter::ld<uint32_t>(porter::global(p) + 4);" in result.port


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("(unsigned)__cvta_generic_to_shared(p)", "mbarrier_init((unsigned)porter::cvta_generic_to_shared(bar), 1);"),
        ("(int)__cvta_generic_to_global(p)", "mbarrier_init((int)porter::address(bar), 1);"),
        ("__brev(p)", "a macro has an operand with __brev in it"),
    ],
)
def test_names_of_cuda_in_macros(expression: str, expected: str, tmp_path: Path) -> None:
    source = (
        f'#define BAR(p) "r"({expression})\n'
        '__device__ void f(void *bar) {\n  asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: BAR(bar));\n}\n'
    )
    assert expected in port(source, tmp_path).port


def test_registers_of_an_empty_statement(tmp_path: Path) -> None:
    source = '#define PAIR(d) "+f"(d[0]), "+f"(d[1])\n__device__ void f(float (&d)[2]) { asm volatile("" : PAIR(d) :: "memory"); }\n'
    assert 'asm volatile("" : "+v"(d[0]), "+v"(d[1]) :: "memory");' in port(source, tmp_path).port


def test_labels_of_the_statements_own(tmp_path: Path) -> None:
    source = (
        "__device__ void wait(unsigned bar, unsigned parity) {\n"
        '  asm volatile("{.reg .pred done%=; again_%=: mbarrier.try_wait.parity.shared::cta.b64 done%=, [%0], %1;"\n'
        '               " @!done%= bra again_%=;}" :: "r"(bar), "r"(parity) : "memory");\n}\n'
    )
    result = port(source, tmp_path)
    assert "done = porter::mbarrier_try_wait_parity(bar, parity);" in result.port
    assert "%=" not in result.port


LOADS = """
#define LOAD(type, hint, to, from) asm volatile("ld.global" hint "." #type " %0, [%1];" : "=r"(to) : "l"(from))
#define PAIR(t, x) LOAD(t, ".cg", x, p); LOAD(u8, "", x, p + 4)
__device__ unsigned f(const char *p) {
  unsigned a, b;
  PAIR(u32, a);
  LOAD(u16, "", b, p + 8);
  return a + b;
}
"""


def test_text_completed_by_parameters(tmp_path: Path) -> None:
    text = port(LOADS, tmp_path).port
    assert "#define LOAD(type, hint, to, from) PORTER_PTX_LOAD_##type(to, from)" in text
    before = text[: text.index("#define LOAD(")]
    assert before.count("#define PORTER_PTX_LOAD_") == 3
    assert "#define PORTER_PTX_LOAD_u32(to, from) \\\n  { \\\n    to = porter::ld_cg<uint32_t>(" in before
    assert "#define PORTER_PTX_LOAD_u8(to, from)" in before and "#define PORTER_PTX_LOAD_u16(to, from)" in before


def test_ports_are_not_named_after_what_is_renamed(tmp_path: Path) -> None:
    source = (
        '#define FOR(T, kind) __device__ void get(T *p, unsigned &x) { asm("ld.global." #kind " %0, [%1];" : "=r"(x) : "l"(p)); }\n'
        "#include <cuda_bf16.h>\nFOR(__half, u16)\nFOR(__nv_bfloat16, u32)\n"
    )
    text = port(source, tmp_path).port
    assert "{ PORTER_PTX_FOR_##kind(" in text
    assert "#define PORTER_PTX_FOR_u16(" in text and "#define PORTER_PTX_FOR_u32(" in text


def test_an_operand_that_is_a_parameter(tmp_path: Path) -> None:
    """No use need be known: files that include a header give it what they like."""
    macro = (
        '#define SHIFT(to, low, high, by) asm("shf.r.wrap.b32 %0, %1, %2, " #by ";" : "=r"(to) : "r"(low), "r"(high))\n'
    )
    use = "__device__ void f(unsigned *x) { unsigned y; SHIFT(y, x[0], x[1], 20); x[2] = y; }\n"
    for source in (macro, macro + use):
        assert "#define SHIFT(to, low, high, by) to = porter::shf_r_wrap(low, high, by)" in port(source, tmp_path).port
    load = '#define LOAD(to, from, at) asm volatile("ld.global.u32 %0, [%1 + " #at "];" : "=r"(to) : "l"(from))\n'
    assert "porter::ld<uint32_t>(porter::global(from) + (at))" in port(load, tmp_path).port
    part = load.replace("global.u32", 'global.u" #at "')
    assert [f.rule for f in port(part, tmp_path).findings if f.rule.startswith("ptx")] == ["ptx-unread"]


def test_ports_are_chosen_by_all_that_the_text_is_made_of(tmp_path: Path) -> None:
    """Where two uses are known, a third one may give the same destination, or the same type, with another mnemonic."""
    source = (
        '#define OP(name, type, to, from) asm volatile(#name "." #type " %0, %1, 1;" : "=r"(to) : "r"(from))\n'
        "__device__ void f(unsigned *p) { unsigned x, y; OP(add, u32, x, p[0]); OP(sub, s32, y, p[1]); p[2] = x + y; }\n"
    )
    text = port(source, tmp_path).port
    assert "asm" not in text and "PORTER_PTX_OP_##name##_##type(to, from)" in text
    same = source.replace("sub, s32", "add, u32")
    assert "PORTER_PTX_OP_##name##_##type(to, from)" in port(same, tmp_path).port  # not by `x` or `y`


@pytest.mark.parametrize(
    "use",
    [
        "",
        "__device__ void f(int *p) { int x; LOAD(MORE, x); }",
        '__device__ void f(int *p) { int x; LOAD(".u32", x); LOAD(".s32", x); }',  # no name can be made of the text
        '__device__ void f(int *p) { int x; LOAD(".u32" NOBODY, x); }',
    ],
)
def test_what_nobody_says_is_left(use: str, tmp_path: Path) -> None:
    macro = '#define LOAD(type, to) asm volatile("ld.global" type " %0, [%1];" : "=r"(to) : "l"(p))\n'
    result = port(macro + use, tmp_path)
    assert [f.rule for f in result.findings if f.rule.startswith("ptx")] == ["ptx-unread"]


def test_text_that_is_a_parameter(tmp_path: Path) -> None:
    source = (
        "#define BAR_OP(name, text) __device__ void name(unsigned bar, unsigned n) { \\\n"
        '  asm volatile(text :: "r"(bar), "r"(n) : "memory"); }\n'
        'BAR_OP(start, "mbarrier.init.shared::cta.b64 [%0], %1;")\n'
    )
    text = port(source, tmp_path).port
    assert "#define PORTER_MIRRORED" in text  # seen in the use alone
    assert "#define PORTER_PTX_BAR_OP_start() \\\n  { \\\n    porter::mbarrier_init(bar, n); \\\n  }\n" in text
    assert "  PORTER_PTX_BAR_OP_##name(); }" in text
    alone = port(source.splitlines(keepends=True)[0] + source.splitlines(keepends=True)[1], tmp_path)
    assert [f.rule for f in alone.findings if f.rule.startswith("asm")] == ["asm-doubtful"]


def test_the_reason_why_a_text_that_is_a_parameter_has_no_port(tmp_path: Path) -> None:
    source = (
        '#define BAR_OP(name, text) __device__ void name(int n) { asm volatile(text :: "r"(__brev(n)) : "memory"); }\n'
        'BAR_OP(start, "bar.sync %0;")\n'
    )
    (finding,) = [f for f in port(source, tmp_path).findings if f.rule.startswith("ptx")]
    assert "an operand with __brev in it" in finding.message


def test_macros_of_headers(tmp_path: Path) -> None:
    """A header's operands and text in the file that includes it, and the uses of its statement there."""
    header, main = tmp_path / "ptx.cuh", tmp_path / "main.cu"
    header.write_text(
        '#define PTX asm volatile\n#define OUT(x) "=r"(x)\n#define SPACE ".global"\n'
        '#define STORE(type, to, x) asm volatile("st.global." #type " [%0], %1;" :: "l"(to), "r"(x))\n'
    )
    main.write_text(
        '#include "ptx.cuh"\n__device__ void f(unsigned *p) {\n  unsigned d;\n'
        '  PTX("ld" SPACE ".u32 %0, [%1];" : OUT(d) : "l"(p));\n  STORE(u32, p, d);\n}\n'
    )
    project = Project(tmp_path)
    options = Options(runtime="include")
    text = port_source(project, main, "main.hip", options, {}).port
    assert "d = porter::ld<uint32_t>(porter::global(p));" in text
    text = port_source(project, header, "ptx.cuh", options, {}, includer=main).port
    assert "#define PORTER_PTX_STORE_u32(to, x)" in text
