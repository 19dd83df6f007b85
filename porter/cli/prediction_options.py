"""Options of every command that predicts times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import typer

from porter.chip import EMULATED
from porter.perf.model.boards import Inputs

__all__ = ["PredictionOptions"]

_BOARDS = tuple(board.name for board in EMULATED.boards)


@dataclass(frozen=True, kw_only=True)
class PredictionOptions:
    panel: ClassVar = "Predicted times"

    board: Annotated[
        str, typer.Option("--board", metavar="BOARD", help=f"Predict for this board: {', '.join(_BOARDS)}.")
    ] = _BOARDS[0]
    inputs: Annotated[
        Inputs,
        typer.Option(
            "--inputs",
            metavar="|".join(Inputs),
            help="Where inputs are at the launch: memory, cache (the last level, as after a copy) or l2 (as after the same "
            "launch).",
        ),
    ] = Inputs.MEMORY
