"""The stages of `porter convert` with their bars, and what it prints beside its report."""

from __future__ import annotations

import contextlib
import difflib
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from porter.cli.complaint import complain
from porter.cli.convert_request import ConvertRequest
from porter.cli.convert_settings import Settings, check_rules
from porter.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_LEFT, EXIT_OK, PorterError
from porter.findings import BUILDS, FilePort, FileStatus, PortReport
from porter.port.building.staged import stage
from porter.port.files.headers import sharing_works, with_compile_commands
from porter.port.files.keep import write_kept
from porter.port.files.orphans import orphans
from porter.port.jobs import Plan
from porter.port.pipeline import Conversion
from porter.port.runs.last import keep_last
from porter.port.runs.plan import plan
from porter.port.runs.run import make_report, run_jobs
from porter.report import print_terminal, write_report, write_text
from porter.report.facts.baseline import baseline_text, read_baseline, with_baseline
from porter.report.formats.rule_pages import own_pages, rule_texts

__all__ = ["exit_code", "run"]

# Tokens and findings are millions of tuples without cycles. At Python's 700 the collector takes a tenth of the run.
_OBJECTS_BETWEEN_COLLECTIONS = 1_000_000


def run(request: ConvertRequest, settings: Settings) -> int:
    """Converts, and returns the exit code."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    started = time.perf_counter()
    conversion = Conversion(settings.options)
    check_rules(conversion)
    todo = _plan(request, settings, conversion)
    try:
        ports = _ported(todo, conversion, settings, request.reports.quiet)
        if not sharing_works(todo, ports):
            todo = _plan(request, settings, conversion, apart=True)
            ports = _ported(todo, conversion, settings, request.reports.quiet)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    if not request.reports.quiet:
        _print_files_beside(todo)
    ports, refused = _written(request, settings, todo, ports, conversion)
    ports = with_compile_commands(todo, ports, conversion)
    report = make_report(ports, (*todo.failed, *refused), settings.options, started)
    report = _against_baseline(request, settings, replace(report, built=request.checks.build))
    keep_last(report.files)
    _report(request, settings, todo, conversion, report)
    return _exit_code_of_run(request, settings, report.files)


def _plan(request: ConvertRequest, settings: Settings, conversion: Conversion, apart: bool = False) -> Plan:
    output = request.output
    out = Path(output.out) if output.out else None
    folder_named = bool(output.out) and str(output.out).endswith(("/", os.sep))
    dry = request.reports.diff or request.checks.check
    return plan(request.paths, out, output.in_place, conversion, settings.commands, dry, folder_named, apart)


def _print_files_beside(todo: Plan) -> None:
    """Prints the files that git ignores, and the ports of earlier runs without a source now."""
    if todo.left_out:
        print(
            f"left out, since git ignores it: {_named(todo.left_out)} (--no-gitignore takes it along)", file=sys.stderr
        )
    if gone := orphans(todo):
        print(
            f"from an earlier run, without a source now: {_named(gone)} (porter deletes nothing; delete what is not wanted)",
            file=sys.stderr,
        )


def _written(
    request: ConvertRequest, settings: Settings, todo: Plan, ports: list[FilePort], conversion: Conversion
) -> tuple[list[FilePort], list[FilePort]]:
    """The ports as they were written and, with --build, compiled; and the files that were not overwritten."""
    build, check, quiet = request.checks.build, request.checks.check, request.reports.quiet
    runtime, force = settings.options.runtime, request.output.force
    refused: list[FilePort] = []
    if request.reports.diff:
        for port in ports:
            _print_diff(port)
    elif not check:
        ports, refused = write_kept(todo, ports, runtime, force)
    if build and check:
        with stage(todo) as staged:
            ports, refused = write_kept(staged.plan, ports, runtime, force)
            ports = _compiled(staged.plan, ports, conversion, settings, quiet)
        return staged.as_planned(ports), staged.as_planned(refused)
    return _compiled(todo, ports, conversion, settings, quiet) if build else ports, refused


def _against_baseline(request: ConvertRequest, settings: Settings, report: PortReport) -> PortReport:
    """The report with the sites of the baseline accepted, once --update-baseline has written it."""
    if settings.baseline is None:
        return report
    place, sites = settings.baseline
    if request.checks.update_baseline:
        write_text(place, baseline_text(report, place))
        sites = read_baseline(place)
    return with_baseline(report, place, sites)


def _report(
    request: ConvertRequest, settings: Settings, todo: Plan, conversion: Conversion, report: PortReport
) -> None:
    """Writes the reports, prints the one for the terminal, and says which files could not be ported."""
    diff, quiet, rules = request.reports.diff, request.reports.quiet, conversion.rules.rules
    for path in settings.reports:
        write_report(report, rule_texts(rules, settings.docs_base), path, choices=settings.choices)
    if not quiet:
        console = Console(stderr=diff, highlight=False)
        texts = rule_texts(rules, settings.docs_base or (own_pages() if console.is_terminal else ""))
        wrote = not (diff or request.checks.check)
        print_terminal(report, texts, console, settings.form, wrote, settings.reports, _place_of_cases(todo))
    if quiet or not (sys.stdout.isatty() and sys.stderr.isatty()):  # else the report on the terminal has said it
        for port in report.failed:
            complain(PorterError(f"{port.path}: {port.problem}", port.fix))


def _exit_code_of_run(request: ConvertRequest, settings: Settings, ports: Sequence[FilePort]) -> int:
    code = exit_code(ports, request.checks.check and settings.baseline is None)
    if request.checks.build and not any(port.build in BUILDS[:2] for port in ports):
        code = max(code, EXIT_LEFT)  # nothing was compiled
    unsure = settings.strict and any(port.parser == "libclang with errors" for port in ports)
    return EXIT_LEFT if code == EXIT_OK and unsure else code


def _ported(todo: Plan, conversion: Conversion, settings: Settings, quiet: bool) -> list[FilePort]:
    """The ports of all jobs, with a bar on a terminal."""
    with _bar("porting", len(todo.jobs), quiet, most_unseen=3) as advance:
        return run_jobs(todo.jobs, conversion, settings.workers, lambda job, port: advance())


@contextlib.contextmanager
def _bar(what: str, total: int, quiet: bool, most_unseen: int = 0) -> Iterator[Callable[[], None]]:
    """What moves a bar on by one, where there is a terminal and more to do than what is done before one looks."""
    console = Console(stderr=True, highlight=False)
    show = console.is_terminal and not quiet and total > most_unseen
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=console, transient=True, disable=not show,
    ) as progress:  # fmt: skip
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)


def _compiled(
    todo: Plan, ports: Sequence[FilePort], conversion: Conversion, settings: Settings, quiet: bool
) -> list[FilePort]:
    """The ports with the compiler's word, with a bar on a terminal."""
    from porter.port.building.compiled import translation_units, with_build

    units, _ = translation_units(todo, ports, conversion, settings.commands)
    with _bar("compiling", len(units), quiet) as advance:
        return with_build(todo, ports, conversion, settings.commands, settings.workers, advance)


