"""Dynamic shared memory that nothing makes fit into LDS: it goes to device memory (porter/device_shared.h).

Whatever asks for a moved kernel's dynamic shared memory (launches, attributes, questions about occupancy) asks for what
the header says instead; the kernel begins with a slot of its own, and its arrays lie there. Where a part of this is
outside the unit's own files or is written in an unread way, the launch is left with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from porter.analysis.launch_requests import direct_requests
from porter.budget.limits import limits
from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import newline_of
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.hopper import shared_memory_budget
from porter.passes.hopper.oversized_plan import Plan, plan_of
from porter.passes.hopper.shared_arrays import SharedArray, UnreadUse, shared_arrays, users
from porter.passes.insertions import before_includes, first_in_body, first_kernel
from porter.rules import RuleSet

__all__ = ["moved_arrays", "run"]

RULE = "oversized-shared-memory"
HEADER = "porter/device_shared.h"
_OCCUPANCY = frozenset(
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"}
)
_COST = (
    "It lies in device memory, a piece for each resident block. The kernel is right, and slower: each access is one of "
    "global memory, with the latency of L1 or L2 and a fraction of the bandwidth of LDS. Choose smaller tiles or fewer "
    "stages for speed"
)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    plan = plan_of(unit)
    findings = list(_kept(unit, plan)) if plan.kept else []
    if not plan.moved:
        return findings
    findings += [_switch(unit)] if unit.is_main else []
    findings += _limits(unit) if plan.limits_stay else ()
    findings += _sizes(unit, plan)
    begins = [f for f in unit.scopes.functions if f.body[0] >= 0 and (f.kernel or f.name in plan.called)]
    findings += (finding for f in begins if (finding := _begin(unit, f, plan)) is not None)
    findings += (_array(unit, array, plan) for array in _moved(unit, plan))
    return findings


def moved_arrays(unit: Unit) -> frozenset[int]:
    """The `__shared__` tokens of arrays that lie in device memory."""
    plan = plan_of(unit)
    return frozenset(array.index for array in _moved(unit, plan)) if plan.moved else frozenset()


def _kept(unit: Unit, plan: Plan) -> Iterator[Finding]:
    """The requests that stay as they are, each with the reason."""
    for stuck in shared_memory_budget.left(unit):
        why = next((plan.kept[kernel] for kernel in sorted(stuck.request.kernels or {""}) if kernel in plan.kept), "")
        if why:
            yield replace(stuck.finding, message=f"{stuck.finding.message}. It stays in LDS: {why}")


def _moved(unit: Unit, plan: Plan) -> Iterator[SharedArray]:
    """The arrays of this file that moved kernels declare, or functions that they lead to."""
    for array in shared_arrays(unit):
        function = array.function
        if function is not None and function.name in (plan.moved if function.kernel else plan.called):
            yield array


def _array(unit: Unit, array: SharedArray, plan: Plan) -> Finding:
    """`extern __shared__ T name[];` as a reference to what lies in the block's slot."""
    start, stop = unit.tokens[array.first].start, unit.tokens[array.last - 1].end
    of = hole(unit.tokens[array.kind].start, unit.tokens[array.name - 1].end)
    sizes = hole(unit.tokens[array.sizes].start, stop) if array.sizes < array.last else ""
    name = unit.text(array.name)
    text = f"auto& {name} = {_place(array.function, plan)}<{of}{sizes}>()"
    message = f"{name} lies in device memory: its launch asks for more than LDS has"
    return Finding(RULE, start, stop, Safety.SLOWER, message, (Edit(start, stop, text),), (HEADER,))


def _place(function: Function | None, plan: Plan) -> str:
    either = function is not None and not function.kernel and plan.called[function.name]
    return "porter::dynamic_shared_of_block" if either else "porter::dynamic_shared"


def _switch(unit: Unit) -> Finding:
    place = before_includes(unit.file)
    text = f"#define PORTER_DEVICE_SHARED 1{newline_of(unit.file.text)}"
    site = first_kernel(unit.file, unit.scopes.functions)
    site = place if site is None else site
    message = "the unit's shared addresses may lead to device memory"
    return Finding(RULE, site, site, Safety.SLOWER, message, (Edit(place, place, text),), (HEADER,))


def _limits(unit: Unit) -> Iterator[Finding]:
    """Limits of what a block has that stay Hopper's, as all that asks for them does."""
    for limit in limits(unit.file):
        message = f"{limit.name} stays {limit.value:,}: dynamic shared memory of this unit lies in device memory"
        yield Finding(RULE, limit.start, limit.end, Safety.EXACT, message)


def _begin(unit: Unit, function: Function, plan: Plan) -> Finding | None:
    """What a kernel, or a function that names arrays of no function, begins with."""
    moved = function.name in plan.moved
    statements = []
    if function.kernel:
        statements.append(f"const porter::{'block_in_device_memory' if moved else 'block_in_lds'} porter_block;")
    if moved or not function.kernel:
        for name in sorted(_named_outside(unit, function, plan)):
            statements.append(f"using porter_{name} = decltype({name});")
            statements.append(f"auto& {name} = {_place(function, plan)}<porter_{name}>();")
    if not statements:
        return None
    brace = unit.tokens[function.body[0]]
    edit = first_in_body(unit.file, function.body[0], *statements)
    message = "the block takes a piece of device memory for its dynamic shared memory"
    if not function.kernel:
        message = "the array lies in device memory: launches of kernels that lead here ask for more than LDS has"
    elif not moved:
        message = "this kernel's shared memory stays in LDS"
    safety = Safety.EXACT if function.kernel and not moved else Safety.SLOWER
    return Finding(RULE, brace.end, brace.end, safety, message, (edit,), (HEADER,))


def _named_outside(unit: Unit, function: Function, plan: Plan) -> Iterator[str]:
    """The arrays of no function that a function names."""
    for name in plan.outside:
        if any(not isinstance(use, UnreadUse) and use.first == function.first for use in users(unit, name)):
            yield name


def _sizes(unit: Unit, plan: Plan) -> Iterator[Finding]:
    """What asks for dynamic shared memory of moved kernels."""
    stuck = [one for one in shared_memory_budget.left(unit) if one.request.kernels & plan.moved]
    left = {unit.tokens[one.request.first].start: one.finding for one in stuck}
    for request in direct_requests(unit, _OCCUPANCY):
        if not request.kernels & plan.moved:
            continue
        start, end = unit.tokens[request.first].start, unit.tokens[request.last - 1].end
        edits = (Edit(start, start, "porter::device_shared("), Edit(end, end, ")"))
        unread = left.pop(start, None)
        message = (
            f"{unread.message}. {_COST}"
            if unread
            else "asks for the LDS of a kernel whose dynamic shared memory is in device memory"
        )
        yield Finding(RULE, start, end, Safety.SLOWER, message, edits, (HEADER,))
        token = unit.tokens[request.setting]
        if request.setting >= 0 and token.text.startswith("cuda"):
            renamed = Edit(token.start, token.end, "hip" + token.text.removeprefix("cuda"))
            yield Finding(RULE, token.start, token.end, Safety.EXACT, "allows what the launch asks for", (renamed,))
    for finding in left.values():  # a function launches what it is given here
        yield replace(finding, rule=RULE, safety=Safety.SLOWER, message=f"{finding.message}. {_COST}")
