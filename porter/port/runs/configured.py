"""The options of a conversion that [tool.porter] sets."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from porter.buildfiles.include_folders import is_system
from porter.configuration import Configuration
from porter.frontend.unit import Options
from porter.settings import cuda_path
from porter.toolchain.torch_headers import library

__all__ = ["FIELDS", "configured_options", "with_includes"]

# Options of one value, by their key, and the field of Options that each is.
FIELDS = {
    name: name
    for name in ("board", "inline", "kittens", "oversize", "resources", "runtime", "schedule", "target", "warp")
}
FIELDS["std"] = "standard"


def configured_options(configuration: Configuration) -> Options:
    """The options of `porter convert` where the command line says nothing."""
    values = {name: configuration.values[key] for key, name in FIELDS.items() if key in configuration.values}
    toolkit = configuration.of("cuda-path", None)
    options = Options(
        defines=tuple(configuration.of("define", ())),
        cuda_path=cuda_path(Path(toolkit) if toolkit else None),
        rules=tuple(folder.resolve() for folder in configuration.rules),
        exclude=tuple(configuration.of("exclude", ())),
        select=tuple(configuration.of("select", ())),
        ignore=tuple(configuration.of("ignore", ())),
        per_file_ignores=tuple((p, tuple(r)) for p, r in configuration.of("per-file-ignores", {}).items()),
        library=library(),
        **values,
    )
    return with_includes(options, configuration.of("include", ()), configuration.of("isystem", ()))


def with_includes(options: Options, own: Sequence[str], systems: Sequence[str]) -> Options:
    """The options with these header folders first; `systems` are not the project's."""
    marked = [os.path.abspath(folder) for folder in systems]
    added = [*(os.path.abspath(folder) for folder in own), *marked]
    foreign = [folder for folder in added if folder in marked or is_system(Path(folder))]
    return replace(options, includes=(*added, *options.includes), systems=(*foreign, *options.systems))
