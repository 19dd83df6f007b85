"""A person's changes to a port are kept: the next port is merged with them, and porter overwrites only what it wrote.

The folder `.porter` beside the files has what porter wrote: the text of each port (NAME.gz), and the digests of the files that
it only copied (copies.json). It belongs to the ports, and is committed with them.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.cache_folder import write_atomically
from porter.errors import OutputError
from porter.findings import FilePort, FileStatus, decode, encode
from porter.port.files.merge import conflict_lines, merge
from porter.port.files.write import Copies, write_ports
from porter.port.jobs import Job, Plan

__all__ = ["MEMORY", "write_kept"]

MEMORY = ".porter"
_NOT_OURS = "exists, and is not what porter wrote there"
_FORCE = "move it away, give another -o OUT, or overwrite it with --force"


def write_kept(
    plan: Plan, ports: Sequence[FilePort], runtime: str, force: bool
) -> tuple[list[FilePort], list[FilePort]]:
    """Writes the ports. Returns them as they are reported, and a failure for each file of porter's own that stays as it is."""
    settled = [_settled(job, port, force) for job, port in zip(plan.jobs, ports)]
    copies = _Copies(force)
    try:
        write_ports(plan.jobs, [one.written for one in settled], runtime, plan.runtime_dirs, plan.homes, copies)
    finally:  # a disk that is full now has the ports that came before
        _remember_all(plan.jobs, ports, settled)
        copies.remember()
    reported = [copies.with_refusal(job, one.reported) for job, one in zip(plan.jobs, settled)]
    return reported, copies.others(plan.jobs)


def _remember_all(jobs: Sequence[Job], ports: Sequence[FilePort], settled: Sequence[_Settled]) -> None:
    for job, port, one in zip(jobs, ports, settled):
        if one.written.status is FileStatus.FAILED or port.parser == "copied" or job.in_place:
            continue
        with contextlib.suppress(OSError):
            if job.output.read_bytes() == encode(one.written.port):
                _remember(job.output, encode(port.port))


@dataclass(frozen=True, slots=True)
class _Settled:
    written: FilePort  # with the text that goes into the file
    reported: FilePort  # with the text that porter makes, and what became of it


def _settled(job: Job, port: FilePort, force: bool) -> _Settled:
    """A port as it is to be written, with the changes that are in the file already."""
    if port.status is FileStatus.FAILED or port.parser == "copied" or job.in_place:
        return _Settled(port, port)
    now = encode(port.port)
    try:
        there = job.output.read_bytes() if os.path.lexists(job.output) else None
    except OSError as error:
        return _Settled(port, port) if force else _refused(port, job, f"{_NOT_OURS}: {error.strerror}")
    if there is None or there == now or force:
        return _Settled(port, port)
    before = _remembered(job.output)
    if before is None:
        return _refused(port, job, _NOT_OURS)
    merged = merge(before, there, now)
    notes = port.notes
    if merged.kept:
        places = "1 place that was" if merged.kept == 1 else f"{merged.kept} places that were"
        notes = (*notes, f"{places} changed by hand in {job.output} stayed so; --force starts anew")
    reported = replace(port, notes=notes, conflicts=conflict_lines(merged.data))
    return _Settled(replace(port, port=decode(merged.data)), reported)


def _refused(port: FilePort, job: Job, why: str) -> _Settled:
    failed = replace(port, status=FileStatus.FAILED, problem=f"{job.output} {why}", fix=_FORCE)
    return _Settled(failed, failed)


def _place(output: Path) -> Path:
    return output.parent / MEMORY / f"{output.name}.gz"


def _remembered(output: Path) -> bytes | None:
    """The text of the port as porter wrote it last; None where it is not known, or what was kept is damaged."""
    try:
        kept = _place(output).read_bytes()
        return gzip.decompress(kept) if kept else None  # of no bytes at all, gzip makes an empty text
    except (OSError, EOFError, ValueError, zlib.error):
        return None


def _remember(output: Path, data: bytes) -> None:
    if _remembered(output) != data:
        _write(_place(output), gzip.compress(data, mtime=0))


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, data)
    except OSError as error:
        problem = f"{path}: cannot be written: {error.strerror}"
        raise OutputError(
            problem, "without it the next run cannot tell changes by hand; fix that and run again"
        ) from None


class _Copies(Copies):
    """Files that porter copies: its own headers, and the rest of a tree."""

    def __init__(self, force: bool) -> None:
        self._force = force
        self._known: dict[Path, dict[str, str]] = {}
        self._changed: set[Path] = set()
        self._refused: dict[Path, str] = {}

    def may_write(self, target: Path, data: bytes) -> bool:
        """Whether the file is to be written: not where a person has changed it. What is there already counts as written."""
        known = self._of(target.parent)
        before, now = known.get(target.name), _digest(data)
        try:
            there = _digest(target.read_bytes()) if os.path.lexists(target) else None
        except OSError:
            there = ""
        if there not in (None, now, before) and not self._force:
            if before == now:
                return False  # it stays as it was changed, and nothing new is missing
            why = (
                _NOT_OURS
                if before is None
                else "was changed by hand since porter wrote it, and has changed at its source"
            )
            self._refused[target] = why
            return False
        if before != now:
            known[target.name] = now
            self._changed.add(target.parent)
        return there != now

    def _of(self, folder: Path) -> dict[str, str]:
        if folder not in self._known:
            self._known[folder] = {}
            with contextlib.suppress(OSError, ValueError, AttributeError):
                data = json.loads((folder / MEMORY / "copies.json").read_text("utf-8"))
                self._known[folder] = {str(name): str(digest) for name, digest in data.items()}
        return self._known[folder]

    def remember(self) -> None:
        """Writes down what was written."""
        for folder in sorted(self._changed):
            text = json.dumps(self._known[folder], indent=1, sort_keys=True) + "\n"
            _write(folder / MEMORY / "copies.json", text.encode())

    def with_refusal(self, job: Job, port: FilePort) -> FilePort:
        """The port, as a failure where its copy was not written."""
        why = self._refused.get(job.output)
        if why is None or port.parser != "copied":
            return port
        return replace(port, status=FileStatus.FAILED, parser="text", problem=f"{job.output} {why}", fix=_FORCE)

    def others(self, jobs: Sequence[Job]) -> list[FilePort]:
        """A failure for each of porter's own headers that was not written."""
        known = {job.output for job in jobs}
        return [
            FilePort(str(path), str(path), FileStatus.FAILED, problem=f"{path} {why}", fix=_FORCE)
            for path, why in sorted(self._refused.items())
            if path not in known
        ]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
