"""`porter verify` of functions that take and return torch's tensors, as extensions have them, in the emulator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import porter
from compiling import needs_torch_sources

from porter.harness.building.build import entry_of
from porter.harness.cases.case import load_case
from porter.harness.cases.entry import SignatureError
from porter.harness.cases.scaffold import case_text

SOURCE = """\
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <optional>
#include <tuple>

template <class T> __global__ void scale(const T *x, const T *bias, T *y, int n, float by, int skipped) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i != skipped) y[i] = T(float(x[i]) * by) + (bias ? bias[i] : T(0));
}

std::tuple<at::Tensor, at::Tensor> scaled(
    const at::Tensor &x, const std::optional<at::Tensor> &bias, double by, int64_t skipped) {
  TORCH_CHECK(x.is_cuda() && by != 0, "x must be on the device, and by not be 0");
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = at::empty_like(x);
  const int n = x.numel(), threads = at::cuda::getCurrentDeviceProperties()->warpSize;
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "scaled", [&] {
    scale<scalar_t><<<(n + threads - 1) / threads, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), bias ? bias->data_ptr<scalar_t>() : nullptr, y.data_ptr<scalar_t>(), n, by, skipped);
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {y, y.abs().sum(0, true)};
}

void into(at::Tensor out, const at::Tensor &x, int64_t rows) {
  const auto picked = x.slice(0, 0, rows).transpose(0, 1).contiguous();
  const auto zero = torch::zeros({1}).to(x.device());
  scale<float><<<1, 256>>>(picked.data_ptr<float>(), nullptr, out.data_ptr<float>(), picked.numel(), 2.0f, -1);
  out.add_(zero[0].item<float>());
}

std::tuple<int64_t, double, at::Tensor, at::Tensor, std::optional<at::Tensor>> counted(
    const at::Tensor &x, const at::Tensor &bias) {
  auto y = at::empty_like(x), buffer = at::empty({3}, x.options().dtype(at::kByte));
  scale<float><<<1, 256>>>(x.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 2.0f, -1);
  C10_CUDA_CHECK(cudaDeviceSynchronize());
  return {x.numel(), 0.1 + 0.2, buffer, y, std::nullopt};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("into", &into); }
"""

SCALED = """
import torch
ENTRY = "scaled"
SHAPES = [
    dict(n=70, by=2.0, skipped=-1, half=False, wanted="right"), dict(n=70, by=0.5, skipped=-1, half=True, wanted="right"),
    dict(n=70, by=2.0, skipped=3, half=False, wanted="right"), dict(n=70, by=2.0, skipped=-1, half=False, wanted="shape"),
    dict(n=70, by=2.0, skipped=-1, half=False, wanted="one"), dict(n=70, by=0.0, skipped=-1, half=False, wanted="right"),
    dict(n=70, by=3.0, skipped=-1, half=False, wanted="value"),
]
VALUES = ("normal",)
def inputs(n, half, by):
    x = torch.randn(n, dtype=torch.float16 if half else torch.float32)
    return {"x": x, "bias": None if by == 0.5 else torch.ones(n)}
def reference(x, bias, by, wanted):
    y = x * (2.0 if wanted == "value" else by) + (0 if bias is None else bias)
    total = y.abs().sum(0, True)
    return y if wanted == "one" else {"y": y[1:] if wanted == "shape" else y, "total": total}
"""

INTO = """
import torch
ENTRY = "module:into"
ARGUMENTS = ("out", "x", "rows")
SHAPES = [dict(rows=5), dict(rows=7)]
VALUES = ("normal",)
def inputs(rows):
    return {"x": torch.randn(9, 6)}
def reference(x, rows):
    return {"out": 2 * x[:rows].T}
"""

COUNTED = """
import torch
ENTRY = "counted"
SHAPES = [dict(n=70, count=70, short=0), dict(n=70, count=71, short=0), dict(n=70, count=70.0, short=0),
          dict(n=70, count=70, short=3), dict(n=71, count=71, short=0)]
