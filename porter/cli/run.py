"""The options and texts of `porter run`. The work is done elsewhere."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Optional

import typer
from rich.console import Console

from porter.checks import COUNTING_CHECKS, DEFAULT_CHECKS, help_text
from porter.cli.compile_options import CodeObjects, CompileOptions
from porter.cli.prediction_options import PredictionOptions
from porter.cli.request import add_command
from porter.errors import EXIT_LEFT, EXIT_OK, CompileError, InputError, PorterError, UsageError
from porter.perf.model.boards import Inputs

if TYPE_CHECKING:
    from porter.chip import Board
    from porter.execute import Outcome, RunOptions
    from porter.perf.profiler import Profile
    from porter.toolchain import Options

__all__ = ["SOURCE_SUFFIXES", "is_cuda", "register"]

_RUN_EXAMPLES = """Examples:

\b
  porter run saxpy.hip
  porter run main.hip kernels.hip -- --size 1024
  porter run gemm.hip --check all --seed 7
  porter run gemm.hip --counters
  porter run gemm.hip --time
  porter run gemm.hip --time --code-object gemm.co    what hipcc --genco made
  porter run allgather.hip --ranks 4      four processes with RANK, WORLD_SIZE
  porter run gemm.hip --profile counted/  GPU: beside rocprofv3's counters

\b
Exit codes: those of the program, and
  1    the program exits with 0, but a check has a finding
  2    the program does not build
