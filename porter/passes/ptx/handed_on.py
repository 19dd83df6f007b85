"""An object of a kernel that the functions on the way to some places of it are handed by reference.

All of that is within one file, and in doubt there is nothing: a name of such a function that another file has too, or that is
used without a call, may be somebody's who hands nothing on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from porter.findings import Edit
from porter.frontend.lexer import Kind, template_end
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.hopper.captures import captures, lambdas_around

__all__ = ["Handed", "first_in_brackets", "handed_on"]

_TYPES = frozenset({"struct", "class", "union", "enum"})
_SCOPES = _TYPES | {"namespace"}
_ALWAYS = "__attribute__((always_inline))"
_INLINED = frozenset({"__forceinline__", "always_inline"})
_AS_IT_IS = frozenset({"__noinline__", "noinline", "virtual"})
_ASKING = frozenset({"ifdef", "ifndef", "undef"})


@dataclass(frozen=True, slots=True)
class Handed:
    kernels: tuple[Function, ...]
    functions: tuple[Function, ...]  # that get it, with and without a body
    names: frozenset[str]  # theirs, and those of macros
    uses: tuple[int, ...]  # tokens where it is named in the port
    calls: tuple[int, ...]  # opening brackets of calls of such functions

    def edits(self, unit: Unit, name: str, type_name: str) -> Iterator[Edit]:
        """How the functions get what the kernels have by this name."""
        for function in self.functions:
            yield first_in_brackets(unit, function.params[0], f"{type_name}& {name}")
            yield from _inlined(unit, function)
        for opening in self.calls:
            yield first_in_brackets(unit, opening, name)
        for function in (*self.kernels, *self.functions):
            if function.body[0] >= 0:
                yield from captures(unit, function.body, name, self.uses)
                for _, closing in lambdas_around(unit, function.body, self.uses):
                    end = unit.tokens[closing].end
                    yield Edit(end, end, f" {_ALWAYS}")


def handed_on(unit: Unit, sites: Iterable[int]) -> Handed | None:
    """The kernels and functions that lead to these tokens; None where not all of them are known."""
    search = _Search(unit)
    try:
        search.follow(sites)
    except _Unclear:
        return None
    return search.result()


def first_in_brackets(unit: Unit, opening: int, text: str) -> Edit:
    """A first parameter or argument in brackets."""
    closing, end = unit.file.partner(opening), unit.tokens[opening].end
    if [t.text for t in unit.tokens[opening + 1 : closing]] == ["void"]:
        return Edit(end, unit.tokens[closing].start, text)
    return Edit(end, end, text if closing == opening + 1 else f"{text}, ")


def _inlined(unit: Unit, function: Function) -> Iterator[Edit]:
    """It has to be inlined, or the object is memory: behind its __device__, unless it says so itself."""
    words = {unit.text(k): k for k in range(function.first, function.name_index)}
    if "__device__" in words and words.keys().isdisjoint(_INLINED):
        end = unit.tokens[words["__device__"]].end
        yield Edit(end, end, f" {_ALWAYS}" if "inline" in words else " __forceinline__")


class _Unclear(Exception):
    """Who leads to a place cannot be told."""


class _Search:
    def __init__(self, unit: Unit) -> None:
        self.unit, self.file = unit, unit.file
        self.by_name: dict[str, list[Function]] = {}
        for function in unit.scopes.functions:
            self.by_name.setdefault(function.name, []).append(function)
        files = {one.path: one.tokens for one in (*unit.members, *unit.included) if one.path != unit.path}
        self.others: frozenset[str] = frozenset().union(*(one.texts() for one in files.values()))
        self.kernels: dict[int, Function] = {}
        self.names: set[str] = set()
        self.uses: set[int] = set()
        self.calls: set[int] = set()

    def result(self) -> Handed:
        functions = tuple(f for name in self.names for f in self.by_name.get(name, ()) if not f.kernel)
        kernels = tuple(self.kernels[at] for at in sorted(self.kernels))
        order = sorted(functions, key=lambda f: f.first)
        return Handed(kernels, tuple(order), frozenset(self.names), tuple(sorted(self.uses)), tuple(sorted(self.calls)))

    def follow(self, sites: Iterable[int]) -> None:
        todo = list(sites)
        while todo:
            index = todo.pop()
            if index in self.uses:
                continue
            self.uses.add(index)
            directive = self.unit.tokens[index].directive
            if directive >= 0:
                todo += self.uses_of_macro(directive)
            elif (function := self.function(index)).kernel:
                self.kernels[function.body[0]] = function
            elif function.name not in self.names:
                self.own(function.name)
                todo += self.calls_of(function.name)

    def function(self, index: int) -> Function:
        """The function around a token, over lambdas."""
        around = [f for f in self.unit.scopes.functions if f.name and f.body[0] < index < f.body[1]]
        if len(around) != 1:
            raise _Unclear
        return around[0]

    def own(self, name: str) -> None:
        """Takes a name that is this file's alone."""
        if name in self.others:
            raise _Unclear
        self.names.add(name)

    def uses_of_macro(self, number: int) -> Iterator[int]:
        directive = self.file.directives[number]
        if directive.name != "define":
            raise _Unclear
        name = self.unit.text(directive.first)
        if name not in self.names:
            self.own(name)
            yield from (k for k in self.file.places(name) if not self.is_about(k))

    def is_about(self, index: int) -> bool:
        """Whether a token is a macro's name where it is defined or asked for."""
        number = self.unit.tokens[index].directive
        if number < 0:
            return False
        directive = self.file.directives[number]
        return directive.name in _ASKING or (directive.name == "define" and directive.first == index)

    def calls_of(self, name: str) -> Iterator[int]:
        functions = self.by_name[name]
        if not all(map(self.may_be_handed, functions)):
            raise _Unclear
        own = {f.name_index for f in functions}
        members = any(self.in_type(f) for f in functions)
        for index in self.file.places(name):
            before = self.unit.text(index - 1)
            if index in own or (self.unit.is_member(index) and not members) or self.is_elsewhere(index):
                continue
            opening = index + 1
            if self.unit.text(opening) == "<":
                opening = template_end(self.file, opening, len(self.unit.tokens))
            if before in _TYPES or opening < 0 or self.unit.text(opening) != "(" or self.file.partner(opening) < 0:
                raise _Unclear
            self.calls.add(opening)
            yield index

    def may_be_handed(self, function: Function) -> bool:
        words = {self.unit.text(k) for k in range(function.first, function.name_index)}
        unnamed = self.unit.text(function.name_index - 1) in ("~", "operator")
        device = function.device or any(
            len(word) > 3 and word.isupper() for word in words
        )  # or a macro of another file says so
        return device and not function.kernel and not unnamed and words.isdisjoint(_AS_IT_IS)

    def in_type(self, function: Function) -> bool:
        """Whether it is a member of a type."""
        if self.unit.text(function.name_index - 1) == "::":
            return True
        return any(first < function.first < last for first, last in self.types())

    def types(self) -> Iterator[tuple[int, int]]:
        """The braces of types."""
        for index in self.file.places(*_TYPES):
            at = index + 1
            while at < len(self.unit.tokens) and self.unit.text(at) not in ("{", ";", "(", ")", ",", ">", "="):
                at += 1
            if self.unit.text(at) == "{":
                yield at, self.file.partner(at)

    def is_elsewhere(self, index: int) -> bool:
        """Whether it is qualified by a name that this file has no scope of. An alias may stand for any."""
        if self.unit.text(index - 1) != "::" or self.unit.tokens[index - 2].kind != Kind.IDENT:
            return False
        scope = self.unit.text(index - 2)
        if any(self.is_alias(k) for k in self.file.places(scope)):
            raise _Unclear
        return not any(self.unit.text(k - 1) in (*_SCOPES, "::") for k in self.declared(scope))

    def is_alias(self, index: int) -> bool:
        """Whether a token is declared as another name of a type: by `using`, `typedef` or as a template's parameter."""
        before, after = self.unit.text(index - 1), self.unit.text(index + 1)
        parameter = before in ("class", "typename") and after in (",", ">", "=")
        first = next((k for k in range(index, -1, -1) if self.unit.text(k) in (";", "{", "}")), -1) + 1
        return (
            (before == "using" and after == "=")
            or parameter
            or (after == ";" and "typedef" in map(self.unit.text, range(first, index)))
        )

    def declared(self, scope: str) -> Sequence[int]:
        return [k for k in self.file.places(scope) if self.unit.text(k + 1) in ("{", ":", "final", "::")]
