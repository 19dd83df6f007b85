"""porter/kittens: ThunderKittens' operations with warps of 64 lanes, executed, against numpy.

Types, shapes and both layouts of tiles, all layouts of vectors; a result is a plane (of vectors: a line) of its own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fragments import CHECKS, Array, decode

from porter.emu.device import Module, allow, forbid
from porter.emu.image import build_image
from porter.frontend.unit import Options as ConvertOptions
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain.build import Options, device_assembly

TOLERANCE = {"f32": 2e-6, "bf16": 2.0**-8, "f16": 2.0**-10}
BYTES = {"f32": 4, "bf16": 2, "f16": 2, "e4m3": 1, "e5m2": 1}


@pytest.fixture(scope="module")
def module() -> Iterator[Module]:
    # -O1: half of the time
    source = Path(__file__).parent / "kittens_kernels.hip"
    with Module(build_image(device_assembly(source, Options(std="gnu++20", level="1")).read_text())) as loaded:
        yield loaded


def encoded(kind: str, values: Array) -> Array:
    """Bits of numbers; fp8 are given as codes."""
    if kind == "f32":
        return values.astype(np.float32)
    if kind == "f16":
        return values.astype(np.float16).view(np.uint16)
    if kind == "bf16":
        bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return values.astype(np.uint8)


def decoded(kind: str, bits: Array) -> Array:
    return bits.astype(np.float64) if kind == "f32" else decode(kind, bits)


def launch(module: Module, kernel: str, *tensors: Array, threads: int = 64, more: bytes = b"") -> None:
    """Each tensor has up to three dimensions: planes, rows, columns."""
    words = b""
    for tensor in tensors:
        sizes = (1,) * (4 - tensor.ndim) + tensor.shape
        words += struct.pack("<5Q", tensor.ctypes.data, *sizes)
        allow(tensor.ctypes.data, tensor.nbytes)
    try:
        done = module.launch(kernel, 1, threads, words + more, checks=CHECKS, threads=1)
    finally:
        for tensor in tensors:
            forbid(tensor.ctypes.data)
    assert not done.findings, (kernel, done.findings[:3])


def numbers(kind: str, *shape: int, seed: int = 1) -> Array:
    """Numbers that the type can hold, none of them near 0."""
    rng = np.random.default_rng([seed, *shape])
    values = rng.uniform(0.25, 2, shape) * rng.choice([-1, 1], shape)
    return decoded(kind, encoded(kind, values))


def close(kind: str, found: Array, wanted: Array, what: object, factor: float = 2) -> None:
    scale = max(1.0, float(np.abs(wanted).max()))
    worst = float(np.abs(found - wanted).max())
    assert worst <= factor * TOLERANCE[kind] * scale, (what, worst, scale)


def tile_planes(a: Array, b: Array) -> dict[str, Array]:
    r, c = np.indices(a.shape)
    rows, columns = (a.max(1, keepdims=True), a.min(0, keepdims=True))
    first = b.copy()
    first[-16:, -16:] = a[:16, :16]
    return {
        "load": a,
        "through shared memory": a,
        "from shared memory": b,
        "add": a + b,
        "sub": a - b,
        "mul": a * b,
        "div": a / b,
        "max": np.maximum(a, b),
        "min": np.minimum(a, b),
        "operators": a + b * 2,
        "exp": np.exp(a),
        "exp2": np.exp2(a),
        "log": np.log(np.abs(a)),
        "log2": np.log2(np.abs(a)),
        "relu": np.maximum(a, 0),
        "apply": r * 64.0 + c,
        "tril": np.where(c <= r + 3, a, 0),
        "triu": np.where(c >= r - 2, a, 1),
        "right_fill": np.where(c >= 5, 0, a),
        "left_fill": np.where(c < 5, 0, a),
        "upper_fill": np.where(r < 7, 0, a),
        "lower_fill": np.where(r >= 7, 0, a),
        "upper_right_fill": np.where((r < 7) & (c >= 9), 0, a),
        "row_sum": a.sum(1, keepdims=True) + 0 * a,
        "col_sum": a.sum(0, keepdims=True) + 0 * a,
        "add_row": b + rows,
        "mul_col": b * columns,
        "sub_row": b - np.minimum(b.min(1, keepdims=True), rows),
        "div_col": b / np.maximum(b.max(0, keepdims=True), columns),
        "sum<COL>": b.sum(1, keepdims=True) + 0 * a,
        "swap_layout": a,
        "transpose_sep": a,
        "subtile": first,
        "shared add": a + b,
        "shared rows and columns": b.sum(1, keepdims=True) + b.max(0, keepdims=True),
    }


@pytest.mark.parametrize(
    ("kernel", "rows", "columns"),
    [
        ("tile_f32_row", 32, 64),
        ("tile_f32_col", 16, 32),
        ("tile_bf16_row", 32, 64),
        ("tile_bf16_col", 32, 48),
        ("tile_f16_row", 16, 16),
        ("tile_f16_col", 48, 32),
    ],
)
def test_tiles(module: Module, kernel: str, rows: int, columns: int) -> None:
    kind = kernel.split("_")[1]
    a, b = numbers(kind, rows, columns), numbers(kind, rows, columns, seed=2)
    planes = tile_planes(a, b)
    out = encoded(kind, np.full((len(planes), rows, columns), 7.0))
    launch(module, kernel, encoded(kind, a), encoded(kind, b), out)
    for (what, wanted), decoded_values in zip(planes.items(), decoded(kind, out)):
        # Reductions of shared tiles round after each element.
        close(kind, decoded_values, wanted, (kernel, what), factor=16 if what.startswith("shared rows") else 2)


@pytest.mark.parametrize(
    ("kernel", "length"),
    [
        ("vector_f32_naive", 80),
        ("vector_f32_ortho", 48),
        ("vector_bf16_align", 64),
        ("vector_bf16_naive", 512),
        ("vector_f16_ortho", 16),
    ],
)
def test_vectors(module: Module, kernel: str, length: int) -> None:
    kind = kernel.split("_")[1]
    a, b = numbers(kind, 1, length), numbers(kind, 1, length, seed=2)
    same = np.ones_like(a)
    lines = {
        "load": a,
        "through shared memory": b,
        "mul": a * b,
        "add a number": a + 1,
        "max": np.maximum(a, b),
        "to naive": a,
        "to ortho": a,
        "to align": a,
        "shared add": a + b,
        "sum": same * a.sum(),
        "max of all": same * a.max(),
        "min of all, and 0": same * min(a.min(), 0),
        "sum of shared": same * b.sum(),
        "max of shared": same * b.max(),
    }
    out = encoded(kind, np.full((len(lines), length), 7.0))
    launch(module, kernel, encoded(kind, a), encoded(kind, b), out)
    for (what, wanted), decoded_values in zip(lines.items(), decoded(kind, out)):
        close(kind, decoded_values, wanted[0], (kernel, what))


@pytest.mark.parametrize(("kernel", "m", "n", "k"), [("product_bf16", 32, 48, 32), ("product_f16", 16, 32, 64)])
def test_products_of_a_warp(module: Module, kernel: str, m: int, n: int, k: int) -> None:
    kind = kernel.split("_")[1]
    into = "f32" if kind == "bf16" else "f16"
    a, b = numbers(kind, m, k), numbers(kind, n, k, seed=2)
    out = encoded(into, np.full((4, m, n), 7.0))
    launch(module, kernel, encoded(kind, a), encoded(kind, b), out)
    products, wanted = decoded(into, out), a @ b.T
    for plane, what in enumerate(("ABt", "AB, added", "AtB", "AtBt")):
        close(into, products[plane], wanted * (2 if plane == 1 else 1), (kernel, what))


@pytest.mark.parametrize(
    ("kernel", "n", "k"),
    [("shared_bf16", 64, 64), ("shared_f16", 32, 128), ("shared_e4m3", 32, 64), ("shared_e5m2", 32, 128)],
)
def test_products_of_a_warpgroup(module: Module, kernel: str, n: int, k: int) -> None:
    kind = kernel.split("_")[1]
    if kind in TOLERANCE:
        a, b = encoded(kind, numbers(kind, 64, k)), encoded(kind, numbers(kind, n, k, seed=2))
    else:  # codes whose products and sums are exact in f32
        rng = np.random.default_rng(k)
        a, b = (
            rng.integers(0x30, 0x48, (lines, k), dtype=np.uint8) | rng.choice([0, 0x80], (lines, k)).astype(np.uint8)
            for lines in (64, n)
        )
    out = np.full((6, 64, n), 7, np.float32)
    turned = [np.ascontiguousarray(x.T) for x in (a, b)]
    launch(module, kernel, a, turned[0], b, turned[1], out, threads=256)
    wanted = decoded(kind, a) @ decoded(kind, b).T
    planes = [("ABt", 1), ("ABt, A in registers, added", 2)]
    if kind in TOLERANCE:
        planes += [("AB", 1), ("AB, A in registers", 1), ("AtB", 1), ("AtBt", 1)]
    for plane, (what, times) in enumerate(planes):
        close("f32", out[plane], times * wanted, (kernel, what))


@pytest.mark.parametrize(("kernel", "rows"), [("copies_bf16", 32), ("copies_f32", 16)])
@pytest.mark.parametrize("first", [0, 2])
def test_copies_and_semaphores(module: Module, kernel: str, rows: int, first: int) -> None:
    """Rows beyond the tensor are read as 0 and not written."""
    kind = kernel.split("_")[1]
    height = 3 * rows + 5
    a = numbers(kind, height, 128)
    out, sums = encoded(kind, np.full((height, 128), 7.0)), np.full((16, 16), 3, np.float32)
    launch(module, kernel, encoded(kind, a), out, sums, threads=128, more=struct.pack("<i", first))
    wanted = np.full((height, 128), 7.0)
    here = slice(first * rows, (first + 1) * rows)
    wanted[here, :64] = a[here, :64] + a[2, 64:]
    there = slice((first + 1) * rows, (first + 2) * rows)
    wanted[there, 64:] = a[there, 64:]
    close(kind, decoded(kind, out), wanted, kernel)
    np.testing.assert_array_equal(sums, 5)


@pytest.mark.parametrize(("kernel", "warps"), [("groups_2", 2), ("groups_4", 4), ("groups_8", 8)])
def test_groups_of_warps(module: Module, kernel: str, warps: int) -> None:
    kind, into = {"groups_2": ("bf16", "f32"), "groups_4": ("f32", "f16"), "groups_8": ("f16", "e4m3")}[kernel]
    rng = np.random.default_rng(warps)
    a = rng.integers(-8, 8, (16 * warps, 64)).astype(np.float64)  # what all types hold
    out = np.zeros((2, 16 * warps, 64), {4: np.float32, 2: np.uint16, 1: np.uint8}[BYTES[into]])
    launch(module, kernel, encoded(kind, a), out, threads=64 * warps)
    np.testing.assert_array_equal(decoded(into, out), np.stack([a, a]))


HALVED = """#include "kittens.cuh"
using namespace kittens;
constexpr int kThreads = COUNT;
__global__ void halved(const __grid_constant__ gl<bf16, 1, 1, -1, 64> x) {
  rt_bf<16, 64> tile;
  warp::load(tile, x, {0, 0, int(blockIdx.x), 0});
  warp::mul(tile, tile, 0.5f);
  warp::store(x, tile, {0, 0, int(blockIdx.x), 0});
}
#include "launch.cu"
"""
LAUNCHED = "void run(gl<bf16, 1, 1, -1, 64> x, int blocks) { halved<<<blocks, kThreads>>>(x); }\n"


@pytest.mark.parametrize(("count", "block"), [("WARP_THREADS", "kThreads"), ("32", "kittens::twice(kThreads)")])
def test_threads_that_the_includer_of_a_launch_counts(count: str, block: str, tmp_path: Path) -> None:
    ports = kittens_natively(tmp_path, {"halved.cu": HALVED.replace("COUNT", count), "launch.cu": LAUNCHED}, ())
    assert '"porter/kittens/kittens.h"' in ports["halved.cu"] and f"<<<blocks, {block}>>>" in ports["launch.cu"]


def test_headers_that_are_here_do_not_stand_in_the_way(tmp_path: Path) -> None:
    """The project has read them for the faithful ports; they count CUDA's lanes, as ThunderKittens' own do."""
    (tmp_path / "theirs").mkdir()
    theirs = "#pragma once\n__device__ inline int lane() { return __shfl_sync(~0u, threadIdx.x % 32, 0); }\n"
    (tmp_path / "theirs" / "kittens.cuh").write_text(theirs)
    text = HALVED.replace("COUNT", "32").replace('#include "launch.cu"\n', LAUNCHED)
    ports = kittens_natively(tmp_path, {"halved.cu": text}, (str(tmp_path / "theirs"),))
    assert '"porter/kittens/kittens.h"' in ports["halved.cu"]
    assert ports["kittens.cuh"] == theirs  # nothing includes it any more


@pytest.mark.parametrize(("defines", "taken"), [((), False), (("KITTENS_HOPPER",), True), (("MORE",), False)])
def test_code_that_macros_leave_out_stands_in_nobodys_way(
    defines: tuple[str, ...], taken: bool, tmp_path: Path
) -> None:
    text = HALVED.replace("COUNT", "32").replace('#include "launch.cu"\n', LAUNCHED)
    text = text.replace("  warp::mul(", "\n#ifdef MORE\n  tma::cluster::sync();\n#endif\n  warp::mul(")
    ports = kittens_natively(tmp_path, {"halved.cu": text}, (), defines)
    assert ('"porter/kittens/kittens.h"' in ports["halved.cu"]) == taken


def kittens_natively(
    folder: Path, sources: dict[str, str], includes: tuple[str, ...], defines: tuple[str, ...] = ()
) -> dict[str, str]:
    """The ports of a folder's files."""
    (folder / "in").mkdir()
    for name, text in sources.items():
        (folder / "in" / name).write_text(text)
    conversion = Conversion(ConvertOptions(kittens="native", includes=includes, defines=defines, runtime="include"))
    todo = plan([folder / "in"], folder / "out", False, conversion)
    return {job.path.name: port.port for job, port in zip(todo.jobs, run_jobs(todo.jobs, conversion, 1), strict=True)}
