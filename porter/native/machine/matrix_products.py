"""Matrix products of warps: wgmma, mma.sync and MFMA.

A product keeps what it multiplied: the descriptors of its tiles, or for each element in the threads' registers the address
in global memory that it was loaded from. Layouts are PTX's (mma.sync) and the matrix instructions' (MFMA).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Union

import numpy as np

from porter.native.ir.module import Instruction, Type
from porter.native.machine.lanes import Many, each, gathered, listed
from porter.native.machine.loaded_values import Loaded, Value, joined_parts, plain
from porter.native.machine.machine import Machine
from porter.native.machine.product_kinds import BYTES, Kind, addresses, kind_of
from porter.native.machine.state import Fragments
from porter.native.machine.values import (
    GLOBAL,
    SHARED,
    TILE,
    Element,
    Product,
    Refused,
    Scalar,
    Sum,
    Term,
    piece,
)
from porter.native.machine.warp_instructions import warps

__all__ = ["mfma", "mma_sync", "wgmma"]

_Operand = Union[int, np.ndarray]  # as Product's

_FLOAT = Type("float", 32)
_WORD = Type("int", 32)
_WGMMA = re.compile(r"wgmma(_a)?(?:_kept)?<(.*)>$", re.DOTALL)
_ELEMENT = re.compile(r"porter::mma::(\w+)")


def wgmma(m: Machine, one: Instruction, values: list[Value]) -> None:
    """A by a descriptor or in registers, B by a descriptor, whether D is added; then D's places."""
    title = m.module.title(str(one.detail))
    call = _WGMMA.search(title)
    if call is None or len(values) < 4:
        raise Refused("a matrix product whose type could not be read")
    text = re.sub(r"(?:, (?:float|unsigned int|int|uint32_t))+$", "", call[2])
    words = values[:4] if call[1] else []
    if words:  # which are as if they lay in shared memory K-major
        text = re.sub(r"^(.*, \d+, -?1, -?1), (\d)$", r"\1, 0, \2", text)
    kind, columns = kind_of(text), re.search(r">, (\d+)", text)
    a, b, add, *places = [0, *values[4:]] if words else values
    if any(type(v) is not int and (type(v) is not Many or v.dtype == object) for v in (a, b, add)):
        raise Refused("a matrix product's operands depend on data")
    added = m.known(add) & 1
    held = _fragments(m, words, 16, BYTES[kind.a]) if words else []
    for mask, first, second in _groups(m, a, b):
        with m.state.only(mask):
            size = int(columns[1]) if columns else 0
            operands = _of_group(m, kind, first, second, size, held)
            product = _multiplied(m, text, 64, size, *operands, _of_warpgroup)
            for number, place in enumerate(places):
                if kind.halves:
                    old = m.memory.load(place, _WORD) if added else 0
                    m.memory.store(place, _WORD, _both_halves(m, old, number, [product]))
                else:
                    old = m.memory.load(place, _FLOAT) if added else 0.0
                    m.memory.store(place, _FLOAT, _followed(m, old, number, [product]))


