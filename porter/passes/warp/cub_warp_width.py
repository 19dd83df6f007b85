"""CUB's classes that work for a warp, where the width is left to the default: 32 lanes in CUB, the wave's 64 in hipCUB.

The port writes the 32, and what stands before it in the template's parameters. A name without template arguments, which
may be a macro's text or a template's argument itself, becomes an alias whose width is 32 (porter/cub.h).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind, split_commas, template_end
from porter.frontend.unit import Unit
from porter.passes.qualified import scope_begin
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "cub-warp-width"
HEADER = "porter/cub.h"


class _Width(NamedTuple):
    place: int  # of the width among the template's arguments
    before: tuple[str, ...] = ()  # defaults of the arguments right before it


_WIDTHS: Mapping[str, _Width] = {
    "WarpExchange": _Width(2),
    "WarpLoad": _Width(3, ("hipcub::WARP_LOAD_DIRECT",)),
    "WarpMergeSort": _Width(2),
    "WarpReduce": _Width(1),
    "WarpScan": _Width(1),
    "WarpStore": _Width(3, ("hipcub::WARP_STORE_DIRECT",)),
}

_STRIPED = frozenset(
    {"BlockedToWarpStriped", "LoadDirectWarpStriped", "StoreDirectWarpStriped", "WarpStripedToBlocked"}
)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    named = _named(unit)
    for index in unit.file.places(*_WIDTHS):
        token = unit.tokens[index]
        if token.kind != Kind.IDENT or unit.is_member(index):
            continue
        first = scope_begin(unit, index, ["cub"])
        if first is None and token.text in named and unit.text(index - 1) != "::" and not unit.is_user_symbol(index):
            first = index
        if first is not None:
            findings.append(_finding(unit, first, index))
    return [*findings, *_striped(unit)]


def _striped(unit: Unit) -> list[Finding]:
    """Arrangements of items in stripes over warps, which the source may count on."""
    findings: list[Finding] = []
    for index in unit.file.places(*_STRIPED):
        token = unit.tokens[index]
        if not unit.is_member(index) and scope_begin(unit, index, ["cub"]) is None:
            continue
        if unit.is_user_symbol(index):
            continue
        message = (
            f"the stripes of hipCUB's {token.text} are {unit.chip.wave} lanes wide, CUB's 32: right where hipCUB makes and undoes "
            "them, wrong where the source counts with items of 32 lanes"
        )
        # Behind the name: the table of names has what is before it.
        findings.append(Finding(RULE, token.end, token.end, Safety.REVIEW, message))
    return findings


def _named(unit: Unit) -> frozenset[str]:
    """What a `using cub::WarpReduce;` has made a name of its own, here or in a header of the project."""
    return frozenset(
        name for file in (unit.file, *unit.beside) for name in _WIDTHS for k in file.places(name)
        if k > 2 and [t.text for t in file.tokens[k - 3 : k]] == ["using", "cub", "::"]
    )  # fmt: skip


def _finding(unit: Unit, first: int, index: int) -> Finding:
    name = unit.text(index)
    start, end = unit.tokens[first].start, unit.tokens[index].end
    renamed = (Edit(start, unit.tokens[index].end, f"hipcub::{name}"),) if first < index else ()
    if unit.text(index + 1) != "<":
        if unit.text(first - 1) == "using" and unit.text(index + 1) in (";", ","):
            return Finding(RULE, start, end, Safety.EXACT, f"cub::{name} is hipcub::{name}", renamed)
        message = (
            f"hipcub::{name} is for {unit.chip.wave} lanes by default; porter::{name} is for 32, as cub::{name} is"
        )
        return Finding(RULE, start, end, Safety.EXACT, message, (Edit(start, end, f"porter::{name}"),), (HEADER,))
    closing = _closing(unit, index + 1)
    if closing is None:
        message = (
            f"the template arguments of cub::{name} were not read: its width defaults to the wave in hipCUB; write 32"
        )
        return Finding(RULE, start, end, Safety.REVIEW, message, renamed)
    last, offset = closing
    return _with_width(unit, first, index, split_commas(unit.file, index + 2, last), offset, renamed)


def _with_width(
    unit: Unit, first: int, index: int, arguments: list[tuple[int, int]], offset: int, renamed: tuple[Edit, ...]
) -> Finding:
    name = unit.text(index)
    start, end = unit.tokens[first].start, unit.tokens[index].end
    width = _WIDTHS[name]
    if any(unit.text(last - 1) == "..." for _, last in arguments):
        message = f"the width of hipcub::{name} is 32 only if these arguments say so; its default is {unit.chip.wave}"
        return Finding(RULE, start, end, Safety.REVIEW, message, renamed)
    if len(arguments) > width.place:
        return _written(unit, first, index, arguments, renamed)
    missing = width.place - len(arguments)
    added = [*(width.before[-missing:] if missing else ()), "32"]
    edits = (*renamed, Edit(offset, offset, "".join(f", {text}" for text in added)))
    message = f"the width of cub::{name} is 32 by default; that of hipcub::{name} is the wave's {unit.chip.wave}"
    return Finding(RULE, start, end, Safety.EXACT, message, edits)


def _written(
    unit: Unit, first: int, index: int, arguments: list[tuple[int, int]], renamed: tuple[Edit, ...]
) -> Finding:
    """The width is there. In hipCUB a number of the architecture stands between it and WarpExchange's algorithm."""
    name = unit.text(index)
    start, end = unit.tokens[first].start, unit.tokens[index].end
    edits = renamed
    if name == "WarpExchange" and len(arguments) == 4 and "WARP_EXCHANGE" in unit.file.source(*arguments[3]):
        place = unit.tokens[arguments[3][0]].start
        edits = (*renamed, Edit(place, place, "HIPCUB_ARCH, "))
    return Finding(RULE, start, end, Safety.EXACT, f"cub::{name} is hipcub::{name}, whose width is written", edits)


def _closing(unit: Unit, opening: int) -> tuple[int, int] | None:
    """The token that closes the template arguments of tokens[opening], and the offset of its `>` that does."""
    end = template_end(unit.file, opening, len(unit.tokens), known=True)
    if end < 0:
        return None
    last = end - 1
    outer = 0  # how many lists around this one the token closes, too
    for k in range(opening, last + 1):
        text = unit.text(k)
        outer += len(text) if text in (">", ">>", ">>>") else -1 if text == "<" else 0
    return last, unit.tokens[last].end - 1 - outer
