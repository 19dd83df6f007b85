"""Which model of time made a prediction."""

from __future__ import annotations

import functools

from porter.paths import PACKAGE
from porter.toolchain.store import digest, file_digest

__all__ = ["model_digest"]


@functools.cache
def model_digest() -> str:
    """A digest of the model's sources: predictions with the same one can stand beside each other."""
    folder = PACKAGE / "perf" / "model"
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".c", ".h"))
    return digest(*(file_digest(path) for path in files))
