"""ThunderKittens at wave width: the include of porter's library, and threads that the source counts by numbers."""

from __future__ import annotations

from collections.abc import Iterator

from porter.analysis.kittens import View, header_of, included_at
from porter.analysis.kittens_lanes import COUNTS, LaneCode, Region
from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import newline_of, template_begin
from porter.frontend.unit import Unit
from porter.passes.insertions import first_in_body
from porter.rules import RuleSet

__all__ = ["RULE", "run"]

RULE = "kittens"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    """In units that are ported so: which ones `porter.port.sources.kittens` decides."""
    if unit.options.kittens != "native":
        return []
    view = View(unit.file, unit.scopes, unit.beside)
    return [*_includes(unit, view), *_kernels(unit, view), *_threads(unit, view), *_lanes(unit, view)]


def _includes(unit: Unit, view: View) -> Iterator[Finding]:
    safety = Safety.REVIEW
    message = "ThunderKittens' operations by porter's library: a warp is a wavefront of 64 lanes, sums are in f32"
    for index in included_at(unit.file):
        token = unit.tokens[index]
        header = header_of(token)
        edit = Edit(token.start, token.end, f'"{unit.runtime_prefix}{header}"')
        yield Finding(RULE, token.start, token.end, safety, message, (edit,), (header,))
        safety, message = Safety.EXACT, "the prototypes of porter's library: as many stages as fit"


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


def _lanes(unit: Unit, view: View) -> Iterator[Finding]:
    """CUDA's lane numbers, and the elements of tiles that CUDA's lanes hold."""
    for code in view.lane_code:
        for region in code.regions:
            yield _region(unit, code, region)
        for index in code.numbers:
            token = unit.tokens[index]
            message = "CUDA's lane: both halves of a wavefront have its number"
            yield Finding(
                RULE, token.start, token.end, Safety.EXACT, message, (_number(unit, index, "kittens::cuda_laneid()"),)
            )


def _number(unit: Unit, index: int, lane: str) -> Edit:
    """`laneid()`, of a warp or of a group, by CUDA's lane."""
    first, last = index, unit.file.partner(index + 1)
    while unit.text(first - 1) == "::":
        first = template_begin(unit.file, first - 2)
    start, end = unit.tokens[first].start, unit.tokens[last].end
    group = unit.file.source(first, index - 1) if index > first else ""
    if group.rpartition("::")[2] in ("", "kittens", "warp"):
        return Edit(start, end, lane)
    return Edit(start, end, f"({group}::warpid() * 32 + {lane})")


def _region(unit: Unit, code: LaneCode, region: Region) -> Finding:
    tokens, text = unit.tokens, unit.file.text
    lane = "cuda_lane" if "cuda_lane" not in unit.file.texts() else "porter_cuda_lane"
    start, end = tokens[region.first].start, tokens[region.last - 1].end
    before = tokens[region.first - 1].directive
    if before >= 0 and unit.file.directives[before].name == "pragma":
        start = unit.file.directives[before].start
    line = text.rfind("\n", 0, start) + 1
    indent = text[line:start] if text[line:start].isspace() or line == start else " "
    loop = f'_Pragma("unroll") for (kittens::cuda_lane {lane}; {lane}.half < 2; ++{lane}.half) {{'
    newline = newline_of(text) if indent != " " else ""
    edits = [Edit(start, start, f"{loop}{newline}{indent}")]
    for guard in region.guards:
        opening, closing = ("{ ", " }") if guard.alone else ("", "")
        place, behind = tokens[guard.first].start, tokens[guard.last - 1].end
        edits.append(Edit(place, place, f"{opening}if ({lane}.has({guard.key})) "))
        edits += [Edit(behind, behind, closing)] if closing else []
    for element in code.elements:
        if region.first <= element.dot < region.last:
            edits.append(Edit(tokens[element.dot].start, tokens[element.close].end, f".of({lane})"))
    for index in range(region.first, region.last):
        if unit.text(index) == "laneid" and unit.text(index + 1) == "(":
            edits.append(_number(unit, index, f"{lane}.laneid()"))
        elif unit.text(index) in COUNTS:
            edits.append(Edit(tokens[index].start, tokens[index].start, "cuda_"))
    edits.append(Edit(end, end, f"{newline}{indent}}}"))
    message = "elements of a tile as CUDA's lanes hold them: each is worked out by the lane that has it here"
    return Finding(RULE, tokens[region.first].start, tokens[region.first].end, Safety.EXACT, message, tuple(edits))
