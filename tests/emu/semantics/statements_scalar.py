"""What the scalar rows do: each gives the destination (None: there is none), SCC (None: unchanged), EXEC (the same)."""

from __future__ import annotations

import operator
from collections.abc import Callable

from statements_integer import leading, run_of_sign, trailing

__all__ = ["ROWS", "Result"]

Result = tuple[int | None, bool | None, int | None]
FULL = {32: (1 << 32) - 1, 64: (1 << 64) - 1}


def s(x: int, bits: int = 32) -> int:
    """As a signed number."""
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def plain(function: Callable[..., int]) -> Callable[..., Result]:
    return lambda *values: (function(*values), None, None)


def nonzero(function: Callable[..., int], bits: int) -> Callable[..., Result]:
    """SCC says whether the result is not zero."""

    def run(*values: int) -> Result:
        result = function(*values) & FULL[bits]
        return result, result != 0, None

    return run


def compare(function: Callable[[int, int], bool]) -> Callable[..., Result]:
    return lambda a, b: (None, function(a, b), None)


def save(function: Callable[[int, int], int]) -> Callable[..., Result]:
    def run(a: int, mask: int) -> Result:
        result = function(a, mask) & FULL[64]
        return mask, result != 0, result

    return run


def write(function: Callable[[int, int], int]) -> Callable[..., Result]:
    def run(a: int, mask: int) -> Result:
        result = function(a, mask) & FULL[64]
        return result, result != 0, result

    return run


def signed_sum(total: int) -> Result:
    return total, not -(1 << 31) <= total < 1 << 31, None


def shifted_sum(n: int) -> Callable[[int, int], Result]:
    return lambda a, b: ((a << n) + b, (a << n) + b > FULL[32], None)


def field(a: int, b: int, bits: int, extend: bool) -> int:
    width = min(b >> 16 & 127, bits)
    value = (s(a, bits) if extend else a) >> (b & (bits - 1)) & ((1 << width) - 1)
    return value - (1 << width) if extend and width and value >> (width - 1) else value


def quads(a: int, bits: int) -> list[bool]:
    return [bool(a >> at & 15) for at in range(0, bits, 4)]


def reverse(a: int, bits: int) -> int:
    return int(f"{a:0{bits}b}"[::-1], 2)


_LOGIC: dict[str, Callable[[int, int], int]] = {
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "andn2": lambda a, b: a & ~b,
    "orn2": lambda a, b: a | ~b,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
    "xnor": lambda a, b: ~(a ^ b),
}
_ORDER = {
    "eq": operator.eq,
    "lg": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}

