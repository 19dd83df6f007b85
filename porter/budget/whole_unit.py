"""A file as a part of its translation unit: all of the unit's files, as if they were one text.

Templates, classes and kernels are often in headers, the numbers that they are given in the file that launches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from porter.analysis.launch_requests import may_launch
from porter.analysis.static_shared import has_statics
from porter.budget.limits import limits, may_limit
from porter.frontend.lexer import TokenFile, joined
from porter.frontend.scopes import find_scopes
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit

__all__ = ["Whole", "as_file", "beside", "whole"]

_MOST_BYTES = 2 << 20  # of more, a library's, only what says limits or launches is looked at


@dataclass(frozen=True, slots=True)
class Whole:
    unit: Unit
    first: int  # the file's own tokens: [first, last)
    last: int
    start: int  # and its text: [start, stop)
    stop: int
    parts: tuple[tuple[int, Path], ...] = ()  # where each file begins

    def origin(self, offset: int) -> tuple[Path | None, int]:
        """The file, None for the unit's own, and the offset there."""
        if self.start <= offset < self.stop:
            return None, offset - self.start
        start, path = next(part for part in reversed(self.parts) if part[0] <= offset)
        return path, offset - start


def beside(unit: Unit) -> Mapping[Path, SourceFile]:
    """The translation unit's other files; for a large unit, only the ones that set the amount of shared memory."""
    others = [source for source in _in_order(unit) if source.path != unit.path]
    if sum(len(source.data) for source in others) > _MOST_BYTES:
        others = [s for s in others if s is unit.members[0] or may_launch(s) or _limits(s) or has_statics(s)]
    return {source.path: source for source in others}


def _limits(source: SourceFile) -> bool:
    return may_limit(source) and any(limits(source.tokens))


def as_file(unit: Unit, source: SourceFile) -> Unit:
    """Another file of the translation unit, in the place of the unit's own."""
    return replace(unit, path=source.path, file=source.tokens, scopes=source.scopes, is_main=False)


def _in_order(unit: Unit) -> Sequence[SourceFile]:
    """All files of the unit, its main file last."""
    return (*unit.members[1:], *unit.members[:1])


def whole(unit: Unit) -> Whole:
    """The same text for each file of a unit, so that what is read of it is read once."""
    others = beside(unit)
    if not others:
        return Whole(unit, 0, len(unit.tokens), 0, len(unit.file.text))
    files = {
        source.path: source.tokens for source in _in_order(unit) if source.path in others or source.path == unit.path
    }
    files[unit.path] = unit.file
    parts: list[tuple[int, Path]] = []
    start = 0
    for path, file in files.items():
        parts.append((start, path))
        start += len(file.text) + 1
    text = _joined(tuple(files.values()))
    own = next(start for start, path in parts if path == unit.path)
    end = own + len(unit.file.text)
    other = replace(unit, file=text, scopes=find_scopes(text))
    return Whole(other, text.token_at(own), text.token_at(end), own, end, tuple(parts))


@lru_cache(maxsize=1)
def _joined(files: tuple[TokenFile, ...]) -> TokenFile:
    return joined(files)
