"""porter's headers for device functions that HIP lacks: what they compute, and that they compile.

The pure functions are compiled for the CPU by the clang that porter brings and compared with Python
statements of CUDA's documentation, which work on integers and fractions and share nothing with the C++.
"""

from __future__ import annotations

import ctypes
import fnmatch
import itertools
import math
import os
import random
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import reduce
from pathlib import Path

import pytest
from compiling import DEVICE, HOST, built, hip
from stub_declarations import stub_functions

from porter.cpp_library import has_system_cxx
from porter.paths import RUNTIME_INCLUDE
from porter.rules import load_rules
from porter.toolchain.pip_clang import find_pip_clang, pip_host_flags, zig_environment, zig_linker

TESTS = Path(__file__).resolve().parent
INCLUDE = RUNTIME_INCLUDE
MOCK = TESTS / "device_mock"
CLANG = find_pip_clang()

pytestmark = pytest.mark.skipif(not CLANG.complete, reason=f"no compiler here: {CLANG.fix}")

# name -> result and argument types; u/s + bits, f32, f64, b16 (a bf16 or half by its bits)
SIMD_2 = "add sub addss addus subss subus maxs maxu mins minu avgs avgu haddu absdiffs absdiffu sads sadu".split()
COMPARE = "eq ne ges geu gts gtu les leu lts ltu".split()
SIMD = [f"v{n}{w}" for w in "24" for n in [*SIMD_2, *(f"{k}{c}" for k in ("cmp", "set") for c in COMPARE)]]
SIMD_1 = [f"v{n}{w}" for w in "24" for n in ("abs", "absss", "neg", "negss")]
DPX_3 = [f"vi{n}_{s}" for s in ("s32", "u32", "s16x2", "u16x2") for n in ("max3", "min3", "addmax", "addmin")]
DPX_3 += [f"vi{n}_{s}_relu" for s in ("s32", "s16x2") for n in ("max3", "min3", "addmax", "addmin")]
DPX_2 = [f"vi{n}_{s}_relu" for s in ("s32", "s16x2") for n in ("max", "min")]
MODES = ("rd", "ru", "rz")
INTEGERS = {"int": "s32", "uint": "u32", "short": "s16", "ushort": "u16", "ll": "s64", "ull": "u64"}


def _dpx_type(name: str) -> str:
    return "s32" if "_s32" in name else "u32"


SIGNATURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(SIMD, ("u32", "u32", "u32")),
    **dict.fromkeys(SIMD_1, ("u32", "u32")),
    **{n: (_dpx_type(n),) * 4 for n in DPX_3},
    **{n: (_dpx_type(n),) * 3 for n in DPX_2},
    **{f"f{o}_{m}": ("f32",) * 3 for o in ("add", "sub", "mul", "div") for m in MODES},
    **{f"d{o}_{m}": ("f64",) * 3 for o in ("add", "sub", "mul", "div") for m in MODES},
    **{f"{t}{o}_{m}": (f,) * 2 for t, f in (("f", "f32"), ("d", "f64")) for o in ("rcp", "sqrt") for m in MODES},
    **{f"fmaf_{m}": ("f32",) * 4 for m in MODES},
    "frsqrt_rn": ("f32",) * 2,
    **{f"bfloat162{n}_{m}": (t, "bf16") for n, t in INTEGERS.items() for m in ("rn", *MODES)},
    **{f"{n}2bfloat16_{m}": ("bf16", t) for n, t in INTEGERS.items() for m in ("rn", *MODES)},
    "bfloat162char_rz": ("s8", "bf16"),
    "bfloat162uchar_rz": ("u8", "bf16"),
    **{f"float2bfloat16_{m}": ("bf16", "f32") for m in MODES},
    "floats2bfloat162_rn": ("bf162", "f32", "f32"),
    "double2half": ("f16", "f64"),
    "half2char_rz": ("s8", "f16"),
    "half2uchar_rz": ("u8", "f16"),
}
# Functions of both half types, and overloads: C++ name, result and argument types.
CALLS: dict[str, tuple[str, ...]] = {
    **{
        f"{o}_{t}": (o, t, t, t)
        for o in ("hadd_rn", "hsub_rn", "hmul_rn", "hmax_nan", "hmin_nan")
        for t in ("f16", "bf16")
    },
    **{f"{o}_{t}": (o, t, t, t) for o in ("hadd2_rn", "hmul2_rn") for t in ("f162", "bf162")},
    **{
        f"h{c}2_mask_{t}": (f"h{c}2_mask", "u32", t, t)
        for c in "eq ne lt le gt ge equ neu ltu leu gtu geu".split()
        for t in ("f162", "bf162")
    },
    **{f"hfma_relu_{t}": ("hfma_relu", t, t, t, t) for t in ("f16", "bf16")},
    **{f"hcmadd_{t}": ("hcmadd", t, t, t, t) for t in ("f162", "bf162")},
    **{f"{o}_{t}": (o, t, t, t, t) for o in ("dp4a", "dp2a_lo", "dp2a_hi") for t in ("s32", "u32")},
    "dp4a_char4": ("dp4a", "s32", "char4", "char4", "s32"),
    "dp2a_hi_ushort2": ("dp2a_hi", "u32", "ushort2", "uchar4", "u32"),
}
WHICH = [f"vib{n}_{s}" for n in ("max", "min") for s in ("s32", "u32", "s16x2", "u16x2")]
CTYPE = {
    "f32": "float", "f64": "double", "f16": "__half", "bf16": "__hip_bfloat16", "f162": "__half2", "bf162": "__hip_bfloat162",
    "char4": "char4", "uchar4": "uchar4", "ushort2": "ushort2", "s8": "signed char",
    **{f"{s}{w}": f"{'u' if s == 'u' else ''}int{w}_t" for s in "us" for w in (8, 16, 32, 64) if (s, w) != ("s", 8)},
}  # fmt: skip


