"""How many bytes of code an instruction is, from its text: the model of instruction fetch needs addresses."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Sequence

from porter.emu.decode import split

__all__ = ["addresses_of", "code_bytes"]

_KERNEL_ALIGNMENT = 256

_LONG = ("ds_", "global_", "flat_", "scratch_", "buffer_", "tbuffer_", "s_load", "s_buffer", "s_store", "s_mem", "s_dcache",
         "s_scratch", "s_atomic", "s_setreg_imm32")  # fmt: skip
_ONE_WORD = ("v_readfirstlane", "v_nop", "v_swap", "v_prng", "v_clrexcp", "v_pipeflush")
_WITH_CONSTANT = ("v_fmamk", "v_fmaak", "v_madmk", "v_madak")
_SIXTEEN_BITS = re.compile(r"s_(?:\w+k_i32|cmpk_\w+|call_b64|setreg_b32|getreg_b32|version)$")
_INLINE_FLOATS = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494", "0.15915494309189532"}
_REGISTER = re.compile(
    r"-?\|?(?:[vsa](?:\d+|\[.*\])|ttmp.*|vcc.*|exec.*|scc|m0|off|null|src_.*|flat_scratch.*|xnack.*|lds_direct)\|?$"
)
_PROGRAM_FLOW = ("s_waitcnt", "s_branch", "s_cbranch", "s_nop", "s_sleep", "s_setprio", "s_barrier", "s_endpgm", "s_trap",
                 "s_sendmsg", "s_sethalt", "s_icache", "s_inst", "s_set_gpr", "s_wakeup", "s_ttrace", "s_incperf",
                 "s_decperf")  # fmt: skip


@functools.cache
def code_bytes(text: str) -> int:
    name, suffix, operands, _ = split(text)
    if name.startswith(_LONG):
        return 8
    if name.startswith(_PROGRAM_FLOW):
        return 4
    if name.startswith("s_"):
        return 4 if _SIXTEEN_BITS.match(name) else 4 + 4 * any(map(_is_literal, operands))
    if name.startswith(_WITH_CONSTANT) or suffix in ("_sdwa", "_dpp"):
        return 8
    if name.startswith(_ONE_WORD):
        return 4
    if suffix != "_e32":
        return 8
    return 4 + 4 * any(map(_is_literal, operands))


def addresses_of(texts: Sequence[str], kernels: Collection[int]) -> list[int]:
    """The byte offset of each instruction, given the numbers of the kernels' first instructions."""
    address, out = 0, []
    for number, text in enumerate(texts):
        if number in kernels:
            address += -address % _KERNEL_ALIGNMENT
        out.append(address)
        address += code_bytes(text)
    return out


def _is_literal(operand: str) -> bool:
    """Whether an operand needs a word of its own behind the instruction."""
    if _REGISTER.match(operand) or operand in _INLINE_FLOATS:
        return False
    try:
        return not -16 <= int(operand, 0) <= 64
    except ValueError:
        return True
