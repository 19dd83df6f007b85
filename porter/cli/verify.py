"""The options and texts of `porter verify`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Optional

import typer
from rich.console import Console

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
from porter.cli.compile_options import CodeObjects, FixWaits
from porter.cli.prediction_options import PredictionOptions
from porter.cli.report_options import ReportLinks
from porter.cli.request import add_command
from porter.errors import EXIT_OK, UsageError
from porter.perf.model.boards import Inputs

if TYPE_CHECKING:
    from porter.harness.sessions.session import VerifyOptions
    from porter.harness.timing.bench_options import BenchOptions

__all__ = ["register"]

_EXAMPLES = """Examples:

\b
  porter verify kernels/               every case in a folder
  porter verify gemm.cu                port gemm.cu, run the case beside it
  porter verify gemm.cu --init gemm    write the start of a case for gemm()
  porter verify gemm.hip -k m=128      an existing port, only some runs
  porter verify kernels/ --report port.md --json verdicts.json
  porter verify kernels/ --bench       also time it; predicted without a GPU
  porter verify gemm.hip --bench --sweep gemm.toml --best best.md

\b
Exit codes:
  0    every run passed
  1    a run failed or could not run
  2    could not start: a path, an option or a golden file is wrong
  130  interrupted with Ctrl-C
