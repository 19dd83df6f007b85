"""The nearest configuration of a source's constants with which its blocks fit: all evaluated, nothing modelled.

Nearest is: the largest tile, with two stages or more; of those the fewest constants changed; of those the most stages.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from porter.analysis.launch_requests import Request, Static, as_constants
from porter.budget.carved import Carved, carved
from porter.budget.constants import Constant, Constants
from porter.budget.lengths import lengths
from porter.budget.limits import limits, may_limit
from porter.budget.quotients import Part, parts, standing, unsaid, unseen
from porter.budget.whole_unit import as_file, beside
from porter.frontend.answers import Answers
from porter.frontend.ast import ParseOptions
from porter.frontend.probes import Operation, Outcome, Probed, Probes, Source, evaluate, operations, outcome
from porter.frontend.unit import Unit
from porter.model import Edit

__all__ = ["Configuration", "Problem", "matters", "reasons", "solve", "table"]

_ALIGNMENT = 1024  # what follows static arrays begins at a multiple of it, where tiles are swizzled
_HALVINGS = 4  # of a tile's volume, at most
_WITH_GROUPS = 6  # and of the groups that share it
_MOST_TILES = 6
_SHORTEST = 16  # of a tile
_Answers = tuple[tuple[int, ...], tuple[int, ...]]
_NAME = re.compile(r"[A-Za-z_]\w*")
_KERNEL, _EXTERN = re.compile(rb"__global__"), re.compile(rb"extern")


@dataclass(frozen=True, slots=True)
class Configuration:
    values: Mapping[Constant, int]  # those that change
    size: int  # of the largest block
    certain: bool = True
    grown: float = 1  # how many times as many rows there are to a tile of keys, where some are masked


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
        most: Sequence[int] = (),
    ) -> None:
        self.lds = unit.chip.lds_bytes  # what a block can have
        self._wanted, self._statics, self._runtime = wanted, statics, runtime
        self._constants_of = constants_of
        self._flat = frozenset(flat)  # requests that are a number, whatever of it a kernel uses
        self._of_limit = frozenset(most)  # of those, what a block can have
        self._carved = list(_carved(unit)) if flat else []
        options = ParseOptions(
            unit.options.includes, unit.options.defines, unit.options.standard, unit.options.cuda_path
        )
        main = unit.ast.main if unit.ast else unit.path
        known = unit.ast.probed if unit.ast else Answers()
        others = beside(unit)
        texts = {path: source.text for path, source in others.items()}
        self._source = Source(main, unit.path, unit.file.text, options, texts, known)
        tokens = unit.tokens
        self._probes = Probes(
            tuple((tokens[r.first].start, tokens[r.last - 1].end) for r in wanted),
            tuple((s.place, s.name) for s in statics),
            sizes_elsewhere=tuple((path, *piece) for path, one in self._carved for piece in one.pieces),
        )
        self._always = as_constants(unit, wanted)
        self._others = _lowered_limits(unit)
        self._lengths: list[tuple[Path | None, str, tuple[int, int]]] = [
            (None, *length) for length in lengths(unit)
        ]  # the file's own first, as they are answered
        if constants_of is not None:
            other = as_file(unit, others[constants_of])
            self._lengths += [(constants_of, *length) for length in lengths(other)]
        self._parts = list(parts(unit if constants_of is None else other))
        self._uncut: dict[Constant, str] = {}
        self._standing: dict[Constant, list[Edit]] = {}  # numbers that a constant takes with it
        self._unseen: dict[Constant, list[str]] = {}  # and those of which it is not known
        self._operations: Sequence[Operation] = ()
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
        changes += self.standing(values)
        if self._constants_of is None:
            return [*self._always, *changes], self._others
        mine = self._others.get(self._constants_of, [])
        return self._always, {**self._others, self._constants_of: [*mine, *changes]}

    def standing(self, values: Iterable[Constant]) -> list[Edit]:
        """Numbers that stand for quotients of these constants, each once."""
        return list(dict.fromkeys(edit for constant in values for edit in self._standing.get(constant, ())))

    def unseen(self, constant: Constant) -> list[str]:
        """Numbers that may stand for quotients of it, in code that nothing instantiates."""
        return self._unseen.get(constant, [])

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
        """Whether a request is a number that is too large, and a smaller one would do or not; or as much as the port has,
        and less than the kernel takes."""
        if number in self._of_limit and self._written[number] <= self.lds:
            needed = self.needed(self.now, number)
            return bool(needed) and needed + self._fixed(self.now, self._wanted[number]) > self._written[number]
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
        most = 0
        for answers in self.pieces(probed, number):
            pieces = [max(sizes, default=0) for sizes in answers]
            if not all(pieces):
                return 0
            most = max(most, sum(-(-piece // _ALIGNMENT) * _ALIGNMENT for piece in pieces))
        begins_anywhere = bool(most and self._fixed(probed, self._wanted[number]))  # behind what is static
        return most + begins_anywhere * _ALIGNMENT

    def pieces(self, probed: Probed, number: int) -> list[list[tuple[int, ...]]]:
        """The sizes of what each of a request's kernels takes, in all of its instantiations."""
        sizes = iter(probed.sizes_elsewhere)
        found = [(one.kernel, [next(sizes) for _ in one.pieces]) for _, one in self._carved]
        return [answers for kernel, answers in found if kernel in self._wanted[number].kernels]

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
            evaluate(self._source, probes, *self._edits(values)) for values in ({}, {constant: constant.half})
        )
        return (before.expressions, before.elsewhere) != (after.expressions, after.elsewhere)

    def uncut(self, constant: Constant, others: frozenset[str]) -> str:
        """What is cut into parts as long and does not follow from the constant, and is no other tile's; or that nothing is,
        where its name does not say what it is of. Empty if it may change."""
        if constant not in self._uncut:  # asked once: numbers that it takes with it change afterwards
            self._uncut[constant] = self._uncut_now(constant, others)
        return self._uncut[constant]

    def _uncut_now(self, constant: Constant, others: frozenset[str]) -> str:
        cut, of_parts = self._cut(constant)
        if constant.groups:
            return self._uncut_groups(constant, cut)
        follows = False
        for (path, said, place), answers in zip(self._lengths, cut):
            kind, (now, then) = _meant(said, answers)
            if constant.value in now:
                if constant.value in then and kind != "step" and self._named(path, place).isdisjoint(others):
                    return f"{self._said(path, place)} stays {constant.value}"
                follows = follows or (constant.half in then and kind == ("step" if constant.of_k else "divisor"))
        self._standing[constant] = standing(of_parts)
        doubtful = dict(unseen(of_parts, constant.name.rpartition("::")[2]))
        self._unseen[constant] = [
            f"{self._said(self._constants_of, n.place)} does not stand for {p.text}" for n, p in doubtful.items()
        ]
        for number, part in unsaid(of_parts):
            return f"{self._said(self._constants_of, number.place)} stays, and {part.text} is as much"
        return "nothing is divided by it" if constant.plain and not follows else ""

    def _uncut_groups(self, constant: Constant, cut: Sequence[_Answers]) -> str:
        """Of a count: into as many tiles as there are groups the host cuts what it has, and device code its blocks."""
        meant = [(path, place, *_meant(said, one)) for (path, said, place), one in zip(self._lengths, cut)]
        meant = [one for one in meant if one[2] != "step"]
        moving = {v for _, _, kind, (now, then) in meant if kind == "divisor" and then and now != then for v in now}
        for path, place, kind, (now, then) in meant:
            if now == then and (moving if kind == "divisor" else {constant.value}) & set(now):
                return f"{self._said(path, place)} stays"
        return "" if moving else "nothing is divided by it"

    def _cut(self, constant: Constant) -> tuple[list[_Answers], list[tuple[Part, tuple[int, ...], tuple[int, ...]]]]:
        """What lengths and parts come to, before and after."""
        places = [(path, place) for path, _, place in self._lengths]
        places += [(self._constants_of, part.place) for part in self._parts]
        asked = Probes(
            tuple(place for path, place in places if path is None),
            (),
            tuple((path, *place) for path, place in places if path is not None),
        )
        before = self._cut_now = self._cut_now or evaluate(self._source, asked, *self._edits({}))
        after = evaluate(self._source, asked, *self._edits({constant: constant.half}))
        own = iter(zip(before.expressions, after.expressions))
        elsewhere = iter(zip(before.elsewhere, after.elsewhere))
        answers = [next(own if path is None else elsewhere) for path, _ in places]
        found = [(part, *answer) for part, answer in zip(self._parts, answers[len(self._lengths) :])]
        return answers[: len(self._lengths)], found

    def _named(self, path: Path | None, place: tuple[int, int]) -> set[str]:
        return set(_NAME.findall(self._source.text_of(path or self._source.path)[slice(*place)]))

    def _said(self, path: Path | None, place: tuple[int, int]) -> str:
        source = self._source.text_of(path or self._source.path)
        line = source.count("\n", 0, place[0]) + 1
        return f"{source[slice(*place)]} in line {line} of {(path or self._source.path).name}"

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
    for path, source in beside(unit).items():
        if source.has(_KERNEL) and source.has(_EXTERN):
            yield from ((path, one) for one in carved(as_file(unit, source)))


