"""`porter verify --bench --sweep`: the file, points that cannot run, results that are kept, and what is called best."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from porter.cli.sweep import run_sweep
from porter.errors import UsageError
from porter.harness.building.build import Library
from porter.harness.cases.entry import Entry
from porter.harness.sessions.session import VerifyOptions, plan_tasks
from porter.harness.sweeps import sweep as sweeps
from porter.harness.sweeps.engine import run_on_engine
from porter.harness.sweeps.sweep import Point, Results, misfit, points_of, run_points
from porter.harness.sweeps.sweep_file import Configuration, read_sweep
from porter.harness.verdict import Status, Timing, Verdict
from porter.perf.isa import KernelFacts
from porter.report.tables.charts import compute_units, scaled, utilisation
from porter.report.tables.sweep_table import best_of, best_text, check_best, print_best

SCALE = """
#include <hip/hip_runtime.h>
__global__ void scale_kernel(const float *x, float *y, int n, float a) {
  __shared__ float staged[ROOM];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x * 7 % ROOM] = i < n ? x[i] : 0;
  __syncthreads();
#ifdef WRONG
  a = 2;
#else
  for (int k = 0; k < 50; k++) asm volatile("s_nop 7");
#endif
  if (i < n) y[i] = a * staged[threadIdx.x * 7 % ROOM];
}
extern "C" hipError_t scale(const float *x, float *y, int n, float a, hipStream_t stream) {
  scale_kernel<<<(n + 127) / 128, 128, 0, stream>>>(x, y, n, a);
  return hipGetLastError();
}
"""
CASE = """
import torch
SHAPES = [dict(n=100)]
BENCH = [dict(n=256), dict(n=250)]
VALUES = ("normal",)
def inputs(n): return {"x": torch.randn(n), "a": 2.5}
def reference(x, a): return {"y": a * x}
def flops(n): return n
"""
SWEEP = """
shapes = {n = [256, 250]}
[constants]
ROOM = [1021, 20011]
WRONG = [false, true]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scale.hip").write_text(SCALE)
    (tmp_path / "case.py").write_text(CASE)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    return tmp_path


def options() -> VerifyOptions:
    return VerifyOptions(board="MI300X", checks=("bounds",), jobs=1, timeout=120)


def all_points(folder: Path, how: VerifyOptions) -> list[Point]:
    tasks, broken = plan_tasks([folder], how)
    assert not broken
    return points_of(read_sweep(folder / "sweep.toml"), tasks, how)


# 250 and 256 are launches of one size that differ in an argument: both are recorded
def test_a_sweep_from_its_file_to_its_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The wrong configuration is the fastest and is not taken; the one that breaks LDS says so; nothing is done twice."""
    results, best = folder / "results.jsonl", [folder / f"best.{end}" for end in ("md", "json", "h")]
    console = Console(width=300, force_terminal=False)
    assert (
        run_sweep(read_sweep(folder / "sweep.toml"), [folder], options(), results, best, folder / "charts", console)
        == 0
    )
    said = capsys.readouterr().out
    assert "8 points for MI300X: 4 predicted, 4 skipped" in said
    assert re.search(r"skipped: 4 points \(.*=.*\): .*(local memory|LDS)", said)
    assert "wrong, not taken: k" in said.replace(folder.name, "k") and "WRONG=True" in said
    for row in json.loads(best[1].read_text())["best"]:
        assert row["proven"] == "yes" and row["row"]["constants"] == {"ROOM": 1021, "WRONG": False}
        low, likely, high = row["row"]["microseconds"]
        assert 0 < low < likely < high and row["row"]["kernel"] == "scale_kernel" and row["row"]["lds_bytes"] == 4084
    assert "| ROOM=1021,WRONG=False |" in best[0].read_text()
    assert "X(256, 1021, 0)" in best[2].read_text() and "X(250, 1021, 0)" in best[2].read_text()
    for name in ("roofline", "speed", "best", "units"):
        assert "WRONG=False" in "".join(ElementTree.parse(folder / "charts" / f"{name}.svg").getroot().itertext())
    assert (folder / "charts" / "charts.html").read_text().count("<svg") == 4

    lines = results.read_text()
    assert run_sweep(read_sweep(folder / "sweep.toml"), [folder], options(), results, [], None, console) == 0
    assert "8 of 8 points are in" in capsys.readouterr().out
    assert results.read_text() == lines


class Fake:
    """In place of builds and of the model: a time for each shape and constant."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, us: Any) -> None:
        self.built: list[tuple[str, ...]] = []
        self.words: tuple[str, ...] = ()  # flags of the last build
        self._us = us
        monkeypatch.setattr(sweeps, "build_library", self.build)
        monkeypatch.setattr(sweeps, "predict", self.predict)

    def build(self, case: Any, side: str, backend: str, fix: bool, defines: tuple[str, ...], flags: Any) -> Library:
        self.built.append(defines)
        self.words = flags
        return Library(Path("x.so"), Entry("scale", False, True, (), ()), case.source, (), False, ())

    def predict(self, tasks: Any, how: VerifyOptions, folder: Path) -> Any:
        for shape in how.shapes:
            us = self._us(shape)
            launch = {
                "symbol": "k",
                "bound": "LDS",
                "matrix_share": 0.0,
                "memory_bytes": 1.0,
                "recording": "",
                "microseconds": us,
            }
            said: Mapping[str, Any] = {
                "launches": [launch],
                "microseconds": us,
                "flops": 2.0,
                "bytes": 3.0,
                "dtype": "float32",
            }
            bad = us[1] < 0
            status = Status.FAIL if bad else Status.PASS
            yield Verdict(
                "",
                "",
                "port",
                "emulator",
                shape,
                "normal",
                0,
                status,
                "it died" if bad else "",
                predicted={} if bad else said,
            )


