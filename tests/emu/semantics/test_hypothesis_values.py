"""The same statements with values that hypothesis chooses and, where one fails, makes small."""

from __future__ import annotations

import numpy as np
import pytest
from families import family
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from semantics_machine import ALL, DTYPES, kind_of, literal, prepare, result_words, text_of
from test_rows import VECTORS, check

from porter.emu.table import Instruction

# Floats by their class as well as by their bits: hypothesis likes NaN, infinities, denormals and -0 too, but as values.
_FLOATS = {"f16": (16, 10), "f32": (32, 23), "mix": (32, 23), "f64": (64, 52)}
_TESTED = [row for row in VECTORS if not row.name.startswith(("v_div_scale", "v_div_fmas")) and not literal(row)]


def bits_of(kind: str) -> st.SearchStrategy[int]:
    if kind == "pkf":
        return st.tuples(bits_of("f16"), bits_of("f16")).map(lambda pair: pair[0] | pair[1] << 16)
    if kind == "pkf32":
        return st.tuples(bits_of("f32"), bits_of("f32")).map(lambda pair: pair[0] | pair[1] << 32)
    dtype = np.dtype(DTYPES[kind])
    width = 1 if dtype == np.bool_ else 8 * dtype.itemsize
    anything = st.integers(0, (1 << width) - 1)
    if kind not in _FLOATS:
        return anything
    width, mantissa = _FLOATS[kind]
    top = (1 << width - 1 - mantissa) - 1
    exponent = st.one_of(st.just(0), st.just(top), st.just(top - 1), st.integers(0, top))
    fraction = st.one_of(st.just(0), st.just(1), st.just((1 << mantissa) - 1), st.integers(0, (1 << mantissa) - 1))
    made = st.tuples(st.booleans(), exponent, fraction)
    return made.map(lambda parts: parts[0] << width - 1 | parts[1] << mantissa | parts[2])


@st.composite
def sources(draw: st.DrawFn, row: Instruction) -> tuple[list[np.ndarray], np.ndarray]:
    """Four drawn values of every source, over and over in the 64 lanes, so that a failure stays readable."""
    values = []
    for j in range(len(row.ins)):
        kind = kind_of(row, j)
        drawn = draw(st.lists(bits_of(kind), min_size=4, max_size=4))
        dtype = np.dtype(DTYPES[kind])
        if dtype == np.bool_:
            values.append(np.array([bool(value) for value in drawn] * 16))
        else:
            values.append(np.array(drawn * 16, f"u{dtype.itemsize}").view(dtype))
    old = np.zeros((64, result_words(row)), np.uint32)
    if "+" in row.ins:
        value = values[row.ins.index("+")]
        bits = value.view(f"u{value.dtype.itemsize}").astype(np.uint64)
        old = np.stack([(bits >> np.uint64(32 * n)).astype(np.uint32) for n in range(old.shape[1])], axis=1)
    return values, old


@pytest.fixture(scope="module", autouse=True)
def kernels() -> None:
    prepare([(row.name, text_of(row)) for row in _TESTED])


@family("row", _TESTED, ids=lambda row: row.name)
@pytest.mark.parametrize("examples", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_a_row_as_hypothesis_likes_it(row: Instruction, examples: int) -> None:
    @settings(
        max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True
    )
    @given(sources(row))
    def holds(drawn: tuple[list[np.ndarray], np.ndarray]) -> None:
        values, old = drawn
        check(row, values, old, ALL)

    holds()
