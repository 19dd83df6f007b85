"""Matrix instructions against numpy, and their layouts against AMD's matrix instruction calculator.

data/mfma_layout.json holds what the calculator (`--architecture cdna3`) says of some positions of each matrix:
[matrix, row, column, block, cbsz, abid, blgp, register, lowest bit, lane]; matrix k is the index of a sparse A.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import itertools
import json
import re
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from families import family

from porter.emu.device import Module, allow, forbid
from porter.emu.image import build_image
from porter.emu.table import instructions

LAYOUT = json.loads((Path(__file__).parent / "data" / "mfma_layout.json").read_text())
BITS = {"f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8, "fp8": 8, "bf8": 8}
BLGP = [
    (0, 1, 2, 3), (0, 1, 0, 1), (2, 3, 2, 3), (1, 2, 3, 0), (0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3),
]  # fmt: skip
CASES = 6


@dataclass(frozen=True)
class Shape:
    name: str
    out: str
    m: int
    k: int
    blocks: int
    a: str
    b: str
    sparse: bool

    @property
    def depth(self):  # elements of A in a lane
        return self.m * self.k * self.blocks // 64 // (2 if self.sparse else 1)

    @property
    def registers(self):  # of A, B and D
        depth_b = self.depth * (2 if self.sparse else 1)
        wide = 2 if self.out == "f64" else 1
        return (
            self.depth * BITS[self.a] // 32, depth_b * BITS[self.b] // 32, self.m * self.m * self.blocks // 64 * wide,
        )  # fmt: skip


def shape(name):
    match = re.match(r"v_(s?)mfmac?_(\w\d\d)_(\d+)x\d+x(\d+)_(?:(\d+)b_)?(\w+)$", name)
    sparse, out, m, k, blocks, types = match.groups()
    a, _, b = types.partition("_")
    return Shape(name, out, int(m), int(k), int(blocks or 1), a, b or a, bool(sparse))


NAMES = [n for n, row in instructions().items() if row.family == "mfma" and "alias" not in row.semantics]
ALIASES = [n for n, row in instructions().items() if row.family == "mfma" and "alias" in row.semantics]
SHAPES = {name: shape(name) for name in NAMES}
DENSE = [name for name in NAMES if not SHAPES[name].sparse]
SPARSE = [name for name in NAMES if SHAPES[name].sparse]

# ---- layout ---------------------------------------------------------------------------------------------------------


def place_input(s, row, k, block, depth):
    """Which element of which lane holds (row, k) of a block of A, or (k, row) of B."""
    return k % depth, row + s.m * (block + s.blocks * (k // depth))


def place_output(s, i, j, block):
    """The register (or pair of them) and the lane of D's element."""
    if s.out == "f64":
        return (i // 4, 16 * (i % 4) + j) if s.m == 16 else (0, 16 * i + 4 * block + j)
    if s.m == 32:
        return 16 * block + i // 8 * 4 + i % 4, i // 4 % 2 * 32 + j
    return (4 * block + i % 4, i // 4 * 16 + j) if s.m == 16 else (i, 4 * block + j)


@family("name", NAMES)
def test_layout(name):
    s = SHAPES[name]
    about = LAYOUT[name]
    assert about["shape"] == [s.m, s.m, s.k, s.blocks]
    for matrix, row, column, block, cbsz, abid, blgp, register, bit, lane in about["places"]:
        bits = BITS[s.a]
        if matrix == "d":
            at, actual_lane = place_output(s, row, column, block)
            bits = 64 if s.out == "f64" else 32
        elif matrix == "b":
            at, actual_lane = place_input(s, column, row, block, s.registers[1] * 32 // bits)
            actual_lane = 16 * BLGP[blgp][actual_lane // 16] + actual_lane % 16
        elif not s.sparse:
            at, actual_lane = place_input(s, row, column, (block >> cbsz << cbsz) + abid, s.depth)
        else:
            # Four columns share two elements, and four bits of the index
            at, actual_lane = place_input(s, row, column // 4, 0, s.depth // 2)
            bits = 2 * bits if matrix == "a" else 4
            if matrix == "k" and not cbsz:
                at += abid * s.depth // 2
        assert (at * bits // 32, at * bits % 32, actual_lane) == (register, bit, lane), (matrix, row, column, block)


def test_every_instruction_of_the_calculator_is_there():
    assert set(LAYOUT) == set(NAMES)


# ---- numbers --------------------------------------------------------------------------------------------------------


def fma32(a, b, c):
    """a * b + c, rounded once: doubles hold the product exactly; their sum is rounded to odd, then to f32."""
    with np.errstate(all="ignore"):
        product = a.astype(np.float64) * b.astype(np.float64)
        c = c.astype(np.float64)
        total = product + c
        part = total - product
        error = (product - (total - part)) + (c - part)
        bits = total.view(np.int64)
        inexact = np.isfinite(error) & (error != 0) & ((bits & 1) == 0) & np.isfinite(total)
        away = (error > 0) == (total > 0)
        bits = np.where(inexact, np.where(away, bits + 1, bits - 1), bits)
        return bits.view(np.float64).astype(np.float32)


@functools.cache
def _fma():
    fma = ctypes.CDLL(ctypes.util.find_library("m")).fma
    fma.restype, fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
    return np.vectorize(fma, otypes=[np.float64])


def fma64(a, b, c):
    with np.errstate(all="ignore"):
        return _fma()(a, b, c)


def fnuz(fraction, bias):
    byte = np.arange(256)
    exponent, low = byte >> fraction & (0x7F >> fraction), byte & (1 << fraction) - 1
    value = np.where(
        exponent, (low + (1 << fraction)) * 2.0 ** (exponent - bias - fraction), low * 2.0 ** (1 - bias - fraction)
    )
    value = np.where(byte & 0x80, -value, value)
    value[0x80] = np.nan
    return value.astype(np.float32)


FNUZ = {"fp8": fnuz(3, 8), "bf8": fnuz(2, 16)}


def test_fnuz_tables():
    assert FNUZ["fp8"][[0x7F, 0x40, 0x01]].tolist() == [240.0, 1.0, 2.0**-10]
    assert FNUZ["bf8"][[0x7F, 0x40, 0x01]].tolist() == [57344.0, 1.0, 2.0**-17]


def elements(words, kind):
    """Registers (..., register, lane) as elements (..., element, lane)."""
    size = BITS[kind]
    if size == 64:
        pairs = words[..., 0::2, :].astype(np.uint64) | words[..., 1::2, :].astype(np.uint64) << np.uint64(32)
        return pairs.view(np.float64)
    parts = [words >> np.uint32(size * e) & np.uint32((1 << size) - 1) for e in range(32 // size)]
    raw = np.stack(parts, axis=-2).reshape(*words.shape[:-2], -1, 64)
    if kind == "f32":
        return raw.view(np.float32)
    if kind == "xf32":
        nan = np.isnan(raw.view(np.float32))
        return np.where(nan, np.float32(np.nan), (raw & np.uint32(0xFFFFE000)).view(np.float32))
    if kind == "f16":
        return raw.astype(np.uint16).view(np.float16).astype(np.float32)
    if kind == "bf16":
        return (raw << np.uint32(16)).view(np.float32)
    return raw.astype(np.uint8).view(np.int8).astype(np.int32) if kind == "i8" else FNUZ[kind][raw]


def expected(s, a, b, c, index=None, cbsz=0, abid=0, blgp=0):
    """D's registers, from those of A, B, C (case, register, lane)."""
    a, b = elements(a, s.a), elements(b, s.b)
    kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32}[s.out]
    c = elements(c, "f64") if s.out == "f64" else c.view(kind)
    if s.out == "f64":
        a, b, c = (-x if blgp >> n & 1 else x for n, x in enumerate((a, b, c)))
    elif blgp:
        b = b[..., [16 * BLGP[blgp][lane // 16] + lane % 16 for lane in range(64)]]
    block, i, j = np.ogrid[: s.blocks, : s.m, : s.m]
    spots = np.array([[[place_output(s, x, y, z) for y in range(s.m)] for x in range(s.m)] for z in range(s.blocks)])
    d_at, d_lane = spots[..., 0], spots[..., 1]
    total = c[:, d_at, d_lane]
    from_block = (block >> cbsz << cbsz) + abid if cbsz and not s.sparse else block
    step = fma64 if s.out == "f64" else fma32 if s.out == "f32" else lambda x, y, z: x * y + z
    for k in range(s.k // 2 if s.sparse else s.k):
        at, lane = place_input(s, i, k, from_block, s.depth)
        x = a[:, at, lane]
        if s.sparse:
            shift = 0 if cbsz else 2 * s.depth * abid
            pick = index[:, 0, lane] >> np.uint32(shift + 2 * at) & np.uint32(3)
            group = s.m * (k // s.depth)
            y = b[np.arange(len(b))[:, None, None, None], at // 2 * 4 + pick, group + j]
        else:
            at, lane = place_input(s, j, k, block, s.depth)
            y = b[:, at, lane]
        total = step(x, y, total)
    out = np.zeros_like(c)
    out[:, d_at, d_lane] = total
    if s.out != "f64":
        return out.view(np.uint32)
    bits = out.view(np.uint64)
    return (
        np.stack([bits & np.uint64(0xFFFFFFFF), bits >> np.uint64(32)], axis=2)
        .reshape(len(out), -1, 64)
        .astype(np.uint32)
    )


def same(s, found, wanted):
    """Bits agree; any NaN equals any other."""
    if s.out == "i32":
        np.testing.assert_array_equal(found, wanted)
        return
    values = [elements(x, s.out) for x in (found, wanted)]
    nans = [np.isnan(x) for x in values]
    np.testing.assert_array_equal(*nans)
    bits = [
        np.where(nan, 0, x.view(np.uint64 if s.out == "f64" else np.uint32))
        for nan, x in zip(nans, values, strict=True)
    ]
    np.testing.assert_array_equal(*bits)


SPECIAL = {
    "f32": [0, 0x80000000, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x80000001, 0x7F7FFFFF, 0x00800000],
    "f16": [0, 0x8000, 0x3C00, 0x7C00, 0xFC00, 0x7E00, 1, 0x8001, 0x7BFF, 0x0400],
    "bf16": [0, 0x8000, 0x3F80, 0x7F80, 0xFF80, 0x7FC0, 1, 0x8001, 0x7F7F, 0x0080],
}


def values(random, case, kind, registers, addend=False):
    """Registers of one operand: ordinary numbers, small integers, any bits, denormals, special values."""
    shape = registers, 64
    anything = random.integers(0, 1 << 32, shape, dtype=np.uint32)
    if kind in ("fp8", "bf8", "i8"):
        if case in (0, 1, 2):  # without NaN: 0x80 becomes 0
            bytes_ = anything.view(np.uint8)
            return np.where(bytes_ == 0x80, 0, bytes_).astype(np.uint8).view(np.uint32)
        return anything
    if kind == "f64":
        normal = random.normal(size=(registers // 2, 64))
        normal = np.round(normal * 8) if case == 1 else normal * 1e-310 if case == 2 else normal
        bits = normal.view(np.uint64)
        low_high = np.stack([bits & np.uint64(0xFFFFFFFF), bits >> np.uint64(32)], axis=1)
        return anything if case == 3 else low_high.reshape(registers, 64).astype(np.uint32)
    kind = "f32" if kind == "xf32" else kind
    if case == 3:
        return anything
    per = 32 // BITS[kind]
    if case == 4:
        raw = random.choice(np.array(SPECIAL[kind], dtype=np.uint64), (registers, per, 64))
    else:
        normal = random.normal(size=(registers, per, 64)).astype(np.float32)
        normal = np.round(normal * 8) if case == 1 else normal
        if case == 2:
            normal = normal * np.float32(0.0 if addend else 2.0**-16 if kind == "f16" else 2.0**-65)
        if case == 5 and kind != "f16":  # many products of nothing, so that a C, denormal or not, comes through
            exponents = random.integers(*((-40, -36) if kind == "bf16" else (-135, -70)), normal.shape)
            normal = np.ldexp(np.copysign(1 + np.abs(normal) % 1, normal), exponents)
            normal = normal * (addend | (random.random(normal.shape) < 0.3))
        bits = normal.astype(np.float32).view(np.uint32)
        raw = {"f32": bits, "bf16": bits >> 16, "f16": normal.astype(np.float16).view(np.uint16)}[kind].astype(
            np.uint64
        )
    return sum(raw[:, e] << np.uint64(BITS[kind] * e) for e in range(per)).astype(np.uint32)


def inputs(s, seed=0):
    random = np.random.default_rng(seed)
    a, b, d = s.registers
    kinds = (s.a, a), (s.b, b), ("f32" if s.out == "i32" else s.out, d)
    made = [np.stack([values(random, case, *kind, n == 2) for case in range(CASES)]) for n, kind in enumerate(kinds)]
    if s.out == "i32":
        made[2] = random.integers(0, 1 << 32, made[2].shape, dtype=np.uint32)
    return [*made, random.integers(0, 1 << 32, (CASES, 1, 64), dtype=np.uint32)]


# ---- running --------------------------------------------------------------------------------------------------------


def span(first, count):
    file, number = first[0], int(first[1:])
    return first if count == 1 else f"{file}[{number}:{number + count - 1}]"


def kernel(label, instruction, loads, store, count, before="", mode=""):
    """Loads registers (first, count), runs one instruction, stores the registers from `store` on; a case a workgroup."""
    size = sum(n for _, n in loads) * 256
    lines = [
        f"{label}:",
        "\ts_load_dwordx4 s[4:7], s[0:1], 0x0",
        f"\ts_mul_i32 s8, s2, {size}",
        "\ts_add_u32 s4, s4, s8",
        "\ts_addc_u32 s5, s5, 0",
        f"\ts_mul_i32 s8, s2, {count * 256}",
        "\ts_add_u32 s6, s6, s8",
        "\ts_addc_u32 s7, s7, 0",
        "\tv_lshlrev_b32_e32 v0, 2, v0",
    ]
    at = 0
    for first, n in loads:
        for register in range(n):
            lines.append(f"\tglobal_load_dword {first[0]}{int(first[1:]) + register}, v0, s[4:5] offset:{at}")
            at += 256
    lines += [before, f"\t{instruction}", "\ts_mov_b64 exec, -1"]
    for register in range(count):
        name = f"{store[0]}{int(store[1:]) + register}"
        lines.append(f"\tglobal_store_dword v0, {name}, s[6:7] offset:{256 * register}")
    lines += [
        "\ts_endpgm", '\t.section\t.rodata,"a",@progbits', f"\t.amdhsa_kernel {label}", "\t\t.amdhsa_kernarg_size 16",
        "\t\t.amdhsa_user_sgpr_count 2", "\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1",
        "\t\t.amdhsa_system_sgpr_workgroup_id_x 1", "\t\t.amdhsa_next_free_vgpr 256", "\t\t.amdhsa_accum_offset 128",
        mode, "\t.end_amdhsa_kernel", "\t.text", f"\t.set {label}.num_vgpr, 128", f"\t.set {label}.num_agpr, 128",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def run(s, data, a="v2", b="v8", c="v16", d="v64", constant=None, modifiers="", before="", mode="", name=None):
    """One instruction on every case of `data`: D's registers (case, register, lane)."""
    counts = s.registers
    loads = [(a, counts[0]), (b, counts[1])]
    arrays = list(data[:2])
    if s.sparse:
        loads += [("v12", 1), (d, counts[2])]
        arrays += [data[3], data[2]]
        last = "v12"
    else:
        last = constant or span(c, counts[2])
        if not constant:
            loads.append((c, counts[2]))
            arrays.append(data[2])
    operands = f"{span(d, counts[2])}, {span(a, counts[0])}, {span(b, counts[1])}, {last} {modifiers}"
    text = kernel("k", f"{name or s.name} {operands}".strip(), loads, d, counts[2], before, mode)
    source = np.ascontiguousarray(np.concatenate(arrays, axis=1))
    result = np.zeros((len(source), counts[2], 64), dtype=np.uint32)
    allow(source.ctypes.data, source.nbytes)
    allow(result.ctypes.data, result.nbytes)
    try:
        with Module(build_image("\t.text\n" + text)) as module:
            done = module.launch(
                "k", len(source), 64, struct.pack("<QQ", source.ctypes.data, result.ctypes.data), threads=1
            )
    finally:
        forbid(source.ctypes.data)
        forbid(result.ctypes.data)
    assert not done.faulted, done.findings
    return result


@family("name", NAMES)
def test_values(name):
    s = SHAPES[name]
    data = inputs(s)
    same(s, run(s, data), expected(s, *data))


@family("alias", ALIASES)
def test_aliases(alias):
    s = SHAPES[instructions()[alias].semantics.split("op_")[1]]
    data = inputs(s, 1)
    same(s, run(s, data, name=alias), expected(s, *data))


@family("name", NAMES)
def test_accumulation_registers(name):
    s = SHAPES[name]
    data = inputs(s, 2)
    wanted = expected(s, *data)
    same(s, run(s, data, a="a2", c="a16", d="a16"), wanted)
    same(s, run(s, data, b="a8", c="v16", d="a64"), wanted)


@family("name", NAMES)
def test_exec_has_no_say(name):
    s = SHAPES[name]
    data = inputs(s, 3)
    same(s, run(s, data, before="\ts_mov_b64 exec, 5"), expected(s, *data))


@family("name", DENSE)
def test_destination_over_sources(name):
    s = SHAPES[name]
    data = [x[:2] for x in inputs(s, 4)]
    wanted = expected(s, *data)
    for d in ("v16", "v18", "v14", "v2", "v8"):  # C itself, C shifted either way, A, B
        same(s, run(s, data, d=d, c="v16"), wanted)


@family("name, constant", itertools.product(DENSE, ["0", "-16", "64", "1.0", "-4.0", "0.15915494"]))
def test_inline_constant(name, constant):
    s = SHAPES[name]
    a, b, c, index = (x[:2] for x in inputs(s, 5))
    if "." in constant and s.out == "f64":
        value = 0.15915494309189532 if constant.startswith("0.159") else float(constant)
        bits = int.from_bytes(struct.pack("<d", value), "little")
    elif "." in constant:
        bits = int.from_bytes(struct.pack("<f", float(constant)), "little")
    else:
        bits = int(constant) & 0xFFFFFFFFFFFFFFFF
    filled = np.full_like(c, bits & 0xFFFFFFFF)
    if s.out == "f64":
        filled[:, 1::2] = bits >> 32
    same(s, run(s, (a, b, c, index), constant=constant), expected(s, a, b, filled))


@family("name", [name for name in DENSE if SHAPES[name].blocks > 1 and SHAPES[name].out != "f64"])
def test_broadcast_of_blocks(name):
    s = SHAPES[name]
    data = [x[:2] for x in inputs(s, 6)]
    for cbsz in range(1, s.blocks.bit_length()):
        for abid in range(1 << cbsz):
            result = run(s, data, modifiers=f"cbsz:{cbsz} abid:{abid}")
            same(s, result, expected(s, *data, cbsz=cbsz, abid=abid))


@family("name", [name for name in DENSE if SHAPES[name].a not in ("fp8", "bf8")])
def test_lane_groups_of_b(name):
    s = SHAPES[name]
    data = [x[:2] for x in inputs(s, 7)]
    for blgp in range(1, 8):
        bits = f"neg:[{blgp & 1},{blgp >> 1 & 1},{blgp >> 2}]" if s.out == "f64" else f"blgp:{blgp}"
        same(s, run(s, data, modifiers=bits), expected(s, *data, blgp=blgp))


@family("name", SPARSE)
def test_sets_of_indices(name):
    s = SHAPES[name]
    data = [x[:2] for x in inputs(s, 8)]
    for cbsz, abid in [*((0, n) for n in range(32 // (2 * s.depth))), (1, 0), (2, 1)]:
        modifiers = f"cbsz:{cbsz} abid:{abid}"
        same(s, run(s, data, modifiers=modifiers), expected(s, *data, cbsz=cbsz, abid=abid))


@pytest.mark.parametrize("name", ["v_mfma_f32_32x32x8_bf16", "v_mfma_f32_16x16x4_f32", "v_mfma_f64_16x16x4_f64"])
def test_mode_has_no_say(name):
    """Denormals stay and rounding is to nearest, whatever the kernel's mode: the descriptor asks to flush and cut."""
    s = SHAPES[name]
    data = inputs(s, 9)
    mode = "\t\t.amdhsa_float_denorm_mode_32 0\n\t\t.amdhsa_float_round_mode_32 3"
    same(s, run(s, data, mode=mode), expected(s, *data))
