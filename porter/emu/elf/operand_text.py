"""Codes of operands as assembly text."""

from __future__ import annotations

__all__ = ["ACCUMULATOR", "DPP", "LITERAL", "SDWA", "VECTOR", "register", "scalar", "source"]

VECTOR = 256  # the code of v0 in a field of nine bits
ACCUMULATOR = 512  # that of a0, which no field has: a bit elsewhere says so
SDWA, DPP, LITERAL = 249, 250, 255
_PAIRS = {102: "flat_scratch", 104: "xnack_mask", 106: "vcc", 126: "exec"}
_NAMED = {
    235: "src_shared_base", 236: "src_shared_limit", 237: "src_private_base", 238: "src_private_limit",
    239: "src_pops_exiting_wave_id", 240: "0.5", 241: "-0.5", 242: "1.0", 243: "-1.0", 244: "2.0", 245: "-2.0",
    246: "4.0", 247: "-4.0", 248: "0.15915494309189532", 251: "src_vccz", 252: "src_execz", 253: "src_scc",
    254: "src_lds_direct",
}  # fmt: skip
_TRAP, _M0 = 108, 124


def register(letter: str, number: int, width: int) -> str:
    """So many registers in a row."""
    return f"{letter}{number}" if width <= 1 else f"{letter}[{number}:{number + width - 1}]"


def scalar(code: int, width: int) -> str:
    """A scalar register, or registers in a row."""
    if code < 102:
        return register("s", code, width)
    if _TRAP <= code < 124:
        return register("ttmp", code - _TRAP, width)
    if code == _M0:
        return "m0"
    if code & ~1 in _PAIRS:
        name = _PAIRS[code & ~1]
        return name if width == 2 else f"{name}_{'hi' if code & 1 else 'lo'}"
    raise KeyError(f"register {code}")


def source(code: int, width: int, literal: int | None) -> str:
    """What a field of eight or nine bits names: a register, a constant, or the literal."""
    if code >= ACCUMULATOR:
        return register("a", code - ACCUMULATOR, width)
    if code >= VECTOR:
        return register("v", code - VECTOR, width)
    if 128 <= code <= 192:
        return str(code - 128)
    if 193 <= code <= 208:
        return str(192 - code)
    if code == LITERAL and literal is not None:
        return f"{literal:#x}"
    if code in _NAMED:
        return _NAMED[code]
    return scalar(code, width)
