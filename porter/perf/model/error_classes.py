"""How far off a prediction is likely to be, by what the model sees of the launch."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType

import numpy as np

from porter.perf.model.core import Timing
from porter.perf.model.rows import Kind

__all__ = ["WIDTHS", "ErrorClass", "error_class"]

_TINY_US = 6  # a launch costs a fifth of that, or more
_MATRIX = 0.2  # of the time, in which the matrix units work
_BUSY = 0.5  # of what L2's fullest channel, the link behind it or memory can move
_LINES = 16  # for each access: twice what the widest loads of 64 lanes side by side touch


class ErrorClass(str, Enum):
    """What a launch is like, as far as errors of predictions go."""

    MATRIX = "matrix"
    BANDWIDTH = "bandwidth"
    GATHER = "gather"
    LATENCY = "latency"
    TINY = "tiny"


# `python -m porter.validation.ranges` makes these from measured times; tests/perf/test_ranges.py compares.
# A range is the likely time divided and multiplied by one more than its width.
WIDTHS = MappingProxyType(
    {
        ErrorClass.MATRIX: 0.20,
        ErrorClass.BANDWIDTH: 0.24,
        ErrorClass.GATHER: 0.29,
        ErrorClass.LATENCY: 0.19,
        ErrorClass.TINY: 0.21,
    }
)


def error_class(timing: Timing, microseconds: float) -> ErrorClass:
    """The class of a launch that was followed with events and takes that long without what it costs to launch."""
    if microseconds < _TINY_US:
        return ErrorClass.TINY
    if timing.matrix_share > _MATRIX:
        return ErrorClass.MATRIX
    kinds = [wave.events["kind"] for wave in timing.waves if wave.events is not None]
    accesses = sum(int(np.isin(own, (Kind.LOAD, Kind.STORE)).sum()) for own in kinds)
    if sum(timing.lines) > _LINES * accesses:
        return ErrorClass.GATHER
    return ErrorClass.BANDWIDTH if max(timing.busy) > _BUSY * timing.die_cycles else ErrorClass.LATENCY
