"""Bytes of shared memory: which bytes of global memory threads have put there, and who did so when."""

from __future__ import annotations

import numpy as np

__all__ = ["CELL", "NOTHING", "Places"]

NOTHING, CELL = -1, -2  # no thread has written there; something else than what was loaded
_FIRST, _MOST = 1 << 16, 1 << 23


class Places:
    def __init__(self) -> None:
        self.origin = np.full(_FIRST, NOTHING, np.int64)  # as Loaded's: 0 for the number 0
        self.writer = np.zeros(_FIRST, np.int32)  # a thread
        self.meeting = np.zeros(_FIRST, np.int32)

    def reaches(self, end: int) -> bool:
        size = len(self.origin)
        if end <= size:
            return True
        if end > _MOST:
            return False
        while size < end:
            size *= 2
        more = size - len(self.origin)
        self.origin = np.concatenate((self.origin, np.full(more, NOTHING, np.int64)))
        self.writer = np.concatenate((self.writer, np.zeros(more, np.int32)))
        self.meeting = np.concatenate((self.meeting, np.zeros(more, np.int32)))
        return True

    def store(self, places: np.ndarray, codes: np.ndarray, threads: np.ndarray, meeting: int) -> None:
        """By thread and byte; all within reach."""
        self.origin[places] = codes
        self.writer[places] = threads[:, None]
        self.meeting[places] = meeting

    def fill(self, at: int, size: int) -> None:
        """With something else than what was loaded."""
        if at >= 0 and self.reaches(at + size):
            self.origin[at : at + size] = CELL

    def loaded(self, at: int, size: int) -> bool:
        """Was some of it loaded?"""
        return at >= 0 and bool((self.origin[at : at + size] >= 0).any())

    def run(self, at: int, most: int) -> tuple[int, int, int, int]:
        """What the byte there is; how many from there on are its neighbours in memory and of one store; who stored them,
        and at which meeting."""
        code, writer, meeting = int(self.origin[at]), int(self.writer[at]), int(self.meeting[at])
        length = 1
        while (
            code >= 0
            and length < most
            and at + length < len(self.origin)
            and self.origin[at + length] == (code + length if code else 0)
            and self.writer[at + length] == writer
            and self.meeting[at + length] == meeting
        ):
            length += 1
        return code, length, writer, meeting
