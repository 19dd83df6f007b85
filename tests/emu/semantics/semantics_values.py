"""Values to try: the edges of every type among random ones, from a seed."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
from semantics_machine import DTYPES

__all__ = ["draw", "seeded"]

_F16 = [0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x8400, 0x3C00, 0xBC00, 0x3C01, 0x3BFF, 0x3800, 0xB800, 0x3E00, 0x4000, 0x4100, 0x4248, 0x5BFF, 0x6400, 0x7800, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFE01, 0x7C01, 0xFD55, 0x1400, 0x3400, 0xB400]  # fmt: skip
_F32 = [0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x807FFFFF, 0x800000, 0x80800000, 0x3F800000, 0xBF800000, 0x3F800001, 0x3F7FFFFF, 0x3F000000, 0xBF000000, 0x3E800000, 0x40000000, 0x40490FDB, 0xC2F6E979, 0x3EFFFFFF, 0x43800000, 0x4B000000, 0x4B7FFFFF, 0x4F000000, 0xCF000000, 0x4F800000, 0x4EFFFFFF, 0x477FE000, 0x477FEFFF, 0x477FF000, 0x38800000, 0x387FC000, 0x33000000, 0x33000001, 0x43700000, 0x43780000, 0x43779999, 0x47600000, 0x47680000, 0x3A800000, 0x3A000000, 0x7E800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345, 0x7F800001, 0xFFA00000, 0x42FC0000, 0xC2FC0000, 0xC3150000, 0x7E800001, 0x0C000000]  # fmt: skip
_F64 = [0, 1 << 63, 1, 1 | 1 << 63, 0xFFFFFFFFFFFFF, 1 << 52, 1 << 52 | 1 << 63, 0x3FF0000000000000, 0xBFF0000000000000, 0x3FF0000000000001, 0x3FEFFFFFFFFFFFFF, 0x3FE0000000000000, 0x4000000000000000, 0x400921FB54442D18, 0xC05EDD2F1A9FBE77, 0x41DFFFFFFFC00000, 0x41E0000000000000, 0xC1E0000000000000, 0xC1E0000000200000, 0x41EFFFFFFFE00000, 0x41F0000000000000, 0x4330000000000001, 0x36A0000000000000, 0x380FFFFFE0000000, 0x47EFFFFFE0000000, 0x47EFFFFFF0000000, 0x7FD0000000000000, 0x7FD0000000000001, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0xFFF8000000012345, 0x7FF0000000000001, 0xFFF4000000000000, 0x0340000000000000, 0x0350000000000001]  # fmt: skip


def _integers(bits: int) -> list[int]:
    edges = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 24, 31, 32, 33, 63, 64, 0x12345678, 0x0F0F0F0F, 0x80808080, 0x7F7F7F7F, 0x00FF00FF, 0x7FFF8000, 0x80017FFF, 0xFFFFFF, 0x800000, 0x7FFFFF}  # fmt: skip
    for at in (8, 16, 24, 32, 64):
        edges |= {(1 << at) - 1, (1 << at) - 2, 1 << (at - 1), (1 << (at - 1)) - 1, (1 << at) // 3}
    return sorted({edge & ((1 << bits) - 1) for edge in edges})


_EDGES = {
    "f16": _F16, "f32": _F32, "mix": _F32, "f64": _F64, "u16": _integers(16), "i16": _integers(16),
    "u32": _integers(32), "i32": _integers(32), "u64": _integers(64), "i64": _integers(64), "exec": _integers(64),
    "pk": _integers(32), "pkf": [], "pkf32": [], "mask": [0, 1], "vcc": [0, 1], "scc": [0, 1], "imm": _integers(16),
    "u8": _integers(8),
}  # fmt: skip


def seeded(name: str) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(name.encode()))


def _bits(kind: str, count: int, random: np.random.Generator) -> np.ndarray:
    width = {"mask": 1, "vcc": 1, "scc": 1, "imm": 16}.get(kind, 8 * np.dtype(DTYPES[kind]).itemsize)
    noise = random.integers(0, 1 << 64, count, np.uint64, endpoint=False) if width < 64 else random.integers(0, (1 << 64) - 1, count, np.uint64, endpoint=True)  # fmt: skip
    noise &= np.uint64((1 << width) - 1)
    if kind in ("f32", "mix", "f64"):  # near each other as often as anywhere, so that sums and quotients are ordinary
        base, step = (np.uint64(118 << 23), np.uint64(18 << 23)) if kind != "f64" else (np.uint64(1003 << 52), np.uint64(40 << 52))  # fmt: skip
        near = base + noise % step | (noise >> np.uint64(7) & np.uint64(1)) << np.uint64(width - 1)
        noise = np.where(random.random(count) < 0.6, near, noise)
    edges = np.array(_EDGES[kind], np.uint64)
    return np.where(random.random(count) < 0.6, random.choice(edges, count), noise)


def draw(kind: str, count: int, random: np.random.Generator) -> np.ndarray:
    """`count` values of a type of the table."""
    if kind == "pkf":
        return (_bits("f16", count, random) | _bits("f16", count, random) << np.uint64(16)).astype(np.uint32)
    if kind == "pkf32":
        return _bits("f32", count, random) | _bits("f32", count, random) << np.uint64(32)
    dtype = np.dtype(DTYPES[kind])
    bits = _bits(kind, count, random)
    if dtype == np.bool_:
        return bits != 0
    return bits.astype(f"u{dtype.itemsize}").view(dtype)


Draw = Callable[[str, int, np.random.Generator], np.ndarray]
