"""A predicted launch as a timeline, for everything that shows traces (docs/guides/timelines.md)."""

from __future__ import annotations

import numpy as np

from porter.chip import EMULATED, Board
from porter.perf.model.boards import Inputs
from porter.perf.model.predict import follow
from porter.perf.model.recorded import Recorded
from porter.perf.model.rows import Kind
from porter.perf.timeline.timeline import EventType, Instruction, Timeline, Wave
from porter.toolchain.demangle import demangle, short_name

__all__ = ["predicted_timeline"]

_TYPES = {
    Kind.SALU: EventType.SALU, Kind.SMEM: EventType.SCALAR_LOAD, Kind.VALU: EventType.VALU, Kind.MFMA: EventType.VALU,
    Kind.LDS_READ: EventType.LDS, Kind.LDS_WRITE: EventType.LDS, Kind.LOAD: EventType.FLAT, Kind.STORE: EventType.FLAT,
    Kind.BRANCH: EventType.BRANCH, Kind.END: EventType.END,
}  # fmt: skip
_BUFFER = ("buffer_", "tbuffer_")


def predicted_timeline(
    launch: Recorded, board: Board | None = None, unit: int = 0, inputs: Inputs = Inputs.MEMORY, place: int = 0
) -> Timeline:
    """What a compute unit of the die does, each instruction of each wave."""
    chip = EMULATED
    board = board or chip.boards[0]
    timing, clock = follow(launch, chip, board, unit, inputs, place)
    types = np.array([_TYPES.get(kind, EventType.WAIT) for kind in Kind], np.int64)
    buffers = np.array([one.text.startswith(_BUFFER) for one in launch.program])
    groups = {group: number for number, group in enumerate(dict.fromkeys(wave.group for wave in timing.waves))}
    waves = []
    for wave in timing.waves:
        assert wave.events is not None
        events = wave.events
        rows = np.stack(
            [events[name].astype(np.int64) for name in ("time", "kind", "stall", "duration", "instruction")], 1
        )
        kinds = rows[:, 1].copy()
        rows[:, 1] = types[kinds]
        rows[(rows[:, 1] == EventType.FLAT) & buffers[rows[:, 4]], 1] = EventType.VECTOR_MEMORY
        branches = np.nonzero(kinds[:-1] == Kind.BRANCH)[0]
        rows[branches[rows[branches + 1, 4] != rows[branches, 4] + 1], 1] = EventType.BRANCH_TAKEN
        waves.append(Wave(wave.simd, wave.slot, groups[wave.group], wave.begin, wave.end, rows))
    instructions = tuple(
        Instruction(instruction.text, address, instruction.file, instruction.line, marks=instruction.marks)
        for instruction, address in zip(launch.program, launch.addresses(), strict=True)
    )
    waves.sort(key=lambda wave: (wave.engine, wave.simd, wave.slot, wave.begin))
    words = f"likely {clock / 1000:.2f} GHz on an {board.name}, predicted, {inputs.text}"
    return Timeline(short_name(demangle(launch.symbol)), "predicted", words, instructions, tuple(waves), clock)
