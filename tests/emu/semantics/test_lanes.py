"""Instructions that look at other lanes, at registers by number, or write two registers."""

from __future__ import annotations

import struct
from fractions import Fraction

import numpy as np
import pytest
from semantics_machine import ALL, MODE, run_text
from statements_integer import sad

LANES = 0x00F0_5A5A_0001_FF70
RANDOM = np.random.default_rng(942)


def row(count: int = 1) -> np.ndarray:
    return RANDOM.integers(0, 1 << 32, (64, count), np.uint64).astype(np.uint32)


@pytest.mark.parametrize("lanes", [ALL, LANES, 1 << 63])
def test_readfirstlane(lanes):
    values = row()
    done = run_text("v_readfirstlane_b32 s30, v10\n\ts_mov_b64 exec, -1\n\tv_mov_b32_e32 v40, s30", values, lanes=lanes)
    first = (lanes & -lanes).bit_length() - 1
    assert set(done[:, 0]) == {values[first, 0]}


def test_readfirstlane_without_lanes():
    values = row()
    done = run_text("v_readfirstlane_b32 s30, v10\n\ts_mov_b64 exec, -1\n\tv_mov_b32_e32 v40, s30", values, lanes=0)
    assert set(done[:, 0]) == {values[0, 0]}


@pytest.mark.parametrize("lane", [0, 5, 63, 70])
def test_readlane(lane):
    """The lane may be off, and its number counts modulo 64."""
    values = row()
    text = f"s_movk_i32 s21, {lane}\n\tv_readlane_b32 s30, v10, s21\n\ts_mov_b64 exec, -1\n\tv_mov_b32_e32 v40, s30"
    assert set(run_text(text, values, lanes=LANES)[:, 0]) == {values[lane % 64, 0]}


@pytest.mark.parametrize("lane", [0, 4, 63, 70])
def test_writelane(lane):
    values = row(2)
    text = f"v_mov_b32_e32 v40, v10\n\ts_movk_i32 s21, 77\n\ts_mov_b32 m0, {lane}\n\tv_writelane_b32 v40, s21, m0"
    done = run_text(f"s_mov_b64 exec, -1\n\t{text}", values, lanes=LANES)
    want = values[:, 0].copy()
    want[lane % 64] = 77
    np.testing.assert_array_equal(done[:, 0], want)


def test_swap():
    values = row(2)
    done = run_text(
        "v_swap_b32 v10, v11\n\ts_mov_b64 exec, -1\n\tv_mov_b64_e32 v[40:41], v[10:11]", values, lanes=LANES
    )
    on = np.array([LANES >> lane & 1 for lane in range(64)], bool)
    np.testing.assert_array_equal(done[:, 0], np.where(on, values[:, 1], values[:, 0]))
    np.testing.assert_array_equal(done[:, 1], np.where(on, values[:, 0], values[:, 1]))


@pytest.mark.parametrize("name", ["v_nop", "v_clrexcp"])
def test_nothing(name):
    values = row()
    np.testing.assert_array_equal(run_text(f"{name}\n\tv_mov_b32_e32 v40, v10", values)[:, 0], values[:, 0])


@pytest.mark.parametrize("clamp", ["", "clamp"])
def test_mqsad_u32(clamp):
    values = row(7)
    values[:, 2] &= RANDOM.choice(np.array([0xFF00FF, 0xFFFFFFFF, 0xFF], np.uint32), 64)
    values[::3, 3:] |= np.uint32(0xFFFFFF00)
    done = run_text(f"v_mqsad_u32_u8 v[40:43], v[10:11], v12, v[13:16] {clamp}", values)
    for lane in range(64):
        a = int(values[lane, 0]) | int(values[lane, 1]) << 32
        for n in range(4):
            total = sad(a >> 8 * n & 0xFFFFFFFF, int(values[lane, 2]), True) + int(values[lane, 3 + n])
            assert done[lane, n] == (min(total, 0xFFFFFFFF) if clamp else total & 0xFFFFFFFF)


