"""Units that launch thread-block clusters: what porter/cluster.h and porter/cluster_launch.h cannot do by themselves.

It ports the macro that turns clusters on, the number of a cluster's blocks (from the kernel's attribute to its first
statement) and launches. Shared variables that other blocks reach by ordinary pointers lie in global memory in the port.
"""

from __future__ import annotations

from collections.abc import Sequence

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import Kind, launch_arguments, newline_of, split_commas, template_begin
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.hopper.cluster_variables import mapped, with_members
from porter.passes.insertions import before_includes, first_in_body, first_kernel
from porter.rules import RuleSet

__all__ = ["LAUNCH_NAMES", "run"]

DEVICE, HOST = "porter/cluster.h", "porter/cluster_launch.h"
RULE = "cluster"

LAUNCH_NAMES = {
    "cudaLaunchConfig_t": "porter::launch_config",
    "cudaLaunchConfig_st": "porter::launch_config",
    "cudaLaunchAttribute": "porter::launch_attribute",
    "cudaLaunchAttribute_st": "porter::launch_attribute",
    "cudaLaunchAttributeValue": "porter::launch_attribute_value",
    "cudaLaunchAttributeID": "porter::launch_attribute_id",
    "cudaLaunchAttributeIgnore": "porter::launch_attribute_ignore",
    "cudaLaunchAttributeAccessPolicyWindow": "porter::launch_attribute_access_policy_window",
    "cudaLaunchAttributeCooperative": "porter::launch_attribute_cooperative",
    "cudaLaunchAttributeSynchronizationPolicy": "porter::launch_attribute_synchronization_policy",
    "cudaLaunchAttributeClusterDimension": "porter::launch_attribute_cluster_dimension",
    "cudaLaunchAttributeClusterSchedulingPolicyPreference": "porter::launch_attribute_cluster_scheduling_policy_preference",
    "cudaLaunchAttributeProgrammaticStreamSerialization": "porter::launch_attribute_programmatic_stream_serialization",
    "cudaLaunchAttributePriority": "porter::launch_attribute_priority",
    "cudaLaunchAttributeMemSyncDomainMap": "porter::launch_attribute_mem_sync_domain_map",
    "cudaLaunchAttributeMemSyncDomain": "porter::launch_attribute_mem_sync_domain",
    "cudaLaunchAttributePreferredClusterDimension": "porter::launch_attribute_preferred_cluster_dimension",
    "cudaLaunchAttributePreferredSharedMemoryCarveout": "porter::launch_attribute_preferred_shared_memory_carveout",
    "cudaClusterSchedulingPolicy": "porter::cluster_scheduling_policy",
    "cudaClusterSchedulingPolicyDefault": "porter::cluster_scheduling_default",
    "cudaClusterSchedulingPolicySpread": "porter::cluster_scheduling_spread",
    "cudaClusterSchedulingPolicyLoadBalancing": "porter::cluster_scheduling_load_balancing",
}
_WISHES = {
    "cudaLaunchAttributePreferredClusterDimension": "no more than a wish: clusters have the size of the attribute that demands one",
    "cudaLaunchAttributePreferredSharedMemoryCarveout": "no more than a wish: LDS has one size",
}
_CALLS = {
    "cudaLaunchKernelEx": "porter::launch_kernel_ex",
    "cudaLaunchKernelExC": "porter::launch_kernel_exc",
    "cudaLaunchKernel": "porter::launch_clusters_with",
    "cudaLaunchCooperativeKernel": "porter::launch_clusters_cooperatively",
    "cudaOccupancyMaxActiveClusters": "porter::max_active_clusters",
    "cudaOccupancyMaxPotentialClusterSize": "porter::max_potential_cluster_size",
}
# Properties of a kernel that every kernel has here.
_ALLOWED = {
    "cudaFuncAttributeNonPortableClusterSizeAllowed": "clusters may have any number of blocks here",
    "cudaFuncAttributeClusterSchedulingPolicyPreference": "where the blocks of a cluster run is no choice here, and was a hint",
}


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings = _elsewhere(unit)
    if not unit.facts.clusters:  # those of one block
        attributes = (k for k, token in enumerate(unit.tokens) if token.text == "__cluster_dims__")
        return [*findings, *(_attribute(unit, k) for k in attributes), *_idle(unit)]
    if unit.is_main:
        findings.append(_switch(unit))
    dims = _dims(unit)
    for function in unit.scopes.functions:
        if function.kernel and function.body[0] >= 0:
            findings.append(_begin(unit, function, dims))
    variables: dict[int, list[Finding]] = {}
    for index, token in enumerate(unit.tokens):
        if token.text == "<<<":
            findings += _launch(unit, index)
        elif token.kind != Kind.IDENT:
            continue
        elif token.text == "__cluster_dims__":
            findings.append(_attribute(unit, index))
        elif name := _launch_name(unit, index):
            findings.append(_renamed(unit, index, name))
        elif token.text == "cudaFuncSetAttribute" and unit.is_call(index):
            findings += _function_attribute(unit, index)
        elif token.text == "map_shared_rank" and unit.is_call(index) and unit.is_member(index):
            findings += mapped(unit, index, 0, variables)
        elif token.text == "__cluster_map_shared_rank" and unit.is_call(index):
            findings += mapped(unit, index, 0, variables)
        elif token.text == "mapa" and unit.is_call(index) and unit.text(index - 1) == "::":  # cuda::ptx
            findings += mapped(unit, index, 1, variables)
    return [*findings, *with_members(unit, [finding for of_variable in variables.values() for finding in of_variable])]


