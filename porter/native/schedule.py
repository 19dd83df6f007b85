"""`--schedule native`: kernels that compute a matrix product or attention are written anew, and their files are ported around
them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter.analysis.clusters import has_clusters
from porter.analysis.roles import roles
from porter.findings import Edit, Finding, Safety, encode
from porter.frontend.lexer import Kind, lex
from porter.frontend.scopes import Function, find_scopes
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit
from porter.line_matches import matches
from porter.native.device_ir import compiled
from porter.native.emit.attention import emit_attention
from porter.native.emit.gemm import FACTORS, Emitted, emit
from porter.native.emit.token_edits import Change, cuts, replaced, without
from porter.native.emit.unused_code import unneeded, unused
from porter.native.ir.module import Module, Unread, spaces_of
from porter.native.launches.borrowed import guest, named, renamed, written_in
from porter.native.launches.groups import MOST_UNITS
from porter.native.launches.launch_config import configured
from porter.native.launches.launches import Rewritten, other_calls, rewritten
from porter.native.launches.sites import Sites, sites
from porter.native.lift.instances import Instances
from porter.native.machine.values import Refused
from porter.native.recognise.instantiations import counted_by, problem_of, template_of
from porter.native.recognise.problem import Gemm
from porter.native.unit_files import Text, text_of
from porter.rules import RuleSet
from porter.toolchain.port_sources import Sources

__all__ = ["Group", "Schedule", "native_schedules"]

RULE = "native-schedule"
_SHOWN = 80  # letters of a line
_OF_WMMA = frozenset(
    "nvcuda wmma fragment fill_fragment load_matrix_sync store_matrix_sync mma_sync".split()  # of nvcuda::wmma
)


@dataclass(frozen=True, slots=True)
class Schedule:
    """What takes part in a file's port: findings of this module, and the text whose other findings go."""

    findings: tuple[Finding, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()  # offsets: findings within them go
    exact: frozenset[tuple[int, int]] = frozenset()  # and those at just these
    plain: bool = False  # no kernel needs mirrored warps any more
    whole: bool = False  # all kernels are written anew: nobody cares for tiles and stages


@dataclass(frozen=True, slots=True)
class Group:
    """Translation units that are decided on together, since they share files with kernels or launches."""

    units: Mapping[Path, Unit]  # by file, where it defines kernels
    members: Mapping[Path, Sequence[SourceFile]]  # by main file: the project's files in the unit
    sources: Mapping[Path, Sources]  # by main file: what is compiled
    closures: Mapping[Path, Mapping[str, Sequence[Path]]]  # by file and #include: the files that come with it
    editable: frozenset[Path]  # files that are ported together
    declared: Mapping[str, str]  # kernels that other units declare, and where
    borrowed: frozenset[Path]  # files that others include, whose kernels may be written anew where they are launched
    lowered: bool  # whether sources have the tiles that fit into shared memory, or the source's own


@dataclass(slots=True)
class _Native:
    """A kernel that is written anew."""

    kernel: Function
    home: Text
    problem: Gemm | Instances
    sites: Sites
    emitted: Emitted
    rewritten: Rewritten
    template: str
    text: Text  # where it is written: its own file, or the one that launches it

    def span(self) -> tuple[int, int]:
        """Where it is told about."""
        if self.text is self.home:
            return self.home.tokens[self.kernel.first].start, self.home.tokens[self.kernel.body[1]].end
        token = self.text.tokens[self.sites.mentions[0][1]]
        return token.start, token.end


@dataclass(slots=True)
class _Plan:
    group: Group
    rules: RuleSet
    texts: dict[Path, Text] = field(default_factory=dict)
    modules: dict[Path, Module | str] = field(default_factory=dict)  # or why there is none
    refusals: dict[Path, list[Finding]] = field(default_factory=dict)

    def scope(self, path: Path) -> list[Text]:
        """The files in which something of this one may be named."""
        paths = [m.path for members in self.group.members.values() if _in(members, path) for m in members]
        return [self.texts[p] for p in dict.fromkeys(paths)]

    def mains(self, path: Path) -> list[Path]:
        return [main for main, members in self.group.members.items() if _in(members, path)]

    def refuse(self, home: Text, kernel: Function, why: str) -> None:
        message = f"no native schedule for {kernel.name}: {why}. The faithful port stands"
        for text, index in self._places(home, kernel):
            token = text.tokens[index]
            self.refusals.setdefault(text.path, []).append(
                Finding(RULE, token.start, token.end, Safety.SLOWER, message)
            )

    def _places(self, home: Text, kernel: Function) -> list[tuple[Text, int]]:
        """Where: at the kernel, or at its name in a file that would have it."""
        if home.path not in self.group.borrowed:
            return [(home, kernel.name_index)]
        own = [text for text in self.scope(home.path) if text.path in self.group.editable]
        return [(text, index) for text in own for index in text.mentions(kernel.name)][:1]


def native_schedules(group: Group, rules: RuleSet) -> dict[Path, Schedule] | None:
    """The native schedules by file; a file without one keeps its faithful port. None where other kernels of the files
    get smaller tiles: a native kernel's arguments would then count those tiles."""
    plan = _Plan(group, rules)
    for members in group.members.values():
        plan.texts.update({m.path: text_of(m) for m in members if m.path not in plan.texts})
    natives: list[_Native] = []
    for path, unit in group.units.items():
        home = plan.texts[path]
        for kernel in home.scopes.functions:
            if kernel.kernel and kernel.body[0] >= 0:
                if path not in group.editable | group.borrowed:
                    plan.refuse(home, kernel, f"more than {MOST_UNITS} units share this file, or kernels and launches")
                    continue
                try:
                    natives += _native(plan, unit, home, kernel)
                except (Refused, Unread) as why:
                    plan.refuse(home, kernel, f"{why}{_where(plan, home, why)}")
    while natives:
        edits = _edits(plan, natives)
        plain = _is_plain(plan, edits)
        if not plain:
            natives, left = _apart(plan, natives)
            if left:
                continue
        for native in natives:  # macros of mirrored warps may be before it
            if not plain or (native.home.path not in group.members and len(group.editable) == 1):
                own = group.units[native.home.path]
                native.emitted = _emitted(native.problem, own, True)
                edits = _edits(plan, natives)
        whole = plain and not plan.refusals
        counted = any(map(_is_counted, natives))
        if counted and not whole and not group.lowered:
            return None
        return _schedules(plan, natives, edits, plain, whole and not (counted and group.lowered))
    return {path: Schedule(tuple(refused)) for path, refused in plan.refusals.items()}


def _where(plan: _Plan, home: Text, why: Refused | Unread) -> str:
    """The line of the source that is the reason for a refusal, where it is one: a call may lead from there to it."""
    places = why.places if isinstance(why, Refused) else []
    line = next((line for file, line in places if Path(file).name == home.path.name), 0)
    port = plan.group.sources[plan.mains(home.path)[0]].texts[home.path].splitlines() if line else []
    source = home.file.text.splitlines()
    if not 0 < line <= len(port):
        return ""
    for begin, there, size in matches(port, source):
        if begin <= line - 1 < begin + size:
            at = there + line - 1 - begin
            return f" (line {at + 1}: {source[at].strip()[:_SHOWN]})"
    return f" (in the faithful port: {port[line - 1].strip()[:_SHOWN]})"


def _in(members: Sequence[SourceFile], path: Path) -> bool:
    return any(m.path == path for m in members)


def _native(plan: _Plan, unit: Unit, home: Text, kernel: Function) -> list[_Native]:
    """The kernel, or nothing where the unit has no use for another file's."""
    mains = plan.mains(home.path)
    instances: list[tuple[Module, str]] = []
    for main in mains:
        module = _module(plan, unit, main)
        instances += [
            (module, name)
            for name, function in module.functions.items()
            if function.kernel and module.title(name).split("<")[0] == kernel.name and _is_of(plan, home, kernel, name)
        ]
    borrowed = home.path in plan.group.borrowed
    scope = plan.scope(home.path)
    why_not, kernel_sites = "", None
    clusters = [(1, 1, 1)]
    launches: list[int] = []
    try:
        kernel_sites = sites(kernel, home, scope)
        if all(site.kind == "<<<" and site.text.path == unit.path for site in kernel_sites.launches):
            launches = [site.index for site in kernel_sites.launches]
        clusters = [size for site in kernel_sites.launches for size in configured(site, home.path).clusters]
    except Refused as why:  # what it computes is the better reason
        why_not = str(why)
    if borrowed and (not instances or (kernel_sites is not None and not kernel_sites.mentions)):
        return []
    ported = lex(plan.group.sources[mains[0]].texts[home.path])
    problem = problem_of(unit, instances, kernel, ported, launches, list(dict.fromkeys(clusters)) or [(1, 1, 1)])
    if isinstance(problem, Gemm):
        _written(problem, unit)
    what = _what(problem)
    if kernel_sites is None:
        raise Refused(f"it is {what}, but {why_not}")
    if kernel.name in plan.group.declared:
        raise Refused(f"it is {what}, but {plan.group.declared[kernel.name]} declares it and may launch it")
    if borrowed:
        problem = replace(problem, kernel=named(kernel.name))
    emitted = _emitted(problem, unit)
    earlier = _earlier(home, kernel, plan.group.closures[home.path])
    try:
        changes = rewritten(kernel_sites, emitted, scope, earlier)
    except Refused as why:
        raise Refused(f"it is {what}, but {why}") from None
    text = guest(kernel_sites) if borrowed else home
    touched = [text.path, *(text.path for text in changes.changes), *(f.text.path for f, _ in changes.by_calls)]
    for path in touched:
        if path not in plan.group.editable:
            if path in plan.group.members and home.path not in plan.group.members:
                raise Refused(f"it is {what}, and others may include this file: {path.name} has the new kernel")
            raise Refused(f"it is {what}, but {path.name}, which is not ported together with this file, would change")
    if borrowed:
        changes.changes.setdefault(text, []).extend(renamed(kernel_sites, changes, text))
    other = next(f for f in find_scopes(ported).functions if f.kernel and f.name == kernel.name and f.body[0] >= 0)
    return [_Native(kernel, home, problem, kernel_sites, emitted, changes, template_of(ported, other), text)]


def _what(problem: Gemm | Instances) -> str:
    return "a matrix product" if isinstance(problem, Gemm) else "attention"


def _written(problem: Gemm, unit: Unit) -> None:
    """Refuses elements that there is no schedule for."""
    for one in (problem, *(other for _, other in problem.others)):
        if (one.a.element, one.b.element) not in FACTORS:
            raise Refused(f"no kernel is written for {one.a.element} x {one.b.element}")
        if one.a.element == "tf32" and "TFLOAT32" in unit.file.text:
            raise Refused("tensor maps that round to TF32")


def _emitted(problem: Gemm | Instances, unit: Unit, mirrored: bool = False) -> Emitted:
    if isinstance(problem, Gemm):
        return emit(problem, unit.chip, unit.board, mirrored, unit.options.inline)
    if unit.options.inline:
        raise Refused("it is attention, and --inline writes the text of matrix products alone")
    return emit_attention(problem, unit.chip, mirrored)


def _is_of(plan: _Plan, home: Text, kernel: Function, mangled: str) -> bool:
    """Is it this kernel's, and not one's of the same name in another namespace?"""
    spellings = {
        tuple(text.namespaces(other.name_index))
        for text in plan.scope(home.path)
        for other in text.scopes.functions
        if other.kernel and other.name == kernel.name
    }
    own, named = tuple(home.namespaces(kernel.name_index)), spaces_of(mangled)
    return named == own or named not in spellings


def _earlier(home: Text, kernel: Function, included: Mapping[str, Sequence[Path]]) -> frozenset[Path]:
    """The files that come before a kernel's definition."""
    directives = [d for d in home.file.directives if d.name == "include" and d.first < min(d.last, kernel.first)]
    names = (home.text(d.first)[1:-1] for d in directives)
    return frozenset(path for name in names for path in included.get(name, ())) - {home.path}


def _module(plan: _Plan, unit: Unit, main: Path) -> Module:
    if main not in plan.modules:
        try:
            plan.modules[main] = compiled(unit.options, plan.group.sources[main])
        except (Refused, Unread) as why:
            plan.modules[main] = str(why)
    module = plan.modules[main]
    if isinstance(module, str):
        raise Refused(module)
    return module


def _apart(plan: _Plan, natives: Sequence[_Native]) -> tuple[list[_Native], bool]:
    """Without kernels whose launching function launches kernels of mirrored warps, too."""
    given = {call for n in natives for calls in n.sites.calls.values() for call in calls}
    kept = []
    for native in natives:
        for frame, _ in native.rewritten.by_calls:
            other = next(other_calls(frame, list(plan.texts.values()), given), None)
            if other is not None:
                text, index = other
                where = text.where(index, native.home.path)
                why = f"it is {_what(native.problem)}, but {where} gives {text.text(index)} another kernel, of mirrored warps"
                plan.refuse(native.home, native.kernel, why)
                break
        else:
            kept.append(native)
    return kept, len(kept) != len(natives)


def _edits(plan: _Plan, natives: Sequence[_Native]) -> dict[Text, list[Edit]]:
    changes: dict[Text, list[Change]] = {}
    for native in natives:
        source = _with_template(native.emitted.kernel.strip(), native.template)
        if native.text is native.home:
            anew = Change(native.kernel.first, native.kernel.body[1], source)
        else:
            anew = written_in(native.sites, native.text, source)
        changes.setdefault(native.text, []).append(anew)
        for where, parts in native.rewritten.changes.items():
            changes.setdefault(where, []).extend(parts)
    changes = {text: list(dict.fromkeys(parts)) for text, parts in changes.items()}
    for text, parts in changes.items():
        parts += [Change(*part, "") for part in unneeded(text, _gone(text, parts))]
    needed = frozenset(name for native in natives for name in _needs(native))
    _without_unused(plan, changes, needed)
    edits = {}
    for text, parts in changes.items():
        edits[text] = [replaced(text.file, c) for c in parts if c.text]
        others = [other for other in plan.scope(text.path) if other is not text]
        usings, includes = _needless_wmma(text, others, changes)
        edits[text] += cuts(text.file, [*(c for c in parts if not c.text), *usings]) + includes
    return edits


def _gone(text: Text, changes: Sequence[Change]) -> list[tuple[int, int]]:
    """A launch's grid that counts several products or heads stays within the new one."""
    return [(c.first, c.last) for c in changes if f"dim3({text.file.source(c.first, c.last + 1)})" not in c.text]


def _without_unused(plan: _Plan, changes: dict[Text, list[Change]], needed: frozenset[str]) -> None:
    """Adds what nobody needs any more, in all files that are ported together."""
    homes = {text.path for text in changes}
    again = True
    while again:
        again = False
        lost = {text.text(k) for text, parts in changes.items() for c in parts for k in range(c.first, c.last + 1)}
        for path, text in plan.texts.items():
            if path not in plan.group.editable:
                continue
            parts = changes.get(text, [])
            is_own = path in homes and path in plan.group.members
            others = {
                token.text
                for other in plan.scope(path)
                if other is not text
                for index, token in enumerate(other.tokens)
                if token.kind == Kind.IDENT and not any(c.first <= index <= c.last for c in changes.get(other, ()))
            }
            gone = _gone(text, parts)
            written = [(c.first, c.last) for c in parts if c.text]
            fresh = unused(text.file, text.scopes, gone, needed | others, None if is_own else lost, written)
            if fresh:
                changes[text] = [*parts, *(Change(first, last, "") for first, last in fresh)]
                again = True


def _needs(native: _Native) -> list[str]:
    """Names in the text of the kernel that are the source's."""
    if isinstance(native.problem, Instances):
        return [t.text for t in lex(native.emitted.kernel).tokens if t.kind == Kind.IDENT]
    conditions = [condition for condition, _ in native.problem.others]
    parts = [native.template, *conditions]
    for problem in (native.problem, *(other for _, other in native.problem.others)):
        parts += _named(problem)
    return [t.text for t in lex(" ".join(parts)).tokens if t.kind == Kind.IDENT]


def _named(problem: Gemm) -> list[str]:
    behind = (one.behind.much for one in (problem.a, problem.b, problem.c))
    conditions = (condition for condition, _ in problem.elements)
    return [problem.parameters, problem.c.pitch, problem.c.value, problem.count, *problem.limits, *behind, *conditions]


def _is_plain(plan: _Plan, edits: Mapping[Text, Sequence[Edit]]) -> bool:
    """Does nothing that is left in any of the units need mirrored warps or clusters?"""
    for members in plan.group.members.values():
        left = [SourceFile(m.path, encode(without(m.tokens.text, edits.get(plan.texts[m.path], [])))) for m in members]
        if roles(left, plan.rules).mirrored or any(map(has_clusters, left)):
            return False
    return True


def _schedules(
    plan: _Plan, natives: Sequence[_Native], edits: Mapping[Text, Sequence[Edit]], plain: bool, whole: bool
) -> dict[Path, Schedule]:
    result = {}
    for path, text in plan.texts.items():
        own = [n for n in natives if n.text is text]
        everything = tuple(edits.get(text, ()))
        findings = []
        # A finding without edits brings no headers, so the first one has all; the source brings HIP's.
        headers = dict.fromkeys(h for native in own for h in native.emitted.headers if h.startswith("porter/"))
        for number, native in enumerate(own):
            start, end = native.span()
            here = (everything, tuple(headers)) if number == 0 else ((), ())
            findings.append(
                Finding(
                    RULE, start, end, Safety.REVIEW, _message(replace(native.problem, kernel=native.kernel.name)), *here
                )
            )
        if everything and not own:
            names = " and ".join(dict.fromkeys(n.kernel.name for n in natives))
            message = f"{names}: written anew for CDNA; launches follow, and what nobody needs any more is gone"
            begin = min(everything, key=lambda e: e.start)
            findings.append(Finding(RULE, begin.start, begin.end, Safety.REVIEW, message, everything))
        spans = [(e.start, e.end) for e in everything]
        exact = set()
        for native in natives:
            for first, last in native.rewritten.launches.get(text, ()):
                exact.add((text.tokens[first].start, text.tokens[last - 1].end))
            if not plain:
                by_calls = [part for frame, part in native.rewritten.by_calls if frame.text is text]
                exact |= {(text.tokens[first].start, text.tokens[last - 1].end) for first, last in by_calls}
        findings += plan.refusals.get(path, [])
        result[path] = Schedule(tuple(findings), tuple(spans), frozenset(exact), plain, whole)
    return result


def _is_counted(native: _Native) -> bool:
    """Does it count in tiles, or go by numbers among its template's arguments?"""
    if isinstance(native.problem, Instances):
        return not counted_by(native.template).isdisjoint(_needs(native))
    conditions = [c for c, _ in native.problem.others]
    for problem in (native.problem, *(other for _, other in native.problem.others)):
        if any(problem.limits):
            return True
        conditions += [problem.c.value, *(c for c, _ in problem.elements)]
    named = {token.text for token in lex(" ".join(conditions)).tokens}
    return not named.isdisjoint(counted_by(native.template))


def _needless_wmma(
    text: Text, others: Sequence[Text], changes: Mapping[Text, Sequence[Change]]
) -> tuple[list[Change], list[Edit]]:
    """`using namespace nvcuda` and <mma.h>, when nothing of nvcuda::wmma is left; others: they may rely on this file's."""
    usings = list(_usings(text))
    for other in (text, *others):
        gone = [*((c.first, c.last) for c in changes.get(other, ())), *(usings if other is text else ())]
        left = (k for k in range(len(other.tokens)) if not any(first <= k <= last for first, last in gone))
        if any(other.text(k) in _OF_WMMA for k in left):
            return [], []
    includes = [
        Edit(directive.start, directive.end + 1, "")
        for directive in text.file.directives
        if directive.name == "include"
        and re.search(r"[<\"](?:crt/)?mma\.h[>\"]", text.file.text[directive.start : directive.end])
    ]
    own = changes.get(text, ())
    needless = [Change(*u, "") for u in usings if not any(c.first <= u[0] and u[1] <= c.last for c in own)]
    return needless, includes


def _usings(text: Text) -> Iterator[tuple[int, int]]:
    """`using namespace nvcuda;`, or of a namespace in it."""
    for first in range(len(text.tokens)):
        if [text.text(k) for k in range(first, first + 3)] == ["using", "namespace", "nvcuda"]:
            last = first
            while text.text(last) not in (";", ""):
                last += 1
            yield first, last


def _message(problem: Gemm | Instances) -> str:
    if isinstance(problem, Instances):
        return (
            f"{problem.kernel} computes {problem.shown}: it was executed on small problems to find that out, and is "
            "written anew for CDNA. Its barriers and copies are gone; grid, block and shared memory of its launches follow"
        )
    halves = ". Sums stay f32, which the source rounds to f16 after each product" if problem.halves else ""
    each = f" for each blockIdx.{problem.axis}" if problem.axis else ""
    others = "".join(f"; where {condition}, {_multiplies(other)}" for condition, other in problem.others)
    return (
        f"{problem.kernel} {_multiplies(problem)}{each}{others}: it was executed on small problems to find that out, and "
        "is written anew for CDNA. "
        f"Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow{halves}"
    )


def _multiplies(problem: Gemm) -> str:
    a, b, c = problem.a, problem.b, problem.c
    made = "the sum" if c.value == "sum" else c.value
    if problem.elements:
        kinds = " or ".join(element for _, element in problem.elements)
        of, stored = kinds, kinds if c.element in ("f16", "bf16") else c.element
    else:
        of, stored = f"{a.element} x {b.element}", c.element
    return f"multiplies {a.source} and {b.source} ({of}) and stores {made} as {stored} to {c.parameter}"


def _with_template(text: str, template: str) -> str:
    if not template:
        return text
    at = text.rfind("__global__")
    begin = text.rfind("\n", 0, at) + 1
    return f"{text[:begin]}{template}\n{text[begin:]}"
