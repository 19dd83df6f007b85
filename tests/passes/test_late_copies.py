"""cp.async in loops that are unrolled: where its copies are stored behind the loop, and where they are made at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from porting import port

COPY = 'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to + i * 512), "l"(from + i * 32));'
LOOP = "#pragma unroll\n  for (int i = 0; i < rounds; i++) {\n    COPY\n  }"
FUNCTIONS = """
__device__ void one(uint32_t to) { asm volatile("cp.async.wait_all;"); }
__device__ void two(uint32_t to) { one(to); }
__device__ void other(uint32_t to);
"""


def made(body: str, folder: Path) -> str:
    text = FUNCTIONS + "template <int rounds> __device__ void f(uint32_t to, const float4 *from, bool c) {\n  BODY\n}\n"
    return port(text.replace("BODY", body.replace("LOOP", LOOP).replace("COPY", COPY)), folder).port


def test_a_loop(tmp_path: Path) -> None:
    assert made("LOOP", tmp_path).split("bool c) {\n")[1] == (
        "  porter::late_copies<16, __builtin_constant_p(rounds) ? int(rounds) : 0> porter_copies_1;\n"
        "  #pragma unroll\n"
        "  for (int i = 0; i < rounds; i++) { porter_copies_1.round();\n"
        "    porter_copies_1.copy(to + i * 512, from + i * 32);\n"
        "  } porter_copies_1.land();\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("LOOP\n  LOOP", 2),
        (LOOP.replace("COPY", "if (c) COPY else other(to);"), 1),
        (LOOP.replace("COPY", "if (c) { COPY } else { COPY }"), 2),
        (LOOP.replace("COPY", COPY.replace("16;", "16, %2;").replace("i * 32)", 'i * 32), "r"(4)')), 1),
    ],
)
def test_loops(body: str, names: int, tmp_path: Path) -> None:
    ported = made(body, tmp_path)
    assert ported.count("porter::late_copies<16") == ported.count(".land();") == ported.count(".round();") == names
    assert "porter::cp_async" not in ported
    assert '#include "porter/late_copies.h"' in ported


@pytest.mark.parametrize(
    "body",
    [
        LOOP.replace("#pragma unroll\n", ""),
        LOOP.replace("unroll", "unroll 2"),
        LOOP.replace("int i = 0", "int i = c"),
        LOOP.replace("i++", "i += 2"),
        LOOP.replace("COPY", "COPY one(to);"),
        LOOP.replace("COPY", "COPY two(to);"),
        LOOP.replace("COPY", 'COPY asm volatile("cp.async.commit_group;");'),
        LOOP.replace("COPY", "while (c) { COPY }"),
        LOOP.replace("COPY", "[&] { COPY }();"),
        "if (c)\n  LOOP",
        "COPY",
    ],
)
def test_copies_that_are_made_at_once(body: str, tmp_path: Path) -> None:
    ported = made(body, tmp_path)
    assert "late_copies" not in ported
    assert ported.count("porter::cp_async<16>(") == 1
