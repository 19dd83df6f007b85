"""What a kernel is given: its parameters, and the members of structures among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.native.ir.module import Function, Type

__all__ = ["MOST_ELEMENTS", "Given", "given"]

MOST_ELEMENTS = 8  # of an array in a structure whose elements are told apart
_MOST = 100  # of pointers that can be told apart
_MAP_BYTES = 128


@dataclass(frozen=True, slots=True)
class Given:
    name: str  # C++
    kind: Type  # a number or a pointer; a structure
    by_value: Type | None
    parameter: int
    offset: int = -1  # in the parameter, of a member

    @property
    def is_map(self) -> bool:
        """May it be a tensor map?"""
        return self.by_value is not None and self.by_value.size == _MAP_BYTES


def given(function: Function, names: Sequence[str], members: Mapping[int, Sequence[tuple[str, int]]]) -> list[Given]:
    """The parameters in their order, then members. `members`: by parameter, how members are called and where they are."""
    arguments = [
        Given(name, kind, by_value, number)
        for number, ((kind, _, by_value), name) in enumerate(zip(function.parameters, names))
    ]
    for number, named in members.items():
        by_value = function.parameters[number][2]
        if by_value is None:
            continue
        at = dict(_scalars(by_value, 0))
        for name, offset in named:
            kind = at.get(offset)
            if kind is not None and len(arguments) < _MOST:
                arguments.append(
                    Given(f"{names[number]}.{name}", kind, kind if kind.kind == "struct" else None, number, offset)
                )
    return arguments


def _scalars(kind: Type, at: int) -> Iterator[tuple[int, Type]]:
    """Numbers, pointers and tensor maps in a structure, and where they are."""
    if kind.kind == "struct" and not _is_map(kind):
        for index, inner in enumerate(kind.fields):
            yield from _scalars(inner, at + kind.offset(index))
    elif kind.kind == "array":
        for index in range(min(kind.count, MOST_ELEMENTS)):
            yield from _scalars(kind.fields[0], at + kind.offset(index))
    elif kind.kind in ("int", "float", "ptr", "struct"):
        yield at, kind


def _is_map(kind: Type) -> bool:
    return kind.size == _MAP_BYTES and len(kind.fields) == 1 and kind.fields[0].kind == "array"
