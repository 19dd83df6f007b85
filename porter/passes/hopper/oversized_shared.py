"""Dynamic shared memory that nothing makes fit into LDS: it goes to device memory (porter/device_shared.h).

A kernel is moved with all of its launches, and with all kernels that may share one of them. Whatever asks for its dynamic
shared memory (launches, attributes, questions about occupancy) asks for what the header says instead; the kernel begins
with a slot of its own, and its arrays lie there. The launch is left, with the reason, where a part of this is outside
the unit's own files or is written in an unread way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from porter.analysis.launch_requests import Request, direct_requests, may_launch
from porter.budget.whole_unit import as_file
from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import Kind, newline_of
from porter.frontend.scopes import Function, macros_for_kernels, scopes_with
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit
from porter.passes.hopper import shared_memory_budget
from porter.passes.insertions import before_includes, first_in_body, first_kernel
from porter.rules import RuleSet

__all__ = ["moved_arrays", "run"]

RULE = "oversized-shared-memory"
HEADER = "porter/device_shared.h"
_ALIGNMENT = frozenset({"__align__", "alignas", "__attribute__"})
_OCCUPANCY = frozenset(
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"}
)
_COST = (
    "It lies in device memory, a piece for each resident block: the kernel is right, and slower, since each access is one "
    "of global memory (latency of L1 or L2, and a fraction of the bandwidth of LDS)"
)


@dataclass(frozen=True, slots=True)
class _Plan:
    kernels: frozenset[str] = frozenset()  # whose dynamic shared memory is moved
    why: str = ""  # why it is not, where it would have to be


@dataclass(slots=True)
class _Last:
    """The last unit's plan: the passes of each of its files ask for it."""

    key: tuple[object, ...] = ()
    plan: _Plan = field(default_factory=_Plan)


_last = _Last()


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    plan = _plan(unit)
    if plan.why:
        return [replace(f, message=f"{f.message}. It stays in LDS: {plan.why}") for _, f in _stuck(unit)]
    if not plan.kernels:
        return []
    findings = [_switch(unit)] if unit.is_main else []
    findings += _sizes(unit, plan)
    findings += (_begin(unit, f, plan) for f in unit.scopes.functions if f.kernel and f.body[0] >= 0)
    findings += (f for index in _arrays(unit, plan) if (f := _array(unit, index)) is not None)
    return findings


def moved_arrays(unit: Unit) -> frozenset[int]:
    """The `__shared__` tokens of arrays that lie in device memory."""
    plan = _plan(unit)
    return frozenset(_arrays(unit, plan) if plan.kernels else ())


def _stuck(unit: Unit) -> list[tuple[Request, Finding]]:
    return shared_memory_budget.left(unit)


def _plan(unit: Unit) -> _Plan:
    """The same in all files of a unit."""
    if unit.ast is None or unit.options.oversize != "device-memory":
        return _Plan()
    files = _files(unit)
    key = (unit.options, unit.facts, *((source.path, source.digest) for source in unit.members))
    if key != _last.key or not unit.members:
        _last.key, _last.plan = key, _planned(unit, files)
    return _last.plan


def _files(unit: Unit) -> list[Unit]:
    """The file, and the others of its unit."""
    macros = macros_for_kernels(source.tokens for source in unit.members if b"__global__" in source.data)
    files = [unit]
    for source in unit.members:
        if source.path != unit.path and _matters(source, macros):
            other = replace(as_file(unit, source), is_main=source.path == unit.members[0].path)
            files.append(replace(other, scopes=scopes_with(source.tokens, macros)))
    return files


def _matters(source: SourceFile, macros: Iterable[str]) -> bool:
    return may_launch(source) or any(word.encode() in source.data for word in ("__global__", "__shared__", *macros))


def _made_by_macros(files: list[Unit]) -> bool:
    """Whether a macro makes a kernel that is not seen as a function; `#define KERNEL __global__ static` only marks one."""
    macros = frozenset(macros_for_kernels(file.file for file in files))
    uses = ((file, index) for file in files for word in ("__global__", *macros) for index in file.file.places(word))
    return any(not _only_marks(file, index, macros) for file, index in uses)