def test_a_sweep_goes_on_where_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake(monkeypatch, lambda shape: [1.0, -1.0 if shape["n"] == 250 else 2.0, 3.0])
    points, file = all_points(folder, options()), folder / "r.jsonl"
    assert run_points(points, options(), Results.read(file))
    assert len(fake.built) == 4  # each configuration once, for both shapes
    with file.open("a") as out:
        out.write('{"schema": "porter-sweep/1", "key": "cut sh')
    results = Results.read(file)
    assert [row["status"] for row in results.rows.values()].count("failed") == 4
    again = Fake(monkeypatch, lambda shape: [1.0, 2.0, 3.0])
    assert run_points(points, options(), results)
    assert len(again.built) == 4 and all(row["status"] == "done" for row in Results.read(file).rows.values())
    last = Fake(monkeypatch, lambda shape: [1.0, 2.0, 3.0])
    assert run_points(points, options(), Results.read(file)) and not last.built


def test_points_follow_what_they_are_made_of(folder: Path) -> None:
    before = {point.key for point in all_points(folder, options())}
    assert before == {point.key for point in all_points(folder, options())} and len(before) == 8
    assert not before & {point.key for point in all_points(folder, replace(options(), board="MI325X"))}
    (folder / "scale.hip").write_text(SCALE + "// changed\n")
    assert not before & {point.key for point in all_points(folder, options())}


def test_the_best_is_the_fastest_that_has_not_failed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Fake(monkeypatch, lambda shape: [1.0, shape["n"] + shape["ROOM"] / 1e6 + (not shape["WRONG"]) * 5, 9999.0])
    points, results = all_points(folder, options()), Results(folder / "r.jsonl")
    run_points(points, options(), results)
    one, other = best_of(points, results)
    assert one.row and one.row["constants"] == {"ROOM": 1021, "WRONG": True} and one.proven == "no"
    assert other.shape == {"n": 250} and one.second == pytest.approx((256 + 0.020011) / (256 + 0.001021))
    wrong = next(point.proof for point in points if point.key == one.row["key"])
    results.add(
        {
            "key": wrong,
            "kind": "proof",
            "status": "failed",
            "reason": "off",
            "case": "",
            "side": "",
            "constants": {},
            "flags": "",
        }
    )
    assert [best.row["constants"]["ROOM"] for best in best_of(points, results) if best.row] == [20011, 20011]
    assert "none has a time" in " ".join(best_of(points, Results(folder / "none"))[0].cells())


