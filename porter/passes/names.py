"""1:1 names: every CUDA identifier that has a row in rules/names, wherever it stands in the file."""

from __future__ import annotations

from collections.abc import Mapping

from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.rules import NameRow, RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    names, qualified = rules.names, rules.qualified
    for index, token in enumerate(unit.tokens):
        if token.kind != Kind.IDENT:
            continue
        if token.text in qualified:
            finding = _qualified(unit, index, qualified[token.text])
            if finding is not None:
                findings.append(finding)
                continue
        row = names.get(token.text)
        if row is None or not _applies(unit, index, row, names):
            continue
        edits = (Edit(token.start, token.end, row.hip),) if row.hip and row.hip != token.text else ()
        needs = (row.include,) if row.include.startswith("porter/") and row.hip else ()
        findings.append(Finding(row.rule, token.start, token.end, row.safety, _message(row), edits, needs))
    return findings


def _qualified(unit: Unit, index: int, rows: tuple[NameRow, ...]) -> Finding | None:
    """`thrust::cuda::par`, a namespace's alias in front of it allowed; `prop.major` for a member's row."""
    for row in rows:
        *scope, last = row.cuda.split("::")
        if unit.text(index) != last:
            continue
        if unit.is_member(index):
            if row.kind == "var" and unit.ast is not None and unit.ast.member_of(unit.tokens[index].start) == scope[-1]:
                start, end = unit.tokens[index].start, unit.tokens[index].end
                return Finding(row.rule, start, end, row.safety, _message(row))
            continue
        first = index
        for name in reversed(scope):
            if unit.text(first - 1) != "::" or not _names_scope(unit, unit.text(first - 2), name):
                first = -1
                break
            first -= 2
        if first < 0:
            continue
        start, end = unit.tokens[first].start, unit.tokens[index].end
        hip = row.hip.split("::")
        edits: list[Edit] = []
        if row.hip and len(hip) == len(scope) + 1:
            for k, wanted in enumerate(hip):
                token = unit.tokens[first + 2 * k]
                if wanted not in (token.text, row.cuda.split("::")[k]):
                    edits.append(Edit(token.start, token.end, wanted))
        elif row.hip:
            edits.append(Edit(start, end, row.hip))
        needs = (row.include,) if row.include.startswith("porter/") and row.hip else ()
        return Finding(row.rule, start, end, row.safety, _message(row), tuple(edits), needs)
    return None


def _names_scope(unit: Unit, written: str, meant: str) -> bool:
    """`cg` where `namespace cg = cooperative_groups` stands in the file or its headers."""
    return written == meant or unit.aliases.get(written) == meant


def _message(row: NameRow) -> str:
    if not row.hip:
        return f"{row.cuda} has no HIP counterpart: {row.note}"
    if row.safety is Safety.EXACT:
        return f"{row.cuda} is {row.hip}" if row.hip != row.cuda else f"{row.cuda}: {row.note or 'same name'}"
    return f"{row.cuda} becomes {row.hip}: {row.note}"


def _applies(unit: Unit, index: int, row: NameRow, names: Mapping[str, NameRow]) -> bool:
    before = unit.text(index - 1)
    if unit.is_member(index):
        return False
    if before == "::" and unit.text(index - 2) not in ("", "std") and row.kind != "namespace":
        qualifier = unit.tokens[index - 2]
        scoped_enumerator = row.kind == "enum" and qualifier.text in names
        if qualifier.kind == Kind.IDENT and not scoped_enumerator:
            return False  # my::umin is not CUDA's umin
    if before == "::" and unit.text(index - 2) == "std":
        return False
    if row.kind == "namespace" and not (unit.text(index + 1) in ("::", ";", "=", "{") or before in ("namespace", "=")):
        return False
    if unit.text(index + 1) == "=" and before in (",", "{", "(") and row.kind in ("device", "func"):
        return False  # a designated initialiser or a parameter of that name
    return not unit.is_user_symbol(index)
