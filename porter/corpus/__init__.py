"""Measures a converter on a folder of CUDA programs: convert, check, tabulate by cause.

Nothing here knows a program by name; the programs themselves are brought by whoever measures.
"""

from __future__ import annotations

from porter.corpus.causes import Cause, classify
from porter.corpus.converters import Conversion, Converter, find_converter
from porter.corpus.program import BuildUnit, Program, build_units, find_programs
from porter.corpus.runner import Outcome, ProgramResult, Run, measure
from porter.corpus.scoring import CheckScore, score_checks

__all__ = [
    "BuildUnit",
    "Cause",
    "CheckScore",
    "Conversion",
    "Converter",
    "Outcome",
    "Program",
    "ProgramResult",
    "Run",
    "build_units",
    "classify",
    "find_converter",
    "find_programs",
    "measure",
    "score_checks",
]
