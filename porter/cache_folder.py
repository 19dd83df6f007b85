"""The per-user cache folder: precompiled headers, compiled programs, the emulator, results of conversions."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from porter.errors import UsageError

__all__ = ["cache_dir", "distrusted", "one_at_a_time", "unwritable", "write_atomically"]


_OTHERS = stat.S_IWGRP | stat.S_IWOTH


@lru_cache(maxsize=1)
def cache_dir() -> Path:
    """PORTER_CACHE, or the platform's cache folder; one for temporary files where neither can be written or trusted.

    Programs and parses come from it, so nobody else may write there. Raises UsageError for a PORTER_CACHE that others can.
    """
    override = os.environ.get("PORTER_CACHE")
    if not override:
        return _at_home() if not distrusted() and _writable(_at_home()) else _temporary()
    why = _unsafe(Path(override))
    if why:
        raise UsageError(f"PORTER_CACHE: {override} {why}", f"chmod go-w {override}, or name a folder of your own")
    return Path(override) if _writable(Path(override)) else _temporary()


def _at_home() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "porter"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "porter"


def distrusted() -> str:
    """Why the cache in the user's home is not used: "FOLDER can be written by others", it or one above it; "" if it is."""
    if os.environ.get("PORTER_CACHE"):
        return ""
    folder, home = _at_home(), Path.home()
    above = [one for one in (folder, *folder.parents) if one == home or home in one.parents] or [folder]
    return next((f"{one} {why}" for one in above if (why := _unsafe(one))), "")


def unwritable() -> str:
    """The folder that would be the cache, and cannot be written; "" if there is none."""
    wanted = Path(os.environ.get("PORTER_CACHE") or _at_home())
    return str(wanted) if cache_dir() != wanted and not _writable(wanted) else ""


def _unsafe(folder: Path) -> str:
    """Why what is in a folder may be somebody else's; "" where it is not, and for a folder that does not exist."""
    try:
        status = folder.stat()
    except OSError:
        return ""
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid not in (os.geteuid(), 0):
        return "belongs to another user"
    return "can be written by others" if status.st_mode & _OTHERS else ""


def _writable(folder: Path) -> bool:
    """Whether files can be made in the folder, which is made where it does not exist, for the user alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, probe = tempfile.mkstemp(prefix=".probe-", dir=folder)
        os.close(handle)
        os.unlink(probe)
    except OSError:
        return False
    return True


def _temporary() -> Path:
    """The same folder in every run, if it is the user's alone; anybody may have made one of its name. Else a new one."""
    folder = Path(tempfile.gettempdir()) / f"porter-{os.geteuid() if hasattr(os, 'geteuid') else 'user'}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700)
    with contextlib.suppress(OSError):
        status = folder.lstat()
        own = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o077)
        if stat.S_ISDIR(status.st_mode) and own and _writable(folder):
            return folder
    made = Path(tempfile.mkdtemp(prefix="porter-"))
    os.environ["PORTER_CACHE"] = str(made)  # for the processes that this one starts
    atexit.register(_removed, made, os.getpid())
    return made


def _removed(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # and not a process that was forked from it
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Long work that several processes would do at once, each for itself: the others wait, and find it done.

    A file system or a system without locks costs nothing but that: results are written whole in any case.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            # Not through a link, and nothing of the file is changed: it may be somebody's.
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            file = os.open(cache_dir() / f"{name}.lock", flags, 0o600)
            stack.callback(os.close, file)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write_atomically(path: Path, data: bytes) -> None:
    """All of `data` or nothing at `path`: written beside it, then renamed."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if path.exists():
            os.chmod(name, path.stat().st_mode & 0o7777)
        else:
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        try:
            os.unlink(name)
        except OSError:
            pass
        raise
