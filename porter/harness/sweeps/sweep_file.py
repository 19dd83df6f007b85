"""The file of a sweep: shapes, compile-time constants, flags and sides. Every combination of them is a point.

shapes = [{m = 4096, n = 4096, k = 4096}]     # or a table of lists: m = [1024, 4096]; left out, the case's BENCH
sides = ["port", "native"]                    # left out, the port and every variant of the case
prove = false                                 # left out, the best configurations are verified on the case's SHAPES

[constants]                                   # -D of the compiler: NAME=VALUE; false leaves a name undefined
TILE = [128, 256]

[flags]                                       # any name and what the compiler gets: a list of words, or a text as a shell has it
plain = []
fast = ["-ffast-math"]

[engine]                                      # on a cluster, through submitit: what its executor gets
cluster = "slurm"
slurm_partition = "mi300"
timeout_min = 60
"""

from __future__ import annotations

import itertools
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.errors import InputError, UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same parser under its old name
    import tomli as tomllib

__all__ = ["Configuration", "Sweep", "read_sweep"]

_KEYS = ("shapes", "sides", "prove", "constants", "flags", "engine")
_SCALARS = (int, float, str)


@dataclass(frozen=True, slots=True)
class Configuration:
    """How a case is built."""

    side: str
    constants: Mapping[str, Any]
    flags: str  # the name of the set
    words: tuple[str, ...]  # what is in it

    @property
    def defines(self) -> tuple[str, ...]:
        """As -D takes them."""
        values = {name: 1 if value is True else value for name, value in self.constants.items() if value is not False}
        return tuple(f"{name}={value}" for name, value in values.items())


@dataclass(frozen=True, slots=True)
class Sweep:
    path: Path
    shapes: tuple[Mapping[str, Any], ...]  # none: those of the case's BENCH
    sides: tuple[str, ...]  # none: all
    constants: Mapping[str, tuple[Any, ...]]
    flags: Mapping[str, tuple[str, ...]]
    prove: bool
    engine: Mapping[str, Any] | None = None  # parameters of submitit; None: here

    def configurations(self, side: str) -> Iterator[Configuration]:
        """Every combination of the constants with every set of flags."""
        for values in itertools.product(*self.constants.values()):
            constants = dict(zip(self.constants, values, strict=True))
            for name, words in self.flags.items():
                yield Configuration(side, constants, name, words)


def read_sweep(path: Path) -> Sweep:
    """The sweep that a TOML file describes; UsageError where it does not."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", "check the path") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {error}", "fix the file") from None
    for name in data:
        if name not in _KEYS:
            raise UsageError(f"{path}: {name} means nothing in a sweep", f"one of {', '.join(_KEYS)}")
    flags = _flags(path, data.get("flags", {})) or {"": ()}
    return Sweep(
        path,
        _shapes(path, data.get("shapes", [])),
        _texts(path, "sides", data.get("sides", [])),
        {name: values or _no_values(path, name) for name, values in _table(path, "constants", data.get("constants", {})).items()},
        flags,
        _flag(path, data.get("prove", True)),
        _engine(path, data),
    )  # fmt: skip


def _shapes(path: Path, given: Any) -> tuple[Mapping[str, Any], ...]:
    if isinstance(given, dict):
        lists = _table(path, "shapes", given)
        return tuple(dict(zip(lists, values, strict=True)) for values in itertools.product(*lists.values()))
    if not isinstance(given, list) or not all(isinstance(shape, dict) and shape for shape in given):
        raise UsageError(f"{path}: shapes is neither a list of tables nor a table of lists", "shapes = [{m = 64}]")
    return tuple(given)


def _table(path: Path, name: str, given: Any) -> dict[str, tuple[Any, ...]]:
    """A table of lists; a value alone is a list of one."""
    if not isinstance(given, dict):
        raise UsageError(f"{path}: {name} is not a table", f"[{name}]")
    table = {key: tuple(value) if isinstance(value, list) else (value,) for key, value in given.items()}
    for key, values in table.items():
        if not all(isinstance(value, _SCALARS) for value in values):
            raise UsageError(f"{path}: {name}.{key} is not a list of numbers or texts", f"{key} = [1, 2]")
    return table


def _flags(path: Path, given: Any) -> dict[str, tuple[str, ...]]:
    """The words of each set: those of a list, or what a shell makes of a text."""
    sets = {}
    for name, words in _table(path, "flags", given).items():
        if not all(isinstance(word, str) for word in words):
            raise UsageError(f"{path}: flags.{name} is not a list of texts", 'fast = ["-ffast-math"]')
        try:
            sets[name] = words if isinstance(given[name], list) else tuple(shlex.split(words[0]))
        except ValueError as error:
            raise UsageError(f"{path}: flags.{name}: {error}", 'fast = ["-ffast-math"]') from None
    return sets


def _engine(path: Path, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    given = data.get("engine")
    if given is not None and not isinstance(given, dict):
        raise UsageError(f"{path}: engine is not a table", "[engine]")
    return given


def _no_values(path: Path, name: str) -> tuple[Any, ...]:
    raise UsageError(f"{path}: constants.{name} has no value", f"{name} = [1, 2]")


def _texts(path: Path, name: str, given: Sequence[Any]) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise UsageError(f"{path}: {name} is not a list of texts", f'{name} = ["port"]')
    return tuple(given)


def _flag(path: Path, given: Any) -> bool:
    if not isinstance(given, bool):
        raise UsageError(f"{path}: prove is neither true nor false", "prove = false")
    return given
