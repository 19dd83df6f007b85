"""The includes that a port needs on top of those it had: HIP's runtime and porter's own headers."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Sequence

from porter.findings import Edit, Finding, Safety
from porter.frontend.branches import branches_of
from porter.frontend.compilations import HOST_COMPILER
from porter.frontend.conditions import CONDITIONS
from porter.frontend.lexer import Kind, newline_of
from porter.frontend.unit import Unit
from porter.passes.device.math_overload import wants_float_overloads
from porter.passes.host.include_project import RUNTIME_HEADER
from porter.passes.host.shielded_includes import replaced_calls, shielded
from porter.toolchain.messages import STRING_FUNCTIONS

__all__ = ["CALLS_OF_C", "add_includes", "lacks_headers", "needed_headers"]


# What nvcc's implicit headers declare and HIP's do not (measured with clang 22 and HIP 7.1).
_IMPLICIT = {
    "cstring": (
        frozenset({"cstring", "string.h", "memory.h"}),
        STRING_FUNCTIONS,
    ),
    "math.h": (
        frozenset({"math.h"}),
        frozenset(
            "isnan isinf isfinite isnormal signbit fpclassify isgreater isgreaterequal isless islessequal islessgreater "
            "isunordered".split()
        ),
    ),
}


CALLS_OF_C = re.compile(rb"\b(?:" + "|".join(n for _, names in _IMPLICIT.values() for n in names).encode() + rb")\s*\(")


# CUDA's header for bf16 includes the one for half, HIP's does not.
_BRINGS_HALF = frozenset({"cuda_bf16.h", "cuda_bf16.hpp"})
_HALF_HEADERS = frozenset({"cuda_fp16.h", "cuda_fp16.hpp", "cuda_fp8.h", "cuda_fp8.hpp", "mma.h"})
_HALF = ("half", "half2", "__half", "__half2")


def lacks_headers(includes: Collection[str]) -> bool:
    """Whether a unit with these includes may call what only nvcc's implicit headers declare."""
    return any(same.isdisjoint(includes) for same, _ in _IMPLICIT.values())


def _implicit_headers(unit: Unit) -> list[str]:
    wanted: list[str] = []
    for header, (same, functions) in _IMPLICIT.items():
        if unit.includes & same:
            continue
        for index, token in enumerate(unit.tokens):
            if (
                token.text in functions
                and unit.is_call(index)
                and unit.text(index - 1) not in (".", "->", "::")
                and token.text not in unit.project_names
            ):
                wanted.append(header)
                break
    own = {token.text[1:-1] for token in unit.tokens if token.kind == Kind.HEADER}
    includes = own.union(*(file.includes for file in unit.included))
    if _BRINGS_HALF & includes and not _HALF_HEADERS & includes:
        if any(_is_cudas(unit, index) for index in unit.file.places(*_HALF)):
            wanted.append("hip/hip_fp16.h")
    if "math.h" not in wanted and "math.h" not in unit.includes and wants_float_overloads(unit):
        wanted.append("math.h")
    return wanted


def _is_cudas(unit: Unit, index: int) -> bool:
    """Whether the name of a type of CUDA's stands for it there, not for something of the project's."""
    token = unit.tokens[index]
    return unit.ast is not None and unit.ast.owner(token.start, token.text) == "system"


_HOST_API = "hip/hip_runtime_api.h"
_DEVICE_WORDS = frozenset(
    "__global__ __device__ __shared__ __constant__ __managed__ __launch_bounds__ __syncthreads <<< "
    "threadIdx blockIdx blockDim gridDim warpSize".split()
)


def _is_host_only(unit: Unit) -> bool:
    """Nothing that only HIP's whole runtime header declares: the host's part of it is enough."""
    return unit.path.suffix not in (".cu", ".cuh") and not any(t.text in _DEVICE_WORDS for t in unit.tokens)


# Macros that HIP's headers need for themselves and leave behind (HIP 7.1).
_LEFT_BEHIND = frozenset(
    "ADDRESS_SPACE_CONSTANT GENERIC_GRID_LAUNCH GETREG_IMMED HW_ID MASK1 MASK2 MAYBE_UNDEF XCC_ID "
    "launch_bounds_impl0 launch_bounds_impl1 select_impl_".split()
)


