"""What porter record keeps, and which runs are timed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from porter.errors import UsageError
from porter.harness.bench import BenchOptions
from porter.harness.case import Case, load_case
from porter.harness.golden import add_golden, read_golden
from porter.harness.record import check_names, golden_place, keep_recordings
from porter.harness.session import VerifyOptions, plan_tasks

CASE = """\
import torch
ENTRY = "f"
SHAPES = [dict(n=7), dict(n=64)]
BENCH = [dict(n=64), dict(n=1 << 20)]
VALUES = ("normal", "large")
def inputs(n): return {"x": torch.randn(n)}
def reference(x): return {"out": x * 2}
"""


@pytest.fixture
def case(tmp_path: Path) -> Case:
    folder = tmp_path / "scale"
    folder.mkdir()
    (folder / "case.py").write_text(CASE)
    (folder / "scale.cu").write_text("")
    return load_case(folder / "case.py")


def planned(case: Case, options: VerifyOptions) -> list[tuple[int, str, bool, bool]]:
    (task,), broken = plan_tasks([case.path], options)
    assert not broken
    return [(run.shape["n"], run.values, run.bench, run.kept) for run in task.runs]


def test_shapes_are_verified_and_then_those_of_bench_timed(case: Case) -> None:
    options = VerifyOptions(backend="nvidia", bench=BenchOptions())
    assert planned(case, options) == [
        (7, "normal", False, True), (7, "large", False, True), (64, "normal", True, True),
        (1 << 20, "normal", True, False),
    ]  # fmt: skip


def test_nothing_is_timed_without_bench(case: Case) -> None:
    runs = planned(case, VerifyOptions(backend="nvidia"))
    assert [run[0] for run in runs] == [7, 7, 64]
    assert not any(run[2] for run in runs)


def test_shapes_that_the_user_names_are_timed(case: Case) -> None:
    options = VerifyOptions(backend="nvidia", bench=BenchOptions(), shapes=({"n": 9},))
    assert planned(case, options) == [(9, "normal", True, True), (9, "large", False, True)]


def test_recordings_take_the_place_of_the_last_with_their_timings(case: Case, tmp_path: Path) -> None:
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    x = torch.arange(7.0)
    for seed in (1, 2):
        for file in drafts.iterdir():
            file.unlink()
        add_golden(drafts / "scale", {"n": 7}, "normal", seed, {"x": x}, {"out": x * 2})
        rows = [{"case": "scale", "median_ms": 0.5 * seed}, {"case": "other", "median_ms": 1.0}]
        assert keep_recordings([case], drafts, rows, None) == [(case.path.parent / "golden.json", 1, 1)]
    (run,) = read_golden(case.path.parent / "golden.json").values()
    assert run.seed == 2
    assert torch.equal(run.outputs["out"], x * 2)
    facts = json.loads((case.path.parent / "golden.json").read_text())
    assert facts["timings"] == [{"case": "scale", "median_ms": 1.0}]
    assert sorted(file.name for file in case.path.parent.iterdir()) == [
        "case.py", "golden.json", "golden.safetensors", "scale.cu",
    ]  # fmt: skip


def test_a_case_of_which_nothing_was_right_keeps_its_last_recording(case: Case, tmp_path: Path) -> None:
    assert keep_recordings([case], tmp_path, [], None) == []


def test_places(case: Case, tmp_path: Path) -> None:
    assert golden_place(case, None) == case.path.parent / "golden"
    assert golden_place(case, tmp_path / "out") == tmp_path / "out" / "scale"
    other = case.path.with_name("scale_case.py")
    other.write_text(CASE)
    named = load_case(other)
    assert golden_place(named, None) == case.path.parent / "scale_golden"
    assert golden_place(named, tmp_path) == tmp_path / "scale-scale"


def test_two_cases_of_one_name_are_refused(case: Case, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere" / "scale"
    folder.mkdir(parents=True)
    (folder / "case.py").write_text(CASE)
    (folder / "scale.cu").write_text("")
    check_names([case, case])
    with pytest.raises(UsageError, match="both called scale"):
        check_names([case, load_case(folder / "case.py")])
