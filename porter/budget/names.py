"""What follows from what in a source, by names: a name is a template's parameter, a function's own, or everybody's."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.analysis.launch_requests import parameters
from porter.frontend.lexer import Kind, template_end
from porter.frontend.unit import Unit

__all__ = ["Names", "Template", "closure", "origins", "read_names", "template_arguments"]


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    parameters: tuple[str, ...]
    first: int  # tokens, of all of it
    last: int

    def own(self, parameter: str) -> str:
        return f"{self.name}@{self.first}::{parameter}"


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
    least: Mapping[str, int]  # by name, how many there have to be: 2 for `(i - 1) % kStages` and for `kStages - 2`
    rings: frozenset[str]  # by which device code divides for the parity of a phase: `i / kTiles & 1`
    called: Mapping[str, set[str]]  # by name, the constants that are just it
    alike: Mapping[str, set[str]]  # by name, what is just the names in it, parameters of templates too
    asserted: frozenset[str]
    bounded_below: frozenset[str]
    swizzled: bool  # there are copies or matrix instructions that know how long a row is


def closure(names: set[str], depends: Mapping[str, set[str]]) -> set[str]:
    """Everything that is made of them, themselves among it."""
    found, size = set(names), 0
    while len(found) != size:
        size = len(found)
        found |= {other for other, parts in depends.items() if parts & found}
    return found


def origins(names: Names) -> set[str]:
    """Everything that device code's names are made of, themselves among it."""
    found, size = set(names.device), 0
    while len(found) != size:
        size = len(found)
        found |= {part for other, parts in names.depends.items() if other in found for part in parts}
    return found


def template_arguments(unit: Unit, templates: Mapping[str, list[Template]], index: int) -> list[tuple[int, int]]:
    """The tokens of each argument of the template whose `<` is tokens[index]; none if it is no such."""
    if unit.text(index) != "<" or unit.text(index - 1) not in templates or unit.tokens[index].directive >= 0:
        return []
    end = template_end(unit.file, index, len(unit.tokens), known=True)
    return [part for _, part in parameters(unit.file, index, end - 1)] if end > 0 else []


def _templates(unit: Unit) -> Iterator[Template]:
    """The file's own: kernels, functions, classes, variables and aliases."""
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
            name, names = unit.text(last - 1), parameters(unit.file, index + 1, end - 1)
            while unit.text(last) not in (";", "{", ""):
                last = max(unit.file.partner(last), last) + 1 if unit.text(last) == "(" else last + 1
            last = unit.file.partner(last) if unit.text(last) == "{" else last
            yield Template(name, tuple(n for n, _ in names), index, last)


def _with_brackets(word: str) -> bool:
    """alignas, __launch_bounds__, __cluster_dims__ and their like"""
    return word == "alignas" or (word.startswith("__") and word.endswith("__"))


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


_WGMMA = re.compile(rb"CU_TENSOR_MAP_SWIZZLE_|\bwgmma\.")


