"""Verdicts on the terminal and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from porter import __version__
from porter.harness.verdict import Status, Verdict, shape_text
from porter.report.facts.places import Sources, relative
from porter.report.facts.proof import CaseProof, CompiledKernel, Failure, Proof, Session, clean, proof_of
from porter.toolchain.demangle import short_name

if TYPE_CHECKING:
    from porter.harness.sessions.session import Outcome, Task, VerifyOptions

__all__ = ["SCHEMA", "Progress", "print_proof", "print_verdicts", "proof_from", "verdicts_json"]

SCHEMA = "porter-verdicts/1"
LINES_SHOWN = 6  # of one failure
RUNS_NAMED = 4
_STYLES = {Status.PASS: "green", Status.FAIL: "red", Status.NOT_RUN: "yellow"}


class Progress:
    """One line that says what is done while it is done; every verdict on its own line where that was asked for."""

    def __init__(self, console: Console, tasks: Sequence[Task], verbose: bool) -> None:
        self._console, self._verbose = console, verbose
        self._total = sum(len(task.runs) for task in tasks)
        self._done = 0
        self._status = console.status("starting") if console.is_terminal and not verbose else None

    def __enter__(self) -> Progress:
        if self._status:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status:
            self._status.stop()

    def building(self, task: Task) -> None:
        self._show_progress(f"building {task.case.name}")

    def verdict(self, verdict: Verdict) -> None:
        self._done += 1
        self._show_progress(verdict.name)
        if self._verbose:
            style = _STYLES[verdict.status]
            self._console.print(f"[{style}]{verdict.status.value}[/] {escape(verdict.name)} {escape(verdict.reason)}")

    def _show_progress(self, text: str) -> None:
        if self._status:
            self._status.update(f"{self._done} of {self._total} runs: {escape(text)}")


def proof_from(outcome: Outcome, options: VerifyOptions, seconds: float) -> Proof:
    """The proof of a session that has ended."""
    extra = ["--emulate"] if options.backend == "emulator" else ["--backend", options.backend]
    if options.checks not in (("all",), ("bounds", "all")):
        extra += ["--check", ",".join(options.checks)]
    if options.fix_waits:
        extra += ["--fix-waits"]
    if options.golden:
        extra += ["--golden", str(options.golden)]
    sources = Sources(outcome.ports)
    session = Session(
        options.seed, options.backend, tuple(extra), bool(options.shapes), bool(options.values),
        tuple(relative(str(path)) for path in outcome.edited), outcome.interrupted, seconds,
        tuple(CompiledKernel(sources.known(str(path)), short_name(facts.name), facts) for path, facts in outcome.kernels),
    )  # fmt: skip
    return proof_of(outcome.verdicts, session, outcome.ports, outcome.predicted)


def print_verdicts(outcome: Outcome, options: VerifyOptions, seconds: float, console: Console) -> None:
    """A row for each case, then each kind of failure once: what, where, the fix, and how to repeat it."""
    print_proof(proof_from(outcome, options, seconds), console)


def print_proof(proof: Proof, console: Console) -> None:
    """Prints a row for each case, then each kind of failure once with its place and its repair; returns nothing."""
    table = Table(box=None, pad_edge=False)
    for column in ("case", "runs", "passed", "worst error", "allowed", "on", "verdict"):
        right = column in ("runs", "passed", "worst error", "allowed")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    for case in proof.cases:
        error, allowed = case.error
        table.add_row(
            escape(case.shown), str(len(case.runs)), str(case.count(Status.PASS)),
            error, allowed,
            escape(case.backend), f"[{_STYLES[case.status]}]{case.status.value}[/]",
        )  # fmt: skip
    if proof.cases:
        console.print(table)
    for case, failure in proof.failures:
        console.print()
        for line in _failure_lines(case, failure):
            console.print(line, soft_wrap=True)
    for path in proof.session.edited:
        console.print(f"\nnote: {escape(path)} is not what porter makes of its source now; it was verified as it is")
    for text in proof.notes:
        console.print(f"\nnote: {escape(text)}", soft_wrap=True)
    for warning in proof.session.warnings:
        console.print(f"\n[bold yellow]warning[/]: {escape(warning)}", soft_wrap=True)
    bad = proof.count(Status.FAIL) or proof.session.interrupted
    style = "bold red" if bad else "bold yellow" if proof.failures or not proof.runs else "bold green"
    console.print(f"\n[{style}]{proof.headline}[/] in {proof.session.seconds:.1f} s (seed {proof.session.seed})")


def _failure_lines(case: CaseProof, failure: Failure) -> Iterator[Text]:
    style = _STYLES[failure.status]
    several = f" ({len(failure.runs)} of {len(case.runs)} runs)" if len(case.runs) > 1 else ""
    yield Text.assemble((failure.status.value, style), f" {case.shown}: {failure.title}", (several, "dim"))
    for line in failure.lines[:LINES_SHOWN]:
        yield Text(f"  {line}")
    if len(failure.lines) > LINES_SHOWN:
        yield Text(f"  and {len(failure.lines) - LINES_SHOWN} more", "dim")
    place = failure.place
    if place.text:
        yield Text.assemble("  ", (f"{place}: ", "bold"), place.text.strip())
    for word, text in (("runs", _named(failure)), ("fix", failure.fix), ("repeat", failure.command)):
        if text:
            yield Text.assemble((f"  {word}: ", "dim"), text)


def _named(failure: Failure) -> str:
    names = [" ".join(word for word in (shape_text(run.shape), run.values) if word) for run in failure.runs]
    more = f" and {len(names) - RUNS_NAMED} more" if len(names) > RUNS_NAMED else ""
    return "; ".join(names[:RUNS_NAMED]) + more


def verdicts_json(outcome: Outcome, options: VerifyOptions, seconds: float) -> dict[str, Any]:
    """The verdicts and the totals of a session as data for JSON."""
    sources = Sources(outcome.ports)
    return {
        "schema": SCHEMA,
        "porter": __version__,
        "backend": options.backend,
        "seed": options.seed,
        "seconds": round(seconds, 3),
        "interrupted": outcome.interrupted,
        "passed": outcome.count(Status.PASS),
        "failed": outcome.count(Status.FAIL),
        "not_run": outcome.count(Status.NOT_RUN),
        "verdicts": [clean(sources.with_places(verdict).as_json()) for verdict in outcome.verdicts],
        "predicted": [clean(sources.with_places(verdict).as_json()) for verdict in outcome.predicted],
    }
