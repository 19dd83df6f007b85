"""Inline PTX: the parser, asm statements in C++, the table's examples, and whole ports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from porting import port

from porter.findings import Finding, Safety
from porter.frontend.asm.statements import find_asm
from porter.frontend.lexer import lex
from porter.frontend.ptx import (
    OPAQUE,
    Immediate,
    Instruction,
    Label,
    Memory,
    Name,
    Not,
    Pair,
    Placeholder,
    RegisterDecl,
    Scope,
    Vector,
    instructions,
    leaves,
    parse_ptx,
)
from porter.frontend.scopes import find_scopes
from porter.frontend.unit import Options, Unit
from porter.passes.ptx.inline_ptx import port_asm, run
from porter.port.edits.rewrite import rewrite
from porter.ptx.table import ptx_table
from porter.rules import load_rules
from porter.toolchain.verdict import Verdict

# The parser


def _only(text: str) -> Instruction:
    ptx = parse_ptx(text)
    assert not ptx.problems, ptx.problems
    (instruction,) = instructions(ptx.statements)
    return instruction


def test_instruction() -> None:
    instruction = _only("@!p ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2+-16];")
    assert (instruction.opcode, instruction.modifiers) == ("ld", ("global", "nc", "L1::no_allocate", "v2", "f32"))
    assert instruction.mnemonic == "ld.global.nc.L1::no_allocate.v2.f32"
    assert (instruction.guard, instruction.negated) == (Name("p"), True)
    vector, memory = instruction.operands
    assert vector == Vector((Placeholder(0), Placeholder(1)))
    assert memory == Memory(Placeholder(2), Immediate("-16", "int", -16))


@pytest.mark.parametrize(
    ("text", "operand"),
    [
        ("mov.u32 %0, %laneid;", Name("%laneid")),
        ("mov.u32 %0, %%laneid;", Name("%laneid")),
        ("mov.u32 %0, %%tid.x;", Name("%tid.x")),
        ("mov.u32 %0, %[in];", Placeholder(-1, "in")),
        ("mov.u32 %0, 0xffU;", Immediate("0xffU", "int", 255)),
        ("mov.u32 %0, 0b101;", Immediate("0b101", "int", 5)),
        ("mov.u32 %0, 017;", Immediate("017", "int", 15)),
        ("mov.f32 %0, 0f3F800000;", Immediate("0f3F800000", "f32", 1.0)),
        ("mov.f64 %0, 0dBFF0000000000000;", Immediate("0dBFF0000000000000", "f64", -1.0)),
        ("mov.f32 %0, -1.5;", Immediate("-1.5", "float", -1.5)),
        ("mov.pred %0, !p;", Not(Name("p"))),
        ("shfl.sync.idx.b32 %0, p|q;", Pair(Name("p"), Name("q"))),
    ],
)
def test_operand(text: str, operand: object) -> None:
    assert _only(text).operands[1] == operand


def test_hopper_operands() -> None:
    text = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
    instruction = _only(text)
    assert instruction.modifiers == (
        "async", "bulk", "tensor", "2d", "shared::cluster", "global", "mbarrier::complete_tx::bytes",
    )  # fmt: skip
    assert instruction.operands[1] == Memory(Placeholder(1), None, (Vector((Placeholder(3), Placeholder(4))),))
    instruction = _only("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;")
    assert len(instruction.operands) == 8
    assert isinstance(instruction.operands[0], Vector)


def test_leaves_of_an_operand() -> None:
    call = _only("call (%0), f, (a, [%1+4, {x, !p}], b|3);")
    placed = [leaf for operand in call.operands for leaf in leaves(operand)]
    assert [leaf.index if isinstance(leaf, Placeholder) else leaf.text for leaf in placed] == [
        0, "f", "a", 1, "4", "x", "p", "b", "3",
    ]  # fmt: skip
    assert list(leaves(None)) == []


def test_scopes_declarations_and_labels() -> None:
    text = "{ .reg .pred p; .reg .f32 f<3>;\nAGAIN: // comment\n@p bra AGAIN; { .reg .b32 %%t; } }"
    (scope,) = parse_ptx(text).statements
    assert isinstance(scope, Scope)
    pred, floats, label, branch, inner = scope.body
    assert isinstance(pred, RegisterDecl)
    assert (pred.type, pred.names) == ("pred", ("p",))
    assert isinstance(floats, RegisterDecl)
    assert floats.names == ("f0", "f1", "f2")
    assert isinstance(label, Label)
    assert label.name == "AGAIN"
    assert text[branch.start : branch.end] == "@p bra AGAIN;"
    assert isinstance(inner, Scope)
    assert inner.body == (RegisterDecl("b32", ("%t",), 1, *_span(text, ".reg .b32 %%t;")),)


def _span(text: str, piece: str) -> tuple[int, int]:
    start = text.index(piece)
    return start, start + len(piece)


def test_problems_have_positions_and_do_not_stop_the_parser() -> None:
    text = "add.u32 %0, %1 %2; sub.u32 %0, %1, %2; }"
    ptx = parse_ptx(text)
    assert [i.opcode for i in instructions(ptx.statements)] == ["sub"]
    assert [text[p.start : p.end] for p in ptx.problems] == ["%2", "}"]
    assert "preprocessor" in parse_ptx(f"ld.{OPAQUE} %0, [%1];").problems[0].message


@given(st.text(alphabet="{}[]()@!%|,;.:+-0123456789 \nabpxrt_uf$'\"\x01", max_size=60))
@settings(max_examples=300, deadline=None)
def test_parser_takes_any_text(text: str) -> None:
    ptx = parse_ptx(text)
    assert all(0 <= p.start <= p.end <= len(text) for p in ptx.problems)


# asm statements


def test_asm_statement() -> None:
    source = 'f();\nasm volatile("mad.lo.u32 %0, %[a], 3, %0;\\n\\t" /* two */ "// %%x\\n"\n' \
             '  : "+r"(d[i, 0]) : [a] "r"(g(x, y)), "n"(sizeof(std::pair<int, int>)) : "memory", "cc");\n'  # fmt: skip
    (asm,) = find_asm(lex(source))
    assert asm.text == "mad.lo.u32 %0, %[a], 3, %0;\n\t// %%x\n"
    assert asm.volatile
    assert asm.ended
    assert [(o.constraint, o.name, o.expression) for o in asm.operands] == [
        ("+r", "", "d[i, 0]"), ("r", "a", "g(x, y)"), ("n", "", "sizeof(std::pair<int, int>)"),
    ]  # fmt: skip
    assert asm.clobbers == ("memory", "cc")
    assert source[asm.start : asm.end].startswith("asm") and source[asm.start : asm.end].endswith(");")


def test_asm_without_outputs_and_in_macros() -> None:
    source = '#define SYNC __asm__ __volatile__("bar.sync 0;" ::: "memory")\n' \
             'asm volatile("membar.gl;"::"r"(x):);\nasm("trap;");\n#define A asm volatile\nA("brkpt;");\n'  # fmt: skip
    statements = list(find_asm(lex(source)))
    assert [a.text for a in statements] == ["bar.sync 0;", "membar.gl;", "trap;", "brkpt;"]
    assert statements[0].directive >= 0
    assert statements[0].clobbers == ("memory",)
    assert [o.expression for o in statements[1].inputs] == ["x"]
    assert statements[3].volatile


def test_pieces_of_text() -> None:
    source = '#define HINT ".cg"\n#define T(t) asm("ld.global" HINT "." #t " %0, [%1];" : "=r"(d) : "l"(p))\n'
    (asm,) = find_asm(lex(source))
    assert asm.text == f"ld.global.cg.{OPAQUE} %0, [%1];"
    assert asm.opaque == ("#t",)
    (asm,) = find_asm(lex('asm(R"x(mov.u32 %0, "1";)x");'))
    assert asm.text == 'mov.u32 %0, "1";'


def test_branches_inside_the_text() -> None:
    source = 'asm("ld.global"\n#if X\n".L2::128B"\n#endif\n".u32 %0, [%1];" : "=r"(d) : "l"(p));\n'
    (asm,) = find_asm(lex(source))
    assert {asm.text, *asm.others} == {"ld.global.u32 %0, [%1];", "ld.global.L2::128B.u32 %0, [%1];"}


@given(st.text(alphabet="asm(\"%0;:)=r'\\\n#{}x ", max_size=60))
@settings(max_examples=300, deadline=None)
def test_asm_takes_any_text(text: str) -> None:
    file = lex("asm(" + text)
    port_asm(file, ptx_table(None))


# Ports of single statements


def _unit(source: str) -> Unit:
    file = lex(source)
    return Unit(Path("a.cuh"), file, find_scopes(file), None, Options(), is_main=False)


def _port(source: str) -> tuple[str, list[Finding]]:
    findings = run(_unit(source), load_rules())
    return rewrite(source, findings).text, findings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));', "d = porter::bfe_u32(a, b, c);"),
        ('asm("mov.u32 %0, %laneid;" : "=r"(d));', "d = porter::lane_id();"),
        ('asm("mov.u32 %0, %%tid.y;" : "=r"(d));', "d = threadIdx.y;"),
        ('asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));', "d = porter::lop3<0x96>(a, b, c);"),
        ('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a | 1), "r"(b ? x : y));', "d = uint32_t(a | 1) + (b ? x : y);"),
        ('asm("mad.lo.u32 %0, %1, %2, %0;" : "+r"(d) : "r"(a), "r"(b));', "d = uint32_t(a) * b + d;"),
        ('asm("add.f32 %0, %1, 0f3F800000;" : "=f"(d) : "f"(a));', "d = a + 1.0f;"),
        ('asm("mov.b32 %0, %1;" : "=r"(d) : "f"(a));', "d = __float_as_uint(a);"),
        ('asm("mov.b64 %0, %1;" : "=d"(d) : "l"(a));', "d = __longlong_as_double(uint64_t(a));"),
        ('asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(n));', "d = porter::shl_b32(a, n);"),
        ('asm("shl.b32 %0, %1, 4;" : "=r"(d) : "r"(a));', "d = uint32_t(a) << 4;"),
        ('asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(d) : "l"(p));', "d = porter::ld_cg<uint32_t>(porter::global(p));"),
        ('asm volatile("ld.shared.f32 %0, [%1+64];" : "=f"(d) : "r"(a));', "d = porter::ld<float>(porter::lds(a) + 64);"),
        ('asm volatile("ld.u8 %0, [%1+-1];" : "=r"(d) : "l"(p));', "d = porter::ld<uint8_t>(porter::generic(p) - 1);"),
        ('asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(d) : "l"(p));', "d = porter::ld_volatile<int32_t>(porter::global(p));"),
        ('asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(d) : "l"(p));', "d = porter::ld_acquire<uint32_t>(porter::global(p));"),
        ('asm volatile("st.release.sys.global.u32 [%0], %1;" :: "l"(p), "r"(v));', "porter::st_release<uint32_t, porter::sys>(porter::global(p), v);"),
        ('asm volatile("st.global.u8 [%0], %1;" :: "l"(p), "r"(v));', "porter::st<uint8_t>(porter::global(p), uint8_t(v));"),
        ('asm volatile("st.shared.v2.f32 [%0], {%1, %2};" :: "r"(a), "f"(x), "f"(y));', "porter::st<float2>(porter::lds(a), make_float2(x, y));"),
        ('asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(d) : "l"(p), "l"(c));', "d = porter::ld<uint32_t>(porter::global(p));"),
        ('asm volatile("red.release.gpu.global.add.s32 [%0], %1;" :: "l"(p), "r"(v));', "porter::atom_add<int32_t, porter::gpu, porter::release>(porter::global(p), v);"),
        ('asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(d) : "l"(p), "r"(a), "r"(b));', "d = porter::atom_cas<uint32_t>(porter::global(p), a, b);"),
        ('asm("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(d) : "f"(x), "r"(m));', "d = porter::shfl_xor_sync(0xffffffff, x, m);"),
        ('asm volatile("bar.sync 0;" ::: "memory");', "__syncthreads();"),
        ('asm volatile("barrier.cta.sync.aligned 0;");', "__syncthreads();"),
        ('asm volatile("fence.acq_rel.sys;" ::: "memory");', "__threadfence_system();"),
        ('asm("trap;");', "__builtin_trap();"),
        ('asm("prefetch.global.L2 [%0];" :: "l"(p));', "/* prefetch.global.L2: nothing to do on AMD */;"),
        ('asm("prefetch.tensormap [%0];" :: "l"(p));', "/* prefetch.tensormap: nothing to do on AMD */;"),
        ('asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(hi), "f"(lo));', "d = porter::cvt_rn_f16x2(hi, lo);"),
        ('asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(d) : "f"(hi), "f"(lo));', "d = porter::cvt_rn_satfinite_e4m3x2(hi, lo);"),
        ('asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(x));', "d = porter::ex2_approx_ftz(x);"),
        ('asm("add.ftz.f32 %0, %1, %2;" : "=f"(d) : "f"(x), "f"(y));', "d = porter::ftz(porter::ftz(x) + porter::ftz(y));"),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d) : "0"(d));', "d = uint32_t(d) + 1;"),
        ('asm("add.u32 %[out], %[in], 1;" : [out] "=r"(d) : [in] "r"(x));', "d = uint32_t(x) + 1;"),
        ('void* p; asm("cvta.to.global.u64 %0, %1;" : "=l"(p) : "l"(q));', "void* p; p = reinterpret_cast<decltype(p)>(uint64_t(q));"),
        ('enum class E : int {}; E e; asm("mov.u32 %0, %1;" : "=r"(e) : "r"(x));', "enum class E : int {}; E e; e = static_cast<decltype(e)>(x);"),
        ('asm("st.release.sys.u32 [%1], %0;" :: "r"(n) "l"(b) : "memory");', "porter::st_release<uint32_t, porter::sys>(b, n);"),
        ('asm volatile(".pragma \\"nounroll\\";");', "/* pragma: nothing to do on AMD */;"),
        ('asm("fence.gpu.sc;");', "__threadfence();"),
        ('asm volatile("{ // nothing yet\\n}");', "/* no instruction: nothing to do on AMD */;"),
        (
            'asm volatile(\n#if L2\n"cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "r"(a),\n#else\n'
            '"cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(a),\n#endif\n"l"(b));',
            "porter::cp_async<16>(a, b);",
        ),
        ('asm("mov.b128 {%0, %1}, %2;" : "=l"(x), "=l"(y) : "q"(q));',
         "{\n    const porter::u128 in2 = q;\n    x = uint64_t(in2);\n    y = uint64_t(in2 >> 64);\n}"),
        ('asm("{ .reg .v2 .f32 m; max.f32 m.x, %1, %2; neg.f32 m.y, m.x; st.v2.f32 [%0], m; }" :: "l"(p), "f"(x), "f"(y));',
         "{\n    const float m_x = fmaxf(x, y);\n    const float m_y = -m_x;\n    porter::st<float2>(p, make_float2(m_x, m_y));\n}"),
        ('asm("match.all.sync.b32 %0|_, %1, %2;" : "=r"(d) : "r"(a), "r"(m));',
         "{\n    const uint32_t in1 = a;\n    const uint32_t in2 = m;\n    bool unused;\n    d = porter::match_all(in2, in1, unused);\n}"),
        ("if (c) asm(\"trap;\"); else f();", "if (c) __builtin_trap(); else f();"),
    ],
)  # fmt: skip
def test_statement(before: str, after: str) -> None:
    out, findings = _port(before)
    assert out == after
    assert [f.rule for f in findings] == ["inline-ptx"]
    assert findings[0].includes == ("porter/ptx.h",)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (  # the carry lives in a local; inputs are read before an output they may share is written
            '  asm("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;"\n'
            '      : "=r"(lo), "=r"(hi) : "r"(a), "r"(b), "r"(c), "r"(d));\n',
            "  {\n    const uint32_t in3 = b;\n    const uint32_t in5 = d;\n    uint32_t carry;\n"
            "    lo = porter::add_cc_u32(a, c, carry);\n    hi = in3 + in5 + carry;\n  }\n",
        ),
        (
            '    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(v), "=r"(b) : "l"(p));\n',
            "    {\n        const uint2 v_2 = porter::ld<uint2>(porter::global(p));\n"
            "        v = v_2.x;\n        b = v_2.y;\n    }\n",
        ),
        (  # a forward branch is an if
            '    asm("{ .reg .pred p; setp.ge.s32 p, %0, 0; @p bra END; st.global.u32 [%1], %0; END: }" :: "r"(a), "l"(q));\n',
            "    {\n        const bool p = int32_t(a) >= 0;\n"
            "        if (!p) porter::st<uint32_t>(porter::global(q), a);\n    }\n",
        ),
        (  # a backward branch is a loop, and a way out of it a break
            '    asm("{ .reg .pred p; .reg .u32 t; L: ld.volatile.u32 t, [%0]; setp.ne.u32 p, t, 0;'
            ' @p bra DONE; bra L; DONE: }" :: "l"(q));\n',
            "    {\n        bool p;\n        uint32_t t;\n        do {\n"
            "            t = porter::ld_volatile<uint32_t>(q);\n            p = t != 0u;\n            if (p) break;\n"
            "        } while (true);\n    }\n",
        ),
        (  # names of the source are never taken
            '    asm("{ .reg .u32 t; add.u32 t, %1, 1; shl.b32 %0, t, 2; }" : "=r"(t) : "r"(x));\n',
            "    {\n        const uint32_t t_2 = uint32_t(x) + 1;\n        t = t_2 << 2;\n    }\n",
        ),
        (  # in a macro, which may be used as the body of an if
            '#define F(d, a) asm("{.reg .u32 t; add.u32 t, %1, 1; shl.b32 %0, t, 2;}" : "=r"(d) : "r"(a))\n',
            "#define F(d, a) do { const uint32_t t_ptx = uint32_t(a) + 1; d = t_ptx << 2; } while (0)\n",
        ),
        (
            '#define F(d, a) \\\n  asm volatile("add.u32 %0, %1, 1;" \\\n    : "=r"(d) : "r"(a));\n',
            "#define F(d, a) \\\n  d = uint32_t(a) + 1;\n",
        ),
        (  # a parameter may be any expression, and is read once
            '#define F(d, a, b) asm("mad.lo.u32 %0, %1, %2, %1;" : "=r"(d) : "r"(a), "r"(b))\n',
            "#define F(d, a, b) do { const uint32_t in1_ptx = a; d = in1_ptx * (b) + in1_ptx; } while (0)\n",
        ),
        (
            '    asm("{ .reg .b32 t; mov.b64 {%0, t}, %1; }" : "=r"(d) : "l"(f(x)));\n',
            "    {\n        const uint64_t in1 = uint64_t(f(x));\n        d = uint32_t(in1);\n"
            "        const uint32_t t = uint32_t(in1 >> 32);\n    }\n",
        ),
        (  # an output that is written twice is named once
            '    asm("mov.u32 %0, 1; add.u32 %0, %0, %1;" : "=r"(x[f(i)]) : "r"(a));\n',
            "    {\n        auto& out0 = x[f(i)];\n        const uint32_t in1 = a;\n        out0 = 1;\n"
            "        out0 = uint32_t(out0) + in1;\n    }\n",
        ),
        (  # a guard over several instructions; CRLF stays
            '    asm("{.reg .pred p; setp.eq.u32 p, %0, 0;\\n @p st.u32 [%1], 1;\\n @p st.u32 [%1+4], 2;}" :: "r"(a), "l"(q));\r\n',
            "    {\r\n        const bool p = uint32_t(a) == 0u;\r\n        if (p) {\r\n"
            "            porter::st<uint32_t>(q, 1);\r\n            porter::st<uint32_t>(porter::generic(q) + 4, 2);\r\n"
            "        }\r\n    }\r\n",
        ),
    ],
)
def test_block(before: str, after: str) -> None:
    out, findings = _port(before)
    assert out == after
    assert [f.rule for f in findings] == ["inline-ptx"]


@pytest.mark.parametrize(
    ("source", "rule", "words"),
    [
        ('asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");', "ptx-unsupported", "tcgen05.wait::ld.sync.aligned"),
        ('asm volatile("tensormap.replace.tile.elemtype.global.b1024.b32 [%0], 7;" :: "l"(t));', "ptx-unsupported", "can be replaced"),
        ('asm("addc.u32 %0, %1, 0;" : "=r"(d) : "r"(a));', "ptx-unsupported", "another asm statement"),
        ('asm("sub.cc.u32 %0, %1, 1; addc.u32 %0, %0, 0;" : "=r"(d) : "r"(a));', "ptx-unsupported", "borrow"),
        ('asm("mov.u32 %0, %envreg3;" : "=r"(d));', "ptx-unsupported", "%envreg3"),
        ('asm("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a));', "ptx-unsupported", "no operand %2"),
        ('asm("add.u32 %0, %1, 1;" : "=r"(d) : "l"(a));', "ptx-unsupported", "64-bit operand"),
        ('asm("add.u32 %0, %1 1;" : "=r"(d) : "r"(a));', "ptx-unread", "expected ',' or ';'"),
        ('asm("frobnicate.sync.b32 %0, %1;" : "=r"(d) : "r"(a));', "ptx-unknown", "frobnicate is no instruction of PTX 9.0"),
        ('asm("abs.u32 %0, %1;" : "=r"(d) : "r"(a));', "ptx-unknown", "after abs comes no .u32 but one of .ftz .f32"),
        ('asm("tcgen05.fence::after_thread_sync;");', "ptx-unsupported", "a form of Blackwell"),
        ('asm("tcgen05.alloc.cta_group::%1.sync.aligned.b32 [%0], 32;" :: "r"(d), "n"(2));', "ptx-unsupported", "Blackwell"),
        ('#define L(t) asm("ld.global." #t " %0, [%1];" : "=r"(d) : "l"(p))', "ptx-unread", "#t"),
    ],
)  # fmt: skip
def test_left(source: str, rule: str, words: str) -> None:
    out, findings = _port(source)
    assert [(f.rule, f.safety) for f in findings] == [(rule, Safety.LEFT)]
    assert words in findings[0].message
    assert 'porter::unsupported_ptx("' in out
    assert "asm" not in out.replace("another asm statement", "")


def test_a_macro_that_is_defined_in_two_ways() -> None:
    macro = '#if A\n#define H "ld.global.nc"\n#else\n#define H "ld.volatile.global"\n#endif\n'
    out, findings = _port(macro + 'asm volatile(H ".u32 %0, [%1];" : "=r"(d) : "l"(p));')
    assert out == macro + (
        "{\n"
        '    if constexpr (porter::same_text(H ".u32 %0, [%1];", "ld.volatile.global.u32 %0, [%1];")) {\n'
        "        d = porter::ld_volatile<uint32_t>(porter::global(p));\n"
        "    } else {\n"
        "        d = porter::ld<uint32_t>(porter::global(p));\n"
        "    }\n"
        "}"
    )
    assert [f.rule for f in findings] == ["inline-ptx"]


@pytest.mark.parametrize(
    "source",
    [
        'asm volatile("" ::: "memory");',
        'asm volatile("" : "+r"(x));',
        'asm volatile("rdtsc" : "=a"(lo), "=d"(hi));',
        'asm volatile("mov %%rsp, %0" : "=r"(sp));',
        'asm volatile("pause" ::: "memory");',
        '__asm__ volatile("lock; cmpxchgl %2, %1" : "=a"(r), "+m"(*p) : "r"(v), "0"(o) : "memory");',
        'asm volatile("v_add_f32 %0, %1, %2" : "=v"(d) : "v"(a), "v"(b));',
        'asm volatile("s_waitcnt vmcnt(0)");',
        'asm volatile("dmb ish" ::: "memory");',
        'int f() asm("my_symbol");',
        "__asm { mov eax, ebx }",
        'asm goto("jmp %l0" :::: out);',
        'const char* s = "asm(\\"add.u32 %0, %1, %2;\\")"; // asm("trap;")',
    ],
)
def test_not_ptx(source: str) -> None:
    out, findings = _port(source)
    assert out == source
    assert not findings


def test_doubtful_is_a_finding_and_stays() -> None:
    source = 'asm("add.u32 %0, %1, %2;" : "=a"(d) : "r"(a), "m"(b));'
    out, findings = _port(source)
    assert out == source
    assert [(f.rule, f.safety) for f in findings] == [("asm-doubtful", Safety.LEFT)]


def test_a_port_has_nothing_left_to_port() -> None:
    source = 'asm("add.u32 %0, %1, 1;" : "=r"(d) : "r"(a));\nasm("wgmma.fence.sync.aligned;");\n'
    once, _ = _port(source)
    assert _port(once) == (once, [])


def test_a_file_without_asm_needs_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object) -> None:
        raise AssertionError("the table was loaded")

    monkeypatch.setattr("porter.passes.ptx.inline_ptx.ptx_table", load)
    assert run(_unit("void f() { asm_volatile(1); }  // asm"), load_rules()) == []


def test_a_dropped_instruction_takes_a_constant_that_a_template_decides() -> None:
    file = lex('template <int N> void f() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(N)); }')
    (finding,) = port_asm(file, ptx_table(None))
    assert (finding.rule, finding.safety) == ("inline-ptx", Safety.EXACT)
    file = lex('void f(int n) { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "r"(n)); }')
    (finding,) = port_asm(file, ptx_table(None))
    assert finding.safety is Safety.LEFT and "must be a constant" in finding.message


def test_a_comparison_does_not_end_template_arguments() -> None:
    out, _ = _port('asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(a > b));')
    assert out == "porter::wgmma_wait_group<(a > b)>();"
    out, _ = _port('asm volatile("bar.sync %0, %1;" :: "n"(a > b), "r"(n));')
    assert out == "porter::named_barrier_sync(a > b, n);"


def test_stub_stops_the_compiler_where_it_is_used(
    compile_hip: Callable[..., Verdict],
) -> None:
    out, _ = _port(
        '#define FENCE() asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory")\n'
        "template <int N> __device__ void unused() { FENCE(); }\n"
        '__device__ inline void never() { asm("exit;"); }\n'
        "__global__ void kernel(int* p) { *p = 1; USE; }\n"
    )
    header = '#include "porter/ptx.h"\n'
    flags = ("-O2", "-S", "-o", "/dev/null")
    assert compile_hip(header + out, *flags, "-DUSE=").status == 0
    for use in ("FENCE()", "unused<3>()", "never()"):
        done = compile_hip(header + out, *flags, f"-DUSE={use}")
        assert done.status != 0
        assert "unsupported_ptx" in done.err
        assert "not ported" in done.err


WRITES = """__device__ void f(unsigned a, uint64_t *out) {
  {
    uint64_t const wide = 0;
    asm volatile("cvt.u64.u32 %0, %1;" :: "l"(wide), "r"(a));
    asm volatile("st.global.u32 [%0], %1;" :: "l"(wide), "r"(a));
    READ
  }
  uint64_t wide;
}
"""


@pytest.mark.parametrize(
    ("read", "safety"),
    [
        ("", Safety.EXACT),
        ("*out = wide;", Safety.REVIEW),
        ("g(wide);", Safety.REVIEW),
        ('asm volatile("mov.u64 %0, %1;" : "=l"(wide) : "l"(wide));', Safety.REVIEW),
    ],
)
def test_an_input_that_the_statement_writes_is_for_review_where_more_than_asm_reads_it(
    read: str, safety: Safety
) -> None:
    text, findings = _port(WRITES.replace("READ", read))
    assert findings[0].safety is safety
    assert "uint64_t wide = 0;" in text and text.count("  wide = ") >= 1
    assert "names as an input" in findings[0].message


FENCE = """__host__ __device__ void fence(unsigned &x) {{
{}
  asm volatile("" : "+r"(x) :: "memory");
#endif
}}
"""


@pytest.mark.parametrize(
    ("condition", "register"),
    [("#if defined(__CUDA_ARCH__)", "+v"), ("#ifndef __CUDA_ARCH__", "+r"), ("#if defined(OTHER)", "+r")],
)
def test_barriers_of_registers_go_by_who_compiles_them(condition: str, register: str, tmp_path: Path) -> None:
    assert f'"{register}"(x)' in port(FENCE.format(condition), tmp_path).port
