"""Folders that a project's #includes need and that nobody named."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from porter.frontend.cuda_stubs import stub_of
from porter.frontend.folders import Guessed, in_order
from porter.frontend.project import Project

__all__ = ["find_include_dirs"]

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


def find_include_dirs(
    project: Project, sources: Sequence[Path], named: Mapping[Path, Sequence[Path]] | None = None
) -> Guessed:
    """Folders that the #includes of these files, and of the headers behind them, need and no -I names. Of the folders in
    build files, it is the first by in_order() that has the header. Otherwise it is the folder of a file in the tree whose
    path ends with the included name, or the file's own, or that of a source. `named`: where the build files lie that name a folder."""
    given = named or {}
    by_name: dict[str, list[Path]] = {}
    for path in sources:
        by_name.setdefault(path.name, []).append(path)
    chosen: dict[str, tuple[str, ...]] = {}
    queue, seen = list(sources), set(sources)
    while queue:
        path = queue.pop(0)
        source = project.file(path)
        if source is None:
            continue
        for include in source.includes:
            angled = include not in source.quoted
            places = (path.parent, *map(Path, project.include_dirs))
            if include in project.apart:
                continue
            if found := next((folder for folder in places[angled:] if (folder / include).is_file()), None):
                _follow(found, include, seen, queue)
                continue
            if include in _OF_THE_SYSTEM or (angled and stub_of(include)):  # a project's own is not what is meant
                continue
            folders = [*(f for f in given if (f / include).is_file()), *_ending_with(include, by_name)]
            if (path.parent / include).is_file():  # in angle brackets, so that an -I must name the file's own folder
                folders.append(path.parent)
            folders = folders or [f for f in dict.fromkeys(s.parent for s in sources) if (f / include).is_file()]
            guesses = {str(f): tuple(map(str, given.get(f, ()))) for f in folders}
            if not guesses:
                continue
            folder = in_order([*guesses], tuple(guesses.items()), path.parent)[0]
            chosen[folder] = guesses[folder]
            _follow(Path(folder), include, seen, queue)
    return tuple(chosen.items())


def _follow(folder: Path, include: str, seen: set[Path], queue: list[Path]) -> None:
    """What a header includes is looked for, too: it may lie outside of the tree, or beside a file that is ported alone."""
    header = Path(os.path.normpath(folder / include))
    if header not in seen:
        seen.add(header)
        queue.append(header)


def _ending_with(include: str, by_name: Mapping[str, Sequence[Path]]) -> list[Path]:
    """The folders below which a file of the tree has this path."""
    parts = Path(os.path.normpath(include)).parts
    if not parts or ".." in parts:
        return []
    return [c.parents[len(parts) - 1] for c in by_name.get(parts[-1], ()) if c.parts[-len(parts) :] == parts]