def _idle(unit: Unit) -> list[Finding]:
    """Launches of a unit whose functions for clusters never run: porter's launches refuse clusters there."""
    if not unit.facts.idle_clusters:
        return []
    names = ((k, name) for k in range(len(unit.tokens)) if (name := _launch_name(unit, k)))
    settings = (k for k in unit.file.places("cudaFuncSetAttribute") if unit.is_call(k))
    return [*(_renamed(unit, *one) for one in names), *(f for k in settings for f in _function_attribute(unit, k))]


def _launch_name(unit: Unit, index: int) -> str:
    """What a name of a launch's configuration, or of a call that launches, becomes; "" of any other."""
    text = unit.text(index)
    if text in LAUNCH_NAMES:
        return "" if unit.is_user_symbol(index) else LAUNCH_NAMES[text]
    return _CALLS[text] if text in _CALLS and unit.is_call(index) and not unit.is_user_symbol(index) else ""


def _elsewhere(unit: Unit) -> list[Finding]:
    """Launches of kernels with clusters that another file defines: a unit tells its own kernels where their memory is."""
    names = {name: kernel.path for name, kernel in unit.facts.elsewhere.items() if kernel.clusters}
    declared = {f.name_index for f in unit.scopes.functions}
    findings = []
    for index, token in enumerate(unit.tokens if names else ()):
        if token.text in names and index not in declared:
            message = (
                f"{token.text} is defined in {names[token.text].name}, whose kernels run in clusters: only launches in that "
                "file bring them the clusters' memory, others make them fault; put the launch there and call it from here"
            )
            findings.append(Finding(RULE, token.start, token.end, Safety.LEFT, message))
    return findings


def _switch(unit: Unit) -> Finding:
    """Before anything is included: the headers ask for it."""
    place = before_includes(unit.file)
    newline = newline_of(unit.file.text)
    text = f"#define PORTER_CLUSTERS 1{newline}"
    if _leaves_x(unit):
        text += f"#define PORTER_CLUSTERS_IN_Y_OR_Z 1{newline}"
    if unit.facts.cluster_shadows:
        text += f"#define PORTER_CLUSTERS_SHADOW 1{newline}"
    message = "the blocks of a cluster meet in global memory and send each other messages"
    site = first_kernel(unit.file, unit.scopes.functions)
    site = place if site is None else site
    return Finding(RULE, site, site, Safety.SLOWER, message, (Edit(place, place, text),), (DEVICE,))


