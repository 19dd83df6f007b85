"""Products whose operands threads load themselves, element by element: mma.sync, ldmatrix, cp.async, nvcuda::wmma.

What is recognised is also run: reference_kernels has the native ports of both originals.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_recognise import ROOT, native, reason, written

AMPERE = ROOT / "reference_kernels" / "ampere_gemm_mma_sync" / "ampere_gemm_mma_sync.cu"
WMMA = ROOT / "reference_kernels" / "wmma_gemm" / "wmma_gemm.cu"
# One instantiation is enough here, and an eighth of the tile.
ONE_TYPE = (
    ("  return launch(A, B, C, m, n, k, stream);\n}\n\nextern", "  return cudaSuccess;\n}\n\nextern"),
    ("kBlockM = 128;", "kBlockM = 32;"),
    ("kBlockN = 128;", "kBlockN = 64;"),
)
ONE_WAY = (
    ("    gemm<false><<<grid, kThreads, 0, stream>>>(A, B, D, m, n, k, alpha, beta);\n", ""),
    *(
        (f"k{tile} = {size};", f"k{tile} = {size // 2};")
        for tile, size in (("BlockM", 64), ("BlockN", 64), ("WarpM", 32), ("WarpN", 32))
    ),
)


def test_pitches_of_their_own(tmp_path: Path) -> None:
    """B by columns, A with a pitch beside its width."""
    changes = [
        ("T* __restrict__ c, int m, int n, int k) {", "T* __restrict__ c, int m, int n, int k, int lda) {"),
        ("static_cast<size_t>(row0 + row) * k + k0", "static_cast<size_t>(row0 + row) * lda + k0"),
        ("(a, b, c, m, n, k);", "(a, b, c, m, n, k, k);"),
    ]
    port = native(AMPERE, tmp_path, *ONE_TYPE, *changes)
    assert "gemm multiplies a and b (bf16 x bf16) and stores the sum as bf16 to c" in written(port)
    assert "porter::view<uint16_t>(a, lda, m, k), porter::view<uint16_t>(b, n, k, n)" in port.port


@pytest.mark.parametrize(
    ("source", "changes", "told"),
    [
        # the two tiles of B that ldmatrix brings change places
        (AMPERE, [("fragments_b[j / 2][j % 2 * 2],", "fragments_b[j / 2][(1 - j % 2) * 2],")], "rows and columns"),
        # B is not transposed on the way
        (AMPERE, [("ldmatrix.sync.aligned.m8n8.x4.trans", "ldmatrix.sync.aligned.m8n8.x4")], ""),
        # a stage that is not filled yet
        (AMPERE, [("stage_a(step % kStages), tile_b", "stage_a((step + 3) % kStages), tile_b")], ""),
        # half of each step is left out
        (AMPERE, [("k0 < kBlockK; k0 += kMmaK", "k0 < kBlockK; k0 += 2 * kMmaK")], "the whole of k"),
        # the swizzle for writing is another than the one for reading
        (AMPERE, [("copy_async(stage_b(stage) + offset_b(row, chunk)", "copy_async(stage_b(stage) + offset_b(row, chunk ^ 1)")], "rows and columns"),
        # elements of B are changed on their way
        (WMMA, [("(&shared.b[row * kRowB + column]) = next_b[i];", "(&shared.b[row * kRowB + column]) = make_uint4(next_b[i].x ^ 0x8000u, next_b[i].y, next_b[i].z, next_b[i].w);")], "not as they lie in memory"),
        # each blockIdx.z has a product of its own
        (WMMA, [("const int row0 = blockIdx.y", "a += blockIdx.z * size_t(m) * k;\n  const int row0 = blockIdx.y")], "blockIdx.z"),
        # what is stored went through shared memory to a wrong place
        (WMMA, [("const float value = shared.d[row * kRowD + column];", "const float value = shared.d[row * kRowD + (column ^ 1)];")], "rows and columns"),
        # scaled by what lies in another row
        (WMMA, [("fmaf(beta, *to, value)", "fmaf(beta, to[n], value)")], "depends on d"),
    ],
)  # fmt: skip
@pytest.mark.sample(4)
def test_what_is_no_product(source: Path, changes: list[tuple[str, str]], told: str, tmp_path: Path) -> None:
    first = ONE_TYPE if source is AMPERE else ONE_WAY
    assert told in reason(native(source, tmp_path, *first, *changes))
