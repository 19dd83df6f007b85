"""Packs a parsed program for the C core: the layout is core/image.h's, byte for byte."""

from __future__ import annotations

import functools
import hashlib
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from porter import chip
from porter.chip import EMULATED
from porter.emu.assembly import AssemblyError, Kernel, Line, Program, parse
from porter.emu.codegen import table_hash
from porter.emu.decode import decode
from porter.emu.encoding import AGPR_BASE, ARGUMENT_BYTES, Decoded, Pool, UnknownInstruction
from porter.emu.places import place_of
from porter.emu.registers import record
from porter.emu.table import instructions

__all__ = ["build_image", "image_key", "pack", "with_distances"]

_MAGIC = 0x324D455245545250


class _SymbolKind(IntEnum):
    UNDEFINED, CODE, DATA, ABSOLUTE = range(4)


class _Relocation(IntEnum):
    """How an address goes where it is needed: RelKind of core/image.h."""

    ABS64, ABS32_LO, ABS32_HI, REL32_LO, REL32_HI, GOT_LO, GOT_HI, REL64 = range(8)


class _Where(IntEnum):
    DATA, POOL = range(2)


_RELOCATIONS = {
    "abs64": _Relocation.ABS64, "abs32@lo": _Relocation.ABS32_LO, "abs32@hi": _Relocation.ABS32_HI,
    "abs32": _Relocation.ABS32_LO, "rel32@lo": _Relocation.REL32_LO, "rel32@hi": _Relocation.REL32_HI,
    "rel32": _Relocation.REL32_LO, "gotpcrel32@lo": _Relocation.GOT_LO, "gotpcrel32@hi": _Relocation.GOT_HI,
    "rel64": _Relocation.REL64,
}  # fmt: skip
_ARGUMENTS = {
    "by_value": 0, "global_buffer": 1, "dynamic_shared_pointer": 2,
    **{f"hidden_block_count_{axis}": 16 + n for n, axis in enumerate("xyz")},
    **{f"hidden_group_size_{axis}": 19 + n for n, axis in enumerate("xyz")},
    **{f"hidden_remainder_{axis}": 22 + n for n, axis in enumerate("xyz")},
    **{f"hidden_global_offset_{axis}": 25 + n for n, axis in enumerate("xyz")},
    "hidden_grid_dims": 28, "hidden_dynamic_lds_size": 29, "hidden_shared_base": 30, "hidden_private_base": 31,
    "hidden_multigrid_sync_arg": 33, "hidden_hostcall_buffer": 34,
}  # fmt: skip
_HIDDEN_OTHER = 32
_INSTRUCTION_BYTES = 8  # INS_BYTES of core/emu.h
_USER = (
    ("user_sgpr_private_segment_buffer", 1), ("user_sgpr_dispatch_ptr", 2), ("user_sgpr_queue_ptr", 4),
    ("user_sgpr_kernarg_segment_ptr", 8), ("user_sgpr_dispatch_id", 16), ("user_sgpr_flat_scratch_init", 32),
    ("user_sgpr_private_segment_size", 64), ("system_sgpr_workgroup_id_x", 256),
    ("system_sgpr_workgroup_id_y", 512), ("system_sgpr_workgroup_id_z", 1024), ("system_sgpr_workgroup_info", 2048),
)  # fmt: skip
_MOST_SCRATCH = 1 << 18  # bytes a lane; the chip has half of it
_DYNAMIC_STACK = 16384  # bytes a lane where the compiler cannot tell (recursion, indirect calls)


class _Strings:
    def __init__(self) -> None:
        self.bytes = bytearray(1)
        self.known: dict[str, int] = {"": 0}

    def at(self, text: str) -> int:
        if text not in self.known:
            self.known[text] = len(self.bytes)
            self.bytes += text.encode("utf-8", "replace") + b"\0"
        return self.known[text]