def _smallest(limits: Sequence[Edit]) -> list[Edit]:
    return [replace(edit, text=str(_ALIGNMENT)) for edit in limits]


def _lowered_limits(unit: Unit) -> dict[Path, list[Edit]]:
    """In the unit's other files, which are ported as well."""
    if unit.outside:
        return {}
    files = ((path, source.tokens) for path, source in beside(unit).items() if may_limit(source))
    edits = {path: [one.edit(file, unit.chip) for one in limits(file)] for path, file in files}
    return {path: own for path, own in edits.items() if own}


def _meant(said: str, answers: Sequence[Sequence[int]]) -> tuple[str, Sequence[Sequence[int]]]:
    """Lengths, of bits to shift by and of masks of the bits below them."""
    if said == "mask":
        return "divisor", [[value + 1 for value in values] for values in answers]
    how, _, kind = said.rpartition(" ")
    return kind, [[1 << v for v in values if v < 32] for values in answers] if how else answers


def solve(problem: Problem, known: Constants, number: int) -> Configuration | None:
    """For one request. Tiles with which warps that pass turns become fewer are tried late: a group that is left alone has
    nobody to pass its turn to, and nobody to get it from. Then fewer groups are; and last, more rows to a tile of keys
    that is masked: a mask may be of the last two such tiles alone."""
    moving = [c for c in known.found if c.free and _matters(problem, c, number)]
    moving = [c for c in moving if not _stays(problem, known, c)]
    stages = [c for c in moving if c.stages]
    tiles = [c for c in moving if not (c.stages or c.groups)][:_MOST_TILES]
    settled = [c for c in tiles if not c.turns]
    groups = [c for c in moving if c.groups]
    masked = any(c.keys for c in tiles)
    alone = [c for c in tiles if _holds(problem, {c: c.half})] if masked or groups else []  # the rest needs others
    plain = [settled, tiles] if len(settled) < len(tiles) else [tiles]
    attempts = [(_halvings(some, _HALVINGS), not masked) for some in plain]
    attempts += [(_halvings([*alone, *groups], _WITH_GROUPS), not masked)] if groups else []
    if masked:
        attempts += [(_halvings(alone, _HALVINGS), True)]
        attempts += [(_halvings([*alone, *groups], _WITH_GROUPS), True)] if groups else []
    found = (_solve(problem, stages, ways, number, growing) for ways, growing in attempts)
    return next((one for one in found if one is not None), None)


