"""porter/ptx_halves.h on the CPU, against numpy: comparisons that give masks, .ftz, .satfinite, .xorsign.abs, conversions."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from compiling import built
from numpy.typing import NDArray
from test_ptx_semantics import INCLUDE, _compiler

Array = NDArray[np.generic]

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
LIMITS = {"xorsign": ("min_xorsign_abs", "max_xorsign_abs", "min_nan_xorsign_abs", "max_nan_xorsign_abs")}
KINDS = ("f16", "bf16")


def _source() -> str:
    out = ['#include "porter/ptx_halves.h"', "using namespace porter;"]

    def loop(name: str, result: str, arguments: str, call: str) -> None:
        out.append(
            f'extern "C" void {name}(int n, {result}* o, {arguments}) {{ for (int i = 0; i < n; ++i) o[i] = {call}; }}'
        )

    pair, two = "const uint16_t* a, const uint16_t* b", "const uint32_t* a, const uint32_t* b"
    for kind in KINDS:
        for name in COMPARISONS:
            loop(f"{name}_{kind}", "uint8_t", pair, f"compare_{kind}<compare::{name}>(a[i], b[i])")
            loop(f"low_{name}_{kind}x2", "uint8_t", two, f"compare_low_{kind}x2<compare::{name}>(a[i], b[i])")
            loop(f"high_{name}_{kind}x2", "uint8_t", two, f"compare_high_{kind}x2<compare::{name}>(a[i], b[i])")
            loop(f"mask_{name}_{kind}x2", "uint32_t", two, f"set_u32_{kind}x2<compare::{name}>(a[i], b[i])")
            loop(f"one_{name}_{kind}x2", "uint32_t", two, f"set_{kind}x2_{kind}x2<compare::{name}>(a[i], b[i])")
        for name in LIMITS["xorsign"]:
            loop(f"{name}_{kind}", "uint16_t", pair, f"porter::{name}_{kind}(a[i], b[i])")
        loop(f"satfinite_{kind}", "uint16_t", "const uint16_t* a", f"porter::satfinite_{kind}(a[i])")
        for mode in ("rn", "rz", "rm", "rp"):
            if (kind, mode) != ("f16", "rn"):
                loop(f"{mode}_{kind}_f64", "uint16_t", "const double* a", f"cvt_{mode}_{kind}_f64(a[i])")
        loop(f"rz_{kind}_s64", "uint16_t", "const int64_t* a", f"cvt_rz_{kind}(a[i])")
    loop("ftz_f16_", "uint16_t", "const uint16_t* a", "ftz_f16(a[i])")
    loop("satfinite_tf32_", "uint32_t", "const uint32_t* a", "satfinite_tf32(a[i])")
    loop("relu_tf32_", "uint32_t", "const uint32_t* a", "relu_tf32(a[i])")
    for bits in (2, 4):
        for sign in "su":
            loop(
                f"pack_{sign}{bits}",
                "uint32_t",
                "const int32_t* a, const int32_t* b, const uint32_t* c",
                f"cvt_pack_sat_{sign}{bits}(a[i], b[i], c[i])",
            )
    return "\n".join(out) + "\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = _compiler()
    if compiler is None:
        pytest.skip("no C++ compiler for the CPU: neither g++, clang++ nor the ziglang package")
    folder = tmp_path_factory.mktemp("halves")
    (folder / "halves.cpp").write_text(_source())
    flags = ["-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fPIC", "-shared", f"-I{INCLUDE}"]
    return ctypes.CDLL(str(built([*compiler, *flags], folder / "halves.cpp", ".so")))


def call(library: ctypes.CDLL, name: str, result: str, *arguments: Array) -> Array:
    out = np.zeros(len(arguments[0]), result)
    getattr(library, name)(len(out), *(x.ctypes.data_as(ctypes.c_void_p) for x in (out, *arguments)))
    return out


def values(kind: str, codes: Array) -> Array:
    """As float64."""
    if kind == "f16":
        return codes.astype(np.uint16).view(np.float16).astype(np.float64)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        return (codes.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def codes_of(kind: str, count: int = 4000) -> tuple[Array, Array]:
    rng = np.random.default_rng(5)
    top = 0x7C00 if kind == "f16" else 0x7F80
    edges = np.array(
        [s | m for s in (0, 0x8000) for m in (0, 1, 0x3FF, 0x400, 0x3C00, 0x3F80, top - 1, top, top + 1, 0x7FFF)]
    )
    a, b = (x.ravel() for x in np.meshgrid(edges, edges))
    a = np.concatenate([a, rng.integers(0, 65536, count), rng.integers(0, 65536, 200)])
    b = np.concatenate([b, rng.integers(0, 65536, count), a[-200:]])
    return a.astype(np.uint16), b.astype(np.uint16)


def compared(name: str, x: Array, y: Array) -> Array:
    unordered = np.isnan(x) | np.isnan(y)
    if name in ("num", "nan"):
        return ~unordered if name == "num" else unordered
    plain = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[name[:2]]
    return plain | unordered if name.endswith("u") else plain & ~unordered


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons(library: ctypes.CDLL, name: str, kind: str) -> None:
    a, b = codes_of(kind)
    want = compared(name, values(kind, a), values(kind, b))
    np.testing.assert_array_equal(call(library, f"{name}_{kind}", "u1", a, b), want)
    a2, b2 = (x.astype(np.uint32) | x[::-1].astype(np.uint32) << 16 for x in (a, b))
    np.testing.assert_array_equal(call(library, f"low_{name}_{kind}x2", "u1", a2, b2), want)
    np.testing.assert_array_equal(call(library, f"high_{name}_{kind}x2", "u1", a2, b2), want[::-1])
    low, high = want.astype(np.uint32), want[::-1].astype(np.uint32) << 16
    one = 0x3C00 if kind == "f16" else 0x3F80
    np.testing.assert_array_equal(
        call(library, f"mask_{name}_{kind}x2", "u4", a2, b2), (low | high) * np.uint32(0xFFFF)
    )
    np.testing.assert_array_equal(call(library, f"one_{name}_{kind}x2", "u4", a2, b2), (low | high) * np.uint32(one))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LIMITS["xorsign"])
def test_xorsign_abs(library: ctypes.CDLL, name: str, kind: str) -> None:
    a, b = codes_of(kind)
    x, y = abs(values(kind, a)), abs(values(kind, b))
    pick = (np.fmin if name.startswith("min") else np.fmax)(x, y)
    pick = np.where(np.isnan(x) | np.isnan(y), np.nan, pick) if "nan" in name else pick
    result = call(library, f"{name}_{kind}", "u2", a, b)
    nan = np.isnan(pick)
    assert np.isnan(values(kind, result[nan])).all()
    np.testing.assert_array_equal(abs(values(kind, result))[~nan], pick[~nan])
    np.testing.assert_array_equal((result >> 15)[~nan], ((a ^ b) >> 15)[~nan])


def test_flushing_and_finite(library: ctypes.CDLL) -> None:
    a = np.arange(65536, dtype=np.uint16)
    x = values("f16", a)
    want = np.where(abs(x) < 2.0**-14, a & 0x8000, a)
    np.testing.assert_array_equal(call(library, "ftz_f16_", "u2", a), want)
    for kind, top in (("f16", 0x7C00), ("bf16", 0x7F80)):
        want = np.where((a & 0x7FFF) == top, a - 1, a)
        np.testing.assert_array_equal(call(library, f"satfinite_{kind}", "u2", a), want)
    words = np.array(
        [0, 0x80000000, 0x3F802000, 0xBF802000, 0x7F7FE000, 0x7F800000, 0xFF800000, 0x7FFFFFFF, 0xFFFFE000], np.uint32
    )
    finite = [0, 0x80000000, 0x3F802000, 0xBF802000, 0x7F7FE000, 0x7F7FE000, 0xFF7FE000, 0x7FFFFFFF, 0xFFFFE000]
    np.testing.assert_array_equal(call(library, "satfinite_tf32_", "u4", words), finite)
    positive = [0, 0, 0x3F802000, 0, 0x7F7FE000, 0x7F800000, 0, 0x7FFFFFFF, 0xFFFFE000]
    np.testing.assert_array_equal(call(library, "relu_tf32_", "u4", words), positive)


def narrowed(x: Array, kind: str, mode: str) -> Array:
    """f64 to a half, rounded once: by the two halves around it."""
    codes = np.arange(0x7C00 if kind == "f16" else 0x7F80, dtype=np.uint16)
    table = values(kind, codes)
    size = abs(x)
    below = np.searchsorted(table, size, side="right") - 1
    step = np.where(
        below + 1 < len(table), table[np.minimum(below + 1, len(table) - 1)] - table[below], table[-1] - table[-2]
    )
    twice = 2 * (size - table[below])
    cut = size > table[below]
    up = {
        "rn": (twice > step) | ((twice == step) & (below % 2 == 1)),
        "rz": np.zeros(len(x), bool),
        "rm": cut & np.signbit(x),
        "rp": cut & ~np.signbit(x),
    }[mode]
    up |= (mode == "rn") & np.isinf(size)
    code = below + up
    code = np.where(np.isinf(size), len(table), code)
    return (code | np.where(np.signbit(x), 0x8000, 0)).astype(np.uint16)


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("f16", "rz"), ("f16", "rm"), ("f16", "rp"), ("bf16", "rn"), ("bf16", "rz"), ("bf16", "rm"), ("bf16", "rp")],
)
def test_from_double(library: ctypes.CDLL, kind: str, mode: str) -> None:
    rng = np.random.default_rng(6)
    a = rng.standard_normal(4000) * 2.0 ** rng.integers(-30, 20, 4000)
    halves = values(kind, rng.integers(0x400, 0x7B00, 2000).astype(np.uint16))
    middle = halves * (1 + 2.0 ** (-11 if kind == "f16" else -8))  # between two halves, but for what f32 cannot hold
    a = np.concatenate([a, halves, middle, middle * (1 + 2.0**-45), middle * (1 - 2.0**-45), [0.0, -0.0, 1e30, -1e30]])
    np.testing.assert_array_equal(call(library, f"{mode}_{kind}_f64", "u2", a), narrowed(a, kind, mode))


@pytest.mark.parametrize("kind", KINDS)
def test_from_integers_toward_zero(library: ctypes.CDLL, kind: str) -> None:
    rng = np.random.default_rng(7)
    a = np.concatenate(
        [rng.integers(-(2**62), 2**62, 2000) >> rng.integers(0, 62, 2000), [0, 1, -1, 65504, 65535, 2**62]]
    )
    want = narrowed(a.astype(np.float64), kind, "rz")
    near = abs(a) < 2**53
    np.testing.assert_array_equal(call(library, f"rz_{kind}_s64", "u2", a)[near], want[near])


@pytest.mark.parametrize("bits", [2, 4])
@pytest.mark.parametrize("sign", ["s", "u"])
def test_pack(library: ctypes.CDLL, sign: str, bits: int) -> None:
    rng = np.random.default_rng(8)
    a, b = (rng.integers(-20, 20, 1000).astype(np.int32) for _ in range(2))
    c = rng.integers(0, 2**32, 1000).astype(np.uint32)
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if sign == "s" else (0, 2**bits - 1)
    mask = (1 << bits) - 1
    want = c << np.uint32(2 * bits) | (np.clip(a, low, high) & mask).astype(np.uint32) << np.uint32(bits)
    want = want | (np.clip(b, low, high) & mask).astype(np.uint32)
    np.testing.assert_array_equal(call(library, f"pack_{sign}{bits}", "u4", a, b, c), want)
