"""Waits for LDS that clang loses in front of barriers in loops: found in the assembly, and put back."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import porter

from porter.perf.isa import compiled_kernels
from porter.toolchain import Options, device_assembly, loses_waits, lost_waits
from porter.toolchain.barrier_waits import with_waits

SOURCE = r"""
#include <hip/hip_runtime.h>
#include <cstdio>

__global__ void merge(int *d, int n) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int i = n; i > 0; i >>= 1) {
    __syncthreads();
    if (t & i) s[t] = s[t ^ i] + 1;
  }
  __syncthreads();
  d[t] = s[t ^ 64];
}

int main() {
  int *d;
  (void)hipMalloc(&d, 1024);
  merge<<<1, 256>>>(d, 128);
  return hipDeviceSynchronize() != hipSuccess;
}
"""
BARRIER = next(n for n, line in enumerate(SOURCE.splitlines(), 1) if "__syncthreads();" in line and n > 10)


def function(*lines: str) -> str:
    rows = [line if line.endswith(":") else f"\t{line}" for line in lines]
    return "\n".join(["\t.text", "k:", *rows, "\ts_endpgm", ""])


def loop(*body: str, before: tuple[str, ...] = ()) -> str:
    return function(*before, ".LBB0_1:", *body, "s_cbranch_scc0 .LBB0_1")


LOST = {
    "a write": loop("s_barrier", "ds_write_b32 v0, v1"),
    "a read": loop("s_barrier", "ds_read_b32 v0, v1"),
    "a wait for older ones": loop("s_barrier", "ds_read_b32 v2, v0", "ds_write_b32 v0, v1", "s_waitcnt lgkmcnt(1)"),
    "flat": loop("s_barrier", "flat_store_dword v[0:1], v2", "s_waitcnt vmcnt(0)"),
    "on one way": loop(
        "s_barrier", "s_cbranch_execz .LBB0_2", "ds_write_b32 v0, v1", ".LBB0_2:", "s_or_b64 exec, exec, s[0:1]"
    ),
    "the latch first": function(
        "s_branch .LBB0_3", ".LBB0_2:", "s_cbranch_scc1 .LBB0_5", ".LBB0_3:", "s_barrier", "ds_write_b32 v0, v1",
        "s_branch .LBB0_2", ".LBB0_5:", "s_nop 0",
    ),
    "the second of two functions": loop("s_nop 0") + loop("s_barrier", "ds_write_b32 v0, v1").replace("LBB0", "LBB1"),
}  # fmt: skip
KEPT = {
    "a wait": loop("s_waitcnt lgkmcnt(0)", "s_barrier", "ds_write_b32 v0, v1"),
    "a wait behind it": loop("s_barrier", "ds_write_b32 v0, v1", "s_waitcnt lgkmcnt(0)"),
    "a wait as a number": loop("s_barrier", "ds_write_b32 v0, v1", "s_waitcnt 0xc07f"),
    "a wait that is enough": loop("s_barrier", "ds_write_b32 v0, v1", "ds_bpermute_b32 v2, v3, v4", "s_waitcnt lgkmcnt(1)"),
    "no LDS": loop("s_barrier", "global_store_dword v0, v1, s[0:1]", "s_load_dword s4, s[0:1], 0x0"),
    "no memory": loop("s_barrier", "ds_swizzle_b32 v0, v1 offset:0"),
    # What comes from above was known: whoever left it meant to.
    "from above as well": loop("s_barrier", "ds_write_b32 v0, v1", before=("ds_write_b32 v0, v1",)),
    "no loop": function("ds_write_b32 v0, v1", "s_barrier"),
    "a comment": loop("; s_barrier", "ds_write_b32 v0, v1"),
    "a call": loop("s_barrier", "ds_write_b32 v0, v1", "s_swappc_b64 s[30:31], s[4:5]"),
}  # fmt: skip


@pytest.mark.parametrize("name", LOST)
def test_lost(name):
    text = LOST[name]
    (number,) = lost_waits(text)
    assert text.splitlines()[number - 1] == "\ts_barrier"
    new = with_waits(text).splitlines()
    assert new[number - 1 : number + 1] == ["\ts_waitcnt lgkmcnt(0)", "\ts_barrier"]
    assert [line for n, line in enumerate(new) if n != number - 1] == text.splitlines()
    assert lost_waits(with_waits(text)) == ()


@pytest.mark.parametrize("name", KEPT)
def test_kept(name):
    assert lost_waits(KEPT[name]) == ()
    assert with_waits(KEPT[name]) is KEPT[name]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("waits") / "merge.hip"
    path.write_text(SOURCE)
    return path


loses = pytest.mark.skipif(not loses_waits("gfx942"), reason="this compiler keeps its waits")


@loses
def test_the_compiler_loses_one(source):
    (kernel,) = compiled_kernels(device_assembly(source))
    assert kernel.lost_waits == (f"{source}:{BARRIER}",)
    assert compiled_kernels(device_assembly(source, Options(fix_waits=True)))[0].lost_waits == ()


def test_a_wait_that_is_written_is_kept(source, tmp_path):
    for flags, text in (
        (("-include", "porter/kept_waits.h"), SOURCE),
        ((), SOURCE.replace("__syncthreads();", "__builtin_amdgcn_s_waitcnt(0xc07f); __syncthreads();")),
    ):
        path = tmp_path / "merge.hip"
        path.write_text(text)
        assert lost_waits(device_assembly(path, Options(flags=flags)).read_text()) == ()


@loses
def test_run_names_it_and_the_way_around(source):
    done = porter("run", source, "--emulate", "--check", "all")
    assert done.returncode == 1
    assert "accesses to LDS may still be under way" in done.stderr and "--fix-waits" in done.stderr
    assert "porter: 1 finding: barrier-wait 1" in done.stderr
    done = porter("run", source, "--emulate", "--check", "all", "--fix-waits")
    assert (done.returncode, done.stderr) == (0, "")


@loses
def test_asm_names_it(source):
    done = porter("asm", source, "--summary")
    assert f"merge.hip:{BARRIER}: --fix-waits" in done.stdout
    assert "--fix-waits" not in porter("asm", source, "--summary", "--fix-waits").stdout
