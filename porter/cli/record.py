"""The options and texts of `porter record`: what originals compute on an NVIDIA GPU, and how long they take."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Optional

import typer

from porter.cli.case_runs import (
    CaseRuns,
    Timing,
    console_beside,
    exit_code,
    finish,
    keep_timings,
    planned,
    run_tasks,
    timed,
)
from porter.cli.request import add_command

__all__ = ["register"]

_EXAMPLES = """Examples:

\b
  porter record kernels/gemm             golden files beside the case
  porter record kernels/ -o recordings   golden files in a folder

\b
Then, on any machine:
  porter verify kernels/gemm --golden kernels/gemm/golden.json
"""


@dataclass(frozen=True, kw_only=True)
class RecordRequest:
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="CASE...", help="Folders, cases (.py) or originals (.cu).", show_default=False),
    ]
    out: Annotated[
        Optional[Path],
        typer.Option("-o", "--out", metavar="FOLDER", help="Folder of the recordings. Default: beside each case."),
    ] = None
    no_bench: Annotated[bool, typer.Option("--no-bench", help="Record inputs and outputs; do not time.")] = False
    runs: CaseRuns
    timing: Timing


def record(request: RecordRequest) -> int:
    """Record inputs, outputs and timings of originals on an NVIDIA GPU.

    Records the runs that agree with the reference. Shapes of BENCH are timed, and their tensors are not recorded: they
    are large.
    """
    from porter.harness.running.record import check_names, keep_recordings
    from porter.harness.sessions.session import VerifyOptions
    from porter.harness.timing.history import rows_of
    from porter.report import check_place
    from porter.report.tables.bench_table import print_bench

    runs = request.runs
    if runs.json_file:
        check_place(runs.json_file, runs.force)
    console = console_beside(runs.json_file)
    with tempfile.TemporaryDirectory(prefix="porter-record-") as folder:
        options = VerifyOptions(backend="nvidia", seed=runs.chosen_seed, timeout=runs.timeout, record=Path(folder))
        timing = request.timing.options()
        with timed(options, None if request.no_bench else timing) as options:
            tasks, broken = planned(request.paths, options, console)
            cases = list({task.case.path: task.case for task in tasks}.values())
            check_names(cases)
            outcome, seconds = run_tasks(tasks, broken, options, console, runs.verbose)
        finish(outcome, options, seconds, console, runs.json_file)
        rows = rows_of(outcome.verdicts, Path.cwd())
        print_bench(outcome.verdicts, console)
        for path, recorded, timings in keep_recordings(cases, Path(folder), rows, request.out):
            console.print(f"recorded {path}: {recorded} runs, {timings} timings")
    keep_timings(rows, console, request.timing)
    return exit_code(outcome)


def register(app: typer.Typer) -> None:
    add_command(app, record, _EXAMPLES)
