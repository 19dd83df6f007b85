"""Matrices that a library of tiles keeps: structures of a pointer, sizes and nested tensor maps, whose third dimension counts
chunks of columns as wide as the swizzle."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_recognise import ROOT, native, reason, written
from test_recognise_given import passes

from porter.native.ir.kernel_arguments import Given
from porter.native.ir.types import Type
from porter.native.recognise.size_guesses import assignments

PINGPONG = ROOT / "reference_kernels" / "hopper_gemm_pingpong" / "hopper_gemm_pingpong.cu"
KERNEL = "__global__ void __launch_bounds__(kThreads, 1)\n"
ENCODE = "bool encode(CUtensorMap* map, const __nv_bfloat16* matrix, int rows, int columns, int box_rows, int box_columns,\n            CUtensorMapSwizzle swizzle)"
STRUCTURES = f"""{ENCODE};

struct Count {{
  long long value;
}};
template <int... kHeights>
struct Maps {{
  Maps(const __nv_bfloat16*, int, int) {{}}
}};
template <int kHeight, int... kOthers>
struct Maps<kHeight, kOthers...> {{
  CUtensorMap own;
  Maps<kOthers...> others;
  Maps(const __nv_bfloat16* matrix, int rows, int columns) : others(matrix, rows, columns) {{
    encode(&own, matrix, rows, columns, kHeight, kBlockK, kSwizzle);
  }}
  template <int kWanted>
  __device__ const CUtensorMap* of() const {{
    if constexpr (kWanted == kHeight) return &own;
    else return others.template of<kWanted>();
  }}
}};
template <int... kHeights>
struct Matrix {{
  __nv_bfloat16* data;
  Count rows, columns;
  Maps<kHeights...> maps;
  Matrix() = delete;
  Matrix(const __nv_bfloat16* matrix, int rows, int columns)
      : data(const_cast<__nv_bfloat16*>(matrix)), rows{{rows}}, columns{{columns}}, maps(matrix, rows, columns) {{}}
}};
struct Globals {{
  Matrix<kBlockM> a;
  Matrix<32, kBlockN> b;
  Matrix<kBlockM> c;
}};

