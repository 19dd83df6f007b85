"""`--schedule native`: kernels that compute a matrix product are written anew, and the file is ported around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from porter.compiled import Sources, placed
from porter.errors import CompileError, PorterError
from porter.frontend.lexer import Kind, lex
from porter.frontend.project import SourceFile
from porter.frontend.scopes import Function, find_scopes
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety, encode
from porter.native.changes import Change, cuts, replaced, without
from porter.native.dead import unused
from porter.native.gemm import Emitted, emit
from porter.native.gemm_parts import FORMATS
from porter.native.instantiations import problem_of, template_of
from porter.native.ir import Module, Unread, parse
from porter.native.launches import uses
from porter.native.problem import Gemm
from porter.native.values import Refused
from porter.passes.mirror import roles
from porter.rules import RuleSet
from porter.toolchain import build

__all__ = ["Schedule", "native_schedule"]

RULE = "native-schedule"


@dataclass(frozen=True, slots=True)
class Schedule:
    """What takes part in the port: findings of this module, and the text whose other findings go."""

    findings: tuple[Finding, ...]
    spans: tuple[tuple[int, int], ...] = ()  # offsets
    native: bool = False  # no kernel needs mirrored warps any more
    whole: bool = False  # all kernels of the file are written anew: nobody cares for its tiles and stages


def native_schedule(unit: Unit, faithful: str, sources: Sources, rules: RuleSet) -> Schedule:
    """faithful: the text of the port without native schedules."""
    kernels = [f for f in unit.scopes.functions if f.kernel and f.body[0] >= 0]
    if not unit.mirrored or not kernels:
        return Schedule(())
    try:
        return _scheduled(unit, faithful, sources, kernels, rules)
    except (Refused, Unread) as why:
        return Schedule(tuple(_refused(unit, kernel, str(why)) for kernel in kernels))


def _refused(unit: Unit, kernel: Function, why: str) -> Finding:
    token = unit.tokens[kernel.name_index]
    message = f"no native schedule for {kernel.name}: {why}. The faithful port stands"
    return Finding(RULE, token.start, token.end, Safety.SLOWER, message)


def _scheduled(unit: Unit, faithful: str, sources: Sources, kernels: Sequence[Function], rules: RuleSet) -> Schedule:
    module = _module(unit, sources)
    by_title: dict[str, list[str]] = {}
    for name, function in module.functions.items():
        if function.kernel:
            by_title.setdefault(module.title(name).split("<")[0], []).append(name)
    ported = lex(faithful)
    ported_kernels = {f.name: f for f in find_scopes(ported).functions if f.kernel and f.body[0] >= 0}
    written: list[tuple[Function, Gemm, Emitted]] = []
    refusals: list[Finding] = []
    for kernel in kernels:
        try:
            problem = problem_of(unit, module, by_title.get(kernel.name, []), kernel, ported, ported_kernels)
            if (problem.a.element, problem.b.element) not in FORMATS:
                raise Refused(f"no kernel is written for {problem.a.element} x {problem.b.element}")
            if problem.a.element == "tf32" and "TFLOAT32" in unit.file.text:
                raise Refused("tensor maps that round to TF32")
            written.append((kernel, problem, emit(problem)))
        except (Refused, Unread) as why:
            refusals.append(_refused(unit, kernel, str(why)))
    if not written:
        return Schedule(tuple(refusals))
    changes: list[Change] = []
    for kernel, _, emitted in written:
        template = template_of(ported, ported_kernels[kernel.name])
        changes.append(Change(kernel.first, kernel.body[1], _with_template(emitted.kernel.strip(), template)))
        changes += dict.fromkeys(uses(unit, kernel, emitted))
    needed = (
        " ".join(
            (
                template_of(ported, ported_kernels[k.name]),
                p.parameters,
                p.c.pitch,
                p.c.value,
                *(condition for condition, _ in p.elements),
            )
        )
        for k, p, _ in written
    )
    used = frozenset(t.text for text in needed for t in lex(text).tokens if t.kind == Kind.IDENT)
    gone = [(c.first, c.last) for c in changes]
    changes += [Change(first, last, "") for first, last in unused(unit.file, unit.scopes, gone, used)]
    edits = [replaced(unit.file, c) for c in changes if c.text] + cuts(unit.file, [c for c in changes if not c.text])
    edits += _needless_includes(unit, [(c.first, c.last) for c in changes])
    findings: list[Finding] = []
    if refusals and (
        unit.clusters or roles([SourceFile(unit.path, encode(without(unit.file.text, edits)))], rules).mirrored
    ):
        reason = "another kernel of the file needs mirrored warps or clusters"
        return Schedule((*refusals, *(_refused(unit, kernel, reason) for kernel, _, _ in written)))
    for number, (kernel, problem, emitted) in enumerate(written):
        start, end = unit.tokens[kernel.first].start, unit.tokens[kernel.body[1]].end
        everything = tuple(edits) if number == 0 else ()
        headers = tuple(h for h in emitted.headers if h.startswith("porter/"))  # the source brings HIP's with its types
        findings.append(Finding(RULE, start, end, Safety.REVIEW, _message(problem), everything, headers))
    return Schedule((*findings, *refusals), tuple((e.start, e.end) for e in edits), True, whole=not refusals)


def _needless_includes(unit: Unit, gone: Sequence[tuple[int, int]]) -> list[Edit]:
    """<mma.h>, when nothing of nvcuda::wmma is left."""
    file = unit.file
    left = (k for k in range(len(file.tokens)) if not any(first <= k <= last for first, last in gone))
    if any(file.tokens[k].text == "nvcuda" for k in left):
        return []
    return [
        Edit(directive.start, directive.end + 1, "")
        for directive in file.directives
        if directive.name == "include"
        and re.search(r"[<\"](?:crt/)?mma\.h[>\"]", file.text[directive.start : directive.end])
    ]


def _message(problem: Gemm) -> str:
    a, b, c = problem.a, problem.b, problem.c
    made = "the sum" if c.value == "sum" else c.value
    if problem.elements:
        kinds = " or ".join(element for _, element in problem.elements)
        of, stored = kinds, kinds if c.element in ("f16", "bf16") else c.element
    else:
        of, stored = f"{a.element} x {b.element}", c.element
    halves = ". Sums stay f32, which the source rounds to f16 after each product" if problem.halves else ""
    return (
        f"{problem.kernel} multiplies {a.source} and {b.source} ({of}) and stores {made} as {stored} to "
        f"{c.parameter}: it was executed on small problems to find that out, and is written anew for CDNA. "
        f"Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow{halves}"
    )


def _module(unit: Unit, sources: Sources) -> Module:
    """The device IR of the unit."""
    try:
        source, options = placed(sources, unit.options)
        text = build.device_ir(source, options).read_text(encoding="utf-8", errors="replace")
    except CompileError as error:
        raise Refused(f"the faithful port does not compile ({error.problem.rpartition('error: ')[2]})") from None
    except PorterError as error:
        raise Refused(error.problem) from None
    except OSError as error:
        raise Refused(f"it could not be compiled ({error.strerror})") from None
    return parse(text)


def _with_template(text: str, template: str) -> str:
    if not template:
        return text
    at = text.rfind("__global__")
    begin = text.rfind("\n", 0, at) + 1
    return f"{text[:begin]}{template}\n{text[begin:]}"
