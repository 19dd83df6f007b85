"""Launches with blanks in their brackets, `kernel << <grid, block >> >(x)`, as formatters write them: nvcc takes them."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Token
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "spaced-launch"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for opening in unit.file.places("<<<"):
        closing = next((k for k in range(opening + 1, len(unit.tokens)) if unit.text(k) == ">>>"), opening)
        findings += [_finding(token) for token in (unit.tokens[opening], unit.tokens[closing]) if _is_spaced(token)]
    return findings


def _is_spaced(token: Token) -> bool:
    return token.end - token.start > len(token.text)


def _finding(token: Token) -> Finding:
    edit = Edit(token.start, token.end, token.text)
    return Finding(
        RULE, token.start, token.end, Safety.EXACT, "clang takes no blanks in the brackets of a launch", (edit,)
    )