def _source() -> str:
    out = [f'#include "porter/{name}.h"' for name in ("simd", "dot", "math", "bf16", "half")]
    out += [
        "template <class T> T get(uint64_t v) { T t; __builtin_memcpy((void*)&t, &v, sizeof(T)); return t; }",
        "template <class T> uint64_t put(T t) { uint64_t v = 0; __builtin_memcpy(&v, (void*)&t, sizeof(T)); return v; }",
    ]

    def wrap(name: str, call: str, types: Sequence[str]) -> None:
        arguments = ", ".join(f"get<{CTYPE[t]}>(a[{k}][i])" for k, t in enumerate(types[1:]))
        out.append(
            f'extern "C" void {name}_(int n, const uint64_t* const* a, uint64_t* o) {{'
            f" for (int i = 0; i < n; ++i) o[i] = put<{CTYPE[types[0]]}>(porter::{call}({arguments})); }}"
        )

    for name, types in SIGNATURES.items():
        wrap(name, name, types)
    for name, (call, *types) in CALLS.items():
        wrap(name, call, types)
    for name in WHICH:
        kind, flags = ("int32_t" if "_s32" in name else "uint32_t"), "x2" in name
        out.append(
            f'extern "C" void {name}_(int n, const uint64_t* const* a, uint64_t* o) {{ for (int i = 0; i < n; ++i) {{'
            f" bool p = false, q = false; uint32_t r = uint32_t(porter::{name}({kind}(a[0][i]), {kind}(a[1][i]), &p{', &q' if flags else ''}));"
            " o[i] = r | uint64_t(p) << 32 | uint64_t(q) << 33; } }"
        )
    return "\n".join(out) + "\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("device")
    (folder / "device.cpp").write_text(_source())
    compile_ = [
        *CLANG.command, "-x", "c++", *pip_host_flags(CLANG), "-std=c++17", "-O1", "-fPIC", "-c", "-Wall", "-Wextra", "-Werror",
        "-Wno-unused-command-line-argument", "-Wno-ignored-attributes", f"-I{MOCK / 'host'}", f"-I{MOCK / 'rocm'}",
        f"-I{INCLUDE}",
    ]  # fmt: skip
    unit = built(compile_, folder / "device.cpp", ".o")
    linker = ["g++"] if has_system_cxx() else zig_linker(CLANG.command[0])
    command = [*linker, "-shared", str(unit), "-o", str(folder / "device.so"), "-lm"]
    subprocess.run(command, env=os.environ | zig_environment(), check=True)
    return ctypes.CDLL(str(folder / "device.so"))


def run(library: ctypes.CDLL, name: str, cases: Sequence[Sequence[int]]) -> list[int]:
    n, width = len(cases), len(cases[0])
    columns = [(ctypes.c_uint64 * n)(*(c[k] & (1 << 64) - 1 for c in cases)) for k in range(width)]
    pointers = (ctypes.POINTER(ctypes.c_uint64) * width)(
        *(ctypes.cast(c, ctypes.POINTER(ctypes.c_uint64)) for c in columns)
    )
    out = (ctypes.c_uint64 * n)()
    getattr(library, name + "_")(n, pointers, out)
    return list(out)


def check(library: ctypes.CDLL, name: str, cases: Sequence[Sequence[int]], expected: Callable[..., int]) -> None:
    for case, got in zip(cases, run(library, name, cases), strict=True):
        want = expected(*case)
        assert got == want, f"{name}({', '.join(map(hex, case))}) is {got:#x}, should be {want:#x}"


# --- integers in a word ----------------------------------------------------------------------------

HALVES = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF)
BYTES = (0, 1, 2, 0x3F, 0x7E, 0x7F, 0x80, 0x81, 0xC0, 0xFE, 0xFF)


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def parts(word: int, bits: int, is_signed: bool) -> list[int]:
    values = [word >> at & (1 << bits) - 1 for at in range(0, 32, bits)]
    return [signed(v, bits) for v in values] if is_signed else values


def joined(values: Iterable[int], bits: int) -> int:
    return sum((v & (1 << bits) - 1) << (bits * k) for k, v in enumerate(values))


