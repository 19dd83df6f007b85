"""Where the operands of matrix products come from: tiles that tensor maps bring, or elements that threads load."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

import numpy as np

from porter.native.machine.product_kinds import BYTES, WIDTHS, Kind
from porter.native.machine.values import GLOBAL, Refused
from porter.native.recognise.sync_order import Order
from porter.native.recognise.tensor_boxes import PITCH

__all__ = ["Layout", "Tiles", "depths", "first_row", "layouts", "three"]


def three(at: tuple[int, ...]) -> tuple[int, int, int]:
    """Coordinates in a matrix, or in one that is cut into columns as wide as the swizzle (the third one counts them)."""
    if len(at) < 2:
        raise Refused("tiles of one dimension")
    if any(at[3:]):
        raise Refused("tiles that lie apart in a tensor map's fourth or fifth dimension")
    return at[0], at[1], at[2] if len(at) > 2 else 0


@dataclass(slots=True)
class Tiles:
    """What tensor maps brought to shared memory."""

    loads: dict[tuple[int, int], set[tuple[int, int, int]]]  # (map, place in shared memory): coordinates
    regions: list[tuple[int, int]]  # places in shared memory and the maps they were filled from
    order: Order | None  # None: not known, as in clusters

    def loaded(
        self, when: tuple[int, int], descriptor: int, transposed: bool, element: str, k: int, row: int, rows: int
    ) -> bool:
        """Was the tile under a descriptor loaded from this k and row, in all boxes that its rows reach over?

        when: a warp that multiplies, and how many of its events were over.
        """
        start = (descriptor & 0x3FFF) << 4
        width = WIDTHS.get(descriptor >> 62)
        if width is None:
            raise Refused("tiles without a swizzle")
        size = BYTES[element]
        inner = width // size
        if transposed:  # as many rows as the swizzle is wide lie side by side, the others at the leading offset
            leading = (descriptor >> 16 & 0x3FFF) << 4
            return all(
                self._in_box(when, start + n // inner * leading, width, size, k, row + n, True)
                for n in range(0, rows, inner)
            )
        if (descriptor >> 32 & 0x3FFF) << 4 != 8 * width:
            raise Refused("tiles whose rows have gaps")
        first = start - (start - self.region(start)[0]) % width
        begun = {0, *(-(-(p - first) // width) for p, _ in self.regions if first < p < first + rows * width)}
        return all(self._in_box(when, start + n * width, width, size, k, row + n, False) for n in begun if n < rows)

    def begins(self, descriptor: int, transposed: bool, element: str) -> set[int]:
        """The rows that the tile under a descriptor was loaded from."""
        start, width = (descriptor & 0x3FFF) << 4, WIDTHS.get(descriptor >> 62)
        if width is None:
            raise Refused("tiles without a swizzle")
        place, map = self.region(start)
        size = BYTES[element]
        across, down = (start - place) % width // size, (start - place) // width
        return {
            first + cut * (width // size) + across if transposed else second + down
            for first, second, cut in self.loads[map, place]
        }

    def _in_box(
        self, when: tuple[int, int], start: int, width: int, size: int, k: int, row: int, transposed: bool
    ) -> bool:
        place, map = self.region(start)
        inner = width // size
        across, down = (start - place) % width // size, (start - place) // width
        first, second = (row - across, k - down) if transposed else (k - across, row - down)
        loads = self.loads[map, place]
        if self.order is not None:
            load = self.order.load(*when, place)
            loads = {three(load.at)} if load is not None and load.map == map else set()
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
    is_map: bool


def layouts(kind: Kind, a: np.ndarray, b: np.ndarray, maps: Container[int]) -> tuple[Layout, Layout] | None:
    """Of both operands of a product whose elements are within the matrices."""
    first, second = _layout(a, BYTES[kind.a], maps), _layout(b, BYTES[kind.b], maps)
    return (first, second) if first and second else None


def _layout(table: np.ndarray, size: int, maps: Container[int]) -> Layout | None:
    first = table[0]
    if not first[0] or not first[1]:
        return None
    parameter = int(first[0] // GLOBAL) - 1
    return Layout(parameter, bool(first[1] - first[0] == size), size, parameter in maps)


def depths(
    a: np.ndarray, b: np.ndarray, known: tuple[Layout, Layout], row: int, column: int, dimensions: Mapping[str, int]
) -> list[int] | None:
    """The k that a product adds up, of rows of A and columns of B from here on; None if it multiplies anything else."""
    rows, columns = min(len(a), dimensions["M"] - row), min(len(b), dimensions["N"] - column)
    if rows <= 0 or columns <= 0 or row < 0 or column < 0:
        return None
    a, b = a[:rows], b[:columns]
    whole = (a != 0).all(0) & (b != 0).all(0)
    if not (whole | (a == 0).all(0) | (b == 0).all(0)).all():
        return None
    first = _k(a[:, whole], known[0], row, _pitch(known[0], "pitch_a", "M", dimensions))
    second = _k(b[:, whole], known[1], column, _pitch(known[1], "pitch_b", "N", dimensions))
    if first is None or second is None or (first != second).any():
        return None
    depths_left: list[int] = first.tolist()
    if known[0].is_map and known[1].is_map:  # what lies behind a tensor map's end comes as 0
        depths_left = [k for k in depths_left if k < dimensions["K"]]
    return depths_left


def first_row(table: np.ndarray, layout: Layout, name: str, dimensions: Mapping[str, int]) -> int:
    """Of the matrix, that a table of its elements begins with."""
    if not table[0, 0]:
        return -1
    offset = (int(table[0, 0]) - GLOBAL * (layout.parameter + 1)) // layout.size
    row, column = divmod(offset, _pitch(layout, name, "M" if name == "pitch_a" else "N", dimensions))
    return row if layout.k_major else column


def _pitch(layout: Layout, name: str, across: str, dimensions: Mapping[str, int]) -> int:
    if layout.is_map:
        return PITCH
    return dimensions.get(name, dimensions["K" if layout.k_major else across])


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
