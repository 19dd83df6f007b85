"""Does a kernel give the same result on 64-lane waves? Both versions are executed on symbols and compared.

    program, launches     a file's functions, and the block sizes with which it launches a kernel
    candidates            the edits that would widen a kernel, proposed by pattern
    guards, algebra       conditions under which a thread is at a place; which values are the same
    addresses, memory, instructions, calls, flow, machine
                          one block of threads, executed by porter.native.machine's instructions
    proof                 compiles and runs both versions, and says where their effects differ

The comparison rests on four assumptions. Sums and products are in a prime field. Every other operation is an unknown
function of its operands. A loop without a known end is proved by induction. The kernel as given has no data races.
"""

from __future__ import annotations

__all__: list[str] = []
