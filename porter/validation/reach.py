"""`python -m porter.validation.reach FOLDER [--only TEXT]... [--most N] --json FILE [--markdown FILE]`: what every case would reach.

Predicts the shapes of BENCH of every case in the folder, on each side, and writes one table. A row has the time with
its range, speed, share of the board's peak, its bound, and what its waves wait for. Nothing is proven: `porter verify`
does that.

Each result is a line of the file of `--json` as of a sweep (docs/guides/bench.md), which is kept with the model and the sources that
it came from. So the command can be stopped, and started again for other cases: what is there by today's model and sources is
not predicted again. What was asked for and is not there is NOT RUN below the table; of the rest it says how many there are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from porter.cache_folder import write_atomically
from porter.chip import EMULATED
from porter.errors import PorterError
from porter.harness.cases.case import Case
from porter.harness.sessions.session import Task, VerifyOptions, plan_tasks
from porter.harness.sweeps.sweep import Point, Results, Row, points_of, run_points
from porter.harness.sweeps.sweep_file import Sweep
from porter.harness.timing.throughput import milliseconds, peak_of, share
from porter.harness.verdict import shape_text
from porter.perf.model.boards import Inputs, board_named
from porter.report.formats.markdown_text import plain

__all__ = ["doubts", "main", "reach_table", "spread_shapes"]

_COLUMNS = ("case", "side", "shape", "time", "range", "TFLOP/s", "GB/s", "of peak", "MFMA busy", "bound by",
            "cycles without an issue", "published over predicted")  # fmt: skip
_WIDE = 0.12  # a range that is wider, either way


def spread_shapes(shapes: Sequence[Mapping[str, Any]], most: int) -> tuple[Mapping[str, Any], ...]:
    """So many of them from the first to the last, at equal distances; of one the last, which is a case's largest."""
    if most >= len(shapes):
        return tuple(shapes)
    return tuple(shapes[-1 - round(i * (len(shapes) - 1) / max(1, most - 1))] for i in reversed(range(most)))


def doubts(row: Row) -> list[str]:
    """What is wrong, or to be looked at, in a prediction."""
    low, likely, high = row["microseconds"]
    peak, notes = peak_of(row["device"]), []
    if not 0 < low <= likely <= high:
        notes.append(f"{low:.3g}, {likely:.3g}, {high:.3g} us are no range")
    elif max(high / likely - 1, 1 - low / likely) > _WIDE:
        notes.append(f"range from {low / likely - 1:+.0%} to {high / likely - 1:+.0%}")
    if row.get("doubt"):
        notes.append(row["doubt"])
    if peak and (part := share(row["flops"], row["bytes"], low / 1000, row["dtype"], peak.tflops, peak.gbs)):
        if part.part > 1:
            notes.append(f"{part.part:.0%} of the peak of {part.of} at the low end")
    return notes


def reach_table(points: Sequence[Point], results: Results, board: str, is_wanted: Callable[[Point], bool]) -> str:
    """The table as Markdown, then the rows to look at, and why wanted points have no prediction."""
    lines = [f"| {' | '.join(_COLUMNS)} |", "|---|---|---|" + "---:|" * 6 + "---|---|---|"]
    notes, left, others = [], [], 0
    for point in points:
        row = results.rows.get(point.key, {})
        name = f"{point.task.case.name}, {point.configuration.side}, {shape_text(point.shape)}"
        if row.get("status") == "done":
            lines.append(f"| {' | '.join(map(plain, _cells(point, row, board)))} |")
            notes += [f"- {name}: {'; '.join(wrong)}" for wrong in [doubts(row)] if wrong]
        elif is_wanted(point):
            why = row.get("reason") or "not predicted by this model yet"
            left.append(f"- NOT RUN: {name}: {why}")
        else:
            others += 1
    if others:
        left.append(
            f"- Not asked for, and without a result by this model: {others} {'shape' if others == 1 else 'shapes'}"
        )
    return "\n".join([*lines, "", *notes, *left]).rstrip() + "\n"