def _grown(values: Mapping[Constant, int]) -> float:
    """How many times as many rows of a block there are to a tile of keys, where some are masked."""
    rows, keys = 1.0, 1.0
    for constant, value in values.items():
        rows *= value / constant.value if constant.rows else 1
        keys = min(keys, value / constant.value) if constant.keys else keys
    return rows / keys


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
    problem: Problem, stages: Sequence[Constant], ways: Iterable[dict[Constant, int]], number: int, growing: bool
) -> Configuration | None:
    """A single stage is tried last: whether a source works with one is no matter of sizes."""
    refused: list[
        dict[Constant, int]
    ] = []  # tiles with which constants no longer meet: nor will they with smaller ones
    ways = list(ways)
    for floor in (2, 1) if stages else (2,):
        fewest = {c: max(floor, c.fewest) for c in stages if max(floor, c.fewest) < c.value}
        for halved in ways:
            values = {**fewest, **halved}
            if not values or any(all(halved.get(c, c.value) <= v for c, v in r.items()) for r in refused):
                continue
            if not growing and _grown(values) > 1:
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
            others = any(c.turns or c.groups or c.typed for c in values)
            size = problem.sizes(problem.probed(values))[number]
            grown = _grown(values)
            return Configuration(values, size, not (single or others or grown > 1), grown)
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
    now, then = problem.now, problem.probed({constant: constant.half})
    return (then.expressions, then.sizes_elsewhere) != (now.expressions, now.sizes_elsewhere)


