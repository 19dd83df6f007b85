"""Blocks that are no whole waves, loaded or stored through a transposition by warp, which hipCUB makes of waves.

The parser's stub headers mark the calls, so that it names the places, in instances of templates too.
"""

from __future__ import annotations

from porter.frontend.unit import Unit
from porter.model import Finding, Safety
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "partial-wave-transpose"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return [_finding(unit, offset) for offset in unit.ast.marked(RULE)] if unit.ast is not None else []


def _finding(unit: Unit, offset: int) -> Finding:
    message = (
        "hipCUB refuses a block that is no multiple of 64 threads here: BLOCK_LOAD_TRANSPOSE and BLOCK_STORE_TRANSPOSE "
        "move the same items"
    )
    return Finding(RULE, offset, unit.tokens[unit.file.token_at(offset)].end, Safety.LEFT, message)