def two_over_pi(bits: int) -> int:
    """floor(2 / pi * 2**bits), by Machin's formula."""
    unit = 1 << (bits + 64)

    def arc_cotangent(x: int) -> int:
        total = term = unit // x
        n, sign = 3, -1
        while term:
            term //= x * x
            total += sign * (term // n)
            n, sign = n + 2, -sign
        return total

    pi = 4 * (4 * arc_cotangent(5) - arc_cotangent(239))
    return (2 * unit << bits) // pi


@pytest.mark.parametrize("segment", [0, 1, 2, 7, 19])
def test_trig_preop(segment):
    """53 bits of 2/pi, from 53 * segment bits on and further for large numbers."""
    exponents = np.array([0, 1023, 1077, 1078, 1100, 1500, 1967, 1968, 2000, 2046] * 7, np.uint64)[:64]
    bits = exponents << np.uint64(52) | np.uint64(0x123456789ABCD)
    values = np.stack([bits.astype(np.uint32), (bits >> np.uint64(32)).astype(np.uint32)], axis=1)
    done = run_text(f"v_trig_preop_f64 v[40:41], v[10:11], {segment}", values)
    known = two_over_pi(1201)
    for lane in range(64):
        exponent = int(exponents[lane])
        shift = 53 * segment + max(exponent - 1077, 0)
        digits = (known << 3000 >> (1201 + 3000 - 53 - shift)) & ((1 << 53) - 1)
        want = Fraction(digits) * Fraction(2) ** (-53 - shift + (128 if exponent >= 1968 else 0))
        got = struct.unpack("<d", struct.pack("<II", *done[lane, :2].tolist()))[0]
        assert got == float(want), (exponent, segment)


# ---- registers by number --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2])
def test_movrels(size):
    source = "s20" if size == 1 else "s[20:21]"
    target = "s30" if size == 1 else "s[30:31]"
    setting = "".join(f"s_movk_i32 s{20 + n}, {100 + n}\n\t" for n in range(8))
    text = f"{setting}s_mov_b64 s[30:31], 0\n\ts_mov_b32 m0, 4\n\ts_movrels_b{32 * size} {target}, {source}\n\tv_mov_b32_e32 v40, s30\n\tv_mov_b32_e32 v41, s31"
    done = run_text(text, row())
    assert done[0, :2].tolist() == [104, 105 if size == 2 else 0]


@pytest.mark.parametrize("size", [1, 2])
def test_movreld(size):
    source = "s20" if size == 1 else "s[20:21]"
    target = "s26" if size == 1 else "s[26:27]"
    text = f"s_movk_i32 s20, 7\n\ts_movk_i32 s21, 8\n\ts_mov_b64 s[30:31], 0\n\ts_mov_b32 m0, 4\n\ts_movreld_b{32 * size} {target}, {source}\n\tv_mov_b32_e32 v40, s30\n\tv_mov_b32_e32 v41, s31"
    assert run_text(text, row())[0, :2].tolist() == [7, 8 if size == 2 else 0]


@pytest.mark.parametrize("where", ["SRC0", "DST", "SRC0,DST", "SRC1"])
def test_vector_registers_by_number(where):
    """Between s_set_gpr_idx_on and _off the named operands move by the index."""
    values = row(8)
    add = "v_add_u32_e32 v42, v10, v11"
    text = f"v_mov_b32_e32 v42, 0\n\tv_mov_b32_e32 v45, 0\n\ts_movk_i32 s20, 3\n\ts_set_gpr_idx_on s20, gpr_idx({where})\n\t{add}\n\ts_set_gpr_idx_off\n\tv_mov_b32_e32 v40, v42\n\tv_mov_b32_e32 v41, v45"
    done = run_text(text, values)
    a = values[:, 3 if "SRC0" in where else 0]
    b = values[:, 4 if "SRC1" in where else 1]
    np.testing.assert_array_equal(done[:, 1 if "DST" in where else 0], a + b)
    np.testing.assert_array_equal(done[:, 0 if "DST" in where else 1], 0)


def test_mode_of_the_tests_is_the_default():
    done = run_text("s_getreg_b32 s30, hwreg(HW_REG_MODE)\n\tv_mov_b32_e32 v40, s30", row())
    assert set(done[:, 0]) == {MODE}
