"""Tiles of more than 32 threads, which span several warps: cooperative groups of porter's are within one.

The parser's stub headers mark where they are made, so that it names the places, in instances of templates too.
"""

from __future__ import annotations

from porter.frontend.unit import Unit
from porter.model import Finding, Safety
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "large-tile"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [_finding(unit, offset) for offset in unit.ast.marked(RULE)] if unit.ast is not None else []


def _finding(unit: Unit, offset: int) -> Finding:
    message = (
        "a tile of more than 32 threads is not ported: use the block, or tiles of 32 and shared memory between them"
    )
    return Finding(RULE, offset, unit.tokens[unit.file.token_at(offset)].end, Safety.LEFT, message)
