"""Functions of a header that differ between the units that include it, where some have mirrored warps and others have not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from porter.frontend.project import Project
from porter.frontend.scopes import Function
from porter.frontend.source_file import SourceFile

__all__ = ["kind_dependent"]

_LAUNCHES = re.compile(r"<< *<|cudaLaunch(?:Cooperative)?Kernel\w*|cuLaunchKernel\w*|cudaOccupancyMax\w*")


def kind_dependent(project: Project, header: Path) -> frozenset[str]:
    """The functions of a header and of its includes that depend on the unit's kind: kernels, launching functions, and
    their callers."""
    functions = [
        (file, f) for file in project.members(header) for f in file.scopes.functions if f.name and f.body[0] >= 0
    ]
    names = {f.name for file, f in functions if f.kernel or any(_LAUNCHES.fullmatch(t) for t in _words(file, f))}
    more = True
    while more:
        dependent = {f.name for file, f in functions if f.name not in names and not names.isdisjoint(_words(file, f))}
        names, more = names | dependent, bool(dependent)
    return frozenset(names)


def _words(source: SourceFile, function: Function) -> Iterator[str]:
    first, last = function.body
    return (token.text for token in source.tokens.tokens[first:last])
