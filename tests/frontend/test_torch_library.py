"""A library whose headers are precompiled for the units that include them: torch, for its extensions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter.findings import FilePort
from porter.frontend.libclang import Library, precompiled_headers
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.paths import TORCH_STUBS
from porter.port.pipeline import port_source
from porter.toolchain.torch_headers import library
from porter.toolchain.torch_rocm import Torch

_TORCH = """#pragma once
namespace at { struct Tensor { float *data_ptr() const; int numel() const; }; }
#define CHECKED(call) do { auto said = (call); if (said != cudaSuccess) throw said; } while (0)
"""
_EXTENSION = """#include <torch/extension.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
void run(at::Tensor x) {
  CHECKED(cudaMemset(x.data_ptr(), 0, x.numel()));
  twice<<<1, 32>>>(x.data_ptr());
}
"""


@pytest.fixture
def torch(tmp_path: Path) -> Library:
    folder = tmp_path / "site/torch"
    folder.mkdir(parents=True)
    (folder / "extension.h").write_text(_TORCH)
    return Library("torch 1.2", (str(tmp_path / "site"),), ("torch/", "c10/"), ("torch/extension.h", "c10/none.h"))


def _port(folder: Path, text: str, options: Options) -> FilePort:
    folder.mkdir(exist_ok=True)
    (folder / "a.cu").write_text(text)
    return port_source(Project(folder, options.includes), folder / "a.cu", "a.hip", options, {})


@pytest.mark.usefixtures("cache")
def test_an_extension_is_parsed_with_the_library(tmp_path: Path, torch: Library) -> None:
    alone = _port(tmp_path / "src", _EXTENSION, Options(runtime="include"))
    assert "header not found, parsed as empty: torch/extension.h" in alone.notes and alone.parser != "libclang"
    port = _port(tmp_path / "src", _EXTENSION, Options(runtime="include", library=torch))
    assert port.notes == () and port.parser == "libclang"
    assert "CHECKED(hipMemset(x.data_ptr(), 0, x.numel()));" in port.port


@pytest.mark.usefixtures("cache")
def test_names_of_the_library_are_unknown_where_no_file_includes_it(tmp_path: Path, torch: Library) -> None:
    without = _EXTENSION.replace("#include <torch/extension.h>\n", "")
    assert _port(tmp_path / "src", without, Options(runtime="include", library=torch)).parser != "libclang"


_HALF = """#include <cuda_fp16.h>
#include <torch/extension.h>
struct Half { unsigned short x; operator float() const; operator __half() const; };
__device__ bool equal(Half a, Half b) { return a == b; }
"""
_NARROW = _HALF.replace("a == b", "__half(a) + __half(b) == __half(a)")


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(("text", "defines", "parsed"), [
    (_HALF, ("__CUDA_NO_HALF_OPERATORS__",), True),
    (_HALF, (), False),
    (_NARROW, ("__CUDA_NO_HALF_OPERATORS__",), True),
])  # fmt: skip
@pytest.mark.sample(1)
def test_it_is_parsed_as_its_builder_compiles(
    tmp_path: Path, torch: Library, text: str, defines: tuple[str, ...], parsed: bool
) -> None:
    """With its macros, and without them where the source has the operators that they take away."""
    port = _port(tmp_path / "src", text, Options(runtime="include", library=replace(torch, defines=defines)))
    assert (port.parser == "libclang") == parsed, port.notes


def test_one_that_the_user_names_comes_first(tmp_path: Path, torch: Library) -> None:
    own = tmp_path / "own/torch"
    own.mkdir(parents=True)
    (own / "extension.h").write_text(_TORCH)
    asked = Options(library=torch, includes=(str(tmp_path / "own"),))
    assert asked.of_unit(tmp_path / "a.cu", ["torch/extension.h"]).library is None
    assert Options(library=torch).of_unit(tmp_path / "a.cu", ["a.h", "torch/types.h"]).library == torch
    assert Options(library=torch).of_unit(tmp_path / "a.cu", ["a.h", "cuda_runtime.h"]).library is None


def test_a_unit_that_includes_what_a_library_brings_is_parsed_with_that(tmp_path: Path, torch: Library) -> None:
    brought = Library("pybind11 1", (str(tmp_path / "site"),), ("pybind11/",), ("pybind11/pybind11.h",))
    options = Options(library=replace(torch, brings=brought))
    assert options.of_unit(tmp_path / "a.cu", ["pybind11/stl.h"]).library == brought
    assert options.of_unit(tmp_path / "a.cu", ["pybind11/stl.h", "torch/types.h"]).library == options.library
    assert options.of_unit(tmp_path / "a.cu", ["stl.h"]).library is None


def test_torchs_own_headers_are_those_of_porters_environment() -> None:
    torch_library = library()
    assert torch_library is not None and torch_library.name.startswith("torch ")
    present = [
        name for name in torch_library.headers if any(Path(folder, name).is_file() for folder in torch_library.folders)
    ]
    assert present == list(torch_library.headers)
    assert torch_library.folders[0] == str(TORCH_STUBS)
    pybind11 = torch_library.brings
    assert pybind11 is not None and Path(pybind11.folders[0], "pybind11/pybind11.h").is_file()


@pytest.mark.usefixtures("cache")
def test_a_module_for_python_is_parsed_with_pybind11_of_torch(tmp_path: Path) -> None:
    source = """#include <pybind11/pybind11.h>
    __global__ void twice(float *x) { x[threadIdx.x] *= 2; }
    void run(pybind11::object x) { twice<<<1, 32>>>(reinterpret_cast<float *>(x.attr("data_ptr")().cast<size_t>())); }
    PYBIND11_MODULE(twice, m) { m.def("run", &run); }
    """
    port = _port(tmp_path / "src", source, Options(runtime="include", library=library()))
    assert port.notes == () and port.parser == "libclang"


@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_an_extension_is_parsed_with_torch_itself(tmp_path: Path) -> None:
    source = """#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAConfig.h>
