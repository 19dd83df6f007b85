"""Named regions of kernels: what a wave's marks mean, and what `porter run --time` and `porter trace` say of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from porter.emu.assembly import parse, split_marks, with_marks
from porter.paths import RUNTIME_INCLUDE
from porter.perf.timeline.perfetto import trace_events
from porter.perf.timeline.regions import Span, regions_of, spans_of, wave_spans
from porter.perf.timeline.timeline import EventType
from porter.perf.timeline.viewer_files import read
from porter.toolchain import Options
from porter.toolchain.build import device_assembly

PROGRAM = """#include <hip/hip_runtime.h>
#include <porter/region.h>
__global__ void stage(const float *x, float *y, int rounds) {
  __shared__ float tile[256];
  float sum = 0;
  PORTER_REGION("whole");
  for (int r = 0; r < rounds; ++r) {
    {
      PORTER_REGION("load");
      tile[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x + r * 4096];
      __syncthreads();
    }
    PORTER_REGION("add");
    for (int i = 0; i < 16; ++i) sum += tile[(threadIdx.x + i) & 255];
    __syncthreads();
  }
  PORTER_REGION_BEGIN("store");
  y[blockIdx.x * 256 + threadIdx.x] = sum;
  PORTER_REGION_END("store");
}
int main() {
  float *x, *y;
  if (hipMalloc(&x, 1 << 20) || hipMalloc(&y, 1 << 20)) return 1;
  stage<<<16, 256>>>(x, y, 5);
  return hipDeviceSynchronize();
}
"""


def spans(marks: list[tuple[str, ...]], numbers: list[int]) -> list[Span]:
    return spans_of(marks, 10 * np.arange(len(numbers)), np.array(numbers), 10 * len(numbers))


def test_regions_within_regions() -> None:
    marks: list[tuple[str, ...]] = [("+a",), (), ("+b",), ("-b",), ("-a",)]
    assert spans(marks, [0, 1, 2, 3, 4]) == [Span("a", 0, 40, 0), Span("b", 20, 30, 1)]
    assert regions_of([spans(marks, [0, 1, 2, 3, 4])] * 2)[0].own == 2 * 30


def test_a_region_of_a_loop_is_entered_in_each_turn() -> None:
    assert spans([("+a",), ("-a",)], [0, 1, 0, 1]) == [Span("a", 0, 10, 0), Span("a", 20, 30, 0)]


def test_a_mark_in_front_of_a_label_is_of_those_who_fall_into_it() -> None:
    marks: list[tuple[str, ...]] = [(), ("+a~",), ("-a",)]
    assert spans(marks, [0, 1, 2]) == [Span("a", 10, 20, 0)]
    assert spans(marks, [0, 2, 1, 2]) == []  # 1 is jumped to


def test_what_does_not_end_ends_with_the_wave_or_with_what_is_around_it() -> None:
    assert spans([("+a",), ()], [0, 1]) == [Span("a", 0, 20, 0)]
    assert spans([("+a",), ("+b",), ("-a",)], [0, 1, 2]) == [Span("a", 0, 20, 0), Span("b", 10, 20, 1)]
    assert spans([("-a",), ()], [0, 1]) == []


def test_marks_of_assembly() -> None:
    lines = "\t.text\nf:\n\t; porter.region +a b\n\ts_nop 0\n\t; porter.region -a b\n.LBB0_1:\n\ts_endpgm\n"
    first, second = parse(lines).lines
    assert (first.text, first.marks, second.marks) == ("s_nop 0", ("+a b",), ("-a b~",))
    assert split_marks(second.marked) == ("s_endpgm", ("-a b~",))
    assert with_marks("s_nop 0", ()) == "s_nop 0"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("regions") / "stage.hip"
    path.write_text(PROGRAM)
    return path


def porter(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, "-m", "porter", *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def test_run_tells_time_by_region_and_by_line(program: Path) -> None:
    said = porter(program.parent, "run", program.name, "--time", "--json", "out.json").stderr
    assert "region load: " in said and "% of the waves' time" in said
    (launch,) = json.loads((program.parent / "out.json").read_text())["launches"]
    regions = {one["name"]: one for one in launch["predicted"]["regions"]}
    waves = regions["whole"]["spans"]
    assert {name: one["spans"] for name, one in regions.items()} == {
        "whole": waves, "load": 5 * waves, "add": 5 * waves, "store": waves,
    }  # fmt: skip
    inner = sum(regions[name]["share"] for name in ("load", "add", "store"))
    assert regions["whole"]["own_share"] == pytest.approx(regions["whole"]["share"] - inner)
    rows = launch["predicted"]["spent_lines"]
    load = next(n for n, line in enumerate(PROGRAM.splitlines(), 1) if "= x[" in line)
    waits = next(row for row in rows if row["line"] == load)
    assert waits["why"] == "wait for memory" and 0 < waits["stall"] <= waits["share"]
    assert sum(row["share"] for row in rows) <= 1
    assert all(0 <= row["gain"] < 1 for row in rows if "gain" in row)


def test_a_trace_has_the_regions_in_every_file(program: Path) -> None:
    words = ["--inputs", "l2", "--html", "t.html", "--viewer", "viewer", "--json"]
    (trace,) = json.loads(porter(program.parent, "trace", program.name, *words).stdout)["traces"]
    assert [one["name"] for one in trace["regions"]] == ["whole", "load", "add", "store"]
    assert '"regions":["whole","load","add","store"]' in (program.parent / "t.html").read_text()
    again = read(program.parent / "viewer")
    assert "launched again and again" in again.clock  # what --inputs says
    wave = again.waves[0]
    assert [span.name for span in wave_spans(again, wave)].count("load") == 5
    slices = [event["name"] for event in trace_events(again) if event["ph"] == "X"]
    assert slices.count("load") == 5 * len(again.waves)


def test_a_build_without_porter_has_no_regions(program: Path) -> None:
    plain, asked = (
        device_assembly(program, Options(includes=(RUNTIME_INCLUDE,), defines=defines)).read_text()
        for defines in ((), ("PORTER_REGIONS=1",))
    )
    assert "porter.region" not in plain
    assert asked.count("; porter.region +store") == 1
    texts = [line.text.split()[0] for line in parse(asked).lines]
    assert len(texts) == pytest.approx(len(parse(plain).lines), rel=0.2)  # none of its own; the schedule may differ


RANGES = """#include <hip/hip_runtime.h>
#include <roctracer/roctx.h>
__global__ void one(float *x) { x[blockIdx.x * 64 + threadIdx.x] = 1; }
__global__ void two(float *x) { x[blockIdx.x * 64 + threadIdx.x] += 2; }
int main() {
  float *x;
  if (hipMalloc(&x, 1 << 16) || roctxRangePop() != -1) return 1;
  one<<<1, 64>>>(x);
  if (roctxRangePush("outer") != 0) return 1;
  one<<<4, 64>>>(x);
  if (roctxRangePush("inner") != 1) return 1;
  for (int i = 0; i < 3; i++) two<<<4, 64>>>(x);
  if (roctxRangePop() != 1 || roctxRangePop() != 0) return 1;
  const roctx_range_id_t id = roctxRangeStart("from start to stop");
  two<<<8, 64>>>(x);
  roctxRangeStop(id);
  two<<<8, 64>>>(x);
  return hipDeviceSynchronize();
}
"""


def test_ranges_of_the_host_over_launches(tmp_path: Path) -> None:
    (tmp_path / "ranges.hip").write_text(RANGES)
    words = ["--time", "--emulate", "--json", "out.json", "--perfetto", "launches.json"]
    said = porter(tmp_path, "run", "ranges.hip", *words).stderr
    launches = json.loads((tmp_path / "out.json").read_text())["launches"]
    paths = [one.get("ranges", []) for one in launches]
    assert paths == [[], ["outer"], *[["outer", "inner"]] * 3, ["from start to stop"], []]
    assert "range outer: 4 launches" in said and "range outer > inner: 3 launches" in said
    events = json.loads((tmp_path / "launches.json").read_text())["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    (outer,) = (event for event in slices if event["name"] == "outer")
    (inner,) = (event for event in slices if event["name"] == "inner")
    twos = [event for event in slices if event["name"] == "two"]
    assert len(twos) == 5
    assert inner["dur"] == pytest.approx(sum(event["dur"] for event in twos[:3]), abs=1e-4)
    assert outer["ts"] < inner["ts"]
    assert outer["ts"] + outer["dur"] == pytest.approx(inner["ts"] + inner["dur"], abs=1e-4)


def test_all_of_a_predicted_wait_is_its_stall(program: Path, tmp_path: Path) -> None:
    """As in real traces: barriers, waits for counters, s_nop. So waves wait in the viewer's states, and kinds can be compared."""
    porter(program.parent, "trace", program.name, "--viewer", str(tmp_path / "out"))
    timeline = read(tmp_path / "out")
    seen = set()
    for wave in timeline.waves:
        for _, kind, stall, duration, number in wave.events.tolist():
            if kind == EventType.WAIT:
                seen.add(timeline.instructions[number].mnemonic)
                assert stall == duration
            elif kind == EventType.VALU:
                assert stall == duration - 4
    assert {"s_barrier", "s_waitcnt"} <= seen
    waiting = json.loads((tmp_path / "out" / "wstates3.json").read_text())
    assert max(waiting["state"]) >= 4  # the waves of a workgroup at a barrier
