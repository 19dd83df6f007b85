"""Where accumulators of wgmma stay in the matrix cores' form, and where they must not."""

from __future__ import annotations

from pathlib import Path

import pytest
from porting import port

PRODUCT = """
#include <cstdint>
__device__ void product(float (&d)[4], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}
template <int kDepth>
__device__ void steps(float d[4], uint64_t a, uint64_t b) {
  for (int i = 0; i < kDepth; ++i) product(d, a + i, b + i);
}
"""


def body(statements: str, tmp_path: Path, before: str = "", name: str = "a.cu") -> list[str]:
    """The kernel's lines in the port."""
    source = f"{PRODUCT}{before}\n__global__ void k(float *out, uint64_t a, uint64_t b, int n) {{\n{statements}\n}}\n"
    result = port(source, tmp_path, name)
    assert result.problem == ""
    text = result.port
    assert ("wgmma_kept<" in text) == ("porter::keep(" in text)
    return [line.strip() for line in text[text.index("void k(") :].splitlines()[1:-1] if line.strip()]


def conversions(statements: str, tmp_path: Path, before: str = "") -> str:
    """K and P where the conversions are, and what is left of the statements' first words."""
    words = []
    for line in body(statements, tmp_path, before):
        words.append(line.replace("porter::keep(", "K(").replace("porter::present(", "P(").rstrip(";"))
    return " | ".join(words)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        pytest.param(
            "float s[4] = {};\nfor (int i = 0; i < n; ++i) product(s, a, b);\nout[0] = s[2];",
            "float s[4] = {} | K(s) | for (int i = 0; i < n; ++i) product(s, a, b) | P(s) | out[0] = s[2]",
            id="a loop of products",
        ),
        pytest.param(
            "float s[4];\n#pragma unroll\nfor (int i = 0; i < n; ++i) steps<2>(s, a, b);  // all\nout[0] = s[2];",
            "float s[4] | K(s) | #pragma unroll | for (int i = 0; i < n; ++i) steps<2>(s, a, b);  // all | P(s) | out[0] = s[2]",
            id="through two functions, under a pragma",
        ),
        pytest.param(
            "float s[4] = {};\nfor (int i = 0; i < n; ++i) {\nproduct(s, a, b);\n__syncthreads();\nproduct(s, a, b);\n"
            "out[i] = s[1];\n}",
            "float s[4] = {} | for (int i = 0; i < n; ++i) { | K(s) | product(s, a, b) | __syncthreads() | "
            "product(s, a, b) | P(s) | out[i] = s[1] | }",
            id="elements are read in the loop",
        ),
        pytest.param(
            "float s[4] = {};\nfor (int i = 0; i < n; ++i) {\nproduct(s, a, b);\nif (out[i] < 0) break;\n}\nout[0] = s[1];",
            "float s[4] = {} | K(s) | for (int i = 0; i < n; ++i) { | product(s, a, b) | if (out[i] < 0) break | } | P(s) | "
            "out[0] = s[1]",
            id="a way out of a loop that is inside",
        ),
        pytest.param(
            "float s[4] = {};\nfor (int i = 0; i < n; ++i) {\nif (i) { product(s, a, b); continue; }\nout[i] = s[1];\n}",
            "float s[4] = {} | for (int i = 0; i < n; ++i) { | if (i) { K(s); product(s, a, b); P(s); continue; } | "
            "out[i] = s[1] | }",
            id="a way out past the conversion",
        ),
        pytest.param(
            "float s[4] = {};\nif (n) product(s, a, b);\nelse s[0] = 1;",
            "float s[4] = {} | if (n) { K(s); product(s, a, b); P(s); } | else s[0] = 1",
            id="a statement without braces",
        ),
        pytest.param(
            "float s[4] = {};\nfor (int i = 0; i < n; ++i) {\nfloat part[4];\nproduct(part, a, b);\n"
            "for (int j = 0; j < 4; ++j) s[j] += part[j];\n}\nout[0] = s[1];",
            "float s[4] = {} | K(s) | for (int i = 0; i < n; ++i) { | float part[4] | product(part, a, b) | "
            "for (int j = 0; j < 4; ++j) s[j] += part[j] | } | P(s) | out[0] = s[1]",
            id="another array takes the sums of all elements",
        ),
        pytest.param(
            "float s[4] = {};\nfor (int i = 0; i < n; ++i) {\nfloat part[4];\nproduct(part, a, b);\n"
            "for (int j = 0; j < 4; ++j) s[j] += j * part[j];\n}\nout[0] = s[1];",
            "float s[4] = {} | for (int i = 0; i < n; ++i) { | float part[4] | K(part) | product(part, a, b) | P(part) | "
            "for (int j = 0; j < 4; ++j) s[j] += j * part[j] | } | out[0] = s[1]",
            id="what is done depends on the element",
        ),
        pytest.param(
            "float s[4] = {};\nfor (int i = 0; i < n; ++i) {\nfloat part[4];\nproduct(part, a, b);\n"
            "for (int j = 0; j < 4; j += 2) s[j] += part[j];\n}\nout[0] = s[1];",
            "float s[4] = {} | for (int i = 0; i < n; ++i) { | float part[4] | K(part) | product(part, a, b) | P(part) | "
            "for (int j = 0; j < 4; j += 2) s[j] += part[j] | } | out[0] = s[1]",
            id="not all elements",
        ),
        pytest.param(
            "float s[4] = {};\nfloat *p = s;\nfor (int i = 0; i < n; ++i) {\nproduct(s, a, b);\n}\nout[0] = p[1];",
            "float s[4] = {} | float *p = s | for (int i = 0; i < n; ++i) { | K(s) | product(s, a, b) | P(s) | } | "
            "out[0] = p[1]",
            id="a pointer to the array",
        ),
        pytest.param(
            "float s[4] = {};\nconst auto step = [&](int i) {\nproduct(s, a, b);\n};\n"
            "for (int i = 0; i < n; ++i) step(i);\nout[0] = s[1];",
            "float s[4] = {} | const auto step = [&](int i) { | K(s) | product(s, a, b) | P(s) | } | "
            "for (int i = 0; i < n; ++i) step(i) | out[0] = s[1]",
            id="in a lambda",
        ),
        pytest.param(
            "float s[2][4] = {};\nfor (int i = 0; i < n; ++i) {\nproduct(s[0], a, b);\nproduct(s[1], a, b);\n}\nout[0] = s[1][1];",
            "float s[2][4] = {} | K(s) | for (int i = 0; i < n; ++i) { | product(s[0], a, b) | product(s[1], a, b) | } | P(s) | "
            "out[0] = s[1][1]",
            id="two tiles in one array",
        ),
    ],
)  # fmt: skip
def test_conversions(statements: str, expected: str, tmp_path: Path) -> None:
    assert conversions(statements, tmp_path) == expected


@pytest.mark.parametrize(
    ("statements", "before"),
    [
        pytest.param(
            "float s[8] = {};\nproduct(*(float(*)[4])(s + 4), a, b);\nout[0] = s[5];", "", id="no plain array"
        ),
        pytest.param("float s[4] = {};\nauto f = product;\nf(s, a, b);\nout[0] = s[1];", "", id="a function's address"),
        pytest.param("float s[4] = {};\nADD(s);\nout[0] = s[1];", "#define ADD(s) product(s, 0, 0)", id="a macro"),
        pytest.param(
            "float s[4] = {};\nuse(s, a, b);\nout[0] = s[1];",
            "__device__ void use(float *d, uint64_t a, uint64_t b) { product(*(float(*)[4])d, a, b); d[0] = 0; }",
            id="a pointer of unknown size",
        ),
        pytest.param("__shared__ float s[4];\nproduct(s, a, b);\nout[0] = s[1];", "", id="shared memory"),
    ],
)
def test_left_to_the_header(statements: str, before: str, tmp_path: Path) -> None:
    assert "porter::keep" not in " ".join(body(statements, tmp_path, before))


def test_headers_do_not_know_their_users(tmp_path: Path) -> None:
    loop = "float s[4] = {};\nfor (int i = 0; i < n; ++i) product(s, a, b);\nout[0] = s[2];"
    assert "porter::keep" not in " ".join(body(loop, tmp_path, name="a.cuh"))


