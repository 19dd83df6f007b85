"""Named ranges of the host (roctx, which NVTX becomes) over launches: predicted time by range, and as a trace for Perfetto.

Launches stand one behind the other there, in the order of the calls. The model knows neither the time between launches
nor concurrent streams, so both are left out.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.errors import OutputError
from porter.perf.predict_launches import stand_ins
from porter.toolchain.demangle import brief_name

__all__ = ["Range", "launch_events", "predicted_times", "ranges_of", "write_launches"]

_Launches = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Range:
    """The launches within a range, which has the ranges around it in front."""

    path: tuple[str, ...]
    launches: int
    microseconds: float
    unknown: int  # launches without a prediction


def predicted_times(launches: _Launches) -> list[float | None]:
    """Microseconds of each launch. One that has no prediction takes the time of the one that stands for it."""
    known = [one for one in launches if "predicted" in one]
    times = [float(one["predicted"]["microseconds"][1]) for one in known]
    return [None if number is None else times[number] for number in stand_ins(launches, known)]


def ranges_of(launches: _Launches) -> list[Range]:
    """Every range that a launch was made in, in the order of their first launches, outer ones first."""
    ranges: dict[tuple[str, ...], list[float | None]] = {}
    for launch, time in zip(launches, predicted_times(launches), strict=True):
        path = tuple(launch.get("ranges", ()))
        for depth in range(1, len(path) + 1):
            ranges.setdefault(path[:depth], []).append(time)
    return [
        Range(path, len(times), sum(time or 0.0 for time in times), times.count(None)) for path, times in ranges.items()
    ]


def launch_events(launches: _Launches) -> Iterator[dict[str, Any]]:
    """Slices of the ranges with the launches in them, in microseconds. A range stays open from launch to launch."""
    yield {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "launches, predicted, one behind the other"}}
    now, inside = 0.0, list[tuple[str, float]]()
    for launch, time in zip(launches, predicted_times(launches), strict=True):
        path = list(launch.get("ranges", ()))
        same = next((n for n, (a, b) in enumerate(zip(path, inside)) if a != b[0]), min(len(path), len(inside)))
        while len(inside) > same:
            yield _slice(*inside.pop(), now)
        inside += [(name, now) for name in path[same:]]
        yield _slice(brief_name(launch["kernel"]), now, now + (time or 0.0))
        now += time or 0.0
    while inside:
        yield _slice(*inside.pop(), now)


def _slice(name: str, begin: float, end: float) -> dict[str, Any]:
    return {"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": round(begin, 6), "dur": round(end - begin, 6)}


def write_launches(launches: _Launches, path: Path) -> None:
    """Writes them for Perfetto, compressed where the name ends with .gz."""
    text = json.dumps(
        {"schema": "porter-launches/1", "displayTimeUnit": "ns", "traceEvents": list(launch_events(launches))}
    )
    try:
        path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}", "give another file") from error
