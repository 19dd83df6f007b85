"""The stages of `porter convert` with their bars, and what it says beside its report."""

from __future__ import annotations

import contextlib
import difflib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from porter import settings
from porter.errors import EXIT_FAILED, EXIT_LEFT, EXIT_OK
from porter.findings import BUILDS, FilePort, FileStatus

if TYPE_CHECKING:
    from porter.port.jobs import Job, Plan
    from porter.port.pipeline import Conversion

__all__ = ["built_ports", "exit_code", "left_out", "place_of_cases", "ported", "print_diff", "without_source"]


def ported(jobs: Sequence[Job], conversion: Conversion, workers: int, quiet: bool) -> list[FilePort]:
    """The ports of all jobs, with a bar on a terminal."""
    from porter.port.runs.run import run_jobs

    with _bar("porting", len(jobs), quiet, most_unseen=3) as advance:
        return run_jobs(jobs, conversion, workers, lambda job, port: advance())


@contextlib.contextmanager
def _bar(what: str, total: int, quiet: bool, most_unseen: int = 0) -> Iterator[Callable[[], None]]:
    """What moves a bar on by one, where there is a terminal and more to do than what is done before one looks."""
    console = Console(stderr=True, highlight=False)
    show = console.is_terminal and not quiet and total > most_unseen
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=console, transient=True, disable=not show,
    ) as progress:  # fmt: skip
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def built_ports(
    todo: Plan,
    ports: Sequence[FilePort],
    conversion: Conversion,
    commands: Mapping[Path, settings.FileFlags],
    workers: int,
    quiet: bool,
) -> list[FilePort]:
    """The ports with the compiler's word, with a bar on a terminal."""
    from porter.port.building.compiled import translation_units, with_build

    asked, _ = translation_units(todo, ports, conversion, commands)
    with _bar("compiling", len(asked), quiet) as advance:
        return with_build(todo, ports, conversion, commands, workers, advance)


def exit_code(ports: Sequence[FilePort], check: bool) -> int:
    if any(p.status is FileStatus.FAILED for p in ports):
        return EXIT_FAILED
    left = any(
        p.conflicts
        or p.parser == "tokens"
        or p.build in (BUILDS[2], BUILDS[4])
        or any(f.needs_person for f in p.findings)
        for p in ports
    )
    changes = check and any(p.port != p.source for p in ports)
    return EXIT_LEFT if left or changes else EXIT_OK


def print_diff(port: FilePort) -> None:
    if port.source == port.port:
        return
    before, after = (
        t.encode("latin-1").decode("utf-8", "replace").splitlines(keepends=True) for t in (port.source, port.port)
    )
    for line in difflib.unified_diff(before, after, port.path, port.output):
        sys.stdout.write(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")


def left_out(paths: Sequence[Path]) -> str:
    """Which files of the trees are left out, in a line."""
    return f"left out, since git ignores it: {_named(paths)} (--no-gitignore takes it along)"


def without_source(paths: Sequence[Path]) -> str:
    """Which files of earlier runs have no source any more, in a line."""
    return f"from an earlier run, without a source now: {_named(paths)} (porter deletes nothing; delete what is not wanted)"


def _named(paths: Sequence[Path]) -> str:
    return ", ".join(map(os.path.relpath, paths[:3])) + (f" and {len(paths) - 3:,} more" if len(paths) > 3 else "")


def place_of_cases(todo: Plan) -> str | None:
    """What porter verify is given for the case beside a port, "" for where the ports are, or beside its source; None where
    there is none."""
    from porter.harness.cases.case import is_case_file

    def has_case(folder: Path) -> bool:
        return folder.is_dir() and any(map(is_case_file, folder.iterdir()))

    if any(map(has_case, dict.fromkeys(job.output.parent for job in todo.jobs))):
        return ""
    source = next((job.path for job in todo.jobs if has_case(job.path.parent)), None)
    return None if source is None else str(source)