def _matters(problem: Problem, constant: Constant, number: int) -> bool:
    now, then = problem.now, problem.probed({constant: constant.half})
    if problem.broken and then.said != now.said:
        return True
    return then.expressions[number] != now.expressions[number] or (
        problem.pieces(then, number) != problem.pieces(now, number)
    )


def _halvings(tiles: Sequence[Constant], most: int) -> Iterator[dict[Constant, int]]:
    for total in range(most + 1):
        ways = [w for w in itertools.product(range(total + 1), repeat=len(tiles)) if sum(w) == total]
        for way in sorted(ways, key=lambda w: sum(n > 0 for n in w)):
            if all(n <= len(c.smaller) for c, n in zip(tiles, way)):
                yield {c: c.smaller[n - 1] for c, n in zip(tiles, way) if n}


def _fits(problem: Problem, values: Mapping[Constant, int], number: int) -> bool:
    probed = problem.probed(values)
    return 0 < problem.sizes(probed)[number] <= problem.lds and (not problem.broken or problem.compiles(probed))


def _holds(problem: Problem, values: Mapping[Constant, int]) -> bool:
    """Whether what compiled compiles, what was constant is, and constants still meet (Problem.keeps)."""
    probed = problem.probed(values)
    same = all(now or not before for now, before in zip(probed.expressions, problem.now.expressions))
    return problem.compiles(probed) and same and problem.keeps(values)


def table(problem: Problem, known: Sequence[Constant], number: int) -> list[str]:
    """What would fit, whether or not the source can be trusted to follow: one constant lowered, alone or with the fewest
    stages; or, where that is not enough, the nearest of what does."""
    rows = []
    stages = {c: c.fewest for c in known if c.stages and c.fewest < c.value and _matters(problem, c, number)}
    others = [c for c in known if not c.stages][:_MOST_TILES]
    for more in ({}, stages) if stages else ({},):
        if more:
            size = problem.sizes(problem.probed(more))[number]
            if 0 < size <= problem.lds:
                rows.append(_row(more, size))
                continue
        for constant in others:
            ways = ({**more, constant: v} for v in constant.smaller if constant.groups or v >= _SHORTEST)
            rows += _first_row(problem, ways, number)
    if rows:
        return rows
    lengths = [c for c in others if _matters(problem, c, number)]
    return _first_row(problem, ({**stages, **h} for h in _halvings(lengths, _HALVINGS) if len(h) > 1), number)


def _first_row(problem: Problem, ways: Iterable[Mapping[Constant, int]], number: int) -> list[str]:
    for values in ways:
        size = problem.sizes(problem.probed(values))[number]
        if 0 < size <= problem.lds and _holds(problem, values):
            return [_row(values, size)]
    return []


def _row(values: Mapping[Constant, int], size: int) -> str:
    named = dict.fromkeys(f"{c.name} = {v}" for c, v in values.items())  # an argument may be written more than once
    return " and ".join(named) + f" ({size:,})"
