"""Predictions for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.chip import Board
from porter.perf.model.boards import Inputs
from porter.perf.model.predict import Prediction, predict
from porter.perf.model.recorded import read_recorded
from porter.toolchain.demangle import short_name

__all__ = ["microseconds", "predict_launches", "print_predictions"]

_SHOWN = 4


def predict_launches(
    launches: Iterable[dict[str, Any]], folder: Path, board: Board, *, inputs: Inputs = Inputs.MEMORY
) -> list[tuple[dict[str, Any], Prediction]]:
    """The launches that were recorded, each with its prediction."""
    return [
        (launch, predict(read_recorded(folder / launch["recording"]), board=board, inputs=inputs))
        for launch in launches
        if launch.get("recording") and not launch.get("faulted")
    ]


def print_predictions(found: Iterable[tuple[Mapping[str, Any], Prediction]], board: Board, console: Console) -> None:
    """A table of times, then what bounds each kernel."""
    found = list(found)
    inputs = found[0][1].inputs.text if found else ""
    title = f"predicted for an {board.name}, {inputs} (docs/time.md)"
    table = Table(box=None, pad_edge=False, title=title, title_justify="left")
    for column in ("kernel", "workgroups", "time", "range", "events", "cycles", "TFLOP/s", "MFMA busy", "bound by"):
        table.add_column(column, justify="left" if column in ("kernel", "bound by") else "right", no_wrap=True)
    for launch, one in found:
        low, likely, high = one.microseconds
        table.add_row(
            escape(short_name(launch["kernel"])), f"{one.groups:,}", microseconds(likely),
            f"{microseconds(low)} to {microseconds(high)}",
            microseconds(one.between_events[1]), f"{one.cycles:,}",
            f"{one.tflops[1]:.1f}" if one.flops else "", f"{100 * one.matrix_share:.0f}%" if one.flops else "", one.bound,
        )  # fmt: skip
    console.print(table)
    for launch, one in found:
        stalls = ", ".join(f"{name} {100 * share:.0f}%" for name, share in list(one.stalls.items())[:_SHOWN])
        gains = ", ".join(
            f"{name} {100 * share:.0f}%" for name, share in list(one.gains.items())[:_SHOWN] if share > 0.01
        )
        console.print(f"{escape(short_name(launch['kernel']))}: cycles without an issue: {stalls}")
        if gains:
            console.print(f"  time that goes away without {gains}")
        for line in _spent(one):
            console.print(f"  {escape(line)}", soft_wrap=True)


def _spent(one: Prediction) -> list[str]:
    """Where the waves' time goes: source lines or, without debug information, instructions; then named regions."""
    lines = []
    for row in (one.spent_lines or one.spent_instructions)[:_SHOWN]:
        place = f"{Path(row['file']).name}:{row['line']}" if row["line"] else str(row["text"])
        stall = f", {row['why']} {100 * row['stall']:.0f}%" if row["stall"] > 0.01 else ""
        gain = f"; without its stalls {100 * row['gain']:.0f}% less time" if row.get("gain", 0) > 0.01 else ""
        lines.append(f"{place}: {100 * row['share']:.0f}% of the waves' time{stall}{gain}")
    for row in one.regions:
        within = (
            f", {100 * row['own_share']:.0f}% outside of inner ones" if row["share"] - row["own_share"] > 0.01 else ""
        )
        lines.append(
            f"region {row['name']}: {100 * row['share']:.0f}% of the waves' time{within}, "
            f"{row['spans']:,} times, {row['cycles']:,.0f} cycles each (median)"
        )
    return lines


def microseconds(value: float) -> str:
    """A time with three digits and its unit."""
    return f"{value:.3g} us" if value < 1000 else f"{value / 1000:.3g} ms"
