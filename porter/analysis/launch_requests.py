"""Where a source says how much shared memory a block gets: launches, attributes, configurations, and static arrays.

The size of a launch is often a local variable, or the parameter of a function that launches: then what counts is the
variable's initialiser, or the argument at each call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.frontend.lexer import Kind, TokenFile, launch_arguments, split_commas, template_end
from porter.frontend.project import SourceFile
from porter.frontend.scopes import Function, Scopes
from porter.frontend.unit import Unit
from porter.model import Edit

__all__ = ["Request", "Static", "as_constants", "asks", "parameters", "requests", "statics"]

# Calls and the number of the argument that is the size
_CALLS = {"cudaLaunchKernel": 4, "cudaLaunchCooperativeKernel": 4, "cuLaunchKernel": 7, "cuLaunchCooperativeKernel": 7}
_SETTINGS = {
    "cudaFuncSetAttribute": ("cudaFuncAttributeMaxDynamicSharedMemorySize", 2),
    "cuFuncSetAttribute": ("CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", 2),
}
_ASSIGNS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "|=", "&=", "^=", "++", "--"})


@dataclass(frozen=True, slots=True)
class Request:
    first: int  # tokens of the expression
    last: int
    kernels: frozenset[str]  # those that it may be for, as far as tokens tell
    setting: int = -1  # the token that names the attribute which is set to it


@dataclass(frozen=True, slots=True)
class Static:
    place: int  # offset after the declaration
    name: str
    function: str  # the kernel, or "" for another function


@dataclass(frozen=True, slots=True)
class _View:
    file: TokenFile
    scopes: Scopes

    def text(self, index: int) -> str:
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""


def requests(unit: Unit) -> list[Request]:
    """Token ranges of the sizes of this file, each once."""
    view = _View(unit.file, unit.scopes)
    carriers: dict[str, int] = {}
    kernels = frozenset(f.name for f in unit.scopes.functions if f.kernel)
    for source in unit.members:
        if source.path != unit.path:
            carriers.update(_carriers(source) if asks(source) else {})
            kernels |= _kernel_names(source)
    found: dict[tuple[int, int], Request] = {}
    todo = [*_places(view), *_calls(view, carriers)]
    known = set(carriers)
    while todo:
        place = todo.pop(0)
        carrier = _carrier(view, *place)
        if carrier is not None:
            if carrier[0] not in known:
                known.add(carrier[0])
                todo += _calls(view, {carrier[0]: carrier[1]})
            continue
        if view.file.source(*place) not in ("0", "") and not _known_later(unit, *place):
            found.setdefault(place, Request(*place, _kernels(view, place[0], kernels), _setting(view, place[0])))
    return list(found.values())


def _carriers(source: SourceFile) -> dict[str, int]:
    """Functions of a header that launch what they are given, and the number of the parameter that is the size."""
    view = _View(source.tokens, source.scopes)
    return dict(c for place in _places(view) if (c := _carrier(view, *place)) is not None)


def asks(source: SourceFile) -> bool:
    """May a file launch anything?"""
    return source.has(_ASKS)


_CONFIGURATIONS = ("cudaLaunchConfig_t", "cudaLaunchConfig_st")
_ASKS = re.compile(rb"<< *<|dynamicSmemBytes|LaunchConfig_|FuncSetAttribute|LaunchKernel|LaunchCooperativeKernel")


def _places(view: _View) -> Iterator[tuple[int, int]]:
    tokens = view.file.tokens
    for index, token in enumerate(tokens):
        if token.text == "<<<":
            parts = launch_arguments(view.file, index)
            if len(parts) > 2:
                yield parts[2]
        elif token.text in _CONFIGURATIONS:
            yield from _third_member(view, index)
        elif token.text == "dynamicSmemBytes" and view.text(index + 1) == "=":
            last = next(i for i in range(index + 2, len(tokens) + 1) if view.text(i) in (";", ",", "}", ""))
            yield index + 2, last
        elif token.kind == Kind.IDENT and view.text(index + 1) == "(":
            number = _CALLS.get(token.text, -1)
            if token.text in _SETTINGS:
                setting, number = _SETTINGS[token.text]
                if not any(view.file.source(*part).endswith(setting) for part in view.file.arguments(index + 1)[1:2]):
                    continue
            parts = view.file.arguments(index + 1) if number >= 0 else []
            if len(parts) > number >= 0:
                yield parts[number]


def _third_member(view: _View, index: int) -> Iterator[tuple[int, int]]:
    """`cudaLaunchConfig_t config = {grid, block, bytes};`"""
    opening = next((k for k in range(index + 1, index + 4) if view.text(k) in ("{", ";", "(", ",", ")")), index)
    parts = view.file.arguments(opening) if view.text(opening) == "{" else []
    if len(parts) > 2 and view.text(parts[2][0]) != ".":
        yield parts[2]


def _known_later(unit: Unit, first: int, last: int, depth: int = 0) -> bool:
    """Whether a size is sure to be known only when the program runs: most are, and need not be evaluated."""
    function = unit.scope(first).function
    if function is None or depth > 4:
        return False
    arguments = {name for name, _ in parameters(unit.file, *function.params)}
    index = first
    while index < last:
        text = unit.text(index)
        if text == "sizeof" and unit.text(index + 1) == "(":
            index = unit.file.partner(index + 1)
        elif unit.tokens[index].kind == Kind.IDENT and not unit.is_member(index):
            of_object = unit.text(index + 1) in (".", "->")
            if text in arguments or (of_object and not _constant(unit, text)):
                return True
            declared = _declaration(unit, function, text, first)
            if declared >= 0 and _known_later(unit, declared + 2, _statement_end(unit, declared), depth + 1):
                return True
        index += 1
    return False


def _constant(unit: Unit, name: str) -> bool:
    """Is there an object of this name that is a constant, or a template's parameter?"""
    for index in range(1, len(unit.tokens)):
        if unit.text(index) != name or unit.tokens[index - 1].kind != Kind.IDENT:
            continue
        first = index
        while first > 0 and unit.text(first - 1) not in (";", "{", "}", ")", "("):
            first -= 1
        if {"constexpr", "template"} & {unit.text(k) for k in range(first, index)}:
            return True
    return False


