"""A code object as a Program: what clang's assembly text would have said, read from the machine code.

Addresses become names again. An instruction that adds a distance to s_getpc_b64's result, and a relocation of data, name
the place that they stand for; places that nothing names get labels after their address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from porter.emu.assembly import Argument, Kernel, Line, Program, Reference
from porter.emu.elf.container import CodeObject, CodeObjectError, Relocation, code_object, unbundled
from porter.emu.elf.descriptor import descriptor
from porter.emu.elf.disassemble import disassemble, label
from porter.emu.elf.heap_calls import serve_heap
from porter.emu.elf.line_table import LineTable, line_table
from porter.toolchain.elf_sections import Section

__all__ = ["program_of"]

_KEPT = (1, 8)  # bytes of the file, and zeros
_NEVER_WRITTEN = (".got", ".data.rel.ro", ".relro_padding")  # flagged writable for the loader alone
_ALIGNMENT = 256
_INSTRUCTION_BYTES = 8  # INS_BYTES of core/emu.h: what the emulator's addresses of code go up by
_LITERAL_AT = 4
_ABSOLUTE, _RELATIVE = (
    {3: 8, 6: 4},
    13,
)  # kinds of relocations: sizes of the ones with a symbol; the base and an addend
_NONE = 0

_ACCUMULATOR = re.compile(r"[ ,]a(?:\[|\d)")


@dataclass(slots=True)
class _Reading:
    """What is known of the code object so far."""

    code: CodeObject
    lines: LineTable
    program: Program = field(default_factory=Program)
    addresses: list[int] = field(default_factory=list)  # of the instructions
    indices: dict[int, int] = field(default_factory=dict)  # the instruction at an address
    places: list[tuple[int, int, int]] = field(default_factory=list)  # of data: address, end, offset in the program's


def program_of(data: bytes) -> Program:
    """The program in a code object, or in a bundle that has one for this GPU. Raises CodeObjectError or Undecodable."""
    code = code_object(unbundled(data))
    reading = _Reading(code, line_table({section.name: section.data for section in code.sections}))
    reading.program.files = reading.lines.files
    _place_data(reading)
    targets = _read_code(reading)
    _name_places(reading)
    serve_heap(reading.program)
    for target in targets:
        _code_name(reading, target)
    _follow_addresses(reading)
    reading.program.references += [
        reference for relocation in code.relocations if (reference := _reference(reading, relocation))
    ]
    for about in code.metadata.get("amdhsa.kernels", ()):
        kernel = _kernel(reading, about)
        reading.program.kernels[kernel.name] = kernel
    return reading.program


# ---- data -----------------------------------------------------------------------------------------------------------


def _place_data(reading: _Reading) -> None:
    """What kernels may only read comes first, then the variables."""
    kept = [s for s in reading.code.sections if s.loaded and s.kind in _KEPT and not s.executable]
    data = reading.program.data
    variables = [s for s in kept if s.writable and s.name not in _NEVER_WRITTEN]
    for section in (s for s in kept if s not in variables):
        _append(reading, section)
    data += bytes(-len(data) % _ALIGNMENT)
    reading.program.writable_at = len(data)
    for section in variables:
        _append(reading, section)


def _append(reading: _Reading, section: Section) -> None:
    data = reading.program.data
    align = max(section.align, 1)
    data += bytes((section.address - len(data)) % align)
    reading.places.append((section.address, section.address + len(section.data), len(data)))
    data += section.data


def _offset(reading: _Reading, address: int) -> int | None:
    """Where in the program's data an address is; the end of a section is one of its addresses."""
    for inclusive in (0, 1):
        for begin, end, at in reading.places:
            if begin <= address < end + inclusive:
                return at + address - begin
    return None


# ---- code -----------------------------------------------------------------------------------------------------------


def _read_code(reading: _Reading) -> list[int]:
    """Decodes every section with code, in the order of the file, and returns where its jumps lead."""
    targets = []
    lines = reading.program.lines
    for section in reading.code.sections:
        if not section.executable or section.kind not in _KEPT:
            continue
        at = 0
        while at < len(section.data):
            address = section.address + at
            piece = disassemble(section.data, at, address)
            reading.indices[address] = len(lines)
            reading.addresses.append(address)
            file, line, column = reading.lines.place(address)
            lines.append(Line(piece.text, address, file, line, column=column))
            if piece.target is not None:
                targets.append(piece.target)
            at += piece.size
    return targets


def _name_places(reading: _Reading) -> None:
    """Functions, kernels and variables by their names."""
    program = reading.program
    sections = reading.code.sections
    for symbol in reading.code.symbols:
        if not 0 < symbol.section < len(sections):
            continue
        if sections[symbol.section].executable:
            if symbol.value in reading.indices:
                # Labels of hand-written assembly are symbols too, and no functions.
                inner = not symbol.kind and not symbol.binding
                program.labels[f".L{symbol.name}" if inner else symbol.name] = reading.indices[symbol.value]
                end = reading.indices.get(symbol.value + symbol.size)
                if symbol.size and end is not None:  # behind it lies what only aligns the next one
                    program.labels.setdefault(f"{symbol.name}.end", end)
        elif (at := _offset(reading, symbol.value)) is not None:
            program.objects[symbol.name] = at
            program.sizes[symbol.name] = symbol.size


