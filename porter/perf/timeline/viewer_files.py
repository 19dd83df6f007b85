"""Thread traces as ROCprof Compute Viewer opens them, the folder `ui_output_*` of rocprofv3 --att: read and written.

code.json has the instructions with their sums, se*_sm*_sl*_wv*.json a wave each, filenames.json the list of them,
occupancy.json when waves begin and end, wstates*.json how many waves are in a state. All but the first two follow from
the waves. snapshots.json names the file of each source. What these cannot say lies beside them in porter.json,
which the viewer does not look at.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from porter.emu.assembly import split_marks, with_marks
from porter.emu.places import place_of
from porter.errors import InputError, OutputError, UsageError
from porter.perf.timeline.states import COUNTED_STATES, state_counts, state_runs, waits
from porter.perf.timeline.timeline import COLUMNS, Instruction, Source, Timeline, Wave
from porter.perf.timeline.workgroups import group_waves

__all__ = ["check_folder", "read", "sources", "trace_folder", "write"]

_VERSION = "3.0.0"
_HEADER = "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"
_WAVE_FILE = re.compile(r"se(\d+)_sm(\d+)_sl(\d+)_wv(\d+)\.json$")
_PLACE = re.compile(r"(.*):(\d+)$")
_INLINED = " -> "  # between places, the innermost first
_UNKNOWN = Instruction("; not in code.json")
_OWN = "porter.json"
_SNAPSHOTS = "snapshots.json"
_OWN_SCHEMA = "porter-timeline/1"
_MEASURED_CLOCK = "cycles of the chip; the trace does not say at which clock it ran"
_CU = 1  # the one that rocprofv3 traces unless it is told another
_CODE_OBJECT = 1
_FIX = "give a folder ui_output_* that rocprofv3 --att wrote, or one that porter trace --viewer wrote"


def trace_folder(path: Path) -> Path:
    """The folder of a trace: `path` itself, or the only ui_output_* in it."""
    if not path.is_dir():
        raise InputError(f"{path} is no folder" if path.exists() else f"{path} does not exist", _FIX)
    if (path / "code.json").is_file():
        return path
    inner = sorted(folder.parent for folder in path.glob("ui_output*/code.json"))
    if not inner:
        raise InputError(f"{path} holds no thread trace: there is no code.json", _FIX)
    if len(inner) > 1:
        raise InputError(f"{path} holds {len(inner)} thread traces", "give one: " + ", ".join(map(str, inner[:6])))
    return inner[0]


def read(path: Path) -> Timeline:
    """The timeline of a trace's folder, or of the only one in `path`."""
    folder = trace_folder(path)
    rows, numbers = _code(folder / "code.json")
    own = _own(folder)
    wave_files = sorted((tuple(map(int, m.groups())), p) for p in folder.iterdir() if (m := _WAVE_FILE.match(p.name)))
    if not wave_files:
        fix = "trace a larger launch, or another compute unit (rocprofv3 --att-target-cu)"
        raise InputError(f"{folder} has no waves: no file se*_sm*_sl*_wv*.json", fix)
    waves = [_wave(path, place, numbers) for place, path in wave_files]
    if any((wave.numbers == len(rows)).any() for wave in waves):
        rows = (*rows, _UNKNOWN)
    groups = own.get("workgroups") or _groups(rows, waves)
    if len(groups) != len(waves):
        raise InputError(f"{folder / _OWN} tells of {len(groups)} waves, and there are {len(waves)}", "write it again")
    waves = [Wave(w.simd, w.slot, int(g), w.begin, w.end, w.events, w.engine) for w, g in zip(waves, groups)]
    source: Source = "predicted" if own.get("source") == "predicted" else "measured"
    kernel = str(own.get("kernel") or _kernel(rows))
    return Timeline(kernel, source, str(own.get("clock", _MEASURED_CLOCK)), rows, tuple(waves))


def sources(path: Path) -> dict[str, Path]:
    """The copies of source files that a trace keeps, by the path that instructions name."""
    folder = trace_folder(path)
    tree = _load(folder / _SNAPSHOTS) if (folder / _SNAPSHOTS).is_file() else {}
    return {name: folder / copy for name, copy in _leaves(tree, "") if (folder / copy).is_file()}


