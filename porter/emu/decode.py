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
        if kind in NUMBERS:
            out.imm = NUMBERS[kind](text_of, operands, modifiers)
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
    extended |= read_modifiers(out, extension, modifiers, suffix)
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


def _memory_form(name: str, modifiers: list[str]) -> str:
    """The row of an atomic that returns the old value, or of a load that goes to LDS."""
    if "_atomic_" in name:
        return f"{name}.rtn" if "sc0" in modifiers or "glc" in modifiers else ""
    return f"{name}.lds" if "lds" in modifiers else ""
