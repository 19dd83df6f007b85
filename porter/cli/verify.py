"""The options and texts of the commands that prove and time ports: `porter verify`, `porter record`, `porter bench`."""

from __future__ import annotations

import json
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer
from rich.console import Console

from porter.cli.compile_options import MendWaits
from porter.cli.report_options import DocsBase, LinkBase, SarifExact
from porter.cli.run import BOARDS, InputsAt
from porter.errors import EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, UsageError
from porter.perf.model.boards import Inputs

if TYPE_CHECKING:
    from porter.harness.bench import BenchOptions
    from porter.harness.session import Outcome, VerifyOptions

__all__ = ["register"]

_VERIFY_EXAMPLES = """Examples:

\b
  porter verify kernels/               every case in a folder
  porter verify gemm.cu                port gemm.cu, run the case beside it
  porter verify gemm.cu --init gemm    write the start of a case for gemm()
  porter verify gemm.hip -k m=128      an existing port, only some runs
  porter verify kernels/ --report port.md --json verdicts.json
  porter verify kernels/ --bench       also time what passes (GPU)
  porter verify gemm.hip --bench --sweep gemm.toml --best best.md

\b
Exit codes:
  0    every run passed
  1    a run failed or could not run
  2    could not start: a path, an option or a golden file is wrong
  130  interrupted with Ctrl-C
"""

_RECORD_EXAMPLES = """Examples:

\b
  porter record kernels/gemm             golden files beside the case
  porter record kernels/ -o recordings   golden files in a folder

\b
Then, on any machine:
  porter verify kernels/gemm --golden kernels/gemm/golden.json
"""

_COMPARE_EXAMPLES = """Examples:

\b
  porter bench compare porter-bench.jsonl        its last two runs
  porter bench compare before.jsonl after.jsonl --fail-on-regression
  porter bench compare porter-bench.jsonl#2 porter-bench.jsonl#-1
"""

_Mode = Annotated[
    Optional[list[str]],
    typer.Option(
        "--mode", help="warm, cold or graph (repeatable). Default: warm and cold, and graph for kernels below 0.1 ms."
    ),
]
_Warmup = Annotated[
    int, typer.Option("--warmup", help="Calls before timing. Default: until the times are stable.", show_default=False)
]
_Iterations = Annotated[
    int, typer.Option("--iterations", help="Timed calls. Default: as many as take 0.25 s.", show_default=False)
]
_NoCompile = Annotated[bool, typer.Option("--no-compile", help="Do not time torch.compile.")]
_HistoryFile = Annotated[
    Optional[Path], typer.Option("--history", help="File that timings are appended to. Default: porter-bench.jsonl.")
]
_NoHistory = Annotated[bool, typer.Option("--no-history", help="Do not append timings to a file.")]


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
    mode: _Mode = None,
    warmup: _Warmup = 0,
    iterations: _Iterations = 0,
    no_compile: _NoCompile = False,
    history: _HistoryFile = None,
    no_history: _NoHistory = False,
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
    json_file: Annotated[Optional[Path], typer.Option("--json", help="Write the verdicts to this JSON file.")] = None,
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
    from porter.harness.build import BACKENDS, backend_for
    from porter.harness.case import FORMAT, VALUES
    from porter.harness.history import rows_of
    from porter.harness.session import VerifyOptions, plan_tasks
    from porter.perf.model.boards import board_named
    from porter.report import check_addresses, check_place
    from porter.report.bench_table import print_bench, print_predicted
    from porter.report.charts import chart_places

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
    timing = _bench_options(mode, warmup, iterations, no_compile)
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
    console = Console(highlight=False, soft_wrap=True)
    if sweep or best or charts:
        return _sweep(sweep, paths, options, timing, history, best or [], charts, bench, console)
    with _timed(options, timing if bench and device != "emulator" else None) as options:
        tasks, broken = plan_tasks(paths, options)
        outcome, seconds = _run(tasks, broken, options, console, verbose)
    _finish(outcome, options, seconds, console, report, json_file, (docs_base, link_base, sarif_exact))
    if bench:
        print_bench(outcome.verdicts, console)
        print_predicted(outcome.predicted, console)
        _keep(rows_of(outcome.verdicts, Path.cwd()), console, history, no_history)
    return _exit_code(outcome)


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
    from porter.harness.sweep_file import read_sweep
    from porter.report.charts import check_charts
    from porter.report.sweep_table import check_best

    if file is None or not bench:
        raise UsageError(
            "--sweep times, --best and --charts are of a sweep", "porter verify --bench --sweep FILE.toml kernels/gemm"
        )
    for path in best:
        check_best(path)
    if charts:
        check_charts()
    with _timed(options, None if options.board else timing) as options:
        return run_sweep(read_sweep(file), paths, options, history or file.with_suffix(".jsonl"), best, charts, console)


