"""Barriers of libcu++: do all threads come to a wait together?"""

from __future__ import annotations

from pathlib import Path

import pytest
from porting import port

from porter.analysis.waits import waits_apart
from porter.frontend.source_file import SourceFile

HEAD = "#include <cuda/barrier>\nusing barrier = cuda::barrier<cuda::thread_scope_block>;\n"
KERNEL = """
__global__ void k(int n, int *p) {
  __shared__ barrier bar;
  auto block = cooperative_groups::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  %s
}
"""


def apart(text: str) -> bool:
    return waits_apart(SourceFile(Path("x.cu"), (HEAD + text).encode()), ())


@pytest.mark.parametrize(
    "body",
    [
        "auto token = bar.arrive(); bar.wait(std::move(token));",
        "for (int i = 0; i < n; ++i) { auto t = bar.arrive(); p[threadIdx.x] = i; bar.wait(std::move(t)); }",
        "if (n > 3) { bar.arrive_and_wait(); } else { bar.arrive_and_wait(); }",
        "for (int i = 0; i < n; ++i) { bar.arrive_and_wait(); if (i == 7) break; }",
        "int g = blockIdx.x * blockDim.x + threadIdx.x; if (g < n) p[g] = 1; bar.arrive_and_wait();",
        "barrier::arrival_token t; if (threadIdx.x == 0) { t = f(bar); } else { t = bar.arrive(); } bar.wait(std::move(t));",
        "const int s = n / 2; for (int i = 0; i < s; ++i) bar.arrive_and_wait(); if (block.thread_rank() == 0) p[0] = 1;",
        "for (int i = 0; i < n; ++i) { if (threadIdx.x == 0) p[i] = 2; else p[i] = 3; bar.arrive_and_wait(); }",
    ],
)
def test_together(body: str) -> None:
    assert not apart(KERNEL % body)


@pytest.mark.parametrize(
    "body",
    [
        "if (threadIdx.x < 32) bar.arrive_and_wait();",
        "if (threadIdx.x < 32) { (void)bar.arrive(); } else { bar.wait_parity(0); }",
        "int w = threadIdx.x / 32; bool one = w == 0; if (one) { (void)bar.arrive(); return; } bar.wait_parity(0);",
        "int w = threadIdx.x / 32; for (int i = w; i < n; i += 4) { bar.arrive_and_wait(); }",
        "int x = 0; if (threadIdx.x == 0) x = 1; while (x < n) { bar.arrive_and_wait(); ++x; }",
        "barrier *bars = &bar; bars[threadIdx.x / 32].arrive_and_wait();",
        "for (int i = 0; i < n; ++i) { bar.arrive_and_wait(); if (p[threadIdx.x] > 3) break; }",
        "const int me(threadIdx.x); while (true) { bar.arrive_and_wait(); if (me > 3) { p[0] = 1; return; } }",
        "auto wait = [&] { bar.arrive_and_wait(); }; wait();",
        "if (n > 3) bar.arrive_and_wait(); else bar.arrive_and_wait();",  # an else without braces: not worth reading
    ],
)
def test_apart(body: str) -> None:
    assert apart(KERNEL % body)


MEET = "template <bool Last> __device__ void meet(barrier &b, int n) { if (n > 3) { b.arrive_and_wait(); } }\n"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("meet<true>(bar, n); if (blockIdx.x == 0) { meet<false>(bar, 7); }", False),
        ("if (threadIdx.x < 32) { meet<true>(bar, n); }", True),
        ("meet<true>(bar, threadIdx.x);", True),
        ("", True),  # somebody else calls it
    ],
)
def test_functions_that_wait(call: str, expected: bool) -> None:
    assert apart(MEET + KERNEL % call) is expected


def test_functions_that_call_each_other() -> None:
    both = "__device__ void a(barrier &b) { c(b); b.arrive_and_wait(); }\n__device__ void c(barrier &b) { a(b); }\n"
    assert apart(both + KERNEL % "a(bar);")


