"""Several products in one launch: which matrices each has, and what the native launch makes of that."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_recognise import BASIC, native, reason, written
from test_recognise_elements import AMPERE, ONE_TYPE
from test_recognise_given import passes

# A and B lie below each other, C is a batch of matrices without gaps.
BELOW = [
    ("kBlockK, row0)", "kBlockK, row0 + blockIdx.z * m)"),
    ("kBlockK, column0)", "kBlockK, column0 + blockIdx.z * n)"),
    ("  const int row0 =", "  c += blockIdx.z * size_t(m) * n;\n  const int row0 ="),
    ("int n, int k, cudaStream_t stream) {", "int n, int k, int products, cudaStream_t stream) {"),
    ("&map_a, A, m, k,", "&map_a, A, products * m, k,"),
    ("&map_b, B, n, k,", "&map_b, B, products * n, k,"),
    ("(m + kBlockM - 1) / kBlockM);", "(m + kBlockM - 1) / kBlockM, products);"),
]
CASE = '''"""Products of matrices that lie below each other."""

import torch

ENTRY = "hopper_gemm_basic"
VALUES = ("normal",)
SHAPES = [dict(m=130, n=72, k=40, products=3), dict(m=1, n=8, k=72, products=5), dict(m=64, n=129, k=64, products=2)]


def inputs(m, n, k, products):
    return {"A": torch.randn(products, m, k), "B": torch.randn(products, n, k)}


def reference(A, B):
    return {"C": A @ B.transpose(1, 2)}
'''


@pytest.mark.slow
def test_matrices_below_each_other(tmp_path: Path, cache: Path) -> None:
    port = native(BASIC, tmp_path, *BELOW)
    assert "as bf16 to c for each blockIdx.z" in written(port)
    assert (
        "porter::below(porter::view(map_a), blockIdx.z, m), porter::below(porter::view(map_b), blockIdx.z, n)"
        in port.port
    )
    assert "(c, n, m, n), blockIdx.z, int64_t(m) * n)" in port.port
    assert "gemm_native::grid(m, n, dim3(grid).z), gemm_native::kThreads" in port.port
    passes(port, CASE, tmp_path / "case")


PITCHES = [
    ("T* __restrict__ c, int m, int n, int k) {", "T* __restrict__ c, int m, int n, int k, long long apart, int count) {\n"
     "  if (blockIdx.z >= count) return;\n  a += blockIdx.z * apart, c += blockIdx.z * size_t(m) * n;"),
    ("(a, b, c, m, n, k);", "(a, b, c, m, n, k, 1ll * m * k, 1);"),
]  # fmt: skip


def test_pitches_and_an_operand_of_all(tmp_path: Path) -> None:
    port = native(AMPERE, tmp_path, *ONE_TYPE, *PITCHES)
    written(port)
    assert "porter::behind<uint16_t>(porter::view<uint16_t>(a, k, m, k), blockIdx.z, int64_t(apart))" in port.port
    assert "porter::view<uint16_t>(b, n, k, n), porter::behind" in port.port
    assert "if (blockIdx.z >= count) return;" in port.port


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("column0 + blockIdx.z * n)", "column0 + (blockIdx.z + 1) * n)"), "rows and columns"),
        (("row0 + blockIdx.z * m)", "row0 + blockIdx.z * n)"), "as many rows apart"),
        (("row0 + blockIdx.z * m)", "row0 + blockIdx.z / 2 * m)"), "blockIdx.z"),
        (("row0 + blockIdx.z * m)", "row0 + blockIdx.z % 4 * m)"), "blockIdx.z"),
        (("row0 + blockIdx.z * m)", "row0 + blockIdx.z * kBlockM)"), "blockIdx.z"),
        (("c += blockIdx.z * size_t(m) * n;", "c += blockIdx.z * (size_t(m) * n + 8);"), "blockIdx.z"),
        (("c += blockIdx.z * size_t(m) * n;", "c += blockIdx.z * size_t(m) * n * (blockIdx.x + 1);"), "blockIdx.z"),
        (("c += blockIdx.z * size_t(m) * n;", ""), "blockIdx.z"),
        (("const float left = sum[4", "const float left = (blockIdx.z + 1.0f) * sum[4"), "blockIdx.z"),
    ],
    ids=["one further", "another pitch", "half as many", "four in turn", "a constant", "gaps", "by columns", "one result", "a factor"],
)  # fmt: skip
@pytest.mark.sample(4)
def test_what_is_no_batch(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    changes = [c for c in BELOW if "const int row0" in c[0] or "blockIdx.z" in c[1]]
    assert told in reason(native(BASIC, tmp_path, *changes, change))


def test_a_list_of_the_tiles_of_several_products(tmp_path: Path) -> None:
    """Which the first blocks do not show."""
    listed = (
        "const int row0 = blockIdx.y * kBlockM;\n  const int column0 = blockIdx.x * kBlockN;",
        "const int across = (n + kBlockN - 1) / kBlockN, down = (m + kBlockM - 1) / kBlockM;\n"
        "  const int product = blockIdx.x / (across * down), tile = blockIdx.x % (across * down);\n"
        "  const int row0 = tile / across * kBlockM, column0 = tile % across * kBlockN;\n"
        "  c += product * size_t(m) * n;",
    )
    changes = [
        ("kBlockK, row0)", "kBlockK, row0 + product * m)"),
        ("kBlockK, column0)", "kBlockK, column0 + product * n)"),
    ]
    assert "a list of several products" in reason(native(BASIC, tmp_path, listed, *changes))
    one = (listed[0], listed[1].replace("c += product * size_t(m) * n;", "if (product > 0) return;"))
    assert "multiplies map_a and map_b" in written(native(BASIC, tmp_path, one))
