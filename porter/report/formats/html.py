"""The report as one HTML file: no script, no other file, light or dark as the reader's system is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from porter.findings import Safety
from porter.report.facts.source import Change
from porter.report.facts.summary import (
    LABELS,
    PERSON,
    SAFETY_WORDS,
    Counts,
    Fact,
    FileSummary,
    Group,
    RuleText,
    Site,
    Summary,
    group_sites,
    person_words,
    plural,
)
from porter.report.facts.words import Span, changed_words, pairs
from porter.report.formats.proof_html import PROOF_STYLE, proof_html

__all__ = ["html"]

LINES_SHOWN = 200  # of one side of a change
WHY_OPEN = 600  # characters of a reason
LINES_OPEN = 24  # of a change: longer ones are unfolded by the reader
BARS_SHOWN = 30
PLACES_SHOWN = 100  # of one fact: the table has every file
ORDER = tuple(reversed(Safety))

STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --soft: #59636e; --page: #fff; --box: #f6f8fa;
  --line: #d1d9e0; --exact: #2da44e; --slower: #3b82d6; --review: #c98a00; --left: #d1242f;
  --hint: #1b7c83; --error: #8250df;
  --del: #ffebe9; --ins: #dafbe1; --del-word: #ffc1bc; --ins-word: #9be9ab }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9198a1; --page: #0d1117;
  --box: #151b23; --line: #3d444d; --exact: #3fb950; --slower: #58a6ff; --review: #d29922;
  --left: #f85149; --hint: #39c5cf; --error: #ab7df8; --del: #301a1e; --ins: #12261e; --del-word: #792e2e; --ins-word: #1d572d } }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.headline { font-size: 1.15rem; font-weight: 600; margin: .5rem 0 0 }
.soft, footer { color: var(--soft) }
a { color: inherit }
code, pre { font: 12.5px/1.45 ui-monospace, monospace }
code, h2, .headline { overflow-wrap: anywhere } td code { overflow-wrap: normal }
svg { display: block; width: 100%; margin: .8rem 0; font: 12px system-ui, sans-serif }
svg text { fill: var(--text) }
.scroll { overflow-x: auto } .scroll svg { min-width: 40rem }
svg.bar { height: 18px; margin-bottom: .3rem }
.legend { margin: 0; font-size: .85rem } .legend span { margin-right: 1.2rem; white-space: nowrap }
.legend span::before { content: ""; display: inline-block; width: .7em; height: .7em; margin-right: .4em;
  border-radius: 2px; background: var(--mark) }
.site:target { outline: 2px solid var(--mark) } a.self { color: var(--soft); text-decoration: none }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line) }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td.text { min-width: 14rem }
fieldset { border: 1px solid var(--line); border-radius: 6px; display: flex; gap: 1.2rem; flex-wrap: wrap;
  margin: 1.5rem 0; position: sticky; top: 0; background: var(--page); z-index: 1 }
.site { border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: 6px;
  margin: .7rem 0; padding: .5rem .8rem; content-visibility: auto; contain-intrinsic-size: auto 9rem }
.site p { margin: .2rem 0; overflow-wrap: anywhere }
.tag { background: var(--mark); color: var(--page); border-radius: 1em; padding: 0 .6em; font-size: .8rem }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; margin: .4rem 0 }
.sides.one { grid-template-columns: 1fr }
.sides pre { margin: 0; overflow-x: auto; background: var(--box); border-radius: 4px; padding: .3rem .5rem;
  min-width: 0; tab-size: 4 }
pre.del { background: var(--del) } pre.ins { background: var(--ins) }
.sides del { background: var(--del-word); text-decoration: none }
.sides ins { background: var(--ins-word); text-decoration: none }
.sides i { color: var(--soft); font-style: normal; user-select: none }
details { margin: .4rem 0 } summary { cursor: pointer }
@media (max-width: 50rem) { .sides { grid-template-columns: 1fr } body { padding: .8rem } }
""" + "\n".join(
    f".{s.value} {{ --mark: var(--{s.value}) }} .fill-{s.value} {{ fill: var(--{s.value}) }} "
    f"body:has(#show-{s.value}:not(:checked)) main .{s.value} {{ display: none }}"
    for s in ORDER
)
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html(summary: Summary) -> str:
    """The report as the text of one HTML file."""
    return "\n".join(_page(summary)) + "\n"


