"""What the model takes for the chip: each number with where it comes from.

"measured" was read off public thread traces of gfx942, "published" is somebody's microbenchmark, "fitted" was chosen so
that the model comes nearest to the traced kernels that docs/design/model.md names.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["REFERENCE_MHZ", "Parameters"]

REFERENCE_MHZ = 1600  # about what the traced kernels ran at


@dataclass(frozen=True, slots=True)
class Parameters:
    """Cycles, and bytes a cycle, of one compute unit. The order is core/model.h's."""

    lds_queue: float = 7  # fitted: accesses waiting, of a pair of SIMDs
    lds_latency: float = 44  # measured: from the end of what a pair of SIMDs takes to the data
    lds_cost: float = 1  # how much of an access's bank cycles count
    lds_pipe: float = 0  # fitted: from issue to the head of the queue
    address_queue: float = 16  # fitted: vector memory instructions waiting
    address_line: float = 1.25  # fitted: a line of 128 bytes
    lines_in_flight: float = 168  # fitted
    updates_in_flight: float = 192  # fitted, to altis_gups: the same, of atomic operations that give nothing back
    return_line: float = 2.5  # fitted: a line that L1 has not
    hit_line: float = 1  # fitted: a line that L1 has
    l1_latency: float = 100  # published: a chase takes 112 to 116 a step, 16 of them beside the load
    l2_latency: float = 208  # published
    cache_latency: float = 373  # published: 420 at 2.05 GHz, of the last level
    memory_latency: float = 718  # published: 861 at 2.05 GHz
    latency_spread: float = 560  # fitted: the most that is added beyond L2, small amounts more often
    latency_skew: float = 6  # fitted: the power of a number between 0 and 1, which is the share of it
    link_bytes: float = 24.5  # published: 11.9 TB/s from the last cache of an MI300X
    memory_bytes: float = 10.4  # published: 5.09 TB/s read on an MI325X
    write_bytes: float = 7.8  # fitted: what leaves L2 where nothing comes in. Both share a link of each die
    memory_write: float = 1  # how much more of memory a byte takes that is written
    l2_share: float = 110_000  # bytes of L2 that a compute unit may write ahead of memory
    store_latency: float = 300  # measured: a loop that stores to one line and waits for it
    first_store: float = 400  # measured: the same, to another line each time
    scalar_latency: float = 300
    scalar_hit: float = 48  # measured: where the line is there; 40 to 48 in traces, and a chase takes 68 a step
    matrix_out: float = 12  # guessed: behind the passes, to anything but the accumulator of another
    valu_to_scalar: float = 20  # measured
    latency_scale: float = 1  # of what memory answered, where a unit is followed again
    queued_scale: float = 1
    address_scale: float = 1  # of the address unit's cycles, likewise
    atomic: float = 8.5  # measured: cycles of a channel of L2
    part: float = 3.2  # fitted, to cuda_transpose: the same, of a store to a part of a line that is 64 bytes or less
    group_rate: float = (
        1  # measured: cycles of the chip from the begin of a workgroup to the next one's, by dies in turn
    )
    wave_rate: float = 1.06  # measured: the same, for each of its waves
    barrier: float = 8  # measured: last arrival to release
    dispatch: float = 36  # measured: a workgroup's end to the next one's begin
    start: float = 32  # measured: a wave's begin to its first instruction
    first_start: float = 600  # measured: the same for the first workgroups of a launch
    branch: float = 20  # measured: to the next instruction, where it is taken
    fetch_line: float = 16  # measured: the next 32 bytes of code
    seed: float = 1

    def at_clock(self, mhz: float) -> Parameters:
        """The same chip at another clock: what lies beyond L2 takes as long and moves as much as before, in other cycles."""
        ratio = mhz / REFERENCE_MHZ
        return replace(
            self,
            cache_latency=self.l2_latency + (self.cache_latency - self.l2_latency) * ratio,
            memory_latency=self.l2_latency + (self.memory_latency - self.l2_latency) * ratio,
            latency_spread=self.latency_spread * ratio,
            link_bytes=self.link_bytes / ratio,
            memory_bytes=self.memory_bytes / ratio,
            write_bytes=self.write_bytes / ratio,
        )
