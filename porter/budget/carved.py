"""What a kernel takes of its dynamic shared memory through an object that hands it out piece by piece.

`extern __shared__ int memory[]; allocator al(&memory[0]); auto (&tiles)[4] = al.allocate<tile, 4>();` The size that a launch
asks for may be a number that has nothing to do with it. The references say what the kernel uses, if the array goes nowhere
but to the object, and the object hands out nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.frontend.lexer import Kind, template_end
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["Carved", "carved"]


@dataclass(frozen=True, slots=True)
class Carved:
    kernel: str
    pieces: tuple[tuple[int, str], ...]  # offset after the declaration of each reference, and its name


def carved(unit: Unit) -> list[Carved]:
    """The kernels of this file whose shared memory can be read off."""
    kernels = []
    for function in unit.scopes.functions:
        if function.kernel and function.body[0] >= 0:
            pieces = _pieces(unit, function)
            if pieces:
                kernels.append(Carved(function.name, tuple(pieces)))
    return kernels


def _pieces(unit: Unit, kernel: Function) -> list[tuple[int, str]]:
    arrays = list(_arrays(unit, kernel))
    if len(arrays) != 1:
        return []
    uses = [k for k in _mentions(unit, kernel, unit.text(arrays[0])) if k != arrays[0]]
    allocator = _constructed(unit, uses[0]) if len(uses) == 1 else -1
    if allocator < 0:
        return []
    pieces = [_piece(unit, k) for k in _mentions(unit, kernel, unit.text(allocator)) if k != allocator]
    return [] if None in pieces else [piece for piece in pieces if piece is not None]


def _arrays(unit: Unit, kernel: Function) -> Iterator[int]:
    """The names of the kernel's `extern __shared__` arrays."""
    for index in range(*kernel.body):
        if unit.text(index) == "__shared__" and "extern" in (unit.text(index - 1), unit.text(index + 1)):
            yield next(k for k in range(index, kernel.body[1]) if unit.text(k + 1) in ("[", ";"))


def _mentions(unit: Unit, kernel: Function, name: str) -> Sequence[int]:
    return [k for k in unit.file.places(name) if kernel.body[0] < k < kernel.body[1] and not unit.is_member(k)]


def _constructed(unit: Unit, use: int) -> int:
    """The variable that is made of what stands at tokens[use], `Type name(...)`, and of nothing else; -1 if it is none."""
    first = _statement(unit, use)
    for index in range(first + 1, use):
        declares = unit.tokens[index].kind == Kind.IDENT and (
            unit.tokens[index - 1].kind == Kind.IDENT or unit.text(index - 1) == ">"
        )
        if declares and unit.text(index + 1) in ("(", "{"):
            closing = unit.file.partner(index + 1)
            return index if closing > use and unit.text(closing + 1) == ";" else -1
    return -1


def _piece(unit: Unit, allocator: int) -> tuple[int, str] | None:
    """Of `Type (&name)[N] = allocator.get<Type, N>();`: the place after it, and the name."""
    first = _statement(unit, allocator)
    if unit.text(allocator - 1) != "=" or unit.text(allocator + 1) != "." or unit.text(first) in ("", "return"):
        return None
    opening = allocator + 3
    if unit.text(opening) == "<":
        opening = template_end(unit.file, opening, len(unit.tokens), known=True)
    end = unit.file.partner(opening) + 1 if opening > 0 and unit.text(opening) == "(" else -1
    name = next((k + 1 for k in range(first, allocator - 1) if unit.text(k) == "&"), -1)
    if end < 0 or unit.text(end) != ";" or name < 0 or unit.tokens[name].kind != Kind.IDENT:
        return None
    return unit.tokens[end].end, unit.text(name)


def _statement(unit: Unit, index: int) -> int:
    return next((k + 1 for k in range(index, 0, -1) if unit.text(k) in (";", "{", "}")), 0)
