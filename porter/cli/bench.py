"""The options and texts of `porter bench`: timings that changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Optional

import typer
from rich.console import Console

from porter.cli.request import add_command
from porter.errors import EXIT_LEFT, EXIT_OK

__all__ = ["register"]

_EXAMPLES = """Examples:

\b
  porter bench compare porter-bench.jsonl        its last two runs
  porter bench compare before.jsonl after.jsonl --fail-on-regression
  porter bench compare porter-bench.jsonl#2 porter-bench.jsonl#-1
  porter bench compare before/gemm.jsonl gemm.jsonl     two sweeps' results
"""


@dataclass(frozen=True, kw_only=True)
class CompareRequest:
    before: Annotated[
        str,
        typer.Argument(
            metavar="A", help="History file; FILE#2 is its second run, FILE#-1 its last. Or results of a sweep."
        ),
    ]
    after: Annotated[
        Optional[str],
        typer.Argument(
            metavar="B", help="File to compare with. Default: the last two runs of A, or results of each point."
        ),
    ] = None
    fail: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit 1 if a timing is slower beyond the noise.")
    ] = False


def compare(request: CompareRequest) -> int:
    """Show timings that changed by more than the noise.

    Matches timings by case, side, shape, mode and device, those of sweeps by constants and flags too. A change counts if the ranges from the 10th to the 90th
    percentile do not overlap and the medians differ by more than 2%; of predicted times, which are the same in every run, if
    they differ by more than 2%.
    """
    from porter.harness.timing.history import compare_rows, runs_to_compare
    from porter.report.tables.bench_table import print_changes

    old, new = runs_to_compare(request.before, request.after)
    changes = compare_rows(old.rows, new.rows)
    console = Console(highlight=False, soft_wrap=True)
    print_changes(changes, console)
    for name, history in ((request.before, old), (request.after, new)):
        if name is not None and history.unread:
            numbers = ", ".join(str(number) for number in history.unread[:5])
            console.print(f"note: {name}: {len(history.unread)} lines are no timings and were not read ({numbers})")
    for side, history in (("A", old), ("B", new)):
        if history.without:
            counts = ", ".join(f"{count:,} {status}" for status, count in sorted(history.without.items()))
            console.print(f"note: points without a time in {side}: {counts}")
    return EXIT_LEFT if request.fail and any(change.verdict == "slower" for change in changes) else EXIT_OK


def register(app: typer.Typer) -> None:
    bench = typer.Typer(
        name="bench", help="Compare timings of porter verify --bench.", no_args_is_help=True, rich_markup_mode=None
    )
    add_command(bench, compare, _EXAMPLES)
    bench.callback()(_bench)  # a group, though it has one command today
    app.add_typer(bench)


def _bench() -> None:
    pass
