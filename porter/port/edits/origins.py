"""Which line of a source each line of its port stands for."""

from __future__ import annotations

from porter.line_matches import matches

__all__ = ["line_origins"]


def line_origins(source: str, port: str) -> list[int]:
    """For each line of the port, the line of the source that it stands for, from 1; lines end at line feeds, as compilers count."""
    old, new = source.split("\n"), port.split("\n")
    last = max(len(old) - (not old[-1]), 1)  # what stands behind the last line feed is no line
    origins: list[int] = []
    behind = 0  # the block before
    for begin, there, size in (*matches(old, new), (len(old), len(new), 0)):
        changed = range(behind, behind + there - len(origins))
        origins += [min(number + 1, max(begin, behind + 1), last) for number in changed]
        behind = begin + size
        origins += [min(number + 1, last) for number in range(begin, behind)]
    return origins
