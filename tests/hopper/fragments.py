"""What a warp's registers hold, by the PTX ISA's text, and kernels with one warp or warpgroup in the emulator.

Registers are arrays [register, lane of the warp]; results of a mirrored wave [register, lane of the wave].
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from porter.emu.device import Check, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly

HERE = Path(__file__).parent
LANE = np.arange(32)
GROUP, IN_GROUP = LANE >> 2, LANE & 3
# bits of the wave's lane: p1 p0 R2 R1 h R0
WAVE = np.arange(64)
LOGICAL = ((WAVE >> 1 & 6) | (WAVE & 1)) * 4 + (WAVE >> 4)
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
CHECKS = (Check.LDS_RACE, Check.WAIT, Check.UNINIT, Check.HAZARD)

Array = NDArray[np.generic]


def load(name: str) -> Module:
    return Module(build_image(device_assembly(HERE / name).read_text()))


def launch(module: Module, kernel: str, *arrays: Array, threads: int = 64, scalars: bytes = b"") -> None:
    for array in arrays:
        allow(array.ctypes.data, array.nbytes)
    try:
        words = struct.pack(f"<{len(arrays)}Q", *(a.ctypes.data for a in arrays)) + scalars
        done = module.launch(kernel, 1, threads, words, checks=CHECKS, threads=1)
    finally:
        for array in arrays:
            forbid(array.ctypes.data)
    assert not done.findings, (kernel, done.findings[:3])


def both_mirrors(results: Array) -> Array:
    """[register, lane of the wave] as [register, lane of the warp]; the mirrors must agree."""
    out = np.zeros((len(results), 32), results.dtype)
    out[:, LOGICAL] = results
    np.testing.assert_array_equal(out[:, LOGICAL].view(f"u{results.itemsize}"), results.view(f"u{results.itemsize}"))
    return out


# Numbers


def decode(kind: str, codes: Array) -> Array:
    """Elements by their codes (u8, u16 or u32) as float64 or int64."""
    if kind == "s8":
        return codes.astype(np.int8).astype(np.int64)
    if kind == "s4":
        return (codes.astype(np.int64) ^ 8) - 8
    if kind in ("u8", "u4", "b1"):
        return codes.astype(np.int64)
    if kind == "f16":
        return codes.astype(np.uint16).view(np.float16).astype(np.float64)
    if kind == "bf16":
        return (codes.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if kind == "tf32":
        return (codes.astype(np.uint32) & 0xFFFFE000).view(np.float32).astype(np.float64)
    if kind == "e5m2":
        return (codes.astype(np.uint16) << 8).view(np.float16).astype(np.float64)
    assert kind == "e4m3"
    code = codes.astype(np.int64)
    exponent, mantissa = code >> 3 & 15, code & 7
    value = np.where(exponent == 0, mantissa * 2.0**-9, (8 + mantissa) * 2.0 ** (exponent - 10.0))
    value = np.where(code & 127 == 127, np.nan, value)
    return np.where(code & 128, -value, value)


def random_codes(kind: str, rng: np.random.Generator, shape: tuple[int, ...], any_code: bool = False) -> Array:
    bits = BITS[kind]
    if bits < 8:
        return rng.integers(0, 1 << bits, shape, dtype=np.uint8)
    if bits == 8:
        codes = rng.integers(0, 256, shape, dtype=np.uint8)
        if kind in ("e4m3", "e5m2") and not any_code:
            limit = 0x7E if kind == "e4m3" else 0x58  # finite, and no larger than halves can sum up
            codes = np.minimum(codes & 0x7F, limit).astype(np.uint8) | (codes & 0x80)
        return codes
    values = rng.standard_normal(shape).astype(np.float32)
    if kind == "f16":
        return values.astype(np.float16).view(np.uint16)
    raw = values.view(np.uint32)
    return (raw >> 16).astype(np.uint16) if kind == "bf16" else raw


# Fragments


def pack(parts: Array, bits: int) -> Array:
    """[register, lane, element of the register] of codes as 32-bit words, the first element lowest."""
    shifts = np.arange(parts.shape[-1], dtype=np.uint32) * np.uint32(bits)
    return np.ascontiguousarray((parts.astype(np.uint32) << shifts).sum(axis=-1, dtype=np.uint32))


def k_of(kind: str, half: int) -> Array:
    """[lane, element]: the columns of A in the first or second word of a row."""
    per_word = 32 // BITS[kind]
    return half * 4 * per_word + IN_GROUP[:, None] * per_word + np.arange(per_word)


def fragment_a(kind: str, matrix: Array) -> Array:
    """Rows R and R + 8, then the same of the second half of k where there is one. A of 8 rows has no R + 8."""
    per_word = 32 // BITS[kind]
    words = []
    for half in range(matrix.shape[1] // (4 * per_word)):
        for row in range(0, matrix.shape[0], 8):
            words.append(matrix[(GROUP + row)[:, None], k_of(kind, half)])
    return pack(np.array(words), BITS[kind])


def fragment_b(kind: str, matrix: Array) -> Array:
    per_word = 32 // BITS[kind]
    words = [matrix[k_of(kind, half), GROUP[:, None]] for half in range(matrix.shape[0] // (4 * per_word))]
    return pack(np.array(words), BITS[kind])


def accumulators(matrix: Array) -> Array:
    """c[4 j + 2 h + i]: row R + 8 h, column 8 j + 2 p + i, of a matrix of 16 rows (or 8: no h)."""
    rows = range(0, matrix.shape[0], 8)
    return np.array([
        matrix[GROUP + row, column + 2 * IN_GROUP + i]
        for column in range(0, matrix.shape[1], 8) for row in rows for i in (0, 1)
    ])  # fmt: skip


def from_accumulators(registers: Array, shape: tuple[int, int]) -> Array:
    places = accumulators(np.arange(shape[0] * shape[1]).reshape(shape))
    out = np.zeros(shape[0] * shape[1], registers.dtype)
    out[places] = registers
    return out.reshape(shape)


def halves(registers: Array) -> Array:
    """Pairs of registers of one element as registers of two halves."""
    low, high = (registers[i::2].astype(np.float16).view(np.uint16).astype(np.uint32) for i in (0, 1))
    return np.ascontiguousarray(low | high << 16)


def from_halves(words: Array) -> Array:
    out = np.zeros((2 * len(words), *words.shape[1:]))
    for i in (0, 1):
        out[i::2] = (words >> (16 * i) & 0xFFFF).astype(np.uint16).view(np.float16)
    return out
