"""Where constants have their values: literals with a name, as a source writes them."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.analysis.shared_members import bodies
from porter.analysis.templates import Template, template_arguments
from porter.budget.names import Names
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit

__all__ = ["STAGES", "Literal", "is_integer", "literals", "meaning_of"]

STAGES = re.compile(r"stage|pipe|depth|buffer|slot|q_?size|(?:^|_|^[kn])(?:ring|bufs?)|^bP$", re.IGNORECASE)
_OPERATIONS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Literal:
    """A place where a constant has its value."""

    name: str
    index: int  # of the number's token, or of the first of `(8 * 16)`
    template: Template | None = None  # whose argument it is
    last: int = 0  # past the last token; 0: it is one
    value: int = 0  # of several tokens
    named: int = -1  # the token that names it, where it is not just before
    member: bool = False  # of a class, with one value for all of its objects


def literals(unit: Unit, names: Names, first: int, last: int) -> Iterator[Literal]:
    """Those in tokens[first:last] among them."""
    yield from _of_objects(unit)
    signs = (i for i in unit.file.places("<", "=") if first <= i < last)
    numbers = (i for i in range(first, last) if unit.tokens[i].kind == Kind.NUMBER)
    for index in sorted((*signs, *numbers)):
        if not 0 < index < len(unit.tokens) - 1:
            continue
        yield from _arguments(unit, names, index)
        if is_integer(unit, index) and (name := _declared_as(unit, index)):
            yield Literal(
                name, index, member="static" in _declaration(unit, index) and unit.scope(index).function is None
            )
        elif (
            unit.text(index) == "="
            and (end := _sum_end(unit, index + 1))
            and (name := _declared_as(unit, index + 1, end))
        ):
            yield Literal(name, index + 1, None, end, _value(unit, index + 1, end))
        elif unit.text(index) == "=" and (number := _of_type(unit, index)):
            yield Literal(unit.text(index - 1), number, named=index - 1)


def _arguments(unit: Unit, names: Names, index: int) -> Iterator[Literal]:
    """Numbers that the template whose `<` is tokens[index] is given."""
    for number, (first, last) in enumerate(template_arguments(unit, names.templates, index)):
        if last == first + 1 and is_integer(unit, first):
            for template in names.templates[unit.text(index - 1)][:1]:
                for name in template.parameters[number : number + 1]:
                    yield Literal(name, first, template)


def _sum_end(unit: Unit, first: int) -> int:
    """Past a plain constant expression of several tokens, `(2)` or `8 * 16`; 0 if there is none."""
    last = first
    while last < len(unit.tokens) and (is_integer(unit, last) or unit.text(last) in ("(", ")", "*", "+", "-")):
        if unit.text(last) == ")" and unit.file.partner(last) < first:
            break
        last += 1
    return last if last > first + 1 and unit.text(last) in (";", ",", "}") and _value(unit, first, last) > 0 else 0


def _value(unit: Unit, first: int, last: int) -> int:
    """Of a plain constant expression; 0 if it is none."""
    text = " ".join(unit.text(k).rstrip("uUlL") for k in range(first, last))
    try:
        return _of_node(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        return 0


def _of_node(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and (operation := _OPERATIONS.get(type(node.op))) is not None:
        return operation(_of_node(node.left), _of_node(node.right))
    raise ValueError(node)


def _of_type(unit: Unit, index: int) -> int:
    """The number in `auto stages = Int<3>{};`, whose `=` is tokens[index]: an object whose type is the constant; else 0.
    Only for stages: a type that is a tile length shapes copies and instructions, with effects that are not seen here."""
    if not STAGES.search(unit.text(index - 1).strip("_")):
        return 0
    at = index + 1
    while unit.text(at + 1) == "::":
        at += 2
    alone = unit.text(at + 1) == "<" and is_integer(unit, at + 2) and unit.text(at + 3) == ">"
    made = alone and (unit.text(at + 4), unit.text(at + 5)) in (("{", "}"), ("(", ")"))
    if not made or unit.text(at + 6) not in (";", ",") or unit.tokens[index - 1].kind != Kind.IDENT:
        return 0
    return at + 2 if _declaration(unit, index) & {"auto", "const", "constexpr"} else 0


def _declared_as(unit: Unit, index: int, last: int = 0) -> str:
    """The macro, the constant or the template's parameter whose value is tokens[index], or all up to `last`; "" if it is
    none's."""
    tokens, directive = unit.tokens, unit.tokens[index].directive
    if directive >= 0:
        macro = unit.file.directives[directive]
        alone = macro.name == "define" and index == macro.first + 1 == macro.last - 1
        return tokens[index - 1].text if alone else ""
    if unit.text(index - 1) != "=" or tokens[index - 2].kind != Kind.IDENT:
        return ""
    after, words = unit.text(last or index + 1), _declaration(unit, index)
    constant = after in (";", ",", "}") and words & {"constexpr", "const"}
    default = after in (",", ">") and "template" in words
    return tokens[index - 2].text if constant or default else ""


