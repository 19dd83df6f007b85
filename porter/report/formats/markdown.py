"""The report as a comment on a pull request: a table, what needs a person, the rest folded.

GitHub refuses a comment of more than 65,536 characters, so each section has a budget. A longer section ends with a line
that says how much is missing and where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import indent

from porter.findings import Safety
from porter.report.facts.source import Change
from porter.report.facts.summary import (
    LABELS,
    PERSON,
    SAFETY_WORDS,
    Counts,
    Fact,
    Group,
    RuleText,
    Site,
    Summary,
    group_sites,
    person_words,
    plural,
)
from porter.report.facts.words import Span, Words, around, changed_words, pairs
from porter.report.formats.markdown_text import ELSEWHERE, LIMIT, Page, code, cut, plain
from porter.report.formats.proof_markdown import add_proof

__all__ = ["LIMIT", "markdown"]

LINES_SHOWN = (30, 6, 0)  # of one side of a change: the first with which it fits in DIFF_SIZE
DIFF_SIZE = 6_000
WHY_SHOWN = 900  # characters of a reason
LINE_WIDTH = 200  # of a line of a change
EXAMPLE_WIDTH = 90  # of one side of an example in a line
BLOCK_LINES = 12  # of one side of an example of several lines
MARKED = 0.8  # of a line: where more of it changed, marks say nothing
CHANGES_SHOWN = 4  # of one finding
PLACES_SHOWN = 20  # of one message in a folded list
# With the section's own budget, in bytes from the start of the comment.
FILES_END, CAVEATS_END, NOTES_END, PERSON_END, FOLDED_END = 12_000, 17_000, 21_000, 48_000, 59_000


def markdown(summary: Summary) -> str:
    """The report as Markdown that fits into a comment on a pull request."""
    page = Page()
    page.add(f"## {plain(summary.title)}\n")
    page.add(f"**{summary.headline}**\n")
    if summary.proof is not None:
        add_proof(page, summary.proof, summary.choices)
        page.begin()
    if summary.files or summary.proof is None:
        page.add(f"{summary.files_line}.\n")
    if summary.files:
        _files(page, summary)
    _facts(page, "Files without a full, parsed port", summary.caveats, CAVEATS_END)
    _facts(page, "Notes", summary.notes, NOTES_END)
    _person(page, summary)
    for safety in (Safety.SLOWER, Safety.HINT, Safety.EXACT):
        _folded(page, SAFETY_WORDS[safety], group_sites(summary.sites(safety)))
    page.add(f"<sub>{plain(summary.run_line)}</sub>")
    return str(page)


def _files(page: Page, summary: Summary) -> None:
    safeties = summary.counts.shown
    page.add("| File | Result | Parsed by | Sites | " + " | ".join(LABELS[safety] for safety in safeties) + " |")
    page.add("|---|---|---|" + "--:|" * (1 + len(safeties)))
    ranked = summary.ranked
    rows = (f"| {code(f.path)} | {f.status} | {f.parsed_by or '-'} | {_cells(f.counts, safeties)} |" for f in ranked)
    shown = page.add_all(rows, FILES_END)
    if shown < len(ranked):
        page.add(
            f"| *{plural(len(ranked) - shown, 'more file')} not shown: {ELSEWHERE}* |" + " |" * (3 + len(safeties))
        )
    page.add(f"| **Total** | | | {_cells(summary.counts, safeties)} |\n")


def _cells(counts: Counts, safeties: Sequence[Safety]) -> str:
    return " | ".join(f"{n:,}" for n in (counts.sites, *(counts.of(safety) for safety in safeties)))


def _facts(page: Page, title: str, facts: Sequence[Fact], end: int) -> None:
    if not facts:
        return
    page.add(f"### {title}\n")
    shown = page.add_all((f"- {fact.places(PLACES_SHOWN, code)}: {plain(fact.text)}" for fact in facts), end)
    if shown < len(facts):
        hidden = sum(len(fact.paths) for fact in facts[shown:])
        page.add(f"- *the same section has {hidden:,} more, not shown: {ELSEWHERE}*")
    page.add("")


def _person(page: Page, summary: Summary) -> None:
    total = summary.counts.person
    if not total:
        return
    page.add(f"### Needs a person: {person_words(summary.counts)}\n")
    shown = page.add_all(_entries(summary), PERSON_END)
    if shown < total:
        page.add(f"*{total - shown:,} of these {plural(total, 'site')} not shown here: {ELSEWHERE}.*\n")


def _entries(summary: Summary) -> Iterator[str]:
    explained = set()
    for site in summary.sites(*PERSON):
        words = LABELS[site.safety].lower()
        words = f"{words}, {plain(site.aside)}" if site.aside else words
        entry = f"**{words}** {_link(site)} {_rule(site.rule)}: {plain(site.message)}\n\n{_diff(site)}\n"
        if site.rule.why and site.rule.id not in explained:
            entry += f"\nWhy: {_why(site.rule)}\n"
        explained.add(site.rule.id)  # once is enough: the entries of a rule share their reason
        yield entry


def _why(rule: RuleText) -> str:
    """The reason: of a long one its first sentences, and where the rest is."""
    if len(rule.why) <= WHY_SHOWN:
        return plain(rule.why)
    end = rule.why.rfind(". ", 0, WHY_SHOWN) + 1 or WHY_SHOWN
    return f"{plain(rule.why[:end])} {code(f'porter explain {rule.id}')} says the rest."


def _diff(site: Site) -> str:
    text = ""
    for lines in LINES_SHOWN:
        text = "\n".join(_fence(change, lines) for change in site.changes[:CHANGES_SHOWN])
        if len(text.encode()) <= DIFF_SIZE:
            break
    hidden = len(site.changes) - CHANGES_SHOWN
    return f"{text}\n\n*{plural(hidden, 'more place')} in this file not shown*" if hidden > 0 else text


def _folded(page: Page, title: str, groups: Sequence[Group]) -> None:
    if not groups:
        return
    total = sum(group.count for group in groups)
    head = f"{title[:1].upper()}{title[1:]}: {plural(total, 'site')}, {plural(len(groups), 'rule')}"
    page.add(f"<details>\n<summary>{head}</summary>\n")
    blocks = [(block, sites) for group in groups for block, sites in _group(group)]
    shown = page.add_all((block for block, _ in blocks), FOLDED_END)
    hidden = sum(sites for _, sites in blocks[shown:])
    if hidden:
        page.add(f"\n*{plural(hidden, 'site')} not shown here: {ELSEWHERE}.*")
    page.add("\n</details>\n")


def _group(group: Group) -> Iterator[tuple[str, int]]:
    """List items, each with the number of sites that are first told of in it."""
    head = f"- **{group.count:,}** {_rule(group.rule)}: {plain(group.rule.title)}"
    for message, sites in group.messages:
        places = ", ".join(_place(site) for site in sites[:PLACES_SHOWN])
        more = f" and {len(sites) - PLACES_SHOWN:,} more" if len(sites) > PLACES_SHOWN else ""
        example = _example(sites[0])
        item = f"  - {len(sites):,}: {plain(message)}{example}<br>{places}{more}{_block(sites[0])}"
        yield (f"{head}\n{item}" if head else item), len(sites)
        head = ""


def _example(site: Site) -> str:
    """Before and after of a change in one line, each cut around it."""
    change = site.changes[0]
    if len(site.changes) != 1 or change.after is None or len(change.before) != 1 or len(change.after) != 1:
        return ""
    old, new = change.before[0].strip(), change.after[0].strip()
    words = changed_words(old, new).changes
    indented = len(change.before[0]) - len(change.before[0].lstrip())
    column = site.start.column - 1 - change.column - indented  # where the site begins
    nearest = min(words, key=lambda both: max(both[0][0] - column, column - both[0][1], 0), default=((0, 0), (0, 0)))
    sides = zip((old, new), nearest, strict=True)
    before, after = (around(line, [span], EXAMPLE_WIDTH)[0].strip() for line, span in sides)
    return f"<br>{code(before)} \u2192 {code(after)}"


def _block(site: Site) -> str:
    """Before and after of a statement of several lines, below its item of a list."""
    change = site.changes[0]
    if len(site.changes) != 1 or change.after is None or len(change.before) == len(change.after) == 1:
        return ""
    return "\n\n" + indent(_fence(change, BLOCK_LINES), "    ")


def _link(site: Site) -> str:
    """To the line in the folder that the report is in, where no address is given."""
    return f"[{code(site.place)}]({site.link or f'{site.uri}#L{site.start.line}'})"


def _place(site: Site) -> str:
    return f"[{code(site.place)}]({site.link})" if site.link else code(site.place)


def _rule(rule: RuleText) -> str:
    return f"[{code(rule.id)}]({rule.url})" if rule.url else code(rule.id)


def _fence(change: Change, count: int) -> str:
    if change.after is None:
        lines = [f"  {cut(line, LINE_WIDTH)}" for line in change.before[:count]] + _more(change.before, count)
    else:
        lines = [*_side(0, change.before, count, change), *_side(1, change.after, count, change)]
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}diff", f"@@ line {change.line} @@", *lines, fence])


def _side(side: int, lines: Sequence[str], count: int, change: Change) -> list[str]:
    """The lines before (0) or after (1), cut around what changed, and below a line carets under its changed words."""
    words = {
        both[side]: changed_words(change.before[both[0]], (change.after or ())[both[1]]) for both in _paired(change)
    }
    out = []
    for number, line in enumerate(lines[:count]):
        changed = words.get(number, Words(()))
        marked = (
            side == 1 or not changed.after
        )  # what is new is marked where it stands, what is only gone where it stood
        text, spans = around(line, [both[side] for both in changed.changes], LINE_WIDTH)
        out.append(f"{'-+'[side]} {text}")
        carets = _carets(text, spans)
        if marked and 0 < carets.count("^") < MARKED * len(text.strip()):
            out.append(f"  {carets}")
    return out + _more(lines, count)


def _paired(change: Change) -> list[tuple[int, int]]:
    return pairs(change.before, change.after or ())


def _carets(text: str, spans: Sequence[Span]) -> str:
    marks = [c if c == "\t" else " " for c in text]
    for start, end in spans:
        marks[start:end] = "^" * (end - start)
    return "".join(marks).rstrip()


def _more(lines: Sequence[str], count: int) -> list[str]:
    return [f"\u2026 ({plural(len(lines) - count, 'more line')})"] if len(lines) > count else []
