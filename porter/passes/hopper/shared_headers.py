"""Headers that units of different kinds include, with kernels or launches: one unit has mirrored warps, another has not.

The port of such a header is that of its most demanding unit; porter's functions in it do what the unit asks for that
includes it. The linker keeps one function of each name. So functions whose code follows from the unit's kind must
differ in name: kernels, launching functions, and their callers. PORTER_UNIT tells the names of units of each kind
apart.
"""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind, template_end
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "warp-roles"
_HEADER = "porter/mirror_lanes.h"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings = []
    for name in sorted(unit.facts.kind_dependent):
        for index in _first_declarations(unit, name):
            token = unit.tokens[index]
            begin = _begin(unit, index)
            words = {t.text for t in unit.tokens[begin:index]}
            message = (
                f"{name} follows from the unit that includes this header, whose kinds differ: each kind has its own"
            )
            if words & {"static", "friend"} or unit.text(begin) == "extern":
                continue  # each unit has its own, or the name is C's
            if words & {"virtual", "requires"}:
                message = (
                    f"{name} follows from the unit that includes this header, whose kinds differ, and they share it"
                )
                findings.append(Finding(RULE, token.end, token.end, Safety.REVIEW, message))
                continue
            at = unit.tokens[begin].start
            edit = Edit(at, at, "PORTER_UNIT ")
            # Behind the name, which may be another pass's.
            findings.append(Finding(RULE, token.end, token.end, Safety.EXACT, message, (edit,), (_HEADER,)))
    return findings


def _first_declarations(unit: Unit, name: str) -> list[int]:
    """Where functions of the name are declared first: declarations if there are any, or else definitions."""
    defined = {f.name_index for f in unit.scopes.functions if f.name == name and f.body[0] >= 0}
    inside = {f.name_index: f for f in unit.scopes.functions}
    declared = [
        k
        for k, token in enumerate(unit.tokens)
        if token.text == name and token.kind == Kind.IDENT and token.directive < 0 and k not in defined
        and unit.text(k + 1) == "(" and unit.text(k - 1) not in (".", "->", "::", "=", "(", ",", "return", "~")
        and (k in inside or unit.scope(k).function is None) and unit.text(unit.file.partner(k + 1) + 1) in (";", "const", "noexcept")
    ]  # fmt: skip
    return declared or sorted(k for k in defined if unit.text(k - 1) not in ("::", "~", "operator"))


def _begin(unit: Unit, name: int) -> int:
    """The declaration's first word behind `template <...>` and `[[...]]`."""
    first = name
    while first > 0 and unit.text(first - 1) not in (";", "{", "}") and unit.tokens[first - 1].directive < 0:
        if unit.text(first - 1) == ":" and unit.text(first - 2) in ("public", "private", "protected"):
            break
        first -= 1
    while unit.text(first) == "template":
        first = template_end(unit.file, first + 1, name, parameters=True)
    while unit.text(first) == "[":
        first = unit.file.partner(first) + 1
    return first
