"""Sizes that nobody has to ask for: never more than what the source comes to."""

import itertools
import random

from porter.budget.constants import Constant
from porter.budget.expected import at_least


def _constant(name: str, value: int, groups: bool = False) -> Constant:
    return Constant(name, value, ((0, 1),), False, False, "", False, False, groups=groups)


M, N, K, CONSUMERS = (
    _constant("BM", 128),
    _constant("BN", 64),
    _constant("BK", 32),
    _constant("CONSUMERS", 3, groups=True),
)


def _halved(size, values):
    """What `size` comes to with half of each constant alone."""
    now = {c.name: c.value for c in values}
    return [size(**now)], {c: [size(**{**now, c.name: c.half})] for c in values}


def test_products_are_exact():
    def size(BM, BN, BK, CONSUMERS):
        return 2 * CONSUMERS * BM * BN * BK

    values = {M: 32, N: 32, K: 32, CONSUMERS: 2}
    now, halved = _halved(size, values)
    assert round(at_least(now, halved, values)) == size(32, 32, 32, 2)


def test_instances_of_their_own_constants_are_told_apart():
    values = {M: 32, N: 16}
    now, halved = [4096, 16384], {M: [4096, 8192], N: [2048, 16384]}
    assert at_least(now, halved, values) == max(4096 / 4, 16384 / 4)


def test_what_is_not_told_apart_is_asked():
    assert at_least([4096, 8192], {M: [4096]}, {M: 32}) == 0
    assert at_least([4096, 8192], {M: [4096, 8000]}, {M: 32}) == 0
    assert at_least([], {M: []}, {M: 32}) == 0


def test_sums_of_products_are_never_less():
    draw = random.Random(7)
    for _ in range(200):
        terms = [(draw.randrange(1, 9), *(draw.randrange(3) for _ in range(3))) for _ in range(draw.randrange(1, 5))]

        def size(BM, BN, BK, terms=terms):
            return sum(factor * BM**m * BN**n * BK**k for factor, m, n, k in terms)

        for m, n, k in itertools.product((1, 2, 4), repeat=3):
            values = {M: 128 // m, N: 64 // n, K: 32 // k}
            now, halved = _halved(size, values)
            assert at_least(now, halved, values) <= size(128 // m, 64 // n, 32 // k) * (1 + 1e-9)
