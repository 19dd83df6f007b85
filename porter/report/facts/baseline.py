"""A baseline: the sites that needed a person when it was written. A run with it fails on new ones only."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from porter.errors import UsageError
from porter.findings import FilePort, Finding, PortReport
from porter.report.facts.source import SourceLines, prose

__all__ = ["baseline_text", "read_baseline", "with_baseline"]

SCHEMA = "porter-baseline/1"


def baseline_text(report: PortReport, place: Path) -> str:
    """The text of a baseline at `place` with the sites of a run that need a person."""
    sites = {
        mark: f"{_path(port, place)}: {finding.rule}: {prose(finding.message)}"
        for port in report.files
        for finding, mark in _marks(port, place)
        if finding.needs_person
    }
    ordered = dict(sorted(sites.items(), key=lambda item: (item[1], item[0])))
    return json.dumps({"schema": SCHEMA, "sites": ordered}, ensure_ascii=False, indent=1) + "\n"


def read_baseline(path: Path) -> Mapping[str, str]:
    """The sites of a baseline, by their marks."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", "write it with --update-baseline") from None
    except ValueError as error:
        raise UsageError(f"{path}: no baseline: {error}", "write it anew with --update-baseline") from None
    sites = data.get("sites") if isinstance(data, dict) and data.get("schema") == SCHEMA else None
    if not isinstance(sites, dict):
        raise UsageError(f"{path}: no baseline of this porter", "write it anew with --update-baseline")
    return sites


def with_baseline(report: PortReport, place: Path, sites: Mapping[str, str]) -> PortReport:
    """The report with the sites of the baseline accepted."""
    return replace(report, files=tuple(_accepted(port, place, sites) for port in report.files))


def _accepted(port: FilePort, place: Path, sites: Mapping[str, str]) -> FilePort:
    findings = tuple(
        replace(finding, accepted="in the baseline") if finding.needs_person and mark in sites else finding
        for finding, mark in _marks(port, place)
    )
    return replace(port, findings=findings)


def _marks(port: FilePort, place: Path) -> list[tuple[Finding, str]]:
    """The same while the line's text and the file's place beside the baseline stay, wherever the line moves."""
    lines, path = SourceLines(port.source), _path(port, place)
    seen: dict[tuple[str, str, str], int] = {}
    result = []
    for finding in port.findings:
        identity = (finding.rule, finding.safety.value, lines.digest(lines.position(finding.start).line))
        seen[identity] = seen.get(identity, 0) + 1
        text = "\0".join((path, *identity, str(seen[identity])))
        result.append((finding, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]))
    return result


def _path(port: FilePort, place: Path) -> str:
    return prose(Path(os.path.relpath(port.path, place.parent)).as_posix())
