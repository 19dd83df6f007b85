"""Is a kernel a matrix product? It is executed on small problems, and what its threads do is compared.

A kernel is C = f(A B^T) if every element that its threads store is f of a sum over the whole of k, once, of products whose
operands are the right rows of A and B: those that the element's place in C asks for. They come in tiles that tensor maps
bring, or element by element. Which of the kernel's numbers are M, N and K is found by trying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product as choices
from typing import Any

import numpy as np

from porter.native.boxes import elements
from porter.native.given import Given
from porter.native.ir import Function, Module
from porter.native.machine import Block, Machine, Undecided
from porter.native.numbers import numbers
from porter.native.operands import Layout, Tiles, depths, first_row, kind_of, layouts, three
from porter.native.order import followed
from porter.native.printed import common, condition, printed
from porter.native.problem import BYTES, Gemm, Operand, Result
from porter.native.values import GLOBAL, Asserted, Load, Product, Refused, Store, Sum, Term, TileStore

__all__ = ["candidates", "recognise"]

# Problems, and the blocks of each that are executed: on both sides of C's diagonal, and one with many steps of k. The
# larger ones are for kernels that insist on whole groups of tiles.
_SIZES = (
    (
        ({"M": 512, "N": 768, "K": 128}, ((0, 0, 0), (1, 1, 0))),
        ({"M": 768, "N": 1280, "K": 128}, ((2, 1, 0), (0, 2, 0))),
        ({"M": 768, "N": 1280, "K": 384}, ((1, 0, 0),)),
    ),
    (
        ({"M": 2048, "N": 4096, "K": 128}, ((0, 0, 0), (1, 1, 0))),
        ({"M": 4096, "N": 2048, "K": 384}, ((2, 1, 0), (0, 2, 0))),
    ),
)
_BEHIND, _WIDE = (1, 0, 1), 4096
_GRID = (12, 3, 2)
_MOST_TRIALS = 30
_MOST_DECISIONS = 3
# What parameters for each size are called, in lower case; pitches too.
_LIKELY = {
    "M": ("m", "size_m", "m_size", "dim_m", "rows"),
    "N": ("n", "size_n", "n_size", "dim_n", "ldc", "ldd", "cols", "columns"),
    "K": ("k", "size_k", "k_size", "dim_k", "lda", "ldb"),
}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a result's element lies, as one thread's store shows it."""

    parameter: int
    is_map: bool
    element: str
    row_major: bool
    value: str


@dataclass(slots=True)
class _Trace:
    """What the threads of one block did."""

    tiles: Tiles
    stores: list[TileStore]
    threads: list[list[Any]]
    products: list[Product]
    narrowest: dict[int, int]  # bytes of the narrowest load through a parameter
    by_elements: bool  # operands are elements, not tiles under descriptors
    layouts: tuple[Layout, Layout] | None  # of such operands
    tables: dict[int, np.ndarray]  # by id of a product's operand: where its elements lie


@dataclass
class _Runs:
    """Executions of a kernel, each made once."""

    module: Module
    kernel: Function
    knows: Sequence[Given]
    threads: int
    cluster: tuple[int, int, int]
    traces: dict[tuple[Any, ...], _Trace] = field(default_factory=dict)
    conditions: list[Term] = field(default_factory=list)  # on parameters, which threads were seen to depend on

    @property
    def names(self) -> list[str]:
        return [g.name for g in self.knows]

    def trace(
        self, arguments: Sequence[int | None], index: tuple[int, int, int], decisions: Mapping[Term, bool]
    ) -> _Trace:
        key = (tuple(arguments), index, tuple(decisions.items()))
        if key not in self.traces:
            mirrored = any("@_ZN6nvcuda4wmma8mma_sync" in name for name in self.module.functions)
            machine = Machine(self.module, self.kernel, self.knows, arguments, mirrored, decisions, self.cluster)
            self.traces[key] = _traced(machine, Block(index, _GRID, self.threads))
        return self.traces[key]


