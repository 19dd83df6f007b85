"""Does one translation unit pass clang as HIP device code for a chip?

Most of a check is spent on HIP's own headers (1.2 of 1.6 seconds), the same each time. They come from a precompiled
header where that cannot change the verdict: the file includes hip_runtime.h before it defines anything and before its
own headers. A file that fails with
the precompiled header is checked again without it, and the second verdict is the one that counts.
"""

from __future__ import annotations

import functools
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.cache_folder import cache_dir, one_at_a_time
from porter.chip import DEFAULT_CHIP
from porter.errors import PorterError
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain.compilers import hip_device
from porter.toolchain.pip_clang import Toolchain, find_toolchain
from porter.toolchain.precompiled import starts_with_hip
from porter.toolchain.process import TIMEOUT
from porter.toolchain.store import digest, stamp
from porter.toolchain.verdict import verdict

__all__ = ["CheckResult", "Diagnostic", "precompiled_prelude", "syntax_check"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error of the compiler, with its place where it has one."""

    message: str
    file: str = ""
    line: int = 0
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    source: Path
    errors: tuple[Diagnostic, ...]
    seconds: float
    command: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.errors


def syntax_check(
    source: Path,
    *,
    includes: Sequence[Path | str] = (),
    defines: Sequence[str] = (),
    std: str = "c++17",
    forced: Sequence[str] = (),
    runtime: bool = False,
    target: str = DEFAULT_CHIP.target,
    toolchain: Toolchain | None = None,
    precompiled: bool = True,
) -> CheckResult:
    """Check one file. `forced` are `-include` files; `runtime` adds porter's own HIP headers.

    Raises PorterError when there is no compiler; any fault of the source is in the result.
    """
    chain = toolchain or find_toolchain()
    if not chain.complete:
        lacking = ", ".join(part.name for part in chain.missing)
        raise PorterError(f"no HIP compiler: {lacking} not found", chain.fix)
    began = time.perf_counter()
    options = [f"-D{name}" for name in defines]
    options += [f"-I{folder}" for folder in includes]
    if runtime:
        options.append(f"-I{RUNTIME_INCLUDE}")
    options += [part for name in forced for part in ("-include", name)]
    tail = [f"-std={std}", *options, "-fsyntax-only", str(source)]

    if precompiled and chain.prelude and not forced:
        full = starts_with_hip(source) and not any(d.startswith(("HIP", "__HIP", "_")) for d in defines)
        header = precompiled_prelude(chain, std, "hip/hip_runtime.h" if full else "", hip_device(target))
        if header is not None:
            use = ("-Xclang", "-include-pch", "-Xclang", str(header))
            command = _command(chain, use, target, tail)
            if not _errors(chain, command, source):
                return CheckResult(source, (), time.perf_counter() - began, command)
    command = _command(chain, chain.prelude, target, tail)
    errors = _errors(chain, command, source)
    return CheckResult(source, errors, time.perf_counter() - began, command)


def _command(chain: Toolchain, prelude: Sequence[str], target: str, tail: Sequence[str]) -> tuple[str, ...]:
    quiet = ("-w", "-fno-color-diagnostics", "-fno-caret-diagnostics")
    return (*chain.command, "-x", "hip", *chain.flags, *prelude, *hip_device(target), *quiet, *tail)


def _errors(chain: Toolchain, command: Sequence[str], source: Path) -> tuple[Diagnostic, ...]:
    try:
        result = verdict(chain, command, source)
    except subprocess.TimeoutExpired:
        return (Diagnostic(f"the compiler did not finish in {TIMEOUT:.0f} s"),)
    except OSError as error:
        raise PorterError(f"{command[0]} does not run: {error.strerror}", "porter doctor") from error
    if result.status == 0:
        return ()
    text = result.err
    errors = tuple(_diagnostics(text))
    if errors:
        return errors
    last = text.strip().splitlines()[-1:] or ["no message"]
    return (Diagnostic(f"the compiler ended with status {result.status}: {last[0]}"),)


_ERROR = re.compile(r"^(?:(?P<file>.+?):(?P<line>\d+):(?:\d+:)? )?(?P<level>fatal error|error): (?P<text>.*)$")


def _diagnostics(text: str) -> list[Diagnostic]:
    diagnostics = []
    for line in text.splitlines():
        hit = _ERROR.match(line)
        if hit and not hit["text"].startswith("too many errors emitted"):
            place = hit["file"] or "", int(hit["line"] or 0)
            diagnostics.append(Diagnostic(hit["text"], *place, fatal=hit["level"].startswith("fatal")))
    return diagnostics


@functools.cache
def precompiled_prelude(chain: Toolchain, std: str, header: str, side: Sequence[str]) -> Path | None:
    """The precompiled prelude (and `header`), made on first use; None where it cannot be made."""
    flags = (*chain.command, *chain.flags, *chain.prelude, *side, f"-std={std}", "-w")
    key = digest(*flags, header, *(f"{part.path}{stamp(part.path)}" for part in chain.parts if part.path))[:16]
    home = cache_dir()
    target = home / f"hip-{std}-{key}.pch"
    text = target.with_suffix(".h")  # clang looks at it again on every use
    if target.is_file() and text.is_file():
        return target
    try:
        with one_at_a_time("prelude"), tempfile.TemporaryDirectory(dir=home) as folder:
            if target.is_file() and text.is_file():
                return target
            draft, made = Path(folder) / "prelude.h", Path(folder) / "prelude.pch"
            draft.write_text(f"#include <{header}>\n" if header else "")
            draft.replace(text)
            emit = ("-x", "hip", "-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp")
            command = [*flags, *emit, "-Xclang", "-o", "-Xclang", str(made), str(text)]
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
            if done.returncode or not made.is_file():
                return None
            made.replace(target)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return target
