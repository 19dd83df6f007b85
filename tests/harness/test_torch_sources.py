"""`porter verify` of sources that include torch's headers: built as torch's builder does, run in the emulator."""

from __future__ import annotations

import json
from pathlib import Path

from commands import porter
from compiling import needs_torch_sources

from porter.harness.building.torch_sources import torch_source

SOURCE = """\
#include <c10/cuda/CUDAException.h>
#include <c10/util/Half.h>
template <class T> __global__ void twice(float *y, const float *x, int n, int past) {
  int i = threadIdx.x;
  if (i < n) y[i] = float(T(2.0f)) * x[i + past];
}
extern "C" void scale(float *y, const float *x, int n, int past) {
  twice<c10::Half><<<1, 64>>>(y, x, n, past);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
"""
CASE = """
import torch
SHAPES = [dict(n=64, past=0), dict(n=64, past=1)]
VALUES = ("normal",)
def inputs(n, past):
    return {"x": torch.randn(n)}
def reference(x):
    return {"y": 2 * x}
"""


@needs_torch_sources
def test_a_kernel_of_an_extension_is_proven_and_findings_name_its_lines(tmp_path: Path) -> None:
    (tmp_path / "scale.cu").write_text(SOURCE)
    (tmp_path / "case.py").write_text(CASE)
    done = porter("verify", "--emulate", tmp_path, cwd=tmp_path)
    assert "1 of 2 runs failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "out-of-bounds at scale.cu:5 in twice" in done.stdout and "past the end of x" in done.stdout


UNITS = """
import torch
ENTRY = "twice"
UNITS = {units}
SHAPES = [dict(n=70)]
VALUES = ("normal",)
def inputs(n):
    return {{"x": torch.randn(n)}}
def reference(x):
    return {{"y": 2 * x}}
"""


@needs_torch_sources
def test_other_sources_of_the_entry_are_ported_and_compiled_with_it(tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels/scale.h").write_text("void scale(float *y, const float *x, int n, float by);\n")
    kernel = "__global__ void k(float *y, const float *x, int n, float by) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x] * by; }\n"
    call = "void scale(float *y, const float *x, int n, float by) { k<<<1, 256>>>(y, x, n, by); cudaDeviceSynchronize(); }\n"
    (tmp_path / "kernels/scale.cu").write_text('#include "scale.h"\n' + kernel + call)
    entry = 'extern "C" void twice(float *y, const float *x, int n) { scale(y, x, n, 2.0f); }\n'
    (tmp_path / "twice.cu").write_text('#include "kernels/scale.h"\n' + entry)
    case = tmp_path / "twice_case.py"
    case.write_text(UNITS.format(units=("kernels/scale.cu",)))
    done = porter("verify", "--emulate", case, "--report", "r.json", cwd=tmp_path)
    assert "1 run passed" in done.stdout, done.stdout + done.stderr
    (compiled,) = json.loads((tmp_path / "r.json").read_text())["proof"]["kernels"]
    assert compiled["source"] == "kernels/scale.cu" and compiled["kernel"] == "k"
    case.write_text(UNITS.format(units=()))
    done = porter("verify", "--emulate", case, cwd=tmp_path)
    assert "the port calls scale(float*, float const*, int, float), which no library here has" in done.stdout
    assert porter("convert", "twice.cu", "kernels/scale.cu", "--quiet", cwd=tmp_path).returncode == 0
    (tmp_path / "kernels/scale.hip").unlink()
    case.write_text(UNITS.format(units=("kernels/scale.cu",)))
    done = porter("verify", "--emulate", case, cwd=tmp_path)
    assert "no such port, and UNITS names scale.cu" in done.stdout


def test_a_source_without_torchs_headers_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.hip").write_text("#include <hip/hip_runtime.h>\n")
    assert torch_source([tmp_path / "a.hip"], []) is None
