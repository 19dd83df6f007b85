"""Sample instructions of a table row: every alternative of its form, with registers of the right kind.

Registers are named by kind: b 8-bit, h 16-bit, r 32-bit, l 64-bit, q 128-bit, f f32, d f64, p predicate. Numbers
tell operands apart, 0 to 9.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from porter.frontend.ptx import Immediate, Instruction, Name, Not, Operand, parse_ptx
from porter.frontend.ptx import instructions as all_instructions
from porter.ptx.cpp import Block, translate
from porter.ptx.match import Match, Refusal, find_row
from porter.ptx.rows import PtxRow, Role, Slot
from porter.ptx.table import PtxTable, load_ptx_table
from porter.ptx.types import Mismatch, Value, width
from porter.rules import builtin_rules_dir

KINDS = {"b": "8", "h": "16", "r": "32", "l": "64", "q": "128", "f": "f32", "d": "f64", "p": "pred"}
LETTERS = {v: k for k, v in KINDS.items()}
REGISTERS = {f"{k}{i}": Value(f"{k}{i}", v, "bool" if v == "pred" else "") for k, v in KINDS.items() for i in range(10)}
PREFERRED = ("s32", "u32", "b32", "f32", "gpu", "global", "v4", "rn", "")


def table() -> PtxTable:
    return load_ptx_table((Path(builtin_rules_dir()),))


def cpp(ptx: str) -> Block | Refusal:
    parsed = parse_ptx(ptx)
    assert not parsed.problems, (ptx, parsed.problems)

    def resolve(_: object) -> Value:
        raise Mismatch("no asm operands here")

    return translate(parsed.statements, table(), resolve, set(REGISTERS), registers=REGISTERS)


def instruction(ptx: str) -> Instruction:
    """The last one: those before it set a carry."""
    parsed = parse_ptx(ptx)
    assert not parsed.problems, (ptx, parsed.problems)
    return list(all_instructions(parsed.statements))[-1]


def row_of(ptx: str) -> Match | Refusal:
    """The row that takes an instruction."""
    return find_row(instruction(ptx), table(), _value)


def _value(operand: Operand) -> Value:
    match operand:
        case Name(text) if text in REGISTERS:
            return REGISTERS[text]
        case Name(text) if text in table().specials:
            special = table().specials[text]
            return Value(special.cpp, width(special.type))
        case Not(inner):
            return replace(_value(inner), text=f"!{_value(inner).text}")
        case Immediate(text):
            return Value(text, "const", immediate=operand)
    raise Mismatch(f"{operand} is no plain operand")


def mnemonics(form: str) -> list[tuple[str, dict[str, str]]]:
    """All spellings of a form's mnemonic, the preferred one first, and its words."""
    pieces: list[list[tuple[str, dict[str, str]]]] = []
    at = 0
    while at < len(form):
        if form[at] == "{":
            end = form.index("}", at)
            name, _, words = form[at + 1 : end].partition(":")
            ordered = sorted(words.split(","), key=lambda w: PREFERRED.index(w) if w in PREFERRED else 99)
            pieces.append([(w, {name: w}) for w in ordered])
            at = end + 1
        elif form[at] == "[":
            end = form.index("]", at)
            inner = form[at + 1 : end].rstrip("!")
            pieces.append([("", {}), *mnemonics(inner)])
            at = end + 1
        else:
            end = min((i for c in "{[" if (i := form.find(c, at)) >= 0), default=len(form))
            pieces.append([(form[at:end], {})])
            at = end
    spellings = []
    for combination in itertools.product(*pieces):
        words: dict[str, str] = {}
        for _, w in combination:
            words.update(w)
        spellings.append(("".join(t for t, _ in combination), words))
    return spellings


def instructions(row: PtxRow) -> Iterator[str]:
    for text, words in mnemonics(row.form.split()[0]):
        yield _instruction(row, text, words)