@dataclass(frozen=True, slots=True)
class _Symbols:
    """The symbols that have a number so far; others get theirs when it is asked for."""

    program: Program
    strings: _Strings
    numbers: dict[str, int] = field(default_factory=dict)
    packed: list[bytes] = field(default_factory=list)

    def number(self, name: str) -> int:
        if name not in self.numbers:
            kind, value = self._meaning(name)
            size = self.program.sizes.get(name, 0)
            self.numbers[name] = len(self.packed)
            self.packed.append(struct.pack("<IIQQ", self.strings.at(name), kind, value, size))
        return self.numbers[name]

    def _meaning(self, name: str) -> tuple[_SymbolKind, int]:
        program = self.program
        while name in program.values and _is_name(program.values[name]):
            name = program.values[name]
        if name in program.labels:
            return _SymbolKind.CODE, program.labels[name]
        if name in program.objects:
            return _SymbolKind.DATA, program.objects[name]
        if name in program.values:
            return _SymbolKind.ABSOLUTE, program.evaluate(name)
        return _SymbolKind.UNDEFINED, 0


class _Instruction(NamedTuple):
    """What is the same wherever a text stands."""

    decoded: Decoded
    extension: int  # its number
    registers: bytes


@dataclass(slots=True)
class _Code:
    """The instructions, packed, and what they refer to by number."""

    instructions: list[bytes] = field(default_factory=list)
    extensions: list[bytes] = field(default_factory=list)
    places: list[bytes] = field(default_factory=list)
    registers: list[bytes] = field(default_factory=list)
    pool: Pool = field(default_factory=Pool)
    users: dict[int, int] = field(default_factory=dict)  # fixup's place in the pool: the instruction that names it


class _Part(NamedTuple):
    data: bytes
    length: int  # in records, or in words or bytes


def build_image(assembly: str) -> bytes:
    """The image of one assembly text. Raises AssemblyError with the line that is not understood."""
    program = parse(assembly)
    if program.target != EMULATED.target:
        raise AssemblyError(f"it is for {program.target}; the emulator is a {EMULATED.target} alone")
    return pack(program)


@functools.cache
def image_key() -> str:
    """Changes whenever the same assembly would give another image: the table, the decoder or the layout changed."""
    here = Path(__file__).parent
    tables = [*here.glob("isa/*.isa"), *here.glob("elf/*.tbl")]
    files = [*here.glob("*.py"), *here.glob("elf/*.py"), *tables, here / "core/image.h", Path(chip.__file__)]
    texts = [path.read_bytes() for path in sorted(files)]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def pack(program: Program) -> bytes:
    """The image: a header with the number of records of each part and their offsets, then the parts."""
    strings = _Strings()
    symbols = _Symbols(program, strings)
    code = _code(program, strings)
    kernels, arguments = _kernels(program, strings)
    for name in (*program.labels, *program.objects):
        if not name.startswith((".L", "L")) or name in program.objects:
            symbols.number(name)
    relocations = _relocations(program, code, symbols)
    words = code.pool.words
    return _joined(
        {
            "ins": _part(code.instructions), "ext": _part(code.extensions),
            "pool": _Part(struct.pack(f"<{len(words)}I", *words), len(words)), "kernel": _part(kernels),
            "arg": _part(arguments), "symbol": _part(symbols.packed), "reloc": _part(relocations),
            "place": _part(code.places), "regs": _part(code.registers),
            "string": _Part(bytes(strings.bytes), len(strings.bytes)),
            "data": _Part(bytes(program.data), len(program.data)),
        },
        program.writable_at,
    )  # fmt: skip


def _part(records: list[bytes]) -> _Part:
    return _Part(b"".join(records), len(records))


_HEADER = "<QQ8I11I4I"
_COUNTED = ("ins", "ext", "pool", "kernel", "arg", "symbol", "reloc")
_PLACED = (*_COUNTED, "place", "regs", "string")
_DATA_ALIGNMENT = 16


def _joined(parts: Mapping[str, _Part], writable_at: int) -> bytes:
    """The parts behind the header, each at a multiple of 64 bytes."""
    at: dict[str, int] = {}
    end = _aligned(struct.calcsize(_HEADER) + 8)
    for name, part in parts.items():
        at[name] = end
        end += _aligned(len(part.data))
    header = struct.pack(
        _HEADER, _MAGIC, table_hash(), end, *(parts[name].length for name in _COUNTED), *(at[name] for name in _PLACED),
        parts["string"].length, at["data"], parts["data"].length, _DATA_ALIGNMENT, writable_at,
    )  # fmt: skip
    out = bytearray(end)
    out[: len(header)] = header
    for name, part in parts.items():
        out[at[name] : at[name] + len(part.data)] = part.data
    return bytes(out)


