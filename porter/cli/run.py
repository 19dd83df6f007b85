"""The options and texts of the commands that compile HIP: `porter run` and `porter asm`. The work is done elsewhere."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from rich.console import Console

from porter.checks import COUNTING_CHECKS, DEFAULT_CHECKS, help_text
from porter.chip import DEFAULT_CHIP
from porter.errors import EXIT_LEFT, EXIT_OK, InputError, UsageError
from porter.perf.model.boards import Inputs

if TYPE_CHECKING:
    from porter.chip import Board
    from porter.emu.assembly import Program
    from porter.execute import Outcome
    from porter.perf.profiler import Profile
    from porter.toolchain import Options

__all__ = ["BOARDS", "InputsAt", "MendWaits", "compile_options", "register"]

BOARDS = tuple(board.name for board in DEFAULT_CHIP.boards)
InputsAt = Annotated[
    Inputs,
    typer.Option(
        "--inputs",
        help="Where predictions take inputs to be: memory, cache (the last one, as a copy leaves them) or l2 (as the "
        "same launch right before leaves them).",
    ),
]

Include = Annotated[Optional[list[Path]], typer.Option("-I", help="Header search folder (repeatable).")]
Define = Annotated[Optional[list[str]], typer.Option("-D", help="Define a macro: NAME or NAME=VALUE (repeatable).")]
Std = Annotated[str, typer.Option("-std", "--std", help="C++ standard.")]
Level = Annotated[str, typer.Option("-O", help="Optimisation level: 0, 1, 2, 3 or s.")]
FastMath = Annotated[bool, typer.Option("--fast-math", help="Compile with -ffast-math.")]
Flag = Annotated[
    Optional[list[str]],
    typer.Option("--flag", help="Any other compiler flag, e.g. --flag=-munsafe-fp-atomics (repeatable)."),
]
MendWaits = Annotated[
    bool,
    typer.Option("--mend-waits", help="Put back the waits for LDS that clang loses in front of barriers in loops."),
]


def compile_options(
    include: list[Path] | None,
    define: list[str] | None,
    std: str,
    level: str,
    fast_math: bool,
    flag: list[str] | None,
    mend_waits: bool = False,
) -> Options:
    from porter.toolchain import Options

    return Options(
        std=std,
        level=level,
        defines=tuple(define or ()),
        includes=tuple(include or ()),
        fast_math=fast_math,
        mend_waits=mend_waits,
        flags=tuple(flag or ()),
    )


_ASM_EXAMPLES = """Examples:

\b
  porter asm kernel.hip
  porter asm kernel.hip --kernel gemm --summary
  porter asm kernel.hip --json
  porter asm --diff before.hip after.hip
  porter asm --diff gemm.hip --b-flag=-DTILE=256
  porter asm --diff port.hip native.hip --kernel "gemm<float>" --b-kernel gemm
"""
_RUN_EXAMPLES = """Examples:

\b
  porter run saxpy.hip
  porter run main.hip kernels.hip -- --size 1024
  porter run gemm.hip --check all --seed 7
  porter run gemm.hip --counters
  porter run gemm.hip --time
  porter run gemm.hip --profile counted/          (GPU: rocprofv3's counters beside the emulator's)

\b
Exit codes: those of the program, and
  1    the program exits with 0, but a check has a finding
  2    the program does not build
