"""What the model of time says of a program's launches, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.chip import Board
from porter.perf.model.boards import Inputs
from porter.perf.model.predict import Prediction
from porter.perf.predict_launches import Alike, alike, key_of, unlike, unpredicted
from porter.perf.uneven import doubt
from porter.perf.what_to_do import lines_of, place_of, what_to_do
from porter.report.tables.bench_table import print_table
from porter.toolchain.demangle import brief_name

__all__ = ["microseconds", "print_predictions"]

_COLUMNS = (
    "kernel", "launches", "workgroups", "time", "range", "events", "cycles", "TFLOP/s", "GB/s", "MFMA busy", "bound by",
)  # fmt: skip
_ROWS, _TOLD, _SHOWN = 24, 8, 4  # kernels and sizes in the table; with more words; stalls and places of each


def print_predictions(
    launches: Sequence[Mapping[str, Any]],
    predictions: Sequence[tuple[Mapping[str, Any], Prediction]],
    board: Board,
    inputs: Inputs,
    console: Console,
) -> None:
    """A table of times with their sum, then what bounds each of the slowest kernels, in their order."""
    if not launches:
        console.print("nothing to predict: the program launches no kernel")
        return
    rows = alike(launches, predictions)
    by_time = sorted(rows, key=lambda one: -one.microseconds[1])
    if rows:
        _print_table(rows, by_time[:_ROWS], board, inputs, console)
    for row in rows:
        if row in by_time[:_TOLD]:
            _print_costs(row, console)
        else:
            _print_doubts(row, f"{brief_name(row.launch['kernel'])}, {row.prediction.groups:,} workgroups: ", console)
    if by_time:
        _print_what_to_do(by_time[0], console)
    for line in _averages(rows):
        console.print(escape(line), soft_wrap=True)
    for (kernel, reason), times in unpredicted(launches, predictions).items():
        what = f"{times:,} launches" if times > 1 else "1 launch"
        console.print(f"not predicted: {escape(brief_name(kernel))}, {what}: {escape(reason)}", soft_wrap=True)


def _print_table(rows: Sequence[Alike], shown: Sequence[Alike], board: Board, inputs: Inputs, console: Console) -> None:
    table = Table(box=None, pad_edge=False)
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column in ("kernel", "bound by") else "right", no_wrap=True)
    for row in rows:
        if row not in shown:
            continue
        prediction = row.prediction
        low, likely, high = prediction.microseconds
        table.add_row(
            escape(brief_name(row.launch["kernel"])), f"{row.times:,}", f"{prediction.groups:,}", microseconds(likely),
            f"{microseconds(low)} to {microseconds(high)}", microseconds(prediction.between_events[1]), f"{prediction.cycles:,}",
            f"{prediction.tflops[1]:.1f}" if prediction.flops else "", f"{prediction.memory_bytes / likely / 1e3:,.0f}", f"{100 * prediction.matrix_share:.0f}%" if prediction.flops else "", prediction.bound,
        )  # fmt: skip
    console.print(f"predicted for an {board.name}, {inputs.text} (docs/guides/time.md)", markup=False)
    print_table(table, console)
    times = sum(row.times for row in rows)
    if times > 1:
        low, likely, high = (sum(row.microseconds[n] for row in rows) for n in range(3))
        more = f"; {len(rows) - len(shown)} of them are not shown, --json has them" if len(shown) < len(rows) else ""
        kinds = f", {len(rows):,} of them predicted, each for those of its kernel and size that execute about as much"
        kinds = kinds if times > len(rows) else ""
        console.print(
            f"together: {times:,} launches{kinds}: {microseconds(likely)}, {microseconds(low)} to "
            f"{microseconds(high)}, one behind the other with no time between them{more}",
            markup=False, soft_wrap=True,
        )  # fmt: skip


def _print_costs(row: Alike, console: Console) -> None:
    prediction = row.prediction
    name = brief_name(row.launch["kernel"])
    stalls = _shares(prediction.stalls)
    gains = _shares(prediction.gains)
    parts = [f"cycles without an issue: {stalls}"] if stalls else []
    parts += [f"time that goes away without {gains}"] if gains else []
    console.print(f"{escape(name)}: {'; '.join(parts) or 'nothing that it waits for'}", soft_wrap=True)
    _print_doubts(row, "  ", console)
    for line in _spent(prediction):
        console.print(f"  {escape(line)}", soft_wrap=True)


def _print_what_to_do(slowest: Alike, console: Console) -> None:
    lines = what_to_do(slowest.prediction)
    if lines:
        console.print(f"what to do in {escape(brief_name(slowest.launch['kernel']))}:", soft_wrap=True)
    for line in lines:
        console.print(f"  {escape(line)}", soft_wrap=True)


def _averages(rows: Sequence[Alike]) -> list[str]:
    """Of each kernel and size whose launches differ so much that several were predicted."""
    of: dict[tuple[Any, ...], list[Alike]] = {}
    for row in rows:
        of.setdefault(key_of(row.launch), []).append(row)
    lines = []
    for own in of.values():
        if len(own) < 2:
            continue
        times = sum(row.times for row in own)
        low, likely, high = (sum(row.microseconds[n] for row in own) / times for n in range(3))
        each = sorted(row.prediction.microseconds[1] for row in own)
        lines.append(
            f"{brief_name(own[0].launch['kernel'])}, {own[0].prediction.groups:,} workgroups: {times:,} launches differ in "
            f"what they execute, {len(own)} of them are predicted: {microseconds(each[0])} to {microseconds(each[-1])}, "
            f"on average {microseconds(likely)} ({microseconds(low)} to {microseconds(high)})"
        )
    return lines


def _print_doubts(row: Alike, before: str, console: Console) -> None:
    for why in (unlike(*row.work), doubt(row.launch)):
        if why:
            console.print(f"{escape(before)}[yellow]look[/]: {escape(why)}", soft_wrap=True)


def _shares(parts: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {100 * part:.0f}%" for name, part in list(parts.items())[:_SHOWN] if part > 0.01)


def _spent(prediction: Prediction) -> list[str]:
    """Where the waves' time goes: source lines or, without debug information, instructions; then named regions."""
    lines = []
    for row in (prediction.spent_lines or prediction.spent_instructions)[:_SHOWN]:
        lines += [_line_words(row), *(f"  {_line_words(inner)}" for inner in row.get("inner", ()))]
    if lone := prediction.one_by_one:
        loads = f"{lone['loads']} load{'' if lone['loads'] == 1 else 's'}"
        how = "of a loop, waited for in each turn" if lone["of_turns"] else "waited for one by one"
        lines.append(
            f"{lines_of(lone)}: {loads} {how}, {100 * lone['share']:.0f}% of the waves' time; together "
            f"{100 * lone['gain']:.0f}% less time, which another compiler may do"
        )
    for row in prediction.regions:
        within = (
            f", {100 * row['own_share']:.0f}% outside of inner ones" if row["share"] - row["own_share"] > 0.01 else ""
        )
        lines.append(
            f"region {row['name']}: {100 * row['share']:.0f}% of the waves' time{within}, "
            f"{row['spans']:,} times, {row['cycles']:,.0f} cycles each (median)"
        )
    return lines


def _line_words(row: Mapping[str, Any]) -> str:
    stall = f", {row['why']} {100 * row['stall']:.0f}%" if row["stall"] > 0.01 else ""
    gain = f"; without its stalls {100 * row['gain']:.0f}% less time" if row.get("gain", 0) > 0.01 else ""
    return f"{place_of(row)}: {100 * row['share']:.0f}% of the waves' time{stall}{gain}"


def microseconds(value: float) -> str:
    """A time with three digits and its unit."""
    return f"{value:.3g} us" if value < 1000 else f"{value / 1000:.3g} ms"