def read_names(unit: Unit) -> Names:
    every = list(_templates(unit))
    templates: dict[str, list[Template]] = {}
    for template in every:
        templates.setdefault(template.name, []).append(template)
    for named in templates.values():
        named.sort(key=lambda t: unit.text(t.last) != "}")  # what is only declared knows nothing of its parameters
    meanings = _meanings(unit, every)
    classes = {unit.text(i + 1) for i, t in enumerate(unit.tokens) if t.text in ("struct", "class", "union")}
    depends: dict[str, set[str]] = {}
    plain: dict[str, set[str]] = {}
    device: set[str] = set()
    extents: set[str] = set()
    bounds: set[str] = set()
    sizes: list[tuple[int, int]] = []
    threads: set[str] = set()
    least: dict[str, int] = {}
    rings: set[str] = set()
    called: dict[str, set[str]] = {}
    alike: dict[str, set[str]] = {}
    asserted: set[str] = set()
    below: set[str] = set()

    def names(first: int, last: int) -> set[str]:
        return {meanings[i] for i in range(first, last) if unit.tokens[i].kind == Kind.IDENT}

    def define(name: str, parts: set[str]) -> None:
        depends.setdefault(name, set()).update(parts)
        if name not in classes and not ("sizeof" in parts and parts & classes):
            plain.setdefault(name, set()).update(parts)

    classes_here = list(_classes(unit))
    shaping = _shaping(unit, every)
    listed = {i for t in every for i in range(t.first, template_end(unit.file, t.first + 1, len(unit.tokens), True))}
    for template in every:
        opening = template.first + 1
        end = template_end(unit.file, opening, len(unit.tokens), parameters=True)
        for name, part in parameters(unit.file, opening, end - 1):
            define(template.own(name), names(*part) - {template.own(name)})
    for index, token in enumerate(unit.tokens):
        text, partner = token.text, unit.file.partner(index + 1)
        in_device = unit.scope(index).device
        if token.kind == Kind.IDENT and in_device:
            device.add(meanings[index])
        if text == "=" and unit.tokens[index - 1].kind == Kind.IDENT and token.directive < 0 and index not in listed:
            end = _end(unit, index + 1)
            define(meanings[index - 1], names(index + 1, end))
            if end == index + 2:
                called.setdefault(meanings[index + 1], set()).add(meanings[index - 1])
                alike.setdefault(meanings[index - 1], set()).add(meanings[index + 1])
        elif text in ("struct", "class") and unit.tokens[index + 1].kind == Kind.IDENT:
            opening = next((i for i in range(index, len(unit.tokens)) if unit.text(i) in ("{", ";")), index)
            if unit.text(opening) == "{":
                define(unit.text(index + 1), names(opening, unit.file.partner(opening)))
        elif text == "static_assert" and unit.text(index + 1) == "(" and not names(index + 2, partner) & classes:
            asserted |= names(index + 2, partner)
            below |= {meanings[at - 1] for at in range(index + 2, partner) if unit.text(at) in (">=", ">")}
        elif text == "for" and in_device and unit.text(index + 1) == "(":
            bounds |= names(index + 2, partner)
        elif text == "__launch_bounds__" and unit.text(index + 1) == "(":
            threads |= names(index + 2, partner)
            sizes.append(unit.file.arguments(index + 1)[0])
        elif text == "%" and in_device and _takes_off(unit, index - 1):
            least.update((name, max(2, least.get(name, 1))) for name in names(index + 1, _operand_end(unit, index + 1)))
        elif text == "/" and in_device and _parity(unit, _operand_end(unit, index + 1)):
            rings |= names(index + 1, _operand_end(unit, index + 1))
        elif text == "-" and in_device and unit.text(index + 1) in ("2", "3", "4"):
            least[meanings[index - 1]] = max(int(unit.text(index + 1)), least.get(meanings[index - 1], 1))
        elif text == "[" and (in_device or _innermost(classes_here, index)) and _declares(unit, index):
            extents |= names(index + 1, unit.file.partner(index))
            if unit.text(index - 1) != ")":  # of a reference it may be deduced
                sizes.append((index + 1, unit.file.partner(index)))
        elif text == "<":
            for number, part in enumerate(template_arguments(unit, templates, index)):
                for template in templates[unit.text(index - 1)]:
                    if number < len(template.parameters):
                        define(template.own(template.parameters[number]), names(*part))
                        if part[1] == part[0] + 1:
                            alike.setdefault(template.own(template.parameters[number]), set()).update(names(*part))
                        if number in shaping.get(template.name, ()) and unit.text(index - 2) not in _DECLARES:
                            sizes.append(part)
                            extents |= names(*part)
    for function in unit.scopes.functions:
        if (
            function.name
            and function.body[0] >= 0
            and "constexpr" in map(unit.text, range(function.first, function.name_index))
        ):
            define(function.name, names(*function.body))
    for directive in unit.file.directives:
        if directive.name == "define" and directive.last > directive.first:
            define(unit.text(directive.first), names(directive.first + 1, directive.last))
    swizzled = any(_WGMMA.search(text) for text in _texts(unit))
    return Names(tuple(meanings), templates, depends, plain, frozenset(device), frozenset(extents), frozenset(bounds),
                 tuple(sizes), frozenset(threads), least, frozenset(rings), called, alike, frozenset(asserted), frozenset(below), swizzled)  # fmt: skip


_DECLARES = frozenset({"struct", "class", "template"})


def _shaping(unit: Unit, templates: Sequence[Template]) -> dict[str, set[int]]:
    """Of templates around inline assembly, a specialisation's too, the parameters that are numbers, and are no types of
    another template of that name."""
    around = {
        unit.text(index + 1)
        for index, token in enumerate(unit.tokens)
        if token.text in ("struct", "class")
        for opening in [next((i for i in range(index, len(unit.tokens)) if unit.text(i) in ("{", ";", ")")), index)]
        if unit.text(opening) == "{" and _has_asm(unit, opening, unit.file.partner(opening))
    }
    found: dict[str, set[int]] = {}
    types: dict[str, set[int]] = {}
    for template in templates:
        with_asm = template.name in around or _has_asm(unit, template.first, template.last)
        opening = template.first + 1
        end = template_end(unit.file, opening, len(unit.tokens), parameters=True)
        for number, (_, (first, _)) in enumerate(parameters(unit.file, opening, end - 1)):
            if unit.text(first) in ("typename", "class", "template"):
                types.setdefault(template.name, set()).add(number)
            elif with_asm:
                found.setdefault(template.name, set()).add(number)
    return {name: numbers - types.get(name, set()) for name, numbers in found.items()}


def _has_asm(unit: Unit, first: int, last: int) -> bool:
    return any(unit.text(index) in ("asm", "__asm__", "__asm") for index in range(first, last))


def _classes(unit: Unit) -> Iterator[tuple[int, int, bool]]:
    """Their bodies, outer ones first, and whether they have device code. Members of those that do are registers, or shared
    memory that no method asks for; a class in them that has none is how shared memory lies."""
    for index, token in enumerate(unit.tokens):
        if token.text in ("struct", "class"):
            opening = next((i for i in range(index, len(unit.tokens)) if unit.text(i) in ("{", ";", ")", ">")), index)
            closing = unit.file.partner(opening) if unit.text(opening) == "{" else -1
            if closing > 0:
                yield opening, closing, any(unit.text(i) == "__device__" for i in range(opening, closing))


def _innermost(classes: Sequence[tuple[int, int, bool]], index: int) -> bool:
    return next((device for first, last, device in reversed(classes) if first < index < last), False)


def _texts(unit: Unit) -> Iterator[bytes]:
    """Of the translation unit: helpers that make tensor maps are often in headers."""
    yield unit.file.text.encode("latin-1")
    for path in unit.ast.project_files() if unit.ast else ():
        with contextlib.suppress(OSError):
            yield path.read_bytes()


def _takes_off(unit: Unit, closing: int) -> bool:
    """`(i - 1)`, and `(i + kStages - 1)`, which is the same modulo the stages."""
    return unit.text(closing) == ")" and unit.text(closing - 2) == "-" and unit.tokens[closing - 1].kind == Kind.NUMBER


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
