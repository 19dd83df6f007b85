"""A host shared library from C or C++ sources, by the same compiler that builds HIP: the emulator's core."""

from __future__ import annotations

import functools
import os
import platform
import shutil
from collections.abc import Sequence
from pathlib import Path

from porter.errors import PorterError
from porter.toolchain.compilers import system_cxx
from porter.toolchain.pip_clang import find_pip_clang, pip_host_flags, zig_environment, zig_linker
from porter.toolchain.process import in_parallel, run
from porter.toolchain.store import digest, file_digest, keep, keep_compiled, stamp

__all__ = ["c_library"]

C_SUFFIXES = (".c",)


def c_library(
    sources: Sequence[Path | str],
    flags: Sequence[str] = (),
    *,
    link: Sequence[str] = (),
    native: bool = True,
    header: Path | None = None,
) -> Path:
    """The .so of these sources, a path in the cache that changes with their contents, flags and headers.

    -O2, -fPIC and (`native`) -march=native come first, so that `flags` can say otherwise. The files are
    compiled in parallel by pip's clang, or by the system's compiler where that is missing. `header` is what all C++ files
    include first: pip's clang reads it once for all of them.
    """
    clang, linker = _programs(any(Path(source).suffix not in C_SUFFIXES for source in sources))
    words = ["-O2", "-fPIC", *(("-march=native",) if native else ()), *flags]
    identity = digest(*clang, *linker, stamp(clang[0]), _processor() if native else "", os.getcwd() if flags else "")

    def compile(source: Path) -> Path:
        command = (*clang, "-x", "c", *words) if source.suffix in C_SUFFIXES else (*clang, "-x", "c++", *words, *start)

        def make(out: Path, dependencies: Path) -> str:
            return run(
                (*command, "-MD", "-MF", str(dependencies), "-MT", "out", "-c", str(source), "-o", str(out)),
                source.name,
            )

        return keep_compiled(digest(identity, str(source), file_digest(source), *command), ".o", make)

    start: tuple[str, ...] = ()
    if header is not None and clang[1:2] == ("clang",):
        start = "-Xclang", "-include-pch", "-Xclang", str(_precompiled((*clang, "-x", "c++", *words), header, identity))
    paths = [Path(os.path.abspath(source)) for source in sources]
    objects = in_parallel([functools.partial(compile, path) for path in paths])
    command = (*linker, "-shared", *map(str, objects), *link)
    return keep(
        digest(identity, *command, *map(file_digest, objects)),
        ".so",
        lambda out: run((*command, "-o", str(out)), "the library", env=zig_environment()),
    )


def _precompiled(command: Sequence[str], header: Path, identity: str) -> Path:
    """The header as clang reads it back; a path that changes with what it includes."""
    # A file that includes it: `#pragma once` of the file that is compiled itself would not be remembered.
    text = keep(digest("prelude", str(header)), ".h", functools.partial(_write_prelude, header))

    def make(out: Path, dependencies: Path) -> str:
        emit = ("-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp")
        files = ("-MD", "-MF", str(dependencies), "-MT", "out", str(text))
        return run((*command, *emit, "-Xclang", "-o", "-Xclang", str(out), *files), header.name)

    return keep_compiled(digest("precompiled", identity, str(text), *command), ".pch", make)


def _write_prelude(header: Path, out: Path) -> str:
    out.write_text(f'#include "{header}"\n')
    return ""


def _programs(plus: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The compiler with its first flags, and the linker."""
    chain = find_pip_clang()
    zig = next((str(part.path) for part in chain.parts if part.path and part.path.stem == "zig"), "")
    system = system_cxx() if plus else shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if zig and chain.complete:
        own = (zig, "clang", *pip_host_flags(chain), "-fno-color-diagnostics", "-Qunused-arguments")
        if plus:
            return own, ((system,) if system and "-nostdinc++" not in own else (*zig_linker(zig), "-s"))
        return own, ((system,) if system else (*zig_linker(zig, "cc"), "-s"))
    if system:
        return (system,), (system,)
    raise PorterError("no C compiler: neither pip's clang nor the system's was found", chain.fix)


@functools.cache
def _processor() -> str:
    """What -march=native stands for here: a cache in a home folder may serve several machines."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    wanted = ("vendor_id", "cpu family", "model\t", "flags")
    return digest(*(next((line for line in lines if line.startswith(name)), "") for name in wanted))
