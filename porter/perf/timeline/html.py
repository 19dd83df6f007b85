"""A timeline, or two to compare, as one HTML page that needs nothing else: the code in page/ and the events beside it."""

from __future__ import annotations

import base64
import json
import linecache
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from porter.perf.timeline.compare import Comparison
from porter.perf.timeline.kinds import Kind, kind_numbers, matrix_cycles
from porter.perf.timeline.measures import Measures
from porter.perf.timeline.regions import wave_spans
from porter.perf.timeline.timeline import Events, Timeline

__all__ = ["page"]

_FOLDER = Path(__file__).with_name("page")
_SCRIPTS = ("trace.js", "draw.js", "panel.js", "main.js")
_STEPS = 3.2  # in view at first
_LINE = 160  # characters of a source line


def page(
    timelines: Sequence[tuple[Timeline, Measures]],
    names: Sequence[str],
    comparison: Comparison | None = None,
    sources: Mapping[str, Path] | None = None,
) -> str:
    """The page of one timeline, or of two above each other with their differences.

    `names` say where they are from; `sources` where copies of the files are that instructions name.
    """
    labels = "AB" if len(timelines) > 1 else " "
    anchors = [_anchor(timeline, measures) for timeline, measures in timelines]
    traces = [
        {
            **_trace(timeline, measures, sources or {}),
            "label": label.strip(),
            "name": name,
            "shift": anchor - anchors[0],
        }
        for (timeline, measures), label, name, anchor in zip(timelines, labels, names, anchors)
    ]
    data = {
        "kinds": [{"label": kind.label, "colour": kind.colour} for kind in Kind],
        "traces": traces,
        "home": _home(*timelines[0], anchors[0]),
        "tables": comparison.tables() if comparison else [],
    }
    text = (_FOLDER / "page.html").read_text("utf-8")
    title = " and ".join(timeline.kernel for timeline, _ in timelines)
    for mark, part in (
        ("/*STYLE*/", (_FOLDER / "page.css").read_text("utf-8")),
        ("/*SCRIPT*/", "\n".join((_FOLDER / name).read_text("utf-8") for name in _SCRIPTS)),
        ("<!--TITLE-->", _escaped(f"Timeline: {title}")),
        ("<!--DATA-->", json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")),
    ):
        text = text.replace(mark, part, 1)
    return text


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _trace(timeline: Timeline, measures: Measures, sources: Mapping[str, Path]) -> dict[str, Any]:
    begin, steps = timeline.begin, measures.steps
    regions: dict[str, int] = {}
    kinds = kind_numbers(timeline).tolist()
    code = [
        {
            "text": row.text,
            "kind": kind,
            "place": row.place if row.line else "",
            "inlined": row.inlined,
            "matrix": matrix_cycles(row),
        }
        for row, kind in zip(timeline.instructions, kinds)
    ]
    waves = [
        {
            "engine": wave.engine,
            "simd": wave.simd,
            "slot": wave.slot,
            "group": wave.workgroup,
            "begin": wave.begin - begin,
            "end": wave.end - begin,
            "count": len(wave.events),
            "spans": [
                [regions.setdefault(span.name, len(regions)), span.begin - begin, span.end - begin, span.depth]
                for span in wave_spans(timeline, wave)
            ],
        }
        for wave in timeline.waves
    ]
    return {
        "kernel": timeline.kernel,
        "source": timeline.source,
        "clock": timeline.clock,
        "summary": summary_line(timeline, measures),
        "end": timeline.end - begin,
        "engines": len({wave.engine for wave in timeline.waves}),
        "head": steps.head if steps else -1,
        "step": float(np.median(steps.cycles)) if steps else 0,
        "code": code,
        "lines": _source_lines(timeline, sources),
        "waves": waves,
        "regions": list(regions),
        "events": _packed(timeline),
    }


def summary_line(timeline: Timeline, measures: Measures) -> str:
    """Span, share of the matrix pipe and step in one line."""
    parts = [f"{len(timeline.waves)} waves, {timeline.end - timeline.begin:,} cycles, MFMA {measures.share:.1%}"]
    if measures.steps:
        parts.append(f"step of the main loop {np.median(measures.steps.cycles):,.0f} cycles (median)")
    return ", ".join(parts)


def _source_lines(timeline: Timeline, sources: Mapping[str, Path]) -> dict[str, str]:
    """The text of the lines that instructions name, where the files are at hand."""
    places = {(row.file, row.line): row.place for row in timeline.instructions if row.line}
    texts = {
        place: linecache.getline(str(sources.get(file, file)), line).strip()[:_LINE]
        for (file, line), place in places.items()
    }
    return {place: text for place, text in texts.items() if text}


def _packed(timeline: Timeline) -> str:
    """Gap, stall, duration and instruction of all events, each a column of 32-bit numbers in planes of bytes, deflated."""
    columns: list[list[Events]] = [[], [], [], []]
    for wave in timeline.waves:
        before = np.concatenate(([wave.begin], wave.ends[:-1])) if len(wave.events) else wave.times
        for column, values in zip(columns, (wave.times - before, wave.events[:, 2], wave.events[:, 3], wave.numbers)):
            column.append(values)
    planes = b"".join(
        np.concatenate(column or [np.zeros(0, np.int64)]).astype("<i4").view(np.uint8).reshape(-1, 4).T.tobytes()
        for column in columns
    )
    return base64.b64encode(zlib.compress(planes, 6)).decode("ascii")


def _anchor(timeline: Timeline, measures: Measures) -> int:
    """After the begin: where a step in the middle of the run begins, or the begin itself."""
    if measures.steps is None:
        return 0
    middle = (timeline.begin + timeline.end) // 2
    begins = measures.steps.rows[:, 1]
    return int(begins[np.abs(begins - middle).argmin()]) - timeline.begin


def _home(timeline: Timeline, measures: Measures, anchor: int) -> list[float]:
    """The cycles in view at first: a few steps from the anchor on, or all."""
    if measures.steps is None:
        return [0, max(timeline.end - timeline.begin, 1)]
    wide = _STEPS * float(np.median(measures.steps.cycles))
    start = max(0.0, min(anchor, timeline.end - timeline.begin - wide))  # nothing is behind the end
    return [start, start + wide]
