"""`half __restrict__ (*rows)[64]`, `half __restrict__ *x`: with the element, where nvcc takes no notice of it."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [f for index in unit.file.places("__restrict__", "__restrict") for f in _restrict(unit, index)]


def _restrict(unit: Unit, index: int) -> list[Finding]:
    before = index - 1
    while before > 0 and unit.text(before) in ("const", "volatile"):
        before -= 1
    typed = unit.text(before) == ">" or (before >= 0 and unit.tokens[before].kind == Kind.IDENT)
    pointer = unit.text(index + 2 if unit.text(index + 1) == "(" else index + 1) in ("*", "&")
    array = unit.text(index + 2) == "[" and unit.tokens[index + 1].kind == Kind.IDENT
    if not typed or not (pointer or array):
        return []
    token, following = unit.tokens[index], unit.tokens[index + 1].start
    message = f"{token.text} stands with the element, which is no pointer; it had no effect"
    return [
        Finding("restrict-element", token.start, token.end, Safety.EXACT, message, (Edit(token.start, following, ""),))
    ]
