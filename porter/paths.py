"""Where the files are that porter ships beside its code."""

from __future__ import annotations

from pathlib import Path

__all__ = ["CUDA_STUBS", "KITTENS_STUBS", "PACKAGE", "RUNTIME_INCLUDE", "TORCH_STUBS", "stub_headers"]

PACKAGE = Path(__file__).resolve().parent
RUNTIME_INCLUDE = PACKAGE / "runtime" / "include"  # the headers that ports include
CUDA_STUBS = PACKAGE / "cuda_stubs"  # CUDA's declarations, for the parser
KITTENS_STUBS = PACKAGE / "kittens_stubs"  # porter's library at wave width, likewise
TORCH_STUBS = PACKAGE / "torch_stubs"  # headers of torch's that its build writes, or that include all of it, likewise


def stub_headers(folder: Path = CUDA_STUBS) -> list[Path]:
    """The files of CUDA_STUBS, or of other stubs, that a source may include; some have no suffix (cuda/barrier)."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md")
