"""Numbers as C++ over a kernel's parameters: what is found by executing it with several values of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

__all__ = ["ALONE", "NOTHING", "Share", "Times", "shares", "times"]

_MOST_FACTORS = 3
_MOST_CONSTANT = 1 << 14


@dataclass(frozen=True, slots=True)
class Times:
    """A constant and parameters, multiplied."""

    constant: int
    parameters: tuple[int, ...] = ()  # numbers

    def value(self, arguments: Mapping[int, int]) -> int:
        return self.constant * math.prod(arguments[number] for number in self.parameters)

    def text(self, names: Mapping[int, str]) -> str:
        """C++."""
        factors = [names[number] for number in self.parameters]
        if self.constant != 1 or not factors:
            factors.append(str(self.constant))
        return " * ".join(factors)


NOTHING = Times(0)


def times(seen: Sequence[tuple[Mapping[int, int], int]]) -> list[Times]:
    """What has these values for these arguments; with small constants first."""
    arguments, value = seen[0]
    if all(other == 0 for _, other in seen):
        return [NOTHING]
    found = []
    for count in range(_MOST_FACTORS + 1):
        for chosen in combinations(_in_order(arguments), count):
            product = math.prod(arguments[number] for number in chosen)
            if product and value % product == 0 and 0 < value // product <= _MOST_CONSTANT:
                one = Times(value // product, chosen)
                if all(one.value(others) == wanted for others, wanted in seen):
                    found.append(one)
    return sorted(found, key=lambda one: one.constant)


def _in_order(arguments: Mapping[int, int]) -> list[int]:
    """Parameters first, then what the grid says."""
    return sorted(arguments, key=lambda number: (number < 0, number))


@dataclass(frozen=True, slots=True)
class Share:
    """How many neighbours have one thing in common: a quotient of parameters, or a constant."""

    above: Times
    below: Times = Times(1)

    def value(self, arguments: Mapping[int, int]) -> int:
        return self.above.value(arguments) // max(1, self.below.value(arguments))

    def text(self, names: Mapping[int, str]) -> str:
        if self.below == Times(1):
            return self.above.text(names)
        return f"({self.above.text(names)} / {self.below.text(names)})"


ALONE = Share(Times(1))


def shares(seen: Sequence[tuple[Mapping[int, int], int]]) -> Iterator[Share]:
    """What has these values for these arguments."""
    first, value = seen[0]
    if len({wanted for _, wanted in seen}) == 1:
        yield Share(Times(value))
    numbers = _in_order(first)
    candidates = [Share(Times(1, (n,))) for n in numbers]
    candidates += [Share(Times(1, (n,)), Times(1, (m,))) for n in numbers for m in numbers if n != m]
    yield from (one for one in candidates if all(one.value(others) == wanted for others, wanted in seen))
