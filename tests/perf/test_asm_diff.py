"""`porter asm --diff`: innermost loops, what became what, widths, and pairs of kernels."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from commands import porter

from porter.emu.assembly import parse
from porter.perf.asm_diff import Compiled, Pair, access_bytes, changes, compare_kernels, family, widths
from porter.perf.isa import KernelFacts
from porter.perf.loops import Loop, innermost_loops
from porter.toolchain import device_assembly

ASSEMBLY = """
	.text
kernel:
	s_load_dword s4, s[0:1], 0x10
.LBB0_1:
	v_add_u32_e32 v0, 1, v0
.LBB0_2:
	global_load_dwordx4 v[4:7], v[2:3], off
	s_waitcnt vmcnt(0)
	s_cbranch_execz .LBB0_5
.LBB0_3:
	buffer_load_dword v1, s[8:11], 0 offen lds
	s_cbranch_scc1 .LBB0_2
	s_cbranch_scc0 .LBB0_1
	s_branch .LBB0_6
.LBB0_5:
	ds_write_b64 v1, v[2:3]
	s_branch .LBB0_3
.LBB0_6:
	s_endpgm
"""

SOURCE = """
#include <hip/hip_runtime.h>
__global__ void copy(const unsigned short *x, unsigned short *y, int n) {
  for (int k = 0; k < n; ++k) {
#ifdef WIDE
    *(uint4 *)&y[(k * 256 + threadIdx.x) * 8] = *(const uint4 *)&x[(k * 256 + threadIdx.x) * 8];
#else
#pragma unroll
    for (int i = 0; i < 8; ++i) y[(i * n + k) * 256 + threadIdx.x] = x[(i * n + k) * 256 + threadIdx.x];
#endif
  }
}
#ifdef WIDE
__global__ void added(float *p) { p[threadIdx.x] = 1; }
#endif
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("diff") / "copy.hip"
    path.write_text(SOURCE)
    return path


def test_innermost_loop_has_the_code_that_was_moved_behind_it() -> None:
    (loop,) = innermost_loops(parse(ASSEMBLY), "kernel")
    assert loop.instructions == 7
    assert loop.mnemonics["ds_write_b64"] == 1 and loop.mnemonics["buffer_load_dword lds"] == 1
    assert loop.mnemonics["v_add_u32"] == 0  # of the outer loop
    assert loop.waits == {"vmcnt(0)": 1}


def test_a_loop_that_is_entered_at_its_end() -> None:
    text = "\t.text\nkernel:\n\ts_branch .LBB0_2\n.LBB0_1:\n\tv_add_u32_e32 v0, 1, v0\n.LBB0_2:\n\ts_nop 0\n"
    text += "\ts_cbranch_scc0 .LBB0_1\n\ts_endpgm\n"
    assert [loop.instructions for loop in innermost_loops(parse(text), "kernel")] == [3]


def test_a_loop_of_products_counts_around_one_that_waits() -> None:
    text = (
        "\t.text\nkernel:\n.LBB0_1:\n\tv_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], v[0:3]\n.LBB0_2:\n\ts_sleep 1\n"
    )
    text += "\ts_cbranch_scc1 .LBB0_2\n\ts_cbranch_scc0 .LBB0_1\n\ts_endpgm\n"
    assert [loop.instructions for loop in innermost_loops(parse(text), "kernel")] == [4, 2]


def test_where_a_side_has_more_loops_those_alike_are_pairs() -> None:
    def loop(**mnemonics: int) -> Loop:
        return Loop("", sum(mnemonics.values()), Counter(), Counter(mnemonics), Counter())

    copy, sums, wide = loop(global_load_dword=4), loop(v_add_f32=8), loop(v_pk_add_f32=4)
    facts = compiled_facts()
    (diff,), _, _ = compare_kernels([Compiled(facts, Counter(), (copy, sums))], [Compiled(facts, Counter(), (wide,))])
    assert diff.loops == [Pair(copy, None), Pair(sums, wide)]


def compiled_facts() -> KernelFacts:
    return KernelFacts("k", "k", 8, 0, 16, 0, 0, 0, 0, 256, 8, "", 1, {}, Counter(), target="gfx942")


