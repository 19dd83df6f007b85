"""What a unit asks of the files that it shares with others: mirrored warps, and launches with clusters."""

from __future__ import annotations

import re
from pathlib import Path

from porter.analysis.clusters import has_clusters
from porter.analysis.roles import roles
from porter.frontend.project import Project, SourceFile
from porter.rules import RuleSet

__all__ = ["kind_of", "kinds_matter"]

_DEPENDS = re.compile(rb"<<<|__global__|__device__|\bcudaLaunch|\bblockDim\b")
# What neither roles() nor has_clusters() can find anything without.
_MAY_ASK = re.compile(
    rb"\basm\b|__asm|mma\.h|cuda/|cuda_pipeline|cuda_awbarrier|__mbarrier_|[cC]luster|map_shared_rank"
)


def kinds_matter(source: SourceFile) -> bool:
    """Whether the port of a header depends on the unit that includes it."""
    return bool(_DEPENDS.search(source.data))


def kind_of(project: Project, main: Path, rules: RuleSet) -> tuple[int, bool]:
    """What a unit asks of its headers: mirrored warps, and launches with clusters."""
    if main not in project.kinds:
        members = project.members(main)
        asks = any(_MAY_ASK.search(member.data) for member in members)
        project.kinds[main] = (roles(members, rules).mirrored, any(map(has_clusters, members))) if asks else (0, False)
    return project.kinds[main]
