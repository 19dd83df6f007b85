"""The minor number of a compute capability, where NVIDIA's is meant: `prop.minor != 0`, `prop.major * 10 + prop.minor`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "compared-capability"
_MINOR = re.compile(rb"\bminor\b")
_COMPARES = frozenset({"==", "!=", "<", ">", "<=", ">="})
_PRINTS = frozenset({"printf", "fprintf"})
_ENDS = frozenset({")", "&&", "||", ";", "?", ":", ",", "}"}) | _COMPARES


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None or not unit.has(_MINOR):
        return []
    return list(_meant(unit))


def _meant(unit: Unit) -> Iterator[Finding]:
    major, minor = unit.chip.capability
    for index in unit.file.places("minor"):
        token = unit.tokens[index]
        if token.directive >= 0 or unit.text(index - 1) not in (".", "->") or unit.tokens[index - 2].kind != Kind.IDENT:
            continue
        if unit.text(index - 3) in (".", "->", "::"):
            continue
        if unit.ast is None or unit.ast.member_of(token.start) != "cudaDeviceProp":
            continue
        start = unit.tokens[index - 2].start
        if _with_number(unit, index) or _after_major(unit, index):
            message = (
                f"0, as Hopper's compute capability is 9.0, and not {minor}: {unit.chip.target} says {major}.{minor}"
            )
            edit = Edit(start, token.end, f"0 /* {unit.file.text[start : token.end]} */")
            yield Finding(RULE, start, token.end, Safety.EXACT, message, (edit,))
        elif _printed(unit, index):
            message = f"{unit.chip.target} prints {major}.{minor}, its own number"
            yield Finding(RULE, token.start, token.end, Safety.EXACT, message)


def _with_number(unit: Unit, index: int) -> bool:
    """Whether the member that ends at tokens[index], and nothing else, is compared with a number."""
    after = unit.text(index + 1) in _COMPARES and unit.tokens[index + 2].kind == Kind.NUMBER
    before = unit.text(index - 3) in _COMPARES and unit.tokens[index - 4].kind == Kind.NUMBER
    alone = unit.text(index - 3) in ("(", "&&", "||", "!", "=", "return", "?", ",", ";", "{", "}")
    ends = unit.text(index + 3 if after else index + 1) in _ENDS - _COMPARES
    return ends and (before or (after and alone))


def _after_major(unit: Unit, index: int) -> bool:
    """Whether it is the second number of `prop.major * 10 + prop.minor`."""
    first = [unit.text(k) for k in range(index - 6, index - 2)]
    tens = unit.text(index + 1) == "*" and unit.tokens[index + 2].kind == Kind.NUMBER
    ends = unit.text(index + 3 if tens else index + 1) in _ENDS
    return ends and first[:2] == ["major", "*"] and unit.tokens[index - 4].kind == Kind.NUMBER and first[3] == "+"


def _printed(unit: Unit, index: int) -> bool:
    """Whether it is an argument of printf."""
    at = index - 3
    if unit.text(at) != "," or unit.text(index + 1) not in (",", ")"):
        return False
    while at > 0 and unit.text(at) not in ("(", "{", ";"):
        at = unit.file.partner(at) - 1 if unit.text(at) in (")", "}", "]") else at - 1
    return unit.text(at) == "(" and unit.text(at - 1) in _PRINTS
