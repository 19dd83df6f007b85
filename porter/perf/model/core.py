"""The model's C core from Python: the compute units of a die (core/model.h)."""

from __future__ import annotations

import ctypes
import functools
import math
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from porter.chip import EMULATED, Chip
from porter.emu.device import Recording
from porter.errors import PorterError
from porter.perf.model.boards import Inputs
from porter.perf.model.parameters import Parameters
from porter.perf.model.recorded import Recorded
from porter.perf.model.rows import Kind
from porter.toolchain.native import c_library

__all__ = ["STALLS", "Die", "Machine", "Timing", "WaveTiming", "placed", "rows_of_launch"]

STALLS = (
    "none", "port", "register", "matrix", "lds", "memory", "fetch", "wait for memory", "wait for LDS or scalar loads", "barrier",
)  # fmt: skip
_ROUNDS = 50  # of a sum that converges
_L1_LINES, _L1_WAYS, _L2_WAYS = 256, 64, 16
_CORE = Path(__file__).parent / "core"
_EVENT = np.dtype([("time", "<i8"), ("kind", "<i4"), ("stall", "<i4"), ("duration", "<i4"), ("instruction", "<i4"),
                   ("reason", "<i4"), ("pad", "<i4")])  # fmt: skip


class _Parameters(ctypes.Structure):
    _fields_ = [(item.name, ctypes.c_double) for item in fields(Parameters)]


class _Machine(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint32) for name in (
            "compute_units", "unit", "simds", "resident", "waves_a_group", "groups", "beside", "dies", "l1_lines", "l1_ways", "l2_lines",
            "l2_ways", "keep", "again",
        )),
        ("limit", ctypes.c_int64),
        ("first_share", ctypes.c_double),
        ("cached", ctypes.c_double),
    ]  # fmt: skip


class _WaveTime(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64) for name in ("begin", "end", "group", "number", "simd", "slot")),
        ("by_kind", ctypes.c_int64 * len(Kind)),
        ("by_stall", ctypes.c_int64 * len(STALLS)),
        ("events", ctypes.c_void_p),
        ("event_count", ctypes.c_int64),
        ("event_room", ctypes.c_int64),
    ]


class _Timing(ctypes.Structure):
    _fields_ = [
        *(
            (name, ctypes.c_int64)
            for name in ("cycles", "die_cycles", "wave_count", "matrix_busy", "lds_busy", "vector_busy")
        ),
        ("lines", ctypes.c_int64 * 5),
        ("die_lines", ctypes.c_int64 * 5),
        ("busy", ctypes.c_int64 * 3),
        ("unfinished", ctypes.c_int64),
        ("waves", ctypes.POINTER(_WaveTime)),
    ]


@dataclass(frozen=True, slots=True)
class Machine:
    """What was recorded, and where it runs."""

    resident: int  # workgroups that a compute unit holds
    compute_units: int = EMULATED.die_units
    unit: int = 0  # the one that is followed
    inputs: Inputs = Inputs.MEMORY
    dies: int = EMULATED.xcds
    parts: float = 1.0  # how many times as many workgroups as were recorded the launch has
    chip: Chip = EMULATED
    place: int = 0  # the page of 4 KiB at which what the launch touches begins


@dataclass(frozen=True, slots=True)
class WaveTiming:
    """One wave's cycles: by kind of instruction, and those in which it did not issue by why."""

    begin: int
    end: int
    group: int
    number: int  # in its workgroup
    simd: int
    slot: int
    by_kind: npt.NDArray[np.int64]
    by_stall: npt.NDArray[np.int64]
    events: npt.NDArray[np.void] | None = None  # time, kind, stall, duration, instruction, reason


@dataclass(frozen=True, slots=True)
class Timing:
    """What one compute unit does, in cycles."""

    cycles: int
    die_cycles: int  # of all units of its die, until what they wrote is in memory
    matrix_busy: int  # of all SIMDs
    lds_busy: int
    vector_busy: int  # vector instructions, without the matrix units'
    lines: tuple[int, ...]  # of 128 bytes, found in L1, in L2, in L2 on their way, in the last cache, in memory
    die_lines: tuple[int, ...]  # the same of all units
    busy: tuple[
        int, int, int
    ]  # cycles that L2's fullest channel, the link behind it and memory need for what they moved
    waves: tuple[WaveTiming, ...]
    simds: int

    @property
    def matrix_share(self) -> float:
        """Share of the time in which the matrix units work."""
        return self.matrix_busy / (self.simds * self.cycles) if self.cycles else 0.0

    @property
    def vector_share(self) -> float:
        """Share of the time in which vector instructions are issued."""
        return self.vector_busy / (self.simds * self.cycles) if self.cycles else 0.0

    @property
    def idle(self) -> float:
        """Share of the time that what is fullest behind L1 leaves over: nothing else can save more."""
        return max(0.0, 1 - max(self.busy) / self.die_cycles) if self.die_cycles else 0.0


@functools.cache
def _core() -> ctypes.CDLL:
    core = ctypes.CDLL(str(c_library(sorted(_CORE.glob("*.c")), (f"-I{_CORE}",), link=("-lm",))))
    core.follow_die.argtypes = core.follow_again.argtypes = [ctypes.c_void_p] * 6
    core.place_lines.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    core.mark_executed.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p]
    core.first_share.restype = ctypes.c_double
    core.first_share.argtypes = [ctypes.c_void_p] * 2
    core.own_lines.restype = ctypes.c_uint64
    core.own_lines.argtypes = [ctypes.c_void_p] * 2
    core.free_kept.argtypes = [ctypes.c_void_p]
    core.free_timing.argtypes = [ctypes.c_void_p]
    return core


