"""The minor number of a compute capability, compared with one of NVIDIA's: `prop.major != 9 || prop.minor != 0`."""

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


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None or not unit.has(_MINOR):
        return []
    return list(_compared(unit))


def _compared(unit: Unit) -> Iterator[Finding]:
    for index in unit.file.places("minor"):
        token = unit.tokens[index]
        if token.directive >= 0 or unit.text(index - 1) not in (".", "->") or unit.tokens[index - 2].kind != Kind.IDENT:
            continue
        if unit.text(index - 3) in (".", "->", "::") or not _with_number(unit, index):
            continue
        if unit.ast is not None and unit.ast.member_of(token.start) == "cudaDeviceProp":
            start = unit.tokens[index - 2].start
            major, minor = unit.chip.capability
            message = (
                f"0, as Hopper's compute capability is 9.0, and not {minor}: {unit.chip.target} says {major}.{minor}, "
                "and here NVIDIA's are meant"
            )
            edit = Edit(start, token.end, f"0 /* {unit.file.text[start : token.end]} */")
            yield Finding(RULE, token.start, token.end, Safety.REVIEW, message, (edit,))


def _with_number(unit: Unit, index: int) -> bool:
    """Whether the member that ends at tokens[index], and nothing else, is compared with a number."""
    after = unit.text(index + 1) in _COMPARES and unit.tokens[index + 2].kind == Kind.NUMBER
    before = unit.text(index - 3) in _COMPARES and unit.tokens[index - 4].kind == Kind.NUMBER
    alone = unit.text(index - 3) in ("(", "&&", "||", "!", "=", "return", "?", ",", ";", "{", "}")
    ends = unit.text(index + 3 if after else index + 1) in (")", "&&", "||", ";", "?", ":", ",", "}")
    return ends and (before or (after and alone))
