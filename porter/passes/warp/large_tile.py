"""Tiles of more than 32 threads, which span several warps: cooperative groups of porter's are within one."""

from __future__ import annotations

from porter.findings import Finding
from porter.frontend.unit import Unit
from porter.passes.marked import left_where_marked
from porter.rules import RuleSet

__all__ = ["run"]

_MESSAGE = "a tile of more than 32 threads is not ported: use the block, or tiles of 32 and shared memory between them"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return left_where_marked(unit, "large-tile", _MESSAGE)
