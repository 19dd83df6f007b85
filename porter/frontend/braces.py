"""Braces of the source: what they make, and where C++ lets them leave out braces of members and elements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import clang.cindex as ci

from porter.frontend.cursors import children

__all__ = ["VECTOR", "Braces", "Elided", "Elision"]

VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)([1-4])")
_RECORDS = (ci.CursorKind.STRUCT_DECL, ci.CursorKind.CLASS_DECL, ci.CursorKind.UNION_DECL)
_ARRAYS = (ci.TypeKind.CONSTANTARRAY, ci.TypeKind.DEPENDENTSIZEDARRAY)
_UNKNOWN = (ci.TypeKind.INVALID, ci.TypeKind.DEPENDENT, ci.TypeKind.UNEXPOSED)


@dataclass(frozen=True, slots=True)
class Elided:
    """Values of a list that make one vector, or what has vectors in it, with no braces of their own."""

    first: int  # numbers of the values
    last: int
    missing: int = 0  # of a vector: the values that it does not get, which are zero


@dataclass(frozen=True, slots=True)
class Braces:
    place: int
    kind: str  # the class
    values: int  # -1: not known
    elided: tuple[Elided, ...] = ()  # outer ones first
    zeroed: bool = False  # with no values, all that the braces make is zero
    dependent: bool = False  # on a template's parameters, as far as nothing else is said of `zeroed`


class Unread(Exception):
    """The types of the values do not say what they make."""


@dataclass(slots=True)
class Elision:
    """Of one translation unit: which types have CUDA's vectors in them is asked once."""

    _with_vectors: dict[str, bool] = field(default_factory=dict)
    _zeroed: dict[str, bool] = field(default_factory=dict)

    def of(self, values: Sequence[Any], kind: Any) -> tuple[tuple[Elided, ...], bool]:
        """What a list of these values for an object of this type leaves out, and whether `{}` would make zeros of it all."""
        kind = kind.get_canonical()
        if not values or not self._has_vectors(kind) or _vector(kind) or _designated(values):
            return (), False
        walk = _Walk(self, values)
        try:
            walk.members(kind)
        except Unread:
            return (), False
        vectors = any(one.vector for one in walk.found)
        return (tuple(one.elided for one in walk.found), self._is_zeroed(kind)) if vectors else ((), False)

    def of_dependent(self, variable: Any) -> bool:
        """Whether nothing but the template's arguments may make `{}` of a variable's type anything but zeros."""
        kind = variable.type.get_canonical()
        while kind.kind in _ARRAYS:
            kind = _element(kind).get_canonical()
        return kind.kind in _UNKNOWN and _pattern_zeroed(variable, 0)

    def _has_vectors(self, kind: Any) -> bool:
        name = kind.spelling
        if name not in self._with_vectors:
            self._with_vectors[name] = False  # of a class in itself
            inner = (part.get_canonical() for part in _parts(kind))
            self._with_vectors[name] = bool(_vector(kind)) or any(self._has_vectors(part) for part in inner)
        return self._with_vectors[name]

    def _is_zeroed(self, kind: Any) -> bool:
        """No member has an initialiser or a constructor of its own."""
        name = kind.spelling
        if name not in self._zeroed:
            self._zeroed[name] = True
            own = kind.kind != ci.TypeKind.RECORD or _vector(kind) or not _initialised(kind.get_declaration())
            self._zeroed[name] = bool(own) and all(self._is_zeroed(part.get_canonical()) for part in _parts(kind))
        return self._zeroed[name]


@dataclass(frozen=True, slots=True)
class _Found:
    elided: Elided
    vector: bool


class _Walk:
    """Through the members of an object and the values of its list, side by side."""

    def __init__(self, elision: Elision, values: Sequence[Any]) -> None:
        self.elision, self.values = elision, values
        self.next = 0
        self.found: list[_Found] = []

    def members(self, kind: Any) -> None:
        for part in _each(kind):
            if self.next >= len(self.values):
                return
            self._one(part.get_canonical())

    def _one(self, kind: Any) -> None:
        value = self.values[self.next]
        first = self.next
        size = _vector(kind)
        if value.kind == ci.CursorKind.INIT_LIST_EXPR or not (size or _aggregate(kind)) or _same(value.type, kind):
            self.next += 1
            return
        if value.type.get_canonical().kind in _UNKNOWN:
            raise Unread
        if value.kind == ci.CursorKind.STRING_LITERAL:
            self.next += 1
            return
        place = len(self.found)
        if size:
            self.next = min(first + size, self._scalars(first))
            self.found.append(_Found(Elided(first, self.next - 1, size - (self.next - first)), True))
            return
        self.members(kind)
        if self.next == first:
            raise Unread
        if self.elision._has_vectors(kind):
            self.found.insert(place, _Found(Elided(first, self.next - 1), False))

    def _scalars(self, first: int) -> int:
        """The number after the last of the values from `first` on that are scalars; a vector's members are."""
        return next(
            (n for n in range(first, len(self.values)) if self.values[n].kind == ci.CursorKind.INIT_LIST_EXPR),
            len(self.values),
        )


