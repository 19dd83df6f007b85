"""Compilers for gfx942: ROCm's where it is installed, one assembled from pip packages elsewhere."""

from __future__ import annotations

from porter.toolchain.barrier_waits import loses_waits, lost_waits
from porter.toolchain.build import (
    Built,
    Image,
    Options,
    assemble,
    bundle,
    code_object,
    device_assembly,
    device_bitcode,
    executable,
    host_object,
    linked_bitcode,
    shared_library,
)
from porter.toolchain.check import CheckResult, Diagnostic, syntax_check
from porter.toolchain.native import c_library
from porter.toolchain.pip_clang import (
    Part,
    Toolchain,
    find_pip_clang,
    find_rocm,
    find_toolchain,
    require_python_headers,
    require_torch_build,
    zig_environment,
    zig_linker,
)
from porter.toolchain.tree import rocm_tree

__all__ = [
    "Built",
    "CheckResult",
    "Diagnostic",
    "Image",
    "Options",
    "Part",
    "Toolchain",
    "assemble",
    "bundle",
    "c_library",
    "code_object",
    "device_assembly",
    "device_bitcode",
    "executable",
    "find_pip_clang",
    "find_rocm",
    "find_toolchain",
    "host_object",
    "linked_bitcode",
    "loses_waits",
    "lost_waits",
    "require_python_headers",
    "require_torch_build",
    "rocm_tree",
    "shared_library",
    "syntax_check",
    "zig_environment",
    "zig_linker",
]
