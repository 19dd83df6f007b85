"""Operands of the assembly text as codes: registers, constants by the type they stand for, numbers with a syntax."""

from __future__ import annotations

import functools
import re
import struct

from porter.chip import EMULATED
from porter.emu.encoding import AGPR_BASE, LANES, NO_OPERAND, Pool, UnknownInstruction
from porter.emu.table import DWORDS

__all__ = ["NUMBERS", "operand"]

_REGISTER = re.compile(r"([vasn]|acc)(?:(\d+)|\[(\d+)(?::(\d+))?\])$|ttmp(?:(\d+)|\[(\d+):(\d+)\])$")
_SGPRS = EMULATED.sgprs
_SPECIAL = {
    "vcc": 106, "vcc_lo": 106, "vcc_hi": 107, "m0": 124, "exec": 126, "exec_lo": 126, "exec_hi": 127,
    "flat_scratch": _SGPRS, "flat_scratch_lo": _SGPRS, "flat_scratch_hi": _SGPRS + 1, "xnack_mask": 104,
}  # fmt: skip
_CONSTANTS = {  # names of values that are no registers
    "src_shared_base": 0x0001_0000_0000_0000,
    "src_shared_limit": 0x0001_0000_FFFF_FFFF,
    "src_private_base": 0x0002_0000_0000_0000,
    "src_private_limit": 0x0002_0000_FFFF_FFFF,
}
_FLOATS = {
    "0.5": 0.5, "-0.5": -0.5, "1.0": 1.0, "-1.0": -1.0, "2.0": 2.0, "-2.0": -2.0, "4.0": 4.0, "-4.0": -4.0,
    "0.15915494": 0.15915494309189532, "0.15915494309189532": 0.15915494309189532, "0.1591": 0.15915494309189532,
}  # fmt: skip
_SYMBOL = re.compile(r"([A-Za-z_.$][\w.$]*)(?:@((?:gotpcrel32|rel32|abs32|rel64)(?:@lo|@hi)?))?(?:([+-])(\d+))?$")
_HALF = frozenset({"f16", "pkf", "f16+", "pk"})
_FLOAT64 = frozenset({"f64", "f64x4"})


def operand(text: str, kind: str, pool: Pool) -> tuple[int, int]:
    """The operand's code and its modifiers (1 negate, 2 absolute, 4 sign-extend)."""
    if kind in DWORDS and (register := _plain(text)) is not None:
        return register, 0
    if text == "off":
        return NO_OPERAND, 0
    modifier = 0
    if text.startswith("-") and text[1:2] in "vsa|" and text[1:2]:
        modifier, text = 1, text[1:]
    elif text.startswith("neg("):
        modifier, text = 1, text[4:-1]
    if text.startswith("|") and text.endswith("|"):
        modifier, text = modifier | 2, text[1:-1]
    elif text.startswith("abs("):
        modifier, text = modifier | 2, text[4:-1]
    elif text.startswith("sext("):
        modifier, text = modifier | 4, text[5:-1]
    if modifier:
        code, more = operand(text, kind, pool)
        return code, modifier | more
    return constant(text, kind, pool), 0


@functools.lru_cache(maxsize=8192)
def _plain(text: str) -> int | None:
    """The code of a register, or None."""
    match = _REGISTER.match(text)
    if match:
        if match[1] is None:
            return ~(108 + int(match[5] or match[6]))
        number = int(match[2] or match[3])
        if match[1] == "v":
            return number * LANES
        if match[1] in ("a", "acc"):
            return (AGPR_BASE + number) * LANES
        if match[1] == "s":
            return ~number
    if text in _SPECIAL:
        return ~_SPECIAL[text]
    return None


def constant(text: str, kind: str, pool: Pool) -> int:
    """Inline constants and literals mean different bits to different operand types."""
    wide = DWORDS.get(kind, 1) == 2 or kind in ("mask", "saddr", "f64x4")
    if text in _CONSTANTS:
        value = _CONSTANTS[text]
        return pool.code(value if wide else value >> 32 if "base" in text else value & 0xFFFFFFFF, wide)
    if text in _FLOATS:
        return pool.code(_float_bits(_FLOATS[text], kind), wide)
    try:
        value = int(text, 0)
    except ValueError:
        pass
    else:
        literal = not -16 <= value <= 64
        if kind in _FLOAT64 and literal:
            return pool.code(value << 32, True)  # a literal is the high half of a double
        if kind == "i64" and 0x80000000 <= value <= 0xFFFFFFFF:
            value -= 1 << 32  # a literal has 32 bits; for signed operands its sign counts
        if kind == "u64" and literal and value > 0:
            return pool.code(value, True)  # zero-extended
        return pool.code(value & (0xFFFFFFFFFFFFFFFF if wide else 0xFFFFFFFF), wide)
    match = _SYMBOL.match(text)
    if not match or text in ("vccz", "execz", "scc", "lds_direct", "null"):
        raise UnknownInstruction(f"operand not understood: {text}")
    addend = int((match[3] or "+") + (match[4] or "0"))
    return pool.symbol(match[1], match[2] or "abs32@lo", addend)


