"""The nearest configuration of a source's constants with which its blocks fit: all evaluated, nothing modelled.

Nearest is: the largest tile, with two stages or more; of those the fewest constants changed; of those the most stages.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from porter.analysis.launch_requests import Request, Static, as_constants
from porter.budget.carved import Carved, carved
from porter.budget.constants import Constant, Constants
from porter.budget.lengths import lengths
from porter.budget.limits import limits, may_limit
from porter.budget.whole_unit import beside
from porter.frontend.ast import ParseOptions
from porter.frontend.lexer import lex
from porter.frontend.probes import Operation, Outcome, Probed, Probes, Source, evaluate, operations, outcome
from porter.frontend.scopes import find_scopes
from porter.frontend.unit import Unit
from porter.model import Edit

__all__ = ["Configuration", "Problem", "matters", "reasons", "solve", "table"]

_ALIGNMENT = 1024  # what follows static arrays begins at a multiple of it, where tiles are swizzled
_HALVINGS = 4  # of a tile's volume, at most
_MOST_TILES = 6
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Configuration:
    values: Mapping[Constant, int]  # those that change
    size: int  # of the largest block
    certain: bool = True


class Problem:
    """One file's sizes, and what they come to with other constants: its own, or those of another file of the unit."""

    def __init__(
        self,
        unit: Unit,
        wanted: Sequence[Request],
        statics: Sequence[Static],
        runtime: int,
        constants_of: Path | None = None,
        flat: Sequence[int] = (),
    ) -> None:
        self.lds = unit.chip.lds_bytes  # what a block can have
        self._wanted, self._statics, self._runtime = wanted, statics, runtime
        self._constants_of = constants_of
        self._flat = frozenset(flat)  # requests that are a number, whatever of it a kernel uses
        self._carved = list(_carved(unit)) if flat else []
        options = ParseOptions(
            unit.options.includes, unit.options.defines, unit.options.standard, unit.options.cuda_path
        )
        main = unit.ast.main if unit.ast else unit.path
        known = unit.ast.probed if unit.ast else {}
        self._source = Source(main, unit.path, unit.file.text, options, beside(unit), known)
        tokens = unit.tokens
        self._probes = Probes(
            tuple((tokens[r.first].start, tokens[r.last - 1].end) for r in wanted),
            tuple((s.place, s.name) for s in statics),
            sizes_elsewhere=tuple((path, *piece) for path, one in self._carved for piece in one.pieces),
        )
        self._always = as_constants(unit, wanted)
        self._others = _lowered_limits(unit, self._source.others)
        self._lengths: list[tuple[Path | None, str, tuple[int, int]]] = [
            (None, *length) for length in lengths(unit)
        ]  # the file's own first, as they are answered
        if constants_of is not None:
            other = _file_of(unit, self._source.text_of(constants_of))
            self._lengths += [(constants_of, *length) for length in lengths(other)]
        self._operations: list[Operation] = []
        self._outcome: Outcome | None = None
        self._cut_now: Probed | None = None
        self._known: dict[frozenset[tuple[Constant, int]], Probed] = {}
        written = evaluate(self._source, self._probes, self._always)
        self._errors, self._written = written.errors, self.asked(written)
        self._limits = [limit.edit(unit.file, unit.chip) for limit in limits(unit.file)]
        self._always += self._limits
        if not (self._limits or self._others):
            self._known[frozenset()] = written
        self.now = self.probed({})

    def probed(self, values: Mapping[Constant, int]) -> Probed:
        key = frozenset(values.items())
        if key not in self._known:
            self._known[key] = evaluate(self._source, self._probes, *self._edits(values))
        return self._known[key]

    def _edits(self, values: Mapping[Constant, int]) -> tuple[list[Edit], dict[Path, list[Edit]]]:
        """Of the file, and of others."""
        changes = [edit for constant, value in values.items() for edit in constant.edits(value)]
        if self._constants_of is None:
            return [*self._always, *changes], self._others
        mine = self._others.get(self._constants_of, [])
        return self._always, {**self._others, self._constants_of: [*mine, *changes]}

    @property
    def broken(self) -> bool:
        """Whether the source does not compile with what a block can have here: its static_asserts say so."""
        return self.now.errors > self._errors

    def compiles(self, probed: Probed) -> bool:
        return probed.errors <= self._errors

    def sizes(self, probed: Probed) -> list[int]:
        """Of each request, the bytes of the largest block that it may be for; 0 where it is no constant."""
        return [
            self._size(probed, number, max(values)) if values else 0 for number, values in enumerate(probed.expressions)
        ]

    def before(self, number: int) -> int:
        """The bytes of a request as the source has it."""
        return self._written[number]

    def asked(self, probed: Probed) -> list[int]:
        """The same, of what is written there."""
        pairs = zip(probed.expressions, self._wanted)
        return [max(values) + self._fixed(probed, request) if values else 0 for values, request in pairs]

    def _size(self, probed: Probed, number: int, asked: int) -> int:
        fixed = self._fixed(probed, self._wanted[number])
        if self.by_number(number):
            if needed := self.needed(probed, number):
                return fixed + needed
            if not self.guarded:
                return self._written[number]
        return fixed + asked

    def is_number(self, number: int) -> bool:
        return number in self._flat

    def by_number(self, number: int) -> bool:
        """Whether a request is a number that is too large: a smaller one would do or not."""
        return number in self._flat and self._written[number] > self.lds

    @cached_property
    def guarded(self) -> bool:
        """Whether the source compares what it needs with what a block can have: with 1 KiB of that it does not compile."""
        always = self._always[: len(self._always) - len(self._limits)]
        own, others = _smallest(self._limits), {path: _smallest(edits) for path, edits in self._others.items()}
        return bool(own or others) and not self.compiles(evaluate(self._source, Probes(), [*always, *own], others))

    def needed(self, probed: Probed, number: int) -> int:
        """What the kernels of a request that is a number take of it; 0 if that is not known."""
        kernels = self._wanted[number].kernels
        if number not in self._flat or not kernels <= {one.kernel for _, one in self._carved}:
            return 0
        sizes = iter(probed.sizes_elsewhere)
        most = 0
        for _, one in self._carved:
            pieces = [max(next(sizes), default=0) for _ in one.pieces]
            if one.kernel in kernels:
                if not all(pieces):
                    return 0
                most = max(most, sum(-(-piece // _ALIGNMENT) * _ALIGNMENT for piece in pieces))
        begins_anywhere = bool(most and self._fixed(probed, self._wanted[number]))  # behind what is static
        return most + begins_anywhere * _ALIGNMENT

    def most(self, number: int) -> int:
        """What a request can be at most beside static arrays."""
        return self.lds - self._fixed(self.now, self._wanted[number])

    def _fixed(self, probed: Probed, request: Request) -> int:
        shared = sum(max(s, default=0) for s, own in zip(probed.sizes, self._statics) if not own.function)
        own: dict[str, int] = {}
        for size, static in zip(probed.sizes, self._statics):
            own[static.function] = own.get(static.function, 0) + max(size, default=0)
        before = shared + self._runtime + max((own.get(kernel, 0) for kernel in request.kernels), default=0)
        return -(-before // _ALIGNMENT) * _ALIGNMENT

    def follows(self, constant: Constant, sizes: Sequence[tuple[Path | None, int, int]]) -> bool:
        """Whether a size in device code is another one with half of it."""
        places = [(self._constants_of if path is None else path, start, end) for path, start, end in sizes]
        own = tuple((start, end) for path, start, end in places if path in (None, self._source.path))
        others = tuple((path, start, end) for path, start, end in places if path not in (None, self._source.path))
        probes = Probes(own, (), others)
        before, after = (
            evaluate(self._source, probes, *self._edits(values)) for values in ({}, {constant: constant.value // 2})
        )
        return (before.expressions, before.elsewhere) != (after.expressions, after.elsewhere)

    def uncut(self, constant: Constant, others: frozenset[str]) -> str:
        """What is cut into parts as long and does not follow from the constant, and is no other tile's; or that nothing is,
        where its name does not say what it is of. Empty if it may change."""
        asked = Probes(
            tuple(place for path, _, place in self._lengths if path is None),
            (),
            tuple((path, *place) for path, _, place in self._lengths if path is not None),
        )
        half, follows = constant.value // 2, False
        before = self._cut_now = self._cut_now or evaluate(self._source, asked, *self._edits({}))
        after = evaluate(self._source, asked, *self._edits({constant: half}))
        pairs = zip((*before.expressions, *before.elsewhere), (*after.expressions, *after.elsewhere))
        for (path, said, place), answers in zip(self._lengths, pairs):
            kind, (now, then) = _meant(said, answers)
            if constant.value in now:
                source = self._source.text_of(path or self._source.path)
                text = source[slice(*place)]
                if constant.value in then and kind != "step" and others.isdisjoint(_NAME.findall(text)):
                    line = source.count("\n", 0, place[0]) + 1
                    return f"{text} in line {line} of {(path or self._source.path).name} stays {constant.value}"
                follows = follows or (half in then and kind == ("step" if constant.of_k else "divisor"))
        return "nothing is divided by it" if constant.plain and not follows else ""

    def keeps(self, values: Mapping[Constant, int]) -> bool:
        """Whether divisions of constants that came out even still do, and cases are still among those provided for."""
        if self._outcome is None:
            self._operations = operations(self._source)
            self._outcome = outcome(self._source, self._operations, [])
        # As it was, a local variable is no constant, and neither is what it divides.
        always, more = self._edits(values)
        own = always[len(self._always) :]
        return outcome(self._source, self._operations, own, more).keeps(self._outcome)


def _carved(unit: Unit) -> Iterator[tuple[Path, Carved]]:
    """Of the unit's kernels, with their files."""
    yield from ((unit.path, one) for one in carved(unit))
    for path, text in beside(unit).items():
        if "__global__" in text and "extern" in text:
            yield from ((path, one) for one in carved(_file_of(unit, text)))


def _smallest(limits: Sequence[Edit]) -> list[Edit]:
    return [replace(edit, text=str(_ALIGNMENT)) for edit in limits]


def _lowered_limits(unit: Unit, texts: Mapping[Path, str]) -> dict[Path, list[Edit]]:
    """In the unit's other files, which are ported as well."""
    if unit.outside:
        return {}
    files = ((path, lex(text)) for path, text in texts.items() if may_limit(text))
    edits = {path: [one.edit(file, unit.chip) for one in limits(file)] for path, file in files}
    return {path: own for path, own in edits.items() if own}


def _meant(said: str, answers: Sequence[Sequence[int]]) -> tuple[str, Sequence[Sequence[int]]]:
    """Lengths, of bits to shift by and of masks of the bits below them."""
    if said == "mask":
        return "divisor", [[value + 1 for value in values] for values in answers]
    how, _, kind = said.rpartition(" ")
    return kind, [[1 << v for v in values if v < 32] for values in answers] if how else answers


def _file_of(unit: Unit, text: str) -> Unit:
    file = lex(text)
    return replace(unit, file=file, scopes=find_scopes(file))


def solve(problem: Problem, known: Constants, number: int) -> Configuration | None:
    """For one request. Tiles with which warps that pass turns become fewer are tried last: a group that is left alone has
    nobody to pass its turn to, and nobody to get it from."""
    moving = [c for c in known.found if c.free and _matters(problem, c, number)]
    moving = [c for c in moving if not _stays(problem, known, c)]
    stages = [c for c in moving if c.stages]
    tiles = [c for c in moving if not c.stages]
    settled = [c for c in tiles if not c.turns]
    found = _solve(problem, stages, settled[:_MOST_TILES], number)
    if found is None and len(settled) < len(tiles):
        found = _solve(problem, stages, tiles[:_MOST_TILES], number)
    return found


def _stays(problem: Problem, known: Constants, constant: Constant) -> str:
    """Why a constant may not change; empty if it may, as far as can be seen of it alone."""
    if not constant.free:
        return "no array, loop, static_assert or block size of device code is seen to follow from it"
    if constant.sized and not problem.follows(constant, known.sizes):
        return "no size in device code changes with it"
    return "" if constant.stages else problem.uncut(constant, known.in_device)


def reasons(problem: Problem, known: Constants, rows: Sequence[str]) -> list[str]:
    """Why the constants of a table were not changed."""
    named = [c for c in known.found if any(f"{c.name} = " in row for row in rows)]
    found = {f"{c.name}: {why}": None for c in named if (why := _stays(problem, known, c))}
    return list(found) or [
        "with them a division of constants leaves a remainder, or a case is none of those that the source has"
    ]


def _solve(
    problem: Problem, stages: Sequence[Constant], tiles: Sequence[Constant], number: int
) -> Configuration | None:
    """A single stage is tried last: whether a source works with one is no matter of sizes."""
    refused: list[
        dict[Constant, int]
    ] = []  # tiles with which constants no longer meet: nor will they with smaller ones
    for floor in (2, 1) if stages else (2,):
        fewest = {c: max(floor, c.fewest) for c in stages if max(floor, c.fewest) < c.value}
        for halved in _halvings(tiles):
            values = {**fewest, **halved}
            if not values or any(all(halved.get(c, c.value) <= v for c, v in r.items()) for r in refused):
                continue
            if not _fits(problem, values, number):
                continue
            found = (
                _most_stages(problem, values, number) if _holds(problem, values) else _alike(problem, values, number)
            )
            if found is None:
                refused += [halved] if halved else []
                continue
            values = found
            single = any(c.stages and v == 1 and not c.lower_bound for c, v in values.items())
            turns = any(c.turns for c in values)
            size = problem.sizes(problem.probed(values))[number]
            return Configuration(values, size, not (single or turns))
    return None


def _most_stages(problem: Problem, values: Mapping[Constant, int], number: int) -> dict[Constant, int]:
    found = dict(values)
    for stage in [c for c in values if c.stages]:
        for more in range(stage.value, values[stage], -1):
            tried = {c: v for c, v in {**found, stage: more}.items() if v != c.value}
            if _fits(problem, tried, number) and _holds(problem, tried):
                found = tried
                break
    return found


def _alike(problem: Problem, fewest: Mapping[Constant, int], number: int) -> dict[Constant, int] | None:
    """The most stages, alike for all that have more, where the source does not go with the fewest: a ring that several
    warps share may want a multiple of their number."""
    found = None
    stages = [c for c in fewest if c.stages]
    for most in range(min((fewest[c] for c in stages), default=0) + 1, max((c.value for c in stages), default=0)):
        tried = {c: min(most, c.value) if c.stages else v for c, v in fewest.items()}
        tried = {c: v for c, v in tried.items() if v != c.value}
        if not _fits(problem, tried, number):
            break
        if _holds(problem, tried):
            found = tried
    return found


def matters(problem: Problem, constant: Constant) -> bool:
    """To any of the sizes."""
    return problem.probed({constant: constant.value // 2}).expressions != problem.now.expressions


def _matters(problem: Problem, constant: Constant, number: int) -> bool:
    now, then = problem.now, problem.probed({constant: constant.value // 2})
    if problem.broken and then.said != now.said:
        return True
    return then.expressions[number] != now.expressions[number] or (
        problem.needed(then, number) != problem.needed(now, number)
    )


def _halvings(tiles: Sequence[Constant]) -> Iterator[dict[Constant, int]]:
    for total in range(_HALVINGS + 1):
        ways = [w for w in itertools.product(range(total + 1), repeat=len(tiles)) if sum(w) == total]
        for way in sorted(ways, key=lambda w: sum(n > 0 for n in w)):
            if all(c.value % (1 << n) == 0 for c, n in zip(tiles, way)):
                yield {c: c.value >> n for c, n in zip(tiles, way) if n}


def _fits(problem: Problem, values: Mapping[Constant, int], number: int) -> bool:
    probed = problem.probed(values)
    return 0 < problem.sizes(probed)[number] <= problem.lds and (not problem.broken or problem.compiles(probed))


def _holds(problem: Problem, values: Mapping[Constant, int]) -> bool:
    """Whether what compiled compiles, what was constant is, and constants still meet (Problem.keeps)."""
    probed = problem.probed(values)
    same = all(now or not before for now, before in zip(probed.expressions, problem.now.expressions))
    return problem.compiles(probed) and same and problem.keeps(values)


def table(problem: Problem, known: Sequence[Constant], number: int) -> list[str]:
    """What would fit, whether or not the source can be trusted to follow: one constant halved, alone or with one stage."""
    rows = []
    stages = {c: c.fewest for c in known if c.stages and c.fewest < c.value and _matters(problem, c, number)}
    for others in ({}, stages) if stages else ({},):
        if others:
            size = problem.sizes(problem.probed(others))[number]
            if 0 < size <= problem.lds:
                rows.append(_row(others, size))
                continue
        for constant in [c for c in known if not c.stages][:_MOST_TILES]:
            value = constant.value // 2
            while value >= 16:
                changed = {**others, constant: value}
                size = problem.sizes(problem.probed(changed))[number]
                if 0 < size <= problem.lds and _holds(problem, changed):
                    rows.append(_row(changed, size))
                    break
                value //= 2
    return rows


def _row(values: Mapping[Constant, int], size: int) -> str:
    named = dict.fromkeys(f"{c.name} = {v}" for c, v in values.items())  # an argument may be written more than once
    return " and ".join(named) + f" ({size:,})"
