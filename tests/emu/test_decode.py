"""Instructions that no assembler has seen: an operand in the wrong file of registers is named, and nothing runs."""

from __future__ import annotations

import pytest

from porter.emu.assembly import AssemblyError
from porter.emu.decode import decode
from porter.emu.encoding import Pool, UnknownInstruction
from porter.emu.image import build_image

SCALAR = "is a vector register where"
VECTOR = "is no vector register, which"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("s_load_dword s0, v[0:1], 0x0", rf"v\[0:1\] {SCALAR} s_load_dword takes"),
        ("s_load_dwordx4 s[0:3], s[4:5], v4", rf"v4 {SCALAR}"),
        ("s_load_dwordx2 v[0:1], s[4:5], 0x8", rf"v\[0:1\] {SCALAR}"),
        ("s_buffer_load_dword s0, v[0:3], 0x0", SCALAR),
        ("s_add_u32 s0, v1, s2", rf"v1 {SCALAR} s_add_u32 takes"),
        ("s_mov_b32 s0, a1", rf"a1 {SCALAR}"),
        ("s_cmp_eq_u32 s0, v3", SCALAR),
        ("global_load_dword s1, v[2:3], off", rf"s1 {VECTOR} global_load_dword takes"),
        ("global_load_dword v1, v2, v[4:5]", rf"v\[4:5\] {SCALAR}"),
        ("global_store_dword v[0:1], s2, off", VECTOR),
        ("ds_read_b32 v1, s2", VECTOR),
        ("buffer_load_dword v1, v2, v[4:7], 0 offen", SCALAR),
    ],
)
def test_registers_of_the_wrong_file_are_named(text: str, said: str) -> None:
    with pytest.raises(UnknownInstruction, match=said):
        decode(text, Pool())


@pytest.mark.parametrize(
    "text",
    [
        "s_load_dword s0, s[2:3], s4",
        "s_add_u32 s0, vcc_lo, 0x1234",
        "global_load_dword a1, v[2:3], off",
        "scratch_load_dword v1, off, s3",
        "buffer_store_dword v1, off, s[4:7], 0",
        "buffer_load_dword v1, v2, s[4:7], s8 offen",
        "v_readfirstlane_b32 s0, v1",
        "v_add_f32_e32 v0, s1, v2",
        "ds_append v1",
    ],
)
def test_registers_of_the_right_one_are_taken(text: str) -> None:
    decode(text, Pool())


def test_an_image_is_refused_with_the_line() -> None:
    with pytest.raises(
        AssemblyError, match=r"s_load_dword s0, v\[0:1\], 0x0 \(v\[0:1\] is a vector register .*; assembly line 2\)"
    ):
        build_image("\t.text\n\ts_load_dword s0, v[0:1], 0x0\n\ts_endpgm\n")
