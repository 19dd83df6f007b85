"""Machine code of gfx942 to assembly text, by the tables of this folder and the emulator's table of instructions.

The text is what clang's assembler takes, and gives back the same bytes (`tests/emu/elf`). A word that the tables do not
have raises Undecodable: nothing is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.emu.elf import modifier_text
from porter.emu.elf.encodings import Encoding, encoding_of, encodings, mnemonic
from porter.emu.elf.operand_text import ACCUMULATOR, DPP, LITERAL, SDWA, VECTOR, register, scalar, source
from porter.emu.table import DWORDS, IMPLICIT, Instruction, instructions
from porter.errors import PorterError

__all__ = ["Piece", "Undecodable", "disassemble", "label"]

_MATRIX = ("v_mfma_", "v_smfmac_", "v_accvgpr_")
_WHOLE_RESULT = ("v_cvt_f32_fp8", "v_cvt_f32_bf8", "v_cvt_pk_f32_fp8", "v_cvt_pk_f32_bf8")  # SDWA selects no part of it
_TO_SCALAR = ("v_readlane_b32", "v_readfirstlane_b32")
_LITERAL_LAST = ("v_fmaak_f32", "v_madak_f16")
_LITERAL_SECOND = ("v_fmamk_f32", "v_madmk_f16")
_NOT_IN_TEXT = IMPLICIT | {"vcc", "exec"}
_NUMBERS = ("imm", "label", "waitcnt", "hwreg", "sendmsg", "gpr_idx")
_MEMORY = {  # the fields of the kinds of operands; data come in order
    "smem": ({"saddr": "sbase", "rsrc": "sbase", "soffset": "soffset"}, ("sdata",)),
    "ds": ({"u32": "addr"}, ("data0", "data1")),
    "flat": ({"vaddr": "addr", "saddr": "saddr"}, ("data",)),
    "mubuf": ({"vaddr": "addr", "rsrc": "srsrc", "u32": "soffset"}, ("vdata",)),
}
_RESULT = {"smem": "sdata", "ds": "vdst", "flat": "vdst", "mubuf": "vdata"}


class Undecodable(PorterError):
    """A word that is no instruction which the tables have."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One instruction: its text, its bytes, and where it jumps to, if it does."""

    text: str
    size: int
    target: int | None = None


def label(address: int) -> str:
    """What the place of an instruction is called, where one jumps to it."""
    return f".L_{address:x}"


@dataclass(frozen=True, slots=True)
class _Word:
    """An instruction's encoding, its fields, the dword behind it, and what stands for src0 in it."""

    encoding: Encoding
    name: str
    fields: dict[str, int]
    literal: int | None
    extra: Encoding | None  # sdwa or dpp
    more: dict[str, int]
    after: int  # the address behind it
    carries: bool = False  # a mask is written beside the result

    @property
    def matrix(self) -> bool:
        return self.name.startswith(_MATRIX)


def disassemble(code: bytes, at: int, address: int) -> Piece:
    """The instruction at this place of the code, which is loaded at `address`."""
    try:
        return _disassemble(code, at, address)
    except (KeyError, IndexError, TypeError) as error:
        word = int.from_bytes(code[at : at + 4], "little")
        raise Undecodable(f"{word:#010x} at {address:#x} is no instruction that the emulator knows") from error


def _disassemble(code: bytes, at: int, address: int) -> Piece:
    def dword(number: int) -> int:
        place = at + 4 * number
        if place + 4 > len(code):
            raise IndexError(place)
        return int.from_bytes(code[place : place + 4], "little")

    encoding = encoding_of(dword(0))
    if encoding is None:
        raise KeyError("encoding")
    fields = encoding.read(dword(0) | (dword(1) << 32 if encoding.dwords == 2 else 0))
    written = mnemonic(encoding, fields)
    if written is None:
        raise KeyError("opcode")
    name = written.removesuffix("_e64")
    size = encoding.dwords
    extra = encodings()["sdwa" if fields.get("src0") == SDWA else "dpp"] if fields.get("src0") in (SDWA, DPP) else None
    needs = extra is not None or _has_literal(encoding, name, fields)
    literal = dword(size) if needs else None
    size += needs
    row = _row(name, fields)
    more = extra.read(literal or 0) if extra else {}
    word = _Word(encoding, name, fields, literal, extra, more, address + 4 * size, "mask" in row.outs[1:])
    operands = list(_operands(word, row))
    suffix = f"_{extra.name}" if extra else ""
    text = f"{written}{suffix} {', '.join(operands)}".rstrip() + _modifiers(word, row)
    target = word.after + 4 * _signed(fields["simm"], 16) if "label" in row.ins else None
    return Piece(text, 4 * size, target)


