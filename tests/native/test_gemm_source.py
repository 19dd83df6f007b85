"""Emitted kernels in the emulator, all checks on, against torch: tails, layouts, elements, what becomes of sums."""

from __future__ import annotations

from pathlib import Path

import pytest
from gemm_program import Program

from porter.harness.sessions.session import VerifyOptions, plan_tasks, verify
from porter.harness.verdict import Status

# Tiles are 128 wide, steps 128 bytes of k.
TAILS = [(128, 256, 128), (100, 72, 40), (1, 8, 512), (65, 131, 200), (130, 257, 37, 16), (3, 1, 1)]
FEW = [(130, 136, 72), (65, 131, 200, 16, 5)]
LARGE = [(500, 509, 200), (512, 490, 37, 16, 3)]
RELU = ("alpha * sum + bias[column] > 0 ? alpha * sum + bias[column] : 0.0f", "(alpha * sum + bias).clamp(min=0)")

PROGRAMS = {
    "bf16": (Program(), TAILS),
    "bf16, large tile": (Program(units=1), LARGE),
    "more tiles than XCDs have at once": (Program(), [(2500, 1900, 8)]),
    "f16": (Program(a="f16", c="f16"), FEW),
    "f32 results": (Program(c="f32"), FEW),
    "columns of C": (Program(c_row_major=False), FEW),
    "a map of C": (Program(c_is_map=True), [(128, 256, 64), (72, 136, 40)]),
    "bias and relu": (Program(value=RELU), FEW),
    "bias and relu, columns of C": (Program(value=RELU, c="f32", c_row_major=False), FEW),
    "A and B lie in columns": (Program(a_k_major=False, b_k_major=False), TAILS),
    "A lies in columns": (Program(a_k_major=False), FEW),
    "B lies in columns, large tile": (Program(b_k_major=False, units=1), LARGE),
    "e4m3": (Program(a="e4m3", c="f32"), FEW),
    "e5m2": (Program(a="e5m2", c="f32"), FEW),
    "e4m3 results": (Program(a="e4m3", c="e4m3"), FEW),
    "e4m3 results, large tile": (Program(a="e4m3", c="e4m3", units=1), LARGE),
    "e5m2 results, bias and relu, columns of C": (Program(c="e5m2", c_row_major=False, value=RELU), FEW),
    "e4m3 results that have been": (
        Program(a="f16", c="e4m3", value=("sum + 0.5f * before", "sum + 0.5 * before")),
        FEW,
    ),
    "e4m3 and e5m2": (Program(a="e4m3", b="e5m2", c="f32"), FEW),
    "s8": (Program(a="s8", c="s32"), FEW),
    "tf32": (Program(a="tf32", c="f32"), FEW),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sample(4)
def test_products(name: str, tmp_path: Path, cache: Path) -> None:
    program, shapes = PROGRAMS[name]
    case = program.write(tmp_path, shapes, ("normal", "nan") if program.a in ("e4m3", "e5m2") else ("normal",))
    options = VerifyOptions(jobs=1)
    tasks, failed = plan_tasks([case], options)
    assert not failed
    outcome = verify(tasks, options)
    assert len(outcome.verdicts) >= len(shapes)
    assert [verdict for verdict in outcome.verdicts if verdict.status is not Status.PASS] == []
