"""CUDA's headers as the parser finds them: files of porter/cuda_stubs, and the forwarding headers of forwards.tbl."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from porter.cache_folder import cache_dir
from porter.paths import CUDA_STUBS

__all__ = ["forwards", "stub_folders", "stub_of"]


@lru_cache(maxsize=1)
def forwards() -> dict[str, str]:
    """The header of CUDA_STUBS for each path that has no file there."""
    headers: dict[str, str] = {}
    header = ""
    for line in (CUDA_STUBS / "forwards.tbl").read_text("utf-8").splitlines():
        words = line.split()
        if words and words[0] != "#":
            header = header if line[0] == " " else words.pop(0)
            headers.update(dict.fromkeys(words, header))
    return headers


def stub_of(name: str) -> Path | None:
    """The file that an #include of CUDA's is answered with; None where there is none."""
    path = CUDA_STUBS / forwards().get(name, name)
    return path if path.is_file() else None


def stub_folders() -> tuple[Path, Path]:
    """Where the parser looks for headers of CUDA: the second folder has a file for each of forwards(), made on first use."""
    folder = cache_dir() / f"cuda-stubs-{_digest()}"
    if not folder.is_dir():
        draft = Path(tempfile.mkdtemp(prefix=".cuda-stubs-", dir=folder.parent))
        for name, header in forwards().items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#include <{header}>\n", "utf-8")
        try:
            os.rename(draft, folder)
        except OSError:  # another process was faster
            shutil.rmtree(draft, ignore_errors=True)
    return CUDA_STUBS, folder


@lru_cache(maxsize=1)
def _digest() -> str:
    """Of the forwards, in a folder's name."""
    return hashlib.sha256(repr(sorted(forwards().items())).encode()).hexdigest()[:20]
