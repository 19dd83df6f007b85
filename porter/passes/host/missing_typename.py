"""Types in a type that depends on a template's parameters, without `typename` before them: given to a template, asked for
their size, or made objects of."""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.templates import templates_of
from porter.findings import Edit, Finding, Safety
from porter.frontend.ast import Ast
from porter.frontend.lexer import Kind, template_begin, template_end
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
    starts.update(_made_objects(unit, unit.ast))
    starts.update(_not_made(unit, unit.ast))
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


def _not_made(unit: Unit, ast: Ast) -> Iterator[int]:
    """Where `Type<T>::name` begins, a template's argument by itself, in a unit whose instances the parser does not make:
    it stops at a class template that it takes for none."""
    if not ast.unit_misses_class_templates():
        return
    for index in unit.file.places("::"):
        name = unit.tokens[min(index + 1, len(unit.tokens) - 1)]
        if unit.text(index - 1) not in (">", ">>") or unit.text(index + 2) not in (",", ">", ">>"):
            continue
        first = _first_of_name(unit, index + 1)
        if unit.text(first - 1) not in ("<", ",") or not ast.is_dependent(name.start, name.text):
            continue
        if name.text in ast.member_types():
            yield unit.tokens[first].start


def _made_objects(unit: Unit, ast: Ast) -> Iterator[int]:
    """Where `Type::template name<...>(...)` begins, whose name is a class template's: with `template`, or where it lacks it."""
    lacking = ast.missing_template()
    for opening in unit.file.places("<"):
        name = unit.tokens[opening - 1]
        if unit.text(opening - 2) != "template" and name.start not in lacking:
            continue
        if name.text not in ast.member_class_templates():
            continue
        first = _first_of_name(unit, opening - 1)
        end = template_end(unit.file, opening, len(unit.tokens))
        if end > 0 and unit.text(end) == "(" and first < opening - 1 and _is_in_expression(unit, first):
            yield unit.tokens[first].start


def _first_of_name(unit: Unit, index: int) -> int:
    """The first token of the qualified name that ends with tokens[index]."""
    while unit.text(index - 1) == "::" or unit.text(index - 1) == "template":
        index = index - 1 if unit.text(index - 1) == "template" else template_begin(unit.file, index - 2)
    return index


def _is_in_expression(unit: Unit, first: int) -> bool:
    """Whether the name there is no base of a class, or its initialiser, and `typename` is not there yet."""
    at = first - 1
    while unit.text(at) == ",":
        at -= 1
        while at > 0 and unit.text(at) not in (",", "(", "[", "{", ";", "}", ":"):
            at = unit.file.partner(at) - 1 if unit.text(at) in (")", "]") else at - 1
    return unit.text(at) not in ("typename", "using", "struct", "class", ":")
