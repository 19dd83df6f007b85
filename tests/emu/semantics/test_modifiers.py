"""Operand and result modifiers: negation, absolute value, halves, SDWA, DPP, output modifiers and clamping."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from families import family
from semantics_machine import ALL, run_text
from semantics_values import draw, seeded

RANDOM = seeded("modifiers")
LANES = 0xFFF0_0F5A_8001_FF7E
F16, F32, F64 = np.float16, np.float32, np.float64


def words(*columns: np.ndarray) -> np.ndarray:
    out = []
    for column in columns:
        bits = column.view(f"u{column.dtype.itemsize}")
        out += [(bits >> bits.dtype.type(32 * n)).astype(np.uint32) for n in range(max(column.itemsize // 4, 1))]
    return np.stack(out, axis=1)


def equal(got: np.ndarray, want: np.ndarray) -> None:
    """Bit for bit, but that NaNs are one."""
    want = want.astype(got.dtype)
    unsigned = f"u{got.dtype.itemsize}"
    fine = (got.view(unsigned) == want.view(unsigned)) | (np.isnan(got) & np.isnan(want))
    assert fine.all(), (got[~fine][:4], want[~fine][:4])


def f32(words_: np.ndarray) -> np.ndarray:
    return words_.astype(np.uint32).view(F32)


def f64(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    return (low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)).view(F64)


def half(words_: np.ndarray, upper: bool = False) -> np.ndarray:
    return (words_ >> (16 if upper else 0)).astype(np.uint16).view(F16)


def changed(x: np.ndarray, modifier: str) -> np.ndarray:
    x = np.abs(x) if "|" in modifier else x
    return -x if "-" in modifier else x


def written(register: str, modifier: str) -> str:
    return modifier.replace("x", register)


MODIFIERS = ["x", "-x", "|x|", "-|x|"]


@family("first, second", list(itertools.product(MODIFIERS, MODIFIERS)))
def test_sign_modifiers(first, second):
    a, b = draw("f32", 64, RANDOM), draw("f32", 64, RANDOM)
    with np.errstate(all="ignore"):
        text = f"v_mul_f32_e64 v40, {written('v10', first)}, {written('v11', second)}"
        equal(f32(run_text(text, words(a, b))[:, 0]), changed(a, first) * changed(b, second))
        a, b = draw("f64", 64, RANDOM), draw("f64", 64, RANDOM)
        text = f"v_add_f64 v[40:41], {written('v[10:11]', first)}, {written('v[12:13]', second)}"
        done = run_text(text, words(a, b))
        equal(f64(done[:, 0], done[:, 1]), changed(a, first) + changed(b, second))
        a, b = draw("f16", 64, RANDOM), draw("f16", 64, RANDOM)
        text = f"v_mul_f16_e64 v40, {written('v10', first)}, {written('v11', second)}"
        equal(half(run_text(text, words(a, b))[:, 0]), changed(a, first) * changed(b, second))


def test_sign_of_a_scalar_and_in_a_comparison():
    a = draw("f32", 64, RANDOM)
    text = "s_mov_b32 s20, 0x40490fdb\n\tv_mul_f32_e64 v40, -s20, |v10|\n\tv_cmp_lt_f32_e64 s[30:31], -v10, |v10|\n\tv_cndmask_b32_e64 v41, 0, 1, s[30:31]\n\tv_cndmask_b32_e64 v42, -v10, |v10|, s[30:31]"
    done = run_text(text, words(a))
    with np.errstate(all="ignore"):
        equal(f32(done[:, 0]), -F32(np.pi) * np.abs(a))
        less = -a < np.abs(a)
    np.testing.assert_array_equal(done[:, 1], less)
    np.testing.assert_array_equal(done[:, 2], np.where(less, np.abs(a), -a).view(np.uint32))


# ---- halves ---------------------------------------------------------------------------------------------------------


@family("bits", range(16))
def test_halves_of_16_bit_operations(bits):
    """op_sel picks the half of each source, and the half of the destination that is written."""
    a, b, c = (draw("pkf", 64, RANDOM) for _ in range(3))
    pick = [bits >> n & 1 for n in range(4)]
    done = run_text(f"v_mad_u16 v40, v10, v11, v12 op_sel:[{','.join(map(str, pick))}]", words(a, b, c))[:, 0]
    x, y, z = ((v >> 16 * p).astype(np.uint16) for v, p in zip((a, b, c), pick))
    result = (x * y + z).astype(np.uint32)
    want = result << 16 | 0xBEEF if pick[3] else result | 0xDEAD0000
    np.testing.assert_array_equal(done, want)
    # A half is picked before its sign changes.
    done = run_text(f"v_fma_f16 v40, -v10, |v11|, v12 op_sel:[{','.join(map(str, pick))}]", words(a, b, c))[:, 0]
    with np.errstate(all="ignore"):
        x, y, z = (half(v, bool(p)).astype(F64) for v, p in zip((a, b, c), pick))
        want16 = (-x * np.abs(y) + z).astype(F16)  # 53 bits hold what decides the rounding of these
    equal(half(done, bool(pick[3])), want16)


@family("low, high, negate_low, negate_high", list(itertools.product((0b00, 0b01, 0b10, 0b11), repeat=4)))
def test_packed_halves(low, high, negate_low, negate_high):
    a, b = draw("pkf", 64, RANDOM), draw("pkf", 64, RANDOM)
    listed = lambda bits: f"[{bits & 1},{bits >> 1}]"  # noqa: E731
    marks = f"op_sel:{listed(low)} op_sel_hi:{listed(high)} neg_lo:{listed(negate_low)} neg_hi:{listed(negate_high)}"
    if (low, high, negate_low, negate_high)[2:] == (0, 0) or low in (0, 3):  # a part of the 256 for each of the three
        done = run_text(f"v_pk_mul_f16 v40, v10, v11 {marks}", words(a, b))[:, 0]
        with np.errstate(all="ignore"):
            for upper, which, negate in ((False, low, negate_low), (True, high, negate_high)):
                x, y = (half(v, bool(which >> n & 1)) * F16(-1 if negate >> n & 1 else 1) for n, v in enumerate((a, b)))
                equal(half(done, upper), x * y)
    a, b = draw("pkf32", 64, RANDOM), draw("pkf32", 64, RANDOM)
    done = run_text(f"v_pk_add_f32 v[40:41], v[10:11], v[12:13] {marks}", words(a, b))
    with np.errstate(all="ignore"):
        for column, which, negate in ((0, low, negate_low), (1, high, negate_high)):
            x, y = (
                f32(v >> np.uint64(32 * (which >> n & 1))) * F32(-1 if negate >> n & 1 else 1)
                for n, v in enumerate((a, b))
            )
            equal(f32(done[:, column]), x + y)


def test_packed_integers_and_constants():
    """A constant fills the low half alone; op_sel_hi spreads it."""
    a = draw("pk", 64, RANDOM)
    done = run_text("v_pk_add_u16 v40, v10, 3\n\tv_pk_add_u16 v41, v10, 3 op_sel_hi:[1,0]\n\tv_pk_sub_i16 v42, v10, v10 op_sel:[1,0] op_sel_hi:[0,1]", words(a))  # fmt: skip
    low, high = a & 0xFFFF, a >> 16
    np.testing.assert_array_equal(done[:, 0], (low + 3 & 0xFFFF) | high << 16)
    np.testing.assert_array_equal(done[:, 1], (low + 3 & 0xFFFF) | (high + 3 & 0xFFFF) << 16)
    np.testing.assert_array_equal(done[:, 2], (high - low & 0xFFFF) | (low - high & 0xFFFF) << 16)


@pytest.mark.parametrize("pick", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_pk_mov(pick):
    a, b = draw("u64", 64, RANDOM), draw("u64", 64, RANDOM)
    done = run_text(f"v_pk_mov_b32 v[40:41], v[10:11], v[12:13] op_sel:[{pick[0]},{pick[1]}]", words(a, b))
    np.testing.assert_array_equal(done[:, 0], (a >> np.uint64(32 * pick[0])).astype(np.uint32))
    np.testing.assert_array_equal(done[:, 1], (b >> np.uint64(32 * pick[1])).astype(np.uint32))


@family("pick, single", list(itertools.product(range(8), range(8))))
def test_mixed_precision(pick, single):
    """fma_mix: op_sel_hi says which sources are halves, op_sel which half; signs change afterwards."""
    a, b, c = (draw("pkf", 64, RANDOM) for _ in range(3))
    listed = lambda bits: "[" + ",".join(str(bits >> n & 1) for n in range(3)) + "]"  # noqa: E731
    marks = f"op_sel:{listed(pick)} op_sel_hi:{listed(single)}"
    done = run_text(f"v_fma_mix_f32 v40, -v10, |v11|, v12 {marks}\n\tv_fma_mixlo_f16 v41, -v10, |v11|, v12 {marks}\n\tv_fma_mixhi_f16 v42, -v10, |v11|, v12 {marks}", words(a, b, c))  # fmt: skip
    with np.errstate(all="ignore"):
        x, y, z = (
            (half(v, bool(pick >> n & 1)) if single >> n & 1 else f32(v)).astype(F64) for n, v in enumerate((a, b, c))
        )
        exact = -x * np.abs(y) + z
        # Twice rounded sums may differ in the last bit: the row's own test is exact.
        close = lambda got, want: np.isclose(got, want, rtol=2.0**-22, atol=0, equal_nan=True) | (np.abs(want) < 1e-30)  # noqa: E731
        assert close(f32(done[:, 0]).astype(F64), exact.astype(F32).astype(F64)).all()
        equal(half(done[:, 1]), f32(done[:, 0]).astype(F16))
    np.testing.assert_array_equal(done[:, 1] >> 16, 0xDEAD)
    np.testing.assert_array_equal(done[:, 2] & 0xFFFF, 0xBEEF)
    equal(half(done[:, 2], True), half(done[:, 1]))


@pytest.mark.parametrize("name, upper", [("v_cvt_pk_fp8_f32", 0), ("v_cvt_pk_fp8_f32", 1), ("v_cvt_pk_bf8_f32", 1)])
def test_half_of_packed_bytes(name, upper):
    a, b = draw("f32", 64, RANDOM), draw("f32", 64, RANDOM)
    done = run_text(f"{name} v40, v10, v11 op_sel:[0,0,{upper}]\n\t{name} v41, v10, v11", words(a, b))
    result = done[:, 1] & 0xFFFF
    np.testing.assert_array_equal(done[:, 0], result << 16 | 0xBEEF if upper else result | 0xDEAD0000)


@pytest.mark.parametrize("byte", range(4))
def test_byte_of_stochastic_rounding(byte):
    a, b = draw("f32", 64, RANDOM), draw("u32", 64, RANDOM)
    done = run_text(f"v_cvt_sr_fp8_f32 v40, v10, v11 op_sel:[0,0,{byte & 1},{byte >> 1}]\n\tv_cvt_sr_fp8_f32 v41, v10, v11", words(a, b))  # fmt: skip
    at = np.uint32(8 * byte)
    want = (0xDEADBEEF & ~(0xFF << int(at))) | (done[:, 1] & 0xFF) << at
    np.testing.assert_array_equal(done[:, 0], want)


# ---- SDWA -----------------------------------------------------------------------------------------------------------

PARTS = {"BYTE_0": (0, 8), "BYTE_1": (8, 8), "BYTE_2": (16, 8), "BYTE_3": (24, 8), "WORD_0": (0, 16), "WORD_1": (16, 16), "DWORD": (0, 32)}  # fmt: skip


def part(x: np.ndarray, name: str, extend: bool = False) -> np.ndarray:
    at, width = PARTS[name]
    value = x.astype(np.uint32) >> np.uint32(at) & np.uint32((1 << width) - 1)
    if extend and width < 32:
        return ((value.astype(np.int64) ^ (1 << (width - 1))) - (1 << (width - 1))).astype(np.uint32)
    return value


@family("first, second", list(itertools.product(PARTS, PARTS)))
def test_sdwa_sources(first, second):
    a, b = draw("u32", 64, RANDOM), draw("u32", 64, RANDOM)
    text = f"v_sub_u32_sdwa v40, sext(v10), v11 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:{first} src1_sel:{second}"
    done = run_text(text, words(a, b))
    np.testing.assert_array_equal(done[:, 0], part(a, first, True) - part(b, second))


@family("where, unused", list(itertools.product(PARTS, ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"))))
def test_sdwa_destination(where, unused):
    a, b = draw("u32", 64, RANDOM), draw("u32", 64, RANDOM)
    text = f"v_add_u32_sdwa v40, v10, v11 dst_sel:{where} dst_unused:{unused} src0_sel:DWORD src1_sel:DWORD"
    done = run_text(text, words(a, b), lanes=LANES)[:, 0]
    at, width = PARTS[where]
    mask = ((1 << width) - 1) << at
    moved = (a + b).astype(object) << at & mask
    if unused == "UNUSED_PRESERVE":
        moved = moved | 0xDEADBEEF & ~mask
    elif unused == "UNUSED_SEXT":
        moved = np.array([m | (0xFFFFFFFF << (at + width) & 0xFFFFFFFF) if m >> (at + width - 1) else m for m in moved], object)  # fmt: skip
    on = np.array([LANES >> lane & 1 for lane in range(64)], bool)
    np.testing.assert_array_equal(done, np.where(on, moved, 0xDEADBEEF).astype(np.uint32))


def test_sdwa_of_floats_and_comparisons():
    a, b = draw("pkf", 64, RANDOM), draw("pkf", 64, RANDOM)
    text = (
        "v_add_f16_sdwa v40, -v10, |v11| dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0\n\t"
        "v_cmp_lt_f16_sdwa s[30:31], v10, v11 src0_sel:WORD_1 src1_sel:WORD_1\n\tv_cndmask_b32_e64 v41, 0, 1, s[30:31]\n\t"
        "v_cvt_f32_fp8_sdwa v42, v10 src0_sel:BYTE_2\n\tv_lshrrev_b32_e32 v43, 16, v10\n\tv_cvt_f32_fp8_e32 v43, v43"
    )
    done = run_text(text, words(a, b))
    with np.errstate(all="ignore"):
        equal(half(done[:, 0], True), -half(a, True) + np.abs(half(b)))
        np.testing.assert_array_equal(done[:, 0] & 0xFFFF, 0xBEEF)
        np.testing.assert_array_equal(done[:, 1], half(a, True) < half(b, True))
    np.testing.assert_array_equal(done[:, 2], done[:, 3])


# ---- DPP ------------------------------------------------------------------------------------------------------------


def source_lane(control: str, lane: int) -> int | None:
    """The lane that a lane reads (None: outside), from the ISA document's table of controls."""
    name, _, value = control.partition(":")
    row, at = lane & ~15, lane & 15
    if name == "quad_perm":
        return (lane & ~3) | [int(x) for x in value.strip("[]").split(",")][lane & 3]
    if name in ("row_shl", "row_shr"):
        there = at + int(value) * (1 if name == "row_shl" else -1)
        return row | there if 0 <= there < 16 else None
    if name == "row_ror":
        return row | (at - int(value)) % 16
    if name == "row_newbcast":
        return row | int(value)
    if name == "row_bcast":
        return (row - 1 if row else None) if value == "15" else (31 if lane >= 32 else None)
    there = {"wave_shl": lane + 1, "wave_shr": lane - 1, "wave_rol": (lane + 1) % 64, "wave_ror": (lane - 1) % 64, "row_mirror": row | 15 - at, "row_half_mirror": (lane & ~7) | 7 - (lane & 7)}[name]  # fmt: skip
    return there if 0 <= there < 64 else None


