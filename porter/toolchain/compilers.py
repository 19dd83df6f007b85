"""The programs behind each build step, for ROCm's compiler and for the one from pip packages."""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.errors import InputError, PorterError
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain.pip_clang import Toolchain, find_toolchain, pip_host_flags, zig_linker
from porter.toolchain.store import digest, stamp
from porter.toolchain.tree import rocm_tree

__all__ = ["Compilers", "amdgcn", "compilers", "hip_device"]

# After all other folders: porter's headers never stand in for one that the compiler or the user brings.
_RUNTIME = ("-idirafter", str(RUNTIME_INCLUDE))
_API = ("-D__HIP_PLATFORM_AMD__=1",)
_ROCM_INCLUDE = re.compile(r"(?:.*/)?(?:rocm|hip)[^/]*(/include(?:/hip)?)/?")


@dataclass(frozen=True, slots=True)
class Compilers:
    """A command prefix for each step, and one string that changes when any of the programs does."""

    kind: str
    identity: str
    hip: tuple[str, ...]
    c: tuple[str, ...]
    host: Mapping[str, tuple[str, ...]]  # by "c" and "c++": a source that only calls HIP
    assembler: tuple[str, ...]  # takes --target and -mcpu
    host_assembler: tuple[str, ...]
    lld: tuple[str, ...]
    linker: tuple[str, ...]
    rocm: Path | None = None
    tree: Path | None = None  # what stands in for a ROCm installation

    def include(self, folder: str | Path) -> str | Path:
        """Build files name ROCm's own folders of headers; where there is no ROCm, ours take their place."""
        named = _ROCM_INCLUDE.fullmatch(str(folder))
        return f"{self.tree}{named[1]}" if self.tree and named and not os.path.isdir(folder) else folder

    def linking(self, flags: Sequence[str]) -> tuple[str, ...]:
        """The linker of a program compiled with these flags. zig's C++ library brings 5 MB of its own debug information
        into a program that keeps its."""
        strip = self.linker[1:2] == ("c++",) and not any(flag.startswith("-g") for flag in flags)
        return (*self.linker, "-s") if strip else self.linker

    def runtime_library(self, library: Path | None) -> tuple[str, ...]:
        """The linker's arguments for libamdhip64, and for finding it at run time."""
        if library is None:
            if self.rocm is None:
                raise PorterError("there is no libamdhip64 to link with", "install ROCm, or build for the emulator")
            folder = self.rocm / "lib"
            return (f"-L{folder}", "-lamdhip64", f"-Wl,-rpath,{folder}")
        path = Path(os.path.abspath(library))
        if not path.is_file():
            raise InputError(f"{library} does not exist")
        return (str(path), f"-Wl,-rpath,{path.parent}")


def hip_device(target: str) -> tuple[str, ...]:
    """The flags by which a HIP source becomes device code for a chip."""
    return "--cuda-device-only", f"--offload-arch={target}"


def amdgcn(target: str) -> tuple[str, ...]:
    """The flags by which assembly, IR or C becomes device code for a chip."""
    return "--target=amdgcn-amd-amdhsa", f"-mcpu={target}"


def compilers(toolchain: Toolchain | None = None) -> Compilers:
    """Of the given toolchain or the one on this machine. PorterError names what is missing."""
    chain = toolchain or find_toolchain()
    if not chain.complete:
        lacking = ", ".join(part.name for part in chain.missing)
        raise PorterError(f"no HIP compiler: {lacking} not found", chain.fix)
    return _rocm(chain) if chain.kind == "rocm" else _pip(chain, rocm_tree(chain))


@functools.cache
def _pip(chain: Toolchain, tree: Path) -> Compilers:
    zig = chain.command[0]
    # -nogpulib would keep the driver from the tree's device libraries.
    common = tuple(flag for flag in chain.flags if flag != "-nogpulib")
    quiet = ("-fno-color-diagnostics", "-Qunused-arguments")
    hip = (*chain.command, "-x", "hip", *common, f"--rocm-path={tree}", *chain.prelude, *quiet, *_RUNTIME)
    own_cxx = "-nostdinc++" in common
    own_linker = None if own_cxx else system_cxx()
    linker = (own_linker,) if own_linker else zig_linker(zig)
    resources = common[common.index("-resource-dir") + 1]
    return Compilers(
        kind="pip",
        identity=digest(_stamps(chain), resources, str(tree), stamp(own_linker) if own_linker else ""),
        hip=hip,
        c=(*chain.command, "-x", "c", *pip_host_flags(chain), *quiet),
        host={
            language: (
                *chain.command,
                "-x",
                language,
                *pip_host_flags(chain),
                *_API,
                "-isystem",
                f"{tree}/include",
                *quiet,
                *_RUNTIME,
            )
            for language in ("c", "c++")
        },
        assembler=chain.command,
        host_assembler=(*chain.command, common[0]),
        lld=(zig, "ld.lld"),
        linker=(*linker, "-pthread"),
        tree=tree,
    )


@functools.cache
def _rocm(chain: Toolchain) -> Compilers:
    compiler = Path(chain.command[0])
    real = compiler.resolve()
    # bin/amdclang++ and lib/llvm/bin/amdclang++ are both in use.
    root = next((folder for folder in (*compiler.parents, *real.parents) if (folder / "amdgcn").is_dir()), None)
    root = root or compiler.parent.parent
    clang = _beside(root, real, ("amdclang++", "clang++")) or compiler
    lld = _beside(root, real, ("ld.lld",)) or shutil.which("ld.lld")
    if lld is None:
        raise PorterError(f"ROCm's ld.lld is not beside {compiler}", "install ROCm's llvm package")
    c = _beside(root, real, ("amdclang", "clang"))
    hip = (str(compiler), "-x", "hip", "-fno-color-diagnostics", "-D__HIP_PLATFORM_AMD__=1", *_RUNTIME)
    return Compilers(
        kind="rocm",
        identity=digest(_stamps(chain), stamp(real), stamp(lld)),
        hip=hip,
        c=(str(c or clang), "-x", "c", "-fno-color-diagnostics"),
        host={
            language: (
                str(program),
                "-x",
                language,
                "-fno-color-diagnostics",
                *_API,
                "-isystem",
                f"{root}/include",
                *_RUNTIME,
            )
            for language, program in (("c", c or clang), ("c++", clang))
        },
        assembler=(str(clang), "-x", "assembler"),
        host_assembler=(str(clang), "-x", "assembler"),
        lld=(str(lld),),
        linker=(str(clang), "-pthread"),
        rocm=root,
    )


def _beside(root: Path, compiler: Path, names: tuple[str, ...]) -> Path | None:
    folders = (compiler.parent, root / "lib" / "llvm" / "bin", root / "llvm" / "bin", root / "bin")
    return next((f / name for name in names for f in folders if os.access(f / name, os.X_OK)), None)


def system_cxx() -> str | None:
    """The C++ compiler that brought the system's C++ library."""
    return next((path for name in ("g++", "c++", "clang++") if (path := shutil.which(name))), None)


def _stamps(chain: Toolchain) -> str:
    return " ".join(f"{part.path} {stamp(part.path)}" for part in chain.parts if part.path)
