"""Is a kernel a matrix product? Its threads are executed on two small problems, and what they do is compared.

A kernel is C = f(A B^T) if every element that its threads store is f of a sum over the whole of k, in order, of products
whose tiles were loaded from the right rows of A and B: those that the element's place in C asks for. Which of the
kernel's numbers are M, N and K is found by trying.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product as choices
from typing import Any

from porter.native.ir import Function, Module
from porter.native.machine import Block, Machine
from porter.native.numbers import numbers
from porter.native.printed import common, printed
from porter.native.problem import Gemm, Operand, Result
from porter.native.values import GLOBAL, Asserted, Load, Product, Refused, Store, Sum, Term, TileStore

__all__ = ["candidates", "recognise"]

# Two problems each; the larger ones for kernels that insist on whole groups of tiles.
_SIZES = (
    ({"M": 512, "N": 768, "K": 256}, {"M": 768, "N": 1280, "K": 512}),
    ({"M": 2048, "N": 4096, "K": 128}, {"M": 4096, "N": 2048, "K": 256}),
)
_BLOCKS = ((0, 0, 0), (1, 1, 0), (2, 1, 0), (0, 2, 0))  # on both sides of C's diagonal
_BEHIND = (1, 0, 1)
_GRID = (12, 3, 2)
_MOST_TRIALS = 30
_WIDTHS = {1: 128, 2: 64, 3: 32}  # bytes of a row under a descriptor's swizzle
_STEP = {"bf16": 16, "f16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32}
# What parameters for each size are called, in lower case; pitches too.
_LIKELY = {
    "M": ("m", "size_m", "m_size", "dim_m", "rows"),
    "N": ("n", "size_n", "n_size", "dim_n", "ldc", "ldd", "cols", "columns"),
    "K": ("k", "size_k", "k_size", "dim_k", "lda", "ldb"),
}
_KIND = re.compile(
    r"porter::mma::Kind<porter::mma::(\w+), porter::mma::(\w+), porter::mma::(\w+), \w+>, (\d+), (-?1), (-?1), (\d), (\d)"
)


@dataclass(frozen=True, slots=True)
class _Kind:
    a: str
    b: str
    transposed_a: bool
    transposed_b: bool


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
    """What the sampled threads of one block did."""

    loads: dict[tuple[int, int], set[tuple[int, int, int]]]  # (map, place in shared memory): coordinates
    regions: list[tuple[int, int]]  # places in shared memory and the maps they were filled from
    tiles: list[TileStore]
    threads: dict[int, list[Any]]
    known: dict[tuple[tuple[int, int, int], int, int], bool]  # sums by their products, row and column: are they whole?


def candidates(module: Module) -> Iterator[Function]:
    """Kernels that may take tensor maps, by value or by pointers."""
    for function in module.functions.values():
        maps = [p for p in function.parameters if (p[2] is not None and p[2].size == 128) or p[0].kind == "ptr"]
        if function.kernel and len(maps) >= 2:
            yield function


def recognise(module: Module, kernel: Function, names: Sequence[str], title: str, text: str, threads: int) -> Gemm:
    """names and text: of the kernel's parameters. Refused says what it does that a matrix product does not."""
    reasons: list[Refused] = []
    for problems, sizes, row_major in choices(_SIZES, _assignments(kernel, names), (True, False)):
        try:
            places = {
                place
                for number, dimensions in enumerate(problems)
                for block in _BLOCKS[: 4 if number else 2]
                for place in _check(
                    module, kernel, _given(sizes, dimensions), dimensions, block, threads, names, row_major
                )
            }
            arguments = _given(sizes, problems[0])
            _same_behind(partial(_check, module, kernel, arguments, problems[0], _BEHIND, threads, names, row_major))
            return _problem(module, kernel, sizes, problems[0], places, names, title, text, threads)
        except (_Elsewhere, Asserted) as why:
            reasons.append(why)
            if problems is not _SIZES[0] and not isinstance(reasons[0], Asserted):
                break  # larger ones would show the same
    raise next((r for r in reasons if not isinstance(r, Asserted)), reasons[0])


class _Elsewhere(Refused):
    """Not with these sizes: others may do."""


def _given(sizes: Sequence[str], dimensions: Mapping[str, int]) -> list[int | None]:
    return [dimensions[s] if s else None for s in sizes]


