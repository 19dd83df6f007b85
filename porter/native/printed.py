"""What a stored value is, as C++ over its sum: the kernel's epilogue, as the port spells it."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Any

from porter.native.values import Refused, Sum, Term

__all__ = ["BEFORE", "common", "condition", "printed"]

BEFORE = "before"  # what the element of C was

_INFIX = {"fmul": "*", "fadd": "+", "fsub": "-", "fdiv": "/"}
_CALLS = {"maxnum": "fmaxf", "minnum": "fminf", "maximumnum": "fmaxf", "minimumnum": "fminf"}


def printed(shape: Any, names: Sequence[str], row: int, column: int, own: Term | None = None) -> str:
    """C++ of a value over `sum`, the kernel's parameters, `row` and `column`; own: the load of the element itself."""
    if isinstance(shape, Sum):
        return "sum"
    if shape == own or (isinstance(shape, Term) and shape.op == "fpext" and shape.parts[0] == own):
        return BEFORE
    if isinstance(shape, float):
        return f"{shape!r}f"
    if isinstance(shape, Term):
        if shape.op == "parameter" and len(shape.parts) == 1:
            return str(names[shape.parts[0]])
        if shape.op == "load" and shape.parts[2] == 4:
            parameter, at, _ = shape.parts
            if at == 0:
                return f"{names[parameter]}[0]"
            for index, word in ((column, "column"), (row, "row")):
                if index > 0 and at == 4 * index:
                    return f"{names[parameter]}[{word}]"
        if shape.op in _INFIX and len(shape.parts) == 2:
            left, right = (printed(p, names, row, column, own) for p in shape.parts)
            return f"({left} {_INFIX[shape.op]} {right})"
        if shape.op in _CALLS and len(shape.parts) == 2:
            return f"{_CALLS[shape.op]}({', '.join(printed(p, names, row, column, own) for p in shape.parts)})"
        raise Refused(f"the result is more than a scaled sum ({shape.op})")
    raise Refused("the result is more than a scaled sum")


_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def condition(term: Term, names: Sequence[str]) -> str:
    """C++ of a comparison of the kernel's parameters."""
    predicate, left, right = term.parts
    if predicate[-2:] not in _COMPARISONS:
        raise Refused(f"a comparison that is {predicate}")
    return " ".join((printed(left, names, -1, -1), _COMPARISONS[predicate[-2:]], printed(right, names, -1, -1)))


def common(shapes: Set[str]) -> str:
    """What elements of a result have in common: an index of 0 is every row and column at once, others say which."""
    value = next(iter(shapes))
    if len(shapes) > 1:
        indexed = {s for s in shapes if "column" in s or "row" in s}
        plain = {re.sub(r"\[(?:column|row|0)\]", "[]", s) for s in shapes}
        if len(plain) > 1 or len(indexed) != 1:
            raise Refused("elements of the result are not all made alike")
        value = next(iter(indexed))
    inner = value[1:-1]
    return inner if value.startswith("(") and value.endswith(")") and _balanced(inner) else value


def _balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0
