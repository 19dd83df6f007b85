"""Tiles that tensor maps store from shared memory: does each element go where it belongs?

The kernel does not say how wide a tensor map's boxes are, nor how they are swizzled: one way must be right for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from porter.native.machine.values import TileStore
from porter.native.recognise.tensor_boxes import boxes

__all__ = ["Staging"]


@dataclass(slots=True)
class Staging:
    """Elements of the result in shared memory, and where they belong in the matrix as it lies in memory."""

    size: int = 0  # bytes of an element
    at: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)

    def add(self, address: int, size: int, row: int, column: int) -> None:
        self.size = size
        self.at.append(address)
        self.rows.append(row)
        self.columns.append(column)

    def fits(self, stores: Sequence[TileStore]) -> bool:
        """Does each element lie where one of these takes it from to its place?"""
        if not self.at:
            return True
        at, rows, columns = (np.array(values, np.int64) for values in (self.at, self.rows, self.columns))
        places = np.array(sorted({store.shared for store in stores}), np.int64)
        which = np.searchsorted(places, at, "right") - 1
        if (which < 0).any():
            return False
        line = at - places[which]
        for box in boxes(3):
            swizzled = (at ^ (at >> 3 & box.mask)) - places[which] if box.mask else line
            x, y = box.coordinates(swizzled, self.size)
            if _lie(stores, places, which, (columns - x, rows - y), box.width // self.size):
                return True
        return False


def _lie(
    stores: Sequence[TileStore],
    places: np.ndarray,
    which: np.ndarray,
    begins: tuple[np.ndarray, np.ndarray],
    chunk: int,
) -> bool:
    """Is what each element's box must begin with what a store from its place says?"""
    right = np.zeros(len(which), bool)
    for number, place in enumerate(places.tolist()):
        for across, down, *cut in {store.at for store in stores if store.shared == place}:
            first = across + cut[0] * chunk if cut else across
            right |= (which == number) & (begins[0] == first) & (begins[1] == down)
    return bool(right.all())
