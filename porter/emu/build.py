"""Compiles the C core on first use, with the pip compiler, into the user's cache."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from porter.cache_folder import cache_dir, one_at_a_time
from porter.emu.codegen import sources
from porter.emu.headers import headers
from porter.errors import PorterError
from porter.toolchain import find_pip_clang, zig_environment, zig_linker

__all__ = ["core_digest", "core_files", "core_library", "core_library_place", "core_objects"]

_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)

CORE = Path(__file__).resolve().parent / "core"
_FLAGS = (
    "-std=gnu17 -O2 -march=native -mprefer-vector-width=512 -fPIC -fno-strict-aliasing -ffp-contract=off "
    "-fno-math-errno -fno-sanitize=all -w -pthread -g0"  # zig cc describes it for debuggers unless it is told not to
).split()


def core_library_place() -> Path:
    """Where core_library() lies, or will when it is built."""
    return cache_dir() / f"emulator-{core_digest()}.so"


@functools.cache
def core_library() -> Path:
    compiler, target = _core()[0], core_library_place()
    if target.is_file():
        return target
    objects = core_objects()
    linker = [system] if (system := shutil.which("cc")) else zig_linker(compiler[0], "cc")
    with tempfile.TemporaryDirectory(dir=cache_dir()) as folder:
        draft = Path(folder) / "core.so"
        _run([*linker, "-shared", *map(str, objects), "-o", str(draft), "-lm", "-lpthread"], Path(folder))
        draft.replace(target)
    return target


def core_objects() -> list[Path]:
    """The core's compiled units, for a library that holds it and more."""
    compiler, files, _ = _core()
    units = [name for name in files if name.endswith(".c")]
    with one_at_a_time("emulator"), ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda unit: _object(compiler, unit, files), units))


def core_files() -> dict[str, str]:
    """The core's files, written and generated, by name."""
    files = {path.name: path.read_text() for path in sorted(CORE.iterdir()) if path.suffix in (".c", ".h")}
    return files | sources() | headers()


def core_digest() -> str:
    """Changes with anything that the core is compiled from."""
    return _core()[2]


@functools.cache
def _core() -> tuple[tuple[str, ...], dict[str, str], str]:
    """The compiler, the files of the core with their texts, and a digest of all that."""
    files = core_files()
    chain = find_pip_clang()
    if not chain.command:
        raise PorterError("no compiler for the emulator's core", chain.fix)
    compiler = (*chain.command[:-1], "cc")
    digest = hashlib.sha256()
    for part in [*compiler, *_FLAGS, _cpu(), *(text for item in sorted(files.items()) for text in item)]:
        digest.update(part.encode() + b"\0")
    return compiler, files, digest.hexdigest()[:16]


def _object(compiler: tuple[str, ...], unit: str, files: dict[str, str]) -> Path:
    """The compiled unit, kept under a key of what it is made of: a change of one family compiles that one again."""
    needed = _included(unit, files)
    digest = hashlib.sha256("\0".join([*compiler, *_FLAGS, _cpu(), *(files[name] for name in needed)]).encode())
    target = cache_dir() / "emulator" / f"{digest.hexdigest()[:16]}.o"
    if not target.is_file():
        target.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as name:
            folder = Path(name)
            for file in needed:
                (folder / file).write_text(files[file])
            _run([*compiler, *_FLAGS, "-c", unit, "-o", "unit.o"], folder)
            (folder / "unit.o").replace(target)
    return target


def _included(unit: str, files: dict[str, str]) -> list[str]:
    """The unit and every file of the core that it includes, directly or not."""
    included = [unit]
    for name in included:
        included += [other for other in _INCLUDE.findall(files[name]) if other not in included]
    return sorted(included)


def _cpu() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.startswith("flags")), "")


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(
        command, cwd=folder, env=os.environ | zig_environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise PorterError(f"the emulator's core does not compile: {done.stderr.strip()[:2000]}")
