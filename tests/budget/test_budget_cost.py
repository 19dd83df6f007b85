"""What a unit costs whose header launches what constants of its main file size: numbers of parses and of readings."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from porter.budget import constants
from porter.frontend import probes
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import Ports

HEADER = """#pragma once
#include <cuda_runtime.h>
constexpr int MAX_SHARED_MEMORY = 227 * 1024;
struct stage { float rows[8192]; };
template <int STAGES> __global__ void ring(float *x) {
  extern __shared__ float stages[];
  for (int i = 0; i < STAGES; ++i) stages[i * 8192] = i;
  *x = stages[0];
}
template <int STAGES> void launch(float *x) { ring<STAGES><<<1, 128, STAGES * sizeof(stage)>>>(x); }
"""
MAIN = '#include "ring.h"\nvoid run(float *x) { launch<4>(x); }\n'


def test_a_unit_is_read_once_and_parsed_once_for_each_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def count(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def counted(*given: Any) -> Any:
            calls.append(name)
            return function(*given)

        monkeypatch.setattr(module, name, counted)

    count(constants, "read_names")
    count(probes, "reparsed")
    (tmp_path / "ring.h").write_text(HEADER)
    (tmp_path / "a.cu").write_text(MAIN)
    ports = Ports(Project(tmp_path), Options(runtime="include"))
    ports.port(tmp_path / "ring.h", "ring.h", {}, tmp_path / "a.cu")
    main = ports.port(tmp_path / "a.cu", "a.hip", {}, None)
    assert "launch<2>(x)" in main.port
    assert calls.count("read_names") == 1
    assert calls.count("reparsed") <= 6
