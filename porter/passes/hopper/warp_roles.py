"""Units whose warps have different roles: each CUDA warp gets a wave of its own (porter/mirror.h).

A wave of 64 lanes with two warps would run their roles one after the other: a warp that waits for its neighbour would
wait forever. And what a warp does as one (matrix products, copies) has all lanes this way.
What the header cannot do is done here: the macro that turns it on, the blocks of launches, blockDim.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from porter.analysis.macro_uses import host_uses_alone
from porter.analysis.plain_kernels import ATOMIC, runtime_call_around
from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind, launch_arguments, newline_of
from porter.frontend.unit import Unit
from porter.passes.insertions import before_includes, first_in_body, first_kernel
from porter.rules import RuleSet

__all__ = ["run"]

HEADER = "porter/mirror.h"
RULE = "warp-roles"

_LAUNCH_CALLS = {"cudaLaunchKernel": 2, "cudaLaunchCooperativeKernel": 2}  # number of the block among the arguments

# What the header gives CUDA's meaning by macros (atomics and shuffles begin alike): a header of the project that has only
# these has to see them, too, whatever its includer includes later.
_MACROS = re.compile(r"threadIdx|__launch_bounds__|(?:unsafeA|a)tomic[A-Z]\w*|__shfl\w*|__syncthreads_count")

# Device code of curand_kernel.h is the kernel's own.
_LIBRARY = re.compile(r"cub/|thrust/|cublas|cufft|curand\.h|cusolver|cusparse")

_PLAIN = {"threadIdx": "porter::plain_thread_index()", "__launch_bounds__": "PORTER_PLAIN_BOUNDS"}

_OCCUPANCY = frozenset(
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"}
)
_BLOCK_SIZES = frozenset({"cudaOccupancyMaxPotentialBlockSize", "cudaOccupancyMaxPotentialBlockSizeWithFlags"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings = _handed_on(unit)
    if not unit.facts.mirrored:
        launches = (k for k, token in enumerate(unit.tokens) if token.text == "<<<")
        return [*findings, *(finding for index in launches for finding in _launch(unit, index))]
    if unit.is_main:
        findings.append(_switch(unit, rules))
    else:
        findings += _names(unit)
    if unit.facts.named_barriers or unit.facts.warpgroups:
        kernels = (f for f in unit.scopes.functions if f.kernel and f.body[0] >= 0 and f.name not in unit.facts.plain)
        findings += [_begin(unit, f.body[0]) for f in kernels]
        findings += _not_begun(unit)
    plain = [
        (f.first, f.body[1])
        for f in unit.scopes.functions
        if f.kernel and f.name in unit.facts.plain and f.body[0] >= 0
    ]
    for index, token in enumerate(unit.tokens):
        if token.text == "<<<":
            findings += _launch(unit, index)
        elif any(first <= index < last for first, last in plain):
            findings += _unmirrored(unit, index)
        elif token.kind != Kind.IDENT:
            continue
        elif token.text in _LAUNCH_CALLS and unit.is_call(index):
            arguments = unit.file.arguments(index + 1)
            if len(arguments) > _LAUNCH_CALLS[token.text]:
                findings += _wrapped(unit, *arguments[_LAUNCH_CALLS[token.text]])
        elif token.text in _OCCUPANCY and unit.is_call(index):
            findings += _occupancy(unit, index)
        elif token.text in _BLOCK_SIZES and unit.is_call(index):
            edit = Edit(token.start, token.end, "porter::max_potential_block_size")
            message = "the largest block in CUDA's threads, each of which two lanes play"
            findings.append(Finding(RULE, token.start, token.end, Safety.EXACT, message, (edit,), (HEADER,)))
        elif token.text == "cudaLaunchConfig_t":
            findings += _configuration(unit, index)
        elif token.text == "blockDim":
            findings += _block(unit, index)
        elif token.text == "printf" and unit.is_call(index):
            findings += _print(unit, index)
    return findings


def _unmirrored(unit: Unit, index: int) -> list[Finding]:
    """What is a macro of mirrored units, in a kernel that has no mirrors."""
    token = unit.tokens[index]
    name = _PLAIN.get(token.text, f"porter_plain_{token.text}" if ATOMIC.fullmatch(token.text) else "")
    if not name or unit.is_member(index):
        return []
    message = "no thread of this kernel asks for its warp, and its blocks are too large for mirrors or part a warp: it has none"
    return [
        Finding(RULE, token.start, token.end, Safety.EXACT, message, (Edit(token.start, token.end, name),), (HEADER,))
    ]


def _switch(unit: Unit, rules: RuleSet) -> Finding:
    """Before anything is included: the headers ask for it. ROCm's libraries come before them: their kernels have no
    mirrors, and would take the macros of mirror.h for threadIdx and the rest for HIP's."""
    place = before_includes(unit.file)
    newline = newline_of(unit.file.text)
    text = f"#define PORTER_MIRRORED {int(unit.facts.mirrored)}{newline}"
    if unit.facts.meeting:
        text += f"#define PORTER_WARPGROUPS_MEET 1{newline}"
    text += "".join(f"#include <{name}>{newline}" for name in _libraries(unit, rules))
    message = "warps have roles here: each gets a wave of its own, its 32 lanes are played by two lanes each"
    kernels = (f for f in unit.scopes.functions if f.name not in unit.facts.plain)
    site = first_kernel(unit.file, kernels)
    site = place if site is None else site
    return Finding(RULE, site, site, Safety.SLOWER, message, (Edit(place, place, text),), (HEADER,))


