"""Dynamic shared memory that nothing makes fit into LDS: it goes to device memory (porter/device_shared.h).

Whatever asks for a moved kernel's dynamic shared memory (launches, attributes, questions about occupancy) asks for what
the header says instead; the kernel begins with a slot of its own, and its arrays lie there. Of a kernel whose launches
decide, what the launch asks for says so, and the compiler makes the body for both. Where a part of this is
outside the unit's own files or is written in an unread way, the launch is left with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from porter.analysis.launch_requests import Request, direct_requests
from porter.budget.limits import limits
from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import Token, newline_of
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.hopper import shared_memory_budget
from porter.passes.hopper.captures import captures
from porter.passes.hopper.oversized_plan import Plan, plan_of
from porter.passes.hopper.run_time_sizes import run_time_sizes
from porter.passes.hopper.shared_arrays import SharedArray, UnreadUse, shared_arrays, users
from porter.passes.insertions import before_includes, first_in_body, first_kernel
from porter.rules import RuleSet

__all__ = ["moved_arrays", "run"]

RULE = "oversized-shared-memory"
HEADER = "porter/device_shared.h"
_OCCUPANCY = frozenset(
    {
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
        "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "cudaOccupancyMaxPotentialBlockSize",
        "cudaOccupancyMaxPotentialBlockSizeVariableSMem",
        "cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags",
        "cudaOccupancyMaxPotentialBlockSizeWithFlags",
    }
)
_COST = (
    "It lies in device memory, a piece for each resident block. The kernel is right, and slower: each access is one of "
    "global memory, with the latency of L1 or L2 and a fraction of the bandwidth of LDS. Choose smaller tiles or fewer "
    "stages for speed"
)
_ALLOWED = "allows what the launch asks for"


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    plan = plan_of(unit)
    findings = list(_kept(unit, plan)) if plan.kept else []
    if not plan.moved:
        return findings
    findings += [_switch(unit, plan)] if unit.is_main else []
    findings += _limits(unit) if plan.limits_stay else ()
    findings += (*_sizes(unit, plan), *_chosen_sizes(unit, plan))
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
        if why := _why_kept(stuck.request, plan):
            yield replace(stuck.finding, message=f"{stuck.finding.message}. It stays in LDS: {why}")
    known = {finding.start for finding in shared_memory_budget.own_findings(unit)}
    for size in run_time_sizes(unit):
        token = unit.tokens[size.request.setting]
        why = _why_kept(size.request, plan)
        if why and token.text.startswith("cuda") and token.start not in known:
            message = (
                f"how much this allows is known when the program runs; more than {size.most:,} bytes are refused. It stays in "
                f"LDS: {why}"
            )
            yield Finding(RULE, token.start, token.end, Safety.REVIEW, message, (_renamed(token),))


def _why_kept(request: Request, plan: Plan) -> str:
    return next((plan.kept[kernel] for kernel in sorted(request.kernels or {""}) if kernel in plan.kept), "")


def _renamed(token: Token) -> Edit:
    return Edit(token.start, token.end, "hip" + token.text.removeprefix("cuda"))


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
    always = array.function is None or not plan.may_stay(array.function)
    message = f"{name} lies in device memory: its launch asks for more than LDS has"
    message = message if always else f"{name} lies in device memory where its launch asks for more than LDS has"
    captured = captures(unit, array.function.body, name) if array.function else ()
    return Finding(RULE, start, stop, Safety.SLOWER, message, (Edit(start, stop, text), *captured), (HEADER,))


def _place(function: Function | None, plan: Plan) -> str:
    if function is None or not plan.may_stay(function):
        return "porter::dynamic_shared"
    return f"porter::dynamic_shared_of_{'launch' if function.kernel else 'block'}"


def _switch(unit: Unit, plan: Plan) -> Finding:
    place = before_includes(unit.file)
    text = f"#define PORTER_DEVICE_SHARED {2 if plan.most else 1}{newline_of(unit.file.text)}"
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
    chosen = function.kernel and function.name in plan.most
    statements = []
    if chosen:
        statements.append("porter::block_in_either([&]() __attribute__((always_inline)) {")
    elif function.kernel:
        statements.append(f"const porter::{'block_in_device_memory' if moved else 'block_in_lds'} porter_block;")
    captured: list[Edit] = []
    if moved or not function.kernel:
        for name in sorted(_named_outside(unit, function, plan)):
            captured += captures(unit, function.body, name)
            statements.append(f"using porter_{name} = decltype({name});")
            statements.append(f"auto& {name} = {_place(function, plan)}<porter_{name}>();")
    if not statements:
        return None
    brace = unit.tokens[function.body[0]]
    edits = [first_in_body(unit.file, function.body[0], *statements), *captured]
    if chosen:
        closing = unit.tokens[function.body[1]].start
        edits.append(Edit(closing, closing, "}); "))
    message = "the block takes a piece of device memory for its dynamic shared memory"
    if not function.kernel:
        message = "the array lies in device memory: launches of kernels that lead here ask for more than LDS has"
    elif chosen:
        message = f"a launch that asks for more than {plan.most[function.name]:,} bytes of shared memory has it in device memory"
    elif not moved:
        message = "this kernel's shared memory stays in LDS"
    safety = Safety.EXACT if function.kernel and not moved else Safety.SLOWER
    return Finding(RULE, brace.end, brace.end, safety, message, tuple(edits), (HEADER,))


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
        if not request.kernels & (plan.moved - plan.most.keys()):
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
            yield Finding(RULE, token.start, token.end, Safety.EXACT, _ALLOWED, (_renamed(token),))
    for finding in left.values():  # a function launches what it is given here
        yield replace(finding, rule=RULE, safety=Safety.SLOWER, message=f"{finding.message}. {_COST}")


def _chosen_sizes(unit: Unit, plan: Plan) -> Iterator[Finding]:
    """What asks for dynamic shared memory of kernels whose launches decide where it lies."""
    for request in direct_requests(unit, _OCCUPANCY) if plan.most else ():
        most = min((plan.most[kernel] for kernel in request.kernels & plan.most.keys()), default=0)
        if not most:
            continue
        start, end = unit.tokens[request.first].start, unit.tokens[request.last - 1].end
        setting, token = request.setting >= 0, unit.tokens[request.setting]
        name = "most_shared" if setting else "device_shared_over"
        edits = (Edit(start, start, f"porter::{name}<{most}>("), Edit(end, end, ")"))
        if not setting:
            message = f"up to {most:,} bytes of shared memory are LDS. What is more: {_COST[0].lower()}{_COST[1:]}"
            yield Finding(RULE, start, end, Safety.SLOWER, message, edits, (HEADER,))
            continue
        yield Finding(
            RULE, start, end, Safety.EXACT, "allows what fits into LDS, or refuses what Hopper does", edits, (HEADER,)
        )
        if token.text.startswith("cuda"):
            yield Finding(RULE, token.start, token.end, Safety.EXACT, _ALLOWED, (_renamed(token),))
