"""`porter explain`: a rule, or the row of a CUDA name, in words."""

from __future__ import annotations

import difflib

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax

from porter.errors import EXIT_OK, UsageError
from porter.rules import NameRow, Rule, load_rules

__all__ = ["explain"]


def explain(name: str, console: Console) -> int:
    rules = load_rules()
    rule = rules.rules.get(name)
    row = rules.names.get(name) or rules.headers.get(name)
    if rule is not None:
        _rule(rule, console)
    elif row is not None:
        _row(row, console)
    elif name in rules.calls:
        _rule(rules.rules[rules.calls[name][0].rule], console)
    else:
        known = [*rules.rules, *rules.names, *rules.headers]
        near = difflib.get_close_matches(name, known, 3)
        mend = f"did you mean {' or '.join(near)}?" if near else "porter rules lists all of them"
        raise UsageError(f"no rule or CUDA name '{name}'", mend)
    return EXIT_OK


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
