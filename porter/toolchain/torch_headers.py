"""Where the torch is that porter runs beside, and its headers as extensions for CUDA are parsed with them.

A torch that is built without CUDA has CUDA's headers all the same, but for two that its build writes: TORCH_STUBS has
those. It also has the headers that include all of torch, without the parts that extensions do not use and that take
three quarters of the time.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sysconfig
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from porter.frontend.libclang import Library
from porter.paths import TORCH_STUBS, stub_headers

__all__ = ["CUDA_DEFINES", "include_folders", "library", "place_and_version"]

# What extensions include, with most of torch behind it.
_COMMON = (
    "torch/extension.h",
    "ATen/cuda/CUDAContext.h",
    "c10/cuda/CUDAGuard.h",
    "c10/cuda/CUDAStream.h",
    "c10/cuda/CUDAException.h",
)

_PYBIND11 = ("pybind11/pybind11.h", "pybind11/stl.h")  # without torch, as ThunderKittens' modules for Python do

# The macros of its extension builder: without them a comparison of two c10::Half may mean floats or __half.
CUDA_DEFINES = (
    "__CUDA_NO_HALF_OPERATORS__",
    "__CUDA_NO_HALF_CONVERSIONS__",
    "__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "__CUDA_NO_HALF2_OPERATORS__",
)


@cache
def place_and_version() -> tuple[Path, str] | None:
    """The folder of the torch that porter runs beside, without loading it, and its version; None where there is none."""
    spec = importlib.util.find_spec("torch")
    folder = next((Path(place) for place in (spec.submodule_search_locations or ())), None) if spec else None
    if folder is None or not (folder / "include/torch").is_dir():
        return None
    try:
        return folder, version("torch")
    except PackageNotFoundError:
        return folder, ""


def library() -> Library | None:
    """The torch that porter runs beside, as extensions for CUDA are parsed with it."""
    place = place_and_version()
    if place is None:
        return None
    folders = TORCH_STUBS, *include_folders(place[0])
    pybind11 = _library(f"pybind11 of torch {place[1]}", folders[1:], ("pybind11/",), _PYBIND11)
    torch = _library(f"torch {place[1]}", folders, ("torch/", "ATen/", "c10/"), _COMMON, *stub_headers(TORCH_STUBS))
    return replace(torch, defines=CUDA_DEFINES, brings=pybind11)


def _library(
    name: str, folders: Sequence[Path], first: tuple[str, ...], headers: tuple[str, ...], *more: Path
) -> Library:
    files = (*more, *(folder / header for folder in folders for header in headers))
    stamp = hashlib.sha256("".join(map(_stamp, files)).encode()).hexdigest()[:20]
    return Library(name, tuple(map(str, folders)), first, headers, stamp)


def _stamp(file: Path) -> str:
    try:
        status = file.stat()
    except OSError:
        return "-"
    return f"{status.st_size} {status.st_mtime_ns} "


def include_folders(torch: Path) -> tuple[Path, ...]:
    """Those of torch's headers, and of Python's, which they include."""
    headers = torch / "include"
    return headers, headers / "torch/csrc/api/include", Path(sysconfig.get_path("include"))
