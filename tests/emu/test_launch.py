"""A kernel from assembly text to numbers in memory."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from porter.emu.device import FaultKind, Module, allow, forbid
from porter.emu.image import build_image

SAXPY = """
	.text
saxpy:
	.loc	1 5 1
	s_load_dwordx4 s[4:7], s[0:1], 0x8
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_lshl_b32 s2, s2, 8
	v_add_u32_e32 v0, s2, v0
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_i32_e32 vcc, s8, v0
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_2
	v_lshlrev_b32_e32 v1, 2, v0
	global_load_dword v2, v1, s[4:5]
	global_load_dword v3, v1, s[6:7]
	s_waitcnt vmcnt(0)
	.loc	1 7 1
	v_fmac_f32_e32 v3, s9, v2
	global_store_dword v1, v3, s[6:7]
.LBB0_2:
	s_endpgm
	.section	.rodata,"a",@progbits
	.amdhsa_kernel saxpy
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 4
	.end_amdhsa_kernel
"""


@pytest.fixture(scope="module")
def module():
    with Module(build_image('	.file	1 "saxpy.hip"\n' + SAXPY)) as loaded:
        yield loaded


@pytest.mark.parametrize("count", [1, 63, 64, 1000, 5000])
@pytest.mark.parametrize("threads", [1, 2])
def test_saxpy(module, count, threads):
    x = np.arange(count, dtype=np.float32)
    y = np.full(count, 7, dtype=np.float32)
    for array in (x, y):
        allow(array.ctypes.data, array.nbytes)
    arguments = struct.pack("<ifQQ", count, 0.5, x.ctypes.data, y.ctypes.data)
    done = module.launch("saxpy", -(-count // 256), 256, arguments, threads=threads)
    for array in (x, y):
        forbid(array.ctypes.data)
    assert not done.faulted
    np.testing.assert_array_equal(y, 0.5 * x + 7)


def test_one_element_short(module):
    x = np.zeros(256, dtype=np.float32)
    y = np.zeros(256, dtype=np.float32)
    allow(x.ctypes.data, x.nbytes)
    allow(y.ctypes.data, y.nbytes - 4)
    arguments = struct.pack("<ifQQ", 256, 0.5, x.ctypes.data, y.ctypes.data)
    done = module.launch("saxpy", 1, 256, arguments)
    forbid(x.ctypes.data)
    forbid(y.ctypes.data)
    assert done.faulted
    (finding,) = done.findings
    assert finding.kind is FaultKind.OUT_OF_BOUNDS
    assert (finding.file, finding.line, finding.lane) == ("saxpy.hip", 5, 63)
    assert finding.address == y.ctypes.data + 1020


WHERE = (
    SAXPY.split("saxpy:")[0]
    + """where:
	.loc	1 5 1
	s_load_dwordx2 s[4:5], s[0:1], 0x0
	v_mov_b32_e32 v0, s0
	v_mov_b32_e32 v1, s1
	v_mov_b32_e32 v2, 0
	s_waitcnt lgkmcnt(0)
	global_store_dwordx2 v2, v[0:1], s[4:5]
	s_endpgm
"""
    + SAXPY[SAXPY.index("	.section") :].replace("saxpy", "where").replace("size 24", "size 8")
)


def test_arguments_begin_at_a_page_whatever_was_allocated_before():
    # so that scalar loads have their lines at the same place in every launch, and the model of time says the same
    out, others = np.zeros(1, np.uint64), []
    allow(out.ctypes.data, out.nbytes)
    try:
        with Module(build_image('	.file	1 "where.hip"\n' + WHERE)) as module:
            for n in range(8):
                others.append([bytearray(1000 * n + 16 * k) for k in range(8)])
                out[0] = 1
                done = module.launch("where", 1, 64, struct.pack("<Q", out.ctypes.data))
                assert not done.findings and out[0] % 4096 == 0
    finally:
        forbid(out.ctypes.data)
