"""The options and texts of `porter run`. The work is done elsewhere."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from rich.console import Console

from porter.checks import COUNTING_CHECKS, DEFAULT_CHECKS, help_text
from porter.chip import DEFAULT_CHIP
from porter.cli.compile_options import (
    Define,
    FastMath,
    Flag,
    Include,
    Level,
    MendWaits,
    RocmHeaders,
    Std,
    compile_options,
)
from porter.errors import EXIT_LEFT, EXIT_OK, CompileError, InputError, PorterError, UsageError
from porter.perf.model.boards import Inputs

if TYPE_CHECKING:
    from porter.chip import Board
    from porter.execute import Outcome
    from porter.perf.profiler import Profile
    from porter.toolchain import Options

__all__ = ["BOARDS", "SOURCE_SUFFIXES", "InputsAt", "is_cuda", "register"]

BOARDS = tuple(board.name for board in DEFAULT_CHIP.boards)
InputsAt = Annotated[
    Inputs,
    typer.Option(
        "--inputs",
        help="Where predictions take inputs to be: memory, cache (the last one, as a copy leaves them) or l2 (as the "
        "same launch right before leaves them).",
    ),
]

_RUN_EXAMPLES = """Examples:

\b
  porter run saxpy.hip
  porter run main.hip kernels.hip -- --size 1024
  porter run gemm.hip --check all --seed 7
  porter run gemm.hip --counters
  porter run gemm.hip --time
  porter run allgather.hip --ranks 4      four processes with RANK, WORLD_SIZE
  porter run gemm.hip --profile counted/  GPU: beside rocprofv3's counters

\b
Exit codes: those of the program, and
  1    the program exits with 0, but a check has a finding
  2    the program does not build