def _vector(kind: Any) -> int:
    """How many values one of CUDA's vectors has; 0: it is none."""
    match = VECTOR.fullmatch(kind.spelling.removeprefix("const ")) if kind.kind == ci.TypeKind.RECORD else None
    return int(match[1]) if match else 0


def _aggregate(kind: Any) -> bool:
    if kind.kind in _ARRAYS:
        return True
    return kind.kind == ci.TypeKind.RECORD and not _constructed(kind.get_declaration())


def _constructed(declaration: Any) -> bool:
    """Whether a class has constructors that somebody wrote, or virtual functions."""
    return any(
        child.kind == ci.CursorKind.CONSTRUCTOR
        or (child.kind == ci.CursorKind.CXX_METHOD and child.is_virtual_method())
        for child in children(declaration)
    )


def _initialised(declaration: Any) -> bool:
    pattern = ci.conf.lib.clang_getSpecializedCursorTemplate(declaration)  # an instance may lack its initialisers
    members = children(pattern if pattern is not None else declaration)
    fields = [child for child in members if child.kind == ci.CursorKind.FIELD_DECL and not child.is_bitfield()]
    return _constructed(declaration) or any(_has_initialiser(one) for one in fields)


def _has_initialiser(member: Any) -> bool:
    if member.type.get_canonical().kind in _ARRAYS:
        return any(part.kind == ci.CursorKind.INIT_LIST_EXPR for part in children(member))  # the others are its size
    return any(part.kind.is_expression() for part in children(member))


_MOST_CLASSES = 8  # in one another


def _pattern_zeroed(member: Any, depth: int) -> bool:
    """Of a variable or a member: the class templates that its type names have no constructors and no initialisers."""
    for named in (part.referenced for part in children(member) if part.kind == ci.CursorKind.TEMPLATE_REF):
        fields = [part for part in children(named) if part.kind == ci.CursorKind.FIELD_DECL] if named else []
        if not fields or depth > _MOST_CLASSES or _initialised(named):
            return False
        if not all(_pattern_zeroed(one, depth + 1) for one in fields):
            return False
    return True


def _same(one: Any, other: Any) -> bool:
    names = (kind.get_canonical().spelling.removeprefix("const ") for kind in (one, other))
    return len(set(names)) == 1


def _each(kind: Any) -> Iterator[Any]:
    """The types of what an object's braces list, in their order."""
    if kind.kind in _ARRAYS:
        known = kind.kind == ci.TypeKind.CONSTANTARRAY
        yield from repeat(_element(kind), kind.element_count) if known else repeat(_element(kind))
    else:
        yield from _parts(kind)


def _element(kind: Any) -> Any:
    return ci.conf.lib.clang_getArrayElementType(kind)


def _parts(kind: Any) -> list[Any]:
    """The types of members and of elements."""
    if kind.kind in _ARRAYS:
        return [_element(kind)]
    declaration = kind.get_declaration() if kind.kind == ci.TypeKind.RECORD else None
    if declaration is None or declaration.kind not in _RECORDS:
        return []
    bases = [child.type for child in children(declaration) if child.kind == ci.CursorKind.CXX_BASE_SPECIFIER]
    fields = [one.type for one in kind.get_fields() if one.spelling or not one.is_bitfield()]
    parts = [*bases, *fields]
    return parts[:1] if declaration.kind == ci.CursorKind.UNION_DECL else parts


def _designated(values: Sequence[Any]) -> bool:
    """`.x = 1`: members that are named are not in their order."""
    return any(
        any(child.kind == ci.CursorKind.MEMBER_REF for child in children(value))
        for value in values
        if value.kind == ci.CursorKind.UNEXPOSED_EXPR
    )
