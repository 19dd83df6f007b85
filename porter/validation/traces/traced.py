"""Kernels of the public harness with thread traces: their assembly runs in the emulator, and the model's timeline stands
beside the measured one.

A kernel is a folder with clang's assembly (*-TARGET.s), its source and a thread trace (ui_output_*). The source says the
sizes, the workgroups and the shared memory. Its arguments are matrices as ThunderKittens passes them by value: a pointer
and four extents, 48 bytes each.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.chip import EMULATED, Board
from porter.emu.assembly import parse
from porter.errors import PorterError
from porter.perf.model.recorded import Recorded
from porter.perf.model.timeline import predicted_timeline
from porter.perf.timeline import viewer_files
from porter.perf.timeline.kinds import Kind
from porter.perf.timeline.timeline import Timeline
from porter.validation.arithmetic import whole_number
from porter.validation.assembly_launch import AssembledLaunch, record

__all__ = ["COMPARED", "Beside", "TracedKernel", "find_kernels", "recorded", "timelines"]

# The kinds of instructions whose shares of the time are compared.
COMPARED = (Kind.BARRIER, Kind.WAITCNT, Kind.MFMA, Kind.LDS_READ, Kind.LDS_WRITE, Kind.LOAD)
_MATRIX = struct.Struct("<QQQQQQ")  # pointer, batch, depth, rows, columns, nothing
_APART = 12345  # pages of 4 KiB between two places that are tried
_TRIED = 8  # units that are followed until one has as many waves as the traced one
_CONSTANT = re.compile(r"constexpr\s+(?:int|size_t)\s+(\w+)\s*=\s*([^;]+);|^\s*#define\s+(\w+)\s+(.+?)\s*$", re.M)
_GRID = re.compile(r"dim3\s+grid\s*\(\s*\)\s*(?:const\s*)?\{\s*return\s+dim3\s*\((.*?)\)\s*;\s*\}", re.S)
_SHARED = re.compile(r"dynamic_shared_memory\s*\(\s*\)\s*(?:const\s*)?\{\s*return\s+([^;]+);")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)  # a size that was tried before is often left in one


@dataclass(frozen=True, slots=True)
class TracedKernel:
    name: str
    assembly: Path
    source: Path
    trace: Path


def find_kernels(folder: Path) -> list[TracedKernel]:
    """The kernels under a folder that have assembly, a source and a trace."""
    kernels = []
    for trace in sorted(folder.rglob("ui_output_*")):
        home = trace.parent
        assembly = next(iter(sorted(home.glob(f"*{EMULATED.target}.s"))), None)
        source = next(iter(sorted([*home.glob("*.cpp"), *home.glob("*.hip")])), None)
        if (trace / "code.json").is_file() and assembly and source:
            kernels.append(TracedKernel(str(home.relative_to(folder)), assembly, source, trace))
    return kernels


@dataclass(frozen=True, slots=True)
class Beside:
    """What was measured of a compute unit, and what the model says of units of a die."""

    measured: Timeline
    alike: Timeline  # the first unit with as many waves as the measured one, or that with the next number of them
    first: Timeline
    last: Timeline


def timelines(kernel: TracedKernel, board: Board, places: int = 1) -> Iterator[Beside]:
    """The measured unit beside predicted ones, for so many places in memory that the matrices could have. Where workgroups
    do not go round evenly, some units get one more."""
    launch = recorded(kernel)
    measured = viewer_files.read(kernel.trace)
    for place in range(places):
        yield _beside(launch, measured, board, _APART * place)


def _beside(launch: Recorded, measured: Timeline, board: Board, place: int) -> Beside:
    units = min(EMULATED.die_units, launch.groups)
    first, last = (predicted_timeline(launch, board, unit, place=place) for unit in (0, units - 1))
    seen = [first, last]
    for unit in range(1, min(_TRIED, units - 1)):
        if any(len(one.waves) == len(measured.waves) for one in seen):
            break
        seen.append(predicted_timeline(launch, board, unit, place=place))
    alike = min(seen, key=lambda one: abs(len(one.waves) - len(measured.waves)))
    return Beside(measured, alike, first, last)


def recorded(kernel: TracedKernel) -> Recorded:
    """What the waves of one die do, by the emulator."""
    text = _COMMENT.sub(" ", kernel.source.read_text("utf-8", "replace"))
    names = _constants(text)
    grid, shared = _launch(kernel, text, names)
    program = parse(kernel.assembly.read_text())
    (entry,) = program.kernels.values()
    if len(entry.arguments) < 1 or entry.arguments[0].size % _MATRIX.size:
        raise PorterError(f"{kernel.name}: its arguments are no matrices by value")
    count = entry.arguments[0].size // _MATRIX.size
    if not {"M", "N", "K"} <= set(names):
        raise PorterError(f"{kernel.name}: its source does not say M, N and K")
    rows, inner, columns = (names[name] for name in ("M", "K", "N"))
    shapes = [(rows, inner), (columns, inner), (rows, columns)]
    threads = int(entry.metadata[".max_flat_workgroup_size"])

    def matrices(addresses: Sequence[int]) -> bytes:
        return b"".join(_MATRIX.pack(at, 1, 1, *shape, 0) for at, shape in zip(addresses, shapes, strict=False))

    sizes = [4 * a * b for a, b in shapes[:count]]
    return record(AssembledLaunch(program, entry, grid, threads, shared, sizes, matrices))


def _constants(text: str) -> dict[str, int]:
    """Names of whole numbers that the source defines, where one follows from those before it."""
    names: dict[str, int] = {}
    for constant in _CONSTANT.finditer(text):
        name, value = (constant[1], constant[2]) if constant[1] else (constant[3], constant[4])
        number = whole_number(value, names)
        if number is not None:
            names[name] = number
    return names


def _launch(kernel: TracedKernel, text: str, names: dict[str, int]) -> tuple[tuple[int, ...], int]:
    grid, shared = _GRID.search(text), _SHARED.search(text)
    if not grid or not shared:
        raise PorterError(f"{kernel.name}: its source does not say its grid and shared memory")
    sizes = [whole_number(part, names) for part in _arguments(grid[1])]
    bytes_ = whole_number(shared[1], names)
    if None in sizes or bytes_ is None:
        raise PorterError(f"{kernel.name}: its grid ({grid[1].strip()}) or shared memory is no number")
    return tuple(size for size in sizes if size is not None), bytes_


def _arguments(text: str) -> list[str]:
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
