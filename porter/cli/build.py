"""The options and texts of `porter build`. The work is done elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Optional

import typer

from porter.cli.compile_options import CompileOptions
from porter.cli.request import add_command
from porter.errors import EXIT_OK, OutputError, UsageError

__all__ = ["register"]

_MOST = 8  # names of kernels that are shown

_EXAMPLES = """Examples:

\b
  porter build --genco kernels.hip                   writes kernels.co
  porter build --genco kernels.hip -o k.hsaco --elf  no bundle around it
  porter asm kernels.co                              registers and assembly

\b
Exit codes:
  0    built
  2    the source does not compile, or a kernel needs what no library here has
"""


@dataclass(frozen=True, kw_only=True)
class BuildRequest:
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A HIP source.", show_default=False)]
    genco: Annotated[bool, typer.Option("--genco", help="Build a module file: device code alone.")] = False
    out: Annotated[
        Optional[Path],
        typer.Option("-o", metavar="FILE", help="File to write. Default: the source's name with .co, here."),
    ] = None
    elf: Annotated[
        bool, typer.Option("--elf", help="Write the code object itself, without the bundle that hipcc puts it into.")
    ] = False
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is no module file.")] = False
    compiler: CompileOptions


def build(request: BuildRequest) -> int:
    """Build a module file for hipModuleLoad, as hipcc --genco does.

    The file holds machine code for gfx942. It loads on the GPU, and in programs that porter run executes in the
    emulator.
    """
    from porter.cache_folder import write_atomically
    from porter.emu.elf.container import is_code_object
    from porter.toolchain import bundle, code_object, device_assembly

    if not request.genco:
        raise UsageError(
            "porter build makes module files alone", "add --genco; porter run builds programs and runs them"
        )
    target = request.out or Path(f"{request.source.stem}.co")
    if target.is_file() and not request.force and not is_code_object(target.read_bytes()):
        raise UsageError(f"{target}: exists, and is no module file", "give another name, or overwrite it with --force")
    options = request.compiler.options()
    assembly = device_assembly(request.source, options)
    made = code_object(assembly, target=options.target).read_bytes()
    try:
        write_atomically(target, made if request.elf else bundle(made, options.target))
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror}") from error
    print(f"wrote {target}: {_kernels(assembly.read_text())} for {options.target}")
    return EXIT_OK


def _kernels(assembly: str) -> str:
    """The kernels by the names that hipModuleGetFunction takes."""
    from porter.report.facts.counts import plural

    names = re.findall(r"^\s*\.amdhsa_kernel\s+(\S+)", assembly, re.MULTILINE)
    shown = ", ".join(names[:_MOST]) + (", ..." if len(names) > _MOST else "")
    return f"{plural(len(names), 'kernel')} ({shown})" if names else "no kernel"


def register(app: typer.Typer) -> None:
    add_command(app, build, _EXAMPLES)