def _cells(point: Point, row: Row, board: str) -> tuple[str, ...]:
    low, likely, high = (us / 1000 for us in row["microseconds"])
    peak = peak_of(board)
    part = share(row["flops"], row["bytes"], likely, row["dtype"], peak.tflops, peak.gbs) if peak else None
    stalls = ", ".join(f"{name} {part:.0%}" for name, part in row["stalls"].items() if part >= 0.01)
    beside = [
        f"{one['by']} x {one['microseconds'] / high / 1000:.2f} to {one['microseconds'] / low / 1000:.2f}"
        for one in row["published"]
    ]
    return (
        point.task.case.name, point.configuration.side, shape_text(point.shape), milliseconds(likely),
        f"{milliseconds(low)} to {milliseconds(high)}", f"{row['tflops']:.1f}" if row["flops"] else "",
        f"{row['gbs']:,.0f}" if row["bytes"] else "", f"{part.part:.0%} {'memory' if part.of == 'memory' else 'arithmetic'}" if part else "",
        f"{row['matrix_share']:.0%}" if row["matrix_share"] else "", row["bound"], stalls, "; ".join(beside),
    )  # fmt: skip


def _chosen(tasks: Sequence[Task], most: int) -> list[Task]:
    return [replace(task, case=replace(task.case, bench=spread_shapes(task.case.bench, most))) for task in tasks]


def main(words: Sequence[str] | None = None) -> int:
    """The exit code: 1 where a point of the chosen cases has no prediction."""
    parser = argparse.ArgumentParser(
        prog="python -m porter.validation.reach", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="folder of cases")
    parser.add_argument("--only", action="append", help="predict only cases whose path contains this (repeatable)")
    parser.add_argument("--side", action="append", help="predict only this side: port, or a variant (repeatable)")
    parser.add_argument("--most", type=int, default=1000, help="shapes of each case, spread over its BENCH")
    parser.add_argument("--json", type=Path, required=True, help="file of the results; what it has is not done again")
    parser.add_argument("--markdown", type=Path, help="write the table to this file too")
    parser.add_argument("--board", default=EMULATED.boards[0].name)
    parser.add_argument("--inputs", type=Inputs, default=Inputs.MEMORY, help="memory, cache or l2")
    parser.add_argument("--timeout", type=float, default=3600, help="seconds for one shape")
    given = parser.parse_args(words)
    options = VerifyOptions(board=board_named(given.board).name, inputs=given.inputs, jobs=1, timeout=given.timeout)
    tasks, broken = plan_tasks([given.folder], options)
    for one in broken:
        print(f"NOT RUN: {one.case}: {one.reason}")
    everything = Sweep(given.folder, (), (), {}, {"": ()}, False)
    points = points_of(everything, _chosen(tasks, given.most), options)

    def is_wanted(point: Point) -> bool:
        return _wanted(point.task.case, given.only) and (not given.side or point.configuration.side in given.side)

    chosen = [point for point in points if is_wanted(point)]
    results = Results.read(given.json)
    whole = run_points(chosen, options, results, lambda point: print(_line(point, results), flush=True))
    without = [task for task in tasks if _wanted(task.case, given.only)]
    text = reach_table(points, results, options.board, is_wanted) + _without_shapes(without)
    print(text, end="")
    if given.markdown:
        write_atomically(given.markdown, text.encode())
    done = all(results.rows.get(point.key, {}).get("status") == "done" for point in chosen)
    return int(not (whole and done and not broken))


def _wanted(case: Case, only: Sequence[str] | None) -> bool:
    return not only or any(text in str(case.path) for text in only)


def _line(point: Point, results: Results) -> str:
    row = results.rows[point.key]
    result = milliseconds(row["microseconds"][1] / 1000) if row["status"] == "done" else row["reason"]
    return f"{point.task.case.name}, {point.configuration.side}, {shape_text(point.shape)}: {result}"


def _without_shapes(tasks: Sequence[Task]) -> str:
    names = sorted({task.case.name for task in tasks if not task.case.bench})
    return "".join(f"- NOT RUN: {name}: the case has no BENCH\n" for name in names)


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except PorterError as error:
        raise SystemExit(f"porter: {error.line}") from None
