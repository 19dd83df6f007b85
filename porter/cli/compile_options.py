"""Options of every command that compiles HIP."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

if TYPE_CHECKING:
    from porter.toolchain import Options

__all__ = ["Define", "FastMath", "Flag", "Include", "Level", "MendWaits", "RocmHeaders", "Std", "compile_options"]

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
RocmHeaders = Annotated[
    Optional[Path],
    typer.Option(
        "--rocm-headers",
        metavar="FOLDER",
        help="Take rocPRIM, hipCUB and rocThrust from an installation, or a folder of clones, in place of porter's "
        "stand-ins. Default: what porter doctor finds.",
        show_default=False,
    ),
]


def compile_options(
    include: list[Path] | None,
    define: list[str] | None,
    std: str,
    level: str,
    fast_math: bool,
    flag: list[str] | None,
    mend_waits: bool = False,
    rocm_headers: Path | None = None,
) -> Options:
    from porter.toolchain import Options
    from porter.toolchain.rocm_headers import rocm_header_flags

    return Options(
        std=std,
        level=level,
        defines=tuple(define or ()),
        includes=tuple(include or ()),
        fast_math=fast_math,
        mend_waits=mend_waits,
        flags=(*rocm_header_flags(rocm_headers), *(flag or ())),
    )
