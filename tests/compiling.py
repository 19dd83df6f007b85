"""Compilers as tests call them. What they say is kept in the tests' cache: where that is kept too, they are not asked again."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from porter.errors import NotHere
from porter.toolchain import find_pip_clang, find_toolchain, require_torch_build
from porter.toolchain.check import precompiled_prelude
from porter.toolchain.store import digest, file_digest, keep, keep_compiled, stamp
from porter.toolchain.verdict import Verdict, verdict

__all__ = ["DEVICE", "HOST", "built", "hip", "kept", "needs_torch_sources"]

DEVICE = ("--cuda-device-only", "--offload-arch=gfx942")
HOST = ("--cuda-host-only",)


def _lacking() -> str:
    """What this machine lacks for sources with torch's headers, with the fix; empty: nothing."""
    try:
        require_torch_build()
    except NotHere as why:
        return f"{why}; {why.fix}"
    return "" if find_toolchain().complete else f"no HIP compiler; {find_toolchain().fix}"


needs_torch_sources = pytest.mark.skipif(bool(_lacking()), reason=f"NOT RUN: {_lacking()}")


def hip(source: Path, *flags: str, side: tuple[str, ...] = DEVICE, precompiled: bool = True) -> Verdict:
    """What clang says of one side of a HIP source. `precompiled`: what it includes first by itself comes so, unless optimised."""
    chain = find_pip_clang()
    plain = not any(flag.startswith("-O") for flag in flags)
    header = precompiled_prelude(chain, "c++17", "", side) if precompiled and plain else None
    start = ("-Xclang", "-include-pch", "-Xclang", str(header)) if header else chain.prelude
    command = (*chain.command, "-x", "hip", *chain.flags, *start, *side, "-std=c++17", *flags, str(source))
    return verdict(chain, command, source)


def built(command: Sequence[str], source: Path, suffix: str) -> Path:
    """What gcc or clang makes of a source of the CPU's, a path in the cache that changes with what it includes."""

    def make(out: Path, dependencies: Path) -> str:
        files = ("-MD", "-MF", str(dependencies), "-MT", "out")
        done = subprocess.run([*command, *files, str(source), "-o", str(out)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[:3000]
        return ""

    program = shutil.which(command[0]) or command[0]
    return keep_compiled(digest("built", program, stamp(program), file_digest(source), *command), suffix, make)


def kept(command: Sequence[str], source: Path) -> Verdict:
    """What another compiler (nvcc) says of a source that includes nothing of the project's."""

    def make(out: Path) -> str:
        done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
        out.write_text(json.dumps([done.returncode, done.stdout, done.stderr]))
        return ""

    program = shutil.which(command[0]) or command[0]
    key = digest("said", program, stamp(program), file_digest(source), str(source), *command)
    return Verdict(*json.loads(keep(key, ".json", make).read_bytes()))
