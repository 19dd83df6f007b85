"""The blocks that launches ask for, as far as they are constants: evaluated by libclang."""

from __future__ import annotations

import math
from collections.abc import Iterator

from porter.analysis.launch_requests import Request, as_constants
from porter.chip import Chip
from porter.frontend.lexer import Kind, launch_arguments
from porter.frontend.probes import Probes, Source, evaluate
from porter.frontend.unit import Unit

__all__ = ["block_shapes", "launched_threads", "most_threads"]


def most_threads(chip: Chip) -> int:
    """CUDA's threads a block where two lanes play each."""
    return chip.max_threads // 2


def launched_threads(unit: Unit) -> Iterator[tuple[int, int]]:
    """The `<<<` of launches, and the most threads of their blocks; 0 where that is no constant."""
    for launch, extents in block_shapes(unit):
        yield launch, math.prod(max(values, default=0) for values in extents)


def block_shapes(unit: Unit) -> list[tuple[int, list[frozenset[int]]]]:
    """Tokens of launches, and what each of their blocks' extents may be where it is a constant."""
    if unit.ast is None:
        return []
    blocks = [(launch, list(_extents(unit, *place))) for launch, place in _blocks(unit)]
    parts = [part for _, extents in blocks for part in extents]
    if not parts:
        return []
    tokens = unit.tokens
    source = Source(unit.ast.main, unit.path, unit.file.text, unit.options.of_parse, known=unit.ast.probed)
    always = as_constants(unit, [Request(*part, frozenset()) for part in parts])
    probes = Probes(tuple((tokens[first].start, tokens[last - 1].end) for first, last in parts))
    values = dict(zip(parts, evaluate(source, probes, always).expressions))
    return [(launch, [frozenset(values[part]) for part in extents]) for launch, extents in blocks]


def _blocks(unit: Unit) -> Iterator[tuple[int, tuple[int, int]]]:
    """Tokens of launches, and of the threads that they ask for."""
    for index, token in enumerate(unit.tokens):
        if token.text == "<<<":
            parts = launch_arguments(unit.file, index)
            if len(parts) > 1:
                yield index, parts[1]


def _extents(unit: Unit, first: int, last: int) -> Iterator[tuple[int, int]]:
    """What the threads are the product of: the arguments of a dim3, here or where a local variable is declared."""
    function = unit.scope(first).function
    if last == first + 1 and unit.tokens[first].kind == Kind.IDENT and function is not None:
        for index in range(function.body[0], first):
            if unit.text(index) == unit.text(first) and unit.text(index - 1) == "dim3":
                opening = index + 1
                while unit.text(opening) in ("=", "dim3"):
                    opening += 1
                if unit.text(opening) in ("(", "{"):
                    yield from unit.file.arguments(opening)
                else:
                    yield opening, next(i for i in range(opening, first) if unit.text(i) == ";")
                return
    if unit.text(first) == "dim3" and unit.text(first + 1) in ("(", "{") and unit.file.partner(first + 1) == last - 1:
        yield from unit.file.arguments(first + 1)
    else:
        yield first, last