def _own_names(unit: Unit) -> list[str]:
    """What this file calls by such a name: a variable of its own, or a macro that it defines."""
    named = {t.text for t in unit.tokens if t.text in _LEFT_BEHIND}
    defined = {unit.text(d.first) for d in unit.file.directives if d.name == "define"}
    return sorted(name for name in named if name in defined or name not in unit.project_names)


def add_includes(unit: Unit, findings: Iterable[Finding], prefix: str) -> list[Finding]:
    """One finding that inserts what is missing, or none. `prefix` leads from the file to porter's headers."""
    all_findings = list(findings)
    own = _own_names(unit)
    needed = needed_headers(unit, all_findings)
    added = [] if unit.embedded else _spelled(needed, prefix)
    place = _outside_braces(unit, _place(unit, after_runtime=f"<{RUNTIME_HEADER}>" not in needed))
    lines = [*_include_lines(unit, all_findings, added, place), *(f"#undef {name}" for name in own)]
    taken = _taken(unit, all_findings)
    if not lines:
        return taken
    newline = newline_of(unit.file.text)
    if _for_kernels_alone(unit, all_findings, place):
        opened = next((d for d in unit.file.directives if d.start == place), None)
        if opened is not None and branches_of(unit.file).at(opened.end).kernels_alone:
            place = _next_line(unit, opened.end)
        else:
            lines = ["#ifdef __HIPCC__", *lines, "#endif"]
    text = "".join(line + newline for line in lines)
    if place == len(unit.file.text) and unit.file.text and unit.file.text[-1] not in "\r\n":
        text = newline + text
    messages = [f"adds {', '.join(added)}"] if added else []
    messages += [f"{', '.join(own)} {'are macros' if own[1:] else 'is a macro'} of HIP's, too"] if own else []
    return [
        Finding("runtime-header", place, place, Safety.EXACT, "; ".join(messages), (Edit(place, place, text),)),
        *taken,
    ]


def _include_lines(unit: Unit, findings: Iterable[Finding], added: Sequence[str], place: int) -> list[str]:
    """The lines that include these. Porter's own headers use names that the project defines as macros. These macros are
    set aside. Headers that the source includes behind such a macro come here, too."""
    own = [header for header in added if not header.startswith("<")]
    later = [] if unit.embedded else [(e.start, e.text) for f in findings for e in f.edits if _OURS.fullmatch(e.text)]
    behind = sorted({text for at, text in later if text not in own and shielded(unit, _plain([text]), at)})
    macros = shielded(unit, _plain([*own, *behind]), place) if own or behind else []
    before = [line for name in macros for line in (f'#pragma push_macro("{name}")', f"#undef {name}")]
    after = [f'#pragma pop_macro("{name}")' for name in reversed(macros)]
    lines = [f"#include {header}" for header in added if header.startswith("<")]
    return [*lines, *before, *(f"#include {header}" for header in sorted([*own, *behind])), *after]


_OURS = re.compile(r'"(?:\.\./|[\w.-]+/)*porter/[\w/]+\.h"')


def _plain(spelled: Iterable[str]) -> tuple[str, ...]:
    """`"../porter/x.h"` as porter/x.h."""
    return tuple(sorted(text[text.index("porter/") : -1] for text in spelled if "porter/" in text))


def _taken(unit: Unit, findings: Iterable[Finding]) -> list[Finding]:
    return [
        Finding(
            "runtime-header",
            at,
            at,
            Safety.REVIEW,
            f"the macro {name} replaces porter::{name}, which this port calls: rename it",
        )
        for name, at in replaced_calls(unit, findings)
    ]


def needed_headers(unit: Unit, findings: Iterable[Finding]) -> tuple[str, ...]:
    """What the port needs that the file does not include yet, `<name>` or `porter/name`: for itself, and for the files
    that it includes within braces."""
    all_findings = list(findings)
    edited = any(f.edits and _uses_hip(unit, f) for f in all_findings)
    there = {t.text[1:-1] for t in unit.tokens if t.kind == Kind.HEADER}
    there |= {e.text[1:-1] for f in all_findings for e in f.edits if e.text[:1] in '<"' and e.text[-1:] in '>"'}
    needs_runtime = _needs_runtime(unit, edited or bool(_own_names(unit)), there)
    needed = [f"<{RUNTIME_HEADER}>"] if needs_runtime else []
    if needs_runtime or edited or unit.of_nvcc:
        needed += [f"<{header}>" for header in _implicit_headers(unit)]
    needed += _wanted(all_findings)
    present = {f"<{name}>" for name in there} | {name.removeprefix(unit.runtime_prefix) for name in there}
    missing = dict.fromkeys(header for header in (*needed, *unit.guests) if header not in present)
    return (*(h for h in missing if h.startswith("<")), *sorted(h for h in missing if not h.startswith("<")))


