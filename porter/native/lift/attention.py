"""Is a kernel attention? It is executed on small problems, and what it stores is compared with softmax(scale Q K^T) V.

Forms over the reals show that (porter.native.lift.rows): of one tile some columns of all rows, and all columns of some; fewer
of tiles of larger problems.
Where heads begin, how far rows are apart and how many keys there are is found by executing it with other values of its
parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations
from itertools import product as choices
from typing import Any

from porter.native.ir.kernel_arguments import Given
from porter.native.ir.module import Function, Module
from porter.native.lift.forms import Forms
from porter.native.lift.products import ALONE, NOTHING, Share, Times, shares, times
from porter.native.lift.rows import Scale, Stored, Tile, columns_of, stored, tile_of
from porter.native.machine.collector import without_collector
from porter.native.machine.machine import Machine, Undecided
from porter.native.machine.operations import OPERATIONS
from porter.native.machine.parameters import Parameters
from porter.native.machine.product_kinds import BYTES, kind_of
from porter.native.machine.state import Block
from porter.native.machine.values import GLOBAL, NULL, Asserted, Refused, Term

__all__ = ["Attention", "Heads", "attention"]

_HEADS, _OF_KEYS, _LENGTH = re.compile(r"head|^[hn]h?$"), re.compile(r"kv|key|group"), re.compile(r"seq|len|^[nslt]$")
# Numbers of queries and keys; one that is no multiple of any tile, and one that is; more than any of them.
_LENGTHS, _RAGGED, _WHOLE, _NO_LENGTH = (128, 256), 300, 384, 1 << 13
_MOST_TRIALS = 4
# The grid's y and z are as numbers that the kernel is given.
GRID_Y, GRID_Z = -2, -3
_GRID, _OTHER_GRID = {GRID_Y: 5, GRID_Z: 3}, {GRID_Y: 53, GRID_Z: 7}

Arguments = Mapping[int, int]  # by number of a parameter


@dataclass(frozen=True, slots=True)
class Place:
    """A block in its grid."""

    index: tuple[int, int, int]
    grid: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """Which axis of blockIdx counts tiles, which heads, which sequences. -1: what is behind all tiles along the first."""

    tiles: int
    heads: int
    sequences: int

    def place(self, tile: int, y: int, z: int, tiles: int, arguments: Arguments) -> Place:
        index, grid = [0, 0, 0], [1, 1, 1]
        index[self.tiles], grid[self.tiles] = tile, tiles
        if self.heads < 0:
            return Place((y * tiles + tile, 0, 0), (arguments[GRID_Y] * tiles, 1, 1))
        index[self.heads], grid[self.heads] = y, arguments[GRID_Y]
        index[self.sequences], grid[self.sequences] = z, arguments[GRID_Z]
        return Place((index[0], index[1], index[2]), (grid[0], grid[1], grid[2]))


@dataclass(frozen=True, slots=True)
class Heads:
    """A matrix for each head of each sequence. In elements."""

    parameter: int
    pitch: Times  # of rows
    sequence: Times = NOTHING  # how far the matrix of the next blockIdx.z is behind
    head: Times = NOTHING  # and that of the next group of blockIdx.y
    group: Share = ALONE  # how many blockIdx.y have one matrix

    def begin(self, arguments: Mapping[int, int], y: int, z: int) -> int:
        """How far behind the first matrix that of a head is."""
        heads = y // max(1, self.group.value(arguments)) * self.head.value(arguments)
        return z * self.sequence.value(arguments) + heads


@dataclass(frozen=True, slots=True)
class Attention:
    """softmax(scale Q K^T) V, where every query sees all keys or those before it."""

    element: str  # "bf16" or "f16": of Q, K and V
    depth: int
    columns: int  # of V
    query: Heads
    key: Heads
    value: Heads
    result: Heads
    queries: Times
    keys: Times
    causal: bool
    scale: Scale
    sums: Heads | None  # of rows' sums of exponentials: logarithms
    log2: float = 0.0  # what one of base two is multiplied with there
    layout: Layout = Layout(0, 1, 2)  # of the source's blocks
    rows: int = 0  # of one of them
    whole_tiles: bool = False  # the source is attention only where its tiles are full
    optional: tuple[int, ...] = ()  # parameters that may be null

    @staticmethod
    def from_data(data: dict[str, Any]) -> Attention:
        """From what dataclasses.asdict() made of one."""
        matrices = {name: _heads_of(data[name]) for name in ("query", "key", "value", "result", "sums")}
        numbers = {name: _times_of(data[name]) for name in ("queries", "keys")}
        scale, optional = Scale(**data["scale"]), tuple(data["optional"])
        layout = Layout(**data["layout"])
        return Attention(**{**data, **matrices, **numbers, "scale": scale, "layout": layout, "optional": optional})


def _heads_of(data: Any) -> Heads | None:
    if data is None:
        return None
    group = Share(_times_of(data["group"]["above"]), _times_of(data["group"]["below"]))
    pitch, sequence, head = (_times_of(data[name]) for name in ("pitch", "sequence", "head"))
    return Heads(data["parameter"], pitch, sequence, head, group)


def _times_of(data: Any) -> Times:
    return Times(data["constant"], tuple(data["parameters"]))


@dataclass
class _Runs:
    module: Module
    kernel: Function
    knows: Sequence[Given]
    shape: tuple[int, int, int]
    optional: set[int] = field(default_factory=set)  # pointers that are compared with null
    element: str = ""
    fits: bool = False  # the values of its numbers that are tried are likely: others would show the same
    known: dict[tuple[tuple[tuple[int, int], ...], Place], list[Stored]] = field(default_factory=dict)

    def stored(self, arguments: Arguments, at: Place) -> list[Stored]:
        """What a block stores."""
        key = tuple(sorted(arguments.items())), at
        if key not in self.known:
            self.known[key] = self._stored(arguments, at)
        return self.known[key]

    def _stored(self, arguments: Arguments, at: Place) -> list[Stored]:
        given = [arguments.get(number) for number in range(len(self.knows))]
        decided: dict[Term, bool] = {}
        while True:
            parameters = Parameters(self.knows, given)
            machine = Machine(OPERATIONS, self.module, self.kernel, parameters, False, decided, multiplies_values=True)
            try:
                state = machine.run(Block(at.index, at.grid, self.shape))
            except Undecided as one:
                decided[one.condition] = self._given(one.condition)
                continue
            if not state.products:
                raise Refused("no matrix product")
            kinds = {of for one in state.products for of in (kind_of(one.kind).a, kind_of(one.kind).b)}
            if len(kinds) != 1:
                raise Refused("products of several types")
            self.element = kinds.pop()
            return stored(state)

    def _given(self, condition: Term) -> bool:
        """How a comparison with null turns out for a pointer that is given."""
        first, second = (*condition.parts, None, None)[:2]
        if second is not NULL or not isinstance(first, Term) or first.op != "parameter":
            raise Refused("what it computes depends on a parameter that is no whole number")
        self.optional.add(int(first.parts[0]))  # type: ignore[arg-type]
        return condition.word == "ne"

    def tile(self, arguments: Arguments, at: Place, rows: int = 4) -> Tile:
        """rows: how many are looked at, in some columns; 0: all, and some rows in all columns."""
        elements = self.stored(arguments, at)
        if not elements:
            raise Refused("a block that stores nothing")
        forms, size = Forms(), BYTES[self.element]
        return tile_of(forms, _some(elements, rows, forms, size), size)


def _some(elements: Sequence[Stored], rows: int, forms: Forms, size: int) -> list[Stored]:
    """Of so many rows: some columns of the result, and everything beside it."""
    by_parameter: dict[int, list[Stored]] = {}
    for one in elements:
        by_parameter.setdefault(one.address // GLOBAL, []).append(one)
    chosen: list[Stored] = []
    for several in by_parameter.values():
        width = several[0].size
        columns = columns_of(forms, several[-1], size)  # of the last row, which has the most keys
        starts = [n for n, one in enumerate(several) if not n or one.address != several[n - 1].address + width]
        starts.append(len(several))
        begins = [n for begin, end in pairwise(starts) for n in range(begin, end, columns)]
        few = len(begins) > rows > 0
        wanted = [*begins[: rows // 2], *begins[-rows // 2 :]] if few else begins
        numbers = {n + column for n in wanted for column in (0, columns // 2, columns - 1)}
        if not rows:
            whole = [begins[len(begins) * part // 7] for part in (0, 1, 4, 6)]
            numbers |= {n + column for n in whole for column in range(columns)}
        chosen += [several[n] for n in sorted(numbers)]
    return chosen


def attention(module: Module, kernel: Function, knows: Sequence[Given], shape: tuple[int, int, int]) -> Attention:
    """Refused says what it does that attention does not."""
    runs = _Runs(module, kernel, knows, shape)
    reasons: list[Refused] = []
    with without_collector():
        for arguments in _trials(knows):
            try:
                return _of_arguments(runs, arguments)
            except Refused as why:
                reasons.append(why.with_traceback(None))
                if runs.fits:
                    raise
    raise next((why for why in reasons if not isinstance(why, Asserted)), reasons[0])


def _trials(knows: Sequence[Given]) -> Iterator[dict[int, int]]:
    """Values of whole numbers, likely ones first."""
    wholes = [n for n, g in enumerate(knows) if g.kind.kind == "int" and g.kind.bits >= 32]
    names = {n: knows[n].name.rpartition(".")[2].lower() for n in wholes}
    lengths = [n for n in wholes if _LENGTH.search(names[n]) and not _HEADS.search(names[n])]
    heads = [n for n in wholes if n not in lengths and _HEADS.search(names[n])]
    of_keys = [n for n in lengths if _OF_KEYS.search(names[n])] or lengths[1:]
    likely: dict[int, int] = {}
    few, more = _LENGTHS
    for number in lengths:
        likely[number] = few if number in of_keys or not of_keys else more
    for number in heads:
        likely[number] = 2 if _OF_KEYS.search(names[number]) else 4
    for count, number in enumerate(n for n in wholes if n not in likely):
        likely[number] = 1 << 13 + count
    yield {**likely, **_GRID}
    values = [*_LENGTHS, 4, 2, 1 << 13, 3 << 13][: len(wholes)]
    trials = (dict(zip(wholes, order)) for order in permutations(values, len(wholes)))
    yield from ({**one, **_GRID} for _, one in zip(range(_MOST_TRIALS), trials) if one != likely)


_LAYOUTS = (Layout(0, 1, 2), Layout(1, 0, 2), Layout(2, 1, 0), Layout(2, 0, 1), Layout(1, 2, 0), Layout(0, 2, 1))
_IN_ORDER = Layout(0, -1, -1)


def _of_arguments(runs: _Runs, arguments: dict[int, int]) -> Attention:
    runs.known.clear()
    probe = runs.tile(arguments, Place((0, 0, 0), (1, 1, 1)))
    rows = 1 + max(row for row, *_ in probe.keys)
    queries = [
        n for n, value in arguments.items() if n >= 0 and rows <= value < _NO_LENGTH and value % _LENGTHS[0] == 0
    ]
    if queries and max(arguments[n] for n in queries) <= rows:
        arguments = {**arguments, queries[0]: 2 * rows}
    layout, number, tiles = _layout(runs, arguments, probe, rows, queries)
    runs.fits = True
    both = [runs.tile(arguments, layout.place(t, 0, 0, tiles, arguments)) for t in (0, tiles - 1)]
    reverse = both[1].query < both[0].query
    first, last = reversed(both) if reverse else both
    keys = max(high for *_, high in last.keys)
    causal = _is_causal([*first.keys, *((row + (tiles - 1) * rows, low, high) for row, low, high in last.keys)], keys)
    sizes = [number, *(n for n, value in arguments.items() if value == keys and n >= 0)]
    if arguments[number] != keys:
        del sizes[0]
    if not sizes:
        raise Refused("the number of keys is not one of the kernel's parameters")
    others = {n: _changed(value) for n, value in arguments.items()} | _OTHER_GRID
    one = replace(
        _heads(runs, first, layout, (arguments, others), number, rows, reverse),
        causal=causal,
        keys=Times(1, (sizes[0],)),
        queries=Times(1, (number,)),
        optional=tuple(sorted(runs.optional)),
    )
    whole = runs.tile(arguments, layout.place(tiles - 1, 0, 0, tiles, arguments), 0)
    if whole.columns != frozenset(range(len(whole.columns))) or len(whole.keys) != rows:
        raise Refused("elements of the result that the block does not store")
    one = replace(one, columns=len(whole.columns))
    try:
        _far(runs, one, first, arguments, _RAGGED)
    except Refused:
        _far(runs, one, first, arguments, _WHOLE)
        return replace(one, whole_tiles=True)
    return one


def _layout(
    runs: _Runs, arguments: Arguments, probe: Tile, rows: int, queries: Sequence[int]
) -> tuple[Layout, int, int]:
    """How blocks are numbered, the parameter that is the number of queries, and how many tiles they are then."""
    for number in queries:
        tiles = -(-arguments[number] // rows)
        for layout in (*_LAYOUTS, _IN_ORDER) if tiles > 1 else ():
            places = [layout.place(t, 0, 0, tiles, arguments) for t in (0, tiles - 1)]
            a, b = (runs.tile(arguments, place).query for place in places)
            if abs(b - a) != (tiles - 1) * rows * probe.pitches[0]:
                continue
            beside = runs.tile(arguments, layout.place(0, 1, 0, tiles, arguments)).query
            if beside != a:
                return layout, number, tiles
    raise Refused("which blocks have the tiles of one head could not be found")


def _changed(value: int) -> int:
    """Another value of a parameter, that divides as this one does. Quotients of products of these differ."""
    return {4: 42, 2: 6}.get(value, value + 128)


def _is_causal(spans: Sequence[tuple[int, int, int]], keys: int) -> bool:
    if all((low, high) == (0, keys) for _, low, high in spans):
        return False
    if all((low, high) == (0, min(keys, row + 1)) for row, low, high in spans):
        return True
    raise Refused("rows that see other keys than all, or those up to their own number")


_PLACES = ((0, 0), (1, 0), (2, 0), (4, 0), (0, 1))  # of y and z
_OTHER_PLACES = ((1, 0), (6, 0), (7, 0), (8, 2))  # 42 heads share 6 heads of keys

_Seen = list[tuple[Arguments, dict[tuple[int, int], Tile]]]


def _heads(
    runs: _Runs, first: Tile, layout: Layout, given: tuple[Arguments, Arguments], queries: int, rows: int, reverse: bool
) -> Attention:
    """Where the matrices of heads lie."""
    seen: _Seen = []
    for arguments, places in zip(given, (_PLACES, _OTHER_PLACES)):
        tiles = -(-arguments[queries] // rows)
        at = tiles - 1 if reverse else 0
        several = [(y, z) if layout.sequences >= 0 else (y, 0) for y, z in places]
        seen.append(
            (arguments, {one: runs.tile(arguments, layout.place(at, *one, tiles, arguments)) for one in several})
        )
    size = BYTES[runs.element]
    query, key, value = (_matrix(seen, name, n, size) for n, name in enumerate(("query", "key", "value")))
    result = _matrix(seen, "result", 3, first.element)
    sums = _matrix(seen, "sums", -1, 4) if first.sums else None
    if sums is not None and sums.pitch != Times(1):
        raise Refused("logarithms that do not lie side by side")
    if first.element != size:
        raise Refused("results that are not of the operands' type")
    return Attention(
        runs.element, first.depth, 0, query, key, value, result, NOTHING, NOTHING,
        False, first.scale, sums, first.log2, layout, rows,
    )  # fmt: skip


def _matrix(seen: _Seen, name: str, number: int, size: int) -> Heads:
    """number: of the pitch; -1: of sums."""
    at: list[tuple[Arguments, dict[tuple[int, int], int]]] = []
    parameters = set()
    pitches: list[tuple[Arguments, int]] = []
    for given, tiles in seen:
        places = {place: getattr(tile, name) for place, tile in tiles.items()}
        parameters |= {address // GLOBAL - 1 for address in places.values()}
        at.append((given, {place: address % GLOBAL // size for place, address in places.items()}))
        tile = next(iter(tiles.values()))
        pitches.append((given, (tile.pitch_of_sums if number < 0 else tile.pitches[number]) // size))
    base, places = at[0]
    if len(parameters) != 1 or places[0, 0]:
        raise Refused("matrices that do not begin where a parameter points to")
    pitch = next(iter(times(pitches)), None)
    if pitch is None:
        raise Refused("rows that do not lie as far apart as a product of the kernel's parameters says")
    group = next((y for y in (1, 2, 4) if places[y, 0]), 0)
    sequences = times([(base, places.get((0, 1), 0))])
    heads = times([(base, places[group, 0])]) if group else [NOTHING]
    for one in (Heads(parameters.copy().pop(), pitch, *of) for of in choices(sequences, heads, _groups(base, group))):
        if all(one.begin(given, y, z) == place for given, of in at for (y, z), place in of.items()):
            return one
    raise Refused("heads whose matrices do not lie as far apart as products of the kernel's parameters say")


def _groups(base: Arguments, group: int) -> list[Share]:
    return list(shares([(base, group)])) if group else [ALONE]


def _far(runs: _Runs, one: Attention, first: Tile, arguments: Arguments, length: int) -> None:
    """Is it attention in a larger problem as well, with so many queries and keys?"""
    large = {**arguments, one.queries.parameters[0]: length, one.keys.parameters[0]: length}
    tiles = -(-length // one.rows)
    seen = set()
    z = 1 if one.layout.sequences >= 0 else 0
    begin = one.query.begin(large, 1, z)
    for x in dict.fromkeys((0, tiles - 1)):
        tile = runs.tile(large, one.layout.place(x, 1, z, tiles, large), 8)
        row, rest = divmod((tile.query % GLOBAL) // BYTES[one.element] - begin, max(1, one.query.pitch.value(large)))
        keys = max(high for *_, high in tile.keys) if not one.causal else length
        whole = length <= keys < length + 256  # the source may count on whole tiles
        wanted = [(n, 0, min(keys, row + n + 1) if one.causal else keys) for n, *_ in tile.keys]
        if rest or not whole or list(tile.keys) != wanted or tile.scale != first.scale:
            raise Refused(f"it is attention on a small problem, but not with {length} keys")
        seen |= {row + n for n, *_ in tile.keys}
    if 0 not in seen or max(seen) < length - 1:
        raise Refused("rows that no block stores")
