"""The C++ library that sources are compiled and parsed with: the system's, or, where no g++ is installed, pip's."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

__all__ = ["glibc_minor", "has_system_cxx", "own_cxx_library", "package_file"]

_NEWEST_GLIBC = 36  # whose headers porter knows in zig's package; what is built for it runs with newer ones


def has_system_cxx() -> bool:
    """Whether clang will find g++'s standard library and the C library's headers by itself, and a linker that fits."""
    if not Path("/usr/include/stdio.h").is_file():
        return False
    linker = any(shutil.which(name) for name in ("g++", "c++", "clang++"))  # libc++'s linker would not fit
    return linker and any(Path("/usr/include/c++").glob("*/iostream"))


def own_cxx_library(resources: Path) -> list[str]:
    """Flags for zig's own libc++ and glibc headers, as `zig c++ -target x86_64-linux-gnu` has them; none where the system has its own.

    resources: the folder of clang's headers, which belong between the two libraries."""
    zig = None if has_system_cxx() else package_file("ziglang", ("zig", "zig.exe"))
    if zig is None:
        return []
    lib = zig.parent / "lib"
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
        f"__GLIBC_MINOR__={glibc_minor()}",
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


def glibc_minor() -> int:
    """Of the C library that programs will run with."""
    try:
        version = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError):
        version = ""
    minor = version.removeprefix("glibc 2.")
    return min(int(minor), _NEWEST_GLIBC) if minor.isdigit() else _NEWEST_GLIBC


def package_file(package: str, names: tuple[str, ...]) -> Path | None:
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return next((path for f in folders for name in names if (path := Path(f, name)).is_file()), None)