def _spelled(headers: Iterable[str], prefix: str) -> list[str]:
    return [header if header.startswith("<") else f'"{prefix}{header}"' for header in headers]


_WITHOUT_HIP = frozenset({"narrowing", "include-project", "missing-template-keyword"})  # these write plain C++


def _uses_hip(unit: Unit, finding: Finding) -> bool:
    """May its port need a header of HIP's? Not in a header if it is about a name in an #if, or no name of HIP's at all."""
    if unit.is_main:
        return True
    index = unit.file.token_at(finding.start)
    directive = unit.tokens[index].directive if index < len(unit.tokens) else -1
    tests = directive >= 0 and unit.file.directives[directive].name in CONDITIONS
    deletes = bool(finding.edits) and not any(edit.text.strip() for edit in finding.edits)
    return not tests and not deletes and finding.rule not in _WITHOUT_HIP


def _for_kernels_alone(unit: Unit, findings: Iterable[Finding], place: int) -> bool:
    """Is all that changes in a header hidden from host compilers, which may have no header of HIP's?"""
    if unit.is_main or _skipped_by_host_compilers(unit, place):
        return False
    uses = [f for f in findings if (f.edits or f.includes) and _uses_hip(unit, f)]
    return bool(uses) and all(_skipped_by_host_compilers(unit, f.start) for f in uses)


def _skipped_by_host_compilers(unit: Unit, offset: int) -> bool:
    return branches_of(unit.file).at(offset).port[HOST_COMPILER] is False


def _wanted(findings: Iterable[Finding]) -> list[str]:
    """The headers that ported sites need; a name that stays as it is (CUtensorMap) comes from one, too."""
    exact = (Safety.EXACT, Safety.SLOWER)
    return sorted({header for f in findings if f.edits or f.safety in exact for header in f.includes})


def _needs_runtime(unit: Unit, changed: bool, there: Container[str]) -> bool:
    """nvcc includes CUDA's runtime into every .cu file, whatever the file itself includes."""
    if unit.path.suffix == ".c" or not (changed or unit.path.suffix == ".cu"):
        return False
    return RUNTIME_HEADER not in there and not (_HOST_API in there and _is_host_only(unit))


def _place(unit: Unit, after_runtime: bool) -> int:
    """The start of the line before the first include that no #if guards; after HIP's own where it exists."""
    guard = _include_guard(unit)
    depth = 0
    first: int | None = None
    runtime: int | None = None
    for number, directive in enumerate(unit.file.directives):
        if directive.name in ("if", "ifdef", "ifndef"):
            depth += number != guard
        elif directive.name == "endif":
            depth -= 1
        elif directive.name in ("include", "import") and depth <= 0:
            if first is None:
                first = _line_start(unit, directive.start)
            token = unit.tokens[directive.first] if directive.first < directive.last else None
            name = token.text[1:-1] if token is not None else ""
            if runtime is None and (
                name == RUNTIME_HEADER or name in ("cuda_runtime.h", "cuda.h", "cuda_runtime_api.h")
            ):
                runtime = _next_line(unit, directive.end)
    if after_runtime and runtime is not None:
        return runtime
    if first is not None:
        first = _device_code(unit, first)
        # an #if before the first include may hold includes of its own: those come after ours, too
        return min(first, _first_conditional(unit, guard, first))
    return _after_preamble(unit, guard)


def _device_code(unit: Unit, before: int) -> int:
    """The line of the first declaration above a place that needs HIP's runtime header, or the place: nvcc includes its own
    before all lines."""
    for index, token in enumerate(unit.tokens):
        if token.start >= before:
            break
        if token.directive < 0 and token.text in _DEVICE_WORDS:
            first = index
            while first > 0 and unit.text(first - 1) not in (";", "}", "{") and unit.tokens[first - 1].directive < 0:
                first -= 1
            return _line_start(unit, unit.tokens[first].start)
    return before


