"""Floating-point arithmetic on bits by exact integers and one rounding: the statement that the core is held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["F16", "F32", "F64", "Format", "Number", "add", "convert", "each", "fma", "join", "scale", "split"]

Number = tuple[int, int, int]  # sign, mantissa, exponent: (-1)**sign * mantissa * 2**exponent


@dataclass(frozen=True)
class Format:
    exponent: int
    fraction: int
    dtype: type

    @property
    def width(self) -> int:
        return 1 + self.exponent + self.fraction

    @property
    def sign(self) -> int:
        return 1 << (self.width - 1)

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.fraction

    @property
    def nan(self) -> int:
        return self.infinity | 1 << (self.fraction - 1)

    @property
    def smallest(self) -> int:
        """The exponent of the smallest denormal."""
        return 2 - (1 << (self.exponent - 1)) - self.fraction


F16 = Format(5, 10, np.uint16)
F32 = Format(8, 23, np.uint32)
F64 = Format(11, 52, np.uint64)


def split(bits: int, form: Format) -> Number | None:
    """None for infinities and NaNs."""
    size = bits & ~form.sign
    if size >= form.infinity:
        return None
    field, fraction = size >> form.fraction, size & ((1 << form.fraction) - 1)
    if not field:
        return bits >> (form.width - 1), fraction, form.smallest
    return bits >> (form.width - 1), fraction | 1 << form.fraction, form.smallest + field - 1


def join(number: Number, form: Format, mode: str = "nearest") -> int:
    sign, mantissa, exponent = number
    top = sign * form.sign
    if not mantissa:
        return top
    last = max(exponent + mantissa.bit_length() - form.fraction - 1, form.smallest)
    cut = last - exponent
    rest, half = 0, 1
    if cut <= 0:
        mantissa <<= -cut
    else:
        rest, half = mantissa & ((1 << cut) - 1), 1 << (cut - 1)
        mantissa >>= cut
    up = {
        "nearest": rest > half or (rest == half and mantissa & 1),
        "zero": False,
        "up": bool(rest) and not sign,
        "down": bool(rest) and bool(sign),
    }[mode]
    if cut <= 0:
        up = False
    code = ((last - form.smallest) << form.fraction) + mantissa + bool(up)
    if code >= form.infinity:
        finite = mode == "zero" or (mode == "up" and sign) or (mode == "down" and not sign)
        code = form.infinity - 1 if finite else form.infinity
    return top | code


def _special(values: list[int], form: Format) -> list[str]:
    out = []
    for bits in values:
        size = bits & ~form.sign
        out.append("nan" if size > form.infinity else "inf" if size == form.infinity else "")
    return out


def fma(a: int, b: int, c: int, form: Format, to: Format | None = None, mode: str = "nearest") -> int:
    """a * b + c, rounded once."""
    to = to or form
    kinds = _special([a, b, c], form)
    signs = [bits >> (form.width - 1) for bits in (a, b, c)]
    if "nan" in kinds:
        return to.nan
    if "inf" in kinds[:2]:
        if split(a, form) == (signs[0], 0, form.smallest) or split(b, form) == (signs[1], 0, form.smallest):
            return to.nan
        sign = signs[0] ^ signs[1]
        return to.nan if kinds[2] == "inf" and signs[2] != sign else to.infinity | sign * to.sign
    if kinds[2] == "inf":
        return to.infinity | signs[2] * to.sign
    x, y, z = (split(bits, form) for bits in (a, b, c))
    assert x and y and z
    return join(_sum((x[0] ^ y[0], x[1] * y[1], x[2] + y[2]), z, mode), to, mode)


def _sum(x: Number, y: Number, mode: str) -> Number:
    low = min(x[2], y[2])
    total = sum((-1) ** sign * mantissa << (exponent - low) for sign, mantissa, exponent in (x, y))
    if total:
        return int(total < 0), abs(total), low
    zero = x[0] if x[0] == y[0] else int(mode == "down")
    return zero, 0, low


def add(a: int, b: int, form: Format, mode: str = "nearest") -> int:
    one = join((0, 1, 0), form)
    return fma(a, one, b, form, mode=mode)


def scale(a: int, power: int, form: Format) -> int:
    number = split(a, form)
    if number is None:
        return a if (a & ~form.sign) == form.infinity else form.nan
    return join((number[0], number[1], number[2] + power), form)


def convert(a: int, form: Format, to: Format, mode: str = "nearest") -> int:
    number = split(a, form)
    if number is not None:
        return join(number, to, mode)
    return to.nan if a & ~form.sign > form.infinity else to.infinity | (a >> (form.width - 1)) * to.sign


def each(function: Callable[..., int], to: Format | type, *arrays: np.ndarray) -> np.ndarray:
    """`function` on the bits of every element."""
    bits = [array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "f" else array for array in arrays]
    out = [function(*(int(part) for part in values)) for values in zip(*bits)]
    if isinstance(to, Format):
        return np.array(out, to.dtype).view(f"f{to.width // 8}")
    return np.array(
        [value & ((1 << 8 * np.dtype(to).itemsize) - 1) for value in out], f"u{np.dtype(to).itemsize}"
    ).view(to)
