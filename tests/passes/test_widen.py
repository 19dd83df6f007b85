"""--warp 64: which kernels are widened, what is edited, what is said of those that are not."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from porter.errors import PorterError
from porter.findings import FilePort, FileStatus, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source
from porter.rules import Example, Rule, load_rules
from porter.toolchain import build, find_toolchain, syntax_check

needs_compiler = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)

SUM = """
#define FULL 0xffffffff
template <typename T> __device__ T warp_sum(T v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(FULL, v, offset);
  return v;
}
"""
MAX = """
template <typename T> __device__ T warp_max(T v) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) v = max(v, __shfl_xor_sync(~0u, v, mask, 32));
  return v;
}
"""

BLOCK_SUM = (
    SUM
    + """
__device__ float block_sum(float v) {
  static __shared__ float shared[32];
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;
  v = warp_sum(v);
  if (lane == 0) shared[wid] = v;
  __syncthreads();
  v = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) v = warp_sum(v);
  return v;
}
__global__ void reduce(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
void launch(const float *in, float *out, int n) { reduce<<<80, 256>>>(in, out, n); }
"""
)

ATOMIC_COUNT = """
constexpr int kThreads = 512;
__global__ void count(const int *flags, int *total, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  int mine = i < n ? flags[i] : 0;
  for (int o = 16; o; o >>= 1) mine += __shfl_xor_sync(0xffffffffu, mine, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(total, mine);
}
void launch(const int *f, int *t, int n) { count<<<(n + kThreads - 1) / kThreads, kThreads>>>(f, t, n); }
"""

BLOCK_MAX = (
    MAX
    + """
constexpr int kThreads = 1024;
constexpr int kWarps = kThreads / 32;
__global__ void row_max(const int *in, int *out, int columns) {
  __shared__ int best[kWarps];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int m = in[blockIdx.x * columns];
  for (int c = threadIdx.x; c < columns; c += kThreads) m = max(m, in[blockIdx.x * columns + c]);
  m = warp_max(m);
  if (lane == 0) best[warp] = m;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < kWarps; ++w) m = max(m, best[w]);
    out[blockIdx.x] = m;
  }
}
void launch(const int *in, int *out, int rows, int columns) { row_max<<<rows, kThreads>>>(in, out, columns); }
"""
)

LAYER_NORM = (
    SUM
    + """
#define WARP_SIZE 32
__device__ float all_sum(float v, float *partial) {
  int lane = threadIdx.x & (WARP_SIZE - 1);
  int warp = threadIdx.x / WARP_SIZE;
  int warps = (blockDim.x + WARP_SIZE - 1) / WARP_SIZE;
  v = warp_sum(v);
  __syncthreads();
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < warps ? partial[lane] : 0.0f;
    v = warp_sum(v);
    if (lane == 0) partial[0] = v;
  }
  __syncthreads();
  return partial[0];
}
__global__ void layer_norm(float *out, const float *in, const float *gamma, int rows, int columns, float eps) {
  __shared__ float partial[WARP_SIZE];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float *x = in + (size_t)row * columns;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += x[c];
    float mean = all_sum(sum, partial) / columns;
    float square = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) square += (x[c] - mean) * (x[c] - mean);
    float scale = rsqrtf(all_sum(square, partial) / columns + eps);
    for (int c = threadIdx.x; c < columns; c += blockDim.x) out[(size_t)row * columns + c] = (x[c] - mean) * scale * gamma[c];
  }
}
void launch(float *o, const float *i, const float *g, int rows, int columns) {
  dim3 block(256);
  layer_norm<<<rows, block>>>(o, i, g, rows, columns, 1e-5f);
}
"""
)

SOFTMAX = (
    SUM
    + """