"""


@dataclass(frozen=True, kw_only=True)
class _Emulator:
    panel: ClassVar = "Emulator"

    emulate: Annotated[bool, typer.Option("--emulate", help="Use the emulator even on a machine with an AMD GPU.")] = (
        False
    )
    check: Annotated[
        list[str],
        typer.Option(
            "--check", metavar="NAMES", help="Checks, separated by commas, or all (repeatable). Default: bounds."
        ),
    ] = field(default_factory=list)
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Shuffle the order in which wavefronts run; 0: fixed order.")
    ] = 0
    threads: Annotated[
        int,
        typer.Option(
            "--threads", metavar="N", help="Threads of the emulator. Default: all processors.", show_default=False
        ),
    ] = 0
    max_instructions: Annotated[
        int,
        typer.Option(
            "--max-instructions",
            metavar="N",
            help="Stop a wavefront after this many instructions. Default: 1,000,000,000.",
            show_default=False,
        ),
    ] = 0
    patience: Annotated[
        int,
        typer.Option(
            "--patience",
            metavar="SECONDS",
            help="How long kernels may wait for the host before they are deadlocked. Default: 10.",
            show_default=False,
        ),
    ] = -1
    synchronous: Annotated[
        bool, typer.Option("--synchronous", help="Let launches return when their kernels have ended.")
    ] = False
    devices: Annotated[
        int, typer.Option("--gpus", "--devices", metavar="N", help="Number of GPUs that the emulator presents.")
    ] = 1
    ranks: Annotated[
        int,
        typer.Option(
            "--ranks",
            metavar="N",
            help="Start N processes with ranks in the environment, as torchrun and mpirun do; each may use N GPUs.",
            show_default=False,
        ),
    ] = 0
    code_objects: CodeObjects = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class _Measures:
    panel: ClassVar = "Counts and times"

    counters: Annotated[
        bool, typer.Option("--counters", help="Count instructions, LDS conflicts and coalescing by source line.")
    ] = False
    time: Annotated[
        bool,
        typer.Option("--time", help="Predict each kernel's time on the chip with the model (docs/guides/time.md)."),
    ] = False
    partial: Annotated[
        bool,
        typer.Option("--partial", help="With --time: run only the workgroups that it follows. Results are not whole."),
    ] = False
    prediction: PredictionOptions
    perfetto: Annotated[
        Optional[Path],
        typer.Option(
            "--perfetto",
            metavar="FILE",
            help="With --time: write launches and the host's ranges (roctx) for ui.perfetto.dev.",
        ),
    ] = None
    profile: Annotated[
        Optional[Path],
        typer.Option(
            "--profile",
            metavar="FOLDER",
            help="On a GPU: run rocprofv3 and rocprof-compute, and show their counters beside the emulator's.",
        ),
    ] = None
    json_file: Annotated[
        Optional[Path],
        typer.Option("--json", metavar="FILE", help="Write launches, findings and counts to this JSON file."),
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file with --json that porter did not write.")] = (
        False
    )
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Print the seconds of the build and of the run.")] = (
        False
    )


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE... [-- ARGS...]",
            help="HIP sources, then -- and the program's arguments.",
            show_default=False,
        ),
    ]
    emulator: _Emulator
    measures: _Measures
    compiler: CompileOptions


def run(request: RunRequest) -> int:
    """Build a HIP program and run it on the GPU or in the emulator.

    Runs on an AMD GPU if the machine has one, otherwise in porter's gfx942 emulator. Its checks are listed below.
    """
    from porter.perf.launch_report import fails, print_counters, summarize_findings

    _check(request)
    sources, arguments = _split_words(request.words)
    measures = request.measures
    how, compiler = _how(request), request.compiler.options()
    options = replace(compiler, code_objects=tuple(request.emulator.code_objects))
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    measured: Profile | None = None
    if measures.profile:
        measured = _profile(measures.profile, sources, arguments, options)
    outcome = _run_and_predict(request, sources, arguments, options, how, console)
    if findings := summarize_findings(outcome.launches):
        console.print(f"porter: {findings}", markup=False)
    if how.counters and outcome.backend == "emulator":
        print_counters(outcome.launches, console, outcome.assembly)
    if measured:
        from porter.perf.profiler import emulated_counters, print_profile

        print_profile(measured, emulated_counters(outcome.launches), console)
    if measures.json_file:
        _write_run(measures.json_file, outcome)
    if measures.verbose:
        where = "on the GPU" if outcome.backend == "gpu" else "in the emulator"
        console.print(f"built in {outcome.build_seconds:.2f} s, ran {where} in {outcome.run_seconds:.2f} s")
    lacks = measured is not None and not measured.whole
    return outcome.code or (EXIT_LEFT if lacks or fails(outcome.launches) else EXIT_OK)


def _check(request: RunRequest) -> None:
    """Raises UsageError for options that exclude each other or need another one."""
    from porter.report import check_place

    measures, ranks = request.measures, request.emulator.ranks
    if measures.prediction.inputs is not Inputs.MEMORY and not (measures.time or measures.profile):
        raise UsageError("--inputs is of predicted times", "add --time")
    if measures.perfetto and not measures.time:
        raise UsageError("--perfetto is of predicted launches", "add --time")
    if measures.partial and not measures.time:
        raise UsageError("--partial is of predicted times", "add --time")
    if measures.partial and measures.profile:
        raise UsageError("--partial: its counts are not those of a whole launch", "leave it out beside --profile")
    if measures.profile and request.emulator.code_objects:
        raise UsageError("--code-object: the profilers run what is compiled here", "leave it out beside --profile")
    if ranks < 0:
        raise UsageError(f"--ranks {ranks}: not a number of processes")
    if ranks and (measures.time or measures.profile):
        raise UsageError("--ranks: times are not predicted of several processes", "leave out --time and --profile")
    for place in (measures.json_file, measures.perfetto):
        if place == Path("-"):
            raise UsageError("-: the program writes to standard output", "give --json and --perfetto a file")
        if place:
            check_place(place, measures.force)


def _how(request: RunRequest) -> RunOptions:
    from porter.execute import RunOptions

    emulator, measures = request.emulator, request.measures
    checks = [*DEFAULT_CHECKS, *(name for part in emulator.check for name in part.split(",") if name)]
    if measures.counters or measures.profile:
        checks += COUNTING_CHECKS
    return RunOptions(
        emulate=emulator.emulate or measures.profile is not None,
        checks=tuple(dict.fromkeys(checks)),
        seed=emulator.seed,
        threads=emulator.threads,
        max_instructions=emulator.max_instructions,
        patience=emulator.patience,
        synchronous=emulator.synchronous,
        devices=max(emulator.devices, emulator.ranks),
        ranks=emulator.ranks,
        counters=measures.counters or measures.profile is not None,
    )


def _run_and_predict(
    request: RunRequest,
    sources: list[Path],
    arguments: list[str],
    options: Options,
    how: RunOptions,
    console: Console,
) -> Outcome:
    """Runs the program, and prints the times of its launches where they are asked for."""
    from porter.execute import run_program
    from porter.perf.model.boards import board_named

    measures = request.measures
    time = measures.time or measures.profile is not None
    board = board_named(measures.prediction.board)
    with tempfile.TemporaryDirectory(prefix="porter-time-") as folder:
        if time:
            how = replace(how, recordings=Path(folder), dies=board.xcds, recorded_alone=measures.partial)
        try:
            outcome = run_program(sources, arguments, options, how)
        except CompileError as error:
            raise _without_main(sources, time, error) or error from None
        if time and outcome.backend == "gpu":
            console.print("porter: no time is predicted of a run on the GPU: add --emulate, or --profile to have both")
        if time and outcome.backend == "emulator":
            if measures.partial:
                _say_partial(outcome, how.counters, console)
            _predict(outcome, Path(folder), board, measures.prediction.inputs, console)
            for line in dict.fromkeys(one.sentence() for one in outcome.compiled):
                console.print(line, markup=False)
            if measures.perfetto:
                from porter.perf.launch_ranges import write_launches

                write_launches(outcome.launches, measures.perfetto)
                console.print(f"wrote {measures.perfetto}", markup=False)
    return outcome


def _profile(folder: Path, sources: list[Path], arguments: list[str], options: Options) -> Profile:
    """What the profilers measure of the program, built for the GPU; on a machine without one, that they were not run."""
    from porter.execute import gpu_present
    from porter.perf.profiler import profile
    from porter.toolchain import executable, find_rocm

    if not gpu_present():
        return profile([], folder, "no AMD GPU that this process may use, or no ROCm to build for it")
    chain = find_rocm()
    return profile([str(executable(sources, None, options, toolchain=chain).path), *arguments], folder)


def _without_main(sources: Sequence[Path], time: bool, error: CompileError) -> PorterError | None:
    """Of a program that has no main(): what runs a kernel, by the cases that are there. None of another failure."""
    from porter.harness.cases.case import collect
    from porter.toolchain.process import NO_MAIN

    if error.problem != NO_MAIN:
        return None
    named = ", ".join(map(str, sources))
    try:
        cases = [case.name for case, _ in collect(sources)]
    except InputError:
        fix = f"a kernel is run by a case, and none is beside it: porter verify {sources[0]} --init FUNCTION begins one"
        return UsageError(f"{named}: {NO_MAIN}", fix)
    how = " --bench predicts its times" if time else " proves it"
    return UsageError(
        f"{named}: {NO_MAIN}", f"{', '.join(cases)} beside it has its inputs: porter verify {sources[0]}{how}"
    )


def _say_partial(outcome: Outcome, counters: bool, console: Console) -> None:
    """That a program whose kernels ran in part says nothing of its results. Nothing where they ran whole."""
    from porter.perf.uneven import ran_alone

    ran, groups = ran_alone(outcome.launches)
    if ran < groups:
        code = f"its exit code {outcome.code}" if outcome.code else "its exit code"
        counts = ", and the counts are of them alone" if counters else ""
        console.print(
            f"porter: --partial ran {ran:,} of {groups:,} workgroups{counts}: what the program says of its results "
            f"(PASS, FAIL, {code}) means nothing",
            markup=False,
        )


def _predict(outcome: Outcome, folder: Path, board: Board, inputs: Inputs, console: Console) -> None:
    from porter.perf.launch_ranges import ranges_of
    from porter.perf.predict_launches import predict_launches
    from porter.perf.uneven import doubt
    from porter.report.tables.predicted_launches import microseconds, print_predictions

    predictions = predict_launches(outcome.launches, folder, board, inputs=inputs)
    print_predictions(outcome.launches, predictions, board, inputs, console)
    for launch, prediction in predictions:
        launch["predicted"] = prediction.as_json() | {"doubt": doubt(launch)}
    for of_range in ranges_of(outcome.launches):
        unknown = f", {of_range.unknown} of them without a prediction" if of_range.unknown else ""
        launches = f"{of_range.launches:,} launch{'' if of_range.launches == 1 else 'es'}"
        words = f"range {' > '.join(of_range.path)}: {launches}, {microseconds(of_range.microseconds)}{unknown}"
        console.print(words, markup=False)


SOURCE_SUFFIXES = (".hip", ".cu", ".cpp", ".cc", ".cxx", ".c")
_RUN_SUFFIXES = (*SOURCE_SUFFIXES, ".o", ".a", ".so")


def _split_words(words: list[str]) -> tuple[list[Path], list[str]]:
    """Sources come first; what follows `--`, or is no source, are the program's arguments."""
    given = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    names = words[: len(words) - len(given)]
    sources = [Path(name) for name in names]
    for source in sources:
        if source.is_dir() or source.suffix == ".py":
            raise UsageError(f"{source}: not a HIP source", f"cases are run by porter verify {source}")
        if source.suffix == ".cu" and is_cuda(source):
            raise UsageError(f"{source}: a CUDA source", f"porter convert {source}, then porter run the port")
        if source.suffix not in _RUN_SUFFIXES:
            raise UsageError(f"{source}: not a HIP source", "the program's own arguments go after --")
    if not sources:
        raise UsageError("no source given", "porter run PROG.hip -- ARGS")
    return sources, given


