"""Boards by name, the clock at which a kernel runs on them, and where its inputs are."""

from __future__ import annotations

from enum import Enum

from porter.chip import CHIPS, Board, Chip
from porter.errors import UsageError

__all__ = ["Inputs", "board_named", "likely_clock"]


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
    """The board of that name. Raises UsageError where no chip has one."""
    boards = {board.name.lower(): board for chip in CHIPS.values() for board in chip.boards}
    if name.lower() not in boards:
        raise UsageError(f"unknown board {name}", "one of " + ", ".join(board.name for board in boards.values()))
    return boards[name.lower()]


def likely_clock(chip: Chip, board: Board, matrix_share: float) -> float:
    """The likely clock in MHz. Under matrix load power limits it; drawn through published pairs of cycles and times, of four
    kernels on an MI325X (1.46 to 1.66 GHz where the matrix units work 58 to 68% of the time) and of one on an MI300X
    (1.24 to 1.43 GHz at 86%), whose power limits are 1,000 and 750 W."""
    if matrix_share < 0.01:
        return float(chip.clock_mhz)
    power = ((board.watts - 150) / 850) ** (1 / 3)
    return float(min(chip.clock_mhz, 1600 * power * (0.62 / matrix_share) ** 0.2))