def _libraries(unit: Unit, rules: RuleSet) -> list[str]:
    """The headers of CUDA's libraries that the unit includes, as ROCm calls them."""
    names = (name for name in unit.includes if _LIBRARY.match(name))
    ported = (rules.headers[name].hip if name in rules.headers else name for name in names)
    return sorted({name for name in ported if name})


def _names(unit: Unit) -> list[Finding]:
    token = next((t for t in unit.tokens if t.kind == Kind.IDENT and _MACROS.fullmatch(t.text)), None)
    if token is None:
        return []
    message = "threads, bounds and atomics are CUDA's where two lanes play a thread"
    # Behind the name, which other passes may port.
    return [Finding(RULE, token.end, token.end, Safety.EXACT, message, (), (HEADER,))]


def _not_begun(unit: Unit) -> Iterator[Finding]:
    """Kernels whose body is not found: a macro makes them."""
    known = [(f.first, f.params[0]) for f in unit.scopes.functions if f.kernel]
    for index in unit.file.places("__global__"):
        if any(first <= index < last for first, last in known) or not _has_body(unit, index):
            continue
        token = unit.tokens[index]
        calls = [
            call
            for needed, call in (
                (unit.facts.named_barriers, "porter::begin_block()"),
                (unit.facts.warpgroups, "porter::begin_warpgroups()"),
            )
            if needed
        ]
        message = (
            f"a kernel that a macro makes: begin its body with {' and '.join(calls)}, which clear what warps wait with"
        )
        yield Finding(RULE, token.end, token.end, Safety.LEFT, message)


def _has_body(unit: Unit, index: int) -> bool:
    """Does a brace come before the declaration's end, or, in a macro, before the macro's?"""
    directive = unit.tokens[index].directive
    for at in range(index, len(unit.tokens)):
        text = unit.text(at)
        if unit.tokens[at].directive != directive and directive >= 0:
            return False
        if text in (";", "{", "}"):
            return text == "{"
    return False


def _begin(unit: Unit, opening: int) -> Finding:
    brace = unit.tokens[opening]
    calls, kinds, headers = [], [], [HEADER]
    if unit.facts.named_barriers:
        calls.append("porter::begin_block();")
        kinds.append("the block's named barriers")
        headers.append("porter/named_barrier.h")
    if unit.facts.warpgroups:
        calls.append("porter::begin_warpgroups();")
        kinds.append("the counts of its warpgroups' products")
        headers.append("porter/wgmma.h")
    message = f"{' and '.join(kinds)} are cleared before anybody uses them"
    edit = first_in_body(unit.file, opening, *calls)
    return Finding(RULE, brace.start, brace.end, Safety.SLOWER, message, (edit,), tuple(headers))


def _launch(unit: Unit, index: int) -> list[Finding]:
    if unit.launched(index) in unit.facts.plain:
        return []
    kernel = unit.facts.elsewhere.get(unit.text(index - 1))  # a template is defined where it is launched
    parts = launch_arguments(unit.file, index)
    level = unit.facts.mirrored if kernel is None else kernel.mirrored
    return _wrapped(unit, *parts[1], level) if level and len(parts) > 1 else []


def _handed_on(unit: Unit) -> list[Finding]:
    """Kernels of other units, with other warps than this one's, given to something that may launch them."""
    names = {name: kernel for name, kernel in unit.facts.elsewhere.items() if kernel.mirrored != unit.facts.mirrored}
    declared = {f.name_index for f in unit.scopes.functions}
    findings = []
    for index, token in enumerate(unit.tokens if names else ()):
        if (
            token.text not in names
            or index in declared
            or unit.text(index + 1) == "<<<"
            or runtime_call_around(unit, index)
        ):
            continue
        ours, theirs = (
            "mirrored" if level else "CUDA's" for level in (unit.facts.mirrored, names[token.text].mirrored)
        )
        if ours == theirs:
            ours, theirs = (
                f"mirrored in {level} dimensions" for level in (unit.facts.mirrored, names[token.text].mirrored)
            )
        message = (
            f"{token.text} is defined in {names[token.text].path.name}, where blocks are {theirs}, and here they are {ours}: "
            "whoever is given it would launch blocks of a wrong size; launch it as it is, or where it is defined"
        )
        findings.append(Finding(RULE, token.start, token.end, Safety.LEFT, message))
    return findings


