"""Device addresses and texture objects used as numbers: they are numbers in CUDA, and pointers in HIP.

Casts make numbers of them where the source computes, and handles of the results.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from porter.findings import Edit, Finding, Safety
from porter.frontend.handles import HandleUse
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "handle-as-number"
_TYPES = frozenset({"CUdeviceptr", "CUtexObject", "CUsurfObject", "cudaTextureObject_t", "cudaSurfaceObject_t"})
_SPELLED = re.compile("|".join(_TYPES).encode())
_NUMBER = "(unsigned long long)"
_VARIABLE = re.compile(r"[\w.\[\]>* -]+")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None or not (unit.has(_SPELLED) or any(source.has(_SPELLED) for source in unit.included)):
        return []
    groups: list[list[HandleUse]] = []
    uses = sorted(set(unit.ast.handle_uses(_TYPES, unit.file.text)), key=lambda use: (use.start, -use.end, use.kind))
    for use in uses:
        if groups and use.start >= 0 and use.end <= groups[-1][0].end:
            groups[-1].append(use)
        else:
            groups.append([use])
    return [_finding(unit, group, rules) for group in groups]


def _finding(unit: Unit, uses: Sequence[HandleUse], rules: RuleSet) -> Finding:
    kind = uses[0].type
    hip = rules.names[kind].hip
    edits = [edit for use in uses for edit in _edits(unit, use, rules.names[use.type].hip)]
    start = uses[0].start if uses[0].start >= 0 else uses[0].expansion
    end = unit.tokens[unit.file.token_at(start)].end if uses[0].start < 0 else uses[0].end
    if any(edit is None for edit in edits):
        message = f"{kind} is a number in CUDA and {hip} a pointer: compute in unsigned long long, and cast"
        return Finding(RULE, start, end, Safety.LEFT, message)
    message = f"{kind} is a number in CUDA and {hip} a pointer: casts where it is computed with"
    return Finding(RULE, start, end, Safety.EXACT, message, _joined([edit for edit in edits if edit is not None]))


def _edits(unit: Unit, use: HandleUse, hip: str) -> list[Edit | None]:
    """What a use needs, in the order of the text; None where it is not made out."""
    if use.start < 0:
        return [None]
    if use.kind == "read":
        return [Edit(use.start, use.start, _NUMBER)]
    if use.kind == "made":
        return [Edit(use.start, use.start, f"({hip})("), Edit(use.end, use.end, ")")]
    first = unit.tokens[unit.file.token_at(use.start)]
    if use.kind == "cast":
        return [Edit(first.start, first.end, "reinterpret_cast") if first.text == "static_cast" else None]
    return list(_assigned(unit, use, hip)) or [None]


def _assigned(unit: Unit, use: HandleUse, hip: str) -> Sequence[Edit]:
    """`p += n` as an assignment."""
    tokens = unit.tokens
    inside = range(unit.file.token_at(use.start), unit.file.token_at(use.end - 1) + 1)
    at = next((k for k in inside if re.fullmatch(r"[-+*/%&|^]=|<<=|>>=", tokens[k].text)), -1)
    changed = unit.file.text[use.start : tokens[at].start].strip() if at >= 0 else ""
    if not _VARIABLE.fullmatch(changed) or "++" in changed or "--" in changed:
        return ()
    pair = ("(", ")") if at + 2 in inside else ("", "")
    assigned = f"= ({hip})({_NUMBER}{changed} {tokens[at].text[:-1]} {pair[0]}"
    return Edit(tokens[at].start, tokens[at + 1].start, assigned), Edit(use.end, use.end, f"{pair[1]})")


def _joined(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Insertions at one place as one, the outer ones first where they open, and last where they close."""
    places: dict[tuple[int, int], str] = {}
    for edit in edits:
        known = places.get((edit.start, edit.end), "")
        places[edit.start, edit.end] = edit.text + known if edit.text.startswith(")") else known + edit.text
    return tuple(Edit(*place, text) for place, text in sorted(places.items()))
