"""What emitted kernels cost, as the emulator counts it: what docs/design/native-gemm.md says holds."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

_PATH = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "native_gemm.py"
_SPEC = importlib.util.spec_from_file_location("native_gemm", _PATH)
assert _SPEC is not None and _SPEC.loader is not None
native_gemm = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(native_gemm)


def counted(folder: Path, shape: tuple[int, int, int], element: str, result: str, blocks: int = 1) -> dict[str, Any]:
    (launch,) = native_gemm.run_emitted(folder, shape, blocks, element, result)
    row: dict[str, Any] = native_gemm.row(launch)
    return row


@pytest.mark.parametrize(
    ("shape", "element", "result", "tile"),
    [
        ((256, 256, 1024), "bf16", "bf16", (128, 128)),
        ((3072, 3072, 1024), "bf16", "bf16", (128, 256)),
        ((4096, 4096, 1024), "bf16", "bf16", (224, 256)),
        ((4096, 4096, 1024), "f16", "f32", (224, 256)),
        ((4096, 4864, 1024), "bf16", "bf16", (256, 256)),
        ((4096, 4096, 1024), "e4m3", "bf16", (224, 256)),
    ],
)
@pytest.mark.sample(1)
def test_costs(
    shape: tuple[int, int, int], element: str, result: str, tile: tuple[int, int], tmp_path: Path, cache: Path
) -> None:
    row = counted(tmp_path, shape, element, result)
    rows, columns = tile
    k, size, stored = shape[2], {"bf16": 2, "f16": 2, "e4m3": 1}[element], {"bf16": 2, "f32": 4}[result]
    assert row["mfma"] == 2 * rows * columns * k / (
        4 * native_gemm.FLOPS_A_CLOCK["fp8" if element == "e4m3" else element]
    )
    assert row["share"] == 1  # nothing else takes longer
    assert row["conflicts"] == 0
    assert row["scratch"] == 0 and row["registers"] <= 256 and row["waves"] == 2
    assert row["read"] == (rows + columns) * k * size  # each element of A and B once for the tile
    assert row["written"] == rows * columns * stored