"""


def parse_shapes(texts: list[str]) -> tuple[dict[str, Any], ...]:
    """["m=128,n=64", "m=1,n=7"] as a case writes its shapes."""
    shapes = []
    for text in texts:
        shape: dict[str, Any] = {}
        for part in text.split(","):
            name, equals, value = part.partition("=")
            if not equals or not name.strip().isidentifier():
                raise UsageError(f"--shapes {text}: not a shape", "write --shapes m=128,n=64 (repeatable)")
            shape[name.strip()] = _number(value.strip())
        shapes.append(shape)
    return tuple(shapes)


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@dataclass(frozen=True, kw_only=True)
class _Selection:
    panel: ClassVar = "What is run"

    shapes: Annotated[
        list[str],
        typer.Option("--shapes", metavar="SHAPE", help="Shape such as m=128,n=64, not the case's SHAPES (repeatable)."),
    ] = field(default_factory=list)
    values: Annotated[
        list[str],
        typer.Option(
            "--values",
            metavar="KIND",
            help="Input values on every shape: normal, large, tiny, denormal, zeros or nan (repeatable).",
        ),
    ] = field(default_factory=list)
    select: Annotated[
        str, typer.Option("-k", metavar="WORDS", help="Only runs whose name contains these words, as in pytest -k.")
    ] = ""
    emulate: Annotated[bool, typer.Option("--emulate", help="Use the emulator even on a machine with a GPU.")] = False
    backend: Annotated[
        str,
        typer.Option("--backend", metavar="NAME", help="auto, emulator, amd (runs ports) or nvidia (runs originals)."),
    ] = "auto"
    jobs: Annotated[
        int,
        typer.Option(
            "-j",
            "--jobs",
            metavar="N",
            help="Cases run in parallel. Default: one a processor; 1 on a GPU.",
            show_default=False,
        ),
    ] = 0
    fix_waits: FixWaits = False
    code_objects: CodeObjects = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class _Checks:
    panel: ClassVar = "Checks"

    check: Annotated[
        list[str],
        typer.Option(
            "--check",
            metavar="NAMES",
            help="Checks of the emulator, as in porter run: names, all or none. Default: all.",
        ),
    ] = field(default_factory=list)
    golden: Annotated[
        Optional[Path],
        typer.Option("--golden", metavar="FILE", help="Compare with this recording (porter record), not with torch."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class _Sweep:
    panel: ClassVar = "Sweeps"

    sweep: Annotated[
        Optional[Path],
        typer.Option(
            "--sweep",
            metavar="FILE",
            help="With --bench: time every combination of constants, flags and shapes of a TOML file.",
        ),
    ] = None
    best: Annotated[
        list[Path],
        typer.Option("--best", metavar="FILE", help="Write the best by shape: .md, .json or .h (repeatable)."),
    ] = field(default_factory=list)
    charts: Annotated[
        Optional[Path],
        typer.Option("--charts", metavar="FOLDER", help="Draw charts (SVG) into this folder, and charts.html."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class _Reports:
    panel: ClassVar = "Reports"

    report: Annotated[
        list[Path],
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write the porting report with the proof: .md, .html, .json, .sarif or .xml (repeatable).",
        ),
    ] = field(default_factory=list)
    links: ReportLinks


@dataclass(frozen=True, kw_only=True)
class _Cases:
    panel: ClassVar = "Cases"

    init: Annotated[
        str,
        typer.Option("--init", metavar="ENTRY", help="Write the start of a case for this function of PATH, and exit."),
    ] = ""
    help_cases: Annotated[bool, typer.Option("--help-cases", help="Print the format of a case, and exit.")] = False


@dataclass(frozen=True, kw_only=True)
class VerifyRequest:
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...", help="Folders, cases (.py), originals (.cu) or ports (.hip).", show_default=False
        ),
    ] = field(default_factory=list)
    bench: Annotated[
        bool,
        typer.Option(
            "--bench",
            help="Time what passes; in the emulator, count instructions and predict times.",
            rich_help_panel="Timing",
        ),
    ] = False
    selection: _Selection
    checks: _Checks
    reports: _Reports
    runs: CaseRuns
    timing: Timing
    prediction: PredictionOptions
    sweep: _Sweep
    cases: _Cases


def verify(request: VerifyRequest) -> int:
    """Prove ports against PyTorch.

    Builds the port of each case, runs it on all shapes and values of the case, and compares the outputs with the torch
    reference. Runs on an AMD GPU if the machine has one, otherwise in the emulator. On an NVIDIA GPU it runs the
    originals.
    """
    from porter.harness.cases.case import FORMAT
    from porter.harness.timing.history import predicted_rows, rows_of
    from porter.report.tables.bench_table import print_bench, print_predicted

    if request.cases.help_cases:
        print(FORMAT, end="")
        return EXIT_OK
    if not request.paths:
        raise UsageError("no path given", "porter verify FOLDER, or porter verify kernel.cu")
    if request.cases.init:
        return _init(request.paths, request.cases.init)
    runs, timing = request.runs, request.timing
    _check(request)
    bench_options = timing.options()
    options = _options(request)
    console = console_beside(runs.json_file)
    if request.sweep.sweep or request.sweep.best or request.sweep.charts:
        return _sweep(request, options, bench_options, console)
    with timed(options, bench_options if request.bench and options.backend != "emulator" else None) as options:
        tasks, broken = planned(request.paths, options, console)
        outcome, seconds = run_tasks(tasks, broken, options, console, runs.verbose)
    finish(outcome, options, seconds, console, runs.json_file, request.reports.report, request.reports.links)
    if request.bench:
        print_bench(outcome.verdicts, console)
        print_predicted(outcome.predicted, console)
        rows = rows_of(outcome.verdicts, Path.cwd())
        if timing.history:  # predictions are not kept unasked: the next run says the same
            rows += predicted_rows(outcome.predicted, Path.cwd())
        keep_timings(rows, console, timing)
    return exit_code(outcome)


def _check(request: VerifyRequest) -> None:
    """Raises UsageError for a value that its option does not take, and for options that need another one."""
    from porter.harness.building.build import BACKENDS
    from porter.harness.cases.case import VALUES
    from porter.report import check_addresses, check_place, check_suffix
    from porter.report.tables.charts import chart_places

    selection, timing, reports, sweep = request.selection, request.timing, request.reports, request.sweep
    if selection.backend not in ("auto", *BACKENDS):
        raise UsageError(f"--backend {selection.backend}: unknown", f"one of auto, {', '.join(BACKENDS)}")
    for name in selection.values:
        if name not in VALUES:
            raise UsageError(f"--values {name}: unknown", f"one of {', '.join(VALUES)}")
    for path in reports.report:
        check_suffix(path, proof=True)
    charts = chart_places(sweep.charts) if sweep.charts else ()
    json_files = [request.runs.json_file] if request.runs.json_file else []
    for path in (*reports.report, *sweep.best, *json_files, *charts):
        check_place(path, request.runs.force)
    check_addresses(reports.links.docs_base, reports.links.link_base)
    if selection.code_objects and (sweep.sweep or reports.report):
        raise UsageError(
            "--code-object: sweeps compile each point, and reports are of what porter compiles", "leave it out"
        )
    if request.bench:
        return
    if timing.history or timing.mode or timing.warmup or timing.iterations or timing.no_compile:
        raise UsageError("--mode, --warmup, --iterations, --no-compile and --history time nothing", "add --bench")
    if request.prediction.inputs is not Inputs.MEMORY:
        raise UsageError("--inputs is of predicted times", "add --bench")


def _options(request: VerifyRequest) -> VerifyOptions:
    from porter.harness.building.build import backend_for
    from porter.harness.sessions.session import VerifyOptions
    from porter.perf.model.boards import board_named

    selection, prediction = request.selection, request.prediction
    backend = "emulator" if selection.emulate else backend_for(selection.backend)
    predicts = request.bench and backend == "emulator"
    if selection.code_objects and backend != "emulator":
        raise UsageError("--code-object: its kernels run in the emulator alone", "add --emulate")
    return VerifyOptions(
        backend=backend,
        seed=request.runs.chosen_seed,
        select=selection.select,
        shapes=parse_shapes(selection.shapes),
        values=tuple(selection.values),
        checks=_checks(request.checks.check),
        timeout=request.runs.timeout,
        jobs=selection.jobs,
        golden=request.checks.golden,
        counted=request.bench,
        board=board_named(prediction.board).name if predicts else "",
        inputs=prediction.inputs,
        fix_waits=selection.fix_waits,
        code_objects=tuple(selection.code_objects),
    )


def _sweep(request: VerifyRequest, options: VerifyOptions, bench: BenchOptions, console: Console) -> int:
    from porter.cli.sweep import run_sweep
    from porter.harness.sweeps.sweep_file import read_sweep
    from porter.report.tables.charts import check_charts
    from porter.report.tables.sweep_table import check_best

    file, best, charts = request.sweep.sweep, request.sweep.best, request.sweep.charts
    if file is None or not request.bench:
        raise UsageError(
            "--sweep times, --best and --charts are of a sweep", "porter verify --bench --sweep FILE.toml kernels/gemm"
        )
    for path in best:
        check_best(path)
    if charts:
        check_charts()
    history = request.timing.history or file.with_suffix(".jsonl")
    with timed(options, None if options.board else bench) as options:
        return run_sweep(read_sweep(file), request.paths, options, history, best, charts, console)


def _init(paths: list[Path], entry: str) -> int:
    from porter.harness.building.build import entry_of
    from porter.harness.cases.scaffold import case_place, case_text
    from porter.report import write_text

    if len(paths) != 1 or not paths[0].is_file():
        raise UsageError("--init writes the case of one source", "porter verify gemm.cu --init gemm")
    place = case_place(paths[0])
    write_text(place, case_text(paths[0], entry_of(paths[0].resolve(), entry)))
    print(f"wrote {place}: its TODOs are yours, then porter verify {paths[0]}")
    return EXIT_OK


def _checks(given: list[str]) -> tuple[str, ...]:
    from porter.checks import DEFAULT_CHECKS
    from porter.execute import check_bits

    names = tuple(name for part in given or ["all"] for name in part.split(",") if name)
    check_bits(names)
    return (*DEFAULT_CHECKS, *names)


def register(app: typer.Typer) -> None:
    add_command(app, verify, _EXAMPLES)
