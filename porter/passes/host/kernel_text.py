"""Kernels in string literals, for a compiler that runs with the program: where they are, and which program's text is not seen.

The text itself is ported in place by porter/port/sources/kernel_strings.py, by the same passes.
"""

from __future__ import annotations

import re

from porter.analysis.runtime_texts import CREATE, Unreached, runtime_texts
from porter.findings import Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_CREATES = re.compile(CREATE.encode())
_PORTED = "the kernel source in this string is ported in place"
_UNTRACED = "; nothing that this file includes gives it to NVRTC: check what compiles it"
_ELSEWHERE = ": strings with kernels are ported where they stand; a text from elsewhere has to be HIP"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    runtime = runtime_texts(unit.file, unit.scopes)
    compiles = any(member.has(_CREATES) for member in unit.members)
    findings: list[Finding] = []
    for text in runtime.texts:
        start, end = unit.tokens[text.first].start, unit.tokens[text.last - 1].end
        seen = text.traced or compiles
        message = _PORTED if seen else _PORTED + _UNTRACED
        findings.append(Finding("kernel-text", start, end, Safety.EXACT if seen else Safety.REVIEW, message))
    for gap in runtime.unreached:
        if not _in_a_member(unit, gap):
            start, end = unit.tokens[gap.first].start, unit.tokens[gap.last - 1].end
            findings.append(Finding("kernel-text", start, end, Safety.REVIEW, gap.why + _ELSEWHERE))
    return findings


def _in_a_member(unit: Unit, gap: Unreached) -> bool:
    """Whether an included file of the project has kernels in strings, and the name of this expression."""
    name = unit.text(gap.first)
    others = (member for member in unit.members if member.path != unit.path and b"__global__" in member.data)
    return any(member.tokens.places(name) and runtime_texts(member.tokens, member.scopes).texts for member in others)
