"""Ports of an earlier run whose sources are gone: they stay, and build files that take all of a folder compile them."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from porter.port.files.keep import MEMORY
from porter.port.jobs import Plan

__all__ = ["orphans"]


def orphans(plan: Plan) -> list[Path]:
    """The files in the ports of trees that porter wrote earlier, and that nothing in the trees gives now.

    Empty where a file of the run could not be read: its port has a source.
    """
    if plan.failed:
        return []
    given = {os.path.abspath(job.output) for job in plan.jobs}
    trees = [job for job in plan.jobs if job.whole and not job.in_place]
    homes = {os.path.abspath(home.output) for home in plan.homes}
    orphaned: dict[str, Path] = {}
    for place in plan.runtime_dirs:
        if not any(job.output.is_relative_to(place) for job in trees):
            continue
        for path in _written(place, homes):
            own = os.path.abspath(path)
            if own not in given and path.is_file():
                orphaned[own] = path
    return sorted(orphaned.values())


def _written(place: Path, homes: set[str]) -> Iterator[Path]:
    """What porter has written below a folder, but for its own headers and for headers of other runs (units.json)."""
    for memory in sorted(place.rglob(MEMORY)):
        above = memory.parent, *memory.parent.parents
        elsewhere = any(os.path.abspath(folder) in homes or (folder / "units.json").is_file() for folder in above)
        if elsewhere or memory.parent == place / "porter":
            continue
        yield from (memory.parent / path.name.removesuffix(".gz") for path in memory.glob("*.gz"))
        with contextlib.suppress(OSError, ValueError, AttributeError):
            copied = json.loads((memory / "copies.json").read_text("utf-8"))
            yield from (memory.parent / name for name in copied if memory.parent.name != "porter")
