"""The per-user cache folder: precompiled headers, compiled programs, the emulator, results of conversions."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

__all__ = ["cache_dir", "one_at_a_time", "write_atomically"]


@lru_cache(maxsize=1)
def cache_dir() -> Path:
    """PORTER_CACHE, or the platform's cache folder; a temporary one where neither can be written."""
    override = os.environ.get("PORTER_CACHE")
    if override:
        candidates = [Path(override)]
    elif sys.platform == "darwin":
        candidates = [Path.home() / "Library" / "Caches" / "porter"]
    else:
        base = os.environ.get("XDG_CACHE_HOME")
        candidates = [(Path(base) if base else Path.home() / ".cache") / "porter"]
    candidates.append(Path(tempfile.gettempdir()) / f"porter-{os.getuid() if hasattr(os, 'getuid') else 'user'}")
    for candidate in candidates:
        try:
            candidate.mkdir(parents=True, exist_ok=True)
            probe = candidate / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError:
            continue
        return candidate
    return candidates[-1]


@contextlib.contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Long work that several processes would do at once, each for itself: the others wait, and find it done.

    A file system or a system without locks costs nothing but that: results are written whole in any case.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            file = stack.enter_context(open(cache_dir() / f"{name}.lock", "w"))
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
