"""Numbers of tiles in place of sizes: how large the tiles are, and which part of C all blocks together make of so many.

How large a tile is, is seen where there is one alone. Whether a number of tiles is an edge of C shows when it is
changed. Then all blocks of a small grid are executed, and their results must be whole tiles, each once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product as choices

import numpy as np

from porter.native.machine.product_kinds import kind_of
from porter.native.machine.values import Refused
from porter.native.recognise.size_guesses import amount, amounts, size_of
from porter.native.recognise.traces import GRID, Elsewhere, Trace

__all__ = ["Made", "edges", "with_units"]

Index = tuple[int, int, int]
Part = tuple[int, int, int, int]  # of C: a row, how many, a column, how many
# What the block of this index in a grid makes; None where it makes nothing.
Made = Callable[[Sequence[int | None], Mapping[str, int], Index, Index], "Trace | None"]

_SIZES = {"M": 512, "N": 768, "K": 128}
_TILES = (2, 3)  # rows and columns of tiles; all are checked
_GRIDS = ((6, 1, 1), (3, 2, 1), (2, 3, 1))


def with_units(letters: Sequence[str], made: Made) -> tuple[str, ...]:
    """ "m" becomes "M/128" where the kernel's tiles have 128 rows."""
    if not any(letter.islower() for letter in letters):
        return tuple(letters)
    one = {"m": 1, "n": 1, "k": 2}
    arguments = [one[s] if s in one else amount(s, _SIZES) for s in letters]
    trace = made(arguments, _SIZES, (0, 0, 0), GRID)
    units = _units(trace) if trace is not None else None
    if units is None:
        raise Elsewhere("how large the tiles are that it is given the number of was not found")
    return tuple(f"{s.upper()}/{units[s.upper()]}" if s in one else s for s in letters)


def _units(trace: Trace) -> dict[str, int] | None:
    parts = list(_parts(trace))
    if not parts or min(p[0] for p in parts) or min(p[2] for p in parts):
        return None
    depth = parts.count(parts[0]) * kind_of(trace.products[0].kind).depth
    rows, columns = max(p[0] + p[1] for p in parts), max(p[2] + p[3] for p in parts)
    return {"M": rows, "N": columns, "K": depth // 2} if depth % 2 == 0 else None


def _parts(trace: Trace) -> Iterator[Part]:
    """What each product is a part of, by the rows of A and B that it multiplies."""
    if trace.by_elements:
        raise Elsewhere("numbers of tiles of elements that threads load")
    for one in trace.products:
        kind = kind_of(one.kind)
        a, b = one.descriptors
        rows = trace.tiles.begins(a, kind.transposed_a, kind.a)
        columns = trace.tiles.begins(b, kind.transposed_b, kind.b)
        if len(rows) != 1 or len(columns) != 1:
            raise Elsewhere("blocks that make several tiles of a small result")
        yield rows.pop(), one.rows, columns.pop(), one.columns


def edges(letters: Sequence[str], names: Sequence[str], made: Made) -> dict[str, str]:
    """Of M and N: C++ of how many rows and columns the blocks make, where that follows from a number of tiles."""
    counts = {n: s for n, s in enumerate(letters) if "/" in s and s[0] in "MN"}
    if not counts:
        return {}
    units = dict(size_of(s) for s in counts.values())
    for size in "MN":  # the tiles of a size that is given as it is
        units.setdefault(size, 0)
    if 0 in units.values():
        alone = [1 if n in counts else amount(s, _SIZES) for n, s in enumerate(letters)]
        trace = made(alone, _SIZES, (0, 0, 0), (1, 1, 1))
        units_of_grid = _units(trace) if trace is not None else None
        if units_of_grid is None:
            raise Refused("how large its tiles are was not found")
        units = {size: unit or units_of_grid[size] for size, unit in units.items()}
    dimensions = {"M": _TILES[0] * units["M"], "N": _TILES[1] * units["N"], "K": _SIZES["K"]}
    arguments = amounts(letters, dimensions)
    for grid in _GRIDS:
        if _exactly(_all(arguments, dimensions, grid, made), dimensions["M"], dimensions["N"]):
            break
    else:
        raise Refused("its blocks do not make all tiles of a small result, each once")
    found_edges: dict[str, str] = {}
    for number, letter in counts.items():
        size, unit = size_of(letter)
        fewer = [int(a or 0) - 1 if n == number else a for n, a in enumerate(arguments)]
        parts = _all(fewer, dimensions, grid, made)
        if _exactly(parts, dimensions["M"], dimensions["N"]):
            continue
        less = {**dimensions, size: dimensions[size] - unit}
        if not _exactly(parts, less["M"], less["N"]):
            raise Refused(f"what {names[number]} is the number of was not found")
        if size in found_edges:
            raise Refused(f"{found_edges[size]} and {names[number]} are not told apart")
        found_edges[size] = f"{names[number]} * {unit}"
    return found_edges


def _all(arguments: Sequence[int | None], dimensions: Mapping[str, int], grid: Index, made: Made) -> list[Part]:
    parts: list[Part] = []
    for z, y, x in choices(*(range(n) for n in reversed(grid))):
        trace = made(arguments, dimensions, (x, y, z), grid)
        if trace is not None:
            parts += set(_parts(trace))
    return parts


def _exactly(parts: Sequence[Part], rows: int, columns: int) -> bool:
    """Do they make so much of C, each element once?"""
    if not parts:
        return False
    times = np.zeros((max(rows, *(p[0] + p[1] for p in parts)), max(columns, *(p[2] + p[3] for p in parts))), np.int32)
    for row, height, column, width in parts:
        times[row : row + height, column : column + width] += 1
    return bool((times[:rows, :columns] == 1).all() and not times[rows:].any() and not times[:, columns:].any())
