"""Ports that are compiled while they are made: what their kernels do, what registers they need."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from porter.cache_folder import cache_dir, write_atomically
from porter.findings import encode
from porter.frontend.unit import Options as PortOptions
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import build
from porter.toolchain.store import digest

__all__ = ["Sources", "placed"]

_RUNTIME = re.compile(r'"(?:\.\./)*porter/')  # an include of porter's headers, wherever they will lie


@dataclass(frozen=True, slots=True)
class Sources:
    """What is compiled: a translation unit and the project's files in it, ported."""

    main: Path
    root: Path
    texts: Mapping[Path, str]


def placed(sources: Sources, options: PortOptions) -> tuple[Path, build.Options]:
    """The unit in a folder of its own in the cache, with its files as they lie in the project; and how to compile it."""
    parts = [str(sources.main), *(part for path in sorted(sources.texts) for part in (str(path), sources.texts[path]))]
    folder = cache_dir() / "native" / digest(*parts)
    own = [folder / Path(i).relative_to(sources.root) for i in options.includes if Path(i).is_relative_to(sources.root)]
    folders: tuple[str | Path, ...] = (folder, *own, *options.includes, sources.main.parent)
    folder.mkdir(parents=True, exist_ok=True)
    # Beside the original there may be headers of an earlier port.
    with contextlib.suppress(FileExistsError):
        (folder / "porter").symlink_to(RUNTIME_INCLUDE / "porter", target_is_directory=True)
    for path, text in sources.texts.items():
        place = folder / path.relative_to(sources.root)
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, encode(_RUNTIME.sub('"porter/', text)))
    how = build.Options(
        target=options.target, std=options.standard, defines=options.defines, includes=folders, flags=("-w",)
    )
    return folder / sources.main.relative_to(sources.root), how
