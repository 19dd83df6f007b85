"""Tile lengths that a source writes as the same number in several places: said by their lines, never applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import FilePort
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

SOURCE = """struct Tiles {
  float a[128][128];
  float b[128][64];
};
__global__ void __launch_bounds__(128) k(float *x) {
  extern __shared__ char memory[];
  Tiles &t = *reinterpret_cast<Tiles *>(memory);
  for (int i = threadIdx.x; i < 128; i += blockDim.x) t.a[i][0] = x[i];
  x[0] = t.a[0][1] + t.b[0][0];
}
void run(float *x) { k<<<1, 128, sizeof(Tiles)>>>(x); }
"""
PROPOSAL = "It would fit with the 128 of lines 2, 3 and 8 = 64 (32,768)"


def message(folder: Path, source: str) -> str:
    (folder / "a.cu").write_text(source)
    port: FilePort = port_source(Project(folder), folder / "a.cu", "out.hip", Options(oversize="refuse"), {})
    assert "[128][128]" in port.port
    (found,) = [f for f in port.findings if f.rule == "shared-memory-budget"]
    return found.message


def test_a_number_is_named_by_its_lines(tmp_path: Path) -> None:
    words = f"{PROPOSAL}, and compiles. Not applied: these numbers need not be one length"
    assert words in message(tmp_path, SOURCE)


def test_what_does_not_compile_with_it_is_said(tmp_path: Path) -> None:
    source = SOURCE + "static_assert(sizeof(Tiles) == 98304);\n"
    assert f"{PROPOSAL}. Not applied: line 12 of a.cu does not compile with it" in message(tmp_path, source)


@pytest.mark.parametrize("line", ["  float a[128][129];", "  float a[99][255];"])
def test_a_number_that_stands_alone_or_is_odd_is_no_length(line: str, tmp_path: Path) -> None:
    source = (
        SOURCE.replace("  float a[128][128];", line).replace("b[128][64]", "b[127][33]").replace("i < 128", "i < 12")
    )
    (tmp_path / "a.cu").write_text(source)
    port = port_source(Project(tmp_path), tmp_path / "a.cu", "out.hip", Options(oversize="refuse"), {})
    (found,) = [f for f in port.findings if f.rule == "shared-memory-budget"]
    assert "no constant of this file makes it fit" in found.message
