"""Calls of CUDA's mathematical functions that HIP resolves to another overload, or to none.

Such a call stays as it is: porter/cuda_math.h brings CUDA's overload. The types of the arguments decide. One that is
not known (a template's, a macro's) may be any, so that the header is wanted, too. tests/runtime/math_types.tbl has the
types that nvcc gives to calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from porter.findings import Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["CALLED", "HEADER", "differs", "float_too", "run", "wants_float_overloads"]

RULE = "math-overload"
HEADER = "porter/cuda_math.h"

_NARROW = frozenset({"bool", "char", "signed char", "unsigned char", "short", "unsigned short"})
_WHOLE = frozenset({"int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long"})
_REAL = frozenset({"float", "double"})
_KNOWN = _NARROW | _WHOLE | _REAL

_EXTREMA = frozenset({"min", "max"})
_OF_ONE_TYPE = frozenset("umin umax llmin llmax ullmin ullmax".split())  # HIP has none of them
# HIP's are for double alone; in host code it has none, or the C library has the same for double.
_DEVICE = frozenset("cyl_bessel_i0 cyl_bessel_i1".split())
_DEVICE_AND_C = frozenset("exp10 j0 j1 jn sincos y0 y1 yn".split())
_DEVICE_AND_HOST = frozenset("cospi erfcinv erfcx erfinv normcdf normcdfinv rcbrt rsqrt sincospi sinpi".split())
_HOST = frozenset(f"{name}f" for name in _DEVICE_AND_HOST)
_SECOND = frozenset({"jn", "yn", "sincos", "sincospi"})  # whose second argument decides
_NAMES = _EXTREMA | _OF_ONE_TYPE | _DEVICE | _DEVICE_AND_C | _DEVICE_AND_HOST | _HOST | {"pow"}

# What nvcc declares in a file that has nothing else of CUDA's.
CALLED = re.compile(rb"\b(?:%s)\s*\(" % "|".join(sorted(_NAMES)).encode())


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for index in _calls(unit, _NAMES):
        name = unit.text(index)
        types = _types(unit, index)
        if types and any(differs(name, types, device) for device in _sides(unit, index)):
            start, end = unit.tokens[index].start, unit.tokens[index].end
            shown = f"{name}({', '.join(kind or '?' for kind in types)})"
            message = f"{shown} is another function in HIP, or none: porter/cuda_math.h has CUDA's"
            findings.append(Finding(RULE, start, end, Safety.EXACT, message, (), (HEADER,)))
    return findings


def differs(name: str, types: Sequence[str], device: bool) -> bool:
    """Does HIP lack the overload that CUDA takes for arguments of these types, in device code or else in host code?"""
    if name in _EXTREMA:
        if device:
            return not (set(types) <= _REAL or (types[0] in _WHOLE and len(set(types)) == 1))
        return not set(types) <= _NARROW | {"int"}
    if name in _OF_ONE_TYPE:
        return True
    if name not in _NAMES:
        return False
    if name == "pow":  # with an int HIP has one of float
        return device and _may_be(types[0], "float") and _may_be(types[-1], "int")
    if name in _HOST or (name in _DEVICE_AND_HOST and not device):
        return not device
    if name in _DEVICE and not device:  # nvcc refuses it
        return False
    decides = types[1:2] if name in _SECOND else types[:1]
    return any(_may_be(kind.removesuffix(" *"), "float") for kind in decides)


def _may_be(kind: str, wanted: str) -> bool:
    return kind not in _KNOWN - {wanted}


_MARKS = frozenset({"__global__", "__device__"})

# Of C++'s own functions, <cmath> alone declares none but C's for double as global ones.
_FLOAT_TOO = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma "
    "fmax fmin fmod frexp hypot ldexp lgamma log log10 log1p log2 logb modf nearbyint nextafter pow remainder remquo "
    "rint round scalbln scalbn sin sinh sqrt tan tanh tgamma trunc".split()
)
_EXPONENT = frozenset({"frexp", "ldexp", "scalbln", "scalbn"})


def float_too(name: str, types: Sequence[str]) -> bool:
    """Is this, in host code, one of C++'s functions that takes a float where C's takes a double?"""
    counts = types[1:2] if name == "modf" else types[:1] if name in _EXPONENT else types
    return name in _FLOAT_TOO and all(_may_be(kind.removesuffix(" *"), "float") or kind == "int *" for kind in counts)


def wants_float_overloads(unit: Unit) -> bool:
    """Does host code call one of them, and not as std's?"""
    if "std" in unit.opened:
        return False
    for index in _calls(unit, _FLOAT_TOO):
        if unit.text(index - 2) != "std" and False in _sides(unit, index):
            types = _types(unit, index)
            if types and float_too(unit.text(index), types):
                return True
    return False


def _calls(unit: Unit, names: frozenset[str]) -> Iterator[int]:
    """Tokens that name one of CUDA's functions, called as a global one, or std::pow; none in files that g++ compiles."""
    if not _nvcc_compiles(unit):
        return
    for index in unit.file.places(*names.intersection(unit.file.texts())):
        if not unit.is_call(index) or unit.is_member(index) or unit.is_user_symbol(index):
            continue
        before = unit.tokens[index - 2] if unit.text(index - 1) == "::" else None
        qualified = before is not None and before.text != "return" and (before.kind == Kind.IDENT or before.text == ">")
        if not qualified or (unit.text(index - 2), unit.text(index)) == ("std", "pow"):
            yield index


def _nvcc_compiles(unit: Unit) -> bool:
    main = unit.ast.main if unit.ast is not None else unit.path
    return {main.suffix, unit.path.suffix} & {".cu", ".cuh"} != set() or not _MARKS.isdisjoint(unit.file.texts())


def _types(unit: Unit, index: int) -> list[str]:
    """The types of the call's arguments, "" where they are not known."""
    count = len(unit.file.arguments(index + 1))
    if unit.ast is None or unit.tokens[index].directive >= 0:
        return [""] * count
    return [unit.ast.argument_type(unit.tokens[index].start, number) for number in range(count)]


def _sides(unit: Unit, index: int) -> tuple[bool, ...]:
    """True for device code, False for host code; both where either may be."""
    scope = unit.scope(index)
    if scope.unknown:
        return (True, False)
    both = scope.device and scope.function is not None and "__host__" in scope.function.marks
    return (True, False) if both else (scope.device,)
