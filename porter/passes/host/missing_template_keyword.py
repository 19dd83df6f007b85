"""Member templates of a type that depends on a template's parameters, named without `template` before their names."""

from __future__ import annotations

from collections.abc import Iterator

from porter.findings import Edit, Finding, Safety
from porter.frontend.ast import Ast
from porter.frontend.lexer import Kind, template_begin, template_end
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "missing-template-keyword"
MESSAGE = "clang takes the `<` for `less than`: the keyword says that a template's arguments follow"
AS_ARGUMENT = "clang takes the name for a value: the keyword says that it is a template"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    findings: list[Finding] = []
    wanted = unit.ast.missing_template()
    for index in unit.file.places("<"):
        name = unit.tokens[index - 1]
        if name.kind != Kind.IDENT or unit.text(index - 2) not in ("::", ".", "->"):
            continue
        called = _is_called(unit, index) and name.text in unit.ast.member_templates()
        in_type = _is_a_type(unit, index - 1)
        in_macro = in_type and name.directive >= 0  # `template` may stand there in any case
        dependent = (called or in_type) and unit.ast.is_dependent(name.start, name.text)
        if name.start in wanted or in_macro or dependent:
            edit = Edit(name.start, name.start, "template ")
            findings.append(Finding(RULE, name.start, name.end, Safety.EXACT, MESSAGE, (edit,)))
    return [*findings, *_as_arguments(unit, unit.ast)]


def _as_arguments(unit: Unit, ast: Ast) -> Iterator[Finding]:
    """`Type<T>::name` as the argument of a template that takes templates."""
    if not ast.unit_misses_class_templates():
        return
    wanted = ast.missing_class_template()
    for index in unit.file.places("::"):
        if unit.text(index + 2) not in (",", ">", ">>"):
            continue
        name, first = unit.tokens[index + 1], index - 1
        while unit.text((first := template_begin(unit.file, first)) - 1) == "::":
            first -= 2 if unit.tokens[first - 2].kind == Kind.IDENT or unit.text(first - 2) in (">", ">>") else 1
        while unit.text(first - 1) == "##":
            first -= 2
        in_macro = name.directive >= 0 and name.text in ast.member_class_templates()
        if unit.tokens[first].start in wanted or (in_macro and unit.text(first - 1) in ("<", ",")):
            edit = Edit(name.start, name.start, "template ")
            yield Finding(RULE, name.start, name.end, Safety.EXACT, AS_ARGUMENT, (edit,))


def _is_called(unit: Unit, opening: int) -> bool:
    """Is it the `<` of `Type<...>::name<...>(`, `value.name<...>(` or `pointer->name<...>(`?"""
    end = template_end(unit.file, opening, len(unit.tokens))
    return end > 0 and unit.text(end) == "("


def _is_a_type(unit: Unit, name: int) -> bool:
    """Is it the last name of `typename Type::name`?"""
    while unit.text(name - 1) == "::":
        name = template_begin(unit.file, name - 2)
    return unit.text(name - 1) == "typename"
