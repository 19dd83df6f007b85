"""Whether a file launches thread-block clusters, and whether their blocks reach each other's memory by pointers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from porter.analysis.running.reach import EVERYTHING, Reach
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.source_file import SourceFile

__all__ = ["has_clusters", "has_shadows", "only_messages"]

_SIGNS = frozenset(
    {
        "__cluster_dims__", "cudaLaunchAttributeClusterDimension", "this_cluster", "map_shared_rank",
        "__cluster_barrier_wait", "__cluster_map_shared_rank", "__clusterRelativeBlockRank", "__clusterSizeInBlocks",
    }
)  # fmt: skip
_SIGN = re.compile(rb"\b(?:" + b"|".join(sign.encode() for sign in sorted(_SIGNS)) + rb")\b")
_IN_PTX = re.compile(rb"\b(?:mapa(?:\.shared::cluster)?\.u64|shared::cluster\.shared::cta)\b")
_MAPPING = ("map_shared_rank", "__cluster_map_shared_rank", "mapa")
_BY_MESSAGES = frozenset(
    {"mbarrier_arrive", "mbarrier_arrive_expect_tx", "mbarrier_expect_tx", "st_async", "red_async"}
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
    if source.has(_IN_PTX):
        return True
    file = source.tokens
    mapped = (k for k in file.places(*_MAPPING) if file.tokens[k + 1].text == "(")
    copies = (k for k in file.places("cp_async_bulk") if file.tokens[k + 1].text == "(")
    return any(not only_messages(file, k) for k in mapped) or any(_to_other_block(file, k) for k in copies)


def _to_other_block(file: TokenFile, index: int) -> bool:
    """Whether cp_async_bulk of cuda::ptx at the token copies out of the block's own shared memory."""
    spaces = [file.source(*argument) for argument in file.arguments(index + 1)[:2]]
    return len(spaces) == 2 and "space_cluster" in spaces[0] and "space_shared" in spaces[1]


def only_messages(file: TokenFile, index: int) -> bool:
    """Whether the address in another block that a call at the token gives is at once an argument of a function of cuda::ptx
    that reaches the other block by messages."""
    at = index - 1
    while at > 0 and file.tokens[at].text not in (";", "{", "}"):
        if file.tokens[at].text in (")", "]") and file.partner(at) > 0:
            at = file.partner(at)
        elif file.tokens[at].text == "(" and file.tokens[at - 1].text != ">":  # not that of a cast
            return file.tokens[at - 1].text in _BY_MESSAGES
        at -= 1
    return False
