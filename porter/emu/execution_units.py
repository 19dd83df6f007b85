"""What of the machine executes an instruction, for the check of matrix hazards: core/image.h's `Regs.unit`."""

from __future__ import annotations

import functools
import re
from enum import IntFlag

from porter.chip import EMULATED
from porter.emu.table import DWORDS, Instruction

__all__ = ["Unit", "matrix_passes", "unit"]


class Unit(IntFlag):
    """The low byte is the number of passes (of four cycles) that a matrix instruction takes."""

    XDL = 1 << 8  # matrix instructions but those of plain f32 and f64 inputs
    F32 = 1 << 9
    F64 = 1 << 10
    VALU = 1 << 11  # every other vector instruction, dot products among them
    DOT = 1 << 12
    FMA64 = 1 << 13
    EXEC = 1 << 14  # writes EXEC


_MATRIX = re.compile(r"v_s?mfmac?_\w(?:32|64)_(\d+)x\d+x\d+_?(?:\d+b_)?(\w+)$")
_PLAIN = {"f32": Unit.F32, "f64": Unit.F64}


def unit(row: Instruction) -> int:
    return _unit(row.name, row.outs)


def matrix_passes(name: str, registers: int) -> int:
    """Passes of four cycles of the matrix instruction with that name and result; 0 for all others."""
    match = _MATRIX.match(name)
    return EMULATED.passes[_kind(match[2])].get((int(match[1]), registers), 0) if match else 0


def _kind(inputs: str) -> str:
    return str(_PLAIN.get(inputs, Unit.XDL).name).lower()


@functools.cache
def _unit(name: str, outs: tuple[str, ...]) -> int:
    if match := _MATRIX.match(name):
        kind = _PLAIN.get(match[2], Unit.XDL)
        return int(kind) | EMULATED.passes[str(kind.name).lower()][int(match[1]), DWORDS[outs[0]]]
    if not name.startswith("v_"):
        return 0
    result = Unit.VALU
    if name.startswith("v_dot"):
        result |= Unit.DOT
    if name in ("v_fma_f64", "v_fmac_f64"):
        result |= Unit.FMA64
    if "exec" in outs:
        result |= Unit.EXEC
    return int(result)
