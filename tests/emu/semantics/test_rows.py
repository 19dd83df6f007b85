"""Every vector and scalar row against its statement, its example, and the assembler."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest
import statements_compare
import statements_float
import statements_integer
import statements_packed
import statements_scalar
from families import family
from semantics_machine import (
    ALL,
    DTYPES,
    SCALAR,
    VECTOR,
    kind_of,
    literal,
    prepare,
    result_words,
    rows_of,
    run_scalar,
    run_vector,
    scalar_text,
    text_of,
)
from semantics_values import draw, seeded

from porter.emu.table import Instruction
from porter.toolchain import find_pip_clang

STATEMENTS = {**statements_integer.ROWS, **statements_compare.ROWS, **statements_float.ROWS, **statements_packed.ROWS}
# Rows that look at other lanes or at registers by number: the module whose tests name them
ELSEWHERE = {
    **dict.fromkeys(
        "v_nop v_clrexcp v_swap_b32 v_readfirstlane_b32 v_readlane_b32 v_writelane_b32 v_mqsad_u32_u8 v_mqsad_u32_u8.clamp "
        "v_trig_preop_f64 s_movrels_b32 s_movrels_b64 s_movreld_b32 s_movreld_b64".split(),
        "test_lanes",
    )
}
GROUPS = 6
LANES = 0xF0F3_5A5A_0001_FF7F
VECTORS = [row for row in rows_of(VECTOR) if row.name not in ELSEWHERE]
SCALARS = [row for row in rows_of(SCALAR) if row.name not in ELSEWHERE]


@pytest.fixture(scope="module", autouse=True)
def kernels():
    prepare([(row.name, text_of(row)) for row in VECTORS])
    prepare([(row.name, scalar_text(row)) for row in SCALARS if "imm" not in row.ins], scalar=True)


def test_every_row_has_a_statement():
    missing = [row.name for row in VECTORS if row.name not in STATEMENTS]
    missing += [row.name for row in SCALARS if row.name not in statements_scalar.ROWS]
    assert not missing
    here = {row.name for row in (*rows_of(VECTOR), *rows_of(SCALAR))}
    assert not {*STATEMENTS, *statements_scalar.ROWS, *ELSEWHERE} - here


def typed(words: np.ndarray, kind: str) -> np.ndarray:
    """The words of a destination as its values."""
    kind = kind.removesuffix("+")
    dtype = np.dtype(DTYPES[kind])
    wide = sum(words[:, n].astype(np.uint64) << np.uint64(32 * n) for n in range(words.shape[1]))
    return wide.astype(f"u{dtype.itemsize}").view(dtype)


def same(name: str, got: np.ndarray, want: np.ndarray, ulps: int = 0) -> np.ndarray:
    """NaNs are equal; floats may differ by `ulps`."""
    if got.dtype.kind != "f":
        return got == want.astype(got.dtype)
    bits = np.dtype(f"i{got.dtype.itemsize}")
    order = lambda x: np.where(x.view(bits) < 0, np.iinfo(bits).min - x.view(bits), x.view(bits)).astype(object)  # noqa: E731
    want = want.astype(got.dtype)
    distance = np.abs(order(got) - order(want)) <= ulps
    exact = got.view(bits) == want.view(bits)
    return (np.isnan(got) & np.isnan(want)) | exact | (distance if ulps else False)


def halves_same(got: np.ndarray, want: np.ndarray, kind: str) -> np.ndarray:
    part = np.float16 if kind == "pkf" else np.float32
    unsigned = np.dtype(f"u{np.dtype(part).itemsize}")
    shift = got.dtype.type(8 * unsigned.itemsize)
    return np.logical_and(
        same("", got.astype(unsigned).view(part), want.astype(unsigned).view(part)),
        same("", (got >> shift).astype(unsigned).view(part), (want >> shift).astype(unsigned).view(part)),
    )


def sources_of(row: Instruction, count: int, random: np.random.Generator) -> tuple[list[np.ndarray], np.ndarray]:
    """Values of every source (the destination's old value among them), and the words of the old destination."""
    values = [draw(kind_of(row, j), count, random) for j in range(len(row.ins))]
    old = random.integers(0, 1 << 32, (count, result_words(row)), np.uint64).astype(np.uint32)
    if fixed := literal(row):
        j, bits = fixed
        dtype = np.dtype(DTYPES[row.ins[j]])
        values[j] = np.full(count, bits, f"u{dtype.itemsize}").view(dtype)
    if row.name.startswith("v_div_scale"):  # one of the other two is what is scaled
        which = random.random(count) < 0.5
        values[0] = np.where(which, values[1].view(f"u{values[1].itemsize}"), values[2].view(f"u{values[2].itemsize}")).view(values[0].dtype)  # fmt: skip
    if "+" in row.ins:
        value = values[row.ins.index("+")]
        bits = value.view(f"u{value.dtype.itemsize}").astype(np.uint64)
        if value.dtype.itemsize < 4:
            bits |= old[:, 0] & np.uint64(0xFFFF0000)
        old = np.stack([(bits >> np.uint64(32 * n)).astype(np.uint32) for n in range(old.shape[1])], axis=1)
    return values, old


def check(row: Instruction, values: list[np.ndarray], old: np.ndarray, lanes: int) -> None:
    given = [value for value, kind in zip(values, row.ins) if kind != "+"]
    done = run_vector(row, given, old, lanes=lanes)
    with np.errstate(all="ignore"):
        want = STATEMENTS[row.name](*values)
    main, mask = want if isinstance(want, tuple) else (want, None) if result_words(row) else (None, want)
    on = np.array([lanes >> lane & 1 for lane in range(64)] * (len(old) // 64), bool)
    if main is not None:
        kind = row.outs[0].removesuffix("+")
        words = done.words
        if row.name == "v_fma_mixhi_f16":
            words = words >> 16
        got = typed(words, kind)
        fine = halves_same(got, main, kind) if kind in ("pkf", "pkf32") else same(row.name, got, main, statements_float.ULPS.get(row.name, 0))  # fmt: skip
        bad = np.flatnonzero(~fine & on)
        assert not len(bad), [row.name, *(hexes(value[bad[:3]]) for value in values), hexes(got[bad[:3]]), hexes(main[bad[:3]])]  # fmt: skip
        rest = {"u16": 0xFFFF, "i16": 0xFFFF, "f16": 0xFFFF, "u8": 0xFF}.get(kind)
        if rest:  # what the destination holds beside the result
            other = done.words[on, 0] & (rest if row.name == "v_fma_mixhi_f16" else ~np.uint32(rest))
            kept = row.outs[0].endswith("+")
            before = old[on, 0] & (rest if row.name == "v_fma_mixhi_f16" else ~np.uint32(rest))
            np.testing.assert_array_equal(other, before if kept else 0)
        np.testing.assert_array_equal(done.words[~on], old[~on])
    if mask is not None:
        np.testing.assert_array_equal(done.mask, mask & on)
    np.testing.assert_array_equal(done.exec, mask & on if "exec" in row.outs else on)


def hexes(values: np.ndarray) -> list[str]:
    if values.dtype == np.bool_:
        return [str(value) for value in values]
    return [hex(value) for value in values.view(f"u{values.dtype.itemsize}")]


@family("row", VECTORS, ids=lambda row: row.name)
def test_vector_row(row):
    values, old = sources_of(row, 64 * GROUPS, seeded(row.name))
    check(row, values, old, ALL)
    few = [value[:64] for value in values]
    check(row, few, old[:64], LANES)


@family("row", SCALARS, ids=lambda row: row.name)
def test_scalar_row(row):
    count = 8 if "imm" in row.ins else 96
    random = seeded(row.name)
    width = 64 if row.outs and row.outs[0] in ("u64", "i64") else 32
    for imm in draw("imm", 12, random) if "imm" in row.ins else (0,):
        values = [draw(kind_of(row, j), count, random) for j in range(len(row.ins))]
        old = draw("u64", count, random)
        got, scc, mask = run_scalar(row, values, old, int(imm))
        for at in range(count):
            arguments = []
            for j, kind in enumerate(row.ins):
                if kind == "imm":
                    arguments.append(int(imm))
                elif kind == "+":
                    arguments.append(int(old[at]) & ((1 << width) - 1))
                else:
                    value = values[j][at]
                    arguments.append(int(value) & ((1 << 8 * value.itemsize) - 1))
            result, wanted_scc, wanted_mask = statements_scalar.ROWS[row.name](*arguments)
            before = arguments[row.ins.index("scc")] if "scc" in row.ins else 0
            exec_before = arguments[row.ins.index("exec")] if "exec" in row.ins else ALL
            if result is not None:
                kept = int(old[at]) & ~((1 << width) - 1)
                assert int(got[at]) == (result & ((1 << width) - 1)) | kept, (row.name, arguments, hex(int(got[at])))
            assert scc[at] == (before if wanted_scc is None else wanted_scc), (row.name, arguments)
            assert int(mask[at]) == (exec_before if wanted_mask is None else wanted_mask), (row.name, arguments)


# ---- examples -------------------------------------------------------------------------------------------------------


def example_value(text: str, kind: str) -> np.ndarray:
    dtype = np.dtype(DTYPES[kind])
    if dtype == np.bool_:
        return np.array([text != "0"])
    if dtype.kind == "f":
        return np.array([float(text)], dtype)
    return np.array([int(text, 0) & ((1 << 8 * dtype.itemsize) - 1)], f"u{dtype.itemsize}").view(dtype)


def example(row: Instruction) -> tuple[list[np.ndarray], list[np.ndarray]]:
    before, after = (part.split() for part in row.example.split("->"))
    assert len(before) == len(row.ins) and len(after) == len(row.outs), row.name
    sources = [example_value(text, kind_of(row, j)) for j, text in enumerate(before)]
    return sources, [example_value(text, kind.removesuffix("+")) for text, kind in zip(after, row.outs)]


def test_rows_without_an_example():
    without = {row.name for row in (*rows_of(VECTOR), *rows_of(SCALAR)) if not row.example}
    assert without == set(ELSEWHERE) - {"v_readfirstlane_b32", "v_readlane_b32"}


@family("row", [row for row in VECTORS if not literal(row)], ids=lambda row: row.name)
def test_vector_example(row):
    sources, wanted = example(row)
    given = [np.repeat(value, 64) for value, kind in zip(sources, row.ins) if kind != "+"]
    old = np.zeros((64, result_words(row)), np.uint32)
    if "+" in row.ins:
        value = sources[row.ins.index("+")]
        bits = int(value.view(f"u{value.dtype.itemsize}")[0])
        old[:] = [bits >> 32 * n & 0xFFFFFFFF for n in range(old.shape[1])]
    done = run_vector(row, given, old)
    for kind, value in zip(row.outs, wanted):
        if kind == "exec":
            assert done.exec[0] == bool(value[0])
        elif kind in ("mask", "vcc"):
            assert done.mask[0] == value[0]
        else:
            words = done.words[:1] >> 16 if row.name == "v_fma_mixhi_f16" else done.words[:1]
            assert hexes(typed(words, kind)) == hexes(value)


@family("row", SCALARS, ids=lambda row: row.name)
def test_scalar_example(row):
    sources, wanted = example(row)
    old = sources[row.ins.index("+")] if "+" in row.ins else np.zeros(1, np.uint64)
    imm = int(sources[row.ins.index("imm")][0]) if "imm" in row.ins else 0
    old64 = old.view(f"u{old.dtype.itemsize}").astype(np.uint64)
    got, scc, mask = run_scalar(row, sources, old64, imm)
    for kind, value in zip(row.outs, wanted):
        if kind == "scc":
            assert scc[0] == value[0]
        elif kind == "exec":
            assert mask[0] == value[0]
        else:
            width = 8 * value.dtype.itemsize
            assert int(got[0]) & ((1 << width) - 1) == int(value[0]) & ((1 << width) - 1)


# ---- the assembler --------------------------------------------------------------------------------------------------


def test_the_assembler_takes_every_row(tmp_path):
    """The operands of the table are those of gfx942: clang refuses a wrong width or a name of another chip."""
    texts = [text_of(row) for row in VECTORS] + [scalar_text(row, 5) for row in SCALARS]
    texts = [re.sub(r"^(v_cmpx?_\w+)", r"\1_e64", text) for text in texts]
    for n, text in enumerate(texts):  # these take VCC in their short forms only
        if " clamp" in text and not text.startswith(("v_pk_", "v_dot")) and "_co_" not in text:
            texts[n] = re.sub(r"^(\w+)", r"\1_e64", text) if text.split()[0] in _SHORT else text
    source = tmp_path / "rows.s"
    source.write_text("\n".join(texts) + "\n")
    command = [*find_pip_clang().command, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-c", str(source), "-o", str(tmp_path / "rows.o")]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]


_SHORT = {"v_add_u32", "v_sub_u32", "v_subrev_u32", "v_add_u16", "v_sub_u16", "v_subrev_u16", "v_dot2c_i32_i16"}