@dataclass(slots=True)
class _View:
    """A trace, looked at as a product of these sizes."""

    trace: _Trace
    dimensions: Mapping[str, int]
    names: Sequence[str]
    row_major: bool
    known: dict[tuple[tuple[int, int, int], int, int], bool]  # sums by their products, row and column: are they whole?


def candidates(module: Module) -> Iterator[Function]:
    """Kernels that may take matrices, by tensor maps or by pointers."""
    for function in module.functions.values():
        matrices = [p for p in function.parameters if p[2] is not None or p[0].kind == "ptr"]
        structures = any(p[2] is not None and p[2].size != 128 for p in function.parameters)
        if function.kernel and (structures or len(matrices) >= 2):
            yield function


def recognise(
    module: Module, kernel: Function, knows: Sequence[Given], title: str, text: str, threads: int,
    cluster: tuple[int, int, int] = (1, 1, 1),
) -> Gemm:  # fmt: skip
    """text: of the kernel's parameters; cluster: its size, where launches give it.

    Refused says what it does that a matrix product does not."""
    reasons: list[Refused] = []
    runs = _Runs(module, kernel, knows, threads, cluster)
    for problems, sizes, row_major in choices(_SIZES, _assignments(knows), (True, False)):
        try:
            places = {
                place
                for dimensions, blocks in problems
                for block in blocks
                for place in _check(runs, _given(sizes, dimensions), dimensions, block, row_major)
            }
            first = problems[0][0]
            _same_behind(runs, sizes, first, row_major)
            return _problem(runs, sizes, first, places, title, text)
        except (_Elsewhere, Asserted) as why:
            reasons.append(why)
            if problems is not _SIZES[0] and not isinstance(reasons[0], Asserted):
                break  # larger ones would show the same
    raise next((r for r in reasons if not isinstance(r, Asserted)), reasons[0])


class _Elsewhere(Refused):
    """Not with these sizes: others may do."""


class _Idle(_Elsewhere):
    """The block multiplies nothing."""


def _given(sizes: Sequence[str], dimensions: Mapping[str, int]) -> list[int | None]:
    return [dimensions[s] if s else None for s in sizes]


def _same_behind(runs: _Runs, sizes: Sequence[str], dimensions: Mapping[str, int], row_major: bool) -> None:
    """A block with another blockIdx.z has to make what the one before it makes."""
    wide = {**dimensions, "N": _WIDE}
    for problem in (dimensions, wide):  # where blockIdx.z numbers tiles, the narrow one has no such tile
        try:
            _check(runs, _given(sizes, problem), problem, _BEHIND, row_major)
        except _Idle:
            continue
        except (_Elsewhere, Asserted):
            break
        return
    raise Refused("blockIdx.z chooses what is computed: one of several products, or a part of k")


def _assignments(knows: Sequence[Given]) -> Iterator[tuple[str, ...]]:
    """What each whole number that the kernel is given may be, likely ones first; "" for the others."""
    wholes = [n for n, g in enumerate(knows) if g.kind.kind == "int" and g.kind.bits >= 32]
    if not wholes:
        yield ("",) * len(knows)
        return
    likely = []
    for number in wholes:
        name = knows[number].name.rpartition(".")[2].lower().strip("_")
        likely.append(sorted("MNK", key=lambda size: name not in _LIKELY[size]))
    trials = sorted(choices(*(range(len(one)) for one in likely)), key=sum)[:_MOST_TRIALS]
    for trial in trials:
        chosen = [""] * len(knows)
        for number, options, index in zip(wholes, likely, trial):
            chosen[number] = options[index]
        if len({c for c in chosen if c}) == min(len(wholes), 3):
            yield tuple(chosen)


