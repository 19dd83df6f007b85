"""Does a kernel give the same result on 64-lane waves? Both versions are executed on symbols and compared.

`values` are what variables hold, `evaluate` and `machine` execute one block of threads in lockstep,
`proof` runs the two versions of a kernel and says where they differ.
"""

from __future__ import annotations

__all__: list[str] = []
