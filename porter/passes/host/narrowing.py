"""Values that narrow in braces: a warning of nvcc, an error of clang. A cast says that the value fits."""

from __future__ import annotations

from collections.abc import Collection

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "narrowing"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    return [_finding(unit, *place, types, rules) for place, types in unit.ast.narrowed().items()]


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
