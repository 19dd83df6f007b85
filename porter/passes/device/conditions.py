"""Conditions on CUDA's compiler, release and architecture, as the port has them.

A name that HIP has another for is renamed in its place. A comparison becomes what is left of it: a test of
__HIP_DEVICE_COMPILE__ or __HIPCC__, or a constant, which is dropped from its `&&` or `||`; so is what stands there a second
time. Where anything but names is lost, a comment has the source's condition: `#if 1 // CUDA: CUDA_VERSION >= 11000`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.branches import branches_of
from porter.frontend.compilations import ARCH, ARCH_FEATURE, ARCH_LIST, ARCH_NAMES, CUDA_NAMES, GUARDS, VERSIONS
from porter.frontend.conditions import CONDITIONS, Part, condition, value
from porter.frontend.unit import Unit
from porter.passes.device.attribute_branches import of_both_sides

__all__ = ["CLANG", "ON_DEVICE", "condition_finding", "in_condition", "in_macro_body", "neighbour"]

ON_DEVICE, _COMPILER, _RELEASE = "__HIP_DEVICE_COMPILE__", "__HIPCC__", "HIP_VERSION"
CLANG = "__CUDA__"  # clang's, where it compiles CUDA; nvcc defines no such thing
_HAS_FEATURE = "__CUDA_ARCH_HAS_FEATURE__"
_RENAMED = {
    **dict.fromkeys((*ARCH_NAMES, ARCH_FEATURE), ON_DEVICE),
    **dict.fromkeys((*GUARDS, ARCH_LIST), _COMPILER),
    **{name: _COMPILER if name.startswith("__") else _RELEASE for name in VERSIONS},
}
Truth = tuple[bool, ...]  # in each compilation
_TRUE: Truth = (True, True, True)
_FALSE: Truth = (False, False, False)
_WITH_KERNELS: Truth = (True, True, False)
_WRITTEN: dict[Truth, str] = {
    _TRUE: "1",
    _FALSE: "0",
    _WITH_KERNELS: f"defined({_COMPILER})",
    (False, False, True): f"!defined({_COMPILER})",
    (True, False, False): ON_DEVICE,
    (False, True, True): f"!{ON_DEVICE}",
}


def in_condition(unit: Unit, index: int) -> bool:
    """Is tokens[index] in an #if or one of its kin?"""
    directive = unit.tokens[index].directive
    return directive >= 0 and unit.file.directives[directive].name in CONDITIONS


def in_macro_body(unit: Unit, index: int) -> bool:
    """Is tokens[index] a part of what a macro stands for?"""
    at = unit.tokens[index].directive
    directive = unit.file.directives[at] if at >= 0 else None
    return directive is not None and directive.name == "define" and index > directive.first


def neighbour(unit: Unit, index: int, distance: int) -> str:
    """The text of the token that far away, "" where that is not in the same directive."""
    at = index + distance
    same = 0 <= at < len(unit.tokens) and unit.tokens[at].directive == unit.tokens[index].directive
    return unit.text(at) if same else ""


def condition_finding(unit: Unit, index: int, rule: str, message: str) -> Finding:
    """What the name tokens[index] in a condition becomes; names of one condition share the edits of all of it."""
    token = unit.tokens[index]
    edits = _edits(unit, token.directive)
    sides = of_both_sides(unit.file, token.directive) if ON_DEVICE in "".join(edit.text for edit in edits) else None
    if sides is not None:
        message = "takes the branch of device code in host code, too: clang reads device functions in both"
        edits = (*(replace(edit, text=edit.text.replace(ON_DEVICE, _COMPILER)) for edit in edits), *sides)
    return Finding(rule, token.start, token.end, Safety.EXACT, message, edits)


def _edits(unit: Unit, number: int) -> tuple[Edit, ...]:
    """Of the condition in a directive."""
    directive = unit.file.directives[number]
    if directive.name not in ("if", "elif"):
        token = unit.tokens[directive.first]
        return (Edit(token.start, token.end, _RENAMED[token.text]),) if token.text in _RENAMED else ()
    ported = _ported(unit, condition(unit.file, directive.first, directive.last))
    if number in branches_of(unit.file).never and not ported.exact:  # else a person would rename, too
        ported = _Ported("0", None, _FALSE, False)
    start, end = unit.tokens[directive.first].start, unit.tokens[directive.last - 1].end
    edits = ported.edits if ported.edits is not None else (Edit(start, end, ported.text),)
    if unit.file.text[start - 1].isalpha():  # `#if(A)`: what is written there may be a word
        edits = tuple(replace(edit, text=f" {edit.text}") if edit.start == start else edit for edit in edits)
    if ported.exact:
        return edits
    source = " ".join(re.sub(r"\\[ \t]*[\r\n]+", " ", unit.file.text[start:end]).split()).replace("*/", "* /")
    line = unit.file.text[end:].split("\n", 1)[0]
    comment = f" /* CUDA: {source} */" if line.strip() else f" // CUDA: {source}"
    return (*edits, Edit(end, end, comment))


@dataclass(frozen=True, slots=True)
class _Ported:
    """A part of a condition as the port has it."""

    text: str
    edits: tuple[Edit, ...] | None  # that make the text of the source's; None: it is written anew
    truth: Truth | None = None  # where that is known
    exact: bool = True  # nothing but names is lost
    one: bool = True  # no && or || outside of brackets


