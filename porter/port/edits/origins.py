"""Which line of a source each line of its port stands for."""

from __future__ import annotations

import difflib

__all__ = ["line_origins"]


def line_origins(source: str, port: str) -> list[int]:
    """For each line of the port, the line of the source that it stands for, from 1; lines end at line feeds, as compilers count."""
    old, new = source.split("\n"), port.split("\n")
    last = max(len(old) - (not old[-1]), 1)  # what stands behind the last line feed is no line
    origins: list[int] = []
    for _, a0, a1, b0, b1 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        origins += [min(a0 + number + 1, max(a1, a0 + 1), last) for number in range(b1 - b0)]
    return origins
