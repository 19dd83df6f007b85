"""Ports of earlier runs, kept under a digest of everything that they follow from."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from porter.cache_folder import cache_dir, write_atomically
from porter.findings import Edit, FilePort, FileStatus, Finding, Safety, decode
from porter.frontend.folders import walk
from porter.frontend.project import HEADER_SUFFIXES, MAIN_SUFFIXES, Place, Project
from porter.port.jobs import Job
from porter.port.pipeline import Conversion
from porter.port.stamps import stamp

__all__ = ["CacheKeys", "cached", "finding_of", "row_of", "store"]


class CacheKeys:
    """The keys of one run's jobs: digests of porter, the options, the rules, and what the project says of the file."""

    def __init__(self, conversion: Conversion) -> None:
        self._base = stamp(conversion.rules.folders, conversion.options).encode()
        self._together: dict[int, bytes] = {}  # by project
        self._places: dict[Job, Place] = {}
        self._keys: dict[Job, str] = {}
        self._conversion = conversion

    def key(self, job: Job) -> str:
        """The same for jobs that give the same port."""
        if job not in self._keys:
            self._keys[job] = self._key(job)
        return self._keys[job]

    def _place(self, job: Job) -> Place:
        if job not in self._places:
            self._places[job] = self._conversion.of_job(job).project.place(job.path, job.includer or job.path)
        return self._places[job]

    def _key(self, job: Job) -> str:
        ports, place = self._conversion.of_job(job), self._place(job)
        main = job.includer or job.path
        alone = ports.project.alone(main)
        digest = hashlib.sha256(self._base)
        context = (
            job.renames,
            job.includer,
            job.runtime_prefix,
            job.path.name,
            job.flags,
            job.whole,
            job.guests,
            place.embedded,
            _given_headers(job, place),
            [path in alone for path in place.unit],
        )
        digest.update(repr((context, ports.facts.digest(job.path, main))).encode())
        members: Iterable[Path] = (*place.own, *place.unit)
        if ports.facts.asm_may_differ(job.path):
            members = (*members, *(path for one in place.includers for path in ports.project.closure(one)))
        if self._conversion.options.schedule == "native":
            members = (*members, *_that_may_launch(job))
            if not job.whole:
                from porter.native.launches.groups import editable  # the native compiler is not needed for other ports

                digest.update(repr(sorted(editable(ports.project, job.path, (main,)))).encode())
        self._add(digest, ports.project, members)
        if job.includer is None and place.loose:
            digest.update(self._loose(ports.project))
        return digest.hexdigest()

    def _add(self, digest: hashlib._Hash, project: Project, paths: Iterable[Path]) -> None:
        for path in paths:
            digest.update(path.name.encode("utf-8", "surrogateescape") + project.digest(path))

    def _loose(self, project: Project) -> bytes:
        """Of the headers that are parsed together."""
        if id(project) not in self._together:
            digest = hashlib.sha256()
            members = dict.fromkeys(path for header in project.loose_headers for path in project.closure(header))
            self._add(digest, project, members)
            self._together[id(project)] = digest.digest()
        return self._together[id(project)]

    def of_units(self, job: Job) -> str:
        """A digest of all units that the job's file is in."""
        project = self._conversion.of_job(job).project
        members = dict.fromkeys(path for one in self._place(job).includers for path in project.closure(one))
        return hashlib.sha256(b"".join(project.digest(path) for path in members)).hexdigest()


def _given_headers(job: Job, place: Place) -> tuple[Path, ...]:
    """The headers of the job's file that are ported in the same run."""
    closure = {Path(os.path.abspath(path)) for path in place.own} if job.given else set[Path]()
    return tuple(sorted(closure.intersection(job.given or ())))


def _that_may_launch(job: Job) -> list[Path]:
    """The files in which a kernel of the job's may be launched or declared."""
    if job.whole:
        return [path for path in walk(job.root) if path.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES]
    return sorted(path for path in job.path.parent.iterdir() if path.suffix in MAIN_SUFFIXES)


def _cache_path(key: str) -> Path:
    return cache_dir() / "ports" / key[:2] / f"{key[2:]}.json"


def cached(keys: CacheKeys, job: Job) -> FilePort | None:
    try:
        data = json.loads(_cache_path(keys.key(job)).read_bytes())
        if data["units"] and data["units"] != keys.of_units(job):
            return None
        findings = tuple(finding_of(*row) for row in data["findings"])
        source = decode(job.path.read_bytes())
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return FilePort(
        job.shown,
        str(job.output),
        FileStatus(data["status"]),
        source,
        source if data["port"] is None else data["port"],
        findings,
        tuple(data["notes"]),
        data["parser"],
        hoisted=tuple(data["hoisted"]),
    )


def finding_of(
    rule: str,
    start: int,
    end: int,
    safety: str,
    message: str,
    edits: list[tuple[int, int, str]],
    includes: list[str],
    compiled: bool,
    accepted: str,
    called: bool = True,
) -> Finding:
    """The finding of a row that was kept."""
    changes = tuple(Edit(*edit) for edit in edits)
    return Finding(rule, start, end, Safety(safety), message, changes, tuple(includes), compiled, accepted, called)


def row_of(finding: Finding) -> tuple[object, ...]:
    """A finding as a row of JSON."""
    edits = [(edit.start, edit.end, edit.text) for edit in finding.edits]
    return (
        finding.rule, finding.start, finding.end, finding.safety.value, finding.message, edits, finding.includes,
        finding.compiled, finding.accepted, finding.called,
    )  # fmt: skip


def store(keys: CacheKeys, job: Job, port: FilePort) -> None:
    """Keeps a port; none that was made without a parse, which the next run may be able to do."""
    if port.parser == "tokens":
        return
    from porter.port.sources.uncalled import keeps_cudas_names  # and with it the passes, which made this port

    data = {
        "status": port.status.value,
        "port": None if port.port == port.source else port.port,
        "parser": port.parser,
        "notes": port.notes,
        "hoisted": port.hoisted,
        "units": keys.of_units(job) if any(map(keeps_cudas_names, port.findings)) else "",  # who calls what
        "findings": [row_of(finding) for finding in port.findings],
    }
    path = _cache_path(keys.key(job))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(data).encode())
    except OSError:
        pass  # a cache that cannot be written costs time, nothing else
