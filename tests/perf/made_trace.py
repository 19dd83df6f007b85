"""A small trace that was made by hand, with the keys and types that rocprofv3's files have, and a timeline of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from porter.perf.timeline.timeline import Instruction, Timeline, Wave

__all__ = ["CODE", "pair", "write_sample"]

# [text, _, number, source, code object, address, hits, latency, stall, idle]
CODE = [
    ["; _Z4tilePf", 0, 0, "tile(float*)", 7, 4096, 0, 0, 0, 0],
    ["s_load_dwordx2 s[0:1], s[4:5], 0x0", 0, 1, "/src/tile.hip:3", 7, 4096, 2, 8, 0, 40],
    ["s_waitcnt lgkmcnt(0)", 0, 2, "/src/tile.hip:3", 7, 4104, 2, 200, 200, 0],
    ["global_load_dword v1, v0, s[0:1]", 0, 3, "/src/tile.hip:4", 7, 4108, 2, 24, 16, 0],
    ["s_waitcnt vmcnt(0)", 0, 4, "/src/tile.hip:4", 7, 4116, 2, 1008, 1008, 0],
    ["ds_write_b32 v2, v1", 0, 5, "/src/tile.hip:5", 7, 4120, 2, 24, 16, 0],
    ["s_barrier", 0, 6, "/src/tile.hip:6", 7, 4128, 2, 28, 28, 0],
    ["v_mfma_f32_16x16x16_bf16 a[0:3], v[4:5], v[6:7], a[0:3]", 0, 7, "/src/tile.hip:7", 7, 4132, 4, 40, 24, 16],
    ["s_cbranch_scc1 65535", 0, 8, "/src/tile.hip:7", 7, 4140, 4, 16, 0, 0],
    ["s_endpgm", 0, 9, "", 7, 4144, 2, 16, 0, 16],
]


def _events(start: int, load: int, barrier: int) -> list[list[int]]:
    """From `start` on: `load` cycles of waiting for memory, then `barrier` cycles at the barrier."""
    rows, time = [], start
    for kind, stall, duration, number, gap in (
        (1, 0, 4, 1, 0), (9, 100, 100, 2, 0), (4, 8, 12, 3, 0), (9, load, load, 4, 0), (5, 8, 12, 5, 0),
        (9, barrier, barrier, 6, 0), (6, 0, 4, 7, 0), (8, 0, 4, 8, 0), (6, 12, 16, 7, 8), (7, 0, 4, 8, 0), (11, 0, 8, 9, 8),
    ):  # fmt: skip
        rows.append([time + gap, kind, stall, duration, number])
        time += gap + duration
    return rows


def _wave(simd: int, begin: int, load: int, barrier: int) -> dict[str, object]:
    events = _events(begin + 20, load, barrier)
    end = events[-1][0] + events[-1][3]
    runs = [
        [1, 20],
        [2, 4],
        [3, 100],
        [4, 8],
        [2, 4],
        [3, load],
        [4, 8],
        [2, 4],
        [3, barrier],
        [2, 16],
        [4, 12],
        [2, 16],
        [3, 8],
    ]
    return {
        "duration": end - begin,
        "name": "SE0",
        "num_insts": len(events),
        "num_stitched": len(events),
        "wave": {
            "begin": begin,
            "cu": 1,
            "end": end,
            "id": 0,
            "instructions": events,
            "simd": simd,
            "slot": 0,
            "timeline": runs,
            "waitcnt": [[2, [[1, 0]]], [4, [[3, 0]]]],
        },
    }


def write_sample(folder: Path) -> Path:
    """Writes the sample's files and returns the folder: one workgroup of two waves on two SIMDs."""
    folder.mkdir(parents=True, exist_ok=True)
    waves = [_wave(0, 1000, 500, 20), _wave(1, 1004, 508, 8)]
    ends = [wave["wave"]["end"] for wave in waves]
    tree = {str(simd): {"0": {"0": [f"se0_sm{simd}_sl0_wv0.json", 1000 + 4 * simd, ends[simd]]}} for simd in (0, 1)}
    occupancy = [[1000, 1, 0, 0, 1, 1], [1004, 1, 1, 0, 1, 1], [ends[0], 1, 0, 0, 0, 1], [ends[1], 1, 1, 0, 0, 1]]
    header = "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
    files = {
        "code.json": {"code": CODE, "header": header, "version": "3.0.0"},
        "filenames.json": {
            "counter_names": [],
            "gfxip": 9,
            "gfxv": "vega",
            "global_begin_time": 0,
            "version": "3.0.0",
            "wave_filenames": {"0": tree},
        },
        "occupancy.json": {"0": occupancy, "dispatches": {"0": "0 / 0x0", "1": "_Z4tilePf"}, "version": "3.0.0"},
        **{f"se0_sm{simd}_sl0_wv0.json": wave for simd, wave in enumerate(waves)},
        **{
            f"wstates{n}.json": {"name": f"wstates{n}.json", "state": [1, 0], "time": [1000, 1020]}
            for n in (1, 2, 3, 4)
        },
    }
    for name, data in files.items():
        (folder / name).write_text(json.dumps(data))
    return folder


def pair(together: bool, steps: int = 8) -> Timeline:
    """Two waves of one SIMD that take turns on the matrix pipe, or go at the same time and wait for each other's bursts.

    A step is 4 products and a read of LDS; a turn is 64 cycles.
    """
    code = (
        Instruction("; tile", 0, "tile(float*)", 0),
        *(
            Instruction(f"v_mfma_f32_16x16x16_f16 v[{8 * n}:{8 * n + 3}], v[4:5], v[6:7], 0", 8 + 8 * n, "tile.hip", 10)
            for n in range(1, 5)
        ),
        Instruction("ds_read_b64 v[4:5], v6", 48, "tile.hip", 11),
        Instruction("s_waitcnt lgkmcnt(0)", 56, "tile.hip", 11),
        Instruction("s_barrier", 60, "tile.hip", 12),
        Instruction("s_cbranch_scc1 65500", 64, "tile.hip", 9),
        Instruction("s_endpgm", 68),
    )
    waves = []
    for slot in (0, 1):
        begin = 80 if together else 80 + 80 * slot
        rows = _turns(together, slot, steps)
        events, time = [], begin + 20
        for number, kind, stall, duration in rows:
            events.append([time, kind, stall, duration, number])
            time += duration
        waves.append(Wave(0, slot, 0, begin, time, np.array(events)))
    return Timeline("tile(float*)", "predicted", "made up", code, tuple(waves))


def _turns(together: bool, slot: int, steps: int) -> list[tuple[int, int, int, int]]:
    """The instructions of a wave of `pair`: number, type, stall, duration."""
    first = 64 if together and slot else 0  # behind the other wave's burst
    barrier = 84 - first if together else 24
    rows = []
    for step in range(steps):
        rows += [(number, 6, stall, stall + 4) for number, stall in enumerate((first, 12, 12, 12), 1)]
        rows += [(5, 5, 0, 8), (6, 9, 60, 60), (7, 9, barrier, barrier), (8, 8 if step < steps - 1 else 7, 0, 4)]
    return [*rows, (9, 11, 0, 4)]