def _instruction(row: PtxRow, text: str, words: dict[str, str]) -> str:
    counters = dict.fromkeys(KINDS, 0)

    def register(kind: str) -> str:
        letter = LETTERS[width(words.get(kind, kind))]
        if letter == "b" and not text.startswith("mov"):  # only mov takes 8-bit registers apart
            letter = "r"
        counters[letter] += 1
        return f"{letter}{(counters[letter] - 1) % 10}"

    def operand(slot: Slot) -> str:
        if slot.role is Role.PAIR:
            return "|".join(operand(p) for p in slot.parts)
        if slot.role is Role.VECTOR:
            return "{" + ", ".join(operand(p) for p in slot.parts) + "}"
        if slot.role is Role.INOUT:
            word, divisor = slot.length
            return "{" + ", ".join(register(slot.type) for _ in range(int(words[word]) // divisor)) + "}"
        if slot.many:
            return "{" + ", ".join(register(slot.type) for _ in range(int(words["V"][1:]))) + "}"
        if slot.role is Role.ADDRESS:
            shared = words.get("S", "").startswith("shared") or f"{{{slot.name}.shared}}" in row.cpp
            base = register("b32" if shared else "b64")
            at = ", ".join(register("s32") for _ in range(int(words["D"][0]))) if slot.type else ""
            return f"[{base}, {{{at}}}]" if at else f"[{base}]"
        if slot.type == "imm":
            if slot.high >= slot.low:
                return str(min(slot.high, max(slot.low, 5)))
            if slot.name == "selector":
                return "0"
            if text.startswith("wgmma.mma"):
                return "1"  # both a sign and a yes
            return (
                "0x96"
                if text.startswith("lop3")
                else "0"
                if "st.bulk" in text
                else "128"
                if "L2" in text or "fenceproxy" in text
                else "16"
                if "cp." in text
                else "3"
            )
        if slot.type == "addr":
            return register("b32" if "cvta" in text and ".u32" in text else "b64")
        return register(slot.type)

    prefix = ""
    if re.match(r"(add|sub|mad)c\b", text):  # a carry is read, so something must have set it
        kind = text.rsplit(".", 1)[1]
        letter = LETTERS[width(kind)]
        prefix = f"{text[:3].replace('mad', 'add')}.cc.{kind} {letter}7, {letter}8, {letter}9; "
    operands = ", ".join(operand(s) for s in row.slots if not s.optional)
    return prefix + f"{text} {operands};".replace(" ;", ";")


def rows() -> list[PtxRow]:
    seen: dict[str, PtxRow] = {}
    for group in table().rows.values():
        for row in group:
            seen.setdefault(row.where, row)
    return list(seen.values())


# Gone from PTX for current targets, or newer than the assembler at hand.
NOT_ASSEMBLED = (
    "shfl.up", "shfl.down", "vote.any", "vote.ballot", "mad.f32", "cvt.sat", "cvta.to.shared.u32",
    "min.f32 f0, f1, f2, f3", "max.f32 f0, f1, f2, f3", "cvt.rn.bf16x2.e", "pragma",
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob",
)  # fmt: skip


def _assemble(ptxas: str, target: str, chosen: list[str], folder: Path) -> tuple[int, str, int]:
    """The exit status, what the assembler said, and after how many lines the chosen ones come."""
    new = re.search(r"release (\d+)", subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout)
    version = ".version 9.0" if new and int(new[1]) >= 13 else ".version 8.7"
    lines = [version, f".target {target}", ".address_size 64", ".visible .entry k() {"]
    lines += [f".reg .{'b' + kind if kind.isdigit() else kind} {letter}<10>;" for letter, kind in KINDS.items()]
    source = folder / f"{target}.ptx"
    source.write_text("\n".join([*lines, *chosen, "ret;", "}"]) + "\n")
    command = [ptxas, f"-arch={target}", str(source), "-o", str(folder / "o")]
    done = subprocess.run(command, capture_output=True, text=True)
    if "is not a recognized" in done.stderr or "not defined for option" in done.stderr:
        pytest.skip(f"this ptxas is older than {target}")
    return done.returncode, done.stderr, len(lines)


def not_assembled(ptxas: str, target: str, chosen: list[str], folder: Path) -> list[str]:
    """Those that NVIDIA's assembler refuses. A target that it does not know skips the test."""
    status, said, before = _assemble(ptxas, target, chosen, folder)
    places = {int(place) for place in re.findall(r", line (\d+); (?:error|fatal)", said)}
    # Said after all lines have been read: an address of 32 bits without a state space, as CUDA code gives shared memory.
    assert status == 0 or places or "32-Bit ABI" in said, said[-1000:]
    return [ptx for number, ptx in enumerate(chosen, before + 1) if number in places]


PRELUDE = """#include "porter/ptx.h"
struct Registers { uint8_t b[10]; uint16_t h[10]; uint32_t r[10]; uint64_t l[10]; porter::u128 q[10]; float f[10]; double d[10]; bool p[10]; };
""" + "".join(f"#define {k}{i} s.{k}[{i}]\n" for k in KINDS for i in range(10))


def units(blocks: list[Block]) -> list[str]:
    """Two HIP translation units: of warps that share waves, and of mirrored warps."""
    return [unit([b for b in blocks if bool(b.headers) == mirrored]) for mirrored in (False, True)]


def unit(blocks: list[Block]) -> str:
    """One HIP translation unit with a function for each piece of C++."""
    headers = dict.fromkeys(h for block in blocks for h in block.headers)
    mirrored = "#define PORTER_MIRRORED 1\n" if headers else ""
    parts = [mirrored, *(f'#include "{h}"\n' for h in headers), PRELUDE]
    for number, block in enumerate(blocks):
        body = "\n  ".join(block.lines)
        parts.append(f"__global__ void t{number}(Registers* q) {{\n  Registers& s = *q;\n  {body}\n}}\n")
    return "".join(parts)
