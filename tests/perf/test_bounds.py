"""What bounds kernels whose bound is known by construction, and what the output says to do about it."""

from __future__ import annotations

import re

import pytest

from porter.execute import RunOptions, run_program
from porter.perf.model.error_classes import WIDTHS, ErrorClass
from porter.perf.model.predict import Prediction, bound_by, predict
from porter.perf.model.recorded import read_recorded
from porter.perf.what_to_do import place_of, what_to_do
from porter.report.tables.predicted_launches import _spent
from porter.toolchain import Options

PROGRAM = """#include <hip/hip_runtime.h>
typedef __attribute__((ext_vector_type(4))) _Float16 half4;
typedef __attribute__((ext_vector_type(4))) float float4v;
__global__ void chase(int *x) {
  int at = threadIdx.x;
  for (int i = 0; i < 256; i++)
    at = x[at] + threadIdx.x + 1024 * (i + 1);
  x[threadIdx.x] = at;
}
__global__ void scalar_chase(int *x) {
  int at = 0;
  for (int i = 0; i < 256; i++)
    at = x[at] + 1024 * (i + 1);
  x[0] = at;
}
__global__ void copy(const float4 *x, float4 *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void gather(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[32 * threadIdx.x + (i & 31)];
  y[threadIdx.x] = sum;
}
__global__ void meet(int *x) {
  for (int i = 0; i < 512; i++) {
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_s_barrier();
  }
}
__global__ void empty() {}
__global__ void multiply(float4v *y) {
  float4v sums[8] = {};
  half4 one = {1, 1, 1, 1};
  for (int i = 0; i < 512; i++)
#pragma unroll
    for (int n = 0; n < 8; n++)
      sums[n] = __builtin_amdgcn_mfma_f32_16x16x16f16(one, one, sums[n], 0, 0, 0);
  for (int n = 0; n < 8; n++)
    y[8 * threadIdx.x + n] = sums[n];
}
__device__ float waited_for(const float *x) {
  float value = *x; asm volatile("" : "+v"(value)::"memory");
  return value;
}
__global__ void one_by_one(const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int n = 0; n < 8; n++) {
    const float *at = x + i + 65536 * n;
    sum += waited_for(at) +
           waited_for(at + 524288) +
           waited_for(at + 1048576);
  }
  y[i] = sum;
}
__global__ void all_at_once(const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int n = 0; n < 8; n++) {
    const float *at = x + i + 65536 * n;
    const float first = at[0], second = at[524288], third = at[1048576];
    asm volatile("" ::: "memory");
    sum += first + second + third;
  }
  y[i] = sum;
}
__global__ void turns(const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma clang loop unroll(disable)
  for (int n = 0; n < 32; n++)
    sum += waited_for(x + i + 65536 * n);
  y[i] = sum;
}
__global__ void decides(const int *x, int *y) {
  int at = threadIdx.x;
  for (int n = 0; n < 64; n++)
    if (x[64 * n + at] > 7)
      at += x[64 * n + 8192] & 1;
  y[threadIdx.x] = at;
}
__global__ void rounds(float *x) {
  for (int i = 0; i < 512; i++)
    __syncthreads();
}
__global__ void small_groups(int *x) {
  if (x[blockIdx.x & 63] == 7)
    x[threadIdx.x] = 1;
}
__global__ void smooth(const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int n = 0; n < 9; n++)
    sum += waited_for(x + i + 2048 * n);
  y[i] = sum;
}
int main() {
  const int n = 1 << 20;
  float4 *x, *y;
  hipMalloc(&x, n * 16), hipMalloc(&y, n * 16);
  hipMemset(x, 0, n * 16);
  chase<<<1, 64>>>((int *)x);
  copy<<<n / 256, 256>>>(x, y);
  scalar_chase<<<1, 64>>>((int *)x);
  gather<<<304 * 8, 128>>>((const float *)x, (float *)y, 256);
  meet<<<304, 1024>>>((int *)x);
  empty<<<1, 64>>>();
  multiply<<<304, 256>>>((float4v *)y);
  one_by_one<<<64, 64>>>((const float *)x, (float *)y);
  all_at_once<<<64, 64>>>((const float *)x, (float *)y);
  turns<<<64, 64>>>((const float *)x, (float *)y);
  decides<<<1, 64>>>((const int *)x, (int *)y);
  rounds<<<304, 1024>>>((float *)x);
  small_groups<<<65536, 64>>>((int *)x);
  smooth<<<8192, 256>>>((const float *)x, (float *)y);
  return hipDeviceSynchronize();
}
"""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Prediction]:
    folder = tmp_path_factory.mktemp("known")
    (folder / "known.hip").write_text(PROGRAM)
    how = RunOptions(emulate=True, recordings=folder, recorded_alone=True, checks=())
    outcome = run_program([folder / "known.hip"], [], Options(), how)
    assert outcome.code == 0
    return {
        launch["kernel"].partition("(")[0]: predict(read_recorded(folder / launch["recording"]))
        for launch in outcome.launches
    }


@pytest.mark.parametrize(
    ("kernel", "bound", "error"),
    [
        ("chase", "memory latency", ErrorClass.LATENCY),
        ("scalar_chase", "scalar loads", ErrorClass.LATENCY),
        ("copy", "memory bandwidth", ErrorClass.BANDWIDTH),
        ("gather", "address rate", ErrorClass.GATHER),
        ("meet", "barriers", ErrorClass.LATENCY),
        ("empty", "launch", ErrorClass.TINY),
        ("multiply", "matrix units", ErrorClass.MATRIX),
    ],
)
def test_a_kernel_is_bound_by_what_it_was_made_of(
    known: dict[str, Prediction], kernel: str, bound: str, error: ErrorClass
) -> None:
    assert (known[kernel].bound, known[kernel].error_class) == (bound, error), known[kernel].gains