def test_outside_of_kernels() -> None:
    assert apart("__device__ void f(barrier &b) { b.arrive_and_wait(); }")
    assert not apart("__global__ void k(thing &t) { t.arrive(); }")
    assert not waits_apart(SourceFile(Path("x.cu"), b"__device__ void f(barrier &b) { b.arrive_and_wait(); }"), ())


def test_condition_after_the_kernels_brace(tmp_path: Path) -> None:
    source = (
        "__global__ void k(float *p) {\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n"
        '  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");\n#else\n  *p = 0;\n#endif\n}\n'
    )
    lines = port(source, tmp_path).port.splitlines()
    opening = next(n for n, line in enumerate(lines) if line.endswith("{"))
    assert lines[opening + 1] == "  porter::begin_warpgroups();"
    assert lines[opening + 2].startswith("#if defined")


@pytest.mark.parametrize(
    "includes",
    [
        "#include <cstdio>\n",
        "#ifdef __linux__\n#include <unistd.h>\n#endif\n#include <cuda_runtime.h>\n",
        '#include "x.h"\n',
    ],
)
def test_headers_are_told_before_any_is_included(includes: str, tmp_path: Path) -> None:
    """Of mirrored warps and of clusters, whatever comes first in the file."""
    body = 'asm volatile("bar.sync 1, 64;"); asm volatile("barrier.cluster.arrive;"); asm volatile("barrier.cluster.wait;");'
    source = f"{includes}__global__ void __cluster_dims__(2, 1, 1) k(float *p) {{ {body} }}\n"
    lines = port(source, tmp_path).port.splitlines()
    told = [lines.index(f"#define PORTER_{what} 1") for what in ("MIRRORED", "CLUSTERS")]
    assert max(told) < min(n for n, line in enumerate(lines) if line.startswith(("#include", "#if")))


PTX = """
#include <cuda_runtime.h>
#include <cstdint>
__device__ uint32_t place(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ bool ready(uint64_t *bar, uint32_t phase) {
  uint32_t done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(place(bar)), "r"(phase));
  return done;
}
__device__ void wait(uint64_t *bar, uint32_t phase) { while (!ready(bar, phase)) {} }
__device__ bool elected() {
  uint32_t one;
  asm volatile("{ .reg .pred p; elect.sync _|p, -1; selp.u32 %0, 1, 0, p; }" : "=r"(one));
  return one;
}
__global__ void k(float *x, int n) {
  extern __shared__ __align__(128) float row[];
  __shared__ uint64_t bar[2];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(place(bar)));
  __syncthreads();
  BODY
}
"""
BULK = """if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 4096;" ::"r"(place(bar)));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];"
                 ::"r"(place(row)), "l"(x + i * 1024), "r"(place(bar)) : "memory");
  }
"""


@pytest.mark.parametrize(
    ("body", "roles"),
    [
        (
            f"for (int i = blockIdx.x, phase = 0; i < n; i += gridDim.x, phase ^= 1) {{ {BULK} wait(bar, phase); }}",
            False,
        ),
        (f"for (int i = 0; i < n; ++i) {{ {BULK} wait(&bar[i % 2], i / 2 % 2); }}", False),
        (f"int i = 0; {BULK} if (warp == 1) wait(bar, 0);", True),
        (f"int i = 0; {BULK} wait(&bar[warp], 0);", True),
        (f"int i = 0; {BULK} if (elected()) wait(bar, 0);", True),
        (
            f'int i = 0; {BULK} uint32_t lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); if (lane < 9) wait(bar, 0);',
            True,
        ),
        (f"int i = 0; {BULK} auto all = [&] {{ wait(bar, 0); }}; all();", True),
        (f"for (int i = warp; i < n; i += 4) {{ {BULK} wait(bar, 0); }}", True),
        (f'int i = 0; {BULK} wait(bar, 0); asm volatile("bar.sync 1, 64;");', True),
    ],
)
def test_mbarriers_that_all_wait_for(body: str, roles: bool, tmp_path: Path) -> None:
    """Two warps may wait as one wave, and a block may have as many as in CUDA."""
    result = port(PTX.replace("BODY", body) + "void run(float *x) { k<<<4, 1024, 4096>>>(x, 9); }\n", tmp_path)
    assert ("#define PORTER_MIRRORED" in result.port) == roles
