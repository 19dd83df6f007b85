"""ThunderKittens at wave width: the include of porter's library, and threads that the source counts by numbers."""

from __future__ import annotations

from porter.analysis.kittens import View, included_at
from porter.findings import Edit, Finding, Safety
from porter.frontend.unit import Unit
from porter.passes.insertions import first_in_body
from porter.rules import RuleSet

__all__ = ["HEADER", "RULE", "run"]

RULE = "kittens"
HEADER = "porter/kittens/kittens.h"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    """In units that are ported so: which ones `porter.port.sources.kittens` decides."""
    if unit.options.kittens != "native":
        return []
    view = View(unit.file, unit.scopes, unit.beside)
    return [*_include(unit), *_kernels(unit, view), *_threads(unit, view)]


def _include(unit: Unit) -> list[Finding]:
    index = included_at(unit.file)
    if index is None:
        return []
    token = unit.tokens[index]
    edit = Edit(token.start, token.end, f'"{unit.runtime_prefix}{HEADER}"')
    message = "ThunderKittens' operations by porter's library: a warp is a wavefront of 64 lanes, sums are in f32"
    return [Finding(RULE, token.start, token.end, Safety.REVIEW, message, (edit,), (HEADER,))]


def _kernels(unit: Unit, view: View) -> list[Finding]:
    message = "numbered barriers and the counts of products are cleared before anybody uses them"
    findings = []
    for kernel in view.kernels.values():
        brace = unit.tokens[kernel.body[0]]
        edit = first_in_body(unit.file, kernel.body[0], "kittens::begin();")
        findings.append(Finding(RULE, brace.start, brace.end, Safety.SLOWER, message, (edit,)))
    return findings


def _threads(unit: Unit, view: View) -> list[Finding]:
    """Numbers of threads are CUDA's: a wavefront has twice the lanes of a warp."""
    findings = []
    for (first, last), name in (
        *((span, "kittens::twice") for _, span in view.launches()),
        *((span, "2 * ") for span in view.bounds()),
    ):
        if view.kind(first, last) == "number":
            start, end = unit.tokens[first].start, unit.tokens[last - 1].end
            edits = (Edit(start, start, f"{name}("), Edit(end, end, ")"))
            message = "threads are counted by a number: a wavefront has twice the lanes of CUDA's warp"
            findings.append(Finding(RULE, start, start, Safety.EXACT, message, edits))
    return findings
