"""Copies of cp.async that a kernel holds: who is handed the object for them, and where copies are made at once instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import porter
from porting import port

from porter.findings import FilePort

SOURCE = """
#include <cstdint>
BEFORE
__device__ void copy(uint32_t to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(from));
}
__device__ void fill(uint32_t to, const char *from) { copy(to, from); }
template <int N>
__device__ inline void wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N)); }
__global__ void k(const char *in, uint32_t to, int n) {
  BODY
}
"""
BODY = 'fill(to, in);\n  asm volatile("cp.async.commit_group;");\n  wait<1>();'


def ported(folder: Path, body: str = BODY, before: str = "", source: str = SOURCE) -> FilePort:
    return port(source.replace("BODY", body).replace("BEFORE", before), folder)


def kernel(folder: Path, body: str = BODY, before: str = "") -> str:
    """The kernel's body in the port."""
    made = ported(folder, body, before)
    assert '#include "porter/held_copies.h"' in made.port
    return made.port.split("int n) {\n")[1]


def test_the_object_goes_from_the_kernel_to_where_copies_are_made(tmp_path: Path) -> None:
    made = ported(tmp_path)
    assert made.port[made.port.index("__device__ ") :] == (
        "__device__ __forceinline__ void copy(porter::HeldCopies<16>& porter_copies, uint32_t to, const void *from) {\n"
        "  porter::cp_async<16>(porter_copies, to, from);\n"
        "}\n"
        "__device__ __forceinline__ void fill(porter::HeldCopies<16>& porter_copies, uint32_t to, const char *from) "
        "{ copy(porter_copies, to, from); }\n"
        "template <int N>\n"
        "__device__ __attribute__((always_inline)) inline void wait(porter::HeldCopies<16>& porter_copies) "
        "{ porter::cp_async_wait<N>(porter_copies); }\n"
        "__global__ void k(const char *in, uint32_t to, int n) {\n"
        "  porter::HeldCopies<16> porter_copies;\n"
        "  fill(porter_copies, to, in);\n"
        "  porter::cp_async_commit(porter_copies);\n"
        "  wait<1>(porter_copies);\n"
        "}\n"
    )
    said = {f.message for f in made.findings}
    assert "inline PTX: cp.async.cg.shared.global (loaded at once, stored where it is waited for)" in said


@pytest.mark.parametrize(
    ("captures", "ported_captures"),
    [
        ("&", "&"),
        ("&, n", "&, n"),
        ("=", "=, &porter_copies"),
        ("in, to", "in, to, &porter_copies"),
        ("", "&porter_copies"),
    ],
)
def test_lambdas(captures: str, ported_captures: str, tmp_path: Path) -> None:
    body = f"const auto load = [{captures}](int i) {{ copy(to, in + i); }};\n  load(1);\n  {BODY}"
    line = kernel(tmp_path, body).split("\n")[1].strip()
    call = "(int i) { copy(porter_copies, to, in + i); };"
    assert line == f"const auto load = [{ported_captures}] __attribute__((always_inline)){call}"


def test_macros(tmp_path: Path) -> None:
    macro = '#define COPY(to, from, n) asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" :: "r"(to), "l"(from), "n"(n))\n'
    outer = "#define COPIES(to, from) do { COPY(to, from, 4); copy(to, from); } while (0)"
    made = ported(tmp_path, f"COPIES(to, in);\n  {BODY}", macro + outer)
    assert "#define COPY(to, from, n) porter::cp_async<(n)>(porter_copies, to, from)" in made.port
    assert "COPY(to, from, 4); copy(porter_copies, to, from);" in made.port
    assert "porter::HeldCopies<4, 8, 16> porter_copies;" in made.port


def test_threads_of_warps_that_work_as_one_copy_by_turns(tmp_path: Path) -> None:
    matrix = 'asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(n) : "r"(to));'
    barrier = 'asm volatile("barrier.sync.aligned 1, 64;");'
    assert "porter::HeldCopies<16> porter_copies(porter::copying::by_turns);" in kernel(tmp_path, f"{BODY} {matrix}")
    assert "porter::HeldCopies<16> porter_copies;" in kernel(tmp_path, f"{BODY} {barrier}")