def _page(summary: Summary) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    style = STYLE + (PROOF_STYLE if summary.proof is not None else "")
    yield f"<title>porter: {escape(summary.headline)}</title>\n<style>{style}</style>\n</head>\n<body>"
    yield f"<h1>{escape(summary.title)}</h1>"
    yield f'<p class="headline">{escape(summary.headline)}</p>'
    if summary.files or summary.proof is None:
        yield f'<p class="soft">{escape(summary.files_line)}. {escape(summary.run_line)}.</p>'
    if summary.proof is not None:
        yield from proof_html(summary.proof, summary.choices)
    if summary.counts.sites:
        yield _bar(summary.counts)
    if summary.files:
        yield from _files(summary)
    yield from _facts("Files without a full, parsed port", summary.caveats)
    yield from _facts("Notes", summary.notes)
    if summary.counts.sites:
        yield _filter(summary.counts)
    yield "<main>"
    person = summary.sites(*PERSON)
    if person:
        yield f"<h2>Needs a person: {person_words(summary.counts)}</h2>"
        yield from map(_site, person)
    for safety in (Safety.SLOWER, Safety.HINT, Safety.EXACT):
        yield from _groups(safety, group_sites(summary.sites(safety)))
    yield "</main>\n</body>\n</html>"


def _filter(counts: Counts) -> str:
    boxes = (
        f'<label><input type="checkbox" id="show-{s.value}" checked> {LABELS[s]} ({counts.of(s):,})</label>'
        for s in reversed(counts.shown)
    )
    return f"<fieldset><legend>Show sites</legend>{''.join(boxes)}</fieldset>"


def _files(summary: Summary) -> Iterator[str]:
    yield "<h2>Files</h2>"
    barred = [file for file in summary.ranked if file.counts.sites]
    if len(barred) > 1:
        yield _bars(barred)
    safeties = summary.counts.shown
    heads = "".join(f'<th class="n">{LABELS[s]}</th>' for s in safeties)
    yield '<div class="scroll"><table><thead><tr><th>File</th><th>Result</th><th>Parsed by</th>'
    yield f'<th class="n">Sites</th>{heads}</tr></thead><tbody>'
    for file in summary.ranked:
        yield f"<tr><td><code>{escape(file.path)}</code></td><td>{file.status}</td>"
        yield f"<td>{escape(file.parsed_by or '-')}</td>{_cells(file.counts, safeties)}</tr>"
    yield f'<tr><th colspan="3">Total</th>{_cells(summary.counts, safeties)}</tr></tbody></table></div>'


def _cells(counts: Counts, safeties: Sequence[Safety]) -> str:
    numbers = (counts.sites, *(counts.of(safety) for safety in safeties))
    return "".join(f'<td class="n">{n:,}</td>' for n in numbers)


def _facts(title: str, facts: Sequence[Fact]) -> Iterator[str]:
    if facts:
        yield f"<h2>{title}</h2>\n<ul>"
        for fact in facts:
            yield f"<li>{fact.places(PLACES_SHOWN, _code)}: {_text(fact.text)}</li>"
        yield "</ul>"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _bar(counts: Counts) -> str:
    legend = "".join(
        f'<span class="{safety.value}">{counts.of(safety):,} {escape(SAFETY_WORDS[safety])}</span>'
        for safety in counts.shown
    )
    return (
        f'<svg class="bar" viewBox="0 0 1000 18" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(counts.headline)}">{_segments(counts, 0, 0, 1000, 18)}</svg><p class="legend">{legend}</p>'
    )


def _bars(files: Sequence[FileSummary]) -> str:
    """Bars as long as the files have sites, so that lengths compare between files."""
    shown = files[:BARS_SHOWN]
    most = max(file.counts.sites for file in shown)
    rows = []
    for i, file in enumerate(shown):
        name = file.path if len(file.path) <= 40 else "\u2026" + file.path[-39:]
        width = max(2.0, 620 * file.counts.sites / most)
        rows.append(f'<text x="290" y="{i * 20 + 13}" text-anchor="end">{escape(name)}</text>')
        rows.append(_segments(file.counts, 300, i * 20 + 3, width, 13))
        rows.append(f'<text x="{306 + width:.1f}" y="{i * 20 + 13}">{file.counts.sites:,}</text>')
    more = len(files) - len(shown)
    note = f'<p class="soft">{plural(more, "more file")} in the table only.</p>' if more else ""
    box = f'viewBox="0 0 1000 {len(shown) * 20 + 4}"'
    svg = f'<svg {box} role="img" aria-label="Sites of each file">{"".join(rows)}</svg>'
    return f'<div class="scroll">{svg}</div>{note}'