def _ported(unit: Unit, part: Part) -> _Ported:
    if part.kind in ("and", "or"):
        return _several(unit, part)
    if part.kind == "not":
        return _negated(_ported(unit, part.parts[0]))
    if part.kind == "group":
        inner = _ported(unit, part.parts[0])
        if (inner.edits is None or not inner.exact) and inner.one:
            return inner if inner.edits is None else _Ported(inner.text, None, inner.truth, inner.exact)
        return _Ported(f"({inner.text})", inner.edits, inner.truth, inner.exact)
    return _test(unit, part)


def _negated(inner: _Ported) -> _Ported:
    truth = tuple(not one for one in inner.truth) if inner.truth else None
    if truth is not None and not inner.exact and truth in _WRITTEN:
        return _Ported(_WRITTEN[truth], None, truth, False)
    text = f"!{inner.text}" if inner.one else f"!({inner.text})"
    return _Ported(text, inner.edits, truth, inner.exact)


def _several(unit: Unit, part: Part) -> _Ported:
    """Of a && b, a || b: without what decides nothing and what is there already; a constant where one part decides."""
    both = part.kind == "and"
    parts = [_ported(unit, one) for one in part.parts]
    known = [one.truth for one in parts if one.truth is not None]
    together = tuple((all if both else any)(truth) for truth in zip(*known, strict=True))
    decides, nothing = (_FALSE, _TRUE) if both else (_TRUE, _FALSE)
    if together == decides:
        return _Ported(_WRITTEN[decides], None, decides, False)
    kept: list[_Ported] = []
    exact = True
    for one, source in zip(parts, part.parts, strict=True):
        again = one.truth is not None and one.truth in [other.truth for other in kept]
        if one.truth == nothing or again or _is_implied(unit, source, both, known):
            exact = exact and one.exact
        else:
            kept.append(one)
    if not kept:
        return _Ported(_WRITTEN[nothing], None, nothing, False)
    exact = exact and all(one.exact for one in kept)
    truth = together if len(known) == len(parts) else None
    text = (" && " if both else " || ").join(one.text for one in kept)
    edits: tuple[Edit, ...] | None = None
    if len(kept) == len(parts) and all(one.edits is not None for one in kept):
        edits = tuple(edit for one in kept for edit in one.edits or ())
    return _Ported(text, edits, truth, exact, len(kept) == 1 and kept[0].one)


def _is_implied(unit: Unit, part: Part, both: bool, known: Sequence[Truth]) -> bool:
    """Is it a test for clang beside one for any compiler of CUDA?"""
    if both:
        return part.kind == "not" and (False, False, True) in known and _tests_clang(unit, part.parts[0])
    return _WITH_KERNELS in known and _tests_clang(unit, part)


def _tests_clang(unit: Unit, part: Part) -> bool:
    if part.kind in ("and", "group"):
        return any(_tests_clang(unit, one) for one in part.parts)
    words = [unit.text(k) for k in range(part.first, part.last)]
    return part.kind == "test" and words in ([CLANG], ["defined", CLANG], ["defined", "(", CLANG, ")"])


def _test(unit: Unit, part: Part) -> _Ported:
    if part.first == part.last:  # an operator without its second side, which no compiler reads
        return _Ported("", ())
    file = unit.file
    words = [unit.text(k) for k in range(part.first, part.last)]
    start, end = unit.tokens[part.first].start, unit.tokens[part.last - 1].end
    if not any(word in CUDA_NAMES or word == _HAS_FEATURE for word in words):
        return _Ported(hole(start, end), ())
    truth = _truth(unit, part)
    name = words[0] if len(words) == 1 else words[-1 - (words[-1] == ")")] if words[0] == "defined" else ""
    if name in _RENAMED and not (name in VERSIONS and len(words) == 1):
        at = next(k for k in range(part.first, part.last) if unit.text(k) == name)
        token = unit.tokens[at]
        edit = Edit(token.start, token.end, _RENAMED[name])
        text = file.text[start : token.start] + _RENAMED[name] + file.text[token.end : end]
        return _Ported(text, (edit,), None if _RENAMED[name] == _RELEASE else truth)
    if truth is not None and truth in _WRITTEN:
        text = _WRITTEN[truth]
        return _Ported(text, (Edit(start, end, text),), truth, False)
    edits = tuple(_number(unit, k) for k in range(part.first, part.last) if unit.text(k) in CUDA_NAMES)
    return _Ported(_applied(file.text, start, end, edits), edits)


def _truth(unit: Unit, part: Part) -> Truth | None:
    values = [value(unit.file, part.first, part.last, names) for names in branches_of(unit.file).names]
    return tuple(bool(one) for one in values) if None not in values else None


def _number(unit: Unit, index: int) -> Edit:
    """A name that is compared with something that only the preprocessor knows."""
    token = unit.tokens[index]
    if token.text in VERSIONS:
        return Edit(token.start, token.end, f"{VERSIONS[token.text]} /* {token.text} */")
    compared = token.text in ARCH_NAMES and "defined" not in (unit.text(index - 1), unit.text(index - 2))
    return Edit(token.start, token.end, f"({ON_DEVICE} * {ARCH})" if compared else _RENAMED[token.text])


def _applied(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    pieces, position = [], start
    for edit in edits:
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:end]])