__global__ void softmax(float *out, const float *in, int columns) {
  __shared__ float maxima[32], sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const float *x = in + blockIdx.x * columns;
  float m = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) m = fmaxf(m, x[c]);
  for (int o = 16; o > 0; o /= 2) m = fmaxf(m, __shfl_xor_sync(FULL, m, o));
  if (lane == 0) maxima[warp] = m;
  __syncthreads();
  m = maxima[0];
  for (int i = 1; i < warps; i++) m = fmaxf(m, maxima[i]);
  float s = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) s += expf(x[c] - m);
  s = warp_sum(s);
  s = __shfl_sync(FULL, s, 0);
  if (lane == 0) sums[warp] = s;
  __syncthreads();
  s = sums[0];
  for (int i = 1; i < warps; i++) s += sums[i];
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[blockIdx.x * columns + c] = expf(x[c] - m) / s;
}
void launch(float *o, const float *i, int rows, int columns) { softmax<<<rows, 512>>>(o, i, columns); }
"""
)

ONLINE_SOFTMAX = """
__global__ void softmax(float *out, const float *in, int columns) {
  const float *x = in + blockIdx.x * columns;
  float m = -INFINITY, d = 0.0f;
  for (int c = threadIdx.x; c < columns; c += 64) {
    float larger = fmaxf(m, x[c]);
    d = d * expf(m - larger) + expf(x[c] - larger);
    m = larger;
  }
  for (int o = 16; o > 0; o >>= 1) {
    float om = __shfl_xor_sync(0xffffffff, m, o), od = __shfl_xor_sync(0xffffffff, d, o);
    float larger = fmaxf(m, om);
    d = d * expf(m - larger) + od * expf(om - larger);
    m = larger;
  }
  __shared__ float ms[2], ds[2];
  if (threadIdx.x % 32 == 0) { ms[threadIdx.x / 32] = m; ds[threadIdx.x / 32] = d; }
  __syncthreads();
  m = fmaxf(ms[0], ms[1]);
  d = ds[0] * expf(ms[0] - m) + ds[1] * expf(ms[1] - m);
  for (int c = threadIdx.x; c < columns; c += 64) out[blockIdx.x * columns + c] = expf(x[c] - m) / d;
}
void launch(float *o, const float *i, int rows, int columns) { softmax<<<rows, 64>>>(o, i, columns); }
"""

SCAN = """
const int N = 256;
__global__ void scan(const int *in, int *out) {
  __shared__ int totals[N / 32];
  int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
  int v = in[blockIdx.x * N + tid];
  for (int o = 1; o < 32; o <<= 1) {
    int left = __shfl_up_sync(0xffffffff, v, o);
    if (lane >= o) v += left;
  }
  if (lane == 31) totals[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int t = lane < N / 32 ? totals[lane] : 0;
    for (int o = 1; o <= 16; o *= 2) {
      int left = __shfl_up_sync(0xffffffff, t, o);
      if (lane >= o) t += left;
    }
    if (lane < N / 32) totals[lane] = t;
  }
  __syncthreads();
  if (warp > 0) v += totals[warp - 1];
  out[blockIdx.x * N + tid] = v;
}
void launch(const int *in, int *out, int blocks) { scan<<<blocks, N>>>(in, out); }
"""

UNROLLED = """
__global__ void dot(const double *a, const double *b, double *out, int n) {
  __shared__ double part[4];
  double s = 0, q = 0;
  for (int i = threadIdx.x; i < n; i += 128) {
    s += a[i] * b[i];
    q += b[i] * b[i];
  }
  s += __shfl_down_sync(-1, s, 16);
  q += __shfl_down_sync(-1, q, 16);
  s += __shfl_down_sync(-1, s, 8);
  q += __shfl_down_sync(-1, q, 8);
  s += __shfl_down_sync(-1, s, 4);
  q += __shfl_down_sync(-1, q, 4);
  s += __shfl_down_sync(-1, s, 2);
  q += __shfl_down_sync(-1, q, 2);
  s += __shfl_down_sync(-1, s, 1);
  q += __shfl_down_sync(-1, q, 1);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  if (threadIdx.x % 32 == 0) atomicAdd(out + 1, q);
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < 4 ? part[threadIdx.x] : 0;
    s += __shfl_xor_sync(-1, s, 1);
    s += __shfl_xor_sync(-1, s, 2);
    s += __shfl_xor_sync(-1, s, 4);
    s += __shfl_xor_sync(-1, s, 8);
    s += __shfl_xor_sync(-1, s, 16);
    if (threadIdx.x == 0) out[0] = s;
  }
}
void launch(const double *a, const double *b, double *out, int n) { dot<<<1, 128>>>(a, b, out, n); }
"""

TEMPLATE = (
    SUM
    + """
