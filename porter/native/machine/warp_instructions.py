"""What warps do together: matrix products, loads and stores of matrices' fragments, shuffles.

A product keeps what it multiplied: the descriptors of its tiles, or for each element in the threads' registers the address
in global memory that it was loaded from. Layouts are PTX's (mma.sync, ldmatrix) and the matrix instructions' (MFMA).
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
    bound,
    joined,
    of_thread,
    piece,
)

__all__ = ["ldmatrix", "mfma", "mma_sync", "shared_address", "shuffled", "stmatrix", "wgmma"]

_Operand = Union[int, np.ndarray]  # as Product's

_FLOAT = Type("float", 32)
_WORD = Type("int", 32)
_WGMMA = re.compile(r"wgmma(_a)?(?:_kept)?<(.*)>$", re.DOTALL)
_ELEMENT = re.compile(r"porter::mma::(\w+)")


def shared_address(m: Machine, value: Value) -> int | np.ndarray:
    """A pointer or an address of shared memory as that."""
    if type(value) is Many and value.dtype != object:
        return np.where(value >= SHARED, value - np.uint64(SHARED), value)
    if type(value) is not int:
        raise Refused("an address of shared memory depends on data")
    return value - SHARED if value >= SHARED else value


# Products


def wgmma(m: Machine, one: Instruction, values: list[Value]) -> None:
    """A by a descriptor or in registers, B by a descriptor, whether D is added; then D's places."""
    title = m.module.title(str(one.detail))
    found = _WGMMA.search(title)
    if found is None or len(values) < 4:
        raise Refused("a matrix product whose type could not be read")
    text = re.sub(r"(?:, (?:float|unsigned int|int|uint32_t))+$", "", found[2])
    words = values[:4] if found[1] else []
    if words:  # which are as if they lay in shared memory K-major
        text = re.sub(r"^(.*, \d+, -?1, -?1), (\d)$", r"\1, 0, \2", text)
    kind, columns = kind_of(text), re.search(r">, (\d+)", text)
    a, b, add, *places = [0, *values[4:]] if words else values
    if any(type(v) is not int and (type(v) is not Many or v.dtype == object) for v in (a, b, add)):
        raise Refused("a matrix product's operands depend on data")
    added = m.known(add) & 1
    held = _fragments(m, words, 16, BYTES[kind.a]) if words else []
    for mask, first, second in _groups(m, a, b, bool(words)):
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


