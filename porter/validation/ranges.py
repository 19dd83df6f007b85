"""`python -m porter.validation.ranges [benchmarks/results]`: how wide a printed range of time must be, by class of launch.

Prints the rows of benchmarks/results/ranges.csv. Errors are those of the other tables in that folder. One of these keeps
a program's mean error and bias, not its runs: the runs are then taken for normally distributed. Each program counts as
much as any other, and its tiny runs as one more. A width holds 84% of its class; the share in range is that of each program in the width that the
other programs of its class give, or those of all classes where there is no other.
"""

from __future__ import annotations

import csv
import math
import re
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.perf.model.error_classes import ErrorClass

__all__ = ["COLUMNS", "Errors", "class_width", "range_rows", "read_errors", "share_in_range"]

COLUMNS = ("class", "programs", "mean error", "width", "share in range, program left out")
_HELD = 0.84  # of a class, so that its range holds 80% of a program's times that it was not made from
_STEP = 0.01
_LISTED = 5  # programs, by name
# Which class most launches of a program are, chosen by hand: the tables do not say it of each run.
# Without altis_gups, matrixtranspose and fp32_throughput, to which parameters were fitted.
# So were some to these, but their classes have hardly another program
_FITTED = ("bicg", "empty_kernel", "fft1D_512", "relu", "vectoradd", "simpleconvolution")
_TINY_US = 9.45  # between two events: 6 us, and what these add
_PROGRAMS = {
    "bicg": ErrorClass.GATHER,
    "heteromark_aes": ErrorClass.GATHER,
    "memory_bandwidth": ErrorClass.BANDWIDTH,
    "mixbench": ErrorClass.BANDWIDTH,
    "fft1D_512": ErrorClass.LATENCY,
    "fir": ErrorClass.LATENCY,
    "im2col": ErrorClass.LATENCY,
    "kmeans": ErrorClass.LATENCY,
    "matrixmultiplication": ErrorClass.LATENCY,
    "nbody": ErrorClass.LATENCY,
    "relu": ErrorClass.BANDWIDTH,
    "simpleconvolution": ErrorClass.LATENCY,
    "spmv_csr_scalar": ErrorClass.GATHER,
    "stencil2d": ErrorClass.BANDWIDTH,
    "vectoradd": ErrorClass.BANDWIDTH,
    "altis_raytracing": ErrorClass.LATENCY,
    "heteromark_fir": ErrorClass.LATENCY,
    "fp16_throughput": ErrorClass.LATENCY,  # stands for its three like ones, too
    "empty_kernel": ErrorClass.TINY,
}


@dataclass(frozen=True, slots=True)
class Errors:
    """Of the predictions of one program: each of them, or their mean absolute error and their bias."""

    program: str
    of: ErrorClass
    each: tuple[float, ...] = ()
    mean: float = 0.0
    bias: float = 0.0


def read_errors(folder: Path) -> list[Errors]:
    """Every program of the tables of a folder whose class is known."""
    programs = [
        Errors(row[0], _PROGRAMS[row[0]], mean=_percent(row[2]), bias=_percent(row[4]))
        for row in _rows(folder / "mi300x.csv")
        if row[0] in _PROGRAMS
    ]
    runs: dict[tuple[str, ErrorClass], list[float]] = {}
    for program, _, measured, predicted, _ in _rows(folder / "mi300a-runs.csv"):
        if program in _PROGRAMS:
            of = ErrorClass.TINY if float(predicted) < _TINY_US else _PROGRAMS[program]
            runs.setdefault((program, of), []).append(float(predicted) / float(measured))
    matrix = {
        "hipkittens": [
            _number(row[2]) / _number(value)
            for row in _rows(folder / "hipkittens-times.csv")
            for value in row[1].split(",")
        ],
        "learn-cuda": [
            _number(row[2]) / _number(row[1])
            for row in _rows(folder / "learn-cuda.csv")
            if "nothing is moved" not in row[0]  # a change of the source that was not measured
        ],
        "gluon": [
            _number(predicted) / _number(measured)
            for row in _rows(folder / "gluon-speeds.csv")
            for column in row[1:3]
            for measured, predicted in zip(column.split(","), re.split(r"\),?", row[3]))
        ],
    }
    for name, _, half, measured, predicted, _ in _rows(folder / "attention-shapes.csv"):
        if half == "checking":
            matrix.setdefault(name, []).append(float(predicted) / float(measured))
    of_each = [Errors(name, ErrorClass.MATRIX, tuple(one - 1 for one in own)) for name, own in matrix.items()]
    of_runs = [Errors(name, of, tuple(one - 1 for one in own)) for (name, of), own in runs.items()]
    return [*of_each, *of_runs, *programs]


