"""`python -m porter.corpus.measured_runs FOLDER [--runs N] [--match TEXT] [--json FILE] [--markdown FILE]`: measured runs.

The folder holds `mi300x_ground_truth.csv` of sarchlab/mgpusim (a benchmark, its parameters, milliseconds between two
events) and NAME/NAME.hip for each benchmark that is to be compared: a program that takes its parameters from
`BENCH_PARAM_name` and launches what it times once. A launch is one pair of events; a program's time is their sum. What a kernel reads
was copied before: predictions are those of `porter run --time --warm`.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from porter.chip import DEFAULT_CHIP, Board
from porter.errors import PorterError
from porter.execute import RunOptions, run_program
from porter.perf.model.boards import board_named
from porter.perf.model.report import predict_launches
from porter.toolchain import Options

__all__ = ["MeasuredRun", "main", "measured_runs", "predicted_us", "spread"]

_TABLE = "mi300x_ground_truth.csv"


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """A row of the table, and the program that it is of."""

    benchmark: str
    parameters: Mapping[str, str]
    microseconds: float
    program: Path

    @property
    def label(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.parameters.items())


def measured_runs(folder: Path) -> dict[str, list[MeasuredRun]]:
    """The runs of each benchmark whose program the folder holds, in the table's order."""
    found: dict[str, list[MeasuredRun]] = {}
    with (folder / _TABLE).open(newline="") as table:
        for row in csv.DictReader(table):
            name = row["benchmark"]
            program = folder / name / f"{name}.hip"
            if not program.exists():
                continue
            others = json.loads(row["non_scaling_json"])
            parameters = {row["scaling_param_name"]: row["scaling_param_value"]}
            parameters |= {other: str(value) for other, value in others.items()}
            found.setdefault(name, []).append(
                MeasuredRun(name, parameters, 1e3 * float(row["kernel_ms_mean"]), program)
            )
    return found


def spread(runs: Sequence[MeasuredRun], number: int) -> list[MeasuredRun]:
    """So many of them, from the first to the last at equal distances; all where there are no more."""
    if number >= len(runs):
        return list(runs)
    if number == 1:
        return [runs[len(runs) // 2]]
    return [runs[round(i * (len(runs) - 1) / (number - 1))] for i in range(number)]


def predicted_us(run: MeasuredRun, board: Board) -> float:
    """Predicted microseconds between the events, summed over the program's launches."""
    with tempfile.TemporaryDirectory(prefix="porter-plain-") as folder, _environment(run.parameters):
        how = replace(RunOptions(emulate=True), recordings=Path(folder), recorded_alone=True)
        outcome = run_program([run.program], [], Options(), how)
        found = predict_launches(outcome.launches, Path(folder), board, warm=True)
    if not found or len(found) < len(outcome.launches):
        raise PorterError(f"{run.benchmark} {run.label}: {len(found)} of {len(outcome.launches)} launches predicted")
    return sum(one.between_events[1] for _, one in found)


@contextmanager
def _environment(parameters: Mapping[str, str]) -> Iterator[None]:
    """Parameters as the programs read them."""
    names = {f"BENCH_PARAM_{name}": value for name, value in parameters.items()}
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value


def main() -> int:
    """The exit code: 1 where a run could not be predicted, or none was found."""
    parser = argparse.ArgumentParser(prog="python -m porter.corpus.measured_runs", description=__doc__)
    parser.add_argument("folder", type=Path, help=f"folder that holds {_TABLE} and the programs")
    parser.add_argument("--runs", type=int, default=5, help="runs of each benchmark, spread over its rows")
    parser.add_argument("--match", default="", help="only benchmarks whose names contain this")
    parser.add_argument("--board", default=DEFAULT_CHIP.boards[0].name, help="board that was measured")
    parser.add_argument("--json", type=Path, help="write every run to this file")
    parser.add_argument("--markdown", type=Path, help="write the table to this file too")
    given = parser.parse_args()
    board = board_named(given.board)
    rows: list[dict[str, object]] = []
    table, errors, left = [], [], 0
    for name, runs in measured_runs(given.folder).items():
        if given.match not in name:
            continue
        off = []
        for run in spread(runs, given.runs):
            try:
                found = predicted_us(run, board)
            except PorterError as error:
                print(f"{name} {run.label}: NOT RUN: {error.line}", flush=True)
                left += 1
                continue
            off.append(found / run.microseconds - 1)
            print(f"{name} {run.label}: {run.microseconds:.1f} us, {found:.1f} us ({off[-1]:+.0%})", flush=True)
            rows.append({"benchmark": name, **run.parameters, "measured_us": run.microseconds, "predicted_us": found})
        if off:
            table.append(_row(name, off))
            errors.append(statistics.mean(map(abs, off)))
            print(table[-1], flush=True)
    if errors:
        print(f"mean error {statistics.mean(errors):.1%} over {len(errors)} benchmarks, {len(rows)} runs")
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n")
    if given.markdown:
        head = ("| benchmark | runs | mean error | median | bias | worst |", "|---|---|---|---|---|---|")
        given.markdown.write_text("\n".join([*head, *table]) + "\n")
    return int(left > 0 or not rows)


def _row(name: str, off: Sequence[float]) -> str:
    sizes = [abs(one) for one in off]
    error, median, bias, worst = (
        statistics.mean(sizes),
        statistics.median(sizes),
        statistics.mean(off),
        max(off, key=abs),
    )
    return f"| {name} | {len(off)} | {error:.0%} | {median:.0%} | {bias:+.0%} | {worst:+.0%} |"


if __name__ == "__main__":
    raise SystemExit(main())