"""


def asm(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="A HIP source, or assembly of clang (.s).", show_default=False),
    ],
    kernel: Annotated[
        str, typer.Option("--kernel", help="Only kernels whose name contains this text. Default: all.")
    ] = "",
    summary: Annotated[bool, typer.Option("--summary", help="Leave out the assembly.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Compare two files, or one with itself under the flags of --b-flag.")
    ] = False,
    b_flag: Annotated[
        Optional[list[str]],
        typer.Option("--b-flag", help="With --diff: a compiler flag for the second side alone (repeatable)."),
    ] = None,
    b_kernel: Annotated[
        str, typer.Option("--b-kernel", help="With --diff: as --kernel, for the second side. Default: as --kernel.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, without the assembly.")] = False,
    include: Include = None,
    define: Define = None,
    std: Std = "gnu++17",
    level: Level = "3",
    fast_math: FastMath = False,
    flag: Flag = None,
    mend_waits: MendWaits = False,
) -> int:
    """Show a kernel's registers, LDS, scratch, occupancy and assembly, or what changed in them.

    Compiles a HIP source for gfx942. The assembly has source lines; the summary counts instructions by kind. --diff
    compares the kernels of two compilations: resources, instructions, and the innermost loops.
    """
    from porter.perf.listing import facts_as_json, print_facts, print_listing, select

    options = compile_options(include, define, std, level, fast_math, flag, mend_waits)
    if diff:
        return _asm_diff(sources, (kernel, b_kernel or kernel), options, tuple(b_flag or ()), as_json)
    if len(sources) > 1:
        raise UsageError("one source at a time", "porter asm --diff A B compares two")
    if b_flag or b_kernel:
        raise UsageError("--b-flag and --b-kernel are for comparisons", "add --diff")
    program, text = _compiled(sources[0], options)
    facts = select(program, text, kernel)
    if as_json:
        print(json.dumps(facts_as_json(facts), indent=2))
        return EXIT_OK
    print_facts(facts, Console(highlight=False, soft_wrap=True))
    if not summary:
        print()
        print_listing(program, facts)
    return EXIT_OK


def _compiled(source: Path, options: Options) -> tuple[Program, str]:
    """The device half of a source, or a file that is assembly already: as data and as text."""
    from porter.emu.assembly import parse
    from porter.toolchain import assemble, device_assembly

    if source.suffix == ".s" and not source.is_file():
        raise InputError(f"{source}: no such file", "check the path")
    path = source if source.suffix == ".s" else device_assembly(source, options)
    assemble(path)
    text = path.read_text("utf-8", "replace")
    return parse(text), text


def _asm_diff(
    sources: list[Path], kernels: tuple[str, str], options: Options, flags: tuple[str, ...], as_json: bool
) -> int:
    from porter.perf.asm_diff import Compiled, compare_kernels, diff_as_json
    from porter.perf.diff_listing import print_diff
    from porter.perf.listing import select

    if len(sources) > 2 or (len(sources) == 1 and not flags and kernels[0] == kernels[1]):
        raise UsageError("--diff compares two things", "porter asm --diff A B, or porter asm --diff A --b-flag=-DX=2")
    sides = []
    other = replace(options, flags=(*options.flags, *flags))
    for source, own, kernel in zip((sources[0], sources[-1]), (options, other), kernels, strict=True):
        program, text = _compiled(source, own)
        sides.append([Compiled.of(program, facts) for facts in select(program, text, kernel)])
    found = compare_kernels(*sides)
    if as_json:
        print(json.dumps(diff_as_json(*found), indent=2))
    else:
        print_diff(*found, Console(highlight=False, soft_wrap=True))
    return EXIT_OK


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
    counters: Annotated[
        bool, typer.Option("--counters", help="Count instructions, LDS conflicts and coalescing by source line.")
    ] = False,
    time: Annotated[
        bool, typer.Option("--time", help="Predict each kernel's time on the chip with the model (docs/time.md).")
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
    for place in (json_file, perfetto):
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
        devices=devices,
        counters=counters,
    )
    options = compile_options(include, define, std, level, fast_math, flag, mend_waits)
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
        outcome = run_program(sources, arguments, options, how)
        if time and outcome.backend == "emulator":
            _predict(outcome, Path(folder), chosen, inputs, console)
            if perfetto:
                write_launches(outcome.launches, perfetto)
                console.print(f"wrote {perfetto}", markup=False)
    found = summarize_findings(outcome.launches)
    if found:
        console.print(f"porter: {found}", markup=False)
    if counters and outcome.backend == "emulator":
        print_counters(outcome.launches, console)
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


def _predict(outcome: Outcome, folder: Path, board: Board, inputs: Inputs, console: Console) -> None:
    from porter.perf.launch_ranges import ranges_of
    from porter.perf.model.report import microseconds, predict_launches, print_predictions

    found = predict_launches(outcome.launches, folder, board, inputs=inputs)
    print_predictions(found, board, console)
    for launch, prediction in found:
        launch["predicted"] = prediction.as_json()
    for one in ranges_of(outcome.launches):
        unknown = f", {one.unknown} of them without a prediction" if one.unknown else ""
        words = f"range {' > '.join(one.path)}: {one.launches:,} launches, {microseconds(one.microseconds)}{unknown}"
        console.print(words, markup=False)


_RUN_SUFFIXES = (".hip", ".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a", ".so")


def _split_words(words: list[str]) -> tuple[list[Path], list[str]]:
    """Sources come first; what follows `--`, or is no source, are the program's arguments."""
    given = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    names = words[: len(words) - len(given)]
    sources = [Path(name) for name in names]
    for source in sources:
        if source.suffix == ".cu" and _is_cuda(source):
            raise UsageError(f"{source}: a CUDA source", f"porter convert {source}, then porter run the port")
        if source.suffix not in _RUN_SUFFIXES:
            raise UsageError(f"{source}: not a HIP source", "the program's own arguments go after --")
    if not sources:
        raise UsageError("no source given", "porter run PROG.hip -- ARGS")
    return sources, given


def _is_cuda(source: Path) -> bool:
    """Some projects keep the suffix for HIP sources: what the file includes and calls tells."""
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
            **({"fidelity": counted.as_json()} if (counted := fidelity(outcome.launches)).executed else {}),
        },
        indent=1,
    )
    write_text(path, text + "\n")


def register(app: typer.Typer) -> None:
    app.command(epilog=f"{_RUN_EXAMPLES}\n\n\b\nChecks, and all for every one of them:\n{help_text()}")(run)
    app.command(epilog=_ASM_EXAMPLES)(asm)
