"""How the command line says that something cannot be done."""

from __future__ import annotations

import sys

from porter.errors import PorterError

__all__ = ["complain"]


def complain(error: PorterError) -> None:
    """One line for the problem and one for what helps, on stderr."""
    print(f"porter: {error.problem}" + (f"\n        {error.mend}" if error.mend else ""), file=sys.stderr)
