"""Sites in functions of libraries' headers that nothing of the run calls: they need no person."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from porter.analysis.reach import Reach
from porter.findings import FilePort, Finding, Safety
from porter.port.jobs import Job
from porter.port.pipeline import Conversion

__all__ = ["with_calls", "without_unreached"]

_STOPS = "porter::unsupported_ptx("  # no compiler takes a call of it that is not dead code


def with_calls(jobs: Sequence[Job], ports: Sequence[FilePort], conversion: Conversion) -> list[FilePort]:
    """The ports, with what of the headers from elsewhere none of their units calls."""
    units = {job.path: job for job in jobs if job.kind == "source"}
    return [
        _with_uncalled(job, port, units, conversion) if job.users else port
        for job, port in zip(jobs, ports, strict=True)
    ]


def without_unreached(jobs: Sequence[Job], ports: Sequence[FilePort], built: Collection[str]) -> list[FilePort]:
    """The ports, with the parts of headers from elsewhere that no code of their units reaches. `built` has the real
    paths of the units that compiled in full. It refuses each that comes to a call that stops it, by whatever way."""
    return [_unreached(port) if _all_built(job, built) else port for job, port in zip(jobs, ports, strict=True)]


def _all_built(job: Job, built: Collection[str]) -> bool:
    return bool(job.users) and all(os.path.realpath(user) in built for user in job.users)


def _unreached(port: FilePort) -> FilePort:
    if not any(map(_stops, port.findings)):
        return port
    return replace(port, findings=tuple(replace(f, called=False) if _stops(f) else f for f in port.findings))


def _stops(finding: Finding) -> bool:
    return finding.needs_person and any(_STOPS in edit.text for edit in finding.edits)


def _with_uncalled(job: Job, port: FilePort, units: Mapping[Path, Job], conversion: Conversion) -> FilePort:
    if not any(map(_may_stay, port.findings)):
        return port
    spans = [_uncalled(job.path, conversion.of_job(units.get(main, job)).facts.reach(main)) for main in job.users]
    if not all(spans):
        return port
    return replace(port, findings=tuple(_of(finding, spans) for finding in port.findings))


def _uncalled(header: Path, reach: Reach | None) -> Sequence[tuple[int, int]]:
    return sorted(reach.uncalled.get(header, ())) if reach is not None else ()


def _of(finding: Finding, spans: Sequence[Sequence[tuple[int, int]]]) -> Finding:
    if not _may_stay(finding) or not all(_within(finding, one) for one in spans):
        return finding
    return replace(finding, called=False)


def _may_stay(finding: Finding) -> bool:
    """Whether the port compiles with it as it is: what stays CUDA's text does not, whoever calls it."""
    return finding.needs_person and (
        finding.safety is Safety.REVIEW or (finding.safety is Safety.LEFT and bool(finding.edits))
    )


def _within(finding: Finding, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first <= finding.start < last for first, last in spans)