"""


def run(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE... [-- ARGS...]",
            help="HIP sources, then -- and the program's arguments.",
            show_default=False,
        ),
    ],
    emulate: Annotated[
        bool, typer.Option("--emulate", help="Use the emulator even on a machine with an AMD GPU.")
    ] = False,
    check: Annotated[
        Optional[list[str]],
        typer.Option("--check", help="Names of checks, separated by commas, or all (repeatable). Default: bounds."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Shuffle the order in which wavefronts run; 0: fixed order.")] = 0,
    threads: Annotated[
        int, typer.Option("--threads", help="Threads of the emulator. Default: all processors.", show_default=False)
    ] = 0,
    max_instructions: Annotated[
        int,
        typer.Option(
            "--max-instructions",
            help="Stop a wavefront after this many instructions. Default: 1,000,000,000.",
            show_default=False,
        ),
    ] = 0,
    patience: Annotated[
        int,
        typer.Option(
            "--patience",
            help="Seconds for which kernels may wait for the host before they are deadlocked. Default: 10.",
            show_default=False,
        ),
    ] = -1,
    synchronous: Annotated[
        bool, typer.Option("--synchronous", help="Let launches return when their kernels have ended.")
    ] = False,
    devices: Annotated[int, typer.Option("--gpus", "--devices", help="Number of GPUs that the emulator presents.")] = 1,
    ranks: Annotated[
        int,
        typer.Option(
            "--ranks",
            help="Start that many processes, which learn their ranks from the environment as under torchrun and mpirun; "
            "each may use as many GPUs.",
            show_default=False,
        ),
    ] = 0,
    counters: Annotated[
        bool, typer.Option("--counters", help="Count instructions, LDS conflicts and coalescing by source line.")
    ] = False,
    time: Annotated[
        bool,
        typer.Option("--time", help="Predict each kernel's time on the chip with the model (docs/guides/time.md)."),
    ] = False,
    partial: Annotated[
        bool,
        typer.Option("--partial", help="Run no more workgroups than --time follows: quick, and results are not whole."),
    ] = False,
    board: Annotated[
        str, typer.Option("--board", help=f"Board that --time predicts for: {', '.join(BOARDS)}.")
    ] = BOARDS[0],
    inputs: InputsAt = Inputs.MEMORY,
    perfetto: Annotated[
        Optional[Path],
        typer.Option(
            "--perfetto",
            metavar="FILE",
            help="With --time: launches in the host's ranges (roctx), for ui.perfetto.dev.",
        ),
    ] = None,
    profile_folder: Annotated[
        Optional[Path],
        typer.Option(
            "--profile",
            metavar="FOLDER",
            help="On a GPU: run rocprofv3 and rocprof-compute, and lay their counters beside the emulator's.",
        ),
    ] = None,
    json_file: Annotated[
        Optional[Path], typer.Option("--json", help="Write launches, findings and counts to this JSON file.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a file with --json that porter did not write.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print the seconds of the build and of the run.")
    ] = False,
    include: Include = None,
    define: Define = None,
    std: Std = "gnu++17",
    level: Level = "3",
    fast_math: FastMath = False,
    flag: Flag = None,
    mend_waits: MendWaits = False,
    rocm_headers: RocmHeaders = None,
) -> int:
    """Build a HIP program and run it on the GPU or in the emulator.

    Runs on an AMD GPU if the machine has one, otherwise in porter's gfx942 emulator. Its checks are listed below.
    """
    from porter.execute import RunOptions, run_program
    from porter.perf.launch_ranges import write_launches
    from porter.perf.launch_report import fails, print_counters, summarize_findings
    from porter.perf.model.boards import board_named
    from porter.perf.profiler import emulated_counters, print_profile
    from porter.report import check_place

    if inputs is not Inputs.MEMORY and not (time or profile_folder):
        raise UsageError("--inputs is of predicted times", "add --time")
    if perfetto and not time:
        raise UsageError("--perfetto is of predicted launches", "add --time")
    if partial and not time:
        raise UsageError("--partial is of predicted times", "add --time")
    if partial and profile_folder:
        raise UsageError("--partial: its counts are not those of a whole launch", "leave it out beside --profile")
    if ranks < 0:
        raise UsageError(f"--ranks {ranks}: not a number of processes")
    if ranks and (time or profile_folder):
        raise UsageError("--ranks: times are not predicted of several processes", "leave out --time and --profile")
    for place in (json_file, perfetto):
        if place == Path("-"):
            raise UsageError("-: the program writes to standard output", "give --json and --perfetto a file")
        if place:
            check_place(place, force)
    sources, arguments = _split_words(words)
    names = [name for part in check or () for name in part.split(",") if name]
    if counters:
        names += COUNTING_CHECKS
    how = RunOptions(
        emulate=emulate,
        checks=(*DEFAULT_CHECKS, *names),
        seed=seed,
        threads=threads,
        max_instructions=max_instructions,
        patience=patience,
        synchronous=synchronous,
        devices=max(devices, ranks),
        ranks=ranks,
        counters=counters,
    )
    options = compile_options(include, define, std, level, fast_math, flag, mend_waits, rocm_headers)
    chosen = board_named(board)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    measured: Profile | None = None
    if profile_folder:
        measured = _profile(profile_folder, sources, arguments, options)
        time = counters = emulate = True
        how = replace(how, emulate=True, counters=True, checks=tuple(dict.fromkeys((*how.checks, *COUNTING_CHECKS))))
    with tempfile.TemporaryDirectory(prefix="porter-time-") as folder:
        if time:
            how = replace(how, recordings=Path(folder), dies=chosen.xcds, recorded_alone=partial)
        try:
            outcome = run_program(sources, arguments, options, how)
        except CompileError as error:
            raise _without_main(sources, time, error) or error from None
        if time and outcome.backend == "gpu":
            console.print("porter: no time is predicted of a run on the GPU: add --emulate, or --profile to have both")
        if time and outcome.backend == "emulator":
            if partial:
                _say_partial(outcome, counters, console)
            _predict(outcome, Path(folder), chosen, inputs, console)
            if perfetto:
                write_launches(outcome.launches, perfetto)
                console.print(f"wrote {perfetto}", markup=False)
    found = summarize_findings(outcome.launches)
    if found:
        console.print(f"porter: {found}", markup=False)
    if counters and outcome.backend == "emulator":
        print_counters(outcome.launches, console, outcome.assembly)
    if measured:
        print_profile(measured, emulated_counters(outcome.launches), console)
    if json_file:
        _write_run(json_file, outcome)
    if verbose:
        where = "on the GPU" if outcome.backend == "gpu" else "in the emulator"
        console.print(f"built in {outcome.build_seconds:.2f} s, ran {where} in {outcome.run_seconds:.2f} s")
    lacks = measured is not None and not measured.whole
    return outcome.code or (EXIT_LEFT if lacks or fails(outcome.launches) else EXIT_OK)


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
        mend = (
            f"a kernel is run by a case, and none is beside it: porter verify {sources[0]} --init FUNCTION begins one"
        )
        return UsageError(f"{named}: {NO_MAIN}", mend)
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

    found = predict_launches(outcome.launches, folder, board, inputs=inputs)
    print_predictions(outcome.launches, found, board, inputs, console)
    for launch, prediction in found:
        launch["predicted"] = prediction.as_json() | {"doubt": doubt(launch)}
    for one in ranges_of(outcome.launches):
        unknown = f", {one.unknown} of them without a prediction" if one.unknown else ""
        launches = f"{one.launches:,} launch{'' if one.launches == 1 else 'es'}"
        words = f"range {' > '.join(one.path)}: {launches}, {microseconds(one.microseconds)}{unknown}"
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
    app.command(epilog=f"{_RUN_EXAMPLES}\n\n\b\nChecks, and all for every one of them:\n{help_text()}")(run)