def _groups(m: Machine, a: Value, b: Value) -> Iterator[tuple[np.ndarray, int, int]]:
    """Threads of a warpgroup that have the same descriptors: another one may find other tiles there."""
    count = len(m.state.active.mask)
    together: dict[tuple[int, int, int], list[int]] = {}
    firsts, seconds = listed(a, count), listed(b, count)
    for thread in m.state.active.threads:
        together.setdefault((firsts[thread], seconds[thread], thread // 128), []).append(thread)
    for (first, second, _), threads in together.items():
        mask = np.zeros(count, bool)
        mask[threads] = True
        yield mask, first, second


def _of_group(m: Machine, kind: Kind, a: int, b: int, columns: int, held: Fragments) -> tuple[_Operand, _Operand]:
    """The operands of wgmma: descriptors of tiles as tensor maps bring them, or tables of elements."""
    wide = {"a": (a, kind.transposed_a, BYTES[kind.a], 64, kind.depth),
            "b": (b, kind.transposed_b, BYTES[kind.b], columns, kind.depth)}  # fmt: skip
    if not held and all(_is_tile(m, *wide[name]) for name in wide):
        for of in wide.values():
            m.memory.read_later(addresses(*of), filled=False)
        return a, b
    right = _cells(m, *wide["b"])
    if not held:
        return _cells(m, *wide["a"]), right
    warps = sorted({thread // m.state.warp for thread in m.state.active.threads})
    if len(warps) != 4 or any(held[warp] is None for warp in warps):
        raise Refused("a part of a warpgroup multiplies")
    return np.concatenate([held[warp] for warp in warps]), right


def _is_tile(m: Machine, descriptor: int, transposed: bool, size: int, rows: int, depth: int) -> bool:
    """Rows as wide as a swizzle without gaps, which no thread stores."""
    mode = descriptor >> 62
    if not mode or descriptor >> 49 & 7:
        return False
    gaps = not transposed and (descriptor >> 32 & 0x3FFF) << 4 != 8 * (256 >> mode)
    return not gaps and not m.memory.stored(int(addresses(descriptor, transposed, size, rows, depth)[0, 0]))


def _cells(m: Machine, descriptor: int, transposed: bool, size: int, rows: int, depth: int) -> np.ndarray:
    """The elements under a descriptor, by row and k."""
    places = addresses(descriptor, transposed, size, rows, depth)
    filled = m.memory.stored(int(places[0, 0]))
    m.memory.read_later(places, filled)
    thread = m.state.active.first
    if not filled:
        warp, epoch = m.state.when(thread)
        return places + (TILE | warp << 40 | epoch << 24)
    at_once = m.memory.origins(int(m.memory.met[thread]), places.ravel(), size)
    if at_once is not None:
        return at_once.reshape(places.shape)
    origins = [
        _addresses(m.memory.load_shared(thread, at + SHARED, size), size, size)[0] for at in places.ravel().tolist()
    ]
    return np.array(origins, np.int64).reshape(places.shape)


def _both_halves(m: Machine, old: Value, number: int, products: Sequence[Product | None]) -> Value:
    """A word of two f16 sums, after products."""
    low, high = (each(m.state.active, lambda v, at=at: piece(v, 4, at, 2), old) for at in (0, 2))
    sums = [_followed(m, half, 2 * number + at, products) for at, half in enumerate((low, high))]
    return each(m.state.active, lambda x, y: Term("pack", (Term("f16", (x,)), Term("f16", (y,)))), *sums)


def _of_warpgroup(thread: int, element: int) -> tuple[int, int]:
    warp, lane = thread // 32 % 4, thread % 32
    return 16 * warp + lane // 4 + 8 * (element // 2 % 2), 8 * (element // 4) + 2 * (lane % 4) + element % 2


def _of_warp(thread: int, element: int) -> tuple[int, int]:
    lane = thread % 32
    return lane // 4 + 8 * (element // 2), 2 * (lane % 4) + element % 2


def _of_mirrored_warp(thread: int, element: int) -> tuple[int, int]:
    row = (thread >> 1 & 6) | thread & 1
    return _of_warp(4 * row + thread % 64 // 16, element)


def _of_wave(thread: int, element: int) -> tuple[int, int]:
    return thread % 64 // 16 * 4 + element, thread % 16


def _multiplied(
    m: Machine,
    kind: str,
    rows: int,
    columns: int,
    a: _Operand,
    b: _Operand,
    place: Callable[[int, int], tuple[int, int]],
) -> Product:
    when = m.state.when(m.state.active.first)
    m.state.products.append(Product(len(m.state.products) + 1, kind, rows, columns, a, b, place, when))
    return m.state.products[-1]


def _followed(m: Machine, old: Value, element: int, products: Sequence[Product | None]) -> Value:
    """Sums after a product, which is the only one or has a number for each warp."""
    old = plain(old)
    chains: dict[tuple[int, int], tuple[Product, ...]] = {}

    def follow(value: Scalar, warp: int) -> Scalar:
        while isinstance(value, Term) and value.op in ("fpext", "f16") and _has_sum(value):
            value = value.parts[0]
        product = products[warp]
        if product is None:
            raise Refused("a part of a warp multiplies or exchanges")
        if isinstance(value, Sum) and value.element == element and value.thread < 0:
            key = id(value.products), warp
            if key not in chains:
                chains[key] = (*value.products, product)
            return Sum(element, chains[key])
        if value == 0:
            return Sum(element, chains.setdefault((0, warp), (product,)))
        if isinstance(value, Term) and value.op == "fadd" and isinstance(value.parts[1], Sum):
            return Term("fadd", (value.parts[0], follow(value.parts[1], warp)))
        return Term("fadd", (value, Sum(element, (product,))))

    if len(products) == 1:
        if not isinstance(old, (Many, tuple, Loaded)):
            return follow(old, 0)
        known: dict[int, Scalar] = {}  # threads of a warp mostly have one chain
        return each(m.state.active, lambda v: known.get(id(v)) or known.setdefault(id(v), follow(v, 0)), old)
    size, count = m.state.warp, len(m.state.active.mask)
    if m.state.active.all:
        # Mostly the lanes of a warp have one chain.
        alike = old.reshape(-1, size) if type(old) is Many and type(old[0]) is Sum and count % size == 0 else None
        if type(old) is float or (alike is not None and (alike == alike[:, :1]).all()):
            firsts = listed(old, count)[::size]
            sums = np.empty(len(firsts), object)
            sums[:] = [follow(value, warp) for warp, value in enumerate(firsts)]
            return np.repeat(sums, size)[:count]
    known = {}
    results: list[Scalar | None] = [None] * count
    values = listed(old, count)
    for thread in m.state.active.threads:
        key = id(values[thread]) * 64 + thread // size
        if key not in known:
            known[key] = follow(values[thread], thread // size)
        results[thread] = known[key]
    return gathered(m.state.active, results)


def _has_sum(value: object) -> bool:
    return isinstance(value, Sum) or (isinstance(value, Term) and len(value.parts) == 1 and _has_sum(value.parts[0]))


def mma_sync(m: Machine, one: Instruction, values: list[Value]) -> None:
    """porter::mma_f32, mma_f16, mma_s32 and their forms that keep the accumulators: D's places, then A, B and C."""
    title = m.module.title(str(one.detail))
    kinds = _ELEMENT.findall(title)
    if len(kinds) < 2 or kinds[0] not in BYTES or kinds[1] not in BYTES or "mma_f64" in title:
        raise Refused("a matrix product of another kind")
    if "_kept" in title:
        values = values[1:]
    halves = "mma_f16" in title
    results = 2 if halves else 4
    operands = len(values) - 2 * results
    if operands not in (3, 6):
        raise Refused("a matrix product of another shape")
    of_a = operands * 2 // 3
    places, a, b, c = (
        values[:results],
        values[results : results + of_a],
        values[results + of_a : results + operands],
        values[-results:],
    )
    if "_kept" in title:
        c = [m.memory.load(place, _FLOAT) for place in places]
    kind = f"{kinds[0]} {kinds[1]}{' halves' if halves else ''}"
    left = _fragments(m, a, 16, BYTES[kinds[0]])
    right = _fragments(m, b, 8, BYTES[kinds[1]])
    place = _of_mirrored_warp if m.state.mirrored else _of_warp
    products: list[Product | None] = [None] * len(left)
    for warp, (rows, columns) in enumerate(zip(left, right)):
        if rows is not None and columns is not None:
            products[warp] = _multiplied(m, kind, 16, 8, rows, columns, place)
    products.append(None)  # never a single one: each warp has its own
    for number, (to, old) in enumerate(zip(places, c)):
        if not halves:
            m.memory.store(to, _FLOAT, _followed(m, old, number, products))
            continue
        m.memory.store(to, _WORD, _both_halves(m, old, number, products))


def _fragments(m: Machine, words: Sequence[Value], rows: int, size: int) -> Fragments:
    """By warp: the addresses of a fragment's elements, by row and k."""
    key: tuple[int | bytes, ...] = (rows, size, m.state.active.mask.tobytes(), *map(id, words))
    known = m.state.fragments.get(key)
    if known is not None:
        return list(known[0])
    count = len(m.state.active.mask)
    each_word, half = 4 // size, rows // 8
    tables: Fragments = [None] * (count // m.state.warp)
    at_once = [w.elements(size) if type(w) is Loaded and w.size == 4 else None for w in words]
    if not any(part is None for part in at_once):
        for warp, lanes in warps(m):
            table = np.zeros((rows, each_word * 4 * len(words) // half), np.int64)
            for number, part in enumerate(at_once):
                at = number // half * 4 * each_word
                eight = part[lanes].reshape(8, 4 * each_word)  # type: ignore[index]
                table[8 * (number % half) : 8 * (number % half) + 8, at : at + 4 * each_word] = eight
            tables[warp] = table
        m.state.fragments[key] = tables, list(words)
        return tables
    columns = [listed(w, count) for w in words]
    for warp, lanes in warps(m):
        shape = rows, each_word * 4 * len(words) // half
        try:
            tables[warp] = _table(columns, lanes, shape, size, np.int64, _addresses)
        except Refused:
            if not m.multiplies_values:
                raise
            tables[warp] = _table(columns, lanes, shape, size, object, _values)
    m.state.fragments[key] = tables, list(words)  # which are kept, so that no other value has their number
    return tables


def _table(
    columns: Sequence[list[Scalar]],
    lanes: Sequence[int],
    shape: tuple[int, int],
    size: int,
    kind: type,
    elements: Callable[[Scalar, int, int], Sequence[Scalar]],
) -> np.ndarray:
    """A fragment's elements by row and k, from the words that a warp's lanes hold."""
    rows, depth = shape
    half, each_word = rows // 8, 4 // size
    table: np.ndarray = np.zeros((rows, depth), kind)
    for lane, thread in enumerate(lanes):
        row, k = lane // 4, lane % 4 * each_word
        for number, column in enumerate(columns):
            at = number // half * 4 * each_word + k
            values = elements(column[thread], 4, size)
            table[row + 8 * (number % half), at : at + each_word] = [_of_thread(v, thread) for v in values]
    return table


def _of_thread(value: Scalar, thread: int) -> Scalar:
    """An element of a product's table: an address, or a value with the thread that it is of."""
    if isinstance(value, Element):
        return GLOBAL * (value.parameter + 1) + value.offset
    return Term("held", (value, thread)) if isinstance(value, (Term, Sum)) else value


def _values(value: Scalar, length: int, size: int) -> list[Scalar]:
    """The elements of a value of `length` bytes."""
    return [piece(value, length, at, size) for at in range(0, length, size)]


def _addresses(value: Scalar, length: int, size: int) -> list[int]:
    """Where the elements of a value of `length` bytes were loaded from; 0 for a zero."""
    if isinstance(value, Element):
        if value.size != length:
            raise Refused("operands of a product that are not as they lie in memory (load)")
        begin = GLOBAL * (value.parameter + 1) + value.offset
        return [begin + at for at in range(0, length, size)]
    if isinstance(value, Term):
        if value.op == "pack" and length % len(value.parts) == 0:
            each_part = length // len(value.parts)
            return [a for part in value.parts for a in _addresses(part, each_part, size)]
        if value.op == "zext" and isinstance(value.parts[0], (Term, Element)) and length == 8:
            return _addresses(value.parts[0], 4, size) + [0] * (4 // size)
        raise Refused(f"operands of a product that are not as they lie in memory ({value.op})")
    if value == 0:
        return [0] * (length // size)
    raise Refused("operands of a product that are not elements of memory")


_MFMA = {
    "f32.16x16x16f16": ("f16", 2), "f32.16x16x16bf16.1k": ("bf16", 2), "f32.16x16x8.xf32": ("tf32", 4),
    "i32.16x16x32.i8": ("s8", 1),
}  # fmt: skip


def mfma(m: Machine, name: str, values: list[Value]) -> Value:
    """16 x 16: row or column lane % 16, k by lane / 16; results: rows 4 (lane / 16) + i."""
    if name not in _MFMA or not m.state.mirrored:
        raise Refused("a matrix product of another kind")
    element, size = _MFMA[name]
    sums = values[2]
    if not isinstance(sums, tuple):
        raise Refused("an aggregate that is a symbol")
    count = len(m.state.active.mask)
    tables = []
    for operand in values[:2]:
        length = 8 if type(operand) is not tuple else size
        places: dict[int, np.ndarray] = {}
        whole = joined_parts([(length, v) for v in (operand if type(operand) is tuple else (operand,))])
        at_once = whole.elements(size) if whole is not None else None
        if at_once is not None:
            for warp, lanes in warps(m, in_order=True):
                share = at_once.shape[1]
                table = at_once[lanes].reshape(4, 16, share).transpose(1, 0, 2).reshape(16, 4 * share)
                places[warp] = table
            tables.append(places)
            continue
        parts = [listed(v, count) for v in (operand if type(operand) is tuple else (operand,))]
        for warp, lanes in warps(m, in_order=True):
            share = len(parts) * length // size
            table = np.zeros((16, 4 * share), np.int64)
            for lane, thread in enumerate(lanes):
                row = [a for column in parts for a in _addresses(column[thread], length, size)]
                table[lane % 16, lane // 16 * share : (lane // 16 + 1) * share] = row
            places[warp] = table
        tables.append(places)
    products: list[Product | None] = [None] * (count // 64 + 1)
    for warp, table in tables[0].items():
        products[warp] = _multiplied(m, f"{element} {element}", 16, 16, table, tables[1][warp], _of_wave)
    return tuple(_followed(m, old, number, products) for number, old in enumerate(sums))
