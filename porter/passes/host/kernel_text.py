"""Kernels in string literals, for a compiler that runs with the program: porter does not port the text."""

from __future__ import annotations

import re

from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.model import Finding, Safety
from porter.rules import RuleSet

__all__ = ["run"]

# A definition, not a message that names the keyword.
_KERNEL = re.compile(r"__global__\b[^;{}]*?\bvoid\b[^;{}]*?\b\w+\s*\(|\bvoid\s+__global__\s+\w+\s*\(")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    tokens = unit.tokens
    index = 0
    while index < len(tokens):
        last = index
        while last < len(tokens) and tokens[last].kind == Kind.STRING:
            last += 1
        if last > index:
            text = " ".join(token.text for token in tokens[index:last])
            if "__global__" in text and _KERNEL.search(text):
                message = "the kernel source in this string was not ported: hipRTC wants it as HIP"
                start, end = tokens[index].start, tokens[last - 1].end
                findings.append(Finding("kernel-text", start, end, Safety.REVIEW, message))
        index = max(last, index + 1)
    return findings
