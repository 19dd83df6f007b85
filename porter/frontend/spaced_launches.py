"""Brackets of a launch with blanks in them, `kernel << <grid, block>> >(x)`: nvcc takes them, clang does not."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["joined_texts"]

_SPACED = re.compile(rb"(<<)([ \t]+)(<)|(>>)([ \t]+)(>)")


def joined_texts(names: Iterable[str]) -> list[tuple[str, bytes]]:
    """The files that have some, each with its text: the blanks behind the brackets, so that all else stays where it is."""
    texts: list[tuple[str, bytes]] = []
    for name in names:
        try:
            with open(name, "rb") as file:
                text = file.read()
        except OSError:
            continue
        joined = _SPACED.sub(lambda one: b"%b%b%b" % _parts(one), text)
        if joined != text:
            texts.append((name, joined))
    return texts


def _parts(one: re.Match[bytes]) -> tuple[bytes, bytes, bytes]:
    first, blanks, last = one.group(1, 2, 3) if one[1] else one.group(4, 5, 6)
    return first, last, blanks
