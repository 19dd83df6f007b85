"""Launch configurations of CUDA's that let kernels begin early: the unit's files have one type for them."""

from __future__ import annotations

from pathlib import Path

from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

CONFIG = """#pragma once
#include <cuda_runtime.h>
inline cudaLaunchConfig_t made(dim3 grid, dim3 block, bool early) {
  static cudaLaunchAttribute one;
  one.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  one.val.programmaticStreamSerializationAllowed = early;
  return cudaLaunchConfig_t{grid, block, 0, 0, &one, 1};
}
"""


def test_the_attribute_of_a_header_decides_for_the_launch_in_its_includer(tmp_path: Path) -> None:
    (tmp_path / "config.h").write_text(CONFIG)
    main = tmp_path / "a.cu"
    main.write_text("""#include "config.h"
__global__ void k(float* x) { x[threadIdx.x] = 1; }
cudaError_t run(float* x) {
  auto const config = made(dim3(1), dim3(32), true);
  return cudaLaunchKernelEx(&config, &k, x);
}
""")
    text = port_source(Project(tmp_path), main, "a.hip", Options(runtime="include"), {}).port
    assert "return porter::launch_in_order(&config, &k, x);" in text
