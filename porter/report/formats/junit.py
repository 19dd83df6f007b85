"""Verdicts as JUnit XML, for CI: a test case for each run, with the elements and attributes that Jenkins, GitLab and
GitHub's actions agree on."""

from __future__ import annotations

import re
from html import escape

from porter.harness.verdict import Status, Verdict, shape_text
from porter.report.facts.proof import CaseProof, Failure, where
from porter.report.facts.source import prose
from porter.report.facts.summary import Summary

__all__ = ["junit"]

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(summary: Summary) -> str:
    """The verdicts as the text of a JUnit XML file."""
    proof = summary.proof
    cases = proof.cases if proof is not None else ()
    runs = [run for case in cases for run in case.runs]
    failed = sum(run.status is Status.FAIL for run in runs)
    out = ['<?xml version="1.0" encoding="UTF-8"?>']
    totals = _attributes(tests=len(runs), failures=failed, errors=0, time=_seconds(sum(run.seconds for run in runs)))
    out.append(f"<testsuites{_attributes(name='porter verify')}{totals}>")
    for case in cases:
        out += _suite(case, proof.session.seed if proof is not None else 0)
    out.append("</testsuites>")
    return "\n".join(out) + "\n"


def _suite(case: CaseProof, seed: int) -> list[str]:
    counts = _attributes(
        name=case.shown, tests=len(case.runs), failures=case.count(Status.FAIL), errors=0,
        skipped=case.count(Status.NOT_RUN), time=_seconds(sum(run.seconds for run in case.runs)),
    )  # fmt: skip
    facts = {"seed": seed, "source": case.source, "on": case.backend, "title": case.title}
    out = [f"  <testsuite{counts}>", "    <properties>"]
    out += [f"      <property{_attributes(name=name, value=value)}/>" for name, value in facts.items()]
    out.append("    </properties>")
    failures = {id(run): failure for failure in case.failures for run in failure.runs}
    for run in case.runs:
        out += _test(case, run, failures.get(id(run)))
    return [*out, "  </testsuite>"]


def _test(case: CaseProof, run: Verdict, failure: Failure | None) -> list[str]:
    name = ",".join(word for word in (shape_text(run.shape), run.values) if word)
    head = f"    <testcase{_attributes(name=name, classname=case.shown, time=_seconds(run.seconds))}"
    if failure is None:
        return [f"{head}/>"]
    reason = prose(run.reason) or failure.text
    if run.status is Status.NOT_RUN:
        return [f"{head}>", f"      <skipped{_attributes(message=reason)}/>", "    </testcase>"]
    lines = [reason, *failure.lines] if failure.text != reason else [reason]
    lines += [f"fix: {failure.fix}"] if failure.fix else []
    lines += [f"place: {failure.place}", f"{where([run])}; repeat: {failure.command}"]
    body = escape(_legal("\n".join(dict.fromkeys(lines))), quote=False)
    inside = f"      <failure{_attributes(message=reason, type=failure.rule)}>{body}</failure>"
    return [f"{head}>", inside, "    </testcase>"]


def _seconds(seconds: float) -> str:
    return f"{seconds:.6f}"


def _attributes(**values: object) -> str:
    from xml.sax.saxutils import (
        quoteattr,  # which has urllib and ssl behind it, a tenth of the time porter takes to start
    )

    return "".join(f" {name}={quoteattr(_legal(prose(str(value))))}" for name, value in values.items())


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