def test_a_fragment_in_another_order_is_no_array(tmp_path: Path) -> None:
    source = PRODUCT.replace('"+f"(d[1]), "+f"(d[2])', '"+f"(d[2]), "+f"(d[1])')
    kernel = "__global__ void k(float *out) { float s[4] = {}; product(s, 0, 0); out[0] = s[1]; }"
    assert "porter::keep" not in port(source + kernel, tmp_path).port


WARP = """
template <class T>
__device__ void mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  if constexpr (sizeof(T) == 2) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1),
                   "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]));
  }
}
"""
LOADED = "uint32_t x[4] = {}, y[8] = {};\nfloat s[4][4] = {};\n"


def warp(statements: str, tmp_path: Path, before: str = WARP) -> str:
    source = f"#include <cstdint>\n{before}__global__ void k(float *out, int n) {{\n{LOADED}{statements}\nout[0] = s[1][2];\n}}\n"
    result = port(source, tmp_path)
    assert result.problem == ""
    return result.port


def test_products_of_one_a_are_made_two_at_a_time(tmp_path: Path) -> None:
    loops = "for (int i = 0; i < n; ++i) {\nx[0] = i;\nfor (int j = 0; j < 4; ++j) {\nmma<short>(s[j], x, y[j], y[j + 1]);\n}\n}"
    text = warp(loops, tmp_path)
    assert "mma(porter::MmaPairs& porter_pairs, float (&d)[4]" in text
    assert text.count("_kept<") == text.count("_kept<porter::mma::f16, porter::mma::f16>(porter_pairs, d[0]") + 1 == 2
    lines = [line.strip() for line in text[text.index("void k(") :].splitlines()]
    assert lines[3:-2] == [
        "porter::keep(s);", "for (int i = 0; i < n; ++i) {", "x[0] = i;", "{ porter::MmaPairs porter_pairs;",
        "for (int j = 0; j < 4; ++j) {", "mma<short>(porter_pairs, s[j], x, y[j], y[j + 1]);", "}", "}", "}", "porter::present(s);",
    ]  # fmt: skip


def test_no_product_waits_over_the_turns_of_a_loop(tmp_path: Path) -> None:
    text = warp("for (int i = 0; i < n; ++i) {\nmma<short>(s[0], x, y[i], y[1]);\n}", tmp_path)
    loop = text[text.index("porter::keep(s)") : text.index("porter::present(s)")]
    assert loop.index("for (") < loop.index("porter::MmaPairs porter_pairs;") < loop.index("mma<short>(")


def test_addends_of_their_own(tmp_path: Path) -> None:
    other = WARP.replace('"f"(d[0]), "f"(d[1])', '"f"(c[0]), "f"(c[1])').replace(
        "(float (&d)[4],", "(float (&d)[4], const float *c,"
    )
    assert "_kept<" not in warp("mma<float>(s[0], out, x, y[0], y[1]);", tmp_path, other)


def test_a_specialisation_is_another_function(tmp_path: Path) -> None:
    special = (
        WARP
        + "template <>\n__device__ void mma<char>(float (&d)[4], const uint32_t (&a)[4], uint32_t, uint32_t) { d[0] = 0; }\n"
    )
    assert "_kept<" not in warp("mma<char>(s[0], x, y[0], y[1]);", tmp_path, special)
