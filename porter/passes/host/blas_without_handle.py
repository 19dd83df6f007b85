"""Routines of cublas.h, which take no handle: hipBLAS has none like them, though some by the same name."""

from __future__ import annotations

import re

from porter.findings import Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

_ROUTINE = re.compile(
    r"cublas(?:[SDCZ]|I[sdcz])[a-z0-9]+"
)  # as in Fortran: cublasSgemm, cublasIsamax, not cublasSetVector
_NO_ROUTINES = frozenset({"cublasCreate", "cublasDestroy"})
_WITH_HANDLE = "cublas_v2.h"  # gives the same names their other meaning


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if "cublas.h" not in unit.includes or _WITH_HANDLE in unit.includes:
        return []
    routines = {t for t in unit.file.texts() if _ROUTINE.fullmatch(t) and f"{t}_v2" in rules.names} - _NO_ROUTINES
    return [
        _left(unit, index, rules)
        for index in unit.file.places(*routines)
        if not unit.is_member(index) and not unit.is_user_symbol(index)
    ]


def _left(unit: Unit, index: int, rules: RuleSet) -> Finding:
    token = unit.tokens[index]
    message = (
        f"{token.text} of cublas.h takes no handle; {rules.names[token.text].hip} takes one, its scalars by pointer, "
        "and returns a status"
    )
    return Finding("blas-without-handle", token.start, token.end, Safety.LEFT, message)
