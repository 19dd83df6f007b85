"""The matrix elements that copies brought into shared memory.

The kernel does not say how wide a tensor map's boxes are, nor how they are swizzled: the host does. Of all the ways there
are, one makes rows and columns of what a product multiplies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from porter.native.machine.values import GLOBAL, TILE, Load, Refused
from porter.native.recognise.sync_order import Order

__all__ = ["PITCH", "Box", "boxes", "elements"]

PITCH = 1 << 20  # elements from one row of a tensor map to the next, in the addresses that stand for its elements
_SWIZZLED = ((7 << 4, 128), (3 << 4, 64), (1 << 4, 32))
_HEIGHTS = (64, 128, 32, 256, 16, 192, 96, 8)  # of boxes that are deeper than one matrix


@dataclass(frozen=True, slots=True)
class Box:
    """What a tensor map's copies look like in shared memory."""

    mask: int  # of the address bits that the swizzle changes
    width: int  # bytes
    height: int = 0  # of one matrix, where there are several below each other

    def coordinates(self, line: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Columns and rows, from the box's first on, of elements by their bytes without the swizzle."""
        row, column = np.divmod(line, self.width)
        column = column // size
        if self.height:
            deep, row = np.divmod(row, self.height)
            column = column + deep * (self.width // size)
        return column, row


@dataclass(frozen=True, slots=True)
class _Cells:
    """Elements of a table that copies brought."""

    loads: Sequence[Load]
    which: np.ndarray  # of the loads
    at: np.ndarray  # addresses in shared memory
    there: np.ndarray  # where in the table


def elements(tables: Iterable[tuple[np.ndarray, int]], order: Order | None) -> dict[int, np.ndarray]:
    """By id of a table: the same with places in memory. With a table: bytes of its elements."""
    known: dict[int, Box] = {}
    places: dict[int, np.ndarray] = {}
    for table, size in tables:
        if order is not None and not order.places:
            places[id(table)] = table
        elif id(table) not in places:
            brought = (table >= TILE) & (table < GLOBAL)
            if not brought.any():
                places[id(table)] = table
                continue
            if order is None:
                raise Refused("tiles that the blocks of a cluster bring one another, in registers or without a swizzle")
            places[id(table)] = _placed(table, _cells(table, brought, order), size, known)
    return places


def _cells(table: np.ndarray, there: np.ndarray, order: Order) -> _Cells:
    codes = table[there] - TILE
    at = codes & 0xFFFFFF
    places = np.asarray(order.places, np.int64)
    if not len(places) or (at < places[0]).any():
        raise Refused("operands in shared memory that nothing fills")
    region = places[np.searchsorted(places, at, "right") - 1]
    keys = (codes >> 24 << 24) | region
    unique, which = np.unique(keys, return_inverse=True)
    loads = []
    for key in unique.tolist():
        load = order.load(key >> 40, key >> 24 & 0xFFFF, key & 0xFFFFFF)
        if load is None:
            raise Refused("operands in shared memory that nothing fills")
        loads.append(load)
    return _Cells(loads, which.reshape(-1), at, there)


def _placed(table: np.ndarray, cells: _Cells, size: int, known: dict[int, Box]) -> np.ndarray:
    maps = {load.map for load in cells.loads}
    if maps == {-1}:
        begin = np.array([load.at[0] for load in cells.loads], np.int64)[cells.which]
        place = np.array([load.shared for load in cells.loads], np.int64)[cells.which]
        bytes_ = np.array([load.at[1] for load in cells.loads], np.int64)[cells.which]
        if (cells.at - place + size > bytes_).any():
            raise Refused("operands in shared memory behind the bytes that a bulk copy brings")
        copied: np.ndarray = table.copy()
        copied[cells.there] = begin + cells.at - place
        return copied
    if len(maps) != 1 or not cells.there.all():
        raise Refused("one operand of a product comes from several places")
    map = maps.pop()
    if map not in known:
        known[map] = _box(table, cells, size)
    x, y = _coordinates(cells, known[map], size)
    inside = (x >= 0) & (y >= 0)
    addresses = np.where(inside, GLOBAL * (map + 1) + (y * PITCH + x) * size, 0)
    placed: np.ndarray = addresses.reshape(table.shape)
    return placed


def _box(table: np.ndarray, cells: _Cells, size: int) -> Box:
    for box in boxes(len(cells.loads[0].at)):
        x, y = (coordinate.reshape(table.shape) for coordinate in _coordinates(cells, box, size))
        steps = np.arange(len(table))[:, None]
        if ((y == y[0, 0] + steps) & (x == x[0])).all() or ((x == x[0, 0] + steps) & (y == y[0])).all():
            return box
    raise Refused(
        "a product's operands are not rows and columns of the tile that a tensor map brings, whatever its swizzle"
    )


def boxes(dimensions: int) -> Iterator[Box]:
    """All that a tensor map of so many dimensions may have."""
    for mask, width in (*_SWIZZLED, *((0, width) for width in range(16, 528, 16))):
        for height in (0,) if dimensions < 3 else _HEIGHTS:
            yield Box(mask, width, height)


def _coordinates(cells: _Cells, box: Box, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns and rows of the matrix."""
    three = np.array([(*load.at, 0)[:3] for load in cells.loads], np.int64)[cells.which]
    place = np.array([load.shared for load in cells.loads], np.int64)[cells.which]
    if any(len(load.at) < 2 for load in cells.loads):
        raise Refused("tiles of one dimension")
    if any(any(load.at[3:]) for load in cells.loads):
        raise Refused("tiles that lie apart in a tensor map's fourth or fifth dimension")
    column, row = box.coordinates((cells.at ^ (cells.at >> 3 & box.mask)) - place, size)
    return three[:, 0] + column + three[:, 2] * (box.width // size), three[:, 1] + row
