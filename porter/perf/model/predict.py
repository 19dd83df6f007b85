"""The time of a launch: cycles of one compute unit, carried over to the whole grid, and the clock it runs at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.chip import EMULATED, Board, Chip
from porter.errors import PorterError
from porter.perf.isa import mfma_flops
from porter.perf.model.boards import Inputs, likely_clock
from porter.perf.model.core import STALLS, Die, Machine, Timing, rows_of_launch
from porter.perf.model.error_classes import WIDTHS, ErrorClass, error_class
from porter.perf.model.parameters import REFERENCE_MHZ, Parameters
from porter.perf.model.recorded import Recorded
from porter.perf.model.rows import Kind
from porter.perf.model.spent import spent_of

__all__ = ["CLOCK_SPREAD", "Prediction", "bound_by", "follow", "predict", "resident_groups"]

_LAUNCH_US = 1.5  # published times of kernels that do next to nothing: 1.9 us
CLOCK_SPREAD = 0.10  # either way
_CLOCK_OFF = 0.01  # more than that, and the launch is followed again
_USUAL_SHARE = 0.3  # of the matrix units, to begin with
_MOST_RESIDENT = 32
_CHANNELS = ("L2 channels", "fabric", "memory bandwidth")  # as Timing.busy has them
_EXPLAINS = 0.2  # of the time: what would take less away bounds nothing
_FULL = 0.8  # of the time: a unit that works so long bounds a kernel, whatever else would take its place
_TIE = 0.03
_DISPATCH = 0.02  # of the time: less is not looked into


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the model says of one launch. Everything here is predicted; times are (low, likely, high)."""

    symbol: str
    groups: int
    followed: int  # workgroups whose every instruction was followed
    resident: int  # workgroups of a compute unit at once
    cycles: int  # of the whole launch, without what it costs to launch
    clock_mhz: tuple[float, float, float]
    microseconds: tuple[float, float, float]
    matrix_share: float  # of the followed unit's time
    flops: float  # of matrix instructions, of the whole grid
    memory_bytes: float  # that come from the last cache or memory, of the whole grid
    bound: str
    kinds: Mapping[str, float]  # share of a wave's time by kind of instruction
    stalls: Mapping[str, float]  # share of a wave's time in which it did not issue, by why
    gains: Mapping[str, float]  # share of the time that would go if a cost were not there
    instructions: tuple[tuple[int, float], ...]  # number and share of the waves' time, the most expensive first
    lines: tuple[int, ...]
    events_us: tuple[float, float]  # what two events add, and the least that they are apart
    inputs: Inputs
    error_class: ErrorClass
    spent_lines: tuple[Mapping[str, Any], ...] = ()  # where the waves' time goes (spent.py), the most expensive first
    spent_instructions: tuple[Mapping[str, Any], ...] = ()
    regions: tuple[Mapping[str, Any], ...] = ()  # of porter/region.h, in the order of their first begins
    one_by_one: Mapping[str, Any] = field(default_factory=dict)  # loads that are waited for one by one (spent.py)

    @property
    def between_events(self) -> tuple[float, float, float]:
        """Microseconds as two events right before and behind the launch tell them: (low, likely, high)."""
        more, least = self.events_us
        return _range(max(least, self.cycles / self.clock_mhz[1] + more), self.error_class)

    @property
    def tflops(self) -> tuple[float, float, float]:
        low, likely, high = self.microseconds
        return self.flops / high / 1e6, self.flops / likely / 1e6, self.flops / low / 1e6

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {
            "tflops": self.tflops,
            "between_events": self.between_events,
        }


