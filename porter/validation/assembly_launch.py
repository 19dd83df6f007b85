"""A kernel of an assembly text, launched in the emulator as it is told, and recorded for the model of time."""

from __future__ import annotations

import ctypes
import math
import mmap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from porter.chip import EMULATED
from porter.emu.assembly import Kernel, Program
from porter.emu.device import (
    ARGUMENT_BYTES,
    Check,
    InstructionCount,
    Launch,
    Module,
    RecordedWave,
    Recording,
    allow,
    forbid,
)
from porter.emu.image import pack
from porter.errors import PorterError
from porter.perf.model.recorded import Instruction, Recorded

__all__ = ["AssembledLaunch", "count", "record", "separate_buffers"]

_BESIDE = 4  # workgroups of another die
_MOST_GROUPS = 1 << 20  # more than any grid has on one die
_COUNTING = (Check["BANKS"], Check["COALESCING"])  # what accesses of LDS and memory cost is counted where these are on
_GAP = 1 << 29  # bytes between two buffers: more than core/places.c takes for one region


@dataclass(frozen=True, slots=True)
class AssembledLaunch:
    """A launch of a kernel in an assembly text. `sizes` are the bytes of its buffers, `arguments` makes the explicit arguments
    from their addresses."""

    program: Program
    entry: Kernel
    grid: Sequence[int]
    threads: int
    lds: int  # that the launch adds
    sizes: Sequence[int]
    arguments: Callable[[Sequence[int]], bytes]


def record(launch: AssembledLaunch, dies: int = EMULATED.xcds, most_words: int = 0) -> Recorded:
    """What the waves of one of so many dies do. `most_words`: from so many recorded words on no more workgroups are begun; 0:
    no limit."""
    sample = Recording(0, dies, _MOST_GROUPS, beside=_BESIDE, alone=True, most_words=most_words)
    _run(launch, sample)
    program, entry = launch.program, launch.entry
    vgprs, agprs, own_lds = (
        int(entry.metadata.get(name, "0")) for name in (".vgpr_count", ".agpr_count", ".group_segment_fixed_size")
    )
    places = tuple(Instruction(line.text, program.files[line.file], line.line) for line in program.lines)
    waves = (RecordedWave * ((sample.groups + sample.beside) * sample.waves_a_group)).from_address(sample.waves)
    return Recorded(
        entry.name, (*launch.grid, 1, 1)[:3], (launch.threads, 1, 1), launch.lds + own_lds, vgprs - agprs, agprs,
        sample.groups, sample.beside, sample.waves_a_group, dies, places, program.labels[entry.name], waves, sample,
    )  # fmt: skip


def count(launch: AssembledLaunch, dies: int = EMULATED.xcds) -> tuple[tuple[InstructionCount, ...], float]:
    """What the workgroups of one of so many dies execute, and how many times as much the whole grid is."""
    with Recording(0, dies, _MOST_GROUPS, beside=0, alone=True) as sample:
        done = _run(launch, sample, count=True, checks=_COUNTING)
        return done.counts, math.prod(launch.grid) / sample.groups


def _run(launch: AssembledLaunch, sample: Recording, *, count: bool = False, checks: tuple[Check, ...] = ()) -> Launch:
    # The arguments' place among the buffers is no more the system's choice than theirs: scalar loads read them.
    sizes = (ARGUMENT_BYTES, *launch.sizes)
    with separate_buffers(sizes, kept=1) as (own, *addresses), Module(pack(launch.program)) as module:
        done = module.launch(
            launch.entry.name, launch.grid, launch.threads, launch.arguments(addresses), dynamic_lds=launch.lds,
            recording=sample, count=count, checks=checks, arguments_at=own,
        )  # fmt: skip
    if done.faulted:
        raise PorterError(f"{launch.entry.name}: {done.findings[0].kind.name.lower()} in the emulator")
    return done


@contextmanager
def separate_buffers(sizes: Sequence[int], kept: int = 0) -> Iterator[list[int]]:
    """Addresses of memory that the kernel may use, but for the first ones that are kept. It holds zeros, which take no room
    until they are written. Buffers are so far apart that each is a region of its own to the model (core/places.c): their
    distances are not the system's choice."""
    steps = [-(-size // mmap.PAGESIZE) * mmap.PAGESIZE + _GAP for size in sizes]
    room = mmap.mmap(-1, sum(steps))
    start = ctypes.addressof(ctypes.c_char.from_buffer(room))
    addresses = [start + sum(steps[:n]) for n in range(len(sizes))]
    for address, size in list(zip(addresses, sizes, strict=True))[kept:]:
        allow(address, size)
    try:
        yield addresses
    finally:
        for address in addresses[kept:]:
            forbid(address)
