"""Modifiers of an instruction as assembly text: what follows its operands."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["dpp", "matrix", "memory", "packed", "sdwa", "vector"]

_OMOD = ("", " mul:2", " mul:4", " div:2")
_SEL = ("BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?")
_UNUSED = ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?")
_ADDRESSING = ("idxen", "offen")
_CACHE = ("sc0", "nt", "sc1", "lds", "glc", "gds")
_ROWS = {0x100: "row_shl", 0x110: "row_shr", 0x120: "row_ror", 0x150: "row_newbcast"}
_WHOLE = {
    0x130: "wave_shl:1", 0x134: "wave_rol:1", 0x138: "wave_shr:1", 0x13C: "wave_ror:1", 0x140: "row_mirror",
    0x141: "row_half_mirror", 0x142: "row_bcast:15", 0x143: "row_bcast:31",
}  # fmt: skip


def _bits(value: int, count: int) -> str:
    return "[" + ",".join(str(value >> at & 1) for at in range(count)) + "]"


def vector(fields: Mapping[str, int], sources: int, *, carries: bool) -> str:
    """Of vop3. `carries`: a mask is written too, whose register stands where others have op_sel and absolute values."""
    text = ""
    if not carries and fields["op_sel"]:
        chosen = fields["op_sel"] & (1 << sources) - 1 | fields["op_sel"] >> 3 << sources
        text += f" op_sel:{_bits(chosen, sources + 1)}"
    return text + (" clamp" if fields["clamp"] else "") + _OMOD[fields["omod"]]


def packed(fields: Mapping[str, int], sources: int, *, mixed: bool) -> str:
    """Of vop3p. `mixed`: no half is taken unless op_sel_hi says so (v_fma_mix)."""
    high = fields["op_sel_hi"] | fields["op_sel_hi2"] << 2
    mask = (1 << sources) - 1
    text = ""
    if fields["op_sel"] & mask:
        text += f" op_sel:{_bits(fields['op_sel'], sources)}"
    if high & mask != (0 if mixed else mask):
        text += f" op_sel_hi:{_bits(high, sources)}"
    if not mixed:
        text += "".join(
            f" {name}:{_bits(value, sources)}"
            for name, value in (("neg_lo", fields["neg"]), ("neg_hi", fields["neg_hi"]))
            if value & mask
        )
    return text + (" clamp" if fields["clamp"] else "")


def matrix(fields: Mapping[str, int], *, negates: bool) -> str:
    """Of matrix products, whose fields cbsz and abid lie where others have op_sel and neg_hi."""
    last = f" neg:{_bits(fields['neg'], 3)}" if negates else f" blgp:{fields['neg']}"
    abid = fields["op_sel"] | fields["op_sel_hi2"] << 3
    return (
        (f" cbsz:{fields['neg_hi']}" if fields["neg_hi"] else "")
        + (f" abid:{abid}" if abid else "")
        + (last if fields["neg"] else "")
    )


def sdwa(fields: Mapping[str, int], sources: int, *, destination: bool) -> str:
    text = (" clamp" if fields["clamp"] and destination else "") + (_OMOD[fields["omod"]] if destination else "")
    if destination:
        text += f" dst_sel:{_SEL[fields['dst_sel']]} dst_unused:{_UNUSED[fields['dst_unused']]}"
    return text + "".join(f" src{at}_sel:{_SEL[fields[f'sel{at}']]}" for at in range(sources))


def dpp(fields: Mapping[str, int]) -> str:
    ctrl = fields["ctrl"]
    if ctrl < 0x100:
        text = " quad_perm:[" + ",".join(str(ctrl >> 2 * at & 3) for at in range(4)) + "]"
    elif ctrl in _WHOLE:
        text = f" {_WHOLE[ctrl]}"
    else:
        text = f" {_ROWS[ctrl & ~15]}:{ctrl & 15}"
    text += f" row_mask:{fields['row_mask']:#x} bank_mask:{fields['bank_mask']:#x}"
    return text + (" bound_ctrl:0" if fields["bound"] else "")


def memory(fields: Mapping[str, int], offset: int) -> str:
    """Of loads and stores: the offset, then the bits that are set."""
    text = f" offset:{offset}" if offset else ""
    before = "".join(f" {name}" for name in _ADDRESSING if fields.get(name))
    return before + text + "".join(f" {name}" for name in _CACHE if fields.get(name))
