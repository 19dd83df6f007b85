"""Native schedules: a kernel that computes a matrix product is recognised by what it does, and written anew for CDNA.

problem     what was recognised
gemm        the source of the kernel that takes its place
"""

from __future__ import annotations

__all__: list[str] = []
