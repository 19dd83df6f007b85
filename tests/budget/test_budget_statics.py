"""Static shared memory that lies in another file of the unit than the launch: a block has it as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import FilePort, Finding, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

KERNEL = """#pragma once
#include <cuda_runtime.h>
__device__ inline float unused(int i) { __shared__ float idle[12000]; idle[i] = 0; return idle[0]; }
__device__ inline float scratch(int i) { __shared__ float rows[9000]; rows[i] = i; __syncthreads(); return rows[0]; }
template <int STAGES, int N> __global__ void ring(float *x) {
  extern __shared__ float stages[];
  __shared__ float own[N];
  for (int i = 0; i < STAGES; ++i) stages[i * 2048] = own[i];
  *x = stages[0] + scratch(threadIdx.x);
}
__global__ inline void large(float *x) { __shared__ float mine[12000]; mine[0] = 1; *x = mine[0]; }
"""
LAUNCH = """#include "kernel.h"
constexpr int kStages = 4;
void run(float *x) { ring<kStages, ELEMENTS><<<1, 128, kStages * 2048 * sizeof(float)>>>(x); }
"""


def port(folder: Path, of: str = "a.cu", **files: str) -> FilePort:
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    includer = None if of == "a.cu" else folder / "a.cu"
    return port_source(
        Project(folder), folder / of, "a.hip", Options(runtime="include", oversize="refuse"), {}, includer
    )


def budget(result: FilePort) -> list[Finding]:
    return [f for f in result.findings if f.rule == "shared-memory-budget"]


@pytest.mark.parametrize(
    ("elements", "stages"),
    [(16, 3), (4000, 1)],  # 32,768 + 36,000 + 64 bytes are over 65,536; three stages are not
)
def test_static_arrays_of_a_header_are_counted(elements: int, stages: int, tmp_path: Path) -> None:
    result = port(tmp_path, kernel_h=KERNEL, a_cu=LAUNCH.replace("ELEMENTS", str(elements)))
    [finding] = budget(result)
    assert finding.message.startswith(f"kStages is {stages} instead of 4")


def test_static_arrays_of_what_is_not_called_or_launched_are_not(tmp_path: Path) -> None:
    kernel = KERNEL.replace(" + scratch(threadIdx.x)", "")
    assert not budget(port(tmp_path, kernel_h=kernel, a_cu=LAUNCH.replace("ELEMENTS", "16")))


def test_static_arrays_alone_with_nothing_to_lower_are_left(tmp_path: Path) -> None:
    launch = LAUNCH.replace("ELEMENTS", "16").replace("kStages * 2048 * sizeof(float)", "40000")
    [finding] = budget(port(tmp_path, kernel_h=KERNEL, a_cu=launch))
    assert finding.safety is Safety.LEFT and "bytes of shared memory; a compute unit has 65,536" in finding.message


def test_a_launch_in_a_header_of_the_includers_kernel(tmp_path: Path) -> None:
    launch = """#pragma once
