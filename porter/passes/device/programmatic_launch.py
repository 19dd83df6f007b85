"""Launches that may begin before the kernel in front of them has ended: AMD GPUs have no such thing, HIP no such attribute.

What may begin earlier may begin later. Where a file of the unit sets the attribute, launch configurations become porter's own
types, which keep CUDA's members, and launches leave the attribute out.
"""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.passes.hopper.cluster import LAUNCH_NAMES
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "programmatic-launch"
HEADER = "porter/launch.h"
_CALLS = {"cudaLaunchKernelEx": "porter::launch_in_order", "cudaLaunchKernelExC": "porter::launch_in_order_with"}


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.facts.clusters or not unit.facts.early_launches:  # units with clusters do it themselves
        return []
    findings = []
    for index, token in enumerate(unit.tokens):
        name = LAUNCH_NAMES.get(token.text) or (_CALLS.get(token.text) if unit.is_call(index) else None)
        if name is None or token.kind != Kind.IDENT or unit.is_user_symbol(index) or unit.is_member(index):
            continue
        before = unit.tokens[index - 1]
        start = before.start if before.text == "::" and unit.tokens[index - 2].end != before.start else token.start
        message = f"{token.text} becomes {name}: the kernel begins when those before it have ended"
        findings.append(
            Finding(RULE, start, token.end, Safety.SLOWER, message, (Edit(start, token.end, name),), (HEADER,))
        )
    return findings
