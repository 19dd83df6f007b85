"""Values that narrow in braces: a warning of nvcc, an error of clang. A cast says that the value fits."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "narrowing"
_UNSIGNED = ("unsigned int", "unsigned int")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    types_by_place = {**{place: {_UNSIGNED} for place in _in_launches(unit)}, **unit.ast.narrowed()}
    return [_finding(unit, *place, types, rules) for place, types in types_by_place.items()]


def _in_launches(unit: Unit) -> Iterator[tuple[int, int]]:
    """Values of `<<<dim3{n / TILE, 1}, 32>>>` in templates: libclang does not look at the instances of these."""
    assert unit.ast is not None
    for opening in unit.file.places("<<<"):
        function = unit.scope(opening).function
        if function is None or not unit.ast.is_template(unit.tokens[function.name_index].start):
            continue
        closing = next((k for k in unit.file.places(">>>") if k > opening), opening)
        for index in range(opening + 1, closing):
            if (unit.text(index), unit.text(index + 1)) == ("dim3", "{"):
                values = [unit.tokens[first:last] for first, last in unit.file.arguments(index + 1)]
                yield from ((v[0].start, v[-1].end) for v in values if any(t.kind == Kind.IDENT for t in v))


def _finding(unit: Unit, start: int, end: int, types: Collection[tuple[str, str]], rules: RuleSet) -> Finding:
    if start == end or len({plain for _, plain in types}) > 1:
        wanted = " or ".join(sorted({plain for _, plain in types}))
        where = " in the macro" if start == end else ""
        message = f"clang refuses a value that may not fit its place in braces: cast it to {wanted}{where}"
        return Finding(RULE, start, max(end, start + 1), Safety.LEFT, message)
    name, plain = min(types)
    if not _is_known_everywhere(unit, name, rules):
        name = plain
    message = "clang refuses a value that may not fit its place in braces: the cast says that it does"
    safety = Safety.EXACT
    if unit.ast is not None and unit.ast.begins_dependent(start):
        message += f"; the template's instances in this unit want {plain}, others may not"
        safety = Safety.REVIEW
    edits = (Edit(start, start, f"static_cast<{name}>("), Edit(end, end, ")"))
    return Finding(RULE, start, end, safety, message, edits)


def _is_known_everywhere(unit: Unit, name: str, rules: RuleSet) -> bool:
    """Whether a type's name means the same at the value as at the declaration of what it begins, and in the port."""
    assert unit.ast is not None
    return name not in rules.names and unit.ast.names_global_type(name.removeprefix("std::"))
