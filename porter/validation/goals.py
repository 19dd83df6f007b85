"""Figures that were measured and predicted, and what they are held to."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from porter.validation.description import Described

__all__ = ["GOALS", "Figure", "Verdict", "program_errors", "verdicts"]

_SPAN = 0.05
_SHARE = 0.05
_MEMORY = 0.15
_MEAN = 0.15
_COUNTER = 0.02
_CHECKED_MEAN, _CHECKED_WORST = 0.05, 0.10


@dataclass(frozen=True, slots=True)
class Figure:
    """Of one case: what was measured (once, or several times), and what is predicted, with its range where it has one.
    `group`: "kinds" of shares of the waves' time, "counters", or the benchmark that a run is of."""

    case: str
    what: str
    measured: tuple[float, ...]
    predicted: float
    low: float | None = None
    high: float | None = None
    group: str = ""

    @property
    def real(self) -> float:
        """The mean of what was measured."""
        return mean(self.measured)

    @property
    def off(self) -> float:
        """The error, as a part of what was measured."""
        return self.predicted / self.real - 1 if self.real else (math.inf if self.predicted else 0.0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether one figure or one order meets a goal; None: it cannot be told."""

    goal: str
    about: str
    met: bool | None
    text: str


def verdicts(described: Described, figures: Sequence[Figure]) -> list[Verdict]:
    """Of every goal of a set, each figure that it is about."""
    return [verdict for name in described.goals for verdict in GOALS[name][1](described, figures)]


def _span(_: Described, figures: Sequence[Figure]) -> list[Verdict]:
    own = [*_of(figures, "cycles"), *_of(figures, "cycles a step")]
    return [Verdict("span", figure.case, abs(figure.off) <= _SPAN, f"{figure.off:+.1%}") for figure in own]


def _share(_: Described, figures: Sequence[Figure]) -> list[Verdict]:
    return [
        Verdict(
            "share",
            figure.case,
            abs(figure.predicted - figure.real) <= _SHARE,
            f"{figure.predicted - figure.real:+.3f}",
        )
        for figure in _of(figures, "MFMA share")
    ]


def _kinds(_: Described, figures: Sequence[Figure]) -> list[Verdict]:
    """Within each case, the order of kinds by their share of the waves' time."""
    verdicts = []
    for case in dict.fromkeys(one.case for one in figures if one.group == "kinds"):
        own = {figure.what: figure for figure in figures if figure.case == case and figure.group == "kinds"}
        verdicts.append(_order_of("kinds", case, own))
    return verdicts


def _order(described: Described, figures: Sequence[Figure]) -> list[Verdict]:
    """The rank order of cases by what was measured of each."""
    verdicts = []
    for what in ("TFLOP/s", "us", "cycles a step"):
        own = {one.case: one for one in _of(figures, what)}
        for names in described.orders or (tuple(case.name for case in described.cases),):
            of_this = [case for case in described.cases if case.name in names and _measures(case.measured, what)]
            if missing := [case.name for case in of_this if case.name not in own]:
                verdicts.append(Verdict("order", what, None, f"not told: {', '.join(missing)} did not run"))
            elif len(of_this) > 1:
                verdicts.append(_order_of("order", what, {case.name: own[case.name] for case in of_this}))
    return verdicts


def _measures(measured: Mapping[str, object] | None, what: str) -> bool:
    return {"TFLOP/s": "tflops", "us": "us", "cycles a step": "step"}[what] in (measured or {})


def _order_of(goal: str, about: str, figures: Mapping[str, Figure]) -> Verdict:
    real = sorted(figures, key=lambda name: -figures[name].real)
    predicted = sorted(figures, key=lambda name: -figures[name].predicted)
    words = "as measured" if real == predicted else f"measured {' > '.join(real)}; predicted {' > '.join(predicted)}"
    return Verdict(goal, about, real == predicted, words)


def _range(_: Described, figures: Sequence[Figure]) -> list[Verdict]:
    """Of each value that was measured."""
    return [
        Verdict(
            "range",
            figure.case,
            figure.low <= value <= figure.high,
            f"{value:.4g}, {figure.low:.4g} to {figure.high:.4g}",
        )
        for figure in figures
        if figure.low is not None and figure.high is not None
        for value in figure.measured
    ]


def _memory(described: Described, figures: Sequence[Figure]) -> list[Verdict]:
    bound = {name for case in described.cases for name in case.memory}
    return [
        Verdict("memory", name, error <= _MEMORY, f"{error:.1%} off on average")
        for name, error in program_errors(figures).items()
        if name in bound
    ]


def _counters(_: Described, figures: Sequence[Figure]) -> list[Verdict]:
    """Each within what was measured, or that near to it."""
    verdicts = []
    for figure in (one for one in figures if one.group == "counters"):
        low, high = figure.measured[0] * (1 - _COUNTER), figure.measured[-1] * (1 + _COUNTER)
        verdicts.append(Verdict("counters", figure.what, low <= figure.predicted <= high, f"{figure.off:+.1%}"))
    return verdicts


def _mean(_: Described, figures: Sequence[Figure]) -> list[Verdict]:
    own = program_errors(figures).values()
    return [Verdict("mean", f"{len(own)} benchmarks", mean(own) <= _MEAN, f"{mean(own):.1%}")] if own else []


def _checking(described: Described, figures: Sequence[Figure]) -> list[Verdict]:
    """Of the cases that nothing was fitted to: their mean error, and each of them."""
    names = {case.name for case in described.cases if case.checking}
    own = [figure for figure in figures if figure.case in names and figure.what in ("TFLOP/s", "us")]
    if not own:
        return []
    error = mean(abs(figure.off) for figure in own)
    return [
        Verdict("checking", f"mean of {len(own)}", error <= _CHECKED_MEAN, f"{error:.1%}"),
        *(Verdict("checking", one.case, abs(one.off) <= _CHECKED_WORST, f"{one.off:+.1%}") for one in own),
    ]


def program_errors(figures: Sequence[Figure]) -> dict[str, float]:
    """The mean error of the runs of each benchmark that is in a group."""
    runs: dict[str, list[float]] = {}
    for figure in _of(figures, "us"):
        if figure.group:
            runs.setdefault(figure.group, []).append(abs(figure.off))
    return {name: mean(errors) for name, errors in runs.items()}


def _of(figures: Iterable[Figure], what: str) -> list[Figure]:
    return [one for one in figures if one.what == what]


GOALS: Mapping[str, tuple[str, Callable[[Described, Sequence[Figure]], list[Verdict]]]] = {
    "span": (f"cycles of the span, or of a step, within {_SPAN:.0%}", _span),
    "share": (f"MFMA share within {_SHARE}", _share),
    "kinds": ("order of the kinds of instructions that waves spend their time at", _kinds),
    "order": ("rank order", _order),
    "range": ("what was measured is in the predicted range", _range),
    "memory": (f"memory-bound programs within {_MEMORY:.0%} on average", _memory),
    "checking": (
        f"cases kept for checking within {_CHECKED_MEAN:.0%} on average, each within {_CHECKED_WORST:.0%}",
        _checking,
    ),
    "counters": (f"counters within {_COUNTER:.0%}", _counters),
    "mean": (f"mean error of programs within {_MEAN:.0%}", _mean),
}
