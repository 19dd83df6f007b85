"""Measured runs of plain programs: which are chosen, how they get their parameters, and what the command prints."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from porter.validation import measured_runs

PROGRAM = """#include <hip/hip_runtime.h>
#include <cstdlib>
__global__ void none() {}
int main() {
  none<<<atoi(getenv("BENCH_PARAM_num_blocks")), atoi(getenv("BENCH_PARAM_block_size"))>>>();
  return hipDeviceSynchronize();
}
"""
HEAD = "benchmark,scaling_param_name,scaling_param_value,non_scaling_json,kernel_ms_mean,n_reps\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a program and three of its runs, and a run whose program is not there."""
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "none.hip").write_text(PROGRAM)
    rows = [f'none,num_blocks,{n},"{{""block_size"":64}}",{ms},3' for n, ms in ((1, 0.00565), (64, 1), (4096, 0.009))]
    (tmp_path / "mi300x_ground_truth.csv").write_text(HEAD + "\n".join([*rows, 'other,n,1,"{}",1,3']) + "\n")
    return tmp_path


def test_runs_are_spread_over_the_rows_of_programs_that_are_there(folder: Path) -> None:
    runs = measured_runs.measured_runs(folder)
    assert list(runs) == ["none"]
    assert [run.environment["BENCH_PARAM_num_blocks"] for run in measured_runs.spread(runs["none"], 2)] == ["1", "4096"]
    assert [run.environment["BENCH_PARAM_num_blocks"] for run in measured_runs.spread(runs["none"], 1)] == ["64"]
    assert len(measured_runs.spread(runs["none"], 9)) == 3


def test_the_command_compares_what_events_tell(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "runs.json"
    monkeypatch.setattr("sys.argv", ["plain", str(folder), "--runs", "2", "--json", str(out)])
    assert measured_runs.main() == 0
    first, last = json.loads(out.read_text())
    assert first["predicted_us"] == pytest.approx(5.65)  # the least that two events are apart
    # a die begins a workgroup every 8 cycles at most
    assert last["predicted_us"] == pytest.approx(3.45 + 4096 / 8 * 8 / 2100, rel=0.2)
    monkeypatch.setattr(measured_runs, "predicted_us", lambda run: pytest.fail("the file has it"))
    assert measured_runs.main() == 0
    off = [abs(one["predicted_us"] / one["measured_us"] - 1) for one in (first, last)]
    both = f"{sum(off) / 2:.0%}"  # the mean of two is their median
    assert f"| none | 2 | {both} | {both} |" in capsys.readouterr().out
    assert "BENCH_PARAM_num_blocks" not in os.environ
    # with other inputs it has none
    asked = []
    monkeypatch.setattr(measured_runs, "predicted_us", lambda run, inputs: asked.append(inputs) or 1.0)
    monkeypatch.setattr("sys.argv", ["plain", str(folder), "--runs", "2", "--json", str(out), "--inputs", "memory"])
    assert measured_runs.main() == 0
    assert asked == [measured_runs.Inputs.MEMORY] * 2


def test_a_program_that_launches_nothing_is_not_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "none" / "none.hip").write_text("int main() { return 0; }\n")
    monkeypatch.setattr("sys.argv", ["plain", str(folder), "--runs", "1"])
    assert measured_runs.main() == 1
    assert "NOT RUN" in capsys.readouterr().out


CALLS = """#include <hip/hip_runtime.h>
#include <cstdlib>
#include <cstring>
__global__ void set(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void add(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
int main(int count, char **words) {
  const int length = atoi(words[2]), calls = atoi(words[6]);
  if (strcmp(words[1], "--length") || strcmp(words[5], "--iterations")) return 1;
  float *x;
  hipMalloc(&x, 4 * length);
  set<<<length / 256, 256>>>(x);
  for (int i = 0; i < 1 + calls; i++) add<<<length / 256, 256>>>(x), add<<<length / 256, 256>>>(x);
  return hipDeviceSynchronize();
}
"""


def test_calls_of_a_program_are_told_by_its_launches(tmp_path: Path) -> None:
    (tmp_path / "fir.cpp").write_text(CALLS)
    head = "kernel_name,problem_size,iterations,avg_ms,min_ms,max_ms\n"
    (tmp_path / "mi300a.csv").write_text(f"{head}fir,65536_taps8,51,0.006,0.004,0.01\nbfs,n,51,1,1,1\n")
    (run,) = measured_runs.measured_runs(tmp_path)["fir"]
    assert (run.board.name, run.microseconds) == ("MI300A", 6)
    low, high = run.board.events_us
    assert max(low, high) < measured_runs.predicted_us(run) < low + 6  # two launches of 64 workgroups
