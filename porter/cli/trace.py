"""The options and texts of `porter trace`. The work is done in porter/perf/timeline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from rich.console import Console

from porter.errors import EXIT_OK, InputError, OutputError, UsageError

if TYPE_CHECKING:
    from porter.perf.timeline.measures import Measures
    from porter.perf.timeline.timeline import Timeline

__all__ = ["register"]

_EXAMPLES = """Examples:

\b
  rocprofv3 --att -- ./program                                 on the GPU: makes ui_output_agent_*
  porter trace ui_output_agent_1_dispatch_2                    what it adds up to
  porter trace ui_output_agent_1_dispatch_2 --html gemm.html   a picture: lanes of waves, zoom, tables
  porter trace A --compare B --html both.html                  two above each other, and their differences
  porter trace A --from 100000 --to 120000 --perfetto a.json   a window, for ui.perfetto.dev
  porter trace A --workgroup 3 --viewer part                   one workgroup, for ROCprof Compute Viewer
"""


def trace(
    what: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="A thread trace: ui_output_* of rocprofv3 --att.", show_default=False),
    ],
    html: Annotated[
        Optional[Path], typer.Option("--html", metavar="FILE", help="Write a page that needs nothing else.")
    ] = None,
    perfetto: Annotated[
        Optional[Path],
        typer.Option("--perfetto", metavar="FILE", help="Write a trace for Perfetto; compressed as NAME.gz."),
    ] = None,
    viewer: Annotated[
        Optional[Path], typer.Option("--viewer", metavar="FOLDER", help="Write the files of ROCprof Compute Viewer.")
    ] = None,
    compare: Annotated[
        Optional[Path], typer.Option("--compare", metavar="FOLDER", help="Another trace: show both and what differs.")
    ] = None,
    start: Annotated[
        Optional[int],
        typer.Option("--from", min=0, metavar="CYCLE", help="Leave out what is before, counted from the first wave."),
    ] = None,
    stop: Annotated[
        Optional[int], typer.Option("--to", min=1, metavar="CYCLE", help="Leave out what comes later.")
    ] = None,
    workgroup: Annotated[
        Optional[int],
        typer.Option("--workgroup", min=0, metavar="N", help="Only this workgroup, in the order of their begins."),
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How many instructions to list.")] = 12,
    as_json: Annotated[bool, typer.Option("--json", help="Print the sums as JSON.")] = False,
) -> int:
    """Show what each wave did in each cycle.

    Reads thread traces. Prints the span of each SIMD, the share of its matrix pipe, cycles and stalls by kind and
    instruction and the steps of the main loop; writes timelines as a page, for Perfetto and for ROCprof Compute Viewer.
    """
    from porter.perf.timeline import viewer_files
    from porter.perf.timeline.compare import compare as compared
    from porter.perf.timeline.html import page
    from porter.perf.timeline.measures import measure
    from porter.perf.timeline.perfetto import write_perfetto
    from porter.perf.timeline.summary import comparison_as_json, print_comparison, print_summary, summary_as_json

    if start is not None and stop is not None and start >= stop:
        raise UsageError(f"--from {start} is not before --to {stop}", "give a window of some cycles")
    sides = [what] if compare is None else [what, compare]
    read = [_timeline(side) for side in sides]
    timelines = [_part(timeline, side, start, stop, workgroup) for (timeline, _), side in zip(read, sides)]
    sources = {name: path for _, own in read for name, path in own.items()}
    measured: list[tuple[Timeline, Measures]] = [(timeline, measure(timeline)) for timeline in timelines]
    comparison = compared(measured[0], measured[1]) if compare is not None else None
    names = [str(side) + (f", workgroup {workgroup}" if workgroup is not None else "") for side in sides]

    written: list[Path] = []
    if html is not None:
        _write(html, page(measured, names, comparison, sources))
        written.append(html)
    if perfetto is not None:
        write_perfetto(timelines[0], perfetto)
        written.append(perfetto)
    if viewer is not None:
        viewer_files.write(timelines[0], viewer, sources)
        written.append(viewer)
    if as_json:
        traces = [summary_as_json(*side) for side in measured]
        data = {"schema": "porter-trace/1", "traces": traces}
        print(json.dumps(data | ({"comparison": comparison_as_json(comparison)} if comparison else {}), indent=2))
        return EXIT_OK
    console = Console(highlight=False)
    for side in measured:
        print_summary(*side, top, console)
        console.print()
    if workgroup is not None:
        console.print(f"[dim]of workgroup {workgroup} alone: products of others are not in the matrix pipes[/dim]\n")
    if comparison is not None:
        print_comparison(comparison, names, top, console)
    for path in written:
        console.print(f"wrote {path}", markup=False, soft_wrap=True)
    return EXIT_OK


def _timeline(what: Path) -> tuple[Timeline, dict[str, Path]]:
    """What an argument of the command line stands for, and the sources that it keeps: a folder is a thread trace."""
    from porter.perf.timeline import viewer_files

    return viewer_files.read(what), viewer_files.sources(what)


def _part(timeline: Timeline, what: Path, start: int | None, stop: int | None, workgroup: int | None) -> Timeline:
    from porter.perf.timeline.measures import window

    part = window(timeline, start, stop, workgroup)
    if not part.waves:
        groups = len({wave.workgroup for wave in timeline.waves})
        raise InputError(
            f"{what} has no wave there",
            f"it has {timeline.end - timeline.begin:,} cycles, and workgroups 0 to {groups - 1}",
        )
    return part


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}", "give another file") from error


def register(app: typer.Typer) -> None:
    """Adds the command to the app."""
    app.command(epilog=_EXAMPLES)(trace)
