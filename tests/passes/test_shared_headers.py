"""Headers with kernels and launches that units of different kinds include: ported as a folder, linked, run in the emulator."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import porter

LAUNCHER = """
#pragma once
#include <cuda_runtime.h>
struct Launcher {
  dim3 grid;
  template <class... P, class... A>
  cudaError_t operator_on(void (*kernel)(P...), dim3 block, A... arguments) const {
    kernel<<<grid, block>>>(arguments...);
    return cudaGetLastError();
  }
};
template <class... P, class... A>
inline cudaError_t launch(void (*kernel)(P...), int blocks, int threads, A... arguments);  // defined below
template <class... P, class... A>
inline cudaError_t launch(void (*kernel)(P...), int blocks, int threads, A... arguments) {
  return Launcher{dim3(blocks)}.operator_on(kernel, dim3(threads), arguments...);
}
"""

KERNELS = """
#pragma once
#include <cuda_runtime.h>
template <class T>
__global__ void more(T* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += T(1);
}
inline void all_more(int* x, int n) { more<int><<<(n + 127) / 128, 128>>>(x, n); }
"""

# Each thread of 4 x 64 adds its block's size; the others do something to which warps have to come apart.
ADD = "if (threadIdx.x + blockDim.x * blockIdx.x < 1000u) atomicAdd(out, blockDim.x);"
PLAIN = f"""
#include "launch.cuh"
#include "kernels.cuh"
__global__ void plain(int* out) {{ {ADD} }}
void run_plain(int* out, int* x) {{
  launch(plain, 4, 64, out);
  all_more(x, 1000);
}}
"""
OTHER = """
#include "launch.cuh"
#include "kernels.cuh"
#include <cstdio>
#include <cooperative_groups.h>
void run_plain(int* out, int* x);
__global__ ATTRIBUTE void other(int* out) {
  WAIT
  ADD
}
int main() {
  int *out, *x, bad = 0;
  cudaMallocManaged(&out, 2 * sizeof(int));
  cudaMallocManaged(&x, 1000 * sizeof(int));
  cudaMemset(out, 0, 2 * sizeof(int));
  cudaMemset(x, 0, 1000 * sizeof(int));
  launch(other, 4, 64, out);
  all_more(x, 1000);
  run_plain(out + 1, x);
  cudaDeviceSynchronize();
  for (int i = 0; i < 1000; ++i) bad += x[i] != 2;
  printf("%d %d, %d bad\\n", out[0], out[1], bad);
}
"""
ROLES = ("", 'asm volatile("bar.sync 1, 64;");')
CLUSTERS = ("__cluster_dims__(2, 1, 1)", "cooperative_groups::this_cluster().sync();")
BOTH = (CLUSTERS[0], ROLES[1] + CLUSTERS[1])


@pytest.mark.parametrize("kind", [ROLES, CLUSTERS, BOTH])
@pytest.mark.parametrize("plain_first", [True, False])
@pytest.mark.sample(2)
def test_each_unit_has_its_own(kind: tuple[str, str], plain_first: bool, tmp_path: Path) -> None:
    source, out = tmp_path / "src", tmp_path / "hip"
    source.mkdir()
    names = ("a.cu", "b.cu") if plain_first else ("b.cu", "a.cu")
    attribute, wait = kind
    other = OTHER.replace("ATTRIBUTE", attribute).replace("WAIT", wait).replace("ADD", ADD)
    for name, text in (("launch.cuh", LAUNCHER), ("kernels.cuh", KERNELS), (names[0], PLAIN), (names[1], other)):
        (source / name).write_text(text)
    for command in (
        ("convert", source, "-o", out),
        ("run", out / "a.hip", out / "b.hip", "--check", "all"),
    ):
        done = porter(*command)
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "16384 16384, 0 bad\n", done.stderr


def test_headers_of_units_of_one_kind_stay_as_they_are(tmp_path: Path) -> None:
    source, out = tmp_path / "src", tmp_path / "hip"
    source.mkdir()
    for name, text in (("launch.cuh", LAUNCHER), ("kernels.cuh", KERNELS), ("a.cu", PLAIN), ("b.cu", PLAIN)):
        (source / name).write_text(text)
    assert porter("convert", source, "-o", out).returncode == 0
    assert "porter" not in (out / "launch.cuh").read_text()


@pytest.mark.parametrize(
    ("use", "left"),
    [
        ("launch(plain, 4, 64, out);", True),
        ("cudaLaunchKernel((const void*)plain, 4, 64, arguments, 0, 0);", True),
        (
            "plain<<<4, 64>>>(out); cudaFuncSetAttribute((void*)plain, cudaFuncAttributePreferredSharedMemoryCarveout, 0);",
            False,
        ),
    ],
)
def test_a_kernel_of_a_unit_of_another_kind(use: str, left: bool, tmp_path: Path) -> None:
    """Who is given it would launch a block of this unit's kind."""
    (tmp_path / "a.cu").write_text("__global__ void plain(int* out) { out[threadIdx.x] = 1; }\n")
    text = 'asm volatile("bar.sync 1, 64;");'
    (tmp_path / "b.cu").write_text(
        '#include "launch.cuh"\n__global__ void plain(int* out);\n'
        f"__global__ void roles() {{ {text} }}\nvoid run(int* out, void** arguments) {{ {use} }}\n"
    )
    (tmp_path / "launch.cuh").write_text(LAUNCHER)
    done = porter("convert", tmp_path, "-o", tmp_path / "out")
    assert done.returncode == int(left), done.stdout
    assert (
        "whoever is given it would launch blocks of a wrong size" in (tmp_path / "out" / "b.hip").read_text()
    ) == left


BIG = """
#pragma once
#include <cuda_runtime.h>
template <class T>
__global__ void big(T* x) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x;
  x[threadIdx.x] = T(words[threadIdx.x]);
}
template <class T>
cudaError_t run_big(T* x) {
  const cudaError_t error = cudaFuncSetAttribute(big<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
  big<T><<<1, 64, 60000>>>(x);
  return error != cudaSuccess ? error : cudaDeviceSynchronize();
}
"""
PLAIN_BIG = """
#include "big.cuh"
__global__ void own(float* x) { x[threadIdx.x] = 1; }
int run_other(int* x);
int main() {
  float* x;
  cudaMalloc(&x, 64 * sizeof(float));
  own<<<1, 64>>>(x);
  const cudaError_t error = cudaFuncSetAttribute(big<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
  big<float><<<1, 64, 60000>>>(x);
  return error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess || run_other(reinterpret_cast<int*>(x));
}
"""
OTHER_BIG = """
#include "big.cuh"
__global__ void waits(int* x) {
  asm volatile("bar.sync 1, 64;");
  x[threadIdx.x] = 1;
}
int run_other(int* x) {
  waits<<<1, 64>>>(x);
  return run_big(x) != cudaSuccess;
}
"""


def test_what_a_block_may_have_leaves_room_for_barriers_of_other_units(tmp_path: Path) -> None:
    """A kernel of a header is ported with memory for numbered barriers, which the unit that launches it has not itself."""
    for name, text in (("big.cuh", BIG), ("plain.cu", PLAIN_BIG), ("other.cu", OTHER_BIG)):
        (tmp_path / name).write_text(text)
    out = tmp_path / "port"
    converted = porter("convert", tmp_path, "-o", out)
    assert converted.returncode in (0, 1), converted.stdout + converted.stderr
    assert "64512 /* 98304 */" in (out / "plain.hip").read_text()
    done = porter("run", out / "plain.hip", out / "other.hip")
    assert done.returncode == 0, done.stdout + done.stderr