def _check(
    runs: _Runs, arguments: Sequence[int | None], dimensions: Mapping[str, int], index: tuple[int, int, int],
    row_major: bool, decisions: Mapping[Term, bool] | None = None,
) -> set[_Place]:  # fmt: skip
    """Where elements go and what they are, if the block makes its part of a product."""
    decided = decisions or {}
    open_condition = next((c for c in runs.conditions if c not in decided), None)
    if open_condition is None:
        try:
            return _stored(_View(runs.trace(arguments, index, decided), dimensions, runs.names, row_major, {}))
        except Undecided as one:
            if len(runs.conditions) == _MOST_DECISIONS:
                raise Refused("too many conditions on parameters") from None
            runs.conditions.append(one.condition)
            open_condition = one.condition
    # What it computes either way is a part of f.
    yes, no = (
        _check(runs, arguments, dimensions, index, row_major, {**decided, open_condition: way}) for way in (True, False)
    )
    if yes == no:
        return yes
    text = condition(open_condition, runs.names)
    value = f"({text} ? {common({p.value for p in yes})} : {common({p.value for p in no})})"
    return {replace(p, value=value) for p in yes | no}


def _traced(machine: Machine, block: Block) -> _Trace:
    threads = machine.run(block)
    products, narrowest, rank = list(machine.products), machine.memory.narrowest, machine.rank
    if not products:
        raise (_Elsewhere if any(isinstance(e, (Store, TileStore)) for t in threads for e in t) else _Idle)(
            "no matrix product"
        )
    order = followed(machine) if machine.cluster == (1, 1, 1) else None
    shared = [
        e for other in _others(machine, block) for events in machine.run(other) for e in events if isinstance(e, Load)
    ]
    loads: dict[tuple[int, int], set[tuple[int, int, int]]] = {}
    stores = []
    for events in (*threads, [e for e in shared if e.ranks]):
        for event in events:
            if isinstance(event, Load) and (not event.ranks or event.ranks >> rank & 1):
                if event.map >= 0:
                    loads.setdefault((event.map, event.shared), set()).add(three(event.at))
            elif isinstance(event, TileStore):
                stores.append(event)
    tiles = Tiles(loads, sorted((place, map) for map, place in loads), order)
    tables = [(table, BYTES[of]) for p in products for table, of in zip((p.a, p.b), _elements_of(p))]
    if all(type(table) is int for table, _ in tables):
        if not loads:
            raise _Elsewhere("no tile is loaded from a tensor map")
        return _Trace(tiles, stores, threads, products, narrowest, False, None, {})
    if any(type(table) is int for table, _ in tables):
        raise Refused("products of tiles that tensor maps bring beside products of elements that threads store")
    found = elements(tables, order)
    one = products[0]
    maps = {event.map for events in threads for event in events if isinstance(event, Load)}
    both = layouts(kind_of(one.kind), found[id(one.a)], found[id(one.b)], maps)
    return _Trace(tiles, stores, threads, products, narrowest, True, both, found)


def _elements_of(one: Product) -> tuple[str, str]:
    kind = kind_of(one.kind)
    return kind.a, kind.b


