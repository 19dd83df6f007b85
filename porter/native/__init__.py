"""Native schedules: a kernel that computes a matrix product is recognised by what it does, and written anew for CDNA.

schedule        what becomes of a file: the kernels, and around them launches, instantiations, changes, dead
recognise       is a kernel a product? numbers, operands, printed
machine         executes a block: memory, lanes, operations, library, warps; ir reads what it executes
problem, given  what was recognised; what a kernel is given
gemm            the source of the kernel that takes its place, with gemm_parts and gemm_kernel.hip.in
"""

from __future__ import annotations

__all__: list[str] = []
