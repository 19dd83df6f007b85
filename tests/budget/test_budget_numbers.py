"""Launches that ask for a number: what a device has, or more than enough. What the kernel takes of it is elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.budget.limits import limits
from porter.findings import FilePort, Finding, Safety
from porter.frontend.lexer import lex
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

LIBRARY = """#pragma once
#include <cuda_runtime.h>
namespace lib {
constexpr int MAX_SHARED_MEMORY = 227 * 1024;
template <int ROWS, int COLUMNS> struct __align__(1024) tile { float data[ROWS * COLUMNS]; };
template <class T, int N> struct many { using type = T[N]; };
struct allocator {
  char *next;
  __device__ allocator(char *first) : next(first) {}
  template <class T> __device__ T &one() { T *p = reinterpret_cast<T *>(next); next += sizeof(T); return *p; }
  template <class T, int N> __device__ typename many<T, N>::type &array() {
    using A = typename many<T, N>::type;
    A *p = reinterpret_cast<A *>(next);
    next += sizeof(A);
    return *p;
  }
};
}
"""
TILES = """#include "lib.h"
constexpr int BLOCK_M = 64, BLOCK_N = 64, STAGES = 4;
__global__ void __launch_bounds__(BLOCK_M) k(float *x, int n) {
  extern __shared__ char memory[];
  lib::allocator al((char *)&memory[0]);
  lib::tile<BLOCK_M, 16> (&a)[STAGES] = al.array<lib::tile<BLOCK_M, 16>, STAGES>();
  lib::tile<BLOCK_N, 16> (&b)[STAGES] = al.array<lib::tile<BLOCK_N, 16>, STAGES>();
  float sum[BLOCK_M / 16][BLOCK_N / 16] = {};
  for (int i = 0; i < n; ++i) sum[0][0] += a[i % STAGES].data[0] * b[i % STAGES].data[0];
  *x = sum[0][0];
}
"""
RUN = """
void run(float *x, int n) {
  unsigned long size = 200000;
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, size);
  k<<<n / BLOCK_M, BLOCK_M, size>>>(x, n);
}
"""


def port(folder: Path, main: str, of: str = "a.cu", **headers: str) -> FilePort:
    (folder / "lib.h").write_text(LIBRARY)
    for name, text in headers.items():
        (folder / f"{name}.h").write_text(text)
    (folder / "a.cu").write_text(main)
    includer = folder / "a.cu" if of != "a.cu" else None
    return port_source(
        Project(folder), folder / of, "out.hip", Options(runtime="include", oversize="refuse"), {}, includer
    )


def budget(result: FilePort, *levels: Safety) -> list[Finding]:
    return [f for f in result.findings if f.rule == "shared-memory-budget" and f.safety in levels]


def test_the_kernels_references_say_what_it_takes(tmp_path: Path) -> None:
    result = port(tmp_path, TILES.replace("STAGES = 4", "STAGES = 2") + RUN)
    assert "k<<<n / BLOCK_M, BLOCK_M, 16384 /* size */>>>" in result.port
    assert "hipFuncAttributeMaxDynamicSharedMemorySize, 16384 /* size */)" in result.port
    assert not budget(result, Safety.LEFT)
    (message,) = {f.message for f in budget(result, Safety.REVIEW)}
    assert "16,384 bytes" in message and "instead of 200,000" in message


def test_what_porter_keeps_there_for_warpgroups_moves_what_the_kernel_takes(tmp_path: Path) -> None:
    waits = 'asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); *x = sum'
    result = port(tmp_path, TILES.replace("STAGES = 4", "STAGES = 2").replace("*x = sum", waits) + RUN)
    assert "begin_warpgroups" in result.port and "17408 /* size */" in result.port  # begins at a multiple of 1,024


def test_constants_are_lowered_until_the_references_fit(tmp_path: Path) -> None:
    """8 stages of 16 KiB: as many as fit."""
    result = port(tmp_path, TILES.replace("STAGES = 4", "STAGES = 8").replace(", 16>", ", 32>") + RUN)
    assert "STAGES = 4" in result.port and "65536 /* size */" in result.port and not budget(result, Safety.LEFT)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("*x = sum", "x[1] = memory[n]; *x = sum"),  # the array goes elsewhere, too
        ("float sum", "float *rest = &al.one<float>(); float sum"),  # what is no reference, and may be moved on
        ("float sum", "char *rest = al.next; float sum"),
        ("lib::allocator al((char *)&memory[0]);", "char *p = memory; lib::allocator al(p);"),
    ],
)  # fmt: skip
def test_an_array_that_is_used_otherwise_says_nothing(before: str, after: str, tmp_path: Path) -> None:
    result = port(tmp_path, TILES.replace(before, after) + RUN)
    (left,) = budget(result, Safety.LEFT)
    assert "200,000 bytes" in left.message and "does not say what of it the kernel uses" in left.message


def test_a_launch_in_a_header_of_a_kernel_that_includes_it(tmp_path: Path) -> None:
    main = TILES.replace("STAGES = 4", "STAGES = 2") + '#include "run.h"\n'
    result = port(tmp_path, main, "run.h", run=RUN)
    assert "16384 /* size */>>>" in result.port


RING = """#pragma once
#include "lib.h"
template <class T> __global__ void __launch_bounds__(128) ring(float *x, int n) {
  static_assert(sizeof(typename T::block) * T::STAGES <= lib::MAX_SHARED_MEMORY - 1024, "too large");
  extern __shared__ char memory[];
  auto *blocks = reinterpret_cast<typename T::block *>(memory);
  for (int i = 0; i < n; ++i) *x += blocks[i % T::STAGES].a[0];
}
"""
USE = """#include "ring.h"
struct config {
  static constexpr int STAGES = 5;
  struct block { float a[32 * 128], b[32 * 128]; };
};
void run(float *x, int n) {
  unsigned long size = lib::MAX_SHARED_MEMORY - 1024;
  cudaFuncSetAttribute(ring<config>, cudaFuncAttributeMaxDynamicSharedMemorySize, size);
  ring<config><<<n, 128, size>>>(x, n);
}
"""


def test_a_header_that_launches_what_its_includers_constants_size(tmp_path: Path) -> None:
    main = TILES.replace("STAGES = 4", "STAGES = 8").replace(", 16>", ", 32>") + '#include "run.h"\n'
    assert "STAGES = 4" in port(tmp_path, main, run=RUN).port
    below = port(tmp_path, main, of="run.h", run=RUN)
    assert "k<<<n / BLOCK_M, BLOCK_M, 65536 /* size */>>>" in below.port and not budget(below, Safety.LEFT)


def test_a_devices_limit_is_lowered_and_stages_follow_its_checks(tmp_path: Path) -> None:
    assert "MAX_SHARED_MEMORY = 63488 /* 227 * 1024 */;" in port(tmp_path, USE, "lib.h", ring=RING).port
    result = port(tmp_path, USE, ring=RING)
    assert "STAGES = 1" in result.port and "<<<n, 128, size>>>" in result.port
    (changed,) = budget(result, Safety.SLOWER, Safety.REVIEW)
    assert "instead of 5: 231,424 bytes of shared memory become 62,464" in changed.message


def test_a_limit_that_nothing_is_compared_with_is_left_at_the_launch(tmp_path: Path) -> None:
    """The launch would succeed with less, and the kernel write past the end."""
    unguarded = "\n".join(line for line in RING.splitlines() if "static_assert" not in line) + "\n"
    result = port(tmp_path, USE, ring=unguarded)
    left = budget(result, Safety.LEFT)
    assert [result.source[f.start : f.end] for f in left] == ["size"] and "231,424 bytes" in left[0].message


def test_a_header_that_is_not_ported_keeps_its_limit(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "lib.h").write_text(LIBRARY)
    (tmp_path / "lib" / "ring.h").write_text(RING)
    (tmp_path / "a.cu").write_text(USE)
    project = Project(tmp_path, (str(tmp_path / "lib"),), given=(tmp_path / "a.cu",))
    options = Options(runtime="include", oversize="refuse", includes=(str(tmp_path / "lib"),))
    result = port_source(project, tmp_path / "a.cu", "a.hip", options, {})
    assert budget(result, Safety.LEFT) and "STAGES = 5" in result.port


REASONS = {
    "a number by which the host divides": (
        {"<<<n / BLOCK_M": "<<<n / 64"},
        "BLOCK_M: 64 in line 16 of a.cu is as much, and would stay 64",
    ),
    "nothing that follows": (
        {"[BLOCK_M / 16][BLOCK_N / 16]": "[4][4]", "__launch_bounds__(BLOCK_M) ": ""},
        "BLOCK_M: no array, loop, static_assert or block size",
    ),
}


@pytest.mark.parametrize(("change", "why"), REASONS.values(), ids=REASONS)
def test_why_what_would_fit_is_not_applied(change: dict[str, str], why: str, tmp_path: Path) -> None:
    source = TILES + RUN
    for before, after in (
        {"STAGES = 4": "STAGES = 1", "BLOCK_N, 16": "BLOCK_M, 16", ", 16>": ", 192>"} | change
    ).items():
        source = source.replace(before, after)
    messages = [f.message for f in budget(port(tmp_path, source), Safety.LEFT)]
    assert messages and all("would fit with" in message and why in message for message in messages)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("constexpr int MAX_SHARED_MEMORY = 227 * 1024;", 232448),
        ("#define SMEM_LIMIT (99 << 10)", 101376),
        ("static const size_t kMaxSmemBytes = 232448u, other = 3;", 232448),
        ("constexpr int MAX_SHARED_MEMORY = 64 * 1024;", 0),
        ("constexpr int MAX_THREADS = 227 * 1024;", 0),
        ("constexpr int SMEM_STRIDE = 227 * 1024;", 0),
        ("constexpr int MAX_SMEM = 227 * KB;", 0),
        ("int f() { return MAX_SMEM == 232448; }", 0),
    ],
)  # fmt: skip
def test_what_is_a_limit(text: str, found: int) -> None:
    assert sum(limit.value for limit in limits(lex(text))) == found


def test_a_launch_that_nothing_compiles_asks_for_nothing(tmp_path: Path) -> None:
    hidden = RUN.replace("run", "hidden").replace("STAGES", "2")
    findings = budget(port(tmp_path, f"{TILES}{RUN}#ifdef WITH_TORCH\n{hidden}#endif\n"), *Safety)
    assert findings and not [f for f in findings if "instead of 0" in f.message]


def test_code_that_is_not_compiled_asks_for_the_same(tmp_path: Path) -> None:
    run = RUN.replace("void run", "void other")
    result = port(tmp_path, f"{TILES.replace('STAGES = 4', 'STAGES = 2')}{RUN}#ifdef OTHER{run}#endif\n")
    assert result.port.count("k<<<n / BLOCK_M, BLOCK_M, 16384 /* size */>>>") == 2
    assert result.port.count("hipFuncAttributeMaxDynamicSharedMemorySize, 16384 /* size */)") == 2
