"""wgmma of mirrored warps, executed, against numpy in float64: types, shapes, layouts of shared memory, signs.

Layouts are stated as the PTX ISA has them (canonical layouts in CuTe's terms), apart from the C++. An H200 finds its
operands in 88 such layouts (h200/wgmma_layouts.cu and what it printed).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from fragments import (
    BITS,
    Array,
    accumulators,
    both_mirrors,
    decode,
    fragment_a,
    from_accumulators,
    from_halves,
    halves,
    launch,
    load,
    random_codes,
)
from test_mma import close

from porter.emu.device import Module
from porter.frontend.lexer import lex
from porter.frontend.scopes import find_scopes
from porter.frontend.unit import Options, Unit
from porter.passes.ptx.inline_ptx import run as run_pass
from porter.port.edits.rewrite import rewrite
from porter.rules import load_rules

SIZE = 4 * (16384 - 256)
MODES = {0: 16, 1: 128, 2: 64, 3: 32}  # the descriptor's number and bytes of a swizzled row


@pytest.fixture(scope="module")
def module() -> Iterator[Module]:
    with load("wgmma_kernels.hip") as loaded:
        yield loaded


@dataclass(frozen=True)
class Placed:
    """A matrix in shared memory: [m or n, k]."""

    mode: int
    mn_major: bool = False
    start: int = 0  # where the swizzle's pattern begins
    advance: int = 0  # bytes of k before the matrix, in the same pattern
    leading: int = 0
    stride: int = 0

    @property
    def base_offset(self) -> int:
        return self.start >> 7 & 7 if self.start % (8 * MODES[self.mode]) else 0

    @property
    def descriptor(self) -> int:
        start = (self.start + self.advance) >> 4
        return start | self.leading >> 4 << 16 | self.stride >> 4 << 32 | self.base_offset << 49 | self.mode << 62

    def addresses(self, rows: int, columns: int, size: int) -> Array:
        t, wide = 16 // size, MODES[self.mode] // 16  # elements in 16 bytes, those in a row of the pattern
        mn, k = np.arange(rows)[:, None], np.arange(columns)[None, :]
        if self.mn_major and self.mode == 0:  # ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))
            at = mn % t * size + mn // t * self.stride + k % 8 * 16 + k // 8 * self.leading
        elif self.mn_major:  # ((T,w,m),(8,k)):((1,T,LBO),(wT,SBO))
            at = mn % (t * wide) * size + mn // (t * wide) * self.leading + k % 8 * 16 * wide + k // 8 * self.stride
        elif self.mode == 0:  # ((8,m),(T,2k)):((1T,SBO),(1,LBO))
            at = mn % 8 * 16 + mn // 8 * self.stride + k % t * size + k // t * self.leading
        else:  # ((8,m),(T,2k)):((wT,SBO),(1,T))
            at = mn % 8 * 16 * wide + mn // 8 * self.stride + k * size
        at = at + self.advance
        return self.start + (at ^ (at >> 3 & (wide - 1) << 4))  # Swizzle<log2 w, 4, 3>, from the pattern's beginning


def k_major(mode: int, seed: int, groups: int, start: int) -> Placed:
    rng = np.random.default_rng(seed)
    if mode == 0:
        far = [(128 * groups, 128), (128, 256), (16 + 128 * groups, 128)][seed % 3]
        return Placed(0, start=start, leading=far[0], stride=far[1])
    bytes_ = MODES[mode]
    space = 2 if groups <= 16 and seed % 2 else 1
    return Placed(
        mode, start=start, advance=32 * int(rng.integers(bytes_ // 32)), leading=16, stride=8 * bytes_ * space
    )


def mn_major(mode: int, seed: int, extent: int, start: int) -> Placed:
    bytes_ = MODES[mode]
    blocks, block = extent * 2 // bytes_, 8 * bytes_  # of the pattern along m or n, and its size
    near, far = (block, 2 * block) if seed % 2 else (block * blocks, block)  # of the next 8 k, of the next block
    if mode == 0:
        return Placed(0, True, start, leading=near, stride=far)
    return Placed(mode, True, start, leading=far, stride=near)


def write(memory: Array, place: Placed, codes: Array) -> None:
    size = codes.itemsize
    at = place.addresses(*codes.shape, size)
    assert at.max() + size <= SIZE
    assert len(np.unique(at)) == at.size
    for byte in range(size):
        memory[at + byte] = (codes >> (8 * byte) & 0xFF).astype(np.uint8)


@dataclass(frozen=True)
class Form:
    kernel: str
    a: str
    b: str
    n: int
    acc: str = "f32"
    factor: int = 1  # of A


def run(
    module: Module, form: Form, x: Array, y: Array, place_a: Placed | None, place_b: Placed, add: bool, seed: int,
) -> tuple[Array, Array]:  # fmt: skip
    """The result and C. `x` is A, `y` is B transposed: codes [m, k] and [n, k]."""
    rng = np.random.default_rng(seed + 100)
    memory = rng.integers(0, 256, SIZE, dtype=np.uint8)
    write(memory, place_b, y)
    if place_a is not None:
        write(memory, place_a, x)
    warps = [slice(16 * w, 16 * w + 16) for w in range(4)]
    registers = np.hstack([fragment_a(form.a, x[rows]) for rows in warps])
    if form.acc == "s32":
        c = rng.integers(-(2**31), 2**31 - 1, (64, form.n), dtype=np.int32)
        held = np.hstack([accumulators(c[rows]) for rows in warps]).view(np.uint32)
    elif form.acc == "f16":
        c = rng.standard_normal((64, form.n)).astype(np.float16)
        held = np.hstack([halves(accumulators(c[rows])) for rows in warps])
    else:
        c = rng.standard_normal((64, form.n)).astype(np.float32)
        held = np.hstack([accumulators(c[rows]) for rows in warps]).view(np.uint32)
    descriptors = np.array([place_a.descriptor if place_a else 0, place_b.descriptor], np.uint64)
    out = np.zeros((len(held), 256), np.uint32)
    launch(
        module, form.kernel, memory, descriptors, np.ascontiguousarray(registers), np.ascontiguousarray(held), out,
        threads=256, scalars=struct.pack("<i", add),
    )  # fmt: skip
    parts = []
    for warp in range(4):
        words = both_mirrors(out[:, 64 * warp : 64 * warp + 64])
        values = from_halves(words) if form.acc == "f16" else words.view(np.float32 if form.acc == "f32" else np.int32)
        parts.append(from_accumulators(values, (16, form.n)))
    return np.vstack(parts), c if add else np.zeros_like(c)


def check(
    module: Module, form: Form, place_a: Placed | None, place_b: Placed, seed: int, any_code: bool = False
) -> None:
    rng = np.random.default_rng(seed)
    k = 256 // BITS[form.a]
    x = random_codes(form.a, rng, (64, k), any_code)
    y = random_codes(form.b, rng, (form.n, k), any_code)
    if form.acc == "f16" and BITS[form.a] == 8:
        x, y = x & np.uint8(0xBF), y & np.uint8(0xBF)
    for add in (False, True):
        result, c = run(module, form, x, y, place_a, place_b, add, seed)
        left, right = decode(form.a, x), decode(form.b, y).T
        left = left if form.factor == 1 else left * form.factor
        if form.acc == "s32":
            want = left @ right + c
            if form.kernel.startswith("s8_s8_sat"):
                want = np.clip(want, -(2**31), 2**31 - 1)
            np.testing.assert_array_equal(result, want.astype(np.uint64).astype(np.uint32).view(np.int32))
        else:
            step = 2.0**-10 if form.acc == "f16" else 2.0**-20
            close(result.astype(np.float64), left, right, c.astype(np.float64), step)


FORMS = [
    *(Form("bf16_{}_" + str(n), "bf16", "bf16", n) for n in (8, 24, 64, 256)),
    Form("f16_{}_32", "f16", "f16", 32),
    *(Form("half_{}_" + str(n), "f16", "f16", n, "f16") for n in (24, 32)),
    Form("tf32_{}_32", "tf32", "tf32", 32),
    *(Form(f"{a}_{b}_" + "{}_32", a, b, 32) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")),
    Form("half_e4m3_e4m3_{}_32", "e4m3", "e4m3", 32, "f16"),
    *(Form(f"{a}_{b}_" + "{}_32", a, b, 32, "s32") for a in ("s8", "u8") for b in ("s8", "u8")),
    Form("s8_s8_sat_{}_32", "s8", "s8", 32, "s32"),
]


@pytest.mark.parametrize("where", ["shared", "registers"])
@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.kernel.format("any"))
def test_types_and_shapes(module: Module, form: Form, where: str) -> None:
    ready = Form(form.kernel.format(where), form.a, form.b, form.n, form.acc)
    for mode in MODES:
        place_a = k_major(mode, mode + form.n, 8, 0) if where == "shared" else None
        place_b = k_major((mode + 1) % 4, mode, form.n // 8, 17 * 1024)
        check(module, ready, place_a, place_b, mode, any_code=form.acc == "f32" and mode == 1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("mode", MODES)
def test_k_major(module: Module, mode: int, seed: int) -> None:
    form = Form("bf16_shared_64", "bf16", "bf16", 64)
    check(module, form, k_major(mode, seed, 8, 0), k_major(mode, seed + 1, 8, 20 * 1024), seed)


@pytest.mark.parametrize("start", [128, 256, 896])
@pytest.mark.parametrize("mode", [1, 2, 3])
def test_patterns_that_begin_elsewhere(module: Module, mode: int, start: int) -> None:
    form = Form("bf16_shared_64", "bf16", "bf16", 64)
    check(module, form, k_major(mode, 1, 8, start), k_major(mode, 2, 8, 20 * 1024 + start), start)


MAJOR = [
    ("bf16_mk_shared_128", True, False, "bf16", 128, -1),
    ("bf16_kn_shared_128", False, True, "bf16", 128, 1),
    ("bf16_mn_shared_128", True, True, "bf16", 128, 1),
    ("bf16_n_registers_128", None, True, "bf16", 128, -1),
    ("f16_mn_shared_32", True, True, "f16", 32, -1),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("kernel", "a_major", "b_major", "kind", "n", "sign"), MAJOR)
def test_mn_major(
    module: Module, kernel: str, a_major: bool | None, b_major: bool, kind: str, n: int, sign: int, mode: int, seed: int,
) -> None:  # fmt: skip
    if MODES[mode] > 2 * n:
        mode = 3  # as many columns have no row of the wider patterns
    place_a = None
    if a_major is not None:
        place_a = mn_major(mode, seed, 64, 0) if a_major else k_major(mode, seed, 8, 0)
    place_b = mn_major(mode, seed + 1, n, 20 * 1024) if b_major else k_major(mode, seed, n // 8, 20 * 1024)
    check(module, Form(kernel, kind, kind, n, factor=sign), place_a, place_b, seed)


SIGNS = [
    ("bf16_kk_nn_shared_128", "bf16", 128, 1),
    ("bf16_kk_pn_shared_128", "bf16", 128, -1),
    ("tf32_n_shared_32", "tf32", 32, -1),
    ("e4m3_n_shared_32", "e4m3", 32, -1),
    ("e5m2_n_shared_32", "e5m2", 32, -1),
]


@pytest.mark.parametrize(("kernel", "kind", "n", "sign"), SIGNS)
def test_signs(module: Module, kernel: str, kind: str, n: int, sign: int) -> None:
    check(module, Form(kernel, kind, kind, n, factor=sign), k_major(1, 0, 8, 0), k_major(1, 0, n // 8, 20 * 1024), n)


TWICE = [
    Form("twice_bf16_24", "bf16", "bf16", 24, factor=2),
    Form("held_bf16_24", "bf16", "bf16", 24, factor=2),
    Form("twice_half_24", "f16", "f16", 24, "f16", 2),
    Form("held_u8_u8_32", "u8", "u8", 32, "s32", 2),
]


@pytest.mark.parametrize("form", TWICE, ids=lambda f: f.kernel)
def test_products_one_after_the_other(module: Module, form: Form) -> None:
    check(module, form, k_major(1, 0, 8, 0), k_major(1, 0, form.n // 8, 20 * 1024), form.n)


def test_port_of_constants() -> None:
    """Immediates come as template parameters of the source, scale-d too."""
    registers = ", ".join(f"%{i}" for i in range(4))
    source = (
        f'asm volatile("{{\\n wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{{registers}}}, %4, %5, %6, %7, %8, %9, %10;\\n}}\\n"'
        ' : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3])'
        ' : "l"(a), "l"(b), "n"(int32_t(D)), "n"(int32_t(A)), "n"(int32_t(B)), "n"(0), "n"(1));\n'
        'asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(N) : "memory");\n'
    )
    file = lex(source)
    unit = Unit(Path("a.cuh"), file, find_scopes(file), None, Options(), is_main=False)
    findings = run_pass(unit, load_rules())
    text = rewrite(source, findings).text
    assert (
        "porter::wgmma<porter::wgmma_f32_bf16, 8, int32_t(A), int32_t(B), 0, 1>"
        "(in4, in5, int32_t(D) != 0, d[0][0], d[0][1], d[0][2], d[0][3]);"
    ) in text
    assert text.endswith("porter::wgmma_wait_group<N>();\n")
    assert findings[0].includes == ("porter/ptx.h", "porter/wgmma.h")
