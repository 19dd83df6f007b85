"""The storage class `register`, which C++17 dropped: nvcc still takes it, clang does not."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [f for index in unit.file.places("register") for f in _register(unit, index)]


def _register(unit: Unit, index: int) -> list[Finding]:
    token = unit.tokens[index]
    following = unit.tokens[index + 1] if index + 1 < len(unit.tokens) else None
    if following is None or following.kind != Kind.IDENT or following.start == token.end:
        return []
    at = index + 1
    while unit.text(at) not in (";", "=", "{", "}", ")", ",", ""):
        if unit.text(at) in ("asm", "__asm__", "__asm"):
            return []  # a variable bound to a machine register
        at += 1
    message = "C++17 has no register storage class; it had no effect"
    return [
        Finding(
            "register-keyword", token.start, token.end, Safety.EXACT, message, (Edit(token.start, following.start, ""),)
        )
    ]
