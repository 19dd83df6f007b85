"""Where the operands of matrix products come from: tiles that tensor maps bring, or elements that threads load."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from porter.native.problem import BYTES
from porter.native.values import GLOBAL, Product, Refused

__all__ = ["Kind", "Layout", "Tiles", "depths", "kind_of", "layouts"]

_WIDTHS = {1: 128, 2: 64, 3: 32}  # bytes of a row under a descriptor's swizzle
_STEP = {"bf16": 16, "f16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32}
_KIND = re.compile(
    r"porter::mma::Kind<porter::mma::(\w+), porter::mma::(\w+), porter::mma::(\w+), \w+>, (\d+), (-?1), (-?1), (\d), (\d)"
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
    found = _KIND.match(text)
    if found is None:
        raise Refused(f"a matrix product of another kind: {text}")
    a, b, sum_type, _, scale_a, scale_b, transposed_a, transposed_b = found.groups()
    if sum_type not in ("AccF32", "AccS32"):
        raise Refused("sums in f16")
    if (scale_a, scale_b) != ("1", "1"):
        raise Refused("negated operands")
    return Kind(a, b, transposed_a == "1", transposed_b == "1")


@dataclass(slots=True)
class Tiles:
    """What tensor maps brought to shared memory."""

    loads: dict[tuple[int, int], set[tuple[int, int, int]]]  # (map, place in shared memory): coordinates
    regions: list[tuple[int, int]]  # places in shared memory and the maps they were filled from

    def loaded(self, descriptor: int, transposed: bool, element: str, k: int, row: int, rows: int) -> bool:
        """Was the tile under a descriptor ever loaded from this k and row, in all boxes that its rows reach over?"""
        start = (descriptor & 0x3FFF) << 4
        width = _WIDTHS.get(descriptor >> 62)
        if width is None:
            raise Refused("tiles without a swizzle")
        size = BYTES[element]
        inner = width // size
        if transposed:  # as many rows as the swizzle is wide lie side by side, the others at the leading offset
            leading = (descriptor >> 16 & 0x3FFF) << 4
            return all(
                self._in_box(start + n // inner * leading, width, size, k, row + n, True) for n in range(0, rows, inner)
            )
        if (descriptor >> 32 & 0x3FFF) << 4 != 8 * width:
            raise Refused("tiles whose rows have gaps")
        first = start - (start - self.region(start)[0]) % width
        begun = {0, *(-(-(p - first) // width) for p, _ in self.regions if first < p < first + rows * width)}
        return all(self._in_box(start + n * width, width, size, k, row + n, False) for n in begun if n < rows)

    def _in_box(self, start: int, width: int, size: int, k: int, row: int, transposed: bool) -> bool:
        place, map = self.region(start)
        inner = width // size
        across, down = (start - place) % width // size, (start - place) // width
        first, second = (row - across, k - down) if transposed else (k - across, row - down)
        loads = self.loads[map, place]
        return (first, second, 0) in loads or (first % inner, second, first // inner) in loads

    def region(self, start: int) -> tuple[int, int]:
        best: tuple[int, int] | None = None
        for place, map in self.regions:
            if place > start:
                break
            best = (place, map)
        if best is None:
            raise Refused("operands in shared memory that no tensor map fills")
        return best


@dataclass(frozen=True, slots=True)
class Layout:
    """How a matrix lies in memory that threads load elements from."""

    parameter: int
    k_major: bool
    size: int  # of an element


def layouts(one: Product) -> tuple[Layout, Layout] | None:
    """Of both operands of a product whose elements are within the matrices."""
    kind = kind_of(one.kind)
    a, b = _layout(one.a, BYTES[kind.a]), _layout(one.b, BYTES[kind.b])
    return (a, b) if a and b else None


def _layout(table: np.ndarray, size: int) -> Layout | None:
    first = table[0]
    if not first[0] or not first[1]:
        return None
    return Layout(int(first[0] // GLOBAL) - 1, bool(first[1] - first[0] == size), size)


def depths(
    one: Product, known: tuple[Layout, Layout], row: int, column: int, dimensions: Mapping[str, int]
) -> list[int] | None:
    """The k that a product adds up, of rows of A and columns of B from here on; None if it multiplies anything else."""
    rows, columns = min(one.rows, dimensions["M"] - row), min(one.columns, dimensions["N"] - column)
    if rows <= 0 or columns <= 0 or row < 0 or column < 0:
        return None
    a, b = one.a[:rows], one.b[:columns]
    whole = (a != 0).all(0) & (b != 0).all(0)
    if not (whole | (a == 0).all(0) | (b == 0).all(0)).all():
        return None
    first = _k(a[:, whole], known[0], row, dimensions.get("pitch_a", dimensions["K" if known[0].k_major else "M"]))
    second = _k(b[:, whole], known[1], column, dimensions.get("pitch_b", dimensions["K" if known[1].k_major else "N"]))
    if first is None or second is None or (first != second).any():
        return None
    found: list[int] = first.tolist()
    return found


def _k(table: np.ndarray, layout: Layout, row: int, pitch: int) -> np.ndarray | None:
    offsets, rest = np.divmod(table - GLOBAL * (layout.parameter + 1), layout.size)
    rows = np.arange(row, row + len(table))[:, None]
    if layout.k_major:
        k = offsets[0] - row * pitch
        expected = rows * pitch + k
    else:
        k, _ = np.divmod(offsets[0] - row, pitch)
        expected = rows + k * pitch
    return k if (offsets == expected).all() and not rest.any() and (k >= 0).all() else None
