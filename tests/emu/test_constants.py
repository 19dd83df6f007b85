"""Constants in the text stand for the bits that the operand's type gives them."""

from __future__ import annotations

import pytest

from porter.emu.decode import decode
from porter.emu.encoding import POOL, Pool


@pytest.mark.parametrize(
    ("text", "source", "words"),
    [
        ("v_add_f32_e32 v0, 1.0, v1", 0, [0x3F800000]),
        ("v_add_f16_e32 v0, 1.0, v1", 0, [0x3C00]),
        ("v_add_f64 v[0:1], 1.0, v[2:3]", 0, [0, 0x3FF00000]),
        ("v_cmp_gt_i64_e32 vcc, 2.0, v[2:3]", 0, [0, 0x40000000]),  # an integer compare of the double's bits
        ("v_cmp_gt_u64_e32 vcc, -4.0, v[2:3]", 0, [0, 0xC0100000]),
        ("s_and_b64 s[0:1], s[2:3], 0.5", 1, [0, 0x3FE00000]),
        ("v_pk_mul_f32 v[0:1], v[2:3], 2.0", 1, [0x40000000, 0x40000000]),
        ("v_and_b32_e32 v0, 2.0, v1", 0, [0x40000000]),
        ("v_lshl_add_u64 v[0:1], v[2:3], 0, -16", 2, [0xFFFFFFF0, 0xFFFFFFFF]),
        ("v_add_f64 v[0:1], v[2:3], 0x40590000", 1, [0, 0x40590000]),  # a literal is the high half
        ("v_cmp_gt_i64_e32 vcc, 0xffffff00, v[2:3]", 0, [0xFFFFFF00, 0xFFFFFFFF]),
        ("v_cmp_gt_u64_e32 vcc, 0xffffff00, v[2:3]", 0, [0xFFFFFF00, 0]),
        ("v_mov_b32_e32 v0, 0.15915494", 0, [0x3E22F983]),
        ("s_mov_b64 s[0:1], src_shared_base", 0, [0, 0x00010000]),
    ],
)
def test_bits(text, source, words):
    pool = Pool()
    code = decode(text, pool).s[source]
    reference = ~code
    assert reference & POOL
    at = reference & ~POOL
    assert pool.words[at : at + len(words)] == words