CONTROLS = ["quad_perm:[3,2,1,0]", "quad_perm:[0,0,2,2]", *(f"row_shl:{n}" for n in (1, 7, 15)), *(f"row_shr:{n}" for n in (1, 8, 15)), *(f"row_ror:{n}" for n in (1, 12)), "wave_shl:1", "wave_shr:1", "wave_rol:1", "wave_ror:1", "row_mirror", "row_half_mirror", "row_bcast:15", "row_bcast:31", "row_newbcast:5"]  # fmt: skip
MASKS = [(0xF, 0xF), (0xA, 0xF), (0xC, 0x3), (0x1, 0xE)]


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("lanes", [ALL, LANES])
@pytest.mark.parametrize("bound", ["", "bound_ctrl:1"])
def test_dpp(control, lanes, bound):
    a, b = draw("u32", 64, RANDOM), draw("u32", 64, RANDOM)
    on = [lanes >> lane & 1 for lane in range(64)]
    for row_mask, bank_mask in MASKS:
        text = f"v_sub_u32_dpp v40, v10, v11 {control} row_mask:{row_mask:#x} bank_mask:{bank_mask:#x} {bound}"
        done = run_text(text, words(a, b), lanes=lanes)[:, 0]
        for lane in range(64):
            there = source_lane(control, lane)
            valid = there is not None and on[there]
            chosen = row_mask >> lane // 16 & 1 and bank_mask >> lane // 4 % 4 & 1
            want = 0xDEADBEEF
            if on[lane] and chosen and (valid or bound):
                want = ((int(a[there]) if valid and there is not None else 0) - int(b[lane])) & 0xFFFFFFFF
            assert int(done[lane]) == want, (text, lane)


