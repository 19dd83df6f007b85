"""A page for each rule, in Markdown: FOLDER/ID.md, and the help that SARIF carries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from porter.cache_folder import cache_dir, write_atomically
from porter.findings import Safety
from porter.port.stamps import stamp
from porter.ptx.table import PtxTable, ptx_table
from porter.report.facts.summary import RuleText
from porter.report.formats.markdown_text import code, plain
from porter.rules import Example, NameRow, Rule, builtin_rules_dir, load_rules

__all__ = ["INDEX", "SAFETY_MEANING", "own_pages", "rule_pages", "rule_texts"]

INDEX = "README.md"
SAFETY_MEANING = {
    Safety.EXACT: "same meaning, same cost",
    Safety.HINT: "same meaning; a number or a choice in it was made for NVIDIA's chips",
    Safety.SLOWER: "same meaning; a native rewrite would cost less",
    Safety.REVIEW: "ported; a person must confirm the assumption in the message",
    Safety.LEFT: "not ported; a person must port it",
    Safety.ERROR: "the compiler refuses the port there",
}
_WORST_FIRST = (Safety.ERROR, Safety.LEFT, Safety.REVIEW, Safety.SLOWER, Safety.HINT)
_OPTIONS = ("warp", "schedule", "kittens", "oversize")  # of examples, as the command line has them
_UNLIMITED = 1_000_000
_NAME = re.compile(r"[\w:./]*_[\w/]*(?:\.\w+)*(?:\(\))?")
_HEAD = "<!-- Made by `porter rules --pages FOLDER` from rules/; change it there. -->\n"


def rule_pages(rules: Mapping[str, Rule], ptx: PtxTable) -> dict[str, str]:
    """The text of each page by the name of its file, with an index."""
    pages = {f"{rule.id}.md": f"{_HEAD}{_page(rule, rules, ptx)}" for rule in rules.values()}
    return {INDEX: f"{_HEAD}{_index(rules.values())}", **pages}


def rule_texts(rules: Mapping[str, Rule], base: str = "") -> dict[str, RuleText]:
    """What reports say of the rules. With the address of porter's pages, those of porter's own rules have theirs."""
    own = load_rules().rules
    return {
        rule.id: RuleText(
            rule.id,
            rule.title,
            rule.why,
            rule.fix,
            "\n".join(_text(rule)),
            f"{base.rstrip('/')}/{rule.id}.md" if base and own.get(rule.id) == rule else "",
        )
        for rule in rules.values()
    }


def own_pages() -> str:
    """The address of the pages of porter's own rules, which are written where the cache lacks them; "" if they cannot be."""
    folder = cache_dir() / "rule-pages"
    version, written = stamp((builtin_rules_dir(),), "").encode(), folder / "version"
    try:
        if not written.is_file() or written.read_bytes() != version:
            folder.mkdir(exist_ok=True)
            rules = load_rules()
            for name, text in rule_pages(rules.rules, ptx_table(rules)).items():
                write_atomically(folder / name, text.encode())
            write_atomically(written, version)
    except OSError:
        return ""
    return folder.resolve().as_uri()


def _index(rules: Iterable[Rule]) -> str:
    lines = [
        "# Rules\n",
        "What porter finds, by group. `porter explain RULE` prints the same on the terminal. The safety is that of the rule;",
        "a site may have another, and says why. Rules of your own go into a folder that `--rules FOLDER` names.\n",
    ]
    for group in sorted({rule.group for rule in rules}):
        lines += [f"## {group}\n", "| rule | safety | finds |", "|---|---|---|"]
        for rule in sorted((rule for rule in rules if rule.group == group), key=lambda rule: rule.id):
            names = f" ({len(rule.rows):,} names)" if rule.rows else ""
            retired = " (retired)" if rule.retired else ""
            lines.append(f"| [{rule.id}]({rule.id}.md) | {rule.safety.value} | {_prose(rule.title)}{names}{retired} |")
        lines.append("")
    return "\n".join(lines)