def _leaves_x(unit: Unit) -> bool:
    """May a cluster have more than one block in y or z? Then its blocks are not neighbours in the grid."""
    for index, token in enumerate(unit.tokens):
        if token.text == "__cluster_dims__" and unit.text(index + 1) == "(":
            if any(unit.file.source(*part) != "1" for part in unit.file.arguments(index + 1)[1:]):
                return True
        elif token.text == "clusterDim":
            member = unit.text(index + 2) if unit.text(index + 1) == "." else ""
            if member == "x":
                continue
            value = index + 4 if member else index + 2
            if member in ("y", "z") and unit.text(index + 3) == "=" and unit.text(value) == "1":
                continue
            if unit.text(index + 1) == "=" and unit.text(value) in ("{", "dim3") and _flat(unit, value):
                continue
            return True
    return False


def _flat(unit: Unit, at: int) -> bool:
    """{x, 1, 1} or dim3(x, 1, 1)"""
    opening = at if unit.text(at) == "{" else at + 1
    closing = unit.file.partner(opening)
    return closing > 0 and all(
        unit.file.source(*part) == "1" for part in split_commas(unit.file, opening + 1, closing)[1:]
    )


def _dims(unit: Unit) -> dict[str, str]:
    """What each kernel's attribute says, on its definition or a declaration."""
    dims: dict[str, str] = {}
    for index, token in enumerate(unit.tokens):
        if token.text == "__cluster_dims__" and token.directive < 0 and unit.file.partner(index + 1) > 0:
            function = _declared(unit, index)
            if function is not None:
                parts = [unit.file.source(*part) for part in unit.file.arguments(index + 1)]
                dims[function.name] = ", ".join([*parts, "1", "1", "1"][:3])
    return dims


def _declared(unit: Unit, index: int) -> Function | None:
    """The function whose declaration holds tokens[index]."""
    return next((f for f in unit.scopes.functions if f.first <= index < f.params[0] or index == f.params[1] + 1), None)


def _attribute(unit: Unit, index: int) -> Finding:
    token = unit.tokens[index]
    closing = unit.file.partner(index + 1)
    if token.directive >= 0 or closing < 0 or _declared(unit, index) is None:
        message = "a cluster's blocks in a macro: which kernels it belongs to is not known"
        return Finding(RULE, token.start, token.end, Safety.LEFT, message)
    following = unit.tokens[closing + 1].start
    end = unit.tokens[closing].end
    end = following if not unit.file.text[end:following].strip(" \t") else end
    safety, message = Safety.SLOWER, "the kernel's first statement says how many blocks a cluster has"
    if not unit.facts.clusters:
        message = "a cluster of one block is a block"
        if any(unit.file.source(*part) != "1" for part in unit.file.arguments(index + 1)):
            safety = Safety.REVIEW
            message = (
                "a cluster in code that does not run here: a build that runs it needs a port by its own macros (-D)"
            )
    return Finding(RULE, token.start, unit.tokens[closing].end, safety, message, (Edit(token.start, end, ""),))


def _begin(unit: Unit, function: Function, dims: dict[str, str]) -> Finding:
    arguments = f"({dims[function.name]})" if function.name in dims else ""
    edit = first_in_body(unit.file, function.body[0], f"const porter::cluster_member cluster_member{arguments};")
    message = "the block finds its cluster"
    name = unit.tokens[function.name_index]
    return Finding(RULE, name.start, name.end, Safety.SLOWER, message, (edit,), (DEVICE,))


def _renamed(unit: Unit, index: int, name: str) -> Finding:
    token = unit.tokens[index]
    first = index - 1 if unit.text(index - 1) == "::" and not _qualified(unit, index - 1) else index
    start = unit.tokens[first].start
    message = f"{token.text} becomes {name}: {_WISHES.get(token.text, 'launches with clusters')}"
    return Finding(RULE, start, token.end, Safety.SLOWER, message, (Edit(start, token.end, name),), (HOST,))


def _qualified(unit: Unit, colons: int) -> bool:
    return (
        colons > 0
        and unit.tokens[colons - 1].kind == Kind.IDENT
        and unit.tokens[colons - 1].end == unit.tokens[colons].start
    )


