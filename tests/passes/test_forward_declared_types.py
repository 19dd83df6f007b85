"""Types of CUDA's that a header declares, so as not to include theirs."""

from __future__ import annotations

from pathlib import Path

from porter.toolchain import syntax_check
from tests.porting import port

SOURCE = """// declared here, defined below
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
using brain = __nv_bfloat16;
using eight = __nv_fp8_e4m3;
#include <cuda_bf16.h>
#include <cuda_fp8.h>
struct ushort9;
__global__ void k(brain *p, eight *q, ushort9 *r) {
  p[0] = __nv_bfloat16(1.0f);
  q[0] = __nv_fp8_e4m3(float(p[1]));
}
"""


def test_they_are_the_types_that_the_port_has(tmp_path: Path) -> None:
    result = port(SOURCE, tmp_path, parse=True)
    assert (
        "struct __hip_bfloat16;\nnamespace porter { struct fp8_e4m3; }\nusing brain = __hip_bfloat16;\nusing eight = porter::fp8_e4m3;"
        in result.port
    )
    assert "struct ushort9;" in result.port
    (tmp_path / "a.hip").write_text(result.port)
    assert syntax_check(tmp_path / "a.hip", runtime=True).errors == ()
