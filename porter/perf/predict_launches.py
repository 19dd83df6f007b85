"""Predictions for the launches of a program that ran in the emulator."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.chip import Board
from porter.errors import PorterError
from porter.perf.model.boards import Inputs
from porter.perf.model.predict import Prediction, predict
from porter.perf.model.recorded import read_recorded

__all__ = ["UNLIKE", "Alike", "alike", "key_of", "predict_launches", "stand_ins", "unlike", "unlike_one", "unpredicted"]

UNLIKE = 1.25  # times as many instructions, either way: launches that differ more are recorded each (emu/host/launches/recordings.cpp, alike)

Launch = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alike:
    """Launches of one kernel and size that one of them stands for."""

    launch: Launch
    prediction: Prediction
    times: int
    work: tuple[
        float, float
    ]  # instructions of the one with the fewest and of the one with the most, over those of the one that was predicted

    @property
    def microseconds(self) -> tuple[float, float, float]:
        """Of all of them, one behind the other: low, likely, high."""
        low, likely, high = (self.times * us for us in self.prediction.microseconds)
        return low, likely, high


def predict_launches(
    launches: Iterable[dict[str, Any]], folder: Path, board: Board, *, inputs: Inputs = Inputs.MEMORY
) -> list[tuple[dict[str, Any], Prediction]]:
    """The launches that were recorded, each with its prediction. One that has none says why, as "unpredicted"."""
    predictions = []
    for launch in launches:
        if not launch.get("recording") or launch.get("faulted"):
            continue
        try:
            one = predict(read_recorded(folder / launch["recording"]), board=board, inputs=inputs)
        except PorterError as error:
            launch["unpredicted"] = error.line
        else:
            predictions.append((launch, one))
    return predictions


def key_of(launch: Launch) -> tuple[Any, ...]:
    """Kernel and size: launches with the same one stand for one another."""
    return (launch["symbol"], *launch["grid"], *launch["block"], launch["dynamic_lds"])


def stand_ins(launches: Iterable[Launch], known: Sequence[Launch]) -> list[int | None]:
    """For each launch the number of that of `known` which stands for it: itself, or the one of its kernel and size that
    executed nearest to as many instructions. None where there is none."""
    of: dict[tuple[Any, ...], list[int]] = {}
    for number, one in enumerate(known):
        of.setdefault(key_of(one), []).append(number)
    nearest: list[int | None] = []
    for launch in launches:
        own = of.get(key_of(launch), ()) if "symbol" in launch else ()
        nearest.append(min(own, key=lambda number: _distance(launch, known[number]), default=None))
    return nearest


def _distance(launch: Launch, other: Launch) -> tuple[float, bool]:
    return abs(math.log(_times(launch, other))), launch is not other


def _times(launch: Launch, other: Launch) -> float:
    return float(max(1, launch.get("instructions", 1)) / max(1, other.get("instructions", 1)))


def unlike(least: float, most: float) -> str:
    """Why a launch stands badly for others, which execute `least` to `most` times as many instructions; or ""."""
    if most <= UNLIKE and least >= 1 / UNLIKE:
        return ""
    between = _ratio(least) if _ratio(least) == _ratio(most) else f"{_ratio(least)} to {_ratio(most)}"
    return f"launches execute {between} times as many instructions as the one that stands for them"


def unlike_one(launch: Launch, stand: Launch) -> str:
    """Why the prediction of another launch is none of this one, or ""."""
    return unlike(_times(launch, stand), _times(launch, stand))


def _ratio(value: float) -> str:
    """With two digits or, from 10 on, as a whole number."""
    return f"{value:.2g}" if value < 9.95 else f"{value:,.0f}"


def alike(launches: Sequence[Launch], predictions: Sequence[tuple[Launch, Prediction]]) -> list[Alike]:
    """The predictions, each with how many launches it stands for."""
    known = [launch for launch, _ in predictions]
    work: list[list[float]] = [[] for _ in known]
    for launch, number in zip(launches, stand_ins(launches, known), strict=True):
        if number is not None:
            work[number].append(_times(launch, known[number]))
    return [
        Alike(launch, one, len(own), (min(own), max(own)))
        for (launch, one), own in zip(predictions, work, strict=True)
        if own
    ]


def unpredicted(
    launches: Sequence[Launch], predictions: Iterable[tuple[Launch, Prediction]]
) -> Counter[tuple[str, str]]:
    """The launches without a prediction: how many, by kernel and reason."""
    known = {key_of(launch) for launch, _ in predictions}
    left: Counter[tuple[str, str]] = Counter()
    for launch in launches:
        if "symbol" not in launch or key_of(launch) in known:
            continue
        reason = (
            "it stopped" if launch.get("faulted") else launch.get("unpredicted", "more kernels and sizes than are kept")
        )
        left[launch["kernel"], reason] += 1
    return left
