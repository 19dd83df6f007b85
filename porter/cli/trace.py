"""The options and texts of `porter trace`. The work is done in porter/perf/timeline."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer
from rich.console import Console

from porter.cli.run import BOARDS, SOURCE_SUFFIXES, InputsAt, is_cuda
from porter.errors import EXIT_OK, InputError, OutputError, UsageError
from porter.perf.model.boards import Inputs

if TYPE_CHECKING:
    from porter.chip import Board
    from porter.perf.timeline.measures import Measures
    from porter.perf.timeline.timeline import Timeline

__all__ = ["register"]

_ACCEPTED = (
    "porter trace takes a HIP program, a kernel with a case (NAME.hip beside case.py, or its folder), or the folder ui_output_* of "
    "a thread trace, by rocprofv3 --att or porter trace --viewer"
)

_EXAMPLES = """Examples:

\b
  porter trace gemm.hip --html gemm.html       predicted: the longest kernel
  porter trace gemm.hip --inputs l2            inputs in the L2
  porter trace kernels/gemm --side native --shapes m=4096,n=4096,k=4096
  rocprofv3 --att -- ./program                 on the GPU: ui_output_agent_*
  porter trace ui_output_agent_1_dispatch_2    what it adds up to
  porter trace ui_output_agent_1_dispatch_2 --html gemm.html     a picture
  porter trace A --compare B --html both.html  two, and their differences
  porter trace A --from 100000 --to 120000 --perfetto a.json     a window
  porter trace A --workgroup 3 --viewer part   for ROCprof Compute Viewer
