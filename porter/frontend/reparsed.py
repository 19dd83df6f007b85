"""Parses of a translation unit whose main file has another text each time: what it includes first is read once for all."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import clang.cindex as ci

from porter.frontend.ast import DECLARATIONS, ParseOptions, translation_unit
from porter.frontend.libclang import KEEP_GOING, arguments, index
from porter.frontend.parsed import stamp

__all__ = ["reparsed"]

# CXTranslationUnit_PrecompiledPreamble | CXTranslationUnit_CreatePreambleOnFirstParse
_WITH_PREAMBLE = KEEP_GOING | 0x4 | 0x100
# Units are as large as the headers that they include; questions alternate between a few sets of edits to headers.
_MOST_KEPT = 2
_MOST_ASKED = 64

_Key = tuple[Path, ParseOptions, str, str]
_Stamps = Mapping[Path, tuple[int, int]]  # of the unit's files: clang looks at whole seconds
_kept: dict[_Key, tuple[ci.TranslationUnit, _Stamps]] = {}
_seen_once: dict[_Key, None] = {}  # for the first time, without a preamble


def reparsed(main: Path, texts: Mapping[Path, str], options: ParseOptions, before: str) -> ci.TranslationUnit | None:
    """What translation_unit() returns, but that the notes of a diagnostic in a preamble may be there twice. It is good until
    the next call, which may parse it again in place.

    A preamble holds while the files that it is made of stay as they are; where other files than the main one differ each time, it never
    would. So the first parse of a kind goes without, and costs no more than it did.
    """
    key = main, options, before, _digest((path, text) for path, text in texts.items() if path != main)
    known = _kept.pop(key, None)
    unit: ci.TranslationUnit | None = None
    stamps: _Stamps = {}
    if known is not None or key in _seen_once:
        files = [(str(path), text.encode("latin-1")) for path, text in (*texts.items(), (Path(DECLARATIONS), before))]
        if known is not None and all(stamp(path) == then for path, then in known[1].items()):
            unit, stamps = _again(known[0], files), known[1]
        else:
            unit = _first(main, files, options)
            stamps = _stamps(unit, options) if unit else {}
    if unit is None:
        _seen_once[key] = None
        unit = translation_unit(main, texts, options, before)
    else:
        _kept[key] = unit, stamps
    for entries, most in ((_kept, _MOST_KEPT), (_seen_once, _MOST_ASKED)):
        while len(entries) > most:
            del entries[next(iter(entries))]
    return unit


def _stamps(unit: ci.TranslationUnit, options: ParseOptions) -> _Stamps:
    """Of the files that a unit includes, without a library's, which are thousands and precompiled."""
    library = tuple(f"{folder}/" for folder in options.library.folders) if options.library else ()
    names = (inclusion.include.name for inclusion in unit.get_includes())
    return {path: stamp(path) for path in map(Path, {name for name in names if not name.startswith(library)})}


def _digest(files: Iterable[tuple[Path, str]]) -> str:
    digest = hashlib.sha256()
    for path, text in files:
        digest.update(f"{path}\0{len(text)}\0{text}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _first(main: Path, files: Sequence[tuple[str, bytes]], options: ParseOptions) -> ci.TranslationUnit | None:
    given = [*arguments(options), "-include", DECLARATIONS]
    try:
        return _index().parse(str(main), given, list(files), _WITH_PREAMBLE)
    except ci.TranslationUnitLoadError:
        return None


def _again(unit: ci.TranslationUnit, files: Sequence[tuple[str, bytes]]) -> ci.TranslationUnit | None:
    """cindex has this, and does not say whether it went well."""
    module: Any = ci
    array = (module._CXUnsavedFile * len(files))()
    for at, (name, text) in zip(array, files):
        at.name, at.contents, at.length = name.encode("utf-8", "surrogateescape"), text, len(text)
    failed = ci.conf.lib.clang_reparseTranslationUnit(unit, len(files), array, _WITH_PREAMBLE)
    return None if failed else unit


class _IndexOptions(ctypes.Structure):
    """CXIndexOptions of libclang 17 and newer."""

    _fields_ = (
        ("size", ctypes.c_uint),
        ("priority_of_indexing", ctypes.c_ubyte),
        ("priority_of_editing", ctypes.c_ubyte),
        ("flags", ctypes.c_ushort),
        ("preambles", ctypes.c_char_p),
        ("invocations", ctypes.c_char_p),
    )


_IN_MEMORY = 1 << 2  # StorePreamblesInMemory: processes that end at once leave no files behind


@lru_cache(maxsize=1)
def _index() -> ci.Index:
    plain = index()
    library = ci.conf.lib
    if not hasattr(library, "clang_createIndexWithOptions"):  # an older libclang
        return plain
    library.clang_createIndexWithOptions.restype = ctypes.c_void_p
    options = _IndexOptions(ctypes.sizeof(_IndexOptions), 0, 0, _IN_MEMORY, None, None)
    made = library.clang_createIndexWithOptions(ctypes.byref(options))
    return ci.Index(ctypes.cast(made, ci.c_object_p)) if made else plain
