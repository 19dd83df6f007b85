"""What a run counted, summed by kernel and by source line. All of it is counted in the emulator, none measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from porter.chip import EMULATED, WAVE
from porter.emu.device import InstructionCount
from porter.perf.isa import CLASSES, instruction_class, mfma_flops

__all__ = ["Totals", "by_line", "total"]

# They use the LDS' way between lanes, not its banks: as many lanes a cycle, without conflicts.
_MOVES = frozenset({"ds_bpermute_b32", "ds_permute_b32", "ds_swizzle_b32"})
_MOVE_CYCLES = WAVE // EMULATED.lds_banks


@dataclass(slots=True)
class Totals:
    """Sums over instructions. Instructions are a wave's: one for all its lanes."""

    instructions: int = 0
    by_class: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLASSES, 0))
    mfma_flops: int = 0
    global_bytes: int = 0
    lines: int = 0  # of 128 bytes, as the accesses touch them
    lines_ideal: int = 0
    lds_bytes: int = 0
    lds_cycles: int = 0
    lds_ideal: int = 0
    lanes: int = 0  # taking part in accesses to memory and LDS
    accesses: int = 0  # of them

    @property
    def lds_conflict_factor(self) -> float:
        return self.lds_cycles / self.lds_ideal if self.lds_ideal else 1.0

    @property
    def coalescing(self) -> float:
        """Share of the touched lines that the bytes would need at best."""
        return self.lines_ideal / self.lines if self.lines else 1.0

    @property
    def active_lanes(self) -> float:
        """Share of the lanes that took part in memory accesses: 1 without divergence."""
        return self.lanes / (WAVE * self.accesses) if self.accesses else 1.0

    def add(self, count: InstructionCount) -> None:
        mnemonic = count.text.split(None, 1)[0]
        kind = instruction_class(mnemonic)
        self.instructions += count.executed
        self.by_class[kind] += count.executed
        if kind == "mfma":
            self.mfma_flops += count.executed * mfma_flops(mnemonic)
        if kind in ("vmem", "lds"):  # a scalar load is of no lane
            self.lanes += count.lanes
            self.accesses += count.times
        if kind == "vmem":
            self.global_bytes += count.bytes
            self.lines += count.lines
            self.lines_ideal += count.lines_ideal
        elif kind == "lds":
            self.lds_bytes += count.bytes
            moves = _MOVE_CYCLES * count.executed if mnemonic in _MOVES else 0
            self.lds_cycles += count.lds_cycles + moves
            self.lds_ideal += count.lds_ideal + moves

    def as_json(self) -> dict[str, object]:
        return {
            "instructions": self.instructions,
            "by_class": dict(self.by_class),
            "mfma_flops": self.mfma_flops,
            "global_bytes": self.global_bytes,
            "lines_128B": self.lines,
            "lines_128B_ideal": self.lines_ideal,
            "lds_bytes": self.lds_bytes,
            "lds_cycles": self.lds_cycles,
            "lds_cycles_without_conflicts": self.lds_ideal,
            "active_lanes": round(self.active_lanes, 4),
        }


def total(counts: Iterable[InstructionCount]) -> Totals:
    """The sum of the counts."""
    totals = Totals()
    for count in counts:
        totals.add(count)
    return totals


def by_line(counts: Iterable[InstructionCount]) -> dict[tuple[str, int], Totals]:
    """By (file, line), in the order in which the lines first appear in the code."""
    lines: dict[tuple[str, int], Totals] = {}
    for count in counts:
        lines.setdefault((count.file, count.line), Totals()).add(count)
    return lines