def _of_objects(unit: Unit) -> Iterator[Literal]:
    """Members of objects that are constants: `struct Config { int stages = 4; }; constexpr Config config{.block_k = 64};`."""
    for first, last in bodies(unit):
        objects = _constant_objects(unit, first)
        if not objects:
            continue
        members = list(_members(unit, first, last))
        for index in members:
            if unit.text(index + 1) == "=" and is_integer(unit, index + 2) and unit.text(index + 3) in (";", ","):
                yield Literal(unit.text(index), index + 2)
        for name in objects:
            yield from _initialised(unit, name, [unit.text(index) for index in members])


def _constant_objects(unit: Unit, first: int) -> list[int]:
    """The names of constants whose class has its body at tokens[first]."""
    owner = next((i + 1 for i in range(first, 0, -1) if unit.text(i) in ("struct", "class")), -1)
    return [
        index + 1
        for index in unit.file.places(unit.text(owner))
        if index != owner
        and index + 1 < len(unit.tokens)
        and unit.tokens[index + 1].kind == Kind.IDENT
        and _declaration(unit, index) & {"constexpr", "template"}
    ]


def _members(unit: Unit, first: int, last: int) -> Iterator[int]:
    """The names of a class's data members that an object has of its own."""
    inner = [(k, unit.file.partner(k)) for k in range(first + 1, last) if unit.text(k) == "{"]
    for index in range(first + 1, last):
        if unit.text(index) not in ("=", ";", ",") or unit.tokens[index - 1].kind != Kind.IDENT:
            continue
        begin = max(k for k in range(first, index) if unit.text(k) in ("{", "}", ";", ")"))
        plain = all(unit.file.partner(k) < 0 for k in range(begin + 1, index)) and unit.text(begin) != ")"
        if not plain or "static" in (unit.text(k) for k in range(begin, index)) or index - 1 == begin:
            continue
        if not any(opening < index < closing for opening, closing in inner):  # else it is a function's
            yield index - 1


def _initialised(unit: Unit, name: int, members: Sequence[str]) -> Iterator[Literal]:
    """What the object whose name is tokens[name] is given in braces, in the members' order or by their names."""
    opening = name + 2 if unit.text(name + 1) == "=" else name + 1
    if unit.text(opening) != "{" or unit.file.partner(opening) < 0:
        return
    for number, (begin, end) in enumerate(unit.file.arguments(opening)):
        if end - begin == 4 and unit.text(begin) == "." and unit.text(begin + 2) == "=":
            begin += 3
            member = unit.text(begin - 2)
        else:
            member = members[number] if number < len(members) else ""
        if member and end - begin == 1 and is_integer(unit, begin):
            yield Literal(member, begin)


def meaning_of(unit: Unit, names: Names, literal: Literal) -> str:
    if unit.tokens[literal.index].directive >= 0:
        return names.meanings[literal.index - 1]
    named = literal.named if literal.named >= 0 else literal.index - 2
    return names.meanings[named] if unit.text(named) == literal.name else literal.name


def is_integer(unit: Unit, index: int) -> bool:
    token = unit.tokens[index]
    return token.kind == Kind.NUMBER and token.text.rstrip("uUlL").isdigit()


def _declaration(unit: Unit, index: int) -> set[str]:
    """The words of the declaration so far; none inside of a function's parameters."""
    first = index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}", ")", "(") and index - first < 60:
        first -= 1
    if unit.text(first - 1) == "(":
        return set()
    enumerator = unit.text(first - 1) == "{" and "enum" in {unit.text(i) for i in range(first - 6, first - 1)}
    return {unit.text(i) for i in range(first, index)} | ({"constexpr"} if enumerator else set())
