"""MODE: rounding, denormals, the treatment of signalling NaNs; read and written by s_getreg and s_setreg."""

from __future__ import annotations

import numpy as np
import pytest
from exact_floats import F16, F32, F64, each, fma, join
from semantics_machine import run_text
from semantics_values import draw, seeded
from test_modifiers import equal, f32, f64, half, words

RANDOM = seeded("modes")
ROUNDING = ["nearest", "up", "down", "zero"]


@pytest.mark.parametrize("single", range(4))
@pytest.mark.parametrize("double", range(4))
def test_rounding(single, double):
    """f32 has two bits of its own; f64 and f16 share the others."""
    mode = 0x3F0 | single | double << 2
    a, b, c = (draw("f32", 64, RANDOM) for _ in range(3))
    x, y = draw("f64", 64, RANDOM), draw("f64", 64, RANDOM)
    text = "v_fma_f32 v40, v10, v11, v12\n\tv_add_f64 v[42:43], v[13:14], v[15:16]\n\tv_cvt_f16_f32_e32 v41, v10"
    done = run_text(text, words(a, b, c, x, y), mode=mode)
    finite = ~(np.isnan(a) | np.isnan(b) | np.isnan(c))
    want = each(lambda p, q, r: fma(p, q, r, F32, mode=ROUNDING[single]), F32, a, b, c)
    equal(f32(done[:, 0])[finite], want[finite])
    one = join((0, 1, 0), F64)
    equal(f64(done[:, 2], done[:, 3]), each(lambda p, q: fma(p, one, q, F64, mode=ROUNDING[double]), F64, x, y))
    one, zero = join((0, 1, 0), F32), 0
    small = each(lambda p: fma(p, one, zero | p & 0x80000000, F32, F16, ROUNDING[double]), F16, a)
    equal(half(done[:, 1]), small)


def flush(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < np.finfo(x.dtype).tiny, np.copysign(x.dtype.type(0), x), x)


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("double", [True, False])
def test_denormals(single, double):
    mode = 0x300 | (0x30 if single else 0) | (0xC0 if double else 0)
    a, b = draw("f32", 64, RANDOM), draw("f32", 64, RANDOM)
    a[::3] = (a[::3].view(np.uint32) & 0x80FFFFFF).view(np.float32)
    x, y = draw("f64", 64, RANDOM), draw("f64", 64, RANDOM)
    x[::3] = (x[::3].view(np.uint64) & np.uint64(0x801FFFFFFFFFFFFF)).view(np.float64)
    text = "v_mul_f32_e32 v40, v10, v11\n\tv_max_f32_e32 v41, v10, v10\n\tv_mul_f64 v[42:43], v[12:13], v[14:15]"
    done = run_text(text, words(a, b, x, y), mode=mode)
    with np.errstate(all="ignore"):
        want = a * b if single else flush(flush(a) * flush(b))
        # A result that rounds up to the smallest normal number: hardware may look before or after rounding.
        edge = np.abs(want) == np.finfo(np.float32).tiny
        equal(np.where(edge, 0, f32(done[:, 0])), np.where(edge, 0, want))
        equal(f32(done[:, 1]), a if single else flush(a))
        want = x * y if double else flush(flush(x) * flush(y))
        edge = np.abs(want) == np.finfo(np.float64).tiny
        equal(np.where(edge, 0, f64(done[:, 2], done[:, 3])), np.where(edge, 0, want))


