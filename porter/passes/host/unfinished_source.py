"""Files that end within what they have begun: cut off by an editor, a full disk, a merge."""

from __future__ import annotations

from porter.findings import Finding, Safety
from porter.frontend.ast import Ast
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "unfinished-source"
MESSAGE = "the file ends within what begins here: it was cut off, or a bracket is missing"
_OPENING = frozenset({"(", "[", "{"})
_ENDS = frozenset({";", "{", "}"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    ast = unit.ast
    if ast is None:
        return []
    code = [index for index, token in enumerate(unit.tokens) if token.directive < 0]
    if endless := ast.endless():
        return [_finding(endless[0], endless[0])]
    site = _site(unit, ast, code) if code else -1
    return [_finding(unit.tokens[site].start, unit.tokens[site].end)] if site >= 0 else []


def _finding(start: int, end: int) -> Finding:
    return Finding(RULE, start, end, Safety.LEFT, MESSAGE)


def _site(unit: Unit, ast: Ast, code: list[int]) -> int:
    """The token with which the unfinished part begins; -1 if there is none, or a header that was not found may end it."""
    unread = ast.unread()
    opened = [i for i in code if unit.tokens[i].text in _OPENING and unit.file.partner(i) < 0]
    for index in opened:
        if unit.tokens[index].start in unread:
            return index
    last = unit.tokens[code[-1]]
    if max(unread, default=-1) < last.end or last.text in _ENDS:
        return -1
    if opened:
        return opened[-1]
    macro = ast.missing_headers and (last.text == ")" or (last.kind == Kind.IDENT and last.text.isupper()))
    return -1 if macro else _declaration(unit, code)


def _declaration(unit: Unit, code: list[int]) -> int:
    """Where the last declaration begins."""
    at = len(code) - 1
    while at > 0 and unit.text(code[at - 1]) not in _ENDS and code[at - 1] == code[at] - 1:
        at -= 1
    return code[at]
