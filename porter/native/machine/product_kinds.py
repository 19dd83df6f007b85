"""Kinds of matrix products: the types and the depth of their operands, and where elements lie under wgmma's descriptors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from porter.native.machine.values import Refused

__all__ = ["BYTES", "WIDTHS", "Kind", "addresses", "kind_of"]

BYTES = {"bf16": 2, "f16": 2, "tf32": 4, "e4m3": 1, "e5m2": 1, "s8": 1, "u8": 1}  # of an element
WIDTHS = {1: 128, 2: 64, 3: 32}  # bytes of a row under a descriptor's swizzle
_STEP = {"bf16": 16, "f16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32}
_KIND = re.compile(
    r"porter::mma::Kind<porter::mma::(\w+), porter::mma::(\w+), porter::mma::(\w+), (\w+)>, (\d+), (-?1), (-?1), (\d), (\d)"
)


@dataclass(frozen=True, slots=True)
class Kind:
    a: str
    b: str
    transposed_a: bool = False
    transposed_b: bool = False
    halves: bool = False  # the source rounds sums to f16 after each product

    @property
    def depth(self) -> int:
        return _STEP[self.a]


@lru_cache(maxsize=64)
def kind_of(text: str) -> Kind:
    """Of a product's operands, by its template arguments."""
    words = text.split()
    if words[0] in _STEP:
        return Kind(words[0], words[1], halves="halves" in words)
    match = _KIND.match(text)
    if match is None:
        raise Refused(f"a matrix product of another kind: {text}")
    a, b, sum_type, saturate, _, scale_a, scale_b, transposed_a, transposed_b = match.groups()
    if sum_type not in ("AccF32", "AccS32", "AccF16"):
        raise Refused(f"sums of another kind: {sum_type}")
    if saturate != "false":
        raise Refused("sums that saturate")
    if (scale_a, scale_b) != ("1", "1"):
        raise Refused("negated operands")
    return Kind(a, b, transposed_a == "1", transposed_b == "1", sum_type == "AccF16")


@lru_cache(maxsize=256)
def addresses(descriptor: int, transposed: bool, size: int, rows: int, depth: int) -> np.ndarray:
    """Of the elements under a descriptor, by row and k: as PTX says, and as porter/wgmma.h reads them."""
    mode = descriptor >> 62
    start, leading, stride = ((descriptor >> at & 0x3FFF) << 4 for at in (0, 16, 32))
    pattern = (descriptor >> 49 & 7) << 7
    width = WIDTHS.get(mode, 16)
    row, k = np.meshgrid(np.arange(rows), np.arange(depth), indexing="ij")
    group = row // 8
    if transposed:
        side = width // 16  # groups in a row of the pattern
        far, deep = (leading, stride) if mode else (stride, leading)
        at = start + group // side * far + group % side * 16 + row % 8 * size + k // 8 * deep + k % 8 * width
    else:
        chunk, byte = np.divmod(k * size, 16)
        at = start + group * stride + row % 8 * width + chunk * (16 if mode else leading) + byte
    mask = 7 >> mode - 1 << 4 if mode else 0
    return at ^ (at - pattern >> 3 & mask)
