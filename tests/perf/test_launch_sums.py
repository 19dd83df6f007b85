"""`porter run --time` of programs with many launches, and of launches that the followed workgroups do not stand for."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from commands import porter

from porter.perf.launch_ranges import ranges_of
from porter.perf.uneven import doubt, doubt_of_call, ran_alone
from porter.report.tables.predicted_launches import microseconds

PROGRAM = """#include <hip/hip_runtime.h>
__device__ unsigned next_tile;
__global__ void a_kernel_with_a_long_name(float *x, int n) {
  for (int i = 0; i < n; i++) x[blockIdx.x * 64 + threadIdx.x] += 1;
}
__global__ void last_one(float *x, int n) {
  if (blockIdx.x + 1 < gridDim.x) return;
  for (int i = 0; i < n; i++) x[threadIdx.x] = x[threadIdx.x] * 0.5f + 1;
}
__global__ void queue(float *x, int tiles) {
  __shared__ unsigned tile;
  for (;;) {
    if (!threadIdx.x) tile = atomicAdd(&next_tile, 1u);
    __syncthreads();
    const unsigned mine = tile;
    __syncthreads();
    if (mine >= (unsigned)tiles) return;
    x[mine * 64 + threadIdx.x] += 1;
  }
}
int main() {
  float *x;
  hipMalloc(&x, 1 << 20);
  for (int n = 1; n <= 30; n++) a_kernel_with_a_long_name<<<n, 64>>>(x, 1);
  a_kernel_with_a_long_name<<<16, 64>>>(x, 100);
  last_one<<<100, 64>>>(x, 2000);
  queue<<<64, 64>>>(x, 2000);
  return hipDeviceSynchronize();
}
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("launches")
    (folder / "program.hip").write_text(PROGRAM)
    words = ["run", "program.hip", "--emulate", "--time", "--threads", "1", "--json", "out.json"]
    done = porter(*words, cwd=folder, env={**os.environ, "COLUMNS": "60"})
    assert done.returncode == 0, done.stderr
    return done.stderr, json.loads((folder / "out.json").read_text())["launches"]


@pytest.mark.slow
def test_numbers_are_not_cut_short_and_launches_are_summed_up(said: tuple[str, list[dict[str, Any]]]) -> None:
    text, launches = said
    assert "…" not in text and "a_kernel_with_a_long_name" in text
    together = next(line for line in text.splitlines() if line.startswith("together: "))
    assert together.startswith("together: 33 launches, 32 of them predicted") and "8 of them are not shown" in together
    known = {
        launch["recording"]: launch["predicted"]["microseconds"][1] for launch in launches if "predicted" in launch
    }
    assert len(known) == 32
    again = next(launch for launch in launches if launch["grid"][0] == 16 and "a_kernel" in launch["kernel"])
    whole = sum(known.values()) + again["predicted"]["microseconds"][1]
    number, unit = together.split(": ")[2].split(",")[0].split()
    assert float(number) * (1000 if unit == "ms" else 1) == pytest.approx(whole, rel=0.01)


def test_a_launch_that_others_stand_for_badly_says_so(said: tuple[str, list[dict[str, Any]]]) -> None:
    text, launches = said
    words = text.split()
    assert "launches execute 1 to " in text and "times as many instructions as the one that stands for them" in text
    doubts = {
        launch["kernel"].split("(")[0]: launch["predicted"]["doubt"] for launch in launches if "predicted" in launch
    }
    assert "the time is too short" in doubts["last_one"]
    assert not doubts["a_kernel_with_a_long_name"]
    assert words.count("look:") >= 2


