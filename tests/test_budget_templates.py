"""Shared memory over 64 KiB where the constants are arguments of class templates, the templates often in headers."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_budget import port, said

from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.model import FilePort, Safety
from porter.pipeline import port_source

TRAITS = """
template <int kM, int kN, int kS>
struct Traits {
  static constexpr int kBlockM = kM;
  static constexpr int kBlockN = kN;
  static constexpr int kStages = kS;
  static constexpr int kThreads = kM / 64 * 128;
  struct Shared { char a[kStages][kBlockM * 128], b[kStages][kBlockN * 128]; };
};
"""
KERNEL = """
template <class T> __global__ void __launch_bounds__(T::kThreads) k(int *x) {
  extern __shared__ char memory[];
  int d[64];
  for (int i = threadIdx.x; i < T::kBlockN; i += T::kThreads) d[0] += memory[i % T::kStages];
  *x = d[0];
}
"""
LAUNCH = """
template <class T> void launch(int *x) { k<T><<<1, T::kThreads, sizeof(typename T::Shared)>>>(x); }
void run(int *x) { launch<Traits<128, 160, 4>>(x); }
"""


@pytest.mark.parametrize("in_header", [False, True])
def test_parameters_are_called_what_the_class_calls_them(in_header: bool, tmp_path: Path) -> None:
    if in_header:
        result = port(tmp_path, '#include "traits.h"\n' + LAUNCH, traits="#pragma once" + TRAITS + KERNEL)
    else:
        result = port(tmp_path, TRAITS + KERNEL + LAUNCH)
    # threads follow from kM; nothing in registers does from kN
    assert sorted(said(result, Safety.SLOWER)) == ["kM is 64", "kS is 2"]
    assert "launch<Traits<64, 160, 2>>(x)" in result.port


SHAPE = """
template <int M_, int N_> struct TileShape { static constexpr int M = M_, N = N_; };
template <class Tile_, int kStages_> struct Policy {
  using Tile = Tile_;
  static constexpr int kStages = kStages_;
  struct Shared { char a[kStages][Tile::M * 128], b[kStages][Tile::N * 128]; };
  using Atom = ATOM;
};
template <class P> __global__ void k(float *x) {
  extern __shared__ char memory[];
  typename P::Atom atom;
  atom.multiply(memory[P::kStages - 1 + P::Tile::N]);
  *x = atom.r[0];
}
"""
ATOM = """
template <int N_> struct Registers { float r[N_ / 2]; };
template <int N> struct Atom;
template <> struct Atom<64> : Registers<64> { __device__ void multiply(int a) { asm volatile("wgmma.fence.sync.aligned;"); } };
template <> struct Atom<128> : Registers<128> { __device__ void multiply(int a) { asm volatile("wgmma.fence.sync.aligned;"); } };
"""


@pytest.mark.parametrize(
    ("atom", "free"), [("Atom<Tile::N>", True), ("Atom<128>", False)], ids=["a shape that follows", "another N"]
)
def test_shapes_of_instructions(atom: str, free: bool, tmp_path: Path) -> None:
    """The only register array has both of its sizes whatever N is; which one the kernel has, Atom's argument says."""
    header = "#pragma once\n" + ATOM + SHAPE.replace("ATOM", atom)
    main = """
#include "policy.h"
template <class P> void launch(float *x) { k<P><<<1, 128, sizeof(typename P::Shared)>>>(x); }
void run(float *x) { launch<Policy<TileShape<448, 128>, 1>>(x); }
"""
    result = port(tmp_path, main, policy=header)
    assert said(result, Safety.SLOWER) == (["N_ is 64"] if free else [])
    assert bool(said(result, Safety.LEFT)) == (not free)


def test_divisions_in_headers_have_to_come_out_even(tmp_path: Path) -> None:
    """With half of kM there would be threads for none of its rows."""
    header = "#pragma once\n" + TRAITS.replace("kM / 64 * 128", "kM / 128 * 256") + KERNEL
    result = port(tmp_path, '#include "traits.h"\n' + LAUNCH, traits=header)
    assert "kM is 64" not in said(result, Safety.SLOWER)
    assert said(result, Safety.REVIEW) == ["kS is 1"]


LAUNCHING = """#pragma once
#include <cuda_runtime.h>
template <int BM, int BK, int STAGES> struct Tiles { float a[STAGES][BM * BK]; };
template <int BM, int BK, int STAGES> __global__ void k(float *x, int n) {
  extern __shared__ char memory[];
  auto &s = *reinterpret_cast<Tiles<BM, BK, STAGES> *>(memory);
  float d[BM / 16] = {};
  for (int i = 0; i < n; i += BK) d[0] += s.a[i / BK % STAGES][0];
  x[blockIdx.x * BM] = d[0];
}
template <int BM, int BK, int STAGES> void launch(float *x, int m, int n) {
  const int bytes = sizeof(Tiles<BM, BK, STAGES>);
  cudaFuncSetAttribute(k<BM, BK, STAGES>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  k<BM, BK, STAGES><<<m / BM, 128, bytes>>>(x, n);
}
"""


