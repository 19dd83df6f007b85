"""Vector registers that a kernel keeps in memory, from the compiler's own comments, which say what lies in a loop."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Spills", "spills"]

_FUNCTION = re.compile(r"(\w[\w.$]*):\s*;\s*@")
_BLOCK = re.compile(r"\.LBB\d|; %bb\.")
_DEPTH = re.compile(r"\bDepth=(\d+)")
_SPILL = re.compile(r"\s(?:scratch|buffer)_(?:store|load)_\w+ .*; .*\bFolded (?:Spill|Reload)")


@dataclass(frozen=True, slots=True)
class Spills:
    """Instructions that store and load spilled vector registers. Scalar ones, kept in lanes of vector registers, are none."""

    total: int = 0
    in_loops: int = 0


def spills(assembly: str) -> dict[str, Spills]:
    """By function, of a file of device assembly. Functions without any are not in it."""
    by_function: dict[str, Spills] = {}
    function, depth, heading = "", 0, False
    for line in assembly.split("\n"):
        if named := _FUNCTION.match(line):
            function, depth = named[1], 0
        elif _BLOCK.match(line):
            depth, heading = _deepest(line), True
        elif heading and line.lstrip().startswith(";"):  # the loops around it, one a line
            depth = max(depth, _deepest(line))
        else:
            heading = False
            if "Folded" in line and _SPILL.match(line):
                before = by_function.get(function, Spills())
                by_function[function] = Spills(before.total + 1, before.in_loops + (depth > 0))
    return by_function


def _deepest(line: str) -> int:
    return max((int(depth) for depth in _DEPTH.findall(line)), default=0)
