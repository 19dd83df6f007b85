"""Compilers for gfx942: ROCm's where it is installed, one assembled from pip packages elsewhere."""

from __future__ import annotations

from porter.toolchain.check import CheckResult, Diagnostic, syntax_check
from porter.toolchain.pip_clang import Part, Toolchain, find_pip_clang, find_rocm, find_toolchain

__all__ = [
    "CheckResult",
    "Diagnostic",
    "Part",
    "Toolchain",
    "find_pip_clang",
    "find_rocm",
    "find_toolchain",
    "syntax_check",
]