def test_workgroups_share_out_what_they_take_from_a_counter(
    said: tuple[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    """Where all of a grid is there at once and runs, as on the chip; what runs alone says that it does not."""
    (queue,) = (launch for launch in said[1] if launch["kernel"].startswith("queue"))
    assert not queue["predicted"]["doubt"]
    assert queue["followed"]["most"] < 1.5 * queue["followed"]["instructions"] / queue["followed"]["groups"]
    (tmp_path / "program.hip").write_text(PROGRAM)
    words = ["run", "program.hip", "--emulate", "--time", "--partial", "--threads", "1", "--json", "out.json"]
    assert porter(*words, cwd=tmp_path).returncode == 0
    launches = json.loads((tmp_path / "out.json").read_text())["launches"]
    (alone,) = (launch for launch in launches if launch["kernel"].startswith("queue"))
    assert "take work from a counter" in alone["predicted"]["doubt"]


APART = """#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void count(int *x) {
  const int seen = x[0];
  __syncthreads();
  x[0] = seen + 1;
}
int main() {
  int *x, seen = 0;
  hipMalloc(&x, 4);
  hipMemset(x, 0, 4);
  count<<<64, 128>>>(x);
  hipMemcpy(&seen, x, 4, hipMemcpyDeviceToHost);
  printf("%d in order\\n", seen);
}
"""


def test_workgroups_that_cannot_hear_of_one_another_run_one_by_one(tmp_path: Path) -> None:
    """Their registers stay in the cache: each sees what the one before it has written. An atomic lets them take turns."""
    words = ["run", "apart.hip", "--emulate", "--time", "--threads", "1"]
    for source, one_by_one in (
        (APART, True),
        (APART.replace("x[0] = seen", "atomicAdd(x + 1, 1), x[0] = seen"), False),
    ):
        (tmp_path / "apart.hip").write_text(source.replace("Malloc(&x, 4)", "Malloc(&x, 8)"))
        result = porter(*words, cwd=tmp_path)
        assert ("64 in order" in result.stdout) is one_by_one, result.stdout + result.stderr


def launch(
    instructions: int, followed: tuple[int, int, int, int, int], groups: int = 80, **more: Any
) -> dict[str, Any]:
    names = ("groups", "instructions", "beside", "beside_instructions", "most")
    return {
        "grid": [groups, 1, 1],
        "instructions": instructions,
        "followed": dict(zip(names, followed, strict=True)),
        **more,
    }


def test_even_workgroups_are_no_reason_to_doubt() -> None:
    assert not doubt(launch(8000, (10, 1000, 4, 400, 100)))
    assert not doubt(launch(1400, (10, 1000, 4, 400, 100)))  # no others ran
    assert not doubt({"grid": [1, 1, 1], "instructions": 3})


def test_who_is_alone_or_others_that_do_more_are() -> None:
    assert "3 times as much as those" in doubt(launch(24000, (10, 1000, 4, 400, 100)))
    assert "2 times as much as the others" in doubt(launch(4000, (10, 1000, 4, 200, 100)))
    assert "one workgroup executes 71%" in doubt(launch(8000, (10, 1300, 4, 100, 1000)))
    assert "wait for one another" in doubt(launch(8000, (10, 1000, 4, 400, 100), cooperative=True))


def test_a_program_without_launches_says_so(tmp_path: Path) -> None:
    (tmp_path / "none.hip").write_text("#include <hip/hip_runtime.h>\nint main() { return 0; }\n")
    done = porter("run", "none.hip", "--emulate", "--time", cwd=tmp_path)
    assert done.returncode == 0 and "the program launches no kernel" in done.stderr


def test_launches_on_several_gpus_are_no_sum() -> None:
    here, there = launch(8000, (10, 1000, 4, 400, 100)), launch(8000, (10, 1000, 4, 400, 100), device=1)
    assert "2 GPUs" in doubt_of_call([here, there, there])
    assert not doubt_of_call([here, here]) and not doubt_of_call([there])


REPEATED = """
#include <hip/hip_runtime.h>
__global__ void same(float *x) { x[blockIdx.x * 64 + threadIdx.x] += 1; }
int main() {
  float *x;
  hipMalloc(&x, 65536 * 64 * sizeof(float));
  hipMemset(x, 0, 65536 * 64 * sizeof(float));
  for (int i = 0; i < 3; i++) same<<<65536, 64>>>(x);
  return hipDeviceSynchronize();
}
"""


@pytest.mark.slow
def test_in_partial_runs_all_launches_of_a_kernel_run_alike(tmp_path: Path) -> None:
    (tmp_path / "repeated.hip").write_text(REPEATED)
    done = porter("run", "repeated.hip", "--emulate", "--time", "--partial", "--json", "out.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    launches = json.loads((tmp_path / "out.json").read_text())["launches"]
    counts = [launch["instructions"] for launch in launches]
    followed = launches[0]["followed"]
    assert len(counts) == 3 and set(counts) == {followed["instructions"] + followed["beside_instructions"]}
    assert followed["groups"] + followed["beside"] < 65536 // 8
    assert "look:" not in done.stdout + done.stderr


VARIED = """
#include <hip/hip_runtime.h>
__global__ void work(float *x, int n) {
  float a = x[threadIdx.x];
  for (int i = 0; i < n; i++) a = a * 0.5f + 1;
  x[blockIdx.x * 64 + threadIdx.x] = a;
}
int main() {
  float *x;
  hipMalloc(&x, 1 << 20);
  roctxRangePush("in turn");
  for (int i = 0; i < 5; i++) work<<<304, 64>>>(x, 10000), work<<<304, 64>>>(x, 100);
  roctxRangePop();
  for (int n = 16000; n >= 1000; n /= 2) work<<<608, 64>>>(x, n);
  for (int i = 0; i < 40; i++) work<<<64, 64>>>(x, i == 3 ? 900 : 100);
  return hipDeviceSynchronize();
}
"""


@pytest.fixture(scope="module", params=[(), ("--partial",)], ids=["whole", "partial"])
def varied(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("varied")
    text = VARIED.replace(
        "int main", 'extern "C" int roctxRangePushA(const char *);\nextern "C" int roctxRangePop();\nint main'
    )
    (folder / "varied.hip").write_text(text.replace("roctxRangePush(", "roctxRangePushA("))
    done = porter("run", "varied.hip", "--emulate", "--time", *request.param, "--json", "out.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stderr, json.loads((folder / "out.json").read_text())["launches"]


@pytest.mark.sample(1)
def test_launches_that_differ_in_what_they_execute_are_predicted_each(varied: tuple[str, list[dict[str, Any]]]) -> None:
    """Those in turn both, whatever comes first; of those that halve all but the second; none twice."""
    _, launches = varied
    of = {size: [one for one in launches if one["grid"][0] == size] for size in (304, 608, 64)}
    assert [["predicted" in one for one in of[size]] for size in (304, 608)] == [
        [True, False, False, True, *[False] * 6], [True, False, True, True, True]
    ]  # fmt: skip
    long, short = (one["predicted"]["microseconds"][1] for one in of[304] if "predicted" in one)
    assert long > 30 * short
    assert sum("predicted" in one for one in of[64]) == 1
    (span,) = ranges_of(launches)
    assert span.launches == 10 and span.microseconds == pytest.approx(5 * long + 5 * short)


def test_the_table_has_a_row_for_each_and_their_average(varied: tuple[str, list[dict[str, Any]]]) -> None:
    said, launches = varied
    rows = [line.split()[1] for line in said.splitlines() if line.startswith("work ")]
    assert sorted(rows) == ["1", "1", "1", "2", "40", "5", "5"]
    times = [one["predicted"]["microseconds"][1] for one in launches if "predicted" in one and one["grid"][0] == 304]
    (average,) = (line for line in said.splitlines() if line.startswith("work, 304 workgroups"))
    assert "10 launches differ in what they execute, 2 of them are predicted" in average
    assert f"on average {microseconds(sum(times) / 2)} (" in average
    assert "together: 55 launches, 7 of them predicted" in said
    looks = re.findall(r"look: launches execute 1 to (\S+) times", said)
    assert [float(times) > 5 for times in looks] == [False, True]  # the second of those that halve; the one between 39


CHECKED = """
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void twice(float *x) { x[blockIdx.x * 64 + threadIdx.x] *= 2; }
int main() {
  float *x;
  hipMallocManaged(&x, GROUPS * 64 * sizeof(float));
  for (int i = 0; i < GROUPS * 64; i++) x[i] = 1;
  twice<<<GROUPS, 64>>>(x);
  hipDeviceSynchronize();
  for (int i = 0; i < GROUPS * 64; i++)
    if (x[i] != 2) return puts("FAIL"), 7;
  puts("PASS");
}
"""


def test_what_a_program_says_of_a_partial_run_means_nothing(tmp_path: Path) -> None:
    """It is said where workgroups were left out, with the exit code, and nowhere else."""
    (tmp_path / "checked.hip").write_text(CHECKED)
    words = ["run", "checked.hip", "--emulate", "--time"]
    done = porter(*words, "--partial", "-D", "GROUPS=65536", cwd=tmp_path)
    assert done.returncode == 7 and "FAIL" in done.stdout
    said = next(line for line in done.stderr.splitlines() if "--partial" in line)
    assert (
        " of 65,536 workgroups: what the program says of its results (PASS, FAIL, its exit code 7) means nothing"
        in said
    )
    done = porter(*words, "--partial", "-D", "GROUPS=2", cwd=tmp_path)  # no more than those that are followed
    assert done.returncode == 0 and "PASS" in done.stdout and "--partial" not in done.stderr
    done = porter(*words, "-D", "GROUPS=20000", cwd=tmp_path)
    assert done.returncode == 0 and "--partial" not in done.stderr


def test_workgroups_that_ran_alone() -> None:
    """Those of launches that were not recorded are as many as of the recorded one of their kernel and size."""
    about = {"symbol": "k", "block": [64, 1, 1], "dynamic_lds": 0}
    one = launch(8000, (10, 1000, 4, 400, 100), **about)
    again = {**about, "grid": [80, 1, 1], "instructions": 8000}
    together = launch(8000, (10, 1000, 4, 400, 100), cooperative=True, **about | {"symbol": "c"})
    assert ran_alone([one, again, {"findings": []}]) == (28, 160)
    assert ran_alone([together]) == (80, 80)


def test_partial_runs_are_of_predicted_times(tmp_path: Path) -> None:
    (tmp_path / "checked.hip").write_text(CHECKED)
    for words, said in (
        (["--partial"], "add --time"),
        (["--partial", "--time", "--profile", "p"], "not those of a whole launch"),
    ):
        done = porter("run", "checked.hip", *words, cwd=tmp_path)
        assert done.returncode == 2 and said in done.stderr


@pytest.mark.slow
def test_the_table_has_the_traffic_of_memory(tmp_path: Path) -> None:
    (tmp_path / "repeated.hip").write_text(REPEATED)
    done = porter("run", "repeated.hip", "--emulate", "--time", "--partial", "--json", "out.json", cwd=tmp_path)
    predicted = json.loads((tmp_path / "out.json").read_text())["launches"][0]["predicted"]
    assert predicted["memory_bytes"] >= 2 * 65536 * 64 * 4  # read and written
    speed = f"{predicted['memory_bytes'] / predicted['microseconds'][1] / 1e3:,.0f}"
    head, row = (line for line in done.stderr.splitlines() if line.startswith(("kernel ", "same ")))
    assert row[: head.index("GB/s") + 4].split()[-1] == speed
