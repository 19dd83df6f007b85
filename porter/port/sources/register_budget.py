"""`porter convert --resources`: a port is compiled, and its kernels whose vector registers do not hold everything are named.

What would fix it is a proposal and changes nothing: a tile of half the size, or bounds that say how many threads a block
has, each of them compiled. Whether a kernel stays right with it is more than the compiler can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from porter.analysis.launch_requests import requests
from porter.analysis.launched_blocks import launched_threads
from porter.budget.constants import Constant, constants
from porter.budget.problem import Problem
from porter.errors import CompileError, PorterError
from porter.findings import Edit, FilePort, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.perf.isa import KernelFacts, compiled_kernels
from porter.perf.spills import Spills, spills
from porter.port.edits.rewrite import rewrite
from porter.toolchain import build
from porter.toolchain.demangle import brief_name, short_name
from porter.toolchain.port_sources import Sources, placed

__all__ = ["with_registers"]

RULE = "register-budget"
_MOST_COMPILED = 6
_LEAST_TILE = 16


@dataclass(frozen=True, slots=True)
class _Kernel:
    facts: KernelFacts
    spills: Spills

    @property
    def name(self) -> str:
        """As the source calls it, without its namespaces and a template's arguments."""
        return short_name(self.facts.name).partition("<")[0].rpartition("::")[2]


@dataclass(frozen=True, slots=True)
class _Proposal:
    what: str
    rule: str  # whose edits of the same text give way
    edits: tuple[Edit, ...]


def with_registers(unit: Unit, port: FilePort, sources: Sources) -> FilePort:
    """The port with findings for its kernels that spill, wherever they are defined; with a note where none does. `sources`
    holds the port's own text."""
    try:
        kernels = _compiled(unit, sources)
    except PorterError as error:
        problem = error.problem.rpartition("error: ")[2]
        message = f"registers are not known: the port does not compile ({problem})"
        return replace(port, findings=(*port.findings, Finding(RULE, 0, 0, Safety.SLOWER, message)))
    spilled: dict[str, list[_Kernel]] = {}
    for kernel in kernels:
        if kernel.facts.vgpr_spills:
            spilled.setdefault(kernel.name, []).append(kernel)
    slow = frozenset(name for name, instances in spilled.items() if any(k.spills.in_loops for k in instances))
    if not spilled:
        note = f"compiled for {unit.options.target}: {len(kernels) or 'no'} kernel{'s' * (len(kernels) != 1)}"
        return replace(port, notes=(*port.notes, note + ("; no vector registers are spilled" if kernels else "")))
    tried = _tried(unit, port, sources, slow) if slow else {}
    with_spills = (_finding(unit, name, instances, tried.get(name)) for name, instances in spilled.items())
    return replace(port, findings=(*port.findings, *with_spills))


def _compiled(unit: Unit, sources: Sources) -> list[_Kernel]:
    try:
        assembly = build.device_assembly(*placed(sources, unit.options))
        text = assembly.read_text(errors="replace")
    except OSError as error:
        raise CompileError(f"error: {error.strerror}", "", ()) from None
    spills_of = spills(text)
    return [_Kernel(facts, spills_of.get(facts.symbol, Spills())) for facts in compiled_kernels(assembly)]


def _finding(unit: Unit, name: str, instances: Sequence[_Kernel], tried: tuple[list[str], int] | None) -> Finding:
    worst = max(instances, key=lambda k: (k.spills.in_loops, k.facts.vgpr_spills))
    facts, count = worst.facts, worst.spills
    function = _definition(unit, name)
    lines = ""
    if function is not None:
        first, last = (
            unit.file.text.count("\n", 0, unit.tokens[t].start) + 1 for t in (function.first, function.body[1])
        )
        lines = f" (lines {first} to {last})"
    most = unit.chip.registers_for(facts.max_threads)
    waves = unit.chip.waves_of(facts.max_threads)
    message = (
        f"{brief_name(facts.name)}{lines} needs more than the {most} vector registers that blocks of {waves} waves "
        f"leave each: {facts.vgpr_spills} are spilled, {facts.scratch} bytes of memory a lane, "
    )
    if len(instances) > 1:
        message += f"in the worst of {len(instances)} instantiations that spill, "
    message += f"by {count.total} loads and stores, {count.in_loops or 'none'} of them in loops"
    if tried is not None:
        rows, number = tried
        if rows:
            message += f". Compiled without spills in loops, a proposal that nothing proves right: {'; '.join(rows)}"
        elif number:
            message += f". {number} configurations of its constants were compiled, and all spill"
    token = _place(unit, name, function)
    start, end = (unit.tokens[token].start, unit.tokens[token].end) if token >= 0 else (0, 0)
    return Finding(RULE, start, end, Safety.SLOWER, message)


