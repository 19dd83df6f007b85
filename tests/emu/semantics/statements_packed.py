"""What the packed rows, dot products and conversions do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from exact_floats import F16, F32, F64, convert, each, split
from statements_float import fused, smaller
from statements_integer import big, clamp, low

__all__ = ["ROWS"]

Array = np.ndarray
U16, I16, U32, I32, F = np.uint16, np.int16, np.uint32, np.int32, np.float16


def halves(x: Array, kind: type) -> tuple[Array, Array]:
    return x.astype(U16).view(kind), (x >> 16).astype(U16).view(kind)


def joined(low_half: Array, high_half: Array) -> Array:
    return low_half.view(U16).astype(U32) | high_half.view(U16).astype(U32) << 16


def packed(kind: type, function: Callable[..., Array]) -> Callable[..., Array]:
    def run(*values: Array) -> Array:
        lower, upper = zip(*(halves(value, kind) for value in values))
        return joined(function(*lower).astype(kind), function(*upper).astype(kind))

    return run


def packed32(function: Callable[..., Array]) -> Callable[..., Array]:
    def run(*values: Array) -> Array:
        out = [function(*(part.view(np.float32) for part in parts)).view(U32).astype(np.uint64) for parts in zip(*(words(v) for v in values))]  # fmt: skip
        return out[0] | out[1] << np.uint64(32)

    return run


def words(x: Array) -> tuple[Array, Array]:
    return x.astype(U32), (x >> np.uint64(32)).astype(U32)


def fields(x: Array, width: int, signed: bool) -> list[Array]:
    out = []
    for at in range(0, 32, width):
        part = big(x) >> at & ((1 << width) - 1)
        out.append(np.array([p - (1 << width) if signed and p >> (width - 1) else p for p in part], object))
    return out


def dot(width: int, signed: bool) -> Callable[[Array, Array, Array], Array]:
    """The exact sum; `+ c` as it is typed."""
    return lambda a, b, c: sum((x * y for x, y in zip(fields(a, width, signed), fields(b, width, signed))), big(c))


def dots(name: str, width: int, signed: bool, accumulate: bool = False) -> dict[str, Callable[..., Array]]:
    exact, kind = dot(width, signed), I32 if signed else U32
    plain = (
        (lambda a, b, c: low(exact(a, b, c.view(I32)), U32)) if signed else (lambda a, b, c: low(exact(a, b, c), U32))
    )
    return {name: plain, f"{name}.clamp": lambda a, b, c: clamp(exact(a, b, c.view(kind)), kind)}


def dot_f16(a: Array, b: Array, c: Array) -> Array:
    (a0, a1), (b0, b1) = halves(a, F), halves(b, F)
    wide = lambda x: x.astype(np.float32)  # noqa: E731
    return (c + wide(a0) * wide(b0)) + wide(a1) * wide(b1)  # the products are exact


# ---- conversions ----------------------------------------------------------------------------------------------------


def to_integer(kind: type, before: Callable[[Array], Array] = np.trunc) -> Callable[[Array], Array]:
    limits = np.iinfo(kind)

    def run(a: Array) -> Array:
        x = before(a).astype(np.float64)
        x = np.where(np.isnan(x), 0.0, x)
        return np.array([min(max(int(v), int(limits.min)), int(limits.max)) if np.isfinite(v) else int(limits.max if v > 0 else limits.min) for v in x], kind)  # fmt: skip

    return run


def norm(a: Array, signed: bool) -> Array:
    x = np.where(np.isnan(a), 0, np.clip(a.astype(np.float64), -1 if signed else 0, 1))
    return np.rint(x * (32767 if signed else 65535)).astype(np.int64).astype(U16)


def norms(signed: bool) -> Callable[[Array, Array], Array]:
    return lambda a, b: joined(norm(a, signed), norm(b, signed))


def toward_zero(a: Array) -> Array:
    return each(lambda x: convert(x, F32, F16, "zero"), U16, a)


def put_byte(a: Array, b: Array, c: Array) -> Array:
    value = to_integer(np.uint8)(a).astype(U32)
    at = (b & 3) * U32(8)
    return (c & ~(U32(255) << at)) | value << at


def value8(x: int, fraction: int) -> float:
    """A byte of FNUZ format: no infinities, no -0, 0x80 is NaN; exponent bias 8 (three bits of fraction) or 16 (two)."""
    if x == 0x80:
        return float("nan")
    bias = 8 if fraction == 3 else 16
    field, rest = (x & 0x7F) >> fraction, x & ((1 << fraction) - 1)
    size = rest * 2.0 ** (1 - bias - fraction) if field == 0 else (1 + rest / (1 << fraction)) * 2.0 ** (field - bias)
    return -size if x & 0x80 else size


def from8(fraction: int) -> Callable[[Array], Array]:
    table = np.array([value8(x, fraction) for x in range(256)], np.float32)
    return lambda a: table[a & 0xFF]


def pair_from8(fraction: int) -> Callable[[Array], Array]:
    one = from8(fraction)
    bits = lambda x: one(x).view(U32).astype(np.uint64)  # noqa: E731
    return lambda a: bits(a) | bits(a >> 8) << np.uint64(32)


def to8(bits: int, fraction: int) -> int:
    """To the nearest, ties to even; beyond the largest: NaN."""
    number = split(bits, F32)
    if number is None:
        return 0x80
    bias = 8 if fraction == 3 else 16
    sign, mantissa, exponent = number
    last = max(exponent + mantissa.bit_length() - fraction - 1, 1 - bias - fraction)
    shift = last - exponent
    kept = mantissa << -shift if shift <= 0 else mantissa >> shift
    if shift > 0:
        rest, half = mantissa & ((1 << shift) - 1), 1 << (shift - 1)
        kept += rest > half or (rest == half and kept & 1)
    code = ((last - (1 - bias - fraction)) << fraction) + kept
    return 0x80 if code > 0x7F else code | sign << 7 if code else 0


def stochastic8(bits: int, noise: int, fraction: int) -> int:
    """The noise is added below the last bit that is kept, and the sum cut off."""
    number = split(bits, F32)
    if number is None:
        return 0x80
    bias = 8 if fraction == 3 else 16
    sign, mantissa, _ = number
    exponent = max(bits >> 23 & 255, 1) - 127
    if not bits >> 23 & 255:
        return 0  # far below the smallest number
    under = max(1 - bias - exponent, 0)
    total = (mantissa >> under) + (noise >> (32 - (23 - fraction)))
    kept = total >> (23 - fraction)
    code = kept if under else kept + ((exponent + bias - 1) << fraction)
    return 0x80 if code > 0x7F else code | sign << 7 if code else 0


def pair_to8(fraction: int) -> Callable[[Array, Array], Array]:
    return lambda a, b: each(lambda x, y: to8(x, fraction) | to8(y, fraction) << 8, U16, a, b)


def offset_i4(a: Array) -> Array:
    table = np.array([n / 16 for n in (*range(8), *range(-8, 0))], np.float32)
    return table[a & 15]


ROWS: dict[str, Callable[..., Array]] = {
    "v_pk_mad_u16": packed(U16, lambda x, y, z: x * y + z),
    "v_pk_mad_u16.clamp": packed(U16, lambda x, y, z: clamp(big(x) * big(y) + big(z), U16)),
    "v_pk_mad_i16": packed(I16, lambda x, y, z: x * y + z),
    "v_pk_mad_i16.clamp": packed(I16, lambda x, y, z: clamp(big(x) * big(y) + big(z), I16)),
    "v_pk_mul_lo_u16": packed(U16, np.multiply),
    "v_pk_add_u16": packed(U16, np.add),
    "v_pk_add_u16.clamp": packed(U16, lambda x, y: clamp(big(x) + big(y), U16)),
    "v_pk_sub_u16": packed(U16, np.subtract),
    "v_pk_sub_u16.clamp": packed(U16, lambda x, y: clamp(big(x) - big(y), U16)),
    "v_pk_add_i16": packed(I16, np.add),
    "v_pk_add_i16.clamp": packed(I16, lambda x, y: clamp(big(x) + big(y), I16)),
    "v_pk_sub_i16": packed(I16, np.subtract),
    "v_pk_sub_i16.clamp": packed(I16, lambda x, y: clamp(big(x) - big(y), I16)),
    "v_pk_lshlrev_b16": packed(U16, lambda x, y: y << (x & U16(15))),
    "v_pk_lshrrev_b16": packed(U16, lambda x, y: y >> (x & U16(15))),
    "v_pk_ashrrev_i16": packed(I16, lambda x, y: y >> (x & I16(15))),
    "v_pk_min_u16": packed(U16, np.minimum),
    "v_pk_max_u16": packed(U16, np.maximum),
    "v_pk_min_i16": packed(I16, np.minimum),
    "v_pk_max_i16": packed(I16, np.maximum),
    "v_pk_add_f16": packed(F, np.add),
    "v_pk_mul_f16": packed(F, np.multiply),
    "v_pk_fma_f16": packed(F, fused(F16)),
    "v_pk_fmac_f16": packed(F, fused(F16)),
    "v_pk_min_f16": packed(F, lambda x, y: smaller(x, y, F16, False)),
    "v_pk_max_f16": packed(F, lambda x, y: smaller(x, y, F16, True)),
    "v_pk_add_f32": packed32(np.add),
    "v_pk_mul_f32": packed32(np.multiply),
    "v_pk_fma_f32": packed32(fused(F32)),
    "v_pk_mov_b32": lambda a, b: words(a)[0].astype(np.uint64) | words(b)[0].astype(np.uint64) << np.uint64(32),
    "v_dot2_f32_f16": dot_f16,
    "v_dot2c_f32_f16": dot_f16,
    **dots("v_dot2_i32_i16", 16, True),
    **dots("v_dot2c_i32_i16", 16, True),
    **dots("v_dot2_u32_u16", 16, False),
    **dots("v_dot4_i32_i8", 8, True),
    **dots("v_dot4c_i32_i8", 8, True),
    **dots("v_dot4_u32_u8", 8, False),
    **dots("v_dot8_i32_i4", 4, True),
    **dots("v_dot8c_i32_i4", 4, True),
    **dots("v_dot8_u32_u4", 4, False),
    "v_cvt_f32_i32": lambda a: a.astype(np.float32),
    "v_cvt_f32_u32": lambda a: a.astype(np.float32),
    "v_cvt_i32_f32": to_integer(I32),
    "v_cvt_u32_f32": to_integer(U32),
    "v_cvt_rpi_i32_f32": to_integer(I32, lambda a: np.floor(a + np.float32(0.5))),
    "v_cvt_flr_i32_f32": to_integer(I32, np.floor),
    "v_cvt_off_f32_i4": offset_i4,
    **{f"v_cvt_f32_ubyte{n}": (lambda at: lambda a: (a >> at & 255).astype(np.float32))(U32(8 * n)) for n in range(4)},
    "v_cvt_f64_i32": lambda a: a.astype(np.float64),
    "v_cvt_f64_u32": lambda a: a.astype(np.float64),
    "v_cvt_i32_f64": to_integer(I32),
    "v_cvt_u32_f64": to_integer(U32),
    "v_cvt_f32_f64": lambda a: each(lambda x: convert(x, F64, F32), F32, a),
    "v_cvt_f64_f32": lambda a: each(lambda x: convert(x, F32, F64), F64, a),
    "v_cvt_f16_f32": lambda a: each(lambda x: convert(x, F32, F16), F16, a),
    "v_cvt_f32_f16": lambda a: each(lambda x: convert(x, F16, F32), F32, a),
    "v_cvt_f16_u16": lambda a: a.astype(np.float64).astype(F),
    "v_cvt_f16_i16": lambda a: a.astype(np.float64).astype(F),
    "v_cvt_u16_f16": to_integer(U16),
    "v_cvt_i16_f16": to_integer(I16),
    "v_cvt_norm_i16_f16": lambda a: norm(a, True).view(I16),
    "v_cvt_norm_u16_f16": lambda a: norm(a, False),
    "v_cvt_pknorm_i16_f32": norms(True),
    "v_cvt_pknorm_u16_f32": norms(False),
    "v_cvt_pknorm_i16_f16": norms(True),
    "v_cvt_pknorm_u16_f16": norms(False),
    "v_cvt_pkrtz_f16_f32": lambda a, b: joined(toward_zero(a), toward_zero(b)),
    "v_cvt_pk_u16_u32": lambda a, b: joined(clamp(big(a), U16), clamp(big(b), U16)),
    "v_cvt_pk_i16_i32": lambda a, b: joined(clamp(big(a), I16), clamp(big(b), I16)),
    "v_cvt_pk_u8_f32": put_byte,
    "v_cvt_pkaccum_u8_f32": put_byte,
    "v_cvt_f32_fp8": from8(3),
    "v_cvt_f32_bf8": from8(2),
    "v_cvt_pk_f32_fp8": pair_from8(3),
    "v_cvt_pk_f32_bf8": pair_from8(2),
    "v_cvt_pk_fp8_f32": pair_to8(3),
    "v_cvt_pk_bf8_f32": pair_to8(2),
    "v_cvt_sr_fp8_f32": lambda a, b: each(lambda x, y: stochastic8(x, y, 3), np.uint8, a, b),
    "v_cvt_sr_bf8_f32": lambda a, b: each(lambda x, y: stochastic8(x, y, 2), np.uint8, a, b),
    "v_pack_b32_f16": joined,
}
