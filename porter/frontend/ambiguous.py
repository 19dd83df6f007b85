"""Calls that libclang calls ambiguous because a parameter is `const`. clang 18 compares the constraints of two function
templates only where their parameters have the same types, and it counts the `const` of a value. nvcc and later ones do
not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import clang.cindex as ci

__all__ = ["consts_of_candidates", "is_ambiguous", "without"]

Spans = Mapping[str, frozenset[tuple[int, int]]]  # by the name of a file: start, end

_AMBIGUOUS = re.compile(r"call to (member function )?'.*' is ambiguous")
_CONST = re.compile(rb"\bconst\b\s*")
_POINTERS = (ci.TypeKind.POINTER, ci.TypeKind.MEMBERPOINTER)


def is_ambiguous(message: str) -> bool:
    """Whether a message of clang's is about a call with several candidates."""
    return _AMBIGUOUS.fullmatch(message) is not None


def consts_of_candidates(unit: ci.TranslationUnit) -> Spans:
    """The `const` of parameters that are passed by value, in the function templates that ambiguous calls may mean."""
    spans_by_file: dict[str, set[tuple[int, int]]] = {}
    probed: set[tuple[str, int]] = set()
    for diagnostic in unit.diagnostics:
        if diagnostic.severity < ci.Diagnostic.Error or not is_ambiguous(diagnostic.spelling):
            continue
        for note in diagnostic.children:
            place = note.location
            if place.file is None or place.is_in_system_header or (place.file.name, place.offset) in probed:
                continue
            probed.add((place.file.name, place.offset))
            cursor = ci.Cursor.from_location(unit, place)
            if cursor.kind == ci.CursorKind.FUNCTION_TEMPLATE:
                spans_by_file.setdefault(place.file.name, set()).update(_consts(cursor))
    return {file: frozenset(spans) for file, spans in spans_by_file.items() if spans}


def _consts(function: Any) -> Iterator[tuple[int, int]]:
    for one in function.get_children():
        if one.kind != ci.CursorKind.PARM_DECL or not one.type.is_const_qualified():
            continue
        data, start = _bytes(one.extent.start.file.name), one.extent.start.offset
        type_ends = one.location.offset if one.spelling else one.extent.end.offset
        words = _without_arguments(data[start:type_ends])
        behind = words.rfind(b"*") + 1 if one.type.kind in _POINTERS else 0
        for match in _CONST.finditer(words, behind):
            yield start + match.start(), start + match.end()


def _bytes(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()


def _without_arguments(words: bytes) -> bytes:
    """With blanks for what stands in the brackets of templates and calls."""
    out, depth = bytearray(words), 0
    for at, letter in enumerate(words):
        depth += letter in b"<("
        if depth:
            out[at] = 32 if letter not in b"<>()" else letter
        depth -= letter in b">)"
    return bytes(out)


def without(spans: Spans) -> list[tuple[str, bytes]]:
    """The files with blanks in their place, as libclang takes contents."""
    texts = []
    for name, places in spans.items():
        text = bytearray(_bytes(name))
        for start, end in places:
            text[start:end] = b" " * (end - start)
        texts.append((name, bytes(text)))
    return texts
