"""Files of a tree that are not ported: the user excludes them, or git ignores them."""

from __future__ import annotations

import fnmatch
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = ["ignored_by_git", "matches"]


def matches(path: Path, patterns: Iterable[str]) -> bool:
    """Does a pattern name the file or a folder above it? One without a slash is compared with each part of the path."""
    whole = Path(os.path.abspath(path))
    above = [whole, *whole.parents]
    for pattern in patterns:
        if "/" not in pattern:
            if any(fnmatch.fnmatchcase(one.name, pattern) for one in above):
                return True
        elif any(fnmatch.fnmatchcase(str(one), os.path.abspath(pattern)) for one in above):
            return True
    return False


def ignored_by_git(root: Path, files: Sequence[Path]) -> frozenset[Path]:
    """The files below `root` that its repository ignores and does not hold; none where git knows nothing of it, or
    ignores all of it."""
    if _git(root, "check-ignore", "-q", ".") is not None:
        return frozenset()
    listing = _git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    names = [
        os.path.join(os.path.abspath(root), os.fsdecode(name)).rstrip("/") for name in (listing or b"").split(b"\0")
    ]
    listed = {Path(name) for name in names} - {Path(os.path.abspath(root))}
    return frozenset(f for f in files if not listed.isdisjoint((own := Path(os.path.abspath(f)), *own.parents)))


def _git(root: Path, *words: str) -> bytes | None:
    """What git prints; None where it fails, or is not installed."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
