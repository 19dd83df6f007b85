"""Declarations of dynamic shared memory, `extern __shared__ T name[];`, and the functions that name an array of no function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.analysis.launch_requests import parameters
from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["SharedArray", "UnreadUse", "shared_arrays", "users"]

_ALIGNMENT = frozenset({"__align__", "alignas", "__attribute__"})


@dataclass(frozen=True, slots=True)
class SharedArray:
    index: int  # its `__shared__` token
    first: int  # tokens of the declaration, without the semicolon
    last: int
    function: Function | None  # that declares it
    kind: int = -1  # the first token of the elements' type; -1: the declaration is none of one array
    name: int = -1
    sizes: int = -1  # the first token of the dimensions


@dataclass(frozen=True, slots=True)
class UnreadUse:
    """A place that names an array and cannot be changed: in a macro, with a namespace, or outside of device code."""

    index: int


def shared_arrays(unit: Unit) -> Iterator[SharedArray]:
    for index in unit.file.places("__shared__"):
        first, last = _declaration(unit, index)
        if unit.tokens[index].directive < 0 and any(unit.text(i) == "extern" for i in range(first, last)):
            yield _read(unit, SharedArray(index, first, last, unit.scope(index).function))


def _declaration(unit: Unit, index: int) -> tuple[int, int]:
    """Its tokens, without the semicolon."""
    first = last = index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}") and unit.tokens[first - 1].directive < 0:
        first -= 1
    while last < len(unit.tokens) and unit.text(last) not in (";", "{", "}"):
        last += 1
    return first, last


def _read(unit: Unit, array: SharedArray) -> SharedArray:
    """With the places of type, name and dimensions, where it is the declaration of one array."""
    kind = array.first
    while kind < array.last:  # specifiers, attributes
        if unit.text(kind) in ("extern", "__shared__", "static"):
            kind += 1
        elif unit.text(kind) in _ALIGNMENT and unit.text(kind + 1) == "(":
            kind = unit.file.partner(kind + 1) + 1
        else:
            break
    sizes = array.last
    while unit.text(sizes - 1) == "]":
        sizes = unit.file.partner(sizes - 1)
    name = sizes - 1
    while unit.text(name) == ")" and name > kind:  # x __attribute__((aligned(16)))[]
        name = unit.file.partner(name) - 2
    inside = [unit.text(i) for i in range(kind, name)]
    one = unit.text(array.last) == ";" and kind < name == sizes - 1 and unit.tokens[name].kind == Kind.IDENT
    if not one or "(" in inside or not _OTHERS.isdisjoint(_outside(unit, kind, name)):
        return array
    return SharedArray(array.index, array.first, array.last, array.function, kind, name, sizes)


_OTHERS = frozenset({",", "=", "__shared__", "extern"})


def _outside(unit: Unit, first: int, last: int) -> Iterator[str]:
    """Tokens outside of what looks like template arguments."""
    depth = 0
    for index in range(first, last):
        text = unit.text(index)
        depth += (text in ("(", "[", "<")) - (text in (")", "]", ">")) - 2 * (text == ">>")
        if depth <= 0:
            yield text


def users(unit: Unit, name: str) -> Iterator[Function | UnreadUse]:
    """The functions of this file that name the array of no function, each once; and places that name it otherwise."""
    seen: set[int] = set()
    for index in unit.file.places(name):
        if unit.tokens[index].directive >= 0:
            yield UnreadUse(index)
        elif not unit.is_member(index) and _means_it(unit, index, name):
            function = _device_function(unit, index)
            if function is None or unit.text(index - 1) == "::":
                yield UnreadUse(index)
            elif function.first not in seen:
                seen.add(function.first)
                yield function


def _means_it(unit: Unit, index: int, name: str) -> bool:
    """Not a declaration of it, and nothing else of that name."""
    first, last = _declaration(unit, index)
    if {"extern", "__shared__"} <= {unit.text(i) for i in range(first, last)}:
        return False
    declared = unit.ast.is_local(unit.path, unit.tokens[index].start, name) if unit.ast is not None else None
    if declared is not None:
        return not declared
    function = unit.scope(index).function
    return function is None or name not in (own for own, _ in parameters(unit.file, *function.params))


def _device_function(unit: Unit, index: int) -> Function | None:
    """The innermost one with a mark: a lambda belongs to the function around it."""
    around = [f for f in unit.scopes.functions if f.device and f.body[0] < index < f.body[1]]
    return max(around, key=lambda f: f.body[0], default=None)
