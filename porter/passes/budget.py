"""Shared memory over the 64 KiB of a compute unit: fewer stages or smaller tiles, where the source's constants decide.

Hopper has 227 KiB a block. What a launch asks for is evaluated by libclang in each instantiation; where it is too much,
constants that count stages are lowered and those that are lengths of tiles halved, and each proposal is evaluated again
(budget_search.py). It stands if it fits, nothing stops compiling (static_asserts among it), every division that came out
even still does, and the source lets everything follow from the constant (budget_constants.py). Otherwise what would fit
is said, and left to a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.passes.budget_constants import Constant, constants
from porter.passes.budget_requests import Request, requests, statics
from porter.passes.budget_search import LDS, Configuration, Problem, solve, table
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "shared-memory-budget"
RUNTIME = 1 << 10  # most of what porter's own runtime keeps there in units with numbered barriers or clusters
_RUNTIME_WORDS = ("cluster",)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    wanted = requests(unit)
    if not wanted:
        return []
    runtime = RUNTIME if unit.named_barriers or any(word in unit.file.text for word in _RUNTIME_WORDS) else 0
    problem = Problem(unit, wanted, statics(unit), runtime)
    sizes = problem.sizes(problem.now)
    over = [number for number, size in enumerate(sizes) if size > LDS]
    if not over:
        return list(_settings(unit, wanted, sizes))
    known = constants(unit)
    findings: list[Finding] = []
    solved: dict[int, int] = {}  # offset of a literal: its value
    values: dict[Constant, int] = {}
    stuck: list[int] = []
    for number in sorted(over, key=lambda n: -sizes[n]):
        if 0 < (launched := _launched(wanted, sizes, number)) <= LDS:
            findings.append(_lowered(unit, wanted[number], problem.most(number), launched))
            continue
        found = solve(problem, known, number)
        if found is not None and all(
            solved.get(place[0], v) == v for c, v in found.values.items() for place in c.places
        ):
            for constant, value in found.values.items():
                if constant.places[0][0] not in solved:
                    findings.append(_changed(constant, value, found, sizes[number]))
                solved.update((place[0], value) for place in constant.places)
                values[constant] = value
        else:
            stuck.append(number)
    after = problem.sizes(problem.probed(values))
    for number in stuck:
        request = wanted[number]
        launched = _launched(wanted, after, number)
        if launched or (request.setting >= 0 and _number(unit, request)):
            findings.append(_lowered(unit, request, problem.most(number), launched))
        else:
            start, end = unit.tokens[request.first].start, unit.tokens[request.last - 1].end
            findings.append(_left(start, end, sizes[number], table(problem, known.found, number)))
    return [*findings, *_settings(unit, wanted, after)]


def _launched(wanted: Sequence[Request], sizes: Sequence[int], number: int) -> int:
    """The most that a launch asks for whose kernel this attribute is set of, where it allows more; 0 where it does
    not, is none, or not all sizes are constants."""
    setting = wanted[number]
    launches = [size for r, size in zip(wanted, sizes) if r.setting < 0 and r.kernels & setting.kernels]
    most = max(launches, default=0) if setting.setting >= 0 and all(launches) else 0
    return most if most < sizes[number] else 0


def _number(unit: Unit, request: Request) -> bool:
    """A plain number, `98304` or `96 * 1024`: what some GPU has, and not what a launch needs."""
    texts = [unit.text(i) for i in range(request.first, request.last)]
    return all(text[:1].isdigit() or text in ("*", "(", ")", "<<") for text in texts)


def _lowered(unit: Unit, request: Request, most: int, launched: int) -> Finding:
    name, first, last = (unit.tokens[i] for i in (request.setting, request.first, request.last - 1))
    message = f"allows the {most:,} bytes of shared memory that a block can have; "
    refused = f"a launch with {launched:,} is refused" if launched else "a launch that asks for more is refused"
    message += "no launch asks for more" if 0 < launched <= LDS else refused
    edits = [Edit(first.start, last.end, f"{most} /* {unit.file.text[first.start : last.end]} */")]
    if name.text.startswith("cuda"):  # else it has no name that says what a person has to see to
        edits.append(Edit(name.start, name.end, "hip" + name.text.removeprefix("cuda")))
    safety = Safety.EXACT if 0 < launched <= LDS else Safety.REVIEW
    return Finding(RULE, name.start, last.end, safety, message, tuple(edits))


def _settings(unit: Unit, wanted: Sequence[Request], sizes: Sequence[int]) -> Iterator[Finding]:
    """Attributes that are set to what fits: elsewhere a person has to see to that."""
    for request, size in zip(wanted, sizes):
        token = unit.tokens[request.setting]
        if request.setting >= 0 and token.text.startswith("cuda") and 0 < size <= LDS:
            message = f"{size:,} bytes of shared memory are no more than the {LDS:,} of a compute unit"
            edit = Edit(token.start, token.end, "hip" + token.text.removeprefix("cuda"))
            yield Finding(RULE, token.start, token.end, Safety.EXACT, message, (edit,))


def _changed(constant: Constant, value: int, found: Configuration, before: int) -> Finding:
    others = " and ".join(f"{c.name} = {v}" for c, v in found.values.items() if c is not constant)
    message = f"{constant.name} is {value} instead of {constant.value}" + (f", with {others}" if others else "")
    message += f": {before:,} bytes of shared memory become {found.size:,} of the {LDS:,} that a compute unit has"
    if not found.certain and constant.stages:
        message += ". With one stage a block waits for each copy: see that none is given back only after the next"
    safety = Safety.SLOWER if found.certain else Safety.REVIEW
    start, end = constant.places[0]
    return Finding(RULE, start, end, safety, message, tuple(constant.edits(value)))


def _left(start: int, end: int, size: int, rows: list[str]) -> Finding:
    message = f"{size:,} bytes of shared memory; a compute unit has {LDS:,}"
    message += f". It would fit with {' or '.join(rows)}" if rows else ", and no constant of this file makes it fit"
    return Finding(RULE, start, end, Safety.LEFT, message)