"""


def trace(
    what: Annotated[
        Path,
        typer.Argument(
            metavar="WHAT",
            help="A HIP program or a case, whose time is predicted; or a thread trace: ui_output_* of rocprofv3 --att.",
            show_default=False,
        ),
    ],
    kernel: Annotated[
        str, typer.Option("--kernel", help="Predict the kernel whose name contains this. Default: the longest.")
    ] = "",
    shapes: Annotated[
        str,
        typer.Option("--shapes", help="Shape of a case, such as m=4096,n=4096,k=4096. Default: its first in BENCH."),
    ] = "",
    side: Annotated[
        str, typer.Option("--side", help="Which source of a case: port, or the name of a variant.")
    ] = "port",
    board: Annotated[str, typer.Option("--board", help=f"Board that is predicted for: {', '.join(BOARDS)}.")] = BOARDS[
        0
    ],
    inputs: InputsAt = Inputs.MEMORY,
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
        Optional[Path], typer.Option("--compare", metavar="WHAT", help="Another one: show both and what differs.")
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
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that porter did not write.")] = False,
) -> int:
    """Show what each wave did in each cycle.

    Reads thread traces, or predicts one in the emulator (docs/guides/time.md). Prints the span of each SIMD, the share of its matrix pipe, cycles and stalls by kind and
    instruction and the steps of the main loop; writes timelines as a page, for Perfetto and for ROCprof Compute Viewer.
    """
    from porter.perf.timeline import viewer_files
    from porter.perf.timeline.compare import compare as compared
    from porter.perf.timeline.html import page
    from porter.perf.timeline.measures import measure
    from porter.perf.timeline.perfetto import write_perfetto
    from porter.perf.timeline.summary import comparison_as_json, print_comparison, print_summary, summary_as_json
    from porter.report import check_place

    if start is not None and stop is not None and start >= stop:
        raise UsageError(f"--from {start} is not before --to {stop}", "give a window of some cycles")
    for place in (html, perfetto):
        if place is not None:
            check_place(place, force)
    if viewer is not None and not force:
        viewer_files.check_folder(viewer)
    sides = [what] if compare is None else [what, compare]
    read = [_timeline(one, kernel, shapes, side, board, inputs) for one in sides]
    timelines = [_part(timeline, one, start, stop, workgroup) for (timeline, _), one in zip(read, sides)]
    sources = {name: path for _, own in read for name, path in own.items()}
    measured: list[tuple[Timeline, Measures]] = [(timeline, measure(timeline)) for timeline in timelines]
    comparison = compared(measured[0], measured[1]) if compare is not None else None
    names = [str(one) + (f", workgroup {workgroup}" if workgroup is not None else "") for one in sides]

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
        traces = [summary_as_json(*one) for one in measured]
        data = {"schema": "porter-trace/1", "traces": traces}
        print(json.dumps(data | ({"comparison": comparison_as_json(comparison)} if comparison else {}), indent=2))
        return EXIT_OK
    console = Console(highlight=False)
    for one in measured:
        print_summary(*one, top, console)
        console.print()
    if workgroup is not None:
        console.print(f"[dim]of workgroup {workgroup} alone: products of others are not in the matrix pipes[/dim]\n")
    if comparison is not None:
        print_comparison(comparison, names, top, console)
    for path in written:
        console.print(f"wrote {path}", markup=False, soft_wrap=True)
    return EXIT_OK


def _timeline(
    what: Path, kernel: str, shapes: str, side: str, board: str, inputs: Inputs
) -> tuple[Timeline, dict[str, Path]]:
    """What an argument of the command line stands for, and the sources that it keeps."""
    from porter.perf.timeline import viewer_files

    if not what.exists():
        raise InputError(f"{what} does not exist", _ACCEPTED)
    if (what / "code.json").exists() or any(what.glob("ui_output*")):
        return viewer_files.read(what), viewer_files.sources(what)
    _check_predictable(what)
    timeline = _predicted(what, kernel, shapes, side, board, inputs)
    return timeline, {
        one.file: Path(one.file) for one in timeline.instructions if one.file and Path(one.file).is_file()
    }


def _check_predictable(what: Path) -> None:
    """Fail on what is neither a program nor a case, and say what is taken."""
    from porter.harness.cases.case import collect

    if what.is_file() and (what.parent / "code.json").is_file():
        raise InputError(f"{what} is a file of a thread trace", f"give its folder: porter trace {what.parent}")
    if what.is_file() and what.suffix not in (*SOURCE_SUFFIXES, ".py"):
        raise InputError(f"{what} is neither a HIP source nor a case nor a thread trace", _ACCEPTED)
    if _is_program(what):
        if what.suffix == ".cu" and is_cuda(what):
            raise InputError(f"{what}: a CUDA source", f"porter convert {what}, then porter trace the port")
        return
    try:
        collect([what])
    except InputError as error:
        kind = "holds neither a thread trace nor a case" if what.is_dir() else "has no main(), and no case is beside it"
        raise InputError(f"{what} {kind}", f"{_ACCEPTED}; {error.mend}") from error


def _predicted(what: Path, kernel: str, shapes: str, side: str, board: str, inputs: Inputs) -> Timeline:
    """The timeline of a kernel that a program or a case launches."""
    from porter.perf.model.boards import board_named
    from porter.perf.model.recorded import read_recorded
    from porter.perf.model.timeline import predicted_timeline

    chosen = board_named(board)
    with tempfile.TemporaryDirectory(prefix="porter-trace-") as name:
        folder = Path(name)
        found = (
            _of_program(what, folder, chosen, inputs)
            if _is_program(what)
            else _of_case(what, shapes, side, folder, board, inputs)
        )
        wanted = [(launch, path) for launch, path in found if kernel in str(launch["kernel"])]
        if not wanted:
            there = ", ".join(sorted({str(launch["kernel"]) for launch, _ in found})) or "none"
            raise InputError(f"{what} launches no kernel {kernel or 'at all'}", f"its kernels: {there}")
        _, path = max(wanted, key=lambda item: float(item[0]["microseconds"][1]))
        return predicted_timeline(read_recorded(path), chosen, inputs=inputs)


def _is_program(what: Path) -> bool:
    return what.is_file() and what.suffix != ".py" and re.search(rb"\bmain\s*\(", what.read_bytes()) is not None


def _of_program(what: Path, folder: Path, board: Board, inputs: Inputs) -> list[tuple[dict[str, Any], Path]]:
    from porter.execute import RunOptions, run_program
    from porter.perf.predict_launches import predict_launches
    from porter.toolchain import Options

    how = RunOptions(emulate=True, checks=(), recordings=folder, dies=board.xcds)
    outcome = run_program([what], [], Options(), how)
    found = predict_launches(outcome.launches, folder, board, inputs=inputs)
    return [({**launch, **one.as_json()}, folder / launch["recording"]) for launch, one in found]


def _of_case(
    what: Path, shapes: str, side: str, folder: Path, board: str, inputs: Inputs
) -> list[tuple[dict[str, Any], Path]]:
    from porter.cli.verify import parse_shapes
    from porter.harness.sessions.session import VerifyOptions, plan_tasks, predict

    options = VerifyOptions(shapes=parse_shapes([shapes] if shapes else None), board=board, inputs=inputs)
    tasks, broken = plan_tasks([what], options)
    if broken:
        raise InputError(f"{what}: {broken[0].reason}", "porter verify says more")
    task = next((task for task in tasks if task.side == side), None)
    if task is None:
        raise UsageError(f"--side {side}: unknown", "one of " + ", ".join(task.side for task in tasks))
    if not shapes and task.case.bench:
        options = replace(options, shapes=(dict(task.case.bench[0]),))
    for verdict in predict([task], options, folder):
        if not verdict.predicted:
            raise InputError(f"{verdict.name}: {verdict.reason}", "porter verify says more")
        (recordings,) = folder.glob("recordings-*")
        return [
            (launch, recordings / launch["recording"])
            for launch in verdict.predicted["launches"]
            if launch["recording"]
        ]
    raise UsageError(f"{what} has no shape to predict", "give --shapes m=4096,n=4096,k=4096")


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