template <typename T, int THREADS> __global__ void total(const T *in, T *out, int n) {
  __shared__ T part[THREADS / 32];
  T s = T(0);
  for (int i = threadIdx.x; i < n; i += THREADS) s += in[i];
  s = warp_sum(s);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < THREADS / 32 ? part[threadIdx.x] : T(0);
    s = warp_sum(s);
    if (threadIdx.x == 0) *out = s;
  }
}
"""
)
CONSTANT_TEMPLATE = TEMPLATE + "void launch(const int *i, int *o, int n) { total<int, 256><<<1, 256>>>(i, o, n); }\n"
OPEN_TEMPLATE = (
    TEMPLATE + "template <int B> void launch(const int *i, int *o, int n) { total<int, B><<<1, B>>>(i, o, n); }\n"
)
RUNTIME_BLOCK = BLOCK_SUM.replace("<<<80, 256>>>", "<<<80, n / 4>>>")
HALF_WAVE = BLOCK_SUM.replace("<<<80, 256>>>", "<<<80, 96>>>")

WARP_PER_ROW = (
    SUM
    + """
__global__ void row_sums(const float *in, float *out, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row < rows) {
    float s = 0;
    for (int c = lane; c < columns; c += 32) s += in[row * columns + c];
    s = warp_sum(s);
    if (lane == 0) out[row] = s;
  }
}
void launch(const float *i, float *o, int rows, int columns) { row_sums<<<rows / 8, 256>>>(i, o, rows, columns); }
"""
)

COMPACTION = """
__global__ void compact(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < n && in[i] > 0;
  unsigned votes = __ballot_sync(0xffffffff, keep);
  int base = 0;
  if ((threadIdx.x & 31) == 0) base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(0xffffffff, base, 0);
  if (keep) out[base + __popc(votes & ((1u << (threadIdx.x & 31)) - 1))] = in[i];
}
void launch(const int *i, int *o, int *c, int n) { compact<<<n / 256, 256>>>(i, o, c, n); }
"""

SHARED_HELPER = (
    BLOCK_SUM
    + """
