"""Options of every command that compiles HIP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Optional

import typer

from porter.chip import CHIPS, DEFAULT_CHIP
from porter.errors import UsageError

if TYPE_CHECKING:
    from porter.toolchain import Options

__all__ = ["CodeObjects", "CompileOptions", "FixWaits"]

_CHIP = "--offload-arch="

FixWaits = Annotated[
    bool,
    typer.Option("--fix-waits", help="Put back the waits for LDS that clang loses in front of barriers in loops."),
]

CodeObjects = Annotated[
    list[Path],
    typer.Option(
        "--code-object",
        metavar="FILE",
        help="Run the kernels of this code object (.co, .hsaco, a bundle) or device assembly (.s of hipcc's --save-temps), "
        "not porter's compilation of them (repeatable).",
    ),
]


@dataclass(frozen=True, kw_only=True)
class CompileOptions:
    panel: ClassVar = "Compiler"

    include: Annotated[list[Path], typer.Option("-I", metavar="FOLDER", help="Header search folder (repeatable).")] = (
        field(default_factory=list)
    )
    define: Annotated[
        list[str], typer.Option("-D", metavar="MACRO", help="Define NAME or NAME=VALUE (repeatable).")
    ] = field(default_factory=list)
    std: Annotated[str, typer.Option("-std", "--std", metavar="C++", help="C++ standard.")] = "gnu++17"
    level: Annotated[str, typer.Option("-O", metavar="LEVEL", help="Optimisation level: 0, 1, 2, 3 or s.")] = "3"
    fast_math: Annotated[bool, typer.Option("--fast-math", help="Compile with -ffast-math.")] = False
    flag: Annotated[
        list[str],
        typer.Option("--flag", metavar="FLAG", help="Another compiler flag: --flag=-munsafe-fp-atomics (repeatable)."),
    ] = field(default_factory=list)
    fix_waits: FixWaits = False
    rocm_headers: Annotated[
        Optional[Path],
        typer.Option(
            "--rocm-headers",
            metavar="FOLDER",
            help="Take rocPRIM, hipCUB and rocThrust from an installation or clones, not porter's stand-ins. "
            "Default: what porter doctor finds.",
            show_default=False,
        ),
    ] = None

    def options(self) -> Options:
        """What the toolchain takes."""
        from porter.toolchain import Options
        from porter.toolchain.rocm_headers import rocm_header_flags

        chips, flags = _without_chips(self.flag)
        return Options(
            target=chips[-1] if chips else DEFAULT_CHIP.target,
            std=self.std,
            level=self.level,
            defines=tuple(self.define),
            includes=tuple(self.include),
            fast_math=self.fast_math,
            fix_waits=self.fix_waits,
            flags=(*rocm_header_flags(self.rocm_headers), *flags),
        )


def _without_chips(flags: Sequence[str]) -> tuple[list[str], list[str]]:
    """The chips that flags name, and the other flags. Raises UsageError for a chip that porter does not build for."""
    named = [flag for flag in flags if flag.startswith(_CHIP)]
    chips = [flag.removeprefix(_CHIP) for flag in named]
    if unknown := [chip for chip in chips if chip not in CHIPS]:
        raise UsageError(
            f"--flag={_CHIP}{unknown[0]}: porter builds for {' and '.join(CHIPS)} only", "leave the flag out"
        )
    return chips, [flag for flag in flags if flag not in named]
