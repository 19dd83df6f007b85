"""The options and texts of `porter trace`. The work is done in porter/perf/timeline."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Optional

import typer
from rich.console import Console

from porter.cli.prediction_options import PredictionOptions
from porter.cli.request import add_command
from porter.cli.run import SOURCE_SUFFIXES, is_cuda
from porter.errors import EXIT_OK, InputError, OutputError, UsageError

if TYPE_CHECKING:
    from porter.chip import Board
    from porter.perf.model.boards import Inputs
    from porter.perf.timeline.compare import Comparison
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


@dataclass(frozen=True, kw_only=True)
class _Case:
    panel: ClassVar = "Kernel"

    kernel: Annotated[
        str,
        typer.Option(
            "--kernel", metavar="TEXT", help="Predict the kernel whose name contains this. Default: the longest."
        ),
    ] = ""
    shapes: Annotated[
        str,
        typer.Option(
            "--shapes", metavar="SHAPE", help="Shape of a case: m=4096,n=4096,k=4096. Default: its first in BENCH."
        ),
    ] = ""
    side: Annotated[
        str, typer.Option("--side", metavar="NAME", help="Which source of a case: port, or the name of a variant.")
    ] = "port"
    prediction: PredictionOptions


@dataclass(frozen=True, kw_only=True)
class _Window:
    panel: ClassVar = "Window"

    start: Annotated[
        Optional[int],
        typer.Option("--from", min=0, metavar="CYCLE", help="Leave out what is before, counted from the first wave."),
    ] = None
    stop: Annotated[Optional[int], typer.Option("--to", min=1, metavar="CYCLE", help="Leave out what comes later.")] = (
        None
    )
    workgroup: Annotated[
        Optional[int],
        typer.Option("--workgroup", min=0, metavar="N", help="Only this workgroup, in the order of their begins."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class _Files:
    panel: ClassVar = "Reports"

    html: Annotated[
        Optional[Path], typer.Option("--html", metavar="FILE", help="Write a page that needs nothing else.")
    ] = None
    perfetto: Annotated[
        Optional[Path],
        typer.Option("--perfetto", metavar="FILE", help="Write a trace for Perfetto; compressed as NAME.gz."),
    ] = None
    viewer: Annotated[
        Optional[Path], typer.Option("--viewer", metavar="FOLDER", help="Write the files of ROCprof Compute Viewer.")
    ] = None
    top: Annotated[int, typer.Option("--top", min=1, metavar="N", help="How many instructions to list.")] = 12
    as_json: Annotated[bool, typer.Option("--json", help="Print the sums as JSON.")] = False
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that porter did not write.")] = False


@dataclass(frozen=True, kw_only=True)
class TraceRequest:
    what: Annotated[
        Path,
        typer.Argument(
            metavar="WHAT",
            help="A HIP program or a case, whose time is predicted; or a thread trace: ui_output_* of rocprofv3 --att.",
            show_default=False,
        ),
    ]
    compare: Annotated[
        Optional[Path], typer.Option("--compare", metavar="WHAT", help="Another one: show both and what differs.")
    ] = None
    case: _Case
    window: _Window
    files: _Files


def trace(request: TraceRequest) -> int:
    """Show what each wave did in each cycle.

    Reads thread traces, or predicts one in the emulator (docs/guides/time.md). Prints the span of each SIMD, the share of its matrix pipe, cycles and stalls by kind and
    instruction and the steps of the main loop; writes timelines as a page, for Perfetto and for ROCprof Compute Viewer.
    """
    from porter.perf.timeline import viewer_files
    from porter.perf.timeline.compare import compare
    from porter.perf.timeline.measures import measure
    from porter.report import check_place

    window, files = request.window, request.files
    if window.start is not None and window.stop is not None and window.start >= window.stop:
        raise UsageError(f"--from {window.start} is not before --to {window.stop}", "give a window of some cycles")
    for place in (files.html, files.perfetto):
        if place is not None:
            check_place(place, files.force)
    if files.viewer is not None and not files.force:
        viewer_files.check_folder(files.viewer)
    sides = [request.what] if request.compare is None else [request.what, request.compare]
    read = [_timeline(side, request.case) for side in sides]
    timelines = [_part(timeline, side, window) for (timeline, _), side in zip(read, sides)]
    sources = {name: path for _, own in read for name, path in own.items()}
    measured = [(timeline, measure(timeline)) for timeline in timelines]
    comparison = compare(measured[0], measured[1]) if request.compare is not None else None
    alone = f", workgroup {window.workgroup}" if window.workgroup is not None else ""
    names = [f"{side}{alone}" for side in sides]
    written = _write_files(files, measured, names, comparison, sources)
    _print(request, measured, names, comparison, written)
    return EXIT_OK


def _write_files(
    files: _Files,
    measured: list[tuple[Timeline, Measures]],
    names: list[str],
    comparison: Comparison | None,
    sources: dict[str, Path],
) -> list[Path]:
    """Writes the timelines, and returns the paths."""
    from porter.perf.timeline import viewer_files
    from porter.perf.timeline.html import page
    from porter.perf.timeline.perfetto import write_perfetto

    if files.html is not None:
        _write(files.html, page(measured, names, comparison, sources))
    if files.perfetto is not None:
        write_perfetto(measured[0][0], files.perfetto)
    if files.viewer is not None:
        viewer_files.write(measured[0][0], files.viewer, sources)
    return [path for path in (files.html, files.perfetto, files.viewer) if path is not None]


def _print(
    request: TraceRequest,
    measured: list[tuple[Timeline, Measures]],
    names: list[str],
    comparison: Comparison | None,
    written: list[Path],
) -> None:
    from porter.perf.timeline.summary import comparison_as_json, print_comparison, print_summary, summary_as_json

    files, workgroup = request.files, request.window.workgroup
    if files.as_json:
        data = {"schema": "porter-trace/1", "traces": [summary_as_json(*one) for one in measured]}
        print(json.dumps(data | ({"comparison": comparison_as_json(comparison)} if comparison else {}), indent=2))
        return
    console = Console(highlight=False)
    for one in measured:
        print_summary(*one, files.top, console)
        console.print()
    if workgroup is not None:
        console.print(f"[dim]of workgroup {workgroup} alone: products of others are not in the matrix pipes[/dim]\n")
    if comparison is not None:
        print_comparison(comparison, names, files.top, console)
    for path in written:
        console.print(f"wrote {path}", markup=False, soft_wrap=True)


def _timeline(what: Path, case: _Case) -> tuple[Timeline, dict[str, Path]]:
    """The timeline of an argument of the command line, and the sources that it keeps."""
    from porter.perf.timeline import viewer_files

    if not what.exists():
        raise InputError(f"{what} does not exist", _ACCEPTED)
    if (what / "code.json").exists() or any(what.glob("ui_output*")):
        return viewer_files.read(what), viewer_files.sources(what)
    _check_predictable(what)
    timeline = _predicted(what, case)
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
        raise InputError(f"{what} {kind}", f"{_ACCEPTED}; {error.fix}") from error


def _predicted(what: Path, case: _Case) -> Timeline:
    """The timeline of a kernel that a program or a case launches."""
    from porter.perf.model.boards import board_named
    from porter.perf.model.recorded import read_recorded
    from porter.perf.model.timeline import predicted_timeline

    board, inputs = board_named(case.prediction.board), case.prediction.inputs
    with tempfile.TemporaryDirectory(prefix="porter-trace-") as name:
        folder = Path(name)
        launches = _of_program(what, folder, board, inputs) if _is_program(what) else _of_case(what, case, folder)
        wanted = [(launch, path) for launch, path in launches if case.kernel in str(launch["kernel"])]
        if not wanted:
            there = ", ".join(sorted({str(launch["kernel"]) for launch, _ in launches})) or "none"
            raise InputError(f"{what} launches no kernel {case.kernel or 'at all'}", f"its kernels: {there}")
        _, path = max(wanted, key=lambda item: float(item[0]["microseconds"][1]))
        return predicted_timeline(read_recorded(path), board, inputs=inputs)


def _is_program(what: Path) -> bool:
    return what.is_file() and what.suffix != ".py" and re.search(rb"\bmain\s*\(", what.read_bytes()) is not None


def _of_program(what: Path, folder: Path, board: Board, inputs: Inputs) -> list[tuple[dict[str, Any], Path]]:
    from porter.execute import RunOptions, run_program
    from porter.perf.predict_launches import predict_launches
    from porter.toolchain import Options

    how = RunOptions(emulate=True, checks=(), recordings=folder, dies=board.xcds)
    outcome = run_program([what], [], Options(), how)
    predictions = predict_launches(outcome.launches, folder, board, inputs=inputs)
    return [({**launch, **one.as_json()}, folder / launch["recording"]) for launch, one in predictions]


def _of_case(what: Path, case: _Case, folder: Path) -> list[tuple[dict[str, Any], Path]]:
    from porter.cli.verify import parse_shapes
    from porter.harness.sessions.session import VerifyOptions, plan_tasks, predict

    options = VerifyOptions(
        shapes=parse_shapes([case.shapes] if case.shapes else []),
        board=case.prediction.board,
        inputs=case.prediction.inputs,
    )
    tasks, broken = plan_tasks([what], options)
    if broken:
        raise InputError(f"{what}: {broken[0].reason}", "porter verify says more")
    task = next((task for task in tasks if task.side == case.side), None)
    if task is None:
        raise UsageError(f"--side {case.side}: unknown", "one of " + ", ".join(task.side for task in tasks))
    if not case.shapes and task.case.bench:
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


def _part(timeline: Timeline, what: Path, chosen: _Window) -> Timeline:
    from porter.perf.timeline.measures import window

    part = window(timeline, chosen.start, chosen.stop, chosen.workgroup)
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
    add_command(app, trace, _EXAMPLES)
