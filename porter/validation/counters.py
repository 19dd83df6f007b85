"""What a profiler counted of a kernel, beside what the emulator counts of the same launch."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from porter.emu.device import InstructionCount
from porter.errors import PorterError
from porter.perf.counters import total
from porter.perf.profiler import COUNTERS
from porter.toolchain.demangle import demangle, short_name
from porter.validation.assembly_launch import AssembledLaunch, count
from porter.validation.description import Case
from porter.validation.goals import Figure

__all__ = ["counter_figures"]

_READS = ("global_load", "flat_load", "buffer_load", "scratch_load", "tbuffer_load")
_Counts = Sequence[InstructionCount]
# Those that the profiler of `porter run` compares, and what one kernel's assembly tells besides.
_COUNTED: Mapping[str, Callable[[_Counts], float]] = {
    **{name: (lambda counts, of=of: of(total(counts))) for name, of in COUNTERS.items()},  # type: ignore[misc]
    # s_setprio and s_endpgm are the sequencer's own
    "SQ_INSTS_SALU": lambda counts: total(counts).by_class["salu"] - _named(counts, "s_setprio"),
    "SQ_INSTS_BRANCH": lambda counts: total(counts).by_class["branch"] - _named(counts, "s_endpgm"),
    "SQ_INSTS_VMEM_RD": lambda counts: _named(counts, *_READS),
    "SQ_INSTS_VMEM_WR": lambda counts: total(counts).by_class["vmem"] - _named(counts, *_READS),
    "SQ_LDS_IDX_ACTIVE": lambda counts: sum(one.lds_cycles for one in counts),
    "TCP_TCC_READ_REQ_sum": lambda counts: sum(one.lines for one in counts if one.text.startswith(_READS)),
}


def counter_figures(case: Case, table: Path, launch: AssembledLaunch, dies: int) -> Iterator[Figure]:
    """Each counter of the table that the emulator counts too: its least and most value over the launches of the kernel."""
    kernel = short_name(demangle(launch.entry.name))
    rows = list(_rows(table, kernel))
    if not rows:
        raise PorterError(f"{table} has no launch of {kernel}")
    counts, times = count(launch, dies)
    for name, of in _COUNTED.items():
        values = sorted({float(row[name]) for row in rows if row.get(name)})
        if values:
            measured = (values[0],) if len(values) == 1 else (values[0], values[-1])
            yield Figure(case.name, name, measured, of(counts) * times, group="counters")


def _rows(table: Path, kernel: str) -> Iterator[dict[str, str]]:
    if not table.is_file():
        raise PorterError(f"{table} is not there")
    with table.open(newline="") as text:
        for row in csv.DictReader(text):
            if short_name(demangle(row["Kernel_Name"].removesuffix(".kd"))).split()[0] == kernel:
                yield row


def _named(counts: _Counts, *names: str) -> int:
    """How often waves executed instructions whose names begin so."""
    return sum(one.executed for one in counts if one.text.startswith(names))
