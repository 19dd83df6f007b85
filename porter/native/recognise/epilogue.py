"""What a stored value is, as C++ over its sum: the kernel's epilogue, as the port spells it."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from porter.native.machine.runtime_calls import MATHS
from porter.native.machine.values import NULL, Element, Refused, Scalar, Sum, Term

__all__ = ["BEFORE", "PLACE", "Spot", "common", "condition", "printed"]

BEFORE = "before"  # what the element of C was
PLACE = "[place]"  # of a matrix that lies as C does: the element that has the result's row and column

_INFIX = {"fmul": "*", "fadd": "+", "fsub": "-", "fdiv": "/"}
_CALLS = {"maxnum": "fmaxf", "minnum": "fminf", "maximumnum": "fmaxf", "minimumnum": "fminf"}


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value is stored."""

    row: int
    column: int
    index: int  # of the element in memory, from the parameter on
    own: Element  # itself


def printed(shape: Scalar, names: Sequence[str], spot: Spot | None = None) -> str:
    """C++ of a value over `sum`, the kernel's parameters, `row` and `column`."""
    if isinstance(shape, Sum):
        return "sum"
    if spot is not None and shape == spot.own:
        return BEFORE
    if isinstance(shape, float):
        return f"{shape!r}f"
    if isinstance(shape, int):
        return str(shape)
    if isinstance(shape, Element):
        return _indexed(shape, names, spot)
    if isinstance(shape, Term):
        if shape.op == "parameter" and len(shape.parts) == 1 and isinstance(shape.parts[0], int):
            return names[shape.parts[0]]
        if shape.op in ("sitofp", "fneg"):
            inner = printed(shape.parts[0], names, spot)
            return f"float({inner})" if shape.op == "sitofp" else f"-{inner}"
        if shape.op in MATHS:
            return f"{shape.op}({', '.join(printed(p, names, spot) for p in shape.parts)})"
        narrow = _widened(shape)
        if narrow is not None:
            return BEFORE if spot is not None and narrow == spot.own else f"float({_indexed(narrow, names, spot)})"
        if shape.op in _INFIX and len(shape.parts) == 2:
            left, right = (printed(p, names, spot) for p in shape.parts)
            return f"({left} {_INFIX[shape.op]} {right})"
        if shape.op in _CALLS and len(shape.parts) == 2:
            return f"{_CALLS[shape.op]}({', '.join(printed(p, names, spot) for p in shape.parts)})"
        raise Refused(f"the result is more than a scaled sum ({shape.op})")
    raise Refused("the result is more than a scaled sum")


def _indexed(load: Element, names: Sequence[str], spot: Spot | None) -> str:
    """An element of a vector, which has one for each row or column, of another matrix, or the one for all."""
    if load.parameter < 0:
        raise Refused("the result depends on more that copies bring to shared memory than its operands")
    name = names[load.parameter]
    if load.offset == 0:
        return f"{name}[0]"
    index, rest = divmod(load.offset, load.size)
    ways = [] if spot is None else [("[row]", spot.row), ("[column]", spot.column), (PLACE, spot.index)]
    fitting = [way for way, value in ways if value == index]
    if rest or not fitting:
        raise Refused(f"the result depends on {name} in another way than by its row or column")
    return f"{name}{fitting[0] if len(fitting) == 1 else '[?]'}"


def _widened(shape: Term) -> Element | None:
    """The load of an f16 or bf16 that this is as a float."""
    inner = shape.parts[0] if shape.parts else None
    if shape.op == "shl" and shape.parts[1] == 16 and isinstance(inner, Term):
        inner = inner.parts[0] if inner.op == "zext" else inner
    elif shape.op == "pack" and len(shape.parts) == 2 and inner == 0:
        inner = shape.parts[1]
    elif shape.op != "fpext":
        return None
    return inner if isinstance(inner, Element) and inner.size == 2 else None


_INDEX = re.compile(r"\[(?:column|row|place|0|\?)\]")
_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def condition(term: Term, names: Sequence[str]) -> str:
    """C++ of a comparison of the kernel's parameters."""
    predicate, (left, right) = term.word, term.parts
    if predicate in ("eq", "ne") and right == NULL:
        return f"{printed(left, names)} {_COMPARISONS[predicate]} nullptr"
    if predicate[-2:] not in _COMPARISONS:
        raise Refused(f"a comparison that is {predicate}")
    return " ".join((printed(left, names), _COMPARISONS[predicate[-2:]], printed(right, names)))


def common(shapes: Set[str]) -> str:
    """What elements of a result have in common: an index of 0, or of a diagonal's element, may be its row or its column."""
    plain = {_INDEX.sub("[]", s) for s in shapes}
    sure = {s for s in shapes if "[?]" not in s and not ("[0]" in s and len(shapes) > 1)} or shapes
    if len(plain) > 1 or len(sure) != 1 or "[?]" in next(iter(sure)):
        raise Refused("elements of the result are not all made alike")
    value = next(iter(sure))
    inner = value[1:-1]
    return inner if value.startswith("(") and value.endswith(")") and _balanced(inner) else value


def _balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0