def _aligned(size: int, to: int = 64) -> int:
    return -(-size // to) * to


# ---- instructions ---------------------------------------------------------------------------------------------------


def _code(program: Program, strings: _Strings) -> _Code:
    code = _Code()
    numbers = {name: number for number, name in enumerate(instructions())}
    known: dict[str, _Instruction] = {}
    places: dict[tuple[int, int, int, int], tuple[int, int, int, int, int]] = {}
    for index, line in enumerate(program.lines):
        text = with_distances(line.text, program.labels)
        instruction = known.get(text)
        if instruction is None:
            instruction = _decoded(program, line, text, code)
            if "@" not in text:  # the address of a symbol depends on where the instruction is
                known[text] = instruction
        for fixup in code.pool.fixups[len(code.users) :]:
            code.users[fixup.pool] = index
        decoded = instruction.decoded
        code.registers.append(instruction.registers)
        code.instructions.append(
            struct.pack(
                "<QQ2i4i2iHHIII", 0, 0, decoded.d, decoded.d2, *decoded.s, _immediate(program, line, decoded),
                decoded.imm2, numbers[decoded.row.name], decoded.flags, instruction.extension, decoded.n, index,
            )
        )  # fmt: skip
        column = line.column if text.startswith("s_barrier") else 0  # nothing else is told apart by it
        source = line.file, line.line, line.callers, column
        if source not in places:
            places[source] = _place(program, line, column, strings)
        code.places.append(struct.pack("<6I", *places[source], strings.at(line.marked)))
    return code


def _decoded(program: Program, line: Line, text: str, code: _Code) -> _Instruction:
    try:
        decoded = decode(text, code.pool)
        registers = record(decoded)
    except (UnknownInstruction, ValueError, KeyError, IndexError) as error:
        place = place_of(program.files[line.file], line.line, program.callers[line.callers])
        raise AssemblyError(
            f"{place}{': ' if place.line else ''}the emulator does not know this instruction: {line.text} "
            f"({error}; assembly line {line.number})"
        ) from error
    number = 0
    if decoded.extension:
        number = len(code.extensions)
        code.extensions.append(decoded.extension.packed())
    return _Instruction(decoded, number, registers)


def _immediate(program: Program, line: Line, decoded: Decoded) -> int:
    if not decoded.label:
        return _signed(decoded.imm)
    if decoded.label not in program.labels:
        raise AssemblyError(f"label {decoded.label} is not defined (assembly line {line.number})")
    return _signed(program.labels[decoded.label])


def _place(program: Program, line: Line, column: int, strings: _Strings) -> tuple[int, int, int, int, int]:
    """File, line and column, then file and line of the library's code that was inlined there."""
    place = place_of(program.files[line.file], line.line, program.callers[line.callers], column)
    inner = strings.at(place.inner_file), place.inner_line
    return strings.at(place.file), place.line, place.column if column else 0, *inner


def _relocations(program: Program, code: _Code, symbols: _Symbols) -> list[bytes]:
    def packed(place: int, addend: int, where: _Where, kind: _Relocation, symbol: str, user: int) -> bytes:
        return struct.pack("<QqIIII", place, addend, where, kind, symbols.number(symbol), user)

    packed_relocations = [
        packed(f.pool, f.addend, _Where.POOL, _RELOCATIONS[f.kind], f.symbol, code.users[f.pool])
        for f in code.pool.fixups
    ]
    for r in program.references:
        wide = _Relocation.REL64 if r.relative else _Relocation.ABS64
        kind = wide if r.size == 8 else _Relocation.ABS32_LO
        packed_relocations.append(packed(r.place, r.addend, _Where.DATA, kind, r.symbol, 0))
    return packed_relocations


_DISTANCE = re.compile(r"\(([\w.$]+)-([\w.$]+)\)(&4294967295|>>32)")


def with_distances(text: str, labels: Mapping[str, int]) -> str:
    """How far apart two labels are, in halves: what a jump adds to s_getpc's address where a branch does not reach."""
    if "(" not in text or not text.startswith(("s_add", "s_sub")):
        return text

    def number(difference: re.Match[str]) -> str:
        if difference[1] not in labels or difference[2] not in labels:
            return difference[0]
        distance = (labels[difference[1]] - labels[difference[2]]) * _INSTRUCTION_BYTES
        return str((distance >> 32 if difference[3] == ">>32" else distance) & 0xFFFFFFFF)

    return _DISTANCE.sub(number, text)


def _signed(value: int) -> int:
    return value - (1 << 32) if value >= 1 << 31 else value


# ---- symbols and kernels --------------------------------------------------------------------------------------------


def _is_name(text: str) -> bool:
    return bool(text) and (text[0].isalpha() or text[0] in "_.$") and all(c.isalnum() or c in "_.$" for c in text)


def _kernels(program: Program, strings: _Strings) -> tuple[list[bytes], list[bytes]]:
    kernels: list[bytes] = []
    arguments: list[bytes] = []
    for kernel in program.kernels.values():
        if kernel.name not in program.labels:
            continue
        first = len(arguments)
        for argument in kernel.arguments:
            if argument.offset + argument.size > ARGUMENT_BYTES or (
                argument.kind.startswith("hidden") and argument.size > 8
            ):
                raise AssemblyError(f"kernel {kernel.name}: an argument of {argument.size} bytes at {argument.offset}")
            kind = _ARGUMENTS.get(argument.kind, _HIDDEN_OTHER if argument.kind.startswith("hidden") else 3)
            arguments.append(struct.pack("<4I", argument.offset, argument.size, kind, strings.at(argument.name)))
        kernels.append(_kernel(program, kernel, strings, first, len(arguments) - first))
    return kernels, arguments


def _kernel(program: Program, kernel: Kernel, strings: _Strings, first: int, count: int) -> bytes:
    def number(key: str, default: int = 0) -> int:
        text = kernel.descriptor.get(key)
        return default if text is None else program.evaluate(text)

    about = kernel.metadata
    vgprs = number("next_free_vgpr")
    agprs = int(about.get(".agpr_count", "0"))
    name = kernel.name
    if f"{name}.num_agpr" in program.values:
        agprs = program.evaluate(f"{name}.num_agpr")
        vgprs = program.evaluate(f"{name}.num_vgpr")
    elif agprs:
        vgprs = min(vgprs, number("accum_offset", EMULATED.vgprs))
    scratch = number("private_segment_fixed_size")
    dynamic = number("uses_dynamic_stack") or about.get(".uses_dynamic_stack") == "true"
    if dynamic:
        scratch += _DYNAMIC_STACK
    scratch = _aligned(scratch, 16)
    _check_sizes(
        name,
        kernarg=number("kernarg_size"), scratch=scratch, vgprs=vgprs, agprs=agprs,
        scalars=number("user_sgpr_count") + number("user_sgpr_kernarg_preload_length"),
    )  # fmt: skip
    user = sum(bit for key, bit in _USER if number(key))
    mode = (
        number("float_round_mode_32")
        | number("float_round_mode_16_64") << 2
        | number("float_denorm_mode_32", 3) << 4
        | number("float_denorm_mode_16_64", 3) << 6
        | number("dx10_clamp", 1) << 8
        | number("ieee_mode", 1) << 9
    )
    rows = AGPR_BASE + agprs if agprs else max(vgprs, 3)
    return struct.pack(
        "<20I", strings.at(name), program.labels[name], rows, AGPR_BASE, number("next_free_sgpr"),
        number("group_segment_fixed_size"), scratch, number("kernarg_size"), 16, user, number("user_sgpr_count"),
        number("user_sgpr_kernarg_preload_length"), number("user_sgpr_kernarg_preload_offset"), mode,
        int(about.get(".max_flat_workgroup_size", EMULATED.max_threads)), first, count, int(bool(dynamic)), vgprs, agprs,
    )  # fmt: skip


def _check_sizes(name: str, *, kernarg: int, scratch: int, vgprs: int, agprs: int, scalars: int) -> None:
    """Raises AssemblyError where a descriptor asks for more than there is."""
    for what, amount, most in (
        ("bytes of arguments", kernarg, ARGUMENT_BYTES), ("bytes of private memory a lane", scratch, _MOST_SCRATCH),
        ("scalar registers with arguments", scalars, EMULATED.sgprs), ("accumulation registers", agprs, EMULATED.agprs),
        ("vector registers", vgprs, EMULATED.vgprs + EMULATED.agprs),
    ):  # fmt: skip
        if not 0 <= amount <= most:
            raise AssemblyError(f"kernel {name}: its descriptor asks for {amount} {what}; there are {most}")
