"""Does a kernel give the same result on 64-lane waves? Both versions are executed on symbols and compared.

    program, launches     a file's functions, and the block sizes with which it launches a kernel
    candidates            the edits that would widen a kernel, proposed by pattern
    values, facts         what variables hold; types, and functions of one thread alone
    state, memory, evaluate, calls, inlining, summary, machine
                          one block of threads, executed in lockstep
    proof                 runs both versions and says where their effects differ

What the comparison rests on: sums and products are those of a prime field, every other operation is an
unknown function of its operands, loops without a known end are unknown functions of what they read (or,
with shuffles inside, taken by induction), and the kernel as given has no data races.
"""

from __future__ import annotations

__all__: list[str] = []
