"""Verdicts on the terminal and as data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter import __version__
from porter.harness.model import Status, Verdict, shape_text

if TYPE_CHECKING:
    from porter.harness.session import Outcome, Task, VerifyOptions

__all__ = ["SCHEMA", "Progress", "print_verdicts", "verdicts_json"]

SCHEMA = "porter-verdicts/1"
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
        self._say(f"building {task.case.name}")

    def verdict(self, verdict: Verdict) -> None:
        self._done += 1
        self._say(verdict.name)
        if self._verbose:
            style = _STYLES[verdict.status]
            self._console.print(f"[{style}]{verdict.status.value}[/] {escape(verdict.name)} {escape(verdict.reason)}")

    def _say(self, text: str) -> None:
        if self._status:
            self._status.update(f"{self._done} of {self._total} runs: {escape(text)}")


def print_verdicts(outcome: Outcome, options: VerifyOptions, seconds: float, console: Console) -> None:
    """A row for each case, then every run that did not pass, with its reason and how to repeat it."""
    table = Table(box=None, pad_edge=False)
    for column in ("case", "runs", "passed", "worst error", "allowed", "on", "verdict"):
        table.add_column(column, justify="right" if column in ("runs", "passed", "worst error", "allowed") else "left")
    key = lambda v: (v.case, v.side)  # noqa: E731
    for (case, side), group in groupby(sorted(outcome.verdicts, key=key), key):
        runs = list(group)
        passed = sum(v.status is Status.PASS for v in runs)
        outputs = [o for v in runs if v.status is Status.PASS for o in v.outputs]
        worst = max(outputs, key=lambda o: o.norm_error / (o.norm_limit or 1.0), default=None)
        statuses = {v.status for v in runs}
        status = next(s for s in (Status.FAIL, Status.NOT_RUN, Status.PASS) if s in statuses)
        table.add_row(
            escape(case if side == "port" else f"{case} ({side})"), str(len(runs)), str(passed),
            f"{worst.norm_error:.1e}" if worst else "", f"{worst.norm_limit:.1e}" if worst else "",
            escape(runs[0].backend), f"[{_STYLES[status]}]{status.value}[/]",
        )  # fmt: skip
    if outcome.verdicts:
        console.print(table)
    for verdict in outcome.verdicts:
        if verdict.status is not Status.PASS:
            console.print(f"\n[{_STYLES[verdict.status]}]{verdict.status.value}[/] {escape(verdict.name)}")
            console.print(f"  {escape(verdict.reason)}", soft_wrap=True)
            console.print(f"  source {escape(verdict.source)}, seed {options.seed}", style="dim")
    for path in outcome.edited:
        console.print(f"note: {escape(str(path))} is not what porter makes of its source now; it was verified as it is")
    parts = [f"{outcome.count(s)} {words}" for s, words in _words() if outcome.count(s) or s is Status.PASS]
    ended = "interrupted: " if outcome.interrupted else ""
    console.print(f"\n{ended}{', '.join(parts)} in {seconds:.1f} s (seed {options.seed})")


def _words() -> tuple[tuple[Status, str], ...]:
    return ((Status.PASS, "passed"), (Status.FAIL, "failed"), (Status.NOT_RUN, "not run"))


def verdicts_json(outcome: Outcome, options: VerifyOptions, seconds: float) -> dict[str, Any]:
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
        "verdicts": [verdict.as_json() for verdict in outcome.verdicts],
    }


def place(verdict: Verdict) -> str:
    return f"{Path(verdict.source).name} {shape_text(verdict.shape)}"
