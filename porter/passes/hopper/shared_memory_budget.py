"""Shared memory over the 64 KiB of a compute unit: fewer stages or smaller tiles, where the source's constants decide.

Hopper has 227 KiB a block. What a launch asks for is evaluated by libclang in each instantiation; where it is too much,
stage counts are lowered, tile lengths are halved, and each proposal is evaluated again (budget/search.py). It stands if
it fits, nothing stops compiling (static_asserts among it), every division that came out
even still does, and the source lets everything follow from the constant (budget/constants.py). Otherwise what would fit
is said, and left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from porter.analysis.launch_requests import Request, asked_functions, direct_requests, given_sizes, may_launch, requests
from porter.budget.constants import Constant, Constants, constants
from porter.budget.limits import limits, may_limit, names_of_limits
from porter.budget.problem import Problem
from porter.budget.refusals import Row, reasons, refused, table
from porter.budget.repeated import proposals
from porter.budget.search import Configuration, solve
from porter.budget.whole_unit import as_file, beside
from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["Stuck", "left", "own_findings", "problem_of", "run", "runtime_bytes"]

RULE = "shared-memory-budget"
RUNTIME = (
    1 << 10
)  # most of what porter's own runtime keeps there in units with numbered barriers, warpgroups or clusters
_RUNTIME_WORDS = ("cluster",)
# Of hipCUB's storage, whose size the headers that are parsed here do not say: a block's scan or reduction.
_CUB = 2 << 10
_STORAGE = re.compile(rb"TempStorage")
_KERNEL = re.compile(rb"__global__")
_PRODUCTS = re.compile(rb"\b(?:wgmma|mma\.sync|mma_sync)\b")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    own, _ = _own(unit)
    return [*_limits(unit), *_smaller(own, _of_others(unit))]


@dataclass(frozen=True, slots=True)
class Stuck:
    """A request that nothing makes fit."""

    request: Request
    finding: Finding
    static: int  # bytes of static shared memory beside it
    limited: bool  # the source does not compile with a limit of what a block has here


def left(unit: Unit) -> list[Stuck]:
    """What this file asks for and nothing makes fit."""
    return _own(unit)[1] if unit.ast is not None else []


def own_findings(unit: Unit) -> list[Finding]:
    """What is found of what this file asks for."""
    return _own(unit)[0] if unit.ast is not None else []


def _smaller(own: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Of two that give one number another value, the one that fits both."""
    smaller: dict[tuple[int, int], Finding] = {}
    for finding in (*own, *others):
        place = finding.start, finding.end
        known = smaller.setdefault(place, finding)
        if known is not finding and _value(finding) < _value(known):
            smaller[place] = finding
    return list(smaller.values())


def _value(finding: Finding) -> int:
    digits = "".join(c for c in finding.edits[0].text if c.isdigit()) if finding.edits else ""
    return int(digits or 0)


def _limits(unit: Unit) -> Iterator[Finding]:
    """Constants of this file that are what a block of NVIDIA's has."""
    for limit in limits(unit.file):
        message = (
            f"{limit.name} is {limit.lowered(unit.chip):,} instead of {limit.value:,}: what a compute unit has for a block, "
            "less what barriers take"
        )
        edit = limit.edit(unit.file, unit.chip)
        yield Finding(RULE, limit.start, limit.end, Safety.SLOWER, message, (edit,))


_Own = tuple[list[Finding], list[Stuck]]
_last: list[tuple[Unit, _Own]] = []  # of one file: more than one pass asks


def _own(unit: Unit) -> _Own:
    """What is found of what this file asks for; and of that, what is left."""
    if not _last or _last[0][0] is not unit:
        _last[:] = [(unit, _worked_out(unit))]
    return _last[0][1]