ROWS: dict[str, Callable[..., Result]] = {
    "s_mov_b32": plain(lambda a: a),
    "s_mov_b64": plain(lambda a: a),
    "s_cmov_b32": plain(lambda a, scc, old: a if scc else old),
    "s_cmov_b64": plain(lambda a, scc, old: a if scc else old),
    "s_movk_i32": plain(lambda k: s(k, 16)),
    "s_cmovk_i32": plain(lambda k, scc, old: s(k, 16) if scc else old),
    "s_addk_i32": lambda k, old: signed_sum(s(old) + s(k, 16)),
    "s_mulk_i32": plain(lambda k, old: s(old) * s(k, 16)),
    "s_add_u32": lambda a, b: (a + b, a + b > FULL[32], None),
    "s_addc_u32": lambda a, b, c: (a + b + c, a + b + c > FULL[32], None),
    "s_sub_u32": lambda a, b: (a - b, a < b, None),
    "s_subb_u32": lambda a, b, c: (a - b - c, a < b + c, None),
    "s_add_i32": lambda a, b: signed_sum(s(a) + s(b)),
    "s_sub_i32": lambda a, b: signed_sum(s(a) - s(b)),
    "s_mul_i32": plain(lambda a, b: a * b),
    "s_mul_hi_u32": plain(lambda a, b: a * b >> 32),
    "s_mul_hi_i32": plain(lambda a, b: s(a) * s(b) >> 32),
    **{f"s_lshl{n}_add_u32": shifted_sum(n) for n in (1, 2, 3, 4)},
    "s_min_i32": lambda a, b: (min(s(a), s(b)), s(a) < s(b), None),
    "s_max_i32": lambda a, b: (max(s(a), s(b)), s(a) >= s(b), None),
    "s_min_u32": lambda a, b: (min(a, b), a < b, None),
    "s_max_u32": lambda a, b: (max(a, b), a >= b, None),
    "s_abs_i32": nonzero(lambda a: abs(s(a)), 32),
    "s_absdiff_i32": nonzero(lambda a, b: abs(s(s(a) - s(b))), 32),
    **{f"s_{name}_b{bits}": nonzero(function, bits) for name, function in _LOGIC.items() for bits in (32, 64)},
    "s_not_b32": nonzero(operator.invert, 32),
    "s_not_b64": nonzero(operator.invert, 64),
    **{f"s_lshl_b{bits}": nonzero((lambda n: lambda a, b: a << (b & n - 1))(bits), bits) for bits in (32, 64)},
    **{f"s_lshr_b{bits}": nonzero((lambda n: lambda a, b: a >> (b & n - 1))(bits), bits) for bits in (32, 64)},
    **{f"s_ashr_i{bits}": nonzero((lambda n: lambda a, b: s(a, n) >> (b & n - 1))(bits), bits) for bits in (32, 64)},
    "s_bfm_b32": plain(lambda a, b: ((1 << (a & 31)) - 1) << (b & 31)),
    "s_bfm_b64": plain(lambda a, b: ((1 << (a & 63)) - 1) << (b & 63)),
    **{
        f"s_bfe_{kind}{bits}": nonzero((lambda n, e: lambda a, b: field(a, b, n, e))(bits, kind == "i"), bits)
        for bits in (32, 64)
        for kind in "ui"
    },
    "s_brev_b32": plain(lambda a: reverse(a, 32)),
    "s_brev_b64": plain(lambda a: reverse(a, 64)),
    **{
        f"s_bcnt{bit}_i32_b{bits}": nonzero((lambda n, c: lambda a: f"{a:0{n}b}".count(c))(bits, str(bit)), 32)
        for bit in (0, 1)
        for bits in (32, 64)
    },
    "s_ff0_i32_b32": plain(lambda a: trailing(a ^ FULL[32])),
    "s_ff0_i32_b64": plain(lambda a: trailing(a ^ FULL[64])),
    "s_ff1_i32_b32": plain(trailing),
    "s_ff1_i32_b64": plain(trailing),
    "s_flbit_i32_b32": plain(lambda a: leading(a, 32)),
    "s_flbit_i32_b64": plain(lambda a: leading(a, 64)),
    "s_flbit_i32": plain(lambda a: run_of_sign(a, 32)),
    "s_flbit_i32_i64": plain(lambda a: run_of_sign(a, 64)),
    "s_sext_i32_i8": plain(lambda a: s(a, 8)),
    "s_sext_i32_i16": plain(lambda a: s(a, 16)),
    "s_bitset0_b32": plain(lambda a, old: old & ~(1 << (a & 31))),
    "s_bitset0_b64": plain(lambda a, old: old & ~(1 << (a & 63))),
    "s_bitset1_b32": plain(lambda a, old: old | 1 << (a & 31)),
    "s_bitset1_b64": plain(lambda a, old: old | 1 << (a & 63)),
    "s_bitreplicate_b64_b32": plain(lambda a: int("".join(2 * bit for bit in f"{a:032b}"), 2)),
    **{
        f"s_wqm_b{bits}": nonzero(
            (lambda n: lambda a: sum(15 << 4 * i for i, q in enumerate(quads(a, n)) if q))(bits), bits
        )
        for bits in (32, 64)
    },
    **{
        f"s_quadmask_b{bits}": nonzero(
            (lambda n: lambda a: sum(1 << i for i, q in enumerate(quads(a, n)) if q))(bits), bits
        )
        for bits in (32, 64)
    },
    "s_pack_ll_b32_b16": plain(lambda a, b: (b & 0xFFFF) << 16 | a & 0xFFFF),
    "s_pack_lh_b32_b16": plain(lambda a, b: (b >> 16) << 16 | a & 0xFFFF),
    "s_pack_hh_b32_b16": plain(lambda a, b: (b >> 16) << 16 | a >> 16),
    "s_cselect_b32": plain(lambda a, b, scc: a if scc else b),
    "s_cselect_b64": plain(lambda a, b, scc: a if scc else b),
    **{f"s_{name}_saveexec_b64": save(function) for name, function in _LOGIC.items()},
    "s_andn1_saveexec_b64": save(lambda a, mask: ~a & mask),
    "s_orn1_saveexec_b64": save(lambda a, mask: ~a | mask),
    "s_andn1_wrexec_b64": write(lambda a, mask: ~a & mask),
    "s_andn2_wrexec_b64": write(lambda a, mask: a & ~mask),
    **{f"s_cmp_{name}_u32": compare(function) for name, function in _ORDER.items()},
    **{
        f"s_cmp_{name}_i32": compare((lambda f: lambda a, b: f(s(a), s(b)))(function))
        for name, function in _ORDER.items()
    },
    **{
        f"s_cmpk_{name}_u32": compare((lambda f: lambda a, k: f(a, k & 0xFFFF))(function))
        for name, function in _ORDER.items()
    },
    **{
        f"s_cmpk_{name}_i32": compare((lambda f: lambda a, k: f(s(a), s(k, 16)))(function))
        for name, function in _ORDER.items()
    },
    "s_cmp_eq_u64": compare(operator.eq),
    "s_cmp_lg_u64": compare(operator.ne),
    "s_bitcmp0_b32": compare(lambda a, b: not a >> (b & 31) & 1),
    "s_bitcmp1_b32": compare(lambda a, b: bool(a >> (b & 31) & 1)),
    "s_bitcmp0_b64": compare(lambda a, b: not a >> (b & 63) & 1),
    "s_bitcmp1_b64": compare(lambda a, b: bool(a >> (b & 63) & 1)),
}
