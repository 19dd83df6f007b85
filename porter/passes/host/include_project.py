"""#include lines: CUDA's headers become HIP's, ported project files keep being found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Directive, Kind, Token, TokenFile
from porter.frontend.unit import Unit
from porter.passes.host.unused_header import is_unused
from porter.rules import NameRow, RuleSet

__all__ = ["run"]

RUNTIME_HEADER = "hip/hip_runtime.h"
# What that includes in ROCm 6 and 7.
_WITH_RUNTIME = (
    "hip/hip_runtime_api.h", "hip/driver_types.h", "hip/texture_types.h", "hip/surface_types.h", "hip/library_types.h",
    "hip/hip_vector_types.h", "hip/channel_descriptor.h",
)  # fmt: skip


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    conditions: list[int] = []  # the #if directives around the current one
    arrived: dict[str, tuple[int, ...]] = {}  # HIP's and porter's headers, and under which conditions they came
    for number, directive in enumerate(unit.file.directives):
        if directive.name in ("if", "ifdef", "ifndef"):
            conditions.append(number)
        elif directive.name in ("elif", "else") and conditions:
            conditions[-1] = number
        elif directive.name == "endif" and conditions:
            conditions.pop()
        if directive.name == "define":
            findings += _made_by_macro(unit, rules, directive)
        if directive.name not in ("include", "include_next", "import") or directive.last <= directive.first:
            continue
        token = unit.tokens[directive.first]
        if token.kind != Kind.HEADER:
            continue
        name, quoted = token.text[1:-1], token.text[0] == '"'
        if name in unit.renames or name in unit.outside:
            findings += _of_project(unit, token, name)
            continue
        row = rules.headers.get(name)
        if name in unit.own_includes and (quoted or row is None or not row.hip):
            continue  # whatever CUDA has by that name
        if row is None:
            if name.startswith("cuda/") and not any(_tests_for(unit, number, token.text) for number in conditions):
                message = f"{name} is a header of libcu++ that porter does not know"
                findings.append(Finding("unknown-name", token.start, token.end, Safety.LEFT, message))
        elif not row.hip:
            findings.append(_without_counterpart(unit, rules, directive, token, row))
        elif row.hip != name:
            findings.append(_replaced(unit, directive, token, row, tuple(conditions), arrived))
    return findings


def _of_project(unit: Unit, token: Token, name: str) -> list[Finding]:
    """A file of the project that has another name in the port, or that is not ported."""
    renamed = unit.renames.get(name)
    if renamed is None:
        message = _not_ported(unit, name, unit.outside[name])
        return [Finding("include-project", token.start, token.end, Safety.LEFT, message)]
    if renamed == name:
        return []
    edit = Edit(token.start + 1, token.end - 1, renamed)
    message = f"{name} is ported as {renamed}"
    return [Finding("include-project", token.start, token.end, Safety.EXACT, message, (edit,))]


def _without_counterpart(unit: Unit, rules: RuleSet, directive: Directive, token: Token, row: NameRow) -> Finding:
    if is_unused(unit, token.text[1:-1], rules):
        message = f"{token.text[1:-1]} has no HIP counterpart, and nothing of it is used"
        edit = Edit(directive.start, _line_end(unit, directive), "")
        return Finding(row.rule, token.start, token.end, Safety.EXACT, message, (edit,))
    message = f"{token.text[1:-1]} has no HIP counterpart: {row.note}"
    return Finding(row.rule, token.start, token.end, Safety.LEFT, message)


def _replaced(
    unit: Unit,
    directive: Directive,
    token: Token,
    row: NameRow,
    conditions: tuple[int, ...],
    arrived: dict[str, tuple[int, ...]],
) -> Finding:
    """The header of HIP's or porter's instead; the line goes where an earlier line certainly includes it."""
    message = f"{token.text[1:-1]} is {row.hip}" + (f": {row.note}" if row.note else "")
    own = row.hip.startswith("porter/")  # travels with the port, beside it
    text = f'"{unit.runtime_prefix}{row.hip}"' if own else f"{token.text[0]}{row.hip}{token.text[-1]}"
    edit = Edit(token.start, token.end, text)
    first = arrived.get(row.hip)
    alone = directive.last - directive.first == 1  # what else stands on the line would go with it
    if alone and first is not None and first == conditions[: len(first)]:
        edit = Edit(directive.start, _line_end(unit, directive), "")
        message += "; included above already"
    else:
        arrived[row.hip] = conditions
        if row.hip == RUNTIME_HEADER:
            arrived.update(dict.fromkeys(_WITH_RUNTIME, conditions))
    needed = (row.hip,) if own else ()
    return Finding(row.rule, token.start, token.end, row.safety, message, (edit,), needed)


def _tests_for(unit: Unit, number: int, header: str) -> bool:
    """Whether a condition holds only where the header is: `#if __has_include(<cuda/std/tuple>)`."""
    directive = unit.file.directives[number]
    text = unit.file.text[directive.start : directive.end]
    test = re.search(rf"(?<!!)(?<!! )\b__has_include\s*\(\s*{re.escape(header)}\s*\)", text)
    return directive.name in ("if", "elif") and test is not None and not re.search(r"\|\||\?|!\s*\(", text)


_LIBCUDACXX = ("<", "cuda", "/", "std", "/")


def _made_by_macro(unit: Unit, rules: RuleSet, directive: Directive) -> list[Finding]:
    """`#define STD(header) <cuda/std/header>`, which `#include STD(tuple)` uses."""
    body = next((i for i in range(directive.first, directive.last) if unit.text(i) == "<"), directive.last)
    end = body + len(_LIBCUDACXX)
    if [unit.text(i) for i in range(body, end)] != [*_LIBCUDACXX] or unit.text(directive.last - 1) != ">":
        return []
    start, stop = unit.tokens[body].start, unit.tokens[directive.last - 1].end
    used = {
        name
        for file in (unit.file, *(m.tokens for m in unit.members))
        for name in _given(file, unit.text(directive.first))
    }
    rows = {name: rules.headers.get(f"cuda/std/{name}") for name in sorted(used)}
    unlike = [name for name, row in rows.items() if row is None or row.hip != name]
    if unlike:
        message = f"cuda/std/{unlike[0]}, which this macro makes, is not {unlike[0]} in HIP: write its #include out"
        return [Finding("unknown-name", start, stop, Safety.LEFT, message)]
    edit = Edit(unit.tokens[body + 1].start, unit.tokens[end].start, "")
    message = "headers of cuda/std are those of the standard library"
    return [Finding("name-header", start, stop, Safety.EXACT, message, (edit,))]


def _given(file: TokenFile, macro: str) -> Iterator[str]:
    """What the #include lines of a file give the macro."""
    for directive in file.directives:
        given = directive.name == "include" and directive.last > directive.first
        if given and file.tokens[directive.first].text == macro:
            yield file.source(directive.first + 2, directive.last - 1)


def _not_ported(unit: Unit, name: str, left: Path) -> str:
    """What to do about an #include that leads to CUDA which stays CUDA."""
    place = os.path.relpath(left, unit.path.parent)
    target = "" if place == os.path.normpath(name) else f" leads to {place}, which"
    return f"{name}{target} holds CUDA and is not ported in this run: give porter a folder that holds both files"


def _line_end(unit: Unit, directive: Directive) -> int:
    """Where what an #include spells ends: past its line, or at the comment that its author gave it."""
    for start, end in unit.file.comments:
        if directive.start < start and end <= directive.end:
            return start
    text, offset = unit.file.text, directive.end
    end = offset + (text[offset : offset + 1] == "\r")
    return end + (text[end : end + 1] == "\n")
