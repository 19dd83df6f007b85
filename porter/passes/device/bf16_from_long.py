"""Integers of 64 bits that become bf16 by a constructor, which HIP's type has for 32 bits and less."""

from __future__ import annotations

from porter.findings import Finding
from porter.frontend.unit import Unit
from porter.passes.marked import left_where_marked
from porter.rules import RuleSet

__all__ = ["run"]

_MESSAGE = (
    "HIP's bf16 has no conversion from 64-bit integers: write __ll2bfloat16_rn or __ull2bfloat16_rn, which are ported"
)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return left_where_marked(unit, "bf16-from-long", _MESSAGE)