def predict(
    launch: Recorded, *, chip: Chip = EMULATED, board: Board | None = None, inputs: Inputs = Inputs.MEMORY
) -> Prediction:
    """The prediction for a recorded launch on a board."""
    board = board or chip.boards[0]
    if not launch.groups:
        raise PorterError("no workgroup of the launch was recorded to its end")
    rows = rows_of_launch(launch)
    resident = resident_groups(chip, launch)
    with _die(launch, chip, inputs) as die:
        timing, clock, at_clock = _followed(die, launch, rows, chip, board)
        alone = min(timing.cycles, die.again(rows, at_clock).cycles)  # by itself a unit gets its workgroups at once
        saved = _gains(die, rows, at_clock, timing, alone)
        spent = spent_of(launch, die, rows, at_clock, timing, alone)
        saved = _with_dispatch(saved, die, rows, at_clock, timing)
    cycles = _whole(launch, timing, resident, chip)
    slow, fast = clock * (1 - CLOCK_SPREAD), min(chip.clock_mhz, clock * (1 + CLOCK_SPREAD))
    error = error_class(timing, cycles / clock)
    times = _range(cycles / clock + _LAUNCH_US, error)
    followed = len({wave.group for wave in timing.waves})
    kinds, stalls = _shares(timing)
    beyond = chip.line_bytes * sum(timing.die_lines[3:]) * launch.all_groups / launch.groups
    return Prediction(
        launch.symbol, launch.all_groups, followed, resident, cycles, (slow, clock, fast), times, timing.matrix_share,
        _flops(launch, timing) * launch.all_groups / followed, beyond, bound_by(saved, times[1], _busy(timing)), kinds, stalls, saved, _expensive(timing),
        timing.die_lines, board.events_us, inputs, error, spent.lines, spent.instructions, spent.regions,
        spent.one_by_one,
    )  # fmt: skip


def follow(
    launch: Recorded, chip: Chip, board: Board, unit: int = 0, inputs: Inputs = Inputs.MEMORY, place: int = 0
) -> tuple[Timing, float]:
    """What a compute unit of the die does, with every instruction's time, and the likely clock in MHz."""
    with _die(launch, chip, inputs, unit, place) as die:
        timing, clock, _ = _followed(die, launch, rows_of_launch(launch), chip, board)
        return timing, clock


def _die(launch: Recorded, chip: Chip, inputs: Inputs = Inputs.MEMORY, unit: int = 0, place: int = 0) -> Die:
    if chip != EMULATED:
        raise PorterError(f"the model of time does not know {chip.target}", f"it predicts for {EMULATED.target}")
    resident = min(resident_groups(chip, launch), _MOST_RESIDENT)
    return Die(
        launch,
        Machine(resident, chip.die_units, unit, inputs, launch.stride, launch.all_groups / launch.groups, chip, place),
    )


def _followed(
    die: Die, launch: Recorded, rows: npt.NDArray[np.int32], chip: Chip, board: Board
) -> tuple[Timing, float, Parameters]:
    """The timing with events, the clock, and the parameters at that clock. The clock depends on how busy the matrix
    units are, and that on the clock: memory is slower in a faster one's cycles. The first workgroups say how busy."""
    own = _on_board(Parameters(), chip, board, launch)
    usual = own.at_clock(likely_clock(chip, board, _USUAL_SHARE))
    multiplies = bool((rows[:, 0] == Kind.MFMA).any())
    filled = _filled(chip, board, launch) if multiplies else 0
    first = die.first_round(rows, usual) if multiplies else None
    clock = (
        likely_clock(chip, board, filled * first.matrix_share, filled * first.vector_share) if first else chip.clock_mhz
    )
    at_clock = own.at_clock(clock)
    timing = die.time(rows, at_clock, keep=True)
    likely_mhz = likely_clock(chip, board, *_shares_of_all(chip, board, launch, timing))
    if abs(likely_mhz / clock - 1) > _CLOCK_OFF:
        clock, at_clock = likely_mhz, own.at_clock(likely_mhz)
        timing = die.time(rows, at_clock, keep=True)
    return timing, clock, at_clock