def _function_attribute(unit: Unit, index: int) -> list[Finding]:
    arguments = unit.file.arguments(index + 1)
    if len(arguments) != 3:
        return []
    named = next((k for k in range(*arguments[1]) if unit.text(k) in _ALLOWED), -1)
    if named < 0:
        return []
    start, end = unit.tokens[index].start, unit.tokens[unit.file.partner(index + 1)].end
    token = unit.tokens[named]
    message = _ALLOWED[token.text]
    return [
        Finding(RULE, start, end, Safety.EXACT, message, (Edit(start, end, "hipSuccess"),)),
        Finding(RULE, token.start, token.end, Safety.EXACT, message),
    ]


def _launch(unit: Unit, index: int) -> list[Finding]:
    """kernel<<<grid, block, shared, stream>>>(arguments) as a call: the launch brings memory."""
    tokens = unit.tokens
    if unit.in_device_code(index) and tokens[index].directive < 0:
        return []
    parts = launch_arguments(unit.file, index)
    closing = next((k for k in range(index + 1, len(tokens)) if tokens[k].text == ">>>"), -1)
    first = _expression(unit, index - 1)
    if closing < 0 or unit.text(closing + 1) != "(" or first < 0 or len(parts) not in (2, 3, 4):
        message = "a launch of a form that is not known: its kernel gets no memory for clusters"
        return [Finding(RULE, tokens[index].start, tokens[index].end, Safety.LEFT, message)]
    if index - 1 == first and _is_template(unit, unit.text(first)):
        return [_with_grid(unit, index, parts)]
    rest = ("", ", nullptr", ", 0, nullptr")[4 - len(parts)]
    empty = unit.text(closing + 2) == ")"
    start, opening, end = tokens[first].start, tokens[index], tokens[closing + 1].end
    edits = (
        Edit(start, start, "porter::launch_clusters("),
        Edit(opening.start, opening.end, ", "),
        Edit(tokens[closing].start, end, rest + ("" if empty else ", ")),
    )
    return [Finding(RULE, opening.start, end, Safety.SLOWER, "the launch brings its clusters' memory", edits, (HOST,))]


def _is_template(unit: Unit, kernel: str) -> bool:
    """Is a kernel of the unit a template? Its arguments say which it is where the launch does not."""
    own = [(unit.file, unit.scopes), *((source.tokens, source.scopes) for source in unit.members)]
    return any(
        function.kernel and function.name == kernel and file.tokens[function.first].text == "template"
        for file, scopes in own
        for function in scopes.functions
    )


def _with_grid(unit: Unit, index: int, parts: Sequence[tuple[int, int]]) -> Finding:
    """kernel<<<grid, block, shared, stream>>>(arguments) as a launch of the same form, whose grid brings the memory."""
    start, end = unit.tokens[parts[0][0]].start, unit.tokens[parts[0][1] - 1].end
    stream = f", {hole(*_bytes(unit, parts[3]))}" if len(parts) == 4 else ""
    edits = (Edit(start, start, "porter::cluster_grid("), Edit(end, end, f"{stream})"))
    message = "the launch brings its clusters' memory"
    return Finding(RULE, unit.tokens[index].start, end, Safety.SLOWER, message, edits, (HOST,))


def _bytes(unit: Unit, part: tuple[int, int]) -> tuple[int, int]:
    return unit.tokens[part[0]].start, unit.tokens[part[1] - 1].end


def _expression(unit: Unit, last: int) -> int:
    """First token of the kernel's name before `<<<`: a name with scopes and template arguments, or in brackets."""
    at = last
    if unit.text(at) == ")":
        return unit.file.partner(at)
    at = template_begin(unit.file, at)
    if at < 0 or unit.tokens[at].kind != Kind.IDENT:
        return -1
    while unit.text(at - 1) == "::":
        at -= 2 if at >= 2 and unit.tokens[at - 2].kind == Kind.IDENT else 1
        if unit.text(at) == "::":
            break
    return at
