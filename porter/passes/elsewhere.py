"""Kernels that a unit launches but another one defines: which of their properties a launch has to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from porter.frontend.project import Project, SourceFile
from porter.frontend.unit import Elsewhere
from porter.passes.clusters import has_clusters
from porter.passes.mirror import roles
from porter.rules import RuleSet

__all__ = ["kernels_elsewhere"]


def kernels_elsewhere(project: Project, members: Sequence[SourceFile], rules: RuleSet) -> Mapping[str, Elsewhere]:
    """By name: kernels that the unit's files declare, and a file that is not of them defines."""
    declared: set[str] = set()
    defined: set[str] = set()
    for member in members:
        for name, with_body in _kernels(member):
            (defined if with_body else declared).add(name)
    found = {}
    for name in sorted(declared - defined):
        path = project.kernels.get(name)
        if path is None:
            continue
        files = [file for one in project.closure(path) if (file := project.file(one))]
        found[name] = Elsewhere(path, roles(files, rules).mirrored, any(map(has_clusters, files)))
    return found


def _kernels(source: SourceFile) -> Iterator[tuple[str, bool]]:
    if b"__global__" in source.data:
        yield from ((f.name, f.body[0] >= 0) for f in source.scopes.functions if f.kernel)
