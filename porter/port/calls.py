"""Sites in functions of libraries' headers that nothing of the run calls: they need no person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from porter.analysis.reach import Reach
from porter.model import FilePort, Finding, Safety
from porter.port.jobs import Job
from porter.port.pipeline import Conversion

__all__ = ["with_calls"]


def with_calls(jobs: Sequence[Job], ports: Sequence[FilePort], conversion: Conversion) -> list[FilePort]:
    """The ports, with what of the headers from elsewhere none of their units calls."""
    units = {job.path: job for job in jobs if job.kind == "source"}
    return [_told(job, port, units, conversion) if job.users else port for job, port in zip(jobs, ports, strict=True)]


def _told(job: Job, port: FilePort, units: Mapping[Path, Job], conversion: Conversion) -> FilePort:
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
