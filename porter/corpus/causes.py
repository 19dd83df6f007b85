"""Why a program failed: the first error of the compiler, sorted by a table of patterns.

One row a cause, first match wins. A message that no row knows is its own cause, so that it is
seen and can get a row; it is never counted as "other".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from porter.toolchain import Diagnostic

__all__ = ["CAUSES", "LIBRARY_HEADER", "Cause", "classify", "first_error"]

LIBRARY_HEADER = "library header missing on this machine"


@dataclass(frozen=True, slots=True)
class Cause:
    name: str
    detail: str = ""  # what in particular: the header, the identifier, the instruction


_WARP = (
    r"(?:__shfl\w*|__ballot\w*|__any\w*|__all\w*|__activemask|__match\w*|__reduce_\w+_sync|__syncwarp"
    r"|__nanosleep|__lane\w*|__lastbit\w*)"
)
_CUDA_NAME = (
    r"(?:cuda\w*|CUDA\w*|cu[A-Z]\w*|CU_?[A-Za-z]\w*|cu(?:blas|fft|rand|sparse|solver|dnn)\w*"
    r"|nccl\w*|nvrtc\w*|nvtx\w*|nvml\w*)"
)

CAUSES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        # headers
        (
            "CUDA header left in the port",
            r"'((?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn)|nv|device_launch|helper_|cooperative_groups|sm_\d|mma\.h"
            r"|cub/|cuda/|cutlass/|vector_types|driver_types|math_constants)[\w./-]*)' file not found",
        ),
        (LIBRARY_HEADER, r"'([^']+)' file not found"),
        # 32 lanes to 64
        ("lane mask is not 64 bits wide", r"static assertion failed.*(?i:(mask)).*64"),
        (
            "warp primitive that HIP lacks",
            rf"(?:.*undeclared identifier|no member named|call to undeclared function) '({_WARP})'",
        ),
        ("warp primitive with other arguments", rf".*call to '({_WARP})'"),
        ("warpSize is no constant in HIP", r".*(?:warpSize|warp_size|WARP_SIZE).*(?:constant|initiali[sz]ed)"),
        # names
        ("CUDA type left", rf"unknown type name '({_CUDA_NAME}|__nv\w*|nv_\w*)'"),
        ("CUDA name left", rf"(?:.*undeclared (?:identifier|function)|no (?:member|type) named) '({_CUDA_NAME})'"),
        (
            "CUDA C++ library left",
            r"(?:.*undeclared identifier|no (?:member|type|template) named) '(cuda|cub|nvcuda|wmma|nvexp|cutlass)'",
        ),
        (
            "cooperative groups",
            r".*'(cooperative_groups|cg|(?:this_)?(?:thread_block|grid_group|tiled_partition|multi_grid)\w*"
            r"|coalesced_\w+)'",
        ),
        ("texture or surface reference", r".*'(texture\w*|tex[123]D\w*|surf(?:ace)?\w*|cudaTexture\w*)'"),
        ("half or bfloat16 type", r".*'(_*(?:half2?|nv_bfloat162?|hip_bfloat162?|bfloat162?)\w*)'"),
        ("CUDA math or intrinsic", r".*undeclared (?:identifier|function) '(__\w+|CUDART_\w+|\w+pif?|r?norm[34]df?)'"),
        # calls
        ("HIP API called with other arguments", r"no matching function for call to '(hip\w+)'"),
        (
            "HIP API with a type that does not match",
            r"(?:cannot (?:initialize|convert|pass)|no viable|assigning to|incompatible).*'"
            r"(hip\w+|cu\w+)",
        ),
        ("kernel launch", r".*(?:kernel|<<<|hipLaunchKernelGGL|__global__ function)"),
        ("inline assembly", r".*(?:\basm\b|\bin asm\b|inline assembly|(?:input|output) constraint)"),
        ("host and device code mixed", r"reference to __(?:host|device|global)__"),
        ("vector operator defined twice", r"(?:redefinition of|.*ambiguous.*)'?(operator\W+)"),
        ("redefinition", r"(?:redefinition of|typedef redefinition|redeclaration of) '([^']+)'"),
        ("ambiguous call", r".*(?:call to|reference to|use of overloaded operator) '([^']+)' is ambiguous"),
        (
            "dynamic shared memory or device variable",
            r".*(?:dynamic initialization is not supported|__(?:shared|constant|device)__)",
        ),
        ("unknown identifier", r"use of undeclared identifier '([^']+)'"),
        ("unknown function", r"call to undeclared function '([^']+)'"),
        ("unknown type", r"unknown type name '([^']+)'"),
        ("no such member", r"no (?:member|type|template) named '([^']+)'"),
        ("no matching function", r"no matching (?:function|member function|constructor)[^']*'([^']+)'"),
        ('C++ header inside extern "C"', r"templates must have C\+\+ linkage"),
        ("not allowed by the C++ standard in use", r"ISO C\+\+\d* does not allow (.*)"),
        ("narrowing conversion", r".*cannot be narrowed"),
        ("#error in the source", r'(?:"(.*)"|#error.*)$'),
        ("converter failed", r"converter: (.*)"),
        ("syntax broken", r"expected .*|extraneous .*|unterminated .*|invalid token.*|missing '.*|stray .*"),
        ("compiler gave up", r"the compiler .*"),
    )
)


def first_error(errors: Sequence[Diagnostic]) -> Diagnostic:
    """The first one, but a missing header ends the compilation, so it outranks what was found before it."""
    return next((error for error in errors if error.message.endswith("file not found")), errors[0])


def classify(errors: Sequence[Diagnostic], in_project: Callable[[str], bool] = lambda name: False) -> Cause:
    """The cause of the error that counts. `in_project` tells a header of the corpus from a library's."""
    first = first_error(errors)
    for name, pattern in CAUSES:
        hit = pattern.match(first.message)
        if hit is None:
            continue
        detail = next((group for group in hit.groups() if group), "")
        if name == LIBRARY_HEADER and in_project(detail):
            return Cause("header of the project not reached", detail)
        return Cause(name, detail)
    return Cause(first.message)