def _has_literal(encoding: Encoding, name: str, fields: dict[str, int]) -> bool:
    if name in _LITERAL_LAST or name in _LITERAL_SECOND or name == "s_setreg_imm32_b32":
        return True
    return encoding.dwords == 1 and LITERAL in (fields.get("ssrc0"), fields.get("ssrc1"), fields.get("src0"))


def _row(name: str, fields: dict[str, int]) -> Instruction:
    table = instructions()
    if fields.get("lds") and f"{name}.lds" in table:
        return table[f"{name}.lds"]
    returns = fields.get("sc0") or fields.get("glc")
    if "_atomic_" in name and returns and f"{name}.rtn" in table:
        return table[f"{name}.rtn"]
    return table[name]


# ---- operands -------------------------------------------------------------------------------------------------------


def _operands(word: _Word, row: Instruction) -> Iterator[str]:
    """The operands in the order of the text."""
    outs = [kind for kind in row.outs if kind not in _NOT_IN_TEXT]
    ins = [kind for kind in row.ins if kind not in _NOT_IN_TEXT]
    if word.encoding.name in _MEMORY:
        yield from _memory(word, outs, ins)
        return
    if word.name in _LITERAL_SECOND:
        yield from (
            _vector(word, "vdst", 1),
            _source(word, "src0", 1, 0),
            f"{word.literal:#x}",
            _vector(word, "vsrc1", 1),
        )
        return
    for kind, field in zip(outs, word.encoding.outs, strict=False):
        yield _destination(word, kind, field)
    if word.encoding.name == "sopk":
        for kind in ins:
            yield _number(word, kind) if kind in _NUMBERS else _short(word, kind)
        return
    for at, kind in enumerate(ins):
        if kind in _NUMBERS and word.encoding.name != "sopc":
            yield _number(word, kind)
        elif kind == "gpr_idx":
            yield str(word.fields["ssrc1"])
        elif at == 2 and word.name in _LITERAL_LAST:
            yield f"{word.literal:#x}"
        else:
            yield _source(word, word.encoding.ins[at], _width(kind), at, signs=kind != "mask")


def _width(kind: str) -> int:
    return 2 if kind in ("mask", "saddr") else 4 if kind == "rsrc" else DWORDS[kind]


def _short(word: _Word, kind: str) -> str:
    if word.name == "s_setreg_imm32_b32":
        return f"{word.literal:#x}"
    return scalar(word.fields["sdst"], _width(kind))


def _destination(word: _Word, kind: str, field: str) -> str:
    width = _width(kind)
    if field == "vcc":
        return (
            scalar(word.more["sdst"], 2)
            if word.extra and word.encoding.name == "vopc" and word.more.get("sd")
            else "vcc"
        )
    if field == "sdst" or kind == "mask" or word.name in _TO_SCALAR:
        return scalar(word.fields[field], width)
    return _vector(word, field, width)


def _vector(word: _Word, field: str, width: int) -> str:
    """A field of eight bits that names a vector register."""
    fields = word.fields
    acc = fields.get("acc", 0)
    if word.name in ("v_accvgpr_write_b32", "v_accvgpr_mov_b32"):
        acc = 1
    elif word.matrix:
        acc = fields.get("clamp", 0) if word.name != "v_accvgpr_read_b32" else 0
    return register("a" if acc and field != "addr" else "v", fields[field], width)


def _source(word: _Word, field: str, width: int, at: int, *, signs: bool = True) -> str:
    """Source number `at` with its signs."""
    fields, more = word.fields, word.more
    if field == "vcc":
        return "vcc"
    code = fields[field]
    if field == "vsrc1":
        code += 0 if more.get("s1") else VECTOR
    elif field == "src0" and word.extra:
        code = more["src0"] + (0 if more.get("s0") else VECTOR)
    negative = absolute = extended = 0
    if word.extra and at < 2:
        negative, absolute, extended = more[f"neg{at}"], more[f"abs{at}"], more.get(f"sext{at}", 0)
    elif word.encoding.name == "vop3" and signs:
        negative = fields["neg"] >> at & 1
        absolute = 0 if word.carries else fields["abs"] >> at & 1
    elif "mix" in word.name:
        negative, absolute = fields["neg"] >> at & 1, fields["neg_hi"] >> at & 1
    if word.matrix:
        code = _accumulator(word, code, at)
    text = source(code, width, word.literal)
    if absolute:
        text = f"|{text}|"
    if extended:
        text = f"sext({text})"
    if not negative:
        return text
    return f"-{text}" if text[0] in "vsa|" and text[:4] != "sext" else f"neg({text})"


def _accumulator(word: _Word, code: int, at: int) -> int:
    """The code of a matrix operand, which bits elsewhere make one of the accumulators."""
    if code < VECTOR:
        return code
    if word.name.startswith("v_accvgpr_"):
        return code if "write" in word.name else code + ACCUMULATOR - VECTOR
    bits = word.fields.get("op_sel_hi", 0)
    index = word.name.startswith("v_smfmac_")
    acc = word.fields["clamp"] if at == 2 and not index else bits >> at & 1 if at < 2 else 0
    return code + ACCUMULATOR - VECTOR if acc else code


