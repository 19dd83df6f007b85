"""Member templates of a type that depends on a template's parameters, called without `template` before their names."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind, template_end
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "missing-template-keyword"
MESSAGE = "clang takes the `<` for `less than`: the keyword says that a template's arguments follow"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    findings: list[Finding] = []
    for index in unit.file.places("<"):
        name = unit.tokens[index - 1]
        if not _may_lack_it(unit, index) or not unit.ast.is_dependent(name.start, name.text):
            continue
        if name.text in unit.ast.member_templates():
            edit = Edit(name.start, name.start, "template ")
            findings.append(Finding(RULE, name.start, name.end, Safety.EXACT, MESSAGE, (edit,)))
    return findings


def _may_lack_it(unit: Unit, opening: int) -> bool:
    """Is it the `<` of `Type<...>::name<...>(`, `value.name<...>(` or `pointer->name<...>(`?"""
    before = unit.text(opening - 2)
    if unit.tokens[opening - 1].kind != Kind.IDENT or before not in ("::", ".", "->"):
        return False
    end = template_end(unit.file, opening, len(unit.tokens))
    return end > 0 and unit.text(end) == "("