def test_code_with_two_entries_is_no_loop() -> None:
    text = "\t.text\nkernel:\n\ts_cbranch_scc1 .LBB0_2\n.LBB0_1:\n\ts_nop 0\n.LBB0_2:\n\ts_cbranch_scc0 .LBB0_1\n\ts_endpgm\n"
    assert innermost_loops(parse(text), "kernel") == []


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (
            {"global_store_short": 58},
            {"global_store_dwordx4": 12},
            "58 global_store_short became 12 global_store_dwordx4",
        ),
        ({"ds_read_u16": 9}, {"ds_read_u16": 1, "ds_read_b128": 1}, "8 of 9 ds_read_u16 became 1 ds_read_b128"),
        ({"flat_load_dword": 2}, {"buffer_load_dword lds": 2}, "2 flat_load_dword became 2 buffer_load_dword lds"),
        ({"v_add_f32": 4}, {"v_pk_add_f32": 2}, "4 v_add_f32 became 2 v_pk_add_f32"),
        ({"s_barrier": 2}, {"s_barrier": 1}, "1 of 2 s_barrier went"),
        ({"ds_read_b64": 1}, {"ds_read_b64": 5}, "4 more ds_read_b64 (5) came"),
    ],
)
def test_sentences(before: dict[str, int], after: dict[str, int], sentence: str) -> None:
    assert [text for _, text in changes(before, after)] == [sentence]


def test_loads_do_not_become_stores() -> None:
    texts = changes({"global_load_dword": 1, "v_mul_f32": 1}, {"global_store_dword": 1, "v_mul_f32": 1})
    assert [text for _, text in texts] == ["1 global_load_dword went", "1 global_store_dword came"]
    assert family("scratch_load_dword") != family("global_load_dword")  # spills stay visible


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("global_load_ushort", 2), ("global_load_short_d16_hi", 2), ("global_load_dword", 4), ("buffer_load_dword lds", 4),
        ("global_store_dwordx4", 16), ("ds_read2_b64", 16), ("ds_read2st64_b32", 8), ("ds_write_b8", 1), ("ds_read_u16_d16", 2),
        ("s_load_dwordx16", 64), ("global_load_ubyte", 1), ("global_load_lds_dwordx4", 16),
        ("buffer_load_sbyte_d16_hi", 1), ("global_atomic_pk_add_bf16", 4), ("global_atomic_add_f64", 8), ("ds_write_b8_d16_hi", 1),
    ],
)  # fmt: skip
def test_access_bytes(name: str, size: int) -> None:
    assert access_bytes(name) == size


def test_widths_are_by_family() -> None:
    names = Counter({"global_load_dword": 3, "buffer_load_dwordx4": 2, "ds_read_b128": 1, "v_add_u32": 5})
    assert widths(names) == {"ds_read": {16: 1}, "load": {4: 3, 16: 2}}


def test_two_sets_of_flags(source: Path) -> None:
    done = porter("asm", "--diff", source, "--kernel", "copy", "--b-flag=-DWIDE")
    assert done.returncode == 0, done.stderr
    assert "8 global_store_short became 1 global_store_dwordx4" in done.stdout
    assert "innermost loop 1, copy.hip:4" in done.stdout


def test_json_has_both_sides(source: Path) -> None:
    done = porter("asm", "--diff", "--json", source, "--b-flag=-DWIDE")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["only_a"] == [] and said["only_b"] == ["added(float*)"]
    (kernel,) = said["kernels"]
    assert kernel["mnemonics"]["global_store_short"] == [8, 0]
    (loop,) = kernel["loops"]
    assert loop["widths"][1] == {"load": {"16": 1}, "store": {"16": 1}}
    assert loop["a"]["waits"]["vmcnt(0)"] == 8
    assert kernel["facts"]["instructions"][0] > kernel["facts"]["instructions"][1]


def test_a_source_and_its_assembly_have_no_difference(source: Path, tmp_path: Path) -> None:
    text = tmp_path / "copy.s"
    text.write_bytes(device_assembly(source).read_bytes())
    done = porter("asm", "--diff", source, text)
    assert done.returncode == 0, done.stderr
    assert "the same facts and the same instructions" in done.stdout and "became" not in done.stdout


def test_a_missing_file_is_named(source: Path) -> None:
    done = porter("asm", "--diff", source, "missing.s")
    assert done.returncode == 2 and "missing.s" in done.stderr and "Traceback" not in done.stderr


def test_one_file_needs_flags(source: Path) -> None:
    done = porter("asm", "--diff", source)
    assert done.returncode == 2 and "--b-flag" in done.stderr


def test_kernels_of_two_names(source: Path) -> None:
    done = porter("asm", "--diff", source, "--flag=-DWIDE", "--kernel", "copy", "--b-kernel", "added")
    assert done.returncode == 0, done.stderr
    assert "copy(unsigned short const*, unsigned short*, int)  ->  added(float*)" in done.stdout
    assert "innermost loop 1, copy.hip:4: only in A" in done.stdout


def test_two_files_need_diff(source: Path) -> None:
    assert "--diff" in porter("asm", source, "--b-kernel", "copy").stderr
    done = porter("asm", source, source)
    assert done.returncode == 2 and "--diff" in done.stderr


def test_no_kernels_are_no_pairs() -> None:
    assert compare_kernels([], []) == ([], [], [])
