"""Ports that include torch's headers, as they are built for a case: after torch's own hipify, with torch's flags.

A torch that is built without ROCm lacks its libraries for AMD's GPUs. Here `CHECKS` states its check of HIP's errors,
`BLAS` its handle of hipBLAS, and `torch_device.cpp` devices and streams. Anything else of them
is missing when the library is loaded.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.cache_folder import cache_dir, one_at_a_time
from porter.frontend.project import Project
from porter.toolchain import Options, require_torch_build, torch_rocm
from porter.toolchain.torch_headers import CUDA_DEFINES
from porter.toolchain.torch_rocm import EXTENSION_DEFINES, Torch

__all__ = ["TorchSource", "nvcc_words", "torch_source", "uses_torch"]

_TORCH = re.compile(rb'#[ \t]*include[ \t]*[<"](?:torch|ATen|c10)/')
_CHECK = re.compile(r"c10::(\w+)::(c10_\w+_check_implementation)\(")
_DONE = "hipified"
_FOR_CUDA = ("c10", "torch_cpu", "torch_python", "c10_cuda", "torch_cuda")
_LIBRARIES = ("c10", "torch_cpu", "torch_python", "c10_hip", "torch_hip")  # as far as installed
CHECKS = """
// torch's check of HIP's errors, whose library is of torch for ROCm alone; releases differ in the type of the line.
#include <cstdint>
#include <stdexcept>
#include <string>
namespace c10::{space} {{
static void failed(int error, const char *file, const char *function, unsigned line) {{
  if (error == 0) return;
  throw std::runtime_error(
      std::string(file) + ":" + std::to_string(line) + ": " + function + ": HIP error " + std::to_string(error));
}}
__attribute__((visibility("default"))) void {name}(
    const int32_t error, const char *file, const char *function, const uint32_t line, const bool) {{
  failed(error, file, function, line);
}}
__attribute__((visibility("default"))) void {name}(
    const int32_t error, const char *file, const char *function, const int line, const bool) {{
  failed(error, file, function, unsigned(line));
}}
}}  // namespace c10::{space}
"""
_BLAS_ASKED = re.compile(rb"\bgetCurrentCUDABlasHandle\b")
BLAS = """
namespace at::cuda {
__attribute__((visibility("default"))) hipblasHandle_t getCurrentCUDABlasHandle(bool) {
  static hipblasHandle_t handle = nullptr;
  if (!handle) hipblasCreate(&handle);
  hipblasSetStream(handle, getCurrentHIPStream());
  return handle;
}
}  // namespace at::cuda
"""


@dataclass(frozen=True, slots=True)
class TorchSource:
    """What is compiled for a port that asks torch."""

    torch: Torch
    paths: tuple[Path, ...]  # for each source
    folders: tuple[str, ...]  # for headers: what hipify made of the port's first, torch's last
    places: tuple[
        tuple[Path, Path], ...
    ]  # hipify keeps lines: what stands for a file or a folder of the port, and that
    asks_blas: bool  # for torch's handle of hipBLAS

    def options(self, given: Options) -> Options:
        torch = self.torch
        libraries = torch.folder / "lib"
        link = tuple(str(one) for name in _LIBRARIES if (one := libraries / f"lib{name}.so").is_file())
        return replace(
            given,
            std=torch.newer_standard(given.std),
            defines=(*given.defines, *torch.defines, *torch.hip_defines),
            includes=self.folders,
            flags=(*given.flags, *(f"-fdebug-prefix-map={made}={port}" for made, port in self.places)),
            link=(*given.link, *link, f"-Wl,-rpath,{libraries}"),
        )

    def checks(self) -> str:
        """C++ that stands for what torch for ROCm has in a library; "" where that is here."""
        if self.torch.for_rocm:
            return ""
        header = next((one for f in self.folders if (one := Path(f, "c10/hip/HIPException.h")).is_file()), None)
        check = _CHECK.search(header.read_text("utf-8", "replace")) if header else None
        checks = CHECKS.format(space=check[1], name=check[2]) if check else ""
        return checks + (BLAS if self.asks_blas else "")


def uses_torch(source: Path, folders: Sequence[str] = ()) -> bool:
    """Whether a source, or a header of its project that it includes, includes one of torch's."""
    return any(_TORCH.search(file.read_bytes()) for file in _files(source, folders))


