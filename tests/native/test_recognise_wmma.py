"""A small kernel in variants: instantiations of different types, blocks as launches say, matrices beside A, B and C, orders of tiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_recognise import native, reason, written
from test_recognise_given import passes

from porter.native.recognise.instantiations import counted_by

SOURCE = """
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

template <class In, class Out>
__global__ void __launch_bounds__(128) product(const In* a, const In* b, Out* c, int m, int n, int k) {
  const int row = blockIdx.y * 32 + threadIdx.x / 64 * 16, column = blockIdx.x * 32 + threadIdx.x / 32 % 2 * 16;
  if (row >= m || column >= n) return;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Out> sums;
  wmma::fill_fragment(sums, Out(0));
  for (int at = 0; at < k; at += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, In, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, In, wmma::col_major> of_b;
    wmma::load_matrix_sync(of_a, a + row * k + at, k);
    wmma::load_matrix_sync(of_b, b + column * k + at, k);
    wmma::mma_sync(sums, of_a, of_b, sums);
  }
  wmma::store_matrix_sync(c + row * n + column, sums, n, wmma::mem_row_major);
}

template <class In, class Out>
static int launch(const In* a, const In* b, Out* c, int m, int n, int k) {
  product<<<dim3((n + 31) / 32, (m + 31) / 32), 128>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}
extern "C" int halves(const half* A, const half* B, float* C, int m, int n, int k) { return launch(A, B, C, m, n, k); }
extern "C" int bytes(const signed char* A, const signed char* B, int* C, int m, int n, int k) {
  return launch(A, B, C, m, n, k);
}
"""
CASE = """
import torch

ENTRY = "{entry}"
VALUES = ("normal",)
SHAPES = [dict(m=160, n=288, k=208), dict(m=16, n=16, k=16)]


def inputs(m, n, k):
    return {{name: ({matrix}).to(torch.{kind}) for name, rows in (("A", m), ("B", n))}}


def reference(A, B):
    return {{"C": A @ B.T}}
