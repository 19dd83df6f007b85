"""What counts as right: by element, by norm, by whether anything was written."""

from __future__ import annotations

import math

import pytest
import torch

from porter.harness.cases.compare import compare, default_tolerance, poison
from porter.harness.cases.inputs import FLOAT8
from porter.harness.verdict import OutputResult

FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16, *FLOAT8)


def judged(got: torch.Tensor, want: torch.Tensor) -> OutputResult:
    return compare("out", got, want, default_tolerance(got.dtype))


def cast(values: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return values.float().to(dtype) if dtype in FLOAT8 else values.to(dtype)


@pytest.mark.parametrize("dtype", FLOATS)
def test_rounding_is_right(dtype: torch.dtype) -> None:
    torch.manual_seed(1)
    want = torch.randn(64, 65, dtype=torch.float64)
    assert judged(cast(want, dtype), want).right
    assert judged(cast(want * 1e-3, dtype), want * 1e-3).right


@pytest.mark.parametrize("dtype", FLOATS)
def test_one_wrong_element_in_many_is_named(dtype: torch.dtype) -> None:
    torch.manual_seed(2)
    want = torch.randn(100, 100, dtype=torch.float64)
    off = want.clone()
    off[3, 7] += 1.5 * abs(off[3, 7]) + 1.5
    result = judged(cast(off, dtype), want)
    assert not result.right
    assert result.wrong == 1
    assert result.first[0].index == (3, 7)
    assert result.first[0].want == pytest.approx(float(want[3, 7]))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_an_element_may_be_off_by_its_tolerance_and_no_more(dtype: torch.dtype) -> None:
    want = torch.full((100, 100), 1024.0, dtype=torch.float64)
    allowed = default_tolerance(dtype)
    for share, right in ((0.7, True), (1.3, False)):
        off = want.clone()
        off[5, 6] *= 1 + share * (allowed.rtol + allowed.atol)
        assert judged(cast(off, dtype), want).right is right


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_small_error_everywhere_fails_the_norm(dtype: torch.dtype) -> None:
    """One term of 512 left out of a sum: no element is off by more than roundings may be, their sum is."""
    torch.manual_seed(3)
    want = torch.randn(200, 200, dtype=torch.float64)
    shift = 1.2 * default_tolerance(dtype).norm
    result = judged(cast(want * (1 + shift), dtype), want)
    assert not result.right
    assert result.norm_error > result.norm_limit


@pytest.mark.parametrize("dtype", [d for d in FLOATS if d not in FLOAT8])
def test_what_was_not_written_is_named(dtype: torch.dtype) -> None:
    want = torch.ones(4, 5, dtype=torch.float64)
    got = want.clone().to(dtype)
    got.view(torch.uint8).flatten()[13 * dtype.itemsize : 14 * dtype.itemsize] = poison(20 * dtype.itemsize)[
        13 * dtype.itemsize : 14 * dtype.itemsize
    ]
    result = judged(got, want)
    assert (result.wrong, result.unwritten, result.first_unwritten) == (0, 1, ((2, 3),))
    assert not result.right


def test_integers_are_exact() -> None:
    want = torch.arange(10)
    assert judged(want.to(torch.int32), want).right
    off = want.to(torch.int32)
    off[4] += 1
    assert judged(off, want).first[0].index == (4,)
    off.view(torch.uint8)[16:20] = poison(4)
    assert judged(off, want).unwritten == 1
    assert judged(want.to(torch.int32), want.double()).right  # a reference in float64 has whole numbers too


def test_nan_is_right_only_where_the_reference_has_it() -> None:
    want = torch.tensor([1.0, math.nan, 3.0], dtype=torch.float64)
    assert judged(want.float(), want).right
    assert not judged(torch.tensor([math.nan, math.nan, 3.0]), want).right
    assert not judged(torch.tensor([1.0, 2.0, 3.0]), want).right


def test_overflow_is_infinity_and_saturation_for_fp8() -> None:
    want = torch.tensor([1e6, -1e6, 1.0], dtype=torch.float64)
    assert judged(want.half(), want).right
    assert not judged(torch.tensor([65504.0, -math.inf, 1.0]).half(), want).right
    for dtype in FLOAT8:
        top = torch.finfo(dtype).max
        assert judged(torch.tensor([top, -top, 1.0]).to(dtype), want).right
        assert not judged(torch.tensor([top / 2, -top, 1.0]).to(dtype), want).right
    assert not judged(torch.tensor([448.0, -448.0, 1.0]).to(torch.float8_e4m3fnuz), want.clamp(-200, 200)).right


def test_infinities_must_match_in_sign() -> None:
    want = torch.tensor([math.inf, -math.inf], dtype=torch.float64)
    assert judged(want.float(), want).right
    assert not judged(-want.float(), want).right


def test_nothing_is_nothing_wrong() -> None:
    assert judged(torch.empty(0, 3), torch.empty(0, 3, dtype=torch.float64)).right


def test_huge_values_do_not_overflow_the_norm() -> None:
    want = torch.full((100,), 3e38, dtype=torch.float64)
    assert judged(want.float(), want).right
    assert not judged(want.float() * 0.5, want).right
