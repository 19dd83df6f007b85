"""What one run of `porter convert` is made of: a job a file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from porter.findings import FilePort, FileStatus
from porter.settings import FileFlags

__all__ = ["Home", "Job", "Plan", "failure"]


@dataclass(frozen=True, slots=True)
class Job:
    """One file to port, or to copy as it is."""

    path: Path
    output: Path
    shown: str
    kind: str  # "source", "build", "copy"
    root: Path
    renames: tuple[
        tuple[str, str], ...
    ] = ()  # include spelling -> ported spelling; for build files: tree path -> tree path
    includer: Path | None = None
    runtime_prefix: str = ""
    flags: FileFlags | None = None  # from compile_commands.json
    whole: bool = False  # with all other files of its tree
    guests: tuple[str, ...] | None = None  # headers that it includes for files in its braces; None: not known
    given: tuple[Path, ...] | None = None  # the files that are ported in this run where no tree is; None in a tree
    users: tuple[Path, ...] = ()  # of a header from elsewhere: the files that it is ported for

    @property
    def in_place(self) -> bool:
        """Whether the port takes the place of the file."""
        return os.path.abspath(self.output) == os.path.abspath(self.path)


@dataclass(frozen=True, slots=True)
class Home:
    """A folder of headers that are ported, and the folder of their ports."""

    folder: Path
    output: Path
    units: tuple[Path, ...] = ()  # the files that include them, of earlier runs, too


@dataclass(frozen=True, slots=True)
class Plan:
    jobs: tuple[Job, ...]
    failed: tuple[FilePort, ...]
    runtime_dirs: tuple[Path, ...]  # where porter/*.h go, one for each output tree
    homes: tuple[Home, ...] = ()
    left_out: tuple[Path, ...] = ()  # files that git ignores


def failure(path: Path, problem: str, fix: str) -> FilePort:
    """The port of a file that could not be ported."""
    return FilePort(str(path), "", FileStatus.FAILED, problem=problem, fix=fix)
