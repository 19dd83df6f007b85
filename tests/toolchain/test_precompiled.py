"""Sources that start from HIP's precompiled headers, and from torch's: the same code, and no file left unnoticed."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from porter.toolchain import Options, build
from porter.toolchain.precompiled import header_flags

USE = "\n__global__ void k(int *p) { p[0] = from_torch() + %s; }\n"


@pytest.fixture
def torch(tmp_path: Path) -> Path:
    """A folder that is laid out as torch's; no other test and no other run has its path, since a cache may be kept."""
    folder = tmp_path / uuid.uuid4().hex / "torch" / "include"
    (folder / "torch").mkdir(parents=True)
    (folder / "torch" / "extension.h").write_text(
        "#pragma once\n__device__ inline int from_torch() { return VALUE; }\n"
    )
    return folder


def compiled(folder: Path, torch: Path, head: str, number: str, value: str = "40") -> str:
    folder.mkdir()
    source = folder / "unit.hip"
    source.write_text(head + USE % number)
    (folder / "own.h").write_text("#pragma once\n")
    options = Options(defines=(f"VALUE={value}", "HIP_OF_TORCH"), includes=(folder, torch), line_tables=False)
    return build.device_assembly(source, options).read_text()


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The precompiled headers that sources were compiled from."""
    headers: list[str] = []

    def noted(*arguments: object) -> tuple[str, ...]:
        flags = header_flags(*arguments)
        headers.extend(flags[-1:])
        return flags

    monkeypatch.setattr(build, "header_flags", noted)
    return headers


HEAD = "#include <hip/hip_runtime.h>\n#include <torch/extension.h>\n"


def test_torchs_headers_are_precompiled_for_the_second_source(tmp_path: Path, torch: Path, used: list[str]) -> None:
    """Whatever other folders it has, and with its own macros."""
    for number, wanted in enumerate((0, 1, 2)):
        text = compiled(tmp_path / str(number), torch, HEAD, str(number))
        assert f"v_mov_b32_e32 v1, {40 + number}" in text
        assert len(used) == wanted
    assert len(set(used)) == 1
    assert "v_mov_b32_e32 v1, 57" in compiled(tmp_path / "other", torch, HEAD, "7", value="50")
    assert len(used) == 2
    around = tmp_path / "around.hip"
    around.write_text(f'// a file of porter\'s around it\n#include "{tmp_path / "2" / "unit.hip"}"\n')
    options = Options(defines=("VALUE=40", "HIP_OF_TORCH"), includes=(tmp_path, torch), line_tables=False)
    assert "v_mov_b32_e32 v1, 42" in build.device_assembly(around, options).read_text()
    assert len(used) == 3


@pytest.mark.slow
def test_another_release_of_torch_is_noticed(tmp_path: Path, torch: Path, used: list[str]) -> None:
    for number in range(2):
        compiled(tmp_path / str(number), torch, HEAD, "0")
    assert len(used) == 1
    (torch / "torch" / "extension.h").write_text(
        "#pragma once\n__device__ inline int from_torch() { return VALUE + 100; }\n"
    )
    options = Options(defines=("VALUE=40", "HIP_OF_TORCH"), includes=(tmp_path / "1", torch), line_tables=False)
    assert "v_mov_b32_e32 v1, 0x8c" in build.device_assembly(tmp_path / "1" / "unit.hip", options).read_text()


@pytest.mark.parametrize(
    "head",
    [
        "#include <hip/hip_runtime.h>\n#define from_torch other\n#include <torch/extension.h>\n",
        '#include <hip/hip_runtime.h>\n#include "own.h"\n#include <torch/extension.h>\n',
        "#define VALUE_TOO 1\n" + HEAD,
    ],
)
@pytest.mark.sample(1)
def test_what_may_change_torchs_headers_keeps_them_from_it(
    tmp_path: Path, torch: Path, used: list[str], head: str
) -> None:
    for number in range(3):
        assert "v_mov_b32_e32 v1, 4" in compiled(tmp_path / str(number), torch, head, str(number))
    assert used == []
