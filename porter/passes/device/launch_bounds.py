"""`__launch_bounds__(threads, blocks)`: CUDA's second number counts blocks a multiprocessor, HIP's counts waves a SIMD; and
HIP's is a macro, for which each comma outside of brackets begins another number."""

from __future__ import annotations

import re

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.insertions import first_in_body
from porter.rules import RuleSet

__all__ = ["run"]

_ATOM = re.compile(r"\w+(?:::\w+)*")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    places = unit.file.places("__launch_bounds__")
    findings = [f for index in places for f in _bounds(unit, index)]
    if unit.facts.mirrored:
        kernels = [f for f in unit.scopes.functions if f.kernel and f.body[0] >= 0 and f.name not in unit.facts.plain]
        bounds = [(index, unit.file.arguments(index + 1)) for index in places if unit.text(index + 1) == "("]
        findings += [_known(unit, f, *a[0]) for f in kernels for at, a in bounds if a and f.first <= at < f.params[0]]
    return findings


def _known(unit: Unit, kernel: Function, first: int, last: int) -> Finding:
    """The kernel begins with what its bounds say of threadIdx: clang knows it too late to unroll loops by it."""
    bound = hole(unit.tokens[first].start, unit.tokens[last - 1].end)
    edit = first_in_body(unit.file, kernel.body[0], f"porter::threads_at_most({bound});")
    message = "the compiler is told the bound of threadIdx, by which it unrolls loops over threads"
    brace = unit.tokens[kernel.body[0]]
    return Finding("launch-bounds", brace.end, brace.end, Safety.EXACT, message, (edit,), ("porter/mirror.h",))


def _bounds(unit: Unit, index: int) -> list[Finding]:
    arguments = unit.file.arguments(index + 1) if unit.text(index + 1) == "(" else []
    if len(arguments) < 2:
        return [_in_brackets(unit, index, *part) for part in arguments if _has_comma(unit, *part)]
    threads, blocks = (unit.file.source(*part) for part in arguments[:2])
    tokens = unit.tokens
    start, end = tokens[arguments[1][0]].start, tokens[arguments[-1][1] - 1].end
    lanes = unit.chip.simds * unit.chip.wave  # one wave a SIMD
    if threads.isdigit() and blocks.isdigit():
        waves = str(max(1, -(-int(threads) * int(blocks) // lanes)))
    else:
        product = " * ".join(part if _ATOM.fullmatch(part) else f"({part})" for part in (threads, blocks))
        waves = f"({product} + {lanes - 1}) / {lanes}"
    if unit.facts.mirrored and unit.is_main:
        start = tokens[arguments[0][1] - 1].end
        message = f"the wish for {blocks} blocks a multiprocessor is dropped: each warp has a wave of its own here"
        edits: tuple[Edit, ...] = (Edit(start, end, ""),)
    else:
        message = f"{blocks} blocks a multiprocessor are {waves} waves a SIMD"
        edits = () if waves == unit.file.text[start:end] else (Edit(start, end, waves),)
    if _has_comma(unit, *arguments[0]):
        first = _in_brackets(unit, index, *arguments[0])
        message, edits = f"{message}; {first.message}", (*first.edits, *edits)
    if len(arguments) > 2:
        message += "; the cluster size is dropped"
    return [Finding("launch-bounds", tokens[index].start, tokens[index + 1].end, Safety.EXACT, message, edits)]


def _has_comma(unit: Unit, first: int, last: int) -> bool:
    """Of a template's arguments."""
    index = first
    while index < last:
        if unit.text(index) == ",":
            return True
        index = unit.file.partner(index) if unit.text(index) in "([{" and unit.file.partner(index) > 0 else index
        index += 1
    return False


def _in_brackets(unit: Unit, index: int, first: int, last: int) -> Finding:
    start, end = unit.tokens[first].start, unit.tokens[last - 1].end
    message = "HIP's __launch_bounds__ is a macro: the commas of a template's arguments stand in brackets"
    edits = (Edit(start, start, "("), Edit(end, end, ")"))
    return Finding("launch-bounds", unit.tokens[index].start, unit.tokens[index + 1].end, Safety.EXACT, message, edits)
