"""`porter convert --check --build`: what would be written is written in a temporary folder, beside links to what is around it.

The folder holds the file system as the compiler sees it from the ports: `/tmp/x/home/me/k.hip` stands for `/home/me/k.hip`.
The folders that lead to ports are real, all else in them is a link to the user's own.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.findings import FilePort
from porter.port.files.keep import MEMORY
from porter.port.jobs import Plan

__all__ = ["Stage", "stage"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A plan whose ports go into a temporary folder."""

    plan: Plan
    folder: str
    original: Plan

    def as_planned(self, ports: Sequence[FilePort]) -> list[FilePort]:
        """Ports of the original plan, or of files beside them, with the names of the user's files."""
        outputs = {str(job.output): str(own.output) for job, own in zip(self.plan.jobs, self.original.jobs)}
        return [self._as_planned(port, outputs) for port in ports]

    def _as_planned(self, port: FilePort, outputs: dict[str, str]) -> FilePort:
        def own(text: str) -> str:
            for staged, name in outputs.items():
                text = text.replace(staged, name) if staged in text else text
            return text.replace(self.folder, "")

        if not any(self.folder in text for text in _texts(port)):
            return port
        return replace(
            port,
            path=own(port.path),
            output=own(port.output),
            problem=own(port.problem),
            fix=own(port.fix),
            notes=tuple(map(own, port.notes)),
            findings=tuple(replace(finding, message=own(finding.message)) for finding in port.findings),
        )


def _texts(port: FilePort) -> Iterator[str]:
    yield from (port.path, port.output, port.problem, port.fix, *port.notes)
    yield from (finding.message for finding in port.findings)


@contextlib.contextmanager
def stage(plan: Plan) -> Iterator[Stage]:
    """The plan in a temporary folder, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="porter-check-") as folder:
        jobs = tuple(replace(job, output=_in(folder, job.output)) for job in plan.jobs)
        homes = tuple(replace(home, output=_in(folder, home.output)) for home in plan.homes)
        places = tuple(_in(folder, place) for place in plan.runtime_dirs)
        _surroundings(plan, folder)
        yield Stage(replace(plan, jobs=jobs, homes=homes, runtime_dirs=places), folder, plan)


def _in(folder: str, path: Path) -> Path:
    return Path(folder + os.path.abspath(path))


def _surroundings(plan: Plan, folder: str) -> None:
    """What is there already. Nothing that porter may write is a link: a write would go through it."""
    inputs = {os.path.abspath(job.path) for job in plan.jobs}
    written = {os.path.abspath(job.output) for job in plan.jobs}
    headers = {os.path.join(os.path.abspath(place), "porter") for place in plan.runtime_dirs}
    homes = {os.path.abspath(home.output) for home in plan.homes}
    leading = {str(above) for path in (*written, *headers, *homes) for above in Path(path).parents} | homes
    for path in leading:
        os.makedirs(folder + path, exist_ok=True)
    for path in sorted(leading):
        for entry in _entries(path):
            place = folder + entry.path
            if entry.path in headers or (entry.name == MEMORY and entry.is_dir()):
                _copy(entry.path, place)
            elif entry.path in written or path in homes:
                if entry.path not in inputs and entry.is_file():
                    _copy(entry.path, place)
            elif entry.path not in leading:
                os.symlink(entry.path, place)


def _entries(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return list(entries)
    except OSError:
        return []  # nothing is there yet, or nothing that may be read


def _copy(path: str, place: str) -> None:
    with contextlib.suppress(OSError, shutil.Error):
        if os.path.isdir(path):
            shutil.copytree(path, place, dirs_exist_ok=True)
        else:
            shutil.copy(path, place)
