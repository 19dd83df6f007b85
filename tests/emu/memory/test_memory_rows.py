"""Every row of the memory tables against the model: random registers, addresses and data, full and partial EXEC."""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from families import family
from memory_machine import ALL, GLOBAL_SIZE, LANES, LDS_SIZE, SCRATCH_SIZE, Machine, State, lanes, random_state
from memory_model import LOADS, LOADS_LDS, STORES, STORES_LDS, atomic, swizzle_source

from porter.emu.table import instructions

FAMILIES = ("global", "flat", "scratch", "buffer", "lds", "atomic", "scalar_memory")
CACHES = {"buffer_wbl2", "buffer_inv", "ds_nop", "s_dcache_inv", "s_dcache_inv_vol", "s_dcache_wb", "s_dcache_wb_vol", "s_icache_inv"}  # fmt: skip

Place = tuple[np.ndarray, int] | tuple[np.ndarray, int, int] | None  # bytes, where, how many are inside; None: none
Apply = Callable[[State, int, Callable[[int], Place]], None]  # of one lane; the places by their number


@dataclass(frozen=True)
class Case:
    text: str
    size: int  # bytes that a lane touches at a place
    space: str
    apply: Apply
    floats: int = 0  # bits of the floats in memory, where NaNs need not agree in every bit


# ---- registers in the texts: v1 32-bit address, v[2:3] 64-bit one, v[4:7] data, v[8:11] second data, v[12:15] result --


def get(state: State, first: int, count: int, lane: int) -> int:
    return sum(int(state.registers[first - 1 + i, lane]) << 32 * i for i in range(count))


def put(state: State, first: int, words: list[int], lane: int) -> None:
    for i, word in enumerate(words):
        state.registers[first - 1 + i, lane] = word


def read(place: Place, size: int) -> int:
    if place is None:
        return 0
    inside = place[2] if len(place) == 3 else size
    return int.from_bytes(place[0][place[1] : place[1] + inside].tobytes(), "little")


def write(place: Place, value: int, size: int) -> None:
    if place is not None:
        inside = place[2] if len(place) == 3 else size
        place[0][place[1] : place[1] + inside] = np.frombuffer(value.to_bytes(size, "little")[:inside], np.uint8)


def span(first: int, count: int) -> str:
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def split(value: int, count: int) -> list[int]:
    return [value >> 32 * i & 0xFFFFFFFF for i in range(count)]


def load(kind: tuple[int, Callable[[int, int], list[int]]], result: int = 12) -> Apply:
    def apply(state: State, lane: int, place: Callable[[int], Place]) -> None:
        put(state, result, kind[1](read(place(0), kind[0]), get(state, result, 1, lane)), lane)

    return apply


def store(kind: tuple[int, Callable[[int], int]], data: int = 4) -> Apply:
    return lambda state, lane, place: write(place(0), kind[1](get(state, data, 4, lane)), kind[0])


