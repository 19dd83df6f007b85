"""Builds the stand-in HIP runtime (porter/emu/host) with the emulator's core into one libamdhip64.so.

A program that was compiled against HIP's headers is linked with it in place of ROCm's library. Functions
that the headers declare and the runtime does not have are there too: they say so and fail.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path

from porter.cache_folder import cache_dir, one_at_a_time, write_atomically
from porter.cpp_library import has_system_cxx
from porter.emu.build import CORE, core_digest, core_objects
from porter.emu.headers import headers
from porter.errors import PorterError
from porter.paths import PACKAGE, RUNTIME_INCLUDE
from porter.toolchain import c_library, find_pip_clang

__all__ = ["EXPORTS", "HOST", "LINK", "SONAME", "host_library", "host_library_place", "stubs"]

SONAME = "libamdhip64.so.7"
HOST = Path(__file__).resolve().parent / "host"
_SOURCES = (".cpp", ".h", ".inc")
_FLAGS = ("-Wall", "-Wextra", "-fno-strict-aliasing", "-D__HIP_PLATFORM_AMD__", "-pthread")
LINK = (f"-Wl,-soname,{SONAME}", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-pthread", "-lm", "-ldl")
# Nothing of the core or of the C++ library must meet a program's own names.
EXPORTS = "{ global: hip*; __hip*; nccl*; porter_*; roctx*; local: *; };\n"

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", re.DOTALL | re.MULTILINE)
_DECLARED = re.compile(r"\b(hip[A-Z]\w*)\s*\(")
_PER_THREAD = re.compile(r"\b(hip[A-Z]\w*)_spt\s*\(")


@functools.cache
def host_library() -> Path:
    """The library, named as programs look for it, in a folder of the cache that changes with its contents."""
    target = host_library_place()
    if target.is_file():
        return target
    if sys.stderr.isatty():
        more = "" if has_system_cxx() else " and zig's C++ library (apt install g++ saves that)"
        print(f"porter: compiling the emulator{more}, once for this machine and version", file=sys.stderr, flush=True)
    with one_at_a_time("host"):
        if not target.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            _build(target)
    return target


def host_library_place() -> Path:
    """Where the library is, or will be."""
    include = _include()
    texts = {
        str(path.relative_to(HOST)): path.read_text() for path in sorted(HOST.rglob("*")) if path.suffix in _SOURCES
    }
    texts["stubs.c"] = stubs(include)
    digest = hashlib.sha256(core_digest().encode())
    for part in (*_FLAGS, *LINK, EXPORTS, *(text for item in texts.items() for text in item)):
        digest.update(part.encode() + b"\0")
    return cache_dir() / f"hip-{digest.hexdigest()[:16]}" / SONAME


def stubs(include: Path) -> str:
    """C for the names in the headers: a failing function where the runtime has none, and the names for per-thread
    default streams. Those are the same functions as long as all streams work at once. Also
    where porter and its Python are, which hiprtc compiles with."""
    api = _COMMENT.sub("", (include / "hip" / "hip_runtime_api.h").read_text())
    per_thread = _COMMENT.sub("", (include / "hip" / "amd_detail" / "amd_hip_runtime_pt_api.h").read_text())
    names = sorted({name for name in _DECLARED.findall(api) if not name.endswith("_t")})
    lines = [
        f"const char porter_python[] = {json.dumps(sys.executable)}, porter_folder[] = {json.dumps(str(PACKAGE.parent))};",
        "int porter_not_supported(const char *name);",
        "#define MISSING(NAME) __attribute__((weak)) int NAME(void) { return porter_not_supported(#NAME); }",
        '#define SAME(NAME) __asm__(".text\\n.globl " #NAME "_spt\\n.type " #NAME "_spt,@function\\n" #NAME "_spt: jmp " #NAME "@PLT\\n");',
        *(f"MISSING({name})" for name in names),
        *(f"SAME({name})" for name in sorted(set(_PER_THREAD.findall(per_thread)))),
    ]
    return "\n".join(lines) + "\n"


def _include() -> Path:
    """The folder with HIP's headers."""
    chain = find_pip_clang()
    if chain.hip_headers is None or not chain.complete:
        raise PorterError("no compiler for the emulator's HIP runtime", chain.fix)
    return chain.hip_headers


def _generated_headers() -> Path:
    """A folder with them. Its name stays while they do: it is part of every object's key in the compiler's cache."""
    texts = headers()
    digest = hashlib.sha256("\0".join(text for item in texts.items() for text in item).encode())
    folder = cache_dir() / f"emulator-headers-{digest.hexdigest()[:16]}"
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        if not (folder / name).is_file():
            write_atomically(folder / name, text.encode())
    return folder


def _build(target: Path) -> None:
    include = _include()
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        folder = Path(name)
        (folder / "exports").write_text(EXPORTS)
        # Not among the temporary files: the path of a source is part of its key in the compiler's cache.
        generated = target.parent / "stubs.c"
        generated.write_text(stubs(include))
        objects = core_objects()
        own = c_library(
            [*sorted(HOST.rglob("*.cpp")), generated],
            (
                *_FLAGS,
                f"-iquote{HOST}",
                f"-I{CORE}",
                f"-I{_generated_headers()}",
                f"-isystem{include}",
                f"-idirafter{RUNTIME_INCLUDE}",
            ),
            header=HOST / "host.h",
            link=(*map(str, objects), f"-Wl,--version-script,{folder / 'exports'}", *LINK),
        )
        draft = folder / SONAME
        draft.write_bytes(own.read_bytes())
        draft.chmod(0o755)
        os.replace(draft, target)
