"""Sizes that a launch in one file asks for, and the constants of them in another, beside the kernel."""

from __future__ import annotations

from pathlib import Path

from porter.findings import Finding, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import Ports

KERNEL = """#pragma once
#include <cuda_runtime.h>
constexpr int kStages = 4;
struct stage { float rows[8192]; };
__global__ void ring(float *x) {
  extern __shared__ float stages[];
  for (int i = 0; i < kStages; ++i) stages[i * 8192] = i;
  *x = stages[0];
}
"""
LAUNCH = "void run(float *x) { ring<<<1, 128, kStages * sizeof(stage)>>>(x); }\n"


def budget(folder: Path, name: str, includer: str | None = None) -> list[Finding]:
    """Of a file in the folder, as a part of a unit of it."""
    ports = Ports(Project(folder), Options(runtime="include", oversize="refuse"))
    result = ports.port(folder / name, "a.hip", {}, None if includer is None else folder / includer)
    return [f for f in result.findings if f.rule == "shared-memory-budget"]


def test_constants_beside_the_kernel_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "ring.h").write_text(KERNEL)
    (tmp_path / "a.cu").write_text(f'#include "ring.h"\n{LAUNCH}')
    [finding] = budget(tmp_path, "ring.h", "a.cu")
    assert finding.message.startswith("kStages is 2 instead of 4: 131,072 bytes") and finding.edits
    assert not budget(tmp_path, "a.cu")


def test_of_a_source_that_another_includes(tmp_path: Path) -> None:
    (tmp_path / "ring.cu").write_text(KERNEL + LAUNCH.replace("run", "main_run"))
    (tmp_path / "a.cu").write_text(f'#include "ring.cu"\n{LAUNCH}')
    [finding] = budget(tmp_path, "ring.cu", "a.cu")
    assert finding.message.startswith("kStages is 2 instead of 4: 131,072 bytes") and finding.edits
    assert not budget(tmp_path, "a.cu")


def test_a_file_of_several_units_keeps_its_constants(tmp_path: Path) -> None:
    """Each of them might want another number."""
    (tmp_path / "ring.h").write_text(KERNEL)
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text(f'#include "ring.h"\n{LAUNCH}')
    assert not budget(tmp_path, "ring.h", "a.cu")
    [finding] = budget(tmp_path, "a.cu")
    assert finding.safety is Safety.LEFT and finding.message.startswith("131,072 bytes of shared memory; ")