def test_costs_of_instructions_that_a_kernel_has_not_are_not_followed(known: dict[str, Prediction]) -> None:
    assert not {"matrix units", "LDS", "barriers"} & set(known["copy"].gains)
    assert {
        "dispatch of workgroups",
        "scalar loads",
        "memory latency",
        "lines under way",
        "memory bandwidth",
        "address rate",
        "L1",
    } == set(known["copy"].gains)


@pytest.mark.parametrize(
    ("gains", "bound"),
    [
        ({"LDS": 0.31, "barriers": 0.29, "L1": 0.2}, "LDS or barriers"),
        ({"LDS": 0.21, "barriers": 0.19}, "LDS"),
        ({"LDS": 0.19, "barriers": 0.19}, "not explained"),
    ],
)
def test_near_costs_are_a_tie_and_small_ones_bound_nothing(gains: dict[str, float], bound: str) -> None:
    assert bound_by(gains, 100.0, {"matrix units": 0.5, "fabric": 0.6}) == bound


def test_what_is_always_busy_bounds_a_kernel_that_no_single_cost_explains() -> None:
    assert bound_by({"LDS": 0.1}, 100.0, {"matrix units": 0.91, "fabric": 0.6}) == "matrix units"
    assert bound_by({"LDS": 0.3}, 100.0, {"matrix units": 0.91, "fabric": 0.6}) == "LDS"


def test_a_range_is_as_wide_below_the_likely_time_as_above_it(known: dict[str, Prediction]) -> None:
    """Also at the highest clock, which this kernel runs at."""
    chase = known["chase"]
    assert chase.clock_mhz[1] == chase.clock_mhz[2]
    for low, likely, high in (chase.microseconds, chase.between_events):
        assert low == pytest.approx(likely / (1 + WIDTHS[ErrorClass.LATENCY]))
        assert high == pytest.approx(likely * (1 + WIDTHS[ErrorClass.LATENCY]))


def test_what_to_do_names_the_line_and_its_gain(known: dict[str, Prediction]) -> None:
    line = 1 + next(n for n, text in enumerate(PROGRAM.splitlines()) if "x[at]" in text)
    first, *_ = what_to_do(known["chase"])
    assert first.startswith(f"known.hip:{line} waits for memory: ")
    assert int(first.rpartition("-")[2].rstrip("%")) > 50
    (products,) = what_to_do(known["multiply"])
    assert "waits for the matrix unit" in products
    assert any("lanes side by side" in words for words in what_to_do(known["gather"]))
    assert all(len(what_to_do(one)) <= 3 for one in known.values())
    assert what_to_do(known["empty"]) == []


def _line(text: str) -> int:
    return 1 + next(n for n, line in enumerate(PROGRAM.splitlines()) if text in line)


def test_loads_that_are_waited_for_one_by_one_are_named_with_what_issuing_them_together_saves(
    known: dict[str, Prediction],
) -> None:
    lone = known["one_by_one"].one_by_one
    assert lone["loads"] >= 3
    assert {(place["file"].rpartition("/")[2], place["line"]) for place in lone["places"]} == {
        ("known.hip", _line("float value = *x"))
    }
    first, *_ = what_to_do(known["one_by_one"])
    assert "loads together: each is waited for before the next, which another compiler may not do" in first
    saved = 1 - known["all_at_once"].cycles / known["one_by_one"].cycles
    assert lone["gain"] == pytest.approx(saved, abs=0.15)
    assert "one by one" in " ".join(_spent(known["one_by_one"]))
    assert not lone["of_turns"]


def test_a_loop_that_waits_for_its_load_in_each_turn_is_to_be_unrolled(known: dict[str, Prediction]) -> None:
    lone = known["turns"].one_by_one
    assert lone["of_turns"] and lone["loads"] == 1 and lone["gain"] > 0.5
    assert "unroll the loop" in what_to_do(known["turns"])[0]


@pytest.mark.parametrize("kernel", ["all_at_once", "chase", "decides", "copy", "multiply"])
def test_loads_that_need_the_one_before_or_are_together_are_not_named(
    known: dict[str, Prediction], kernel: str
) -> None:
    assert not known[kernel].one_by_one


def test_dispatch_is_worth_what_all_units_gain_by_it(known: dict[str, Prediction]) -> None:
    """One unit by itself would have 5% less to do in the second kernel, which memory holds back all the same."""
    assert known["small_groups"].gains["dispatch of workgroups"] > 0.5
    assert "begin fewer workgroups" in what_to_do(known["small_groups"])[0]
    assert known["smooth"].gains["dispatch of workgroups"] < 0.03


def test_a_line_that_calls_a_library_says_where_in_it_its_time_goes(known: dict[str, Prediction]) -> None:
    row = known["rounds"].spent_lines[0]
    assert row["line"] == _line("__syncthreads();")
    inner = row["inner"][0]
    assert inner["file"].endswith("amd_device_functions.h") and inner["share"] > 0.5
    assert re.search(r"known\.hip:\d+ \(in amd_device_functions\.h:\d+\): \d+% of", "\n".join(_spent(known["rounds"])))
    assert "(in amd_device_functions.h:" in what_to_do(known["rounds"])[0]


def test_code_without_lines_is_named_by_number_and_address() -> None:
    row = {"line": 0, "file": "", "number": 12, "address": 0x1F0, "text": "s_barrier"}
    assert place_of(row) == "instruction 12 at 0x1f0 (s_barrier)"