def _memory(word: _Word, outs: list[str], ins: list[str]) -> Iterator[str]:
    fields, name = word.fields, word.encoding.name
    places, data = _MEMORY[name]
    left = list(data)
    for kind in outs:
        yield _data(word, _RESULT[name], _width(kind))
    for kind in ins:
        field = places.get(kind)
        if field is None:
            yield _data(word, left.pop(0), _width(kind))
        elif kind == "vaddr":
            yield _vector_address(word)
        elif kind == "saddr" and name == "flat":
            yield (
                "off" if fields["saddr"] == 127 else scalar(fields["saddr"], 2 if word.name.startswith("global") else 1)
            )
        elif field == "sbase":
            yield scalar(2 * fields["sbase"], _width(kind))
        elif field == "srsrc":
            yield scalar(4 * fields["srsrc"], 4)
        elif field == "soffset":
            yield _scalar_offset(word)
        else:
            letter = "a" if fields["acc"] and word.name.startswith("ds_gws_") else "v"
            yield register(letter, fields[field], _width(kind))


def _data(word: _Word, field: str, width: int) -> str:
    return scalar(word.fields[field], width) if word.encoding.name == "smem" else _vector(word, field, width)


def _vector_address(word: _Word) -> str:
    fields = word.fields
    if word.encoding.name == "mubuf":
        count = fields["offen"] + fields["idxen"]
    elif word.name.startswith("scratch"):
        count = fields["sve"]
    else:
        count = 2 if word.name.startswith("flat") or fields["saddr"] == 127 else 1
    return register("v", fields["addr"], count) if count else "off"


def _scalar_offset(word: _Word) -> str:
    fields = word.fields
    if word.encoding.name == "mubuf":
        return source(fields["soffset"], 1, None)
    if fields["soffset_en"]:
        return scalar(fields["soffset"], 1)
    return f"{_signed(fields['offset'], 21):#x}" if fields["imm"] else scalar(fields["offset"] & 127, 1)


# ---- numbers and modifiers ------------------------------------------------------------------------------------------


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value


def _number(word: _Word, kind: str) -> str:
    value = word.fields["simm"]
    if kind == "label":
        return label(word.after + 4 * _signed(value, 16))
    if kind == "hwreg":
        return f"hwreg({value & 63}, {value >> 6 & 31}, {(value >> 11) + 1})"
    if kind == "waitcnt":
        return _waitcnt(value)
    return f"{value:#x}" if word.encoding.name == "sopk" else str(value)


def _waitcnt(value: int) -> str:
    counts = (
        ("vmcnt", value & 15 | value >> 10 & 48, 63),
        ("expcnt", value >> 4 & 7, 7),
        ("lgkmcnt", value >> 8 & 15, 15),
    )
    words = [f"{name}({count})" for name, count, most in counts if count != most]
    return " ".join(words) if words and not value >> 16 and value >> 12 & 3 == 0 else str(value)


def _modifiers(word: _Word, row: Instruction) -> str:
    fields, name = word.fields, word.encoding.name
    sources = sum(kind not in _NOT_IN_TEXT for kind in row.ins)
    if word.extra:
        if word.extra.name == "dpp":
            return modifier_text.dpp(word.more)
        return modifier_text.sdwa(
            word.more, sources, destination=name != "vopc" and not word.name.startswith(_WHOLE_RESULT)
        )
    if name == "vop3":
        if row.outs[:1] == ("u8+",) and fields["op_sel"]:
            return " op_sel:[" + ",".join(str(fields["op_sel"] >> at & 1) for at in range(4)) + "]"
        return modifier_text.vector(fields, sources, carries=word.carries)
    if name == "vop3p":
        if word.name.startswith("v_accvgpr_"):
            return ""
        if word.matrix:
            return modifier_text.matrix(fields, negates="_f64" in word.name)
        return modifier_text.packed(fields, sources, mixed="mix" in row.ins)
    if name == "ds":
        if "2_" in word.name or "2st64_" in word.name:
            return modifier_text.memory({}, 0) + "".join(
                f" {at}:{fields[at]}" for at in ("offset0", "offset1") if fields[at]
            )
        return modifier_text.memory(fields, fields["offset0"] | fields["offset1"] << 8)
    if name == "smem":
        both = f" offset:{_signed(fields['offset'], 21):#x}" if fields["imm"] and fields["soffset_en"] else ""
        return both + modifier_text.memory(fields, 0)
    if name == "flat":
        offset = fields["offset"]
        return modifier_text.memory(fields, offset & 4095 if word.name.startswith("flat") else _signed(offset, 13))
    return modifier_text.memory(fields, fields["offset"]) if name == "mubuf" else ""