def _page(rule: Rule, rules: Mapping[str, Rule], ptx: PtxTable) -> str:
    lines = [*_text(rule)]
    if rule.rows:
        lines += [f"## Names\n\n{_counted(row.safety for row in rule.rows)}. `porter explain NAME` shows one.\n"]
        lines += _tabled((row.safety, row.note, _name(row)) for row in rule.rows)
    if rule.id == "inline-ptx":
        forms = [row for rows in ptx.rows.values() for row in rows]
        forms = list({id(row): row for row in forms}.values())  # a form may have several opcodes
        lines += [
            f"## Instructions\n\n{_counted(row.safety for row in forms)}. `porter explain cp.async` shows some.\n"
        ]
        lines += _tabled((row.safety, row.note, code(row.form, _UNLIMITED)) for row in forms)
    lines.append("[All rules](README.md)")
    return "\n".join(lines) + "\n"


def _text(rule: Rule) -> Iterator[str]:
    """The page without its tables."""
    yield f"# {rule.id}: {_prose(rule.title)}\n"
    if rule.retired:
        yield "This rule is retired: no site has it any more.\n"
    if rule.rows:
        yield "Names of CUDA and of its libraries, and what becomes of them.\n"
    else:
        yield f"Safety: **{rule.safety.value}** ({SAFETY_MEANING[rule.safety]}). A site may have another, and says why.\n"
    if rule.why:
        yield f"## Why\n\n{_prose(rule.why)}\n"
    if rule.fix:
        yield f"## The port, and what remains to do\n\n{_prose(rule.fix)}\n"
    for title, examples in (("Examples", rule.examples), ("Stays as it is", rule.unchanged)):
        if examples:
            yield f"## {title}\n"
        for example in examples:
            yield from _example(example, rule)


def _example(example: Example, rule: Rule) -> Iterator[str]:
    options = " ".join(f"--{name} {example.options[name]}" for name in _OPTIONS if name in example.options)
    if options:
        yield f"With `{options}`:\n"
    yield _fenced(example.before, rule.language)
    if example.before != example.after:
        yield "becomes\n"
        yield _fenced(example.after, rule.language)


def _fenced(text: str, language: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    word = {"cuda": "cpp", "make": "makefile"}.get(language, language)
    return f"{fence}{word}\n{text.strip(chr(10))}\n{fence}\n"


def _prose(text: str) -> str:
    """Prose in which names are code: `__launch_bounds__` would be bold, and escaped it cannot be read."""
    parts = text.split("`")
    named = "`".join(p if i % 2 else _NAME.sub(r"`\g<0>`", p) for i, p in enumerate(parts)) if len(parts) % 2 else text
    return plain(named, _UNLIMITED)


def _counted(safeties: Iterable[Safety]) -> str:
    ordered = list(safeties)
    counts = ((ordered.count(safety), safety.value) for safety in Safety)
    return f"{len(ordered):,} in all: " + ", ".join(f"{count:,} {word}" for count, word in counts if count)


def _name(row: NameRow) -> str:
    return code(row.cuda) + (f" ({code(row.hip)})" if row.hip and row.hip != row.cuda else "")


def _tabled(rows: Iterable[tuple[Safety, str, str]]) -> Iterator[str]:
    """The rows that are not exact, with their reasons; those of one reason are one row."""
    together: dict[tuple[Safety, str], list[str]] = {}
    for safety, note, name in rows:
        together.setdefault((safety, note), []).append(name)
    shown = [(safety, note, names) for (safety, note), names in together.items() if safety is not Safety.EXACT]
    if not shown:
        return
    yield "| safety | what differs | names, and those of HIP |\n|---|---|---|"
    for safety, note, names in sorted(shown, key=lambda row: _WORST_FIRST.index(row[0])):
        yield f"| {safety.value} | {_prose(note)} | {', '.join(names)} |"
    yield ""