def exchange(operation: str, bits: int, result: int | None, data: int = 4, second: int | None = None) -> Apply:
    """Reads, writes, and gives the old value back."""
    count = bits // 32

    def apply(state: State, lane: int, place: Callable[[int], Place]) -> None:
        a = get(state, data, count, lane)
        b = get(state, second if second else data + count, count, lane)
        old = read(place(0), bits // 8)
        write(place(0), atomic(operation, bits, old, a, b), bits // 8)
        if result:
            put(state, result, split(old, count), lane)

    return apply


def to_lds(kind: tuple[int, Callable[[int, int], list[int]]], offset: int) -> Apply:
    def apply(state: State, lane: int, place: Callable[[int], Place]) -> None:
        at = (state.m0 & 0xFFFF) + offset + 4 * lane
        write((state.lds, at), kind[1](read(place(0), kind[0]), 0)[0], 4)

    return apply


_ATOMIC = re.compile(r"(?:global|flat|buffer)_atomic_(\w+?)(_x2)?(\.rtn)?$")
_FLOAT_ATOMICS = {
    "add_f32": ("fadd", 32), "add_f64": ("fadd", 64), "min_f64": ("fmin", 64), "max_f64": ("fmax", 64),
    "pk_add_f16": ("pk_f16", 32), "pk_add_bf16": ("pk_bf16", 32),
}  # fmt: skip
_NAN_BITS = {"fadd": 0, "pk_f16": 16, "pk_bf16": 17}


def nan_bits(operation: str, bits: int) -> int:
    return _NAN_BITS.get(operation, 0) or (bits if operation == "fadd" else 0)


def memory_cases(name: str) -> list[Case]:
    """Of global, flat, scratch and buffer rows."""
    family = name.split("_")[0]
    bare = name.removesuffix(".rtn").removesuffix(".lds")
    tail = ""
    atomic = _ATOMIC.match(name)
    floats = 0
    if atomic:
        operation, bits = _FLOAT_ATOMICS.get(atomic[1], (atomic[1], 64 if atomic[2] else 32))
        count = bits // 32 * (2 if operation == "cmpswap" else 1)
        result = 12 if atomic[3] and family != "buffer" else 4 if atomic[3] else None
        size, data, floats = bits // 8, span(4, count), nan_bits(operation, bits)
        apply = exchange(operation, bits, result)
        front = [span(12, bits // 32)] if atomic[3] and family != "buffer" else []
        tail = " sc0" if atomic[3] else ""
    elif "_load_lds_" in name or name.endswith(".lds"):
        kind = LOADS[bare.rpartition("_")[2]]
        size, data, front, apply = kind[0], "", [], to_lds(kind, 16)
        tail = " lds" if name.endswith(".lds") else ""
    elif "_load_" in name:
        kind = LOADS[name.split("_load_")[1]]
        width = len(kind[1](0, 0))
        size, data, front, apply = kind[0], "", [span(12, width)], load(kind)
    else:
        kind_of_store = STORES[name.split("_store_")[1]]
        width = max(1, kind_of_store[0] // 4)
        size, data, front, apply = kind_of_store[0], span(4, width), [], store(kind_of_store)
    middle = [data] if data else []
    if family == "buffer":
        front, middle = front or middle, []
    landing = bool(not front and not data)
    cases = []
    for form, space in _FORMS[family]:
        address, *rest = form.split(" | ")
        operands = [*front, address.split("; ")[0], *middle, *address.split("; ")[1:]]
        offset = "offset:16" if landing else rest[0] if rest else ""
        modifiers = " ".join(part for part in (*rest[1:], offset) if part)
        cases.append(Case(f"{bare} {', '.join(operands)} {modifiers}".strip() + tail, size, space, apply, floats))
    return cases


# address operands around the data; the offset; modifiers
_FORMS = {
    "global": [("v[2:3]; off", "wide"), ("v1; s[24:25]", "saddr"), ("v[2:3]; off | offset:-24", "wide"),
               ("v1; s[24:25] | offset:4000", "saddr")],
    "flat": [("v[2:3]", "flat"), ("v[2:3] | offset:40", "flat")],
    "scratch": [("v1; off", "scratch v"), ("off; s23 | offset:8", "scratch s"), ("v1; s23 | offset:-4", "scratch vs"),
                ("off; off | offset:12", "scratch")],
    "buffer": [("v1; s[28:31]; s23 |  | offen", "offen"), ("v1; s[28:31]; 4 | offset:100 | offen", "offen"),
               ("off; s[28:31]; s23 | offset:8", "off"), ("v1; s[28:31]; s23 | offset:4 | idxen", "idxen"),
               ("v[2:3]; s[28:31]; 0 | offset:4 | idxen | offen", "idxen offen"),
               ("v[2:3]; s[28:31]; 0 |  | idxen | offen", "swizzled"),
               ("v1; s[28:31]; s23 |  | offen", "swizzle bit, no index")],
}  # fmt: skip


def lds_cases(name: str) -> list[Case]:
    tail = name.removeprefix("ds_")
    two = re.match(r"(read|write|wrxchg)2(st64)?(?:_rtn)?_b(\d+)$", tail)
    if two:
        return [_two_places(name, *two.groups())]
    if tail in ("append", "consume", "read_addtid_b32", "write_addtid_b32"):
        return [Case(f"{name} {'v4' if 'write' in name else 'v12'} offset:64", 4, "m0", _by_m0(tail))]
    if tail in ("bpermute_b32", "permute_b32"):
        return [Case(f"{name} v12, v1, v4 offset:{offset}", 4, "lanes", _permute(tail, offset)) for offset in (0, 8)]
    if tail == "swizzle_b32":
        return [Case(f"{name} v12, v4 offset:{text}", 4, "lanes", _swizzle(value)) for text, value in _SWIZZLES]
    if tail.startswith("read"):
        kind = LOADS_LDS[tail.removeprefix("read_")]
        text = f"{name} {span(12, len(kind[1](0, 0)))}, v1"
        return [Case(text + offset, kind[0], "lds", load(kind)) for offset in ("", " offset:1000")]
    if tail.startswith("write"):
        kind_of_store = STORES_LDS[tail.removeprefix("write_")]
        text = f"{name} v1, {span(4, max(1, kind_of_store[0] // 4))}"
        return [Case(text + offset, kind_of_store[0], "lds", store(kind_of_store)) for offset in ("", " offset:1000")]
    return [_lds_atomic(name, tail)]


def _lds_atomic(name: str, tail: str) -> Case:
    words = tail.split("_")
    returns = "rtn" in words
    kind = words[-1]
    operation = words[0]
    bits = int(kind[1:]) if kind[1:].isdigit() and operation != "pk" else 32
    if operation == "pk":
        operation = f"pk_{kind}"
    elif operation in ("min", "max"):
        operation = {"i": "s", "u": "u", "f": "f"}[kind[0]] + operation
    elif kind[0] == "f":
        operation = "f" + operation
    operation = {"wrxchg": "swap", "condxchg32": "condxchg"}.get(operation, operation)
    two = operation in ("cmpst", "fcmpst", "mskor", "wrap")
    count = bits // 32
    operands = [span(12, count)] * returns + ["v1", span(4, count)] + [span(8, count)] * two
    apply = exchange(operation, bits, 12 if returns else None, 4, 8)
    return Case(f"{name} {', '.join(operands)} offset:1000", bits // 8, "lds", apply, nan_bits(operation, bits))


def _two_places(name: str, what: str, st64: str | None, bits: str) -> Case:
    count = int(bits) // 32
    size = 4 * count
    unit = size * (64 if st64 else 1)
    offsets = (1, 0) if size * 64 == unit else (200, 3)
    text = {
        "read": f"{name} {span(12, 2 * count)}, v1",
        "write": f"{name} v1, {span(4, count)}, {span(8, count)}",
        "wrxchg": f"{name} {span(12, 2 * count)}, v1, {span(4, count)}, {span(8, count)}",
    }[what]

    def apply(state: State, lane: int, place: Callable[[int], Place]) -> None:
        places = [place(offset * unit) for offset in offsets]
        old = [word for at in places for word in split(read(at, size), count)]
        if what != "read":
            write(places[0], get(state, 4, count, lane), size)
            write(places[1], get(state, 8, count, lane), size)
        if what != "write":
            put(state, 12, old, lane)

    return Case(f"{text} offset0:{offsets[0]} offset1:{offsets[1]}", size, f"lds2 {max(offsets) * unit}", apply)


def _by_m0(tail: str) -> Apply:
    def apply(state: State, lane: int, place: Callable[[int], Place]) -> None:
        base = (state.m0 & 0xFFFF) + 64
        if "addtid" in tail:
            at = (state.lds, base + 4 * lane)
            if tail.startswith("read"):
                put(state, 12, [read(at, 4)], lane)
            else:
                write(at, get(state, 4, 1, lane), 4)
            return
        active = lanes(state.exec)
        if lane == active[0]:
            old = read((state.lds, base), 4)
            for each in active:
                put(state, 12, [old], each)
            change = len(active) if tail == "append" else -len(active)
            write((state.lds, base), (old + change) & 0xFFFFFFFF, 4)

    return apply


def _at_first_lane(whole: Callable[[State], list[int]]) -> Apply:
    """What happens to all lanes at once, from their values before."""

    def apply(state: State, lane: int, place: Callable[[int], Place]) -> None:
        active = lanes(state.exec)
        if lane == active[0]:
            new = whole(state)
            for each in active:
                put(state, 12, [new[each]], each)

    return apply


def _permute(tail: str, offset: int) -> Apply:
    def whole(state: State) -> list[int]:
        target = [(int(x) + offset) // 4 % 64 for x in state.registers[0]]
        data = [int(x) for x in state.registers[3]]
        out = [0] * LANES
        for lane in range(LANES):
            if tail.startswith("b"):
                out[lane] = data[target[lane]] if state.exec >> target[lane] & 1 else 0
            elif state.exec >> lane & 1:
                out[target[lane]] = data[lane]
        return out

    return _at_first_lane(whole)


_SWIZZLES = [
    ("swizzle(QUAD_PERM,1,0,3,2)", 0x80B1), ('swizzle(BITMASK_PERM,"01pip")', 0b00010_01000_00111),
    ("swizzle(SWAP,16)", 0x401F), ("swizzle(REVERSE,8)", 0x1C1F), ("swizzle(BROADCAST,8,3)", 3 << 5 | 0x18),
    ("swizzle(FFT,2)", 0xE002), ("swizzle(ROTATE,0,3)", 0xC060), ("swizzle(ROTATE,1,5)", 0xC4A0), ("51204", 51204),
    ("swizzle(QUAD_PERM, 3, 3, 0, 1)", 0x804F),
]  # fmt: skip


def _swizzle(offset: int) -> Apply:
    def whole(state: State) -> list[int]:
        source = [swizzle_source(lane, offset) for lane in range(LANES)]
        return [int(state.registers[3, s]) if state.exec >> s & 1 else 0 for s in source]

    return _at_first_lane(whole)


# ---- where a lane's access goes, said by the operands' text ---------------------------------------------------------


def _offsets(text: str) -> int:
    offset = re.search(r"\boffset:(-?\d+)\b", text)
    return int(offset[1]) if offset else 0


def place_of(case: Case, state: State, lane: int) -> Callable[[int], Place]:
    offset = _offsets(case.text)
    v1 = int(state.registers[0, lane])
    v23 = get(state, 2, 2, lane)
    if case.space in ("wide", "saddr"):
        return lambda more: _global(state, v23 + offset if case.space == "wide" else state.saddr + v1 + offset)
    if case.space == "flat":
        return lambda more: _flat(state, v23 + offset, lane)
    if case.space.startswith("scratch"):
        kind = case.space.partition(" ")[2]
        at = ("v" in kind) * v1 + ("s" in kind) * state.soffset + offset
        return lambda more: (state.scratch[lane], at & 0xFFFFFFFF)
    if case.space.startswith("lds"):
        return lambda more: (state.lds, (v1 + offset + more) & 0xFFFFFFFF)
    return lambda more: _buffer(case, state, lane, offset)


def _global(state: State, address: int) -> Place:
    for array in (state.memory, state.other):
        if array.ctypes.data <= address < array.ctypes.data + array.nbytes:
            return array, address - array.ctypes.data
    raise AssertionError(f"no memory at {address:#x}")


def _flat(state: State, address: int, lane: int) -> Place:
    if address >> 48 == 1:
        return state.lds, address & 0xFFFFFFFF
    if address >> 48 == 2:
        return state.scratch[lane], address & 0xFFFFFFFF
    return _global(state, address)


def _buffer(case: Case, state: State, lane: int, offset: int) -> Place:
    words = state.rsrc
    base, stride, records = words[0] | (words[1] & 0xFFFF) << 32, words[1] >> 16 & 0x3FFF, words[2]
    soffset = state.soffset if " s23" in case.text else 4 if "], 4" in case.text else 0
    index = int(state.registers[1 if "offen" in case.text else 0, lane]) if "idxen" in case.text else 0
    if "offen" in case.text:
        offset += int(state.registers[2 if "idxen" in case.text else 0, lane])
    if "idxen" in case.text:
        if index >= records or (case.space == "swizzled" and offset >= stride):
            return None
    elif offset + case.size > records - soffset:  # loads and stores: dword by dword; atomics: all or nothing
        inside = max(records - soffset - offset, 0) // 4 * 4
        if case.size < 4 or "atomic" in case.text or not inside:
            return None
        return *_global(state, base + soffset + offset), inside
    if case.space == "swizzled":
        per = 8 << (words[3] >> 21 & 3)
        row, column, element = index // per, index % per, offset // 4
        return _global(state, base + soffset + (row * stride + element * 4) * per + column * 4 + offset % 4)
    return _global(state, base + soffset + index * stride + offset)


# ---- random states --------------------------------------------------------------------------------------------------

PATTERNS = ("random", "consecutive", "same", "masked", "masked consecutive", "one", "none", "two")


def arrange(case: Case, pattern: str, rng: np.random.Generator) -> State:
    state = random_state(rng)
    size = case.size
    state.exec = {"one": 1 << int(rng.integers(64)), "none": 0}.get(pattern, ALL)
    if pattern.startswith("masked"):
        state.exec = int(rng.integers(1, 1 << 63)) & int(rng.integers(1, 1 << 63)) | 1 << 63
    state.m0 = int(rng.integers(0, 64)) * 4 | int(rng.integers(0, 1 << 16)) << 16
    offset = _offsets(case.text)
    _values(state, case, rng)
    moves = "_load" in case.text or "_read" in case.text
    step = 1 if moves and pattern != "same" else size

    def pick(room: int) -> np.ndarray:
        """Offsets of the lanes inside `room` bytes: aligned slots, each once where it matters; loads anywhere."""
        step_of = size if room < LANES * step or "atomic" in case.text or not moves else step
        count = (room - size) // step_of + 1
        if pattern.endswith("consecutive") and LANES * size <= room:
            return np.arange(LANES) * size
        if pattern == "same":
            return np.full(LANES, int(rng.integers(count)) * step_of)
        if moves or "atomic" in case.text or count < LANES or case.space == "lds":
            return rng.integers(count, size=LANES) * step_of
        return rng.permutation(count)[:LANES] * step_of

    state.saddr = state.memory.ctypes.data
    if case.space == "saddr":
        state.registers[0] = pick(GLOBAL_SIZE - offset) if offset < GLOBAL_SIZE else 0
    elif case.space in ("wide", "flat"):
        _wide(state, case, pattern, rng, pick, offset)
    elif case.space.startswith("scratch"):
        state.soffset = 8
        extra = {"scratch v": offset, "scratch vs": offset + 8}.get(case.space, 0)
        room = (SCRATCH_SIZE - max(extra, 0) - size) // 4
        state.registers[0] = rng.integers(0, room + 1, LANES) * 4 - min(extra, 0)
    elif case.space == "lds":
        state.registers[0] = pick(LDS_SIZE - offset)
    elif case.space.startswith("lds2"):
        top = int(case.space.split()[1])
        state.registers[0] = rng.permutation(LDS_SIZE - top - size * LANES)[0] // size * size + np.arange(LANES) * size
        if pattern == "random":
            state.registers[0] = rng.permutation(state.registers[0])
    elif case.space not in ("lanes", "m0"):
        _descriptor(state, case, rng, pick)
    return state


def _values(state: State, case: Case, rng: np.random.Generator) -> None:
    """Numbers near the edges among the random ones, in the data and where atomics meet them."""
    edges = np.array(
        [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00400000,
         0x3C003C00, 0x7C00FC00, 0x00010001, 0x3F803F81, 0x7FF00000, 0x3FF00000], np.uint32,
    )  # fmt: skip
    for row in range(3, 11):
        chosen = rng.random(LANES) < 0.4
        state.registers[row][chosen] = rng.choice(edges, int(chosen.sum()))
    for array in (state.memory, state.lds):
        words = array.view(np.uint32)
        chosen = rng.random(len(words)) < 0.4
        words[chosen] = rng.choice(edges, int(chosen.sum()))


def _wide(
    state: State, case: Case, pattern: str, rng: np.random.Generator, pick: Callable[[int], np.ndarray], offset: int
) -> None:
    address = state.memory.ctypes.data + 64 + pick(GLOBAL_SIZE - 128).astype(np.uint64)
    if pattern == "two":
        far = state.other.ctypes.data + rng.integers(0, 240 // case.size, LANES).astype(np.uint64) * case.size
        address = np.where(rng.random(LANES) < 0.5, address, far)
    if case.space == "flat" and pattern not in ("consecutive", "same"):
        kind = rng.random(LANES)
        shared = np.uint64(1 << 48) + (64 + pick(LDS_SIZE - 128)).astype(np.uint64)
        private = np.uint64(2 << 48) + (rng.integers(0, (SCRATCH_SIZE - case.size) // 8 + 1, LANES) * 8).astype(
            np.uint64
        )
        address = np.where(kind < 0.3, shared, np.where(kind < 0.6, private, address))
    address = address - np.uint64(offset) if offset >= 0 else address + np.uint64(-offset)
    state.registers[1] = address & np.uint64(0xFFFFFFFF)
    state.registers[2] = address >> np.uint64(32)


def _descriptor(state: State, case: Case, rng: np.random.Generator, pick: Callable[[int], np.ndarray]) -> None:
    base = state.memory.ctypes.data
    records, stride, last = 4000, 0, 0x20000
    state.soffset = 16
    if case.space in ("idxen", "idxen offen", "swizzled"):
        stride, records = 32, 100
        index = rng.integers(0, 120, LANES)
        state.registers[1 if "offen" in case.text else 0] = index
        low = 0 if case.space == "swizzled" else 4
        state.registers[2] = rng.integers(0, (32 - case.size - low) // 4 + 1, LANES) * 4
        if "atomic" in case.text and case.size == 8:  # the sum is to be a multiple of 8
            state.soffset = 20
            state.registers[2] = state.registers[2] // 8 * 8 + low
    elif case.space in ("offen", "swizzle bit, no index"):
        state.registers[0] = pick(4400)
    high = base >> 32 | stride << 16
    if case.space == "swizzle bit, no index":
        high |= 64 << 16 | 1 << 31
    if case.space == "swizzled":
        high, last = high | 1 << 31, 0x20000 | 1 << 21
        state.registers[2] = rng.integers(0, 9, LANES) * 4
        if "atomic" in case.text and case.size == 8:
            state.registers[1] *= 2  # neighbours are 4 bytes apart
    state.rsrc = (base & 0xFFFFFFFF, high & 0xFFFFFFFF, records, last)


# ---- the tests ------------------------------------------------------------------------------------------------------


def rows(family: str) -> list[str]:
    return [name for name, row in instructions().items() if row.family == family]


def cases_of(name: str) -> list[Case]:
    return lds_cases(name) if name.startswith("ds_") else memory_cases(name)


@functools.cache
def machine(family: str) -> Machine:
    return Machine([case.text for name in rows(family) if name not in CACHES for case in cases_of(name)])


def expected(case: Case, before: State) -> State:
    state = before.copy()
    for lane in lanes(state.exec):
        case.apply(state, lane, _moved(place_of(case, before, lane), before, state, lane))
    return state


def _moved(places: Callable[[int], Place], before: State, state: State, lane: int) -> Callable[[int], Place]:
    """The same places in the copy that the model changes."""

    def find(more: int) -> Place:
        place = places(more)
        if place is None:
            return None
        for old, new in ((before.memory, state.memory), (before.other, state.other), (before.lds, state.lds)):
            if place[0] is old:
                return new, *place[1:]
        return state.scratch[lane], *place[1:]

    return find


def same(got: np.ndarray, want: np.ndarray, floats: int) -> bool:
    if not floats:
        return np.array_equal(got, want)
    return np.array_equal(_quiet(got, floats), _quiet(want, floats))


def _quiet(array: np.ndarray, floats: int) -> np.ndarray:
    """With every NaN the same."""
    size, exponent = {16: (2, 0x7C00), 17: (2, 0x7F80), 32: (4, 0x7F800000), 64: (8, 0x7FF << 52)}[floats]
    words = np.ascontiguousarray(array).view(f"<u{size}").copy()
    words[(words & ((1 << 8 * size - 1) - 1)) > exponent] = exponent + 1
    return words


def check(family: str, name: str) -> None:
    for case in cases_of(name):
        for number, pattern in enumerate(PATTERNS):
            if (pattern == "two") > (case.space in ("wide", "flat")):
                continue
            rng = np.random.default_rng([zlib.crc32(case.text.encode()), number])
            before = arrange(case, pattern, rng)
            want = expected(case, before)
            after, done = machine(family).run(case.text, before)
            about = f"{case.text} ({pattern})"
            assert not done.faulted, f"{about}: {done.findings}"
            _compare(about, after, want, case.floats)


def _compare(about: str, after: State, want: State, floats: int) -> None:
    for part in ("memory", "other", "lds", "scratch"):
        assert same(getattr(after, part), getattr(want, part), floats), f"{about}: {part} differs"
    if floats == 64:  # the result's two rows as doubles
        for state in (after, want):
            low, high = state.registers[11].astype(np.uint64), state.registers[12].astype(np.uint64)
            nan = (high << np.uint64(32) | low) & np.uint64((1 << 63) - 1) > np.uint64(0x7FF << 52)
            state.registers[11][nan], state.registers[12][nan] = 1, 0x7FF00000
    wrong = np.argwhere(after.registers != want.registers)
    if floats in (16, 17, 32):
        wrong = wrong if not same(after.registers, want.registers, floats) else wrong[:0]
    assert not len(wrong), (
        f"{about}: v{wrong[0][0] + 1} lane {wrong[0][1]} is {after.registers[tuple(wrong[0])]:#x}, "
        f"not {want.registers[tuple(wrong[0])]:#x}"
    )


def names(*families: str) -> list[tuple[str, str]]:
    return [(family, name) for family in families for name in rows(family) if name not in CACHES]


@family(("family", "name"), names("global", "flat", "scratch", "buffer", "atomic", "lds"))
def test_row(family, name):
    check(family, name)
