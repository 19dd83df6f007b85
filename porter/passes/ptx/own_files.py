"""The files that one translation unit has for itself, as if they were one text: what is edited in one may need edits in another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from porter.findings import Edit
from porter.frontend.lexer import TokenFile, joined
from porter.frontend.scopes import macros_for_kernels, scopes_with
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit

__all__ = ["OwnFiles", "own_files"]

_MOST_BYTES = 1 << 20  # of more, a library's, a file is on its own


@dataclass(frozen=True, slots=True)
class OwnFiles:
    unit: Unit  # of the text; its members are the other files
    start: int  # of the file that is ported
    stop: int

    def own(self, edits: Iterable[Edit]) -> Iterator[Edit]:
        """Those of the file that is ported, as edits of it."""
        for edit in edits:
            if self.start <= edit.start <= self.stop:
                yield replace(edit, start=edit.start - self.start, end=edit.end - self.start)


def own_files(unit: Unit, pattern: re.Pattern[bytes]) -> OwnFiles | None:
    """The same text for each of the files. None where none of them has the pattern, or the file is not one of them."""
    own = [one for one in unit.members if one is unit.members[0] or one.path in unit.alone]
    if sum(len(one.data) for one in own) > _MOST_BYTES or unit.path not in {one.path for one in own}:
        own = own[:1]
    if not any(one.has(pattern) for one in own):
        return None
    if len(own) < 2:
        return OwnFiles(unit, 0, len(unit.file.text)) if unit.is_main else None
    others = [one for one in unit.members if one not in own]
    file = _joined(tuple(one.tokens for one in own))
    scopes = scopes_with(file, macros_for_kernels(one.tokens for one in others))
    around = tuple(one.tokens for one in others)
    text = replace(unit, path=own[0].path, file=file, scopes=scopes, members=others, included=others, beside=around)
    start = _starts(own)[unit.path]
    return OwnFiles(text, start, start + len(unit.file.text))


@lru_cache(maxsize=4)
def _joined(files: tuple[TokenFile, ...]) -> TokenFile:
    return joined(files)


def _starts(files: Iterable[SourceFile]) -> dict[Path, int]:
    starts: dict[Path, int] = {}
    at = 0
    for one in files:
        starts[one.path] = at
        at += len(one.text) + 1
    return starts
