"""Shared memory over 64 KiB where the constants are arguments of class templates, the templates often in headers."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_budget import port, said

from porter.model import Safety

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