def _worked_out(unit: Unit) -> _Own:
    """With constants of the file's own; or, for a header, with the launches of the including file."""
    wanted = requests(unit)
    if not wanted:
        return [], []
    problem = problem_of(unit, wanted)
    sizes = problem.sizes(problem.now)
    if all(size <= problem.lds for size in sizes) and not problem.broken:
        return [*_needed(unit, problem, wanted, {}), *_settings(unit, wanted, sizes)], []
    known = constants(unit)
    solution = _solved(problem, known, wanted, sizes)
    findings = [_changed(problem, *change) for change in solution.changes]
    findings += _standing(unit, problem, solution.values)
    findings += [
        _lowered(unit, alike, problem.most(number), launched)
        for number, launched in solution.lowered
        for alike in _alike(unit, wanted, sizes, number)
    ]
    findings += _needed(unit, problem, wanted, solution.values)
    after = problem.sizes(problem.probed(solution.values))
    stuck = solution.stuck
    for path in _elsewhere(unit, wanted) if stuck and not solution.values else ():
        by_it, of_it = _with_constants_of(unit, path, wanted)
        above = _solved(by_it, of_it, wanted, sizes)
        if of_it.constants and not any(map(problem.matters_at_all, known.constants)):
            problem, known = by_it, of_it
        if above.values:
            stuck, after = above.stuck, by_it.sizes(by_it.probed(above.values))
            findings += _needed(unit, by_it, wanted, above.values)
            break
    over: list[Stuck] = []
    for number in stuck:
        request = wanted[number]
        launched = _launched(wanted, after, number)
        rows = table(problem, known.constants, number)
        limit = request.setting >= 0 and (problem.is_number(number) or (not rows and _of_any_size(wanted, number)))
        if (launched or limit) and not problem.broken:
            alike = _alike(unit, wanted, sizes, number)
            findings += [_lowered(unit, one, problem.most(number), launched) for one in alike]
        else:
            rows = rows or refused(problem, known.constants, number)
            why = _why(problem, known, number, rows)
            if not (rows or why):
                rows, why = proposals(problem, unit, number)
            finding = _left(unit, problem, number, request, rows, why, known)
            over.append(Stuck(request, finding, problem.static(problem.now, number), problem.broken))
    return [*findings, *(stuck.finding for stuck in over), *_settings(unit, wanted, after)], over


def _of_others(unit: Unit) -> list[Finding]:
    """Constants of this file that fix the sizes of the unit's other files, where their own do not."""
    findings: list[Finding] = []
    if not unit.is_main and not (unit.path in unit.alone and unit.has(_KERNEL)):
        return findings
    solved: set[int] = set()
    names = asked_functions(unit)
    for source in beside(unit).values():
        if not may_launch(source) and names.isdisjoint(source.tokens.texts()):
            continue
        asking = as_file(unit, source)
        wanted = requests(asking)
        paths = _elsewhere(asking, wanted) if wanted else []
        if unit.path not in paths:
            continue
        problem = problem_of(asking, wanted)
        sizes = problem.sizes(problem.now)
        if all(size <= problem.lds for size in sizes) and not problem.broken:
            continue
        mine, known = _with_constants_of(asking, unit.path, wanted)
        if not any(mine.matters_at_all(constant) for constant in known.constants if constant.free):
            continue
        if _solved(problem, constants(asking), wanted, sizes).values:
            continue
        before = (_with_constants_of(asking, path, wanted) for path in paths[: paths.index(unit.path)])
        if any(_solved(theirs, of, wanted, sizes).values for theirs, of in before):
            continue
        solution = _solved(mine, known, wanted, sizes)
        fresh = [change for change in solution.changes if change[0].places[0][0] not in solved]
        findings += (_changed(mine, *change) for change in fresh)
        findings += _standing(unit, mine, [change[0] for change in fresh])
        solved.update(constant.places[0][0] for constant, *_ in fresh)
    return findings


def _needed(
    unit: Unit, problem: Problem, wanted: Sequence[Request], values: Mapping[Constant, int]
) -> Iterator[Finding]:
    """Requests for a number that is too large, where what the kernel takes of it fits."""
    probed = problem.probed(values)
    sizes = problem.sizes(probed)
    for number in range(len(wanted)):
        needed = problem.needed(probed, number)
        if needed and problem.by_number(number) and 0 < sizes[number] <= problem.lds:  # 0: nothing compiles it
            message = (
                f"{needed:,} bytes of shared memory, to which the kernel's references into it come, instead of "
                f"{problem.before(number):,}: see that nothing else lies there"
            )
            for alike in _alike(unit, wanted, sizes, number):
                start, end = unit.tokens[alike.first].start, unit.tokens[alike.last - 1].end
                edit = Edit(start, end, f"{needed} /* {unit.file.text[start:end]} */")
                yield Finding(RULE, start, end, Safety.REVIEW, message, (edit,))


