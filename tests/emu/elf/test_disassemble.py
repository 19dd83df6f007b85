"""Machine code back to assembly: every form of every instruction, modifiers, and what is no instruction."""

from __future__ import annotations

import pytest
from forms import assembled, texts

from porter.emu.decode import decode
from porter.emu.elf.disassemble import Undecodable, disassemble, label
from porter.emu.encoding import Pool
from porter.emu.table import instructions
from porter.toolchain import find_pip_clang

pytestmark = pytest.mark.skipif(not find_pip_clang().complete, reason=f"NOT RUN: no assembler; {find_pip_clang().fix}")

NOT_OF_THIS_CHIP = {"s_code_end"}  # the assembler refuses it; clang's text for older chips has it

MODIFIERS = """
v_add_f32_e64 v1, -v2, |v3|
v_add_f32_e64 v1, -|v2|, s3 clamp mul:2
v_fma_f32 v1, -v2, 1.0, |s3| div:2
v_add_f64 v[2:3], -v[4:5], |v[6:7]| clamp
v_cmp_lt_f32_e64 s[4:5], -v1, |v2|
v_cmp_class_f32_e64 vcc, v1, s2
v_div_scale_f32 v1, vcc, v2, v3, v4
v_mad_u64_u32 v[2:3], s[4:5], v4, 5, v[6:7]
v_addc_co_u32_e64 v1, s[4:5], v2, v3, s[6:7]
v_cndmask_b32_e64 v1, 0, 1, s[4:5]
v_mad_i16 v1, v2, v3, v4 op_sel:[1,0,1,1]
v_cvt_pk_fp8_f32 v1, v2, v3 op_sel:[0,0,1]
v_cvt_sr_fp8_f32 v1, v2, v3 op_sel:[0,0,1,1]
v_pk_fma_f16 v1, v2, v3, v4 op_sel:[0,1,0] op_sel_hi:[1,0,1] neg_lo:[1,0,0] neg_hi:[0,0,1] clamp
v_pk_mul_f32 v[2:3], v[4:5], s[6:7] op_sel_hi:[1,0]
v_fma_mix_f32 v1, -v2, |v3|, v4 op_sel:[0,1,0] op_sel_hi:[1,1,0]
v_fma_mixhi_f16 v1, v2, v3, v4 op_sel_hi:[1,0,0] clamp
v_mfma_f32_16x16x16_f16 a[0:3], v[4:5], a[6:7], a[0:3] cbsz:1 abid:2 blgp:3
v_mfma_f32_16x16x16_f16 v[0:3], a[4:5], v[6:7], 0
v_mfma_f64_16x16x4_f64 a[0:7], v[8:9], v[10:11], a[0:7] neg:[1,0,1]
v_smfmac_f32_16x16x32_f16 a[0:3], v[4:5], v[6:9], v10 cbsz:1
v_mov_b32_dpp v1, v2 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf
v_add_f32_dpp v1, -v2, |v3| row_shr:3 row_mask:0xa bank_mask:0x5 bound_ctrl:0
v_add_u32_dpp v1, v2, v3 row_bcast:15 row_mask:0xa bank_mask:0xf
v_mov_b32_dpp v1, v2 row_newbcast:7 row_mask:0xf bank_mask:0xf
v_add_co_u32_dpp v1, vcc, v2, v3 wave_shr:1 row_mask:0xf bank_mask:0xf
v_add_f32_sdwa v1, -v2, |v3| clamp mul:2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD
v_add_u32_sdwa v1, sext(v2), s3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:WORD_1
v_cmp_eq_u32_sdwa s[4:5], v1, v2 src0_sel:BYTE_0 src1_sel:DWORD
v_cvt_f32_fp8_sdwa v1, v2 src0_sel:BYTE_3
ds_read_b32 v1, v2 offset:65535
ds_read2_b64 v[0:3], v4 offset0:1 offset1:255
ds_write2st64_b32 v1, a2, a3 offset1:7
ds_swizzle_b32 v1, v2 offset:32799
global_load_dwordx4 v[0:3], v4, s[6:7] offset:-4096 sc0 nt sc1
global_load_dword a0, v[4:5], off offset:4095
global_atomic_add_f32 v1, v[2:3], v4, off sc0
global_atomic_add_f32 v2, v4, s[8:9] sc1
flat_store_dwordx2 v[2:3], a[4:5] offset:4095
scratch_load_dword v1, off, s3 offset:-4
scratch_store_dword v1, v2, off offset:16
scratch_store_dword off, v2, off
buffer_load_dword v1, v[2:3], s[4:7], s8 idxen offen offset:4095 sc0 nt sc1
buffer_load_dword v1, off, s[4:7], 0
buffer_load_dword v2, s[4:7], 0 offen offset:8 lds
buffer_atomic_add v1, v2, s[4:7], 3 offen sc0
buffer_inv sc1
s_load_dwordx8 s[8:15], s[2:3], -0x14
s_load_dword s8, s[2:3], m0
s_load_dword s8, s[2:3], s4 offset:0x40
s_load_dword s8, s[2:3], s4 offset:0x0
s_buffer_load_dwordx2 s[8:9], s[4:7], 0x10 glc
s_waitcnt vmcnt(40) lgkmcnt(0)
s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
s_getreg_b32 s1, hwreg(1, 4, 2)
s_setreg_imm32_b32 hwreg(1, 0, 4), 0xff
s_add_u32 m0, m0, 0x4040
s_mov_b64 exec, src_shared_base
s_mov_b32 ttmp3, flat_scratch_lo
s_cmpk_eq_i32 s1, 0xfffe
v_mul_f32 v1, 0.15915494309189532, v2
v_readlane_b32 s1, v2, m0
v_readfirstlane_b32 exec_lo, v2
"""