#include <c10/cuda/CUDAGuard.h>
template <class T> __global__ void twice(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + x[i];
}
torch::Tensor run(torch::Tensor x) {
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "run", [&] {
    twice<scalar_t><<<4, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<scalar_t>(), x.numel());
  });
  C10_CUDA_CHECK(cudaGetLastError());
  return torch::zeros_like(x) + torch::empty({2, 3}, torch::dtype(torch::kHalf).device(torch::kCUDA)).sum();
}
struct Twice : torch::autograd::Function<Twice> {
  static torch::Tensor forward(torch::autograd::AutogradContext *, torch::Tensor x) { return run(x); }
};
TORCH_LIBRARY(twice, m) { m.def("run", &run); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
"""
    port = _port(tmp_path / "src", source, Options(runtime="include", library=library()))
    assert port.notes == () and port.parser == "libclang"


@pytest.mark.usefixtures("cache")
@pytest.mark.slow
def test_a_library_that_was_installed_anew_is_precompiled_anew(tmp_path: Path, torch: Library) -> None:
    options = Options(runtime="include", library=torch)
    assert _port(tmp_path / "src", _EXTENSION, options).parser == "libclang"
    (Path(torch.folders[0]) / "torch/extension.h").write_text(_TORCH + "// newer\n")
    newer = replace(options, library=replace(torch, stamp="another"))
    assert _port(tmp_path / "src", _EXTENSION, newer).notes == ()
    assert precompiled_headers("c++17", "", torch) != precompiled_headers("c++17", "", newer.library)


@pytest.mark.parametrize(
    ("given", "newer"), [("gnu++17", "c++20"), ("c++17", "c++20"), ("gnu++20", "gnu++20"), ("c++23", "c++23")]
)
def test_an_extension_is_compiled_as_its_builder_does_or_newer(given: str, newer: str) -> None:
    assert Torch(Path(), "2.14", False, "c++20", (), ()).newer_standard(given) == newer
