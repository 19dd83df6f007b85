"""Algorithms of hipCUB and rocThrust that compute in other types than those of CUB and Thrust: results may differ.

What the arguments' types are is asked of the AST. A site is for review if they are those for which it matters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from porter.findings import Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.passes.qualified import scope_begin
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "library-sums"

# Whole numbers and floating-point numbers by their bits.
_INTEGERS: Mapping[str, int] = {
    "bool": 1, "char": 8, "signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "int": 32,
    "unsigned int": 32, "long": 64, "unsigned long": 64, "long long": 64, "unsigned long long": 64,
}  # fmt: skip
_FLOATS: Mapping[str, int] = {"__half": 16, "__nv_bfloat16": 16, "float": 32, "double": 64}
_POINTED = re.compile(r"(?:(?P<pointer>[\w: ]+?) ?\*|(?:\w+::)*\w+<(?P<iterator>[\w: ]+?)(?: ?\*)?[,>].*)")


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None:
        return []
    findings: list[Finding] = []
    for index in unit.file.places(*_CASES):
        scope, describe = _CASES[unit.text(index)]
        if unit.tokens[index].kind != Kind.IDENT or not unit.is_call(index):
            continue
        first = scope_begin(unit, index, scope.split("::"))
        what = describe(unit, first, index) if first is not None else ""
        if first is not None and what:
            start, end = unit.tokens[index].start, unit.tokens[index].end
            findings.append(Finding(RULE, start, end, Safety.REVIEW, f"{scope}::{unit.text(index)}: {what}"))
    return findings


def _argument(unit: Unit, first: int, number: int) -> str:
    return unit.ast.argument_type(unit.tokens[first].start, number) if unit.ast is not None else ""


def _element(unit: Unit, first: int, number: int) -> str:
    """What an argument, a pointer or an iterator, points to; "" if that is not known."""
    pointed_at = _POINTED.fullmatch(_argument(unit, first, number))
    return (pointed_at["pointer"] or pointed_at["iterator"]).strip() if pointed_at else ""


def _segments(unit: Unit, first: int, index: int) -> str:
    """Is the sum in the type of the result another one than that in the type of the items and the result together?"""
    one, result = _element(unit, first, 2), _element(unit, first, 3)
    loses = one in _FLOATS and (result in _INTEGERS or _FLOATS.get(result, 64) < _FLOATS[one])
    if not loses:
        return ""
    return f"hipCUB sums up {one} in the type of the result, {result}, and CUB in {one}: each step loses what {result} cannot hold"


def _histogram(unit: Unit, first: int, index: int) -> str:
    """Whole-numbered levels whose range is not, or may not be, a multiple of the number of bins."""
    level = _argument(unit, first, 5).removesuffix("*").strip()
    if level not in _INTEGERS:
        return ""
    numbers = [unit.file.source(*part) for part in unit.file.arguments(index + 1)[4:7]]
    if all(number.isdecimal() for number in numbers):
        levels, lower, upper = map(int, numbers)
        if levels > 1 and (upper - lower) % (levels - 1) == 0:
            return ""
    return (
        "hipCUB rounds the width of bins between whole numbers down, and counts what is left in the first bin; CUB divides "
        "exactly: let the range be a multiple of the number of bins, or give the levels as float"
    )


def _by_key(unit: Unit, first: int, index: int) -> str:
    shift = 1 if "policy" in _argument(unit, first, 0) or "par" in _argument(unit, first, 0) else 0
    one, result = _element(unit, first, 2 + shift), _element(unit, first, 4 + shift)
    wider = one in _INTEGERS and (result in _FLOATS or _INTEGERS.get(result, 0) > _INTEGERS[one])
    wider = wider or (one in _FLOATS and (result in _INTEGERS or _FLOATS.get(result, 0) > _FLOATS[one]))
    if not wider:
        return ""
    return (
        f"rocThrust sums up {one} in the type of the result, {result}; Thrust in {one}, whose range the sums may leave"
    )


_CASES: Mapping[str, tuple[str, Callable[[Unit, int, int], str]]] = {
    "HistogramEven": ("cub::DeviceHistogram", _histogram),
    "MultiHistogramEven": ("cub::DeviceHistogram", _histogram),
    "Sum": ("cub::DeviceSegmentedReduce", _segments),
    "Reduce": ("cub::DeviceSegmentedReduce", _segments),
    "reduce_by_key": ("thrust", _by_key),
}