def both(folder: Path, header: str, source: str) -> tuple[FilePort, FilePort]:
    """The header and the file that includes it."""
    (folder / "launch.cuh").write_text(header)
    (folder / "kernel.cu").write_text(f'#include "launch.cuh"\n{source}\n')
    project, how = Project(folder), Options(runtime="include")
    main = folder / "kernel.cu"
    below = port_source(project, folder / "launch.cuh", "launch.cuh", how, {}, main)
    return below, port_source(project, main, "kernel.hip", how, {})


def test_literals_of_a_file_with_which_its_header_launches(tmp_path: Path) -> None:
    below, above = both(tmp_path, LAUNCHING, "void run(float *x, int m, int n) { launch<128, 64, 4>(x, m, n); }")
    assert "launch<128, 64, 2>(x, m, n)" in above.port
    assert not said(below, Safety.LEFT)
    assert "hipFuncAttributeMaxDynamicSharedMemorySize, bytes)" in below.port
    assert not [f for f in below.findings if f.safety is not Safety.EXACT]


def test_literals_of_a_file_that_its_header_refuses(tmp_path: Path) -> None:
    header = LAUNCHING.replace("  float d[", '  static_assert(STAGES == 4 && BK == 64 && BM == 128, "");\n  float d[')
    below, above = both(tmp_path, header, "void run(float *x, int m, int n) { launch<128, 64, 4>(x, m, n); }")
    assert "launch<128, 64, 4>(x, m, n)" in above.port
    assert len(said(below, Safety.LEFT)) == 2


def test_constants_of_the_header_come_first(tmp_path: Path) -> None:
    header = LAUNCHING.replace("template <int BM, int BK, int STAGES> void launch", "constexpr int STAGES = 4;\ntemplate <int BM, int BK> void launch")  # fmt: skip
    below, above = both(tmp_path, header, "void run(float *x, int m, int n) { launch<128, 64>(x, m, n); }")
    assert "launch<128, 64>(x, m, n)" in above.port
    assert "constexpr int STAGES = 2;" in below.port


CUT = """
template <int M, int N> struct Both { float a[M * 64], b[N * 64]; };
template <int M, int N> __global__ void k(float *x) {
  extern __shared__ char memory[];
  auto &s = *reinterpret_cast<Both<M, N> *>(memory);
  float d[M / 16][N / 16] = {};
  d[0][0] = s.a[0] + s.b[0];
  x[DEVICE] = d[0][0];
}
constexpr int kRows = 256;
template <int M, int N> void launch(float *x, int n) { k<M, N><<<HOST, 128, sizeof(Both<M, N>)>>>(x); }
void run(float *x, int n) { launch<256, 128>(x, n); }
"""


@pytest.mark.parametrize(
    ("name", "host", "device", "changes"),
    [
        ("BM", "n / BM", "blockIdx.x * BM", True),
        ("BM", "n / 256", "blockIdx.x * BM", False),
        ("BM", "(n + kRows - 1) / kRows", "blockIdx.x * BM", False),
        ("BM", "ceil_div(n, 256)", "blockIdx.x * BM", False),
        ("BM", "n / BM", "blockIdx.x * 256", False),
        ("BM", "n / BM", "256 * blockIdx.x", False),
        ("BM", "n", "blockIdx.x * BM", True),
        ("kM", "n / kM", "blockIdx.x * kM", True),
        ("kM", "n", "blockIdx.x * kM", False),  # nothing says that it is no whole matrix
        ("M", "(n + M - 1) / M", "blockIdx.x * M", True),
        ("M", "n / 256", "blockIdx.x * M", False),
    ],
)
def test_a_tile_is_what_the_grid_is_cut_into(name: str, host: str, device: str, changes: bool, tmp_path: Path) -> None:
    """Else a block would make half of its part, and nobody the other half."""
    source = "constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }" + CUT.replace("DEVICE", device)
    source = source.replace("HOST", host).replace("int M,", f"int {name},").replace("<M,", f"<{name},")
    source = source.replace("a[M * 64]", f"a[{name} * 64]").replace("d[M / 16]", f"d[{name} / 16]")
    result = port(tmp_path, "#include <cuda_runtime.h>\n" + source)
    assert ("launch<128, 128>(x, n)" in result.port) == changes
    assert bool(said(result, Safety.LEFT)) != changes


def test_sizes_that_are_numbers_and_the_native_level_are_hinted_at(tmp_path: Path) -> None:
    source = """#include <cuda_runtime.h>
__global__ void k(float *x) {
  extern __shared__ char memory[];
  PRODUCT
  x[0] = memory[0];
}
void run(float *x) { k<<<1, 128, 96 * 1024>>>(x); }
"""
    for product, hinted in (("", False), ('asm volatile("wgmma.fence.sync.aligned;");', True)):
        result = port(tmp_path, source.replace("PRODUCT", product))
        (message,) = (f.message for f in result.findings if f.rule == "shared-memory-budget")
        assert "98,304 bytes of shared memory; a compute unit has 65,536, and the number does not say" in message
        assert ("--schedule native" in message) == hinted
