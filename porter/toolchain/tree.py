"""What clang expects of a ROCm installation, laid out in the user's cache from pip packages.

clang picks the device libraries by itself under --rocm-path. `ocml` and `ockl` come from triton; the `oclc` files, a
constant or two each, are compiled here. Which of the on and off files are
linked is what -ffast-math and its parts decide, so both have to exist.
"""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from pathlib import Path

from porter.cache_folder import cache_dir
from porter.chip import CHIPS
from porter.errors import PorterError
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain.pip_clang import Toolchain
from porter.toolchain.process import in_parallel, run
from porter.toolchain.store import digest, stamp

__all__ = ["rocm_tree"]

LAYOUT = "4"
HEAD = 'target triple = "amdgcn-amd-amdhsa"\n'
CONSTANT = "@__oclc_{name} = linkonce_odr protected local_unnamed_addr addrspace(4) constant {type} {value}\n"

#        file                       constant                  type  value
ROWS = """
         finite_only_off            finite_only_opt           i8    0
         finite_only_on             finite_only_opt           i8    1
         unsafe_math_off            unsafe_math_opt           i8    0
         unsafe_math_on             unsafe_math_opt           i8    1
         daz_opt_off                daz_opt                   i8    0
         daz_opt_on                 daz_opt                   i8    1
         correctly_rounded_sqrt_off correctly_rounded_sqrt32  i8    0
         correctly_rounded_sqrt_on  correctly_rounded_sqrt32  i8    1
         wavefrontsize64_off        wavefrontsize64           i8    0
         wavefrontsize64_off        wavefrontsize_log2        i32   5
         wavefrontsize64_on         wavefrontsize64           i8    1
         wavefrontsize64_on         wavefrontsize_log2        i32   6
         abi_version_400            ABI_version               i32   400
         abi_version_500            ABI_version               i32   500
         abi_version_600            ABI_version               i32   600
"""


def rocm_tree(chain: Toolchain) -> Path:
    """The folder for --rocm-path; made on first use, by one process or by several at once.

    It also serves as ROCM_PATH for programs whose own flags name $ROCM_PATH/include/hip.
    """
    return _tree(chain, tuple((chip.target.removeprefix("gfx"), chip.isa_version) for chip in CHIPS.values()))


@functools.cache
def _tree(chain: Toolchain, versions: tuple[tuple[str, int], ...]) -> Path:
    """The folder with the device libraries of chips, each by its number in file names and in the library."""
    rows = [row.split() for row in ROWS.strip().splitlines()]
    rows += [[f"isa_version_{number}", "ISA_version", "i32", str(version)] for number, version in versions]
    if chain.hip_headers is None:
        raise PorterError("no HIP headers", chain.fix)
    amd = chain.hip_headers.parent  # triton's backends/amd
    libraries = [amd / "lib" / name for name in ("ocml.bc", "ockl.bc")]
    for library in libraries:
        if not library.is_file():
            raise PorterError(f"{library.name}, AMD's device library, is not in this triton", 'pip install -U "triton"')
    standins = sorted(path.name for path in (RUNTIME_INCLUDE / "hip").iterdir())
    key = digest(
        LAYOUT,
        *(word for row in rows for word in row),
        *chain.command,
        str(RUNTIME_INCLUDE),
        *standins,
        *(f"{path} {stamp(path)}" for path in [chain.hip_headers / "hip" / "hip_runtime.h", *libraries]),
    )[:16]
    home = cache_dir()
    target = home / f"rocm-{key}"
    if target.is_dir():
        return target
    try:
        with tempfile.TemporaryDirectory(prefix=".rocm-", dir=home) as folder:
            draft = Path(folder) / "tree"
            _lay_out(draft, chain, amd / "include", libraries, rows)
            try:
                draft.rename(target)
            except OSError:
                if not target.is_dir():  # else another process was faster, with the same contents
                    raise
    except OSError as error:
        raise PorterError(
            f"the cache {home} cannot be written: {error.strerror}", "set PORTER_CACHE to a folder of your own"
        ) from error
    return target


def _lay_out(tree: Path, chain: Toolchain, include: Path, libraries: list[Path], rows: list[list[str]]) -> None:
    bitcode = tree / "amdgcn" / "bitcode"
    bitcode.mkdir(parents=True)
    (tree / "include").mkdir()
    (tree / "share" / "hip").mkdir(parents=True)
    for library in libraries:
        _link(library, bitcode / library.name)
    for folder in sorted(path for path in include.iterdir() if path.is_dir()):
        if folder.name == "hip":
            _merge(folder, tree)
        else:
            _link(folder, tree / "include" / folder.name)
    numbers = (include / "hip" / "hip_version.h").read_text().split("#define HIP_VERSION_")
    version = dict(line.split()[:2] for line in numbers[1:] if len(line.split()) > 1)
    (tree / "share" / "hip" / "version").write_text(
        "".join(f"HIP_VERSION_{name}={version.get(name, '0')}\n" for name in ("MAJOR", "MINOR", "PATCH"))
    )
    made = {"opencl": ""}  # the driver insists on the file; HIP uses nothing of it
    for file, name, kind, value in rows:
        made[f"oclc_{file}"] = made.get(f"oclc_{file}", "") + CONSTANT.format(name=name, type=kind, value=value)
    flags = ("--target=amdgcn-amd-amdhsa", "-nogpulib", "-w", "-x", "ir", "-emit-llvm", "-c")

    def compile(name: str, text: str) -> str:
        source = tree / f"{name}.ll"
        source.write_text(HEAD + text)
        return run((*chain.command, *flags, str(source), "-o", str(bitcode / f"{name}.bc")), f"{name}.bc")

    in_parallel([functools.partial(compile, name, text) for name, text in made.items()])
    for name in made:
        (tree / f"{name}.ll").unlink()


def _merge(folder: Path, tree: Path) -> None:
    """include/hip as in ROCm: AMD's headers, and porter's where those lack one."""
    hip = tree / "include" / "hip"
    hip.mkdir()
    for entry in sorted(folder.iterdir()):
        _link(entry, hip / entry.name)
    for entry in sorted((RUNTIME_INCLUDE / "hip").iterdir()):
        if not (hip / entry.name).exists():
            _link(entry, hip / entry.name)


def _link(source: Path, target: Path) -> None:
    try:
        os.symlink(source, target)
    except (OSError, NotImplementedError):
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
