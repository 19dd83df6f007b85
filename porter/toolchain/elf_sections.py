"""The sections of ELF files: code objects, and what compilers make for the host."""

from __future__ import annotations

import struct
from dataclasses import dataclass

__all__ = ["ELF", "Section", "elf_sections", "text_at"]

ELF = b"\x7fELF"
_NOBITS = 8
_ALLOCATED, _WRITABLE, _EXECUTABLE = 2, 1, 4


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    kind: int
    flags: int
    address: int
    data: bytes  # zeros where the file has none
    align: int
    link: int
    entry: int

    @property
    def executable(self) -> bool:
        return bool(self.flags & _EXECUTABLE)

    @property
    def loaded(self) -> bool:
        return bool(self.flags & _ALLOCATED)

    @property
    def writable(self) -> bool:
        return bool(self.flags & _WRITABLE)


def elf_sections(data: bytes) -> tuple[Section, ...]:
    """Of an ELF file of 64 bits, for any machine. ValueError, IndexError or struct.error where it is none."""
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + size * at) for at in range(count)]
    if not headers:
        raise ValueError("it has no sections: it was stripped of what says where its code is")
    texts = data[headers[names][4] : headers[names][4] + headers[names][5]]
    return tuple(
        Section(
            text_at(texts, name), kind, flags, address,
            bytes(length) if kind == _NOBITS else data[offset : offset + length], align, link, entry,
        )
        for name, kind, flags, address, offset, length, link, _, align, entry in headers
    )  # fmt: skip


def text_at(table: bytes, at: int) -> str:
    """The string of a table of strings that begins there."""
    return table[at : table.index(b"\0", at)].decode("utf-8", "replace")
