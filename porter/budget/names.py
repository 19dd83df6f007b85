"""What follows from what in a source, by names: a name is a template's parameter, a function's own, or everybody's."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.analysis.launch_requests import parameters
from porter.analysis.templates import Template, shaping, template_arguments, templates_of
from porter.frontend.lexer import Kind, template_end
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["Names", "closure", "origins", "read_names"]


@dataclass(frozen=True, slots=True)
class Names:
    meanings: tuple[str, ...]  # of each token
    templates: Mapping[str, list[Template]]
    depends: Mapping[str, set[str]]  # by name, the names in its definition
    plain: Mapping[str, set[str]]  # the same without the sizes of the source's own types
    device: frozenset[str]  # names in device code
    extents: frozenset[str]  # in the extents of device code's own arrays, and in shapes of its instructions
    bounds: frozenset[str]  # in the conditions of its loops
    sizes: tuple[tuple[int, int], ...]  # tokens of these extents, of shapes and of blocks' sizes
    threads: frozenset[str]  # in the size of a kernel's blocks
    least: Mapping[
        str, int
    ]  # by name, how many there have to be: 2 for `(i - 1) % kStages` and for `kStages - 2`, or 3
    indexed: Mapping[str, int]  # by name, how long arrays of that extent have to be for the numbers that index them
    rings: frozenset[str]  # by which device code divides for the parity of a phase: `i / kTiles & 1`
    called: Mapping[str, set[str]]  # by name, the constants that are just it
    alike: Mapping[str, set[str]]  # by name, what is just the names in it, parameters of templates too
    asserted: frozenset[str]
    bounded_below: frozenset[str]
    swizzled: bool  # there are copies or matrix instructions that know how long a row is


def closure(names: set[str], depends: Mapping[str, set[str]]) -> set[str]:
    """Everything that is made of them, themselves among it."""
    reached, size = set(names), 0
    while len(reached) != size:
        size = len(reached)
        reached |= {other for other, parts in depends.items() if parts & reached}
    return reached


def origins(names: Names) -> set[str]:
    """Everything that device code's names are made of, themselves among it."""
    names_reached, size = set(names.device), 0
    while len(names_reached) != size:
        size = len(names_reached)
        names_reached |= {part for other, parts in names.depends.items() if other in names_reached for part in parts}
    return names_reached


def _meanings(unit: Unit, templates: list[Template]) -> list[str]:
    ranges = [(t.first, t.last, {p: t.own(p) for p in t.parameters}) for t in templates]
    for function in unit.scopes.functions:
        first, last = function.body
        own = {
            unit.text(i)
            for i in range(first, last)
            if unit.text(i + 1) == "=" and unit.tokens[i].kind == Kind.IDENT and _declared(unit, i)
        }
        ranges.append((first, last, {name: f"{function.name}@{first}::{name}" for name in own}))
    meanings = [token.text for token in unit.tokens]
    for first, last, names in sorted(ranges, key=lambda r: r[0] - r[1]):  # inner ones later
        for index in range(max(first, 0), last + 1):
            token = unit.tokens[index]
            if token.text in names and token.directive < 0 and unit.text(index - 1) not in (".", "->", "::"):
                meanings[index] = names[token.text]
    return meanings


def _declared(unit: Unit, index: int) -> bool:
    before = unit.tokens[index - 1]
    return (before.kind == Kind.IDENT and before.text not in ("return", "else")) or before.text in (",", "&", "*", ">")


_DECLARES = frozenset({"struct", "class", "template"})
_WGMMA = re.compile(rb"CU_TENSOR_MAP_SWIZZLE_|\bwgmma\.")


def read_names(unit: Unit) -> Names:
    """What the file says of its names, each construct by its own case."""
    reading = _Reading(unit)
    for template in reading.every:
        reading.defaults(template)
    for index, token in enumerate(unit.tokens):
        if token.kind == Kind.IDENT and unit.scope(index).device:
            reading.device.add(reading.meanings[index])
    for index in unit.file.places(*_CASES):
        _CASES[unit.text(index)](reading, index)
    for function in unit.scopes.functions:
        reading.constant_function(function)
    for directive in unit.file.directives:
        if directive.name == "define" and directive.last > directive.first:
            reading.define(unit.text(directive.first), reading.names(directive.first + 1, directive.last))
    return reading.result()


