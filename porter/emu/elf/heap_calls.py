"""malloc and free of a code object: what it has of AMD's device library becomes a call of the emulator's heap.

The library's functions keep a heap of their own in memory that ROCm prepares. Their names and the calling convention are all
that is known here: size or address in v[0:1], the result there too, the way back in s[30:31].
"""

from __future__ import annotations

from dataclasses import replace

from porter.emu.assembly import Program

__all__ = ["serve_heap"]

_CALL = 0x5000  # CALL_BASE of core/hostcall.c
_KINDS = {"__ockl_dm_alloc": 5, "__ockl_dm_dealloc": 6}  # CALL_MALLOC_DIRECT, CALL_FREE_DIRECT


def serve_heap(program: Program) -> None:
    """Puts the calls at the beginnings of those functions; what follows there is never reached."""
    for name, kind in _KINDS.items():
        at = program.labels.get(name)
        if at is None:
            continue
        words = ("s_waitcnt 0", f"s_incperflevel {_CALL + kind:#x}", "s_setpc_b64 s[30:31]")
        for offset, text in enumerate(words):
            program.lines[at + offset] = replace(program.lines[at + offset], text=text)
