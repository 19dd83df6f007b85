"""The compiler options that `porter run` and `porter asm` share, as typer declares them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from porter.toolchain import Options

__all__ = ["Define", "FastMath", "Flag", "Include", "Level", "Std", "compile_options"]

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
    return Options(
        std=std,
        level=level,
        defines=tuple(define or ()),
        includes=tuple(include or ()),
        fast_math=fast_math,
        flags=tuple(flag or ()),
    )
