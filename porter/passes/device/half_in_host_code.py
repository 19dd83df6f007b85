"""Fused multiply-adds of half and bf16 in host code: CUDA has them there, HIP in device code alone."""

from __future__ import annotations

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "half-in-host-code"
_NAMES = ("__hfma", "__hfma2")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for index in unit.file.places(*_NAMES):
        function = unit.scope(index).function
        host = function is not None and (not unit.scope(index).device or "__host__" in function.marks)
        if host and unit.is_call(index) and not unit.is_member(index) and not unit.is_user_symbol(index):
            token = unit.tokens[index]
            edits = (Edit(token.start, token.end, f"porter::{token.text[2:]}"),)
            message = f"HIP has {token.text} for device code alone; porter's is for both"
            findings.append(Finding(RULE, token.start, token.end, Safety.EXACT, message, edits, ("porter/half.h",)))
    return findings