def is_cuda(source: Path) -> bool:
    """Whether a file with CUDA's suffix is one. Some projects keep the suffix for HIP sources: what the file includes and calls tells."""
    try:
        text = source.read_bytes()
    except OSError:
        return False  # the compiler's message about a missing file is the clearer one
    if re.search(rb"hip/|\bhip[A-Z]", text):
        return False
    return re.search(rb"#\s*include\s*[<\"]cu|<< *<", text) is not None


def _write_run(path: Path, outcome: Outcome) -> None:
    from porter.perf.fidelity import fidelity
    from porter.report import write_text

    text = json.dumps(
        {
            "schema": "porter-run/1",
            "backend": outcome.backend,
            "exit_code": outcome.code,
            "build_seconds": round(outcome.build_seconds, 4),
            "run_seconds": round(outcome.run_seconds, 4),
            **({"compiled": [one.as_json() for one in outcome.compiled]} if outcome.compiled else {}),
            "launches": outcome.launches,
            **(
                {"fidelity": counted.as_json()}
                if (counted := fidelity(outcome.launches, outcome.assembly)).executed
                else {}
            ),
        },
        indent=1,
    )
    write_text(path, text + "\n")


def register(app: typer.Typer) -> None:
    add_command(app, run, f"{_RUN_EXAMPLES}\n\n\b\nChecks, and all for every one of them:\n{help_text()}")
