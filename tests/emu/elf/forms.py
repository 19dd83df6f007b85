"""Assembly text of every instruction of the emulator's table, in every encoding that clang's assembler knows for it."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

from porter.chip import DEFAULT_CHIP
from porter.emu.table import DWORDS, IMPLICIT, Instruction
from porter.toolchain import find_pip_clang

SLOT = 16  # bytes that each instruction gets, so that one's place does not depend on another's size
HEAD = '.text\n.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n'
_ERROR = re.compile(r":(\d+):\d+: error")
_LITERALS = {
    "v_fmamk_f32": "v1, v2, 0x12345, v3", "v_madmk_f16": "v1, v2, 0x1234, v3", "v_fmaak_f32": "v1, v2, v3, 0x12345",
    "v_madak_f16": "v1, v2, v3, 0x1234", "v_writelane_b32": "v1, s2, 3", "v_accvgpr_write": "a1, v2",
    "v_accvgpr_write_b32": "a1, v2", "v_accvgpr_read": "v1, a2", "v_accvgpr_read_b32": "v1, a2",
    "ds_gws_init": "v8 gds", "ds_gws_barrier": "v8 gds",
}  # fmt: skip
_FIXED = {
    "rsrc": "s[4:7]", "soffset": "0x10", "label": "end", "imm": "3", "waitcnt": "3", "hwreg": "hwreg(HW_REG_MODE)",
    "sendmsg": "1", "gpr_idx": "1",
}  # fmt: skip
_MEMORY = ("global", "scratch", "flat", "buffer", "atomic", "lds")


def texts(row: Instruction) -> list[str]:
    """What may be a form of the row: the assembler says which are."""
    name, _, form = row.name.partition(".")
    if name in _LITERALS:
        return [f"{name} {_LITERALS[name]}"]
    more = {"": "", "rtn": " glc" if name.startswith("s_") else " sc0"}.get(form, f" {form}")
    styles = ("vector",) if row.family in _MEMORY else ("vector", "vcc", "scalar", "literal", "accumulator")
    suffixes = ("", "_e64") if name.startswith("v_") else ("",)
    candidates = []
    for suffix in suffixes:
        for style in styles:
            candidates.append(f"{name}{suffix} {', '.join(_operands(row, name, style))}{more}")
    return list(dict.fromkeys(candidates))


def _operands(row: Instruction, name: str, style: str) -> list[str]:
    operands: list[str] = []
    for out, kind in (*((True, kind) for kind in row.outs), *((False, kind) for kind in row.ins)):
        if kind not in IMPLICIT | {"vcc", "exec"}:
            operands.append(_operand(row, name, style, kind, out, len(operands)))
    return operands


def _operand(row: Instruction, name: str, style: str, kind: str, out: bool, at: int) -> str:
    if kind == "mask":
        return "vcc" if style == "vcc" else "s[20:21]"
    if kind == "vaddr":
        return {"buffer": "off", "scratch": "v4"}.get(name.partition("_")[0], "v[4:5]")
    if kind == "saddr":
        return "s[4:5]" if name.startswith("s_") else "off"
    if kind in _FIXED:
        return _FIXED[kind]
    if style == "literal" and not out:
        return "0x12345"
    letter = "v" if row.vector and not (name.startswith("buffer") and kind == "u32") else "s"
    if style == "scalar" and at in (0, 2):
        letter = "s"
    if style == "accumulator":
        letter = "a"
    width, first = max(DWORDS[kind], 1), 8 + 32 * at
    if letter == "s":
        first = 8 + 16 * at
    return f"{letter}{first}" if width == 1 else f"{letter}[{first}:{first + width - 1}]"


def assembled(lines: list[str], folder: Path) -> dict[int, bytes]:
    """The bytes of the slots of those lines that are assembly, by the lines' numbers."""
    live = list(range(len(lines)))
    source, made = folder / "forms.s", folder / "forms.o"
    command = [*find_pip_clang().command, "-target", "amdgcn-amd-amdhsa", f"-mcpu={DEFAULT_CHIP.target}"]
    while True:
        source.write_text(HEAD + "".join(f".p2align 4\n{lines[at]}\n" for at in live) + ".p2align 4\nend:\ns_nop 0\n")
        done = subprocess.run(
            [*command, "-c", str(source), "-o", str(made)], capture_output=True, text=True, check=False
        )
        if not done.returncode:
            break
        refused = {(int(number) - HEAD.count("\n") - 1) // 2 for number in _ERROR.findall(done.stderr)}
        assert refused, done.stderr
        live = [at for number, at in enumerate(live) if number not in refused]
    code = _text(made.read_bytes())
    return {at: code[SLOT * number : SLOT * (number + 1)] for number, at in enumerate(live)}


def _text(data: bytes) -> bytes:
    """The section .text of an object."""
    (start,) = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    headers = [struct.unpack_from("<IIQQQQ", data, start + 64 * at) for at in range(count)]
    for name, _, _, _, offset, size in headers:
        at = headers[names][4] + name
        if data[at : at + 6] == b".text\0":
            return data[offset : offset + size]
    raise AssertionError("no .text")
