"""--warp 64: kernels whose warp operations can be widened to the whole wave, and why the others cannot.

The unit is a kernel with the device functions that it calls. porter.proofs.candidates proposes its edits by pattern.
porter.proofs.proof then compiles the kernel as it was and as it would be to LLVM IR, and executes the one on 32-lane warps
and the other on 64-lane waves, for every block size with which the file launches it. Only if both write the same values to
the same places is the kernel widened. Every other kernel keeps its 32-lane logical warps, which is exact.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from porter.analysis.lanes import Threads, lane_sites
from porter.findings import Edit, Finding, Safety
from porter.frontend.conditions import CONDITIONS
from porter.frontend.cpp.constants import Definition
from porter.frontend.lexer import Kind, lex
from porter.frontend.scopes import Function, find_scopes
from porter.frontend.unit import Unit
from porter.proofs.candidates import Change, propose
from porter.proofs.launches import Launch, launches
from porter.proofs.program import SHUFFLES, WARP, Program, Refused
from porter.rules import RuleSet

if TYPE_CHECKING:
    from porter.proofs.proof import Compiled

__all__ = ["run"]

_KEEPS_32 = {
    "ballot": "a ballot of 32 lanes",
    "match": "a match across 32 lanes",
    "activemask": "the mask of active lanes",
    "reduce": "a hardware reduction with a 32-bit mask",
    "any": "a vote of 32 lanes",
    "all": "a vote of 32 lanes",
    "uni": "a vote of 32 lanes",
}
_VOTE = re.compile(r"__(ballot|any|all|uni|match_any|match_all|activemask|reduce_(?:add|min|max|and|or|xor))(?:_sync)?")
_GROUPS = frozenset(
    {"tiled_partition", "coalesced_threads", "thread_block_tile", "labeled_partition", "binary_partition"}
)
_ORDERED = re.compile(r"\b(?:f?max|f?min|fmaxf|fminf|umax|umin|__hmax|__hmin)\b")


@dataclass
class _Group:
    kernel: Function
    functions: tuple[Function, ...]
    changes: tuple[Change, ...] = ()
    constants: tuple[Definition, ...] = ()  # whose values change
    moved: dict[int, set[str]] = field(default_factory=dict)  # shuffles by token: kinds of values
    refusal: Refused | None = None


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.options.warp == WARP or not any(t.text in SHUFFLES or _VOTE.fullmatch(t.text) for t in unit.tokens):
        return []
    from porter.proofs.proof import compiled  # with numpy, which other conversions do without

    program = Program(unit.file, unit.scopes, unit.options.defines, _foreign(unit))
    groups: list[_Group] = []
    original = functools.cache(lambda: compiled(program, unit.path, unit.options.of_parse))
    for function in unit.scopes.functions:
        if function.kernel and function.body[0] >= 0 and program.has_shuffles(*function.body):
            groups.append(_try(unit, program, function, original))
    _settle(program, groups, unit.facts.named_elsewhere)
    findings = [*_refusals(unit, program, groups)]
    findings += _widened(unit, program, [g for g in groups if g.refusal is None])
    return findings


def _foreign(unit: Unit) -> frozenset[str]:
    own = {f.name for f in unit.scopes.functions}
    own |= {unit.text(d.first) for d in unit.file.directives if d.name == "define" and d.first < d.last}
    return frozenset(unit.project_names - own)


# --- one kernel -----------------------------------------------------------------------------------


def _try(unit: Unit, program: Program, kernel: Function, original: Callable[[], Compiled]) -> _Group:
    from porter.proofs.proof import compiled

    group = _Group(kernel, tuple(program.callees(kernel)))
    try:
        if not unit.is_main:
            raise Refused(kernel.name_index, "it is in a header, so not all of its launches are known")
        _forbidden(program, group.functions)
        _one_text(program, group.functions)
        if kernel.name in unit.facts.named_elsewhere:
            raise Refused(kernel.name_index, "another file names it, so not all of its launches are known")
        all_launches = launches(program, kernel, unit.chip)
        group.changes, group.constants = _changes(program, group, all_launches, unit.chip.wave)
        edits = [e for c in group.changes for e in c.edits]
        file = lex(_applied(unit.file.text, edits))
        after = Program(file, find_scopes(file), unit.options.defines, program.foreign)
        before, widened = original(), compiled(after, unit.path, unit.options.of_parse)
        for launch in {(x.threads, x.integers): x for x in all_launches}.values():
            _prove(before, group, widened, launch, unit.chip.wave)
    except Refused as refusal:
        group.refusal = refusal if refusal.index >= 0 else Refused(kernel.name_index, refusal.why)
    except RecursionError:
        group.refusal = Refused(kernel.name_index, "it is nested too deeply")
    return group


def _forbidden(program: Program, functions: Iterable[Function]) -> None:
    """What is bound to 32 lanes whatever surrounds it. The first place in the file is named."""
    tokens = program.file.tokens
    for function in sorted(functions, key=lambda f: f.body[0]):
        for k in range(*function.body):
            text = tokens[k].text
            vote = _VOTE.fullmatch(text)
            if vote:
                raise Refused(k, f"{_KEEPS_32[vote[1].split('_')[0]]} ({text})")
            if text in _GROUPS:
                raise Refused(k, f"{text} of cooperative groups keeps its 32 lanes")
            if text in ("asm", "__asm__"):
                raise Refused(k, "inline PTX")


def _one_text(program: Program, functions: Iterable[Function]) -> None:
    """Only what is compiled is proved: no condition of the preprocessor may choose another text."""
    file, conditions = program.file, [d for d in program.file.directives if d.name in (*CONDITIONS, "else", "endif")]
    for function in functions:
        first, last = (file.tokens[k].start for k in (function.first, function.body[1]))
        for directive in conditions:
            if first < directive.start < last:
                line = file.position(directive.start)[0]
                raise Refused(function.name_index, f"the preprocessor chooses what is compiled (line {line})")
        places = sorted(file.tokens[other.name_index].start for other in program.functions[function.name])
        if any(places[0] < directive.start < places[-1] for directive in conditions):
            raise Refused(function.name_index, f"the preprocessor chooses between several {function.name}")


def _changes(
    program: Program, group: _Group, all_launches: Sequence[Launch], wave: int
) -> tuple[tuple[Change, ...], tuple[Definition, ...]]:
    """The same edits must do for every launch."""
    proposals = [propose(program, group.functions, x.threads, dict(x.integers), wave) for x in all_launches]
    first, constants = proposals[0]
    for launch, (other, _) in zip(all_launches, proposals):
        if [c.edits for c in other] != [c.edits for c in first]:
            raise Refused(launch.index, "launches with different block sizes would need different kernels")
    return tuple(first), tuple(constants)


def _applied(text: str, edits: Iterable[Edit]) -> str:
    parts, at = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def _prove(before: Compiled, group: _Group, after: Compiled, launch: Launch, wave: int) -> None:
    from porter.proofs.proof import show_same

    try:
        shown = show_same(before, after, group.kernel, launch, wave)
    except Refused as refusal:
        if not refusal.after:
            raise
        index = _original(before.program, after.program, group.changes, refusal.index)
        raise Refused(index, refusal.why) from None
    for index, kinds in shown.items():
        group.moved.setdefault(index, set()).update(kinds)


def _original(program: Program, after: Program, changes: Sequence[Change], index: int) -> int:
    """The token of the original that became tokens[index] of the widened text."""
    offset = after.file.tokens[index].start if index < len(after.file.tokens) else 0
    shift = 0
    for edit in sorted((e for c in changes for e in c.edits), key=lambda e: (e.start, e.end)):
        if edit.start + shift > offset:
            break
        shift += len(edit.text) - (edit.end - edit.start)
    return min(program.file.token_at(max(0, offset - shift)), len(program.file.tokens) - 1)


# --- what kernels share -----------------------------------------------------------------------------


def _settle(program: Program, groups: Sequence[_Group], elsewhere: Collection[str]) -> None:
    """Refuse kernels whose edits would reach into something that stays at 32 lanes, until none is left."""
    while True:
        fine = [g for g in groups if g.refusal is None]
        inside = {f.name_index: f for g in fine for f in g.functions}
        wrong = [(g, r) for g in fine if (r := _reaches_out(program, g, inside, elsewhere)) is not None]
        if not wrong:
            return
        for group, refusal in wrong:
            group.refusal = refusal


def _reaches_out(
    program: Program, group: _Group, inside: Mapping[int, Function], elsewhere: Collection[str]
) -> Refused | None:
    tokens = program.file.tokens
    bodies = sorted((f.params[0], f.body[1]) for f in inside.values())
    starts = [b[0] for b in bodies]

    def widened(k: int) -> bool:
        at = bisect.bisect_right(starts, k) - 1
        return at >= 0 and bodies[at][0] <= k <= bodies[at][1]

    ranges = [d.value for d in group.constants]
    touched = {
        f.name: f
        for f in group.functions
        if not f.kernel and any(f.params[0] <= c.token <= f.body[1] for c in group.changes)
    }
    depends = {f.name: f for f in group.functions if not f.kernel and program.has_shuffles(*f.body)} | touched
    everywhere = {d.name: d.index for d in group.constants if d.scope[0] == 0}
    everywhere.update((f.name, f.name_index) for f in depends.values())
    for name in sorted(everywhere.keys() & elsewhere):
        return Refused(everywhere[name], f"another file uses {name}, too")
    for k, token in enumerate(tokens):
        if token.kind != Kind.IDENT:
            continue
        if token.text in depends:
            declared = any(f.name_index == k for f in program.scopes.functions)
            if not declared and not widened(k):
                return Refused(k, f"{token.text} is used here too, by code that stays at 32 lanes")
        for definition in group.constants:
            if token.text != definition.name or k == definition.index:
                continue
            if not definition.scope[0] <= k <= definition.scope[1] or widened(k) or any(a <= k < b for a, b in ranges):
                continue
            if token.directive >= 0 and program.file.directives[token.directive].name in ("ifdef", "ifndef", "undef"):
                continue
            return Refused(k, f"{token.text} is used here too, by code that stays at 32 lanes")
    return None


# --- findings -----------------------------------------------------------------------------------------


def _refusals(unit: Unit, program: Program, groups: Sequence[_Group]) -> list[Finding]:
    findings: list[Finding] = []
    reported: set[int] = set()
    for group in groups:
        reported.update(f.name_index for f in group.functions)
        if group.refusal is None:
            continue
        index = group.refusal.index
        line = unit.file.position(unit.tokens[min(index, len(unit.tokens) - 1)].start)[0]
        findings.append(_refused(unit, group.kernel, f"line {line}: {group.refusal.why}"))
    for function in unit.scopes.functions:
        if function.device and not function.kernel and function.name_index not in reported and function.body[0] >= 0:
            if any(t.text in SHUFFLES or _VOTE.fullmatch(t.text) for t in unit.tokens[slice(*function.body)]):
                findings.append(_refused(unit, function, "no kernel of this file calls it by its name"))
    return findings


def _refused(unit: Unit, function: Function, why: str) -> Finding:
    token = unit.tokens[function.name_index]
    name = function.name if token.kind == Kind.IDENT else "an operator"
    message = f"{name} keeps its 32-lane warps: {why}"
    return Finding("warp-widen-refused", token.start, token.end, Safety.EXACT, message)


def _widened(unit: Unit, program: Program, groups: Sequence[_Group]) -> list[Finding]:
    if not groups:
        return []
    functions = {f.name_index: f for g in groups for f in g.functions}
    moved: dict[int, set[str]] = {}
    changes: dict[tuple[Edit, ...], Change] = {}
    for group in groups:
        changes.update((c.edits, c) for c in group.changes)
        for index, types in group.moved.items():
            moved.setdefault(index, set()).update(types)
    sites = lane_sites(unit, program.constants, Threads(unit))
    spans = [(f.params[0], f.body[1]) for f in functions.values()] + [c.value for g in groups for c in g.constants]
    inside = [s for s in sites if any(a <= s.first <= b for a, b in spans)]
    findings: list[Finding] = []
    taken: set[int] = set()
    for site in inside:
        start, end = unit.tokens[site.first].start, unit.tokens[site.last - 1].end
        own = [c for c in changes.values() if c.what in ("number", "constant") and site.first <= c.token < site.last]
        taken.update(c.token for c in own)
        edits = tuple(e for c in own for e in c.edits)
        message = (
            "counts the wave's 64 lanes" if site.kind != "array" else "one element for each wave of 64 lanes is enough"
        )
        findings.append(Finding("warp-widen", start, end, Safety.EXACT, message, edits))
    for change in changes.values():
        if change.what in ("number", "constant") and change.token in taken:
            continue
        token = unit.tokens[change.token]
        safety, message = _judge(unit, change, moved)
        findings.append(Finding("warp-widen", token.start, token.end, safety, message, change.edits))
    for function in functions.values():
        for k in range(*function.body):
            if unit.text(k) == "warpSize":
                token = unit.tokens[k]
                message = (
                    f"warpSize stays: it is {unit.chip.wave} on {unit.chip.target}, and the kernel was widened to it"
                )
                findings.append(Finding("warp-widen", token.start, token.end, Safety.EXACT, message))
    return findings


def _judge(unit: Unit, change: Change, moved: Mapping[int, set[str]]) -> tuple[Safety, str]:
    if change.what == "constant" and change.definition is not None:
        return Safety.EXACT, f"{change.definition.name} counts the wave's 64 lanes; all its uses were widened"
    if change.what == "follows":
        return Safety.EXACT, "one step of the series that its step by 32 stands for"
    if change.what not in ("shuffle", "step"):
        return Safety.EXACT, "counts the wave's 64 lanes"
    begin, end = change.token, change.token
    while unit.text(begin - 1) not in (";", "{", "}"):
        begin -= 1
    while unit.text(end) not in (";", ""):
        end += 1
    statement = unit.file.source(begin, end)
    types = set().union(*(moved.get(k, set()) for k in range(begin, end)))
    if unit.text(change.token) in ("__shfl_sync", "__shfl"):
        return Safety.EXACT, "takes the value of a lane of the whole wave"
    if types == {"int"}:
        return Safety.EXACT, "works on the whole wave: the same elements, in integers"
    if _ORDERED.search(statement) and not re.search(r"[^+]\+=?[^+]|\*=", statement):
        return Safety.EXACT, "works on the whole wave: a maximum or minimum of the same elements"
    if re.search(r"[<>](?![<>=])", statement) and "?" in statement:
        return Safety.REVIEW, "compares in another order: the same unless an element is NaN"
    return Safety.REVIEW, "sums in another order: 64 lanes at once instead of 32 and 32"
