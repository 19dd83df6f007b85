"""The commands that compile HIP: `porter run` and `porter asm`. Their options and texts; the work is done elsewhere."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer
from rich.console import Console

from porter.errors import EXIT_LEFT, EXIT_OK, UsageError

if TYPE_CHECKING:
    from porter.execute import Outcome
    from porter.toolchain import Options

__all__ = ["register"]

Include = Annotated[Optional[list[Path]], typer.Option("-I", help="Folder with headers (repeatable).")]
Define = Annotated[Optional[list[str]], typer.Option("-D", help="Macro, NAME or NAME=VALUE (repeatable).")]
Std = Annotated[str, typer.Option("-std", "--std", help="C++ standard.")]
Level = Annotated[str, typer.Option("-O", help="Optimisation level.")]
FastMath = Annotated[bool, typer.Option("--fast-math", help="Compile with -ffast-math.")]
Flag = Annotated[
    Optional[list[str]], typer.Option("--flag", help="Anything else for the compiler, e.g. --flag=-munsafe-fp-atomics.")
]


def compile_options(
    include: list[Path] | None, define: list[str] | None, std: str, level: str, fast_math: bool, flag: list[str] | None
) -> Options:
    from porter.toolchain import Options

    return Options(
        std=std,
        level=level,
        defines=tuple(define or ()),
        includes=tuple(include or ()),
        fast_math=fast_math,
        flags=tuple(flag or ()),
    )


_ASM_EXAMPLES = (
    "Examples:\n\n  porter asm kernel.hip\n\n  porter asm kernel.hip --kernel gemm --summary\n\n"
    "  porter asm kernel.hip --json"
)
_RUN_EXAMPLES = (
    "Examples:\n\n  porter run saxpy.hip\n\n  porter run main.hip kernels.hip -- --size 1024\n\n"
    "  porter run gemm.hip --check all --seed 7\n\n  porter run gemm.hip --counters\n\n"
    "Exit codes: the program's own; 1 where it ended with 0 but a check found something; 2 could not be built."
)


def asm(
    source: Annotated[Path, typer.Argument(metavar="FILE.hip", help="A HIP source.", show_default=False)],
    kernel: Annotated[str, typer.Option("--kernel", help="Only kernels whose name holds this.")] = "",
    summary: Annotated[bool, typer.Option("--summary", help="Leave the assembly itself out.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the facts as JSON.")] = False,
    include: Include = None,
    define: Define = None,
    std: Std = "gnu++17",
    level: Level = "3",
    fast_math: FastMath = False,
    flag: Flag = None,
) -> int:
    """Compile a HIP source for gfx942; show its assembly, registers, LDS, scratch, occupancy and instruction mix."""
    from porter.emu.assembly import parse
    from porter.perf.listing import facts_as_json, print_facts, print_listing, select
    from porter.toolchain import assemble, device_assembly

    path = device_assembly(source, compile_options(include, define, std, level, fast_math, flag))
    assemble(path)
    program = parse(path.read_text())
    facts = select(program, kernel)
    if as_json:
        print(json.dumps(facts_as_json(facts), indent=2))
        return EXIT_OK
    print_facts(facts, Console(highlight=False, soft_wrap=True))
    if not summary:
        print()
        print_listing(program, facts)
    return EXIT_OK


def run(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE... [-- ARGS...]", help="HIP sources, then the program's arguments.", show_default=False
        ),
    ],
    emulate: Annotated[bool, typer.Option("--emulate", help="Use the emulator even where there is a GPU.")] = False,
    check: Annotated[
        Optional[list[str]],
        typer.Option("--check", help="A check's name, several with commas, or all (repeatable; see below)."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Shuffle the order of waves; 0 keeps it.")] = 0,
    threads: Annotated[int, typer.Option("--threads", help="Processors for the emulator. Default: all.")] = 0,
    max_instructions: Annotated[
        int, typer.Option("--max-instructions", help="End a wave after so many. Default: 1,000,000,000.")
    ] = 0,
    devices: Annotated[int, typer.Option("--devices", help="How many GPUs the emulator pretends to have.")] = 1,
    counters: Annotated[
        bool, typer.Option("--counters", help="Count instructions and memory traffic; print a table.")
    ] = False,
    json_file: Annotated[
        Optional[Path], typer.Option("--json", help="Write launches, findings and counts to this file.")
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Say how long building and running took.")] = False,
    include: Include = None,
    define: Define = None,
    std: Std = "gnu++17",
    level: Level = "3",
    fast_math: FastMath = False,
    flag: Flag = None,
) -> int:
    """Build a HIP program and run it, on the GPU or, where there is none, in porter's gfx942 emulator.

    Checks: bounds is always on. lds-race, global-race, wait, uninit, barrier, hazard look for bugs, banks and
    coalescing count conflicts and lines by source line; all is every one of them.
    """
    from porter.execute import DEFAULT_CHECKS, RunOptions, run_program
    from porter.perf.launch_report import print_counters, summarize_findings

    sources, arguments = _split_words(words)
    names = [name for part in check or () for name in part.split(",") if name]
    if counters:
        names += ["banks", "coalescing"]
    how = RunOptions(
        emulate=emulate,
        checks=(*DEFAULT_CHECKS, *names),
        seed=seed,
        threads=threads,
        max_instructions=max_instructions,
        devices=devices,
        counters=counters,
    )
    options = compile_options(include, define, std, level, fast_math, flag)
    outcome = run_program(sources, arguments, options, how)
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    found = summarize_findings(outcome.launches)
    if found:
        console.print(f"porter: {found}", markup=False)
    if counters and outcome.backend == "emulator":
        print_counters(outcome.launches, console)
    if json_file:
        _write_run(json_file, outcome)
    if verbose:
        where = "on the GPU" if outcome.backend == "gpu" else "in the emulator"
        console.print(f"built in {outcome.build_seconds:.2f} s, ran {where} in {outcome.run_seconds:.2f} s")
    return outcome.code or (EXIT_LEFT if found else EXIT_OK)


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
    return re.search(rb"#\s*include\s*[<\"]cu|<<<", text) is not None


def _write_run(path: Path, outcome: Outcome) -> None:
    from porter.report import write_text

    text = json.dumps(
        {
            "schema": "porter-run/1",
            "backend": outcome.backend,
            "exit_code": outcome.code,
            "build_seconds": round(outcome.build_seconds, 4),
            "run_seconds": round(outcome.run_seconds, 4),
            "launches": outcome.launches,
        },
        indent=1,
    )
    write_text(path, text + "\n")


def register(app: typer.Typer) -> None:
    app.command(epilog=_RUN_EXAMPLES)(run)
    app.command(epilog=_ASM_EXAMPLES)(asm)
