"""Where the torch is that porter runs beside, and its headers as extensions for CUDA are parsed with them.

A torch that is built without CUDA has CUDA's headers all the same, but for two that its build writes: TORCH_STUBS has
those. It also has the headers that include all of torch, without the parts that extensions do not use and that take
three quarters of the time.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sysconfig
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
    files = (*stub_headers(TORCH_STUBS), *(folder / name for folder in folders[1:] for name in _COMMON))
    stamp = hashlib.sha256("".join(map(_stamp, files)).encode()).hexdigest()[:20]
    return Library(
        f"torch {place[1]}", tuple(map(str, folders)), ("torch/", "ATen/", "c10/"), _COMMON, stamp, CUDA_DEFINES
    )


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
