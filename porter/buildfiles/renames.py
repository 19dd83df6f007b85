"""Which source files of the tree changed their name, and what that means for a word in a build file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from porter.findings import Edit, Finding, Safety

__all__ = ["Renames", "source_words"]

RULE = "build-renamed-source"
CUDA_SUFFIXES = (".cu", ".cuh")


@dataclass(frozen=True)
class Renames:
    """Old path -> new path, both relative to the tree's root; a file that kept its name may be listed as itself."""

    target: str
    files: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""  # of the build file, relative to the tree's root

    def suffix(self, old: str) -> str:
        """What `old` (".cu") became everywhere it was ported: a new suffix, or "" if kept or mixed."""
        return next(iter(self.suffixes(old))) if len(self.suffixes(old)) == 1 else ""

    def suffixes(self, old: str) -> set[str]:
        """Every suffix that files ending in `old` have now, near the build file if there are any."""
        if old not in self._suffixes:
            self._suffixes[old] = self._find_suffixes(old)
        return set(self._suffixes[old])

    @cached_property
    def _suffixes(self) -> dict[str, set[str]]:
        return {}

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[str, str]]]:
        by_basename: dict[str, list[tuple[str, str]]] = {}
        for old, new in self.files.items():
            by_basename.setdefault(posixpath.basename(old), []).append((old, new))
        return by_basename

    def _find_suffixes(self, old: str) -> set[str]:
        near = posixpath.normpath(self.folder) if self.folder else "."
        suffixes: dict[bool, set[str]] = {True: set(), False: set()}
        for before, after in self.files.items():
            if before.endswith(old) and posixpath.splitext(before)[1] == old:
                inside = near == "." or before.startswith(near + "/")
                stem = before[: -len(old)]
                suffixes[inside].add(after[len(stem) :] if after.startswith(stem) else posixpath.splitext(after)[1])
        return suffixes[True] or suffixes[False]

    @cached_property
    def renamed_suffixes(self) -> set[str]:
        return {posixpath.splitext(old)[1] for old, new in self.files.items() if old != new} - {""}

    def find(self, path: str) -> str | None:
        """The new spelling of a path as the build file writes it; None if no such file was ported."""
        full = posixpath.normpath(posixpath.join(self.folder, path))
        if full in self.files:
            return _respell(path, full, self.files[full])
        # Search paths (VPATH, a variable in front) hide the folder: the ending must then speak for itself.
        tail = posixpath.normpath(path).lstrip("/")
        while tail.startswith("../"):
            tail = tail[3:]
        known = self._by_name.get(posixpath.basename(tail), ())
        spellings = {_respell(path, old, new) for old, new in known if f"/{old}".endswith(f"/{tail}")}
        return spellings.pop() if len(spellings) == 1 else None


def _respell(path: str, old: str, new: str) -> str:
    if posixpath.dirname(old) == posixpath.dirname(new):
        return path[: len(path) - len(posixpath.basename(path))] + posixpath.basename(new)
    common = posixpath.dirname(old)
    return posixpath.join(path[: len(path) - len(posixpath.basename(old))], posixpath.relpath(new, common or "."))


# A variable in front of the path is skipped: `$(SRC)/a.cu`, `${SRC}/a.cu`, `$*.cu`.
_HEAD = r"(?P<head>[)}]/?|\$[*@<]\.?)?"


def source_words(text: str, start: int, end: int, names: Renames, where: str) -> Iterator[Finding]:
    """File names and patterns in text[start:end] that follow the sources they name."""
    suffixes = names.renamed_suffixes | set(CUDA_SUFFIXES)
    ending = "|".join(re.escape(s) for s in sorted(suffixes, key=len, reverse=True))
    word = re.compile(rf"{_HEAD}(?P<path>[\w./%*?+~@\x80-\xff-]*?)(?P<ext>{ending})(?![\w\x80-\xff]|\.\w)")
    for file_name in word.finditer(text, start, end):
        path, ext = file_name["path"], file_name["ext"]
        at = (file_name.start("ext"), file_name.end("ext"))
        stem_is_known = path and not re.search(r"[%*?]", path) and not path.endswith("/")
        if file_name["head"] and not file_name["head"].endswith("/") and not path.startswith("/"):
            stem_is_known = False  # `$(NAME).cu`, `$*.cu`
        if not stem_is_known:
            yield from _pattern(path + ext, ext, at, names, where)
            continue
        full = path.lstrip("/") + ext if file_name["head"] else path + ext
        new = names.find(full)
        begin = file_name.start("path") + (len(path) + len(ext) - len(full))
        if new is None:
            if ext == ".cu" and names.suffix(".cu") not in ("", ".cu"):
                message = f"{full} is not among the ported sources: no file name to follow"
                yield Finding(RULE, begin, at[1], Safety.REVIEW, message)
        elif new != full:
            keep = len(posixpath.commonprefix((full, new)))
            edit = Edit(begin + keep, at[1], new[keep:])
            yield Finding(RULE, begin, at[1], Safety.EXACT, f"{full} is now {new}", (edit,))


def _pattern(shown: str, ext: str, at: tuple[int, int], names: Renames, where: str) -> Iterator[Finding]:
    if ext not in CUDA_SUFFIXES:
        return
    now = names.suffixes(ext)
    if len(now) > 1:
        message = f"'{shown}' stands for files that now end in {' and '.join(sorted(now))}: add a pattern for each"
        yield Finding(RULE, at[0], at[1], Safety.REVIEW, f"{message} ({where})")
    elif now and ext not in now:
        new = now.pop()
        yield Finding(RULE, at[0], at[1], Safety.EXACT, f"'{shown}' follows the sources to {new}", (Edit(*at, new),))
