"""Stand-ins as torch's extension builder compiles them: without the operators and conversions of half numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.toolchain import Options, device_assembly, find_toolchain, torch_rocm

LIBRARIES = (
    "hiprand/hiprand.h", "hiprand/hiprand_kernel.h", "hipblas/hipblas.h", "hipblaslt/hipblaslt.h", "hipfft/hipfft.h",
    "hipsparse/hipsparse.h", "hipsolver/hipsolver.h", "rccl/rccl.h", "hipcub/hipcub.hpp", "thrust/device_vector.h",
    "thrust/sort.h", "hip/hip_fp16.h", "hip/hip_bf16.h", "porter/mma_sync.h", "porter/wgmma.h", "porter/simd.h",
)  # fmt: skip


@pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().mend}")
def test_the_libraries_compile(tmp_path: Path) -> None:
    torch = torch_rocm.installed()
    assert torch is not None and any("NO_HALF_CONVERSIONS" in name for name in torch.hip_defines)
    text = "".join(f"#include <{name}>\n" for name in ("hip/hip_runtime.h", *LIBRARIES))
    (tmp_path / "all.hip").write_text(text)
    device_assembly(tmp_path / "all.hip", Options(std=torch.standard, defines=(*torch.defines, *torch.hip_defines)))
