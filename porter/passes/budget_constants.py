"""The constants of a source that decide how much shared memory it wants, and what may be done to each of them.

A constant is a literal with a name: `constexpr int kStages = 4;`, `#define STAGES 4`, a template's default, or a literal
template argument (`gemm<128, 128, 64, 4>`), which is called what the template calls it. It may be changed where the
source itself says that everything follows from it: see Constant.free.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from porter.frontend.lexer import Kind, template_end
from porter.frontend.unit import Unit
from porter.model import Edit
from porter.passes.budget_requests import parameters

__all__ = ["Constant", "constants"]

_STAGES = re.compile(r"stage|pipe|depth|buffer|slot|q_?size", re.IGNORECASE)
_TILES = re.compile(
    r"^k?(?:[BT][MNKQRC]|[BT][rcq]|(?:cta)?_?(?:block|tile|blk|cta)_?(?:shape)?_?(?:size)?_?(?:[mnkqxy]|kv|rows?|cols?|columns?|seq)?"
    r"|[mnk]_?(?:block|tile)(?:_?size)?)$",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"^k?(?:blocks?|block_?size|blk|cta|threads?)$|per|num|warp|thread|group", re.IGNORECASE)
_OF_K = re.compile(r"(?:_[kK]|[a-z]K|[BT]K)$")
_SWIZZLE = re.compile(r"swizzle", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    value: int
    places: tuple[tuple[int, int], ...]  # of the literal, the same everywhere
    stages: bool  # counts stages; else the length of a tile
    free: bool  # everything follows from it, as far as the source tells
    lower_bound: bool  # a static_assert says how few there may be

    def edits(self, value: int) -> list[Edit]:
        return [Edit(start, end, str(value)) for start, end in self.places]


@dataclass(frozen=True, slots=True)
class _Source:
    depends: Mapping[str, set[str]]  # by name, the names in its definition
    plain: Mapping[str, set[str]]  # the same without the sizes of the source's own types
    device: frozenset[str]  # names in device code
    extents: frozenset[str]  # names in the extents of device code's own arrays
    bounds: frozenset[str]  # names in the conditions of its loops
    asserted: frozenset[str]
    bounded_below: frozenset[str]
    swizzled: bool  # copies or matrix instructions that know how long a row is


def constants(unit: Unit) -> list[Constant]:
    templates = _templates(unit)
    source = _read(unit, templates)
    places: dict[tuple[str, int, int], list[tuple[int, int]]] = {}
    functions = {f.name for f in unit.scopes.functions}
    reaching: set[tuple[str, int, int]] = set()
    for name, index, owner in _literals(unit, templates):
        literal = unit.tokens[index]
        # Template arguments of one name and value are one constant, declarations are each their own.
        key = (name, int(literal.text.rstrip("uUlL")), -1 if owner else index)
        places.setdefault(key, []).append((literal.start, literal.end))
        if not owner or owner in functions:
            reaching.add(key)
    found = []
    for (name, value, number), where in places.items():
        stages = _STAGES.search(name) is not None and value > 1
        tile = not stages and _TILES.search(name) is not None and not _COUNTS.search(name)
        used = _closure(name, source.depends)
        if (stages or tile) and value > 1 and (name, value, number) in reaching and used & source.device:
            plain = _closure(name, source.plain)
            free = stages or _follows(name, plain, used, source)
            found.append(Constant(name, value, tuple(where), stages, free, bool(plain & source.bounded_below)))
    return sorted(found, key=lambda c: _OF_K.search(c.name) is not None)  # the length that is halved first is last


def _follows(name: str, plain: set[str], used: set[str], source: _Source) -> bool:
    """A tile whose rows are as long as a swizzle has the swizzle follow; otherwise the arrays of device code, or, along
    k, its loops do; or a static_assert says what it may be."""
    asserted = bool(plain & source.asserted)
    if _OF_K.search(name):
        if source.swizzled:
            return asserted or any(_SWIZZLE.search(n) for n in plain)
        return asserted or bool(used & (source.bounds | source.extents))
    return asserted or bool(used & source.extents)


def _closure(name: str, depends: Mapping[str, set[str]]) -> set[str]:
    """Everything that is made of it, itself among them."""
    found, size = {name}, 0
    while len(found) != size:
        size = len(found)
        found |= {other for other, names in depends.items() if names & found}
    return found


def _literals(unit: Unit, templates: Mapping[str, list[str]]) -> Iterator[tuple[str, int, str]]:
    """Names, the token of the literal, and the template whose argument it is."""
    tokens = unit.tokens
    for index in range(1, len(tokens) - 1):
        token = tokens[index]
        if token.text == "<" and unit.text(index - 1) in templates and token.directive < 0:
            names = templates[unit.text(index - 1)]
            end = template_end(unit.file, index, len(tokens))
            arguments = parameters(unit.file, index, end - 1) if end > 0 else []
            for name, (_, (first, last)) in zip(names, arguments):
                if name and last == first + 1 and _is_integer(unit, first):
                    yield name, first, unit.text(index - 1)
        if not _is_integer(unit, index):
            continue
        if token.directive >= 0:
            directive = unit.file.directives[token.directive]
            if directive.name == "define" and index == directive.first + 1 == directive.last - 1:
                yield tokens[index - 1].text, index, ""
        elif unit.text(index - 1) == "=" and tokens[index - 2].kind == Kind.IDENT:
            after = unit.text(index + 1)
            words = _declaration(unit, index)
            if (after in (";", ",") and words & {"constexpr", "const"}) or (
                after in (",", ">") and "template" in words
            ):
                yield tokens[index - 2].text, index, ""


def _is_integer(unit: Unit, index: int) -> bool:
    token = unit.tokens[index]
    return token.kind == Kind.NUMBER and token.text.rstrip("uUlL").isdigit()


def _declaration(unit: Unit, index: int) -> set[str]:
    """The words of the declaration so far; none inside of a function's parameters."""
    first = index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}", ")", "(") and index - first < 60:
        first -= 1
    return {unit.text(i) for i in range(first, index)} if unit.text(first - 1) != "(" else set()


def _templates(unit: Unit) -> dict[str, list[str]]:
    """The parameters of the file's templates: of kernels, functions, classes, variables and aliases."""
    found: dict[str, list[str]] = {}
    for index, token in enumerate(unit.tokens):
        if token.text != "template" or unit.text(index + 1) != "<" or token.directive >= 0:
            continue
        end = template_end(unit.file, index + 1, len(unit.tokens), parameters=True)
        if end < 0:
            continue
        last = end
        while unit.text(last) not in (";", "{", "=", "(", "") or _with_brackets(unit.text(last - 1)):
            last = unit.file.partner(last) + 1 if unit.text(last) == "(" else last + 1
        if unit.tokens[last - 1].kind == Kind.IDENT:
            found[unit.text(last - 1)] = [name for name, _ in parameters(unit.file, index + 1, end - 1)]
    return found


def _with_brackets(word: str) -> bool:
    """alignas, __launch_bounds__, __cluster_dims__ and their like"""
    return word == "alignas" or (word.startswith("__") and word.endswith("__"))


def _read(unit: Unit, templates: Mapping[str, list[str]]) -> _Source:
    depends: dict[str, set[str]] = {}
    classes = {unit.text(i + 1) for i, t in enumerate(unit.tokens) if t.text in ("struct", "class", "union")}
    plain: dict[str, set[str]] = {}

    def define(name: str, names: set[str]) -> None:
        depends.setdefault(name, set()).update(names)
        if name not in classes and not ("sizeof" in names and names & classes):
            plain.setdefault(name, set()).update(names)

    device: set[str] = set()
    extents: set[str] = set()
    bounds: set[str] = set()
    asserted: set[str] = set()
    below: set[str] = set()
    listed = set[int]()  # tokens of template parameters
    swizzled = any(b"CU_TENSOR_MAP_SWIZZLE_" in text or b"wgmma" in text for text in _headers(unit))
    for index, token in enumerate(unit.tokens):
        text = token.text
        if token.kind == Kind.STRING:
            swizzled = swizzled or "wgmma" in text
            continue
        if text == "template" and unit.text(index + 1) == "<":
            end = template_end(unit.file, index + 1, len(unit.tokens), parameters=True)
            listed.update(range(index, end))
            for name, part in parameters(unit.file, index + 1, end - 1) if end > 0 else ():
                define(name, _names(unit, *part) - {name})
        in_device = unit.scope(index).device
        if token.kind == Kind.IDENT:
            swizzled = swizzled or text.startswith("CU_TENSOR_MAP_SWIZZLE_")
            if in_device:
                device.add(text)
        if text == "=" and unit.tokens[index - 1].kind == Kind.IDENT and token.directive < 0 and index not in listed:
            define(unit.text(index - 1), _names(unit, index + 1, _end(unit, index + 1)))
        elif text in ("struct", "class") and unit.tokens[index + 1].kind == Kind.IDENT:
            opening = next((i for i in range(index, len(unit.tokens)) if unit.text(i) in ("{", ";")), index)
            if unit.text(opening) == "{":
                define(unit.text(index + 1), _names(unit, opening, unit.file.partner(opening)))
        elif text == "static_assert" and unit.text(index + 1) == "(":
            names = _names(unit, index + 2, unit.file.partner(index + 1))
            if not names & classes:
                asserted |= names
                for at in range(index + 2, unit.file.partner(index + 1) - 1):
                    if unit.text(at) in (">=", ">"):
                        below.add(unit.text(at - 1))
        elif text == "for" and in_device and unit.text(index + 1) == "(":
            bounds |= _names(unit, index + 2, unit.file.partner(index + 1))
        elif text == "[" and in_device and _declares(unit, index):
            extents |= _names(unit, index + 1, unit.file.partner(index))
        elif text == "<" and unit.text(index - 1) in templates:
            end = template_end(unit.file, index, len(unit.tokens))
            for name, (_, part) in zip(
                templates[unit.text(index - 1)], parameters(unit.file, index, end - 1) if end > 0 else []
            ):
                define(name, _names(unit, *part))
    for directive in unit.file.directives:
        if directive.name == "define" and directive.last > directive.first:
            define(unit.text(directive.first), _names(unit, directive.first + 1, directive.last))
    return _Source(depends, plain, frozenset(device), frozenset(extents), frozenset(bounds), frozenset(asserted),
                   frozenset(below), swizzled)  # fmt: skip


def _headers(unit: Unit) -> Iterator[bytes]:
    """Of the translation unit, where helpers are that make tensor maps."""
    for path in unit.ast.project_files() if unit.ast else ():
        with contextlib.suppress(OSError):
            yield path.read_bytes()


def _names(unit: Unit, first: int, last: int) -> set[str]:
    return {t.text for t in unit.tokens[first:last] if t.kind == Kind.IDENT}


def _end(unit: Unit, index: int) -> int:
    """Where an initialiser ends: at the `;` or `,` outside of brackets."""
    while index < len(unit.tokens) and unit.text(index) not in (";", ",", ")", "}"):
        index = max(unit.file.partner(index), index) + 1
    return index


def _declares(unit: Unit, index: int) -> bool:
    """`float d[`, `float (&d)[`, and further extents of it; not in shared memory."""
    while unit.text(index - 1) == "]":
        index = unit.file.partner(index - 1)
    if unit.text(index - 1) == ")":
        return unit.text(unit.file.partner(index - 1) + 1) in ("&", "*")
    before = unit.tokens[index - 2]
    if unit.tokens[index - 1].kind != Kind.IDENT or not (before.kind == Kind.IDENT or before.text in ("*", ">")):
        return False
    begin = index - 2
    while begin > 0 and unit.text(begin) not in (";", "{", "}", "("):
        begin -= 1
    return before.text not in ("return", "else") and "__shared__" not in {unit.text(i) for i in range(begin, index)}
