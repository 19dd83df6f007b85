"""Whole numbers as sources and descriptions write them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from porter.chip import WAVE

__all__ = ["whole_number"]

_ARITHMETIC = re.compile(r"[\w\s()+\-*/%,<>]+")


def whole_number(text: str, names: Mapping[str, int]) -> int | None:
    """The value of an expression of whole numbers, known names and ceil_div; None where it is anything else."""
    text = re.sub(r"\b[a-z]\w*::", "", re.sub(r"//.*", "", text)).strip()
    if not _ARITHMETIC.fullmatch(text):
        return None
    known = {"WARP_THREADS": WAVE, **names, "ceil_div": lambda a, b: -(-a // b)}
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    if not words <= set(known):
        return None
    try:
        value = eval(text.replace("/", "//"), {"__builtins__": {}}, known)
    except (ArithmeticError, SyntaxError, TypeError):
        return None
    return value if isinstance(value, int) else None