def _only_marks(unit: Unit, index: int, macros: frozenset[str]) -> bool:
    """Whether a `__global__`, or a macro for it, marks a function that is read, defines such a macro, or is asked for."""
    token = unit.tokens[index]
    if token.directive < 0:
        kernels = (f for f in unit.scopes.functions if f.kernel)
        return token.text == "__global__" or any(f.first <= index < f.params[0] for f in kernels)
    directive = unit.file.directives[token.directive]
    if directive.name != "define":
        return directive.name != "undef" or token.text != "__global__"
    name, after = unit.tokens[directive.first], unit.tokens[directive.first + 1]
    return name.text in macros and not (after.text == "(" and after.start == name.end)


def _planned(unit: Unit, files: list[Unit]) -> _Plan:
    stuck = [request for file in files for request, _ in _stuck(file)]
    kernels = frozenset[str]().union(*(request.kernels for request in stuck))
    if not stuck:
        return _Plan()
    direct = [request for file in files for request in direct_requests(file)]
    defined: dict[str, Unit] = {}
    for file in files:
        defined.update((f.name, file) for f in file.scopes.functions if f.kernel and f.body[0] >= 0)
    inner = any(_inner(file, index) for file in files for index in _declarations(file))
    if inner:  # functions that kernels call have the arrays
        kernels |= frozenset(defined)
    while fresh := frozenset[str]().union(*(r.kernels for r in direct if r.kernels & kernels)) - kernels:
        kernels |= fresh
    if missing := sorted(kernels - defined.keys()):
        return _Plan(why=f"{missing[0]} is not defined in this unit")
    if not kernels:
        return _Plan(why="no kernel of this unit is seen to be launched with it")
    if _made_by_macros(files):
        return _Plan(why="a macro of this unit makes kernels, which would not begin as the others do")
    if unit.facts.cluster_shadows:
        return _Plan(why="blocks of a cluster reach each other's shared memory by pointers")
    main = unit.members[0].path if unit.members else unit.path
    for file in files:
        mine = any(file is defined[name] for name in defined) or any(r.kernels & kernels for r in direct_requests(file))
        if mine and file.path != main and file.path not in unit.alone:
            return _Plan(why=f"{file.path.name}, which has kernels or launches, belongs to other units, too")
    arrays = [(file, index) for file in files for index in _arrays(file, _Plan(kernels))]
    if not arrays:
        return _Plan(why="its array is not found")
    for file, index in arrays:
        if file.scope(index).function is None or _array(file, index) is None:
            line = file.file.text.count("\n", 0, file.tokens[index].start) + 1
            return _Plan(why=f"the declaration in line {line} of {file.path.name} is none of one array in a function")
    return _Plan(kernels)


def _declarations(unit: Unit) -> Iterator[int]:
    """`__shared__` tokens with `extern`."""
    for index in unit.file.places("__shared__"):
        first, last = _declaration(unit, index)
        if unit.tokens[index].directive < 0 and any(unit.text(i) == "extern" for i in range(first, last)):
            yield index


def _declaration(unit: Unit, index: int) -> tuple[int, int]:
    """Its tokens, without the semicolon."""
    first = last = index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}") and unit.tokens[first - 1].directive < 0:
        first -= 1
    while last < len(unit.tokens) and unit.text(last) not in (";", "{", "}"):
        last += 1
    return first, last


def _inner(unit: Unit, index: int) -> bool:
    function = unit.scope(index).function
    return function is not None and not function.kernel


def _arrays(unit: Unit, plan: _Plan) -> list[int]:
    """Declarations in moved kernels, in functions that they may call, and outside of functions."""
    found = []
    for index in _declarations(unit):
        function = unit.scope(index).function
        if function is None or not function.kernel or function.name in plan.kernels:
            found.append(index)
    return found


