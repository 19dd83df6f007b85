"""porter's command line as tests call it: in a process of its own, forked from one that has imported porter already."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import forkserver
from pathlib import Path

import pytest

__all__ = ["give_up_privileges", "porter", "serve"]


def serve() -> None:
    """Starts the server, one for all that a test process starts: `porter verify` asks for its workers there. Whoever comes
    later gets no other."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["preloaded"])
    with pytest.MonkeyPatch.context() as patch:  # Python 3.11 does not tell the server where modules are
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        forkserver.ensure_running()


def porter(
    *words: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 600,
    privileged: bool = True,
    before: Callable[[], object] | None = None,
) -> subprocess.CompletedProcess[str]:
    """What `porter WORDS` prints, and its exit code. Not `privileged`: to root as to others; `verify` starts its workers as they are.
    `before` is called in the process first."""
    serve()
    context = multiprocessing.get_context("forkserver")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("out", "err")]
        arguments = [str(word) for word in words]
        given = (
            arguments,
            str(cwd or Path.cwd()),
            dict(os.environ if env is None else env),
            list(map(str, files)),
            privileged,
            before,
        )
        process = context.Process(target=_called, args=given)
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(arguments, timeout)
        out, err = (path.read_bytes().decode("utf-8", "replace") for path in files)
        return subprocess.CompletedProcess(arguments, process.exitcode, out, err)


def give_up_privileges() -> None:
    """As root, this process and what it starts may do from now on what others may."""
    if os.geteuid() == 0:
        library = ctypes.CDLL(None)
        for capability in range(41):
            library.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
        library.capset(header, (ctypes.c_uint32 * 6)())


def _called(
    words: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    files: Sequence[str],
    privileged: bool,
    before: Callable[[], object] | None,
) -> None:
    if not privileged:
        give_up_privileges()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(files, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), number)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = ["porter", *words]

    from porter.cli.app import main

    if before is not None:
        before()
    main()