def _alike(unit: Unit, wanted: Sequence[Request], sizes: Sequence[int], number: int) -> Iterator[Request]:
    """A request, and those that say the same of its kernels where no code is compiled."""
    one = wanted[number]
    yield one
    for other, size in zip(wanted, sizes):
        same = unit.file.source(other.first, other.last) == unit.file.source(one.first, one.last)
        if size == 0 and same and other.kernels == one.kernels and (other.setting < 0) == (one.setting < 0):
            yield other


@dataclass(frozen=True, slots=True)
class _Solved:
    values: Mapping[Constant, int]
    changes: Sequence[tuple[Constant, int, Configuration, int]]  # the value, what it belongs to, bytes before
    lowered: Sequence[tuple[int, int]]  # numbers of attributes that allow more than is asked for, and how much is
    stuck: Sequence[int]  # numbers of requests


def _solved(problem: Problem, known: Constants, wanted: Sequence[Request], sizes: Sequence[int]) -> _Solved:
    solved: dict[int, int] = {}  # offset of a literal: its value
    values: dict[Constant, int] = {}
    changes: list[tuple[Constant, int, Configuration, int]] = []
    lowered: list[tuple[int, int]] = []
    stuck: list[int] = []
    over = [number for number, size in enumerate(sizes) if size > problem.lds]
    if not over and problem.broken:  # with what a block can have it compiles with no size at all: the largest launch
        known_sizes = (n for n in range(len(sizes)) if problem.before(n) > 0)
        over = sorted(known_sizes, key=lambda n: (wanted[n].setting < 0, problem.before(n)))[-1:]
    for number in sorted(over, key=lambda n: -sizes[n]):
        if 0 < (launched := _launched(wanted, sizes, number)) <= problem.lds:
            lowered.append((number, launched))
            continue
        configuration = solve(problem, known, number)
        if configuration is not None and all(
            solved.get(place[0], v) == v for c, v in configuration.values.items() for place in c.places
        ):
            for constant, value in configuration.values.items():
                if constant.places[0][0] not in solved:
                    changes.append((constant, value, configuration, problem.before(number)))
                solved.update((place[0], value) for place in constant.places)
                values[constant] = value
        else:
            stuck.append(number)
    return _Solved(values, changes, lowered, stuck)


def runtime_bytes(unit: Unit) -> int:
    """What porter's and hipCUB's headers keep in a block's LDS."""
    facts = unit.facts
    needs_runtime = (
        facts.named_barriers or facts.warpgroups or facts.counts_in_headers or unit.options.kittens == "native"
    )
    runtime = RUNTIME if needs_runtime or any(word in unit.file.text for word in _RUNTIME_WORDS) else 0
    return runtime + (_CUB if _anywhere(unit, _STORAGE) else 0)


def problem_of(unit: Unit, wanted: Sequence[Request], constants_of: Path | None = None) -> Problem:
    """What these requests come to."""
    others = (source.tokens for source in beside(unit).values() if may_limit(source))
    names = set[str]().union(*(names_of_limits(file, unit.chip) for file in (unit.file, *others)))
    flat = [number for number, request in enumerate(wanted) if _number(unit, request, names)]
    most = [number for number in flat if _number(unit, wanted[number], names, plain=False)]
    return Problem(unit, wanted, runtime_bytes(unit), constants_of, flat, most)


def _elsewhere(unit: Unit, wanted: Sequence[Request]) -> list[Path]:
    """The unit's other files that may hold the constants of a file's sizes, where its own do not suffice. It is the
    main file, since a header's sizes depend on what the main file passes; then those with the kernels, if no other unit
    has them."""
    others = beside(unit)
    main = unit.ast.main if unit.ast is not None else unit.path
    paths = [main] if main.suffix == ".cu" and main in others else []
    kernels = frozenset[str]().union(*(request.kernels for request in wanted))
    for path, source in others.items():
        if path != main and path in unit.alone and source.has(_KERNEL):
            paths += [path] if any(f.kernel and f.name in kernels for f in source.scopes.functions) else []
    return paths


