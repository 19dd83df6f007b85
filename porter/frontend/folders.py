"""The files of a tree, and the folders in which headers are looked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

__all__ = ["Guessed", "in_order", "walk"]

_SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "CMakeFiles", ".porter"})


def walk(root: Path, passed: list[tuple[Path, str]] | None = None) -> list[Path]:
    """Every file below root, sorted; links that lead out of the tree, and version control, left out. `passed` gets what was
    passed over with the reason; an OSError's text begins with "cannot be read"."""
    paths: list[Path] = []
    over = [] if passed is None else passed
    real_root = root.resolve()

    def unreadable(error: OSError) -> None:
        over.append((Path(error.filename), f"cannot be read: {error.strerror}"))

    for folder, subfolders, files in os.walk(root, onerror=unreadable):
        subfolders[:] = sorted(d for d in subfolders if d not in _SKIPPED_FOLDERS)
        over += ((Path(folder, d), "a link to a folder") for d in subfolders if Path(folder, d).is_symlink())
        for name in sorted(files):
            path = Path(folder, name)
            why = _why_not(path, real_root)
            if why:
                over.append((path, why))
            else:
                paths.append(path)
    return paths


def _why_not(path: Path, real_root: Path) -> str:
    """Why a name in a tree is no file of it; "" where it is one."""
    if path.is_symlink():
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return "a link that leads nowhere"
        if real_root not in target.parents:
            return "a link out of the tree"
        if target.is_dir():
            return "a link to a folder"
    return "" if path.is_file() else "no file, but a device, a pipe or a socket"


# Folders in which a file's headers may be, and where the build files lie that name them: they mean what is below them.
Guessed = tuple[tuple[str, tuple[str, ...]], ...]


def in_order(folders: Sequence[str], guessed: Guessed, where: Path) -> tuple[str, ...]:
    """The folders in the order in which files in `where` search them: named by the user, named by a build file above
    `where`, others; of the guessed ones the nearest first."""
    if len(guessed) < 2:
        return tuple(folders)
    builds = dict(guessed)

    def order(folder: str) -> tuple[int, int]:
        if folder not in builds:
            return 0, 0
        above = any(where.is_relative_to(build) for build in builds[folder])
        return 1 if above else 2, -_shared(folder, where)

    return tuple(sorted(folders, key=order))


def _shared(folder: str, where: Path) -> int:
    """How much of their paths is the same."""
    try:
        return len(os.path.commonpath([folder, where]))
    except ValueError:  # one of them is relative
        return 0
