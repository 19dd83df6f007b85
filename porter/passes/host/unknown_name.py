"""What nobody claimed: names that look like CUDA's and stand in no table. Silence is never success."""

from __future__ import annotations

import re

from porter.findings import Finding, Safety
from porter.frontend.unit import Unit
from porter.passes.declared import declared_in_unit
from porter.rules import RuleSet

__all__ = ["run"]

_LIBRARIES = "blas|blasLt|rand|fft|sparse|solver|solverDn|solverSp|solverMg|dnn|tensor"
_CUDA_LIKE = re.compile(
    rf"(?:cuda(?!Ke?rnel)[A-Z]\w*|(?:cu(?:{_LIBRARIES}))[A-Z_]\w*|CUDA_[A-Z0-9_]+|nvrtc[A-Z]\w*|NVRTC_\w+"
    r"|cu(?:Ctx|Device|Event|Func|Graph|Init|Launch|Link|Mem|Memcpy|Memset|Module|Occupancy|Pointer|Stream|Tensor|TexRef|Tex|Surf)[A-Z]?\w*"
    r"|CU_[A-Z0-9_]+|CUBLAS_\w+|CUFFT_\w+|CURAND_\w+|CUSPARSE_\w+|CUSOLVER_\w+|CUDNN_\w+)"
)
# Intrinsics have two underscores and a suffix that names the machine operation.
_INTRINSIC = re.compile(r"__(?:v[a-z]+[24]|nv_\w+|shfl\w*|ballot\w*|match_\w+|reduce_\w+_sync|ld[a-z]{2}|st[a-z]{2})")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    declared: frozenset[str] | None = None  # a walk over whole files, so only where something asks
    unknown = (text for text in unit.file.texts() if text not in rules.names and text not in rules.calls)
    for index in unit.file.places(*(t for t in unknown if _CUDA_LIKE.fullmatch(t) or _INTRINSIC.fullmatch(t))):
        token = unit.tokens[index]
        if unit.is_member(index) or unit.text(index - 1) == "::" or unit.is_user_symbol(index):
            continue
        if token.directive >= 0 and unit.file.directives[token.directive].name in (
            "define",
            "ifdef",
            "ifndef",
            "undef",
        ):
            continue
        if declared is None:
            declared = declared_in_unit(unit)
        if token.text in declared:
            continue
        message = f"{token.text} looks like a CUDA name that porter does not know"
        findings.append(Finding("unknown-name", token.start, token.end, Safety.LEFT, message))
    return findings
