"""Attention in the forms of what a block stores: which row of Q meets which rows of K, and what weighs which rows of V."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from porter.native.lift.algebra import Algebra, Poly, Quotient
from porter.native.lift.forms import Forms
from porter.native.machine.state import State
from porter.native.machine.values import GLOBAL, Refused, Scalar, Store, Term

__all__ = ["Scale", "Stored", "Tile", "columns_of", "stored", "tile_of"]


@dataclass(frozen=True, slots=True)
class Stored:
    """An element of the result, and what it is."""

    address: int
    size: int
    value: Scalar
    thread: int


@dataclass(frozen=True, slots=True)
class Scale:
    """What scores are multiplied with in the exponent of two."""

    factor: float
    parameter: int = -1  # and with that


@dataclass(frozen=True, slots=True)
class _Weights:
    """Of a row: of each key, 2^(scale q k)."""

    query: int  # address of the row of Q
    depth: int
    scale: Scale
    keys: tuple[int, ...]  # addresses


@dataclass(frozen=True, slots=True)
class Tile:
    """What a block computes. Addresses are those of its first row, of key 0 and column 0; pitches are in bytes."""

    query: int
    key: int
    value: int
    result: int
    pitches: tuple[int, int, int, int]  # of Q, K, V and the result; 0 where there is one row
    depth: int  # columns of Q and K
    columns: frozenset[int]  # of V and the result
    element: int  # bytes of a result
    scale: Scale
    keys: tuple[tuple[int, int, int], ...]  # row, its first key, and the one behind its last
    sums: int = 0  # the address of the logarithms of sums; 0: there are none
    pitch_of_sums: int = 0
    log2: float = 0.0  # what a logarithm of base two is multiplied with there


def stored(state: State) -> list[Stored]:
    """Single elements, in their order in memory."""
    elements = [
        Stored(event.address + at, size, value, thread)
        for thread, events in enumerate(state.events)
        for event in events
        if isinstance(event, Store)
        for at, size, value in _parts(event.value, event.size)
    ]
    return sorted(elements, key=lambda one: one.address)


def _parts(value: Scalar, size: int, at: int = 0) -> Iterator[tuple[int, int, Scalar]]:
    if isinstance(value, Term) and value.op == "pack":
        each = size // len(value.parts)
        for number, part in enumerate(value.parts):
            yield from _parts(part, each, at + number * each)
    else:
        yield at, size, value


def tile_of(forms: Forms, elements: Iterable[Stored], size: int) -> Tile:
    """size: bytes of an element of Q, K and V. Refused where it is no attention."""
    weighted: dict[int, list[tuple[Stored, tuple[int, ...]]]] = {}  # by row of Q
    weights: dict[int, _Weights] = {}
    logs: dict[int, tuple[_Weights, int, float]] = {}  # by row of Q: its weights, an address and a factor
    single: list[int] = []  # addresses of results in rows of one key
    of_results, of_logs = set[int](), set[int]()  # the parameters that they are stored to
    for one in elements:
        form = forms.algebra.reduced(forms.of(one.value, one.thread))
        if form.is_whole and (of := _logarithm(forms.algebra, form, size)) is not None:
            logs[of[0].query] = of[0], one.address, of[1]
            of_logs.add(one.address // GLOBAL)
            continue
        if _is_score(forms.algebra, form):  # the logarithm of one weight
            of_logs.add(one.address // GLOBAL)
            continue
        of_results.add(one.address // GLOBAL)
        row, values = _weighted(forms.algebra, form, size)
        if row is None:  # one key alone has the weight 1, whatever it is
            single.append(one.address)
        else:
            if weights.setdefault(row.query, row) != row:
                raise Refused("elements of a row whose weights differ")
            weighted.setdefault(row.query, []).append((one, values))
    if not weights:
        raise Refused("no row of more than one key")
    if len(of_results) > 1 or len(of_logs) > 1 or (of_logs and not logs):
        raise Refused("results that go to several places")
    if any(weights.get(query, of[0]) != of[0] for query, of in logs.items()):
        raise Refused("logarithms of other sums than those that results are divided by")
    sums = {query: (address, factor) for query, (_, address, factor) in logs.items()}
    return _with_first_rows(_tile(weights, weighted, sums, size), single)


def columns_of(forms: Forms, one: Stored, size: int) -> int:
    """How many columns rows have to all appearance: as many as those of Q and K; 1 where it is a logarithm."""
    form = forms.algebra.reduced(forms.of(one.value, one.thread))
    if form.is_whole:
        return 1
    row, _ = _weighted(forms.algebra, form, size)
    return row.depth if row is not None else 1


def _with_first_rows(tile: Tile, single: Sequence[int]) -> Tile:
    """With the rows of one key in front, of which no row of Q is known."""
    pitch_q, _, _, pitch_o = tile.pitches
    before = [address for address in single if address < tile.result]
    if not before or not pitch_o:
        return tile
    count = -(-(tile.result - min(before)) // pitch_o)
    return replace(
        tile,
        query=tile.query - count * pitch_q,
        result=tile.result - count * pitch_o,
        sums=tile.sums - count * tile.pitch_of_sums if tile.sums else 0,
        keys=(*((row, 0, 1) for row in range(count)), *((row + count, low, high) for row, low, high in tile.keys)),
    )


def _is_score(algebra: Algebra, form: Quotient) -> bool:
    kinds = [sorted(str(algebra.atoms[a][0]) for a in atoms) for atoms, _ in form.above]
    return form.is_whole and len(kinds) == 1 and kinds[0] in (["dot"], ["dot", "parameter"])


def _weighted(algebra: Algebra, form: Quotient, size: int) -> tuple[_Weights | None, tuple[int, ...]]:
    """The weights of a row, and what they weigh: addresses in the order of keys."""
    below = _exponents(algebra, form.below, size)
    by_exponent = {}
    for (atoms, exponent), coefficient in form.above.items():
        if abs(coefficient - 1.0) > 1e-4 or len(atoms) != 1 or algebra.atoms[atoms[0]][0] != "element":
            raise Refused("a result that is no mean of values by weights")
        by_exponent[exponent] = _address(algebra.atoms[atoms[0]])
    if set(by_exponent) != {exponent for _, exponent in form.below}:
        raise Refused("weights whose sum is not what the result is divided by")
    if below is None:
        return None, tuple(by_exponent.values())
    row, order = below
    return row, tuple(by_exponent[exponent] for exponent in order)


def _exponents(algebra: Algebra, poly: Poly, size: int) -> tuple[_Weights, list[int]] | None:
    """Sums of 2^(scale q k): the row, and the exponents in the order of keys; None for one that is 2^0."""
    keys: list[tuple[int, int]] = []
    rows = set()
    for (atoms, exponent), coefficient in poly.items():
        if atoms or abs(coefficient - 1.0) > 1e-4:
            raise Refused("a sum of weights that has other terms")
        scores = algebra.exponents[exponent]
        if not scores and len(poly) == 1:
            return None
        if len(scores) != 1:
            raise Refused("a weight that is not 2^(scale q k)")
        (((parts, inner), factor),) = scores.items()
        dots = [algebra.atoms[a] for a in parts if algebra.atoms[a][0] == "dot"]
        others = [algebra.atoms[a] for a in parts if algebra.atoms[a][0] != "dot"]
        if inner or len(dots) != 1 or len(others) > 1 or any(a[0] != "parameter" for a in others):
            raise Refused("a weight that is not 2^(scale q k)")
        _, query, step_q, key, step_k, depth = (int(x) if not isinstance(x, str) else 0 for x in dots[0])  # type: ignore[arg-type]
        if (step_q, step_k) != (size, size):
            raise Refused("rows of Q or K whose elements are not neighbours")
        scale = Scale(round(factor, 6), int(others[0][1]) if others else -1)  # type: ignore[arg-type]
        rows.add((query, depth, scale))
        keys.append((key, exponent))
    if len(rows) != 1:
        raise Refused("scores of several rows of Q in one sum")
    keys.sort()
    query, depth, scale = rows.pop()
    return _Weights(query, depth, scale, tuple(key for key, _ in keys)), [exponent for _, exponent in keys]


def _logarithm(algebra: Algebra, form: Quotient, size: int) -> tuple[_Weights, float] | None:
    """The row whose sum of weights it is the logarithm of, and what one of base two is multiplied with."""
    logs = [(m, c) for m, c in form.above.items() if any(algebra.atoms[a][0] == "log2" for a in m[0])]
    if len(logs) != 1:
        return None
    ((atoms, exponent), factor) = logs[0]
    if len(atoms) != 1 or exponent or len(form.above) != 1:
        return None
    _, above, below = algebra.atoms[atoms[0]]
    if algebra.exponents[int(below)] != {((), 0): 1.0}:  # type: ignore[arg-type]
        return None
    row = _exponents(algebra, algebra.exponents[int(above)], size)  # type: ignore[arg-type]
    return (row[0], factor) if row is not None else None


def _address(atom: tuple[object, ...]) -> int:
    _, parameter, offset, _ = atom
    return GLOBAL * (int(parameter) + 1) + int(offset)  # type: ignore[call-overload,no-any-return]


def _tile(
    weights: Mapping[int, _Weights],
    weighted: Mapping[int, Sequence[tuple[Stored, tuple[int, ...]]]],
    sums: Mapping[int, tuple[int, float]],
    size: int,
) -> Tile:
    queries = sorted(weights)
    rows = [weights[query] for query in queries]
    pitch_q = _step(queries)
    everything = sorted({key for row in rows for key in row.keys})
    pitch_k = _step(everything)
    pitch_v = _pitch_of_values(rows, weighted, pitch_k)
    origin = {
        (values[0] - (row.keys[0] - everything[0]) // max(pitch_k, 1) * pitch_v, one.address, number)
        for number, row in enumerate(rows)
        for one, values in weighted.get(row.query, ())
    }
    first_value = min(value for value, _, _ in origin)
    element = {one.size for several in weighted.values() for one, _ in several}
    if len(element) != 1:
        raise Refused("results of several sizes")
    width = element.pop()
    begins: dict[int, set[int]] = {}
    across = set()
    for value, address, number in origin:
        column, rest = divmod(value - first_value, size)
        if rest:
            raise Refused("values that do not lie as elements do")
        across.add(column)
        begins.setdefault(number, set()).add(address - column * width)
    if any(len(places) != 1 for places in begins.values()):
        raise Refused("results that do not lie as their values do")
    results = [begins[number].pop() for number in sorted(begins)]
    numbers = [(queries[number] - queries[0]) // max(pitch_q, 1) for number in sorted(begins)]
    pitch_o = _even(numbers, results, "rows of the result")
    spans = []
    for query, row in zip(queries, rows):
        low = (row.keys[0] - everything[0]) // max(pitch_k, 1)
        number = (query - queries[0]) // max(pitch_q, 1)
        spans.append((number, low, low + len(row.keys)))
        if pitch_k and any(key != row.keys[0] + n * pitch_k for n, key in enumerate(row.keys)):
            raise Refused("keys of a row that are no neighbours")
    if len({(row.depth, row.scale) for row in rows}) != 1:
        raise Refused("rows with different scales")
    of_sums = [((query - queries[0]) // max(pitch_q, 1), *sums[query]) for query in queries if query in sums]
    factors = {round(factor, 6) for _, _, factor in of_sums}
    if len(factors) > 1:
        raise Refused("logarithms of different bases")
    pitch_l = _even([n for n, _, _ in of_sums], [a for _, a, _ in of_sums], "logarithms of sums") if of_sums else 0
    return Tile(
        queries[0], everything[0], first_value, results[0] - numbers[0] * pitch_o,
        (pitch_q, pitch_k, pitch_v, pitch_o), rows[0].depth, frozenset(across), width, rows[0].scale, tuple(spans),
        of_sums[0][1] - of_sums[0][0] * pitch_l if of_sums else 0, pitch_l, factors.pop() if factors else 0.0,
    )  # fmt: skip


def _pitch_of_values(
    rows: Sequence[_Weights],
    weighted: Mapping[int, Sequence[tuple[Stored, tuple[int, ...]]]],
    pitch_k: int,
) -> int:
    pitches = set()
    for row in rows:
        for _, values in weighted.get(row.query, ()):
            for n in range(1, len(values)):
                steps = (row.keys[n] - row.keys[n - 1]) // pitch_k
                pitches.add((values[n] - values[n - 1]) / steps)
    if len(pitches) != 1:
        raise Refused("rows of V that do not lie at equal steps as those of K do")
    return int(pitches.pop())


def _step(places: Sequence[int]) -> int:
    """The largest distance that all of them lie at multiples of."""
    return math.gcd(*(b - a for a, b in pairwise(places)))


def _even(numbers: Sequence[int], places: Sequence[int], what: str) -> int:
    """The same, of places with numbers between which others may be missing."""
    steps = {(places[n] - places[n - 1]) / (numbers[n] - numbers[n - 1]) for n in range(1, len(places))}
    if len(steps) > 1:
        raise Refused(f"{what} that do not lie at equal steps")
    return int(steps.pop()) if steps else 0
