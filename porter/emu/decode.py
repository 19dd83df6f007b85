"""One line of assembly to one encoded instruction: the table's row, its operands and its modifiers."""

from __future__ import annotations

import re

from porter.emu.encoding import EXTENDED, NO_OPERAND, Decoded, Extension, Pool, UnknownInstruction
from porter.emu.modifiers import read_modifiers
from porter.emu.operands import NUMBERS, operand
from porter.emu.table import IMPLICIT, Instruction, instructions

__all__ = ["decode", "split"]

_SUFFIX = re.compile(r"_(?:e32|e64_dpp|e64|sdwa|dpp)$")


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


_NOT_IN_TEXT = IMPLICIT | {"vcc", "exec"}
_SCALAR_KINDS = frozenset({"saddr", "rsrc", "soffset"})
_VECTOR_FAMILIES = frozenset({"lds", "global", "flat", "scratch", "buffer", "atomic"})
_VECTOR_KINDS = frozenset({"b32", "b64", "b96", "b128", "vaddr"})
_MAY_BE_LEFT_OUT = ("imm", "waitcnt", "soffset")  # as the last operand


def decode(text: str, pool: Pool) -> Decoded:
    """Raises UnknownInstruction where the table has no such row, or an operand is not understood."""
    name, suffix, operands, modifiers = split(text)
    row, modifiers = _row(name, modifiers)
    out = Decoded(row)
    operands, modifiers = _written(row, name, operands, modifiers)
    extension = Extension()
    extended = "mix" in row.ins
    if extended:
        extension.op_sel_hi = 0
    texts = iter(operands)
    for j, kind in enumerate(row.outs):
        if kind in _NOT_IN_TEXT:
            continue
        written = next(texts)
        code = _checked(row, kind, written, operand(written, kind, pool)[0])
        if j == 0 or out.d == NO_OPERAND:
            out.d = code
        else:
            out.d2 = code
    for j, kind in enumerate(row.ins):
        if kind in _NOT_IN_TEXT:
            continue
        source = next(texts)
        if kind == "label":
            out.label = source
        elif kind in NUMBERS:
            out.imm = NUMBERS[kind](source, operands, modifiers)
            if kind == "waitcnt":  # its further counters are no modifiers
                modifiers = []
                break
        elif kind == "soffset" and (source[0].isdigit() or source[0] == "-"):
            out.imm = int(source, 0)
        else:
            code, extension.mod[j] = operand(source, kind, pool)
            extension.code[j] = out.s[j] = _checked(row, kind, source, code)
            extended |= bool(extension.mod[j])
    extended |= read_modifiers(out, extension, modifiers, suffix)
    if extended:
        _extend(out, extension)
    return out


def _checked(row: Instruction, kind: str, text: str, code: int) -> int:
    """The code, where the instruction takes a register of that file there. Assemblers see to it; text may come without one."""
    vector = code >= 0
    if vector and (row.name.startswith("s_") or kind in _SCALAR_KINDS):
        raise UnknownInstruction(f"{text} is a vector register where {row.name} takes a scalar one")
    only_vector = row.family in _VECTOR_FAMILIES and (kind in _VECTOR_KINDS or row.family == "lds")
    if only_vector and not vector and code != NO_OPERAND:
        raise UnknownInstruction(f"{text} is no vector register, which {row.name} takes there")
    return code


def _row(name: str, modifiers: list[str]) -> tuple[Instruction, list[str]]:
    """The form of the instruction that its modifiers ask for, and the modifiers that are left."""
    table = instructions()
    if "clamp" in modifiers and f"{name}.clamp" in table:
        return table[f"{name}.clamp"], [part for part in modifiers if part != "clamp"]
    if modifiers and (form := _memory_form(name, modifiers)) and form in table:
        return table[form], modifiers
    if name not in table:
        raise UnknownInstruction(f"no such instruction in the table: {name}")
    return table[name], modifiers


def _written(row: Instruction, name: str, operands: list[str], modifiers: list[str]) -> tuple[list[str], list[str]]:
    """One text for each operand that the row has in the text, and the modifiers."""
    kinds = [kind for kind in (*row.outs, *row.ins) if kind not in _NOT_IN_TEXT]
    if not kinds:  # buffer_inv sc1
        return [], [*operands, *modifiers]
    if len(operands) < len(kinds) and kinds[-1] in _MAY_BE_LEFT_OUT:
        operands = [*operands, *["off"] * (len(kinds) - len(operands))]
    if len(operands) != len(kinds):
        raise UnknownInstruction(f"{name}: expected {len(kinds)} operands, found {len(operands)}")
    return operands, modifiers


def _extend(out: Decoded, extension: Extension) -> None:
    """Sources that are more than their plain operand refer to the extension."""
    out.extension = extension
    for j, code in enumerate(extension.code):
        if code != NO_OPERAND and out.row.vector and _needs(extension, out.row, j):
            out.s[j] = ~EXTENDED


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


def _memory_form(name: str, modifiers: list[str]) -> str:
    """The row of an atomic that returns the old value, or of a load that goes to LDS."""
    if "_atomic_" in name:
        return f"{name}.rtn" if "sc0" in modifiers or "glc" in modifiers else ""
    return f"{name}.lds" if "lds" in modifiers else ""
