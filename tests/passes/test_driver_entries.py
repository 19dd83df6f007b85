"""Functions of the driver that a program asks for by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import Safety
from tests.porting import port

ASKS = {
    "runtime": "cudaDriverEntryPointQueryResult found;\n  cudaGetDriverEntryPoint(NAME, &entry, cudaEnableDefault, &found);",
    "version": "cudaGetDriverEntryPointByVersion(NAME, &entry, 12000, cudaEnableDefault, nullptr);",
    "driver": "cuGetProcAddress(NAME, &entry, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);",
}


def ported(name: str, asks: str, folder: Path) -> tuple[str, bool]:
    """The port, and whether a person must look at it."""
    call = ASKS[asks].replace("NAME", name)
    result = port(
        f"#include <cuda.h>\n#include <cuda_runtime.h>\nvoid f(const char *n) {{\n  void *entry;\n  {call}\n}}\n",
        folder,
    )
    return result.port, any(finding.safety is not Safety.EXACT for finding in result.findings)


@pytest.mark.parametrize("asks", ASKS)
def test_a_name_that_is_written_there_is_ported(asks: str, tmp_path: Path) -> None:
    text, doubtful = ported('"cuTensorMapEncodeTiled"', asks, tmp_path)
    assert '"cuTensorMapEncodeTiled"' in text and not doubtful
    text, doubtful = ported('"cuMemCreate"', asks, tmp_path)
    assert '"hipMemCreate"' in text and not doubtful


@pytest.mark.parametrize("name", ["n", '"cuTensorMapEncodeIm2col"', '"cuFuncSetSharedMemConfigs"'])
def test_other_names_are_for_review(name: str, tmp_path: Path) -> None:
    text, doubtful = ported(name, "runtime", tmp_path)
    assert name in text and doubtful
