"""Walks over libclang's cursors, as cindex has them but for their cost: it makes and checks several objects a cursor."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import clang.cindex as ci

__all__ = ["below", "by_file", "children", "walk"]

_CONTINUE, _RECURSE = 1, 2  # CXChildVisitResult
_VISIT: Any = ci.callbacks["cursor_visit"]


def _append(child: Any, parent: Any, cursors: list[Any]) -> int:
    cursors.append(child)
    return _CONTINUE


_APPEND = _VISIT(_append)


def children(cursor: Any) -> list[Any]:
    """The cursors directly below one."""
    return _visited(cursor, _APPEND)


def walk(top: Any, kinds: Collection[ci.CursorKind]) -> list[Any]:
    """The cursors of these kinds among a cursor and all below it, outer ones first."""
    inner = below(top, kinds)
    return [top, *inner] if top.kind in kinds else inner


def below(top: Any, kinds: Collection[ci.CursorKind], closed: Collection[ci.CursorKind] = ()) -> list[Any]:
    """The same without the cursor itself. Those of the kinds `closed` are there too, and nothing that is below them."""
    shut = frozenset(kind.value for kind in closed)
    wanted = frozenset(kind.value for kind in kinds) | shut

    def visit(child: Any, parent: Any, cursors: list[Any]) -> int:
        kind = child._kind_id
        if kind in wanted:
            cursors.append(child)
        return _CONTINUE if kind in shut else _RECURSE

    return _visited(top, _VISIT(visit))


def by_file(cursors: Iterable[Any]) -> Mapping[str, Sequence[Any]]:
    """The cursors by the file in which they stand, as libclang spells its name; those that stand in none are left out."""
    file, *numbers = ci.c_object_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    filled = [ctypes.byref(one) for one in (file, *numbers)]
    address = ctypes.c_void_p.from_buffer(file)
    locate = ci.conf.lib.clang_getInstantiationLocation
    grouped: dict[int, list[Any]] = {}
    for cursor in cursors:
        locate(cursor.location, *filled)
        if address.value:
            grouped.setdefault(address.value, []).append(cursor)
    return {of_one[0].location.file.name: of_one for of_one in grouped.values()}


def _visited(cursor: Any, visit: Any) -> list[Any]:
    cursors: list[Any] = []
    ci.conf.lib.clang_visitChildren(cursor, visit, cursors)
    for one in cursors:
        one._tu = cursor._tu  # which has to live as long
    return cursors
