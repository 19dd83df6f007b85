"""Handles of libraries as CUDA's headers have them: pointers to a structure that nobody looks into."""

from __future__ import annotations

import re

from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["is_context_pointer", "run"]

RULE = "library-context"
_CONTEXTS = ("cublasContext", "cublasLtContext", "cusparseContext", "cusolverDnContext", "cusolverSpContext")
_SPELLED = re.compile("|".join(_CONTEXTS).encode())
_MESSAGE = "the handle is void * in HIP's library"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if not unit.has(_SPELLED):
        return []
    places = (index for index in unit.file.places(*_CONTEXTS) if is_context_pointer(unit, index))
    return [_finding(unit, index) for index in places]


def is_context_pointer(unit: Unit, index: int) -> bool:
    return unit.text(index) in _CONTEXTS and unit.text(index + 1) == "*"


def _finding(unit: Unit, index: int) -> Finding:
    first, last = unit.tokens[index - (unit.text(index - 1) == "struct")], unit.tokens[index]
    return Finding(RULE, first.start, last.end, Safety.EXACT, _MESSAGE, (Edit(first.start, last.end, "void"),))
