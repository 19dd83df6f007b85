"""CUB's collectives of a warp or a block in a unit of mirrored warps: hipCUB's count the wave's lanes, not the warp's.

Reductions and scans become porter's own. The others stay left.
"""

from __future__ import annotations

import re

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.passes.qualified import scope_begin
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "mirrored-collective"
_COLLECTIVE = re.compile(
    r"(?:Block|Warp)(?:AdjacentDifference|Discontinuity|Exchange|Histogram|Load|MergeSort|RadixRank|RadixSort|Reduce"
    r"|RunLengthDecode|Scan|Shuffle|Store)|(?:Load|Store)Direct\w+"
)
_OWN = frozenset({"BlockReduce", "BlockScan", "WarpReduce", "WarpScan"})  # porter/collectives.h has these
_MEMBERS = {  # of CUB's, which porter's lack
    "WarpReduce": ("HeadSegmentedSum", "HeadSegmentedReduce", "TailSegmentedSum", "TailSegmentedReduce"),
    "WarpScan": ("Scan", "InclusiveScanPartial", "ExclusiveScanPartial", "InclusiveSumPartial", "ExclusiveSumPartial"),
}
HEADER = "porter/collectives.h"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if not unit.facts.mirrored:
        return []
    plain = [f for f in unit.scopes.functions if f.kernel and f.name in unit.facts.plain]
    findings: list[Finding] = []
    for index in unit.file.places(*(text for text in unit.file.texts() if _COLLECTIVE.fullmatch(text))):
        token = unit.tokens[index]
        if token.kind != Kind.IDENT or unit.is_member(index) or any(f.first <= index < f.body[1] for f in plain):
            continue
        first = scope_begin(unit, index, ["cub"])
        if first is None:
            continue
        findings.append(_ported(unit, first, index) or _left(unit, first, index))
    return findings


def _ported(unit: Unit, first: int, index: int) -> Finding | None:
    """porter's class of that name; None where it lacks what the file calls."""
    name = unit.text(index)
    if name not in _OWN or any(
        unit.is_member(k) and unit.is_call(k) for k in unit.file.places(*_MEMBERS.get(name, ()))
    ):
        return None
    start, end = unit.tokens[first].start, unit.tokens[index].end
    own = f"porter::collectives::{name}"
    message = f"cub::{name} becomes {own}: two lanes play each thread here, and hipCUB takes each lane for one"
    return Finding(RULE, start, end, Safety.EXACT, message, (Edit(start, end, own),), (HEADER,))


def _left(unit: Unit, first: int, index: int) -> Finding:
    token = unit.tokens[index]
    message = (
        f"hipcub::{token.text} takes each lane of the wave for a thread; here two lanes play each thread, in an order of "
        "their own: its results would be wrong. Write it with shuffles and shared memory, or move it to a file whose warps "
        "have no roles"
    )
    return Finding(RULE, unit.tokens[first].start, token.end, Safety.LEFT, message)
