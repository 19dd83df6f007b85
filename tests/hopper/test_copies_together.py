"""cp.async in a loop over threads: the copies of a thread are loaded together, half of them by each mirror, before the first is
stored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import porter

from porter.paths import RUNTIME_INCLUDE
from porter.toolchain.build import Options, device_assembly

SOURCE = """#include <cuda_runtime.h>
#include <cstdint>
constexpr int kThreads = 96, kRows = 48;
__device__ __forceinline__ void fetch(uint32_t to, const void *from, SIZE) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(BYTES) : "memory");
}
__global__ void __launch_bounds__(kThreads) k(const uint4 *in, float *out, int rows) {
  __shared__ __align__(16) uint4 tile[kRows * 8];
  const uint32_t to = uint32_t(__cvta_generic_to_shared(tile));
#pragma unroll
  for (int i = threadIdx.x; i < kRows * 8; i += kThreads) fetch(to + i * 16, in + (i / 8 < rows ? i : 0), i / 8 < rows ? FULL : 0);
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  float c[4] = {};
  const uint32_t *words = reinterpret_cast<const uint32_t *>(tile) + threadIdx.x;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(words[0]), "r"(words[96]), "r"(words[192]), "r"(words[288]), "r"(words[384]), "r"(words[480]));
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = c[i];
}
"""


@pytest.mark.parametrize(
    ("size", "size_in_bytes", "full"), [("int bytes", "bytes", "16"), ("bool there", "there ? 16 : 0", "true")]
)
def test_loads_come_before_stores(size: str, size_in_bytes: str, full: str, tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(SOURCE.replace("SIZE", size).replace("BYTES", size_in_bytes).replace("FULL", full))
    done = porter("convert", source, "--runtime", "include")
    assert done.returncode == 0 and "porter::threads_at_most(kThreads);" in (tmp_path / "k.hip").read_text(), (
        done.stdout
    )
    text = device_assembly(tmp_path / "k.hip", Options(includes=(RUNTIME_INCLUDE,))).read_text()
    order = re.findall(r"^\s+(global_load_dwordx4|ds_write_b128|s_cbranch_exec\w+)", text, re.MULTILINE)
    assert order == ["global_load_dwordx4"] * 2 + ["ds_write_b128"] * 2
