"""Multicast objects and multimem: one address for the memory of several GPUs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from commands import porter

from porter.execute import RunOptions, run_program
from porter.toolchain import Options, find_toolchain

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("multicast")
    shutil.copy(Path(__file__).parent / "multicast.cu", folder)
    converted = porter("convert", folder / "multicast.cu")
    assert converted.returncode == 0, converted.stdout
    return folder / "multicast.hip"


@pytest.mark.parametrize("words", [[], ["processes"]])
def test_an_all_reduce(port: Path, words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    done = run_program([port], words, Options(), RunOptions(emulate=True, devices=3))
    said = capfd.readouterr()
    assert (done.code, said.out, said.err) == (0, "all-reduce of 3 GPUs: PASS\n", "")
