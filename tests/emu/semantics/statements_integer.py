"""What the integer rows do, in numpy and Python integers, from the ISA document."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from exact_floats import each

__all__ = ["ROWS"]

Array = np.ndarray
U32, I32, U64, I64 = np.uint32, np.int32, np.uint64, np.int64


def big(x: Array) -> Array:
    """As Python integers, of any size."""
    return x.astype(object)


def low(x: Array, kind: type) -> Array:
    """The low bits of Python integers."""
    bits = 8 * np.dtype(kind).itemsize
    return np.array([int(v) & ((1 << bits) - 1) for v in x], f"u{bits // 8}").view(kind)


def clamp(x: Array, kind: type) -> Array:
    limits = np.iinfo(kind)
    return np.array([min(max(int(v), int(limits.min)), int(limits.max)) for v in x], kind)


def signed(x: Array, bits: int) -> Array:
    """The low bits as a signed number."""
    return np.array([((int(v) & ((1 << bits) - 1)) ^ (1 << (bits - 1))) - (1 << (bits - 1)) for v in x], object)


def unsigned(x: Array, bits: int) -> Array:
    return np.array([int(v) & ((1 << bits) - 1) for v in x], object)


def lowest(x: Array, kind: type = U32) -> Callable[[Array], Array]:
    return lambda value: low(value, kind)


def parts(x: int, width: int) -> list[int]:
    return [x >> at & ((1 << width) - 1) for at in range(0, 32, width)]


def sad(a: int, b: int, masked: bool = False, width: int = 8) -> int:
    return sum(abs(x - y) for x, y in zip(parts(a, width), parts(b, width)) if y or not masked)


def quad_sad(masked: bool, limit: bool) -> Callable[[int, int, int], int]:
    def one(a: int, b: int, c: int) -> int:
        out = 0
        for n in range(4):
            total = sad(a >> 8 * n & 0xFFFFFFFF, b, masked) + (c >> 16 * n & 0xFFFF)
            out |= (min(total, 0xFFFF) if limit else total & 0xFFFF) << 16 * n
        return out

    return one


def perm(a: int, b: int, c: int) -> int:
    data = (a << 32 | b).to_bytes(8, "little")
    out = []
    for selector in c.to_bytes(4, "little"):
        if selector >= 13:
            out.append(0xFF)
        elif selector == 12:
            out.append(0)
        elif selector >= 8:
            out.append(0xFF if data[2 * (selector - 8) + 1] >= 0x80 else 0)
        else:
            out.append(data[selector])
    return int.from_bytes(bytes(out), "little")


def lerp(a: int, b: int, c: int) -> int:
    return sum(
        ((x + y + (z & 1)) >> 1) << 8 * n for n, (x, y, z) in enumerate(zip(parts(a, 8), parts(b, 8), parts(c, 8)))
    )


def bfe(a: int, b: int, c: int, extend: bool) -> int:
    width = c & 31
    value = (a - (1 << 32) if extend and a >> 31 else a) >> (b & 31) & ((1 << width) - 1)
    return value - (1 << width) if extend and width and value >> (width - 1) else value


def leading(x: int, width: int) -> int:
    return width - x.bit_length() if x else -1


def trailing(x: int) -> int:
    return (x & -x).bit_length() - 1


def run_of_sign(x: int, width: int) -> int:
    return leading(x ^ ((1 << width) - 1) if x >> (width - 1) else x, width)


def carry(total: Array, kind: type = U32) -> tuple[Array, Array]:
    bits = 8 * np.dtype(kind).itemsize
    return low(total, kind), np.array([int(v) >> bits & 1 != 0 for v in total])


def borrow(total: Array) -> tuple[Array, Array]:
    return low(total, U32), np.array([int(v) < 0 for v in total])


def mad_i64(a: Array, b: Array, c: Array) -> Array:
    return big(a) * big(b) + big(c.view(I64))


def middle(*values: Array) -> Array:
    return np.sort(np.stack(values), axis=0)[1]


def lanes(count: int) -> Array:
    return np.arange(count) % 64


def below(a: Array, upper: bool) -> Array:
    """Bits of a that belong to lanes before this one."""
    return np.array(
        [
            bin(int(x) & (((1 << n) - 1) >> (32 if upper else 0)) & 0xFFFFFFFF).count("1")
            for x, n in zip(a, lanes(len(a)))
        ],
        U32,
    )


ROWS: dict[str, Callable[..., object]] = {
    "v_add_u32": lambda a, b: a + b,
    "v_add_u32.clamp": lambda a, b: clamp(big(a) + big(b), U32),
    "v_sub_u32": lambda a, b: a - b,
    "v_sub_u32.clamp": lambda a, b: clamp(big(a) - big(b), U32),
    "v_subrev_u32": lambda a, b: b - a,
    "v_subrev_u32.clamp": lambda a, b: clamp(big(b) - big(a), U32),
    "v_add_i32": lambda a, b: (a + b).view(I32),
    "v_add_i32.clamp": lambda a, b: clamp(big(a) + big(b), I32),
    "v_sub_i32": lambda a, b: (a - b).view(I32),
    "v_sub_i32.clamp": lambda a, b: clamp(big(a) - big(b), I32),
    "v_and_b32": np.bitwise_and,
    "v_or_b32": np.bitwise_or,
    "v_xor_b32": np.bitwise_xor,
    "v_xnor_b32": lambda a, b: ~(a ^ b),
    "v_not_b32": np.invert,
    "v_bfrev_b32": lambda a: each(lambda x: int(f"{x:032b}"[::-1], 2), U32, a),
    "v_ffbh_u32": lambda a: each(lambda x: leading(x, 32), U32, a),
    "v_ffbl_b32": lambda a: each(trailing, U32, a),
    "v_ffbh_i32": lambda a: each(lambda x: run_of_sign(x, 32), U32, a),
    "v_bcnt_u32_b32": lambda a, b: each(lambda x, y: bin(x).count("1") + y, U32, a, b),
    "v_lshlrev_b32": lambda a, b: b << (a & 31),
    "v_lshrrev_b32": lambda a, b: b >> (a & 31),
    "v_ashrrev_i32": lambda a, b: b >> (a & 31).astype(I32),
    "v_lshlrev_b64": lambda a, b: b << (a & 63).astype(U64),
    "v_lshrrev_b64": lambda a, b: b >> (a & 63).astype(U64),
    "v_ashrrev_i64": lambda a, b: b >> (a & 63).astype(I64),
    "v_lshl_add_u32": lambda a, b, c: (a << (b & 31)) + c,
    "v_lshl_or_b32": lambda a, b, c: (a << (b & 31)) | c,
    "v_and_or_b32": lambda a, b, c: (a & b) | c,
    "v_or3_b32": lambda a, b, c: a | b | c,
    "v_add3_u32": lambda a, b, c: a + b + c,
    "v_add_lshl_u32": lambda a, b, c: (a + b) << (c & 31),
    "v_xad_u32": lambda a, b, c: (a ^ b) + c,
    "v_lshl_add_u64": lambda a, b, c: (a << (b & 7).astype(U64)) + c,
    "v_bfe_u32": lambda a, b, c: each(lambda x, y, z: bfe(x, y, z, False), U32, a, b, c),
    "v_bfe_i32": lambda a, b, c: each(lambda x, y, z: bfe(x, y, z, True), I32, a, b, c),
    "v_bfi_b32": lambda a, b, c: (a & b) | (~a & c),
    "v_bfm_b32": lambda a, b: low(((1 << big(a & 31)) - 1) << big(b & 31), U32),
    "v_alignbit_b32": lambda a, b, c: low((big(a) << 32 | big(b)) >> big(c & 31), U32),
    "v_alignbyte_b32": lambda a, b, c: low((big(a) << 32 | big(b)) >> 8 * big(c & 3), U32),
    "v_perm_b32": lambda a, b, c: each(perm, U32, a, b, c),
    "v_mul_lo_u32": lambda a, b: a * b,
    "v_mul_hi_u32": lambda a, b: low(big(a) * big(b) >> 32, U32),
    "v_mul_hi_i32": lambda a, b: low(big(a) * big(b) >> 32, I32),
    "v_mul_u32_u24": lambda a, b: low(unsigned(a, 24) * unsigned(b, 24), U32),
    "v_mul_hi_u32_u24": lambda a, b: low(unsigned(a, 24) * unsigned(b, 24) >> 32, U32),
    "v_mul_i32_i24": lambda a, b: low(signed(a, 24) * signed(b, 24), U32),
    "v_mul_hi_i32_i24": lambda a, b: low(signed(a, 24) * signed(b, 24) >> 32, I32),
    "v_mad_u32_u24": lambda a, b, c: low(unsigned(a, 24) * unsigned(b, 24) + big(c), U32),
    "v_mad_u32_u24.clamp": lambda a, b, c: clamp(unsigned(a, 24) * unsigned(b, 24) + big(c), U32),
    "v_mad_i32_i24": lambda a, b, c: low(signed(a, 24) * signed(b, 24) + big(c), U32),
    "v_mad_i32_i24.clamp": lambda a, b, c: clamp(signed(a, 24) * signed(b, 24) + big(c), I32),
    "v_mad_u32_u16": lambda a, b, c: low(big(a) * big(b) + big(c), U32),
    "v_mad_u32_u16.clamp": lambda a, b, c: clamp(big(a) * big(b) + big(c), U32),
    "v_mad_i32_i16": lambda a, b, c: low(big(a) * big(b) + big(c), U32),
    "v_mad_i32_i16.clamp": lambda a, b, c: clamp(big(a) * big(b) + big(c), I32),
    "v_mad_u64_u32": lambda a, b, c: carry(big(a) * big(b) + big(c), U64),
    "v_mad_u64_u32.clamp": lambda a, b, c: (
        clamp(big(a) * big(b) + big(c), U64),
        carry(big(a) * big(b) + big(c), U64)[1],
    ),
    "v_mad_i64_i32": lambda a, b, c: (low(mad_i64(a, b, c), U64), np.array([v < 0 for v in mad_i64(a, b, c)])),
    "v_mad_i64_i32.clamp": lambda a, b, c: (
        clamp(mad_i64(a, b, c), I64).view(U64),
        np.array([v < 0 for v in mad_i64(a, b, c)]),
    ),
    "v_add_co_u32": lambda a, b: carry(big(a) + big(b)),
    "v_add_co_u32.clamp": lambda a, b: (clamp(big(a) + big(b), U32), carry(big(a) + big(b))[1]),
    "v_sub_co_u32": lambda a, b: borrow(big(a) - big(b)),
    "v_sub_co_u32.clamp": lambda a, b: (clamp(big(a) - big(b), U32), borrow(big(a) - big(b))[1]),
    "v_subrev_co_u32": lambda a, b: borrow(big(b) - big(a)),
    "v_subrev_co_u32.clamp": lambda a, b: (clamp(big(b) - big(a), U32), borrow(big(b) - big(a))[1]),
    "v_addc_co_u32": lambda a, b, c: carry(big(a) + big(b) + c),
    "v_addc_co_u32.clamp": lambda a, b, c: (clamp(big(a) + big(b) + c, U32), carry(big(a) + big(b) + c)[1]),
    "v_subb_co_u32": lambda a, b, c: borrow(big(a) - big(b) - c),
    "v_subb_co_u32.clamp": lambda a, b, c: (clamp(big(a) - big(b) - c, U32), borrow(big(a) - big(b) - c)[1]),
    "v_subbrev_co_u32": lambda a, b, c: borrow(big(b) - big(a) - c),
    "v_subbrev_co_u32.clamp": lambda a, b, c: (clamp(big(b) - big(a) - c, U32), borrow(big(b) - big(a) - c)[1]),
    **{f"v_min_{kind}": np.minimum for kind in ("i32", "u32", "i16", "u16")},
    **{f"v_max_{kind}": np.maximum for kind in ("i32", "u32", "i16", "u16")},
    **{f"v_min3_{kind}": lambda a, b, c: np.minimum(np.minimum(a, b), c) for kind in ("i32", "u32", "i16", "u16")},
    **{f"v_max3_{kind}": lambda a, b, c: np.maximum(np.maximum(a, b), c) for kind in ("i32", "u32", "i16", "u16")},
    **{f"v_med3_{kind}": middle for kind in ("i32", "u32", "i16", "u16")},
    "v_sad_u8": lambda a, b, c: each(lambda x, y, z: sad(x, y) + z, U32, a, b, c),
    "v_sad_u8.clamp": lambda a, b, c: each(lambda x, y, z: min(sad(x, y) + z, 0xFFFFFFFF), U32, a, b, c),
    "v_sad_hi_u8": lambda a, b, c: each(lambda x, y, z: (sad(x, y) << 16) + z, U32, a, b, c),
    "v_sad_hi_u8.clamp": lambda a, b, c: each(lambda x, y, z: min((sad(x, y) << 16) + z, 0xFFFFFFFF), U32, a, b, c),
    "v_sad_u16": lambda a, b, c: each(lambda x, y, z: sad(x, y, width=16) + z, U32, a, b, c),
    "v_sad_u16.clamp": lambda a, b, c: each(lambda x, y, z: min(sad(x, y, width=16) + z, 0xFFFFFFFF), U32, a, b, c),
    "v_sad_u32": lambda a, b, c: each(lambda x, y, z: abs(x - y) + z, U32, a, b, c),
    "v_sad_u32.clamp": lambda a, b, c: each(lambda x, y, z: min(abs(x - y) + z, 0xFFFFFFFF), U32, a, b, c),
    "v_msad_u8": lambda a, b, c: each(lambda x, y, z: sad(x, y, True) + z, U32, a, b, c),
    "v_msad_u8.clamp": lambda a, b, c: each(lambda x, y, z: min(sad(x, y, True) + z, 0xFFFFFFFF), U32, a, b, c),
    "v_qsad_pk_u16_u8": lambda a, b, c: each(quad_sad(False, False), U64, a, b, c),
    "v_qsad_pk_u16_u8.clamp": lambda a, b, c: each(quad_sad(False, True), U64, a, b, c),
    "v_mqsad_pk_u16_u8": lambda a, b, c: each(quad_sad(True, False), U64, a, b, c),
    "v_mqsad_pk_u16_u8.clamp": lambda a, b, c: each(quad_sad(True, True), U64, a, b, c),
    "v_lerp_u8": lambda a, b, c: each(lerp, U32, a, b, c),
    "v_mbcnt_lo_u32_b32": lambda a, b: below(a, False) + b,
    "v_mbcnt_hi_u32_b32": lambda a, b: below(a, True) + b,
    # moves
    "v_mov_b32": lambda a: a,
    "v_mov_b64": lambda a: a,
    "v_accvgpr_write_b32": lambda a: a,
    "v_accvgpr_read_b32": lambda a: a,
    "v_accvgpr_write": lambda a: a,
    "v_accvgpr_read": lambda a: a,
    "v_accvgpr_mov_b32": lambda a: a,
    "v_cndmask_b32": lambda a, b, c: np.where(c, b, a),
    # 16 bits
    "v_add_u16": lambda a, b: a + b,
    "v_add_u16.clamp": lambda a, b: clamp(big(a) + big(b), np.uint16),
    "v_sub_u16": lambda a, b: a - b,
    "v_sub_u16.clamp": lambda a, b: clamp(big(a) - big(b), np.uint16),
    "v_subrev_u16": lambda a, b: b - a,
    "v_subrev_u16.clamp": lambda a, b: clamp(big(b) - big(a), np.uint16),
    "v_add_i16": lambda a, b: a + b,
    "v_add_i16.clamp": lambda a, b: clamp(big(a) + big(b), np.int16),
    "v_sub_i16": lambda a, b: a - b,
    "v_sub_i16.clamp": lambda a, b: clamp(big(a) - big(b), np.int16),
    "v_mul_lo_u16": lambda a, b: a * b,
    **{name: lambda a, b, c: a * b + c for name in ("v_mad_u16", "v_mad_i16", "v_mad_legacy_u16", "v_mad_legacy_i16")},
    "v_mad_u16.clamp": lambda a, b, c: clamp(big(a) * big(b) + big(c), np.uint16),
    "v_mad_i16.clamp": lambda a, b, c: clamp(big(a) * big(b) + big(c), np.int16),
    "v_mad_legacy_u16.clamp": lambda a, b, c: clamp(big(a) * big(b) + big(c), np.uint16),
    "v_mad_legacy_i16.clamp": lambda a, b, c: clamp(big(a) * big(b) + big(c), np.int16),
    "v_lshlrev_b16": lambda a, b: b << (a & np.uint16(15)),
    "v_lshrrev_b16": lambda a, b: b >> (a & np.uint16(15)),
    "v_ashrrev_i16": lambda a, b: b >> (a & np.uint16(15)).view(np.int16),
    "v_sat_pk_u8_i16": lambda a: (
        clamp(signed(a, 16), np.uint8).astype(np.uint16) | clamp(signed(a >> 16, 16), np.uint8).astype(np.uint16) << 8
    ),
}
