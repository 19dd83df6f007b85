"""A timeline's sums as text for the terminal, and as data for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.perf.timeline.compare import Comparison
from porter.perf.timeline.measures import Measures, Sums
from porter.perf.timeline.regions import Region, regions_of, wave_spans
from porter.perf.timeline.timeline import Timeline

__all__ = ["comparison_as_json", "print_comparison", "print_summary", "summary_as_json"]


_ALIKE = 0.5  # of the instructions of either, in both
_NUMBERS, _DIFFERENCES = 50, 68  # columns of a terminal that numbers beside an instruction take


def print_summary(timeline: Timeline, measures: Measures, top: int, console: Console) -> None:
    """Prints SIMDs, kinds, the instructions that stall most, and the steps of the main loop; returns nothing."""
    groups = len({(wave.engine, wave.workgroup) for wave in timeline.waves})
    console.print(f"[bold]{escape(timeline.kernel)}[/bold]")
    console.print(
        f"  {timeline.source}: {len(timeline.waves)} waves of {groups} workgroups, {timeline.end - timeline.begin:,} cycles, "
        f"matrix pipes busy {measures.share:.1%}",
        soft_wrap=True,
    )
    if timeline.clock:
        console.print(f"  [dim]{escape(timeline.clock)}[/dim]")
    _show(_simds(measures), console)
    _show(_kinds(measures), console)
    _show(_instructions(timeline, measures, top, console.width), console)
    if measures.lines:
        _show(_lines(measures, top), console)
    if regions := _regions_of(timeline):
        _show(_regions(regions, measures), console)
    _steps(timeline, measures, console)


def _table(*columns: str, text: int = 1) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left")
    for number, name in enumerate(columns):
        table.add_column(name, justify="left" if number < text else "right", overflow="ellipsis", no_wrap=True)
    return table


def _show(table: Table, console: Console) -> None:
    """Texts are cut short where the terminal is narrow, numbers are not: what lacks room is wider than the terminal."""
    for column in table.columns:
        if column.justify == "right":
            column.min_width = max(
                cell_len(line) for cell in (column.header, *column.cells) for line in str(cell).split("\n")
            )
    usual = console.width
    try:
        console.width = max(usual, console.measure(table, options=console.options.update(max_width=1000)).minimum)
        console.print(table, soft_wrap=True)
    finally:
        console.width = usual


def _simds(measures: Measures) -> Table:
    table = _table(
        "\nSIMD",
        "\nwaves",
        "\nspan",
        "MFMA\nbusy",
        "\nturns",
        "products\na turn",
        "idle between\nturns: mean",
        "\nmedian",
    )
    engines = len({simd.engine for simd in measures.simds}) > 1
    for simd in measures.simds:
        table.add_row(
            f"SE{simd.engine} {simd.simd}" if engines else f"{simd.simd}",
            f"{simd.waves}",
            f"{simd.span:,}",
            f"{simd.share:.1%}",
            f"{simd.turns:,}",
            f"{simd.products / simd.turns:.1f}" if simd.turns else "",
            f"{simd.between:.0f}" if simd.turns > 1 else "",
            f"{simd.between_median:.0f}" if simd.turns > 1 else "",
        )
    return table


def _kinds(measures: Measures) -> Table:
    table = _table("\nkind", "\nexecutions", "\ncycles", "of the\nwaves", "\nstall", "with the matrix\npipe idle")
    for kind, sums in measures.kinds.items():
        share = sums.cycles / max(1, measures.wave_cycles)
        executions = f"{sums.executions:,}" if sums.executions else ""
        table.add_row(
            kind.label, executions, f"{sums.cycles:,}", f"{share:.1%}", f"{sums.stall:,}", f"{sums.pipe_idle:,}"
        )
    return table


def _each(sums: Sums) -> tuple[str, str]:
    return f"{sums.cycles / sums.executions:,.1f}", f"{sums.stall / sums.executions:,.1f}"


def _instructions(timeline: Timeline, measures: Measures, top: int, width: int) -> Table:
    rows = sorted(measures.instructions.items(), key=lambda item: -item[1].stall)[:top]
    code = timeline.instructions
    places = {number: code[number].place.rsplit("/", 1)[-1] for number, _ in rows if code[number].line}
    room = width - _NUMBERS - max((len(place) + 2 for place in places.values()), default=0)
    heads = ("\nnumber", "\ninstructions by stall", *(["\nsource"] if places else []))
    table = _table(*heads, "\nexecutions", "cycles\neach", "stall\neach", "of the\nwaves", text=len(heads))
    for number, sums in rows:
        share = sums.cycles / max(1, measures.wave_cycles)
        words = [
            str(number),
            escape(_cut(code[number].text, room)),
            *([escape(places.get(number, ""))] if places else []),
        ]
        table.add_row(*words, f"{sums.executions:,}", *_each(sums), f"{share:.1%}")
    return table


def _cut(text: str, room: int) -> str:
    room = max(room, 20)
    return text if len(text) <= room else text[: room - 1] + "…"


def _lines(measures: Measures, top: int) -> Table:
    table = _table("\nlines by stall", "\nexecutions", "\ncycles", "\nstall", "of the\nwaves")
    for (file, line), sums in sorted(measures.lines.items(), key=lambda item: -item[1].stall)[:top]:
        share = sums.cycles / max(1, measures.wave_cycles)
        place = f"{file.rsplit('/', 1)[-1]}:{line}"
        table.add_row(escape(place), f"{sums.executions:,}", f"{sums.cycles:,}", f"{sums.stall:,}", f"{share:.1%}")
    return table


def _regions_of(timeline: Timeline) -> list[Region]:
    return regions_of([wave_spans(timeline, wave) for wave in timeline.waves])


def _regions(regions: Sequence[Region], measures: Measures) -> Table:
    table = _table(
        "\nregion", "\ntimes", "\ncycles", "of the\nwaves", "outside of\ninner ones", "cycles each\n(median)"
    )
    for region in regions:
        share = region.cycles / max(1, measures.wave_cycles)
        table.add_row(
            escape(region.name),
            f"{region.spans:,}",
            f"{region.cycles:,}",
            f"{share:.1%}",
            f"{region.own:,}",
            f"{region.median:,.0f}",
        )
    return table


def _steps(timeline: Timeline, measures: Measures, console: Console) -> None:
    steps = measures.steps
    if steps is None:
        console.print("\nno loop: nothing repeats in a wave")
        return
    first, last = timeline.instructions[steps.head], timeline.instructions[steps.tail]
    where = f" ({escape(first.place)} to {escape(last.place)})" if first.line and last.line else ""
    console.print(
        f"\nmain loop: instructions {steps.head} to {steps.tail}{where}, {len(steps.rows):,} steps, cycles a step:"
    )
    console.print("  " + "   ".join(f"{percent}%: {cycles:,.0f}" for percent, cycles in steps.percentiles().items()))


def print_comparison(comparison: Comparison, names: Sequence[str], top: int, console: Console) -> None:
    """Prints what B spends more or less than A, by kind and by instruction; returns nothing."""
    console.print()
    for side, name in zip("AB", names):
        console.print(f"[bold]{side}[/bold] {escape(name)}", soft_wrap=True)
    shared = sum(all(pair.texts) for pair in comparison.instructions)
    if shared < _ALIKE * len(comparison.instructions):
        few = f"{shared:,} of {len(comparison.instructions):,} instructions that ran are in both"
        console.print(f"[yellow]look[/]: {few}: two kernels, or two compilations that differ much", soft_wrap=True)
    table = _table("\nkind, for a wave", "cycles\nA", "\nB", "\nB - A", "stall\nA", "\nB", "\nB - A")
    for pair in comparison.kinds:
        stalls = pair.stall[1] - pair.stall[0]
        cells = [*pair.cycles, pair.difference, *pair.stall, stalls]
        table.add_row(pair.kind.label, *(f"{value:{'+' if i in (2, 5) else ''},.0f}" for i, value in enumerate(cells)))
    _show(table, console)
    table = _table(
        "no.\nA",
        "\nB",
        "\nin",
        "\ninstruction",
        "cycles\neach, A",
        "\nB",
        "stall\neach, A",
        "\nB",
        "B - A,\na wave",
        text=4,
    )
    for both in comparison.largest()[:top]:
        (cycles_a, stall_a), (cycles_b, stall_b) = both.each(0), both.each(1)
        table.add_row(
            *("" if number is None else str(number) for number in both.numbers),
            "both" if all(both.texts) else "A" if both.texts[0] else "B",
            escape(_cut(both.texts[0] or both.texts[1], console.width - _DIFFERENCES)),
            *(f"{value:,.1f}" for value in (cycles_a, cycles_b, stall_a, stall_b)),
            f"{comparison.for_a_wave(both):+,.0f}",
        )
    _show(table, console)


def _sums(sums: Sums) -> dict[str, int]:
    return {
        "executions": sums.executions,
        "cycles": sums.cycles,
        "stall": sums.stall,
        "cycles_with_matrix_pipe_idle": sums.pipe_idle,
    }


def summary_as_json(timeline: Timeline, measures: Measures) -> dict[str, Any]:
    """All sums as data for JSON."""
    steps = measures.steps
    return {
        "kernel": timeline.kernel,
        "source": timeline.source,
        "clock": timeline.clock,
        "waves": len(timeline.waves),
        "cycles": timeline.end - timeline.begin,
        "wave_cycles": measures.wave_cycles,
        "mfma_share": round(measures.share, 6),
        "simds": [
            {
                "engine": simd.engine,
                "simd": simd.simd,
                "waves": simd.waves,
                "span": simd.span,
                "mfma_cycles": simd.matrix_cycles,
                "mfma_share": round(simd.share, 6),
                "products": simd.products,
                "turns": simd.turns,
                "idle_between_turns": round(simd.between, 2),
                "idle_between_turns_median": simd.between_median,
                "idle_between_products": round(simd.within, 4),
            }
            for simd in measures.simds
        ],
        "kinds": {kind.label: _sums(sums) for kind, sums in measures.kinds.items()},
        "instructions": [
            {
                "number": number,
                "text": timeline.instructions[number].text,
                "place": timeline.instructions[number].place,
                **_sums(sums),
            }
            for number, sums in measures.instructions.items()
        ],
        "lines": [{"file": file, "line": line, **_sums(sums)} for (file, line), sums in measures.lines.items()],
        "regions": [
            {
                "name": region.name,
                "spans": region.spans,
                "cycles": region.cycles,
                "own_cycles": region.own,
                "median_cycles": region.median,
            }
            for region in _regions_of(timeline)
        ],
        "steps": None
        if steps is None
        else {
            "first_instruction": steps.head,
            "last_instruction": steps.tail,
            "count": len(steps.rows),
            "cycles_by_percent": {str(percent): cycles for percent, cycles in steps.percentiles().items()},
        },
    }


def comparison_as_json(comparison: Comparison) -> dict[str, Any]:
    """The differences as data for JSON, A's value before B's."""
    return {
        "waves": list(comparison.waves),
        "kinds": {
            pair.kind.label: {"cycles_a_wave": pair.cycles, "stall_a_wave": pair.stall} for pair in comparison.kinds
        },
        "instructions": [
            {
                "numbers": pair.numbers,
                "texts": pair.texts,
                "executions": [sums.executions for sums in pair.sums],
                "cycles_each": [pair.each(side)[0] for side in (0, 1)],
                "stall_each": [pair.each(side)[1] for side in (0, 1)],
                "cycles_more_a_wave": comparison.for_a_wave(pair),
            }
            for pair in comparison.instructions
        ],
    }
