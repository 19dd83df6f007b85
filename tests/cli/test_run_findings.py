"""What a run says of its findings: one for each kind and source line, with a count; harmless ones fail nothing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from commands import porter

from porter.perf.launch_report import fails, findings_by_line, summarize_findings

RACES = """
#include <hip/hip_runtime.h>
template <int Step>
__global__ void race(int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < 3; i++) s[(t + Step * i) & 255] = s[(t + Step) & 255] + s[(t + 3 * Step) & 255] + i;  // the race
  __syncthreads();
  out[t] = s[t];
}
int main() {
  int *out;
  (void)hipMalloc(&out, 4096);
  (void)hipMemset(out, 0, 4096);
  for (int i = 0; i < 2; i++) race<64><<<1, 256>>>(out), race<128><<<1, 256>>>(out);
  return hipDeviceSynchronize() != hipSuccess;
}
"""
GUESSES = """
#include <hip/hip_runtime.h>
__device__ void multiply(float *at, float by) {
  int old = *(int *)at, assumed;  // the guess
  do {
    assumed = old;
    old = atomicCAS((int *)at, assumed, __float_as_int(by * __int_as_float(assumed)));
  } while (old != assumed);
}
__global__ void plain(float *x) { multiply(x, 1.5f); }
__global__ void spread(float *x) { multiply(x + threadIdx.x % 3, 0.5f), multiply(x + threadIdx.x % 5, 2.0f); }
int main() {
  float *x;
  (void)hipMalloc(&x, 64);
  (void)hipMemset(x, 0, 64);
  plain<<<4, 256>>>(x), spread<<<4, 256>>>(x);
  return hipDeviceSynchronize() != hipSuccess;
}
"""


def run(source: str, folder: Path) -> tuple[subprocess.CompletedProcess[str], list[dict]]:
    path, report = folder / "program.hip", folder / "run.json"
    path.write_text(source)
    done = porter("run", path, "--emulate", "--check", "lds-race,global-race", "--json", report)
    return done, json.loads(report.read_text())["launches"]


def line_of(source: str, text: str) -> int:
    return next(n for n, line in enumerate(source.splitlines(), 1) if text in line)


def test_copies_of_one_line_are_one_finding(tmp_path):
    done, launches = run(RACES, tmp_path)
    assert done.returncode == 1
    assert len(launches) == 4 and all(len(launch["findings"]) == 1 for launch in launches)
    assert done.stderr.count("two waves access the same LDS") == 1
    assert done.stderr.count("    at ") == 1 and done.stderr.splitlines()[-1] == "porter: 1 finding: lds-race 1"
    (finding,) = findings_by_line(launches)
    assert finding["line"] == line_of(RACES, "the race") and finding["harmless"] is False
    assert finding["count"] == sum(launch["findings"][0]["count"] for launch in launches)
    assert f"seen {launches[0]['findings'][0]['count']} times" in done.stderr


def test_first_guesses_are_told_and_fail_nothing(tmp_path):
    done, launches = run(GUESSES, tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("runs on, and: a plain read of memory races with atomics") == 1
    assert "harmless as compiled" in done.stderr
    assert done.stderr.splitlines()[-1] == "porter: 1 harmless finding: global-guess 1"
    assert {f["line"] for f in findings_by_line(launches)} == {line_of(GUESSES, "the guess")}


def finding(line: int, other: int | None = None, count: int = 1, kind: str = "lds-race", **more: object) -> dict:
    place = {} if other is None else {"other": {"file": "a.hip", "line": other, "instruction": "y"}}
    return {
        "kind": kind,
        "file": "a.hip",
        "line": line,
        "instruction": f"x{line}{other}",
        "count": count,
        **place,
        **more,
    }


def test_findings_by_line():
    launches = [
        {"kernel": "k<1>", "findings": [finding(3, 4, 2), finding(3, 4, 5), finding(7)]},
        {"kernel": "k<2>", "findings": [finding(3, 9), finding(3, kind="missing-wait"), {**finding(3), "line": 0}]},
        {"kernel": "k<3>", "findings": [{**finding(3), "line": 0}]},
        {"kernel": "k<3>"},
    ]
    first, *rest = findings_by_line(launches)
    assert (first["kernel"], first["count"], first["other"]["line"]) == ("k<1>", 8, 4)
    assert [place["line"] for place in first["others"]] == [9]
    assert [(f["kind"], f["kernel"], f["line"]) for f in rest] == [
        ("lds-race", "k<1>", 7), ("missing-wait", "k<2>", 3), ("lds-race", "k<2>", 0), ("lds-race", "k<3>", 0),
    ]  # fmt: skip
    assert launches[0]["findings"][0]["count"] == 2  # the report is as it was


@pytest.mark.parametrize(
    ("found", "text", "bad"),
    [
        ([], "", False),
        ([finding(1), finding(1), finding(2)], "2 findings: lds-race 2", True),
        ([finding(1, kind="lds-guess", harmless=True)], "1 harmless finding: lds-guess 1", False),
        (
            [finding(1), finding(2, kind="lds-guess", harmless=True)],
            "1 finding: lds-race 1; 1 harmless finding: lds-guess 1", True,
        ),
    ],
)  # fmt: skip
def test_the_last_line(found, text, bad):
    launches = [{"kernel": "k", "findings": found}]
    assert summarize_findings(launches) == text
    assert fails(launches) == bad