def _kept_share(times: float) -> float:
    """The share of its lines that a launch finds in a cache where the same one was before, and uses so many times as much
    as there is room: each line that misses takes the place of any other."""
    kept = 0.0
    for _ in range(_ROUNDS if times > 1 else 0):
        kept = math.exp(-(1 - kept) * times)
    return kept if times > 1 else 1.0


def placed(waves: int, count: int, place: int) -> None:
    """Moves the lines of recorded waves to where they always begin: the emulator's addresses differ from run to run."""
    _core().place_lines(waves, count, place)


def rows_of_launch(launch: Recorded) -> npt.NDArray[np.int32]:
    """The launch's program as the model takes it: a row for each instruction, empty where nothing ran it."""
    marks = np.zeros(len(launch.program), np.uint8)
    waves = (launch.groups + launch.beside) * launch.waves_a_group
    _core().mark_executed(launch.waves, waves, marks.ctypes.data)
    return launch.rows(marks)


class _Kept(ctypes.Structure):
    _fields_ = [
        ("groups", ctypes.c_void_p), ("count", ctypes.c_uint32), ("pad", ctypes.c_uint32), ("answers", ctypes.c_void_p),
        ("all", ctypes.c_uint64),
    ]  # fmt: skip


class Die:
    """A recorded launch on the compute units of one die. One of them can be followed again by itself."""

    def __init__(self, recording: Recording | Recorded, machine: Machine) -> None:
        self.recording, self.machine = recording, machine
        chip = machine.chip
        self._raw = _Machine(
            machine.compute_units, machine.unit, chip.simds, machine.resident, recording.waves_a_group, recording.groups, recording.beside, machine.dies,
            _L1_LINES, _L1_WAYS, chip.l2_bytes // chip.line_bytes, _L2_WAYS, 0, 0, 1 << 40, 1.0, 0.0,
        )  # fmt: skip
        placed(recording.waves, (recording.groups + recording.beside) * recording.waves_a_group, machine.place)
        self._raw.first_share = _core().first_share(recording.waves, ctypes.byref(self._raw))
        if machine.inputs is not Inputs.MEMORY:
            used = chip.line_bytes * _core().own_lines(recording.waves, ctypes.byref(self._raw))
            launch = used * self._raw.first_share * machine.parts
            self._raw.cached = _kept_share(launch / chip.cache_bytes)
            rest = max(1.0, machine.parts / machine.dies)  # times as much as was recorded of the die
            self._raw.again = machine.inputs is Inputs.L2 and used * rest <= chip.l2_bytes
        self._kept = _Kept()

    def close(self) -> None:
        """Forgets what memory answered."""
        _core().free_kept(ctypes.byref(self._kept))

    def __enter__(self) -> Die:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def time(self, rows: npt.NDArray[np.int32], parameters: Parameters, *, keep: bool = False) -> Timing:
        """The time of the followed unit among all of them; `keep` adds every instruction's."""
        self.close()
        return self._timing(_core().follow_die, rows, parameters, keep)

    def first_round(self, rows: npt.NDArray[np.int32], parameters: Parameters) -> Timing:
        """The same of the workgroups that begin at once, alone."""
        self.close()
        most = self.machine.compute_units * self.machine.resident
        return self._timing(_core().follow_die, rows, parameters, False, most)

    def again(self, rows: npt.NDArray[np.int32], parameters: Parameters, *, keep: bool = False) -> Timing:
        """The time of that unit by itself, where memory answers as it did, but for the parameters' scales."""
        return self._timing(_core().follow_again, rows, parameters, keep)

    def _timing(
        self, follow: Any, rows: npt.NDArray[np.int32], parameters: Parameters, keep: bool, most: int = 1 << 31
    ) -> Timing:
        raw, out = _Machine.from_buffer_copy(self._raw), _Timing()
        raw.keep, raw.groups = int(keep), min(raw.groups, most)
        follow(
            rows.ctypes.data, self.recording.waves, ctypes.byref(raw), ctypes.byref(_Parameters(*map(float, astuple(parameters)))),
            ctypes.byref(self._kept), ctypes.byref(out),
        )  # fmt: skip
        try:
            if out.unfinished:
                raise PorterError(f"the model of time cannot finish {out.unfinished} waves")
            waves = tuple(_wave(out.waves[i]) for i in range(out.wave_count))
        finally:
            _core().free_timing(ctypes.byref(out))
        return Timing(
            out.cycles, out.die_cycles, out.matrix_busy, out.lds_busy, out.vector_busy, tuple(out.lines), tuple(out.die_lines), tuple(out.busy), waves,
            self.machine.chip.simds,
        )  # fmt: skip


def _wave(raw: _WaveTime) -> WaveTiming:
    events = None
    if raw.events:
        size = int(raw.event_count) * _EVENT.itemsize
        events = np.frombuffer(ctypes.string_at(raw.events, size), _EVENT).copy()
    return WaveTiming(
        raw.begin, raw.end, raw.group, raw.number, raw.simd, raw.slot, np.array(raw.by_kind), np.array(raw.by_stall),
        events,
    )  # fmt: skip
