"""C++ names as people write them."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import re

__all__ = ["brief_name", "demangle", "short_name"]


@functools.cache
def _library() -> ctypes.CDLL | None:
    """The C++ runtime of this machine, whose demangler is the reference; None where there is none."""
    for name in ("libstdc++.so.6", "libc++abi.so.1", ctypes.util.find_library("c++") or ""):
        if not name:
            continue
        try:
            library = ctypes.CDLL(name)
            library.__cxa_demangle.restype = ctypes.c_void_p
            return library
        except (OSError, AttributeError):
            continue
    return None


@functools.lru_cache(maxsize=4096)
def demangle(name: str) -> str:
    """The name with its types; unchanged where it is not mangled or this machine cannot tell."""
    library = _library()
    if library is None or not name.startswith("_Z"):
        return name
    status = ctypes.c_int()
    known = _known_types(name) if "DF16" in name else name
    readable = library.__cxa_demangle(known.encode(), None, None, ctypes.byref(status))
    if not readable:
        return name
    text = ctypes.cast(readable, ctypes.c_char_p).value or b""
    ctypes.CDLL(None).free(ctypes.c_void_p(readable))
    demangled = text.decode("utf-8", "replace")
    return (
        demangled if known == name else re.sub(r"\b(?:decimal64|decimal128)\b", lambda one: _HALVES[one[0]], demangled)
    )


_UNNAMED = "(anonymous namespace)"
# Types that older libraries do not know or take for others. Those that stand for them are no candidates for S_ either.
_STAND_INS = {"DF16_": "Dd", "DF16b": "De"}
_LENGTH = re.compile(r"(?<!Dv)[1-9][0-9]*")  # Dv: a vector's elements
_HALVES = {"decimal64": "_Float16", "decimal128": "__bf16"}


def _known_types(name: str) -> str:
    """The mangled name with decimals for _Float16 and __bf16; its identifiers stay."""
    parts, at = [], 0
    while at < len(name):
        length = _LENGTH.match(name, at)
        end = length.end() + int(length[0]) if length else 0
        if length and end <= len(name) and re.fullmatch(r"[A-Za-z_]\w*", name[length.end() : end]):
            parts.append(name[at:end])
            at = end
        elif (type_ := name[at : at + 5]) in _STAND_INS:
            parts.append(_STAND_INS[type_])
            at += 5
        else:
            parts.append(name[at])
            at += 1
    return "".join(parts)


def short_name(name: str) -> str:
    """A demangled function without its arguments, the `void` of a template and unnamed namespaces."""
    angles = parentheses = 0
    at = 0
    while at < len(name):
        if name.startswith(_UNNAMED, at):
            at += len(_UNNAMED)
            continue
        letter = name[at]
        if letter == "(" and angles == parentheses == 0:
            break
        parentheses += (letter == "(") - (letter == ")")
        if parentheses == 0:  # a comparison in a template's argument is in parentheses
            angles += (letter == "<") - (letter == ">")
        at += 1
    return name[:at].removeprefix("void ").replace(_UNNAMED + "::", "")


_LONG = 60


def brief_name(name: str) -> str:
    """A demangled function's short name for a line of text: arguments of templates are left out where it is long."""
    short = short_name(name)
    if len(short) <= _LONG:
        return short
    for inner, by in ((r"\([^()]*\)", ""), (r"<[^<>]*>", "\0")):  # parentheses first: a comparison may stand in them
        while short != (without := re.sub(inner, by, short)):
            short = without
    return short.replace("\0", "<...>")