def _statement_end(unit: Unit, index: int) -> int:
    """Of the initialiser after the name and the `=`."""
    index += 2
    while index < len(unit.tokens) and unit.text(index) not in (";", ","):
        index = max(unit.file.partner(index), index) + 1
    return index


def _setting(view: _View, first: int) -> int:
    names = {name for name, _ in _SETTINGS.values()}
    return first - 2 if view.text(first - 1) == "," and view.text(first - 2) in names else -1


def _carrier(view: _View, first: int, last: int) -> tuple[str, int] | None:
    """The function, and the number of its parameter, if that is all that the size is."""
    function = view.scopes.at(first).function
    if last != first + 1 or function is None or not function.name:
        return None
    names = [name for name, _ in parameters(view.file, *function.params)]
    return (function.name, names.index(view.text(first))) if view.text(first) in names else None


def parameters(file: TokenFile, opening: int, closing: int) -> list[tuple[str, tuple[int, int]]]:
    """Of a function or a template: names, and the tokens of each."""
    found = []
    for first, last in split_commas(file, opening + 1, closing):
        end = next((i for i in range(first, last) if file.tokens[i].text in ("=", "[")), last)
        named = [file.tokens[i].text for i in range(first, end) if file.tokens[i].kind == Kind.IDENT]
        found.append((named[-1] if named else "", (first, last)))
    return found


def _calls(view: _View, carriers: dict[str, int]) -> Iterator[tuple[int, int]]:
    for index, token in enumerate(view.file.tokens):
        if token.text not in carriers or view.text(index - 1) in (".", "->"):
            continue
        opening = index + 1
        if view.text(opening) == "<":
            opening = template_end(view.file, opening, len(view.file.tokens))
        function = view.scopes.at(index).function
        if view.text(opening) != "(" or function is None:
            continue  # a declaration
        parts = view.file.arguments(opening)
        if len(parts) > carriers[token.text]:
            yield parts[carriers[token.text]]


