"""The commands that prove and time ports: `porter verify`, `porter record`, `porter bench`. Options and texts."""

from __future__ import annotations

import json
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer
from rich.console import Console

from porter.errors import EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, UsageError

if TYPE_CHECKING:
    from porter.harness.session import Outcome, VerifyOptions

__all__ = ["register"]

_VERIFY_EXAMPLES = (
    "Examples:\n\n  porter verify kernels/                 every case below a folder\n\n"
    "  porter verify gemm.cu                  converts, builds, runs the case beside it\n\n"
    "  porter verify gemm.hip -k m=128        a port of your own, some of the runs\n\n"
    "  porter verify kernels/ --report port.md --json verdicts.json\n\n"
    "Exit codes: 0 every run passed; 1 a run failed, or was not run; 2 could not begin; 130 interrupted."
)


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
        Optional[list[str]], typer.Option("--shapes", help="m=128,n=64 in place of the case's own (repeatable).")
    ] = None,
    values: Annotated[
        Optional[list[str]],
        typer.Option("--values", help="normal, large, tiny, denormal, zeros or nan, on every shape (repeatable)."),
    ] = None,
    select: Annotated[str, typer.Option("-k", help="Only runs whose name holds these words.")] = "",
    seed: Annotated[
        Optional[int], typer.Option("--seed", help="Draws the same inputs again. Default: new ones.")
    ] = None,
    check: Annotated[
        Optional[list[str]],
        typer.Option("--check", help="The emulator's checks: all (the default), none, or names as in porter run."),
    ] = None,
    emulate: Annotated[bool, typer.Option("--emulate", help="Use the emulator even where there is a GPU.")] = False,
    backend: Annotated[
        str, typer.Option("--backend", help="auto, emulator, amd (ports) or nvidia (originals).")
    ] = "auto",
    bench: Annotated[bool, typer.Option("--bench", help="Time what passes; in the emulator: count.")] = False,
    golden: Annotated[
        Optional[Path], typer.Option("--golden", help="Hold the port to what porter record stored in this file.")
    ] = None,
    report: Annotated[
        Optional[list[Path]],
        typer.Option("--report", help="Porting report with verdicts: .md, .html, .json, .sarif, .xml (repeatable)."),
    ] = None,
    json_file: Annotated[Optional[Path], typer.Option("--json", help="Write the verdicts to this file.")] = None,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds for one run.")] = 600.0,
    jobs: Annotated[int, typer.Option("-j", "--jobs", help="Cases at a time. Default: the number of processors.")] = 0,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="A line for every run.")] = False,
    help_cases: Annotated[bool, typer.Option("--help-cases", help="Say how a case is written.")] = False,
) -> int:
    """Prove ports against PyTorch: build each case's port, run it on shapes and values of every kind, compare.

    On an AMD GPU where there is one, in the emulator elsewhere; on an NVIDIA GPU it is the original that is run.
    """
    from porter.harness.build import BACKENDS, backend_for
    from porter.harness.case import FORMAT, VALUES
    from porter.harness.session import VerifyOptions, plan_tasks

    if help_cases:
        print(FORMAT, end="")
        return EXIT_OK
    if not paths:
        raise UsageError("no path given", "porter verify FOLDER, or porter verify kernel.cu")
    if backend not in ("auto", *BACKENDS):
        raise UsageError(f"--backend {backend}: unknown", f"one of auto, {', '.join(BACKENDS)}")
    for name in values or ():
        if name not in VALUES:
            raise UsageError(f"--values {name}: unknown", f"one of {', '.join(VALUES)}")
    _check_suffixes(report)
    options = VerifyOptions(
        backend="emulator" if emulate else backend_for(backend),
        seed=secrets.randbelow(2**31) if seed is None else seed,
        select=select,
        shapes=parse_shapes(shapes),
        values=tuple(values or ()),
        checks=_checks(check),
        timeout=timeout,
        jobs=jobs,
        golden=golden,
        counted=bench,
    )
    tasks, broken = plan_tasks(paths, options)
    console = Console(highlight=False, soft_wrap=True)
    outcome, seconds = _run(tasks, broken, options, console, verbose)
    _finish(outcome, options, seconds, console, report, json_file)
    return _exit_code(outcome)


def _check_suffixes(report: list[Path] | None) -> None:
    from porter.report import check_suffix

    for path in report or ():
        check_suffix(path)


def _checks(given: list[str] | None) -> tuple[str, ...]:
    from porter.execute import check_bits

    names = tuple(name for part in given or ["all"] for name in part.split(",") if name)
    check_bits(names)
    return ("bounds", *names)


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
) -> None:
    from porter.report import write_text
    from porter.report.verdicts import print_verdicts, verdicts_json

    print_verdicts(outcome, options, seconds, console)
    if json_file:
        write_text(json_file, json.dumps(verdicts_json(outcome, options, seconds), indent=1) + "\n")


def _exit_code(outcome: Outcome) -> int:
    from porter.harness.model import Status

    if outcome.interrupted:
        return EXIT_INTERRUPTED
    passed = outcome.count(Status.PASS)
    return EXIT_OK if passed == len(outcome.verdicts) and passed else EXIT_LEFT


def register(app: typer.Typer) -> None:
    app.command(epilog=_VERIFY_EXAMPLES)(verify)