def _same_behind(check: Callable[[], object]) -> None:
    """A block with another blockIdx.z has to make what the one before it makes."""
    try:
        check()
    except (_Elsewhere, Asserted):
        raise Refused("blockIdx.z chooses what is computed: one of several products, or a part of k") from None


def _assignments(kernel: Function, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What each whole number among the parameters may be, likely ones first; "" for the others."""
    wholes = [n for n, (kind, _, _) in enumerate(kernel.parameters) if kind.kind == "int" and kind.bits >= 32]
    if not wholes:
        yield ("",) * len(kernel.parameters)
        return
    likely = []
    for number in wholes:
        name = names[number].lower().strip("_") if number < len(names) else ""
        likely.append(sorted("MNK", key=lambda size: name not in _LIKELY[size]))
    trials = sorted(choices(*(range(len(one)) for one in likely)), key=sum)[:_MOST_TRIALS]
    for trial in trials:
        chosen = [""] * len(kernel.parameters)
        for number, options, index in zip(wholes, likely, trial):
            chosen[number] = options[index]
        if len({c for c in chosen if c}) == min(len(wholes), 3):
            yield tuple(chosen)


def _check(
    module: Module, kernel: Function, arguments: Sequence[int | None], dimensions: Mapping[str, int],
    index: tuple[int, int, int], threads: int, names: Sequence[str], row_major: bool,
) -> set[_Place]:  # fmt: skip
    machine = Machine(module, kernel, arguments)
    block = Block(index, _GRID, threads)
    lanes = range(threads // 32) if dimensions["M"] < 1000 else range(0, threads // 32, 3)
    sampled = sorted({*range(0, threads, 32), threads - 1, *(32 * w + (7 * w + 13) % 32 for w in lanes)})
    trace = _traced(machine, block, sampled)
    if not trace.loads:
        raise _Elsewhere("no tile is loaded from a tensor map")
    places: set[_Place] = set()
    for thread, events in trace.threads.items():
        places |= _stored(trace, thread, events, dimensions, names, row_major)
    return places


def _traced(machine: Machine, block: Block, threads: Sequence[int]) -> _Trace:
    done = {t: machine.run(block, t) for t in threads}
    rank = machine.rank
    shared = [
        e for other in _others(machine, block) for t in range(0, block.threads, 32) for e in machine.run(other, t)
    ]
    loads: dict[tuple[int, int], set[tuple[int, int, int]]] = {}
    tiles = []
    for events in (*done.values(), [e for e in shared if isinstance(e, Load) and e.ranks]):
        for event in events:
            if isinstance(event, Load) and (not event.ranks or event.ranks >> rank & 1):
                loads.setdefault((event.map, event.shared), set()).add(_three(event.at))
            elif isinstance(event, TileStore):
                tiles.append(event)
    regions = sorted((place, map) for map, place in loads)
    return _Trace(loads, regions, tiles, done, {})


def _others(machine: Machine, block: Block) -> Iterator[Block]:
    """The other blocks of the block's cluster, whose copies may be for all of them."""
    size = machine.cluster
    first = [i // n * n for i, n in zip(block.index, size)]
    for x, y, z in choices(*(range(f, f + n) for f, n in zip(first, size))):
        if (x, y, z) != block.index:
            yield Block((x, y, z), block.grid, block.threads)


def _three(at: tuple[int, ...]) -> tuple[int, int, int]:
    """Coordinates in a matrix, or in one that is cut into columns as wide as the swizzle (the third one counts them)."""
    if len(at) < 2 or any(at[3:]):
        raise Refused(f"tiles of {len(at)} dimensions")
    return at[0], at[1], at[2] if len(at) > 2 else 0


def _stored(
    trace: _Trace, thread: int, events: list[Any], dimensions: Mapping[str, int], names: Sequence[str], row_major: bool
) -> set[_Place]:
    places: set[_Place] = set()
    stored: dict[tuple[int, int, int], set[int]] = {}  # elements, by their sums' products
    expected: dict[tuple[int, int, int], set[int]] = {}
    for event in events:
        if isinstance(event, Store):
            for address, size, value in _pieces(event.address, event.size, event.value):
                place, total, row, column = _element(trace, thread, address, size, value, dimensions, names, row_major)
                places.add(place)
                stored.setdefault(total.ends, set()).add(total.element)
                expected[total.ends] = _inside(thread, total, row, column, dimensions)
        elif isinstance(event, Term) and event.op == "shared" and trace.tiles:
            for _, size, value in _pieces(0, event.parts[1], event.parts[2]):
                if _sums(value):
                    place, total = _staged(trace, value, size, dimensions, names, row_major)
                    places.add(place)
                    stored.setdefault(total.ends, set()).add(total.element)
                    expected[total.ends] = set(range(total.products[0].columns // 2))
    products = [e for e in events if isinstance(e, Product)]
    if products and len(stored) * dimensions["K"] != len(products) * _STEP[_kind(products[0].kind).a]:
        raise _Elsewhere("sums that are not stored, or not over the whole of k")
    if stored != expected:
        raise _Elsewhere("elements of the sums that are not stored")
    return places


def _inside(thread: int, total: Sum, row: int, column: int, dimensions: Mapping[str, int]) -> set[int]:
    """The elements of a thread's accumulators that lie within C, where one of them has this row and column."""
    down, across = _fragment(thread, total.element)
    rows, columns = dimensions["M"] - row + down, dimensions["N"] - column + across
    return {
        e
        for e in range(total.products[0].columns // 2)
        if _fragment(thread, e)[0] < rows and _fragment(thread, e)[1] < columns
    }


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


def _element(
    trace: _Trace, thread: int, address: int, size: int, value: Any, dimensions: Mapping[str, int], names: Sequence[str],
    row_major: bool,
) -> tuple[_Place, Sum, int, int]:  # fmt: skip
    total, element, shape = _converted(value, size)
    down, across = _fragment(thread, total.element)
    row, column = divmod(address % GLOBAL // size, dimensions.get("pitch", dimensions["N" if row_major else "M"]))
    if not row_major:
        row, column = column, row
    if not _whole(trace, total, row - down, column - across, dimensions["K"]):
        raise _Elsewhere("sums that are not over the whole of k, of the rows and columns where they are stored")
    place = _Place(address // GLOBAL - 1, False, element, row_major, printed(shape, names, row, column))
    return place, total, row, column


def _staged(
    trace: _Trace, value: Any, size: int, dimensions: Mapping[str, int], names: Sequence[str], row_major: bool
) -> tuple[_Place, Sum]:
    """An element on its way to a tensor map's copy out of shared memory: which tile it is part of."""
    total, element, shape = _converted(value, size)
    for tile in trace.tiles:
        across, down, cut = _three(tile.at)
        across += cut * (128 // size)
        column, row = (across, down) if row_major else (down, across)
        if any(_whole(trace, total, row + below, column, dimensions["K"]) for below in range(0, 256, 64)):
            return _Place(tile.map, True, element, row_major, printed(shape, names, -1, -1)), total
    raise _Elsewhere("no tile of the result has the rows and columns of its operands")


def _fragment(thread: int, element: int) -> tuple[int, int]:
    """Row and column in 64 x N of an element of a thread's accumulators."""
    warp, lane = thread // 32 % 4, thread % 32
    return 16 * warp + lane // 4 + 8 * (element // 2 % 2), 8 * (element // 4) + 2 * (lane % 4) + element % 2


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
    raise Refused(f"results are stored as {value.op if isinstance(value, Term) else 'something'} of {size} bytes")


@lru_cache(maxsize=64)
def _kind(text: str) -> _Kind:
    """Of a product's operands, by its template arguments."""
    found = _KIND.match(text)
    if found is None:
        raise Refused(f"a matrix product of another kind: {text}")
    a, b, sum_type, _, scale_a, scale_b, transposed_a, transposed_b = found.groups()
    if sum_type not in ("AccF32", "AccS32"):
        raise Refused("sums in f16")
    if (scale_a, scale_b) != ("1", "1"):
        raise Refused("negated operands")
    return _Kind(a, b, transposed_a == "1", transposed_b == "1")


def _whole(trace: _Trace, total: Sum, row: int, column: int, depth: int) -> bool:
    """Does the sum run over all of k, of the rows of A from here and the columns of B?"""
    key = total.ends, row, column
    known = trace.known.get(key)
    if known is None:
        step = _STEP[_kind(total.products[0].kind).a]
        known = trace.known[key] = len(total.products) * step == depth and all(
            _loaded(trace, one.a, kind.transposed_a, kind.a, number * step, row, 64)
            and _loaded(trace, one.b, kind.transposed_b, kind.b, number * step, column, one.columns)
            for number, (one, kind) in enumerate((p, _kind(p.kind)) for p in total.products)
        )
    return known


def _loaded(trace: _Trace, descriptor: int, transposed: bool, element: str, k: int, row: int, rows: int) -> bool:
    """Was the tile under a descriptor ever loaded from this k and row, in all boxes that its rows reach over?"""
    start = (descriptor & 0x3FFF) << 4
    width = _WIDTHS.get(descriptor >> 62)
    if width is None:
        raise Refused("tiles without a swizzle")
    size = 1 if element in ("e4m3", "e5m2", "s8", "u8") else 4 if element == "tf32" else 2
    inner = width // size
    if transposed:  # as many rows as the swizzle is wide lie side by side, the others at the leading offset
        leading = (descriptor >> 16 & 0x3FFF) << 4
        return all(
            _in_box(trace, start + n // inner * leading, width, size, k, row + n, True) for n in range(0, rows, inner)
        )
    if (descriptor >> 32 & 0x3FFF) << 4 != 8 * width:
        raise Refused("tiles whose rows have gaps")
    first = start - (start - _region(trace, start)[0]) % width
    begun = {0, *(-(-(p - first) // width) for p, _ in trace.regions if first < p < first + rows * width)}
    return all(_in_box(trace, start + n * width, width, size, k, row + n, False) for n in begun if n < rows)


def _in_box(trace: _Trace, start: int, width: int, size: int, k: int, row: int, transposed: bool) -> bool:
    place, map = _region(trace, start)
    inner = width // size
    across, down = (start - place) % width // size, (start - place) // width
    first, second = (row - across, k - down) if transposed else (k - across, row - down)
    loads = trace.loads[map, place]
    return (first, second, 0) in loads or (first % inner, second, first // inner) in loads


def _region(trace: _Trace, start: int) -> tuple[int, int]:
    best: tuple[int, int] | None = None
    for place, map in trace.regions:
        if place > start:
            break
        best = (place, map)
    if best is None:
        raise Refused("operands in shared memory that no tensor map fills")
    return best


def _problem(
    module: Module, kernel: Function, sizes: tuple[str, ...], dimensions: Mapping[str, int], places: set[_Place], names: Sequence[str], title: str, text: str,
    threads: int,
) -> Gemm:  # fmt: skip
    value = common({p.value for p in places})
    kinds = {(p.parameter, p.is_map, p.element, p.row_major) for p in places}
    if len(kinds) != 1:
        raise Refused("results that go to several places")
    parameter, is_map, element, row_major = next(iter(kinds))
    machine = Machine(module, kernel, _given(sizes, dimensions))
    trace = _traced(machine, Block((0, 0, 0), _GRID, threads), range(0, threads, 32))
    one = next(e for events in trace.threads.values() for e in events if isinstance(e, Product))
    kind = _kind(one.kind)
    maps = [_region(trace, (d & 0x3FFF) << 4)[1] for d in (one.a, one.b)]
    pitched = "" if is_map else "N" if row_major else "M"

    def check(arguments: Sequence[int | None], wanted: Mapping[str, int]) -> frozenset[str] | None:
        try:
            found = _check(module, kernel, arguments, wanted, (0, 0, 0), threads, names, row_major)
        except (_Elsewhere, Asserted, ZeroDivisionError):
            return None
        return frozenset(p.value for p in found)

    known = numbers(check, sizes, names, dimensions, pitched)
    in_memory = any(kernel.parameters[number][2] is None for number in maps)
    # Where C lies without gaps its pitch is a size; the name says so.
    given = {s: n for s, n in zip(sizes, names) if s and n.lower().strip("_") == s.lower()} | known.sizes
    if in_memory and not {"M", "N"} <= given.keys():
        raise Refused("tensor maps in global memory, and no sizes among the kernel's parameters")
    if kind.a == "s8" and element == "f32":
        element = "s32"
    if pitched and not known.pitch:
        raise Refused("the pitch of the result is not one of the kernel's parameters")
    return Gemm(
        title,
        text,
        Operand(names[maps[0]], kind.a, not kind.transposed_a),
        Operand(names[maps[1]], kind.b, not kind.transposed_b),
        Result(names[parameter], is_map, element, row_major, known.pitch, value, known.bounds),
        (given["M"], given["N"]) if in_memory else None,
    )
