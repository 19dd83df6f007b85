"""How long something takes: warm-up until it is stable, windows of several contenders in turn, medians and spreads.

Nothing here knows a GPU: a clock gives the milliseconds of each call (porter.harness.timing.gpu has the one with events).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from porter.harness.verdict import Timing

__all__ = ["SECONDS", "Clock", "Contender", "Limits", "Warmth", "measure", "quantile", "warm_up", "window_size"]

SECONDS = 0.25
WINDOW_MS = 20.0  # of one window: short enough that a drift of the clocks meets all contenders alike
LONGEST_WINDOW = 100  # calls: with their events they must fit a GPU's queue
TO_WAKE = 2  # calls before each window that are not counted: the other contenders had the cache


@dataclass(slots=True)
class Contender:
    """Something to time. Its calls take turns: copies of the same work on other memory, for a cold cache."""

    name: str
    calls: Sequence[Callable[[], None]]
    repeats: int = 1  # times that one call does the work: a graph holds several
    note: str = ""
    queueing_ms: float = 0.0  # the least that the host has needed for a call, where a clock asks
    turns: int = 0  # calls so far

    def next(self) -> Callable[[], None]:
        call = self.calls[self.turns % len(self.calls)]
        self.turns += 1
        return call


class Clock(Protocol):
    def window(self, contender: Contender, count: int) -> list[float]:
        """Milliseconds of each of `count` calls, made one after the other."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float = SECONDS  # of measured time for each contender
    stable: float = 0.02  # medians of successive windows agree within this share
    warmup_windows: int = 50  # at most
    warmup_seconds: float = 2.0  # at most
    least: int = 10  # iterations, even where they take longer than `seconds`
    most: int = 10_000
    warmups: int = 0  # this many, whatever is stable
    iterations: int = 0  # this many, whatever time they take


@dataclass(frozen=True, slots=True)
class Warmth:
    iterations: int
    median: float  # milliseconds a call in the last window
    moved: float  # share by which the last two windows differ
    stable: bool


def quantile(values: Sequence[float], part: float) -> float:
    """Between the two nearest values, in proportion."""
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def window_size(median: float) -> int:
    """How many calls of this median, in milliseconds, a window has."""
    return max(3, min(LONGEST_WINDOW, int(WINDOW_MS / median) if median > 0 else LONGEST_WINDOW))


def warm_up(contender: Contender, clock: Clock, limits: Limits, now: Callable[[], float] = time.monotonic) -> Warmth:
    """Windows until two successive pairs agree: one pair may agree by chance while clocks still rise."""
    began = now()
    before = quantile(clock.window(contender, 3), 0.5)
    done, agreed, moved = 3, 0, math.inf
    for _ in range(limits.warmup_windows):
        count = window_size(before)
        if limits.warmups:
            count = max(1, min(count, -(-limits.warmups // contender.repeats) - done))
        median = quantile(clock.window(contender, count), 0.5)
        done += count
        moved = abs(median - before) / median if median > 0 else 0.0
        agreed = agreed + 1 if moved <= limits.stable else 0
        before = median
        if limits.warmups:
            if done * contender.repeats >= limits.warmups:
                break
        elif agreed == 2 or now() - began > limits.warmup_seconds:
            break
    while done * contender.repeats < limits.warmups:
        count = min(LONGEST_WINDOW, -(-limits.warmups // contender.repeats) - done)
        before = quantile(clock.window(contender, count), 0.5)
        done += count
    return Warmth(done * contender.repeats, before, moved, agreed >= 1)


def measure(
    contenders: Sequence[Contender], mode: str, clock: Clock, limits: Limits, now: Callable[[], float] = time.monotonic
) -> list[Timing]:
    """Warm each up, then let them take turns, window by window and every other round backwards."""
    warmth = {one.name: warm_up(one, clock, limits, now) for one in contenders}
    samples: dict[str, list[float]] = {one.name: [] for one in contenders}
    began = now()
    # What is not measured takes time too: flushes, calls before each window, waiting for the GPU.
    end = began + 8 * limits.seconds * max(1, len(contenders))
    waiting, rounds = list(contenders), 0
    while waiting:
        for contender in waiting if rounds % 2 == 0 else waiting[::-1]:
            left = _most(contender, limits) - len(samples[contender.name])
            size = min(window_size(warmth[contender.name].median), left)
            samples[contender.name] += clock.window(contender, TO_WAKE + size)[TO_WAKE:]
        rounds += 1
        late = now() > end and not limits.iterations
        waiting = [contender for contender in waiting if not _enough(contender, samples[contender.name], limits, late)]
    return [_timing(contender, mode, samples[contender.name], warmth[contender.name]) for contender in contenders]


def _most(contender: Contender, limits: Limits) -> int:
    return max(1, -(-(limits.iterations or limits.most) // contender.repeats))


def _enough(contender: Contender, samples: Sequence[float], limits: Limits, late: bool) -> bool:
    if len(samples) >= _most(contender, limits):
        return True
    if limits.iterations:
        return False
    return late or (len(samples) >= limits.least and sum(samples) >= 1e3 * limits.seconds)


def _timing(contender: Contender, mode: str, samples: Sequence[float], warmth: Warmth) -> Timing:
    each = [ms / contender.repeats for ms in samples]
    notes = [contender.note] if contender.note else []
    if not warmth.stable:
        notes.append(f"not stable after {warmth.iterations} warm-ups: medians still moved by {warmth.moved:.0%}")
    return Timing(
        contender.name, quantile(each, 0.5), quantile(each, 0.1), quantile(each, 0.9),
        len(samples) * contender.repeats, mode, "; ".join(notes),
    )  # fmt: skip
