"""Code that counts CUDA's lanes, ported to warps of 64 and executed: elements of register tiles, and lane numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from fragments import Array
from test_kittens import decoded, encoded, kittens_natively, launch, numbers

from porter.emu.device import Module
from porter.emu.image import build_image
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain.build import Options, device_assembly

SOURCE = """#include "kittens.cuh"
using namespace kittens;
using reals = gl<float, -1, -1, -1, -1>;
using brains = gl<bf16, -1, -1, -1, -1>;

// Each element by its row and column, as a lane of 32 finds them.
extern "C" __global__ void decayed(const __grid_constant__ reals x) {
  rt_fl<16, 64> t;
  warp::load(t, x, {0, 0, 0, 0});
  int block = warpid();
  #pragma unroll
  for (int i = 0; i < 4; i++) {
    int row = block * 16 + laneid() / 4, col = i * 16 + (laneid() % 4) * 2;
    t.tiles[0][i].data[0].x += 64 * row + col;
    t.tiles[0][i].data[0].y += 64 * row + col + 1;
    t.tiles[0][i].data[1].x += 64 * (row + 8) + col;
    t.tiles[0][i].data[1].y += 64 * (row + 8) + col + 1;
    t.tiles[0][i].data[2].x += 64 * row + col + 8;
    t.tiles[0][i].data[2].y += 64 * row + col + 9;
    t.tiles[0][i].data[3] = {t.tiles[0][i].data[3].x + 64 * (row + 8) + col + 8, t.tiles[0][i].data[3].y + 64 * (row + 8) + col + 9};
  }
  warp::store(x, t, {0, 0, 0, 0});
}

// A template over layouts: halves of a tile change places, columns of a bf16 tile are scaled, the upper triangle is cleared.
template <ducks::rt::all T>
__device__ void changed(T &to, const T &from) {
  for (int i = 0; i < to.height; ++i)
    for (int j = 0; j < to.width; ++j)
      for (int k = 0; k < to.packed_per_tile; ++k) {
        const int first = (k % 2) * 8 + laneid() / 4, second = (k / 2) * 8 + (laneid() % 4) * 2;
        auto pair = from.tiles[i][(j + 1) % T::width].data[k];
        if (i == 1) pair.x = base_types::constants<typename T::T>::zero();
        if (first < second) to.tiles[i][j].data[k] = pair;
        else to.tiles[i][j].data[k].x = pair.y;
      }
}
extern "C" __global__ void rows(const __grid_constant__ brains x) {
  rt_bf<32, 32> t, u;
  warp::load(t, x, {0, 0, 0, 0}), warp::load(u, x, {0, 0, 0, 0});
  changed(u, t);
  warp::store(x, u, {0, 0, 0, 0});
}
extern "C" __global__ void columns(const __grid_constant__ brains x) {
  rt_bf<32, 32, col_l> t, u;
  warp::load(t, x, {0, 0, 0, 0}), warp::load(u, x, {0, 0, 0, 0});
  changed(u, t);
  warp::store(x, u, {0, 0, 0, 0});
}

// What happens once for each element happens once.
extern "C" __global__ void summed(const __grid_constant__ reals x) {
  rt_fl<16, 32> t;
  warp::load(t, x, {0, 0, 0, 0});
  for (int j = 0; j < 2; ++j) {
    const int lane = laneid();
    for (int k = 0; k < 4; ++k) {
      const float both = t.tiles[0][j].data[k].x + t.tiles[0][j].data[k].y;
      atomicAdd(&x.raw_ptr[512 + lane / 4 + k % 2 * 8], both);
    }
  }
}

// Numbers of threads outside of tiles: sums before each element of 64, by two warps.
extern "C" __global__ void scanned(const __grid_constant__ reals x) {
  __shared__ sv_fl<64> sums;
  warpgroup::load(sums, x, {0, 0, 0, 0});
  warpgroup::sync(1);
  if (warpgroup::warpid() < 2) {
    int thread = warpgroup::laneid();
    for (int offset = 1; offset < 64; offset *= 2) {
      float before = thread >= offset ? sums[thread - offset] : 0.0f;
      group<2>::sync(2);
      sums[thread] += before;
      group<2>::sync(2);
    }
  }
  warpgroup::sync(1);
  warpgroup::store(x, sums, {0, 0, 0, 0});
}
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Module]:
    folder = tmp_path_factory.mktemp("lanes")
    ports = kittens_natively(folder, {"lanes.cu": SOURCE}, ())
    assert '"porter/kittens/kittens.h"' in ports["lanes.cu"], ports["lanes.cu"]
    (folder / "lanes.hip").write_text(ports["lanes.cu"])
    options = Options(std="gnu++20", level="1", includes=(RUNTIME_INCLUDE,))
    with Module(build_image(device_assembly(folder / "lanes.hip", options).read_text())) as loaded:
        yield loaded


def test_elements_by_row_and_column(module: Module) -> None:
    x = np.round(8 * numbers("f32", 16, 64)).astype(np.float32)  # sums are exact
    wanted = x + np.arange(16 * 64, dtype=np.float32).reshape(16, 64)
    launch(module, "decayed", x)
    np.testing.assert_array_equal(x, wanted)


@pytest.mark.parametrize("kernel", ["rows", "columns"])
def test_elements_of_packs_in_both_layouts(kernel: str, module: Module) -> None:
    values = numbers("bf16", 32, 32)
    bits = encoded("bf16", values)
    launch(module, kernel, bits)
    turned = kernel == "columns"
    wanted = changed(values.T if turned else values, turned)
    np.testing.assert_array_equal(decoded("bf16", bits), wanted.T if turned else wanted)


def changed(x: Array, turned: bool) -> Array:
    """The tile's rows and pairs: of a column layout, of the transposed tile, whose tiles are numbered by rows first."""
    result = x.copy()
    for first in range(32):
        for second in range(0, 32, 2):
            (i, a), (j, b) = divmod(first, 16), divmod(second, 16)
            pair = (x[first, (second + 16) % 32 :][:2] if not turned else x[(first + 16) % 32, second:][:2]).copy()
            if (j if turned else i) == 1:
                pair[0] = 0
            if a < b:
                result[first, second : second + 2] = pair
            else:
                result[first, second] = pair[1]
    return result


def test_what_is_done_with_an_element_is_done_once(module: Module) -> None:
    values = numbers("f32", 16, 32)
    x = np.zeros((17, 32), np.float32)
    x[:16] = values
    launch(module, "summed", x)
    np.testing.assert_allclose(x[16, :16], values.sum(1), rtol=1e-5)


def test_threads_of_two_warps(module: Module) -> None:
    x = numbers("f32", 1, 64).astype(np.float32)
    wanted = np.cumsum(x)
    launch(module, "scanned", x, threads=256)
    np.testing.assert_allclose(x[0], wanted, rtol=1e-5, atol=1e-5)
