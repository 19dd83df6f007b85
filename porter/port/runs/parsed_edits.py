"""Edits that write a type, or say that a name is one, are tried by a parse of the port as HIP; what it refuses is taken back.

libclang parses, not the compiler of `--build`: that costs a tenth of a second, and only where such edits are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import clang.cindex as ci

from porter.findings import FilePort, Finding, Safety
from porter.frontend.answers import Answers
from porter.frontend.ast import NARROWING, ParseOptions, precompiled_headers, translation_unit
from porter.frontend.folders import in_order
from porter.frontend.lexer import lex
from porter.frontend.libclang import NEXT_STANDARD
from porter.frontend.parsed import full_name
from porter.paths import RUNTIME_INCLUDE
from porter.port.edits.comments import comment_edits
from porter.port.edits.origins import line_origins
from porter.port.edits.rewrite import rewrite
from porter.port.jobs import Job
from porter.port.pipeline import Conversion
from porter.toolchain.pip_clang import find_toolchain

__all__ = ["with_parsed_edits"]

_RUNTIME = re.compile(r'"(?:\.\./)*(porter/[^"\n]*)"')  # beside the source there may be headers of an earlier port
_MOST_ALONE = 16  # findings of a unit that are tried alone, a parse each
_NARROWS = " cannot be narrowed "  # with and without a cast, it is the wrong one
_Error = tuple[str, int, str]  # the full name of a source, the line in it, what clang says of its port
_Ports = Mapping[Job, FilePort]


def with_parsed_edits(jobs: Sequence[Job], ports: Sequence[FilePort], conversion: Conversion) -> list[FilePort]:
    """The ports; findings of rules with `parsed` are left where a parse of the port refuses their edits."""
    rules = frozenset(rule.id for rule in conversion.rules.rules.values() if rule.parsed)
    by_job = {job: port for job, port in zip(jobs, ports, strict=True) if job.kind == "source"}
    units: dict[Path, list[Job]] = {}
    for job, port in by_job.items():
        if any(finding.rule in rules and finding.safety is not Safety.LEFT for finding in port.findings):
            units.setdefault(job.includer or job.path, []).append(job)
    headers = find_toolchain().hip_headers if units else None
    for main, suspects in units.items() if headers else ():
        unit = _Unit(main, suspects[0], conversion, (str(headers), str(RUNTIME_INCLUDE)))
        errors = unit.errors(by_job)
        tried = {job: some for job in suspects if (some := _refused(job, by_job[job], rules, errors))}
        if tried:
            without = unit.errors({**by_job, **{job: _left(by_job[job], own) for job, own in tried.items()}})
            errors = Counter({e: n for e, n in errors.items() if e not in without or _NARROWS in e[2]})
            refused = {job: _refused(job, by_job[job], rules, errors) for job in tried}
            left = {job: _left(by_job[job], own) for job, own in refused.items()}
            by_job.update(
                (job, _left(by_job[job], unit.guilty(job, by_job[job], own, {**by_job, **left})))
                for job, own in refused.items()
            )
    return [by_job.get(job, port) for job, port in zip(jobs, ports, strict=True)]


class _Unit:
    """A translation unit of ports, in the place of its sources."""

    def __init__(self, main: Path, job: Job, conversion: Conversion, headers: tuple[str, ...]) -> None:
        ports = conversion.of_job(job)
        self._main, self._project = main, ports.project
        self._members = frozenset(ports.project.closure(main))
        self._files = frozenset(full_name(str(path)) for path in self._members)
        options = ports.options
        folders = in_order(options.includes, options.guessed, main.parent)
        self._options = ParseOptions(folders, options.defines, options.standard, hip_headers=headers)

    def guilty(self, job: Job, port: FilePort, refused: Mapping[Finding, str], ports: _Ports) -> Mapping[Finding, str]:
        """The refused findings of a port without those that are right alone, where several stand at one line. `ports` has
        none of their edits."""
        left, least = dict(refused), self.errors(ports)
        counts = Counter(line for finding in refused for line in _lines(port, finding))
        doubtful = [finding for finding in refused if any(counts[line] > 1 for line in _lines(port, finding))]
        for finding in doubtful[:_MOST_ALONE]:
            fewer = {other: text for other, text in left.items() if other is not finding}
            errors = self.errors({**ports, job: _left(port, fewer)})
            clean = errors == least and finding not in _refused(job, port, {finding.rule}, errors)
            if errors < least or clean:
                left, least = fewer, errors
        return left

    def errors(self, ports: _Ports) -> Counter[_Error]:
        """Those of a parse, as they lie in the sources; none where the unit lacks headers, without which errors say little."""
        own = {job: port for job, port in ports.items() if job.path in self._members}
        newer = any(note.startswith(f"read as {NEXT_STANDARD}") for port in own.values() for note in port.notes)
        options = replace(self._options, standard=NEXT_STANDARD) if newer else self._options
        texts = {job.path: _as_the_source_includes(job, port) for job, port in own.items() if port.port}
        answers = Answers(
            lambda: f"{precompiled_headers(options.standard, '', None, options.hip_headers)} {self._digests(texts)}"
        )
        diagnostics: Sequence[tuple[str, int, str]] = answers.of(
            (self._main, options, tuple(sorted(texts.items()))),
            lambda: _parsed(self._main, texts, options),
            lambda errors: [*errors],
            lambda data: [(file, line, text) for file, line, text in data],
        )
        if any(text.endswith(" file not found") for file, _, text in diagnostics if file in self._files):
            return Counter()
        origins: dict[str, Sequence[int]] = {}
        sources = {full_name(str(job.path)): port for job, port in own.items()}
        result = Counter[_Error]()
        for file, line, text in diagnostics:
            if file in sources and file not in origins:
                origins[file] = line_origins(sources[file].source, sources[file].port)
            lines = origins.get(file, ())
            result[file, lines[line - 1] if 0 < line <= len(lines) else line, text] += 1
        return result

    def _digests(self, texts: Mapping[Path, str]) -> str:
        return "".join(self._project.digest(path).hex() for path in sorted(self._members) if path not in texts)


def _as_the_source_includes(job: Job, port: FilePort) -> str:
    """The text of a port, which lies where its source does: so do the ports that it includes."""
    text = _RUNTIME.sub(r"<\1>", port.port)
    for name, place in job.renames:
        text = text.replace(f'"{place}"', f'"{name}"')
    return text


def _parsed(main: Path, texts: Mapping[Path, str], options: ParseOptions) -> list[_Error]:
    unit = translation_unit(main, texts, options)
    return [
        (full_name(diagnostic.location.file.name), diagnostic.location.line, diagnostic.spelling)
        for diagnostic in (unit.diagnostics if unit is not None else ())
        if diagnostic.location.file is not None
        and (diagnostic.severity >= ci.Diagnostic.Error or diagnostic.option == NARROWING)
    ]


def _refused(job: Job, port: FilePort, rules: Collection[str], errors: Collection[_Error]) -> dict[Finding, str]:
    """The findings of these rules at lines with errors, each with what clang says."""
    name = full_name(str(job.path))
    lines = {line: text for file, line, text in sorted(errors, reverse=True) if file == name}
    refused: dict[Finding, str] = {}
    for finding in port.findings if lines else ():
        texts = [lines[line] for line in _lines(port, finding) if line in lines]
        if finding.rule in rules and finding.safety is not Safety.LEFT and texts:
            refused[finding] = texts[0]
    return refused


def _lines(port: FilePort, finding: Finding) -> list[int]:
    """Those of the source that its edits begin in."""
    return sorted({port.source.count("\n", 0, edit.start) + 1 for edit in finding.edits})


def _left(port: FilePort, refused: Mapping[Finding, str]) -> FilePort:
    """The port without the edits of some findings, which a person then has to make; `refused` has the compiler's words."""
    left = {
        finding: replace(
            finding,
            safety=Safety.LEFT,
            edits=(),
            message=f"{finding.message} (not applied: HIP's compiler says: {text})",
        )
        for finding, text in refused.items()
    }
    comments = {id(finding): edit for finding, edit in comment_edits(lex(port.source), list(left.values()))}
    marked = [
        replace(new, edits=(comments[id(new)],))
        if (new := left.get(old, old)) is not old and id(new) in comments
        else new
        for old in port.findings
    ]
    result = rewrite(port.source, marked)
    return replace(port, port=result.text, findings=tuple(result.findings))
