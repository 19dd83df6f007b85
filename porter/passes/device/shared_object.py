"""Dynamic shared memory that is declared as one object, where clang wants an array without a size."""

from __future__ import annotations

from collections.abc import Iterator

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.passes.hopper.dynamic_shared import ALIGNMENT, runtime_comes_first
from porter.rules import RuleSet

__all__ = ["run"]

_RULE = "shared-object"
_ALIGNMENT = frozenset({"__align__", "alignas", "__attribute__"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for index in unit.file.places("__shared__"):
        if unit.tokens[index].directive < 0 and "extern" in (unit.text(index - 1), unit.text(index + 1)):
            findings += _object(unit, index)
    return findings


def _object(unit: Unit, index: int) -> list[Finding]:
    """extern __shared__ Tiles tiles;"""
    first = index - 1 if unit.text(index - 1) == "extern" else index
    kind = index + 1 + (unit.text(index + 1) == "extern")
    while unit.text(kind) in _ALIGNMENT:
        kind = unit.file.partner(kind + 1) + 1
    end = kind
    while end < len(unit.tokens) and unit.text(end) not in (";", "{", "}"):
        end += 1
    if unit.text(end) != ";" or unit.text(end - 1) in ("]", ")") or unit.scope(index).function is None:
        return []  # an array; or not in a function, where nothing could be said of the object
    name = unit.tokens[end - 1]
    if end - 1 <= kind or name.kind != Kind.IDENT or any(unit.text(i) in (",", "=") for i in _outer(unit, kind, end)):
        return []
    start, stop = unit.tokens[first].start, name.end
    type_ = hole(unit.tokens[kind].start, unit.tokens[end - 2].end)
    given = hole(unit.tokens[index + 1].start, unit.tokens[kind - 1].end) if kind > index + 1 else ""
    given = "" if unit.text(index + 1) == "extern" else given
    storage = f"{name.text}_storage"
    start_of_all = f"{ALIGNMENT} " if runtime_comes_first(unit) else ""
    text = (
        f"{given or f'alignas({type_})'} {start_of_all}extern __shared__ unsigned char {storage}[]; "
        f"auto &{name.text} = *reinterpret_cast<{type_} *>({storage})"
    )
    message = "clang has dynamic shared memory as an array without a size alone: the object is its beginning"
    return [Finding(_RULE, start, stop, Safety.EXACT, message, (Edit(start, stop, text),))]


def _outer(unit: Unit, first: int, last: int) -> Iterator[int]:
    """Tokens outside of brackets, and of what looks like template arguments."""
    depth = 0
    for index in range(first, last):
        text = unit.text(index)
        depth += (text in ("(", "[", "<")) - (text in (")", "]", ">")) - 2 * (text == ">>")
        if depth <= 0:
            yield index