template <class K> void launch(K kernel, float *x, size_t bytes) { kernel<<<1, 128, bytes>>>(x); }
"""
    main = f'#include "launch.h"\n{KERNEL}constexpr int kStages = 4;\n' + (
        "void run(float *x) { launch(ring<kStages, 16>, x, kStages * 2048 * sizeof(float)); }\n"
    )
    [finding] = budget(port(tmp_path, launch_h=launch, a_cu=main))
    assert finding.message.startswith("kStages is 3 instead of 4")


GLOBALS = """
constexpr int kStages = 4;
struct globals {
  float *x;
  __host__ inline dim3 block() { return dim3(128); }
  SIZE
};
__global__ void ring(const globals g) {
  extern __shared__ float stages[];
  for (int i = 0; i < kStages; ++i) stages[i * 8192] = i;
  *g.x = stages[0];
}
"""
CONFIG = """#pragma once
#include <cuda_runtime.h>
struct LaunchConfig {
  cudaLaunchConfig_t config = {};
  LaunchConfig(dim3 block, size_t bytes) { config.blockDim = block; config.dynamicSmemBytes = bytes; }
};
template <class G, auto kernel> void bound(G g) {
  int bytes = (int)g.shared_bytes();
  kernel<<<dim3(1), g.block(), bytes>>>(g);
}
"""
MEMBERS = [
    "__host__ int shared_bytes() { return sizeof(float) * 8192 * kStages; }",
    "size_t shared_bytes() const { constexpr size_t all = sizeof(float) * 8192 * kStages; return all; }",
    "static constexpr int shared_bytes() { return sizeof(float) * 8192 * kStages; }",
]


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize(
    "launch",
    [
        "void run(globals g) { ring<<<1, g.block(), g.shared_bytes()>>>(g); }",
        "void run(globals &g) { int bytes = g.shared_bytes(); ring<<<1, g.block(), bytes>>>(g); }",
        "void run(globals *g) { LaunchConfig with(g[0].block(), g[0].shared_bytes()); cudaLaunchKernelEx(&with.config, ring, *g); }",
        "void run(globals g) { bound<globals, ring>(g); }",
        "void run(globals g) { int bytes = int(g.shared_bytes()); ring<<<1, g.block(), bytes>>>(g); }",
        "void run(globals g) { ring<<<1, g.block(), static_cast<std::size_t>(g.shared_bytes())>>>(g); }",
        "void run(globals g) { ring<<<1, g.block(), std::size_t(g.shared_bytes())>>>(g); }",
    ],
)
@pytest.mark.sample(7)
def test_a_size_that_a_member_returns(launch: str, member: str, tmp_path: Path) -> None:
    source = f'#include "config.h"\n{GLOBALS.replace("SIZE", member)}{launch}\n'
    [finding] = budget(port(tmp_path, config_h=CONFIG, a_cu=source))
    assert finding.message.startswith("kStages is 2 instead of 4: 131,072 bytes of shared memory become 65,536")


@pytest.mark.parametrize(
    "size", ["int shared_bytes(int n) { return n * 100000; }", "int n; int shared_bytes() { return n; }"]
)
def test_a_size_that_is_worked_out_is_not_told(size: str, tmp_path: Path) -> None:
    call = "g.shared_bytes(2)" if "(int n)" in size else "g.shared_bytes()"
    source = f"{GLOBALS.replace('SIZE', size)}void run(globals g) {{ ring<<<1, g.block(), {call}>>>(g); }}\n"
    assert not budget(port(tmp_path, a_cu=source))


def test_a_conversion_is_no_function_that_a_size_calls(tmp_path: Path) -> None:
    """`operator int` is named as the cast of a size is, and says nothing of it."""
    source = GLOBALS.replace("SIZE", "operator int() const { return 100000; }")
    source += "void run(globals g) { int bytes = int(sizeof(float) * 64); ring<<<1, g.block(), bytes>>>(g); }\n"
    assert not [one for one in budget(port(tmp_path, a_cu=source)) if "100000" in source[one.start : one.end]]


def test_a_size_that_fits_nowhere_is_left_where_it_is_returned(tmp_path: Path) -> None:
    source = GLOBALS.replace("SIZE", "int shared_bytes() { return 100000; }")
    source += "void run(globals g) { ring<<<1, g.block(), g.shared_bytes()>>>(g); }\n"
    [finding] = budget(port(tmp_path, a_cu=source))
    assert finding.safety is Safety.LEFT and source[finding.start : finding.end] == "100000"


def test_a_size_that_a_header_returns_of_constants_that_it_is_given(tmp_path: Path) -> None:
    header = """#pragma once
#include <cuda_runtime.h>
template <int STAGES> struct globals {
  float *x;
  int shared_bytes() const { return sizeof(float) * 8192 * STAGES; }
};
template <int STAGES> __global__ void ring(const globals<STAGES> g) {
  extern __shared__ float stages[];
  for (int i = 0; i < STAGES; ++i) stages[i * 8192] = i;
  *g.x = stages[0];
}
"""
    main = """#include "ring.h"
constexpr int kStages = 4;
void run(globals<kStages> g) { ring<kStages><<<1, 128, g.shared_bytes()>>>(g); }
"""
    [finding] = budget(port(tmp_path, ring_h=header, a_cu=main))
    assert finding.message.startswith("kStages is 2 instead of 4: 131,072 bytes")
