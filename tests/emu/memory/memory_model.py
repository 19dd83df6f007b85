"""What memory instructions do, from AMD's CDNA3 instruction set document, lane by lane and byte by byte."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

__all__ = ["ATOMICS", "LOADS", "LOADS_LDS", "STORES", "STORES_LDS", "atomic", "swizzle_source"]


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


# name: bytes in memory, and the destination's new dwords from what was read and the old dword
Load = tuple[int, Callable[[int, int], list[int]]]
_SHAPES: dict[str, Load] = {
    "ubyte": (1, lambda x, old: [x]),
    "sbyte": (1, lambda x, old: [_signed(x, 8) & 0xFFFFFFFF]),
    "ushort": (2, lambda x, old: [x]),
    "sshort": (2, lambda x, old: [_signed(x, 16) & 0xFFFFFFFF]),
    "ubyte_d16": (1, lambda x, old: [old >> 16 << 16 | x]),
    "ubyte_d16_hi": (1, lambda x, old: [old & 0xFFFF | x << 16]),
    "sbyte_d16": (1, lambda x, old: [old >> 16 << 16 | _signed(x, 8) & 0xFFFF]),
    "sbyte_d16_hi": (1, lambda x, old: [old & 0xFFFF | (_signed(x, 8) & 0xFFFF) << 16]),
    "short_d16": (2, lambda x, old: [old >> 16 << 16 | x]),
    "short_d16_hi": (2, lambda x, old: [old & 0xFFFF | x << 16]),
}


def _dwords(n: int) -> Load:
    return 4 * n, lambda x, old: [x >> 32 * i & 0xFFFFFFFF for i in range(n)]


LOADS: dict[str, Load] = _SHAPES | {
    name: _dwords(n) for n, name in enumerate(("dword", "dwordx2", "dwordx3", "dwordx4"), 1)
}
_LDS_NAMES = {"ubyte": "u8", "sbyte": "i8", "ushort": "u16", "sshort": "i16", "short": "u16"}
LOADS_LDS: dict[str, Load] = {
    "_".join([_LDS_NAMES[name.split("_")[0]], *name.split("_")[1:]]): shape for name, shape in _SHAPES.items()
} | {f"b{32 * n}": _dwords(n) for n in (1, 2, 3, 4)}

# name: bytes in memory, and what they become from the data (its dwords, little end first)
Store = tuple[int, Callable[[int], int]]
STORES: dict[str, Store] = {
    "byte": (1, lambda x: x & 0xFF),
    "short": (2, lambda x: x & 0xFFFF),
    "byte_d16_hi": (1, lambda x: x >> 16 & 0xFF),
    "short_d16_hi": (2, lambda x: x >> 16 & 0xFFFF),
    "dword": (4, lambda x: x & (1 << 32) - 1),
    "dwordx2": (8, lambda x: x & (1 << 64) - 1),
    "dwordx3": (12, lambda x: x & (1 << 96) - 1),
    "dwordx4": (16, lambda x: x & (1 << 128) - 1),
}
STORES_LDS: dict[str, Store] = {
    "b8": STORES["byte"], "b16": STORES["short"], "b8_d16_hi": STORES["byte_d16_hi"],
    "b16_d16_hi": STORES["short_d16_hi"], "b32": STORES["dword"], "b64": STORES["dwordx2"],
    "b96": STORES["dwordx3"], "b128": STORES["dwordx4"],
}  # fmt: skip


# ---- atomics --------------------------------------------------------------------------------------------------------


def _float(x: int, bits: int) -> np.floating:
    kind, whole = {16: (np.float16, np.uint16), 32: (np.float32, np.uint32), 64: (np.float64, np.uint64)}[bits]
    return np.array(x, whole).view(kind)[()]


def _bits(x: np.floating) -> int:
    return int(np.asarray(x).view({2: np.uint16, 4: np.uint32, 8: np.uint64}[x.dtype.itemsize])[()])


def _sum(a: int, b: int, bits: int) -> int:
    with np.errstate(all="ignore"):
        return _bits(_float(a, bits) + _float(b, bits))


def _bf16_sum(a: int, b: int) -> int:
    """Rounded to f32, then to the 8 bits of a bf16, ties to even: for a sum of two bf16 the same as rounded once."""
    x, y = (float(_float(v << 16, 32)) for v in (a, b))
    total = x + y
    if total != total:
        return 0x7FC0
    with np.errstate(over="ignore"):
        word = struct.unpack("<I", np.float32(total).tobytes())[0]
    if word & 0x7FFFFFFF >= 0x7F800000:
        return word >> 16
    rest, kept = word & 0xFFFF, word >> 16
    return kept + (rest > 0x8000 or (rest == 0x8000 and kept & 1))


def _halves(add: Callable[[int, int], int]) -> Callable[[int, int, int, int], int]:
    return lambda old, a, b, bits: add(old & 0xFFFF, a & 0xFFFF) | add(old >> 16, a >> 16) << 16


def _condxchg(old: int, a: int, b: int, bits: int) -> int:
    out = 0
    for shift in (0, 32):
        mine, theirs = a >> shift & 0xFFFFFFFF, old >> shift & 0xFFFFFFFF
        out |= (mine & 0x7FFFFFFF if mine >> 31 else theirs) << shift
    return out


# operation: the new value from the old one and the lane's data (a; b where there is a second)
ATOMICS: dict[str, Callable[[int, int, int, int], int]] = {
    "swap": lambda old, a, b, n: a,
    "cmpswap": lambda old, a, b, n: a if old == b else old,
    "cmpst": lambda old, a, b, n: b if old == a else old,
    "add": lambda old, a, b, n: old + a,
    "sub": lambda old, a, b, n: old - a,
    "rsub": lambda old, a, b, n: a - old,
    "smin": lambda old, a, b, n: min(old, a, key=lambda x: _signed(x, n)),
    "smax": lambda old, a, b, n: max(old, a, key=lambda x: _signed(x, n)),
    "umin": lambda old, a, b, n: min(old, a),
    "umax": lambda old, a, b, n: max(old, a),
    "and": lambda old, a, b, n: old & a,
    "or": lambda old, a, b, n: old | a,
    "xor": lambda old, a, b, n: old ^ a,
    "mskor": lambda old, a, b, n: old & ~a | b,
    "inc": lambda old, a, b, n: 0 if old >= a else old + 1,
    "dec": lambda old, a, b, n: a if old == 0 or old > a else old - 1,
    "wrap": lambda old, a, b, n: old - a if old >= a else old + b,
    "fadd": lambda old, a, b, n: _sum(old, a, n),
    "fmin": lambda old, a, b, n: a if _float(a, n) < _float(old, n) else old,
    "fmax": lambda old, a, b, n: a if _float(a, n) > _float(old, n) else old,
    "fcmpst": lambda old, a, b, n: b if _float(old, n) == _float(a, n) else old,
    "pk_f16": _halves(lambda x, y: _sum(x, y, 16)),
    "pk_bf16": _halves(_bf16_sum),
    "condxchg": _condxchg,
}


def atomic(operation: str, bits: int, old: int, a: int, b: int) -> int:
    return ATOMICS[operation](old, a, b, bits) & ((1 << bits) - 1)


# ---- lanes ----------------------------------------------------------------------------------------------------------


def swizzle_source(lane: int, offset: int) -> int:
    """The lane that DS_SWIZZLE_B32 takes from."""
    group, within = lane // 32 * 32, lane % 32
    if offset >= 0xE000:  # a butterfly: the bits that the mask leaves free, reversed
        mask = offset & 31
        backwards = int(f"{within:05b}"[::-1], 2)
        return group + (backwards >> bin(mask).count("1") | within & mask)
    if offset >= 0xC000:  # a rotation inside the lanes that share the masked bits
        mask, count = offset & 31, offset >> 5 & 31
        turned = within + (-count if offset >> 10 & 1 else count)
        return group + (within & mask | turned % 32 & ~mask & 31)
    if offset & 0x8000:
        return lane // 4 * 4 + (offset >> 2 * (lane % 4) & 3)
    return group + ((within & offset | offset >> 5 & 31) & 31 ^ offset >> 10 & 31)