def _wrapped(unit: Unit, first: int, last: int, level: int = 0) -> list[Finding]:
    start, end = unit.tokens[first].start, unit.tokens[last - 1].end
    message = "the block has two lanes for each of CUDA's threads"
    arguments, header = ("", HEADER) if level in (0, unit.facts.mirrored) else (f"<{level}>", "porter/mirror_lanes.h")
    edits = (Edit(start, start, f"porter::mirrored{arguments}("), Edit(end, end, ")"))
    findings = [Finding(RULE, start, end, Safety.SLOWER, message, edits, (header,))]
    threads = _literal_block(unit, first, last)
    if threads > 1 and threads % 32:
        message = (
            f"blocks of {threads} threads have a part of a warp, and their launch fails: launch {-(-threads // 32) * 32} "
            "and let those past the end return"
        )
        findings.append(Finding(RULE, start, end, Safety.LEFT, message))
    return findings


def _literal_block(unit: Unit, first: int, last: int) -> int:
    """The threads of a block that is written as numbers, 0 of any other."""
    text = unit.file.source(first, last)
    dims = re.fullmatch(r"(?:dim3\s*[({])?\s*(\d+)u?\s*(?:,\s*(\d+)u?)?\s*(?:,\s*(\d+)u?)?\s*[)}]?", text)
    return math.prod(int(number or 1) for number in dims.groups()) if dims else 0


def _configuration(unit: Unit, index: int) -> list[Finding]:
    """`cudaLaunchConfig_t config = {grid, block, ...}`, without the members' names."""
    opening = next((k for k in range(index + 1, index + 4) if unit.text(k) in ("{", ";", "(", ",", ")")), index)
    if unit.text(opening) != "{":
        return []
    parts = unit.file.arguments(opening)
    return _wrapped(unit, *parts[1]) if len(parts) > 1 and unit.text(parts[1][0]) != "." else []


def _occupancy(unit: Unit, index: int) -> list[Finding]:
    arguments = unit.file.arguments(index + 1)
    if len(arguments) < 3:
        return []
    first, last = arguments[2]
    start, end = unit.tokens[first].start, unit.tokens[last - 1].end
    lanes = "2" if unit.is_main else "porter::lanes_per_thread"  # headers may have other units, too
    edits = (Edit(start, start, f"{lanes} * ("), Edit(end, end, ")"))
    return [Finding(RULE, start, end, Safety.EXACT, "two lanes play each of the block's threads", edits, (HEADER,))]


def _block(unit: Unit, index: int) -> list[Finding]:
    """The built-in variable; or a member of a launch's configuration, where it is set."""
    token = unit.tokens[index]
    if unit.text(index - 1) not in (".", "->"):
        scope = unit.scope(index)
        if not (scope.device or scope.unknown):
            return []  # a variable of the host's that has the name
        edit = Edit(token.start, token.end, "porter::block_dim()")
        return [Finding(RULE, token.start, token.end, Safety.EXACT, "CUDA's block, not the wave's", (edit,), (HEADER,))]
    if unit.text(index + 1) != "=":
        return []
    last = index + 2
    while last < len(unit.tokens) and unit.text(last) not in (";", ",", "}"):
        last = unit.file.partner(last) + 1 if unit.text(last) in ("(", "{", "[") else last + 1
    return _wrapped(unit, index + 2, last)


def _print(unit: Unit, index: int) -> list[Finding]:
    """In device code, and in macros, which may be used there: once a thread."""
    scope = unit.scope(index)
    if not (scope.device or scope.unknown):
        return []
    if unit.tokens[index].directive >= 0 and host_uses_alone(unit, index):
        return []
    first = index
    while unit.text(first - 1) == "::" or (unit.text(first - 1) == "std" and unit.text(first) == "::"):
        first -= 1
    start, end = unit.tokens[first].start, unit.tokens[unit.file.partner(index + 1)].end
    edits = (Edit(start, start, "PORTER_ONCE("), Edit(end, end, ")"))
    message = "both lanes that play a thread would print"
    return [Finding(RULE, start, end, Safety.EXACT, message, edits, (HEADER,))]