def test_dpp_of_wide_and_signed_values_and_carries():
    a, b = draw("u64", 64, RANDOM), draw("f32", 64, RANDOM)
    text = (
        "v_mov_b64_dpp v[40:41], v[10:11] row_newbcast:3 row_mask:0xf bank_mask:0xf\n\t"
        "v_mul_f32_dpp v42, -v12, |v12| row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1\n\t"
        "v_add_co_u32_dpp v43, vcc, v10, v10 row_shr:2 row_mask:0xf bank_mask:0xf\n\tv_cndmask_b32_e64 v43, 0, 1, vcc"
    )
    done = run_text(text, words(a, b))
    from_ = np.arange(64) & ~15 | 3
    np.testing.assert_array_equal(done[:, :2], words(a)[from_])
    before = np.where(np.arange(64) % 16 > 0, np.roll(b, 1), F32(0))
    with np.errstate(all="ignore"):
        equal(f32(done[:, 2]), -before * np.abs(b))
    low = a.astype(np.uint32).astype(np.uint64)
    carry = (np.arange(64) % 16 > 1) & (np.roll(low, 2) + low > 0xFFFFFFFF)
    np.testing.assert_array_equal(done[:, 3], carry)


# ---- results --------------------------------------------------------------------------------------------------------


def clamped(x: np.ndarray, nan: float = 0.0) -> np.ndarray:
    return np.where(np.isnan(x), x.dtype.type(nan), np.where(x > 0, np.minimum(x, x.dtype.type(1)), x.dtype.type(0)))


