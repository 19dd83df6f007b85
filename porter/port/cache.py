"""Ports of earlier runs, kept under a digest of everything that they follow from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from porter import __version__
from porter.analysis.elsewhere import defined_elsewhere
from porter.analysis.kinds import kinds_matter
from porter.cache_folder import cache_dir, write_atomically
from porter.frontend.project import HEADER_SUFFIXES, MAIN_SUFFIXES, Project, walk
from porter.frontend.unit import Options
from porter.model import Edit, FilePort, FileStatus, Finding, Safety, decode
from porter.paths import CUDA_STUBS, PACKAGE
from porter.port.plan import Job
from porter.rules import load_rules

__all__ = ["CacheKeys", "cached", "store"]


@lru_cache(maxsize=1)
def _program_stamp() -> str:
    """Changes whenever porter's own code, rules or stub headers do."""
    digest = hashlib.sha256(__version__.encode())
    for folder, pattern in ((PACKAGE, "**/*.py"), (PACKAGE, "**/*.in"), (CUDA_STUBS, "**/*")):
        for path in sorted(folder.glob(pattern)):
            if path.is_file():
                status = path.stat()
                digest.update(f"{path.name}{status.st_size}{status.st_mtime_ns}".encode())
    return digest.hexdigest()


class CacheKeys:
    def __init__(self, options: Options) -> None:
        digest = hashlib.sha256(_program_stamp().encode())
        digest.update(repr(options).encode())
        for folder in load_rules(options.rules).folders:
            for path in sorted(folder.rglob("*.t*")):
                status = path.stat()
                digest.update(f"{path}{status.st_size}{status.st_mtime_ns}".encode())
        self._base = digest.digest()
        self._projects: dict[Path, Project] = {}
        self._hashes: dict[Path, bytes] = {}
        self.options = options

    def key(self, job: Job) -> str:
        project = self._projects.setdefault(job.root, Project(job.root, self.options.includes))
        digest = hashlib.sha256(self._base)
        digest.update(repr((job.renames, str(job.includer), job.runtime_prefix, job.path.name, job.flags)).encode())
        members = project.closure(job.path)
        if job.includer is not None:
            members += project.closure(job.includer)
        members = (*members, *_others(project, job))
        if self.options.schedule == "native" and job.whole:  # what launches a kernel may be in any of them
            members = (*members, *(p for p in walk(job.root) if p.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES))
        for path in members:
            known = self._hashes.get(path)
            if known is None:
                source = project.file(path)
                known = self._hashes[path] = hashlib.sha256(source.data if source else b"").digest()
            digest.update(known)
        return digest.hexdigest()


def _others(project: Project, job: Job) -> Iterator[Path]:
    """Files of other units that say how launches in this file, or what a header is told apart by, are ported."""
    source = project.file(job.path)
    if not job.whole or source is None or not kinds_matter(source):
        return
    elsewhere = defined_elsewhere(project, project.members(job.path))
    for main in (*project.includers.get(job.path, ()), *elsewhere.values()):
        yield from project.closure(main)


def _cache_path(key: str) -> Path:
    return cache_dir() / "ports" / key[:2] / f"{key[2:]}.json"


def cached(keys: CacheKeys, job: Job) -> FilePort | None:
    try:
        data = json.loads(_cache_path(keys.key(job)).read_bytes())
        findings = tuple(
            Finding(r, s, e, Safety(safety), m, tuple(Edit(*edit) for edit in edits), tuple(includes))
            for r, s, e, safety, m, edits, includes in data["findings"]
        )
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
    )


def store(keys: CacheKeys, job: Job, port: FilePort) -> None:
    data = {
        "status": port.status.value,
        "port": None if port.port == port.source else port.port,
        "parser": port.parser,
        "notes": port.notes,
        "findings": [
            (
                f.rule,
                f.start,
                f.end,
                f.safety.value,
                f.message,
                [tuple(asdict(e).values()) for e in f.edits],
                f.includes,
            )
            for f in port.findings
        ],
    }
    path = _cache_path(keys.key(job))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(data).encode())
    except OSError:
        pass  # a cache that cannot be written costs time, nothing else