VALUES = ("normal",)
def inputs(n, short):
    return {"x": torch.randn(n), "bias": torch.zeros(short)}
def reference(x, count):
    return {"count": count, "sum": 0.3, "buffer": None, "y": 2 * x, "nothing": None}
"""


# Without a module and its headers, and with a name that torch has, too, taken out of its namespace.
WITHOUT_MODULE = SOURCE.partition("PYBIND11_MODULE")[0].replace("torch/extension.h", "torch/types.h")
WITHOUT_MODULE += "namespace library { namespace py { inline int one() { return 1; } } }\nusing namespace library;\n"


def _verified(folder: Path, case: str, source: str = SOURCE) -> list[tuple[str, str]]:
    (folder / "ext.cu").write_text(source)
    (folder / "case.py").write_text(case)
    done = porter("verify", "--emulate", "--json", "verdicts.json", folder, cwd=folder)
    assert (folder / "verdicts.json").is_file(), done.stdout + done.stderr
    return [(one["status"], one["reason"]) for one in json.loads((folder / "verdicts.json").read_text())["verdicts"]]


@needs_torch_sources
@pytest.mark.slow
def test_what_a_function_returns_is_compared_and_the_wrong_fails(tmp_path: Path) -> None:
    came = _verified(tmp_path, SCALED)
    assert came[:2] == [("PASS", "")] * 2
    unwritten, shape, number, thrown, value = (reason for _, reason in came[2:])
    assert [status for status, _ in came[2:]] == ["FAIL"] * 5
    assert "1 of 70 elements of y were not written (y[3])" in unwritten
    assert shape == "y is [70] float32, the reference has [69] float32"
    assert number == "scaled returned [70] float32 and [1] float32, the reference has result"
    assert "x must be on the device, and by not be 0" in thrown
    assert "70 of 70 elements of y are wrong" in value and "of total are wrong" in value


@needs_torch_sources
@pytest.mark.slow
def test_a_function_of_the_extensions_own_module_with_operators_of_torch(tmp_path: Path) -> None:
    assert _verified(tmp_path, INTO) == [("PASS", "")] * 2


@needs_torch_sources
def test_numbers_that_a_function_returns_are_compared_and_what_the_reference_leaves_out_is_named(
    tmp_path: Path,
) -> None:
    (right, _), (wrong, why), (kind, said), (_, past), (after, _) = _verified(tmp_path, COUNTED, WITHOUT_MODULE)
    assert (right, wrong, kind, after) == ("PASS", "FAIL", "FAIL", "PASS")
    assert past.startswith("out-of-bounds at ext.")  # though the extension throws its own error of it
    assert "1 of 1 elements of count are wrong" in why
    assert said == "count is int, the reference has [] float32"
    shown = porter("verify", "--emulate", "-k", "n=70,count=70,short=0]", tmp_path, cwd=tmp_path)
    for name in ("buffer", "nothing"):
        assert f"the result {name} is not compared: the reference has None for it" in shown.stdout


def test_the_entry_is_read_and_a_case_begun(tmp_path: Path) -> None:
    (tmp_path / "ext.cu").write_text(SOURCE)
    entry = entry_of(tmp_path / "ext.cu", "scaled")
    kinds = [(one.name, one.kind, one.code) for one in entry.parameters]
    assert kinds == [("x", "pointer", ""), ("bias", "pointer", ""), ("by", "scalar", "d"), ("skipped", "scalar", "q")]
    (tmp_path / "case.py").write_text(case_text(tmp_path / "ext.cu", entry))
    case = load_case(tmp_path / "case.py")
    assert case.entry == "scaled" and len(case.shapes) == 2
    with pytest.raises(SignatureError, match="no function scale_all"):
        entry_of(tmp_path / "ext.cu", "scale_all")
