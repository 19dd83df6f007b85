"""Kernels that a unit launches but another one defines: which of their properties a launch has to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from porter.analysis.kinds import kind_of
from porter.frontend.project import Project, SourceFile
from porter.frontend.unit import Elsewhere
from porter.rules import RuleSet

__all__ = ["defined_elsewhere", "kernels_elsewhere"]


def kernels_elsewhere(project: Project, members: Sequence[SourceFile], rules: RuleSet) -> Mapping[str, Elsewhere]:
    """By name: kernels that the unit's files declare, and a file that is not of them defines."""
    found = {}
    for name, path in defined_elsewhere(project, members).items():
        found[name] = Elsewhere(path, *kind_of(project, path, rules))
    return found


def defined_elsewhere(project: Project, members: Sequence[SourceFile]) -> Mapping[str, Path]:
    """The file that defines each of them."""
    declared: set[str] = set()
    defined: set[str] = set()
    for member in members:
        for name, with_body in _kernels(member):
            (defined if with_body else declared).add(name)
    return {name: project.kernels[name] for name in sorted(declared - defined) if name in project.kernels}


def _kernels(source: SourceFile) -> Iterator[tuple[str, bool]]:
    if b"__global__" in source.data:
        yield from ((f.name, f.body[0] >= 0) for f in source.scopes.functions if f.kernel)