def _files(source: Path, folders: Sequence[str]) -> list[Path]:
    return [Path(os.path.realpath(one)) for one in Project(source.parent, tuple(folders)).closure(source)]


def nvcc_words(source: Path, folders: Sequence[str]) -> list[str]:
    """What torch's builder gives nvcc for an original that asks torch: standard, macros, headers, libraries."""
    torch = torch_rocm.installed()
    if torch is None or not uses_torch(source, folders):
        return []
    libraries = torch.folder / "lib"
    link = [str(one) for name in _FOR_CUDA if (one := libraries / f"lib{name}.so").is_file()]
    return [
        *([f"-std={torch.standard}"] if torch.standard else []),
        *(f"-D{name}" for name in (*EXTENSION_DEFINES, *CUDA_DEFINES)),
        *(f"-isystem={folder}" for folder in torch.includes),
        *link, "-Xlinker", f"-rpath={libraries}",
    ]  # fmt: skip


def torch_source(sources: Sequence[Path], folders: Sequence[str]) -> TorchSource | None:
    """A port's sources as torch's builder compiles them; None where they do not ask torch, or there is none."""
    torch = torch_rocm.installed()
    if torch is None or not any(uses_torch(source, folders) for source in sources):
        return None
    require_torch_build()
    installed = [os.path.realpath(folder) for folder in torch.includes]  # of torch and of Python: taken as they are
    own = [folder for folder in folders if os.path.realpath(folder) not in installed]
    files = list(dict.fromkeys(file for source in sources for file in _files(source, own)))
    places = [Path(os.path.realpath(source)) for source in sources]
    top = Path(os.path.commonpath([file.parent for file in files]))
    inside = [Path(folder).relative_to(top) for folder in map(os.path.realpath, own) if _below(folder, top)]
    inputs = repr(
        [
            torch.folder,
            torch.version,
            *map(str, (*places, *inside)),
            *((str(file), file.read_bytes()) for file in files),
        ]
    )
    stage = cache_dir() / "verify" / "torch" / hashlib.sha256(inputs.encode()).hexdigest()[:16]
    with one_at_a_time("torch-sources"):
        if not (stage / _DONE).is_file():
            shutil.rmtree(stage, ignore_errors=True)
            for file in files:
                (stage / file.relative_to(top)).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, stage / file.relative_to(top))
            seen = [stage / place.relative_to(top) for place in places]
            hipified = torch_rocm.hipified(torch, stage, seen, [str(stage / folder) for folder in inside])
            (stage / _DONE).write_text("\n".join(str(hipified[one].relative_to(stage)) for one in seen))
        headers = () if torch.for_rocm else (str(_headers(torch)),)
    headers = (*(str(stage / folder) for folder in inside), *folders, *headers, *torch.includes)
    made = tuple(stage / name for name in (stage / _DONE).read_text().splitlines())
    asks_blas = any(_BLAS_ASKED.search(file.read_bytes()) for file in files)
    return TorchSource(torch, made, headers, ((stage, top), *zip(made, places)), asks_blas)


def _below(folder: str, top: Path) -> bool:
    return Path(folder).is_relative_to(top)


def _headers(torch: Torch) -> Path:
    """torch's headers for AMD's GPUs, made once."""
    what = f"{torch.folder} {torch.version}".encode()
    place = cache_dir() / "verify" / "torch" / f"headers-{hashlib.sha256(what).hexdigest()[:16]}"
    if not (place / _DONE).is_file():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        torch_rocm.make_headers(torch, place)
        (place / _DONE).touch()
    return place
