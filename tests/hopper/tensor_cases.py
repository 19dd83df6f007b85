"""Tensor copies to try, as numbers; h200/tensor_probe.cu ran them on an H200 and h200/tensor_images.txt has what came out.

`image` is the model: what a load leaves in shared memory, what a store leaves in global memory.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from itertools import product

import numpy as np

__all__ = ["CASES", "GLOBAL_BYTES", "SHARED_BYTES", "TYPES", "Case", "Outcome", "crc", "image", "outcomes", "pattern"]

GLOBAL_BYTES = 1 << 16
SHARED_BYTES = 1 << 14

# CUtensorMapDataType, by number
U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, F32_FTZ, TF32, TF32_FTZ = range(13)
TYPES = {
    U8: 1,
    U16: 2,
    U32: 4,
    S32: 4,
    U64: 8,
    S64: 8,
    F16: 2,
    F32: 4,
    F64: 8,
    BF16: 2,
    F32_FTZ: 4,
    TF32: 4,
    TF32_FTZ: 4,
}
NONE, B32, B64, B128 = range(4)  # CUtensorMapSwizzle


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    dims: tuple[int, ...]
    box: tuple[int, ...]
    at: tuple[int, ...]  # coordinates
    type: int = BF16
    strides: tuple[int, ...] = ()  # bytes, without the first; packed where empty
    element_strides: tuple[int, ...] = ()
    swizzle: int = NONE
    offset: int = 0  # of the box in shared memory
    op: int = 0  # 0 load, 1 store, 2 reduction by addition, 3 by the minimum, 4 by the maximum

    @property
    def size(self) -> int:
        return TYPES[self.type]

    @property
    def pitches(self) -> tuple[int, ...]:
        if self.strides:
            return self.strides
        out, step = [], self.dims[0] * self.size
        for dim in self.dims[1:]:
            step = (step + 15) // 16 * 16
            out.append(step)
            step *= dim
        return tuple(out)

    @property
    def steps(self) -> tuple[int, ...]:
        return self.element_strides or (1,) * len(self.dims)

    @property
    def counts(self) -> tuple[int, ...]:
        """Elements along each dimension; the first one's stride is ignored."""
        return (self.box[0], *(-(-b // s) for b, s in zip(self.box[1:], self.steps[1:])))

    @property
    def legal(self) -> bool:
        """An H200 refuses the instruction where a row of the box does not start at 16 bytes."""
        return self.at[0] * self.size % 16 == 0

    @property
    def bytes(self) -> int:
        return int(np.prod(self.counts)) * self.size

    def line(self) -> str:
        rank = len(self.dims)
        numbers = [self.op, self.type, rank, *self.dims, *self.pitches, *self.box, *self.steps, self.swizzle]
        numbers += [self.offset, *self.at, self.bytes]
        return " ".join(map(str, numbers))


def _cases() -> list[Case]:
    out = []
    for swizzle, inner in ((NONE, 64), (B32, 16), (B64, 32), (B128, 64)):
        for at in ((0, 0), (40, 5), (-3, -2), (98, 19), (104, 3)):
            out.append(Case(f"swizzle{swizzle}", (100, 20), (inner, 24), at, swizzle=swizzle))
        for offset in (128, 384, 1024):
            out.append(Case(f"place{swizzle}", (100, 20), (inner, 16), (8, 1), swizzle=swizzle, offset=offset))
        out.append(Case(f"store{swizzle}", (100, 20), (inner, 24), (40, 5), swizzle=swizzle, op=1))
        out.append(Case(f"store{swizzle}", (100, 20), (inner, 24), (-3, -2), swizzle=swizzle, offset=1024, op=1))
    for swizzle, inner in ((B128, 32), (B128, 8), (B64, 8)):
        out.append(Case("narrow", (100, 20), (inner, 16), (8, 1), swizzle=swizzle))
    out.append(Case("steps", (64, 40), (32, 16), (8, 3), element_strides=(1, 2)))
    out.append(Case("steps", (64, 40), (32, 15), (8, 33), element_strides=(1, 4)))
    out.append(Case("steps0", (64, 40), (32, 16), (8, 3), element_strides=(2, 1)))
    out.append(Case("steps", (16, 9, 11), (16, 6, 8), (0, 1, 2), type=U32, element_strides=(1, 3, 2)))
    for kind in (U8, U16, U32, S32, U64, S64, F16, F32, F64, F32_FTZ, TF32, TF32_FTZ):
        out.append(Case("type", (50, 20), (16, 16), (40, 8), type=kind))
    out.append(Case("rank1", (200,), (64,), (150,), type=F32))
    out.append(Case("rank1", (200,), (256,), (-7,), type=U8))
    out.append(Case("rank3", (40, 9, 7), (32, 4, 3), (16, 6, 5), swizzle=B64))
    out.append(Case("rank4", (24, 5, 6, 4), (16, 3, 2, 3), (12, -1, 5, 2), type=F16, swizzle=B32))
    out.append(Case("rank5", (12, 5, 4, 3, 3), (8, 3, 2, 3, 2), (5, 3, -1, 1, 2), type=F32, swizzle=B32))
    out.append(Case("rank5", (12, 5, 4, 3, 3), (8, 3, 2, 3, 2), (5, 3, -1, 1, 2), type=F32, op=1))
    out.append(Case("strides", (33, 10, 3), (32, 8, 2), (1, 4, 1), type=U8, strides=(48, 1008)))
    for kind in (U32, S32, U64, F16, BF16, F32):
        out.append(Case("add", (50, 20), (16, 16), (40, 8), type=kind, op=2))
    return out


CASES = _cases()
# Not tried on an H200. Of rows of 51 the last pair of halves is half outside.
EXTREMES = [
    Case("extreme", (51, 20), (16, 16), (40, 8), type=kind, op=op) for kind in (U32, S32, F16, BF16) for op in (3, 4)
]


def pattern(count: int, seed: int) -> np.ndarray:
    """Bytes that look random; every float of them is finite and some are denormal."""
    index = np.arange(count // 4, dtype=np.uint64) + np.uint64(seed * 7919)
    words = ((index * np.uint64(2654435761)) >> np.uint64(7)).astype(np.uint32)
    words &= np.uint32(0xBF7FBF7F)  # no exponent of all ones, in 16 or 32 bits
    words[::5] &= np.uint32(0x807F807F)
    return words.view(np.uint8).copy()


def _swizzled(address: int, swizzle: int) -> int:
    if swizzle == NONE:
        return address
    return address ^ ((address >> 7 & ((1 << swizzle) - 1)) << 4)


def image(case: Case, whole: bool = False) -> np.ndarray:
    """The bytes after the copy: shared memory for a load, global memory for the others.

    `whole`: copies to global memory write the 16 bytes at the edge of a row whole, as an H200 does.
    """
    size, counts = case.size, case.counts
    memory, shared = pattern(GLOBAL_BYTES, 1), pattern(SHARED_BYTES, 2)
    edge = case.dims[0] if case.op == 0 or not whole else -(-case.dims[0] * size // 16) * 16 // size
    places = []
    for number, index in enumerate(product(*(range(n) for n in reversed(counts)))):
        where = [c + i * s for c, i, s in zip(case.at, reversed(index), (1, *case.steps[1:]))]
        inside = all(0 <= w < d for w, d in zip(where, (edge, *case.dims[1:])))
        source = where[0] * size + sum(w * p for w, p in zip(where[1:], case.pitches))
        places.append((_place(case, number), source if inside else -1))
    for place, source in places:
        if case.op == 0:
            shared[place : place + size] = memory[source : source + size] if source >= 0 else 0
        elif source >= 0:
            value = shared[place : place + size]
            if case.op >= 2:
                value = _REDUCTIONS[case.op](memory[source : source + size], value, case.type)
            memory[source : source + size] = value
        if case.op == 0 and case.type in (TF32, TF32_FTZ):
            word = shared[place : place + 4].view(np.uint32)
            word += np.uint32(0xFFF) + (word >> np.uint32(13) & np.uint32(1))
            word &= np.uint32(0xFFFFE000)
    return shared if case.op == 0 else memory


def _place(case: Case, number: int) -> int:
    """Rows that are shorter than the swizzle's span are padded to it."""
    row, byte = divmod(number * case.size, case.box[0] * case.size)
    pitch = case.box[0] * case.size if case.swizzle == NONE else 16 << case.swizzle
    return _swizzled(case.offset + row * pitch + byte, case.swizzle)


def _added(old: np.ndarray, value: np.ndarray, kind: int) -> np.ndarray:
    if kind == BF16:
        a, b = ((v.view(np.uint16).astype(np.uint32) << 16).view(np.float32) for v in (old, value))
        bits = (a + b).view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16).view(np.uint8)
    dtype = {U32: np.uint32, S32: np.int32, U64: np.uint64, F16: np.float16, F32: np.float32}[kind]
    with np.errstate(over="ignore"):
        return (old.copy().view(dtype) + value.copy().view(dtype)).view(np.uint8)


def _lower(old: np.ndarray, value: np.ndarray, kind: int) -> np.ndarray:
    return value if _number(value, kind) < _number(old, kind) else old.copy()


def _higher(old: np.ndarray, value: np.ndarray, kind: int) -> np.ndarray:
    return value if _number(value, kind) > _number(old, kind) else old.copy()


def _number(value: np.ndarray, kind: int) -> float:
    if kind == BF16:
        return float((value.view(np.uint16).astype(np.uint32) << 16).view(np.float32)[0])
    return float(value.copy().view({U32: np.uint32, S32: np.int32, F16: np.float16}[kind])[0])


_REDUCTIONS = {2: _added, 3: _lower, 4: _higher}


@dataclass(frozen=True, slots=True)
class Outcome:
    encoded: int
    completed: int  # whether the phase completed after as many bytes as the box has; -1: the instruction was refused
    crc: int


def outcomes(lines: list[str]) -> list[Outcome]:
    """What the H200 made of the cases."""
    words = [line.split() for line in lines if line.startswith("image ")]
    return [Outcome(int(w[1]), int(w[2]), int(w[3], 16)) for w in words]


def crc(data: np.ndarray) -> int:
    return zlib.crc32(data.tobytes())


if __name__ == "__main__":
    print("\n".join(case.line() for case in CASES))
