"""Code objects as data: the bundle that clang puts them into, the sections and symbols of an ELF for the GPU, its note."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from porter.chip import EMULATED
from porter.emu.elf.notes import unpack
from porter.errors import PorterError
from porter.toolchain.elf_sections import ELF, Section, elf_sections, text_at

__all__ = [
    "CodeObject",
    "CodeObjectError",
    "Relocation",
    "Symbol",
    "code_object",
    "is_code_object",
    "unbundled",
]

_BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
_COMPRESSED = b"CCOB"
_AMDGPU, _METADATA = 224, 32  # e_machine; the type of the note
_OTHERS = {0x4F: "gfx950", 0x3F: "gfx90a", 0x40: "gfx940", 0x4B: "gfx941"}  # of e_flags, for messages
_RELA, _SYMBOLS, _DYNAMIC_SYMBOLS, _NOTE = 4, 2, 11, 7


class CodeObjectError(PorterError):
    """Bytes that are no code object of this GPU; the text says what they are."""


@dataclass(frozen=True, slots=True)
class Symbol:
    name: str
    value: int
    size: int
    kind: int  # 1 object, 2 function
    section: int  # 0: not defined here
    binding: int


@dataclass(frozen=True, slots=True)
class Relocation:
    place: int  # an address
    kind: int
    symbol: Symbol | None
    addend: int


@dataclass(frozen=True, slots=True)
class CodeObject:
    sections: tuple[Section, ...]
    symbols: tuple[Symbol, ...]
    relocations: tuple[Relocation, ...]
    metadata: dict[str, Any]  # of the note: amdhsa.kernels and so on


def is_code_object(data: bytes) -> bool:
    """Whether a file is an ELF file for AMD's GPUs, or a bundle."""
    if data.startswith((_BUNDLE, _COMPRESSED)):
        return True
    return data.startswith(ELF) and data[18:20] == _AMDGPU.to_bytes(2, "little")


def unbundled(data: bytes) -> bytes:
    """The code object for this GPU in a bundle; an ELF is one already."""
    if data.startswith(_COMPRESSED):
        raise CodeObjectError("the bundle is compressed; build it with --no-offload-compress")
    if not data.startswith(_BUNDLE):
        return data
    try:
        (count,) = struct.unpack_from("<Q", data, len(_BUNDLE))
        at = len(_BUNDLE) + 8
        targets = []
        for _ in range(count):
            offset, size, length = struct.unpack_from("<QQQ", data, at)
            name = data[at + 24 : at + 24 + length].decode("utf-8", "replace")
            at += 24 + length
            if name.startswith("hip") and EMULATED.target in name and size:
                return data[offset : offset + size]
            targets.append(name)
    except struct.error as error:
        raise CodeObjectError("the bundle is cut off") from error
    raise CodeObjectError(f"it has no code for {EMULATED.target}, but for {', '.join(targets)}")


def code_object(data: bytes) -> CodeObject:
    """An ELF file, read. Raises CodeObjectError where it is none for this GPU."""
    try:
        return _code_object(data)
    except (struct.error, IndexError, ValueError) as error:
        raise CodeObjectError(f"the code object is damaged: {error}") from error


def _code_object(data: bytes) -> CodeObject:
    if not data.startswith(ELF):
        raise CodeObjectError("it is no code object: neither an ELF file nor a bundle of them")
    machine = struct.unpack_from("<H", data, 18)[0]
    if data[4] != 2 or machine != _AMDGPU:
        raise CodeObjectError(f"it is an ELF file, but not for an AMD GPU (machine {machine})")
    mach = struct.unpack_from("<I", data, 48)[0] & 0xFF
    if mach != EMULATED.elf_machine:
        name = _OTHERS.get(mach, f"number {mach:#x}")
        raise CodeObjectError(f"it is for another GPU ({name}); the emulator's is {EMULATED.target}")
    sections = elf_sections(data)
    tables = [section for section in sections if section.kind in (_SYMBOLS, _DYNAMIC_SYMBOLS)]
    symbols = {id(table): _symbols(table, sections[table.link]) for table in tables}
    by_name = {symbol.name: symbol for table in tables for symbol in symbols[id(table)] if symbol.name}
    relocations = tuple(
        relocation
        for section in sections
        if section.kind == _RELA and section.loaded
        for relocation in _relocations(section, symbols.get(id(sections[section.link]), ()))
    )
    return CodeObject(sections, tuple(by_name.values()), relocations, _metadata(sections))


def _symbols(table: Section, names: Section) -> tuple[Symbol, ...]:
    symbols = []
    for at in range(0, len(table.data), 24):
        name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", table.data, at)
        symbols.append(Symbol(text_at(names.data, name), value, size, info & 15, section, info >> 4))
    return tuple(symbols)


def _relocations(section: Section, symbols: tuple[Symbol, ...]) -> list[Relocation]:
    relocations = []
    for at in range(0, len(section.data), 24):
        place, info, addend = struct.unpack_from("<QQq", section.data, at)
        relocations.append(Relocation(place, info & 0xFFFFFFFF, symbols[info >> 32] if info >> 32 else None, addend))
    return relocations


def _metadata(sections: tuple[Section, ...]) -> dict[str, Any]:
    for section in sections:
        if section.kind != _NOTE:
            continue
        at = 0
        while at + 12 <= len(section.data):
            name, size, kind = struct.unpack_from("<III", section.data, at)
            begin = at + 12 + -(-name // 4) * 4
            if kind == _METADATA and section.data[at + 12 : at + 18] == b"AMDGPU":
                metadata = unpack(section.data[begin : begin + size])
                if isinstance(metadata, dict):
                    return metadata
            at = begin + -(-size // 4) * 4
    raise CodeObjectError("the code object has no note with its kernels (code object version 3 or newer has one)")
