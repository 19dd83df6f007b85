"""Timings, counts and predictions on the terminal. Every table says whether it was measured, counted or predicted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.harness.timing.history import Change, own_timings
from porter.harness.timing.throughput import gigabytes_per_second, milliseconds, peak_of, share, teraflops
from porter.harness.verdict import Timing, Verdict, shape_text
from porter.report.facts.predicted import PredictedTime, compilers, limit_words, predicted_times, slowest

__all__ = ["bench_rows", "print_bench", "print_changes", "print_predicted", "print_table"]

_BESIDE = ("torch eager", "torch.compile")
_STYLES = {"slower": "red", "faster": "green"}
_MOST_CHANGES = 48  # rows of a comparison


def print_bench(verdicts: Sequence[Verdict], console: Console) -> None:
    """A table for each device that was timed on, and one for what the emulator counted."""
    timed = sorted((v for v in verdicts if v.timings), key=lambda v: v.backend)
    for backend, group in groupby(timed, lambda v: v.backend):
        _print_measured(backend, list(group), console)
    counted = [v for v in verdicts if v.counts]
    counted = [v for v in counted if v.values == "normal"] or counted  # other values take the same ways, mostly
    if counted:
        _print_counted(counted, console)


def bench_rows(verdict: Verdict) -> list[dict[str, Any]]:
    """What a table shows of a verdict, a row for each mode: for the terminal and for reports."""
    peak = peak_of(verdict.backend)
    ceiling = dict(verdict.bench.get("ceiling", {}))
    dtype = str(verdict.bench.get("dtype", ""))
    rows = []
    for own in own_timings(verdict):
        ms = own.median_ms
        beside = {name: _beside(verdict, name, own.mode) for name in _BESIDE}
        fastest = min((t.median_ms for t in beside.values() if t is not None), default=0.0)
        rows.append(
            {
                "case": verdict.case, "side": verdict.side, "shape": shape_text(verdict.shape), "mode": own.mode,
                "median_ms": ms, "low_ms": own.low_ms, "high_ms": own.high_ms,
                **{name: t.median_ms if t is not None else None for name, t in beside.items()},
                "ratio": fastest / ms if fastest and ms else None,
                "tflops": teraflops(verdict.flops, ms), "gbs": gigabytes_per_second(verdict.bytes, ms),
                "of_peak": share(verdict.flops, verdict.bytes, ms, dtype, peak.tflops, peak.gbs) if peak else None,
                "of_ceiling": share(verdict.flops, verdict.bytes, ms, dtype, ceiling, ceiling.get("copy", 0.0)),
                "note": own.note,
            }
        )  # fmt: skip
    return rows


def _beside(verdict: Verdict, name: str, mode: str) -> Timing | None:
    return next((t for t in verdict.timings if t.name == name and t.mode == mode), None)


def _print_measured(backend: str, verdicts: Sequence[Verdict], console: Console) -> None:
    facts = dict(verdicts[0].bench.get("device", {}))
    details = [str(facts[name]) for name in ("arch", "runtime") if facts.get(name)]
    details += [f"torch {facts['torch']}"] if facts.get("torch") else []
    details += [f"driver {facts['driver']}"] if facts.get("driver") else []
    details += [f"{facts['sm_mhz']:.0f} MHz after the first case"] if facts.get("sm_mhz") else []
    console.print(f"\n[bold]measured[/] on {escape(backend)} ({escape(', '.join(details))})", soft_wrap=True)
    table = _table(
        ("case", "shape", "mode"),
        ("median", "p10 to p90", *_BESIDE, "x torch", "TFLOP/s", "GB/s", "of peak", "of ceiling"),
    )
    for verdict in sorted(verdicts, key=lambda v: (v.case, v.side)):
        name = verdict.case if verdict.side in ("port", "original") else f"{verdict.case} ({verdict.side})"
        for row in bench_rows(verdict):
            table.add_row(
                escape(name), row["shape"], row["mode"], milliseconds(row["median_ms"]),
                f"{milliseconds(row['low_ms'])} to {milliseconds(row['high_ms'])}",
                *(milliseconds(row[one]) if row[one] is not None else "not run" for one in _BESIDE),
                f"{row['ratio']:.2f}" if row["ratio"] else "",
                f"{row['tflops']:.1f}" if verdict.flops else "", f"{row['gbs']:,.0f}" if verdict.bytes else "",
                limit_words(row["of_peak"]), limit_words(row["of_ceiling"]),
            )  # fmt: skip
    print_table(table, console)
    console.print(
        "x torch: the faster of torch's two times over ours, above 1 where ours is faster. "
        + (f"Peak: {peak.source}. " if (peak := peak_of(backend)) else "The peak of this device is not known. ")
        + _ceiling_words(verdicts),
        style="dim", soft_wrap=True,
    )  # fmt: skip
    for line in _notes(verdicts):
        console.print(f"note: {escape(line)}", soft_wrap=True)


def _ceiling_words(verdicts: Sequence[Verdict]) -> str:
    reached: dict[str, float] = {}
    for verdict in verdicts:
        reached.update(verdict.bench.get("ceiling", {}))
    words = [
        f"{speed:,.0f} GB/s in a copy" if name == "copy" else f"{speed:,.0f} TFLOP/s in torch's {name} 8192^3 product"
        for name, speed in reached.items()
    ]
    return f"Ceiling, measured here: {'; '.join(words)}." if words else "No ceiling was measured."


def _notes(verdicts: Iterable[Verdict]) -> list[str]:
    """Each note once, with the runs that it is about."""
    about: dict[str, list[str]] = {}
    for verdict in verdicts:
        notes = list(verdict.bench.get("notes", ()))
        notes += [f"{t.name}, {t.mode}: {t.note}" for t in verdict.timings if "not stable" in t.note]
        for note in notes:
            about.setdefault(f"{verdict.case}: {note}", []).append(shape_text(verdict.shape))
    return [f"{note} ({len(shapes)} shapes)" if len(shapes) > 1 else note for note, shapes in about.items()]


def _print_counted(verdicts: Sequence[Verdict], console: Console) -> None:
    console.print("\n[bold]counted in the emulator[/], not timed: an emulator's time says nothing of a GPU's")
    table = _table(
        ("case", "shape", "values"),
        ("launches", "instructions", "of them MFMA", "MFMA FLOPs", "global bytes", "128-byte lines", "LDS cycles",
         "at best"),
    )  # fmt: skip
    for verdict in verdicts:
        counts: Mapping[str, Any] = verdict.counts
        name = verdict.case if verdict.side == "port" else f"{verdict.case} ({verdict.side})"
        table.add_row(
            escape(name), shape_text(verdict.shape), verdict.values, _count(counts.get("launches")),
            _count(counts.get("instructions")), _count(counts.get("by_class", {}).get("mfma", 0)),
            *(_count(counts.get(key)) for key in ("mfma_flops", "global_bytes", "lines", "lds_cycles", "lds_ideal")),
        )  # fmt: skip
    print_table(table, console)


def print_predicted(verdicts: Sequence[Verdict], console: Console) -> None:
    """What the model of time says of the shapes that a GPU would be timed on (docs/guides/time.md), and what it could not."""
    predicted = [v for v in verdicts if v.predicted]
    times = predicted_times(predicted)
    if times:
        words = f"[bold]predicted[/] for {escape(times[0].board)} by the model of time, {times[0].inputs}, not measured"
        console.print(f"\n{words}", soft_wrap=True)
        table = _table(
            ("case", "shape"),
            ("time", "range", "TFLOP/s", "GB/s", "of peak", "MFMA busy", "bound by", "published for others"),
        )
        for verdict, time in zip(predicted, times, strict=True):
            table.add_row(*_predicted_row(verdict, time))
        print_table(table, console)
        doubts = [f"look: {v.name}: {doubt}" for v, time in zip(predicted, times, strict=True) for doubt in time.doubts]
        for line in dict.fromkeys([*map(_costs, predicted), *doubts, *compilers(times)]):
            console.print(escape(line), soft_wrap=True)
        for time in slowest(times):
            console.print(f"what to do in {escape(time.shown)}, {time.shape}:", soft_wrap=True)
            for line in time.what_to_do:
                console.print(f"  {escape(line)}", soft_wrap=True)
    for verdict in verdicts:
        if not verdict.predicted:
            console.print(f"not predicted: {escape(verdict.name)}: {escape(verdict.reason)}", soft_wrap=True)


def _predicted_row(verdict: Verdict, time: PredictedTime) -> tuple[str, ...]:
    longest = _longest(verdict)
    return (
        escape(time.shown), time.shape, milliseconds(time.ms), time.range,
        f"{time.tflops:.1f}" if time.tflops else "", f"{time.gbs:,.0f}" if time.gbs else "", limit_words(time.limit),
        f"{longest['matrix_share']:.0%}" if longest["flops"] else "", time.bound,
        "; ".join(_beside_published(row, verdict.predicted["microseconds"]) for row in verdict.predicted["published"]),
    )  # fmt: skip


def _beside_published(row: Mapping[str, Any], predicted: Sequence[float]) -> str:
    """A published time, and its ratio to the predicted range: above 1 where ours is faster."""
    low, _, high = predicted
    theirs = row["microseconds"]
    return f"{row['by']} {milliseconds(theirs / 1000)}, x {theirs / high:.2f} to {theirs / low:.2f}"


def _longest(verdict: Verdict) -> Mapping[str, Any]:
    longest: Mapping[str, Any] = max(verdict.predicted["launches"], key=lambda launch: launch["microseconds"][1])
    return longest


def _costs(verdict: Verdict) -> str:
    """What the waves of the longest launch wait for, and the time that would go without a cost."""
    longest = _longest(verdict)
    stalls = ", ".join(f"{name} {part:.0%}" for name, part in list(longest["stalls"].items())[:3])
    gains = ", ".join(f"{name} {part:.0%}" for name, part in list(longest["gains"].items())[:3] if part > 0.01)
    name = verdict.case if verdict.side == "port" else f"{verdict.case} ({verdict.side})"
    return f"{name}, {shape_text(verdict.shape)}: cycles without an issue: {stalls}; time that goes away without {gains or 'any one cost: none'}"


def _count(number: Any) -> str:
    return f"{number:,.0f}" if isinstance(number, (int, float)) else ""


def print_changes(changes: Sequence[Change], console: Console) -> None:
    """Measured or predicted, before and after. Of many changes, the ones beyond the noise, the largest first."""
    devices = {change.key[4] for change in changes}
    kinds = {str(row.get("kind", "measured")) for change in changes for row in (change.before, change.after) if row}
    title = " and ".join(sorted(kinds))
    console.print(f"[bold]{title}[/] on {escape('; '.join(sorted(devices)))}", soft_wrap=True)
    one_device, swept = len(devices) == 1, any(change.key[5] for change in changes)
    table = _table(
        ("case", "shape", *(("configuration",) if swept else ()), "mode", *(() if one_device else ("device",))),
        ("A", "B", "B / A", ""),
    )
    shown = changes if len(changes) <= _MOST_CHANGES else _largest(changes)
    for change in shown:
        case, side, shape, mode, device, configuration = change.key
        name = case if side in ("port", "original") else f"{case} ({side})"
        word = change.verdict
        styled = f"[{_STYLES[word]}]{word}[/]" if word in _STYLES else word
        why = change.why if word in _STYLES or "wrong" in change.why else ""
        table.add_row(
            escape(name), shape, *((escape(configuration),) if swept else ()), mode, *(() if one_device else (escape(device),)),
            *(_with_spread(row) for row in (change.before, change.after)),
            f"{change.ratio:.3f}" if change.ratio else "", styled + (f" ({why})" if why else ""),
        )  # fmt: skip
    if shown:
        print_table(table, console)
    if len(shown) < len(changes):
        console.print(f"{len(changes) - len(shown):,} of {len(changes):,} are not shown: those that changed least")
    counts = {word: sum(change.verdict == word for change in changes) for word in (*_STYLES, "only in A", "only in B")}
    rest = sum(change.verdict not in counts for change in changes)
    alone = "".join(f", {counts[word]:,} {word}" for word in ("only in A", "only in B") if counts[word])
    console.print(
        f"\n{counts['faster']:,} faster and {counts['slower']:,} slower beyond the noise, {rest:,} not{alone}"
    )
    if changes and not any(change.ratio for change in changes):
        console.print(f"nothing is in both: A has {_cases(changes, 'A')}, B has {_cases(changes, 'B')}", soft_wrap=True)


def _cases(changes: Sequence[Change], side: str) -> str:
    """The cases, modes and devices that only one side has."""
    unmatched = dict.fromkeys(
        f"{key[0]} ({key[1]}, {key[3]}, {key[4]})"
        for key, change in ((c.key, c) for c in changes)
        if side in change.verdict
    )
    names = [escape(name) for name in unmatched]
    return ", ".join(names[:4]) + (f" and {len(names) - 4} others" if len(names) > 4 else "") or "nothing"


def _largest(changes: Sequence[Change]) -> list[Change]:
    """The changes beyond the noise, the largest first, then what only one side has; as many as are shown."""
    beyond = [change for change in changes if change.verdict in _STYLES]
    beyond.sort(key=lambda change: -abs(math.log(change.ratio)))
    return [*beyond, *(change for change in changes if change.verdict.startswith("only in"))][:_MOST_CHANGES]


def _with_spread(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    return f"{milliseconds(row['median_ms'])} ({milliseconds(row['low_ms'])} to {milliseconds(row['high_ms'])})"


def _table(left: Sequence[str], right: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in left:
        table.add_column(name, no_wrap=True)
    for name in right:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def print_table(table: Table, console: Console) -> None:
    """As wide as it is: a number cut short is worse than a line that wraps."""
    wanted = console.measure(table, options=console.options.update(max_width=1000)).maximum
    usual = console.width
    try:
        console.width = max(usual, wanted)
        console.print(table, soft_wrap=True)
    finally:
        console.width = usual