def words(count: int, seed: int) -> list[tuple[int, ...]]:
    """Every pair of edge values in every part, and random words."""
    rng = random.Random(seed)
    cases = []
    for values, bits in ((HALVES, 16), (BYTES, 8)):
        for pair in itertools.product(values, repeat=2):
            row = [joined([v if k == 0 else rng.choice(values) for k in range(32 // bits)], bits) for v in pair]
            row += [joined([rng.choice(values) for _ in range(32 // bits)], bits)]
            cases.append(tuple(row[:count]))
    edge = (0, 1, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF)
    cases += list(itertools.product(edge, repeat=count))
    cases += [tuple(rng.getrandbits(32) for _ in range(count)) for _ in range(1500)]
    return cases


def clamp(value: int, bits: int, is_signed: bool) -> int:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return max(low, min(high, value))


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b, "le": lambda a, b: a <= b, "lt": lambda a, b: a < b,
}  # fmt: skip


def simd(name: str) -> Callable[[int, int], int]:
    bits = 16 if name[-1] == "2" else 8
    what = name[1:-1]
    is_signed = what[-1] == "s" and not what.endswith("us")
    kind = what.removesuffix("s").removesuffix("u") if what not in ("addss", "subss", "addus", "subus") else what[:-2]

    def one(a: int, b: int) -> int:
        if what in ("addss", "addus"):
            return clamp(a + b, bits, what == "addss")
        if what in ("subss", "subus"):
            return clamp(a - b, bits, what == "subss")
        if kind[:3] in ("cmp", "set"):
            holds = COMPARISONS[kind[3:]](a, b)
            return ((1 << bits) - 1 if kind[:3] == "cmp" else 1) if holds else 0
        if kind == "avg":
            return (a + b + 1) >> 1 if a + b >= 0 else (a + b) >> 1
        return {
            "add": a + b,
            "sub": a - b,
            "max": max(a, b),
            "min": min(a, b),
            "hadd": (a + b) >> 1,
            "absdiff": abs(a - b),
        }[kind]

    def whole(a: int, b: int) -> int:
        pairs = list(zip(parts(a, bits, is_signed), parts(b, bits, is_signed), strict=True))
        if kind == "sad":
            return sum(abs(x - y) for x, y in pairs)
        return joined((one(x, y) for x, y in pairs), bits)

    return whole


@pytest.mark.parametrize("name", SIMD)
def test_simd(library: ctypes.CDLL, name: str) -> None:
    check(library, name, words(2, 1), simd(name))


@pytest.mark.parametrize("name", SIMD_1)
def test_simd_of_one_word(library: ctypes.CDLL, name: str) -> None:
    bits = 16 if name[-1] == "2" else 8
    value = (lambda v: abs(v)) if "abs" in name else (lambda v: -v)
    saturate = (lambda v: clamp(v, bits, True)) if "ss" in name else (lambda v: v)
    check(library, name, words(1, 2), lambda a: joined((saturate(value(v)) for v in parts(a, bits, True)), bits))


@pytest.mark.parametrize("name", DPX_3 + DPX_2)
def test_dpx(library: ctypes.CDLL, name: str) -> None:
    bits, is_signed = (16 if "x2" in name else 32), "_s" in name
    pick = max if "max" in name else min

    def one(*v: int) -> int:
        values = (
            [signed(v[0] + v[1], bits) if is_signed else v[0] + v[1] & (1 << bits) - 1, v[2]]
            if "add" in name
            else list(v)
        )
        result = pick(values)
        return max(result, 0) if "relu" in name else result

    def whole(*v: int) -> int:
        return joined((one(*column) for column in zip(*(parts(x, bits, is_signed) for x in v), strict=True)), bits)

    got_mask = (1 << 32) - 1
    cases = words(2 if name in DPX_2 else 3, 3)
    for case, got in zip(cases, run(library, name, cases), strict=True):
        assert got & got_mask == whole(*case), f"{name}{tuple(map(hex, case))}"


@pytest.mark.parametrize("name", WHICH)
def test_which_of_two(library: ctypes.CDLL, name: str) -> None:
    bits, is_signed, largest = (16 if "x2" in name else 32), "_s" in name, "max" in name

    def whole(a: int, b: int) -> int:
        pairs = list(zip(parts(a, bits, is_signed), parts(b, bits, is_signed), strict=True))
        first = [x >= y if largest else x <= y for x, y in pairs]
        word = joined((x if f else y for (x, y), f in zip(pairs, first, strict=True)), bits)
        return word | sum(f << 32 + k for k, f in enumerate(reversed(first)))  # the high half's flag comes first

    check(library, name, words(2, 4), whole)


def test_dot_products(library: ctypes.CDLL) -> None:
    def dot(a: int, b: int, c: int, bits: int, is_signed: bool, offset: int = 0) -> int:
        left, right = parts(a, bits, is_signed), parts(b, 8, is_signed)[offset:]
        return c + sum(x * y for x, y in zip(left, right)) & 0xFFFFFFFF

    cases = words(3, 5)
    for name, bits, is_signed, offset in (
        ("dp4a_s32", 8, True, 0), ("dp4a_u32", 8, False, 0), ("dp4a_char4", 8, True, 0), ("dp2a_lo_s32", 16, True, 0),
        ("dp2a_lo_u32", 16, False, 0), ("dp2a_hi_s32", 16, True, 2), ("dp2a_hi_u32", 16, False, 2), ("dp2a_hi_ushort2", 16, False, 2),
    ):  # fmt: skip
        for case, got in zip(cases, run(library, name, cases), strict=True):
            assert got & 0xFFFFFFFF == dot(*case, bits, is_signed, offset), f"{name}{tuple(map(hex, case))}"


# --- floating point --------------------------------------------------------------------------------
# A format is (bits of the significand, exponent of the smallest normal number, width).

F16, BF16, F32, F64 = (11, -14, 16), (8, -126, 16), (24, -126, 32), (53, -1022, 64)
Format = tuple[int, int, int]
NAN = "nan"
Value = Fraction | str  # a finite number, "inf", "-inf", "-0" or NAN


def decode(bits: int, form: Format) -> Value:
    digits, lowest, width = form
    sign, exponent, fraction = (
        bits >> width - 1 & 1,
        bits >> digits - 1 & (1 << width - digits) - 1,
        bits & (1 << digits - 1) - 1,
    )
    if exponent == (1 << width - digits) - 1:
        return NAN if fraction else "-inf" if sign else "inf"
    if exponent == 0 and fraction == 0:
        return "-0" if sign else Fraction(0)
    magnitude = fraction + (1 << digits - 1 if exponent else 0)
    return (-1) ** sign * Fraction(magnitude) * Fraction(2) ** (max(exponent, 1) - 1 + lowest - digits + 1)


def encode(value: Value, form: Format, mode: str, sign_of_zero: int = 0) -> int:
    """Rounded by `mode`; a result that underflows keeps the sign of the exact value."""
    digits, lowest, width = form
    top = ((1 << width - digits) - 1) << digits - 1
    if value == NAN:
        return -1
    if isinstance(value, str):
        return {"inf": top, "-inf": top | 1 << width - 1, "-0": 1 << width - 1}[value]
    if value == 0:
        return sign_of_zero << width - 1
    negative, magnitude = value < 0, abs(value)
    exponent = max(magnitude.numerator.bit_length() - magnitude.denominator.bit_length() - 1, lowest)
    if Fraction(2) ** (exponent + 1) <= magnitude:
        exponent += 1
    scaled = magnitude / Fraction(2) ** (exponent - digits + 1)
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    remainder = Fraction(rest, scaled.denominator)
    if mode == "rn":
        whole += remainder > Fraction(1, 2) or (remainder == Fraction(1, 2) and whole & 1)
    else:
        whole += remainder != 0 and {"rd": negative, "ru": not negative, "rz": False}[mode]
    if whole >> digits:
        whole, exponent = whole >> 1, exponent + 1
    bits = whole if whole < 1 << digits - 1 else (exponent - lowest + 1 << digits - 1) + whole - (1 << digits - 1)
    if bits >= top:
        outward = mode == "rn" or mode == ("rd" if negative else "ru")
        bits = top if outward else top - 1
    return bits | negative << width - 1


def is_zero(v: Value) -> bool:
    return v == "-0" or v == 0


def is_negative(v: Value) -> bool:
    return v[0] == "-" if isinstance(v, str) else v < 0


def number(v: Value) -> Fraction:
    return v if isinstance(v, Fraction) else Fraction(0)


def exact_add(a: Value, b: Value, form: Format, mode: str) -> int:
    if NAN in (a, b) or {a, b} == {"inf", "-inf"}:
        return -1
    for v in (a, b):
        if v in ("inf", "-inf"):
            return encode(v, form, mode)
    total = number(a) + number(b)
    both = is_negative(a) and is_negative(b) and is_zero(a) and is_zero(b)
    differ = not (is_zero(a) and is_zero(b)) or is_negative(a) != is_negative(b)
    return encode(total, form, mode, sign_of_zero=int(both or (differ and mode == "rd")))


def exact_mul(a: Value, b: Value, form: Format, mode: str) -> int:
    if NAN in (a, b):
        return -1
    sign = is_negative(a) != is_negative(b)
    if "inf" in f"{a}{b}":
        return -1 if is_zero(a) or is_zero(b) else encode("-inf" if sign else "inf", form, mode)
    return encode(number(a) * number(b), form, mode, sign_of_zero=int(sign))


def exact_div(a: Value, b: Value, form: Format, mode: str) -> int:
    if NAN in (a, b):
        return -1
    sign = is_negative(a) != is_negative(b)
    infinite = ("inf" in str(a), "inf" in str(b))
    if infinite == (True, True) or (is_zero(a) and is_zero(b)):
        return -1
    if infinite[0] or is_zero(b):
        return encode("-inf" if sign else "inf", form, mode)
    return encode(Fraction(0) if infinite[1] else number(a) / number(b), form, mode, sign_of_zero=int(sign))


def exact_fma(a: Value, b: Value, c: Value, form: Format, mode: str) -> int:
    if NAN in (a, b, c) or "inf" in f"{a}{b}{c}":
        return -2  # not asked here
    product = number(a) * number(b)
    if product == 0:
        return exact_add("-0" if is_negative(a) != is_negative(b) else Fraction(0), c, form, mode)
    return exact_add(product, c, form, mode)


def exact_sqrt(a: Value, form: Format, mode: str) -> int:
    if a == NAN or (is_negative(a) and a != "-0"):
        return -1
    if isinstance(a, str) or a == 0:
        return encode(a, form, mode)
    # enough digits that only an exact root ends in zeros: floor and a sticky bit
    shift = 2 * (form[0] + 80 - form[1])
    scaled = a * Fraction(2) ** shift
    root = math.isqrt(scaled.numerator // scaled.denominator)
    sticky = Fraction(root * root) != scaled
    return encode((Fraction(root) + (Fraction(1, 2) if sticky else 0)) / Fraction(2) ** (shift // 2), form, mode)


def floats(form: Format, count: int, seed: int, total: int) -> list[tuple[int, ...]]:
    digits, _, width = form
    top = ((1 << width - digits) - 1) << digits - 1
    one = ((1 << width - digits - 1) - 1) << digits - 1
    edge = [
        0,
        1,
        2,
        (1 << digits - 1) - 1,
        1 << digits - 1,
        (1 << digits - 1) + 1,
        one - 1,
        one,
        one + 1,
        top - 1,
        top - 2,
        top,
        top + (1 << digits - 2),
    ]
    edge += [e | 1 << width - 1 for e in edge]
    rng = random.Random(seed)
    cases = list(itertools.product(edge, repeat=count)) if count < 3 else []
    for _ in range(total):
        kind = rng.randrange(3)
        exponents = [rng.randrange(1 << width - digits) for _ in range(count)]
        if kind == 0:  # near each other, so that sums cancel
            exponents = [
                max(0, min((1 << width - digits) - 2, exponents[0] + rng.randrange(-2, 3))) for _ in range(count)
            ]
        if kind == 1:  # results among the subnormals and at overflow
            exponents = [
                rng.choice((0, 1, 2, one >> digits - 1, (one >> digits) + 3, (1 << width - digits) - 2))
                for _ in range(count)
            ]
        cases.append(
            tuple(
                rng.getrandbits(1) << width - 1
                | e << digits - 1
                | rng.choice((0, 1, rng.getrandbits(digits - 1), (1 << digits - 1) - 1))
                for e in exponents
            )
        )
    return cases


def agree(
    library: ctypes.CDLL, name: str, cases: Sequence[Sequence[int]], form: Format, expected: Callable[..., int]
) -> None:
    """As check(), but any NaN is as good as another."""
    for case, got in zip(cases, run(library, name, cases), strict=True):
        want = expected(*(decode(v, form) for v in case))
        same = decode(got, form) == NAN if want == -1 else got == want or want == -2
        assert same, f"{name}({', '.join(map(hex, case))}) is {got:#x}, should be {want:#x}"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["f", "d"])
@pytest.mark.sample(3)
def test_directed_rounding(library: ctypes.CDLL, kind: str, mode: str) -> None:
    form = F32 if kind == "f" else F64
    two, one = floats(form, 2, 11, 3000), floats(form, 1, 12, 1500)
    agree(library, f"{kind}add_{mode}", two, form, lambda a, b: exact_add(a, b, form, mode))
    agree(library, f"{kind}mul_{mode}", two, form, lambda a, b: exact_mul(a, b, form, mode))
    agree(library, f"{kind}div_{mode}", two, form, lambda a, b: exact_div(a, b, form, mode))
    agree(library, f"{kind}rcp_{mode}", one, form, lambda a: exact_div(Fraction(1), a, form, mode))
    agree(library, f"{kind}sqrt_{mode}", one, form, lambda a: exact_sqrt(a, form, mode))
    negated = [(a, b ^ 1 << form[2] - 1) for a, b in two]
    for case, minus, plus in zip(
        two, run(library, f"{kind}sub_{mode}", two), run(library, f"{kind}add_{mode}", negated), strict=True
    ):
        assert minus == plus or decode(minus, form) == NAN == decode(plus, form), case


@pytest.mark.parametrize("mode", MODES)
def test_directed_fma(library: ctypes.CDLL, mode: str) -> None:
    agree(library, f"fmaf_{mode}", floats(F32, 3, 13, 4000), F32, lambda a, b, c: exact_fma(a, b, c, F32, mode))


def test_reciprocal_root(library: ctypes.CDLL) -> None:
    def expected(a: Value) -> int:
        if a == NAN or (is_negative(a) and a != "-0"):
            return -1
        if is_zero(a):
            return -2  # an infinity
        if isinstance(a, str):
            return 0
        shift = 2 * 400
        scaled = Fraction(2) ** shift / a
        root = math.isqrt(scaled.numerator // scaled.denominator)
        return (
            encode((Fraction(root) + Fraction(1, 2)) / Fraction(2) ** (shift // 2), F32, "rn")
            if root * root != scaled
            else encode(Fraction(root) / Fraction(2) ** (shift // 2), F32, "rn")
        )

    agree(library, "frsqrt_rn", floats(F32, 1, 14, 8000), F32, expected)


# --- half and bf16 ---------------------------------------------------------------------------------


def to_integer(v: Value, bits: int, is_signed: bool, mode: str, nan: int) -> int:
    if v == NAN:
        return nan
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    if v in ("inf", "-inf"):
        return high if v == "inf" else low
    exact = number(v)
    rounded = {"rn": round(exact), "rd": math.floor(exact), "ru": math.ceil(exact), "rz": math.trunc(exact)}[mode]
    return max(low, min(high, rounded))


@pytest.mark.parametrize("mode", ["rn", *MODES])
@pytest.mark.sample(2)
def test_bf16_and_integers(library: ctypes.CDLL, mode: str) -> None:
    every = (
        [(b,) for b in range(0, 1 << 16, 7)] + [(b,) for b in range(0x3F00, 0x4400)] + [(0x7F80,), (0xFF80,), (0x7FC0,)]
    )
    rng = random.Random(15)
    for name, kind in INTEGERS.items():
        bits, is_signed = int(kind[1:]), kind[0] == "s"
        nan = 1 << bits - 1 if bits == 64 else 0
        mask = (1 << bits) - 1
        check(
            library,
            f"bfloat162{name}_{mode}",
            every,
            lambda b, w=bits, s=is_signed, n=nan, m=mask: to_integer(decode(b, BF16), w, s, mode, n) & m,
        )
        values = [rng.getrandbits(rng.randrange(1, bits + 1)) for _ in range(1500)] + [
            0,
            1,
            mask,
            mask >> 1,
            (mask >> 1) + 1,
        ]
        values += [(257 << s) + d & mask for s in range(bits - 9) for d in (-1, 0, 1)]
        check(
            library,
            f"{name}2bfloat16_{mode}",
            [(v,) for v in values],
            lambda v, w=bits, s=is_signed: encode(Fraction(signed(v, w) if s else v), BF16, mode),
        )


def test_small_integers(library: ctypes.CDLL) -> None:
    for form, names in ((BF16, ("bfloat162char_rz", "bfloat162uchar_rz")), (F16, ("half2char_rz", "half2uchar_rz"))):
        every = [(b,) for b in range(1 << 16)]
        check(library, names[0], every, lambda b, f=form: to_integer(decode(b, f), 8, True, "rz", 0) & 0xFF)
        check(library, names[1], every, lambda b, f=form: to_integer(decode(b, f), 8, False, "rz", 0))


def test_float_to_bf16_and_double_to_half(library: ctypes.CDLL) -> None:
    cases = floats(F32, 1, 16, 6000)
    for mode in MODES:
        for case, got in zip(cases, run(library, f"float2bfloat16_{mode}", cases), strict=True):
            value = decode(case[0], F32)
            assert got == (0x7FFF if value == NAN else encode(value, BF16, mode)), (mode, hex(case[0]))
    doubles = [
        (struct.unpack("<Q", struct.pack("<d", math.ldexp(m, e)))[0],)
        for m in (1, -1.5, 1 + 2**-11, 1 + 2**-11 + 2**-40, 2 - 2**-12)
        for e in range(-30, 20)
    ]
    for case, got in zip(doubles, run(library, "double2half", doubles), strict=True):
        assert got == encode(decode(case[0], F64), F16, "rn"), hex(case[0])
    pairs = floats(F32, 2, 17, 500)
    for (low, high), got in zip(pairs, run(library, "floats2bfloat162_rn", pairs), strict=True):
        for part, source in ((got & 0xFFFF, low), (got >> 16, high)):
            value = decode(source, F32)
            assert decode(part, BF16) == NAN if value == NAN else part == encode(value, BF16, "rn")


@pytest.mark.parametrize(("kind", "form"), [("f16", F16), ("bf16", BF16)])
@pytest.mark.sample(1)
def test_half_arithmetic(library: ctypes.CDLL, kind: str, form: Format) -> None:
    two, three = floats(form, 2, 18, 3000), floats(form, 3, 19, 3000)
    agree(library, f"hadd_rn_{kind}", two, form, lambda a, b: exact_add(a, b, form, "rn"))
    agree(library, f"hmul_rn_{kind}", two, form, lambda a, b: exact_mul(a, b, form, "rn"))
    for case, got in zip(two, run(library, f"hsub_rn_{kind}", two), strict=True):
        other = run(library, f"hadd_rn_{kind}", [(case[0], case[1] ^ 0x8000)])[0]
        assert got == other or decode(got, form) == NAN == decode(other, form)

    def relu(a: Value, b: Value, c: Value) -> int:
        bits = exact_fma(a, b, c, form, "rn")
        return bits if bits < 0 else 0 if bits >> 15 else bits

    agree(library, f"hfma_relu_{kind}", three, form, relu)
    for pick, name in ((max, "hmax_nan"), (min, "hmin_nan")):
        for case, got in zip(two, run(library, f"{name}_{kind}", two), strict=True):
            values = [decode(v, form) for v in case]
            if NAN in values:
                assert decode(got, form) == NAN
            elif not all(is_zero(v) for v in values):
                order = {v: (math.inf if v == "inf" else -math.inf if v == "-inf" else number(v)) for v in values}
                assert decode(got, form) == pick(values, key=lambda v, o=order: o[v])
    masks = [(a << 16 | d, b << 16 | c) for (a, b), (c, d) in zip(two, reversed(two), strict=True)]
    tests = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    for name, kept in itertools.product(tests, ("", "u")):

        def holds(x: int, y: int, name: str = name, kept: str = kept) -> bool:
            a, b = decode(x, form), decode(y, form)
            if NAN in (a, b):
                return kept == "u"
            left, right = (float(v) if isinstance(v, str) else v for v in (a, b))
            return COMPARISONS[name](left, right)  # type: ignore[arg-type]

        expected = [(0xFFFF * holds(a & 0xFFFF, b & 0xFFFF)) | (0xFFFF0000 * holds(a >> 16, b >> 16)) for a, b in masks]
        assert run(library, f"h{name}{kept}2_mask_{kind}2", masks) == expected
    pairs = [(a << 16 | b, b << 16 | a) for a, b in two]
    for case, got in zip(pairs, run(library, f"hmul2_rn_{kind}2", pairs), strict=True):
        low, high = run(
            library, f"hmul_rn_{kind}", [(case[0] & 0xFFFF, case[1] & 0xFFFF), (case[0] >> 16, case[1] >> 16)]
        )
        assert got == high << 16 | low
    ones = [
        (encode(Fraction(x), form, "rn") | encode(Fraction(y), form, "rn") << 16) for x, y in ((2, 3), (5, 7), (1, 1))
    ]
    real, imaginary = 2 * 5 - 3 * 7 + 1, 2 * 7 + 3 * 5 + 1
    assert run(library, f"hcmadd_{kind}2", [ones]) == [
        encode(Fraction(real), form, "rn") | encode(Fraction(imaginary), form, "rn") << 16
    ]


# --- compilation -----------------------------------------------------------------------------------

HEADERS = (
    "simd dot math half half_bits bf16 fp8 ptx_float atomic atomic_ref groups gemm gemm_elements gemm_fp8 gemm_loader"
).split()


def compile_hip(folder: Path, source: str, *options: str, side: tuple[str, ...] = DEVICE) -> str:
    (folder / "probe.hip").write_text(source)
    strict = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-command-line-argument")
    done = hip(folder / "probe.hip", *strict, f"-I{MOCK / 'rocm'}", f"-I{INCLUDE}", *options, side=side)
    assert done.status == 0, done.err
    return done.out


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("side", [DEVICE, HOST], ids=["device", "host"])
@pytest.mark.sample(10)
def test_header_compiles_alone(tmp_path: Path, header: str, side: tuple[str, ...]) -> None:
    compile_hip(tmp_path, f'#include "porter/{header}.h"\n', "-fsyntax-only", side=side)


@pytest.mark.parametrize("mirrored", [False, True])
def test_headers_go_together(tmp_path: Path, mirrored: bool) -> None:
    """Some are for units with one warp a wave only, and say so; default_device.h changes what stands behind it."""
    apart = ("hipblas", "default_device")
    headers = [p for p in sorted((INCLUDE / "porter").glob("*.h")) if not p.name.startswith(apart)]
    names = [p.name for p in headers if mirrored or "the unit must define PORTER_MIRRORED" not in p.read_text()]
    assert len(names) > 15
    source = "#define PORTER_MIRRORED 1\n" * mirrored + "".join(f'#include "porter/{name}"\n' for name in names)
    compile_hip(tmp_path, source, "-fsyntax-only")


def test_functions_of_cuda_ptx_are_there_or_left(tmp_path: Path) -> None:
    names = stub_functions("cuda/ptx", "ptx/")
    assert len(names) > 250
    rows = [row for row in load_rules().names.values() if row.cuda.startswith("cuda::ptx::")]
    left = {name for name in names if any(fnmatch.fnmatch(f"cuda::ptx::{name}", row.cuda) for row in rows)}
    assert {"tcgen05_mma", "get_sreg_gridid"} < left and "ld" not in left
    source = '#include "porter/cuda_ptx.h"\n' + "".join(
        f"using porter::ptx::{name};\n" for name in sorted(names - left)
    )
    compile_hip(tmp_path, source, "-fsyntax-only")


def test_copies_beside_a_port_go_first(tmp_path: Path) -> None:
    """Copied headers include the copies, and not those that the build finds further along: twice is an error."""
    shutil.copytree(INCLUDE / "porter", tmp_path / "porter")
    source = "".join(f'#include "porter/{name}.h"\n' for name in ("memory", "ptx", "warp", "atomic", "half", "dot"))
    compile_hip(tmp_path, source, "-fsyntax-only")


@pytest.mark.parametrize("mirrored", [False, True])
def test_copies_of_some_headers_and_porters_own_of_the_rest(tmp_path: Path, mirrored: bool) -> None:
    """A port that needs few headers brings copies of them; another in its folder may find the rest, and them, elsewhere."""
    (tmp_path / "porter").mkdir()
    copied = ["mirror_lanes.h", "ptx_bits.h", "ptx_memory.h", "ptx_float.h", "fp8.h"]
    for name in copied:
        shutil.copy(INCLUDE / "porter" / name, tmp_path / "porter" / name)
    own = ["mirror.h", "warp.h", "ptx.h", "async_copy.h"] if mirrored else ["warp.h", "ptx.h", "memory.h"]
    source = "#define PORTER_MIRRORED 1\n" * mirrored + "".join(f'#include "porter/{name}"\n' for name in copied + own)
    compile_hip(tmp_path, source, "-fsyntax-only")


@pytest.mark.parametrize("path", sorted((INCLUDE / "porter").glob("*.h")), ids=lambda path: path.stem)
def test_header_has_the_guard_of_its_name(path: Path) -> None:
    """#pragma once would take a copy beside a port for another header."""
    guard = f"PORTER_{path.stem.upper()}_H"
    directives = re.findall(r"^ *# *\w.*$", path.read_text(), re.MULTILINE)
    assert directives[:2] == [f"#ifndef {guard}", f"#define {guard}"]
    assert directives[-1] == f"#endif  // {guard}"


def test_fusion_is_prevented(tmp_path: Path) -> None:
    source = """
#include "porter/math.h"
__global__ void apart(float *p) { p[0] = porter::fadd_rn(porter::fmul_rn(p[1], p[2]), p[3]); }
__global__ void apart(double *p) { p[0] = porter::dsub_rn(porter::dmul_rn(p[1], p[2]), p[3]); }
"""
    text = compile_hip(tmp_path, source, "-O3", "-S", "-o", "-")
    assert "v_mul_f32" in text and "v_add_f32" in text and "fma" not in text
    pairs = source.replace("float *", "float2 *").replace("fadd", "fadd2").replace("fmul", "fmul2")
    text = compile_hip(tmp_path, pairs, "-O3", "-S", "-o", "-")
    assert "mul_f32" in text and "add_f32" in text and "fma" not in text
    # HIP's own functions are fused: should that ever change, the rule has had its day
    text = compile_hip(tmp_path, source.replace("porter::f", "__f").replace("porter::d", "__d"), "-O3", "-S", "-o", "-")
    assert "v_fma" in text


def test_instructions(tmp_path: Path) -> None:
    source = """
#include "porter/dot.h"
#include "porter/math.h"
#include "porter/simd.h"
__global__ void k(int *p, unsigned *q, double *d) {
  p[0] = porter::dp4a(p[1], p[2], p[3]);
  q[0] = porter::vmaxs2(q[1], q[2]);
  q[3] = porter::vsadu4(q[4], q[5]);
  p[4] = porter::vimax3_s32(p[5], p[6], p[7]);
  d[0] = porter::dfma_ru(d[1], d[2], d[3]);
}
"""
    text = compile_hip(tmp_path, source, "-O2", "-S", "-o", "-")
    for wanted in ("v_dot4", "v_pk_max_i16", "v_sad_u8", "v_max3_i32", "hwreg(HW_REG_MODE, 2, 2), 1"):
        assert wanted in text, wanted


# --- cooperative groups ----------------------------------------------------------------------------


def _groups() -> dict[str, list[int | None]]:
    """What groups.cpp prints, from CUDA's definitions, on lists of lanes. None: the lane takes no part."""
    lanes = range(64)
    v = [lane * 37 % 23 - 5 for lane in lanes]
    want: dict[str, list[int | None]] = {}

    def put(name: str, value: Callable[[int], int], among: Sequence[int] = lanes) -> None:
        want[name] = [value(lane) if lane in among else None for lane in lanes]

    def tile(size: int) -> Callable[[int], list[int]]:
        return lambda lane: list(range(lane // size * size, lane // size * size + size))

    def bits(members: Sequence[int], holds: Callable[[int], bool]) -> int:
        return sum(holds(m) << k for k, m in enumerate(members))

    def xor(values: Iterable[int]) -> int:
        return reduce(lambda a, b: a ^ b, values) & 0xFFFFFFFF

    def to_signed(word: int) -> int:
        return signed(word, 32)

    warp, half, four = tile(32), tile(16), tile(4)
    put("block.rank", lambda i: i)
    put("block.size", lambda i: 64)
    put("warp.meta", lambda i: i // 32 * 100 + 2)
    put("four.meta", lambda i: i % 16 // 4 * 100 + 4)
    put("half.rank", lambda i: i % 16)
    put("warp.ballot", lambda i: bits(warp(i), lambda m: v[m] & 1 == 1))
    put("four.ballot", lambda i: bits(four(i), lambda m: v[m] & 1 == 1))
    put("four.any", lambda i: int(any(v[m] > 12 for m in four(i))))
    put("half.all", lambda i: int(all(v[m] > -5 for m in half(i))))
    put("half.match_any", lambda i: bits(half(i), lambda m: math.fmod(v[m], 3) == math.fmod(v[i], 3)))
    put("four.match_all", lambda i: 15 * 10 + 1)
    put("half.shfl", lambda i: v[half(i)[3]])
    put("four.shfl_up", lambda i: v[i if i % 4 == 0 else i - 1])
    put("half.shfl_down", lambda i: v[i if i % 16 + 5 > 15 else i + 5])
    put("warp.shfl_xor", lambda i: v[i ^ 9])
    put("half.shfl pair", lambda i: v[half(i)[7]] * 1000 + half(i)[7])
    put("warp.sum", lambda i: sum(v[m] for m in warp(i)))
    put("half.max", lambda i: max(v[m] for m in half(i)))
    put("four.min", lambda i: min(v[m] for m in four(i)))
    put("four.xor", lambda i: to_signed(xor(v[m] for m in four(i))))
    put("half.lambda", lambda i: max(v[m] for m in half(i)))
    put("warp.inclusive", lambda i: sum(v[m] for m in warp(i) if m <= i))
    put("half.exclusive", lambda i: sum(v[m] for m in half(i) if m < i))
    put("half.exclusive min", lambda i: min([2**31 - 1, *(v[m] for m in half(i) if m < i)]))
    put("dynamic", lambda i: i % 8 * 100 + 8)
    put("dynamic inner", lambda i: i % 4 * 100 + 40 + i % 8 // 4)

    chosen = [i for i in lanes if math.fmod(v[i], 3) != 0]
    group = lambda i: [m for m in chosen if m // 32 == i // 32]  # noqa: E731 - the lanes of one's own warp alone
    rank = lambda i: group(i).index(i)  # noqa: E731
    part = lambda i: group(i)[rank(i) // 4 * 4 : rank(i) // 4 * 4 + 4]  # noqa: E731
    label = lambda i: [m for m in group(i) if v[m] & 3 == v[i] & 3]  # noqa: E731
    split = lambda i: [m for m in group(i) if (v[m] > 4) == (v[i] > 4)]  # noqa: E731
    put("group.place", lambda i: rank(i) * 100 + len(group(i)), chosen)
    put("group.ballot", lambda i: bits(group(i), lambda m: v[m] & 1 == 1), chosen)
    put("group.shfl", lambda i: v[group(i)[4]], chosen)
    put("group.shfl_up", lambda i: v[i if rank(i) < 2 else group(i)[rank(i) - 2]], chosen)
    put("group.shfl_down", lambda i: v[i if rank(i) + 3 >= len(group(i)) else group(i)[rank(i) + 3]], chosen)
    put("group.match_any", lambda i: bits(group(i), lambda m: v[m] & 3 == v[i] & 3), chosen)
    put("group.sum", lambda i: sum(v[m] for m in group(i)), chosen)
    put("group.inclusive", lambda i: sum(v[m] for m in group(i) if m <= i), chosen)
    put("group.exclusive", lambda i: sum(v[m] for m in group(i) if m < i), chosen)
    put("part", lambda i: part(i).index(i) * 1000 + len(part(i)) * 100 + rank(i) // 4, chosen)
    put("labeled", lambda i: label(i).index(i) * 1000 + len(label(i)) * 10 + len({v[m] & 3 for m in group(i)}), chosen)
    put("labeled.sum", lambda i: sum(v[m] for m in label(i)), chosen)
    put("split", lambda i: split(i).index(i) * 100 + len(split(i)), chosen)

    put("copied", lambda i: i * i + ((i + 1) ** 2 if i < 50 else 0))
    put("stored", lambda i: sum(v[m] for m in half(i)))
    put("update.exclusive", lambda i: 1000 + sum(v[m] for m in half(i) if m < i))
    put("update.inclusive", lambda i: 1000 + sum(v[m] for m in half(i) if m <= i))
    put("update.total", lambda i: 1000 + sum(v[m] for m in half(i)))
    put("broadcast", lambda i: v[half(i)[0]] * 2)
    put("once", lambda i: 5 if i % 16 == 0 else 0)
    return want


def test_cooperative_groups(tmp_path: Path) -> None:
    """porter/groups.h on 64 threads of the CPU that stand in for the lanes of a wave."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no compiler here that links threads (g++ or clang++)")
    lanes = MOCK / "lanes"
    # Beside one another, as in a port: a header takes the one in its own folder first, here the mock.
    shutil.copytree(lanes / "porter", tmp_path / "porter")
    for header in ("groups.h", "group_copy.h"):
        shutil.copy(INCLUDE / "porter" / header, tmp_path / "porter")
    command = [
        compiler,
        "-std=c++17",
        "-O1",
        "-pthread",
        "-w",
        f"-I{tmp_path}",
        f"-I{lanes}",
    ]
    program = built(command, lanes / "groups.cpp", ".exe")
    printed = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=60).stdout
    got: dict[str, dict[int, int]] = {}
    for line in printed.splitlines():
        name, lane, value = line.split("|")
        got.setdefault(name, {})[int(lane)] = int(value)
    got.pop("", None)
    want = _groups()
    assert sorted(got) == sorted(want)
    for name, values in want.items():
        for lane, value in enumerate(values):
            assert value is None or got[name][lane] == value, f"{name} of lane {lane}"
