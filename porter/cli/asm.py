"""The options and texts of `porter asm`. The work is done elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer
from rich.console import Console

from porter.cli.compile_options import CompileOptions
from porter.cli.request import add_command
from porter.errors import EXIT_OK, InputError, UsageError

if TYPE_CHECKING:
    from porter.emu.assembly import Program
    from porter.toolchain import Options

__all__ = ["register"]

_ASM_EXAMPLES = """Examples:

\b
  porter asm kernel.hip
  porter asm kernel.hip --kernel gemm --summary
  porter asm kernel.hip --json
  porter asm kernel.co
  porter asm --diff before.hip after.hip
  porter asm --diff gemm.hip --b-flag=-DTILE=256
  porter asm --diff port.hip native.hip --kernel "gemm<float>" --b-kernel gemm
"""


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    panel: ClassVar = "Comparison"

    diff: Annotated[
        bool, typer.Option("--diff", help="Compare two files, or one with itself under the flags of --b-flag.")
    ] = False
    b_flag: Annotated[
        list[str],
        typer.Option("--b-flag", metavar="FLAG", help="A compiler flag for the second side alone (repeatable)."),
    ] = field(default_factory=list)
    b_kernel: Annotated[
        str, typer.Option("--b-kernel", metavar="TEXT", help="--kernel for the second side. Default: as --kernel.")
    ] = ""


@dataclass(frozen=True, kw_only=True)
class AsmRequest:
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="A HIP source, assembly of clang (.s), or a code object.", show_default=False
        ),
    ]
    kernel: Annotated[
        str, typer.Option("--kernel", metavar="TEXT", help="Only kernels whose name contains this text.")
    ] = ""
    summary: Annotated[bool, typer.Option("--summary", help="Leave out the assembly.")] = False
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, without the assembly.")] = False
    comparison: _Comparison
    compiler: CompileOptions


def asm(request: AsmRequest) -> int:
    """Show a kernel's registers, LDS, scratch, occupancy and assembly, or what changed in them.

    Compiles a HIP source for gfx942, or reads a code object (.co, .hsaco) back into assembly. The assembly has source
    lines; the summary counts instructions by kind. --diff compares the kernels of two compilations: resources,
    instructions, and the innermost loops.
    """
    from porter.perf.listing import facts_as_json, print_facts, print_listing, select

    comparison = request.comparison
    options = request.compiler.options()
    if comparison.diff:
        return _asm_diff(request, options)
    if len(request.sources) > 1:
        raise UsageError("one source at a time", "porter asm --diff A B compares two")
    if comparison.b_flag or comparison.b_kernel:
        raise UsageError("--b-flag and --b-kernel are for comparisons", "add --diff")
    program, text = _compiled(request.sources[0], options)
    facts = select(program, text, request.kernel)
    if request.as_json:
        print(json.dumps(facts_as_json(facts), indent=2))
        return EXIT_OK
    print_facts(facts, Console(highlight=False, soft_wrap=True))
    if not request.summary:
        print()
        print_listing(program, facts)
    return EXIT_OK


def _compiled(source: Path, options: Options) -> tuple[Program, str]:
    """The device half of a source, or a file that is assembly or machine code already: as data and as text."""
    from porter.emu.assembly import parse
    from porter.emu.elf.container import is_code_object
    from porter.emu.elf.program import program_of
    from porter.toolchain import assemble, device_assembly

    if source.is_file() and is_code_object(data := source.read_bytes()):
        return program_of(data), ""
    if source.suffix == ".s" and not source.is_file():
        raise InputError(f"{source}: no such file", "check the path")
    path = source if source.suffix == ".s" else device_assembly(source, options)
    assemble(path, target=options.target)
    text = path.read_text("utf-8", "replace")
    return parse(text), text


def _asm_diff(request: AsmRequest, options: Options) -> int:
    from porter.perf.asm_diff import Compiled, compare_kernels, diff_as_json
    from porter.perf.diff_listing import print_diff
    from porter.perf.listing import select

    sources, flags = request.sources, request.comparison.b_flag
    kernels = (request.kernel, request.comparison.b_kernel or request.kernel)
    if len(sources) > 2 or (len(sources) == 1 and not flags and kernels[0] == kernels[1]):
        raise UsageError("--diff compares two things", "porter asm --diff A B, or porter asm --diff A --b-flag=-DX=2")
    sides = []
    other = replace(options, flags=(*options.flags, *flags))
    for source, own, kernel in zip((sources[0], sources[-1]), (options, other), kernels, strict=True):
        program, text = _compiled(source, own)
        sides.append([Compiled.of(program, facts) for facts in select(program, text, kernel)])
    compared = compare_kernels(*sides)
    if request.as_json:
        print(json.dumps(diff_as_json(*compared), indent=2))
    else:
        print_diff(*compared, Console(highlight=False, soft_wrap=True))
    return EXIT_OK


def register(app: typer.Typer) -> None:
    add_command(app, asm, _ASM_EXAMPLES)
