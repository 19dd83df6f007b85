"""The files of a tree, and the folders in which headers are looked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from porter.frontend.project import Project

__all__ = ["Guessed", "find_include_dirs", "in_order", "walk"]

_OF_THE_SYSTEM = frozenset(  # headers of C and POSIX
    f"{name}.h"
    for name in (
        "aio arpa/inet assert complex cpio ctype dirent dlfcn errno fcntl fenv float fmtmsg fnmatch ftw glob grp iconv "
        "inttypes iso646 langinfo libgen limits locale math monetary mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types "
        "poll pthread pwd regex sched search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint "
        "stdio stdlib stdnoreturn string strings stropts sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm "
        "sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios "
        "tgmath threads time trace uchar ulimit unistd utime utmpx wchar wctype wordexp getopt alloca malloc"
    ).split()
)
_SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "CMakeFiles", ".porter"})


def walk(root: Path, passed: list[tuple[Path, str]] | None = None) -> list[Path]:
    """Every file below root, sorted; links that lead out of the tree, and version control, left out. `passed` gets what was
    passed over with the reason; an OSError's text begins with "cannot be read"."""
    found: list[Path] = []
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
                found.append(path)
    return found


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


def find_include_dirs(
    project: Project, sources: Sequence[Path], named: Mapping[Path, Sequence[Path]] | None = None
) -> Guessed:
    """Folders that the #includes of these files need and no -I names: of those that the build files name the first by
    in_order() that has the header, or of the tree's whose path ends with what is included. `named`: where the build files
    lie that name a folder."""
    given = named or {}
    by_name: dict[str, list[Path]] = {}
    for path in sources:
        by_name.setdefault(path.name, []).append(path)
    found: dict[str, tuple[str, ...]] = {}
    queue, seen = list(sources), set(sources)
    while queue:
        path = queue.pop(0)
        source = project.file(path)
        for include in source.includes if source else ():
            if project.resolve(include, path) is not None:
                continue
            if include in _OF_THE_SYSTEM:  # a project's own is for systems that have none
                continue
            folders = [*(f for f in given if (f / include).is_file()), *_ending_with(include, by_name)]
            guesses = {str(f): tuple(map(str, given.get(f, ()))) for f in folders}
            if not guesses:
                continue
            folder = in_order([*guesses], tuple(guesses.items()), path.parent)[0]
            found[folder] = guesses[folder]
            header = Path(os.path.normpath(Path(folder, include)))
            if header not in seen:  # outside of the tree, perhaps
                seen.add(header)
                queue.append(header)
    return tuple(found.items())


def _ending_with(include: str, by_name: Mapping[str, Sequence[Path]]) -> list[Path]:
    """The folders below which a file of the tree has this path."""
    parts = Path(os.path.normpath(include)).parts
    if not parts or ".." in parts:
        return []
    return [c.parents[len(parts) - 1] for c in by_name.get(parts[-1], ()) if c.parts[-len(parts) :] == parts]


def in_order(folders: Sequence[str], guessed: Guessed, where: Path) -> tuple[str, ...]:
    """The folders as files in `where` search them: those that somebody named, those that a build file above `where` names,
    and others; of the guessed ones the nearest first."""
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
