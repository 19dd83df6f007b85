"""Blocks that are no whole waves, loaded or stored through a transposition by warp, which hipCUB makes of waves."""

from __future__ import annotations

from porter.findings import Finding
from porter.frontend.unit import Unit
from porter.passes.marked import left_where_marked
from porter.rules import RuleSet

__all__ = ["run"]

_MESSAGE = (
    "hipCUB refuses a block that is no multiple of 64 threads here: BLOCK_LOAD_TRANSPOSE and BLOCK_STORE_TRANSPOSE "
    "move the same items"
)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return left_where_marked(unit, "partial-wave-transpose", _MESSAGE)
