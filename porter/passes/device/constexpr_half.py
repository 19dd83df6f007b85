"""Constants of half and bf16 become their bits: HIP's types hold unions, which constant expressions cannot have."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "constexpr-half"
_TYPES = frozenset(
    "half half2 __half __half2 nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 nv_half nv_half2".split()
)
_SPECIFIERS = frozenset({"constexpr", "static", "inline", "const", "__device__", "__host__"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    places = unit.file.places("constexpr")
    if not places:
        return []
    types = _TYPES | _named_so(unit)
    return [finding for index in places if (finding := _constant(unit, index, types)) is not None]


def _named_so(unit: Unit) -> frozenset[str]:
    """Other names that the unit's files give these types."""
    return frozenset(name for source in unit.members for name, body in source.aliases.items() if body in _TYPES)


def _constant(unit: Unit, index: int, types: frozenset[str]) -> Finding | None:
    """`constexpr half name = ...`, a variable."""
    kind = index
    while unit.text(kind) in _SPECIFIERS:
        kind += 1
    name = kind + 1 + (unit.text(kind + 1) == "const")
    is_variable = unit.text(kind) in types and name < len(unit.tokens) and unit.tokens[name].kind == Kind.IDENT
    if not is_variable or unit.text(name + 1) not in ("=", "{"):
        return None
    token = unit.tokens[index]
    if unit.scope(index).function is None:
        message = f"{unit.text(kind)} is no literal type in HIP, and {unit.text(name)} no constant: make it a function"
        return Finding(RULE, token.start, token.end, Safety.LEFT, message)
    message = f"{unit.text(kind)} is no literal type in HIP: {unit.text(name)} is worked out where it stands"
    edits = [Edit(token.start, token.end, "const")]
    first = index - 1 if unit.text(index - 1) == "static" else index + 1
    if unit.text(first) == "static":
        start, end = unit.tokens[first].start, unit.tokens[first + 1].start
        edits.append(Edit(start, end, ""))
    return Finding(RULE, token.start, token.end, Safety.EXACT, message, tuple(sorted(edits, key=lambda e: e.start)))
