"""What the lane-wise comparisons do: a truth value a lane."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from exact_floats import F16, F32, F64, Format, each

__all__ = ["ROWS"]

_INTEGERS = {
    "f": lambda a, b: np.zeros(len(a), bool), "lt": np.less, "eq": np.equal, "le": np.less_equal, "gt": np.greater,
    "ne": np.not_equal, "ge": np.greater_equal, "t": lambda a, b: np.ones(len(a), bool),
}  # fmt: skip


def unordered(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.isnan(a) | np.isnan(b)


_ORDERED = {
    "f": lambda a, b: np.zeros(len(a), bool), "lt": np.less, "eq": np.equal, "le": np.less_equal, "gt": np.greater,
    "lg": lambda a, b: (a != b) & ~unordered(a, b), "ge": np.greater_equal, "o": lambda a, b: ~unordered(a, b),
}  # fmt: skip
_OPPOSITE = {"u": "o", "nge": "ge", "nlg": "lg", "ngt": "gt", "nle": "le", "neq": "eq", "nlt": "lt", "tru": "f"}


def class_of(bits: int, form: Format) -> int:
    negative, size = bool(bits & form.sign), bits & ~form.sign
    if size > form.infinity:
        return 1 if size & 1 << (form.fraction - 1) else 0
    if size == form.infinity:
        return 2 if negative else 9
    if size >> form.fraction:
        return 3 if negative else 8
    if size:
        return 4 if negative else 7
    return 5 if negative else 6


def classes(form: Format) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return lambda a, b: each(lambda x, wanted: wanted >> class_of(x, form) & 1, np.uint32, a, b) != 0


def opposite(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    return lambda a, b: ~function(a, b)


_FLOATS = {**_ORDERED, **{name: opposite(_ORDERED[other]) for name, other in _OPPOSITE.items()}}

ROWS: dict[str, Callable[..., np.ndarray]] = {
    **{
        f"v_cmp_{name}_{kind}": function
        for name, function in _INTEGERS.items()
        for kind in "i16 u16 i32 u32 i64 u64".split()
    },
    **{f"v_cmp_{name}_{kind}": function for name, function in _FLOATS.items() for kind in ("f16", "f32", "f64")},
    "v_cmp_class_f16": classes(F16),
    "v_cmp_class_f32": classes(F32),
    "v_cmp_class_f64": classes(F64),
}
ROWS |= {name.replace("v_cmp_", "v_cmpx_"): function for name, function in ROWS.items()}
