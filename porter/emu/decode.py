"""One line of assembly to one encoded instruction: operands by the row's signature, modifiers, constants."""

from __future__ import annotations

import functools
import re
import struct
from dataclasses import dataclass, field

from porter.emu.table import DWORDS, IMPLICIT, Instruction, instructions

__all__ = ["AGPR_BASE", "NO_OPERAND", "Decoded", "Extension", "Fixup", "Pool", "UnknownInstruction", "decode"]

AGPR_BASE = 256  # the row of a0; VGPRs are rows 0 to 255
NO_OPERAND = -(1 << 31)
_POOL = 1 << 24
EXTENDED = 1 << 25
_LANES = 64

POST, SC0, SC1, NT, LDS, IDXEN, OFFEN = (1 << n for n in range(7))
DPP = 1 << 15


class UnknownInstruction(Exception):
    """An instruction or operand that the table does not have; the text says what is not understood."""


@dataclass(slots=True)
class Extension:
    """Modifiers of one instruction; the fields are those of the C core's Ext."""

    code: list[int] = field(default_factory=lambda: [NO_OPERAND] * 4)
    mod: list[int] = field(default_factory=lambda: [0] * 4)
    sel: list[int] = field(default_factory=lambda: [6] * 4)
    dst_sel: int = 6
    dst_unused: int = 0
    clamp: int = 0
    omod: int = 0
    op_sel: int = 0
    op_sel_hi: int = 0xF
    neg_lo: int = 0
    neg_hi: int = 0
    sdwa: int = 0
    dpp: int = 0
    row_mask: int = 0xF
    bank_mask: int = 0xF
    dpp_ctrl: int = 0
    bound_ctrl: int = 0

    def packed(self) -> bytes:
        return struct.pack(
            "<4i4B4B12BH2B", *self.code, *self.mod, *self.sel, self.dst_sel, self.dst_unused, self.clamp, self.omod,
            self.op_sel, self.op_sel_hi & 7, self.neg_lo, self.neg_hi, self.sdwa, self.dpp, self.row_mask,
            self.bank_mask, self.dpp_ctrl, self.bound_ctrl, 0,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fixup:
    """A constant in the pool that a symbol's address decides."""

    pool: int
    symbol: str
    kind: str  # rel32@lo and so on
    addend: int


@dataclass(slots=True)
class Decoded:
    row: Instruction
    d: int = NO_OPERAND
    d2: int = NO_OPERAND
    s: list[int] = field(default_factory=lambda: [NO_OPERAND] * 4)
    imm: int = 0
    imm2: int = 0
    flags: int = 0
    n: int = 0
    label: str = ""
    extension: Extension | None = None
    # (first register, count) for the checks: vector registers read and written, scalar ones read and written
    reads: list[tuple[int, int]] = field(default_factory=list)
    writes: list[tuple[int, int]] = field(default_factory=list)


class Pool:
    """Constants that instructions name, each once; 64-bit ones are two words in a row."""

    def __init__(self) -> None:
        self.words: list[int] = []
        self.fixups: list[Fixup] = []
        self._known: dict[tuple[int, bool], int] = {}

    def code(self, value: int, wide: bool) -> int:
        key = value, wide
        if key not in self._known:
            self._known[key] = len(self.words)
            self.words.append(value & 0xFFFFFFFF)
            if wide:
                self.words.append(value >> 32 & 0xFFFFFFFF)
        return ~(self._known[key] | _POOL)

    def symbol(self, name: str, kind: str, addend: int) -> int:
        self.fixups.append(Fixup(len(self.words), name, kind, addend))
        self.words += [0, 0]
        return ~((len(self.words) - 2) | _POOL)


_SUFFIX = re.compile(r"_(?:e32|e64_dpp|e64|sdwa|dpp)$")
_REGISTER = re.compile(r"([vasn]|acc)(?:(\d+)|\[(\d+)(?::(\d+))?\])$|ttmp(?:(\d+)|\[(\d+):(\d+)\])$")
_SPECIAL = {
    "vcc": 106, "vcc_lo": 106, "vcc_hi": 107, "m0": 124, "exec": 126, "exec_lo": 126, "exec_hi": 127,
    "flat_scratch": 102, "flat_scratch_lo": 102, "flat_scratch_hi": 103, "xnack_mask": 104,
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
_MODIFIER = re.compile(r"(?:^|\s)([a-z_0-9]+(?::(?:\[[^\]]*\]|[^\s\[]+))?)")


def split(text: str) -> tuple[str, str, list[str], list[str]]:
    """Mnemonic without its encoding's suffix, the suffix, operands, modifiers."""
    word, _, rest = text.replace("\t", " ").partition(" ")
    suffix = _SUFFIX.search(word)
    name = word[: suffix.start()] if suffix else word
    rest = rest.strip()
    if not rest:
        return name, suffix[0] if suffix else "", [], []
    parts = _commas(rest)
    # Modifiers follow the last operand, after a space.
    last, *modifiers = _spaces(parts[-1])
    operands = [*parts[:-1], last]
    return name, suffix[0] if suffix else "", operands, modifiers


def _commas(text: str) -> list[str]:
    if "[" not in text and "(" not in text:
        return [part.strip() for part in text.split(",")]
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        if letter in "[(":
            depth += 1
        elif letter in "])":
            depth -= 1
        elif letter == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return parts


def _spaces(text: str) -> list[str]:
    if " " not in text:
        return [text]
    parts, depth, word = [], 0, ""
    for letter in text:
        if letter == " " and not depth:
            if word:
                parts.append(word)
            word = ""
            continue
        depth += letter in "[("
        depth -= letter in "])"
        word += letter
    if word:
        parts.append(word)
    return parts


def decode(text: str, pool: Pool) -> Decoded:
    """Raises UnknownInstruction where the table has no such row, or an operand is not understood."""
    name, suffix, operands, modifiers = split(text)
    table = instructions()
    row = table.get(name)
    if "clamp" in modifiers and f"{name}.clamp" in table:
        row = table[f"{name}.clamp"]
        modifiers = [part for part in modifiers if part != "clamp"]
    elif modifiers and (form := _memory_form(name, modifiers)) and form in table:
        row = table[form]
    if row is None:
        raise UnknownInstruction(f"no such instruction in the table: {name}")
    out = Decoded(row)
    texts = [*row.outs, *row.ins]
    written = [kind for kind in texts if kind not in IMPLICIT and kind not in ("vcc", "exec")]
    if not written:  # buffer_inv sc1
        operands, modifiers = [], [*operands, *modifiers]
    elif len(operands) < len(written) and written[-1] in ("imm", "waitcnt", "soffset"):
        operands = [*operands, *["off"] * (len(written) - len(operands))]
    if len(operands) != len(written):
        raise UnknownInstruction(f"{name}: expected {len(written)} operands, found {len(operands)}")
    extension = Extension()
    extended = "mix" in row.ins
    if extended:
        extension.op_sel_hi = 0
    at = 0
    for j, kind in enumerate(row.outs):
        if kind in IMPLICIT or kind in ("vcc", "exec"):
            continue
        code, _ = operand(operands[at], kind, pool)
        if j == 0 or out.d == NO_OPERAND:
            out.d = code
        else:
            out.d2 = code
        at += 1
    for j, kind in enumerate(row.ins):
        if kind in IMPLICIT or kind in ("vcc", "exec"):
            continue
        text_of = operands[at]
        at += 1
        if kind == "label":
            out.label = text_of
            continue
        if kind in _NUMBERS:
            out.imm = _NUMBERS[kind](text_of, operands, modifiers)
            if kind == "waitcnt":  # its further counters are no modifiers
                modifiers = []
                break
            continue
        if kind == "soffset" and (text_of[0].isdigit() or text_of[0] == "-"):
            out.imm = int(text_of, 0)
            continue
        code, modifier = operand(text_of, kind, pool)
        extension.code[j] = code
        extension.mod[j] = modifier
        extended |= bool(modifier)
        out.s[j] = code
    extended |= _modifiers(out, extension, modifiers, suffix)
    if extended:
        out.extension = extension
        for j, code in enumerate(extension.code):
            if code != NO_OPERAND and row.vector and _needs(extension, row, j):
                out.s[j] = ~EXTENDED
    return out


def _needs(extension: Extension, row: Instruction, j: int) -> bool:
    """Whether source j is anything but the plain operand."""
    if extension.mod[j] or extension.sel[j] != 6 or (extension.dpp and j == 0):
        return True
    kind = row.ins[j] if j < len(row.ins) else ""
    bit = 1 << j
    if kind in ("pk", "pkf", "pkf32"):
        return bool(
            extension.op_sel & bit or not extension.op_sel_hi & bit or (extension.neg_lo | extension.neg_hi) & bit
        )
    if kind == "mix":
        return bool(extension.op_sel_hi & bit)
    if kind == "f32":
        return bool(extension.neg_lo & bit)
    return kind in ("u16", "i16", "f16") and bool(extension.op_sel & bit)


def operand(text: str, kind: str, pool: Pool) -> tuple[int, int]:
    """The operand's code and its modifiers (1 negate, 2 absolute, 4 sign-extend)."""
    if kind in DWORDS and (found := _plain(text)) is not None:
        return found, 0
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
    found = _REGISTER.match(text)
    if found:
        if found[1] is None:
            return ~(108 + int(found[5] or found[6]))
        number = int(found[2] or found[3])
        if found[1] == "v":
            return number * _LANES
        if found[1] in ("a", "acc"):
            return (AGPR_BASE + number) * _LANES
        if found[1] == "s":
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
        if kind == "u64" and literal and value > 0:
            return pool.code(value, True)  # zero-extended
        return pool.code(value & (0xFFFFFFFFFFFFFFFF if wide else 0xFFFFFFFF), wide)
    found = _SYMBOL.match(text)
    if not found or text in ("vccz", "execz", "scc", "lds_direct", "null"):
        raise UnknownInstruction(f"operand not understood: {text}")
    addend = int((found[3] or "+") + (found[4] or "0"))
    return pool.symbol(found[1], found[2] or "abs32@lo", addend)


def _float_bits(value: float, kind: str) -> int:
    if kind in _FLOAT64 or kind == "u64":
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
    return 0 if text.startswith("sendmsg(") else int(text, 0)


_NUMBERS = {"waitcnt": _waitcnt, "imm": _number, "hwreg": _hwreg, "gpr_idx": _gpr_index, "sendmsg": _message}

# ---- modifiers ------------------------------------------------------------------------------------------------------

_FLAGS = {"sc0": SC0, "sc1": SC1, "nt": NT, "glc": SC0, "slc": NT, "lds": LDS, "idxen": IDXEN, "offen": OFFEN}
_SEL = {"BYTE_0": 0, "BYTE_1": 1, "BYTE_2": 2, "BYTE_3": 3, "WORD_0": 4, "WORD_1": 5, "DWORD": 6}
_UNUSED = {"UNUSED_PAD": 0, "UNUSED_SEXT": 1, "UNUSED_PRESERVE": 2}
_OMOD = {"mul:2": 1, "mul:4": 2, "div:2": 3}


def _bits(text: str) -> int:
    return sum(int(bit) << at for at, bit in enumerate(text.strip("[]").split(",")))


def _modifiers(out: Decoded, x: Extension, modifiers: list[str], suffix: str) -> bool:
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


def _memory_form(name: str, modifiers: list[str]) -> str:
    """The row of an atomic that returns the old value, or of a load that goes to LDS."""
    if "_atomic_" in name:
        return f"{name}.rtn" if "sc0" in modifiers or "glc" in modifiers else ""
    return f"{name}.lds" if "lds" in modifiers else ""


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
