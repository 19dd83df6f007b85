"""The model's C core from Python: caches first, then one compute unit (core/model.h)."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from porter.chip import DEFAULT_CHIP, Chip
from porter.emu.device import Recording
from porter.errors import PorterError
from porter.perf.model.parameters import Parameters
from porter.perf.model.recorded import Recorded
from porter.perf.model.rows import Kind
from porter.toolchain.native import c_library

__all__ = ["STALLS", "Levels", "Machine", "Timing", "WaveTiming"]

STALLS = (
    "none", "port", "register", "matrix", "lds", "memory", "fetch", "wait for memory", "wait for LDS or scalar loads", "barrier",
)  # fmt: skip
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
            "l2_ways", "cached", "under_way", "keep",
        )),
        ("limit", ctypes.c_int64),
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
        *((name, ctypes.c_int64) for name in ("cycles", "wave_count", "matrix_busy", "lds_busy", "issue_busy")),
        ("lines", ctypes.c_int64 * 5),
        ("unfinished", ctypes.c_int64),
        ("waves", ctypes.POINTER(_WaveTime)),
    ]


@dataclass(frozen=True, slots=True)
class Machine:
    """What was recorded, and where it runs."""

    resident: int  # workgroups that a compute unit holds
    compute_units: int = DEFAULT_CHIP.compute_units // DEFAULT_CHIP.xcds  # of the die
    unit: int = 0  # the one that is followed
    cached: bool = False  # memory that was not touched yet is in the last cache
    under_way: int = 4  # steps for which a line that was asked for has not come
    chip: Chip = DEFAULT_CHIP


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
    matrix_busy: int  # of all SIMDs
    lds_busy: int
    issue_busy: int
    lines: tuple[int, ...]  # of 128 bytes, found in L1, in L2, in L2 on their way, in the last cache, in memory
    waves: tuple[WaveTiming, ...]
    simds: int

    @property
    def matrix_share(self) -> float:
        """Share of the time in which the matrix units work."""
        return self.matrix_busy / (self.simds * self.cycles) if self.cycles else 0.0


@functools.cache
def _core() -> ctypes.CDLL:
    core = ctypes.CDLL(str(c_library(sorted(_CORE.glob("*.c")), (f"-I{_CORE}",), link=("-lm",))))
    core.new_levels.restype = ctypes.c_void_p
    core.new_levels.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    core.free_levels.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    core.follow_unit.argtypes = [ctypes.c_void_p] * 6
    core.free_timing.argtypes = [ctypes.c_void_p]
    return core


class Levels:
    """Where the recorded accesses find their lines; then the time of the unit that is followed, as often as wanted."""

    def __init__(self, recording: Recording | Recorded, machine: Machine) -> None:
        self.recording, self.machine = recording, machine
        chip = machine.chip
        self._raw = _Machine(
            machine.compute_units, machine.unit, chip.simds, machine.resident, recording.waves_a_group, recording.groups, recording.beside, chip.xcds,
            _L1_LINES, _L1_WAYS, chip.l2_bytes // chip.line_bytes, _L2_WAYS, int(machine.cached), machine.under_way, 0,
            1 << 40,
        )  # fmt: skip
        self._levels = _core().new_levels(recording.waves, ctypes.byref(self._raw))

    def close(self) -> None:
        if self._levels:
            _core().free_levels(self._levels, ctypes.byref(self._raw))
            self._levels = None

    def __enter__(self) -> Levels:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def time(self, rows: npt.NDArray[np.int32], parameters: Parameters, *, keep: bool = False) -> Timing:
        """The time of the followed unit; `keep` adds every instruction's."""
        raw, out = _Machine.from_buffer_copy(self._raw), _Timing()
        raw.keep = int(keep)
        _core().follow_unit(
            rows.ctypes.data, self.recording.waves, self._levels, ctypes.byref(raw),
            ctypes.byref(_Parameters(*map(float, astuple(parameters)))), ctypes.byref(out),
        )  # fmt: skip
        try:
            if out.unfinished:
                raise PorterError(f"the model of time cannot finish {out.unfinished} waves")
            waves = tuple(_wave(out.waves[i]) for i in range(out.wave_count))
        finally:
            _core().free_timing(ctypes.byref(out))
        return Timing(
            out.cycles, out.matrix_busy, out.lds_busy, out.issue_busy, tuple(out.lines), waves, self.machine.chip.simds
        )


def _wave(raw: _WaveTime) -> WaveTiming:
    events = None
    if raw.events:
        size = int(raw.event_count) * _EVENT.itemsize
        events = np.frombuffer(ctypes.string_at(raw.events, size), _EVENT).copy()
    return WaveTiming(
        raw.begin, raw.end, raw.group, raw.number, raw.simd, raw.slot, np.array(raw.by_kind), np.array(raw.by_stall),
        events,
    )  # fmt: skip
