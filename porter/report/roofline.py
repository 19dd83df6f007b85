"""A roofline as SVG: TFLOP/s over operations a byte, both logarithmic, with the lines of the chip's data sheet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from porter.harness.model import shape_text
from porter.harness.units import Peak, milliseconds, peak_of

__all__ = ["roofline"]

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 960, 540, 70, 300, 40, 50
_COLOURS = ("#1b6ca8", "#d1495b", "#2e933c", "#e08e0b", "#6a4c93", "#00838f", "#8d5524", "#c2185b", "#5d737e")
_REST = "#b0b0b0"
_SHORT = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32", "float64": "fp64"}


class _Scale:
    """From a value to a place, along a logarithmic axis of whole decades."""

    def __init__(self, values: Sequence[float], start: float, stop: float) -> None:
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.high += self.high == self.low
        self._start, self._stop = start, stop

    def __call__(self, value: float) -> float:
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self._start + part * (self._stop - self._start), 1)

    @property
    def decades(self) -> list[float]:
        return [10.0**n for n in range(self.low, self.high + 1)]


def roofline(rows: Sequence[Mapping[str, Any]]) -> str:
    """The chart of a sweep's rows, a point for each that has both operations and bytes; fewer lines without a known peak."""
    points = [row for row in rows if row["flops"] and row["bytes"]]
    device = str(rows[0].get("gpu") or rows[0]["device"]) if rows else ""
    peak = peak_of(device)
    types = sorted({str(row["dtype"]) for row in points})
    tops = {dtype: peak.tflops[dtype] for dtype in types if peak and dtype in peak.tflops}
    intensities = [row["flops"] / row["bytes"] for row in points] or [1.0]
    knees = [1000 * top / peak.gbs for top in tops.values()] if peak else []
    across = _Scale([*intensities, *knees], _LEFT, _WIDTH - _RIGHT)
    up = _Scale([*(row["tflops"] for row in points), *tops.values()] or [1.0], _HEIGHT - _BOTTOM, _TOP)
    kind = str(rows[0]["kind"]) if rows else "no points"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_LEFT, 22, f"Roofline of {device}, {kind}; operations and bytes by the case", size=14),
        *_axes(across, up),
        *(_lines(across, up, peak, tops) if peak else ()),
        *_points(points, across, up),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _axes(across: _Scale, up: _Scale) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = []
    for value in across.decades:
        x = across(value)
        parts.append(f'<path d="M{x} {_TOP}V{bottom}" stroke="#e4e4e4"/>')
        parts.append(_text(x, bottom + 18, f"{value:g}", anchor="middle"))
    for value in up.decades:
        y = up(value)
        parts.append(f'<path d="M{_LEFT} {y}H{right}" stroke="#e4e4e4"/>')
        parts.append(_text(_LEFT - 8, y + 4, f"{value:g}", anchor="end"))
    parts.append(_text((_LEFT + right) / 2, _HEIGHT - 10, "operations a byte", anchor="middle"))
    parts.append(_text(_LEFT - 55, _TOP - 8, "TFLOP/s"))
    return parts


def _lines(across: _Scale, up: _Scale, peak: Peak, tops: Mapping[str, float]) -> list[str]:
    """Memory's slope up to the highest peak, and each type's peak from there on."""
    parts = []
    first, last = across.decades[0], across.decades[-1]
    slope = peak.gbs / 1000  # TFLOP/s for each operation a byte
    begin = max(first, up.decades[0] / slope)
    end = min(last, max(tops.values(), default=up.decades[-1]) / slope)
    if begin < end:
        a, b = (across(begin), up(begin * slope)), (across(end), up(end * slope))
        parts.append(f'<path d="M{a[0]} {a[1]}L{b[0]} {b[1]}" stroke="black" fill="none"/>')
        parts.append(_text((a[0] + b[0]) / 2 + 8, (a[1] + b[1]) / 2 + 14, f"{peak.gbs / 1000:g} TB/s"))
    for dtype, top in tops.items():
        y = up(top)
        parts.append(f'<path d="M{across(max(first, top / slope))} {y}H{across(last)}" stroke="black"/>')
        parts.append(_text(across(last), y - 6, f"{_SHORT.get(dtype, dtype)} {top:g} TFLOP/s", anchor="end"))
    return parts


def _points(rows: Sequence[Mapping[str, Any]], across: _Scale, up: _Scale) -> list[str]:
    names = list(dict.fromkeys(_configuration(row) for row in sorted(rows, key=lambda row: -row["tflops"])))
    colours = dict(zip(names, _COLOURS, strict=False))
    parts = []
    for row in sorted(rows, key=lambda row: row["tflops"]):
        name = _configuration(row)
        told = f"{row['case']} {shape_text(row['shape'])}: {name}, {milliseconds(row['microseconds'][1] / 1000)}, {row['tflops']:.1f} TFLOP/s"
        place = f'cx="{across(row["flops"] / row["bytes"])}" cy="{up(row["tflops"])}"'
        parts.append(
            f'<circle {place} r="4" fill="{colours.get(name, _REST)}" fill-opacity="0.8"><title>{escape(told)}</title></circle>'
        )
    shown = [*colours.items(), *([(f"{len(names) - len(colours)} others", _REST)] if len(names) > len(colours) else [])]
    for number, (name, colour) in enumerate(shown):
        y = _TOP + 10 + 20 * number
        parts.append(f'<circle cx="{_WIDTH - _RIGHT + 20}" cy="{y}" r="4" fill="{colour}"/>')
        parts.append(_text(_WIDTH - _RIGHT + 32, y + 4, name if len(name) < 44 else f"{name[:42]}..."))
    return parts


def _configuration(row: Mapping[str, Any]) -> str:
    return " ".join(word for word in (row["side"], shape_text(row["constants"]), row["flags"]) if word)


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