def _kernel_names(source: SourceFile) -> frozenset[str]:
    functions = source.scopes.functions if b"__global__" in source.data else ()
    return frozenset(f.name for f in functions if f.kernel)


def _kernels(view: _View, index: int, every: frozenset[str]) -> frozenset[str]:
    """The kernels that the statement around the place names; else those of the function, else every one."""
    function = view.scopes.at(index).function
    if function is None:
        return every
    body = function.body
    for first, last in (_statement(view, index, body), body):
        if named := every & {view.text(i) for i in range(first, last)}:
            return named
    return every


def _statement(view: _View, index: int, body: tuple[int, int]) -> tuple[int, int]:
    """The tokens between the semicolons and braces around the place."""
    ends = (";", "{", "}")
    first = next((i for i in range(index, body[0], -1) if view.text(i - 1) in ends), body[0])
    return first, next((i for i in range(index, body[1]) if view.text(i) in ends), body[1])


def as_constants(unit: Unit, wanted: Sequence[Request]) -> list[Edit]:
    """`const` before the local variables that sizes are made of, where nothing changes them later."""
    edits: dict[int, Edit] = {}
    todo = [(r.first, r.last) for r in wanted]
    seen: set[int] = set()
    while todo:
        first, last = todo.pop()
        function = unit.scope(first).function
        for index in range(first, last):
            if function is None or unit.tokens[index].kind != Kind.IDENT or unit.is_member(index):
                continue
            declared = _declaration(unit, function, unit.text(index), first)
            if declared < 0 or declared in seen:
                continue
            seen.add(declared)
            begin = declared
            while unit.text(begin - 1) not in (";", "{", "}", ")"):
                begin -= 1
            if not {"const", "constexpr"} & {unit.text(i) for i in range(begin, declared)}:
                edits[begin] = Edit(unit.tokens[begin].start, unit.tokens[begin].start, "const ")
            todo.append((declared + 2, _statement_end(unit, declared)))
    return list(edits.values())


def _declaration(unit: Unit, function: Function, name: str, before: int) -> int:
    """The token of the name where the function declares it with `=`, before a place that sees it; -1: not, or changed
    later. Blocks beside it, as the branches of an `else if`, have variables of their own."""
    declared: list[int] = []
    changed: list[int] = []
    for index in range(function.body[0], function.body[1]):
        if unit.text(index) != name or unit.is_member(index):
            continue
        typed = unit.tokens[index - 1].kind == Kind.IDENT and unit.text(index - 1) not in ("return", "using")
        if unit.text(index + 1) == "=" and (typed or unit.text(index - 1) == ","):
            declared.append(index)
        elif unit.text(index + 1) in _ASSIGNS or unit.text(index - 1) in ("++", "--"):
            changed.append(index)
    seen = [index for index in declared if index < before < _block_end(unit, index, function)]
    if len(seen) != 1 or any(seen[0] < index < _block_end(unit, seen[0], function) for index in changed):
        return -1
    return seen[0]


def _block_end(unit: Unit, index: int, function: Function) -> int:
    """Of the innermost block around the place."""
    depth = 0
    for i in range(index, function.body[1]):
        depth += {"{": 1, "}": -1}.get(unit.text(i), 0) if unit.tokens[i].directive < 0 else 0
        if depth < 0:
            return i
    return function.body[1]


def statics(unit: Unit) -> list[Static]:
    """Arrays and variables in shared memory that every block has."""
    found = []
    for index, token in enumerate(unit.tokens):
        if token.text != "__shared__" or token.directive >= 0:
            continue
        begin = index
        while unit.text(begin - 1) not in (";", "{", "}", ")", ""):
            begin -= 1
        last = next((i for i in range(index, len(unit.tokens)) if unit.text(i) in (";", "{", "")), index)
        function = unit.scope(index).function
        if function is None or unit.text(last) != ";" or "extern" in {unit.text(i) for i in range(begin, last)}:
            continue
        for name, _ in parameters(unit.file, index, last):
            found.append(Static(unit.tokens[last].end, name, function.name if function.kernel else ""))
    return found
