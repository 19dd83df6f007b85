"""The part of `porter verify --bench --sweep` that talks: the bar, the table, the files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from porter.cli.case_runs import planned
from porter.errors import EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, InputError

if TYPE_CHECKING:
    from porter.harness.sessions.session import VerifyOptions
    from porter.harness.sweeps.sweep import Point, Results
    from porter.harness.sweeps.sweep_file import Sweep

__all__ = ["run_sweep"]


def run_sweep(
    sweep: Sweep,
    paths: Sequence[Path],
    options: VerifyOptions,
    file: Path,
    best: Sequence[Path],
    charts: Path | None,
    console: Console,
) -> int:
    """Brings what the results file lacks, verifies the best, prints and writes them. 0: each shape has a proven one."""
    from porter.harness.sweeps.engine import check_engine
    from porter.harness.sweeps.sweep import Results, points_of, prove_best
    from porter.report import write_text
    from porter.report.tables.charts import write_charts
    from porter.report.tables.sweep_table import best_of, best_text, done_rows, print_best

    if sweep.engine is not None:
        check_engine()
    tasks, broken = planned(paths, options, console)
    if broken:
        raise InputError(f"{paths[0]}: {broken[0].reason}", "fix the case's file")
    points = points_of(sweep, tasks, options)
    results = Results.read(file)
    whole = _run(points, options, results, sweep.engine, console)
    if whole and sweep.prove and options.board:
        with console.status("verifying") as status:
            prove_best(points, options, results, status.update)
    print_best(points, results, console)
    console.print(
        f"\nresults are in {file}" + ("" if whole else "; interrupted, the same command goes on"), markup=False
    )
    for path in best:
        write_text(path, best_text(points, results, path))
        console.print(f"wrote {path}", markup=False)
    if charts:
        for path in write_charts(done_rows(points, results), charts):
            console.print(f"wrote {path}", markup=False)
    if not whole:
        return EXIT_INTERRUPTED
    best_points = best_of(points, results)
    return (
        EXIT_OK
        if best_points and all(one.proven == "yes" or (one.row and not sweep.prove) for one in best_points)
        else EXIT_LEFT
    )


def _run(
    points: Sequence[Point],
    options: VerifyOptions,
    results: Results,
    engine: Mapping[str, Any] | None,
    console: Console,
) -> bool:
    """All points, with a bar. The time left is that of the points that are to be done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from porter.harness.sweeps.engine import run_on_engine
    from porter.harness.sweeps.sweep import is_done, run_points

    todo = [point for point in points if not is_done(point, results)]
    if len(todo) < len(points):
        console.print(
            f"{len(points) - len(todo):,} of {len(points):,} points are in {results.file} already", markup=False
        )
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        line = bar.add_task("points", total=len(todo))
        if engine is not None:
            return run_on_engine(todo, options, results, engine, lambda point: bar.advance(line))
        return run_points(todo, options, results, lambda point: bar.advance(line))