def _with_constants_of(unit: Unit, path: Path, wanted: Sequence[Request]) -> tuple[Problem, Constants]:
    """The sizes of a file, with the constants of another."""
    other = replace(as_file(unit, beside(unit)[path]), is_main=unit.ast is not None and path == unit.ast.main)
    return problem_of(unit, wanted, path), constants(other)


def _launched(wanted: Sequence[Request], sizes: Sequence[int], number: int) -> int:
    """The most that a launch asks for whose kernel this attribute is set of, where it allows more; 0 where it does
    not, is none, or not all sizes are constants."""
    setting = wanted[number]
    launches = [size for r, size in zip(wanted, sizes) if r.setting < 0 and r.kernels & setting.kernels]
    most = max(launches, default=0) if setting.setting >= 0 and all(launches) else 0
    return most if most < sizes[number] else 0


def _of_any_size(wanted: Sequence[Request], number: int) -> bool:
    """Whether no launch of the attribute's kernels asks for a constant: what the host works out may fit or not."""
    return not any(r.setting < 0 and r.kernels & wanted[number].kernels for r in wanted)


def _number(unit: Unit, request: Request, limits: Set[str], plain: bool = True) -> bool:
    """A plain number, `98304` or `96 * 1024`, or a name for one: what some GPU has, and not what a launch needs. `limits`
    are names for such; not `plain`: with one of them in it."""
    texts = [unit.text(i) for i in range(request.first, request.last)]
    meant = _meanings(unit, texts[0]) if len(texts) == 1 else ()
    return any(_is_plain(one, limits) and (plain or not limits.isdisjoint(one)) for one in (texts, *meant))


def _is_plain(texts: Sequence[str], limits: Set[str]) -> bool:
    plain = [text for text, after in zip(texts, (*texts[1:], "")) if "::" not in (text, after)]  # kittens::MOST
    numbers = [text for text in plain if text[:1].isdigit() or text in limits]
    return bool(numbers) and all(text in (*numbers, "*", "(", ")", "<<", "-", "+") for text in plain)


def _meanings(unit: Unit, name: str) -> Iterator[list[str]]:
    """What a constant or a macro of this file stands for."""
    for directive in unit.file.directives:
        if directive.name == "define" and unit.text(directive.first) == name:
            yield [unit.text(i) for i in range(directive.first + 1, directive.last)]
    for index, token in enumerate(unit.tokens):
        if token.text == name and token.directive < 0 and unit.text(index + 1) == "=":
            last = next((i for i in range(index + 2, len(unit.tokens)) if unit.text(i) in (";", ",")), index + 2)
            yield [unit.text(i) for i in range(index + 2, last)]


def _lowered(unit: Unit, request: Request, most: int, launched: int) -> Finding:
    name, first, last = (unit.tokens[i] for i in (request.setting, request.first, request.last - 1))
    message = f"allows the {most:,} bytes of shared memory that a block can have; "
    refused = f"a launch with {launched:,} is refused" if launched else "a launch that asks for more is refused"
    message += "no launch asks for more" if 0 < launched <= unit.chip.lds_bytes else refused
    edits = [Edit(first.start, last.end, f"{most} /* {unit.file.text[first.start : last.end]} */")]
    if name.text.startswith("cuda"):  # else it has no name that says what a person has to see to
        edits.append(Edit(name.start, name.end, "hip" + name.text.removeprefix("cuda")))
    safety = Safety.EXACT if 0 < launched <= unit.chip.lds_bytes else Safety.REVIEW
    return Finding(RULE, name.start, last.end, safety, message, tuple(edits))


def _settings(unit: Unit, wanted: Sequence[Request], sizes: Sequence[int]) -> Iterator[Finding]:
    """Attributes that are set to what fits: elsewhere a person has to see to that."""
    known = {(request.first, request.last): size for request, size in zip(wanted, sizes)}
    for request in direct_requests(unit) if unit.is_main else wanted:
        token = unit.tokens[request.setting]
        given = given_sizes(unit, request.first, request.last) if request.setting >= 0 else []
        fit = [known.get(place, 0) for place in given]
        size = max(fit, default=0)
        if token.text.startswith("cuda") and all(fit) and 0 < size <= unit.chip.lds_bytes:
            message = f"{size:,} bytes of shared memory are no more than the {unit.chip.lds_bytes:,} of a compute unit"
            edit = Edit(token.start, token.end, "hip" + token.text.removeprefix("cuda"))
            yield Finding(RULE, token.start, token.end, Safety.EXACT, message, (edit,))


