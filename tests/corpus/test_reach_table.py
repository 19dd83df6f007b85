"""`python -m porter.validation.reach`: the table of what every case would reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porter.harness.sweeps import sweep
from porter.validation import reach

KERNEL = """#include <hip/hip_runtime.h>
__global__ void scale_kernel(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
extern "C" void scale(const float *x, float *y, int n) { scale_kernel<<<(n + 255) / 256, 256>>>(x, y, n); }
"""
CASE = """import torch
SHAPES = [dict(n=100)]
BENCH = [dict(n=256), dict(n=512), dict(n=1 << 16)]
PUBLISHED = [dict(n=1 << 16, board="MI300X", by="somebody", us=5)]
def inputs(n): return {"x": torch.randn(n)}
def reference(x): return {"y": 2 * x}
"""


def test_the_table_has_what_was_run_and_says_what_was_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "scale.hip").write_text(KERNEL)
        (tmp_path / name / "case.py").write_text(CASE)
    results, page = tmp_path / "reach.jsonl", tmp_path / "reach.md"
    words = [str(tmp_path), "--only", f"{tmp_path}/two", "--most", "2", "--json", str(results), "--markdown", str(page)]
    assert reach.main(words) == 0
    text = page.read_text()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    (small, large) = rows[2:]
    assert [small[:3], large[:3]] == [["two", "port", "n=256"], ["two", "port", "n=65536"]]
    assert " us to " in large[4] and large[9] and "wait for memory" in large[10]
    assert large[11].startswith("somebody x 1.")
    assert "NOT RUN" not in text  # nobody asked for the other case
    assert "- Not asked for, and without a result by this model: 2 shapes" in text

    def again(*_: Any) -> None:
        pytest.fail("it is in the file")

    monkeypatch.setattr(sweep, "build_library", again)
    assert reach.main(words) == 0
    assert page.read_text() == text
    monkeypatch.setattr(sweep, "model_digest", lambda: "another model")
    old = reach.reach_table(*_points(tmp_path, results), "MI300X", lambda _: True)
    assert "- NOT RUN: two, port, n=65536: not predicted by this model yet" in old
    capsys.readouterr()


def _points(folder: Path, results: Path) -> tuple[Any, Any]:
    options = sweep.VerifyOptions(board="MI300X")
    tasks, _ = reach.plan_tasks([folder / "two"], options)
    empty = reach.Sweep(folder, (), (), {}, {"": ()}, False)
    return reach.points_of(empty, tasks, options), reach.Results.read(results)


def test_the_last_shape_is_the_one_that_stays() -> None:
    shapes = [{"n": n} for n in range(10)]
    assert [one["n"] for one in reach.spread_shapes(shapes, 1)] == [9]
    assert [one["n"] for one in reach.spread_shapes(shapes, 3)] == [0, 5, 9]
    assert len(reach.spread_shapes(shapes, 99)) == 10


@pytest.mark.parametrize(
    ("microseconds", "more", "words"),
    [
        ((95, 100, 111), {}, ""),
        ((80, 100, 110), {}, "range from -20% to +10%"),
        ((-1, 100, 110), {}, "are no range"),
        ((95, 100, 110), {"bytes": 1e9}, "of the peak of memory"),
        ((95, 100, 110), {"flops": 2e11, "dtype": "bfloat16"}, "of the peak of bfloat16"),
        ((95, 100, 110), {"doubt": "uneven"}, "uneven"),
    ],
)
def test_what_cannot_be_is_named(microseconds: tuple[float, ...], more: dict[str, Any], words: str) -> None:
    row = {"microseconds": microseconds, "device": "MI300X", "flops": 0, "bytes": 0, "dtype": "float32", **more}
    doubts = "; ".join(reach.doubts(row))
    assert words in doubts and bool(words) is bool(doubts)