@pytest.mark.parametrize("dx10", [True, False])
def test_clamp(dx10):
    """To [0, 1]; NaN becomes 0 where MODE's DX10 clamp is on."""
    mode, nan = (0x3F0, 0.0) if dx10 else (0x2F0, np.nan)
    a, b = draw("f32", 64, RANDOM), draw("pkf", 64, RANDOM)
    c = draw("f64", 64, RANDOM)
    text = "v_add_f32_e64 v40, v10, v10 clamp\n\tv_add_f64 v[42:43], v[12:13], v[12:13] clamp\n\tv_pk_add_f16 v41, v11, v11 clamp"
    done = run_text(text, words(a, b, c), mode=mode)
    with np.errstate(all="ignore"):
        equal(f32(done[:, 0]), clamped(a + a, nan))
        equal(f64(done[:, 2], done[:, 3]), clamped(c + c, nan))
        for upper in (False, True):
            equal(half(done[:, 1], upper), clamped(half(b, upper) * F16(2), nan))
        done = run_text("v_add_f16_e64 v40, v11, v11 clamp", words(a, b), mode=mode)
        equal(half(done[:, 0]), clamped(half(b) * F16(2), nan))


@pytest.mark.parametrize("omod, factor", [("mul:2", 2), ("mul:4", 4), ("div:2", 0.5)])
def test_output_modifiers(omod, factor):
    """They do nothing in IEEE mode or while denormals are kept; else they flush denormals and the sign of zero."""
    a = draw("f32", 64, RANDOM)
    text = f"v_mul_f32_e64 v40, v10, v10 {omod}\n\tv_mul_f32_e64 v41, v10, v10 {omod} clamp"
    with np.errstate(all="ignore"):
        for mode in (0x3F0, 0x1F0, 0x3C0):
            flush = not mode & 0x20
            x = np.where(np.abs(a) < F32(2.0**-126), a * F32(0), a) if flush else a
            square = x * x
            square = np.where(square < F32(2.0**-126), F32(0), square) if flush else square
            got = f32(run_text(text, words(a), mode=mode)[:, 0])
            # A result that rounds up to the smallest normal number: hardware may look before or after rounding.
            ordinary = square != F32(2.0**-126)
            equal(got[ordinary], square[ordinary])
        done = run_text(text, words(a), mode=0x1C0)  # IEEE off, f32 denormals flushed
        x = np.where(np.abs(a) < F32(2.0**-126), F32(0), a)
        flush_ = lambda v: np.where(np.abs(v) < F32(2.0**-126), F32(0), v)  # noqa: E731
        want = flush_(flush_(x * x) * F32(factor))
        equal(f32(done[:, 0]), want)
        equal(f32(done[:, 1]), clamped(want))
