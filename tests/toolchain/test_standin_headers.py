"""The HIP headers that porter brings: their arithmetic against torch and numpy on the host, and compiled for the device."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from porter.errors import CompileError
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import Options, assemble, c_library, device_assembly, find_toolchain, shared_library

pytestmark = [
    pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"),
    pytest.mark.skipif(find_toolchain().kind == "rocm", reason="ROCm's own headers are in use"),
]

HOST = r"""
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_math_constants.h>
#include <porter/bf16.h>
#include <porter/complex.h>
#include <porter/fp8_types.h>
#include <porter/half.h>
#include <porter/half_conversions.h>
#define EACH(name, In, Out, expression) \
  extern "C" void name(const In *in, Out *out, long n) { for (long i = 0; i < n; ++i) { In a = in[i]; out[i] = expression; } }
typedef unsigned short u16;
typedef unsigned char u8;
EACH(half_rn, float, u16, __half_as_ushort(__float2half(a)))
EACH(half_rz, float, u16, __half_as_ushort(porter::float2half_rz(a)))
EACH(half_rd, float, u16, __half_as_ushort(porter::float2half_rd(a)))
EACH(half_ru, float, u16, __half_as_ushort(porter::float2half_ru(a)))
EACH(half_double, double, u16, __half_as_ushort(porter::double2half(a)))
EACH(half_widen, u16, float, __half2float(__ushort_as_half(a)))
EACH(half_int, int, u16, __half_as_ushort(porter::int2half_rn(a)))
EACH(half_int_rz, int, u16, __half_as_ushort(porter::int2half_rz(a)))
EACH(half_ll, long long, u16, __half_as_ushort(porter::ll2half_rn(a)))
EACH(half_to_int, u16, int, porter::half2int_rn(__ushort_as_half(a)))
EACH(half_to_short, u16, short, porter::half2short_rd(__ushort_as_half(a)))
EACH(half_to_ull, u16, unsigned long long, porter::half2ull_ru(__ushort_as_half(a)))
EACH(half_class, float, float, float(__half(a) * __half(a) + __half(1)))
EACH(half_max, u16, u16, __half_as_ushort(__hmax(__ushort_as_half(a), __ushort_as_half(0x3c00))))
EACH(half_pair, unsigned, unsigned, __builtin_bit_cast(unsigned, porter::hfma2(__builtin_bit_cast(__half2, a), __builtin_bit_cast(__half2, a), __float2half2_rn(0.5f))))
EACH(bf16_rn, float, u16, __bfloat16_as_ushort(__float2bfloat16(a)))
EACH(bf16_rz, float, u16, __bfloat16_as_ushort(porter::float2bfloat16_rz(a)))
EACH(bf16_rd, float, u16, __bfloat16_as_ushort(porter::float2bfloat16_rd(a)))
EACH(bf16_ru, float, u16, __bfloat16_as_ushort(porter::float2bfloat16_ru(a)))
EACH(bf16_double, double, u16, __bfloat16_as_ushort(porter::double2bfloat16(a)))
EACH(hips_bf16_double, double, u16, __bfloat16_as_ushort(__double2bfloat16(a)))
EACH(bf16_widen, u16, float, __bfloat162float(__ushort_as_bfloat16(a)))
EACH(bf16_ll, long long, u16, __bfloat16_as_ushort(porter::ll2bfloat16_rn(a)))
EACH(bf16_old, float, u16, hip_bfloat16(a).data)
EACH(bf16_add, float, float, float(__hip_bfloat16(a) + __hip_bfloat16(1.5f)))
EACH(fp8_0, float, u8, __hip_cvt_float_to_fp8(a, __HIP_NOSAT, __HIP_E4M3))
EACH(fp8_1, float, u8, __hip_cvt_float_to_fp8(a, __HIP_NOSAT, __HIP_E5M2))
EACH(fp8_4, float, u8, porter::cvt_float_to_fp8(a, __HIP_NOSAT, __HIP_E4M3))
EACH(fp8_5, float, u8, porter::cvt_float_to_fp8(a, __HIP_NOSAT, __HIP_E5M2))
EACH(fp8_sat_4, float, u8, porter::fp8_e4m3(a).__x)
EACH(fp8_sat_5, float, u8, porter::fp8_e5m2(a).__x)
EACH(un8_4, u8, float, porter::fp8::float_of(a, __HIP_E4M3))
EACH(un8_5, u8, float, porter::fp8::float_of(a, __HIP_E5M2))
EACH(cuda_double_e4m3, double, u8, porter::fp8_e4m3(a).__x)
EACH(cuda_double_e5m2, double, u8, porter::fp8_e5m2(a).__x)
EACH(fp8_2, float, u8, __hip_cvt_float_to_fp8(a, __HIP_NOSAT, __HIP_E4M3_FNUZ))
EACH(fp8_3, float, u8, __hip_cvt_float_to_fp8(a, __HIP_NOSAT, __HIP_E5M2_FNUZ))
EACH(fp8_sat_0, float, u8, __hip_fp8_e4m3(a).__x)
EACH(fp8_sat_1, float, u8, __hip_fp8_e5m2(a).__x)
EACH(fp8_sat_2, float, u8, __hip_fp8_e4m3_fnuz(a).__x)
EACH(fp8_sat_3, float, u8, __hip_fp8_e5m2_fnuz(a).__x)
EACH(fp8_double, double, u8, __hip_cvt_double_to_fp8(a, __HIP_NOSAT, __HIP_E4M3))
EACH(un8_0, u8, float, porter_fp8::to_float(a, __HIP_E4M3))
EACH(un8_1, u8, float, porter_fp8::to_float(a, __HIP_E5M2))
EACH(un8_2, u8, float, porter_fp8::to_float(a, __HIP_E4M3_FNUZ))
EACH(un8_3, u8, float, porter_fp8::to_float(a, __HIP_E5M2_FNUZ))
EACH(complex_abs, hipDoubleComplex, double, porter::cabs(a))
EACH(complex_div, hipFloatComplex, hipFloatComplex, porter::cdivf(hipCmulf(a, a), a))
EACH(complex_div_large, hipDoubleComplex, hipDoubleComplex, porter::cdiv(a, a))
EACH(hips_abs, hipDoubleComplex, double, hipCabs(a))
EACH(hips_div, hipDoubleComplex, hipDoubleComplex, hipCdiv(a, a))
EACH(hips_half_rz, float, u16, __half_as_ushort(__float2half_rz(a)))
EACH(hips_half_inf, u16, int, __hisinf(__ushort_as_half(a)))
EACH(hips_bf16_inf, u16, int, __hisinf(__ushort_as_bfloat16(a)))
EACH(half_inf, u16, int, porter::hisinf(__ushort_as_half(a)))
EACH(hips_hgt2, unsigned, unsigned, __builtin_bit_cast(unsigned, __hgt2(__builtin_bit_cast(__hip_bfloat162, a), __builtin_bit_cast(__hip_bfloat162, 0x3f803f80u))))
EACH(hgt2, unsigned, unsigned, __builtin_bit_cast(unsigned, porter::hgt2(__builtin_bit_cast(__hip_bfloat162, a), __builtin_bit_cast(__hip_bfloat162, 0x3f803f80u))))
EACH(add_sat, u16, u16, __half_as_ushort(porter::hadd_sat(__ushort_as_half(a), __ushort_as_half(0x3800))))
EACH(half_pair_max, unsigned, unsigned, __builtin_bit_cast(unsigned, porter::hmax2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f))))
EACH(hips_half_ne, u16, int, __hne(__ushort_as_half(a), __ushort_as_half(0x3c00)))
EACH(hips_bf16_ne, u16, int, __hne(__ushort_as_bfloat16(a), __ushort_as_bfloat16(0x3f80)))
EACH(hips_half_ne2, unsigned, unsigned, __builtin_bit_cast(unsigned, __hne2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f))))
EACH(hips_half_bne2, unsigned, int, __hbne2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(hips_half_bequ2, unsigned, int, __hbequ2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(hips_bf16_bequ2, unsigned, int, __hbequ2(__builtin_bit_cast(__hip_bfloat162, a), __builtin_bit_cast(__hip_bfloat162, 0x3f803f80u)))
EACH(hips_half_bltu2, unsigned, int, __hbltu2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(hips_bf16_bltu2, unsigned, int, __hbltu2(__builtin_bit_cast(__hip_bfloat162, a), __builtin_bit_cast(__hip_bfloat162, 0x3f803f80u)))
EACH(hips_half_bleu2, unsigned, int, __hbleu2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(hips_bf16_bleu2, unsigned, int, __hbleu2(__builtin_bit_cast(__hip_bfloat162, a), __builtin_bit_cast(__hip_bfloat162, 0x3f803f80u)))
EACH(hips_half_bgtu2, unsigned, int, __hbgtu2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(hips_bf16_bgtu2, unsigned, int, __hbgtu2(__builtin_bit_cast(__hip_bfloat162, a), __builtin_bit_cast(__hip_bfloat162, 0x3f803f80u)))
EACH(hips_half_bgeu2, unsigned, int, __hbgeu2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(hips_bf16_bgeu2, unsigned, int, __hbgeu2(__builtin_bit_cast(__hip_bfloat162, a), __builtin_bit_cast(__hip_bfloat162, 0x3f803f80u)))
EACH(cudas_half_ne, u16, int, porter::hne(__ushort_as_half(a), __ushort_as_half(0x3c00)))
EACH(cudas_bf16_ne, u16, int, porter::hne(__ushort_as_bfloat16(a), __ushort_as_bfloat16(0x3f80)))
EACH(cudas_half_ne2, unsigned, unsigned, __builtin_bit_cast(unsigned, porter::hne2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f))))
EACH(cudas_half_bne2, unsigned, int, porter::hbne2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(cudas_half_bequ2, unsigned, int, porter::hbequ2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(cudas_half_bltu2, unsigned, int, porter::hbltu2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(cudas_half_bleu2, unsigned, int, porter::hbleu2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(cudas_half_bgtu2, unsigned, int, porter::hbgtu2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
EACH(cudas_half_bgeu2, unsigned, int, porter::hbgeu2(__builtin_bit_cast(__half2, a), __float2half2_rn(1.0f)))
static_assert(HIP_PI > 3.14 && HIP_INF_F > 1e38f);
"""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("headers")
    (folder / "hip.c").write_text("void __hipRegisterFatBinary(void) {}\nvoid __hipUnregisterFatBinary(void) {}\n")
    (folder / "a.hip").write_text(HOST)
    built = shared_library([folder / "a.hip"], options=Options(level="1"), library=c_library([folder / "hip.c"]))
    assert not built.warnings
    return ctypes.CDLL(str(built.path))


@pytest.fixture(scope="module")
def each(host: ctypes.CDLL) -> Callable[..., np.ndarray]:
    def call(name: str, values: np.ndarray, out: type) -> np.ndarray:
        values = np.ascontiguousarray(values)
        result = np.zeros(len(values), out)
        getattr(host, name)(
            values.ctypes.data_as(ctypes.c_void_p), result.ctypes.data_as(ctypes.c_void_p), ctypes.c_long(len(values))
        )
        return result

    return call


def floats() -> np.ndarray:
    """Random bit patterns, and all the places near which something is rounded in one of the formats."""
    random = np.random.default_rng(7)
    bits = random.integers(0, 1 << 32, 60000, dtype=np.uint32).view(np.float32)
    near = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)
    scaled = (random.standard_normal(40000) * np.exp2(random.integers(-30, 18, 40000))).astype(np.float32)
    with np.errstate(all="ignore"):
        middle = (near[:-1] + near[1:]) / 2
        around = np.concatenate(
            [middle, np.nextafter(middle, np.float32(np.inf)), np.nextafter(middle, np.float32(-np.inf))]
        )
    special = np.array(
        [0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65520, 65519.996, 448, 464, 480, 240, 248, 57344, 61440], np.float32
    )
    return np.concatenate([bits, near, scaled, around, special, -special])


def same(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Equal bit for bit, NaN being NaN."""
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[ours.dtype.itemsize]
    both_nan = np.isnan(ours) & np.isnan(theirs)
    return bool(np.all((ours.view(bits) == theirs.view(bits)) | both_nan))


def test_half_is_rounded_as_numpy_does(each: Callable[..., np.ndarray]) -> None:
    x = floats()
    with np.errstate(all="ignore"):
        near = x.astype(np.float16)
        assert same(each("half_rn", x, np.uint16).view(np.float16), near)
        assert same(each("half_class", x, np.float32), (near * near + np.float16(1)).astype(np.float32))
        up = np.where(near.astype(np.float32) < x, np.nextafter(near, np.float16(np.inf)), near)
        down = np.where(near.astype(np.float32) > x, np.nextafter(near, np.float16(-np.inf)), near)
        doubles = x.astype(np.float64) * (1 + 2.0**-40)
        assert same(each("half_double", doubles, np.uint16).view(np.float16), doubles.astype(np.float16))
    number = ~np.isnan(x)
    ours = {mode: each(f"half_{mode}", x, np.uint16).view(np.float16)[number] for mode in ("ru", "rd", "rz")}
    assert np.array_equal(ours["ru"], up[number]) and np.array_equal(ours["rd"], down[number])
    assert np.array_equal(ours["rz"], np.where(x < 0, up, down)[number])
    every = np.arange(1 << 16, dtype=np.uint16)
    assert same(each("half_widen", every, np.float32), every.view(np.float16).astype(np.float32))
    larger = each("half_max", every, np.uint16).view(np.float16)
    assert np.array_equal(larger, np.fmax(every.view(np.float16), np.float16(1)))


def test_half_and_integers(each: Callable[..., np.ndarray]) -> None:
    random = np.random.default_rng(3)
    n = np.concatenate([np.arange(-70000, 70000), random.integers(-(2**31), 2**31, 1000), [2**31 - 1, -(2**31)]])
    with np.errstate(over="ignore"):
        want = n.astype(np.float64).astype(np.float16)
        assert np.array_equal(each("half_int", n.astype(np.int32), np.uint16).view(np.float16), want)
        wide = np.concatenate([n, [2**63 - 1, -(2**63), 1 << 40]]).astype(np.int64)
        assert np.array_equal(
            each("half_ll", wide, np.uint16).view(np.float16), wide.astype(np.float64).astype(np.float16)
        )
    toward_zero = each("half_int_rz", n.astype(np.int32), np.uint16).view(np.float16)
    assert np.all(np.abs(toward_zero.astype(np.float64)) <= np.abs(n)) and np.isfinite(toward_zero).all()
    every = np.arange(1 << 16, dtype=np.uint16)
    h = every.view(np.float16).astype(np.float64)
    finite = np.isfinite(h)
    assert np.array_equal(each("half_to_int", every, np.int32)[finite], np.rint(h[finite]).astype(np.int32))
    shorts = each("half_to_short", every, np.int16)
    assert np.array_equal(shorts[finite], np.clip(np.floor(h[finite]), -32768, 32767).astype(np.int16))
    unsigned = each("half_to_ull", every, np.uint64)
    assert np.array_equal(unsigned[finite], np.maximum(np.ceil(h[finite]), 0).astype(np.uint64))
    nan, infinite = np.isnan(h), np.isposinf(h)
    assert set(each("half_to_int", every, np.int32)[nan]) == {0}
    assert set(each("half_to_int", every, np.int32)[infinite]) == {2**31 - 1}


def test_what_hip_does_otherwise_is_otherwise_in_its_stand_ins(each: Callable[..., np.ndarray]) -> None:
    """And porter's functions of the same names do as CUDA's."""
    x = np.array([0.1, -0.1, 1e-9, 70000], np.float32)
    with np.errstate(over="ignore"):
        assert np.array_equal(each("hips_half_rz", x, np.uint16).view(np.float16), x.astype(np.float16))
    infinite = np.array([0x7C00, 0xFC00, 0x7C01, 0], np.uint16)
    assert list(each("hips_half_inf", infinite, np.int32)) == [1, 1, 0, 0]
    assert list(each("half_inf", infinite, np.int32)) == [1, -1, 0, 0]
    assert list(each("hips_bf16_inf", np.array([0x7F80, 0xFF80, 0x7F81], np.uint16), np.int32)) == [1, 1, 0]
    pairs = np.array([0x3F804000, 0x40003F80], np.uint32)  # (2, 1) and (1, 2), the first number in the low half
    assert list(each("hips_hgt2", pairs, np.uint32)) == [0x3F803F80, 0x3F800000]
    assert list(each("hgt2", pairs, np.uint32)) == [0x00003F80, 0x3F800000]
    sums = np.array([0x3C00, 0x3400, 0xBC00, 0x7E00, 0x7C00], np.uint16)  # 1, 0.25, -1, NaN, infinity
    assert list(each("add_sat", sums, np.uint16)) == [0x3C00, 0x3A00, 0, 0, 0x3C00]
    assert list(each("half_pair_max", np.array([0x40007E00, 0xBC003800], np.uint32), np.uint32)) == [
        0x40003C00,
        0x3C003C00,
    ]


def test_comparisons_with_nan(each: Callable[..., np.ndarray]) -> None:
    """CUDA's ne does not hold for NaN, and its u forms of pairs do; HIP's ne does, and its u forms of half pairs do not."""
    nan_one_two = np.array([0x7E00, 0x3C00, 0x4000], np.uint16), np.array([0x7FC0, 0x3F80, 0x4000], np.uint16)
    for kind, values in zip(("half", "bf16"), nan_one_two, strict=True):
        assert list(each(f"hips_{kind}_ne", values, np.int32)) == [1, 0, 1]
        assert list(each(f"cudas_{kind}_ne", values, np.int32)) == [0, 0, 1]
    pairs = np.array([0x7E004000, 0x40007E00, 0x40004000], np.uint32)
    assert list(each("hips_half_ne2", pairs, np.uint32)) == [0x3C003C00] * 3
    assert list(each("cudas_half_ne2", pairs, np.uint32)) == [0x00003C00, 0x3C000000, 0x3C003C00]
    assert [list(each(f"{whose}_half_bne2", pairs, np.int32)) for whose in ("hips", "cudas")] == [[1, 1, 1], [0, 0, 1]]
    for name in ("eq", "lt", "le", "gt", "ge"):
        both_nan = np.array([0x7E007E00], np.uint32)
        assert [each(f"{whose}_half_b{name}u2", both_nan, np.int32)[0] for whose in ("hips", "cudas")] == [0, 1]
        assert list(each(f"hips_bf16_b{name}u2", np.array([0x7FC07FC0], np.uint32), np.int32)) == [1]


def test_a_double_above_a_tie(each: Callable[..., np.ndarray]) -> None:
    """HIP rounds it to a float first, down to the tie."""
    x = np.array([1 + 2.0**-8 + 2.0**-40, 1 + 3 * 2.0**-8 - 2.0**-40, 1 + 2.0**-8], np.float64)
    assert list(each("bf16_double", x, np.uint16)) == [0x3F81, 0x3F81, 0x3F80]
    assert list(each("hips_bf16_double", x, np.uint16)) == [0x3F80, 0x3F81, 0x3F80]


def test_half_pairs(each: Callable[..., np.ndarray]) -> None:
    x = np.random.default_rng(5).integers(0, 1 << 32, 20000, dtype=np.uint32)
    with np.errstate(all="ignore"):
        h = x.view(np.float16).astype(np.float64)
        want = (h * h + 0.5).astype(np.float16)  # the product and the sum are exact in f64, or far from a tie
        got = each("half_pair", x, np.uint32).view(np.float16)
        far = np.abs(h) > 2.0**-12
    assert same(got[far | np.isnan(h)], want[far | np.isnan(h)])


def test_bf16_is_rounded_as_torch_does(each: Callable[..., np.ndarray]) -> None:
    x = floats()
    want = torch.from_numpy(x).to(torch.bfloat16)
    for name in ("bf16_rn", "bf16_old"):
        got = torch.from_numpy(each(name, x, np.uint16).view(np.int16)).view(torch.bfloat16)
        assert torch.equal(got.isnan(), want.isnan())
        assert torch.equal(got.view(torch.int16)[~want.isnan()], want.view(torch.int16)[~want.isnan()])
    number = ~np.isnan(x)
    wide = lambda name: (each(name, x, np.uint16).astype(np.uint32) << 16).view(np.float32)[number]  # noqa: E731
    up, down, zero, near = (wide(f"bf16_{mode}") for mode in ("ru", "rd", "rz", "rn"))
    y = x[number]
    assert np.all(up >= y) and np.all(down <= y) and np.all(np.abs(zero) <= np.abs(y))
    assert np.all((near == up) | (near == down)) and np.array_equal(zero, np.where(y < 0, up, down))
    every = np.arange(1 << 16, dtype=np.uint16)
    assert same(each("bf16_widen", every, np.float32), (every.astype(np.uint32) << 16).view(np.float32))
    with np.errstate(over="ignore"):
        sums = (want + torch.tensor(1.5, dtype=torch.bfloat16)).float().numpy()
    assert same(each("bf16_add", x, np.float32), sums)


def test_bf16_rounds_once(each: Callable[..., np.ndarray]) -> None:
    """Just above a tie of bf16 by less than f32 can see: rounding to f32 first would give the even neighbour."""
    doubles = np.array([1 + 2.0**-8 + 2.0**-40, -(1 + 2.0**-8 + 2.0**-40), 1 + 2.0**-8, 1e300, 0.0])
    assert list(each("bf16_double", doubles, np.uint16)) == [0x3F81, 0xBF81, 0x3F80, 0x7F80, 0]
    integers = np.array([(1 << 40) + (1 << 32) + 1, (1 << 40) + (1 << 32), -1, 0, 2**63 - 1], np.int64)
    assert list(each("bf16_ll", integers, np.uint16)) == [0x5381, 0x5380, 0xBF80, 0, 0x5F00]
    just = np.array([1 + 2.0**-4 + 2.0**-40, 1 + 2.0**-4])
    assert list(each("fp8_double", just, np.uint8)) == [0x39, 0x38]
    assert list(each("cuda_double_e4m3", just, np.uint8)) == [0x39, 0x38]


def test_a_double_that_is_nan_keeps_its_sign_in_fp8_as_in_cuda(each: Callable[..., np.ndarray]) -> None:
    nan = np.array([0x7FF8 << 48, 0xFFF4 << 48, 0x7FF0_0000_0000_0001], np.uint64).view(np.float64)
    assert list(each("cuda_double_e4m3", nan, np.uint8)) == [0x7F, 0xFF, 0x7F]
    assert list(each("cuda_double_e5m2", nan, np.uint8)) == [0x7E, 0xFF, 0x7E]
    narrow = np.array([0x7FC00000, 0xFFC00000], np.uint32).view(np.float32)
    assert list(each("fp8_sat_4", narrow, np.uint8)) == list(each("fp8_sat_5", narrow, np.uint8)) == [0x7F, 0x7F]


# HIP's four kinds, and CUDA's two as porter has them.
FP8 = (
    torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e4m3fn, torch.float8_e5m2,
)  # fmt: skip
LARGEST = (448.0, 57344.0, 240.0, 57344.0, 448.0, 57344.0)


@pytest.mark.parametrize("kind", range(6))
def test_fp8_is_what_torch_has(each: Callable[..., np.ndarray], kind: int) -> None:
    codes = np.arange(256, dtype=np.uint8)
    wide = torch.from_numpy(codes).view(FP8[kind]).float().numpy()
    assert same(each(f"un8_{kind}", codes, np.float32), wide)
    x = floats()
    want = torch.from_numpy(x).to(FP8[kind]).view(torch.uint8).numpy()
    got = each(f"fp8_{kind}", x, np.uint8)
    number = np.isfinite(x)  # of NaN each library has its own code
    counts = number & (np.abs(x) <= 464) if kind in (0, 4) else number  # beyond, torch saturates this one
    assert np.array_equal(got[counts], want[counts])
    assert np.isnan(wide[got[number & ~counts]]).all()
    assert np.isnan(wide[got[np.isnan(x)]]).all()
    clamped = each(f"fp8_sat_{kind}", x, np.uint8)
    inside = np.abs(x) <= LARGEST[kind]
    assert np.array_equal(clamped[inside], want[inside])
    beyond = wide[clamped[number & ~inside]]
    assert np.array_equal(beyond, np.copysign(np.float32(LARGEST[kind]), x[number & ~inside]))


def test_complex_numbers_do_not_overflow_on_the_way(each: Callable[..., np.ndarray]) -> None:
    z = np.array([3 + 4j, 3e200 + 4e200j, 0, -5e-300j, complex(np.inf, np.nan)])
    assert np.allclose(each("complex_abs", z, np.float64)[:4], np.abs(z[:4]), rtol=1e-15)
    assert np.isnan(each("complex_abs", z, np.float64)[4])  # cuComplex.h compares, and adds what is larger
    assert np.isposinf(each("hips_abs", z, np.float64)[1])  # as HIP's own
    large = np.array([3e200 + 4e200j])
    assert each("complex_div_large", large, np.complex128)[0] == 1
    assert np.isnan(each("hips_div", large, np.complex128)[0])
    w = np.array([1 + 2j, -3 + 0.5j], np.complex64)
    assert np.allclose(each("complex_div", w, np.complex64), w, rtol=1e-6)


DEVICE = r"""
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
namespace cg = cooperative_groups;

__global__ void numbers(__half *a, __half2 *b, float *c, __hip_bfloat16 *p, __hip_bfloat162 *q, hip_bfloat16 *r) {
  a[0] = a[1] + a[2]; a[3] = hexp(a[4]); a[5] += __float2half(c[0]); c[1] = a[6]; a[7] = c[2]; a[8] = 3; a[9] = hrcp(a[10]);
  b[0] = __hfma2(b[1], b[2], b[3]); b[4] = h2sqrt(b[5]); if (a[9] < a[10]) a[11] = __hmax(a[1], a[2]);
  b[6] = __floats2half2_rn(c[3], c[4]); a[12] = __shfl_xor(a[13], 3); atomicAdd(b + 7, b[8]); int i = a[14]; a[15] = i;
  p[0] = p[1] + p[2] * p[3]; p[4] = __float2bfloat16(c[5]); c[6] = p[5]; q[0] = __hfma2(q[1], q[2], q[3]); p[6] = hexp(p[7]);
  if (p[8] > p[9] && __hbeq2(q[4], q[5])) p[10] = __shfl_down(p[11], 2);
  atomicAdd(q + 6, q[7]); p[12] = 1.0f; p[13] = 2; q[8] = h2rcp(q[9]); r[0] = r[1] + r[2]; c[7] = r[3];
}
__global__ void eights(float *x, unsigned char *p, unsigned *w) {
  __hip_fp8_e4m3_fnuz a(x[0]); __hip_fp8_e5m2_fnuz b(x[1]); p[0] = a.__x; p[1] = b.__x; x[2] = a; x[3] = float(b);
  p[2] = __hip_cvt_float_to_fp8(x[4], __HIP_SATFINITE, __HIP_E4M3_FNUZ);
  w[0] = __hip_fp8x4_e4m3_fnuz(make_float4(x[1], x[2], x[3], x[4])).__x; float2 f = __hip_fp8x2_e5m2_fnuz(make_float2(x[5], x[6])); x[7] = f.x + f.y;
}
__device__ float any_group(cg::thread_group g, float x) { g.sync(); return x + g.thread_rank() + g.size(); }
__global__ void groups(float *x, unsigned long long *m) {
  cg::thread_block block = cg::this_thread_block(); cg::grid_group grid = cg::this_grid();
  auto tile = cg::tiled_partition<32>(block); auto small = cg::tiled_partition<8>(tile); cg::thread_block_tile<16> plain = cg::tiled_partition<16>(block);
  float v = x[block.thread_rank()];
  for (unsigned i = tile.size() / 2; i; i >>= 1) v += tile.shfl_down(v, i);
  double d = small.shfl_xor(double(v), 1); block.sync(); cg::sync(block);
  auto active = cg::coalesced_threads(); auto half = cg::binary_partition(active, v > 2);
  m[0] = active.ballot(v > 1) + plain.match_any(1) + half.match_any(v);
  x[grid.thread_rank()] = any_group(block, v) + any_group(tile, d) + any_group(cg::tiled_partition(block, 4), 1) + half.shfl(v, 1);
}
__global__ void across_the_grid(float *x) { cg::this_grid().sync(); x[0] = cg::this_grid().is_valid(); }
__global__ void masks(unsigned long long *m, int v) {
  m[0] = __shfl_sync(~0ull, v, 3) + __shfl_up_sync(~0ull, v, 1u) + __shfl_down_sync(~0ull, v, 1u) + __shfl_xor_sync(~0ull, v, 1);
  m[1] = __ballot_sync(~0ull, v > 1) + __any_sync(~0ull, v) + __all_sync(~0ull, v) + __activemask() + __match_any_sync(~0ull, 5);
  m[2] = __reduce_add_sync(~0ull, v) + __reduce_max_sync(~0ull, v) + __reduce_or_sync(~0ull, unsigned(v)); __syncwarp();
}
"""


@pytest.mark.parametrize("level", ["0", "3"])
@pytest.mark.sample(1)
def test_kernels_with_every_header_compile(tmp_path: Path, level: str) -> None:
    source = tmp_path / "a.hip"
    source.write_text(DEVICE)
    assembly = device_assembly(source, Options(level=level, line_tables=False))
    assert assemble(assembly).is_file()
    if level == "3":
        text = assembly.read_text()
        code = {
            name: re.search(rf"^_Z\d+{name}\w+:.*?s_endpgm", text, re.DOTALL | re.MULTILINE)[0]
            for name in ("numbers", "eights")
        }
        for name in ("v_pk_fma_f16", "v_add_f16", "global_atomic_pk_add_f16", "global_atomic_pk_add_bf16", "v_rcp_f16"):
            assert name in code["numbers"]
        for name in ("v_cvt_pk_fp8_f32", "v_cvt_pk_bf8_f32", "v_cvt_f32_fp8", "v_cvt_f32_bf8", "v_med3_f32"):
            assert name in code["eights"]
        assert "s_cbranch" not in code["eights"]


@pytest.mark.parametrize(
    "use", ["__hip_fp8_e4m3 a(*x);", "*x = *(__hip_fp8_e5m2 *)x;", "*x = ((float2)*(__hip_fp8x2_e4m3 *)x).x;"]
)
@pytest.mark.sample(1)
def test_ocps_fp8_types_are_the_hosts_alone_as_in_hip(tmp_path: Path, use: str) -> None:
    """HIP's header leaves them out of device code for gfx942: a port that used them would compile here and not there."""
    source = tmp_path / "a.hip"
    source.write_text(f"#include <hip/hip_fp8.h>\n__global__ void f(float *x) {{ {use} }}\n")
    with pytest.raises(CompileError, match=r"__host__|no matching constructor"):
        device_assembly(source)


@pytest.mark.parametrize("type", ["__hip_bfloat16", "__half", "porter::fp8x2_e4m3"])
@pytest.mark.sample(1)
def test_numbers_may_be_moved_as_wider_types(tmp_path: Path, type: str) -> None:
    source = tmp_path / "a.hip"
    source.write_text(
        f"#include <hip/hip_bf16.h>\n#include <hip/hip_fp16.h>\n#include <porter/fp8_types.h>\n"
        f"__global__ void f({type} *a, {type} x, float *out, int i) {{ a[i] = x; *out = *(float *)a; }}\n"
    )
    text = device_assembly(source, Options(line_tables=False)).read_text()
    assert text.index("global_store_short") < text.index("global_load_dword ") < text.index("global_store_dword ")


@pytest.mark.parametrize("path", sorted((RUNTIME_INCLUDE / "hip").glob("*.h")), ids=lambda path: path.name)
@pytest.mark.sample(4)
def test_each_header_stands_alone_and_gives_way_to_hips_own(tmp_path: Path, path: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text(f"#include <hip/{path.name}>\n#include <hip/{path.name}>\n")
    device_assembly(source, Options(level="0", line_tables=False))
    (tmp_path / "rocm" / "hip").mkdir(parents=True)
    (tmp_path / "rocm" / "hip" / path.name).write_text("#define HIPS_OWN 1\n")
    source.write_text(f"#include <hip/{path.name}>\nstatic_assert(HIPS_OWN);\n")
    for first, second in ((RUNTIME_INCLUDE, tmp_path / "rocm"), (tmp_path / "rocm", RUNTIME_INCLUDE)):
        device_assembly(source, Options(level="0", includes=(first, second)))
