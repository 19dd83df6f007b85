"""The options and texts of `porter verify`."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer
from rich.console import Console

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
from porter.cli.compile_options import MendWaits
from porter.cli.report_options import DocsBase, LinkBase, SarifExact
from porter.cli.run import BOARDS, InputsAt
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


def parse_shapes(texts: list[str] | None) -> tuple[dict[str, Any], ...]:
    """["m=128,n=64", "m=1,n=7"] as a case writes its shapes."""
    shapes = []
    for text in texts or ():
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


def verify(
    paths: Annotated[
        Optional[list[Path]],
        typer.Argument(
            metavar="PATH...", help="Folders, cases (.py), originals (.cu) or ports (.hip).", show_default=False
        ),
    ] = None,
    shapes: Annotated[
        Optional[list[str]],
        typer.Option("--shapes", help="Shape such as m=128,n=64, instead of the case's SHAPES (repeatable)."),
    ] = None,
    values: Annotated[
        Optional[list[str]],
        typer.Option(
            "--values", help="Input values on every shape: normal, large, tiny, denormal, zeros or nan (repeatable)."
        ),
    ] = None,
    select: Annotated[str, typer.Option("-k", help="Only runs whose name contains these words, as in pytest -k.")] = "",
    seed: Annotated[
        Optional[int], typer.Option("--seed", help="Seed of the random inputs. Default: a new one each time.")
    ] = None,
    check: Annotated[
        Optional[list[str]],
        typer.Option("--check", help="Checks of the emulator, as in porter run: names, all or none. Default: all."),
    ] = None,
    mend_waits: MendWaits = False,
    emulate: Annotated[bool, typer.Option("--emulate", help="Use the emulator even on a machine with a GPU.")] = False,
    backend: Annotated[
        str, typer.Option("--backend", help="auto, emulator, amd (runs ports) or nvidia (runs originals).")
    ] = "auto",
    bench: Annotated[
        bool,
        typer.Option("--bench", help="Time what passes; in the emulator, count instructions and predict times."),
    ] = False,
    board: Annotated[
        str, typer.Option("--board", help=f"Board that times are predicted for: {', '.join(BOARDS)}.")
    ] = BOARDS[0],
    inputs: InputsAt = Inputs.MEMORY,
    mode: Mode = None,
    warmup: Warmup = 0,
    iterations: Iterations = 0,
    no_compile: NoCompile = False,
    history: HistoryFile = None,
    no_history: NoHistory = False,
    sweep: Annotated[
        Optional[Path],
        typer.Option(
            "--sweep", help="With --bench: time every combination of constants, flags and shapes of a TOML file."
        ),
    ] = None,
    best: Annotated[
        Optional[list[Path]],
        typer.Option("--best", help="With --sweep: write the best by shape: .md, .json or .h (repeatable)."),
    ] = None,
    charts: Annotated[
        Optional[Path],
        typer.Option(
            "--charts",
            help="With --sweep: draw roofline.svg, speed.svg, best.svg, units.svg, weak.svg and strong.svg into this folder, and charts.html.",
        ),
    ] = None,
    golden: Annotated[
        Optional[Path],
        typer.Option("--golden", help="Compare with the recording in this file (porter record) instead of torch."),
    ] = None,
    report: Annotated[
        Optional[list[Path]],
        typer.Option(
            "--report", help="Write the porting report with the proof: .md, .html, .json, .sarif or .xml (repeatable)."
        ),
    ] = None,
    docs_base: DocsBase = "",
    link_base: LinkBase = "",
    sarif_exact: SarifExact = False,
    json_file: JsonFile = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files with reports that porter did not write.")
    ] = False,
    timeout: Annotated[float, typer.Option("--timeout", help="Time limit of one run, in seconds.")] = 600.0,
    jobs: Annotated[
        int,
        typer.Option(
            "-j",
            "--jobs",
            help="Cases run in parallel. Default: the number of processors; 1 on a GPU.",
            show_default=False,
        ),
    ] = 0,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Print a line for every run.")] = False,
    init: Annotated[
        str,
        typer.Option("--init", metavar="ENTRY", help="Write the start of a case for this function of PATH, and exit."),
    ] = "",
    help_cases: Annotated[bool, typer.Option("--help-cases", help="Print the format of a case, and exit.")] = False,
) -> int:
    """Prove ports against PyTorch.

    Builds the port of each case, runs it on all shapes and values of the case, and compares the outputs with the torch
    reference. Runs on an AMD GPU if the machine has one, otherwise in the emulator. On an NVIDIA GPU it runs the
    originals.
    """
    from porter.harness.building.build import BACKENDS, backend_for
    from porter.harness.cases.case import FORMAT, VALUES
    from porter.harness.sessions.session import VerifyOptions
    from porter.harness.timing.history import predicted_rows, rows_of
    from porter.perf.model.boards import board_named
    from porter.report import check_addresses, check_place
    from porter.report.tables.bench_table import print_bench, print_predicted
    from porter.report.tables.charts import chart_places

    if help_cases:
        print(FORMAT, end="")
        return EXIT_OK
    if not paths:
        raise UsageError("no path given", "porter verify FOLDER, or porter verify kernel.cu")
    if init:
        return _init(paths, init)
    if backend not in ("auto", *BACKENDS):
        raise UsageError(f"--backend {backend}: unknown", f"one of auto, {', '.join(BACKENDS)}")
    for name in values or ():
        if name not in VALUES:
            raise UsageError(f"--values {name}: unknown", f"one of {', '.join(VALUES)}")
    _check_suffixes(report)
    drawn = chart_places(charts) if charts else ()
    for path in (*(report or ()), *(best or ()), *([json_file] if json_file else ()), *drawn):
        check_place(path, force)
    check_addresses(docs_base, link_base)
    timing = bench_options(mode, warmup, iterations, no_compile)
    if not bench and (history or timing.modes or warmup or iterations or no_compile):
        raise UsageError("--mode, --warmup, --iterations, --no-compile and --history time nothing", "add --bench")
    if inputs is not Inputs.MEMORY and not bench:
        raise UsageError("--inputs is of predicted times", "add --bench")
    device = "emulator" if emulate else backend_for(backend)
    options = VerifyOptions(
        backend=device,
        seed=secrets.randbelow(2**31) if seed is None else seed,
        select=select,
        shapes=parse_shapes(shapes),
        values=tuple(values or ()),
        checks=_checks(check),
        timeout=timeout,
        jobs=jobs,
        golden=golden,
        counted=bench,
        board=board_named(board).name if bench and device == "emulator" else "",
        inputs=inputs,
        mend_waits=mend_waits,
    )
    console = console_beside(json_file)
    if sweep or best or charts:
        return _sweep(sweep, paths, options, timing, history, best or [], charts, bench, console)
    with timed(options, timing if bench and device != "emulator" else None) as options:
        tasks, broken = planned(paths, options, console)
        outcome, seconds = run_tasks(tasks, broken, options, console, verbose)
    finish(outcome, options, seconds, console, report, json_file, (docs_base, link_base, sarif_exact))
    if bench:
        print_bench(outcome.verdicts, console)
        print_predicted(outcome.predicted, console)
        rows = rows_of(outcome.verdicts, Path.cwd())
        if history:  # predictions are not kept unasked: the next run says the same
            rows += predicted_rows(outcome.predicted, Path.cwd())
        keep_timings(rows, console, history, no_history)
    return exit_code(outcome)


def _sweep(
    file: Path | None,
    paths: list[Path],
    options: VerifyOptions,
    timing: BenchOptions,
    history: Path | None,
    best: list[Path],
    charts: Path | None,
    bench: bool,
    console: Console,
) -> int:
    from porter.cli.sweep import run_sweep
    from porter.harness.sweeps.sweep_file import read_sweep
    from porter.report.tables.charts import check_charts
    from porter.report.tables.sweep_table import check_best

    if file is None or not bench:
        raise UsageError(
            "--sweep times, --best and --charts are of a sweep", "porter verify --bench --sweep FILE.toml kernels/gemm"
        )
    for path in best:
        check_best(path)
    if charts:
        check_charts()
    with timed(options, None if options.board else timing) as options:
        return run_sweep(read_sweep(file), paths, options, history or file.with_suffix(".jsonl"), best, charts, console)


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


def _check_suffixes(report: list[Path] | None) -> None:
    from porter.report import check_suffix

    for path in report or ():
        check_suffix(path, proof=True)


def _checks(given: list[str] | None) -> tuple[str, ...]:
    from porter.checks import DEFAULT_CHECKS
    from porter.execute import check_bits

    names = tuple(name for part in given or ["all"] for name in part.split(",") if name)
    check_bits(names)
    return (*DEFAULT_CHECKS, *names)


def register(app: typer.Typer) -> None:
    app.command(epilog=_EXAMPLES)(verify)
