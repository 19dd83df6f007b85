"""Macros of a project that would change porter's headers: their names are set aside around the `#include` lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from porter.findings import Finding
from porter.frontend.unit import Unit
from porter.paths import RUNTIME_INCLUDE

__all__ = ["replaced_calls", "shielded"]

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
_NAME = re.compile(r"\b[A-Za-z_]\w*")
_RESERVED = re.compile(r"__|_[A-Z]")
_CALL = re.compile(r"\bporter::(\w+)")


def shielded(unit: Unit, headers: Sequence[str], place: int) -> list[str]:
    """The names, of macros that are defined where these headers of porter's are included, which stand in the headers."""
    used = _names_of(tuple(headers))
    return sorted(set(_before(unit, place)) & used)


def replaced_calls(unit: Unit, findings: Iterable[Finding]) -> list[tuple[str, int]]:
    """Macros with the name of a function of porter's that the file's port calls; with where it is defined, or where the port
    calls the function if that is in another file."""
    calls = {name: f.start for f in findings for edit in f.edits for name in _CALL.findall(edit.text)}
    if not calls:
        return []
    own = {unit.text(d.first): d.start for d in unit.file.directives if d.name == "define" and d.first < d.last}
    others = {name: at for name, at in calls.items() if name in set(_before(unit, len(unit.file.text)))}
    return sorted((others | {name: at for name, at in own.items() if name in calls}).items())


def _before(unit: Unit, place: int) -> Iterator[str]:
    """Macros that may be defined there: from the command line, from the file, from files before it."""
    for define in unit.options.defines:
        yield define.partition("=")[0].partition("(")[0]
    own = [d for d in unit.file.directives if d.start < place]
    for directive in own:
        if directive.name == "define" and directive.first < directive.last:
            yield unit.text(directive.first)
    included = any(
        d.name == "include" and unit.text(d.first)[1:-1] in unit.own_includes for d in own if d.first < d.last
    )
    if unit.is_main and not included:
        return
    for member in (*unit.members, *unit.included):
        if member.path != unit.path:
            yield from member.macros_before_includes if member is unit.members[0] else member.macros


@cache
def _names_of(headers: tuple[str, ...]) -> frozenset[str]:
    """Names in these headers and their includes, without the macros that they define or test."""
    names: set[str] = set()
    tested: set[str] = set()
    todo = [RUNTIME_INCLUDE / header for header in headers]
    seen: set[Path] = set()
    while todo:
        path = todo.pop()
        if path not in seen and path.is_file():
            seen.add(path)
            of_code, of_directives, included = _read(path)
            names |= of_code
            tested |= of_directives
            todo += included
    return frozenset(name for name in names - tested if not _RESERVED.match(name))


@cache
def _read(path: Path) -> tuple[frozenset[str], frozenset[str], tuple[Path, ...]]:
    text = path.read_text("utf-8")
    included = tuple((path.parent / name).resolve() for name in _INCLUDE.findall(text))
    text = _COMMENT.sub(" ", text)
    tested = {name for line in _DIRECTIVE.findall(text) for name in _macros_of(line)}
    return frozenset(_NAME.findall(text)), frozenset(tested), included


def _macros_of(directive: str) -> list[str]:
    """The macro that a line defines, or the macros that a condition tests."""
    words = _NAME.findall(directive)
    return words[1:2] if words[:1] == ["define"] else words[1:]
