"""The report on the terminal: what needs a person first and in full, the headline last.

Where the output is not a terminal it is plain lines, one a fact, as compilers write them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from porter.model import PortReport, Safety
from porter.report.source import Change
from porter.report.summary import LABELS, RuleText, Site, Summary, group_sites, plural, summarize

__all__ = ["print_terminal"]

STYLES = {Safety.EXACT: "green", Safety.SLOWER: "blue", Safety.REVIEW: "yellow", Safety.LEFT: "red"}
WORDS = {safety: label.lower() for safety, label in LABELS.items()}
PLACES_SHOWN = 3
TABLE_ROWS = 40


def print_terminal(report: PortReport, rules: Mapping[str, RuleText], console: Console) -> None:
    """Prints the report of a conversion; returns nothing."""
    summary = summarize(report, rules)
    for line in _lines(summary):
        _print(console, line)
    if console.is_terminal and summary.files:
        console.print(_table(summary, console))
    else:
        for file in summary.files:
            if file.sites:
                _print(console, Text(f"{file.path}: {file.counts.headline}"))
    counts = summary.counts
    unseen = counts.left_not_compiled + counts.left_accepted
    style = "bold red" if counts.left > unseen or report.failed else "bold"
    _print(console, Text(summary.files_line))
    _print(console, Text(summary.headline, style))


def _lines(summary: Summary) -> Iterator[Text]:
    explained: set[str] = set()
    for site in summary.sites(Safety.LEFT, Safety.REVIEW):
        if site.finding.accepted:
            continue
        yield from _person(site, explained)
    for safety in (Safety.SLOWER, Safety.EXACT):
        for group in group_sites(summary.sites(safety)):
            yield _head(safety, f"{plural(group.count, 'site')}: {group.rule.title} [{group.rule.id}]")
            for message, sites in group.messages if safety is Safety.SLOWER else ():
                places = ", ".join(site.place for site in sites[:PLACES_SHOWN])
                more = f" and {len(sites) - PLACES_SHOWN:,} more" if len(sites) > PLACES_SHOWN else ""
                yield Text(f"    {message} ({places}{more})")
    for fact in summary.notes:
        yield Text.assemble((f"{fact.places(PLACES_SHOWN)}: ", "bold"), f"note: {fact.text}")
    for fact in summary.caveats:
        yield Text.assemble((f"{fact.places(PLACES_SHOWN)}: ", "bold"), fact.text)


def _person(site: Site, explained: set[str]) -> Iterator[Text]:
    said = f"{site.aside}: {site.message} [{site.rule.id}]" if site.aside else f"{site.message} [{site.rule.id}]"
    yield Text.assemble((f"{site.place}: ", "bold")) + _head(site.safety, said)
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
    for number, line in enumerate(change.before, change.line):
        yield Text(f"    {number:>5} - {line}", "red")
    for line in change.after:
        yield Text(f"          + {line}", "green")


def _head(safety: Safety, text: str) -> Text:
    return Text.assemble((f"{WORDS[safety]}: ", STYLES[safety]), text)


def _table(summary: Summary, console: Console) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("file", "result", "parsed by"):
        table.add_column(name, overflow="fold")
    for safety, word in WORDS.items():
        table.add_column(word, justify="right", style=STYLES[safety], overflow="fold")
    ranked = summary.ranked
    for file in ranked[:TABLE_ROWS]:
        counts = (f"{file.counts.of(safety):,}" for safety in WORDS)
        cells = (file.path, file.status, file.parsed_by or "-", *counts)
        table.add_row(*(_fit(Text(cell), console) for cell in cells))
    if len(ranked) > TABLE_ROWS:
        table.add_row(Text(f"and {plural(len(ranked) - TABLE_ROWS, 'more file')}, counted below"))
    return table


def _print(console: Console, text: Text) -> None:
    console.print(_fit(text, console), soft_wrap=True)


def _fit(text: Text, console: Console) -> Text:
    """Without the characters that the output's encoding lacks: a log in ASCII must not raise."""
    plain = text.plain.encode(console.encoding, "replace").decode(console.encoding)
    if plain == text.plain:
        return text
    fitted = text.copy()
    fitted.plain = plain
    return fitted
