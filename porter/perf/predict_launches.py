"""Predictions for the launches of a program that ran in the emulator."""

from __future__ import annotations

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

__all__ = ["Alike", "alike", "key_of", "predict_launches", "unpredicted"]

Launch = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alike:
    """Launches of one kernel and size: the first stands for all of them."""

    launch: Launch
    prediction: Prediction
    times: int
    work: tuple[
        float, float
    ]  # instructions of the one with the fewest and of the one with the most, over the first one's

    @property
    def microseconds(self) -> tuple[float, float, float]:
        """Of all of them, one behind the other: low, likely, high."""
        low, likely, high = (self.times * us for us in self.prediction.microseconds)
        return low, likely, high


def predict_launches(
    launches: Iterable[dict[str, Any]], folder: Path, board: Board, *, inputs: Inputs = Inputs.MEMORY
) -> list[tuple[dict[str, Any], Prediction]]:
    """The launches that were recorded, each with its prediction. One that has none says why, as "unpredicted"."""
    found = []
    for launch in launches:
        if not launch.get("recording") or launch.get("faulted"):
            continue
        try:
            one = predict(read_recorded(folder / launch["recording"]), board=board, inputs=inputs)
        except PorterError as error:
            launch["unpredicted"] = error.line
        else:
            found.append((launch, one))
    return found


def key_of(launch: Launch) -> tuple[Any, ...]:
    """Launches with the same one take the prediction of the first."""
    return (launch["symbol"], *launch["grid"], *launch["block"], launch["dynamic_lds"])


def alike(launches: Sequence[Launch], found: Iterable[tuple[Launch, Prediction]]) -> list[Alike]:
    """The predictions, each with how often there is such a launch."""
    work: dict[tuple[Any, ...], list[int]] = {}
    for launch in launches:
        if "symbol" in launch:
            work.setdefault(key_of(launch), []).append(launch["instructions"])
    return [Alike(launch, one, len(own), _work(launch, own)) for launch, one in found for own in [work[key_of(launch)]]]


def _work(launch: Launch, all_of_them: Sequence[int]) -> tuple[float, float]:
    first = max(1, launch["instructions"])
    return min(all_of_them) / first, max(all_of_them) / first


def unpredicted(launches: Sequence[Launch], found: Iterable[tuple[Launch, Prediction]]) -> Counter[tuple[str, str]]:
    """The launches without a prediction: how many, by kernel and reason."""
    known = {key_of(launch) for launch, _ in found}
    left: Counter[tuple[str, str]] = Counter()
    for launch in launches:
        if "symbol" not in launch or key_of(launch) in known:
            continue
        reason = (
            "it stopped" if launch.get("faulted") else launch.get("unpredicted", "more kernels and sizes than are kept")
        )
        left[launch["kernel"], reason] += 1
    return left
