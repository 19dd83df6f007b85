"""What porter record keeps, and which runs are timed."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from porter.errors import PorterError, UsageError
from porter.harness.cases.case import Case, load_case
from porter.harness.cases.entry import Entry, Parameter
from porter.harness.running.devices import Gpu
from porter.harness.running.golden import add_golden, read_golden
from porter.harness.running.record import check_names, golden_place, keep_recordings
from porter.harness.sessions.jobs import Job, Run
from porter.harness.sessions.session import VerifyOptions, plan_tasks
from porter.harness.sessions.worker import Stopped, _Place
from porter.harness.timing.bench_options import BenchOptions
from porter.harness.verdict import Status

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
    lines = (case.path.parent / "golden.json").read_text().splitlines()
    assert [line for line in lines if "seed" in line or "median" in line] == [
        '  "n=7,normal": {"shape": {"n": 7}, "values": "normal", "seed": 2, "numbers": {}}',
        '  {"case": "scale", "median_ms": 1.0}',
    ]
    assert sorted(file.name for file in case.path.parent.iterdir()) == [
        "case.py", "golden.json", "golden.safetensors", "scale.cu",
    ]  # fmt: skip


def test_a_case_of_which_nothing_was_right_keeps_its_last_recording(case: Case, tmp_path: Path) -> None:
    assert keep_recordings([case], tmp_path, [], None) == []


class FakeGpu(Gpu):
    def __init__(self) -> None:
        self.name, self.stream = "NVIDIA H200", 0
        self.device = self.compute = torch.device("cpu")

    def synchronize(self) -> str:
        return ""


class Doubling:
    """A library whose entry doubles x in place."""

    def bind(self, values: Mapping[str, int], stream: int, launch: object = None) -> Callable[[], int]:
        def call() -> int:
            memory = (ctypes.c_float * 7).from_address(values["x"])
            for number in range(7):
                memory[number] *= 2
            return 0

        return call


class Faulty(FakeGpu):
    """A GPU that PyTorch's own kernels have brought down."""

    def synchronize(self) -> str:
        return "CUDA error: an illegal memory access was encountered"


@pytest.mark.parametrize("raises", [True, False])
def test_a_fault_of_the_reference_is_not_the_kernels(case: Case, tmp_path: Path, raises: bool) -> None:
    def reference(x: torch.Tensor) -> dict[str, torch.Tensor]:
        if raises:
            raise RuntimeError("CUDA error")
        return {"x": x * 2}

    entry = Entry("f", False, True, (Parameter("x", "pointer", "float32", "", False),), (8,))
    place = object.__new__(_Place)
    place.case = replace(case, reference=reference)
    place.job = Job(case.path, None, "scale", "", "original", "nvidia", tmp_path, entry, "scale.cu", ())
    place.device, place.library, place.golden = Faulty(), Doubling(), {}  # type: ignore
    with pytest.raises(Stopped) as stopped:
        place.run(Run({"n": 7}, "normal", 3))
    (verdict,) = stopped.value.args
    assert verdict.status is Status.NOT_RUN
    assert verdict.reason.startswith(
        "the reference failed on the GPU, before the kernel was called: CUDA error: an ille"
    )
    place.device = FakeGpu()
    if raises:  # an error of the case's own is what it says
        with pytest.raises(RuntimeError, match=r"^CUDA error$"):
            place.run(Run({"n": 7}, "normal", 3))


@pytest.mark.parametrize("known", [True, False])
def test_without_a_reference_the_original_is_the_oracle(case: Case, tmp_path: Path, known: bool) -> None:
    entry = Entry("f", False, True, (Parameter("x", "pointer", "float32", "", False),), (8,))
    place = object.__new__(_Place)
    place.case = replace(case, reference=(lambda x: {"x": x * 2}) if known else None)
    place.job = Job(
        case.path, None, "scale", "", "original", "nvidia", tmp_path, entry, "scale.cu", (),
        record=tmp_path / ("known" if known else "unknown"),
    )  # fmt: skip
    place.device, place.library, place.golden, place._launches = FakeGpu(), Doubling(), {}, 0  # type: ignore
    verdict = place.run(Run({"n": 7}, "normal", 3))
    assert verdict.status is Status.PASS
    assert [output.name for output in verdict.outputs] == (["x"] if known else [])
    assert place.job.record is not None
    (run,) = read_golden(place.job.record).values()
    assert torch.equal(run.outputs["x"], 2 * run.inputs["x"])
    assert run.inputs["x"].abs().sum() > 0
    place.job = replace(place.job, record=None)
    if not known:
        with pytest.raises(PorterError, match="no reference"):
            place.run(Run({"n": 7}, "normal", 3))


def test_shapes_that_are_only_timed_are_not_recorded(case: Case, tmp_path: Path) -> None:
    entry = Entry("f", False, True, (Parameter("x", "pointer", "float32", "", False),), (8,))
    place = object.__new__(_Place)
    place.case = replace(case, reference=lambda x: {"x": x * 2})
    place.job = Job(
        case.path, None, "scale", "", "original", "nvidia", tmp_path, entry, "scale.cu", (), record=tmp_path / "draft"
    )
    place.device, place.library, place.golden, place._launches = FakeGpu(), Doubling(), {}, 0  # type: ignore
    assert place.run(Run({"n": 7}, "normal", 3, kept=False)).status is Status.PASS
    assert not (tmp_path / "draft.json").exists()


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
