"""Where a source says how much shared memory a block gets: launches, attributes, configurations, and static arrays.

The size of a launch is often a local variable or a parameter of the launching function. Then the variable's initialiser
counts, or the argument at each call.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from porter.analysis.stored_sizes import Member, member_name, members, stored
from porter.findings import Edit
from porter.frontend.lexer import Kind, TokenFile, launch_arguments, split_commas, template_end
from porter.frontend.scopes import Function, Scopes, macros_for_kernels, scopes_with
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit

__all__ = [
    "Request",
    "as_constants",
    "asked_functions",
    "direct_requests",
    "given_sizes",
    "may_launch",
    "parameters",
    "requests",
]

# Calls and the number of the argument that is the size
_CALLS = {"cudaLaunchKernel": 4, "cudaLaunchCooperativeKernel": 4, "cuLaunchKernel": 7, "cuLaunchCooperativeKernel": 7}
_SETTINGS = {
    "cudaFuncSetAttribute": ("cudaFuncAttributeMaxDynamicSharedMemorySize", 2),
    "cuFuncSetAttribute": ("CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", 2),
}
_CASTS = frozenset({"int", "unsigned", "long", "size_t", "int32_t", "uint32_t", "int64_t", "uint64_t"})  # int(size)
_NO_MEMBERS = frozenset({"dynamicSmemBytes", "sharedMemBytes"})  # of CUDA's own structures
_OPERATORS = frozenset({"sizeof", "alignof", "decltype"})
_MOST_NAMES = 4  # that lead from one to the next
_ASSIGNS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "|=", "&=", "^=", "++", "--"})


@dataclass(frozen=True, slots=True)
class Request:
    first: int  # tokens of the expression
    last: int
    kernels: frozenset[str]  # the kernels that it may start, as far as tokens show
    setting: int = -1  # the token that names the attribute which is set to it


@dataclass(frozen=True, slots=True)
class _View:
    file: TokenFile
    scopes: Scopes

    def text(self, index: int) -> str:
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""


def requests(unit: Unit) -> list[Request]:
    """Token ranges of the sizes of this file, each once."""
    view = _View(unit.file, unit.scopes)
    carriers, kernels = _carriers_of(unit), _kernels_of(unit)
    by_place: dict[tuple[int, int], Request] = {}
    for place in _sizes(unit, carriers):
        if view.file.source(*place) not in ("0", "") and not _known_later(unit, *place):
            by_place.setdefault(place, Request(*place, _kernels(view, place[0], kernels), _setting(view, place[0])))
    for size, asking in _asked_of(unit, carriers, kernels).items():
        for place in _returned(view, *size):
            if not _known_later(unit, *place):
                by_place.setdefault(place, Request(*place, asking))
    return list(by_place.values())


_OCCUPANCY_SIZE = 3  # number of the argument that is the size in questions about occupancy


def direct_requests(unit: Unit, questions: frozenset[str] = frozenset()) -> list[Request]:
    """The sizes as launches and attributes have them, whatever their callers give; and those in questions about occupancy."""
    view = _View(unit.file, unit.scopes)
    kernels = _kernels_of(unit)
    places = [*_places(view)]
    for index in unit.file.places(*questions):
        parts = view.file.arguments(index + 1) if view.text(index + 1) == "(" else []
        places += parts[_OCCUPANCY_SIZE : _OCCUPANCY_SIZE + 1]
    by_place = {p: Request(*p, _kernels(view, p[0], kernels), _setting(view, p[0])) for p in places}
    return [request for place, request in by_place.items() if view.file.source(*place) not in ("0", "")]


def _sizes(unit: Unit, carriers: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """Of this file's launches, and of calls to functions of it and to `carriers`, that launch what they are given; and
    what is stored in a member that is the size of a launch."""
    view = _View(unit.file, unit.scopes)
    todo = [*_places(view), *_calls(view, carriers)]
    todo += [place for member in _size_members(unit, view) for place in stored(view.file, member)]
    known = set(carriers)
    while todo:
        place = todo.pop(0)
        carrier = _carrier(view, *place)
        if carrier is None:
            yield place
        elif carrier[0] not in known:
            known.add(carrier[0])
            todo += _calls(view, {carrier[0]: carrier[1]})


def given_sizes(unit: Unit, first: int, last: int, depth: int = 0) -> list[tuple[int, int]]:
    """What this file gives the parameter or the member that all of a size is; the size itself where it is neither."""
    view = _View(unit.file, unit.scopes)
    carrier, name = _carrier(view, first, last), _member_name(view, first, last)
    given: list[tuple[int, int]] = []
    if carrier is not None:
        given = list(_calls(view, {carrier[0]: carrier[1]}))
    elif name:
        given = [
            place for member in _size_members(unit, view) if member.name == name for place in stored(view.file, member)
        ]
    if not given or depth > _MOST_NAMES:
        return [(first, last)]
    return [place for one in given for place in given_sizes(unit, *one, depth + 1)]


def _size_members(unit: Unit, view: _View) -> Iterator[Member]:
    """Data members of the unit's classes that are the size of a launch."""
    others = [source for source in unit.members if source.path != unit.path and may_launch(source)]
    files = [view, *(_View(source.tokens, source.scopes) for source in others)]
    names = {name for one in files for place in _places(one) if (name := _member_name(one, *place))}
    for name in sorted(names):
        for one in files:
            yield from members(one.file, name)