def _init(paths: list[Path], entry: str) -> int:
    from porter.harness.build import entry_of
    from porter.harness.scaffold import case_place, case_text
    from porter.report import write_text

    if len(paths) != 1 or not paths[0].is_file():
        raise UsageError("--init writes the case of one source", "porter verify gemm.cu --init gemm")
    place = case_place(paths[0])
    write_text(place, case_text(paths[0], entry_of(paths[0].resolve(), entry)))
    print(f"wrote {place}: its TODOs are yours, then porter verify {paths[0]}")
    return EXIT_OK


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
    mode: _Mode = None,
    warmup: _Warmup = 0,
    iterations: _Iterations = 0,
    no_compile: _NoCompile = False,
    no_bench: Annotated[bool, typer.Option("--no-bench", help="Record inputs and outputs; do not time.")] = False,
    history: _HistoryFile = None,
    no_history: _NoHistory = False,
    json_file: Annotated[Optional[Path], typer.Option("--json", help="Write the verdicts to this JSON file.")] = None,
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
    from porter.harness.history import rows_of
    from porter.harness.record import check_names, keep_recordings
    from porter.harness.session import VerifyOptions, plan_tasks
    from porter.report import check_place
    from porter.report.bench_table import print_bench

    if json_file:
        check_place(json_file, force)
    console = Console(highlight=False, soft_wrap=True)
    chosen = secrets.randbelow(2**31) if seed is None else seed
    with tempfile.TemporaryDirectory(prefix="porter-record-") as folder:
        options = VerifyOptions(backend="nvidia", seed=chosen, timeout=timeout, record=Path(folder))
        timing = _bench_options(mode, warmup, iterations, no_compile)
        with _timed(options, None if no_bench else timing) as options:
            tasks, broken = plan_tasks(paths, options)
            cases = list({task.case.path: task.case for task in tasks}.values())
            check_names(cases)
            outcome, seconds = _run(tasks, broken, options, console, verbose)
        _finish(outcome, options, seconds, console, None, json_file)
        rows = rows_of(outcome.verdicts, Path.cwd())
        print_bench(outcome.verdicts, console)
        for path, runs, timings in keep_recordings(cases, Path(folder), rows, out):
            console.print(f"recorded {path}: {runs} runs, {timings} timings")
    _keep(rows, console, history, no_history)
    return _exit_code(outcome)


def compare(
    before: Annotated[
        str, typer.Argument(metavar="A", help="History file; FILE#2 is its second run, FILE#-1 its last.")
    ],
    after: Annotated[
        Optional[str],
        typer.Argument(metavar="B", help="History file to compare with. Default: the last two runs of A."),
    ] = None,
    fail: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit 1 if a timing is slower beyond the noise.")
    ] = False,
) -> int:
    """Show timings that changed by more than the noise.

    Matches timings by case, side, shape, mode and device. A change counts if the ranges from the 10th to the 90th
    percentile do not overlap and the medians differ by more than 2%.
    """
    from porter.harness.history import compare_rows, runs_to_compare
    from porter.report.bench_table import print_changes

    old, new = runs_to_compare(before, after)
    changes = compare_rows(old.rows, new.rows)
    console = Console(highlight=False, soft_wrap=True)
    print_changes(changes, console)
    for name, history in ((before, old), (after, new)):
        if name is not None and history.unread:
            numbers = ", ".join(str(number) for number in history.unread[:5])
            console.print(f"note: {name}: {len(history.unread)} lines are no timings and were not read ({numbers})")
    return EXIT_LEFT if fail and any(change.verdict == "slower" for change in changes) else EXIT_OK


