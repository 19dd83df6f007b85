"""Loads, validates and indexes rules/: name tables (*.tbl) and rule files (*.toml).

A name table states 1:1 facts, one a line. A rule file states one rule: what it finds, why it matters on AMD hardware
and how safe the port is. It has examples before, after and unchanged, and the calls that it rewrites where data can
state them. Tests, `porter explain` and the rule index are made from it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from porter.errors import RuleError
from porter.findings import Safety
from porter.frontend.lexer import Kind, lex
from porter.paths import PACKAGE

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same parser under its old name
    import tomli as tomllib

__all__ = [
    "SHORTEST_BEGINNING",
    "CallRule",
    "Example",
    "NameRow",
    "Names",
    "Rule",
    "RuleSet",
    "builtin_rules_dir",
    "load_rules",
]

_SAFETIES = {s.value: s for s in Safety}
SHORTEST_BEGINNING = 6  # letters before the * of a row that stands for all names that begin so
NAME_KINDS = frozenset({"func", "type", "enum", "macro", "header", "device", "namespace", "var"})


class NameRow(NamedTuple):  # ten thousand of them at every start: a tuple is made three times as fast
    cuda: str
    hip: str  # "" when HIP has no counterpart
    kind: str
    safety: Safety
    note: str
    rule: str
    library: str
    include: str


class Names(Mapping[str, NameRow]):
    """The row of a CUDA identifier; where it has none of its own, that of the longest beginning (`CUDNN_ATTR_*`) that has one."""

    def __init__(self, rows: Mapping[str, NameRow]) -> None:
        self._rows = rows
        self._beginnings: dict[str, list[NameRow]] = {}  # by their first letters
        beginnings = [row for name, row in rows.items() if name[-1] == "*" and "::" not in name]
        for row in sorted(beginnings, key=lambda row: -len(row.cuda)):
            self._beginnings.setdefault(row.cuda[:SHORTEST_BEGINNING], []).append(row)

    def __getitem__(self, name: str) -> NameRow:
        row = self._rows.get(name) or self._by_beginning(name)
        if row is None:
            raise KeyError(name)
        return row

    def __contains__(self, name: object) -> bool:
        return name in self._rows or (isinstance(name, str) and self._by_beginning(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def has_no_row_of_its_own(self, name: str) -> bool:
        """Whether the row of a name is that of its beginning, so that a project may have such a name itself."""
        return name not in self._rows

    def _by_beginning(self, name: str) -> NameRow | None:
        rows = self._beginnings.get(name[:SHORTEST_BEGINNING], ())
        return next((row._replace(cuda=name) for row in rows if name.startswith(row.cuda[:-1])), None)


@dataclass(frozen=True, slots=True)
class Example:
    before: str
    after: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallRule:
    """`name(params)` becomes `pieces`: text, or the index of a parameter."""

    rule: str
    name: str
    params: tuple[str, ...]
    rest: bool  # the last parameter takes all remaining arguments
    pieces: tuple[str | int, ...]
    safety: Safety
    message: str
    includes: tuple[str, ...]
    unless: tuple[tuple[int, frozenset[str]], ...] = ()  # leave the call alone if that argument has one of these types
    when: tuple[
        tuple[int, frozenset[str]], ...
    ] = ()  # port the call only if that argument is known to have one of these types
    template: bool = False  # match `name<...>(...)` too, the template arguments kept
    known: bool = False  # without a replacement: with these arguments the row of the name's table is the port
    in_c: tuple[str | int, ...] = ()  # the pieces in a C file, which has no default arguments


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    title: str
    safety: Safety
    why: str
    fix: str = ""
    group: str = ""
    language: str = "cuda"
    examples: tuple[Example, ...] = ()
    unchanged: tuple[Example, ...] = ()
    calls: tuple[CallRule, ...] = ()
    rows: tuple[NameRow, ...] = ()
    retired: bool = False
    parsed: bool = False  # a parse of the port tries its edits
    path: str = ""


@dataclass(frozen=True)
class RuleSet:
    rules: Mapping[str, Rule]
    names: Names  # by CUDA identifier
    qualified: Mapping[str, tuple[NameRow, ...]]  # rows for `a::b`, by `b`
    beginnings: Mapping[str, NameRow]  # rows for `a::b*`, by `b`
    headers: Mapping[str, NameRow]  # by include path
    calls: Mapping[str, tuple[CallRule, ...]]  # by function name
    folders: tuple[Path, ...]

    def qualified_rows(self, last: str) -> tuple[NameRow, ...]:
        """Rows for `a::last`, the longest first."""
        rows = self.qualified.get(last, ())
        if rows or not last.startswith(tuple(self.beginnings)):
            return rows
        matching = (row for beginning, row in self.beginnings.items() if last.startswith(beginning))
        return tuple(row._replace(cuda=f"{row.cuda.rpartition('::')[0]}::{last}") for row in matching)


def builtin_rules_dir() -> Path:
    """rules/ beside the package in a checkout, porter/_rules in an installed wheel."""
    for candidate in (PACKAGE / "_rules", PACKAGE.parent / "rules"):
        if candidate.is_dir():
            return candidate
    raise RuleError("porter's own rules are missing", "reinstall porter: pip install --force-reinstall porter")


def load_rules(extra: tuple[Path, ...] = ()) -> RuleSet:
    """The built-in rules and then each of `extra`; a later row or rule replaces an earlier one."""
    return _loaded(extra)


@lru_cache(maxsize=4)  # without a default: to it load_rules() and load_rules(()) would be two
def _loaded(extra: tuple[Path, ...]) -> RuleSet:
    rules: dict[str, Rule] = {}
    names: dict[str, NameRow] = {}
    headers: dict[str, NameRow] = {}
    folders = (builtin_rules_dir(), *extra)
    for folder in folders:
        if not folder.is_dir():
            raise RuleError(f"{folder}: no such rules folder", "give --rules a folder of *.tbl and *.toml files")
        if not any(path.suffix in (".tbl", ".toml") for path in folder.rglob("*")):
            raise RuleError(f"{folder}: holds no rule", "give --rules a folder of *.tbl and *.toml files")
        for path in sorted(folder.glob("names/*.tbl")) + sorted(folder.glob("*.tbl")):
            rule = _load_table(path)
            previous = rules.get(rule.id)
            rows = (*previous.rows, *rule.rows) if previous else rule.rows
            rules[rule.id] = Rule(
                rule.id, rule.title, rule.safety, rule.why, group=rule.group, rows=rows, path=rule.path
            )
            for row in rule.rows:
                (headers if row.kind == "header" else names)[row.cuda] = row
        for path in sorted(folder.rglob("*.toml")):
            rule = _load_rule(path)
            rules[rule.id] = rule
    calls: dict[str, list[CallRule]] = {}
    for rule in rules.values():
        for call in rule.calls:
            calls.setdefault(call.name, []).append(call)
    qualified: dict[str, list[NameRow]] = {}
    beginnings = {
        name.rpartition("::")[2][:-1]: row for name, row in names.items() if name.endswith("*") and "::" in name
    }
    for name, row in names.items():
        if "::" in name:
            qualified.setdefault(name.rpartition("::")[2], []).append(row)
    # the longest first: thrust::system::cuda before thrust::cuda
    by_last = {k: tuple(sorted(v, key=lambda r: -len(r.cuda))) for k, v in qualified.items()}
    return RuleSet(rules, Names(names), by_last, beginnings, headers, {k: tuple(v) for k, v in calls.items()}, folders)


def _load_table(path: Path) -> Rule:
    meta = {"rule": "name-" + path.stem, "library": path.stem, "include": ""}
    rows: list[NameRow] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        parts = line.split(None, 4)
        if not parts or parts[0][0] == "#":
            continue
        if parts[0][0] == "@":
            meta[parts[0][1:]] = " ".join(parts[1:])
            continue
        if len(parts) < 4:
            raise RuleError(f"{path}:{number}: a row needs four columns", "cuda-name hip-name kind status [note]")
        cuda, hip, kind, status = parts[:4]
        note = parts[4].rstrip() if len(parts) > 4 else ""
        if kind not in NAME_KINDS:
            raise RuleError(f"{path}:{number}: unknown kind '{kind}'", f"one of {', '.join(sorted(NAME_KINDS))}")
        target = "" if hip == "-" else hip
        safety = _SAFETIES.get(status) or _safety(status, f"{path}:{number}")
        if not note and safety is not Safety.EXACT:
            raise RuleError(f"{path}:{number}: a row that is not exact needs a note", "say what differs")
        if cuda.endswith("*") and "::" not in cuda and (target or len(cuda) <= SHORTEST_BEGINNING):
            raise RuleError(
                f"{path}:{number}: a row for all names that begin with '{cuda[:-1]}' cannot be used",
                f"give it {SHORTEST_BEGINNING} letters or more before the *, and no HIP name",
            )
        rows.append(NameRow(cuda, target, kind, safety, note, meta["rule"], meta["library"], meta["include"]))
    return Rule(
        id=meta["rule"],
        title=f"{meta['library']} names",
        safety=Safety.EXACT,
        why=meta.get("why", ""),  # each row that is not exact has its own reason, in its note
        group="names",
        rows=tuple(rows),
        path=path.name,
    )


def _safety(text: str, where: str) -> Safety:
    try:
        return Safety(text)
    except ValueError:
        raise RuleError(f"{where}: unknown safety '{text}'", "one of " + ", ".join(s.value for s in Safety)) from None


_RULE_KEYS = {
    "id", "title", "safety", "why", "fix", "group", "language", "example", "unchanged", "call", "retired", "parsed",
}  # fmt: skip


def _load_rule(path: Path) -> Rule:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(f"{path}: {error}", "fix the TOML") from None
    unknown = set(data) - _RULE_KEYS
    if unknown:
        raise RuleError(f"{path}: unknown key '{min(unknown)}'", f"known keys: {', '.join(sorted(_RULE_KEYS))}")
    for key in ("id", "title", "safety", "why"):
        if not isinstance(data.get(key), str):
            raise RuleError(f"{path}: '{key}' is missing or not a string", "every rule has id, title, safety and why")
    safety = _safety(data["safety"], str(path))
    return Rule(
        id=data["id"],
        title=data["title"],
        safety=safety,
        why=data["why"].strip(),
        fix=data.get("fix", "").strip(),
        group=data.get("group", path.parent.name),
        language=data.get("language", "cuda"),
        examples=tuple(_examples(data.get("example", ()), path)),
        unchanged=tuple(Example(e["source"], e["source"], e.get("options", {})) for e in data.get("unchanged", ())),
        calls=tuple(_load_call(data["id"], call, safety, data["title"], path) for call in data.get("call", ())),
        retired=bool(data.get("retired", False)),
        parsed=bool(data.get("parsed", False)),
        path=path.name,
    )


def _examples(items: Iterable[Mapping[str, Any]], path: Path) -> Iterable[Example]:
    for item in items:
        if "before" not in item or "after" not in item:
            raise RuleError(f"{path}: an example needs 'before' and 'after'", "or use [[unchanged]] with 'source'")
        yield Example(item["before"], item["after"], item.get("options", {}))


def _load_call(rule: str, data: Mapping[str, Any], safety: Safety, title: str, path: Path) -> CallRule:
    pattern, replacement = data.get("match", ""), data.get("replace", "")
    tokens = lex(pattern).tokens
    if len(tokens) < 3 or tokens[1].text != "(" or tokens[-1].text != ")":
        raise RuleError(f"{path}: cannot read the pattern {pattern!r}", "write name($a, $b) or name($a, $...rest)")
    params: list[str] = []
    rest = False
    for token in tokens[2:-1]:
        if token.text == "...":
            rest = True
        elif token.kind == Kind.IDENT and token.text != "$":
            params.append(token.text.lstrip("$"))
    return CallRule(
        rule=rule,
        name=tokens[0].text,
        params=tuple(params),
        rest=rest,
        pieces=tuple(_pieces(replacement, params, path)),
        safety=_safety(data["safety"], str(path)) if "safety" in data else safety,
        message=data.get("message", title),
        includes=tuple([data["include"]] if "include" in data else data.get("includes", ())),
        unless=tuple((params.index(name), frozenset(types)) for name, types in data.get("unless", {}).items()),
        when=tuple((params.index(name), frozenset(types)) for name, types in data.get("when", {}).items()),
        template=bool(data.get("template", False)),
        known="replace" not in data,
        in_c=tuple(_pieces(data.get("in_c", ""), params, path)),
    )


def _pieces(replacement: str, params: list[str], path: Path) -> Iterable[str | int]:
    at = 0
    for token in lex(replacement).tokens:
        if token.kind == Kind.IDENT and token.text.startswith("$"):
            name = token.text[1:]
            if name not in params:
                raise RuleError(f"{path}: ${name} is not in the pattern", f"known: {', '.join(params)}")
            if token.start > at:
                yield replacement[at : token.start]
            yield params.index(name)
            at = token.end
    if at < len(replacement):
        yield replacement[at:]
