"""`python -m porter.validation.measured_runs FOLDER [--runs N] [--match TEXT] [--objects FOLDER] [--json FILE]
[--markdown FILE]`: measured runs.

The folder holds a table of sarchlab/mgpusim and its programs, either of:

- `mi300x_ground_truth.csv` (a benchmark, its parameters, milliseconds between two events) and NAME/NAME.hip, a program
  that takes its parameters from `BENCH_PARAM_name` and launches what it times once;
- `mi300a.csv` (a benchmark, its size, milliseconds of a call between two events) and the public programs, NAME.cpp, that
  call what they time again and again (`--iterations N`). Those whose timed part copies from or to the host are left out.

A call is one pair of events; its time is the sum of its launches. What was measured had been called before: predictions
are those of `porter run --time --inputs l2`, or of what `--inputs` says. `--objects` has what another compiler made of the
programs' device code, NAME.co or NAME.s: most errors of a prediction are of another compiler's code. With `--json`, runs that are in the file by the
same model and inputs are not predicted again.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from porter.cache_folder import write_atomically
from porter.chip import Board
from porter.errors import PorterError
from porter.execute import Outcome, RunOptions, run_program
from porter.perf.model.boards import Inputs, board_named
from porter.perf.model.identity import model_digest
from porter.perf.model.predict import Prediction
from porter.perf.predict_launches import predict_launches, stand_ins
from porter.toolchain import Options

__all__ = ["MeasuredRun", "main", "measured_runs", "predicted_us", "spread"]

_PARAMETERS, _CALLS = "mi300x_ground_truth.csv", "mi300a.csv"
# Of the programs that time no copies: the benchmark's program, its size, and the arguments that say it
_PROGRAMS = {
    "bicg": ("bicg", r"(\d+)x\d+", "--size {}"),
    "fft1D_512": ("fft", r"(\d+)_elements", "--size {}"),
    "fir": ("fir", r"(\d+)_taps(\d+)", "--length {} --taps {}"),
    "im2col": ("im2col", r"\w+_(\d+)x\d+_k(\d+)x\d+", "--size {} --mask {}"),
    "kmeans": ("kmeans", r"pts(\d+)_feat(\d+)_clus5", "--points {} --features {}"),
    "matrixmultiplication": ("matrixmultiplication", r"(\d+)x\d+x\d+", "--size {}"),
    "matrixtranspose": ("matrixtranspose", r"(\d+)x\d+", "--size {}"),
    "nbody": ("nbody", r"(\d+)_particles", "--bodies {}"),
    "relu": ("relu", r"(\d+)", "--size {}"),
    "simpleconvolution": ("simpleconvolution", r"(\d+)x\d+_mask(\d+)", "--size {} --mask {}"),
    "spmv_csr_scalar": ("spmv", r"(\d+)x\d+_nnz(\d+)", "--rows {} --nnz {last_over_first}"),
    "stencil2d": ("stencil2d", r"(\d+)x\d+", "--size {}"),
    "vectoradd": ("vectoradd", r"(\d+)", "--size {}"),
}


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """A row of the table, and the program that it is of."""

    benchmark: str
    label: str
    microseconds: float
    program: Path
    board: Board
    environment: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()  # none: the program launches what it times once
    objects: tuple[Path, ...] = ()  # its device code by another compiler


def measured_runs(folder: Path, objects: Path | None = None) -> dict[str, list[MeasuredRun]]:
    """The runs of each benchmark whose program the folder holds, in the table's order, with the device code of a folder."""
    runs: dict[str, list[MeasuredRun]] = {}
    for name, rows in ((_PARAMETERS, _with_parameters), (_CALLS, _with_arguments)):
        if (folder / name).exists():
            with (folder / name).open(newline="") as table:
                board = board_named(re.split(r"\W|_", name)[0])
                for run in rows(folder, csv.DictReader(table), board):
                    code = _object_of(run.program, objects) if objects else ()
                    runs.setdefault(run.benchmark, []).append(replace(run, objects=code))
    return runs


def _object_of(program: Path, objects: Path) -> tuple[Path, ...]:
    for suffix in (".co", ".s"):
        if (code := objects / f"{program.stem}{suffix}").exists():
            return (code,)
    raise PorterError(f"{objects} has no device code of {program.name}", "compile it, or leave --objects out")


def _with_parameters(folder: Path, rows: Iterator[Mapping[str, str]], board: Board) -> Iterator[MeasuredRun]:
    for row in rows:
        name = row["benchmark"]
        program = folder / name / f"{name}.hip"
        if not program.exists():
            continue
        others = {other: str(value) for other, value in json.loads(row["non_scaling_json"]).items()}
        parameters = {row["scaling_param_name"]: row["scaling_param_value"]} | others
        label = " ".join(f"{name}={value}" for name, value in parameters.items())
        environment = {f"BENCH_PARAM_{name}": value for name, value in parameters.items()}
        yield MeasuredRun(name, label, 1e3 * float(row["kernel_ms_mean"]), program, board, environment)