def _others(machine: Machine, block: Block) -> Iterator[Block]:
    """The other blocks of the block's cluster, whose copies may be for all of them."""
    size = machine.cluster
    first = [i // n * n for i, n in zip(block.index, size)]
    for x, y, z in choices(*(range(f, f + n) for f, n in zip(first, size))):
        if (x, y, z) != block.index:
            yield Block((x, y, z), block.grid, block.threads)


def _stored(view: _View) -> set[_Place]:
    places: set[_Place] = set()
    stored: dict[tuple[int, int, int], set[tuple[int, int]]] = {}  # by their sums' products: rows and columns
    begins: dict[tuple[int, int, int], tuple[Sum, int, int]] = {}
    for thread, events in enumerate(view.trace.threads):
        for event in events:
            if isinstance(event, Store):
                for address, size, value in _pieces(event.address, event.size, event.value):
                    place, total, row, column = _element(view, thread, address, size, value)
                    places.add(place)
                    down, across = _within(thread, total)
                    stored.setdefault(total.ends, set()).add((down, across))
                    begins[total.ends] = total, row - down, column - across
            elif isinstance(event, Term) and event.op == "shared" and view.trace.stores:
                for _, size, value in _pieces(0, event.parts[1], event.parts[2]):
                    if _sums(value):
                        place, total = _staged(view, value, size)
                        places.add(place)
                        stored.setdefault(total.ends, set()).add(_within(thread, total))
                        begins[total.ends] = total, 0, 0
    used = {p.number for total, _, _ in begins.values() for p in total.products}
    if any(p.number not in used and not _outside(view, p) for p in view.trace.products):
        raise _Elsewhere("sums that are not stored, or not over the whole of k")
    for ends, (total, row, column) in begins.items():
        one = total.products[0]
        rows, columns = min(one.rows, view.dimensions["M"] - row), min(one.columns, view.dimensions["N"] - column)
        if len(stored[ends]) != rows * columns:
            raise _Elsewhere("elements of the sums that are not stored")
    return places


def _outside(view: _View, one: Product) -> bool:
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


def _pieces(address: int, size: int, value: Any) -> Iterator[tuple[int, int, Any]]:
    """Elements of a wide store."""
    if isinstance(value, Term) and value.op == "pack":
        each = size // len(value.parts)
        for number, part in enumerate(value.parts):
            yield from _pieces(address + number * each, each, part)
    else:
        yield address, size, value


def _sums(value: Any) -> list[Sum]:
    if isinstance(value, Sum):
        return [value]
    if isinstance(value, Term):
        return [s for part in value.parts for s in _sums(part)]
    return []


def _element(view: _View, thread: int, address: int, size: int, value: Any) -> tuple[_Place, Sum, int, int]:
    total, element, shape = _converted(value, size)
    down, across = _within(thread, total)
    default = view.dimensions["N" if view.row_major else "M"]
    parameter, offset = address // GLOBAL - 1, address % GLOBAL
    row, column = divmod(offset // size, view.dimensions.get("pitch", default))
    if not view.row_major:
        row, column = column, row
    if not _whole(view, total, row - down, column - across):
        raise _Elsewhere("sums that are not over the whole of k, of the rows and columns where they are stored")
    text = printed(shape, view.names, row, column, Term("load", (parameter, offset, size)))
    return _Place(parameter, False, element, view.row_major, text), total, row, column


def _staged(view: _View, value: Any, size: int) -> tuple[_Place, Sum]:
    """An element on its way to a tensor map's copy out of shared memory: which tile it is part of."""
    total, element, shape = _converted(value, size)
    for tile in view.trace.stores:
        across, down, cut = three(tile.at)
        across += cut * (128 // size)
        column, row = (across, down) if view.row_major else (down, across)
        if any(_whole(view, total, row + below, column) for below in range(0, 256, 64)):
            return _Place(tile.map, True, element, view.row_major, printed(shape, view.names, -1, -1)), total
    raise _Elsewhere("no tile of the result has the rows and columns of its operands")


def _converted(value: Any, size: int) -> tuple[Sum, str, Any]:
    """The sum in a stored value, the type that it is stored as, and the value without that conversion."""
    sums = _sums(value)
    if not sums:
        raise Refused("something else than sums of products is stored")
    if len(sums) > 1:
        raise Refused("more than one sum of products in a stored value")
    if isinstance(value, Term) and value.op in ("bf16", "f16") and size == 2:
        return sums[0], value.op, value.parts[0]
    if size == 4:
        return sums[0], "f32", value
    if size == 2 and isinstance(value, Term) and value.op in ("fadd", "fmul", "fsub"):
        raise Refused("results are worked out in 16 bits, not in f32 and rounded once")
    raise Refused(f"results are stored as {value.op if isinstance(value, Term) else 'something'} of {size} bytes")


def _whole(view: _View, total: Sum, row: int, column: int) -> bool:
    """Does the sum run over all of k, of the rows of A from here and the columns of B?"""
    key = total.ends, row, column
    known = view.known.get(key)
    if known is None:
        known = view.known[key] = (_elements_fit if view.trace.by_elements else _tiles_fit)(view, total, row, column)
    return known


def _tiles_fit(view: _View, total: Sum, row: int, column: int) -> bool:
    step, tiles = kind_of(total.products[0].kind).depth, view.trace.tiles
    return len(total.products) * step == view.dimensions["K"] and all(
        tiles.loaded(one.when, one.a, kind.transposed_a, kind.a, number * step, row, one.rows)
        and tiles.loaded(one.when, one.b, kind.transposed_b, kind.b, number * step, column, one.columns)
        for number, (one, kind) in enumerate((p, kind_of(p.kind)) for p in total.products)
    )


def _elements_fit(view: _View, total: Sum, row: int, column: int) -> bool:
    if view.trace.layouts is None:
        return False
    found: list[int] = []
    for one in total.products:
        a, b = (view.trace.tables[id(table)] for table in (one.a, one.b))
        part = depths(a, b, view.trace.layouts, row, column, view.dimensions)
        if part is None:
            return False
        found += part
    return sorted(found) == list(range(view.dimensions["K"]))


def _problem(
    runs: _Runs, sizes: tuple[str, ...], dimensions: Mapping[str, int], places: set[_Place], title: str, text: str
) -> Gemm:
    names = runs.names
    value = common({p.value for p in places})
    kinds = {(p.parameter, p.is_map, p.element, p.row_major) for p in places}
    if len(kinds) != 1:
        raise Refused("results that go to several places")
    parameter, is_map, element, row_major = next(iter(kinds))
    arguments = tuple(_given(sizes, dimensions))
    trace = next(t for (given, _, _), t in runs.traces.items() if given == arguments)
    one = trace.products[0]
    kind = kind_of(one.kind)
    pitches = {} if is_map else {"pitch": "N" if row_major else "M"}
    if trace.layouts is None:
        sources = [trace.tiles.region((d & 0x3FFF) << 4)[1] for d in (one.a, one.b)]
        majors = (not kind.transposed_a, not kind.transposed_b)
    else:
        sources = [layout.parameter for layout in trace.layouts]
        majors = (trace.layouts[0].k_major, trace.layouts[1].k_major)
        for name, layout, across in zip(("pitch_a", "pitch_b"), trace.layouts, "MN"):
            if not layout.is_map:
                pitches[name] = "K" if layout.k_major else across

    def check(arguments: Sequence[int | None], wanted: Mapping[str, int]) -> frozenset[str] | None:
        try:
            found = _check(runs, arguments, wanted, (0, 0, 0), row_major)
        except (_Elsewhere, Asserted, ZeroDivisionError):
            return None
        return frozenset(p.value for p in found)

    known = numbers(check, sizes, names, dimensions, pitches)
    by_pointer = "pitch_a" in pitches or "pitch_b" in pitches
    in_memory = not by_pointer and any(runs.knows[number].by_value is None for number in sources)
    # Where C lies without gaps its pitch is a size; the name says so.
    given = {
        s: n for s, n in zip(sizes, names) if s and n.rpartition(".")[2].lower().strip("_") == s.lower()
    } | known.sizes
    if in_memory and not {"M", "N"} <= given.keys():
        raise Refused("tensor maps in global memory, and no sizes among the kernel's parameters")
    if by_pointer and not {"M", "N", "K"} <= given.keys():
        raise Refused("the sizes of the matrices are not among the kernel's parameters")
    if kind.a == "s8" and element == "f32" and value == "sum":
        element = "s32"
    for name in pitches:
        if name not in known.pitches:
            whose = {"pitch": "result", "pitch_a": "first operand", "pitch_b": "second operand"}[name]
            raise Refused(f"the pitch of the {whose} is not one of the kernel's parameters")
    operands = [
        Operand(
            names[source],
            of,
            major,
            known.pitches.get(pitch, ""),
            pitch not in pitches or trace.narrowest.get(source, 16) >= 16,
        )
        for source, of, major, pitch in zip(sources, (kind.a, kind.b), majors, ("pitch_a", "pitch_b"))
    ]
    return Gemm(
        title,
        text,
        operands[0],
        operands[1],
        Result(names[parameter], is_map, element, row_major, known.pitches.get("pitch", ""), value, known.bounds),
        (given["M"], given["N"], given["K"]) if by_pointer else (given["M"], given["N"]) if in_memory else None,
        halves=kind.halves,
    )
