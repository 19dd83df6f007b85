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


WRAPPED = """#include <cuda.h>
#include <cuda_runtime.h>
#define TEXT(tok) #tok
#define WRAP(result, func) \\
  template <class... A> result call_##func(A... args) { \\
    void *entry; \\
    cudaGetDriverEntryPoint(ARGUMENT, &entry, cudaEnableDefault); \\
    return reinterpret_cast<decltype(&func)>(entry)(args...); \\
  }
WRAP(CUresult, cuTensorMapEncodeTiled)
WRAP(CUresult, NAME)
"""


@pytest.mark.parametrize("argument", ["TEXT(func)", "#func"])
def test_a_name_that_a_macro_is_given_is_ported_with_it(argument: str, tmp_path: Path) -> None:
    source = WRAPPED.replace("ARGUMENT", argument)
    result = port(source.replace("NAME", "cuMemCreate"), tmp_path)
    assert "hipMemCreate)" in result.port
    assert not any(finding.needs_person for finding in result.findings)
    for name in ("cuTensorMapEncodeIm2col", "own_function", "A B"):
        found = [one for one in port(source.replace("NAME", name), tmp_path).findings if one.needs_person]
        line = "Im2col:" if "Im2col" in name else "cudaGetDriverEntryPoint becomes"
        assert [line in one.message for one in found] == [True], name


def test_a_macro_that_nobody_uses_or_that_another_one_uses_is_for_review(tmp_path: Path) -> None:
    source = WRAPPED.replace("ARGUMENT", "TEXT(func)").partition("WRAP(CUresult")[0]
    for more in ("", "#define MORE(f) WRAP(CUresult, f)\nMORE(cuMemCreate)\n"):
        found = [one for one in port(source + more, tmp_path).findings if one.needs_person]
        assert ["cudaGetDriverEntryPoint becomes" in one.message for one in found] == [True]
