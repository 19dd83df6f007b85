"""Forms over the reals: what an online softmax scales by cancels, and nothing else does."""

from __future__ import annotations

import math

import pytest

from porter.native.lift.algebra import MINUS_INFINITY, Algebra, Form, Quotient
from porter.native.lift.products import Share, Times, shares, times
from porter.native.machine.values import Refused


def softmax(a: Algebra, scores: list[Form], values: list[Form], online: bool, scaled: bool = True) -> Quotient:
    """The mean of values by 2^score, in one pass or two scores at a time."""
    blocks = [range(at, at + 2) for at in range(0, len(scores), 2)] if online else [range(len(scores))]
    top: Form = MINUS_INFINITY
    total = mean = a.number(0.0)
    for block in blocks:
        highest = a.largest([top, *(scores[n] for n in block)])
        shrink = a.exp2(a.add(top, a.negative(highest))) if scaled else a.number(1.0)
        total, mean, top = a.multiply(total, shrink), a.multiply(mean, shrink), highest
        for n in block:
            weight = a.exp2(a.add(scores[n], a.negative(top)))
            total, mean = a.add(total, weight), a.add(mean, a.multiply(weight, values[n]))
    return a.reduced(a.divide(mean, total))


def symbols(a: Algebra, name: str) -> list[Form]:
    return [a.atom((name, number)) for number in range(4)]


def test_an_online_softmax_is_a_softmax() -> None:
    a = Algebra()
    scores, values = symbols(a, "score"), symbols(a, "element")
    once, online = softmax(a, scores, values, False), softmax(a, scores, values, True)
    assert (once.above, once.below) == (online.above, online.below)
    assert len(once.above) == len(once.below) == 4
    assert set(once.above.values()) == {1.0}


def test_without_its_scaling_it_is_another() -> None:
    a = Algebra()
    scores, values = symbols(a, "score"), symbols(a, "element")
    once, wrong = softmax(a, scores, values, False), softmax(a, scores, values, True, scaled=False)
    assert once.above != wrong.above


def test_a_masked_score_has_no_weight() -> None:
    a = Algebra()
    scores, values = symbols(a, "score"), symbols(a, "element")
    masked = softmax(a, [scores[0], MINUS_INFINITY, scores[2], MINUS_INFINITY], values, True)
    assert masked.above == softmax(a, [scores[0], scores[2]], [values[0], values[2]], False).above


def test_the_logarithm_of_a_sum_does_not_know_the_maximum() -> None:
    a = Algebra()
    scores = symbols(a, "score")
    top = a.largest(scores)
    total = a.number(0.0)
    for score in scores:
        total = a.add(total, a.exp2(a.add(score, a.negative(top))))
    plain = a.number(0.0)
    for score in scores:
        plain = a.add(plain, a.exp2(score))
    one, other = a.add(a.log2(total), top), a.log2(plain)
    assert isinstance(one, Quotient)
    assert isinstance(other, Quotient)
    assert one.above == other.above


def test_what_has_no_value_is_refused() -> None:
    a = Algebra()
    with pytest.raises(Refused, match="division by zero"):
        a.divide(a.number(1.0), a.number(0.0))
    with pytest.raises(Refused, match="infinite number or a NaN"):
        a.number(math.nan)
    with pytest.raises(Refused, match="infinite number that is multiplied"):
        a.multiply(MINUS_INFINITY, a.number(-1.0))


def test_numbers_as_products_of_parameters() -> None:
    seen = [({0: 4, 1: 128}, 4 * 128 * 64), ({0: 42, 1: 256}, 42 * 256 * 64)]
    assert times(seen) == [Times(64, (0, 1))]
    assert Times(64, (0, 1)).text({0: "heads", 1: "seq"}) == "heads * seq * 64"
    assert not times([({0: 4}, 8), ({0: 6}, 11)])


def test_heads_that_share_a_matrix() -> None:
    seen = [({0: 4, 1: 2}, 2), ({0: 42, 1: 6}, 7)]
    assert list(shares(seen)) == [Share(Times(1, (0,)), Times(1, (1,)))]
