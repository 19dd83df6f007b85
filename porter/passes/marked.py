"""What the parser's stub headers mark (PORTER_SAID) and HIP lacks: they name the places, in instances of templates too."""

from __future__ import annotations

from porter.findings import Finding, Safety
from porter.frontend.unit import Unit

__all__ = ["left_where_marked"]


def left_where_marked(unit: Unit, rule: str, message: str) -> list[Finding]:
    """The places that the stub headers mark with the rule's name, left with that message."""
    places = unit.ast.marked(rule) if unit.ast is not None else []
    ends = [unit.tokens[unit.file.token_at(place)].end for place in places]
    return [Finding(rule, place, end, Safety.LEFT, message) for place, end in zip(places, ends, strict=True)]
