"""Values that narrow in braces: a warning of nvcc, an error of clang, which says itself what cast it wants."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.ast import NARROWING
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "narrowing"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    findings: list[Finding] = []
    for proposal in unit.ast.proposals(NARROWING):
        edits = tuple(Edit(*edit) for edit in proposal)
        if edits:
            start, end = edits[0].start, edits[-1].end
            message = "clang refuses a value that may not fit its place in braces: the cast says that it does"
            findings.append(Finding(RULE, start, end, Safety.EXACT, message, edits))
    return findings