"""


def source(folder: Path) -> Path:
    path = folder / "source" / "product.cu"
    path.parent.mkdir()
    path.write_text(SOURCE)
    return path


# A number differs as well, which says less than the types: the faithful port may lower it.
STEPS = [
    ("template <class In, class Out>\n__global__", "template <int kStep, class In, class Out>\n__global__"),
    ("at += 16)", "at += kStep)"),
    ("product<<<", "product<16 / sizeof(In), In, Out><<<"),
    ("for (int at = 0; at < k; at += kStep) {", "for (int at = 0; at < k; at += kStep * sizeof(In)) {"),
]


@pytest.mark.slow
def test_a_kernel_for_each_type(tmp_path: Path, cache: Path) -> None:
    port = native(source(tmp_path), tmp_path)
    assert (
        "product multiplies a and b (f16 x f16) and stores the sum as f32 to c; where std::is_same_v<In, signed char>, "
        "multiplies a and b (s8 x s8) and stores the sum as s32 to c"
    ) in written(port)
    assert port.port.count('#include "porter/gemm.h"') == 1
    case = CASE.format(entry="halves", matrix="torch.randn(rows, k)", kind="float16")
    passes(port, case, tmp_path / "halves")
    case = CASE.format(entry="bytes", matrix="torch.randint(-128, 128, (rows, k))", kind="int8").replace(
        "A @ B.T", "(A.double() @ B.double().T).to(torch.int32)"
    )
    passes(port, case, tmp_path / "bytes")


def test_instantiations_whose_results_lie_otherwise(tmp_path: Path) -> None:
    by_rows = "wmma::store_matrix_sync(c + row * n + column, sums, n, wmma::mem_row_major);"
    by_columns = by_rows.replace("row * n + column, sums, n", "column * m + row, sums, m").replace(
        "row_major", "col_major"
    )
    change = (by_rows, f"if constexpr (sizeof(In) == 2) {by_rows} else {by_columns}")
    port = native(source(tmp_path), tmp_path, change)
    assert "its instantiations differ: f16 to f32, s8 to s32" in reason(port)


def test_types_tell_more_than_numbers(tmp_path: Path) -> None:
    assert "where std::is_same_v<In, signed char>," in written(native(source(tmp_path), tmp_path, *STEPS))


def test_numbers_among_a_templates_parameters() -> None:
    template = (
        "template <int kStages, bool kBias, class T, typename Policy = Usual<8>, size_t kTile = 3, class... Rest>"
    )
    assert counted_by(template) == {"kStages", "kTile"}


def test_a_block_of_one_warp_as_its_launch_says(tmp_path: Path) -> None:
    """Without __launch_bounds__ nothing else says how many threads there are."""
    changes = [
        ("void __launch_bounds__(128) product", "void product"),
        ("blockIdx.y * 32 + threadIdx.x / 64 * 16", "blockIdx.y * 16"),
        ("blockIdx.x * 32 + threadIdx.x / 32 % 2 * 16", "blockIdx.x * 16"),
        (
            "product<<<dim3((n + 31) / 32, (m + 31) / 32), 128>>>",
            "dim3 block(32);\n  product<<<dim3(n / 16, m / 16), block>>>",
        ),
    ]
    assert "product multiplies a and b" in written(native(source(tmp_path), tmp_path, *changes))


ANOTHER_MATRIX = [
    ("(const In* a, const In* b, Out* c, int m", "(const In* a, const In* b, Out* c, const Out* d, int m"),
    ("(a, b, c, m, n, k)", "(a, b, c, d, m, n, k)"),
    ("(const half* A, const half* B, float* C, int m", "(const half* A, const half* B, float* C, const float* D, int m"),
    ("{ return launch(A, B, C, m, n, k); }", "{ return launch(A, B, C, D, m, n, k); }"),
    ("  return launch(A, B, C, m, n, k);\n", "  return 0;\n"),
    ("  wmma::store_matrix_sync(", """  wmma::fragment<wmma::accumulator, 16, 16, 16, Out> other;
  wmma::load_matrix_sync(other, d + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = 2 * sums.x[i] + other.x[i];
  wmma::store_matrix_sync("""),
]  # fmt: skip


@pytest.mark.slow
def test_a_matrix_that_is_added(tmp_path: Path, cache: Path) -> None:
    port = native(source(tmp_path), tmp_path, *ANOTHER_MATRIX)
    assert "d[place]" in written(port)
    assert "d[int64_t(row) * n + column]" in port.port
    case = CASE.format(entry="halves", matrix="torch.randn(rows, k)", kind="float16")
    case = case.replace("reference(A, B)", "reference(A, B, D)").replace("A @ B.T", "2 * (A @ B.T) + D")
    case = case.replace("    return {name", '    return {"D": torch.randn(m, n)} | {name')
    passes(port, case, tmp_path / "halves")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("d + row * n + column, n", "d + column * n + row, n"), "in another way than by its row or column"),
        (("d + row * n + column, n", "d + row * k + column, k"), "in another way than by its row or column"),
    ],
    ids=["transposed", "another pitch"],
)  # fmt: skip
def test_matrices_that_lie_otherwise(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    assert told in reason(native(source(tmp_path), tmp_path, *ANOTHER_MATRIX, change))


def test_tiles_that_blocks_take_there_and_back(tmp_path: Path) -> None:
    """Every other blockIdx.z begins with the last rows, which are behind those of a small matrix."""
    changes = [
        ("__launch_bounds__(128)", "__launch_bounds__(512)"),
        ("blockIdx.y * 32 + threadIdx.x / 64 * 16", "(blockIdx.z % 2 ? gridDim.y - blockIdx.y - 1 : blockIdx.y) * 256 + threadIdx.x / 32 * 16"),
        ("blockIdx.x * 32 + threadIdx.x / 32 % 2 * 16", "(blockIdx.z * gridDim.x + blockIdx.x) * 16"),
        ("dim3((n + 31) / 32, (m + 31) / 32), 128", "dim3(4, (m + 255) / 256, (n + 63) / 64), 512"),
        ("return launch(A, B, C, m, n, k);\n}\n", "return 0;\n}\n"),  # one instantiation is enough here
    ]  # fmt: skip
    message = written(native(source(tmp_path), tmp_path, *changes))
    assert "blockIdx" not in message


LD = [
    ("int m, int n, int k) {\n  const int row", "int m_ld, int n_ld, int k_ld) {\n  const int row"),
    ("if (row >= m || column >= n) return;", "if (row >= m_ld || column >= n_ld) return;"),
    ("at < k;", "at < k_ld;"),
    ("a + row * k + at, k)", "a + row * k_ld + at, k_ld)"),
    ("b + column * k + at, k)", "b + column * k_ld + at, k_ld)"),
    ("c + row * n + column, sums, n,", "c + row * n_ld + column, sums, n_ld,"),
    ("return launch(A, B, C, m, n, k);\n}\n", "return 0;\n}\n"),
]


def test_a_size_by_where_whole_tiles_end(tmp_path: Path) -> None:
    """What is called a pitch is the number of columns as well."""
    port = native(source(tmp_path), tmp_path, *LD)
    written(port)
    assert "product_native::grid(m, n)" in port.port


def test_a_pitch_is_no_size(tmp_path: Path) -> None:
    """The launch may make fewer columns than the pitch has."""
    port = native(source(tmp_path), tmp_path, *LD, ("|| column >= n_ld", ""))
    assert "sizes of the matrices are not among" in reason(port)
