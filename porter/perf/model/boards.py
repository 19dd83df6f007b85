"""Boards by name, the clock at which a kernel runs on them, and where its inputs are."""

from __future__ import annotations

from enum import Enum

from porter.chip import EMULATED, Board, Chip
from porter.errors import UsageError
from porter.perf.model.parameters import REFERENCE_MHZ

__all__ = ["Inputs", "board_named", "likely_clock"]

_REST_WATTS = 150  # guessed; published: boards that do nothing take 125 to 138
_REFERENCE_WATTS = 1000
_ALWAYS, _BY_SHARE = 0.08, 1.72  # fitted: of what the reference board leaves, at REFERENCE_MHZ
_BY_VECTORS = 0.2  # fitted, to attention; more would slow products of f32 on 750 W, which run at the maximum


class Inputs(str, Enum):
    """Where what a kernel reads is when it begins."""

    MEMORY = "memory"
    CACHE = "cache"  # the last one, as far as there is room
    L2 = "l2"  # and what the same launch right before left in L2

    @property
    def text(self) -> str:
        return {"memory": "inputs in memory", "cache": "inputs in the last cache", "l2": "launched again and again"}[
            self.value
        ]


def board_named(name: str) -> Board:
    """The board of that name. Raises UsageError where the chip whose time is predicted has none."""
    boards = {board.name.lower(): board for board in EMULATED.boards}
    if name.lower() not in boards:
        names = ", ".join(board.name for board in EMULATED.boards)
        raise UsageError(f"unknown board {name}", f"times are predicted for {EMULATED.target}: give one of {names}")
    return boards[name.lower()]


def likely_clock(chip: Chip, board: Board, matrix_share: float, vector_share: float = 0.0) -> float:
    """The likely clock in MHz where the chip's matrix units work, and its vector units, these shares of a launch. Power
    limits it: what the board leaves beside its rest goes with the shares and the cube of the clock. The numbers are fitted
    to measured speeds (docs/design/model.md), with a board's limit of 750 W and of 1,000 W."""
    left = (board.watts - _REST_WATTS) / (_REFERENCE_WATTS - _REST_WATTS)
    taken = _ALWAYS + _BY_SHARE * matrix_share + _BY_VECTORS * vector_share
    return float(min(chip.clock_mhz, REFERENCE_MHZ * (left / taken) ** (1 / 3)))
