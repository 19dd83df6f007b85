"""The report as data: `porter-report/1`, described by schema/porter-report-1.json.

Within a version of the schema fields are only ever added.
"""

from __future__ import annotations

import base64
import json
import platform
from importlib import metadata

from porter.findings import Edit, FileStatus, Safety
from porter.report.facts.counts import ACCEPTED, NOT_CALLED, NOT_COMPILED, Counts
from porter.report.facts.source import prose, unicode_text
from porter.report.facts.summary import FileSummary, Site, Summary
from porter.report.formats.proof_json import Json, proof_json

__all__ = ["SCHEMA", "Json", "json_report"]

SCHEMA = "porter-report/1"


def json_report(summary: Summary) -> str:
    """The report as the text of a JSON file, `porter-report/1`."""
    report = summary.report
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "versions": {
            "porter": report.version,
            "python": platform.python_version(),
            "libclang": _installed("libclang"),
        },
        "target": report.target,
        "warp": report.warp,
        "seconds": report.seconds,
        "headline": summary.headline,
        "counts": _counts(summary.counts),
        "not_compiled": _not_compiled(summary.counts),
        "not_called": _not_called(summary.counts),
        "accepted": _accepted(summary.counts),
        "file_counts": {status.value: summary.status_count(status) for status in FileStatus},
        "rules": {rule.id: {"title": rule.title, "why": rule.why} for rule in summary.rules},
        "files": [_file(file) for file in summary.files],
    }
    if summary.proof is not None:
        document["proof"] = proof_json(summary.proof)
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _installed(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _counts(counts: Counts) -> Json:
    return {"sites": counts.sites, **{safety.value: counts.of(safety) for safety in Safety}}


def _not_compiled(counts: Counts) -> Json:
    return _aside(counts, NOT_COMPILED, Safety.REVIEW, Safety.LEFT)


def _not_called(counts: Counts) -> Json:
    return _aside(counts, NOT_CALLED, Safety.REVIEW, Safety.LEFT)


def _accepted(counts: Counts) -> Json:
    return _aside(counts, ACCEPTED, Safety.REVIEW, Safety.LEFT, Safety.ERROR)


def _aside(counts: Counts, why: str, *safeties: Safety) -> Json:
    return {safety.value: counts.aside(why, safety) for safety in safeties}


def _file(file: FileSummary) -> Json:
    return {
        "path": file.path,
        "uri": file.uri,
        "output": file.output,
        "status": file.port.status.value,
        "parser": file.parsed_by,
        "build": file.port.build,
        "caveat": file.caveat,
        "problem": prose(file.port.problem),
        "fix": prose(file.port.fix),
        "notes": list(file.notes),
        "counts": _counts(file.counts),
        "not_compiled": _not_compiled(file.counts),
        "not_called": _not_called(file.counts),
        "accepted": _accepted(file.counts),
        "edits": [_edit(edit, file.port.source) for edit in file.edits],
        "findings": [_finding(site, file) for site in file.sites],
    }


def _finding(site: Site, file: FileSummary) -> Json:
    finding = site.finding
    return {
        "rule": site.rule.id,
        "safety": site.safety.value,
        "compiled": finding.compiled,
        "called": finding.called,
        "accepted": prose(finding.accepted),
        "message": site.message,
        "line": site.start.line,
        "column": site.start.column,
        "end_line": site.end.line,
        "end_column": site.end.column,
        "start": finding.start,
        "end": finding.end,
        "fingerprint": site.fingerprint,
        "includes": list(finding.includes),
        "edits": [_edit(edit, file.port.source) for edit in site.edits],
        "changes": [
            {
                "line": change.line,
                "before": list(change.before),
                "after": None if change.after is None else list(change.after),
            }
            for change in site.changes
        ],
    }


def _edit(edit: Edit, source: str) -> Json:
    old = source[edit.start : edit.end]
    fields: dict[str, Json] = {
        "start": edit.start,
        "end": edit.end,
        "before": unicode_text(old),
        "after": unicode_text(edit.text),
    }
    for key, text in (("before", old), ("after", edit.text)):
        data = text.encode("latin-1", "replace")
        if "\ufffd" in str(fields[key]) and data.decode("utf-8", "replace") == fields[key]:
            fields[f"{key}_base64"] = base64.b64encode(data).decode("ascii")
    return fields