def _filled(chip: Chip, board: Board, launch: Recorded) -> float:
    """The share of its places that a launch's workgroups take, over all rounds."""
    places = chip.die_units * chip.dies_of(board) * resident_groups(chip, launch)
    return launch.all_groups / (-(-launch.all_groups // places) * places)


def _shares_of_all(chip: Chip, board: Board, launch: Recorded, timing: Timing) -> tuple[float, float]:
    """The shares of the launch in which the chip's matrix and vector units work, with units counted that have no workgroup
    in the last round."""
    followed = len({wave.group for wave in timing.waves})
    units = chip.simds * chip.die_units * chip.dies_of(board)
    parts = launch.all_groups / followed / (units * max(1, _whole(launch, timing, resident_groups(chip, launch), chip)))
    return timing.matrix_busy * parts, timing.vector_busy * parts


def resident_groups(chip: Chip, launch: Recorded) -> int:
    """Workgroups that a compute unit holds at once, by registers, waves and LDS."""
    waves = chip.waves_of(launch.threads)
    groups = chip.simds * chip.waves_per_simd(launch.vgprs, launch.agprs) // waves
    if launch.lds:
        groups = min(groups, chip.lds_bytes // (-(-launch.lds // chip.lds_granule) * chip.lds_granule))
    return max(1, groups)


def _on_board(parameters: Parameters, chip: Chip, board: Board, launch: Recorded) -> Parameters:
    """The board's bandwidth of memory, shared by the dies that get one of the workgroups; and its one dispatcher, which
    begins a workgroup a cycle, on the dies in turn."""
    dies = min(chip.dies_of(board), launch.all_groups)
    each = board.read_gbs * 1e3 / (dies * chip.die_units) / REFERENCE_MHZ
    units = chip.dies_of(board) * chip.die_units
    link, write = (gbs * 1e3 / units / REFERENCE_MHZ for gbs in (board.cache_gbs, board.cache_write_gbs))
    return replace(
        parameters,
        link_bytes=link,
        write_bytes=write,
        memory_bytes=min(link, each),
        memory_write=board.read_gbs / (board.write_gbs or board.read_gbs),
        group_rate=parameters.group_rate * chip.dies_of(board),
    )


def _whole(launch: Recorded, timing: Timing, resident: int, chip: Chip) -> int:
    """Cycles of all workgroups of a die, from the recorded ones."""
    wanted = -(-launch.all_groups // launch.stride)
    if launch.groups >= wanted:
        return timing.die_cycles
    groups = sorted({wave.group: wave for wave in timing.waves})
    if len(groups) <= resident:  # one round was followed: the others are like it
        return round(timing.die_cycles * wanted / launch.groups)
    ends = sorted(max(wave.end for wave in timing.waves if wave.group == group) for group in groups)
    warm = min(resident, len(groups) - 1)
    pace = (ends[-1] - ends[warm - 1]) / (len(groups) - warm)
    return round(timing.die_cycles + (wanted - launch.groups) * pace / chip.die_units)


def _shares(timing: Timing) -> tuple[dict[str, float], dict[str, float]]:
    kinds = sum((wave.by_kind for wave in timing.waves), np.zeros(len(Kind), np.int64))
    stalls = sum((wave.by_stall for wave in timing.waves), np.zeros(len(STALLS), np.int64))
    total = max(1, int(kinds.sum()))
    by_kind = {Kind(n).name.lower(): float(kinds[n] / total) for n in np.argsort(-kinds) if kinds[n]}
    by_stall = {STALLS[n]: float(stalls[n] / total) for n in np.argsort(-stalls) if stalls[n]}
    return by_kind, by_stall


def _range(likely: float, error: ErrorClass) -> tuple[float, float, float]:
    """A time with what its class is off by, either way."""
    times = 1 + WIDTHS[error]
    return likely / times, likely, likely * times


def _gains(
    die: Die, rows: npt.NDArray[np.int32], parameters: Parameters, timing: Timing, alone: int
) -> dict[str, float]:
    """The share of the followed unit's time that each cost is, found by leaving it out. What no instruction asks for
    costs nothing and is not followed again."""
    free_rows = rows.copy()
    free_rows[rows[:, 0] == Kind.MFMA, 3] = 1
    full = _CHANNELS[int(np.argmax(timing.busy))]
    matrix, lds, barrier = {Kind.MFMA}, {Kind.LDS_READ, Kind.LDS_WRITE}, {Kind.BARRIER}
    loads = {Kind.LOAD, Kind.STORE}
    without = {
        "matrix units": (matrix, free_rows, parameters),
        "memory latency": (loads, rows, replace(parameters, latency_scale=0, lines_in_flight=1e6)),
        "lines under way": (loads, rows, replace(parameters, lines_in_flight=1e6)),
        full: (loads, rows, replace(parameters, queued_scale=0)),
        "address rate": (loads, rows, replace(parameters, address_scale=0)),
        "L1": (loads, rows, replace(parameters, return_line=0, hit_line=0)),
        "scalar loads": ({Kind.SMEM}, rows, replace(parameters, scalar_latency=0, scalar_hit=0)),
        "LDS": (lds, rows, replace(parameters, lds_latency=4, lds_queue=63, lds_cost=0)),
        "barriers": (barrier, rows, replace(parameters, barrier=0)),
    }  # fmt: skip
    gains = {"dispatch of workgroups": 1 - alone / timing.cycles}
    executed = sum((wave.by_kind for wave in timing.waves), np.zeros(len(Kind), np.int64))
    for name, (kinds, their_rows, theirs) in without.items():
        if any(executed[kind] for kind in kinds):
            gain = max(0, alone - die.again(their_rows, theirs).cycles) / timing.cycles
            gains[name] = gain if name == full else min(gain, timing.idle)
    return dict(sorted(gains.items(), key=lambda item: -item[1]))


def _with_dispatch(
    gains: Mapping[str, float], die: Die, rows: npt.NDArray[np.int32], parameters: Parameters, timing: Timing
) -> dict[str, float]:
    """The gains with that of dispatch found by all units, where one by itself says that it matters: workgroups that begin
    at once wait for one another elsewhere. Memory's answers are not kept behind it."""
    name = "dispatch of workgroups"
    if gains[name] < _DISPATCH:
        return dict(gains)
    at_once = die.time(rows, replace(parameters, group_rate=0, wave_rate=0))
    more = min(gains[name], max(0.0, 1 - at_once.cycles / timing.cycles))
    return dict(sorted({**gains, name: more}.items(), key=lambda item: -item[1]))


def _busy(timing: Timing) -> dict[str, float]:
    """The shares of the time in which what a kernel may be limited by works."""
    channels = {name: busy / max(1, timing.die_cycles) for name, busy in zip(_CHANNELS, timing.busy, strict=True)}
    return {"matrix units": timing.matrix_share, **channels}


def bound_by(gains: Mapping[str, float], microseconds: float, busy: Mapping[str, float]) -> str:
    """What keeps the kernel from being faster: the costs without which the most time goes away, else what is always busy."""
    if microseconds < 2 * _LAUNCH_US:
        return "launch"
    best = max(gains.values())
    if best < _EXPLAINS:
        fullest = max(busy, key=lambda name: busy[name], default="")
        return fullest if busy.get(fullest, 0.0) > _FULL else "not explained"
    return " or ".join(name for name, gain in gains.items() if gain >= max(_EXPLAINS, best - _TIE))


def _flops(launch: Recorded, timing: Timing) -> float:
    """Of the matrix instructions of the followed workgroups."""
    total = 0.0
    for wave in timing.waves:
        if wave.events is None:
            continue
        numbers, counts = np.unique(wave.events["instruction"][wave.events["kind"] == Kind.MFMA], return_counts=True)
        total += sum(
            mfma_flops(launch.program[int(n)].text.split()[0]) * int(count)
            for n, count in zip(numbers, counts, strict=True)
        )
    return total


def _expensive(timing: Timing) -> tuple[tuple[int, float], ...]:
    samples: dict[int, int] = {}
    total = 0
    for wave in timing.waves:
        if wave.events is None:
            continue
        numbers = wave.events["instruction"]
        sums = np.bincount(numbers, wave.events["duration"])
        total += int(sums.sum())
        for n in np.nonzero(sums)[0]:
            samples[int(n)] = samples.get(int(n), 0) + int(sums[n])
    ranked = sorted(samples.items(), key=lambda item: -item[1])[:20]
    return tuple((number, cycles / total) for number, cycles in ranked)