def exit_code(ports: Sequence[FilePort], check: bool) -> int:
    if any(p.status is FileStatus.FAILED for p in ports):
        return EXIT_FAILED
    left = any(
        p.conflicts
        or p.parser == "tokens"
        or p.build in (BUILDS[2], BUILDS[4])
        or any(f.needs_person for f in p.findings)
        for p in ports
    )
    changes = check and any(p.port != p.source for p in ports)
    return EXIT_LEFT if left or changes else EXIT_OK


def _print_diff(port: FilePort) -> None:
    if port.source == port.port:
        return
    before, after = (
        t.encode("latin-1").decode("utf-8", "replace").splitlines(keepends=True) for t in (port.source, port.port)
    )
    for line in difflib.unified_diff(before, after, port.path, port.output):
        sys.stdout.write(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")


def _named(paths: Sequence[Path]) -> str:
    return ", ".join(map(os.path.relpath, paths[:3])) + (f" and {len(paths) - 3:,} more" if len(paths) > 3 else "")


def _place_of_cases(todo: Plan) -> str | None:
    """What porter verify is given for the case beside a port, "" for where the ports are, or beside its source; None where
    there is none."""
    from porter.harness.cases.case import is_case_file

    def has_case(folder: Path) -> bool:
        return folder.is_dir() and any(map(is_case_file, folder.iterdir()))

    if any(map(has_case, dict.fromkeys(job.output.parent for job in todo.jobs))):
        return ""
    source = next((job.path for job in todo.jobs if has_case(job.path.parent)), None)
    return None if source is None else str(source)