def _changed(problem: Problem, constant: Constant, value: int, configuration: Configuration, before: int) -> Finding:
    others = " and ".join(
        dict.fromkeys(f"{c.name} = {v}" for c, v in configuration.values.items() if c is not constant)
    )
    message = f"{constant.name} is {value} instead of {constant.value}" + (f", with {others}" if others else "")
    message += f": {before:,} bytes of shared memory become {configuration.size:,} of the {problem.lds:,} that a compute unit has"
    if constant.turns:
        message += ". Fewer warps pass turns by numbered barriers: see that none is left without another"
    elif constant.stages and value == 1 and constant.single:
        message += ". With one stage a block waits for each copy"
    elif constant.stages and value == 1 and not configuration.certain:
        message += ". With one stage a block waits for each copy: see that none is given back only after the next"
    elif constant.typed:
        message += ". See that nothing counts the tile's elements by a number"
    elif constant.groups:
        message += ". See that no role, barrier or sum counts the groups by a number"
    elif constant.keys and configuration.grown > 1:
        message += f". A block has {configuration.grown:.2g} times as many rows to a tile of keys: see that masks of the last tiles"
        message += " cover them all"
    unseen = problem.unseen(constant)
    if unseen:
        message += f". Nothing in this unit instantiates some of the code: see that {', '.join(unseen)}"
    safety = Safety.REVIEW if unseen or not configuration.certain else Safety.SLOWER
    start, end = constant.places[0]
    return Finding(RULE, start, end, safety, message, tuple(constant.edits(value)))


def _standing(unit: Unit, problem: Problem, changed: Iterable[Constant]) -> Iterator[Finding]:
    """Numbers of the file with the constants."""
    for edit in problem.standing(changed):
        number = unit.file.text[edit.start : edit.end]
        message = (
            f"{number} becomes {edit.text}, which it is as well and by which the same is divided here: see that it stands "
            "for that"
        )
        yield Finding(RULE, edit.start, edit.end, Safety.REVIEW, message, (edit,))


def _anywhere(unit: Unit, pattern: re.Pattern[bytes]) -> bool:
    """Whether some file of the translation unit has it."""
    return unit.has(pattern) or any(source.has(pattern) for source in beside(unit).values())


def _why(problem: Problem, known: Constants, number: int, rows: Sequence[Row]) -> Sequence[str]:
    if rows:
        return reasons(problem, known, rows)
    alone = problem.is_number(number) and not problem.needed(problem.now, number)
    return ["the number does not say what of it the kernel uses"] if alone else []


def _left(
    unit: Unit,
    problem: Problem,
    number: int,
    request: Request,
    rows: Sequence[Row],
    why: Sequence[str],
    known: Constants,
) -> Finding:
    start, end = unit.tokens[request.first].start, unit.tokens[request.last - 1].end
    size = problem.sizes(problem.now)[number]
    size = size if size > problem.lds else problem.before(number)
    message = f"{size:,} bytes of shared memory; a compute unit has {unit.chip.lds_bytes:,}"
    if problem.broken and (breaks := problem.breaks):
        message += f". With a limit of that, {breaks.replace(' with it', '')}"
    if rows:
        compiles = ", and compiles" if all(problem.compiles(problem.probed(row.values)) for row in rows) else ""
        message += f". It would fit with {' or '.join(map(str, rows))}{compiles}. Not applied: {'; '.join(why)}"
    elif why:
        message += (
            f", and {why[0]}. Ask for what its arrays come to (sizeof, or the sum of its stages), with tiles and "
        )
        message += "stages that fit"
    else:
        message += ", and no constant of this file makes it fit"
        if any(c.stages and c.fewest > 1 for c in known.constants):
            message += ". One stage would not do, since the stage before the current one is used or given back as well"
    if unit.facts.mirrored and unit.options.schedule == "faithful" and _anywhere(unit, _PRODUCTS):
        message += ". If --schedule native recognises a kernel as a matrix product, it brings tiles of its own that fit"
    return Finding(RULE, start, end, Safety.LEFT, message)
