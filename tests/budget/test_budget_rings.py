"""One stage in place of several: shown for rings whose rounds do not overlap, for a person to look at otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_budget import port, said

from porter.findings import Safety
from tests.families import family

RING = """#include <cuda_runtime.h>
#include <cstdint>
constexpr int kStages = 3;
struct Shared { float rows[kStages][160 * 64]; uint64_t full[kStages], empty[kStages]; };
template <int N> struct Ring {
  int stage = 0; unsigned phase = 0;
  __device__ void next() { if (++stage == N) { stage = 0; phase ^= 1; } }
};
__device__ void wait(uint64_t *bar, unsigned phase) {}
__device__ void arrive(uint64_t *bar) {}
__device__ void next(int &stage, unsigned &phase) { stage = (stage + 1) % kStages; phase ^= stage == 0; }
__device__ int bit(int set, int stage) { return 16 * set + stage; }
template <int N> __device__ int after(int stage, int distance = 1) { return (stage + distance) % N; }
template <int N> __device__ int behind(int stage, int distance) { return (stage + N - distance) % N; }
__global__ void k(float *x, int n) {
  extern __shared__ char memory[];
  auto &s = *reinterpret_cast<Shared *>(memory);
  float sum = 0;
  for (int i = 0; i < kStages; ++i) s.full[i] = 1, s.empty[i] = 4;
  LOOP
  *x = sum;
}
void run(float *x, int n) { k<<<1, 128, sizeof(Shared)>>>(x, n); }
"""
USES = "wait(&s.full[AT], PHASE); sum += s.rows[AT][threadIdx.x]; arrive(&s.empty[AT]);"


def loop(text: str, at: str = "stage", phase: str = "phase") -> str:
    return RING.replace("LOOP", text.replace("USES", USES).replace("AT", at).replace("PHASE", phase))


COUNTERS = {
    "a variable": loop(
        "int stage = 0; unsigned phase = 0;\n"
        "  for (int i = 0; i < n; ++i) { USES if (++stage == kStages) stage = 0, phase ^= 1; }"
    ),
    "a remainder": loop("for (int i = 0; i < n; ++i) { USES }", "i % kStages", "i / kStages & 1"),
    "a variable of one round": loop(
        "for (int i = 0; i < n; ++i) { const int stage = i % kStages; USES }", phase="i / kStages & 1"
    ),
    "an object": loop(
        "Ring<kStages> ring;\n  for (int i = 0; i < n; ++i, ring.next()) { USES }", "ring.stage", "ring.phase"
    ),
    "functions that get the number": loop(
        "int stage = 0; unsigned bits = 0;\n"
        "  for (int i = 0; i < n; ++i) { USES bits ^= 1u << bit(0, stage); stage = after<kStages>(stage); }",
        phase="bits >> bit(0, stage) & 1",
    ),
    "a function": loop(
        "int stage = 0; unsigned phase = 0;\n  for (int i = 0; i < n; ++i) { USES next(stage, phase); }"
    ),
}
# Barriers of their own, given as a second argument.
COUNTERS["a variable of one round, behind a comma"] = (
    loop("for (int i = 0; i < n; ++i) { const int stage = i % kStages; USES issue(x, open[stage]); }", phase="i & 1")
    .replace("extern __shared__ char", "__shared__ uint64_t open[kStages];\n  extern __shared__ char")
    .replace("__device__ void arrive", "__device__ void issue(float *x, uint64_t &bar) {}\n__device__ void arrive")
)
OVERLAPS = {
    "the stage before is given back": loop(
        "int stage = 0, before = 0; unsigned phase = 0;\n"
        "  for (int i = 0; i < n; ++i) {\n"
        "    wait(&s.full[stage], phase); sum += s.rows[stage][threadIdx.x];\n"
        "    if (i) arrive(&s.empty[before]);\n"
        "    before = stage;\n"
        "    if (++stage == kStages) stage = 0, phase ^= 1;\n  }"
    ),
    "the next is waited for first": loop(
        "int stage = 0; unsigned phase = 0;\n"
        "  for (int i = 0; i < n; ++i) { uint64_t *done = &s.empty[stage]; USES next(stage, phase);\n"
        "    wait(&s.full[stage], phase); arrive(done); }"
    ),
    "two counters": loop(
        "Ring<kStages> ring, behind;\n"
        "  for (int i = 0; i < n; ++i) {\n"
        "    wait(&s.full[ring.stage], ring.phase); ring.next();\n"
        "    sum += s.rows[behind.stage][threadIdx.x]; arrive(&s.empty[behind.stage]); behind.next();\n  }"
    ),
    "groups of copies": loop(
        "int stage = 0; unsigned phase = 0;\n  for (int i = 0; i < n; ++i) {\n"
        '    asm volatile("cp.async.wait_group 1;"); USES if (++stage == kStages) stage = 0, phase ^= 1; }'
    ),
    "a step by a function": loop(
        "int stage = 0; unsigned phase = 0;\n  for (int i = 0; i < n; ++i) { USES stage = behind<kStages>(stage, 1); }"
    ),
    "steps of two": loop(
        "int stage = 0; unsigned phase = 0;\n  for (int i = 0; i < n; ++i) { USES stage = (stage + n) % kStages; }"
    ),
}


@family("counter", COUNTERS)
def test_one_stage_will_do(counter: str, tmp_path: Path) -> None:
    result = port(tmp_path, COUNTERS[counter])
    assert said(result, Safety.SLOWER) == ["kStages is 1"], [f.message for f in result.findings]


@family("overlap", OVERLAPS)
def test_rounds_that_may_overlap_are_for_review(overlap: str, tmp_path: Path) -> None:
    result = port(tmp_path, OVERLAPS[overlap])
    assert not said(result, Safety.SLOWER), [f.message for f in result.findings]


FILLED = """#include <cuda_runtime.h>
constexpr int kStages = 4;
__device__ void load(char *to, const char *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void k(const char *a, char *x) {
  extern __shared__ char memory[];
  int stage = 0;
  load(memory, a);
  for (int i = 0; i < 8; i++, stage = (stage + 1) % kStages) {
    BODY
  }
}
void run(const char *a, char *x) { k<<<1, 128, BYTES * kStages>>>(a, x); }
"""


@pytest.mark.parametrize(
    ("body", "stages"),
    [
        ("int next = (stage + 1) % kStages; load(memory + next, a); __syncthreads(); x[i] = memory[stage];", 3),
        ("load(memory + (stage + 1) % kStages, a); __syncthreads(); x[i] = memory[stage];", 3),
        ("int next = (stage + 1) % kStages; __syncthreads(); load(memory + next, a); x[i] = memory[stage];", 2),
        ("load(memory + (stage + 1) % kStages, a); __syncthreads(); x[i] = memory[stage]; __syncthreads();", 2),
    ],
)
def test_a_stage_that_is_filled_in_front_of_the_only_barrier(body: str, stages: int, tmp_path: Path) -> None:
    """Of two stages it would be the one that others still read. Three fit, or none does."""
    for size, expected in ((21000, 3), (30000, stages if stages == 2 else 4)):
        result = port(tmp_path, FILLED.replace("BODY", body).replace("BYTES", str(size)))
        assert f"kStages = {expected};" in result.port
