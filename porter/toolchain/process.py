"""Runs compilers: at most one process a processor at a time, failures as CompileError with the compiler's own text."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from porter.errors import CompileError, PorterError, UnfinishedError
from porter.toolchain.messages import headline, lacking_headers

__all__ = ["NO_MAIN", "in_parallel", "processors", "run"]

TIMEOUT = 900.0  # seconds for one step

NO_MAIN = "there is no main() in it"

T = TypeVar("T")
_UNDEFINED = re.compile(r"undefined (?:reference to [`']|(?:hidden )?symbol: )([^'\n]+)")


def processors() -> int:
    """How many this process may use, which in a container is often fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_SLOTS = threading.BoundedSemaphore(processors())


def run(command: Sequence[str], what: str, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> str:
    """What the command wrote (its warnings). CompileError where it failed, `what` naming the step."""
    full = None if env is None else {**os.environ, **env}
    with _SLOTS:
        try:
            done = subprocess.run(
                list(command),
                capture_output=True,
                timeout=TIMEOUT,
                check=False,
                env=full,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            raise UnfinishedError(f"{what}: not finished in {TIMEOUT:.0f} s", "", command) from None
        except OSError as error:
            raise PorterError(f"{command[0]} does not run: {error.strerror}", "porter doctor") from error
    text = (done.stderr + done.stdout).decode("utf-8", "replace")
    if done.returncode:
        problem, fix = _missing(text)
        fix = fix or lacking_headers(text)
        problem = problem or headline(text) or f"{what}: the compiler ended with status {done.returncode}"
        raise CompileError(problem, text, command, fix)
    return text


def in_parallel(tasks: Iterable[Callable[[], T]]) -> list[T]:
    """The results in order; the first failure in order is the one that is raised, after all have ended."""
    work = list(tasks)
    if len(work) < 2:
        return [task() for task in work]
    with ThreadPoolExecutor(len(work)) as pool:
        futures = [pool.submit(task) for task in work]
    return [future.result() for future in futures]


def _missing(text: str) -> tuple[str, str]:
    """Of a linker's complaint: what is said instead of it, or "", and the fix."""
    undefined = _UNDEFINED.search(text)
    if undefined is None:
        return "", "apt install g++, for its linker" if "unsupported linker arg" in text else ""
    if undefined[1] == "main":
        return (
            NO_MAIN,
            "a kernel or a library is run by a case: porter verify KERNEL --init FUNCTION",
        )
    if undefined[1].startswith(("__hip_fatbin_", "__hip_gpubin_handle_")):
        return "device code that is to be linked with the program's is not", "--flag=-fgpu-rdc links it"
    return "", f"name the source, the object or the library (-l) that defines {undefined[1]}"
