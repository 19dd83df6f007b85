"""A timeline as Chrome's trace events, which Perfetto and chrome://tracing open: a process a SIMD, a thread a slot.

A wave is a slice; in it are slices of a kind, instructions in a row of one kind being one. Named
regions are tracks beside the slots. A cycle is a nanosecond there.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from porter.errors import OutputError
from porter.perf.timeline.kinds import Kind, kind_numbers, matrix_intervals
from porter.perf.timeline.measures import by_simd
from porter.perf.timeline.regions import wave_spans
from porter.perf.timeline.timeline import Events, Timeline, Wave

__all__ = ["trace_events", "write_perfetto"]

_KINDS = tuple(Kind)
_NEAR = 8  # cycles between instructions that are one slice all the same
_REGIONS = 1000  # the thread of a slot's regions is so much behind that of the slot
_BINS, _LEAST = 4000, 64  # of the counter of the matrix pipe: most bins, and their least width in cycles


def write_perfetto(timeline: Timeline, path: Path) -> None:
    """Writes the events as JSON, compressed where the name ends with .gz."""
    try:
        with (
            gzip.open(path, "wt", encoding="utf-8")
            if path.suffix == ".gz"
            else path.open("w", encoding="utf-8") as file
        ):
            about = {"kernel": timeline.kernel, "source": timeline.source, "clock": timeline.clock}
            file.write(f'{{"displayTimeUnit":"ns","otherData":{json.dumps(about)},"traceEvents":[\n')
            for number, event in enumerate(trace_events(timeline)):
                file.write((",\n" if number else "") + json.dumps(event, separators=(",", ":")))
            file.write("\n]}\n")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}", "give another file") from error


def trace_events(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """The names of tracks, waves, slices and counters."""
    kinds = kind_numbers(timeline)
    marked = any(row.marks for row in timeline.instructions)
    engines = len({wave.engine for wave in timeline.waves}) > 1
    for process, ((engine, simd), waves) in enumerate(by_simd(timeline).items(), 1):
        name = (f"SE{engine} " if engines else "") + f"SIMD {simd}"
        yield {"ph": "M", "name": "process_name", "pid": process, "args": {"name": name}}
        yield {"ph": "M", "name": "process_sort_index", "pid": process, "args": {"sort_index": process}}
        for slot in sorted({wave.slot for wave in waves}):
            yield {"ph": "M", "name": "thread_name", "pid": process, "tid": slot + 1, "args": {"name": f"slot {slot}"}}
            if marked:
                tid = {"ph": "M", "pid": process, "tid": _REGIONS + slot + 1}
                yield {**tid, "name": "thread_name", "args": {"name": f"slot {slot}: regions"}}
        yield from _busy(timeline, waves, process)
        for wave in waves:
            yield from _wave(timeline, wave, kinds, process)


def _slice(name: str, wave: Wave, process: int, begin: int, length: int, start: int) -> dict[str, Any]:
    return {
        "ph": "X",
        "name": name,
        "pid": process,
        "tid": wave.slot + 1,
        "ts": (begin - start) / 1000,
        "dur": length / 1000,
    }


def _wave(timeline: Timeline, wave: Wave, kinds: Events, process: int) -> Iterator[dict[str, Any]]:
    start = timeline.begin
    yield _slice(f"workgroup {wave.workgroup}", wave, process, wave.begin, wave.end - wave.begin, start)
    if not len(wave.events):
        return
    for span in wave_spans(timeline, wave):
        begin, end = max(span.begin, wave.begin), min(span.end, wave.end)
        yield {**_slice(span.name, wave, process, begin, end - begin, start), "tid": _REGIONS + wave.slot + 1}
    own = kinds[wave.numbers]
    heads = np.flatnonzero(np.concatenate(([True], (np.diff(own) != 0) | (wave.gaps[1:] > _NEAR))))
    lasts = np.concatenate((heads[1:], [len(own)])) - 1
    stalls = np.add.reduceat(wave.events[:, 2], heads)
    # Events of real traces overlap by a turn of the SIMDs here and there: slices of a track must not
    ends = np.minimum(wave.ends[lasts], wave.end)
    begins = np.maximum(wave.times[heads], np.concatenate(([wave.begin], ends[:-1])))
    ends = np.maximum(ends, begins)
    rows = zip(heads.tolist(), lasts.tolist(), begins.tolist(), ends.tolist(), stalls.tolist())
    for first, last, begin, end, stall in rows:
        instruction = timeline.instructions[wave.numbers[first]]
        made = _slice(_KINDS[own[first]].label, wave, process, begin, end - begin, start)
        made["args"] = {"first": instruction.text, "instructions": last - first + 1, "stall": stall}
        if instruction.line:
            made["args"]["source"] = instruction.place
        yield made


def _busy(timeline: Timeline, waves: list[Wave], process: int) -> Iterator[dict[str, Any]]:
    """The share of the matrix pipe's cycles, over the time."""
    begins, ends, _ = matrix_intervals(timeline, waves)
    if not len(begins):
        return
    width = max(_LEAST, -(-(timeline.end - timeline.begin) // _BINS))
    edges = np.arange(timeline.begin, timeline.end + width, width)
    done = np.concatenate(([0], np.cumsum(ends - begins)))
    points, heights = np.stack([begins, ends], axis=1).ravel(), np.stack([done[:-1], done[1:]], axis=1).ravel()
    shares = np.diff(np.interp(edges, points, heights)) / width
    for edge, share in zip((edges - timeline.begin).tolist(), shares.tolist()):
        args = {"percent": round(100 * share, 1)}
        yield {"ph": "C", "name": "MFMA busy", "pid": process, "ts": edge / 1000, "args": args}