def test_names_of_others_stay(tmp_path: Path) -> None:
    other = (
        "struct Other { __device__ void wait(); };\nnamespace other { __device__ void copy(int); }\n#include <string>"
    )
    body = kernel(tmp_path, f"Other o; o.wait(); std::copy(1);\n  {BODY}")
    assert "Other o; o.wait(); std::copy(1);" in body, other


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (BODY.replace("wait<1>();", ""), ""),  # nobody waits
        (f"{BODY} auto f = &fill;", ""),
        (f"{BODY} pipe.consumer_wait();", ""),
        (f"{BODY} other();", "__device__ void other() { pipe.consumer_wait(); }"),
        (f"{BODY} WAIT;", "#define WAIT pipe.consumer_wait()"),
        (f"{BODY} cp_async_wait<0>();", '#include "another.cuh"'),
        (BODY, "__device__ __noinline__ void fill(uint32_t to, const char *from);"),
        (BODY, "void fill(int) {}"),  # the host's
        (BODY, "struct A { virtual __device__ void fill(int); };"),
        (BODY, "struct fill;"),
        (f"{BODY} group::fill(to, in);", "using group = warps<4>;"),  # which may be this file's
        (f"{BODY} group::fill(to, in);", "typedef warps<4> group;"),
        (BODY, "struct S { __device__ void operator()() { fill(0, nullptr); } };"),
        (BODY, "__global__ void q() { struct S { __device__ void f() { fill(0, nullptr); } }; S().f(); }"),
    ],
)
def test_copies_that_are_made_at_once(body: str, before: str, tmp_path: Path) -> None:
    made = ported(tmp_path, body, before)
    assert "HeldCopies" not in made.port
    assert made.port.count("porter::cp_async<16>(to, from)") == 1


def test_primitives_of_pipelines(tmp_path: Path) -> None:
    body = "__pipeline_memcpy_async(out, in, 8);\n  __pipeline_commit();\n  __pipeline_wait_prior(1);"
    lines = kernel(tmp_path, body, "#include <cuda_pipeline.h>").split("\n")
    assert [line.strip() for line in lines[:4]] == [
        "porter::HeldCopies<4, 8, 16> porter_copies;",
        "__pipeline_memcpy_async(porter_copies, out, in, 8);",
        "__pipeline_commit(porter_copies);",
        "__pipeline_wait_prior(porter_copies, 1);",
    ]


def test_a_header_with_a_function_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "tiles.cuh").write_text("__device__ void move(uint32_t to) { fill(to, nullptr); }\n")
    assert "HeldCopies" not in ported(tmp_path, before='#include "tiles.cuh"').port


def test_arrivals_at_an_mbarrier_wait_for_copies(tmp_path: Path) -> None:
    arrive = 'asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" :: "r"(to));'
    text = re.sub(r"\s+", " ", kernel(tmp_path, f"{BODY} {arrive}"))
    assert "porter::cp_async_wait_all(porter_copies); porter::cp_async_arrive_noinc(to);" in text


HELPERS, KERNEL = SOURCE.replace("BEFORE", "").split("__global__")


@pytest.mark.parametrize("mains", [1, 2])
def test_a_header_of_one_unit_and_of_two(mains: int, tmp_path: Path) -> None:
    (tmp_path / "copies.cuh").write_text(f"#pragma once\n{HELPERS}")
    for number in range(mains):
        kernel = f'#include "copies.cuh"\n__global__{KERNEL}'.replace("BODY", BODY).replace("k(", f"k{number}(")
        (tmp_path / f"main{number}.cu").write_text(kernel)
    done = porter("convert", tmp_path, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stdout
    header, main = ((tmp_path / "out" / name).read_text() for name in ("copies.cuh", "main0.hip"))
    held = mains == 1
    assert ("void fill(porter::HeldCopies<16>& porter_copies, uint32_t to" in header) == held
    assert ("  porter::HeldCopies<16> porter_copies;\n  fill(porter_copies, to, in);" in main) == held
    assert ("HeldCopies" in header + main) == held