__global__ void pairs(const float *in, float *out) {
  float v = warp_sum(in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}
void launch_pairs(const float *in, float *out) { pairs<<<1, 256>>>(in, out); }
"""
)

TAIL_EXITS = (
    SUM
    + """
__global__ void k(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = warp_sum(in[i]);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
void launch(const float *i, float *o, int n) { k<<<n / 256, 256>>>(i, o, n); }
"""
)

HOST_USES_CONSTANT = LAYER_NORM.replace("dim3 block(256);", "dim3 block(256); int smem = WARP_SIZE * sizeof(float);")
WRONG_IDENTITY = BLOCK_SUM.replace("shared[lane] : 0;", "shared[lane] : 1;")
FLOAT_INTO_INT = BLOCK_SUM.replace("float v) {\n  static", "float x) {\n  int v = x;\n  static")
LARGEST_BLOCK = SOFTMAX.replace("<<<rows, 512>>>", "<<<rows, 1024>>>")
ARGMAX = """
__global__ void argmax(const float *in, int *out) {
  float v = in[threadIdx.x];
  int at = threadIdx.x;
  for (int o = 16; o > 0; o >>= 1) {
    float ov = __shfl_down_sync(0xffffffff, v, o);
    int oat = __shfl_down_sync(0xffffffff, at, o);
    if (ov > v) { v = ov; at = oat; }
  }
  __shared__ float vs[2];
  __shared__ int ats[2];
  if (threadIdx.x % 32 == 0) { vs[threadIdx.x / 32] = v; ats[threadIdx.x / 32] = at; }
  __syncthreads();
  if (threadIdx.x == 0) *out = vs[1] > vs[0] ? ats[1] : ats[0];
}
void launch(const float *i, int *o) { argmax<<<1, 64>>>(i, o); }
"""
MACRO_SHUFFLE = """
#define STEP(v, o) v += __shfl_down_sync(0xffffffff, v, o)
__global__ void k(const int *in, int *out) {
  int v = in[threadIdx.x];
  STEP(v, 16); STEP(v, 8); STEP(v, 4); STEP(v, 2); STEP(v, 1);
  v += __shfl_down_sync(0xffffffff, v, 0);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
void launch(const int *i, int *o) { k<<<1, 64>>>(i, o); }
"""

HALVES = """
#include <cuda_fp16.h>
__global__ void total(const __half *x, __half *out, float *sum, int n) {
  __shared__ __half part[8];
  __half v = x[threadIdx.x];
  float f = 0;
  for (int i = threadIdx.x; i < n; i += 256) f += __half2float(x[i]);
  for (int o = 16; o > 0; o >>= 1) {
    v = v + __shfl_down_sync(0xffffffff, v, o);
    f += __shfl_down_sync(0xffffffff, f, o);
  }
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = v;
    atomicAdd(sum, f);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __half s = part[0];
    for (int i = 1; i < blockDim.x / 32; i++) s = __hadd(s, part[i]);
    *out = s;
  }
}
void launch(const __half *x, __half *out, float *sum, int n) { total<<<1, 256>>>(x, out, sum, n); }
"""
HISTOGRAM = """
__global__ void counts(const float *x, int *most, int n) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256)
    if (x[i] > 0) atomicAdd(&bins[(int)(x[i] * 255) & 255], 1);
  __syncthreads();
  int m = bins[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) m = max(m, __shfl_xor_sync(0xffffffff, m, o));
  if (threadIdx.x % 32 == 0) atomicMax(most, m);
}
void launch(const float *x, int *most, int n) { counts<<<1, 256>>>(x, most, n); }
"""
# The macro keeps 32 lanes in the port, though it is called like a shuffle whose width would be the wave's.
SHUFFLE_IN_MACRO = """
#define __shfl(v, lane) __shfl_sync(0xffffffff, v, lane)
__global__ void spread(int value, int *out) {
  int v = (threadIdx.x & 31) == 0 ? value : 0;
  out[threadIdx.x] = __shfl(v, 0);
}
void launch(int v, int *out) { spread<<<1, 256>>>(v, out); }
"""
# What a later turn of the loop changes, the first one does not.
LATER_TURNS = """
__global__ void turns(const int *in, int *total, int *out, int n) {
  int w = 0;
  for (int i = 0; i < n; i++) {
    int v = in[i * 256 + threadIdx.x];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) atomicAdd(total, v);
    if (threadIdx.x == 32) out[i] = w;
    if (i > 0) w = threadIdx.x / 32;
  }
}
void launch(const int *in, int *t, int *out, int n) { turns<<<1, 256>>>(in, t, out, n); }
"""
SHARED_OR_SHARED = """
__global__ void pick(const int *in, int *out, int n) {
  __shared__ int a[64], b[64];
  a[threadIdx.x] = b[threadIdx.x] = 0;
  int *to = n > 3 ? a : b;
  int v = in[threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0) to[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) *out = a[0];
}
void launch(const int *in, int *out, int n) { pick<<<1, 64>>>(in, out, n); }
"""

WIDENED = {
    "block_sum": BLOCK_SUM,
    "atomic_count": ATOMIC_COUNT,
    "block_max": BLOCK_MAX,
    "layer_norm": LAYER_NORM,
    "softmax": SOFTMAX,
    "softmax_1024": LARGEST_BLOCK,
    "scan": SCAN,
    "unrolled": UNROLLED,
    "template": CONSTANT_TEMPLATE,
    "halves": HALVES,
    "histogram": HISTOGRAM,
}
REFUSED = {
    "online_softmax": (ONLINE_SOFTMAX, "softmax", "would"),
    "open_template": (OPEN_TEMPLATE, "total", "the block of this launch is not a constant number of threads along x"),
    "runtime_block": (RUNTIME_BLOCK, "reduce", "the block of this launch is not a constant number of threads along x"),
    "half_wave": (HALF_WAVE, "reduce", "blocks of 96 threads are not whole waves"),
    "warp_per_row": (WARP_PER_ROW, "row_sums", "line"),
    "compaction": (COMPACTION, "compact", "a ballot of 32 lanes"),
    "tail_exits": (TAIL_EXITS, "k", "decides which lanes take part"),
    "host_uses_constant": (HOST_USES_CONSTANT, "layer_norm", "WARP_SIZE is used here too"),
    "wrong_identity": (WRONG_IDENTITY, "reduce", "would differ"),
    "float_into_int": (FLOAT_INTO_INT, "reduce", "would differ"),
    "argmax": (ARGMAX, "argmax", "would"),
    "later_turns": (LATER_TURNS, "turns", "would differ"),
    "one_of_two_arrays": (SHARED_OR_SHARED, "pick", "one of several arrays"),
    "shuffle_in_macro": (SHUFFLE_IN_MACRO, "spread", "__shfl is defined in another file or is a macro"),
    "macro_shuffle": (MACRO_SHUFFLE, "k", "is defined in another file or is a macro"),
}


@functools.cache
def port(source: str, warp: int = 64) -> FilePort:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    folder = Path(
        os.environ["PORTER_CACHE"], "tests", f"widen-{worker}", hashlib.sha256(source.encode()).hexdigest()[:16]
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "kernel.cu"
    path.write_text(source)
    result = port_source(Project(folder), path, "kernel.hip", Options(warp=warp, runtime="include"), {})
    assert result.status is FileStatus.PORTED, result.problem
    return result


def found(result: FilePort, rule: str) -> list[str]:
    return [f.message for f in result.findings if f.rule == rule]


@pytest.mark.parametrize("name", WIDENED)
def test_widened(name: str) -> None:
    result = port(WIDENED[name])
    assert found(result, "warp-widen-refused") == []
    assert found(result, "warp-widen")
    assert found(result, "warp-shuffle") == found(result, "lane-index") == found(result, "warp-size") == []
    device = re.sub(r'".*?"', "", result.port)
    assert "_sync(" not in device.replace("__syncthreads", "")
    assert not re.search(r"[%/] ?32\b|& ?31\b|>> ?5\b|shfl[^;]*, 32, 32\)", device), device


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.sample(4)
def test_refused_keeps_the_exact_port(name: str) -> None:
    source, kernel, why = REFUSED[name]
    result = port(source)
    messages = found(result, "warp-widen-refused")
    assert len(messages) == 1 and messages[0].startswith(f"{kernel} keeps its 32-lane warps: "), messages
    assert why in messages[0]
    assert found(result, "warp-widen") == []
    assert result.port == port(source, warp=32).port


def review(result: FilePort) -> set[str]:
    return {f.message for f in result.findings if f.rule == "warp-widen" and f.safety is Safety.REVIEW}


def test_integers_are_exact_and_float_sums_for_review() -> None:
    for name in ("atomic_count", "block_max", "scan", "template"):
        assert review(port(WIDENED[name])) == set(), name
    for name in ("block_sum", "layer_norm", "softmax", "unrolled"):
        assert review(port(WIDENED[name])) == {"sums in another order: 64 lanes at once instead of 32 and 32"}, name


def test_edits_touch_what_must_change() -> None:
    result = port(ATOMIC_COUNT)
    assert "for (int o = 32; o; o >>= 1) mine += __shfl_xor(mine, o);" in result.port
    assert "if ((threadIdx.x & 63) == 0) atomicAdd(total, mine);" in result.port
    assert "constexpr int kThreads = 512;" in result.port
    result = port(BLOCK_MAX)
    assert "constexpr int kWarps = kThreads / 64;" in result.port
    assert "threadIdx.x & 63, warp = threadIdx.x >> 6;" in result.port
    assert "for (int mask = 32; mask > 0; mask /= 2) v = max(v, __shfl_xor(v, mask));" in result.port
    assert "int w = 1; w < kWarps; ++w" in result.port
    result = port(LAYER_NORM)
    assert "#define WARP_SIZE 64" in result.port
    result = port(SCAN)
    assert "for (int o = 1; o < 64; o <<= 1)" in result.port
    assert "for (int o = 1; o <= 32; o *= 2)" in result.port
    assert "if (lane == 63) totals[warp] = v;" in result.port
    assert "totals[N / 64]" in result.port


def test_unrolled_steps_gain_the_widest() -> None:
    text = port(UNROLLED).port
    assert re.search(
        r"\n  s \+= __shfl_down\(s, 32\);\n  q \+= __shfl_down\(q, 32\);\n  s \+= __shfl_down\(s, 16\);", text
    )
    assert text.count("// porter[warp-widen]") == 1 and "(and 1 more below)" in text
    assert re.search(r"\n    s \+= __shfl_xor\(s, 16\);\n    s \+= __shfl_xor\(s, 32\);\n", text)
    assert "s = threadIdx.x < 2 ? part[threadIdx.x] : 0;" in text
    assert "if (threadIdx.x < 64) {" in text


def test_the_builtin_stays_and_is_64() -> None:
    result = port(BLOCK_SUM)
    assert "threadIdx.x % warpSize" in result.port
    assert "blockDim.x / warpSize" in result.port


def test_a_shared_helper_keeps_every_kernel_at_32() -> None:
    result = port(SHARED_HELPER)
    messages = sorted(found(result, "warp-widen-refused"))
    assert [m.split()[0] for m in messages] == ["pairs", "reduce"]
    assert "warp_sum is used here too, by code that stays at 32 lanes" in messages[1]
    assert found(result, "warp-widen") == []
    assert result.port == port(SHARED_HELPER, warp=32).port


def test_kernels_are_decided_one_by_one() -> None:
    result = port(ATOMIC_COUNT + COMPACTION)
    assert [m.split()[0] for m in found(result, "warp-widen-refused")] == ["compact"]
    assert "mine += __shfl_xor(mine, o);" in result.port
    assert "__shfl(base, 0, 32)" in result.port


def test_the_refusal_names_the_line() -> None:
    message = found(port(COMPACTION), "warp-widen-refused")[0]
    line = int(re.search(r"line (\d+)", message)[1])  # type: ignore[index]
    assert "__ballot_sync" in COMPACTION.splitlines()[line - 1]


def test_without_a_compiler_nothing_is_widened(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> Path:
        raise PorterError("no HIP compiler: clang not found", "pip install ziglang")

    monkeypatch.setattr(build, "cuda_ir", missing)
    result = port.__wrapped__(BLOCK_SUM)
    (message,) = found(result, "warp-widen-refused")
    assert message.endswith("there is no compiler to prove it with (pip install 'porter[compiler]')")
    assert result.port == port(BLOCK_SUM, warp=32).port


def test_a_file_that_does_not_compile_keeps_32_lanes() -> None:
    (message,) = found(port('#include "missing.h"\n' + ATOMIC_COUNT), "warp-widen-refused")
    assert "it does not compile ('missing.h' file not found)" in message


def test_32_is_the_default_and_untouched() -> None:
    result = port(BLOCK_SUM, warp=32)
    assert found(result, "warp-widen") == found(result, "warp-widen-refused") == []


def test_warp_size_of_what_is_not_widened_stays_32() -> None:
    result = port(RUNTIME_BLOCK)
    assert "threadIdx.x % 32" in result.port
    assert "warpSize" not in result.port


# Mistakes that a widening by pattern alone would make: each changes one thing that the proof must notice.
BROKEN = {
    "reads lanes past the partials": BLOCK_SUM.replace(
        "threadIdx.x < blockDim.x / warpSize", "threadIdx.x < 8 * 32 / 32 + 1"
    ),
    "a partial is not stored": BLOCK_MAX.replace("int w = 1;", "int w = 2;"),
    "every lane stores": ATOMIC_COUNT.replace("(threadIdx.x & 31) == 0", "(threadIdx.x & 31) != 0"),
    "half of the warp": ATOMIC_COUNT.replace("int o = 16", "int o = 8"),
    "another fixed lane": SOFTMAX.replace("__shfl_sync(FULL, s, 0)", "__shfl_sync(FULL, s, 5)"),
    "another thread of the first warp": BLOCK_SUM.replace("if (threadIdx.x == 0) out", "if (threadIdx.x == 1) out"),
    "the number of warps leaks": BLOCK_SUM.replace("= sum;\n}\nvoid", "= sum / (blockDim.x / 32);\n}\nvoid"),
    "not a reduction": ATOMIC_COUNT.replace("mine += __shfl", "mine = mine * 3 + __shfl"),
    "a difference": ATOMIC_COUNT.replace("mine += __shfl", "mine -= __shfl"),
    "a global per warp": ATOMIC_COUNT.replace("atomicAdd(total,", "atomicAdd(total + threadIdx.x / 32,"),
    "count of atomics": ATOMIC_COUNT.replace("atomicAdd(total, mine)", "atomicAdd(total, mine + 1)"),
    "partials past the end": SCAN.replace("if (lane < N / 32) totals[lane] = t", "totals[lane] = t").replace(
        "N / 32];", "32];"
    ),
    "a partial mask": ATOMIC_COUNT.replace("0xffffffffu", "0x0000ffffu"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_would_differ_is_refused(name: str) -> None:
    source = BROKEN[name]
    result = port(source)
    # a kernel may be widened without its 32s where they have nothing to do with lanes; never with another result
    assert found(result, "warp-widen-refused"), result.port


@needs_compiler
@pytest.mark.parametrize("name", WIDENED)
@pytest.mark.sample(3)
def test_widened_ports_compile(name: str, tmp_path: Path) -> None:
    result = port(WIDENED[name])
    path = tmp_path / "kernel.hip"
    path.write_text(result.port)
    assert [e.message for e in syntax_check(path, runtime=True).errors] == []


RULES = [r for r in load_rules().rules.values() if r.id.startswith("warp-widen")]


@pytest.mark.parametrize(("rule", "example"), [pytest.param(r, e, id=r.id) for r in RULES for e in r.unchanged])
def test_rule_stays_silent(rule: Rule, example: Example, tmp_path: Path) -> None:
    path = tmp_path / "example.cu"
    path.write_text(example.before)
    options = Options(warp=int(example.options.get("warp", 64)))
    result = port_source(Project(tmp_path), path, "example.hip", options, {})
    assert [f for f in result.findings if f.rule == rule.id] == []


# --- the same numbers, run on the CPU ------------------------------------------------------------

MOCK = Path(__file__).resolve().parent / "wave_mock"
needs_host_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="NOT RUN: no g++")
INPUT = """
template <class T> std::vector<T> numbers(size_t n) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = T(int(i * 7919 % 1009) - 400) / T(3);
  return v;
}
template <class T> void show(const std::vector<T> &v) { for (T x : v) std::printf("%.9g\\n", double(x)); }
"""
RUNS = {
    "block_sum": "auto in = numbers<float>(70000); std::vector<float> out(80); launch(in.data(), out.data(), 70000); show(out);",
    "atomic_count": "auto in = numbers<int>(5000); std::vector<int> out(1); launch(in.data(), out.data(), 5000); show(out);",
    "block_max": "auto in = numbers<int>(9000); std::vector<int> out(3); launch(in.data(), out.data(), 3, 200); show(out);",
    "layer_norm": "auto in = numbers<float>(3000), g = numbers<float>(1000); std::vector<float> out(3000);"
    " launch(out.data(), in.data(), g.data(), 3, 1000); show(out);",
    "softmax": "auto in = numbers<float>(2100); for (float &x : in) x /= 50; std::vector<float> out(2100);"
    " launch(out.data(), in.data(), 3, 700); show(out);",
    "softmax_1024": "auto in = numbers<float>(4000); for (float &x : in) x /= 50; std::vector<float> out(4000);"
    " launch(out.data(), in.data(), 2, 2000); show(out);",
    "scan": "auto in = numbers<int>(1024); std::vector<int> out(1024); launch(in.data(), out.data(), 4); show(out);",
    "unrolled": "auto a = numbers<double>(3000), b = numbers<double>(4000); std::reverse(b.begin(), b.end()); std::vector<double> out(2);"
    " launch(a.data(), b.data(), out.data(), 3000); show(out);",
    "template": "auto in = numbers<int>(5000); std::vector<int> out(1); launch(in.data(), out.data(), 5000); show(out);",
}
_LAUNCH = re.compile(r"(\w+(?:<[^<>;]*>)?)\s*<<<(.*?)>>>\((.*?)\);")


def execute(source: str, run: str, wave: int, folder: Path) -> list[float]:
    text = _LAUNCH.sub(r"mock::launch(\2, [=] { \1(\3); });", source)
    path = folder / f"run{wave}.cpp"
    path.write_text(f"{text}\n{INPUT}\nint main() {{ {run} }}\n")
    program = folder / f"run{wave}"
    command = ["g++", "-std=c++17", "-O0", "-w", f"-DWAVE={wave}", f"-I{MOCK}", "-include", "hip/hip_runtime.h"]
    subprocess.run([*command, str(path), "-o", str(program)], check=True)
    shown = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=60)
    return [float(line) for line in shown.stdout.split()]


@needs_host_compiler
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.sample(3)
def test_widened_kernels_give_the_same_numbers(name: str, tmp_path: Path) -> None:
    cuda = execute(WIDENED[name], RUNS[name], 32, tmp_path)
    assert len(set(cuda)) > 1 or len(cuda) == 1
    result = port(WIDENED[name])
    wide = execute(result.port, RUNS[name], 64, tmp_path)
    if review(result):
        assert wide == pytest.approx(cuda, rel=2e-4, abs=1e-5)
    else:
        assert wide == cuda
    # and so does the port that keeps 32 lanes
    assert execute(port(WIDENED[name], warp=32).port, RUNS[name], 64, tmp_path) == cuda


@needs_host_compiler
def test_the_mock_notices_a_port_that_only_widens_the_shuffles(tmp_path: Path) -> None:
    cuda = execute(ATOMIC_COUNT, RUNS["atomic_count"], 32, tmp_path)
    careless = ATOMIC_COUNT.replace("__shfl_xor_sync(0xffffffffu, mine, o)", "__shfl_xor(mine, o)").replace(
        "o = 16", "o = 32"
    )
    assert execute(careless, RUNS["atomic_count"], 64, tmp_path) != cuda