def _array(unit: Unit, index: int) -> Finding | None:
    """`extern __shared__ T name[];` as a reference to what lies in the block's slot; None of what is not read."""
    first, last = _declaration(unit, index)
    if unit.text(last) != ";":
        return None
    words = [first]
    while words[-1] < last:  # specifiers, attributes
        at = words[-1]
        if unit.text(at) in ("extern", "__shared__", "static"):
            words.append(at + 1)
        elif unit.text(at) in _ALIGNMENT and unit.text(at + 1) == "(":
            words.append(unit.file.partner(at + 1) + 1)
        else:
            break
    kind = words[-1]
    end = last
    while unit.text(end - 1) == "]":
        end = unit.file.partner(end - 1)
    name = end - 1
    while unit.text(name) == ")" and name > kind:  # x __attribute__((aligned(16)))[]
        name = unit.file.partner(name) - 2
    dimensions = range(end, last)
    inside = [unit.text(i) for i in range(kind, name)]
    if name <= kind or name != end - 1 or unit.tokens[name].kind != Kind.IDENT:
        return None
    if any(text in (",", "=", "__shared__", "extern") for text in _outside(unit, kind, name)) or "(" in inside:
        return None
    start, stop = unit.tokens[first].start, unit.tokens[last - 1].end
    of = hole(unit.tokens[kind].start, unit.tokens[name - 1].end)
    sizes = hole(unit.tokens[end].start, stop) if dimensions else ""
    text = f"auto& {unit.text(name)} = porter::dynamic_shared<{of}{sizes}>()"
    message = f"{unit.text(name)} lies in device memory: its launch asks for more than LDS has"
    return Finding(RULE, start, stop, Safety.SLOWER, message, (Edit(start, stop, text),), (HEADER,))


def _outside(unit: Unit, first: int, last: int) -> Iterator[str]:
    """Tokens outside of what looks like template arguments."""
    depth = 0
    for index in range(first, last):
        text = unit.text(index)
        depth += (text in ("(", "[", "<")) - (text in (")", "]", ">")) - 2 * (text == ">>")
        if depth <= 0:
            yield text


def _switch(unit: Unit) -> Finding:
    place = before_includes(unit.file)
    text = f"#define PORTER_DEVICE_SHARED 1{newline_of(unit.file.text)}"
    site = first_kernel(unit.file, unit.scopes.functions)
    site = place if site is None else site
    message = "the unit's shared addresses may lead to device memory"
    return Finding(RULE, site, site, Safety.SLOWER, message, (Edit(place, place, text),), (HEADER,))


def _begin(unit: Unit, function: Function, plan: _Plan) -> Finding:
    moved = function.name in plan.kernels
    brace = unit.tokens[function.body[0]]
    name = "block_in_device_memory" if moved else "block_in_lds"
    edit = first_in_body(unit.file, function.body[0], f"const porter::{name} porter_block;")
    message = (
        "the block takes a piece of device memory for its dynamic shared memory"
        if moved
        else "this kernel's shared memory stays in LDS"
    )
    return Finding(RULE, brace.end, brace.end, Safety.SLOWER if moved else Safety.EXACT, message, (edit,), (HEADER,))


def _sizes(unit: Unit, plan: _Plan) -> Iterator[Finding]:
    """What asks for dynamic shared memory of moved kernels."""
    left = {unit.tokens[request.first].start: finding for request, finding in _stuck(unit)}
    for request in direct_requests(unit, _OCCUPANCY):
        if not request.kernels & plan.kernels:
            continue
        start, end = unit.tokens[request.first].start, unit.tokens[request.last - 1].end
        edits = (Edit(start, start, "porter::device_shared("), Edit(end, end, ")"))
        found = left.pop(start, None)
        message = (
            f"{found.message}. {_COST}"
            if found
            else "asks for the LDS of a kernel whose dynamic shared memory is in device memory"
        )
        yield Finding(RULE, start, end, Safety.SLOWER, message, edits, (HEADER,))
        token = unit.tokens[request.setting]
        if request.setting >= 0 and token.text.startswith("cuda"):
            renamed = Edit(token.start, token.end, "hip" + token.text.removeprefix("cuda"))
            yield Finding(RULE, token.start, token.end, Safety.EXACT, "allows what the launch asks for", (renamed,))
    for finding in left.values():  # a function launches what it is given here
        yield replace(finding, rule=RULE, safety=Safety.SLOWER, message=f"{finding.message}. {_COST}")
