"""A source's requests for shared memory, and what they come to with other constants: all evaluated, nothing modelled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from porter.analysis.launch_requests import Request, as_constants
from porter.analysis.static_shared import statics
from porter.budget.byte_counts import byte_counts, explains
from porter.budget.carved import Carved, carved
from porter.budget.constants import Constant
from porter.budget.expected import at_least
from porter.budget.lengths import lengths
from porter.budget.limits import limits, may_limit
from porter.budget.quotients import Part, parts, standing, unexplained, unseen
from porter.budget.whole_unit import as_file, beside
from porter.findings import Edit
from porter.frontend.answers import Answers
from porter.frontend.probes import Operation, Outcome, Probed, Probes, Source, evaluate, operations, outcome
from porter.frontend.unit import Unit

__all__ = ["Problem"]

_ALIGNMENT = 1024  # what follows static arrays begins at a multiple of it, where tiles are swizzled
_MOST_LINES = 4
_Answers = tuple[tuple[int, ...], tuple[int, ...]]
_NAME = re.compile(r"[A-Za-z_]\w*")
_KERNEL, _EXTERN = re.compile(rb"__global__"), re.compile(rb"extern")


class Problem:
    """One file's sizes, and what they come to with other constants: its own, or those of another file of the unit."""

    def __init__(
        self,
        unit: Unit,
        wanted: Sequence[Request],
        runtime: int,
        constants_of: Path | None = None,
        flat: Sequence[int] = (),
        most: Sequence[int] = (),
    ) -> None:
        self.lds = unit.chip.lds_bytes  # what a block can have
        self._wanted, self._runtime = wanted, runtime
        self._constants_of = constants_of
        self._flat = frozenset(flat)  # requests that are a number, whatever of it a kernel uses
        self._of_limit = frozenset(most)  # of those, what a block can have
        self._carved = list(_carved(unit)) if flat else []
        main = unit.ast.main if unit.ast else unit.path
        known = unit.ast.probed if unit.ast else Answers()
        others = beside(unit)
        self._statics = statics(unit, others.values())
        texts = {path: source.text for path, source in others.items()}
        self._source = Source(main, unit.path, unit.file.text, unit.options.of_parse, texts, known)
        tokens = unit.tokens
        # What nobody passes on as bytes may be padded.
        self._byte_counts = [count for count in byte_counts(unit.members) if count[0] in (unit.path, *others)]
        sizes_elsewhere = [(path, *piece) for path, one in self._carved for piece in one.pieces]
        self._probes = Probes(
            tuple((tokens[r.first].start, tokens[r.last - 1].end) for r in wanted),
            elsewhere=tuple(self._byte_counts),
            sizes_elsewhere=(*sizes_elsewhere, *((s.path or unit.path, s.place, s.name) for s in self._statics)),
        )
        self._always = as_constants(unit, wanted)
        self._others = _lowered_limits(unit)
        self._lengths: list[tuple[Path | None, str, tuple[int, int]]] = [
            (None, *length) for length in lengths(unit)
        ]  # the file's own first, as they are answered
        if constants_of is not None:
            other = as_file(unit, others[constants_of])
            self._lengths += [(constants_of, *length) for length in lengths(other)]
        self._of_constants = unit if constants_of is None else other
        self._parts = list(parts(self._of_constants))
        self._uncut: dict[Constant, str] = {}
        self._standing: dict[Constant, list[Edit]] = {}  # numbers that a constant takes with it
        self._unseen: dict[Constant, list[str]] = {}  # and numbers that may stand for them
        self._operations: Sequence[Operation] = ()
        self._outcome: Outcome | None = None
        self._cut_now: Probed | None = None
        self._known: dict[frozenset[tuple[Constant, int]], Probed] = {}
        written = evaluate(self._source, self._probes, self._always)
        self._errors, self._written = written.errors, self.requested(written)
        self._refused_before = frozenset(written.refused)
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

    @property
    def breaks(self) -> str:
        """What does not compile then, in words."""
        return self._refused(self.now)

    def _refused(self, probed: Probed) -> str:
        """The first error that the source does not have as it is; "" where all have the same place and text."""
        fresh = (
            (Path(file).name, *more) for file, *more in probed.refused if (file, *more) not in self._refused_before
        )
        return next((f"line {line} of {name} does not compile with it ({text})" for name, line, text in fresh), "")

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

    def requested(self, probed: Probed) -> list[int]:
        """The same, of what is written there."""
        answers = enumerate(probed.expressions)
        return [max(values) + self._fixed(probed, number) if values else 0 for number, values in answers]

    def _size(self, probed: Probed, number: int, requested: int) -> int:
        fixed = self._fixed(probed, number)
        if self.by_number(number):
            if needed := self.needed(probed, number):
                return fixed + needed
            if not self.guarded:
                return self._written[number]
        return fixed + requested

    def is_number(self, number: int) -> bool:
        return number in self._flat

    def by_number(self, number: int) -> bool:
        """Whether a request is a number that is too large, and a smaller one would do or not; or as much as the port has,
        and less than the kernel takes."""
        if number in self._of_limit and self._written[number] <= self.lds:
            needed = self.needed(self.now, number)
            return bool(needed) and needed + self._fixed(self.now, number) > self._written[number]
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
        begins_anywhere = bool(most and self._fixed(probed, number))  # behind what is static
        return most + begins_anywhere * _ALIGNMENT

    def pieces(self, probed: Probed, number: int) -> list[list[tuple[int, ...]]]:
        """The sizes of what each of a request's kernels takes, in all of its instantiations."""
        sizes = iter(probed.sizes_elsewhere)
        sizes_by_kernel = [(one.kernel, [next(sizes) for _ in one.pieces]) for _, one in self._carved]
        return [answers for kernel, answers in sizes_by_kernel if kernel in self._wanted[number].kernels]

    def most(self, number: int) -> int:
        """What a request can be at most beside static arrays."""
        return self.lds - self._fixed(self.now, number)

    def _fixed(self, probed: Probed, number: int) -> int:
        before = self._runtime + self.static(probed, number)
        return -(-before // _ALIGNMENT) * _ALIGNMENT

    def static(self, probed: Probed, number: int) -> int:
        """What blocks of a request's kernels have anyhow."""
        kernels = self._wanted[number].kernels
        own = dict.fromkeys(kernels, 0)
        sizes = probed.sizes_elsewhere[len(probed.sizes_elsewhere) - len(self._statics) :]
        for size, static in zip(sizes, self._statics):
            for kernel in static.kernels & kernels:
                own[kernel] += max(size, default=0)
        return max(own.values(), default=0)

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
        for (path, form, place), answers in zip(self._lengths, cut):
            kind, (now, then) = _meant(form, answers)
            if constant.value in now:
                if constant.value in then and kind != "step" and self._named(path, place).isdisjoint(others):
                    return f"{self._quoted(path, place)} is as much, and would stay {constant.value}"
                follows = follows or (constant.half in then and kind == ("step" if constant.of_k else "divisor"))
        self._standing[constant] = standing(of_parts)
        doubtful = dict(unseen(of_parts, constant.name.rpartition("::")[2]))
        self._unseen[constant] = [
            f"{self._quoted(self._constants_of, n.place)} does not stand for {p.text}" for n, p in doubtful.items()
        ]
        for number, part in unexplained(of_parts):
            return f"{self._quoted(self._constants_of, number.place)} would stay as it is, and {part.text} is as much"
        return "nothing is divided by it" if constant.plain and not follows else ""

    def _uncut_groups(self, constant: Constant, cut: Sequence[_Answers]) -> str:
        """Of a count: into as many tiles as there are groups the host cuts what it has, and device code its blocks."""
        meant = [(path, place, *_meant(form, one)) for (path, form, place), one in zip(self._lengths, cut)]
        meant = [one for one in meant if one[2] != "step"]
        moving = {v for _, _, kind, (now, then) in meant if kind == "divisor" and then and now != then for v in now}
        for path, place, kind, (now, then) in meant:
            if now == then and (moving if kind == "divisor" else {constant.value}) & set(now):
                return f"{self._quoted(path, place)} would stay as it is"
        return "" if moving else "nothing is divided by it"

    def _cut(self, constant: Constant) -> tuple[list[_Answers], list[tuple[Part, tuple[int, ...], tuple[int, ...]]]]:
        """What lengths and parts come to, before and after."""
        places = [(path, place) for path, _, place in self._lengths]
        places += [(self._constants_of, part.place) for part in self._parts]
        probes = Probes(
            tuple(place for path, place in places if path is None),
            (),
            tuple((path, *place) for path, place in places if path is not None),
        )
        before = self._cut_now = self._cut_now or evaluate(self._source, probes, *self._edits({}))
        after = evaluate(self._source, probes, *self._edits({constant: constant.half}))
        own = iter(zip(before.expressions, after.expressions))
        elsewhere = iter(zip(before.elsewhere, after.elsewhere))
        answers = [next(own if path is None else elsewhere) for path, _ in places]
        parts_cut = [(part, *answer) for part, answer in zip(self._parts, answers[len(self._lengths) :])]
        return answers[: len(self._lengths)], parts_cut

    def _named(self, path: Path | None, place: tuple[int, int]) -> set[str]:
        return set(_NAME.findall(self._source.text_of(path or self._source.path)[slice(*place)]))

    def _quoted(self, path: Path | None, place: tuple[int, int]) -> str:
        source = self._source.text_of(path or self._source.path)
        line = source.count("\n", 0, place[0]) + 1
        return f"{source[slice(*place)]} in line {line} of {(path or self._source.path).name}"

    def holds(self, values: Mapping[Constant, int]) -> bool:
        """Whether what compiled compiles, what was constant is, divisions of constants that came out even still do, and cases
        are still among those provided for."""
        probed = self.probed(values)
        same = all(now or not before for now, before in zip(probed.expressions, self.now.expressions))
        return self.compiles(probed) and same and self.keeps(values) and not self._padded(values)

    def keeps(self, values: Mapping[Constant, int]) -> bool:
        """Of that, divisions and cases alone."""
        return self._after(values).keeps(self._before())

    def forbidding(self, values: Mapping[Constant, int]) -> str:
        """The first place that does not hold with other constants, in words; "" where all does."""
        probed = self.probed(values)
        if not self.compiles(probed):
            return self._refused(probed) or "it does not compile"
        number = self._after(values).first_broken(self._before(), self._operations)
        return self._padded(values) if number is None else self._broken_condition(self._operations[number])

    def _padded(self, values: Mapping[Constant, int]) -> str:
        """The first size that bytes are counted by and that does not fall with what is copied, in words; "" for none."""
        then = self.probed(values).elsewhere
        for constant, value in values.items():
            if constant.stages or constant.groups:
                continue
            others = {c: v for c, v in values.items() if c is not constant}
            share = value / constant.value
            once = self.probed(others).elsewhere
            asked = [n for n, sizes in enumerate(once) if then[n] != tuple(size * share for size in sizes)]
            if asked:
                more = [self.probed({**others, constant: constant.value * times}).elsewhere for times in (2, 4)]
                for n in asked:
                    if not explains(then[n], (once[n], more[0][n], more[1][n]), share):
                        return self._padded_size(n, then[n])
        return ""

    def _padded_size(self, number: int, sizes: Sequence[int]) -> str:
        path, *place = self._byte_counts[number]
        quoted = self._quoted(path, (place[0], place[1]))
        return f"{quoted} would be {max(sizes)} bytes with its padding, and less than that is copied"

    def uses(self, constant: Constant) -> str:
        """Where device code has its name, in words."""
        unit, name = self._of_constants, constant.name.rpartition("::")[2]
        places = (unit.tokens[i].start for i in unit.file.places(name) if unit.scope(i).device)
        lines = dict.fromkeys(unit.file.text.count("\n", 0, at) + 1 for at in places)
        shown = ", ".join(str(line) for line, _ in zip(lines, range(_MOST_LINES)))
        more = " and more" if len(lines) > _MOST_LINES else ""
        return f"; device code of {unit.path.name} has it in line {shown}{more}" if lines else ""

    def _before(self) -> Outcome:
        if self._outcome is None:
            self._operations = operations(self._source)
            self._outcome = outcome(self._source, self._operations, [])
        return self._outcome

    def _after(self, values: Mapping[Constant, int]) -> Outcome:
        self._before()
        # As it was, a local variable is no constant, and neither is what it divides.
        always, more = self._edits(values)
        own = always[len(self._always) :]
        return outcome(self._source, self._operations, own, more)

    def _broken_condition(self, one: Operation) -> str:
        quoted = self._quoted(one.path, (one.left[0], one.right[1]))
        if one.choice:
            return f"{quoted} would not be true any more, which is one of the cases that the source has"
        return f"{quoted} is no whole number of steps of {one.step}" if one.step else f"{quoted} leaves a remainder"

    def surely_over(self, values: Mapping[Constant, int], number: int) -> bool:
        """Whether what is known of each constant alone says that a request does not fit, so that nobody has to ask."""
        halved = {c: self._known.get(frozenset({(c, c.half)})) for c in values}
        if frozenset(values.items()) in self._known or not values or any(c.half == c.value for c in values):
            return False
        known = {c: probed for c, probed in halved.items() if probed is not None}
        if len(known) < len(halved):
            return False
        least: float
        if self.by_number(number):
            if not self.needed(self.now, number):
                return False
            of_kernels = zip(self.pieces(self.now, number), *(self.pieces(p, number) for p in known.values()))
            least = max((_sum_at_least(pieces, values) for pieces in of_kernels), default=0)
        else:
            least = at_least(self.now.expressions[number], {c: p.expressions[number] for c, p in known.items()}, values)
        return least > self.most(number)

    def fits(self, values: Mapping[Constant, int], number: int) -> bool:
        if self.surely_over(values, number):
            return False
        probed = self.probed(values)
        return 0 < self.sizes(probed)[number] <= self.lds and (not self.broken or self.compiles(probed))

    def matters(self, constant: Constant, number: int) -> bool:
        """To one of the sizes."""
        now, then = self.now, self.probed({constant: constant.half})
        if self.broken and then.failed_values != now.failed_values:
            return True
        sizes = [(p.expressions[number], self.pieces(p, number), self.static(p, number)) for p in (now, then)]
        return sizes[0] != sizes[1]

    def matters_at_all(self, constant: Constant) -> bool:
        """To any of the sizes."""
        now, then = self.now, self.probed({constant: constant.half})
        return (then.expressions, then.sizes_elsewhere) != (now.expressions, now.sizes_elsewhere)


def _carved(unit: Unit) -> Iterator[tuple[Path, Carved]]:
    """Of the unit's kernels, with their files."""
    yield from ((unit.path, one) for one in carved(unit))
    for path, source in beside(unit).items():
        if source.has(_KERNEL) and source.has(_EXTERN):
            yield from ((path, one) for one in carved(as_file(unit, source)))


def _sum_at_least(answers: Sequence[Sequence[tuple[int, ...]]], values: Mapping[Constant, int]) -> float:
    """Of a kernel's pieces, as they are and with half of each constant; 0 where one of them cannot be told."""
    of_pieces = [at_least(now, dict(zip(values, halved)), values) for now, *halved in zip(*answers)]
    return sum(of_pieces) if all(of_pieces) else 0


def _smallest(limits: Sequence[Edit]) -> list[Edit]:
    return [replace(edit, text=str(_ALIGNMENT)) for edit in limits]


def _lowered_limits(unit: Unit) -> dict[Path, list[Edit]]:
    """In the unit's other files, which are ported as well."""
    if unit.outside:
        return {}
    files = ((path, source.tokens) for path, source in beside(unit).items() if may_limit(source))
    edits = {path: [one.edit(file, unit.chip) for one in limits(file)] for path, file in files}
    return {path: own for path, own in edits.items() if own}


def _meant(form: str, answers: Sequence[Sequence[int]]) -> tuple[str, Sequence[Sequence[int]]]:
    """Lengths, of bits to shift by and of masks of the bits below them."""
    if form == "mask":
        return "divisor", [[value + 1 for value in values] for values in answers]
    how, _, kind = form.rpartition(" ")
    return kind, [[1 << v for v in values if v < 32] for values in answers] if how else answers
