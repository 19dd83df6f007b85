"""`python -m porter.validation.traces FOLDER [--board MI325X] [--places N] [--markdown FILE]`: predicted beside measured."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import mean

from porter.errors import PorterError
from porter.perf.model.boards import board_named
from porter.perf.timeline.measures import Measures, measure
from porter.perf.timeline.timeline import Timeline
from porter.validation.traces.returns import returns
from porter.validation.traces.traced import COMPARED, Beside, TracedKernel, find_kernels, timelines


def main() -> int:
    """The exit code: 1 where a kernel could not be compared, or none was found."""
    parser = argparse.ArgumentParser(prog="python -m porter.validation.traces", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder that holds kernels with thread traces, however deep")
    parser.add_argument("--board", default="MI325X", help="board that was traced")
    parser.add_argument("--places", type=int, default=1, help="how many places of the matrices in memory to try")
    parser.add_argument("--markdown", type=Path, help="write the table to this file too")
    given = parser.parse_args()
    board = board_named(given.board)
    rows, left = [], 0
    kernels = find_kernels(given.folder)
    for kernel in kernels:
        try:
            first, *others = timelines(kernel, board, given.places)
        except PorterError as error:
            print(f"{kernel.name}: NOT RUN: {error.line}", flush=True)
            left += 1
            continue
        row = _row(kernel, (first.measured, first.alike), _durations(first))
        print("\n".join([*row, *(f"  at another place: {_durations(other)}" for other in others)]), flush=True)
        rows.append(row)
    if not kernels:
        print(f"{given.folder}: no kernel with assembly, source and ui_output_*")
    if given.markdown:
        head = ("| kernel | span | MFMA share | step 10%, 50%, 90% |", "|---|---|---|---|")
        given.markdown.write_text("\n".join([*head, *(row[-1] for row in rows)]) + "\n")
    return int(left > 0 or not rows)


def _row(kernel: TracedKernel, sides: tuple[Timeline, Timeline], durations: str) -> list[str]:
    """Lines for the terminal, and the row of the table last. A unit that gets fewer workgroups has a shorter span:
    both have as many waves where one of the first units of the die does."""
    measured, predicted = map(measure, sides)
    waves = f"of {len(sides[0].waves)}, {len(sides[1].waves)} waves"
    spans = [side.span for side in (measured, predicted)]
    off = spans[1] / spans[0] - 1
    share = f"{measured.share:.3f}, {predicted.share:.3f}"
    steps = "; ".join(_steps(side) for side in (measured, predicted))
    kinds = [f"{kind.label} {100 * measured.part(kind):.1f}%, {100 * predicted.part(kind):.1f}%" for kind in COMPARED]
    return [
        f"{kernel.name}: measured, predicted",
        f"  span {spans[0]:,}, {spans[1]:,} ({off:+.1%}) {waves}; MFMA share {share}; steps {steps}",
        "  of the waves' time: " + "; ".join(kinds),
        f"  mean duration of a wave: {durations}",
        "  ends of s_waitcnt vmcnt(0) of four waves apart, 10%, 50%, 90%; loads that overtake earlier ones: "
        + " / ".join(returns(side).text for side in sides),
        f"| {kernel.name} | {spans[0]:,} / {spans[1]:,} ({off:+.1%}) {waves} | {share} | {steps} |",
    ]


def _durations(beside: Beside) -> str:
    """Of the waves, in cycles: measured, then predicted for the first and the last unit."""
    sides = beside.measured, beside.first, beside.last
    real, first, last = (mean(wave.end - wave.begin for wave in one.waves) for one in sides)
    return f"{real:,.0f}; first unit {first:,.0f} ({first / real - 1:+.1%}), last {last:,.0f} ({last / real - 1:+.1%})"


def _steps(side: Measures) -> str:
    if side.steps is None:
        return "none"
    cycles = side.steps.percentiles()
    return ", ".join(f"{cycles[percent]:,.0f}" for percent in (10, 50, 90))


if __name__ == "__main__":
    raise SystemExit(main())