def _with_arguments(folder: Path, rows: Iterator[Mapping[str, str]], board: Board) -> Iterator[MeasuredRun]:
    for row in rows:
        name, size = row["kernel_name"], row["problem_size"]
        program, pattern, words = _PROGRAMS.get(name, ("", "", ""))
        source, sizes = folder / f"{program}.cpp", re.fullmatch(pattern, size)
        if sizes and source.exists():
            numbers = list(map(int, sizes.groups()))
            arguments = tuple(words.format(*numbers, last_over_first=numbers[-1] // numbers[0]).split())
            yield MeasuredRun(name, size, 1e3 * float(row["avg_ms"]), source, board, {}, arguments)


def spread(runs: Sequence[MeasuredRun], number: int) -> list[MeasuredRun]:
    """So many of them, from the first to the last at equal distances; all where there are no more."""
    if number >= len(runs):
        return list(runs)
    if number == 1:
        return [runs[len(runs) // 2]]
    return [runs[round(i * (len(runs) - 1) / (number - 1))] for i in range(number)]


def predicted_us(run: MeasuredRun, inputs: Inputs = Inputs.L2) -> float:
    """Predicted microseconds between the events around a call."""
    with tempfile.TemporaryDirectory(prefix="porter-measured-") as name, _environment(run.environment):
        folder = Path(name)
        if not run.arguments:
            return sum(one.between_events[1] for one in _predicted(run, folder, (), inputs).values())
        calls = [_predicted(run, folder, (*run.arguments, "--iterations", str(n)), inputs) for n in (1, 2)]
        number = len(calls[1]) - len(calls[0])  # launches of a call
        last = list(calls[1].values())[-number:]
        cycles = sum(one.cycles / one.clock_mhz[1] for one in last[1:])
        return last[0].between_events[1] + cycles


def _predicted(run: MeasuredRun, folder: Path, arguments: tuple[str, ...], inputs: Inputs) -> dict[int, Prediction]:
    """Each launch by its number. Launches of one kernel and size take that of the one which executed nearest to as much."""
    recordings = folder / "-".join(("all", *arguments))
    recordings.mkdir()
    source = run.program  # where it can stay there, it is compiled once for all of its runs
    if source.suffix != ".hip":
        source = Path(shutil.copy(source, folder / f"{source.stem}.hip"))
    how = replace(RunOptions(emulate=True), recordings=recordings, dies=run.board.xcds, recorded_alone=True)
    options = Options(includes=(run.program.parent,), code_objects=run.objects)
    outcome = run_program([source], list(arguments), options, how)
    predictions = predict_launches(outcome.launches, recordings, run.board, inputs=inputs)
    numbers = stand_ins(outcome.launches, [launch for launch, _ in predictions])
    missing = [launch["kernel"] for launch, number in zip(outcome.launches, numbers) if number is None]
    if missing or not outcome.launches:
        raise PorterError(f"{run.benchmark} {run.label}: not predicted: {missing[0] if missing else _why(outcome)}")
    return {at: predictions[number][1] for at, number in enumerate(numbers) if number is not None}


def _why(outcome: Outcome) -> str:
    return f"it launches nothing, exit code {outcome.code}"


def _key(launch: Mapping[str, object]) -> str:
    return repr([launch[name] for name in ("symbol", "grid", "block", "dynamic_lds")])


@contextmanager
def _environment(names: Mapping[str, str]) -> Iterator[None]:
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
    parser = argparse.ArgumentParser(
        prog="python -m porter.validation.measured_runs",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="folder that holds a table and the programs")
    parser.add_argument("--runs", type=int, default=5, help="runs of each benchmark, spread over its rows")
    parser.add_argument("--match", default="", help="only benchmarks whose names contain this")
    parser.add_argument("--most", type=float, default=1e9, help="only runs of no more microseconds")
    parser.add_argument(
        "--inputs", type=Inputs, choices=list(Inputs), default=Inputs.L2, help="what a launch finds (l2)"
    )
    parser.add_argument("--objects", type=Path, help="a folder with the programs' device code by another compiler")
    parser.add_argument("--json", type=Path, help="write every run to this file")
    parser.add_argument("--markdown", type=Path, help="write the table to this file too")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    kept = _kept(given.json, given.inputs)
    table, errors, left = [], [], 0
    for name, runs in measured_runs(given.folder, given.objects).items():
        if given.match not in name:
            continue
        off = []
        for run in spread([run for run in runs if run.microseconds <= given.most], given.runs):
            try:
                known = kept.pop((name, run.label), None)
                predicted = known["predicted_us"] if known else predicted_us(run, given.inputs)
            except PorterError as error:
                print(f"{name} {run.label}: NOT RUN: {error.line}", flush=True)
                left += 1
                continue
            off.append(predicted / run.microseconds - 1)
            print(f"{name} {run.label}: {run.microseconds:.1f} us, {predicted:.1f} us ({off[-1]:+.0%})", flush=True)
            rows.append({"benchmark": name, "run": run.label, "measured_us": run.microseconds, "predicted_us": predicted,
                         "inputs": given.inputs.value, "model": model_digest()})  # fmt: skip
            if given.json:
                write_atomically(given.json, (json.dumps([*rows, *kept.values()], indent=1) + "\n").encode())
        if off:
            table.append(_row(name, off))
            errors.append(statistics.mean(map(abs, off)))
            print(table[-1], flush=True)
    if errors:
        print(f"mean error {statistics.mean(errors):.1%} over {len(errors)} benchmarks, {len(rows)} runs")
    if given.markdown:
        head = ("| benchmark | runs | mean error | median | bias | worst |", "|---|---|---|---|---|---|")
        given.markdown.write_text("\n".join([*head, *table]) + "\n")
    return int(left > 0 or not rows)


def _kept(file: Path | None, inputs: Inputs) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows that the file has of an earlier time by this model and with these inputs, by benchmark and run."""
    if file is None or not file.exists():
        return {}
    rows = json.loads(file.read_text())
    return {
        (row["benchmark"], row["run"]): row
        for row in rows
        if (row.get("model"), row.get("inputs")) == (model_digest(), inputs)
    }


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