class _Reading:
    """A file's names as far as they are read; a method for each construct, which gets its token."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.every = list(templates_of(unit))
        self.templates: dict[str, list[Template]] = {}
        for template in self.every:
            self.templates.setdefault(template.name, []).append(template)
        for named in self.templates.values():
            named.sort(key=lambda t: unit.text(t.last) != "}")  # what is only declared knows nothing of its parameters
        self.meanings = _meanings(unit, self.every)
        self.class_names = {unit.text(i + 1) for i in unit.file.places("struct", "class", "union")}
        self.bodies = list(_classes(unit))
        self.shaping = shaping(unit, self.every)
        self.listed = {
            i
            for t in self.every
            for i in range(t.first, template_end(unit.file, t.first + 1, len(unit.tokens), parameters=True))
        }
        self.device: set[str] = set()
        self._depends: dict[str, set[str]] = {}
        self._plain: dict[str, set[str]] = {}
        self._extents: set[str] = set()
        self._bounds: set[str] = set()
        self._sizes: list[tuple[int, int]] = []
        self._threads: set[str] = set()
        self._least: dict[str, int] = {}
        self._arrays: dict[str, set[str]] = {}
        self._rings: set[str] = set()
        self._called: dict[str, set[str]] = {}
        self._alike: dict[str, set[str]] = {}
        self._asserted: set[str] = set()
        self._below: set[str] = set()

    def result(self) -> Names:
        return Names(
            meanings=tuple(self.meanings),
            templates=self.templates,
            depends=self._depends,
            plain=self._plain,
            device=frozenset(self.device),
            extents=frozenset(self._extents),
            bounds=frozenset(self._bounds),
            sizes=tuple(self._sizes),
            threads=frozenset(self._threads),
            least=self._least,
            indexed=self._indexed(),
            rings=frozenset(self._rings),
            called=self._called,
            alike=self._alike,
            asserted=frozenset(self._asserted),
            bounded_below=frozenset(self._below),
            swizzled=any(_WGMMA.search(text) for text in _texts(self.unit)),
        )

    def names(self, first: int, last: int) -> set[str]:
        """What the identifiers among tokens[first:last] mean."""
        return {self.meanings[i] for i in range(first, last) if self.unit.tokens[i].kind == Kind.IDENT}

    def define(self, name: str, parts: set[str]) -> None:
        """The names in a definition of `name`, one of several maybe."""
        self._depends.setdefault(name, set()).update(parts)
        if name not in self.class_names and not ("sizeof" in parts and parts & self.class_names):
            self._plain.setdefault(name, set()).update(parts)

    def defaults(self, template: Template) -> None:
        unit, opening = self.unit, template.first + 1
        end = template_end(unit.file, opening, len(unit.tokens), parameters=True)
        for name, part in parameters(unit.file, opening, end - 1):
            self.define(template.own(name), self.names(*part) - {template.own(name)})

    def constant_function(self, function: Function) -> None:
        words = map(self.unit.text, range(function.first, function.name_index))
        if function.name and function.body[0] >= 0 and "constexpr" in words:
            self.define(function.name, self.names(*function.body))

    def initialiser(self, index: int) -> None:
        unit = self.unit
        token = unit.tokens[index]
        if unit.tokens[index - 1].kind != Kind.IDENT or token.directive >= 0 or index in self.listed:
            return
        name, value, end = self.meanings[index - 1], self.meanings[index + 1], _end(unit, index + 1)
        self.define(name, self.names(index + 1, end))
        if end == index + 2:
            self._called.setdefault(value, set()).add(name)
            self._alike.setdefault(name, set()).add(value)

    def record(self, index: int) -> None:
        unit = self.unit
        if unit.tokens[index + 1].kind != Kind.IDENT:
            return
        opening = next((i for i in range(index, len(unit.tokens)) if unit.text(i) in ("{", ";")), index)
        if unit.text(opening) == "{":
            self.define(unit.text(index + 1), self.names(opening, unit.file.partner(opening)))

    def assertion(self, index: int) -> None:
        inside = range(index + 2, self.unit.file.partner(index + 1))
        if (
            self.unit.text(index + 1) == "("
            and not (asserted := self.names(inside.start, inside.stop)) & self.class_names
        ):
            self._asserted |= asserted
            self._below |= {self.meanings[at - 1] for at in inside if self.unit.text(at) in (">=", ">")}

    def loop(self, index: int) -> None:
        if self._in_device(index) and self.unit.text(index + 1) == "(":
            self._bounds |= self.names(index + 2, self.unit.file.partner(index + 1))

    def launch_bounds(self, index: int) -> None:
        if self.unit.text(index + 1) == "(":
            self._threads |= self.names(index + 2, self.unit.file.partner(index + 1))
            self._sizes.append(self.unit.file.arguments(index + 1)[0])

    def remainder(self, index: int) -> None:
        if self._in_device(index):
            fewest = 2 if _takes_off(self.unit, index - 1) else 3 if _filled_early(self.unit, index - 1) else 1
            for name in self.names(index + 1, _operand_end(self.unit, index + 1)) if fewest > 1 else ():
                self._least[name] = max(fewest, self._least.get(name, 1))

    def quotient(self, index: int) -> None:
        if self._in_device(index) and _parity(self.unit, end := _operand_end(self.unit, index + 1)):
            self._rings |= self.names(index + 1, end)

    def difference(self, index: int) -> None:
        if self._in_device(index) and self.unit.text(index + 1) in ("2", "3", "4"):
            name = self.meanings[index - 1]
            self._least[name] = max(int(self.unit.text(index + 1)), self._least.get(name, 1))

    def extent(self, index: int) -> None:
        if (self._in_device(index) or _innermost(self.bodies, index)) and _declares(self.unit, index):
            closing = self.unit.file.partner(index)
            self._extents |= self.names(index + 1, closing)
            self._arrays.setdefault(_declared_array(self.unit, index), set()).update(self.names(index + 1, closing))
            if self.unit.text(index - 1) != ")":  # of a reference it may be deduced
                self._sizes.append((index + 1, closing))

    def _indexed(self) -> dict[str, int]:
        """Arrays that are given to a function mostly keep their names there."""
        unit, longest = self.unit, dict[str, int]()
        for name, extents in self._arrays.items():
            for at in unit.file.places(name):
                if unit.text(at + 1) == "[" and unit.text(at + 2).isdigit() and unit.text(at + 3) == "]":
                    if self._in_device(at) and not _declares(unit, at + 1):
                        for extent in extents:
                            longest[extent] = max(int(unit.text(at + 2)) + 1, longest.get(extent, 1))
        return longest

    def arguments(self, index: int) -> None:
        unit = self.unit
        for number, part in enumerate(template_arguments(unit, self.templates, index)):
            for template in self.templates[unit.text(index - 1)]:
                if number >= len(template.parameters):
                    continue
                own, given = template.own(template.parameters[number]), self.names(*part)
                self.define(own, given)
                if part[1] == part[0] + 1:
                    self._alike.setdefault(own, set()).update(given)
                if number in self.shaping.get(template.name, ()) and unit.text(index - 2) not in _DECLARES:
                    self._sizes.append(part)
                    self._extents |= given

    def _in_device(self, index: int) -> bool:
        return self.unit.scope(index).device


_CASES: Mapping[str, Callable[[_Reading, int], None]] = {
    "=": _Reading.initialiser,
    "struct": _Reading.record,
    "class": _Reading.record,
    "static_assert": _Reading.assertion,
    "for": _Reading.loop,
    "__launch_bounds__": _Reading.launch_bounds,
    "%": _Reading.remainder,
    "/": _Reading.quotient,
    "-": _Reading.difference,
    "[": _Reading.extent,
    "<": _Reading.arguments,
}


def _classes(unit: Unit) -> Iterator[tuple[int, int, bool]]:
    """Their bodies, outer ones first, and whether they have device code. Members of the other types are registers, or
    shared memory without a method for its size; a class in them that has none is how shared memory lies."""
    marked = unit.file.places("__device__")
    for index in unit.file.places("struct", "class"):
        opening = next((i for i in range(index, len(unit.tokens)) if unit.text(i) in ("{", ";", ")", ">")), index)
        closing = unit.file.partner(opening) if unit.text(opening) == "{" else -1
        if closing > 0:
            yield opening, closing, bisect_left(marked, opening) < bisect_left(marked, closing)


def _innermost(classes: Sequence[tuple[int, int, bool]], index: int) -> bool:
    return next((device for first, last, device in reversed(classes) if first < index < last), False)


def _texts(unit: Unit) -> Iterator[bytes]:
    """Of the translation unit: helpers that make tensor maps are often in headers."""
    yield unit.file.text.encode("latin-1")
    yield from (source.data for source in unit.members if source.path != unit.path)


def _takes_off(unit: Unit, closing: int) -> bool:
    """`(i - 1)`, and `(i + kStages - 1)`, which is the same modulo the stages."""
    return unit.text(closing) == ")" and unit.text(closing - 2) == "-" and unit.tokens[closing - 1].kind == Kind.NUMBER


def _filled_early(unit: Unit, closing: int) -> bool:
    """Whether `(i + 1)`, not of a variable that goes on itself, is used in front of the one barrier of its loop: threads
    that have passed it fill the next stage while others read the last one."""
    opening = unit.file.partner(closing)
    if unit.text(closing) != ")" or [unit.text(k) for k in (closing - 2, closing - 1)] != ["+", "1"]:
        return False
    loop = _loop_around(unit, opening)
    barriers = [k for k in unit.file.places("__syncthreads", "sync") if loop[0] < k < loop[1] and unit.is_call(k)]
    assigned = unit.text(opening - 2) if unit.text(opening - 1) == "=" else ""
    if len(barriers) != 1 or assigned == unit.text(closing - 3):
        return False
    uses = [k for k in unit.file.places(assigned) if k > closing] if assigned else [opening]
    return any(loop[0] < k < barriers[0] for k in uses)


def _loop_around(unit: Unit, index: int) -> tuple[int, int]:
    """The innermost loop's body, (0, 0) without one."""
    bodies = ((k, unit.file.partner(k)) for at in unit.file.places("for", "while") for k in [_body_of(unit, at)])
    return max(((first, last) for first, last in bodies if first < index < last), default=(0, 0))


def _body_of(unit: Unit, loop: int) -> int:
    after = unit.file.partner(loop + 1) + 1 if unit.text(loop + 1) == "(" else -1
    return after if after > 0 and unit.text(after) == "{" else -1


def _parity(unit: Unit, index: int) -> bool:
    """`& 1` or `% 2`, maybe after a bracket."""
    index += unit.text(index) == ")"
    return (unit.text(index), unit.text(index + 1)) in (("&", "1"), ("%", "2"))


def _operand_end(unit: Unit, index: int) -> int:
    if unit.text(index) == "(":
        return unit.file.partner(index) + 1
    while unit.text(index + 1) in ("::", "."):
        index += 2
    return index + 1


def _end(unit: Unit, index: int) -> int:
    """Where an initialiser ends: at the `;` or `,` outside of brackets."""
    while index < len(unit.tokens) and unit.text(index) not in (";", ",", ")", "}"):
        index = max(unit.file.partner(index), index) + 1
    return index


def _declared_array(unit: Unit, index: int) -> str:
    """The name that is declared with the extent whose `[` is tokens[index]."""
    while unit.text(index - 1) == "]":
        index = unit.file.partner(index - 1)
    return unit.text(index - 2 if unit.text(index - 1) == ")" else index - 1)


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
