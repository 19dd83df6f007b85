"""What follows from a wave's events in the viewer's files: the state it is in, and what each s_waitcnt waited for.

Measured waves have their states in the files too. These agree with them in 97 to 99% of the cycles (four traces).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np

from porter.perf.timeline.timeline import Events, EventType, Instruction, Timeline, Wave

__all__ = ["COUNTED_STATES", "state_counts", "state_runs", "waits"]

_IDLE, _EXECUTES, _WAITS, _STALLS = COUNTED_STATES = (1, 2, 3, 4)
_COUNT = re.compile(r"(vmcnt|lgkmcnt)\((\d+)\)")
_VECTOR = ("buffer_", "tbuffer_", "global_", "scratch_", "flat_")
_LOCAL = ("ds_", "s_load", "s_buffer_load", "s_store", "s_buffer_store", "s_dcache", "s_memtime", "flat_")


def _runs(wave: Wave) -> tuple[Events, Events]:
    """States in a row and how long each is, no state twice in a row, together from the wave's begin to its end."""
    if not len(wave.events):
        return np.array([_IDLE]), np.array([wave.end - wave.begin])
    kinds, stalls, lengths = wave.events[:, 1], wave.events[:, 2], wave.events[:, 3]
    waiting = (kinds == EventType.WAIT) | (kinds == EventType.END)
    stalls = np.where(kinds == EventType.END, lengths, stalls)
    valu_before = np.concatenate(([False], kinds[:-1] == EventType.VALU))
    gap = np.where(valu_before, _STALLS, _EXECUTES)
    gap[0] = _IDLE
    # Three parts of each event: what comes before it, its stall, the rest
    states = np.stack([gap, np.where(waiting, _WAITS, _STALLS), np.full(len(kinds), _EXECUTES)], axis=1).ravel()
    bounds = np.stack([wave.times, wave.times + stalls, wave.ends], axis=1).ravel()
    bounds[-1] = wave.end
    bounds = np.minimum(np.maximum.accumulate(bounds), wave.end)
    lengths = np.diff(bounds, prepend=wave.begin)
    states, lengths = states[lengths > 0], lengths[lengths > 0]
    if not len(states):
        return np.array([_IDLE]), np.array([wave.end - wave.begin])
    heads = np.flatnonzero(np.diff(states, prepend=0))
    return states[heads], np.add.reduceat(lengths, heads)


def state_runs(wave: Wave) -> list[list[int]]:
    """Runs of [state, cycles]."""
    states, lengths = _runs(wave)
    runs: list[list[int]] = np.stack([states, lengths], axis=1).tolist()
    return runs


def state_counts(timeline: Timeline, state: int) -> tuple[list[int], list[int]]:
    """When the number of waves in a state changes, and to what."""
    times, steps = [], []
    for wave in timeline.waves:
        states, lengths = _runs(wave)
        ends = wave.begin + np.cumsum(lengths)
        own = states == state
        times += [(ends - lengths)[own], ends[own]]
        steps += [np.full(own.sum(), 1), np.full(own.sum(), -1)]
    if not times:
        return [], []
    at, where = np.unique(np.concatenate(times), return_inverse=True)
    change = np.bincount(where, weights=np.concatenate(steps), minlength=len(at)).astype(np.int64)
    return at.tolist(), np.cumsum(change).tolist()


@cache
def _counters(instruction: Instruction) -> tuple[tuple[str, ...], dict[str, int]]:
    """Counters that an instruction raises, and down to what an s_waitcnt waits for each."""
    name = instruction.mnemonic
    if name == "s_waitcnt":
        return (), {counter: int(count) for counter, count in _COUNT.findall(instruction.text)}
    raised = [counter for counter, heads in (("vmcnt", _VECTOR), ("lgkmcnt", _LOCAL)) if name.startswith(heads)]
    return tuple(raised), {}


def waits(timeline: Timeline, wave: Wave) -> list[list[Any]]:
    """For each s_waitcnt that had something to wait for: its instruction, and those waited for, each with a 0.

    What the 0 counts is not known: it is one in all traces that were looked at.
    """
    under_way: dict[str, list[int]] = {"vmcnt": [], "lgkmcnt": []}
    waits_with_work: list[list[Any]] = []
    tables = [_counters(instruction) for instruction in timeline.instructions]
    for number in wave.numbers.tolist():
        raised, limits = tables[number]
        for counter in raised:
            under_way[counter].append(number)
        done: list[int] = []
        for counter, left in limits.items():
            queue = under_way[counter]
            over = max(0, len(queue) - left)
            done += queue[:over]
            under_way[counter] = queue[over:]
        if done:
            waits_with_work.append([number, [[waited, 0] for waited in done]])
    return waits_with_work
