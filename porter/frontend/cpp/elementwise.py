"""Loops that do the same to every element of local arrays: `for (int i = 0; i < 64; ++i) sum[i] += scale * part[i];`"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from porter.frontend.cpp.expressions import Assign, Binary, Call, Expr, Index, Name, Number, Unary, walk
from porter.frontend.cpp.statements import Block, Declaration, For, Simple, Statement, Variable
from porter.frontend.lexer import TokenFile

__all__ = ["Elementwise", "elementwise"]

# Functions whose result depends on the values of their arguments alone.
_PURE = frozenset({"fmaf", "__fmaf_rn", "fma", "fmaxf", "fminf", "max", "min", "fabsf"})


@dataclass(frozen=True, slots=True)
class Elementwise:
    arrays: frozenset[str]
    uses: frozenset[int]  # the tokens that name them


def elementwise(file: TokenFile, statement: Statement, arrays: Mapping[str, Variable]) -> Elementwise | None:
    """What a loop does to these arrays, where it covers whole groups of four elements in order."""
    nest = _nest(statement)
    if nest is None:
        return None
    names, uses = set(), set()
    seen: set[int] = set()  # tokens of loop variables that are subscripts
    for part in walk(nest.assignment):
        if _does_more(part, nest.assignment):
            return None
        root, subscripts = _access(part)
        if root is None or root.name not in arrays or len(subscripts) < len(arrays[root.name].dimensions):
            continue
        if not _in_order(file, arrays[root.name], subscripts, nest.bounds):
            return None
        names.add(root.name)
        uses.add(root.index)
        seen.update(s.index for s in subscripts if isinstance(s, Name))
    for part in walk(nest.assignment):
        # what is done depends on which element it is, or takes an array as a whole
        if isinstance(part, Name) and part.index not in (seen if part.name in nest.bounds else uses):
            if part.name in nest.bounds or part.name in arrays:
                return None
    target, _ = _access(nest.assignment.target)
    return Elementwise(frozenset(names), frozenset(uses)) if target is not None and target.name in names else None


@dataclass(frozen=True, slots=True)
class _Nest:
    bounds: Mapping[str, Expr]  # by variable, from the outside
    assignment: Assign


def _nest(statement: Statement) -> _Nest | None:
    """Loops that count, one within the other, around one assignment."""
    bounds: dict[str, Expr] = {}
    inner = statement
    while isinstance(inner, For):
        counted = _counting(inner)
        if counted is None or counted[0] in bounds:
            return None
        bounds[counted[0]] = counted[1]
        inner = inner.body
        while isinstance(inner, Block) and len(inner.statements) == 1:
            inner = inner.statements[0]
    if not bounds or not isinstance(inner, Simple) or not isinstance(inner.expression, Assign):
        return None
    return _Nest(bounds, inner.expression)


_WRITES = frozenset({"++", "--", "post++", "post--", "&", "*"})


def _does_more(part: Expr, assignment: Assign) -> bool:
    """Does a part of the assignment call something, or reach for something else than elements?"""
    if isinstance(part, Call):
        return not (isinstance(part.function, Name) and part.function.name in _PURE)
    if isinstance(part, Assign):
        return part is not assignment
    return isinstance(part, Unary) and part.op in _WRITES


def _in_order(file: TokenFile, variable: Variable, subscripts: Sequence[Expr], bounds: Mapping[str, Expr]) -> bool:
    """Are the subscripts the loops' variables, for all of the array?"""
    if [s.name if isinstance(s, Name) else "" for s in subscripts] != list(bounds):
        return False
    return len(variable.dimensions) == len(bounds) and _whole(file, variable, bounds[list(bounds)[-1]])


def _counting(loop: For) -> tuple[str, Expr] | None:
    """The variable and the bound of `for (int i = 0; i < bound; ++i)`."""
    start, test, step = loop.start, loop.condition, loop.step
    if not isinstance(start, Declaration) or len(start.variables) != 1:
        return None
    (variable,) = start.variables
    zero = isinstance(variable.value, Number) and variable.value.value == 0
    if not zero or not isinstance(test, Binary) or test.op != "<" or not isinstance(step, Unary):
        return None
    if step.op not in ("++", "post++") or not all(
        isinstance(e, Name) and e.name == variable.name for e in (test.left, step.operand)
    ):
        return None
    return variable.name, test.right


def _access(part: Expr) -> tuple[Name | None, list[Expr]]:
    subscripts: list[Expr] = []
    while isinstance(part, Index):
        subscripts.insert(0, part.subscript)
        part = part.base
    return (part, subscripts) if isinstance(part, Name) and subscripts else (None, [])


def _whole(file: TokenFile, variable: Variable, bound: Expr) -> bool:
    """Are fours of elements all reached, or none of them? Fours do not cross the last dimension."""
    last = variable.dimensions[-1]
    if isinstance(last, Number) and isinstance(last.value, int) and last.value % 4 != 0:
        return False
    if len(variable.dimensions) > 1 and not isinstance(last, Number):
        return False
    if isinstance(bound, Number):
        return isinstance(bound.value, int) and bound.value % 4 == 0
    return isinstance(bound, Name) and isinstance(last, Name) and bound.name == last.name
