"""How the command line says that something cannot be done."""

from __future__ import annotations

import sys

from porter.errors import CompileError, PorterError

__all__ = ["complain"]


def complain(error: PorterError) -> None:
    """A line for the problem, what else a compiler said of it, and a line for what helps, on stderr."""
    lines = [f"porter: {error.problem}"]
    if isinstance(error, CompileError):
        from porter.toolchain.messages import without_first

        lines += without_first(error.text, error.problem)
    if error.fix:
        lines.append(f"        {error.fix}")
    print("\n".join(lines), file=sys.stderr)
