"""The templates of a source: where they are, what they are given, and which of their parameters shape an instruction."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.analysis.launch_requests import parameters
from porter.frontend.lexer import Kind, template_end
from porter.frontend.unit import Unit

__all__ = ["Template", "shaping", "template_arguments", "templates_of"]


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    parameters: tuple[str, ...]
    first: int  # tokens, of all of it
    last: int

    def own(self, parameter: str) -> str:
        return f"{self.name}@{self.first}::{parameter}"


def template_arguments(unit: Unit, templates: Mapping[str, list[Template]], index: int) -> list[tuple[int, int]]:
    """The tokens of each argument of the template whose `<` is tokens[index]; none if it is no such."""
    if unit.text(index) != "<" or unit.text(index - 1) not in templates or unit.tokens[index].directive >= 0:
        return []
    end = template_end(unit.file, index, len(unit.tokens), known=True)
    return [part for _, part in parameters(unit.file, index, end - 1)] if end > 0 else []


def templates_of(unit: Unit) -> Iterator[Template]:
    """The file's own: kernels, functions, classes, variables and aliases."""
    for index in unit.file.places("template"):
        if unit.text(index + 1) != "<" or unit.tokens[index].directive >= 0:
            continue
        end = template_end(unit.file, index + 1, len(unit.tokens), parameters=True)
        if end < 0:
            continue
        last = end
        while unit.text(last) not in (";", "{", "=", "(", "") or _with_brackets(unit.text(last - 1)):
            last = _behind(unit, last)
        if unit.tokens[last - 1].kind == Kind.IDENT:
            name, names = unit.text(last - 1), parameters(unit.file, index + 1, end - 1)
            while unit.text(last) not in (";", "{", ""):
                last = _behind(unit, last)
            last = _behind(unit, last) - 1 if unit.text(last) == "{" else min(last, len(unit.tokens) - 1)
            yield Template(name, tuple(n for n, _ in names), index, last)


def _behind(unit: Unit, index: int) -> int:
    """The token behind tokens[index], or behind its bracket: the end of a source that is cut inside of one."""
    if unit.text(index) not in ("(", "{"):
        return index + 1
    partner = unit.file.partner(index)
    return partner + 1 if partner > index else len(unit.tokens)


def _with_brackets(word: str) -> bool:
    """alignas, __launch_bounds__, __cluster_dims__ and their like"""
    return word == "alignas" or (word.startswith("__") and word.endswith("__"))


def shaping(unit: Unit, templates: Sequence[Template]) -> dict[str, set[int]]:
    """Of templates around inline assembly, a specialisation's too, the parameters that are numbers, and are no types of
    another template of that name."""
    places = unit.file.places("asm", "__asm__", "__asm")

    def has_asm(first: int, last: int) -> bool:
        return bisect_left(places, first) < bisect_left(places, last)

    around = {
        unit.text(index + 1)
        for index in unit.file.places("struct", "class")
        for opening in [next((i for i in range(index, len(unit.tokens)) if unit.text(i) in ("{", ";", ")")), index)]
        if unit.text(opening) == "{" and has_asm(opening, unit.file.partner(opening))
    }
    by_template: dict[str, set[int]] = {}
    types: dict[str, set[int]] = {}
    for template in templates:
        with_asm = template.name in around or has_asm(template.first, template.last)
        opening = template.first + 1
        end = template_end(unit.file, opening, len(unit.tokens), parameters=True)
        for number, (_, (first, _)) in enumerate(parameters(unit.file, opening, end - 1)):
            if unit.text(first) in ("typename", "class", "template"):
                types.setdefault(template.name, set()).add(number)
            elif with_asm:
                by_template.setdefault(template.name, set()).add(number)
    return {name: numbers - types.get(name, set()) for name, numbers in by_template.items()}