def _member_name(view: _View, first: int, last: int) -> str:
    """The name that ends a size where it may be a data member's; no variable or parameter of the function around."""
    name = member_name(view.file, first, last)
    function = view.scopes.at(first).function
    if name in _NO_MEMBERS:
        return ""
    if not name or function is None or view.text(last - 2) in (".", "->"):
        return name
    declared = any(
        view.text(k + 1) == "=" and view.file.tokens[k - 1].kind == Kind.IDENT
        for k in view.file.places(name)
        if function.body[0] < k < function.body[1]
    )
    own = {parameter for parameter, _ in parameters(view.file, *function.params)}
    return "" if declared or name in own else name


def _asked_of(
    unit: Unit, carriers: Mapping[str, int], kernels: frozenset[str]
) -> Mapping[tuple[str, bool], frozenset[str]]:
    """Functions that give the shared memory of the unit's launches, as in `g.shared_bytes()`, and the kernels that
    those launches may start."""
    by_call: dict[tuple[str, bool], frozenset[str]] = {}
    others = (source for source in unit.members if source.path != unit.path and may_launch(source))
    for file in (unit, *(replace(unit, path=s.path, file=s.tokens, scopes=s.scopes) for s in others)):
        for place in _sizes(file, carriers):
            size = _size_function(file, *place)
            if size is not None:
                of = _kernels(_View(file.file, file.scopes), place[0], kernels)
                by_call[size] = by_call.get(size, frozenset()) | of
    return by_call


def _size_function(unit: Unit, first: int, last: int, depth: int = 0) -> tuple[str, bool] | None:
    """The function that a size is a call of, with a cast or without, here or where a local variable is declared; and
    whether it is an object's."""
    while unit.text(first) == "(" and unit.file.partner(first) < last - 1:
        first = unit.file.partner(first) + 1
    function = unit.scope(first).function
    if last == first + 1 and function is not None and depth < _MOST_NAMES:
        declared = _declaration(unit, function, unit.text(first), first)
        return _size_function(unit, declared + 2, _statement_end(unit, declared), depth + 1) if declared >= 0 else None
    opening = unit.file.partner(last - 1) if unit.text(last - 1) == ")" else -1
    name = opening - 1
    if unit.text(first) == "static_cast" and template_end(unit.file, first + 1, last) == opening:
        return _size_function(unit, opening + 1, last - 1, depth)
    if opening <= first or unit.tokens[name].kind != Kind.IDENT or unit.text(name) in _OPERATORS:
        return None
    begin = name
    while begin > first and unit.text(begin - 1) in (".", "->", "::"):
        begin -= 2
        if unit.text(begin) in ("]", ")"):
            begin = unit.file.partner(begin) - 1
    if begin == first and unit.text(name) in _CASTS:
        return _size_function(unit, opening + 1, last - 1, depth)
    return (unit.text(name), unit.is_member(name)) if begin == first else None


