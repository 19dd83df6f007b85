"""How sizes and matrices are given to a kernel, and its threads to a block: members of structures, blocks of several dimensions."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_recognise import BASIC, native, reason, written
from test_recognise_elements import AMPERE, ONE_TYPE, ONE_WAY, WMMA

from porter.findings import FilePort
from porter.harness.sessions.session import VerifyOptions, plan_tasks, verify
from porter.harness.verdict import Status

ROWS = [("threadIdx.x", "(threadIdx.y * 32 + threadIdx.x)")]


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        (AMPERE, [*ONE_TYPE, *ROWS, ("<<<grid, kThreads,", "<<<grid, dim3(32, kThreads / 32),")]),
        (WMMA, [*ONE_WAY, ("threadIdx.x", "(threadIdx.z * 128 + threadIdx.y * 64 + threadIdx.x)"),
                ("<<<grid, kThreads,", "<<<grid, dim3(64, 2, kThreads / 128),")]),
    ],
    ids=["rows of a warp", "three dimensions"],
)  # fmt: skip
def test_blocks_of_several_dimensions(source: Path, changes: list[tuple[str, str]], tmp_path: Path) -> None:
    port = native(source, tmp_path, *changes)
    written(port)
    assert "gemm_native::kThreads, " in port.port


def test_a_block_that_is_not_what_the_kernel_is_for(tmp_path: Path) -> None:
    """Warps are other threads than the kernel thinks."""
    changes = [("threadIdx.x", "(threadIdx.x * 8 + threadIdx.y)"), ("<<<grid, kThreads,", "<<<grid, dim3(32, 8),")]
    reason(native(AMPERE, tmp_path, *ONE_TYPE, *changes))


# A 1-D list of tiles, whose numbers are members of a structure that depends on the template.
TILES = [
    ("__global__ void __launch_bounds__(kThreads)", "struct Tiles {\n  struct Params {\n    int tiles_m, tiles_n, tiles_k;\n  };\n};\n\n"
     "template <class Policy>\n__global__ void __launch_bounds__(kThreads)"),
    ("int m, int n, int k) {\n  extern", "int m, int n, const typename Policy::Params tiles) {\n  extern"),
    ("const int row0 = blockIdx.y * kBlockM;\n  const int column0 = blockIdx.x * kBlockN;",
     "const int tile = blockIdx.x;\n  if (tile >= tiles.tiles_m * tiles.tiles_n) return;\n"
     "  const int row0 = tile / tiles.tiles_n * kBlockM, column0 = tile % tiles.tiles_n * kBlockN;"),
    ("const int steps = (k + kBlockK - 1) / kBlockK;", "const int steps = tiles.tiles_k;"),
    ("cudaFuncSetAttribute(gemm,", "cudaFuncSetAttribute(gemm<Tiles>,"),
    ("gemm<<<grid,", "const Tiles::Params tiles{int(grid.y), int(grid.x), (k + kBlockK - 1) / kBlockK};\n  gemm<Tiles><<<grid.x * grid.y,"),
    ("(map_a, map_b, C, m, n, k)", "(map_a, map_b, C, m, n, tiles)"),
]  # fmt: skip
FLOOR = [
    ("const Tiles::Params tiles{int(grid.y), int(grid.x), (k + kBlockK - 1) / kBlockK};",
     "const Tiles::Params tiles{m / kBlockM, n / kBlockN, k / kBlockK};"),
    ("gemm<Tiles><<<grid.x * grid.y,", "if (tiles.tiles_m * tiles.tiles_n == 0) return cudaSuccess;\n  gemm<Tiles><<<tiles.tiles_m * tiles.tiles_n,"),
]  # fmt: skip
CASE = '''"""Whole tiles alone are computed."""

import torch

ENTRY = "hopper_gemm_basic"
VALUES = ("normal",)
SHAPES = [dict(m=130, n=264, k=200), dict(m=64, n=128, k=64), dict(m=200, n=200, k=72), dict(m=63, n=128, k=64)]


def inputs(m, n, k):
    return {"A": torch.randn(m, k), "B": torch.randn(n, k), "C": torch.randn(m, n)}


def reference(A, B, C, m, n, k):
    m, n, k = m // 64 * 64, n // 128 * 128, k // 64 * 64
    C = C.clone()
    C[:m, :n] = A[:m, :k] @ B[:n, :k].T
    return {"C": C}
'''


def passes(port: FilePort, case: str, folder: Path) -> None:
    folder.mkdir()
    (folder / "port.hip").write_text(port.port)
    (folder / "case.py").write_text(case)
    options = VerifyOptions(jobs=1)
    tasks, failed = plan_tasks([folder / "case.py"], options)
    assert not failed
    outcome = verify(tasks, options)
    assert outcome.verdicts
    assert [verdict for verdict in outcome.verdicts if verdict.status is not Status.PASS] == []


@pytest.mark.slow
def test_numbers_of_tiles(tmp_path: Path, cache: Path) -> None:
    """The native kernel computes as many whole tiles as the original, whatever the host makes of a part of one."""
    port = native(BASIC, tmp_path, *TILES, *FLOOR)
    written(port)
    assert "porter::within(porter::view(map_a), ~0u, tiles.tiles_k * 64)" in port.port
    assert "(c, n, m, n), tiles.tiles_m * 64, tiles.tiles_n * 128)" in port.port
    passes(port, CASE, tmp_path / "case")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("tile / tiles.tiles_n * kBlockM, column0 = tile % tiles.tiles_n", "tile / tiles.tiles_n * kBlockM, column0 = tile % tiles.tiles_m"), "each once"),
        (("const int tile = blockIdx.x;", "const int tile = blockIdx.x + 1;"), "was not found"),
        (("if (tile >= tiles.tiles_m * tiles.tiles_n) return;", "if (tile + 1 >= tiles.tiles_m * tiles.tiles_n) return;"), ""),
        (("const int steps = tiles.tiles_k;", "const int steps = tiles.tiles_k - 1;"), "whole of k"),
        (("const int steps = tiles.tiles_k;", "const int steps = tiles.tiles_k & ~1;"), "was not found"),
        (("step * kBlockK, column0)", "step * kBlockK, tile % tiles.tiles_m * kBlockN)"), ""),
    ],
    ids=["columns by rows", "one further", "all but one", "a step less", "an even number of steps", "other columns of B"],
)  # fmt: skip
@pytest.mark.sample(2)
def test_what_numbers_of_tiles_do_not_say(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    assert told in reason(native(BASIC, tmp_path, *TILES, change))


def test_tensor_maps_in_one_structure(tmp_path: Path) -> None:
    changes = [
        ("__global__ void __launch_bounds__(kThreads)", "struct Maps {\n  CUtensorMap of[2];\n};\nclass Problem {\n  int hidden = 0;\n\n public:\n"
         "  Maps maps;\n  __nv_bfloat16* c;\n  int m, n, k;\n};\n\n__global__ void __launch_bounds__(kThreads)"),
        ("gemm(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,\n"
         "         __nv_bfloat16* __restrict__ c, int m, int n, int k) {",
         "gemm(const __grid_constant__ Problem of) {\n  const int m = of.m, n = of.n, k = of.k;\n  __nv_bfloat16* const c = of.c;"),
        ("&map_a, &shared", "&of.maps.of[0], &shared"),
        ("&map_b, &shared", "&of.maps.of[1], &shared"),
        ("gemm<<<grid", "Problem of;\n  of.maps.of[0] = map_a, of.maps.of[1] = map_b, of.c = C, of.m = m, of.n = n, of.k = k;\n  gemm<<<grid"),
        ("(map_a, map_b, C, m, n, k)", "(of)"),
    ]  # fmt: skip
    port = native(BASIC, tmp_path, *changes)
    assert "gemm multiplies of.maps.of[0] and of.maps.of[1] (bf16 x bf16)" in written(port)
    assert "gemm<<<gemm_native::grid(of.maps.of[0], of.maps.of[1])," in port.port
