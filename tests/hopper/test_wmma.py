"""nvcuda::wmma, converted and run in the emulator: every shape, type and layout, and elements touched one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import porter

from porter.findings import Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.harness.sessions.session import VerifyOptions, plan_tasks, verify
from porter.harness.verdict import Status
from porter.port.pipeline import port_source

SOURCE = """
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// D = 2 A B + C, one warp a product; the warps of a block take products that lie one after the other.
template <int M, int N, int K, class T, class S, class LA, class LB, class Stored>
__global__ void product(const Stored *a, const Stored *b, const S *c, S *d) {
  const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> right;
  wmma::fragment<wmma::accumulator, M, N, K, S> sum, added;
  constexpr bool a_rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
  wmma::fill_fragment(sum, S(0.0f));
  wmma::load_matrix_sync(left, a + warp * M * K, a_rows ? K : M);
  wmma::load_matrix_sync(right, b + warp * K * N, b_rows ? N : K);
  wmma::load_matrix_sync(added, c + warp * M * N, N, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = S(2) * sum.x[i] + added.x[i];
  wmma::store_matrix_sync(d + warp * M * N, sum, M, wmma::mem_col_major);
  if (threadIdx.x > 9999) wmma::store_matrix_sync(nullptr, sum, M, wmma::mem_row_major);  // as programs that measure do
}
template <int M, int N, int K, class T, class S, class LA, class LB, class Stored = T>
void run(const Stored *a, const Stored *b, const S *c, S *d, int warps, cudaStream_t stream) {
  product<M, N, K, T, S, LA, LB, Stored><<<warps / 2, 64, 0, stream>>>(a, b, c, d);
}
"""
CASE = """
import torch
M, N, K = {shape}
ENTRY = "run<{shape[0]}, {shape[1]}, {shape[2]}, {entry}>"
SHAPES = [dict(warps=4)]
VALUES = ("normal", "zeros")
TOLERANCE = {{"d": dict(rtol={rtol}, atol={rtol})}}
def inputs(warps):
    low = 0 if {unsigned} else -128
    integers = lambda *s: torch.randint(low, low + 256, s).to(torch.uint8 if {unsigned} else torch.int8)
    draw = integers if {whole} else torch.randn
    c = torch.randint(-1000, 1000, (warps, M, N), dtype=torch.int32) if {whole} else torch.randn(warps, M, N)
    return {{"a": draw(warps, *((M, K) if {a_rows} else (K, M))), "b": draw(warps, *((K, N) if {b_rows} else (N, K))), "c": c}}
def reference(a, b, c):
    a, b = a if {a_rows} else a.mT, b if {b_rows} else b.mT
    return {{"d": (2 * (a.double() @ b.double()) + c).mT}}
"""
ROWS, COLUMNS = "wmma::row_major", "wmma::col_major"
CASES = [
    ((16, 16, 16), "__half", "float", ROWS, COLUMNS),
    ((32, 8, 16), "__half", "__half", COLUMNS, ROWS),
    ((8, 32, 16), "__nv_bfloat16", "float", ROWS, ROWS),
    ((16, 16, 16), "signed char", "int", COLUMNS, COLUMNS),
    ((32, 8, 16), "signed char", "int", ROWS, COLUMNS),
    ((16, 16, 16), "unsigned char", "int", ROWS, COLUMNS),
    ((8, 32, 16), "unsigned char", "int", COLUMNS, ROWS),
    ((16, 16, 8), "wmma::precision::tf32", "float", ROWS, COLUMNS),
    ((8, 8, 4), "double", "double", ROWS, COLUMNS),
    ((8, 8, 4), "double", "double", COLUMNS, ROWS),
]


@pytest.fixture(scope="module")
def reasons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    folder = tmp_path_factory.mktemp("wmma")
    for number, (shape, element, total, a, b) in enumerate(CASES):
        target = folder / f"case{number}"
        target.mkdir()
        (target / "product.cu").write_text(SOURCE)
        entry = ", ".join([element, total, a, b, *(["float"] if "tf32" in element else [])])
        text = CASE.format(
            shape=shape, entry=entry, whole="char" in element, unsigned="unsigned" in element, a_rows=a == ROWS, b_rows=b == ROWS,
            rtol={"__half": 2e-2, "double": 1e-14}.get(total, 2e-3 if "tf32" in element else 1e-5),
        )  # fmt: skip
        (target / "case.py").write_text(text)
    options = VerifyOptions(seed=2)
    tasks, broken = plan_tasks([folder], options)
    assert not broken and len(tasks) == len(CASES)
    by_case: dict[str, list[str]] = {}
    for verdict in verify(tasks, options).verdicts:
        by_case.setdefault(verdict.case, []).append("" if verdict.status is Status.PASS else verdict.reason)
    return by_case


@pytest.mark.parametrize("number", range(len(CASES)), ids=["-".join(map(str, c[0])) + "-" + c[1] for c in CASES])
def test_products(reasons: dict[str, list[str]], number: int) -> None:
    assert reasons[f"case{number}"] == ["", ""]  # both kinds of values


@pytest.mark.parametrize(
    "name", ["wmma::experimental::precision::s4", "nvcuda::wmma::precision::u4", "wmma::precision::b1"]
)
def test_elements_that_are_no_bytes_are_left(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bits.cu"
    path.write_text(
        "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(const int *a) {\n"
        f"  wmma::fragment<wmma::matrix_a, 8, 8, 32, {name}, wmma::row_major> left;\n"
        "  wmma::load_matrix_sync(left, a, 32);\n}\n"
    )
    result = port_source(Project(tmp_path), path, "bits.hip", Options(runtime="include"), {})
    left = [f for f in result.findings if f.safety is Safety.LEFT]
    assert [f.rule for f in left] == ["name-wmma"] and "mma.sync of them is ported" in left[0].message


def test_a_unit_that_only_includes_its_header(tmp_path: Path) -> None:
    """Its warps share waves: it has no mirrors, and the header comes behind others that say so."""
    text = "#include <mma.h>\n__global__ void k(int *x) { x[threadIdx.x] += __match_any_sync(~0u, x[threadIdx.x]); }\n"
    (tmp_path / "a.cu").write_text(text)
    done = porter("convert", tmp_path / "a.cu", "--build")
    assert (done.returncode, "compiles" in done.stdout) == (0, True), done.stdout
    used = (
        "#include <porter/warp.h>\n#include <porter/wmma.h>\n__global__ void k(float *to) {\n"
        "  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sums = {};\n"
        "  nvcuda::wmma::store_matrix_sync(to, sums, 16, nvcuda::wmma::mem_row_major);\n}\n"
    )
    (tmp_path / "b.hip").write_text(used)
    assert "must define PORTER_MIRRORED" in porter("asm", tmp_path / "b.hip").stderr