def _code_name(reading: _Reading, address: int) -> str:
    """The label of an instruction. Raises CodeObjectError where none begins."""
    name = label(address)
    if address not in reading.indices:
        raise CodeObjectError(f"code jumps to {address:#x}, where no instruction begins")
    reading.program.labels[name] = reading.indices[address]
    return name


def _name(reading: _Reading, address: int) -> str:
    """What a place is called, in code or in data."""
    if address in reading.indices:
        return _code_name(reading, address)
    at = _offset(reading, address)
    if at is None:
        raise CodeObjectError(f"{address:#x} is neither code nor data of the code object")
    name = f".D_{address:x}"
    reading.program.objects[name] = at
    return name


_GETPC = re.compile(r"s_getpc_b64 s\[(\d+):(\d+)\]")
_ADD = re.compile(r"(s_add_u32|s_addc_u32|s_sub_u32|s_subb_u32) s(\d+), s(\d+), (-?\d\w*)$")
_NEAR = 24  # instructions in which the distance is added


def _follow_addresses(reading: _Reading) -> None:
    """Distances that are added to the program counter become names of what they lead to."""
    lines = reading.program.lines
    ends = set(reading.program.labels.values())
    for index, line in enumerate(lines):
        if getpc := _GETPC.match(line.text):
            _follow(reading, index, int(getpc[1]), ends)


def _follow(reading: _Reading, index: int, register: int, ends: set[int]) -> None:
    lines = reading.program.lines
    halves: dict[int, tuple[int, int, str]] = {}  # of the address: the instruction, its number, its name
    for at in range(index + 1, min(index + _NEAR, len(lines))):
        if at in ends or len(halves) == 2:
            break
        added = _ADD.match(lines[at].text)
        if added and added[2] == added[3] and int(added[2]) - register in (0, 1):
            half = int(added[2]) - register
            if half in halves or (half == 1) is not added[1].startswith(("s_addc", "s_subb")):
                break
            halves[half] = at, int(added[4], 0), added[1]
    if len(halves) != 2 or halves[0][2][2:5] != halves[1][2][2:5]:
        address = reading.addresses[index]
        raise CodeObjectError(f"what is added to the program counter at {address:#x} is not understood")
    distance = (halves[0][1] & 0xFFFFFFFF) | (halves[1][1] & 0xFFFFFFFF) << 32
    if halves[0][2].startswith("s_sub"):
        distance = -distance
    address = (reading.addresses[index] + 4 + distance) & 0xFFFFFFFFFFFFFFFF
    name = _name(reading, address)
    for half, (at, _, _) in halves.items():
        # Such a symbol stands for its distance from the literal that names it.
        addend = (at - index - 1) * _INSTRUCTION_BYTES + _LITERAL_AT
        operation = "s_addc_u32" if half else "s_add_u32"
        text = f"{operation} s{register + half}, s{register + half}, {name}@rel32@{'hi' if half else 'lo'}+{addend}"
        lines[at] = replace(lines[at], text=text)


# ---- relocations and kernels ----------------------------------------------------------------------------------------


def _reference(reading: _Reading, relocation: Relocation) -> Reference | None:
    if relocation.kind == _NONE:
        return None
    place = _offset(reading, relocation.place)
    if place is None:
        raise CodeObjectError(f"a relocation at {relocation.place:#x} is for no data of the code object")
    if relocation.kind == _RELATIVE:
        return Reference(place, 8, _name(reading, relocation.addend), 0)
    size = _ABSOLUTE.get(relocation.kind)
    if size is None or relocation.symbol is None:
        raise CodeObjectError(f"a relocation of kind {relocation.kind} at {relocation.place:#x} is not understood")
    return Reference(place, size, relocation.symbol.name, relocation.addend)


def _kernel(reading: _Reading, about: dict[str, object]) -> Kernel:
    """A kernel of the note, with what its descriptor says."""
    name, symbol = str(about.get(".name", "")), str(about.get(".symbol", ""))
    place = reading.program.objects.get(symbol)
    if place is None:
        raise CodeObjectError(f"kernel {name} has no descriptor ({symbol})")
    words = descriptor(bytes(reading.program.data[place : place + 64]))
    entry = symbol.removesuffix(".kd")
    for key, own in (
        ("kernarg_size", ".kernarg_segment_size"),
        ("group_segment_fixed_size", ".group_segment_fixed_size"),
    ):
        words[key] = str(max(int(words[key]), int(str(about.get(own, 0)))))  # hand-written descriptors leave them out
    given = about.get(".args") or []
    metadata = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in about.items()}
    if ".agpr_count" not in about:
        # Where accumulators would begin says nothing of code that has none: all of its registers are vector registers
        accumulates = any(_ACCUMULATOR.search(line.text) for line in reading.program.lines)
        begin = int(words["accum_offset"]) if accumulates else int(words["next_free_vgpr"])
        metadata[".agpr_count"] = str(max(0, int(words["next_free_vgpr"]) - begin))
    arguments = [
        Argument(int(a[".offset"]), int(a[".size"]), str(a.get(".value_kind", "")), str(a.get(".name", "")))
        for a in (given if isinstance(given, list) else [])
    ]
    return Kernel(entry, words, metadata, arguments)
