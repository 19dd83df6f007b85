"""The facts of a run, derived once, that every format of the report is written from."""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from porter.findings import BUILDS, Edit, FilePort, FileStatus, Finding, PortReport, Safety
from porter.report.facts.counts import (
    ACCEPTED,
    ASIDE_WORDS,
    LABELS,
    PERSON,
    SAFETY_WORDS,
    Counts,
    counts_of,
    person_words,
    plural,
    why_aside,
)
from porter.report.facts.edits import apart, edits_of_file, joined
from porter.report.facts.predicted import speed_words
from porter.report.facts.proof import Proof
from porter.report.facts.source import Change, Changes, Position, SourceLines, prose

__all__ = [
    "LABELS",
    "PERSON",
    "SAFETY_WORDS",
    "Choices",
    "Counts",
    "Fact",
    "FileSummary",
    "Group",
    "RuleText",
    "Site",
    "Summary",
    "group_sites",
    "person_words",
    "plural",
    "summarize",
    "uri_of",
]

STATUS_WORDS = {
    FileStatus.PORTED: "ported",
    FileStatus.UNCHANGED: "unchanged",
    FileStatus.ALREADY_HIP: "already HIP",
    FileStatus.PASSED_OVER: "passed over",
    FileStatus.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class RuleText:
    """What a report says about a rule, beyond the message of each of its findings."""

    id: str
    title: str
    why: str
    fix: str = ""  # what the port is, and what remains to do
    page: str = ""  # in Markdown, all that is to be read of it
    url: str = ""  # of its page


@dataclass(frozen=True, slots=True)
class Choices:
    """What a reader has chosen of a report."""

    exact_in_sarif: bool = False  # the sites that were ported exactly are results of SARIF, too
    link_base: str = ""  # the address of the working folder's files

    def link(self, uri: str, line: int = 0) -> str:
        """The address of a line; "" where none is known, or the file lies elsewhere."""
        if not self.link_base or uri.startswith(("file:", "..")):
            return ""
        return f"{self.link_base.rstrip('/')}/{uri}" + (f"#L{line}" if line else "")


@dataclass(frozen=True, slots=True)
class Site:
    """A finding with everything a reader needs to find and judge it."""

    finding: Finding
    edits: tuple[Edit, ...]  # that port this site alone: holes are filled with the source as it is
    fix: tuple[Edit, ...]  # its part of the edits that make the port; those of sites around others have theirs in them
    rule: RuleText
    path: str
    uri: str
    start: Position
    end: Position
    safety: Safety
    message: str
    changes: tuple[Change, ...]
    fingerprint: str  # the same while the line and its file's name stay, wherever the line moves
    link: str = ""  # the address of its line, where there is one

    @property
    def place(self) -> str:
        return f"{self.path}:{self.start.line}:{self.start.column}"

    @property
    def verdict(self) -> str:
        """How it was ported, and where nobody compiles it: `left, in code that is not compiled`."""
        return ", ".join((SAFETY_WORDS[self.safety], *([self.aside] if self.aside else [])))

    @property
    def aside(self) -> str:
        """Why it needs no person: `in code that is not compiled`, `accepted: reason`; empty where it does."""
        why = why_aside(self.finding)
        reason = f": {prose(self.finding.accepted)}" if why == ACCEPTED else ""
        return ASIDE_WORDS[why] + reason if why else ""


@dataclass(frozen=True, slots=True)
class FileSummary:
    port: FilePort
    path: str
    output: str
    uri: str
    counts: Counts
    sites: tuple[Site, ...]
    notes: tuple[str, ...]
    caveat: str  # why this file is not a full, parsed port; empty when it is one

    @property
    def status(self) -> str:
        return STATUS_WORDS[self.port.status]

    @property
    def edits(self) -> list[Edit]:
        """What makes the port of the source, in order."""
        return edits_of_file(self.port)

    @property
    def parsed_by(self) -> str:
        """Empty where nothing is known of a parse."""
        return self.port.parser if self.port.status in (FileStatus.PORTED, FileStatus.UNCHANGED) else ""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is true of one or more files as a whole."""

    text: str
    paths: tuple[str, ...]

    def places(self, count: int, mark: Callable[[str], str] = str) -> str:
        """The paths in one line, no more than `count` of them by name."""
        more = f" and {len(self.paths) - count:,} more" if len(self.paths) > count else ""
        return ", ".join(map(mark, self.paths[:count])) + more


@dataclass(frozen=True, slots=True)
class Group:
    """The sites of one rule, grouped by their message."""

    rule: RuleText
    messages: tuple[tuple[str, tuple[Site, ...]], ...]  # most frequent first

    @property
    def count(self) -> int:
        return sum(len(sites) for _, sites in self.messages)


@dataclass(frozen=True, slots=True)
class Summary:
    report: PortReport
    files: tuple[FileSummary, ...]
    counts: Counts
    rules: tuple[RuleText, ...]  # rules with findings, by id
    proof: Proof | None = None  # of porter verify
    choices: Choices = Choices()

    @property
    def title(self) -> str:
        if self.proof is not None and not self.files:
            return f"porter: proof of {self.proof.sides}"
        return f"porter: CUDA to HIP for {self.report.target}"

    @property
    def headline(self) -> str:
        if self.proof is not None:
            parts = [self.proof.headline, speed_words(self.proof.predicted)]
            parts += [f"Port: {self.counts.headline}"] if self.files else []
            return ". ".join(part for part in parts if part)
        if any(file.port.conflicts for file in self.files):
            count = sum(len(file.port.conflicts) for file in self.files)
            return f"{plural(count, 'conflict')} to settle. {self.counts.headline}"
        if not self.files:
            return "0 sites: no file was read, so nothing was ported"
        return ". ".join(part for part in (self._build(), self._doubts(), self.counts.headline) if part)

    def _build(self) -> str:
        """What the compiler said of the port; empty where it was not asked."""
        if not self.report.built:
            return ""
        results = [file.port.build for file in self.files if file.port.build]
        good, bad, lacking, others, unfinished = (results.count(word) for word in BUILDS)
        aside = [f"{plural(lacking, 'file')} not compiled: headers are missing"] * bool(lacking)
        aside += [f"{plural(unfinished, 'file')} not compiled: the compiler did not finish"] * bool(unfinished)
        aside += [f"{plural(others, 'file')} not in the build"] * bool(others)
        if bad:
            errors = plural(self.counts.of(Safety.ERROR), "error") + (
                f" in {bad:,} of {good + bad:,} files" if good + bad > 1 else ""
            )
            return ", ".join([f"does not compile: {errors}", *aside])
        if not good:
            return ", ".join(aside) or "nothing compiled: the port has no translation unit"
        return ", ".join(
            [f"{good:,} files compile" if aside and good > 1 else "1 file compiles" if aside else "compiles", *aside]
        )

    def _doubts(self) -> str:
        """What a reader must know before the counts: the files that libclang has not seen in full."""
        read = [file.parsed_by for file in self.files]
        counts = (("not parsed", read.count("tokens")), ("parsed with errors", read.count("libclang with errors")))
        return ", ".join(f"{plural(count, 'file')} {word}" for word, count in counts if count)

    @property
    def files_line(self) -> str:
        counted = ((self.status_count(status), word) for status, word in STATUS_WORDS.items())
        parts = ", ".join(f"{count:,} {word}" for count, word in counted if count)
        return f"{plural(len(self.files), 'file')}{': ' if parts else ''}{parts}"

    @property
    def run_line(self) -> str:
        report = self.report
        version = f"porter {report.version}".rstrip()
        return f"{version}, target {report.target}, {report.warp}-lane warps, {report.seconds:.1f} s"

    @property
    def ranked(self) -> tuple[FileSummary, ...]:
        """What failed first, then ports with most for a person: a cut must not hide them."""
        order = [
            FileStatus.FAILED,
            FileStatus.PORTED,
            FileStatus.PASSED_OVER,
            FileStatus.UNCHANGED,
            FileStatus.ALREADY_HIP,
        ]

        def rank(file: FileSummary) -> tuple[int, int, int, int, str]:
            counts = file.counts
            left, review = counts.open_of(Safety.LEFT), counts.open_of(Safety.REVIEW)
            return order.index(file.port.status), -counts.of(Safety.ERROR), -left, -review, file.path

        return tuple(sorted(self.files, key=rank))

    @property
    def caveats(self) -> tuple[Fact, ...]:
        return _facts((file.caveat, file) for file in self.ranked if file.caveat)

    @property
    def notes(self) -> tuple[Fact, ...]:
        return _facts((note, file) for file in self.ranked for note in file.notes)

    def status_count(self, status: FileStatus) -> int:
        return sum(f.port.status is status for f in self.files)

    def sites(self, *safeties: Safety) -> tuple[Site, ...]:
        """Sites for a person first; in the order of the safeties that are asked for, then by file and place."""
        chosen = [s for safety in safeties for f in self.files for s in f.sites if s.safety is safety]
        return tuple(sorted(chosen, key=lambda site: site.aside != ""))


def group_sites(sites: Iterable[Site]) -> tuple[Group, ...]:
    """The sites by rule and, within a rule, by message; the largest groups come first."""
    rules: dict[str, dict[str, list[Site]]] = {}
    texts: dict[str, RuleText] = {}
    for site in sites:
        texts[site.rule.id] = site.rule
        rules.setdefault(site.rule.id, {}).setdefault(site.message, []).append(site)
    groups = [
        Group(
            texts[rule],
            tuple((m, tuple(s)) for m, s in sorted(messages.items(), key=lambda item: -len(item[1]))),
        )
        for rule, messages in rules.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.count, group.rule.id)))


def _facts(facts: Iterable[tuple[str, FileSummary]]) -> tuple[Fact, ...]:
    paths: dict[str, list[str]] = {}
    for text, file in facts:
        paths.setdefault(text, []).append(file.path)
    return tuple(Fact(text, tuple(files)) for text, files in paths.items())


def summarize(
    report: PortReport, rules: Mapping[str, RuleText], proof: Proof | None = None, choices: Choices | None = None
) -> Summary:
    """The summary that every format of the report is written from."""
    choices = choices or Choices()
    files = tuple(_file(port, rules, choices) for port in report.files)
    used = {site.rule.id: site.rule for file in files for site in file.sites}
    total = counts_of((site.safety, site.finding) for file in files for site in file.sites)
    return Summary(report, files, total, tuple(used[rule] for rule in sorted(used)), proof, choices)


def _file(port: FilePort, rules: Mapping[str, RuleText], choices: Choices) -> FileSummary:
    lines = SourceLines(port.source)
    path, uri = prose(port.path), uri_of(port.path)
    # Nothing was written for a file that failed: none of its sites is ported, whatever was found.
    failed = port.status is FileStatus.FAILED
    changes = Changes(lines, () if failed else port.findings)
    fixes: dict[int, list[Edit]] = {}
    for edit, finding in () if failed else joined(port.source, port.findings):
        fixes.setdefault(id(finding), []).append(edit)
    occurrences: dict[tuple[str, str], int] = {}
    sites = []
    for finding in sorted(port.findings, key=lambda f: (f.start, f.end, f.rule)):
        start = lines.position(finding.start)
        line = lines.digest(start.line)
        nth = occurrences[finding.rule, line] = occurrences.get((finding.rule, line), 0) + 1
        mark = hashlib.sha256("\0".join((finding.rule, line, str(nth), uri)).encode()).hexdigest()[:32]
        sites.append(
            Site(
                finding,
                tuple(apart(port.source, finding.edits)),
                tuple(fixes.get(id(finding), ())),
                _rule(finding.rule, rules),
                path,
                uri,
                start,
                lines.position(finding.end),
                Safety.LEFT if failed else finding.safety,
                prose(finding.message),
                changes.of(replace(finding, edits=()) if failed else finding),
                mark,
                choices.link(uri, start.line),
            )
        )
    notes = tuple(prose(note) for note in port.notes)
    counts = counts_of((site.safety, site.finding) for site in sites)
    return FileSummary(port, path, prose(port.output), uri, counts, tuple(sites), notes, _caveat(port))


def _rule(rule: str, rules: Mapping[str, RuleText]) -> RuleText:
    text = rules.get(rule)
    if text is None:
        return RuleText(rule, rule, "")
    why, fix = (" ".join(prose(part).split()) for part in (text.why, text.fix))
    return replace(text, id=rule, title=prose(text.title), why=why, fix=fix)


def _caveat(port: FilePort) -> str:
    if port.status is FileStatus.FAILED:
        fix = f" ({prose(port.fix)})" if port.fix else ""
        return f"not ported: {prose(port.problem) or 'no reason was given'}{fix}"
    if port.status is FileStatus.PASSED_OVER:
        return f"neither ported nor copied: {prose(port.problem)}"
    if port.conflicts:
        lines = ", ".join(map(str, port.conflicts))
        return f"{plural(len(port.conflicts), 'conflict')} of changes by hand with the new port: settle line {lines} of {prose(port.output)}"
    if port.build in ("lacks headers", "not finished"):
        return f"not compiled: {prose(port.problem)}"
    by_tokens = "libclang could not parse it, so only its tokens were read"
    if port.status is FileStatus.ALREADY_HIP:
        return "already HIP: left as it is"
    if port.status is FileStatus.UNCHANGED:
        sites = f"{plural(len(port.findings), 'site')} found" if port.findings else "no CUDA found"
        return f"unchanged: {sites}" + (f"; {by_tokens}" if port.parser == "tokens" else "")
    if port.parser == "tokens":
        return f"not parsed: {by_tokens}"
    if port.parser == "libclang with errors":
        return "parsed with errors: what libclang could not make out was ported from its tokens"
    return ""


def uri_of(path: str) -> str:
    """Relative wherever that is possible, with forward slashes, percent-encoded."""
    if os.path.isabs(path):
        relative = os.path.relpath(path)
        if relative.split(os.sep, 1)[0] == os.pardir:
            return Path(path).as_uri()
        path = relative
    slashes = path.replace(os.sep, "/").replace("\\", "/")
    return quote(os.fsencode(posixpath.normpath(slashes) if slashes else ""))
