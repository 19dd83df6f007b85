"""What `porter verify` and `porter record` share: options, the runs and their progress, verdicts, reports, histories."""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Optional

import typer
from rich.console import Console

from porter.cli.report_options import ReportLinks
from porter.errors import EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, UsageError

if TYPE_CHECKING:
    from porter.harness.sessions.session import Outcome, VerifyOptions
    from porter.harness.timing.bench_options import BenchOptions

__all__ = [
    "CaseRuns",
    "Timing",
    "console_beside",
    "exit_code",
    "finish",
    "keep_timings",
    "planned",
    "run_tasks",
    "timed",
]

_STDOUT = Path("-")


@dataclass(frozen=True, kw_only=True)
class Timing:
    panel: ClassVar = "Timing"

    mode: Annotated[
        list[str],
        typer.Option(
            "--mode",
            metavar="MODE",
            help="warm, cold or graph (repeatable). Default: warm and cold, and graph for kernels below 0.1 ms.",
        ),
    ] = field(default_factory=list)
    warmup: Annotated[
        int,
        typer.Option(
            "--warmup",
            metavar="N",
            help="Calls before timing. Default: until the times are stable.",
            show_default=False,
        ),
    ] = 0
    iterations: Annotated[
        int,
        typer.Option(
            "--iterations", metavar="N", help="Timed calls. Default: as many as take 0.25 s.", show_default=False
        ),
    ] = 0
    no_compile: Annotated[bool, typer.Option("--no-compile", help="Do not time torch.compile.")] = False
    history: Annotated[
        Optional[Path],
        typer.Option(
            "--history",
            metavar="FILE",
            help="Append timings, or predicted times, to this file. Default: porter-bench.jsonl, for timings.",
        ),
    ] = None
    no_history: Annotated[bool, typer.Option("--no-history", help="Do not append timings to a file.")] = False

    def options(self) -> BenchOptions:
        """What the harness takes. Raises UsageError for values that no option has."""
        from porter.harness.timing.bench_options import MODES, BenchOptions

        for name in self.mode:
            if name not in MODES:
                raise UsageError(f"--mode {name}: unknown", f"one of {', '.join(MODES)}")
        if self.warmup < 0 or self.iterations < 0:
            raise UsageError("--warmup and --iterations are numbers of calls", "write --iterations 1000")
        return BenchOptions(
            modes=tuple(dict.fromkeys(self.mode)),
            warmups=self.warmup,
            iterations=self.iterations,
            compile=not self.no_compile,
        )


@dataclass(frozen=True, kw_only=True)
class CaseRuns:
    panel: ClassVar = "Runs"

    seed: Annotated[
        Optional[int],
        typer.Option("--seed", metavar="N", help="Seed of the random inputs. Default: a new one each time."),
    ] = None
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", help="Time limit of one run, in seconds.")
    ] = 600.0
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Print a line for every run.")] = False
    json_file: Annotated[
        Optional[Path],
        typer.Option(
            "--json",
            metavar="FILE",
            help="Write the verdicts as JSON; -: to standard output, and all else to standard error.",
            rich_help_panel="Reports",
        ),
    ] = None
    force: Annotated[
        bool,
        typer.Option(
            "--force", help="Overwrite files with reports that porter did not write.", rich_help_panel="Reports"
        ),
    ] = False

    @property
    def chosen_seed(self) -> int:
        return secrets.randbelow(2**31) if self.seed is None else self.seed


def console_beside(json_file: Path | None) -> Console:
    """Where the text for people goes: standard error if the verdicts go to standard output."""
    return Console(highlight=False, soft_wrap=True, stderr=json_file == _STDOUT)


@contextmanager
def timed(options: VerifyOptions, bench: BenchOptions | None) -> Iterator[VerifyOptions]:
    """The options with those of timing, whose workers share what one of them measured of the device."""
    if bench is None:
        yield options
        return
    with tempfile.TemporaryDirectory(prefix="porter-bench-") as folder:
        yield replace(options, bench=replace(bench, ceilings=Path(folder) / "ceilings.json"))


def keep_timings(rows: list[dict[str, Any]], console: Console, timing: Timing) -> None:
    from porter.harness.timing.history import DEFAULT_FILE, append

    if rows and not timing.no_history:
        file = timing.history or DEFAULT_FILE
        append(file, rows)
        console.print(f"\n{len(rows)} timings appended to {file}")


def planned(paths: Sequence[Path], options: VerifyOptions, console: Console) -> tuple[list[Any], list[Any]]:
    """What plan_tasks returns. A terminal shows a status meanwhile: the first case waits until torch is imported."""
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
    json_file: Path | None,
    reports: Sequence[Path] = (),
    links: ReportLinks | None = None,
) -> None:
    from porter.report import write_text
    from porter.report.tables.verdicts import print_verdicts, verdicts_json

    print_verdicts(outcome, options, seconds, console)
    if links is not None:
        write_reports(outcome, options, seconds, reports, links)
    written = list(reports)
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
    reports: Sequence[Path],
    links: ReportLinks,
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

    if not reports:
        return
    sources = {Path(port.path).parent for port in outcome.ports} or {Path()}
    folders = dict.fromkeys(folder.resolve() for near in sorted(sources) for folder in configuration(near).rules)
    team = next((one for near in sorted(sources) if (one := configuration(near)).path), configuration(Path()))
    texts = rule_texts(load_rules(tuple(folders)).rules, links.docs_base or team.of("docs-base", ""))
    choices = Choices(links.sarif_exact or team.of("sarif-exact", False), links.link_base or team.of("link-base", ""))
    ports = relative_ports(outcome.ports)
    result = PortReport(ports, seconds=seconds, version=__version__)
    proof = proof_from(outcome, options, seconds)
    for path in reports:
        write_report(result, texts, path, proof, choices)


def exit_code(outcome: Outcome) -> int:
    from porter.harness.verdict import Status

    if outcome.interrupted:
        return EXIT_INTERRUPTED
    passed = outcome.count(Status.PASS)
    return EXIT_OK if passed == len(outcome.verdicts) and passed else EXIT_LEFT
