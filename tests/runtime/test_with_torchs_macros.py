"""Stand-ins as torch's extension builder compiles them: without the operators and conversions of half numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.toolchain import Options, device_assembly, find_toolchain, torch_rocm

LIBRARIES = (
    "hiprand/hiprand.h", "hiprand/hiprand_kernel.h", "hipblas/hipblas.h", "hipblaslt/hipblaslt.h", "hipfft/hipfft.h",
    "hipsparse/hipsparse.h", "hipsolver/hipsolver.h", "rccl/rccl.h", "hipcub/hipcub.hpp", "thrust/device_vector.h",
    "thrust/sort.h", "hip/hip_fp16.h", "hip/hip_bf16.h", "porter/mma_sync.h", "porter/wgmma.h", "porter/simd.h", "porter/wmma.h",
)  # fmt: skip

WMMA = """
using namespace nvcuda;
template <class T, class S> __global__ void product(const T *a, const T *b, S *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, S> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(x, a, 16);
  wmma::load_matrix_sync(y, b, 16);
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
  wmma::mma_sync(sum, x, y, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
template __global__ void product<__half, __half>(const __half *, const __half *, __half *);
template __global__ void product<__half, float>(const __half *, const __half *, float *);
template __global__ void product<__hip_bfloat16, float>(const __hip_bfloat16 *, const __hip_bfloat16 *, float *);
"""


@pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}")
@pytest.mark.slow
def test_the_libraries_compile(tmp_path: Path) -> None:
    torch = torch_rocm.installed()
    assert torch is not None and any("NO_HALF_CONVERSIONS" in name for name in torch.hip_defines)
    headers = "".join(f"#include <{name}>\n" for name in ("hip/hip_runtime.h", *LIBRARIES))
    (tmp_path / "all.hip").write_text("#define PORTER_MIRRORED 1\n" + headers + WMMA)
    device_assembly(tmp_path / "all.hip", Options(std=torch.standard, defines=(*torch.defines, *torch.hip_defines)))