def _bench_options(modes: list[str] | None, warmup: int, iterations: int, no_compile: bool) -> BenchOptions:
    from porter.harness.bench import MODES, BenchOptions

    for name in modes or ():
        if name not in MODES:
            raise UsageError(f"--mode {name}: unknown", f"one of {', '.join(MODES)}")
    if warmup < 0 or iterations < 0:
        raise UsageError("--warmup and --iterations are numbers of calls", "write --iterations 1000")
    return BenchOptions(
        modes=tuple(dict.fromkeys(modes or ())), warmups=warmup, iterations=iterations, compile=not no_compile
    )


@contextmanager
def _timed(options: VerifyOptions, bench: BenchOptions | None) -> Iterator[VerifyOptions]:
    """The options with those of timing, whose workers share what one of them measured of the device."""
    from dataclasses import replace

    if bench is None:
        yield options
        return
    with tempfile.TemporaryDirectory(prefix="porter-bench-") as folder:
        yield replace(options, bench=replace(bench, ceilings=Path(folder) / "ceilings.json"))


def _keep(rows: list[dict[str, Any]], console: Console, history: Path | None, no_history: bool) -> None:
    from porter.harness.history import DEFAULT_FILE, append

    if rows and not no_history:
        file = history or DEFAULT_FILE
        append(file, rows)
        console.print(f"\n{len(rows)} timings appended to {file}")


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


def _run(
    tasks: list[Any], broken: list[Any], options: VerifyOptions, console: Console, verbose: bool
) -> tuple[Outcome, float]:
    from porter.harness.session import verify as run_tasks
    from porter.report.verdicts import Progress

    began = time.perf_counter()
    with Progress(console, tasks, verbose) as progress:
        outcome = run_tasks(tasks, options, progress.verdict, progress.building)
    outcome.verdicts[:0] = broken
    return outcome, time.perf_counter() - began


def _finish(
    outcome: Outcome,
    options: VerifyOptions,
    seconds: float,
    console: Console,
    report: list[Path] | None,
    json_file: Path | None,
    chosen: tuple[str, str, bool] = ("", "", False),
) -> None:
    from porter.report import write_text
    from porter.report.verdicts import print_verdicts, verdicts_json

    print_verdicts(outcome, options, seconds, console)
    _write_reports(outcome, options, seconds, report, *chosen)
    if json_file:
        write_text(json_file, json.dumps(verdicts_json(outcome, options, seconds), indent=1) + "\n")


def _write_reports(
    outcome: Outcome,
    options: VerifyOptions,
    seconds: float,
    report: list[Path] | None,
    docs_base: str,
    link_base: str,
    sarif_exact: bool,
) -> None:
    """The porting report of what was converted, with the proof."""
    from porter import __version__
    from porter.configuration import configuration
    from porter.model import PortReport
    from porter.report import Choices, write_report
    from porter.report.places import relative_ports
    from porter.report.rule_pages import rule_texts
    from porter.report.verdicts import proof_from
    from porter.rules import load_rules

    if not report:
        return
    sources = {Path(port.path).parent for port in outcome.ports} or {Path()}
    folders = dict.fromkeys(folder.resolve() for near in sorted(sources) for folder in configuration(near).rules)
    found = next((one for near in sorted(sources) if (one := configuration(near)).path), configuration(Path()))
    texts = rule_texts(load_rules(tuple(folders)).rules, docs_base or found.of("docs-base", ""))
    choices = Choices(sarif_exact or found.of("sarif-exact", False), link_base or found.of("link-base", ""))
    ports = relative_ports(outcome.ports)
    result = PortReport(ports, seconds=seconds, version=__version__)
    proof = proof_from(outcome, options, seconds)
    for path in report:
        write_report(result, texts, path, proof, choices)


def _exit_code(outcome: Outcome) -> int:
    from porter.harness.model import Status

    if outcome.interrupted:
        return EXIT_INTERRUPTED
    passed = outcome.count(Status.PASS)
    return EXIT_OK if passed == len(outcome.verdicts) and passed else EXIT_LEFT


def register(app: typer.Typer) -> None:
    app.command(epilog=_VERIFY_EXAMPLES)(verify)
    app.command(epilog=_RECORD_EXAMPLES)(record)
    bench = typer.Typer(
        name="bench", help="Compare timings of porter verify --bench.", no_args_is_help=True, rich_markup_mode=None
    )
    bench.command(epilog=_COMPARE_EXAMPLES)(compare)
    bench.callback()(_bench)  # a group, though it has one command today
    app.add_typer(bench)


def _bench() -> None:
    pass
