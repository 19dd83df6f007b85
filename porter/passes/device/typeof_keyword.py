"""GNU's `typeof`: nvcc knows it in every standard, clang in GNU's alone."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if "typeof" in unit.project_names:
        return []
    message = "clang knows this name with GNU's standards alone"
    findings = []
    for index in unit.file.places("typeof"):
        token = unit.tokens[index]
        if unit.text(index + 1) == "(":
            edit = Edit(token.start, token.end, "__typeof__")
            findings.append(Finding("typeof-keyword", token.start, token.end, Safety.EXACT, message, (edit,)))
    return findings
