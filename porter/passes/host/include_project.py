"""#include lines: CUDA's headers become HIP's, ported project files keep being found."""

from __future__ import annotations

import os
from pathlib import Path

from porter.frontend.lexer import Directive, Kind
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.rules import RuleSet

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
        if directive.name not in ("include", "include_next", "import") or directive.last <= directive.first:
            continue
        token = unit.tokens[directive.first]
        if token.kind != Kind.HEADER:
            continue
        opening, name, closing = token.text[0], token.text[1:-1], token.text[-1]
        renamed = unit.renames.get(name) if opening == '"' or name in unit.renames else None
        if renamed is not None:
            if renamed != name:
                edit = Edit(token.start + 1, token.end - 1, renamed)
                findings.append(
                    Finding(
                        "include-project",
                        token.start,
                        token.end,
                        Safety.EXACT,
                        f"{name} is ported as {renamed}",
                        (edit,),
                    )
                )
            continue
        beyond = unit.outside.get(name)
        if beyond is not None:
            message = _not_ported(unit, name, beyond)
            findings.append(Finding("include-project", token.start, token.end, Safety.LEFT, message))
            continue
        row = rules.headers.get(name)
        if name in unit.own_includes and (opening == '"' or row is None):
            continue  # whatever CUDA has by that name
        if row is None:
            if name.startswith("cuda/"):
                message = f"{name} is a header of libcu++ that porter does not know"
                findings.append(Finding("unknown-name", token.start, token.end, Safety.LEFT, message))
            continue
        if not row.hip:
            findings.append(
                Finding(row.rule, token.start, token.end, Safety.LEFT, f"{name} has no HIP counterpart: {row.note}")
            )
            continue
        if row.hip == name:
            continue
        message = f"{name} is {row.hip}" + (f": {row.note}" if row.note else "")
        own = row.hip.startswith("porter/")  # travels with the port, beside it
        text = f'"{unit.runtime_prefix}{row.hip}"' if own else f"{opening}{row.hip}{closing}"
        edit = Edit(token.start, token.end, text)
        first = arrived.get(row.hip)
        if first is not None and first == tuple(conditions)[: len(first)]:
            edit = Edit(directive.start, _line_end(unit, directive), "")
            message += "; included above already"
        else:
            arrived[row.hip] = tuple(conditions)
            if row.hip == RUNTIME_HEADER:
                arrived.update(dict.fromkeys(_WITH_RUNTIME, tuple(conditions)))
        needed = (row.hip,) if own else ()
        findings.append(Finding(row.rule, token.start, token.end, row.safety, message, (edit,), needed))
    return findings


def _not_ported(unit: Unit, name: str, left: Path) -> str:
    """What to do about an #include that leads to CUDA which stays CUDA."""
    place = os.path.relpath(left, unit.path.parent)
    told = "" if place == os.path.normpath(name) else f" leads to {place}, which"
    return f"{name}{told} holds CUDA and is not ported in this run: give porter a folder that holds both files"


def _line_end(unit: Unit, directive: Directive) -> int:
    """Where what an #include spells ends: past its line, or at the comment that its author gave it."""
    for start, end in unit.file.comments:
        if directive.start < start and end <= directive.end:
            return start
    text, offset = unit.file.text, directive.end
    end = offset + (text[offset : offset + 1] == "\r")
    return end + (text[end : end + 1] == "\n")
