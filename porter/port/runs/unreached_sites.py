"""Sites that no compilation of a run sees, and sites in functions and branches of libraries' headers that nothing of the run
reaches: they need no person."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from porter.analysis.open_conditions import open_macros
from porter.findings import FilePort, Finding, Safety
from porter.frontend.left_out import Spans
from porter.frontend.project import MAIN_SUFFIXES
from porter.port.jobs import Job
from porter.port.pipeline import Conversion

__all__ = ["with_calls", "without_unreached"]

_MOST_NAMED = 4  # macros, in a note
_STOPS = "porter::unsupported_ptx("  # no compiler takes a call of it that is not dead code


def with_calls(jobs: Sequence[Job], ports: Sequence[FilePort], conversion: Conversion) -> list[FilePort]:
    """The ports, with the sites that no compilation of their units sees, where macros are given; and with what of the
    headers from elsewhere none of their units calls."""
    units = {job.path: job for job in jobs if job.kind == "source"}
    reached = [_with_reach(job, port, units, conversion) for job, port in zip(jobs, ports, strict=True)]
    return [_with_open_macros(job, port, jobs, reached, conversion) for job, port in zip(jobs, reached, strict=True)]


def _with_open_macros(
    job: Job, port: FilePort, jobs: Sequence[Job], ports: Sequence[FilePort], conversion: Conversion
) -> FilePort:
    """The port of a unit's own file, with a note on the macros that nobody gave and open sites of the unit depend on."""
    if job.kind != "source" or job.path.suffix not in MAIN_SUFFIXES or conversion.of_job(job).options.defines:
        return port
    project = conversion.of_job(job).project
    sites = [
        (source, finding.start)
        for other, its in zip(jobs, ports, strict=True)
        if job.path in (other.path, other.includer, *other.users)
        for finding in its.findings
        if finding.needs_person and (source := project.file(other.path)) is not None
    ]
    macros = open_macros(project.members(job.path), sites) if sites else None
    if not macros:
        return port
    names = [name for name, _ in macros.most_common(_MOST_NAMED)]
    more = f" and {len(macros) - _MOST_NAMED} more" if len(macros) > _MOST_NAMED else ""
    note = (
        f"no -D says whether {', '.join(names)}{more} {'is' if len(macros) == 1 else 'are'} defined: the parse takes such "
        "macros as not defined, and sites under their conditions count; give the -D of your build, or -p"
    )
    return replace(port, notes=(*port.notes, note))


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


def _with_reach(job: Job, port: FilePort, units: Mapping[Path, Job], conversion: Conversion) -> FilePort:
    if not any(finding.needs_person for finding in port.findings) or not (job.users or job.kind == "source"):
        return port
    mains = job.users or conversion.of_job(job).project.units_of(job.path)
    facts = [conversion.of_job(units.get(main, job)).facts for main in mains]
    of_mains = list(zip(facts, mains, strict=True))
    settled = [
        finding
        for finding in port.findings
        if finding.needs_person and of_mains and all(f.is_settled(m, job.path, finding.start) for f, m in of_mains)
    ]
    left_out = [one.left_out(main).get(job.path, ()) for one, main in of_mains] if settled else []
    seen = [_compiled(finding, left_out) if finding in settled else finding for finding in port.findings]
    if job.users and any(map(_may_stay, seen)):
        reaches = [one.reach(main) for one, main in of_mains]
        uncalled = [sorted(one.uncalled.get(job.path, ())) if one is not None else [] for one in reaches]
        seen = [_called(finding, uncalled) for finding in seen]
    return replace(port, findings=tuple(seen))


def _compiled(finding: Finding, left_out: Sequence[Spans]) -> Finding:
    if not left_out or not all(_within(finding, one) for one in left_out):
        return finding
    return replace(finding, compiled=False)


def _called(finding: Finding, uncalled: Sequence[Spans]) -> Finding:
    if not _may_stay(finding) or not uncalled or not all(_within(finding, one) for one in uncalled):
        return finding
    return replace(finding, called=False)


def _may_stay(finding: Finding) -> bool:
    """Whether the port compiles with it as it is: what stays CUDA's text does not, whoever calls it."""
    return finding.needs_person and (
        finding.safety is Safety.REVIEW or (finding.safety is Safety.LEFT and bool(finding.edits))
    )


def _within(finding: Finding, spans: Spans) -> bool:
    return any(first <= finding.start < last for first, last in spans)