def test_the_best_name_their_flags(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the compiler gets them: in the tables, in JSON, and in the header, by shape where they differ."""
    flags = """[flags]
plain = []
fast = ["-ffast-math", "-mllvm", "-amdgpu-x=a b"]
"""
    (folder / "sweep.toml").write_text(SWEEP.replace("ROOM = [1021, 20011]", "ROOM = [1021]") + flags)
    fake = Fake(monkeypatch, None)
    fake._us = lambda shape: [1.0, 2.0 + (("-ffast-math" in fake.words) is slow[shape["n"]]), 3.0]
    for slow, lines in (
        ({256: False, 250: False}, ["// porter-flags: -ffast-math -mllvm '-amdgpu-x=a b'"]),
        (
            {256: False, 250: True},
            ["// porter-flags[n=256]: -ffast-math -mllvm '-amdgpu-x=a b'", "// porter-flags[n=250]:"],
        ),
        ({256: True, 250: True}, []),
    ):
        points, results = all_points(folder, options()), Results(folder / "none")
        results.file.unlink(missing_ok=True)
        run_points(points, options(), results)
        header, table, data = (best_text(points, results, Path(f"best{end}")) for end in (".h", ".md", ".json"))
        assert [line for line in header.splitlines() if line.startswith("// porter-flags")] == lines
        assert table.count("| fast: -ffast-math -mllvm -amdgpu-x=a b |") == list(slow.values()).count(False)
        fast = ["-DROOM=1021", "-ffast-math", "-mllvm", "-amdgpu-x=a b"]
        said = [fast[: None if not slow[n] else 1] for n in (256, 250)]
        assert [one["arguments"] for one in json.loads(data)["best"]] == said


def test_measured_points_are_verdicts_of_a_gpu(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def timed(task: Any, how: VerifyOptions, outcome: Any) -> Any:
        for run in task.runs:
            timing = Timing("port", 0.002, 0.001, 0.004, 9, "warm")
            status = Status.FAIL if run.shape["n"] == 250 else Status.PASS
            yield Verdict(
                "",
                "",
                "port",
                "AMD Instinct MI300X",
                run.shape,
                "normal",
                0,
                status,
                "wrong",
                timings=(timing,),
                flops=4e6,
            )

    Fake(monkeypatch, None)
    monkeypatch.setattr(sweeps, "prove", timed)
    how = VerifyOptions(backend="amd")
    points, results = all_points(folder, how), Results(folder / "r.jsonl")
    run_points(points, how, results)
    right, wrong = best_of(points, results)
    assert (
        right.row
        and right.row["microseconds"] == [1.0, 2.0, 4.0]
        and right.proven == "yes"
        and right.row["tflops"] == 2.0
    )
    assert wrong.row is None
    console = Console(width=200, record=True)
    print_best(points, results, console)
    assert "failed: 4 points (" in console.export_text()


def test_places_of_the_compute_units() -> None:
    assert utilisation(304, 1, 304) == 1
    assert utilisation(305, 1, 304) == pytest.approx(305 / 608)
    assert utilisation(152, 2, 304) == pytest.approx(0.25)
    assert [compute_units(f"AMD Instinct {board}") for board in ("MI300X", "MI325X", "MI300A")] == [304, 304, 228]


def test_rows_that_scale() -> None:
    """Weak: one configuration, as much work a workgroup. Strong: one problem, other numbers of workgroups."""

    def row(n: int, tile: int) -> dict[str, Any]:
        about = {"case": "k", "side": "port", "flags": "", "shape": {"n": n}, "constants": {"TILE": tile}}
        return {**about, "flops": 2 * n, "groups": n // tile}

    small, large, cut, other = row(256, 64), row(512, 64), row(256, 32), row(100, 100)
    assert scaled([small, large, cut, other], weak=True) == [small, large]
    assert scaled([small, large, cut, other], weak=False) == [small, cut]


def test_misfits_say_why() -> None:
    facts = KernelFacts("k", "k(float*)", 100, 28, 16, 60000, 0, 0, 0, 1024, 4, "", 1, {}, {}, target="gfx942")  # type: ignore[arg-type]

    def library(entry: Entry, kernel: KernelFacts) -> Library:
        return Library(Path(), entry, Path(), (), False, (kernel,))

    plain, entry = Entry("scale", False, True, (), ()), Entry("k", True, False, (), ())
    assert misfit(library(plain, facts), None) == ""
    assert misfit(library(plain, replace(facts, lds=65537)), None) == "k: 65,537 bytes of LDS, a workgroup has 65,536"
    assert "156 registers a lane, 1024 threads have 128 each" in misfit(library(plain, replace(facts, vgprs=128)), None)
    launch = {"block": (256, 2), "shared": 20000}
    assert "80,000 bytes of LDS" in misfit(library(entry, facts), launch)
    assert misfit(library(entry, facts), {**launch, "shared": 100}) == ""
    small = replace(facts, max_threads=256)
    assert "512 threads, it was compiled for 256" in misfit(library(entry, small), {**launch, "shared": 0})


def test_constants_are_defines() -> None:
    assert Configuration("port", {"A": 2, "B": True, "C": False, "T": "float"}, "", ()).defines == (
        "A=2",
        "B=1",
        "T=float",
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("constant = 1", "constant means nothing"),
        ("shapes = 3", "neither a list of tables"),
        ("[constants]\nA = []", "constants.A has no value"),
        ("[constants]\nA = [[1]]", "not a list of numbers"),
        ("[flags]\nfast = [1]", "flags.fast"),
        ('sides = "port"', "sides is not a list"),
        ('sides = ["native"]', "no case has the side native"),
        ("prove = 1", "prove"),
        ("shapes = [", "sweep.toml"),
    ],
)
def test_a_file_that_is_no_sweep(folder: Path, text: str, problem: str) -> None:
    (folder / "sweep.toml").write_text(text)
    with pytest.raises(UsageError, match=problem):
        all_points(folder, options())


def test_formats_of_the_best_are_known() -> None:
    with pytest.raises(UsageError, match="no format"):
        check_best(Path("best.txt"))
    assert best_text([], Results(Path("none")), Path("best.json")).startswith("{")


@pytest.mark.slow
def test_a_sweep_through_submitit_is_the_same_sweep(folder: Path) -> None:
    how = options()
    small = SWEEP.replace("[256, 250]", "[256]").replace("1021, 20011", "1021").replace("false, true", "false")
    text = small + '[engine]\ncluster = "local"\ntimeout_min = 10\n'  # submitit tells its jobs that they have no GPU
    (folder / "sweep.toml").write_text(text)
    sweep = read_sweep(folder / "sweep.toml")
    points = all_points(folder, how)
    here, there = Results(folder / "here.jsonl"), Results(folder / "there.jsonl")
    seen: list[Point] = []
    assert sweep.engine is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # submitit leaves its processes' logs to the collector
        assert run_on_engine(points, how, there, sweep.engine, seen.append)
    assert run_points(points, how, here)
    assert sorted(point.key for point in seen) == sorted(point.key for point in points)
    told = ("status", "reason", "microseconds", "constants")
    for point in points:
        one, other = here.rows[point.key], there.rows[point.key]
        assert [one.get(name) for name in told] == [other.get(name) for name in told]
    assert {row["status"] for row in there.rows.values()} == {"done"}
    assert Results.read(folder / "there.jsonl").rows.keys() == there.rows.keys()


def test_points_of_a_lost_job_have_failed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    how = options()
    points = all_points(folder, how)[:1]
    broken = replace(points[0], task=replace(points[0].task, case=None))  # type: ignore[arg-type]
    results = Results(folder / "lost.jsonl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        monkeypatch.setattr(sweeps, "_about", lambda point, key: {"key": key})  # here; the job has the real one
        assert run_on_engine([broken], how, results, {"cluster": "local"})
    (row,) = results.rows.values()
    assert row["status"] == "failed" and row["reason"].startswith("job ")


def test_an_engine_that_does_not_know_its_parameters(folder: Path) -> None:
    how = options()
    with pytest.raises(UsageError, match="submitit"):
        run_on_engine(all_points(folder, how), how, Results(folder / "r.jsonl"), {"cluster": "local", "no_such": 1})


def test_flags_are_a_list_of_words_or_a_text_as_a_shell_has_it(tmp_path: Path) -> None:
    file = tmp_path / "sweep.toml"
    file.write_text("""[flags]
none = ""
text = "-O3 -mllvm '-amdgpu-x=a b'"
words = ["-O3", "-DNAME=a b"]
""")
    assert read_sweep(file).flags == {
        "none": (),
        "text": ("-O3", "-mllvm", "-amdgpu-x=a b"),
        "words": ("-O3", "-DNAME=a b"),
    }
    for wrong, why in (('"-O3 \'x"', "No closing quotation"), ("[3]", "is not a list of texts")):
        file.write_text(f"[flags]\nfast = {wrong}\n")
        with pytest.raises(UsageError, match=why):
            read_sweep(file)
