"""Kernels that a unit launches but another one defines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from porter.frontend.project import Project
from porter.frontend.source_file import SourceFile

__all__ = ["defined_elsewhere"]

_MAY_DECLARE = re.compile(
    rb"__global__[^{;]*(?:;|=[^{;]*\{)"
)  # behind it a declaration ends, or has a default argument


def defined_elsewhere(project: Project, members: Sequence[SourceFile]) -> Mapping[str, Path]:
    """By name: kernels that a unit's files declare and do not define, and the file of the project that defines each."""
    if not any(member.has(_MAY_DECLARE) for member in members):
        return {}  # before their tokens, which unchanged files need for nothing else
    declared: set[str] = set()
    defined: set[str] = set()
    for member in members:
        for name, with_body in _kernels(member):
            (defined if with_body else declared).add(name)
    return {name: project.kernels[name] for name in sorted(declared - defined) if name in project.kernels}


def _kernels(source: SourceFile) -> Iterator[tuple[str, bool]]:
    if b"__global__" in source.data:
        yield from ((f.name, f.body[0] >= 0) for f in source.scopes.functions if f.kernel)