@pytest.mark.parametrize("inputs", [True, False])
@pytest.mark.parametrize("results", [True, False])
def test_denormals_of_halves(inputs, results):
    """f16 follows the bits of f64, one for what goes in and one for what comes out; f32 beside it does not."""
    mode = 0x330 | (0x40 if inputs else 0) | (0x80 if results else 0)
    # Every pair of magnitudes around the smallest normal number, 2^-14, and their halves
    values = np.array([0, 1, 0x155, 0x3FF, 0x400, 0x401, 0x5FF, 0x3C00], np.uint16)
    a = np.concatenate([np.repeat(values, 8), np.repeat(values, 8)])[:64].view(np.float16)
    b = np.tile(values | np.uint16(0x8000), 8).view(np.float16)
    half_words = [x.view(np.uint16).astype(np.uint32) for x in (a, b)]
    both = half_words[0] | half_words[1] << 16
    text = (
        "v_add_f16_e32 v40, v10, v11\n\tv_max_f16_e32 v41, v10, v11\n\tv_cvt_f32_f16_e32 v42, v10\n\t"
        "v_pk_mul_f16 v43, v12, 1.0 op_sel_hi:[1,0]"
    )
    more = (
        "v_mov_b32_e32 v40, v12\n\tv_mac_f16_e32 v40, 0, v10\n\tv_cmp_lt_f16_e32 vcc, 0, v10\n\t"
        "v_cndmask_b32_e64 v41, 0, 1, vcc"
    )
    done, other = (run_text(part, words(*half_words, both), mode=mode) for part in (text, more))
    source_a, source_b = (x if inputs else flush(x) for x in (a, b))

    def result(x: np.ndarray) -> list[int]:
        return (x if results else flush(x)).view(np.uint16).tolist()

    assert (done[:, 0] & 0xFFFF).tolist() == result(source_a + source_b)
    assert (done[:, 1] & 0xFFFF).tolist() == result(np.where(source_a < source_b, source_b, source_a))
    equal(f32(done[:, 2]), source_a.astype(np.float32))
    assert (done[:, 3] & 0xFFFF).tolist() == result(source_a)
    assert (done[:, 3] >> 16).tolist() == result(source_b)
    assert (other[:, 0] & 0xFFFF).tolist() == result(source_a)
    assert other[:, 1].tolist() == (source_a > 0).astype(int).tolist()


@pytest.mark.parametrize("ieee", [True, False])
def test_signalling_nans(ieee):
    """In IEEE mode a signalling NaN comes out quieted; otherwise it loses against a number like any NaN."""
    signalling, quiet, number = 0xFFA00001, 0x7FC00005, 0x3F800000
    pairs = [(signalling, number), (number, signalling), (quiet, number), (number, quiet), (signalling, quiet)]
    values = np.array((pairs * 13)[:64], np.uint32)
    done = run_text("v_min_f32_e32 v40, v10, v11\n\tv_max_f32_e32 v41, v10, v11", values, mode=0x3F0 if ieee else 0x1F0)
    want = [0xFFE00001, 0xFFE00001, number, number, 0xFFE00001] if ieee else [number] * 4 + [quiet]
    for column in (0, 1):
        assert done[:5, column].tolist() == want


def test_fields_of_registers():
    text = (
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n\ts_getreg_b32 s30, hwreg(HW_REG_MODE)\n\tv_mov_b32_e32 v40, s30\n\t"
        "s_movk_i32 s20, 0x1e\n\ts_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s20\n\ts_getreg_b32 s30, hwreg(HW_REG_MODE, 1, 3)\n\t"
        "v_mov_b32_e32 v41, s30\n\ts_getreg_b32 s30, hwreg(HW_REG_STATUS, 9, 1)\n\tv_mov_b32_e32 v42, s30\n\t"
        "s_getreg_b32 s30, 0x1881\n\tv_mov_b32_e32 v43, s30"
    )
    done = run_text(text, np.zeros((64, 1), np.uint32))
    # 0x1881: register 1, from bit 2 on, four bits
    assert done[0].tolist() == [0x3C0, 7, 0, (0x3CE >> 2) & 15]


@pytest.mark.parametrize("clamp", [0, 1])
def test_overflow_of_8_bit_floats(clamp):
    """Beyond the largest number: NaN, or that number where MODE says so."""
    values = np.array([[1000.0, -1000.0], [np.inf, 300.0], [240.0, 247.9], [248.0, -240.0]] * 16, np.float32).view(
        np.uint32
    )
    done = run_text("v_cvt_pk_fp8_f32 v40, v10, v11", values, mode=0x3F0 | clamp << 23)
    want = [0xFF7F, 0x7F80, 0x7F7F, 0xFF7F] if clamp else [0x8080, 0x8080, 0x7F7F, 0xFF80]
    assert (done[:4, 0] & 0xFFFF).tolist() == want