def _rows(table: Path) -> Iterator[list[str]]:
    lines = [line for line in table.read_text().splitlines() if not line.startswith("# ")]
    return iter(list(csv.reader(lines))[1:])


def _number(text: str) -> float:
    found = re.search(r"[\d.]+", text)
    if not found:
        raise ValueError(f"no number in {text!r}")
    return float(found[0])


def _percent(text: str) -> float:
    return float(text.rstrip("%")) / 100


def share_in_range(errors: Errors, width: float) -> float:
    """The share of a program's measured times that a range of that width holds."""
    low, high = 1 / (1 + width) - 1, width
    if errors.each:
        return statistics.mean(low <= one <= high for one in errors.each)
    runs = statistics.NormalDist(errors.bias, _deviation(errors.mean, errors.bias))
    return runs.cdf(high) - runs.cdf(low)


def _deviation(mean: float, bias: float) -> float:
    """Of the normal distribution with that bias whose absolute values have that mean."""
    low, high = 1e-4, 2 * mean + 1e-3
    for _ in range(50):
        middle = (low + high) / 2
        runs = statistics.NormalDist(bias, middle)
        absolute = 2 * middle**2 * runs.pdf(0) + bias * (1 - 2 * runs.cdf(0))
        low, high = (middle, high) if absolute < mean else (low, middle)
    return (low + high) / 2


def class_width(programs: Sequence[Errors]) -> float:
    """The least width, in whole percent, that holds 84% of these programs' times."""
    width = _STEP
    while statistics.mean(share_in_range(one, width) for one in programs) < _HELD:
        width += _STEP
    return round(width, 2)


def _left_out(one: Errors, programs: Sequence[Errors]) -> float:
    others = [other for other in programs if other is not one]
    own = [other for other in others if other.of is one.of]
    return share_in_range(one, class_width(own or others))


def range_rows(programs: Sequence[Errors]) -> list[tuple[str, ...]]:
    """A row of each class, and one of all."""
    rows = []
    shares = {one.program: _left_out(one, programs) for one in programs}
    for of in ErrorClass:
        own = [one for one in programs if one.of is of]
        rows.append(_row(of.value, own, f"{class_width(own):.0%}", shares))
    widths = [class_width([other for other in programs if other.of is one.of]) for one in programs]
    return [*rows, _row("all", programs, f"{statistics.median(widths):.0%} (median)", shares)]


def _row(name: str, own: Sequence[Errors], width: str, shares: dict[str, float]) -> tuple[str, ...]:
    mean = statistics.mean(statistics.mean(map(abs, one.each)) if one.each else one.mean for one in own)
    share = statistics.mean(shares[one.program] for one in own)
    fitted = sum(one.program in _FITTED for one in own)
    names = ", ".join(f"{one.program} (fitted)" if one.program in _FITTED else one.program for one in own)
    if len(own) > _LISTED:
        names = f"{len(own)}, {fitted} of them fitted"
    return name, str(len(own)) if name == "all" else names, f"{mean:.0%}", width, f"{math.floor(100 * share)}%"


def main() -> int:
    """Prints the rows; the exit code."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("benchmarks/results")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows([COLUMNS, *range_rows(read_errors(folder))])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
