"""Types in a type that depends on a template's parameters, given to a template, or asked for their size, without `typename` before them."""

from __future__ import annotations

from porter.analysis.templates import templates_of
from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "missing-typename"
MESSAGE = "clang takes a name in a type that depends on a template for a value: the keyword says that it is a type"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    places = [index for index in unit.file.places("::") if _may_lack_it(unit, index)]
    templates = list(templates_of(unit)) if places else []
    starts = set(unit.ast.missing_typename())  # where the parser made an instance and says so
    for index in places:
        parameter, name = unit.tokens[index - 1].text, unit.text(index + 1)
        around = any(t.first <= index <= t.last and parameter in t.parameters for t in templates)
        sized = unit.text(index - 2) == "("
        if around and name in (unit.ast.sized_types() if sized else unit.ast.member_types()):
            starts.add(unit.tokens[index - 1].start)
    edits = (Edit(start, start, "typename ") for start in sorted(starts))
    return [Finding(RULE, edit.start, edit.start, Safety.EXACT, MESSAGE, (edit,)) for edit in edits]


def _may_lack_it(unit: Unit, index: int) -> bool:
    """Is it the `::` of `<P::name, ...>`, an argument by itself, or of `sizeof(P::name)`?"""
    beside = unit.tokens[max(0, index - 1) : index + 2 : 2]
    if len(beside) < 2 or any(token.kind != Kind.IDENT for token in beside):
        return False
    before, after = unit.text(index - 2), unit.text(index + 2)
    if before == "(" and after == ")":
        return unit.text(index - 3) in ("sizeof", "alignof")
    return before in ("<", ",") and after in (",", ">", ">>")
