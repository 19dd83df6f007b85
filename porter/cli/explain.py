"""`porter explain`: a rule, the row of a CUDA name, the rows of a PTX instruction, or the sites of a line, in words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax

from porter.errors import EXIT_OK, UsageError
from porter.findings import PortReport
from porter.ptx.rows import PtxRow
from porter.ptx.table import PtxTable, ptx_table
from porter.rules import NameRow, Rule, RuleSet, load_rules

__all__ = ["explain"]


def explain(given: str, console: Console) -> int:
    """Prints what is known of a name; upper and lower case are the same where nothing else has the name as it is given."""
    if place := _PLACE.fullmatch(given.strip()):
        return _place(place[1], int(place[2]), console)
    rules = load_rules()
    name = _as_known(given.strip().strip('<>"').removeprefix("::").removesuffix("()"), rules)
    row = rules.names.get(name) or rules.headers.get(name)
    rows = [row] if row else _qualified(name, rules)
    if name in rules.rules:
        _rule(rules.rules[name], console)
    elif rows:
        for row in rows:
            _row(row, console)
    elif name in rules.calls:
        _rule(rules.rules[rules.calls[name][0].rule], console)
    elif kept := _KEPT.get(name.partition("::")[0] if "::" in name else ""):
        console.print(escape(f"{name}: stays as it is: {kept}"))
    elif not _ptx(name.lower(), ptx_table(rules), console):
        known = [*rules.rules, *rules.names, *rules.headers]
        near = difflib.get_close_matches(name, known, 3)
        fix = f"did you mean {' or '.join(near)}?" if near else "porter rules lists all of them"
        raise UsageError(f"no rule, CUDA name or PTX instruction '{given}'", fix)
    return EXIT_OK


# Namespaces that HIP's libraries have by the same names: tables have only what differs.
_KEPT = {
    "thrust": "rocThrust has Thrust's names; porter convert --build says where it lacks one",
    "std": "it is C++'s own",
}
_PLACE = re.compile(r"(.*?[^:]):(\d+)(?::\d+)?:?")  # FILE:LINE, FILE:LINE:COLUMN


def _place(path: str, line: int, console: Console) -> int:
    """Prints the sites that the last conversion found at a line, and their rules."""
    from porter.configuration import configuration
    from porter.port.runs.last import last_port
    from porter.report.facts.summary import summarize
    from porter.report.formats.rule_pages import own_pages, rule_texts
    from porter.report.formats.terminal import print_site

    port, line = last_port(path, line)
    rules = load_rules(tuple(folder.resolve() for folder in configuration(Path(port.path)).rules)).rules
    (file,) = summarize(PortReport((port,)), rule_texts(rules, own_pages() if console.is_terminal else "")).files
    sites = [site for site in file.sites if site.start.line <= line <= site.end.line]
    if not sites:
        lines = sorted({site.start.line for site in file.sites}, key=lambda other: (abs(other - line), other))[:3]
        near = (
            f"the nearest are at {', '.join(f'{port.path}:{one}' for one in sorted(lines))}" if lines else "it has none"
        )
        raise UsageError(f"no site at {port.path}:{line}", near)
    for site in sites:
        print_site(site, console)
    for rule in dict.fromkeys(site.rule.id for site in sites):
        console.print()
        if rule in rules:
            _rule(rules[rule], console)
    return EXIT_OK


def _as_known(name: str, rules: RuleSet) -> str:
    """The name in the case that porter knows it by; where that has no row of its own, the row of its beginning, CUDNN_ATTR_*."""
    tables: tuple[Mapping[str, object], ...] = (rules.rules, rules.names, rules.headers, rules.calls)
    if any(name in table for table in tables):
        return name
    lower = name.lower()
    beginnings = (
        one for one in rules.names if one[-1] == "*" and "::" not in one and lower.startswith(one[:-1].lower())
    )
    return next(
        (one for table in tables for one in table if one.lower() == lower), max(beginnings, key=len, default=name)
    )


def _qualified(name: str, rules: RuleSet) -> list[NameRow]:
    """The rows of a C++ name by its last part; with namespaces, only rows with the same ones."""
    last = name.rpartition("::")[2]
    rows = rules.qualified_rows(last)
    matching = [row for row in rows if f"::{row.cuda}".endswith(f"::{name}") or f"::{name}".endswith(f"::{row.cuda}")]
    while not matching and "::" in name:  # a namespace that is ported as a whole
        name = name.rpartition("::")[0]
        matching = [rules.names[name]] if name in rules.names else []
    return matching


def _words(row: PtxRow) -> set[str]:
    """The words of a row's mnemonics."""
    return set(re.findall(r"[\w:]+", row.form.split()[0]))


def _ptx(name: str, table: PtxTable, console: Console) -> bool:
    """Prints the rows of the instructions that begin with these words; whether PTX has such."""
    words = name.rstrip(";").split(".")
    rows = [row for row in table.rows.get(words[0], ()) if row.expected(words)[0] == len(words)]
    rows = rows or [row for row in table.rows.get(words[0], ()) if {*words} <= _words(row)]
    special = table.specials.get(name)
    for row in rows:
        console.print(f"[bold]{escape(row.form)}[/bold]")
        console.print(escape(f"  port: {row.cpp or 'nothing'}"))
        console.print(escape(f"  safety: {row.safety.value}" + (f"; {row.note}" if row.note else "")))
    if special is not None:
        console.print(escape(f"{special.name} ({special.type}): {special.cpp}; {special.safety.value}"))
    reasons = [
        reason for word, reason in table.reasons.items() if word == words[0] or f".{word.lstrip('.')}" in f".{name}"
    ]
    if not rows and special is None and (reasons or table.is_ptx(words[0])):
        console.print(
            escape(
                f"{name}" + (f": not ported; {reasons[0]}" if reasons else ": no form that is ported begins like this")
            )
        )
    return bool(rows or special or reasons or table.is_ptx(words[0]))


def _rule(rule: Rule, console: Console) -> None:
    console.print(f"[bold]{escape(rule.id)}[/bold]: {escape(rule.title)}")
    console.print(f"safety: {rule.safety.value}" + ("; retired" if rule.retired else ""))
    if rule.why:
        console.print()
        console.print(escape(rule.why))
    if rule.fix:
        console.print()
        console.print("[bold]The port:[/bold] " + escape(rule.fix))
    for title, examples in (("before", rule.examples), ("stays as it is", rule.unchanged)):
        for example in examples:
            console.print(f"\n[dim]{title}[/dim]")
            console.print(Syntax(example.before.rstrip("\n"), "cuda", theme="ansi_dark", background_color="default"))
            if title == "before":
                console.print("[dim]after[/dim]")
                console.print(Syntax(example.after.rstrip("\n"), "cuda", theme="ansi_dark", background_color="default"))
    if rule.rows:
        console.print(f"\n{len(rule.rows)} names, for instance:")
        for row in rule.rows[:12]:
            console.print(escape(f"  {row.cuda} -> {row.hip or '(none)'}  {row.note}".rstrip()))


def _row(row: NameRow, console: Console) -> None:
    console.print(f"[bold]{escape(row.cuda)}[/bold] ({escape(row.library)}, {row.kind})")
    console.print(f"HIP: {escape(row.hip) if row.hip else 'no counterpart'}")
    console.print(f"safety: {row.safety.value}" + (f"; {escape(row.note)}" if row.note else ""))
    console.print(f"rule: {row.rule}")
