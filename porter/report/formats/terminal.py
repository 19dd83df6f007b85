"""The report on the terminal: what needs a person last and in full, then the headline.

Where the output is not a terminal it is plain lines, one a fact, as compilers write them. In other formats it is a line a
site, GitHub's annotations, or the JSON report.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from porter.findings import FileStatus, PortReport, Safety
from porter.report.facts.counts import ASIDE_WORDS, NOT_CALLED
from porter.report.facts.source import Change
from porter.report.facts.summary import LABELS, PERSON, RuleText, Site, Summary, group_sites, plural, summarize
from porter.report.facts.words import Span, changed_words, pairs
from porter.report.formats.json_report import json_report

__all__ = ["TERMINAL_FORMATS", "print_site", "print_terminal"]

TERMINAL_FORMATS = ("full", "concise", "github", "json")

STYLES = {
    Safety.EXACT: "green",
    Safety.HINT: "cyan",
    Safety.SLOWER: "blue",
    Safety.REVIEW: "yellow",
    Safety.LEFT: "red",
    Safety.ERROR: "bold red",
}
WORDS = {safety: label.lower() for safety, label in LABELS.items()}
PLACES_SHOWN = 3
TABLE_ROWS = 40


def print_terminal(
    report: PortReport,
    rules: Mapping[str, RuleText],
    console: Console,
    form: str = "full",
    written: bool = False,
    reports: Sequence[Path] = (),
    case: str | None = "",
) -> None:
    """Prints the report of a conversion in one of TERMINAL_FORMATS; returns nothing. `written`: the ports are files now, and
    `reports` are; `case`: what porter verify is given where that is not the place of the ports, None without a case."""
    summary = summarize(report, rules)
    if form == "json":
        console.file.write(json_report(summary))
        return
    lines = {"full": _lines, "concise": _concise, "github": _annotations}[form]
    several = sum(bool(file.sites) for file in summary.files) > 1
    for line in _ported(summary) if form == "full" else ():
        _print(console, line)
    if form == "full" and console.is_terminal and several:
        console.print(_table(summary, console))
    elif form == "full" and several:
        for file in summary.files:
            if file.sites:
                _print(console, Text(f"{file.path}: {file.counts.headline}"))
    for line in lines(summary):
        _print(console, line)
    counts = summary.counts
    bad = counts.open_of(Safety.LEFT) or counts.of(Safety.ERROR) or report.failed
    style = "bold red" if bad else "bold"
    place = _place(summary) if written else ""
    listed = f"; report: {', '.join(map(str, reports))}" if reports else ""
    _print(console, Text(summary.files_line + (f"; written to {place}" if place else "") + listed))
    if place and form == "full":
        _print(console, Text(_next(summary, place, case)))
    _print(console, Text(summary.headline, style))


def print_site(site: Site, console: Console) -> None:
    """Prints a site with its lines before and after; returns nothing."""
    for line in _person(site, {site.rule.id}):
        _print(console, line)


def _ported(summary: Summary) -> Iterator[Text]:
    for safety in (Safety.EXACT, Safety.HINT, Safety.SLOWER):
        for group in group_sites(summary.sites(safety)):
            yield _head(safety, f"{plural(group.count, 'site')}: {group.rule.title}", group.rule)
            for message, sites in group.messages if safety is not Safety.EXACT else ():
                places = ", ".join(site.place for site in sites[:PLACES_SHOWN])
                more = f" and {len(sites) - PLACES_SHOWN:,} more" if len(sites) > PLACES_SHOWN else ""
                yield Text(f"    {message} ({places}{more})")
    for fact in summary.notes:
        yield Text.assemble((f"{fact.places(PLACES_SHOWN)}: ", "bold"), f"note: {fact.text}")
    for fact in summary.caveats:
        yield Text.assemble((f"{fact.places(PLACES_SHOWN)}: ", "bold"), fact.text)


def _lines(summary: Summary) -> Iterator[Text]:
    """What needs a person, the most urgent last, next to the prompt. What nothing reaches is one line for each rule."""
    explained: set[str] = set()
    sites = [site for site in summary.sites(*PERSON) if not site.finding.accepted]
    for safety in (Safety.REVIEW, Safety.LEFT):
        for group in group_sites(s for s in sites if s.safety is safety and not s.finding.called):
            text = f"{plural(group.count, 'site')} {ASIDE_WORDS[NOT_CALLED]}: {group.rule.title}"
            yield _head(safety, text, group.rule)
    for site in reversed([site for site in sites if site.finding.called]):
        yield from _person(site, explained)


def _concise(summary: Summary) -> Iterator[Text]:
    """A line for each site that needs a person, in the order of the files, and for each file that is no full port."""
    for file in summary.files:
        if file.caveat:
            yield Text.assemble((f"{file.path}: ", "bold"), file.caveat)
        for site in file.sites:
            if site.finding.needs_person:
                yield Text.assemble((f"{site.place}: ", "bold")) + _head(site.safety, site.message, site.rule)


def _annotations(summary: Summary) -> Iterator[Text]:
    """Workflow commands of GitHub Actions, which it shows beside the lines of a pull request."""
    for file in summary.files:
        if file.caveat:
            level = "error" if file.port.status is FileStatus.FAILED else "warning"
            yield Text(f"::{level} file={_property(file.path)},title=porter::{_data(file.caveat)}")
        for site in file.sites:
            if site.finding.needs_person:
                level = "warning" if site.safety is Safety.REVIEW else "error"
                place = f"line={site.start.line},col={site.start.column},endLine={site.end.line}"
                title = _property(f"porter {site.rule.id}")
                yield Text(f"::{level} file={_property(site.path)},{place},title={title}::{_data(site.message)}")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _place(summary: Summary) -> str:
    """The file that was written, or the folder of several."""
    outputs = [file.output for file in summary.files if file.port.status in (FileStatus.PORTED, FileStatus.UNCHANGED)]
    if len(outputs) < 2:
        return "".join(outputs)
    return os.path.commonpath(map(os.path.dirname, outputs)) or "."


def _next(summary: Summary, place: str, case: str | None) -> str:
    counts = summary.counts
    begin = "next: "
    if counts.open:
        begin += f"fix or accept {'the site' if counts.open == 1 else f'the {counts.open:,} sites'} above, then "
    elif counts.of(Safety.LEFT) or counts.of(Safety.REVIEW):  # accepted, or in code that does not run
        begin = f"nothing to do; {begin}"
    if case is None:
        source = place if os.path.splitext(place)[1] else "KERNEL"
        return f"{begin}write a case: porter verify {source} --init FUNCTION"
    return f"{begin}porter verify {case or place or '.'}"


def _person(site: Site, explained: set[str]) -> Iterator[Text]:
    text = f"{site.aside}: {site.message}" if site.aside else site.message
    yield Text.assemble((f"{site.place}: ", "bold")) + _head(site.safety, text, site.rule)
    for change in site.changes:
        yield from _change(change)
    if site.rule.why and site.rule.id not in explained:
        explained.add(site.rule.id)
        yield Text(f"    why: {site.rule.why}", "italic")


def _change(change: Change) -> Iterator[Text]:
    if change.after is None:
        for number, line in enumerate(change.before, change.line):
            yield Text(f"    {number:>5} | {line}")
        return
    words = {
        both: changed_words(change.before[both[0]], change.after[both[1]])
        for both in pairs(change.before, change.after)
    }
    gone = {before: changed.before for (before, _), changed in words.items()}
    new = {after: changed.after for (_, after), changed in words.items()}
    for number, line in enumerate(change.before):
        yield _side(f"    {change.line + number:>5} - ", line, gone.get(number, ()), "red")
    for number, line in enumerate(change.after):
        yield _side("          + ", line, new.get(number, ()), "green")


def _side(head: str, line: str, changed: Sequence[Span], style: str) -> Text:
    """A line of a change with the words that changed in bold."""
    text = Text(head + line, style)
    for start, end in changed:
        text.stylize("bold underline", len(head) + start, len(head) + end)
    return text


def _head(safety: Safety, text: str, rule: RuleText) -> Text:
    """What is said of a site, and its rule, which is a link where the terminal has them."""
    name = Text(rule.id, Style(link=rule.url) if rule.url else "")
    return Text.assemble((f"{WORDS[safety]}: ", STYLES[safety]), f"{text} [", name, "]")


def _table(summary: Summary, console: Console) -> Table:
    """A row for each file with sites; what all rows would say is left out."""
    ranked = [file for file in summary.ranked if file.sites or file.port.status is FileStatus.FAILED]
    rows = ranked[:TABLE_ROWS]
    folder = _folder_of(file.path for file in rows)
    begins = f"{folder}{os.sep}" if folder else ""
    columns = {
        f"file in {folder}" if folder else "file": [file.path.removeprefix(begins) for file in rows],
        "result": [str(file.status) for file in rows],
        "parsed by": [file.parsed_by or "-" for file in rows],
    }
    names = [name for name, cells in columns.items() if name.startswith("file") or len(set(cells) - {"-"}) > 1]
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(_fit(Text(name), console), overflow="fold")
    shown = [safety for safety in summary.counts.shown if summary.counts.of(safety)]
    for safety in shown:
        table.add_column(WORDS[safety], justify="right", style=STYLES[safety], overflow="fold")
    for number, file in enumerate(rows):
        counts = (f"{count:,}" if (count := file.counts.of(safety)) else "" for safety in shown)
        table.add_row(*(_fit(Text(cell), console) for cell in (*(columns[name][number] for name in names), *counts)))
    if len(ranked) > TABLE_ROWS:
        table.add_row(Text(f"and {plural(len(ranked) - TABLE_ROWS, 'more file')}, counted below"))
    return table


def _folder_of(paths: Iterable[str]) -> str:
    """The folder of all of them, "" where they have none in common."""
    try:
        return os.path.commonpath(map(os.path.dirname, paths)).rstrip(os.sep)
    except ValueError:  # some are absolute
        return ""


def _print(console: Console, text: Text) -> None:
    # On a terminal words stay whole; in a file a line stays one.
    console.print(_fit(text, console), soft_wrap=not console.is_terminal)


def _fit(text: Text, console: Console) -> Text:
    """Without the characters that the output's encoding lacks: a log in ASCII must not raise."""
    plain = text.plain.encode(console.encoding, "replace").decode(console.encoding)
    if plain == text.plain:
        return text
    fitted = text.copy()
    fitted.plain = plain
    return fitted
