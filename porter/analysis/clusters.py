"""Whether a file launches thread-block clusters, and whether their blocks reach each other's memory by pointers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from porter.analysis.reach import EVERYTHING, Reach
from porter.frontend.lexer import Kind
from porter.frontend.source_file import SourceFile

__all__ = ["has_clusters", "has_shadows"]

_SIGNS = frozenset(
    {
        "__cluster_dims__", "cudaLaunchAttributeClusterDimension", "this_cluster", "map_shared_rank",
        "__cluster_barrier_wait", "__cluster_map_shared_rank", "__clusterRelativeBlockRank", "__clusterSizeInBlocks",
    }
)  # fmt: skip
_SIGN = re.compile(rb"\b(?:" + b"|".join(sign.encode() for sign in sorted(_SIGNS)) + rb")\b")
_SHADOW = re.compile(
    rb"\b(?:(?:__cluster_)?map_shared_rank|mapa(?:\.shared::cluster)?\.u64|shared::cluster\.shared::cta|cuda(?:/|::)ptx)\b"
)


def has_clusters(source: SourceFile, members: Sequence[SourceFile] = (), reach: Reach = EVERYTHING) -> bool:
    """Whether kernels of this file run in clusters: of more than one block, as far as the file says it where it runs."""
    if not source.has(_SIGN):
        return False
    file = source.tokens
    for index, token in enumerate(file.tokens):
        if token.kind != Kind.IDENT or token.text not in _SIGNS or not reach.runs(source, index, members):
            continue
        opening = index + 1
        if token.text == "__cluster_dims__" and file.partner(opening) > 0:
            if all(file.source(*part) == "1" for part in file.arguments(opening)):
                continue
        return True
    return False


def has_shadows(source: SourceFile) -> bool:
    """Whether blocks reach shared memory of others by pointers, or copy into it from their own: it has a shadow then."""
    return source.has(_SHADOW)
