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
    found = library.__cxa_demangle(name.encode(), None, None, ctypes.byref(status))
    if not found:
        return name
    text = ctypes.cast(found, ctypes.c_char_p).value or b""
    ctypes.CDLL(None).free(ctypes.c_void_p(found))
    return text.decode("utf-8", "replace")


_UNNAMED = "(anonymous namespace)"


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
