"""The options and texts of `porter record`: what originals compute on an NVIDIA GPU, and how long they take."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path
from typing import Annotated, Optional

import typer

from porter.cli.case_runs import (
    HistoryFile,
    Iterations,
    JsonFile,
    Mode,
    NoCompile,
    NoHistory,
    Warmup,
    bench_options,
    console_beside,
    exit_code,
    finish,
    keep_timings,
    planned,
    run_tasks,
    timed,
)

__all__ = ["register"]

_EXAMPLES = """Examples:

\b
  porter record kernels/gemm             golden files beside the case
  porter record kernels/ -o recordings   golden files in a folder

\b
Then, on any machine:
  porter verify kernels/gemm --golden kernels/gemm/golden.json
"""


def record(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="CASE...", help="Folders, cases (.py) or originals (.cu).", show_default=False),
    ],
    out: Annotated[
        Optional[Path], typer.Option("-o", "--out", help="Folder of the recordings. Default: beside each case.")
    ] = None,
    seed: Annotated[
        Optional[int], typer.Option("--seed", help="Seed of the random inputs. Default: a new one each time.")
    ] = None,
    mode: Mode = None,
    warmup: Warmup = 0,
    iterations: Iterations = 0,
    no_compile: NoCompile = False,
    no_bench: Annotated[bool, typer.Option("--no-bench", help="Record inputs and outputs; do not time.")] = False,
    history: HistoryFile = None,
    no_history: NoHistory = False,
    json_file: JsonFile = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files with reports that porter did not write.")
    ] = False,
    timeout: Annotated[float, typer.Option("--timeout", help="Time limit of one run, in seconds.")] = 600.0,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Print a line for every run.")] = False,
) -> int:
    """Record inputs, outputs and timings of originals on an NVIDIA GPU.

    Records the runs that agree with the reference. Shapes of BENCH are timed, and their tensors are not recorded: they
    are large.
    """
    from porter.harness.running.record import check_names, keep_recordings
    from porter.harness.sessions.session import VerifyOptions
    from porter.harness.timing.history import rows_of
    from porter.report import check_place
    from porter.report.tables.bench_table import print_bench

    if json_file:
        check_place(json_file, force)
    console = console_beside(json_file)
    chosen = secrets.randbelow(2**31) if seed is None else seed
    with tempfile.TemporaryDirectory(prefix="porter-record-") as folder:
        options = VerifyOptions(backend="nvidia", seed=chosen, timeout=timeout, record=Path(folder))
        timing = bench_options(mode, warmup, iterations, no_compile)
        with timed(options, None if no_bench else timing) as options:
            tasks, broken = planned(paths, options, console)
            cases = list({task.case.path: task.case for task in tasks}.values())
            check_names(cases)
            outcome, seconds = run_tasks(tasks, broken, options, console, verbose)
        finish(outcome, options, seconds, console, None, json_file)
        rows = rows_of(outcome.verdicts, Path.cwd())
        print_bench(outcome.verdicts, console)
        for path, runs, timings in keep_recordings(cases, Path(folder), rows, out):
            console.print(f"recorded {path}: {runs} runs, {timings} timings")
    keep_timings(rows, console, history, no_history)
    return exit_code(outcome)


def register(app: typer.Typer) -> None:
    app.command(epilog=_EXAMPLES)(record)
