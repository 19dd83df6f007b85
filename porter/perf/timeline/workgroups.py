"""Which waves of a trace are one workgroup: its files do not say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from porter.chip import CHIPS
from porter.perf.timeline.timeline import Events

__all__ = ["group_waves"]

_MOST = max(chip.max_group_waves for chip in CHIPS.values())  # a trace names no chip

# Cycles. A barrier lets the waves of a workgroup go in one turn of the SIMDs (measured: 4 apart), and a workgroup's
# waves are sent out one after the other (measured: 28 to 32 cycles for eight).
_RELEASE = 16
_BURST = 64


def group_waves(begins: Sequence[int], releases: Sequence[Events], places: Sequence[tuple[int, ...]]) -> list[int]:
    """A number for each wave, the same for waves of one workgroup, counted in the order of their begins.

    `releases` are the ends of each wave's barriers: waves that leave all of their barriers together are a workgroup.
    Waves without barriers are put together where they begin in one burst in different `places` (SIMD and slot).
    """
    groups: list[list[int]] = []
    numbers = [0] * len(begins)
    for wave in sorted(range(len(begins)), key=lambda wave: (begins[wave], places[wave])):
        for number in reversed(range(len(groups))):
            group = groups[number]
            free = len(group) < _MOST and all(places[wave] != places[other] for other in group)
            if free and _together(group, wave, begins, releases):
                break
        else:
            number = len(groups)
            groups.append([])
        groups[number].append(wave)
        numbers[wave] = number
    return numbers


def _together(group: list[int], wave: int, begins: Sequence[int], releases: Sequence[Events]) -> bool:
    first, own = releases[group[0]], releases[wave]
    if len(first) != len(own):
        return False
    if len(own):
        return bool(np.abs(first - own).max() <= _RELEASE)
    return begins[wave] - begins[group[-1]] <= _BURST
