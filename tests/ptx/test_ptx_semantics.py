"""The PTX helpers of the runtime against Python statements of the PTX ISA, run on the CPU.

The statements below follow the pseudocode of the PTX ISA bit by bit and share nothing with the C++.
"""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
import math
import random
import shutil
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from compiling import built

from porter.paths import RUNTIME_INCLUDE

INCLUDE = RUNTIME_INCLUDE

# name: result and argument types. u/s + bits, f32, f64; c is a carry passed by reference (in, out).
SIGNATURES = {
    **{f"shl_b{w}": (f"u{w}", f"u{w}", "u32") for w in (16, 32, 64)},
    **{f"shr_{s}{w}": (f"{s}{w}", f"{s}{w}", "u32") for s in "us" for w in (16, 32, 64)},
    **{f"shf_{d}_{m}": ("u32",) * 4 for d in "lr" for m in ("wrap", "clamp")},
    **{f"prmt{m}": ("u32",) * 4 for m in ("", "_f4e", "_b4e", "_rc8", "_ecl", "_ecr", "_rc16")},
    **{f"bfe_{s}{w}": (f"{s}{w}", f"{s}{w}", "u32", "u32") for s in "us" for w in (32, 64)},
    **{f"bfi_b{w}": (f"u{w}", f"u{w}", f"u{w}", "u32", "u32") for w in (32, 64)},
    **{f"bmsk_{m}": ("u32",) * 3 for m in ("clamp", "wrap")},
    **{f"szext_{s}32": (f"{s}32", f"{s}32", "u32", "bool") for s in "us"},
    **{f"bfind{x}_{s}{w}": ("u32", f"{s}{w}") for x in ("", "_shiftamt") for s in "us" for w in (32, 64)},
    **{f"{n}_b{w}": ("u32", f"u{w}") for n in ("clz", "popc") for w in (32, 64)},
    **{f"brev_b{w}": (f"u{w}", f"u{w}") for w in (32, 64)},
    "fns": ("u32", "u32", "u32", "s32"),
    "add_sat_s32": ("s32",) * 3,
    "sub_sat_s32": ("s32",) * 3,
    **{f"mul_hi_{s}{w}": (f"{s}{w}",) * 3 for s in "us" for w in (16, 32, 64)},
    **{f"mad_hi_{s}{w}": (f"{s}{w}",) * 4 for s in "us" for w in (32, 64)},
    "mad_hi_sat_s32": ("s32",) * 4,
    **{f"mul24_{h}_{s}32": (f"{s}32",) * 3 for h in ("lo", "hi") for s in "us"},
    "mad24_hi_sat_s32": ("s32",) * 4,
    **{f"{n}_{s}{w}": (f"{s}{w}",) * 3 for n in ("min", "max") for s in "us" for w in (16, 32, 64)},
    **{f"sad_{s}{w}": (f"{s}{w}",) * 4 for s in "us" for w in (16, 32, 64)},
    **{f"abs_s{w}": (f"s{w}",) * 2 for w in (16, 32, 64)},
    **{f"{n}_{s}16x2": ("u32",) * 3 for n in ("add", "min", "max") for s in "us"},
    **{f"{n}_u{w}": (f"u{w}", f"u{w}", f"u{w}", "c") for n in ("add_cc", "addc_cc", "sub_cc", "subc_cc") for w in (32, 64)},
    **{f"dp4a_{a}_{b}": ("u32",) * 4 for a in ("u32", "s32") for b in ("u32", "s32")},
    **{f"dp2a_{h}_{a}_{b}": ("u32",) * 4 for h in ("lo", "hi") for a in ("u32", "s32") for b in ("u32", "s32")},
    **{f"vabsdiff{n}{x}_u32": ("u32",) * 4 for n in (2, 4) for x in ("", "_add")},
    **{f"cvt_pack_sat_{t}": ("u32", "s32", "s32", "u32") for t in ("u8", "s8")},
    **{f"cvt_pack_sat_{t}": ("u32", "s32", "s32") for t in ("u16", "s16")},
    **{f"cvt_rn_satfinite_{f}": ("u32", "f32") for f in ("e4m3", "e5m2")},
    "cvt_f16_e4m3": ("u16", "u32"),
    "cvt_rn_f16x2_e5m2x2": ("u32", "u16"),
    **{f"cvt_{r}_bf16_f32": ("u16", "f32") for r in ("rn", "rz")},
    **{f"cvt_{r}_f16_f32": ("u16", "f32") for r in ("rn", "rz")},
    **{f"cvt_{r}_tf32_f32": ("u32", "f32") for r in ("rna", "rn", "rz")},
    "cvt_f32_bf16": ("f32", "u16"),
    "cvt_f32_f16": ("f32", "u16"),
    "fma_bf16": ("u16",) * 4,
    "add_bf16": ("u16",) * 3,
    "mul_bf16": ("u16",) * 3,
    "fma_f16": ("u16",) * 4,
    "relu_f16": ("u16",) * 2,
    "relu_bf16": ("u16",) * 2,
    "min_f32": ("f32",) * 3,
    "max_f32": ("f32",) * 3,
    "min_nan_f32": ("f32",) * 3,
    "max_xorsign_abs_f32": ("f32",) * 3,
    "ftz": ("f32",) * 2,
    "saturate": ("f32",) * 2,
}  # fmt: skip
TEMPLATES = {
    **{f"cvt_sat_{d}_{a}": (f"cvt_sat<{{{d}}}>", d, a) for d in ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64") for a in ("u32", "s32", "u64", "s64")},
    **{f"cvt_{r}_{d}_{a}": (f"cvt_{r}<{{{d}}}>", d, a) for r in ("rni", "rzi", "rmi", "rpi") for d in ("u8", "s8", "u16", "s32", "u32", "s64", "u64") for a in ("f32", "f64")},
    **{f"cvt_{r}_{d}_{a}": (f"cvt_{r}_{d}", d, a) for r in ("rz", "rm", "rp") for d in ("f32", "f64") for a in ("u32", "s32", "u64", "s64")},
    **{f"cvt_rn_f16_{a}": ("cvt_rn_f16", "u16", a) for a in ("u32", "s32", "s64")},
    **{f"cvt_rn_bf16_{a}": ("cvt_rn_bf16", "u16", a) for a in ("u32", "s32", "u64", "s64")},
}  # fmt: skip
CTYPE = {"f32": "float", "f64": "double", "bool": "bool", "c": "uint32_t"} | {
    f"{s}{w}": f"{'u' if s == 'u' else ''}int{w}_t" for s in "us" for w in (8, 16, 32, 64)
}


def _source() -> str:
    out = [
        '#include "porter/ptx_float.h"',
        "using namespace porter;",
        "template <class T> T get(uint64_t v) { T t; __builtin_memcpy(&t, &v, sizeof(T)); return t; }",
        "template <class T> uint64_t put(T t) { uint64_t v = 0; __builtin_memcpy(&v, &t, sizeof(T)); return v; }",
    ]

    def wrap(name: str, call: str, types: Sequence[str]) -> None:
        arguments, before, after = [], "", ""
        for index, kind in enumerate(types[1:]):
            if kind == "c":
                before, after = f"uint32_t carry = uint32_t(a[{index}][i]);", "carries[i] = carry;"
                arguments.append("carry")
            else:
                arguments.append(f"get<{CTYPE[kind]}>(a[{index}][i])")
        out.append(
            f'extern "C" void {name}_(int n, const uint64_t* const* a, uint64_t* o, uint32_t* carries) {{ (void)carries;'
            f" for (int i = 0; i < n; ++i) {{ {before} o[i] = put<{CTYPE[types[0]]}>({call}({', '.join(arguments)})); {after} }} }}"
        )

    for name, types in SIGNATURES.items():
        wrap(name, f"porter::{name}", types)
    for name, (call, *types) in TEMPLATES.items():
        wrap(name, "porter::" + call.format(**CTYPE), types)
    cases = " ".join(f"case {i}: return lop3<{i}>(a, b, c);" for i in range(256))
    out.append(
        f'extern "C" uint32_t lop3_all(int lut, uint32_t a, uint32_t b, uint32_t c) {{ switch (lut) {{ {cases} }} return 0; }}'
    )
    return "\n".join(out) + "\n"


def _compiler() -> list[str] | None:
    for name in ("g++", "clang++", "c++"):
        if shutil.which(name):
            return [name]
    if importlib.util.find_spec("ziglang"):
        import sys

        return [sys.executable, "-m", "ziglang", "c++"]
    return None


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = _compiler()
    if compiler is None:
        pytest.skip("no C++ compiler for the CPU: neither g++, clang++ nor the ziglang package")
    source = tmp_path_factory.mktemp("ptx") / "ptx.cpp"
    source.write_text(_source())
    flags = ["-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fPIC", "-shared", f"-I{INCLUDE}"]
    return ctypes.CDLL(str(built([*compiler, *flags], source, ".so")))


# Values

EDGES32 = [0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFF, 0x800000, 0xFFFFFF,
           0x1000000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x01234567, 0x89ABCDEF]  # fmt: skip
AMOUNTS = [0, 1, 5, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 255, 256, 288, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _mask(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def _bits_of(kind: str) -> int:
    return {"bool": 1, "c": 1}.get(kind) or int(kind[1:])


def _values(kind: str, rng: random.Random, count: int) -> list[int]:
    """Raw bits: edges first, then random ones of all magnitudes."""
    if kind in ("bool", "c"):
        return [0, 1]
    if kind == "f32":
        edges = [0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0x7F800000,
                 0xFF800000, 0x7FC00000, 0x3F000000, 0x3FC00000, 0x40200000, 0x4F000000, 0xCF000000, 0x4F800000,
                 0x5F000000, 0xDF000000, 0x5F800000, 0x43E00000, 0x43E80000, 0x47600000, 0x477FE000, 0x477FF000]  # fmt: skip
        return (
            edges
            + [rng.getrandbits(32) for _ in range(count)]
            + [_f32_bits(rng.uniform(-1, 1) * 2.0 ** rng.randint(-20, 40)) for _ in range(count)]
        )
    if kind == "f64":
        return [_f64_bits(x) for x in (0.0, -0.0, 0.5, 1.5, 2.5, -0.5, 1e300, -1e300, math.inf, -math.inf, math.nan,
                2147483647.0, 2147483647.5, -2147483648.5, 9.3e18, -9.3e18, 1.9e19, 4294967295.5)] + [
            _f64_bits(rng.uniform(-1, 1) * 2.0 ** rng.randint(-20, 70)) for _ in range(count)
        ]  # fmt: skip
    bits = _bits_of(kind)
    edges = [e for e in EDGES32 if e < 1 << bits]
    edges += [(1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1]
    return edges + [rng.getrandbits(bits) >> rng.randrange(bits) for _ in range(count)]


def _f32_bits(x: float) -> int:
    return int.from_bytes(struct.pack("<f", x), "little")


def _f64_bits(x: float) -> int:
    return int.from_bytes(struct.pack("<d", x), "little")


def _f32(bits: int) -> float:
    return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])


def _f64(bits: int) -> float:
    return float(struct.unpack("<d", bits.to_bytes(8, "little"))[0])


def _call(library: ctypes.CDLL, name: str, columns: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    count = len(columns[0])
    arrays = [(ctypes.c_uint64 * count)(*column) for column in columns]
    pointers = (ctypes.POINTER(ctypes.c_uint64) * len(arrays))(
        *(ctypes.cast(a, ctypes.POINTER(ctypes.c_uint64)) for a in arrays)
    )
    out, carries = (ctypes.c_uint64 * count)(), (ctypes.c_uint32 * count)()
    getattr(library, name + "_")(count, pointers, out, carries)
    return list(out), list(carries)


# The PTX ISA's statements, on raw bits; each gives raw bits.


def _shift(name: str) -> Callable[..., int]:
    bits, left, signed = int(name[5:]), name.startswith("shl"), name[4] == "s"

    def run(a: int, b: int) -> int:
        b = min(b, bits)
        if left:
            return _mask(a << b, bits)
        return _mask(_signed(a, bits) >> b, bits) if signed else a >> b

    return run


def _shf(name: str) -> Callable[..., int]:
    left, wrap = name[4] == "l", name.endswith("wrap")

    def run(a: int, b: int, c: int) -> int:
        n = c & 0x1F if wrap else min(c, 32)
        return _mask((b << n) | (a >> (32 - n)), 32) if left else _mask((b << (32 - n)) | (a >> n), 32)

    return run


_PRMT = {
    "f4e": ["3210", "4321", "5432", "6543"], "b4e": ["5670", "6701", "7012", "0123"],
    "rc8": ["0000", "1111", "2222", "3333"], "ecl": ["3210", "3211", "3222", "3333"],
    "ecr": ["0000", "1110", "2210", "3210"], "rc16": ["1010", "3232", "1010", "3232"],
}  # fmt: skip


def _prmt(name: str) -> Callable[..., int]:
    mode = name[5:]

    def run(a: int, b: int, c: int) -> int:
        pair = [(b << 32 | a) >> (8 * i) & 0xFF for i in range(8)]
        digits = _PRMT[mode][c & 3] if mode else f"{c & 0xFFFF:04x}"
        value = 0
        for position, digit in enumerate(reversed(digits)):
            select = int(digit, 16)
            byte = pair[select & 7]
            if select & 8:
                byte = 0xFF if byte & 0x80 else 0
            value |= byte << (8 * position)
        return value

    return run


def _bfe(name: str) -> Callable[..., int]:
    bits, signed = int(name[5:]), name[4] == "s"

    def run(a: int, b: int, c: int) -> int:
        msb, pos, length = bits - 1, b & 0xFF, c & 0xFF
        sbit = 0 if not signed or length == 0 else a >> min(pos + length - 1, msb) & 1
        value = 0
        for i in range(bits):
            value |= ((a >> (pos + i) & 1) if i < length and pos + i <= msb else sbit) << i
        return value

    return run


def _bfi(name: str) -> Callable[..., int]:
    bits = int(name[5:])

    def run(a: int, b: int, c: int, d: int) -> int:
        pos, length, value = c & 0xFF, d & 0xFF, b
        for i in range(length):
            if pos + i > bits - 1:
                break
            value = value & ~(1 << (pos + i)) | (a >> i & 1) << (pos + i)
        return value

    return run


def _bmsk(name: str) -> Callable[..., int]:
    def run(a: int, b: int) -> int:
        if name.endswith("wrap"):
            return _mask(((1 << (b & 31)) - 1) << (a & 31), 32)
        return _mask(((1 << min(b, 32)) - 1) << min(a, 32), 32)

    return run


def _szext(name: str) -> Callable[..., int]:
    def run(a: int, b: int, wrap: int) -> int:
        n = b & 31 if wrap else min(b, 32)
        low = a & ((1 << n) - 1)
        if name[6] == "s" and n and low >> (n - 1):
            low |= _mask(-1 << n, 32)
        return low

    return run


def _bfind(name: str) -> Callable[..., int]:
    shift, signed, bits = "shiftamt" in name, name[-3] == "s", int(name[-2:])

    def run(a: int) -> int:
        if signed and _signed(a, bits) < 0:
            a = _mask(~a, bits)
        for i in range(bits - 1, -1, -1):
            if a >> i & 1:
                return bits - 1 - i if shift else i
        return 0xFFFFFFFF

    return run


def _fns(mask: int, base: int, offset: int) -> int:
    offset = _signed(offset, 32)
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    pos, count, step = base, abs(offset) - 1, 1 if offset > 0 else -1
    while 0 <= pos < 32:
        if mask >> pos & 1:
            if count == 0:
                return pos
            count -= 1
        pos += step
    return 0xFFFFFFFF


def _clamp(value: int, kind: str) -> int:
    bits = _bits_of(kind)
    low, high = (0, (1 << bits) - 1) if kind[0] == "u" else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    return _mask(min(max(value, low), high), bits)


def _wide(name: str) -> Callable[..., int]:
    """Everything that is one formula over integers, sign and width taken from the name."""
    kind = name.split("_")[-1]
    bits, signed = (16 if kind.endswith("x2") else int(kind[1:])), kind[0] == "s"

    def number(v: int) -> int:
        return _signed(v, bits) if signed else _mask(v, bits)

    def low24(v: int) -> int:
        return _signed(v, 24) if signed else v & 0xFFFFFF

    def run(*raw: int) -> int:
        v = [number(r) for r in raw]
        if kind.endswith("x2"):
            word = 0
            for half in range(2):
                a, b = (number(r >> (16 * half)) for r in raw)
                result = {"add": a + b, "min": min(a, b), "max": max(a, b)}[name[:3]]
                word |= _mask(result, 16) << (16 * half)
            return word
        if name.startswith("add_sat"):
            return _clamp(v[0] + v[1], kind)
        if name.startswith("sub_sat"):
            return _clamp(v[0] - v[1], kind)
        if name.startswith("mul_hi"):
            return _mask(v[0] * v[1] >> bits, bits)
        if name.startswith("mad_hi_sat"):
            return _clamp((v[0] * v[1] >> bits) + v[2], kind)
        if name.startswith("mad_hi"):
            return _mask((v[0] * v[1] >> bits) + v[2], bits)
        if name.startswith("mul24_lo"):
            return _mask(low24(raw[0]) * low24(raw[1]), 32)
        if name.startswith("mul24_hi"):
            return _mask(low24(raw[0]) * low24(raw[1]) >> 16, 32)
        if name.startswith("mad24_hi_sat"):
            return _clamp((low24(raw[0]) * low24(raw[1]) >> 16) + v[2], kind)
        if name.startswith(("min", "max")):
            return _mask((min if name[:3] == "min" else max)(v[0], v[1]), bits)
        if name.startswith("sad"):
            return _mask(v[2] + abs(v[0] - v[1]), bits)
        if name.startswith("abs"):
            return _mask(abs(v[0]), bits)
        raise AssertionError(name)

    return run


def _carry(name: str) -> Callable[..., int]:
    bits = int(name[-2:])

    def run(a: int, b: int, carry: int) -> int:
        total = {"add_cc": a + b, "addc_cc": a + b + carry, "sub_cc": a - b, "subc_cc": a - b - carry}[name[:-4]]
        return _mask(total, bits) | (total >> bits & 1) << bits

    return run


def _dot(name: str) -> Callable[..., int]:
    a_kind, b_kind = name.split("_")[-2:]

    def part(word: int, index: int, bits: int, kind: str) -> int:
        value = word >> (bits * index) & ((1 << bits) - 1)
        return _signed(value, bits) if kind == "s32" else value

    def run(a: int, b: int, c: int) -> int:
        if name.startswith("dp4a"):
            return _mask(c + sum(part(a, i, 8, a_kind) * part(b, i, 8, b_kind) for i in range(4)), 32)
        first = 2 if "_hi_" in name else 0
        return _mask(c + sum(part(a, i, 16, a_kind) * part(b, first + i, 8, b_kind) for i in range(2)), 32)

    return run


def _vabsdiff(name: str) -> Callable[..., int]:
    parts = int(name[8])
    bits = 32 // parts

    def run(a: int, b: int, c: int) -> int:
        differences = [abs(_mask(a >> (bits * i), bits) - _mask(b >> (bits * i), bits)) for i in range(parts)]
        if "_add" in name:
            return _mask(c + sum(differences), 32)
        return sum(d << (bits * i) for i, d in enumerate(differences))

    return run


def _pack(name: str) -> Callable[..., int]:
    kind = name.split("_")[-1]
    bits = int(kind[1:])

    def run(a: int, b: int, c: int = 0) -> int:
        pair = _clamp(_signed(a, 32), kind) << bits | _clamp(_signed(b, 32), kind)
        return _mask(c << 16 | pair, 32) if bits == 8 else pair

    return run


def _reference(name: str) -> Callable[..., int]:
    table: list[tuple[tuple[str, ...], Callable[[str], Callable[..., int]]]] = [
        (("shl_", "shr_"), _shift), (("shf_",), _shf), (("prmt",), _prmt), (("bfe_",), _bfe), (("bfi_",), _bfi),
        (("bmsk",), _bmsk), (("szext",), _szext), (("bfind",), _bfind), (("fns",), lambda _: _fns),
        (("clz",), lambda n: lambda a: int(n[5:]) - a.bit_length()), (("popc",), lambda _: lambda a: a.bit_count()),
        (("brev",), lambda n: lambda a: int(f"{a:0{n[6:]}b}"[::-1], 2)),
        (("add_cc", "addc_cc", "sub_cc", "subc_cc"), _carry), (("dp",), _dot), (("vabsdiff",), _vabsdiff),
        (("cvt_pack",), _pack),
        (("add_sat", "sub_sat", "mul", "mad", "min_u", "min_s", "max_u", "max_s", "sad", "abs", "add_u", "add_s"), _wide),
    ]  # fmt: skip
    for prefixes, make in table:
        if name.startswith(prefixes):
            return make(name)
    raise LookupError(name)


INTEGER = [
    n
    for n, t in SIGNATURES.items()
    if not any(k.startswith("f") for k in t) and "f16" not in n and "e4m3" not in n and "e5m2" not in n
]


@pytest.mark.parametrize("name", INTEGER)
def test_integer_helper(library: ctypes.CDLL, name: str) -> None:
    types = SIGNATURES[name][1:]
    rng = random.Random(name)
    columns = []
    for index, kind in enumerate(types):
        values = _values(kind, rng, 10)
        amount = name.startswith(("sh", "bfe", "bfi", "bmsk", "szext")) and (
            index == len(types) - 1 or (kind == "u32" and index >= 1)
        )
        if amount and kind == "u32" and not (name.startswith("bfi_b32") and index == 1):
            values = AMOUNTS + [rng.randrange(70) for _ in range(10)]
        if name == "fns":
            values = [[*EDGES32, *values], list(range(32)), [_mask(n, 32) for n in range(-34, 35)]][index]
        if name.startswith("prmt") and index == 2:
            values = [
                0x3210,
                0x7654,
                0x8888,
                0xFEDC,
                0xBA98,
                0x0F5A,
                *range(8),
                *(rng.getrandbits(32) for _ in range(20)),
            ]
        columns.append(values)
    product = list(itertools.product(*columns))
    if len(product) > 30000:
        product = rng.sample(product, 30000)
    got, carries = _call(library, name, list(zip(*product)))
    reference = _reference(name)
    bits = _bits_of(SIGNATURES[name][0])
    for row, value, carry in zip(product, got, carries):
        wanted = reference(*row)
        if "c" in types:
            value |= carry << bits
        assert value == wanted, (name, [hex(v) for v in row], hex(value), hex(wanted))


def test_lop3_all_tables(library: ctypes.CDLL) -> None:
    library.lop3_all.restype = ctypes.c_uint32
    rng = random.Random(3)
    triples = [(0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA)] + [tuple(rng.getrandbits(32) for _ in range(3)) for _ in range(8)]
    for lut in range(256):
        for a, b, c in triples:
            wanted = sum((lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))
            assert library.lop3_all(lut, a, b, c) == wanted


# Floating point: exact rationals, rounded here.


def _decode(bits: int, mantissa: int, exponent: int) -> Fraction | None:
    """The value of a format with that many bits; None for NaN and infinity (IEEE formats)."""
    bias = (1 << (exponent - 1)) - 1
    sign = -1 if bits >> (mantissa + exponent) & 1 else 1
    e, m = bits >> mantissa & ((1 << exponent) - 1), bits & ((1 << mantissa) - 1)
    if e == (1 << exponent) - 1:
        return None
    if e == 0:
        return sign * Fraction(m) * Fraction(2) ** (1 - bias - mantissa)
    return sign * (Fraction(1 << mantissa) + m) * Fraction(2) ** (e - bias - mantissa)


def _round(value: Fraction, mantissa: int, exponent: int, mode: str = "rn") -> int:
    """Magnitude bits (no sign) of |value| rounded; overflow gives infinity or the largest number."""
    bias = (1 << (exponent - 1)) - 1
    magnitude, negative = abs(value), value < 0
    if magnitude == 0:
        return 0
    e = max(math.floor(math.log2(magnitude)) if magnitude < 2**900 else 900, 1 - bias)
    while Fraction(2) ** (e + 1) <= magnitude:
        e += 1
    while e > 1 - bias and Fraction(2) ** e > magnitude:
        e -= 1
    scaled = magnitude / Fraction(2) ** (e - mantissa)
    whole = scaled.numerator // scaled.denominator
    rest = scaled - whole
    up = {
        "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1 == 1),
        "rna": rest >= Fraction(1, 2), "rz": False,
        "rm": negative and rest > 0, "rp": not negative and rest > 0,
    }[mode]  # fmt: skip
    whole += bool(up)
    bits = whole if e == 1 - bias and whole < 1 << mantissa else ((e + bias - 1) << mantissa) + whole
    infinity = ((1 << exponent) - 1) << mantissa
    if bits >= infinity:
        away = mode in ("rn", "rna") or (mode == "rm" and negative) or (mode == "rp" and not negative)
        return infinity if away else infinity - 1
    return bits


def _float_cases(count: int = 400) -> list[int]:
    return _values("f32", random.Random(7), count)


@pytest.mark.parametrize("name,mantissa,exponent,mode", [
    ("cvt_rn_bf16_f32", 7, 8, "rn"), ("cvt_rz_bf16_f32", 7, 8, "rz"),
    ("cvt_rn_f16_f32", 10, 5, "rn"), ("cvt_rz_f16_f32", 10, 5, "rz"),
    ("cvt_rn_tf32_f32", 10, 8, "rn"), ("cvt_rz_tf32_f32", 10, 8, "rz"), ("cvt_rna_tf32_f32", 10, 8, "rna"),
])  # fmt: skip
def test_narrowing(library: ctypes.CDLL, name: str, mantissa: int, exponent: int, mode: str) -> None:
    width = 1 + mantissa + exponent
    cases = _float_cases()
    # the middles between neighbours, and just beside them
    cases += [c & ~((1 << (23 - mantissa)) - 1) | 1 << (22 - mantissa) for c in _float_cases(100)]
    cases += [_f32_bits(float(n + 0.5) * 2.0**-24) for n in range(40)]
    got, _ = _call(library, name, [cases])
    for bits, value in zip(cases, got):
        if "tf32" in name:
            assert value & 0x1FFF == 0
        exact = _decode(bits, 23, 8)
        if exact is None:
            if bits & 0x7FFFFF:
                if "f16_f32" in name and "bf16" not in name:  # the CPU's own NaN, as on the GPU
                    assert value & 0x7FFF > 0x7C00
                elif "rna" in name:
                    assert value == bits & ~0x1FFF
                else:
                    assert value == (0x7FFFE000 if "tf32" in name else 0x7FFF)
                continue
            wanted = ((1 << exponent) - 1) << mantissa
        else:
            wanted = _round(exact, mantissa, exponent, mode)
        wanted |= (bits >> 31) << (width - 1)
        if "tf32" in name:
            wanted <<= 13
        assert value == wanted, (name, hex(bits), hex(value), hex(wanted))


def _fp8_values(mantissa: int) -> list[tuple[Fraction, int]]:
    values = []
    for bits in range(128):
        if mantissa == 3 and bits == 0x7F:
            continue
        if mantissa == 2 and bits >= 0x7C:
            continue
        e, m = bits >> mantissa, bits & ((1 << mantissa) - 1)
        bias = 7 if mantissa == 3 else 15
        value = Fraction(m) * Fraction(2) ** (1 - bias - mantissa) if e == 0 else (
            Fraction((1 << mantissa) + m) * Fraction(2) ** (e - bias - mantissa)
        )  # fmt: skip
        values.append((value, bits))
    return values


@pytest.mark.parametrize("name,mantissa", [("cvt_rn_satfinite_e4m3", 3), ("cvt_rn_satfinite_e5m2", 2)])
def test_fp8(library: ctypes.CDLL, name: str, mantissa: int) -> None:
    table = _fp8_values(mantissa)
    cases = _float_cases()
    for (low, _), (high, _) in itertools.pairwise(table):  # values, middles, and their neighbours
        for value in (low, (low + high) / 2):
            bits = _f32_bits(float(value))
            cases += [bits, bits | 0x80000000, bits + 1, max(bits - 1, 0)]
    got, _ = _call(library, name, [cases])
    for bits, result in zip(cases, got):
        exact = _decode(bits, 23, 8)
        if exact is None and bits & 0x7FFFFF:
            assert result == 0x7F
            continue
        sign = bits >> 31 << 7
        magnitude = Fraction(10**9) if exact is None else abs(exact)
        best = min(table, key=lambda v: (abs(v[0] - magnitude), v[1] & 1))
        assert result == sign | best[1], (hex(bits), hex(result), hex(sign | best[1]))


def test_fp8_to_half(library: ctypes.CDLL) -> None:
    got, _ = _call(library, "cvt_f16_e4m3", [list(range(256))])
    values = {b: v for v, b in _fp8_values(3)}
    for bits, half in enumerate(got):
        if bits & 0x7F == 0x7F:
            assert half & 0x7FFF == 0x7FFF
        else:
            assert _decode(half, 10, 5) == values[bits & 0x7F] * (-1 if bits & 0x80 else 1)
            assert half >> 15 == bits >> 7
    got, _ = _call(library, "cvt_rn_f16x2_e5m2x2", [[0x1234, 0xFC01, 0x80FF]])
    assert got == [0x12003400, 0xFC000100, 0x80007FFF]  # NaN is 0x7fff, as on an H200
    every, _ = _call(library, "cvt_rn_f16x2_e5m2x2", [list(range(256))])
    assert every == [0x7FFF if code & 0x7F > 0x7C else code << 8 for code in range(256)]


def test_bf16_arithmetic_rounds_once(library: ctypes.CDLL) -> None:
    rng = random.Random(11)
    rows = [tuple(rng.getrandbits(16) for _ in range(3)) for _ in range(6000)]
    # products whose sum lies on or beside the middle of two bf16 numbers
    for _ in range(6000):
        a, b = 0x3F80 | rng.getrandbits(7), 0x3F80 | rng.getrandbits(7)
        rows.append(
            (a, b, rng.choice([0, 0x8000]) | (0x3F80 - rng.randrange(0, 60) * 0x80 & 0x7FFF) | rng.getrandbits(7))
        )
    got, _ = _call(library, "fma_bf16", list(zip(*rows)))
    for (a, b, c), value in zip(rows, got):
        x, y, z = (_decode(v, 7, 8) for v in (a, b, c))
        if x is None or y is None or z is None:
            continue
        exact = x * y + z
        if exact == 0:
            assert value & 0x7FFF == 0
            continue
        assert value == _round(exact, 7, 8) | (exact < 0) << 15, (hex(a), hex(b), hex(c), hex(value))
    for name in ("add_bf16", "mul_bf16"):
        got, _ = _call(library, name, [list(c) for c in zip(*((a, b) for a, b, _ in rows))])
        for (a, b, _), value in zip(rows, got):
            x, y = _decode(a, 7, 8), _decode(b, 7, 8)
            if x is None or y is None or (exact := x + y if name == "add_bf16" else x * y) == 0:
                continue
            assert value == _round(exact, 7, 8) | (exact < 0) << 15, (name, hex(a), hex(b), hex(value))


def test_half_fma_rounds_once(library: ctypes.CDLL) -> None:
    rng = random.Random(12)
    rows = [tuple(rng.getrandbits(16) for _ in range(3)) for _ in range(5000)]
    got, _ = _call(library, "fma_f16", list(zip(*rows)))
    wrong = 0
    for (a, b, c), value in zip(rows, got):
        x, y, z = (_decode(v, 10, 5) for v in (a, b, c))
        if x is None or y is None or z is None or (exact := x * y + z) == 0:
            continue
        wrong += value != _round(exact, 10, 5) | (exact < 0) << 15
    assert wrong == 0


def _from_int(name: str, kind: str) -> tuple[int, int, str]:
    target = name.split("_")[2]
    mantissa, exponent = {"f32": (23, 8), "f64": (52, 11), "f16": (10, 5), "bf16": (7, 8)}[target]
    return mantissa, exponent, name.split("_")[1]


@pytest.mark.parametrize("name", TEMPLATES)
def test_conversion(library: ctypes.CDLL, name: str) -> None:
    _, to, source = TEMPLATES[name]
    rng = random.Random(name)
    cases = _values(source, rng, 300)
    if source[0] in "us":
        bits = _bits_of(source)
        cases += [((1 << k) + d) & ((1 << bits) - 1) for k in range(bits) for d in (-1, 0, 1)]
    got, _ = _call(library, name, [cases])
    for raw, value in zip(cases, got):
        if source[0] in "us":
            number = _signed(raw, _bits_of(source)) if source[0] == "s" else raw
            if name.startswith("cvt_sat"):
                wanted = _clamp(number, to)
            else:
                mantissa, exponent, mode = _from_int(name, to)
                wanted = _round(Fraction(number), mantissa, exponent, mode) | (number < 0) << (mantissa + exponent)
        else:
            x = _f32(raw) if source == "f32" else _f64(raw)
            bits = _bits_of(to)
            if math.isnan(x):
                wanted = 1 << (bits - 1) if bits == 64 or source == "f64" else 0
            elif math.isinf(x):
                wanted = _clamp(10**30 if x > 0 else -(10**30), to)
            else:
                exact = Fraction(x)
                rounded = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}[name.split("_")[1]](
                    exact
                )
                wanted = _clamp(rounded, to)
        assert value == wanted, (name, hex(raw), hex(value), hex(wanted))


def test_float_minimum_and_maximum(library: ctypes.CDLL) -> None:
    values = _float_cases(20)
    rows = list(itertools.product(values, values))
    for name in ("min_f32", "max_f32", "min_nan_f32", "max_xorsign_abs_f32"):
        got, _ = _call(library, name, list(zip(*rows)))
        for (a, b), value in zip(rows, got):
            nan_a, nan_b = (v & 0x7FFFFFFF > 0x7F800000 for v in (a, b))
            if "xorsign" in name:
                if nan_a or nan_b:
                    continue
                assert value == max(a & 0x7FFFFFFF, b & 0x7FFFFFFF) | ((a ^ b) & 0x80000000)
                continue
            if nan_a or nan_b:
                if "nan" in name:
                    assert value == 0x7FFFFFFF
                elif not (nan_a and nan_b):
                    assert value == (b if nan_a else a)
                continue

            def order(v: int) -> int:  # total order of the numbers, -0 below +0
                return v if v < 0x80000000 else 0x7FFFFFFF - v

            assert value == (min if name.startswith("min") else max)(a, b, key=order)


def test_flush_saturate_and_relu(library: ctypes.CDLL) -> None:
    cases = _float_cases()
    for raw, value in zip(cases, _call(library, "ftz", [cases])[0]):
        assert value == (raw & 0x80000000 if raw & 0x7F800000 == 0 else raw)
    for raw, value in zip(cases, _call(library, "saturate", [cases])[0]):
        x = _f32(raw)
        assert value == (0 if math.isnan(x) or x <= 0 else _f32_bits(min(x, 1.0)))
    halves = list(range(65536))
    for name, infinity in (("relu_f16", 0x7C00), ("relu_bf16", 0x7F80)):
        for raw, value in zip(halves, _call(library, name, [halves])[0]):
            assert value == (0x7FFF if raw & 0x7FFF > infinity else 0 if raw & 0x8000 else raw)
