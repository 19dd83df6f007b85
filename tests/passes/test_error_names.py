"""Errors that HIP's runtime never returns: for review where something depends on them, and not in tables of texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import Safety
from tests.porting import port

NEVER = "cudaErrorInsufficientDriver"


def safety(code: str, folder: Path) -> Safety:
    result = port(f"#include <cuda_runtime.h>\n{code}\n", folder)
    return next(finding.safety for finding in result.findings if finding.rule == "name-error")


@pytest.mark.parametrize(
    "use",
    [
        "bool f(cudaError_t e) { return e == NEVER; }",
        "int f(cudaError_t e) { switch (e) { case NEVER: return 1; default: return 0; } }",
        "cudaError_t f(bool b) { return b ? NEVER : cudaSuccess; }",
    ],
)
def test_what_depends_on_an_error_that_never_comes_is_for_review(use: str, tmp_path: Path) -> None:
    assert safety(use.replace("NEVER", NEVER), tmp_path) is Safety.REVIEW


@pytest.mark.parametrize(
    "use",
    [
        'const char *f(cudaError_t e) { switch (e) { case NEVER: return "driver"; default: return ""; } }',
        'struct { cudaError_t e; const char *text; } table[] = {{NEVER, "driver"}};',
    ],
)
def test_a_table_of_texts_is_not(use: str, tmp_path: Path) -> None:
    assert safety(use.replace("NEVER", NEVER), tmp_path) is Safety.EXACT
