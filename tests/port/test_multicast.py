"""Multicast objects, which no AMD GPU has: what a library's header says of them compiles."""

from __future__ import annotations

from pathlib import Path

from porter.findings import Safety
from porter.frontend.unit import Options
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain.check import syntax_check

SOURCE = """#include <cuda.h>
constexpr CUmulticastGranularity_flags_enum GRANULARITY = CU_MULTICAST_GRANULARITY_RECOMMENDED;
inline void fill(CUmulticastObjectProp *prop, int devices) {
  size_t bytes = 0;
  prop->numDevices = devices, prop->flags = 0;
  if (cuMulticastGetGranularity(&bytes, prop, GRANULARITY) == CUDA_SUCCESS) prop->size = bytes;
}
CUresult whole(CUdevice device, CUdeviceptr memory) {
  int has = 0;
  CUresult asked = cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device);
  if (asked != CUDA_SUCCESS) return asked;
  CUmulticastObjectProp prop = {};
  fill(&prop, 2);
  CUmemGenericAllocationHandle handle;
  CUresult made = cuMulticastCreate(&handle, &prop);
  if (made == CUDA_SUCCESS) made = cuMulticastAddDevice(handle, device);
  if (made == CUDA_SUCCESS) made = cuMulticastBindAddr(handle, 0, memory, prop.size, 0);
  if (made == CUDA_SUCCESS) made = cuMulticastBindMem(handle, 0, handle, 0, prop.size, 0);
  return made == CUDA_SUCCESS ? cuMulticastUnbind(handle, device, 0, prop.size) : made;
}
"""


def test_they_are_for_review_and_compile(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    conversion = Conversion(Options())
    todo = plan([tmp_path / "a.cu"], tmp_path / "a.hip", False, conversion)
    done = run_jobs(todo.jobs, conversion, 1)
    write_ports(todo.jobs, done, "copy", todo.runtime_dirs)
    assert syntax_check(tmp_path / "a.hip").passed
    findings = [f for port in done for f in port.findings if f.rule == "name-multicast"]
    assert [f.safety for f in findings].count(Safety.REVIEW) == 7
    assert all(f.safety in (Safety.REVIEW, Safety.EXACT) for f in findings)