def _float_bits(value: float, kind: str) -> int:
    if kind in _FLOAT64 or (kind != "pkf32" and DWORDS.get(kind, 1) == 2):
        return int.from_bytes(struct.pack("<d", value), "little")
    if kind in _HALF or kind in ("u16", "i16"):
        return int.from_bytes(struct.pack("<e", value), "little")
    bits = int.from_bytes(struct.pack("<f", value), "little")
    return bits | bits << 32 if kind == "pkf32" else bits


# ---- numbers in the text --------------------------------------------------------------------------------------------

_COUNTER = re.compile(r"(vmcnt|expcnt|lgkmcnt)\((\d+)\)")


def _waitcnt(text: str, operands: list[str], modifiers: list[str]) -> int:
    """vmcnt, lgkmcnt, expcnt in a byte each; 255 is no wait."""
    whole = " ".join([*operands, *modifiers])
    if whole.strip().lstrip("-").isdigit() or whole.strip().startswith("0x"):
        value = int(whole, 0) & 0xFFFF
        counts = {"vmcnt": value & 15 | value >> 10 & 0x30, "expcnt": value >> 4 & 7, "lgkmcnt": value >> 8 & 15}
        limits = {"vmcnt": 63, "expcnt": 7, "lgkmcnt": 15}
        counts = {name: 255 if count == limits[name] else count for name, count in counts.items()}
    else:
        counts = {name: int(value) for name, value in _COUNTER.findall(whole)}
    return counts.get("vmcnt", 255) | counts.get("lgkmcnt", 255) << 8 | counts.get("expcnt", 255) << 16


def _number(text: str, operands: list[str], modifiers: list[str]) -> int:
    value = 0 if text == "off" else int(text, 0)
    return value - (1 << 16) if 0x8000 <= value <= 0xFFFF else value


_HWREG = {
    "MODE": 1, "STATUS": 2, "TRAPSTS": 3, "HW_ID": 4, "GPR_ALLOC": 5, "LDS_ALLOC": 6, "IB_STS": 7, "SH_MEM_BASES": 15,
    "SQ_SHADER_TBA_LO": 16, "SQ_SHADER_TBA_HI": 17, "SQ_SHADER_TMA_LO": 18, "SQ_SHADER_TMA_HI": 19, "XCC_ID": 20,
    "SQ_PERF_SNAPSHOT_DATA": 21, "SQ_PERF_SNAPSHOT_DATA1": 22, "SQ_PERF_SNAPSHOT_PC_LO": 23,
    "SQ_PERF_SNAPSHOT_PC_HI": 24,
}  # fmt: skip


def _hwreg(text: str, operands: list[str], modifiers: list[str]) -> int:
    """hwreg(NAME, first bit, width), as the 16 bits of the instruction."""
    if not text.startswith("hwreg("):
        return int(text, 0) & 0xFFFF
    name, *field_ = (part.strip() for part in text[6:-1].split(","))
    number = _HWREG.get(name.removeprefix("HW_REG_"))
    first, width = (int(part, 0) for part in field_) if field_ else (0, 32)
    return (int(name, 0) if number is None else number) | first << 6 | (width - 1) << 11


_GPR_INDEX = {"SRC0": 1, "SRC1": 2, "SRC2": 4, "DST": 8}


def _gpr_index(text: str, operands: list[str], modifiers: list[str]) -> int:
    if not text.startswith("gpr_idx("):
        return int(text, 0)
    return sum(_GPR_INDEX[part.strip()] for part in text[8:-1].split(",") if part.strip())


def _message(text: str, operands: list[str], modifiers: list[str]) -> int:
    return int(text.startswith("sendmsg(MSG_INTERRUPT")) if text.startswith("sendmsg(") else int(text, 0)


NUMBERS = {"waitcnt": _waitcnt, "imm": _number, "hwreg": _hwreg, "gpr_idx": _gpr_index, "sendmsg": _message}
