"""What follows the operands: offsets and cache bits, output modifiers, op_sel, SDWA, DPP, matrix controls."""

from __future__ import annotations

from porter.emu.encoding import DPP, IDXEN, LDS, NT, OFFEN, POST, SC0, SC1, Decoded, Extension, UnknownInstruction
from porter.emu.table import IMPLICIT

__all__ = ["read_modifiers"]

_FLAGS = {"sc0": SC0, "sc1": SC1, "nt": NT, "glc": SC0, "slc": NT, "lds": LDS, "idxen": IDXEN, "offen": OFFEN}
_SEL = {"BYTE_0": 0, "BYTE_1": 1, "BYTE_2": 2, "BYTE_3": 3, "WORD_0": 4, "WORD_1": 5, "DWORD": 6}
_UNUSED = {"UNUSED_PAD": 0, "UNUSED_SEXT": 1, "UNUSED_PRESERVE": 2}
_OMOD = {"mul:2": 1, "mul:4": 2, "div:2": 3}


def _bits(text: str) -> int:
    return sum(int(bit) << at for at, bit in enumerate(text.strip("[]").split(",")))


def read_modifiers(out: Decoded, x: Extension, modifiers: list[str], suffix: str) -> bool:
    """Reads them into `out` and `x`; True when the instruction needs its extension."""
    extended = False
    if out.row.name == "v_fma_mixhi_f16":
        x.op_sel |= 8
        out.flags |= POST
    for part in modifiers:
        if part in _FLAGS:
            out.flags |= _FLAGS[part]
            continue
        name, _, value = part.partition(":")
        if name in ("offset", "offset0"):
            out.imm = _swizzle(value) if value.startswith("swizzle") else int(value, 0)
        elif name == "offset1":
            out.imm2 = int(value, 0)
        elif name in ("cbsz", "abid", "blgp", "neg"):  # blgp is written neg where it negates doubles
            shift = {"cbsz": 0, "abid": 4, "blgp": 8, "neg": 8}[name]
            out.imm |= (_bits(value) if value.startswith("[") else int(value, 0)) << shift
        elif part == "clamp":
            x.clamp, extended = 1, True
            out.flags |= POST
        elif part in _OMOD:
            x.omod, extended = _OMOD[part], True
            out.flags |= POST
        elif name in ("op_sel", "op_sel_hi", "neg_lo", "neg_hi"):
            setattr(x, name, _bits(value))
            extended = True
            if name == "op_sel":
                _destination_half(out, x)
        elif name in ("src0_sel", "src1_sel"):
            x.sel[int(name[3])], x.sdwa, extended = _SEL[value], 1, True
        elif name == "dst_sel":
            x.dst_sel, x.sdwa, extended = _SEL[value], 1, True
            out.flags |= POST if x.dst_sel != 6 else 0
        elif name == "dst_unused":
            x.dst_unused = _UNUSED[value]
        elif _dpp(x, name, value):
            extended = True
            out.flags |= POST | DPP
        elif name not in ("gds", "row_mask", "bank_mask", "bound_ctrl", "wqm"):
            raise UnknownInstruction(f"modifier not understood: {part}")
    return extended


def _swizzle(text: str) -> int:
    """The offset that `swizzle(MODE, ...)` stands for."""
    mode, *rest = (part.strip() for part in text[text.index("(") + 1 : -1].split(","))
    if mode == "BITMASK_PERM":
        letters = rest[0].strip('"')
        keep, ones, flips = (
            sum(1 << (4 - at) for at, x in enumerate(letters) if x in which) for which in ("pi", "1", "i")
        )
        return keep | ones << 5 | flips << 10
    numbers = [int(part, 0) for part in rest]
    if mode == "QUAD_PERM":
        return 0x8000 | sum(lane << 2 * at for at, lane in enumerate(numbers))
    if mode == "BROADCAST":
        return 32 - numbers[0] | numbers[1] << 5
    if mode == "SWAP":
        return 0x1F | numbers[0] << 10
    if mode == "REVERSE":
        return 0x1F | numbers[0] - 1 << 10
    if mode == "FFT":
        return 0xE000 | numbers[0]
    if mode == "ROTATE":
        return 0xC000 | numbers[0] << 10 | numbers[1] << 5
    raise UnknownInstruction(f"swizzle not understood: {text}")


def _destination_half(out: Decoded, x: Extension) -> None:
    """The bit after those of the sources stands for the destination; u8+ has two, which name the byte."""
    row = out.row
    if not row.outs or row.outs[0] not in ("u16+", "i16+", "f16+", "u8+"):
        return
    if row.outs[0] == "u8+":
        out.flags |= POST if x.op_sel >> 2 else 0
        return
    bit = 1 << sum(kind not in IMPLICIT for kind in row.ins)
    if "mix" not in row.ins and x.op_sel & bit:
        x.op_sel = x.op_sel & ~bit | 8
        out.flags |= POST
    elif row.name == "v_fma_mixhi_f16":
        x.op_sel |= 8


_DPP = {"row_shl": 0x100, "row_shr": 0x110, "row_ror": 0x120, "row_newbcast": 0x150, "row_share": 0x150}
_DPP_WAVE = {"wave_shl": 0x130, "wave_rol": 0x134, "wave_shr": 0x138, "wave_ror": 0x13C}


def _dpp(x: Extension, name: str, value: str) -> bool:
    if name == "quad_perm":
        x.dpp_ctrl = sum(int(lane) << 2 * at for at, lane in enumerate(value.strip("[]").split(",")))
    elif name in _DPP:
        x.dpp_ctrl = _DPP[name] | int(value, 0)
    elif name in _DPP_WAVE:
        x.dpp_ctrl = _DPP_WAVE[name]
    elif name == "row_bcast":
        x.dpp_ctrl = {"15": 0x142, "31": 0x143}[value]
    elif name == "row_mirror":
        x.dpp_ctrl = 0x140
    elif name == "row_half_mirror":
        x.dpp_ctrl = 0x141
    elif name == "row_mask":
        x.row_mask = int(value, 0)
    elif name == "bank_mask":
        x.bank_mask = int(value, 0)
    elif name == "bound_ctrl":
        x.bound_ctrl = 1
    else:
        return False
    x.dpp = 1
    return True
