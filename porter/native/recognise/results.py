"""What a block stores: the elements of C, their rows of A and B, and what becomes of their sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from porter.native.machine.product_kinds import BYTES, kind_of
from porter.native.machine.values import (
    GLOBAL,
    Element,
    Product,
    Refused,
    Scalar,
    Staged,
    Store,
    Sum,
    Term,
    TileStore,
    sums_in,
)
from porter.native.recognise.epilogue import Spot, printed
from porter.native.recognise.operands import depths, first_row, three
from porter.native.recognise.stored_tiles import Staging
from porter.native.recognise.traces import Elsewhere, Trace

__all__ = ["Place", "View", "begins", "depth_of", "reached", "stored_places", "sums_in"]

_NARROW = ("bf16", "f16", "e4m3", "e5m2")
_CHUNK = 128  # bytes, of a tensor map that is cut into columns


@dataclass(frozen=True, slots=True)
class Place:
    """Where a result's element lies, as one thread's store shows it."""

    parameter: int
    is_map: bool
    element: str
    row_major: bool
    value: str


@dataclass(slots=True)
class View:
    """A trace, looked at as a product of these sizes."""

    trace: Trace
    dimensions: Mapping[str, int]
    names: Sequence[str]
    row_major: bool
    known: dict[tuple[tuple[int, int, int], int, int], bool]  # sums by their products, row and column: are they whole?
    converted: dict[tuple[int, int], tuple[Sum, str, Scalar]] = field(default_factory=dict)  # by a value's id, and size
    spots: dict[tuple[int, int, int], Place] = field(
        default_factory=dict
    )  # and parameter: where it is one for all places
    staged: dict[tuple[int, int], tuple[Place, Sum] | None] = field(default_factory=dict)  # as converted; None: no sum
    # By sums' products, and size: the map that stores them, and the row and column of C that they begin with.
    tiles: dict[tuple[tuple[int, int, int], int], tuple[int, int, int]] = field(default_factory=dict)


def stored_places(view: View) -> set[Place]:
    places: set[Place] = set()
    stored: dict[tuple[int, int, int], set[tuple[int, int]]] = {}  # by their sums' products: rows and columns
    begins: dict[tuple[int, int, int], tuple[Sum, int, int]] = {}
    staging = Staging()
    for thread, events in enumerate(view.trace.threads):
        for event in events:
            if isinstance(event, Store):
                for address, size, value in _pieces(event.address, event.size, event.value):
                    place, total, within, (row, column) = _element(view, thread, address, size, value)
                    places.add(place)
                    ends = total.ends
                    if ends not in stored:
                        stored[ends] = set()
                    stored[ends].add(within)
                    begins[ends] = total, row, column
            elif isinstance(event, Staged) and view.trace.stores:
                for address, size, value in _pieces(event.address, event.size, event.value):
                    key = id(value), size  # which the lanes of a warp have in common
                    if key not in view.staged:
                        view.staged[key] = _staged(view, value, size) if sums_in(value) else None
                    staged = view.staged[key]
                    if staged is not None:
                        place, total = staged
                        places.add(place)
                        within = _within(thread, total)
                        stored.setdefault(total.ends, set()).add(within)
                        begins[total.ends] = total, 0, 0
                        _add(view, staging, address, size, total, within)
    if not staging.fits(view.trace.stores):
        raise Elsewhere("tiles of the result that are stored elsewhere than their elements belong")
    used = {p.number for total, _, _ in begins.values() for p in total.products}
    if any(p.number not in used and not _outside(view, p) for p in view.trace.products):
        raise Elsewhere("sums that are not stored, or not over the whole of k")
    for ends, (total, row, column) in begins.items():
        one = total.products[0]
        rows, columns = min(one.rows, view.dimensions["M"] - row), min(one.columns, view.dimensions["N"] - column)
        if len(stored[ends]) != rows * columns:
            raise Elsewhere("elements of the sums that are not stored")
    return places


def _add(view: View, staging: Staging, address: int, size: int, total: Sum, within: tuple[int, int]) -> None:
    """Notes where an element lies, if it is within C."""
    _, *first = view.tiles[total.ends, size]
    row, column = first[0] + within[0], first[1] + within[1]
    if row < view.dimensions["M"] and column < view.dimensions["N"]:
        staging.add(address, size, *((row, column) if view.row_major else (column, row)))


def reached(trace: Trace, dimensions: Mapping[str, int], row_major: bool) -> dict[str, int]:
    """How many rows ("M") and columns ("N") of C the stores of sums reach."""
    pitch = dimensions.get("pitch", dimensions["N" if row_major else "M"])
    major = minor = 0
    for events in trace.threads:
        for event in events:
            if isinstance(event, Store):
                for address, size, value in _pieces(event.address, event.size, event.value):
                    if sums_in(value):
                        at = divmod(address % GLOBAL // size, pitch)
                        major, minor = max(major, at[0] + 1), max(minor, at[1] + 1)
    return {"M": major, "N": minor} if row_major else {"M": minor, "N": major}


def begins(trace: Trace, dimensions: Mapping[str, int], row_major: bool, size: int) -> dict[str, int] | None:
    """The first row ("M") and column ("N") of C that a block stores sums at; None where that is not seen. size: bytes of
    its elements."""
    pitch = dimensions.get("pitch", dimensions["N" if row_major else "M"])
    places = [
        divmod(address % GLOBAL // size, pitch)
        for events in trace.threads
        for event in events
        if isinstance(event, Store)
        for address, size, value in _pieces(event.address, event.size, event.value)
        if sums_in(value)
    ]
    places += [_begins(store, size) for store in trace.stores]
    if not places:
        return None
    major, minor = (min(place[n] for place in places) for n in (0, 1))
    return {"M": major, "N": minor} if row_major else {"M": minor, "N": major}


def depth_of(trace: Trace) -> int:
    """How many k the first sum that is stored adds up; 0 without one."""
    for events in trace.threads:
        for event in events:
            for total in sums_in(event.value) if isinstance(event, (Store, Staged)) else ():
                return sum(kind_of(p.kind).depth for p in total.products)
    return 0


def _outside(view: View, one: Product) -> bool:
    """Does a product multiply rows or columns behind the end of the matrices, which nobody stores?"""
    both = view.trace.layouts
    if both is None:
        return False
    tables = view.trace.tables[id(one.a)], view.trace.tables[id(one.b)]
    return any(
        first_row(table, layout, pitch, view.dimensions) >= view.dimensions[size]
        for table, layout, pitch, size in zip(tables, both, ("pitch_a", "pitch_b"), "MN")
    )


def _within(thread: int, total: Sum) -> tuple[int, int]:
    """Row and column of a sum within its tile."""
    return total.products[0].place(total.thread if total.thread >= 0 else thread, total.element)


def _pieces(address: int, size: int, value: Scalar) -> Iterator[tuple[int, int, Scalar]]:
    """Elements of a wide store."""
    if isinstance(value, Term) and value.op == "pack":
        each = size // len(value.parts)
        for number, part in enumerate(value.parts):
            yield from _pieces(address + number * each, each, part)
    else:
        yield address, size, value


def _element(
    view: View, thread: int, address: int, size: int, value: Scalar
) -> tuple[Place, Sum, tuple[int, int], tuple[int, int]]:
    """What is stored; its row and column within its tile; the ones at the tile's begin."""
    key = id(value), size  # which many threads have in common
    parameter, offset = address // GLOBAL - 1, address % GLOBAL
    spot = id(value), size, parameter
    if key not in view.converted:
        view.converted[key] = _converted(value, size)
    total, element, shape = view.converted[key]
    down, across = _within(thread, total)
    default = view.dimensions["N" if view.row_major else "M"]
    row, column = divmod(offset // size, view.dimensions.get("pitch", default))
    if not view.row_major:
        row, column = column, row
    if not _whole(view, total, row - down, column - across):
        raise Elsewhere("sums that are not over the whole of k, of the rows and columns where they are stored")
    place = view.spots.get(spot)
    if place is None:
        own = Element(parameter, offset, size)
        text = printed(shape, view.names, Spot(row, column, offset // size, own))
        place = Place(parameter, False, element, view.row_major, text)
        if not _differs_by_place(shape, parameter):
            view.spots[spot] = place
    return place, total, (down, across), (row - down, column - across)


def _differs_by_place(value: Scalar, parameter: int) -> bool:
    """Is something loaded that may lie elsewhere for each place of the result? What a pointer itself points to does not,
    but for the result's own."""
    if isinstance(value, Element):
        return value.offset != 0 or value.parameter == parameter
    return isinstance(value, Term) and any(_differs_by_place(part, parameter) for part in value.parts)


def _staged(view: View, value: Scalar, size: int) -> tuple[Place, Sum]:
    """An element on its way to a tensor map's copy out of shared memory: which tile it is part of."""
    total, element, shape = _converted(value, size)
    key = total.ends, size
    if key not in view.tiles:
        view.tiles[key] = _tile_of(view, total, size)
    return Place(view.tiles[key][0], True, element, view.row_major, printed(shape, view.names)), total


def _begins(tile: TileStore, size: int) -> tuple[int, int]:
    """Row and column that a tile of a tensor map begins with; its third coordinate counts columns of 128 bytes."""
    across, down, cut = three(tile.at)
    return down, across + cut * (_CHUNK // size)


def _tile_of(view: View, total: Sum, size: int) -> tuple[int, int, int]:
    for tile in view.trace.stores:
        down, across = _begins(tile, size)
        column, row = (across, down) if view.row_major else (down, across)
        for below in range(0, 256, 64):
            if _whole(view, total, row + below, column):
                return tile.map, row + below, column
    raise Elsewhere("no tile of the result has the rows and columns of its operands")


def _converted(value: Scalar, size: int) -> tuple[Sum, str, Scalar]:
    """The sum in a stored value, the type that it is stored as, and the value without that conversion."""
    sums = sums_in(value)
    if not sums:
        raise Refused("something else than sums of products is stored")
    if len(sums) > 1:
        raise Refused("more than one sum of products in a stored value")
    if isinstance(value, Term) and value.op in _NARROW and BYTES[value.op] == size:
        return sums[0], value.op, value.parts[0]
    if size == 4:
        return sums[0], "f32", value
    if size == 2 and isinstance(value, Term) and value.op in ("fadd", "fmul", "fsub"):
        raise Refused("results are worked out in 16 bits, not in f32 and rounded once")
    raise Refused(f"results are stored as {value.op if isinstance(value, Term) else 'something'} of {size} bytes")


def _whole(view: View, total: Sum, row: int, column: int) -> bool:
    """Does the sum run over all of k, of the rows of A from here and the columns of B?"""
    key = total.ends, row, column
    known = view.known.get(key)
    if known is None:
        known = view.known[key] = (_elements_fit if view.trace.by_elements else _tiles_fit)(view, total, row, column)
    return known


def _tiles_fit(view: View, total: Sum, row: int, column: int) -> bool:
    step, tiles = kind_of(total.products[0].kind).depth, view.trace.tiles
    return len(total.products) * step == view.dimensions["K"] and all(
        tiles.loaded(one.when, a, kind.transposed_a, kind.a, number * step, row, one.rows)
        and tiles.loaded(one.when, b, kind.transposed_b, kind.b, number * step, column, one.columns)
        for number, one in enumerate(total.products)
        for kind, (a, b) in ((kind_of(one.kind), one.descriptors),)
    )


def _elements_fit(view: View, total: Sum, row: int, column: int) -> bool:
    if view.trace.layouts is None:
        return False
    depths_added: list[int] = []
    for one in total.products:
        a, b = (view.trace.tables[id(table)] for table in (one.a, one.b))
        part = depths(a, b, view.trace.layouts, row, column, view.dimensions)
        if part is None:
            return False
        depths_added += part
    return sorted(depths_added) == list(range(view.dimensions["K"]))
