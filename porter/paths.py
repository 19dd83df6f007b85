"""Where the files are that porter ships beside its code."""

from __future__ import annotations

from pathlib import Path

__all__ = ["CUDA_STUBS", "PACKAGE", "RUNTIME_INCLUDE"]

PACKAGE = Path(__file__).resolve().parent
RUNTIME_INCLUDE = PACKAGE / "runtime" / "include"  # the headers that ports include
CUDA_STUBS = PACKAGE / "cuda_stubs"  # CUDA's declarations, for the parser