def check_folder(folder: Path) -> None:
    """Fail where `write` would replace files that are no trace of porter's."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _OWN).is_file():
        raise UsageError(
            f"{folder}: has files, and is no trace that porter wrote",
            "give a new folder, or replace files with --force",
        )


def write(timeline: Timeline, folder: Path, kept: Mapping[str, Path] | None = None) -> None:
    """Writes the files of a timeline into a folder, which is made; files of the same names are replaced.

    Source files that instructions name are copied too: from `kept`, or from where they are.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in _files(timeline).items():
            (folder / name).write_text(json.dumps(data, separators=(",", ":")), "utf-8")
        _keep_sources(timeline, folder, kept or {})
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror}", "give another folder") from error


def _leaves(tree: Any, path: str) -> Iterator[tuple[str, str]]:
    """(path, copy) of a tree of folders' names."""
    for name, inner in tree.items():
        if isinstance(inner, dict):
            yield from _leaves(inner, str(Path(path, name)))
        else:
            yield str(Path(path, name)), str(inner)


def _keep_sources(timeline: Timeline, folder: Path, kept: Mapping[str, Path]) -> None:
    """Copies sources, and writes the tree of their paths with the copies' names."""
    texts = [row.inlined or row.place for row in timeline.instructions]
    files = dict.fromkeys(place[1] for text in texts for part in text.split(_INLINED) if (place := _PLACE.match(part)))
    tree: dict[str, Any] = {}
    there = [(name, path) for name in files if (path := kept.get(name, Path(name))).is_file()]
    for number, (name, path) in enumerate(there):
        *folders, last = Path(name).parts
        inner = tree
        for part in folders:
            inner = inner.setdefault(part, {})
        inner[last] = f"source_{number}_{last}"
        (folder / inner[last]).write_bytes(path.read_bytes())
    if tree:
        (folder / _SNAPSHOTS).write_text(json.dumps(tree), "utf-8")


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", _FIX) from error
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}", "decode the trace again: the file may be cut off") from error


def _own(folder: Path) -> dict[str, Any]:
    path = folder / _OWN
    own = _load(path) if path.is_file() else {}
    return own if isinstance(own, dict) and own.get("schema", _OWN_SCHEMA) == _OWN_SCHEMA else {}


def _code(path: Path) -> tuple[tuple[Instruction, ...], dict[int, int]]:
    """The instructions, and the place in the list by the number that events say."""
    data = _load(path)
    try:
        names = str(data.get("header", _HEADER)).split(", ")
        text, number, source, address = (names.index(name) for name in ("ISA", "LineNumber", "Source", "Vaddr"))
        rows = data["code"]
        code = tuple(_instruction(row[text], int(row[address]), row[source]) for row in rows)
        return code, {int(row[number]): index for index, row in enumerate(rows)}
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"{path} is not as rocprofv3 writes it: no rows of [{_HEADER}]", _FIX) from error


def _instruction(marked: str, address: int, source: str) -> Instruction:
    text, marks = split_marks(marked)
    frames = [(frame[1], int(frame[2]), 0) for part in source.split(_INLINED) if (frame := _PLACE.match(part))]
    if not frames:
        return Instruction(text, address, source, marks=marks)
    place = place_of(*frames[0][:2], tuple(frames[1:]))
    return Instruction(text, address, place.file, place.line, source if len(frames) > 1 else "", marks)


