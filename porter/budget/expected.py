"""What sizes come to with several constants changed, from what they come to with half of each: a lower bound.

Each question costs a parse. Of a dozen tiles thousands of configurations do not fit by far, and need not be asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from porter.budget.constants import Constant

__all__ = ["at_least"]

Sizes = Sequence[int]  # one for each instantiation


def at_least(now: Sizes, halved: Mapping[Constant, Sizes], values: Mapping[Constant, int]) -> float:
    """The least that the largest of these sizes can be with the values; 0 where that cannot be told."""
    if not now or any(len(sizes) != len(now) for sizes in halved.values()):
        return 0  # which size is which instantiation's is not known any more
    product = _of_product(now, halved, values)
    return product if product or len(now) > 1 else _of_sum(now[0], {c: s[0] for c, s in halved.items()}, values)


def _of_product(now: Sizes, halved: Mapping[Constant, Sizes], values: Mapping[Constant, int]) -> float:
    """Where every size is a power of every constant, or has nothing to do with it."""
    sizes_after = [float(size) for size in now]
    for constant, value in values.items():
        for number, (before, after) in enumerate(zip(now, halved[constant])):
            if before <= 0 or after <= 0:
                return 0
            power = math.log(after / before) / math.log(constant.half / constant.value)
            if abs(power - round(power)) > 1e-9:
                return 0
            sizes_after[number] *= (value / constant.value) ** round(power)
    return max(sizes_after)


def _of_sum(now: int, halved: Mapping[Constant, int], values: Mapping[Constant, int]) -> float:
    """Sums of products fall ever more slowly with a constant, and no faster with several than with each alone."""
    falls = ((now - halved[c]) * (c.value - min(v, c.half)) / (c.value - c.half) for c, v in values.items())
    return now - sum(falls)
