"""Facts about C++ and CUDA that execution on symbols needs: types, and functions of one thread alone."""

from __future__ import annotations

import re

__all__ = [
    "ARITHMETIC",
    "FLOATS",
    "FUSED",
    "MAXIMA",
    "MINIMA",
    "PURE",
    "THREAD_NAMES",
    "UNSIGNED",
    "VECTOR",
    "WIDTHS",
    "common_type",
    "is_pure",
]

FLOATS = frozenset({"float", "double"})
WIDTHS = {
    "bool": 1, "char": 8, "unsigned char": 8, "uint8_t": 8, "int8_t": 8, "short": 16, "unsigned short": 16, "uint16_t": 16,
    "int16_t": 16, "int": 32, "unsigned": 32, "long long": 64, "size_t": 64,
}  # fmt: skip
UNSIGNED = {"unsigned": 32, "size_t": 64, "unsigned char": 8, "uint8_t": 8, "unsigned short": 16, "uint16_t": 16}
MAXIMA = {"max": "max", "fmaxf": "max", "fmax": "max", "umax": "max", "__hmax": "max", "llmax": "max", "ullmax": "max"}
MINIMA = {"min": "min", "fminf": "min", "fmin": "min", "umin": "min", "__hmin": "min", "llmin": "min", "ullmin": "min"}
ARITHMETIC = {
    "__fadd_rn": "+", "__fmul_rn": "*", "__fsub_rn": "-", "__hadd": "+", "__hmul": "*", "__hsub": "-", "__dadd_rn": "+",
    "__hadd2": "+", "__hmul2": "*",
}  # fmt: skip
FUSED = frozenset({"fmaf", "fma", "__fmaf_rn", "__fma_rn", "__hfma"})
PURE = re.compile(
    r"__?(?:expf|exp10f|logf|log2f|log10f|sinf|cosf|powf|tanf|fdividef|frcp_r.|fsqrt_r.|frsqrt_rn|saturatef|fdiv_rn)"
    r"|r?sqrtf?|exp(?:2|10|m1)?f?|log(?:2|10|1p)?f?|sinf?|cosf?|tanf?|tanhf?|sinhf?|coshf?|erf[c]?f?|powf?|fabsf?|abs|fmodf?"
    r"|floorf?|ceilf?|roundf?|truncf?|rintf?|lrintf?|isnan|isinf|isfinite|signbit|copysignf?|cbrtf?|hypotf?|atan2?f?|asinf?|acosf?"
    r"|__(?:half2float|float2half|float2half_rn|bfloat162float|float2bfloat16|int2float_r.|float2int_r.|ldg|popc|clz|ffs|brev"
    r"|float_as_int|int_as_float|float_as_uint|uint_as_float|low2float|high2float|half22float2|float22half2_rn|halves2half2)"
    r"|h?exp2?|hsqrt|hrsqrt|make_\w+[1-4]|[a-z0-9_]+_cast"
)
VECTOR = re.compile(r"(?:(float|double|int|uint|long|char|uchar|short|ushort|longlong)([1-4]))")
THREAD_NAMES = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})


def is_pure(name: str) -> bool:
    """Does a call depend on its arguments alone, and change nothing?"""
    return bool(PURE.fullmatch(name)) or name in MAXIMA or name in MINIMA or name in ARITHMETIC or name in FUSED


def common_type(left: str, right: str) -> str:
    """The type of arithmetic on the two; "?" where it is not known."""
    if left == right:
        return left
    if "?" in (left, right):
        return "?"
    for kind in ("double", "float"):
        if kind in (left, right):
            other = right if left == kind else left
            return kind if other in FLOATS or other in WIDTHS else "?"
    if left in WIDTHS and right in WIDTHS:
        wide = max(32, WIDTHS[left], WIDTHS[right])
        if wide == 64:
            return "size_t" if "size_t" in (left, right) else "long long"
        return "unsigned" if "unsigned" in (left, right) else "int"
    # an integer literal takes the type of its partner: `T(0) + 1`
    return right if left == "int" else left if right == "int" else "?"
