"""PTX types in C++, and the conversions between the register an operand is and the type it is used as."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass

from porter.frontend.ptx import Immediate

__all__ = ["CPP", "MAKE", "NUMBER", "Mismatch", "Value", "from_result", "literal", "to_slot", "vector_type", "width"]

# The C++ type that holds a value of each PTX type. Half types travel as their bits, like in PTX's
# .b16 and .b32 registers.
CPP = {
    "u8": "uint8_t", "s8": "int8_t", "b8": "uint8_t",
    "u16": "uint16_t", "s16": "int16_t", "b16": "uint16_t", "f16": "uint16_t", "bf16": "uint16_t",
    "u32": "uint32_t", "s32": "int32_t", "b32": "uint32_t", "f16x2": "uint32_t", "bf16x2": "uint32_t",
    "u16x2": "uint32_t", "s16x2": "uint32_t", "tf32": "uint32_t",
    "f32x2": "uint64_t", "e4m3x2": "uint16_t", "e5m2x2": "uint16_t",
    "u64": "uint64_t", "s64": "int64_t", "b64": "uint64_t",
    "b128": "porter::u128",
    "f32": "float", "f64": "double", "pred": "bool",
}  # fmt: skip

_VECTOR = {
    "uint8_t": "uchar", "int8_t": "char", "uint16_t": "ushort", "int16_t": "short", "uint32_t": "uint",
    "int32_t": "int", "uint64_t": "ulonglong", "int64_t": "longlong", "float": "float", "double": "double",
}  # fmt: skip

MAKE = "make_"  # HIP's make_uint4 and the like


class Mismatch(Exception):
    """An operand that does not fit its slot; the text says why. Never leaves porter/ptx."""


@dataclass(frozen=True, slots=True)
class Value:
    """A C++ expression in the role of a PTX operand."""

    text: str
    register: str  # "16", "32", "64", "f32", "f64", "pred", or "const" for a compile-time integer
    ctype: str = ""  # its exact C++ type where that is known
    immediate: Immediate | None = None
    cast: str = ""  # what makes an integer of the lvalue's type: it is a pointer, or of an enumeration
    source: str = ""  # what stands in the source, where `text` is a hole that other passes may fill
    macro: bool = False  # holds a macro's parameter, which may be any expression

    @property
    def shown(self) -> str:
        return self.source or self.text

    @property
    def simple(self) -> bool:
        return not self.macro and _SIMPLE.match(self.shown) is not None

    @property
    def grouped(self) -> str:
        return self.text if self.simple else f"({self.text})"


NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*")
_SIMPLE = re.compile(r"[\w:]+(?:(?:\.|->)\w+|\[[^\[\]]*\]|\([^()]*\))*$|\([^()]*\)$")


def width(kind: str) -> str:
    """The register class a PTX type lives in: "8", "16", "32", "64", "f32", "f64" or "pred"."""
    if kind in ("f32", "f64", "pred"):
        return kind
    return re.sub(r"\D", "", CPP[kind].removesuffix("_t"))


def vector_type(kind: str, count: int) -> str:
    return f"{_VECTOR[CPP[kind]]}{count}"


def literal(value: Immediate, kind: str, exact: bool) -> str:
    """A PTX literal as C++: `exact` where the type of the expression matters."""
    if kind in ("f32", "f64"):
        return _float_literal(value, kind)
    if kind == "pred":
        return "true" if value.value else "false"
    if value.kind != "int":
        if width(kind) == "32" and value.kind == "f32":
            return f"0x{_bits(value, 'f'):08x}u"
        if width(kind) == "64" and value.kind == "f64":
            return f"0x{_bits(value, 'd'):016x}ull"
        raise Mismatch(f"the literal {value.text} is no integer")
    number = int(value.value)
    bits = int(width(kind))
    if not -(1 << (bits - 1)) <= number < (1 << bits):
        number &= (1 << bits) - 1
    signed = CPP[kind].startswith("int")
    text = value.text.rstrip("U")
    if number != value.value or text[:2].lower() == "0b" or text[:1] in "-~":
        text = str(number)
    if not exact:
        return text if abs(number) < 1 << 63 else f"{text}ull"
    if signed:
        if number >= 1 << (bits - 1) or number == -(1 << (bits - 1)) or bits != 32:
            return f"{CPP[kind]}({text})"
        return text
    if bits == 32 and number >= 0:
        return f"{text}u"
    return f"{CPP[kind]}({text})"


def _bits(value: Immediate, code: str) -> int:
    return int.from_bytes(struct.pack(">" + code, value.value), "big")


def _float_literal(value: Immediate, kind: str) -> str:
    if value.kind == "int":
        raise Mismatch(f"the literal {value.text} is no floating-point number")
    number = float(value.value)
    if not math.isfinite(number):
        if kind == "f32":
            return f"__uint_as_float(0x{_bits(value, 'f'):08x}u)"
        return f"__longlong_as_double(0x{_bits(value, 'd'):016x}ll)"
    if kind == "f64":
        return repr(number)
    single = struct.unpack("f", struct.pack("f", number))[0]
    for digits in range(1, 10):
        text = f"{single:.{digits}g}"
        if struct.unpack("f", struct.pack("f", float(text)))[0] == single:
            break
    return text + ("f" if "." in text or "e" in text else ".0f")


def to_slot(value: Value, kind: str, argument: bool, exact: bool, narrow: bool = False) -> str:
    """The expression of `value` used as PTX type `kind`.

    `argument`: it stands alone between parentheses or commas, so it needs none of its own, and an
    implicit conversion to the parameter's type follows. `exact`: the C++ type must be that of
    `kind`. `narrow`: a wider register may be used, as ld, st and cvt allow.
    """
    if kind == "imm":
        return _constant(value, argument)
    if value.immediate is not None:
        return literal(value.immediate, kind, exact)
    if kind == "addr":
        if value.register not in ("32", "64"):
            raise Mismatch(f"'{value.shown}' is no address")
        return value.text
    plain = value.text if argument else value.grouped
    if kind == "pred":
        if value.register != "pred":
            raise Mismatch(f"'{value.shown}' is no predicate")
        return value.text if value.shown.startswith("!") else plain
    if value.register == "pred":
        raise Mismatch(f"'{value.shown}' is a predicate")
    goal, target = width(kind), CPP[kind]
    if value.register == "const":
        if goal in ("f32", "f64"):
            raise Mismatch(f"the constant '{value.shown}' is no floating-point number")
        return f"{target}({value.text})" if exact else plain
    if value.register != goal:
        return _of_another_register(value, kind, exact, narrow)
    if goal in ("f32", "f64"):
        return plain
    # 64 bits may be a pointer, which converts only when asked to
    cast = (exact and value.ctype != target) or (goal == "64" and not value.ctype)
    return f"{target}({value.text})" if cast else plain


def _constant(value: Value, argument: bool) -> str:
    if value.immediate is not None:
        return literal(value.immediate, "s64", exact=False)
    if value.register == "const" or NUMBER.fullmatch(value.shown):
        return value.text if argument else value.grouped
    raise Mismatch(f"'{value.shown}' must be a constant")


def _of_another_register(value: Value, kind: str, exact: bool, narrow: bool) -> str:
    have, goal, target = value.register, width(kind), CPP[kind]
    function = _REINTERPRETED.get((have, goal))
    if function is not None:
        text = f"{function}({value.text})"
        cast = function == "__double_as_longlong" or (goal == "32" and exact and target != "uint32_t")
        return f"{target}({text})" if cast else text
    if narrow and have.isdigit() and goal.isdigit() and int(have) > int(goal):
        return f"{target}({value.text})"
    raise Mismatch(f"'{value.shown}' is a {_describe(have)} operand where a {_describe(goal)} one is read")


# The bits of one kind of register as another.
_REINTERPRETED = {
    ("f32", "32"): "__float_as_uint",
    ("f64", "64"): "__double_as_longlong",
    ("32", "f32"): "__uint_as_float",
    ("64", "f64"): "__longlong_as_double",
}


def from_result(expression: str, kind: str, target: Value) -> str:
    """`expression`, of PTX type `kind`, as it is assigned to `target`."""
    have, goal = width(kind), target.register
    if goal == "const":
        raise Mismatch(f"'{target.shown}' cannot be written")
    if have == goal:
        if target.cast:
            return f"{target.cast}<decltype({target.shown})>({expression})"
        return expression
    if (have, goal) in _REINTERPRETED:
        return f"{_REINTERPRETED[have, goal]}({expression})"
    if have.isdigit() and goal.isdigit() and int(have) < int(goal):
        return expression
    raise Mismatch(f"'{target.shown}' is a {_describe(goal)} operand where a {_describe(have)} one is written")


def _describe(register: str) -> str:
    return {"f32": "float", "f64": "double", "pred": "predicate"}.get(register, f"{register}-bit")
