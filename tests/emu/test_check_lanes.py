"""Undefined values that move between lanes or through private memory are a finding where they arrive somewhere that matters, not before."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from porter.emu.device import Check, FaultKind, Finding, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly

# Lanes from 8 on hold nothing. `reach` says how many lanes store what they got.
SOURCE = """#include <hip/hip_runtime.h>
#define KERNEL(NAME, MOVED)                                          \\
  extern "C" __global__ void NAME(int *out, const int *in, int n) {  \\
    const int lane = threadIdx.x;                                    \\
    int v;                                                           \\
    if (lane < 8) v = in[lane];                                      \\
    const int moved = MOVED;                                         \\
    if (lane < n) out[lane] = moved;                                 \\
  }
KERNEL(gather, __builtin_amdgcn_ds_bpermute(4 * (lane < 32 ? lane % 8 : lane), v))
KERNEL(scatter, __builtin_amdgcn_ds_permute(4 * (lane ^ 8), v))
KERNEL(swizzle, __builtin_amdgcn_ds_swizzle(v, 0x0007))
KERNEL(shift, __builtin_amdgcn_update_dpp(0, v, 0x111, 0xf, 0xf, true))
KERNEL(one, __builtin_amdgcn_readlane(v, 7))
KERNEL(other, __builtin_amdgcn_readlane(v, 9))
KERNEL(first, __builtin_amdgcn_readfirstlane(v))
// c's high half is not there
__device__ unsigned long long sum(int a, int b, int c) {
  unsigned long long sum;
  asm("v_mov_b32 v10, %3\\n v_mad_u64_u32 %0, vcc, %1, %2, v[10:11]"
      : "=v"(sum) : "v"(a), "v"(b), "v"(c) : "vcc", "v10", "v11");
  return sum;
}
typedef float float_pair __attribute__((ext_vector_type(2)));
__device__ float_pair pair(float a) {  // only the first of the operand's two floats is there
  float_pair both;
  asm("v_mov_b32 v10, %1\\n v_pk_add_f32 %0, v[10:11], v[10:11]" : "=v"(both) : "v"(a) : "v10", "v11");
  return both;
}
KERNEL(pair_first, (int)pair(lane).x)
KERNEL(pair_second, (int)pair(lane).y)
KERNEL(low_half, (int)sum(lane, 3, 1))
KERNEL(high_half, (int)(sum(lane, 3, 1) >> 32))
#define KEPT(VALUE, AT) ({ int here[64]; here[(AT) & 3] = VALUE; here[(AT) >> 2]; })
KERNEL(stack, KEPT(v, lane % 4 * 5))
KERNEL(beside, KEPT(lane, (in[lane] - 100) / 20 * 4))
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    source: Path = tmp_path_factory.mktemp("lanes") / "lanes.hip"
    source.write_text(SOURCE)
    return build_image(device_assembly(source).read_text())


def findings(image: bytes, kernel: str, reach: int) -> tuple[np.ndarray, list[Finding]]:
    data, out = np.arange(64, dtype=np.int32) + 100, np.zeros(64, dtype=np.int32)
    for array in (data, out):
        allow(array.ctypes.data, array.nbytes)
    try:
        with Module(image) as module:
            arguments = struct.pack("<QQi", out.ctypes.data, data.ctypes.data, reach)
            done = module.launch(kernel, 1, 64, arguments, checks=tuple(Check))
    finally:
        for array in (data, out):
            forbid(array.ctypes.data)
    return out, [finding for finding in done.findings if finding.kind is FaultKind.UNINITIALISED]


@pytest.mark.parametrize(
    ("kernel", "reach", "expected"),
    [
        ("gather", 32, [100 + lane % 8 for lane in range(32)]),
        ("swizzle", 32, [100 + lane % 8 for lane in range(32)]),
        ("shift", 9, [0, *range(100, 108)]),
        ("one", 64, [107] * 64),
        ("first", 64, [100] * 64),
        ("stack", 8, list(range(100, 108))),
        ("beside", 20, list(range(20))),
        ("pair_first", 64, [2 * lane for lane in range(64)]),
        ("low_half", 64, [3 * lane + 1 for lane in range(64)]),
    ],
)
def test_lanes_that_take_from_written_ones(image: bytes, kernel: str, reach: int, expected: list[int]) -> None:
    out, reported = findings(image, kernel, reach)
    assert reported == []
    assert list(out[: len(expected)]) == expected
    assert not out[reach:].any()


@pytest.mark.parametrize(
    ("kernel", "reach", "lane"),
    [
        ("gather", 33, 32), ("scatter", 8, 0), ("swizzle", 33, 32), ("shift", 10, 9), ("other", 64, 0),
        ("stack", 9, 8), ("beside", 21, 20), ("high_half", 1, 0), ("pair_second", 1, 0),
    ],
)  # fmt: skip
def test_lanes_that_take_from_others(image: bytes, kernel: str, reach: int, lane: int) -> None:
    _, reported = findings(image, kernel, reach)
    assert [finding.lane for finding in reported] == [lane]