def _definition(unit: Unit, name: str) -> Function | None:
    kernels = (f for f in unit.scopes.functions if f.kernel and f.name == name and f.body[0] >= 0)
    return next(kernels, None)


def _place(unit: Unit, name: str, function: Function | None) -> int:
    """The definition, or the first mention of a kernel that a header defines."""
    if function is not None:
        return function.name_index
    return next((i for i, t in enumerate(unit.tokens) if t.text == name and t.kind == Kind.IDENT), -1)


# --- proposals ---------------------------------------------------------------------------------------


def _tried(unit: Unit, port: FilePort, sources: Sources, slow: frozenset[str]) -> Mapping[str, tuple[list[str], int]]:
    """By kernel, what was compiled without spills in its loops, and how much was compiled."""
    if rewrite(port.source, port.findings).text != port.port:
        return {}
    without_spills: dict[str, list[str]] = {name: [] for name in slow}
    number = 0
    for proposal in _proposals(unit, port, slow):
        text = _with(port, proposal)
        if text == port.port:
            continue
        try:
            kernels = _compiled(unit, replace(sources, texts={**sources.texts, unit.path: text}))
        except PorterError:
            continue  # an assertion of the source's, most often
        number += 1
        for name in slow:
            own = [k for k in kernels if k.name == name]
            if own and not any(k.spills.in_loops for k in own):
                most = max(k.facts.vgprs + k.facts.agprs for k in own)
                left = unit.chip.registers_for(max(k.facts.max_threads for k in own))
                without_spills[name].append(f"{proposal.what} ({most} registers of {left})")
        if number == _MOST_COMPILED:
            break
    return {name: (rows, number) for name, rows in without_spills.items()}


def _proposals(unit: Unit, port: FilePort, slow: frozenset[str]) -> Iterator[_Proposal]:
    yield from _bounds(unit, slow)
    tiles = [c for c in constants(unit).constants if not c.stages]
    tiles.sort(key=lambda c: not c.free)
    problem = Problem(unit, requests(unit), 0)
    halves = [{c: half} for c in tiles if (half := _half(port, c)) >= _LEAST_TILE]
    for chosen in (*halves, *({**a, **b} for a, b in combinations(halves, 2))):
        if problem.keeps(chosen):
            what = " and ".join(f"{c.name} = {value}" for c, value in chosen.items())
            edits = tuple(edit for c, value in chosen.items() for edit in c.edits(value))
            yield _Proposal(what, "shared-memory-budget", edits)


def _half(port: FilePort, constant: Constant) -> int:
    """Of what it is in the port."""
    own = constant.edits(0)[0]
    edits = (e for f in port.findings if f.rule == "shared-memory-budget" for e in f.edits)
    now = next((e.text for e in edits if (e.start, e.end) == (own.start, own.end)), str(constant.value))
    return int(now) // 2 if now.isdigit() and int(now) % 2 == 0 else 0


def _bounds(unit: Unit, slow: frozenset[str]) -> Iterator[_Proposal]:
    """Kernels that say nothing of their blocks, where all launches do."""
    blocks: dict[str, list[int]] = {}
    for launch, threads in launched_threads(unit):
        blocks.setdefault(unit.launched(launch), []).append(threads)
    for name in sorted(slow):
        function = _definition(unit, name)
        threads = max(blocks.get(name, [0])) if all(blocks.get(name, [0])) else 0
        if function is None or not 0 < threads * (2 if unit.facts.mirrored else 1) < unit.chip.max_threads:
            continue
        if "launch_bounds" not in unit.file.source(function.first, function.params[0]):
            at = unit.tokens[function.name_index].start
            text = f"__launch_bounds__({threads})"
            yield _Proposal(text, "", (Edit(at, at, f"{text} "),))


def _with(port: FilePort, proposal: _Proposal) -> str:
    places = {(e.start, e.end) for e in proposal.edits}
    kept = [f for f in port.findings if f.rule != proposal.rule or not any((e.start, e.end) in places for e in f.edits)]
    at = proposal.edits[0]
    mine = Finding(RULE, at.start, at.end, Safety.SLOWER, proposal.what, proposal.edits)
    return rewrite(port.source, [*kept, mine]).text
