"""A case's file is run in a process of its own from its import on: what it ends, hangs or kills is that process.

The session gets what a case says of itself (its source, shapes, values, flags). Its functions stay behind: they are called in
workers, which load the file again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from porter.errors import PorterError, UsageError
from porter.harness.cases.case import Case, CaseError, call_by_name, load_case

__all__ = ["Elsewhere", "called_apart", "death", "last_words", "load_apart", "processes"]

# Of the 104 bytes (macOS; Linux has 108) that a socket's path may have, with its end, without what multiprocessing appends.
_LONGEST_FOLDER = 104 - 1 - len("/pymp-12345678/listener-12345678")
_ENDED = "a case's file is imported: keep what runs a program under if __name__ == '__main__', or remove it"


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """In place of a case's function, which is in the processes that run the case."""

    name: str

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"{self.name} of a case is called where the case is run")


def processes() -> Any:
    """Where processes come from: a server that has imported torch once, and not each of them. It is asked through a socket
    in the folder for temporary files. Raises UsageError where that folder's name is too long for one."""
    folder = tempfile.gettempdir()
    if len(os.fsencode(folder)) > _LONGEST_FOLDER:
        raise UsageError(
            f"the folder for temporary files has too long a name for a socket: {folder}", "TMPDIR=/tmp porter ..."
        )
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["porter.harness.sessions.worker"])
    return context


def load_apart(path: Path, named: Path | None, timeout: float) -> Case:
    """The case of a file, with `Elsewhere` for its functions. Raises CaseError where the file ends or hangs its process."""
    case: Case = _call_in_process(path, named, timeout, None)
    return case


def called_apart(case: Case, named: Path | None, function: str, names: Mapping[str, Any], timeout: float) -> Any:
    """What a function of the case returns for these names."""
    return _call_in_process(case.path, named, timeout, (function, dict(names)))


def _call_in_process(path: Path, named: Path | None, timeout: float, call: tuple[str, dict[str, Any]] | None) -> Any:
    context = processes()
    with tempfile.TemporaryDirectory(prefix="porter-case-") as folder:
        output = Path(folder, "output")
        ours, theirs = context.Pipe(duplex=False)
        given = (path, named, call, theirs, str(output), os.getcwd(), dict(os.environ))
        process = context.Process(target=_answer, args=given, daemon=True)
        process.start()
        theirs.close()
        try:
            return _heard(ours, process, path, timeout, output)
        finally:
            if process.is_alive():
                process.kill()
            process.join(5)
            ours.close()


def _heard(pipe: Any, process: Any, path: Path, timeout: float, output: Path) -> Any:
    """The answer of a process, or the CaseError that says how it ended without one."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        alive = process.is_alive()  # before the look at the pipe: a last word may come between the two
        with contextlib.suppress(EOFError, OSError):
            if pipe.poll(0.05 if alive else 0):
                kind, answer = pipe.recv()
                if kind == "error":
                    raise CaseError(*answer)
                return answer
            if alive:
                continue
        process.join(5)
        how = f"{death(process.exitcode)}{last_words(output)}"
        raise CaseError(f"{path}: ends the process that loads it ({how})", _ENDED)
    raise CaseError(f"{path}: could not be loaded within {timeout:g} s{last_words(output)}", "fix the case's file")


def _answer(
    path: Path, named: Path | None, call: tuple[str, dict[str, Any]] | None, pipe: Any, output: str, cwd: str,
    environment: Mapping[str, str],
) -> None:  # fmt: skip
    """The process's main function: one message with the case, with what its function returned, or with the error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    own = os.getpid()
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sys.stdout.flush()
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    answer: tuple[str, Any]
    try:
        case = load_case(path, named)
        if call is None:
            answer = "case", _without_functions(case)
        else:
            answer = "value", call_by_name(path, call[0], getattr(case, call[0]), call[1])
    except PorterError as error:
        answer = "error", (error.problem, error.fix)
    except BaseException as error:
        answer = "error", (f"{path}: {type(error).__name__}: {error}", "fix the case's file")
    sys.stdout.flush()
    if os.getpid() != own:  # the file has forked, and its child came back here
        os._exit(1)
    try:
        pipe.send(answer)
    except Exception as error:  # a shape that holds a function, say
        problem = f"{path}: its values cannot be handed to another process ({error})"
        pipe.send(("error", (problem, "give plain numbers, texts and types of torch")))


def _without_functions(case: Case) -> Case:
    functions: dict[str, Any] = {
        one.name: Elsewhere(one.name)
        for one in fields(case)
        if one.name in ("inputs", "reference", "launch", "flops", "bytes", "baseline") and getattr(case, one.name)
    }
    return replace(case, **functions)


def last_words(output: Path) -> str:
    """The last line that a process printed, in brackets; "" where it printed nothing."""
    with contextlib.suppress(OSError):
        lines = output.read_text(errors="replace").strip().splitlines()
        if lines:
            return f" ({lines[-1][:200]})"
    return ""


def death(code: int | None) -> str:
    """How a process ended, by its exit code: a signal's name where one killed it."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"