def _returned(view: _View, name: str, member: bool) -> Iterator[tuple[int, int]]:
    """What this file's functions of that name return; not where a call of one is a constant itself."""
    for function in view.scopes.functions:
        words = {view.text(i) for i in range(function.first, function.name_index)}
        if function.name != name or function.body[0] < 0 or function.device:
            continue
        if "constexpr" in words and not member:
            continue
        for index in range(*function.body):
            if view.text(index) == "return" and view.scopes.at(index).function is function:
                last = next(i for i in range(index, function.body[1] + 1) if view.text(i) in (";", "}"))
                yield index + 1, last


def asked_functions(unit: Unit) -> frozenset[str]:
    """The names of functions whose results launches of the unit ask for as sizes."""
    return frozenset(name for name, _ in _asked_of(unit, _carriers_of(unit), frozenset()))


def _carriers_of(unit: Unit) -> dict[str, int]:
    carriers: dict[str, int] = {}
    for source in unit.members:
        if source.path != unit.path and may_launch(source):
            carriers.update(_carriers(source))
    return carriers


def _kernels_of(unit: Unit) -> frozenset[str]:
    own = frozenset(f.name for f in unit.scopes.functions if f.kernel)
    macros = macros_for_kernels(one.tokens for one in unit.members if one.tokens.places("__global__"))
    return own.union(*(_kernel_names(source, macros) for source in unit.members if source.path != unit.path))


def _carriers(source: SourceFile) -> dict[str, int]:
    """Functions of a header that launch what they are given, and the number of the parameter that is the size."""
    view = _View(source.tokens, source.scopes)
    return dict(c for place in _places(view) if (c := _carrier(view, *place)) is not None)


def may_launch(source: SourceFile) -> bool:
    """May a file launch anything?"""
    return source.has(_LAUNCHES)


_CONFIGURATIONS = ("cudaLaunchConfig_t", "cudaLaunchConfig_st")
_LAUNCHES = re.compile(rb"<< *<|dynamicSmemBytes|LaunchConfig_|FuncSetAttribute|LaunchKernel|LaunchCooperativeKernel")


def _places(view: _View) -> Iterator[tuple[int, int]]:
    tokens = view.file.tokens
    for index in view.file.places("<<<", "dynamicSmemBytes", *_CONFIGURATIONS, *_CALLS, *_SETTINGS):
        token = tokens[index]
        if token.text == "<<<":
            parts = launch_arguments(view.file, index)
            if len(parts) > 2:
                yield parts[2]
        elif token.text in _CONFIGURATIONS:
            yield from _third_member(view, index)
        elif token.text == "dynamicSmemBytes" and view.text(index + 1) == "=":
            last = next(i for i in range(index + 2, len(tokens) + 1) if view.text(i) in (";", ",", "}", ""))
            yield index + 2, last
        elif view.text(index + 1) == "(":
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
    if function is None or depth > _MOST_NAMES:
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
    parameters = []
    for first, last in split_commas(file, opening + 1, closing):
        end = next((i for i in range(first, last) if file.tokens[i].text in ("=", "[")), last)
        named = [file.tokens[i].text for i in range(first, end) if file.tokens[i].kind == Kind.IDENT]
        parameters.append((named[-1] if named else "", (first, last)))
    return parameters


def _calls(view: _View, carriers: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    for index in view.file.places(*carriers):
        if view.text(index - 1) in (".", "->"):
            continue
        opening = index + 1
        if view.text(opening) == "<":
            opening = template_end(view.file, opening, len(view.file.tokens))
        if 0 <= opening < len(view.file.tokens) and view.file.tokens[opening].kind == Kind.IDENT:
            opening += 1  # an object is declared
        function = view.scopes.at(index).function
        if view.text(opening) != "(" or function is None:
            continue  # a declaration
        parts = view.file.arguments(opening)
        number = carriers[view.text(index)]
        if len(parts) > number:
            yield parts[number]


def _kernel_names(source: SourceFile, macros: Mapping[str, frozenset[str]]) -> frozenset[str]:
    marked = any(source.tokens.places("__global__", *macros))
    functions = scopes_with(source.tokens, macros).functions if marked else ()
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
    places = unit.file.places(name)
    for index in places[bisect_left(places, function.body[0]) : bisect_left(places, function.body[1])]:
        if unit.is_member(index):
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
