"""Sets of measured kernels and programs, as sets/*.toml describe them: what to clone, what is launched, what was measured.

A description has

    title, kind, repository, holds    what it is; how it runs; whose public repository; a file or folder that tells it is there
    needs                             optional: what must be installed or made besides, in words
    figures                           where the measured figures are published
    board, inputs                     what was measured, and where its inputs were (memory, cache, l2)
    goals                             names of goals.GOALS that its figures are held to
    orders                            optional: cases whose rank order is compared; else that of all
    [common]                          keys of every case that does not say otherwise; tables are put together key by key
    [[case]]                          its name, how it runs, and what was measured: `measured.tflops`, `.us` or `.step`
    [[table]]                         many cases: keys of each, `columns` (names of values; the last is what was measured),
                                      `rows`, and `first`: the number of its first row. Rows with odd numbers are for checking

and its cases, by kind:

    launches    `source` (compiled as HIP), `assembly`, `object` (a code object) or `triton` (a module that Triton compiles);
                `kernel`, `grid`, `block`, `lds`: the launch; `buffers`: bytes by name; `arguments`: a list of "buffer NAME",
                "i32 N", "i64 N", "pad N" (bytes); `flop`: useful ones of a launch; `prelude`: lines of C++ in front of the source; `compile`;
                `inputs`, where they are not those of the set; `timed`: by "events" or the "kernel"'s begin and end;
                `counters`: a pmc_perf.csv of rocprof-compute with launches of the kernel
    traces      `folder` with assembly, source and a thread trace
    programs    `table` with the measured runs and programs beside it (porter.validation.measured_runs)

Whole numbers may be expressions of the names in `values`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from porter.chip import Board
from porter.errors import UsageError
from porter.perf.model.boards import Inputs, board_named
from porter.validation.arithmetic import whole_number

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["Case", "Described", "described_sets", "find_root"]

_SETS = Path(__file__).with_name("sets")


@dataclass(frozen=True, slots=True)
class Case:
    """One kernel, or one table of programs. What a kind does not use is empty."""

    name: str
    measured: Mapping[str, Any] | None = None
    source: str = ""
    assembly: str = ""
    object: str = ""
    triton: Mapping[str, Any] | None = None
    folder: str = ""
    table: str = ""
    kernel: str = ""
    grid: tuple[Any, ...] = ()
    block: Any = 0
    lds: Any = 0
    buffers: Mapping[str, Any] | None = None
    arguments: tuple[str, ...] = ()
    flop: Any = 0
    prelude: str = ""
    compile: Mapping[str, Any] | None = None
    counters: str = ""
    memory: tuple[str, ...] = ()  # benchmarks of a table that memory bounds
    values: Mapping[str, int] | None = None
    inputs: str = ""  # other than the set's
    timed: str = "events"  # by two events around the launch; or by the kernel's own begin and end: "kernel"
    checking: bool = False  # nothing may be fitted to it

    def inputs_of(self, described: Described) -> Inputs:
        """Where its inputs were."""
        return Inputs(self.inputs) if self.inputs else described.inputs

    def number(self, value: Any) -> int:
        """A whole number, given as such or as an expression of the case's values."""
        number = value if isinstance(value, int) else whole_number(str(value), self.values or {})
        if number is None:
            raise UsageError(f"{self.name}: {value} is no whole number")
        return number

    def published(self, what: str) -> tuple[float, ...]:
        """What was measured; several where it was measured more than once."""
        value = (self.measured or {}).get(what, ())
        return tuple(map(float, value)) if isinstance(value, list | tuple) else (float(value),)


@dataclass(frozen=True, slots=True)
class Described:
    """A set. `name` is its file's."""

    name: str
    title: str
    kind: str
    repository: str
    holds: str
    figures: str
    board: Board
    inputs: Inputs
    goals: tuple[str, ...]
    cases: tuple[Case, ...]
    orders: tuple[tuple[str, ...], ...] = ()
    needs: str = ""


def described_sets(folder: Path = _SETS) -> list[Described]:
    """The sets of a folder, by name."""
    return [_described(path) for path in sorted(folder.glob("*.toml"))]


def _described(path: Path) -> Described:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
        common = data.pop("common", {})
        given = [*data.pop("case", []), *(own for table in data.pop("table", []) for own in _of_table(table))]
        cases = tuple(_case(common, own, path) for own in given)
        data["board"], data["inputs"] = board_named(data["board"]), Inputs(data["inputs"])
        data["orders"] = tuple(map(tuple, data.get("orders", ())))
        _known(data, Described, path)
        return Described(name=path.stem, cases=cases, **{**data, "goals": tuple(data["goals"])})
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path.name}: no description of a set: {error}") from error


def _of_table(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cases of a table's rows."""
    *columns, measured = table.pop("columns")
    first, name = table.pop("first", 1), table.pop("name")
    for number, row in enumerate(table.pop("rows"), first):
        *values, figure = row
        own = dict(zip(columns, values, strict=True))
        parts = {"values": own, "measured": {measured: figure}, "checking": bool(number % 2)}
        yield {**table, **parts, "name": name.format(**own)}


def _case(common: Mapping[str, Any], own: Mapping[str, Any], path: Path) -> Case:
    data: dict[str, Any] = dict(common)
    for name, value in own.items():
        data[name] = {**data[name], **value} if isinstance(data.get(name), dict) and isinstance(value, dict) else value
    _known(data, Case, path)
    parts: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    return Case(**parts)


def _known(data: Iterable[str], made: type, path: Path) -> None:
    if unknown := sorted(set(data) - {one.name for one in fields(made)}):
        raise UsageError(f"{path.name}: unknown keys: {', '.join(unknown)}")


def find_root(folders: Iterable[Path], holds: str) -> Path | None:
    """The folder in or below the given ones that holds this path; of several the first by name."""
    last = Path(holds).name
    for folder in folders:
        if (folder / holds).exists():
            return folder
        for path in sorted(folder.rglob(last)):
            root = path.parents[len(Path(holds).parts) - 1]
            if root / holds == path:
                return root
    return None