def test_every_form_comes_back(tmp_path):
    rows = list(instructions().values())
    lines = [(row.name, text) for row in rows for text in texts(row)]
    code = assembled([text for _, text in lines], tmp_path)
    assert {row.name for row in rows} - {lines[at][0] for at in code} == NOT_OF_THIS_CHIP
    pieces = {at: disassemble(data, 0, 0) for at, data in code.items()}
    named = {piece.target: "end" for piece in pieces.values() if piece.target is not None}
    again = [
        piece.text if piece.target is None else piece.text.replace(label(piece.target), "end")
        for piece in pieces.values()
    ]
    assert named
    same = assembled(again, tmp_path)
    for number, (at, piece) in enumerate(pieces.items()):
        got = same.get(number)
        if piece.target is None:
            assert got is not None and got[: piece.size] == code[at][: piece.size], (lines[at], piece.text)
        else:
            assert got is not None and got[2:4] == code[at][2:4], (lines[at], piece.text)
        decode(piece.text, Pool())  # and the emulator reads the text


def test_modifiers_come_back_as_they_were(tmp_path):
    lines = MODIFIERS.strip().splitlines()
    code = assembled(lines, tmp_path)
    assert [disassemble(code[at], 0, 0).text for at in range(len(lines))] == lines
    for line in lines:
        decode(line, Pool())


@pytest.mark.parametrize(
    "code",
    [b"\xff\xff\xff\xff\xff\xff\xff\xff", b"\x00\x00\x00\xdc", b"\xff\x02\x02\x7e", b"\x01\x00"],
    ids=["no encoding", "cut off", "a literal that is not there", "half a word"],
)
def test_what_is_no_instruction_is_said(code):
    with pytest.raises(Undecodable, match="no instruction that the emulator knows"):
        disassemble(code, 0, 0x1000)


def test_where_a_jump_leads():
    piece = disassemble(bytes.fromhex("feff82bf"), 0, 0x1000)
    assert piece.target == 0xFFC and piece.text == f"s_branch {label(0xFFC)}"
