"""Blocks with more warps than a block of the chip has waves, where each warp has a wave of its own."""

from __future__ import annotations

from porter.analysis.launched_blocks import launched_threads, most_threads
from porter.findings import Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "block-over-16-warps"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if not unit.facts.mirrored:
        return []
    findings = []
    for launch, threads in launched_threads(unit):
        if threads > most_threads(unit.chip) and unit.launched(launch) not in unit.facts.plain:
            token = unit.tokens[launch]
            message = (
                f"{threads} threads are {-(-threads // 32)} warps, each with a wave of its own here: "
                f"a block has at most {unit.chip.max_group_waves} waves"
            )
            findings.append(Finding(RULE, token.start, token.end, Safety.LEFT, message))
    return findings
