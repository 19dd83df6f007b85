"""Native schedules: a kernel that computes a matrix product is recognised by what it does, and written anew for CDNA.

schedule        what becomes of files: the kernels, and around them changes, dead, instantiations; groups, compiled
launches        what becomes of launches: sites finds them, configured reads them; texts
recognise       is a kernel a product? traces, results, numbers, counts, batches, likely, operands, printed; known
                remembers the answer
machine         executes a block: memory, lanes, operations, library, warps; ir reads what it executes
problem, given  what was recognised; what a kernel is given, and members of that
gemm            the source of the kernel that takes its place; gemm_text, the headers with its schedule (porter/gemm.h)
"""

from __future__ import annotations

__all__: list[str] = []