def _outside_braces(unit: Unit, place: int) -> int:
    """`place`, or the line above the `extern "C" {` or `namespace x {` that it is in."""
    guard = _include_guard(unit)
    for index, token in enumerate(unit.tokens):
        if token.start >= place:
            break
        if token.text != "{" or token.directive >= 0:
            continue
        partner = unit.file.partner(index)
        if partner >= 0 and unit.tokens[partner].start < place:
            continue
        first = index
        while first > 0 and unit.text(first - 1) not in (";", "}", "{") and unit.tokens[first - 1].directive < 0:
            first -= 1
        opened = unit.tokens[first].start
        stack: list[int] = []
        for number, directive in enumerate(unit.file.directives):
            if directive.start >= opened:
                break
            if directive.name in ("if", "ifdef", "ifndef") and number != guard:
                stack.append(directive.start)
            elif directive.name == "endif" and stack:
                stack.pop()
        return _line_start(unit, stack[0] if stack else opened)
    return place


def _first_conditional(unit: Unit, guard: int, before: int) -> int:
    depth = 0
    opened = 0
    for number, directive in enumerate(unit.file.directives):
        if directive.start >= before:
            break
        if directive.name in ("if", "ifdef", "ifndef") and number != guard:
            if depth == 0:
                opened = _line_start(unit, directive.start)
            depth += 1
        elif directive.name == "endif":
            depth -= 1
        elif directive.name == "include" and depth > 0:
            return opened
    return before


def _include_guard(unit: Unit) -> int:
    """Index of the directive that opens an include guard, -1 if the file has none."""
    directives = unit.file.directives
    for number, directive in enumerate(directives):
        if directive.name == "ifndef" and directive.first == 0 and number + 1 < len(directives):
            following = directives[number + 1]
            same = unit.text(directive.first) == unit.text(following.first)
            return number if following.name == "define" and same else -1
        if directive.name == "if" and directive.first == 0 and number + 1 < len(directives):
            following = directives[number + 1]
            names = {unit.text(k) for k in range(directive.first, directive.last)}
            return number if following.name == "define" and unit.text(following.first) in names else -1
        if directive.name != "pragma":
            return -1
    return -1


def _after_preamble(unit: Unit, guard: int) -> int:
    """Past the leading comments, #pragma once and the include guard of a file without includes."""
    if guard >= 0:
        return _next_line(unit, unit.file.directives[guard + 1].end)
    for directive in unit.file.directives:
        if directive.name == "pragma" and unit.text(directive.first) == "once":
            return _next_line(unit, directive.end)
    if unit.tokens or unit.file.directives:
        starts = [unit.tokens[0].start] if unit.tokens else []
        starts += [unit.file.directives[0].start] if unit.file.directives else []
        return _above_its_comment(unit, _line_start(unit, min(starts)))
    start, end = unit.file.comments[-1] if unit.file.comments else (0, 0)
    never_ends = unit.file.text.startswith("/*", start) and not unit.file.text.endswith("*/", start + 2, end)
    return start if never_ends else len(unit.file.text)


def _above_its_comment(unit: Unit, place: int) -> int:
    """Above the comment that stands directly over the first line of code; one that begins the file is about the file."""
    above = place
    for start, end in reversed(unit.file.comments):
        between = unit.file.text[end:above]
        if end <= above and not between.strip() and between.count("\n") == 1:
            above = _line_start(unit, start)
    return above if unit.file.text[:above].strip() else place


def _line_start(unit: Unit, offset: int) -> int:
    line, _ = unit.file.position(offset)
    start = unit.file.line_starts()[line - 1]
    if start == 0 and unit.file.text.startswith("\xef\xbb\xbf"):
        start = 3
    # a comment that begins on an earlier line and ends on this one must not be split
    for begin, end in unit.file.comments:
        if begin < start < end:
            return _line_start(unit, begin)
    return start


def _next_line(unit: Unit, offset: int) -> int:
    line, _ = unit.file.position(offset)
    starts = unit.file.line_starts()
    return starts[line] if line < len(starts) else len(unit.file.text)
