"""What the commands that run cases share: options of timing, the runs and their progress, verdicts, reports, histories."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer
from rich.console import Console

from porter.errors import EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, UsageError

if TYPE_CHECKING:
    from porter.harness.sessions.session import Outcome, VerifyOptions
    from porter.harness.timing.bench_options import BenchOptions

__all__ = [
    "HistoryFile",
    "Iterations",
    "JsonFile",
    "Mode",
    "NoCompile",
    "NoHistory",
    "Warmup",
    "bench_options",
    "console_beside",
    "exit_code",
    "finish",
    "keep_timings",
    "planned",
    "run_tasks",
    "timed",
]

Mode = Annotated[
    Optional[list[str]],
    typer.Option(
        "--mode", help="warm, cold or graph (repeatable). Default: warm and cold, and graph for kernels below 0.1 ms."
    ),
]
Warmup = Annotated[
    int, typer.Option("--warmup", help="Calls before timing. Default: until the times are stable.", show_default=False)
]
Iterations = Annotated[
    int, typer.Option("--iterations", help="Timed calls. Default: as many as take 0.25 s.", show_default=False)
]
NoCompile = Annotated[bool, typer.Option("--no-compile", help="Do not time torch.compile.")]
HistoryFile = Annotated[
    Optional[Path],
    typer.Option(
        "--history",
        help="File that timings, or predicted times, are appended to. Default: porter-bench.jsonl, for timings.",
    ),
]
NoHistory = Annotated[bool, typer.Option("--no-history", help="Do not append timings to a file.")]
JsonFile = Annotated[
    Optional[Path],
    typer.Option(
        "--json", help="Write the verdicts to this JSON file; -: standard output, all else to standard error."
    ),
]
_STDOUT = Path("-")


def console_beside(json_file: Path | None) -> Console:
    """Where the text for people goes: standard error if the verdicts go to standard output."""
    return Console(highlight=False, soft_wrap=True, stderr=json_file == _STDOUT)


def bench_options(modes: list[str] | None, warmup: int, iterations: int, no_compile: bool) -> BenchOptions:
    from porter.harness.timing.bench_options import MODES, BenchOptions

    for name in modes or ():
        if name not in MODES:
            raise UsageError(f"--mode {name}: unknown", f"one of {', '.join(MODES)}")
    if warmup < 0 or iterations < 0:
        raise UsageError("--warmup and --iterations are numbers of calls", "write --iterations 1000")
    return BenchOptions(
        modes=tuple(dict.fromkeys(modes or ())), warmups=warmup, iterations=iterations, compile=not no_compile
    )


@contextmanager
def timed(options: VerifyOptions, bench: BenchOptions | None) -> Iterator[VerifyOptions]:
    """The options with those of timing, whose workers share what one of them measured of the device."""
    from dataclasses import replace

    if bench is None:
        yield options
        return
    with tempfile.TemporaryDirectory(prefix="porter-bench-") as folder:
        yield replace(options, bench=replace(bench, ceilings=Path(folder) / "ceilings.json"))


def keep_timings(rows: list[dict[str, Any]], console: Console, history: Path | None, no_history: bool) -> None:
    from porter.harness.timing.history import DEFAULT_FILE, append

    if rows and not no_history:
        file = history or DEFAULT_FILE
        append(file, rows)
        console.print(f"\n{len(rows)} timings appended to {file}")


def planned(paths: Sequence[Path], options: VerifyOptions, console: Console) -> tuple[list[Any], list[Any]]:
    """What plan_tasks returns; a terminal is told meanwhile, for the first case waits until torch is imported."""
    from porter.harness.sessions.session import plan_tasks

    with console.status("reading cases") if console.is_terminal else nullcontext():
        return plan_tasks(paths, options)


def run_tasks(
    tasks: list[Any], broken: list[Any], options: VerifyOptions, console: Console, verbose: bool
) -> tuple[Outcome, float]:
    from porter.harness.sessions.session import verify
    from porter.report.tables.verdicts import Progress

    began = time.perf_counter()
    with Progress(console, tasks, verbose) as progress:
        outcome = verify(tasks, options, progress.verdict, progress.building)
    outcome.verdicts[:0] = broken
    return outcome, time.perf_counter() - began


def finish(
    outcome: Outcome,
    options: VerifyOptions,
    seconds: float,
    console: Console,
    report: list[Path] | None,
    json_file: Path | None,
    chosen: tuple[str, str, bool] = ("", "", False),
) -> None:
    from porter.report import write_text
    from porter.report.tables.verdicts import print_verdicts, verdicts_json

    print_verdicts(outcome, options, seconds, console)
    write_reports(outcome, options, seconds, report, *chosen)
    written = list(report or ())
    if json_file:
        text = json.dumps(verdicts_json(outcome, options, seconds), indent=1) + "\n"
        if json_file == _STDOUT:
            sys.stdout.write(text)
        else:
            write_text(json_file, text)
            written.append(json_file)
    for path in written:
        console.print(f"wrote {path}", markup=False)


def write_reports(
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
    from porter.findings import PortReport
    from porter.report import Choices, write_report
    from porter.report.facts.places import relative_ports
    from porter.report.formats.rule_pages import rule_texts
    from porter.report.tables.verdicts import proof_from
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


def exit_code(outcome: Outcome) -> int:
    from porter.harness.verdict import Status

    if outcome.interrupted:
        return EXIT_INTERRUPTED
    passed = outcome.count(Status.PASS)
    return EXIT_OK if passed == len(outcome.verdicts) and passed else EXIT_LEFT
