"""The report as SARIF 2.1.0 (OASIS standard), for code scanning and editors."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping

from porter.findings import Edit, FileStatus, Safety
from porter.harness.verdict import Status
from porter.report.facts.proof import CaseProof, Failure
from porter.report.facts.source import Position, SourceLines, unicode_text
from porter.report.facts.summary import FileSummary, RuleText, Site, Summary, uri_of
from porter.report.formats.json_report import Json

__all__ = ["sarif"]

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {
    Safety.EXACT: "note",
    Safety.HINT: "note",
    Safety.SLOWER: "note",
    Safety.REVIEW: "warning",
    Safety.LEFT: "error",
    Safety.ERROR: "error",
}


def sarif(summary: Summary) -> str:
    """The report as the text of a SARIF file."""
    listed = {site.rule.id for file in summary.files for site in _listed(file, summary)}
    rules = [*(rule for rule in summary.rules if rule.id in listed), *_proof_rules(summary)]
    index = {rule.id: i for i, rule in enumerate(rules)}
    report, counts = summary.report, summary.counts
    driver: dict[str, Json] = {"name": "porter", "rules": [_rule(rule) for rule in rules]}
    if report.version:
        driver["version"] = report.version
    run: Json = {
        "tool": {"driver": driver},
        "invocations": [
            {
                "executionSuccessful": not report.failed,
                "toolExecutionNotifications": [n for file in summary.files for n in _notifications(file)]
                + _not_run(summary),
            }
        ],
        "columnKind": "utf16CodeUnits",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "defaultEncoding": "utf-8",
        "artifacts": [_artifact(file) for file in summary.files],
        "results": [result for i, file in enumerate(summary.files) for result in _results(file, summary, i, index)]
        + _proof_results(summary, index),
        "properties": {
            "headline": summary.headline,
            "target": report.target,
            "warp": report.warp,
            "seconds": report.seconds,
            "counts": {safety.value: counts.of(safety) for safety in LEVELS},
            "exactListed": summary.choices.exact_in_sarif,
        },
    }
    document: Json = {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _message(text: str) -> Json:
    """Braces are placeholders (3.11.5) and [text](target) is a link (3.11.6) unless escaped."""
    text = text.replace("{", "{{").replace("}", "}}")
    return {"text": re.sub(r"\[(?=[^\[\]]*\]\()", r"\\[", text)}


def _rule(rule: RuleText) -> Json:
    why = rule.why or rule.title
    help_text = "\n\n".join(part for part in (why, rule.fix, f"Examples: porter explain {rule.id}") if part)
    described: dict[str, Json] = {
        "id": rule.id,
        "shortDescription": _message(rule.title),
        "fullDescription": _message(why),
        "help": {"text": help_text, "markdown": rule.page} if rule.page else _message(help_text),
    }
    if rule.url:
        described["helpUri"] = rule.url
    return described


def _artifact(file: FileSummary) -> Json:
    return {
        "location": {"uri": file.uri},
        "properties": {
            "status": file.port.status.value,
            "parser": file.parsed_by,
            "output": file.output,
            "counts": {safety.value: file.counts.of(safety) for safety in LEVELS},
        },
    }


def _notifications(file: FileSummary) -> list[Json]:
    """What is true of a file as a whole: that it was not ported, how it was parsed, what it lacked."""
    if file.port.status is FileStatus.FAILED:
        level = "error"
    elif file.port.status is FileStatus.PORTED:
        level = "warning"
    else:
        level = "note"
    notes = [(level, file.caveat)] if file.caveat else []
    notes += [("note", note) for note in file.notes]
    location: Json = {"physicalLocation": {"artifactLocation": {"uri": file.uri}}}
    return [{"level": level, "message": _message(text), "locations": [location]} for level, text in notes]


def _proof_rules(summary: Summary) -> list[RuleText]:
    """Kinds of failure are rules as well, under names of their own."""
    failures = {failure.rule: failure for _, failure in _failed(summary)}
    return [RuleText(f"proof-{rule}", failures[rule].title, failures[rule].fix) for rule in sorted(failures)]


def _failed(summary: Summary) -> list[tuple[CaseProof, Failure]]:
    return [pair for pair in (summary.proof.failures if summary.proof else ()) if pair[1].status is Status.FAIL]


def _proof_results(summary: Summary, index: Mapping[str, int]) -> list[Json]:
    return [_proof_result(case, failure, index) for case, failure in _failed(summary)]


def _proof_result(case: CaseProof, failure: Failure, index: Mapping[str, int]) -> Json:
    """At the line in the port or the original where that is known, else at the case."""
    rule = f"proof-{failure.rule}"
    uri = uri_of(failure.place.path)
    line = failure.place.line
    location: dict[str, Json] = {"artifactLocation": {"uri": uri}}
    if line:
        location["region"] = {"startLine": line}  # all of it
    runs = f"{len(failure.runs)} of {len(case.runs)} runs of {case.shown} on {case.backend}"
    mark = hashlib.sha256("\0".join((rule, case.shown, uri, failure.place.text)).encode()).hexdigest()[:32]
    return {
        "ruleId": rule,
        "ruleIndex": index[rule],
        "level": "error",
        "message": _message(f"{runs} failed: {failure.text}. Repeat: {failure.command}"),
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"porterProof/v1": mark},
        "properties": {"runs": [run.name for run in failure.runs], "fix": failure.fix},
    }


def _not_run(summary: Summary) -> list[Json]:
    return [
        {
            "level": "warning",
            "message": _message(f"not run: {len(failure.runs)} runs of {case.shown}: {failure.text}"),
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri_of(failure.place.path)}}}],
        }
        for case, failure in (summary.proof.failures if summary.proof else ())
        if failure.status is Status.NOT_RUN
    ]


def _listed(file: FileSummary, summary: Summary) -> list[Site]:
    """The sites that are results: nobody has to look at an exact one, and there are hundreds of them."""
    exact = summary.choices.exact_in_sarif
    return [site for site in file.sites if exact or site.safety is not Safety.EXACT]


def _results(file: FileSummary, summary: Summary, artifact: int, index: Mapping[str, int]) -> list[Json]:
    lines = SourceLines(file.port.source)
    return [_result(site, file, artifact, index[site.rule.id], lines) for site in _listed(file, summary)]


def _result(site: Site, file: FileSummary, artifact: int, rule: int, lines: SourceLines) -> Json:
    location: Json = {"uri": file.uri, "index": artifact}
    aside = not (site.finding.compiled and site.finding.called)
    result: dict[str, Json] = {
        "ruleId": site.rule.id,
        "ruleIndex": rule,
        "level": "note" if aside else LEVELS[site.safety],
        "message": _message(f"{site.aside}: {site.message}" if aside else site.message),
        "locations": [{"physicalLocation": {"artifactLocation": location, "region": _region(site.start, site.end)}}],
        "partialFingerprints": {"porterFinding/v1": site.fingerprint},
        "properties": {
            "safety": site.safety.value,
            "compiled": site.finding.compiled,
            "called": site.finding.called,
        },
    }
    if site.finding.accepted:
        result["suppressions"] = [{"kind": "external", "justification": site.aside.partition(": ")[2]}]
    if site.fix:
        replacements: list[Json] = [_replacement(edit, lines) for edit in site.fix]
        result["fixes"] = [
            {
                "description": _message(f"Port to HIP: {site.rule.title}"),
                "artifactChanges": [{"artifactLocation": location, "replacements": replacements}],
            }
        ]
    return result


def _replacement(edit: Edit, lines: SourceLines) -> Json:
    deleted = _region(lines.position(edit.start), lines.position(edit.end))
    if not edit.text:
        return {"deletedRegion": deleted}
    text = unicode_text(edit.text)
    if "\ufffd" in text:  # bytes that are not UTF-8 must come out as they are
        data = base64.b64encode(edit.text.encode("latin-1", "replace")).decode("ascii")
        return {"deletedRegion": deleted, "insertedContent": {"binary": data}}
    return {"deletedRegion": deleted, "insertedContent": {"text": text}}


def _region(start: Position, end: Position) -> Json:
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }
