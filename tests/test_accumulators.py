"""Where accumulators of wgmma stay in the matrix cores' form, and where they must not."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_passes import port

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
