"""What the model of time says of a case's shapes, derived once for the terminal and every format of the report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from porter.execute import Compiled
from porter.harness.timing.throughput import (
    Share,
    gigabytes_per_second,
    milliseconds,
    peak_of,
    share,
    teraflops,
)
from porter.harness.verdict import Verdict, shape_text
from porter.perf.model.boards import Inputs
from porter.report.facts.source import prose
from porter.toolchain.demangle import brief_name

__all__ = ["PredictedTime", "Published", "compilers", "limit_words", "predicted_times", "slowest", "speed_words"]

_SHORT = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32", "float64": "fp64"} | dict.fromkeys(
    ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"), "fp8"
)


@dataclass(frozen=True, slots=True)
class Published:
    """A time that somebody else has published for the shape on the board."""

    by: str
    ms: float
    part: float  # of that speed: 1.0 is as fast

    @property
    def words(self) -> str:
        return f"{self.part:.0%} of {self.by} ({milliseconds(self.ms)})"


@dataclass(frozen=True, slots=True)
class PredictedTime:
    """Of one shape of a case; with a reason and nothing else, one that the model says nothing of."""

    case: str
    side: str
    shape: str
    reason: str = ""
    board: str = ""
    inputs: str = ""
    low_ms: float = 0.0
    ms: float = 0.0
    high_ms: float = 0.0
    tflops: float = 0.0  # of the operations that the case says are useful; 0: it says none
    gbs: float = 0.0
    limit: Share | None = None
    published: Published | None = None  # the fastest
    bound: str = ""
    doubts: tuple[str, ...] = ()
    what_to_do: tuple[str, ...] = ()  # in the launch that takes longest
    compiled: tuple[str, ...] = ()  # who made the code: a sentence each

    @property
    def shown(self) -> str:
        return self.case if self.side == "port" else f"{self.case} ({self.side})"

    @property
    def range(self) -> str:
        return f"{milliseconds(self.low_ms)} to {milliseconds(self.high_ms)}"


def predicted_times(verdicts: Iterable[Verdict]) -> tuple[PredictedTime, ...]:
    """Those of the verdicts' shapes, in their order."""
    return tuple(_predicted_time(verdict) for verdict in verdicts)


def _predicted_time(verdict: Verdict) -> PredictedTime:
    case, shape, predicted = prose(verdict.case), shape_text(verdict.shape), verdict.predicted
    if not predicted:
        return PredictedTime(case, verdict.side, shape, prose(verdict.reason) or "no reason was given")
    low, likely, high = (us / 1000 for us in predicted["microseconds"])
    longest = max(predicted["launches"], key=lambda launch: launch["microseconds"][1])
    return PredictedTime(
        case, verdict.side, shape, "", predicted["board"], Inputs(predicted["inputs"]).text, low, likely, high,
        teraflops(predicted["flops"], likely), gigabytes_per_second(predicted["bytes"], likely), _limit(predicted, likely),
        _published(predicted["published"], likely), str(longest["bound"]), tuple(_doubts(predicted["launches"])),
        tuple(f"{brief_name(str(longest['kernel']))}: {words}" for words in longest.get("what_to_do", ())),
        tuple(Compiled(**one).sentence() for one in predicted.get("compiled", ())),
    )  # fmt: skip


def _limit(predicted: Mapping[str, Any], likely: float) -> Share | None:
    peak = peak_of(predicted["board"])
    if peak is None:
        return None
    part = share(predicted["flops"], predicted["bytes"], likely, predicted["dtype"], peak.tflops, peak.gbs)
    return part if part is not None and part.part <= 1 else None  # beyond: its products are of another type


def _published(rows: Sequence[Mapping[str, Any]], likely: float) -> Published | None:
    best = min(rows, key=lambda row: float(row["microseconds"]), default=None)
    if best is None:
        return None
    return Published(prose(best["by"]), best["microseconds"] / 1000, best["microseconds"] / 1000 / likely)


def _doubts(launches: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    for launch in launches:
        if launch.get("doubt"):
            yield f"{brief_name(str(launch['kernel']))}: {launch['doubt']}"


def compilers(times: Iterable[PredictedTime]) -> tuple[str, ...]:
    """Which compilers made what was timed, each once."""
    return tuple(dict.fromkeys(sentence for one in times for sentence in one.compiled))


def slowest(times: Iterable[PredictedTime]) -> tuple[PredictedTime, ...]:
    """The shape of each case and side that takes longest, where there is something to do about it."""
    of: dict[str, PredictedTime] = {}
    for one in times:
        if not one.reason and (one.shown not in of or one.ms > of[one.shown].ms):
            of[one.shown] = one
    return tuple(one for one in of.values() if one.what_to_do)


def limit_words(part: Share | None) -> str:
    """ "49% bf16" or "12% memory"; empty where no limit is known."""
    if part is None:
        return ""
    return f"{_percent(part.part)} {'memory' if part.of == 'memory' else _SHORT.get(part.of, part.of)}"


def speed_words(times: Iterable[PredictedTime]) -> str:
    """How fast the shapes are said to be, in one line for a headline; empty where nothing is."""
    said = [one for one in times if not one.reason]
    if not said:
        return ""
    limits = [one.limit.part for one in said if one.limit]
    published = [one.published.part for one in said if one.published]
    parts = [f"at {_span(limits)} of its limits"] if limits else []
    parts += [f"at {_span(published)} of the best published speeds"] if published else []
    slowest = max(said, key=lambda one: one.ms)
    return f"Predicted on an {slowest.board}: {' and '.join(parts) or f'up to {milliseconds(slowest.ms)}'}"


def _span(parts: Sequence[float]) -> str:
    low, high = _percent(min(parts)), _percent(max(parts))
    return low if low == high else f"{low} to {high}"


def _percent(part: float) -> str:
    return f"{part:.0%}" if part >= 0.01 else f"{part:.1%}"
