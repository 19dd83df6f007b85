"""mma.sync, ldmatrix, stmatrix and movmatrix of mirrored warps, executed, against numpy in float64.

The fragments of fragments.py are the PTX ISA's; both mirrors must hold the whole of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from fragments import (
    BITS,
    GROUP,
    IN_GROUP,
    Array,
    accumulators,
    both_mirrors,
    decode,
    fragment_a,
    fragment_b,
    from_accumulators,
    from_halves,
    halves,
    launch,
    load,
    pack,
    random_codes,
)  # fmt: skip

from porter.emu.device import Module

FP8 = ("e4m3", "e5m2")
FLOATS = [("f16", "f16"), ("bf16", "bf16"), ("tf32", "tf32"), *((a, b) for a in FP8 for b in FP8)]
HALVES = [pair for pair in FLOATS if pair[0] not in ("bf16", "tf32")]
INTS = [(a, b) for kinds in (("s8", "u8"), ("s4", "u4")) for a in kinds for b in kinds]


@pytest.fixture(scope="module")
def module() -> Iterator[Module]:
    with load("mma_kernels.hip") as loaded:
        yield loaded


def depth(kind: str, half: bool) -> int:
    return 8 * 32 // BITS[kind] // (2 if half else 1)


def operands(a: str, b: str, k: int, seed: int, any_code: bool = False, rows: int = 16) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    return random_codes(a, rng, (rows, k), any_code), random_codes(b, rng, (k, 8), any_code)


def run(module: Module, kernel: str, a: Array, b: Array, c: Array, registers: int) -> Array:
    out = np.zeros((registers, 64), np.uint32)
    launch(module, kernel, a, b, np.ascontiguousarray(c), out)
    return both_mirrors(out)


def close(found: Array, a: Array, b: Array, c: Array, step: float) -> None:
    """Within `step` of the sum of magnitudes; what is not finite is the same."""
    with np.errstate(invalid="ignore"):
        want, size = a @ b + c, abs(a) @ abs(b) + abs(c)
        finite = np.isfinite(want)
        np.testing.assert_array_equal(np.isnan(found), np.isnan(want))
        np.testing.assert_array_equal(found[~finite], want[~finite])
        assert (abs(found - want)[finite] <= step * size[finite]).all()


@pytest.mark.parametrize("any_code", [False, True])
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(("a", "b"), FLOATS)
def test_f32(module: Module, a: str, b: str, half: bool, any_code: bool) -> None:
    for seed in range(4):
        x, y = operands(a, b, depth(a, half), seed, any_code)
        c = np.random.default_rng(seed + 100).standard_normal((16, 8)).astype(np.float32)
        name = f"f32_{a}_{b}_{'half' if half else 'full'}"
        registers = run(module, name, fragment_a(a, x), fragment_b(b, y), accumulators(c).view(np.uint32), 4)
        matrix = from_accumulators(registers.view(np.float32), (16, 8)).astype(np.float64)
        close(matrix, decode(a, x), decode(b, y), c, 2.0**-21)


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(("a", "b"), HALVES)
def test_f16(module: Module, a: str, b: str, half: bool) -> None:
    for seed in range(4):
        x, y = operands(a, b, depth(a, half), seed)
        if a in FP8:  # half of the exponents, or sums would leave the range of halves
            x, y = (v & np.uint8(0xBF) for v in (x, y))
        c = np.random.default_rng(seed + 100).standard_normal((16, 8)).astype(np.float16)
        name = f"f16_{a}_{b}_{'half' if half else 'full'}"
        registers = run(module, name, fragment_a(a, x), fragment_b(b, y), halves(accumulators(c)), 2)
        close(from_accumulators(from_halves(registers), (16, 8)), decode(a, x), decode(b, y), c.astype(float), 2.0**-10)


@pytest.mark.parametrize("c_size", [10, 2**31 - 1])
@pytest.mark.parametrize("saturate", [False, True])
@pytest.mark.parametrize("shape", ["full", "half", "m8"])
@pytest.mark.parametrize(("a", "b"), INTS)
def test_s32(module: Module, a: str, b: str, shape: str, saturate: bool, c_size: int) -> None:
    rows = 8 if shape == "m8" else 16
    for seed in range(3):
        x, y = operands(a, b, depth(a, shape != "full"), seed, rows=rows)
        rng = np.random.default_rng(seed + 100)
        c = rng.integers(-c_size, c_size, (rows, 8), dtype=np.int32)
        c[0], c[1] = c_size, -c_size
        name = f"{'sat' if saturate else 's32'}_{a}_{b}_{shape}"
        result = run(module, name, fragment_a(a, x), fragment_b(b, y), accumulators(c).view(np.uint32), rows // 4)
        want = decode(a, x) @ decode(b, y) + c
        want = np.clip(want, -(2**31), 2**31 - 1) if saturate else want
        matrix = from_accumulators(result.view(np.int32), (rows, 8))
        np.testing.assert_array_equal(matrix, want.astype(np.uint64).astype(np.uint32).view(np.int32))


@pytest.mark.parametrize("shape", ["full", "half", "m8"])
@pytest.mark.parametrize("op", ["and", "xor"])
def test_single_bits(module: Module, op: str, shape: str) -> None:
    rows = 8 if shape == "m8" else 16
    for seed in range(3):
        x, y = operands("b1", "b1", depth("b1", shape != "full"), seed, rows=rows)
        c = np.random.default_rng(seed + 100).integers(-1000, 1000, (rows, 8), dtype=np.int32)
        name = f"s32_b1_{op}_b1_{op}_{shape}"
        result = run(module, name, fragment_a("b1", x), fragment_b("b1", y), accumulators(c).view(np.uint32), rows // 4)
        left, right = decode("b1", x), decode("b1", y)
        both = left @ right
        want = c + (both if op == "and" else left.sum(1, keepdims=True) + right.sum(0, keepdims=True) - 2 * both)
        np.testing.assert_array_equal(from_accumulators(result.view(np.int32), (rows, 8)), want)


def test_chain(module: Module) -> None:
    x, y = operands("bf16", "bf16", 16, 7)
    c = np.random.default_rng(8).standard_normal((16, 8)).astype(np.float32)
    result = run(module, "chain", fragment_a("bf16", x), fragment_b("bf16", y), accumulators(c).view(np.uint32), 4)
    left, right = decode("bf16", x), decode("bf16", y)
    matrix = from_accumulators(result.view(np.float32), (16, 8)).astype(float)
    close(matrix, np.hstack([left, left]), np.vstack([right, right]), c, 2.0**-20)


@pytest.mark.parametrize("kind", ["f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8"])
def test_products_that_wait_for_another(module: Module, kind: str) -> None:
    rng, k = np.random.default_rng(5), depth(kind, False)
    a = [random_codes(kind, rng, (16, k), False) for _ in range(2)]
    b = [random_codes(kind, rng, (k, 8), False) for _ in range(3)]
    whole = kind in ("s8", "u8")
    c = [rng.integers(-9, 9, (16, 8), dtype=np.int32) if whole else rng.standard_normal((16, 8)).astype(np.float32)
         for _ in range(3)]  # fmt: skip
    result = run(
        module, f"pairs_{kind}", np.vstack([fragment_a(kind, x) for x in a]), np.vstack([fragment_b(kind, x) for x in b]),
        np.vstack([accumulators(x) for x in c]).view(np.uint32), 12,
    )  # fmt: skip
    first, second = (decode(kind, x) for x in a)
    factors = [[first, second, second], [first, second, first, first], [first, second]]  # of each tile, twice
    for tile in range(3):
        left = np.hstack(2 * factors[tile])
        right = np.vstack(2 * len(factors[tile]) * [decode(kind, b[tile])])
        matrix = from_accumulators(result[4 * tile : 4 * tile + 4].view(c[0].dtype), (16, 8))
        if whole:
            np.testing.assert_array_equal(matrix, left @ right + c[tile])
        else:
            close(matrix.astype(np.float64), left, right, c[tile], 2.0**-19)


@pytest.mark.parametrize(("m", "k"), [(8, 4), (16, 4), (16, 8), (16, 16)])
def test_f64(module: Module, m: int, k: int) -> None:
    rng = np.random.default_rng(m + k)
    x, y, c = rng.standard_normal((m, k)), rng.standard_normal((k, 8)), rng.standard_normal((m, 8))
    a = np.array([x[GROUP + row, first + IN_GROUP] for first in range(0, k, 4) for row in range(0, m, 8)])
    b = np.array([y[first + IN_GROUP, GROUP] for first in range(0, k, 4)])
    out = np.zeros((m // 4, 64))
    launch(module, f"f64_m{m}n8k{k}", a, b, np.ascontiguousarray(accumulators(c)), out)
    close(from_accumulators(both_mirrors(out), (m, 8)), x, y, c, 2.0**-50)


# 8x8 matrices in shared memory


def rows_in_memory(seed: int) -> tuple[Array, Array, Array]:
    """The words of shared memory, the 32 addresses of rows that do not overlap, and the rows' elements."""
    rng = np.random.default_rng(seed)
    memory = rng.integers(0, 2**32, 2048, dtype=np.uint32)
    addresses = rng.permutation(512)[:32].astype(np.uint32) * np.uint32(16)
    rows = memory.view(np.uint16)[addresses[:, None] // 2 + np.arange(8)]
    return memory, addresses, rows.reshape(4, 8, 8)


def matrices_in_registers(matrices: Array, transposed: bool) -> Array:
    places = matrices.transpose(0, 2, 1) if transposed else matrices
    return pack(places[:, GROUP[:, None], 2 * IN_GROUP[:, None] + np.arange(2)], 16)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_ldmatrix(module: Module, count: int, transposed: bool) -> None:
    memory, addresses, matrices = rows_in_memory(count)
    result = run(module, f"load{count}" + "_trans" * transposed, memory, addresses, addresses, count)
    np.testing.assert_array_equal(result, matrices_in_registers(matrices[:count], transposed))


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_stmatrix(module: Module, count: int, transposed: bool) -> None:
    memory, addresses, _ = rows_in_memory(count)
    matrices = np.random.default_rng(9).integers(0, 65536, (4, 8, 8), dtype=np.uint16)
    out = np.zeros(2048, np.uint32)
    registers = matrices_in_registers(matrices, transposed)
    launch(module, f"store{count}" + "_trans" * transposed, memory, addresses, registers, out)
    want = memory.copy().view(np.uint16)
    want[addresses[: 8 * count, None] // 2 + np.arange(8)] = matrices[:count].reshape(-1, 8)
    np.testing.assert_array_equal(out.view(np.uint16), want)


def test_movmatrix(module: Module) -> None:
    matrix = np.random.default_rng(3).integers(0, 65536, (1, 8, 8), dtype=np.uint16)
    registers = matrices_in_registers(matrix, False)
    result = run(module, "move_trans", registers, registers, registers, 1)
    np.testing.assert_array_equal(result, matrices_in_registers(matrix, True))