def _segments(counts: Counts, x: float, y: float, width: float, height: float) -> str:
    parts = []
    for safety, words in SAFETY_WORDS.items():
        part = width * counts.of(safety) / counts.sites
        if part:
            parts.append(
                f'<rect class="fill-{safety.value}" x="{x:.1f}" y="{y}" width="{part:.1f}" height="{height}">'
                f"<title>{counts.of(safety):,} {escape(words)}</title></rect>"
            )
        x += part
    return "".join(parts)


def _groups(safety: Safety, groups: Sequence[Group]) -> Iterator[str]:
    if not groups:
        return
    total = sum(group.count for group in groups)
    words = SAFETY_WORDS[safety]
    yield f'<h2 class="{safety.value}">{escape(words[:1].upper() + words[1:])}: {plural(total, "site")}</h2>'
    for group in groups:
        yield f'<details class="{safety.value}"><summary>{plural(group.count, "site")}: '
        yield f"{_text(group.rule.title)} {_rule(group.rule)}</summary>"
        for text in (group.rule.why, group.rule.fix):
            if text:
                yield f'<p class="soft">{_text(text)}</p>'
        for _, sites in group.messages:
            yield from map(_site, sites)
        yield "</details>"


def _site(site: Site) -> str:
    changes = "".join(map(_change, site.changes))
    why = _why(site.rule) if site.safety.needs_person else ""
    mark = f"site-{site.fingerprint[:16]}"
    return (
        f'<article class="site {site.safety.value}" id="{mark}"><p>{_linked(_code(site.place), site.link)} '
        f'<span class="tag">{_text(site.verdict)}</span> {_rule(site.rule)} '
        f'<a class="self" href="#{mark}" title="link to this site">#</a></p>'
        f"<p>{_text(site.message)}</p>{changes}{why}</article>"
    )


def _why(rule: RuleText) -> str:
    """The reason and what remains to do; a long reason is unfolded by the reader."""
    why = f'<p class="soft">{"" if len(rule.why) > WHY_OPEN else "Why: "}{_text(rule.why)}</p>' if rule.why else ""
    if len(rule.why) > WHY_OPEN:
        why = f"<details><summary>Why</summary>{why}</details>"
    return why + (f'<p class="soft">The port: {_text(rule.fix)}</p>' if rule.fix else "")


def _rule(rule: RuleText) -> str:
    return _linked(_code(rule.id), rule.url)


def _linked(html: str, address: str) -> str:
    return f'<a href="{escape(address)}">{html}</a>' if address else html


def _change(change: Change) -> str:
    longest = max(len(change.before), len(change.after or ()))
    if longest <= LINES_OPEN:
        return _sides(change)
    lines = f"{plural(len(change.before), 'line')} from {change.line}"
    became = "" if change.after is None else ", taken out" if not any(change.after) else f", now {len(change.after)}"
    return f"<details><summary>{lines}{became}</summary>{_sides(change)}</details>"


def _sides(change: Change) -> str:
    if change.after is None:
        return f'<div class="sides one"><pre>{_numbered(change, change.before)}</pre></div>'
    before, after = _marked(change.before, change.after)
    if not any(after):
        return f'<div class="sides one"><pre class="del">{_numbered(change, before, True)}</pre></div>'
    return (
        f'<div class="sides"><pre class="del">{_numbered(change, before, True)}</pre>'
        f'<pre class="ins">{_numbered(change, after, True)}</pre></div>'
    )


def _numbered(change: Change, lines: Sequence[str], escaped: bool = False) -> str:
    shown = [
        f"<i>{number:>5} </i>{line if escaped else escape(line)}"
        for number, line in enumerate(lines[:LINES_SHOWN], change.line)
    ]
    if len(lines) > LINES_SHOWN:
        shown.append(f"<i>\u2026 {plural(len(lines) - LINES_SHOWN, 'more line')}</i>")
    return "\n".join(shown)


def _marked(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    """Escaped lines, with the differences of pairs marked; all of a line that has no other."""
    old, new = [escape(line) for line in before], [escape(line) for line in after]
    for i, j in pairs(before, after):
        words = changed_words(before[i], after[j])
        old[i], new[j] = _mark(before[i], words.before, "del"), _mark(after[j], words.after, "ins")
    return old, new


def _mark(line: str, spans: Sequence[Span], tag: str) -> str:
    parts, at = [], 0
    for start, end in spans:
        parts.append(f"{escape(line[at:start])}<{tag}>{escape(line[start:end])}</{tag}>")
        at = end
    return "".join([*parts, escape(line[at:])])


def _text(text: str) -> str:
    """Prose with `code` between backticks; an odd backtick is only a character."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return "".join(f"<code>{escape(p)}</code>" if i % 2 and p else escape(p) for i, p in enumerate(parts))
