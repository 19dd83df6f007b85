"""--warp 64 on kernels whose widening would be wrong: each keeps its 32 lanes, and the report says why."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.findings import FilePort, FileStatus
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

SUM = """
__device__ int warp_sum(int v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
"""
MAX = "int v = x[threadIdx.x]; for (int o = 16; o > 0; o >>= 1) v = max(v, __shfl_xor_sync(0xffffffffu, v, o));"
LAUNCH = "void launch(const int *x, int *y, int n) { k<<<1, 256>>>(x, y, n); }\n"
V = "int v = warp_sum(x[threadIdx.x]);"
ADD = "if ((threadIdx.x & 31) == 0) atomicAdd(y, v);"
COUNT = f"{V} {ADD}"
PER_WARP = "x[1000 + (threadIdx.x & 224)]"  # of data, one for each 32 threads


def kernel(body: str, before: str = "", after: str = LAUNCH) -> str:
    return f"{SUM}{before}\n__global__ void k(const int *x, int *y, int n) {{\n{body}\n}}\n{after}"


def launched(how: str) -> str:
    return kernel(COUNT, after=f"void launch(const int *x, int *y, int n) {{ {how} }}\n")


BODIES = {
    "threads leave a do loop warp by warp": (
        f"int t = {PER_WARP}, i = threadIdx.x; do {{ int v = warp_sum(x[i]); {ADD} i += 256; }} while (--t > 0);",
        "decides which lanes take part",
    ),
    "threads leave a loop behind the shuffle": (
        f"for (int i = threadIdx.x; ; i += 256) {{ int v = warp_sum(x[i]); {ADD} if ({PER_WARP} < i) break; }}",
        "decides which lanes take part",
    ),
    "a warp adds as often as its data says": (
        f"{V} int t = {PER_WARP}; do {{ {ADD} }} while (--t > 0);",
        "what is added here would differ",
    ),
    "half of a wave leaves a loop by goto": (
        f"int v = x[threadIdx.x]; for (int i = 0; i < n; i++) {{ if (threadIdx.x < 96 && x[i] > 0) goto hit; }} return;"
        f" hit: v = warp_sum(v); {ADD}",
        "not all lanes of the wave take part",
    ),
    "an atomic gives what shared memory held": (
        f"__shared__ int c; {V} if (threadIdx.x == 0) {{ c = v; y[0] = atomicAdd(&c, 1); }}",
        "what is stored here would differ",
    ),
    "an exchange gives what shared memory held": (
        f"__shared__ int c; {V} if (threadIdx.x == 0) {{ c = v; y[0] = atomicExch(&c, 1); }}",
        "would see other values",
    ),
    "each warp counts in one bin": (
        "__shared__ int b[64]; if (threadIdx.x < 64) b[threadIdx.x] = 0; __syncthreads(); " + MAX +
        " if ((threadIdx.x & 31) == 0) { atomicAdd(&b[x[0] & 63], 1); atomicMax(y + 100, v); } __syncthreads();"
        " if (threadIdx.x < 64) y[threadIdx.x] = b[threadIdx.x];",
        "what is stored here would differ",
    ),
    "the block counts first lanes": (
        f"{V} {ADD} int c = __syncthreads_count((threadIdx.x & 31) == 0); if (threadIdx.x == 0) y[1] = c;",
        "would see other values",
    ),
    "signed maxima, unsigned atomic": (
        MAX + " if ((threadIdx.x & 31) == 0) atomicMax((unsigned *)y, (unsigned)v);",
        "what is added here would differ",
    ),
    "all bits of the lane turn": (
        f"{V} {ADD} y[threadIdx.x + 9] = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], -1);",
        "the lane that the shuffle reads is not known",
    ),
}  # fmt: skip
SOURCES: Mapping[str, tuple[str, str]] = {
    "warpSize in a macro": (
        kernel(f"{V} if (LANE == 0) atomicAdd(y, v);", "#define LANE (threadIdx.x % warpSize)"),
        "LANE is defined in another file or is a macro",
    ),
    "a vote in a macro": (
        kernel(f"int a = ALL(x[threadIdx.x]); {V} if (threadIdx.x == 0) y[1] = a; {ADD}", "#define ALL(p) __all(p)"),
        "__all depends on the number of lanes",
    ),
    "a shuffle in an operator": (
        kernel(f"int v = Sum()(warp_sum(x[threadIdx.x])); {ADD}",
               "struct Sum { __device__ int operator()(int v) const { return __shfl_xor_sync(~0u, v, 16) + v; } };"),
        "is in a function that is not called by its name",
    ),
    "a method that another kernel calls": (
        kernel(f"Sums s; int v = s.all(x[threadIdx.x]); {ADD}",
               "struct Sums { __device__ int all(int v) const { return warp_sum(v); } };",
               LAUNCH + "__global__ void q(int *y) { Sums s; y[threadIdx.x] = s.all(y[threadIdx.x]); }\n"
               "void other(int *y) { q<<<1, 96>>>(y); }\n"),
        "all is used here too, by code that stays at 32 lanes",
    ),
    "an atomic of the file's own": (
        kernel(MAX + " if ((threadIdx.x & 31) == 0) atomicMax((float *)y, (float)v);",
               "__device__ float atomicMax(float *p, float v) { atomicAdd((int *)p, 1); return v; }"),
        "what is added here would differ",
    ),
    "another branch of the kernel": (
        kernel(f"{V}\n#ifdef PER_WARP\nif (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;\n#else\n{ADD}\n#endif"),
        "the preprocessor chooses what is compiled (line 9)",
    ),
    "another definition of a function": (
        kernel(f"int v = total(x[threadIdx.x]); {ADD}",
               "#ifdef OLD\n__device__ int total(int v) { return warp_sum(v) + threadIdx.x / 32; }\n"
               "#else\n__device__ int total(int v) { return warp_sum(v); }\n#endif"),
        "the preprocessor chooses between several total",
    ),
    "its address": (
        kernel(COUNT, after=LAUNCH + "void other(const int *x, int *y) { auto f = &k; f<<<1, 96>>>(x, y, 0); }"),
        "k is used here other than by a launch",
    ),
    "its address for a function": (
        kernel(COUNT, after="template <class F> void go(F f, int t, int *y) { f<<<1, t>>>(y, y, 0); }\n" + LAUNCH
               + "void other(int *y) { go(&k, 96, y); }"),
        "k is used here other than by a launch",
    ),
}  # fmt: skip
BLOCKS = {
    "a parameter hides a constant": "} const int T = 256; void go(const int *x, int *y, int n, int T) { k<<<1, T>>>(x, y, n);",
    "a variable hides a constant": "} const int T = 256; void go(const int *x, int *y, int n) {"
    " int T = 64; if (n < 9) T = 96; k<<<1, T>>>(x, y, n);",
    "a later name hides a constant": "} const int T = 256; void go(const int *x, int *y, int n) {"
    " int a = n, T = a; k<<<1, T>>>(x, y, n);",
    "a reference changes it": "void pick(int &t); int T = 64; pick(T); k<<<1, T>>>(x, y, n);",
    "a reference changes its dim3": "void pick(dim3 &t); dim3 T(64); pick(T); k<<<1, T>>>(x, y, n);",
    "its dim3 is shifted": "dim3 T(128); T.x >>= 2; k<<<1, T>>>(x, y, n);",
    "its dim3 is counted down": "dim3 T(128); --T.x; k<<<1, T>>>(x, y, n);",
    "a member that anybody may set": "} struct R { int t = 256; void go(const int *x, int *y) { k<<<1, t>>>(x, y, 0); } }; void f() {",
}
FILES = {
    "a header launches it": ("go.h", kernel(COUNT, after=LAUNCH + '#include "go.h"'),
        "inline void go(const int *x, int *y) { k<<<1, 96>>>(x, y, 0); }", "another file names it"),
    "another unit launches it": ("other.cu", kernel(COUNT),
        "__global__ void k(const int *, int *, int);\nvoid go(int *y) { k<<<1, 96>>>(y, y, 0); }", "another file names it"),
    "another unit includes it": ("other.cu", kernel(COUNT),
        '#include "kernel.cu"\nvoid go(int *y) { k<<<1, 96>>>(y, y, 0); }', "another file names it"),
    "another unit calls its helper": ("other.cu", kernel(COUNT),
        "__device__ int warp_sum(int v);\n__global__ void q(int *y) { *y = warp_sum(1); }", "another file uses warp_sum, too"),
    "a header uses its constant": ("size.h",
        "#define WARP 32\n#include \"size.h\"\n" + kernel(f"{V} if (threadIdx.x % WARP == 0) atomicAdd(y, v);"),
        "inline int bytes() { return 4 * WARP; }", "another file uses WARP, too"),
    "a header asks for warpSize": ("lane.h", kernel(f"{V} if (lane() == 0) atomicAdd(y, v);", '#include "lane.h"'),
        "__device__ inline int lane() { return threadIdx.x % warpSize; }", "warpSize is defined in another file"),
}  # fmt: skip


def port(source: str, files: Mapping[str, str] | None = None) -> FilePort:
    digest = hashlib.sha256(repr((source, files)).encode()).hexdigest()[:16]
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    folder = Path(os.environ["PORTER_CACHE"], "tests", f"unsafe-{worker}", digest)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"kernel.cu": source, **(files or {})}.items():
        (folder / name).write_text(text)
    result = port_source(Project(folder), folder / "kernel.cu", "kernel.hip", Options(warp=64, runtime="include"), {})
    assert result.status is FileStatus.PORTED, result.problem
    return result


def refused(source: str, why: str, files: Mapping[str, str] | None = None) -> None:
    result = port(source, files)
    messages = [f.message for f in result.findings if f.rule == "warp-widen-refused" and f.message.startswith("k ")]
    assert len(messages) == 1 and why in messages[0], messages or result.port
    assert not [f for f in result.findings if f.rule == "warp-widen"]


def test_the_kernel_that_they_are_made_of_is_widened() -> None:
    assert "(threadIdx.x & 63) == 0" in port(kernel(COUNT)).port


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.sample(4)
def test_another_result(name: str) -> None:
    body, why = BODIES[name]
    refused(kernel(body), why)


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.sample(4)
def test_code_that_the_edits_do_not_reach(name: str) -> None:
    refused(*SOURCES[name])


@pytest.mark.parametrize("name", BLOCKS)
def test_block_sizes_that_are_not_known(name: str) -> None:
    refused(launched(BLOCKS[name]), "the block of this launch is not a constant number of threads along x")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.sample(3)
def test_other_files(name: str) -> None:
    other, source, text, why = FILES[name]
    refused(source, why, {other: text})


def test_functions_of_other_files_by_the_same_name_are_others() -> None:
    other = SUM + "__global__ void k(int *y) { y[threadIdx.x] = warp_sum(1); }\n"
    assert "(threadIdx.x & 63) == 0" in port(kernel(COUNT), {"other.cu": other}).port


def test_variables_that_are_only_read_have_their_value() -> None:
    source = kernel(COUNT, after="int tiles(int n, int t) { return (n + t - 1) / t; }\n"
        "void launch(const int *x, int *y, int n) { int t = 256; dim3 b(t); printf(\"%d\", t);"
        " k<<<tiles(n, t), b>>>(x, y, t); k<<<n / b.x, t>>>(x, y, n); }")  # fmt: skip
    assert "(threadIdx.x & 63) == 0" in port(source).port