def _groups(m: Machine, a: Value, b: Value, apart: bool) -> Iterator[tuple[np.ndarray, int, int]]:
    """Threads that have the same descriptors. apart: of one warpgroup."""
    count = len(m.state.active.mask)
    together: dict[tuple[int, int, int], list[int]] = {}
    firsts, seconds = listed(a, count), listed(b, count)
    for thread in m.state.active.threads:
        together.setdefault((firsts[thread], seconds[thread], thread // 128 if apart else 0), []).append(thread)
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
    found = [
        _addresses(m.memory.load_shared(thread, at + SHARED, size), size, size)[0] for at in places.ravel().tolist()
    ]
    return np.array(found, np.int64).reshape(places.shape)


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
    """porter::mma_f32, mma_f16, mma_s32 and those that keep the accumulators: D's places, then A, B and C."""
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
    found: Fragments = [None] * (count // m.state.warp)
    at_once = [w.elements(size) if type(w) is Loaded and w.size == 4 else None for w in words]
    if not any(part is None for part in at_once):
        for warp, lanes in _warps(m):
            table = np.zeros((rows, each_word * 4 * len(words) // half), np.int64)
            for number, part in enumerate(at_once):
                at = number // half * 4 * each_word
                eight = part[lanes].reshape(8, 4 * each_word)  # type: ignore[index]
                table[8 * (number % half) : 8 * (number % half) + 8, at : at + 4 * each_word] = eight
            found[warp] = table
        m.state.fragments[key] = found, list(words)
        return found
    columns = [listed(w, count) for w in words]
    for warp, lanes in _warps(m):
        table = np.zeros((rows, each_word * 4 * len(words) // half), np.int64)
        for lane, thread in enumerate(lanes):
            row, k = lane // 4, lane % 4 * each_word
            for number, column in enumerate(columns):
                at = number // half * 4 * each_word + k
                table[row + 8 * (number % half), at : at + each_word] = _addresses(column[thread], 4, size)
        found[warp] = table
    m.state.fragments[key] = found, list(words)  # which are kept, so that no other value has their number
    return found


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
    count = len(m.state.active.mask)
    tables = []
    for operand in values[:2]:
        length = 8 if type(operand) is not tuple else size
        found: dict[int, np.ndarray] = {}
        whole = joined_parts([(length, v) for v in (operand if type(operand) is tuple else (operand,))])
        at_once = whole.elements(size) if whole is not None else None
        if at_once is not None:
            for warp, lanes in _warps(m, in_order=True):
                share = at_once.shape[1]
                table = at_once[lanes].reshape(4, 16, share).transpose(1, 0, 2).reshape(16, 4 * share)
                found[warp] = table
            tables.append(found)
            continue
        parts = [listed(v, count) for v in (operand if type(operand) is tuple else (operand,))]
        for warp, lanes in _warps(m, in_order=True):
            share = len(parts) * length // size
            table = np.zeros((16, 4 * share), np.int64)
            for lane, thread in enumerate(lanes):
                row = [a for column in parts for a in _addresses(column[thread], length, size)]
                table[lane % 16, lane // 16 * share : (lane // 16 + 1) * share] = row
            found[warp] = table
        tables.append(found)
    products: list[Product | None] = [None] * (count // 64 + 1)
    for warp, table in tables[0].items():
        products[warp] = _multiplied(m, f"{element} {element}", 16, 16, table, tables[1][warp], _of_wave)
    sums = values[2] if isinstance(values[2], tuple) else ()
    return tuple(_followed(m, old, number, products) for number, old in enumerate(sums))


def _warps(m: Machine, in_order: bool = False) -> Iterator[tuple[int, list[int]]]:
    """The threads of each warp, by CUDA's lane: one of two where warps are mirrored. In order: all of them."""
    for warp, begin in enumerate(range(0, len(m.state.active.mask), m.state.warp)):
        there = m.state.active.mask[begin : begin + m.state.warp]
        if there.all():
            if not m.state.mirrored or in_order:
                yield warp, list(range(begin, begin + m.state.warp))
            else:
                yield warp, [begin + (lane % 4 << 4 | (lane // 4 & 6) << 1 | lane // 4 & 1) for lane in range(32)]
        elif there.any():
            raise Refused("a part of a warp multiplies or exchanges")


# Matrices in shared memory


def ldmatrix(m: Machine, one: Instruction, values: list[Value]) -> None:
    rows, *places = values
    transposed = "<true" in m.module.title(str(one.detail))
    count = len(m.state.active.mask)
    rows = shared_address(m, rows)
    at_once = _matrices(m, rows, len(places), transposed) if type(rows) is Many else None
    if at_once is not None:
        for place, loaded in zip(places, at_once):
            m.memory.store(place, _WORD, loaded)
        return
    addresses = listed(rows, count)
    results: list[list[Scalar | None]] = [[None] * count for _ in places]
    for _, lanes in _warps(m):
        for number, result in enumerate(results):
            for lane, thread in enumerate(lanes):
                row, pair = lane // 4, lane % 4
                if transposed:
                    places_of = [addresses[lanes[8 * number + 2 * pair + i]] + 2 * row for i in (0, 1)]
                    halves = [m.memory.load_shared(thread, at + SHARED, 2) for at in places_of]
                    apart = all(type(h) in (Term, Element) for h in halves)  # in two rows
                    result[thread] = Term("pack", tuple(halves)) if apart else joined([(2, h) for h in halves])
                else:
                    at = addresses[lanes[8 * number + row]] + 4 * pair
                    result[thread] = m.memory.load_shared(thread, at + SHARED, 4)
    _to_mirrors(m, results)
    for place, result in zip(places, results):
        m.memory.store(place, _WORD, gathered(m.state.active, result))


def _matrices(m: Machine, rows: Many, count: int, transposed: bool) -> list[Loaded] | None:
    """Words that ldmatrix gives, where all of them were loaded from memory; None: not known at once."""
    threads = np.array([lanes for _, lanes in _warps(m)])  # by warp and CUDA's lane
    lane = np.arange(32)
    found = []
    for number in range(count):
        halves = []
        for half in range(2 if transposed else 1):
            row = 8 * number + (2 * (lane % 4) + half if transposed else lane // 4)
            within = 2 * (lane // 4) if transposed else 4 * (lane % 4)
            places = rows[threads[:, row]] + (within + SHARED).astype(np.uint64)
            one = m.memory.loaded(threads.ravel(), places.ravel(), 2 if transposed else 4)
            if one is None:
                return None
            halves.append(one)
        word = joined_parts([(2, one) for one in halves]) if transposed else halves[0]
        if word is None:
            return None
        if m.state.mirrored:
            mirrors = np.flatnonzero(m.state.active.mask & (np.arange(len(word.at)) & 2 != 0))
            word.at[mirrors] = word.at[mirrors ^ 2]
        found.append(word)
    return found


def _to_mirrors(m: Machine, results: Sequence[list[Scalar | None]]) -> None:
    if m.state.mirrored:
        for result in results:
            for thread in m.state.active.threads:
                if thread & 2:
                    result[thread] = result[thread ^ 2]


def stmatrix(m: Machine, one: Instruction, values: list[Value]) -> None:
    rows, *words = values
    transposed = "<true" in m.module.title(str(one.detail))
    count = len(m.state.active.mask)
    addresses = listed(shared_address(m, rows), count)
    for _, lanes in _warps(m):
        for number, word in enumerate(words):
            column = listed(word, count)
            for lane, thread in enumerate(lanes):
                row, pair = lane // 4, lane % 4
                if transposed:
                    for i in (0, 1):
                        at = addresses[lanes[8 * number + 2 * pair + i]] + 2 * row
                        m.memory.store_shared(thread, at + SHARED, 2, piece(column[thread], 4, 2 * i, 2))
                else:
                    at = addresses[lanes[8 * number + row]] + 4 * pair
                    m.memory.store_shared(thread, at + SHARED, 4, column[thread])


def shuffled(m: Machine, one: Instruction, name: str, values: list[Value]) -> Value:
    """HIP's have the value first, CUDA's a mask before it."""
    at = 0 if one.operands[0][0] == one.type and len(values) < 4 else 1
    value, lane = values[at], values[at + 1]
    if type(value) is not Many and not of_thread(value):
        return value
    width = m.known(values[at + 2]) if len(values) > at + 2 else 32
    if m.state.mirrored or width != 32:
        raise Refused("shuffles of data")
    count = len(m.state.active.mask)
    held, steps = listed(value, count), listed(lane, count)
    results: list[Scalar | None] = [None] * count
    for _, lanes in _warps(m):
        for number, thread in enumerate(lanes):
            step = steps[thread]
            if type(step) is not int:
                raise Refused("shuffles whose lanes depend on data")
            source = (
                number ^ step
                if "xor" in name
                else number + step
                if "down" in name
                else (number - step if "up" in name else step % 32)
            )
            source = lanes[source] if 0 <= source < 32 else thread
            results[thread] = bound(held[source], source)
    return gathered(m.state.active, results)
