"""Kernels with thread traces, beside what the model says of the same unit of a die."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from porter.errors import PorterError
from porter.perf.model.predict import CLOCK_SPREAD
from porter.perf.timeline.measures import measure
from porter.validation.description import Case, Described
from porter.validation.goals import Figure
from porter.validation.traces.traced import COMPARED, find_kernels, timelines

__all__ = ["trace_figures"]


def trace_figures(described: Described, case: Case, root: Path) -> Iterator[Figure]:
    """The span of the traced unit, its share of the matrix pipe, and kinds of instructions by their share of the waves'
    time. The speed follows from the likely clock and the longest span of a unit: the traced one may have fewer workgroups."""
    kernels = find_kernels(root / case.folder)
    if len(kernels) != 1:
        raise PorterError(f"{case.folder}: no kernel with assembly, source and ui_output_*")
    beside = next(timelines(kernels[0], described.board))
    real, predicted = measure(beside.measured), measure(beside.alike)
    span = predicted.span
    yield Figure(case.name, "cycles", (float(real.span),), float(span))
    yield Figure(case.name, "MFMA share", (real.share,), predicted.share)
    for kind in COMPARED:
        yield Figure(case.name, kind.label, (real.part(kind),), predicted.part(kind), group="kinds")
    if measured := case.published("tflops"):
        longest = max(measure(one).span for one in (beside.alike, beside.first, beside.last))
        tflops = case.number(case.flop) / (longest / beside.alike.mhz) / 1e6
        yield Figure(case.name, "TFLOP/s", measured, tflops, tflops * (1 - CLOCK_SPREAD), tflops * (1 + CLOCK_SPREAD))
