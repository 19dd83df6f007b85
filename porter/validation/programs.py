"""Programs of a table of measured runs (porter.validation.measured_runs), each run beside its prediction."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from porter.errors import PorterError
from porter.validation.description import Case, Described
from porter.validation.goals import Figure
from porter.validation.measured_runs import MeasuredRun, measured_runs, predicted_us, spread

__all__ = ["program_runs", "run_figure"]

_MOST_US = 1000.0  # longer runs take long in the emulator


def program_runs(case: Case, root: Path, most: int, objects: Path | None = None) -> Iterator[MeasuredRun]:
    """The runs of each benchmark that are compared: so many of those of up to 1 ms, spread over its rows."""
    by_benchmark = measured_runs((root / case.table).parent, objects)
    if not by_benchmark:
        raise PorterError(f"{case.name}: none of the table's programs is there")
    for runs in by_benchmark.values():
        yield from spread([run for run in runs if run.microseconds <= _MOST_US], most)


def run_figure(described: Described, run: MeasuredRun) -> Figure:
    """A run's microseconds between two events."""
    with _silent():
        likely = predicted_us(run, described.inputs)
    return Figure(f"{run.benchmark} {run.label}", "us", (run.microseconds,), likely, group=run.benchmark)


@contextmanager
def _silent() -> Iterator[None]:
    """What programs print goes nowhere."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