def _wave(path: Path, place: tuple[int, ...], numbers: dict[int, int]) -> Wave:
    """Without its workgroup. What code.json does not have gets the number behind its rows."""
    data = _load(path)
    try:
        wave = data["wave"]
        events = np.array(wave["instructions"] or [], np.int64).reshape(-1, len(COLUMNS))
        begin, end = int(wave["begin"]), int(wave["end"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is not as rocprofv3 writes a wave: {error}", _FIX) from error
    events[:, 4] = [numbers.get(number, len(numbers)) for number in events[:, 4].tolist()]
    engine, simd, slot, _ = place
    return Wave(simd, slot, 0, begin, end, events, engine)


def _kernel(code: tuple[Instruction, ...]) -> str:
    """A listing's functions begin with a comment that has the symbol; its source is the name."""
    heads = [row for row in code if row.text.startswith(";")]
    return next((row.file or row.text[1:].strip() for row in heads), "")


def _groups(code: tuple[Instruction, ...], waves: list[Wave]) -> list[int]:
    barriers = [number for number, row in enumerate(code) if row.mnemonic == "s_barrier"]
    releases = [wave.ends[np.isin(wave.numbers, barriers)] for wave in waves]
    return group_waves([w.begin for w in waves], releases, [(w.engine, w.simd, w.slot) for w in waves])


def _files(timeline: Timeline) -> dict[str, Any]:
    """What to write, by file name."""
    files: dict[str, Any] = {"code.json": {"code": _code_rows(timeline), "header": _HEADER, "version": _VERSION}}
    tree: dict[str, Any] = {}
    order: list[tuple[tuple[int, ...], Wave]] = []
    in_slot: defaultdict[tuple[int, ...], int] = defaultdict(int)
    for wave in sorted(timeline.waves, key=lambda w: (w.engine, w.simd, w.slot, w.begin)):
        place = wave.engine, wave.simd, wave.slot
        number = in_slot[place]
        in_slot[place] += 1
        order.append(((*place, number), wave))
        name = f"se{wave.engine}_sm{wave.simd}_sl{wave.slot}_wv{number}.json"
        files[name] = _wave_data(timeline, wave, number)
        inner = tree
        for key in place:
            inner = inner.setdefault(str(key), {})
        inner[str(number)] = [name, wave.begin, wave.end]
    files["filenames.json"] = {
        "counter_names": [],
        "gfxip": 9,
        "gfxv": "vega",
        "global_begin_time": 0,
        "version": _VERSION,
        "wave_filenames": tree,
    }
    files["occupancy.json"] = _occupancy(timeline)
    for state in COUNTED_STATES:
        name = f"wstates{state}.json"
        times, counts = state_counts(timeline, state)
        files[name] = {"name": name, "state": counts, "time": times}
    files[_OWN] = {
        "schema": _OWN_SCHEMA,
        "kernel": timeline.kernel,
        "source": timeline.source,
        "clock": timeline.clock,
        "workgroups": [wave.workgroup for _, wave in sorted(order, key=lambda pair: pair[0])],
    }
    return files


def _code_rows(timeline: Timeline) -> list[list[Any]]:
    sums = np.zeros((len(timeline.instructions), 4), np.int64)
    for wave in timeline.waves:
        what = np.stack([np.ones(len(wave.events), np.int64), wave.events[:, 3], wave.events[:, 2], wave.gaps], axis=1)
        np.add.at(sums, wave.numbers, what)
    return [
        [with_marks(row.text, row.marks), 0, number, row.inlined or row.place, _CODE_OBJECT, row.address, *counts]
        for number, (row, counts) in enumerate(zip(timeline.instructions, sums.tolist()))
    ]


def _wave_data(timeline: Timeline, wave: Wave, number: int) -> dict[str, Any]:
    return {
        "duration": wave.end - wave.begin,
        "name": f"SE{wave.engine}",
        "num_insts": len(wave.events),
        "num_stitched": len(wave.events),
        "wave": {
            "begin": wave.begin,
            "cu": _CU,
            "end": wave.end,
            "id": number,
            "instructions": wave.events.tolist(),
            "simd": wave.simd,
            "slot": wave.slot,
            "timeline": state_runs(wave),
            "waitcnt": waits(timeline, wave),
        },
    }


def _occupancy(timeline: Timeline) -> dict[str, Any]:
    """For each engine rows of [time, compute unit, SIMD, slot, 1 for a begin, dispatch]."""
    rows: defaultdict[str, list[list[int]]] = defaultdict(list)
    for wave in timeline.waves:
        rows[str(wave.engine)] += [[wave.begin, _CU, wave.simd, wave.slot, 1, 1]]
        rows[str(wave.engine)] += [[wave.end, _CU, wave.simd, wave.slot, 0, 1]]
    ordered = {engine: sorted(rows[engine], key=lambda row: (row[0], row[4])) for engine in sorted(rows)}
    return {**ordered, "dispatches": {"0": "0 / 0x0", "1": timeline.kernel}, "version": _VERSION}