"""
PARAMETERS = """\
    gemm(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
         const __grid_constant__ CUtensorMap map_c, int m, int n, int k) {
"""
OWN = """\
    gemm(const __grid_constant__ Globals g) {
  const int m = g.c.rows.value, n = g.c.columns.value, k = g.a.columns.value;
  const CUtensorMap *const map_a = g.a.maps.of<kBlockM>(), *const map_b = g.b.maps.of<kBlockN>();
  const CUtensorMap* const map_c = g.c.maps.of<kBlockM>();
"""
TEXT = PINGPONG.read_text()
HOST = TEXT[TEXT.index("  CUtensorMap map_a, map_b, map_c;") : TEXT.index("  int device = 0")]
NESTED = (
    (f"{KERNEL}{PARAMETERS}", f"{STRUCTURES}{KERNEL}{OWN}"),
    ("prefetch_map(&map_a);\n    prefetch_map(&map_b);\n    prefetch_map(&map_c);", "prefetch_map(map_a);"),
    ("produce(shared, &map_a, &map_b,", "produce(shared, map_a, map_b,"),
    ("consume(shared, &map_c,", "consume(shared, map_c,"),
    (HOST, "  const Globals g{{A, m, k}, {B, n, k}, {C, m, n}};\n"),
    ("stream>>>(map_a, map_b, map_c, m, n, k);", "stream>>>(g);"),
)  # fmt: skip


def in_chunks(rank: int) -> tuple[tuple[str, str], ...]:
    """Of 64 columns, by maps of so many dimensions."""
    more, ones = ", %5" * (rank - 3), ", 1" * (rank - 3)
    sizes, strides = "{64, cuuint64_t(rows), cuuint64_t(columns) / 64", "{columns * sizeof(__nv_bfloat16), 128"
    whole = ", rows * columns * sizeof(__nv_bfloat16)" * (rank - 3)
    return (
        ("tensor.2d", f"tensor.{rank}d"),
        ("[%1, {%3, %4}]", f"[%1, {{%5, %4, %3{more}}}]"),
        ('"r"(shared_address(barrier)), "r"(column), "r"(row)', '"r"(shared_address(barrier)), "r"(column / 64), "r"(row), "r"(0)'),
        ("[%0, {%2, %3}]", "[%0, {%4, %3, %2" + more.replace("5", "4") + "}]"),
        ('"r"(shared_address(from)), "r"(column), "r"(row)', '"r"(shared_address(from)), "r"(column / 64), "r"(row), "r"(0)'),
        ("sizes[2] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)}", f"sizes[{rank}] = {sizes}{ones}}}"),
        ("strides[1] = {columns * sizeof(__nv_bfloat16)}", f"strides[{rank - 1}] = {strides}{whole}}}"),
        ("box[2] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)}",
         f"box[{rank}] = {{static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows), 1{ones}}}"),
        ("steps[2] = {1, 1}", f"steps[{rank}] = {{1, 1, 1{ones}}}"),
        ("CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2,", f"CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, {rank},"),
    )  # fmt: skip


CASE = '''"""Columns are whole chunks."""

import torch

ENTRY = "hopper_gemm_pingpong"
VALUES = ("normal",)
SHAPES = [dict(m=130, n=192, k=128, blocks=2), dict(m=64, n=64, k=320, blocks=0)]


def inputs(m, n, k, blocks):
    return {"A": torch.randn(m, k), "B": torch.randn(n, k)}


def reference(A, B, m, n, k, blocks):
    return {"C": A @ B.T}
'''
OF_C = "g.a.maps.own and g.b.maps.others.own (bf16 x bf16) and stores the sum as bf16 to g.c.maps.own"


def test_tensor_maps_in_nested_structures(tmp_path: Path) -> None:
    port = native(PINGPONG, tmp_path, *NESTED)
    assert OF_C in written(port)
    assert "porter::view(g.a.maps.own), porter::view(g.b.maps.others.own), porter::view(g.c.maps.own)," in port.port


@pytest.mark.parametrize("rank", [3, 5])
@pytest.mark.sample(1)
def test_chunks_of_columns(rank: int, tmp_path: Path, cache: Path) -> None:
    port = native(PINGPONG, tmp_path, *NESTED, *in_chunks(rank))
    assert OF_C in written(port)
    views = "porter::chunked(g.a.maps.own), porter::chunked(g.b.maps.others.own), porter::chunked(g.c.maps.own),"
    assert views in port.port
    assert "gemm<<<gemm_native::grid(g.a.maps.own, g.b.maps.others.own), gemm_native::kThreads," in port.port
    if rank == 5:
        passes(port, CASE, tmp_path / "case")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        # another chunk of A and B
        (('"r"(shared_address(barrier)), "r"(column / 64)', '"r"(shared_address(barrier)), "r"((column / 64) ^ 1)'), ""),
        # chunks of the matrix behind the first one
        (('"r"(column / 64), "r"(row), "r"(0)', '"r"(column / 64), "r"(row), "r"(1)'), "fourth or fifth dimension"),
        # the left half of a tile goes where the right one belongs
        (("origin.y + part * kStoreN", "origin.y + (part ^ 1) * kStoreN"), ""),
        # k is the number of B's rows, while B's map has as many columns
        (("k = g.a.columns.value", "k = g.b.rows.value"), ""),
    ],
    ids=["other chunks", "the matrix behind", "halves of C exchanged", "another size"],
)  # fmt: skip
@pytest.mark.sample(2)
def test_what_structures_do_not_mean(wrong: tuple[str, str], told: str, tmp_path: Path) -> None:
    assert told in reason(native(PINGPONG, tmp_path, *NESTED, *in_chunks(5), wrong))


def test_rows_and_columns_of_structures_are_tried_together() -> None:
    number, pointer = Type("int", 64), Type("ptr")
    names = (
        "count",
        "g.c.data",
        "g.c.size.rows",
        "g.c.size.cols",
        "g.a.p",
        "g.a.h.v",
        "g.a.w.v",
        "g.b.p",
        "g.b.h.v",
        "g.b.w.v",
    )
    knows = [Given(name, pointer if name[-1] in "ap" else number, None, 0, at) for at, name in enumerate(names)]
    first, *others = assignments(knows)
    assert first == ("M", "", "M", "K", "", "N", "K", "", "M", "N")  # as if they were A, B and C
    assert ("M", "", "M", "N", "", "M", "K", "", "N", "K") in others
