"""The source lines of machine code: DWARF's .debug_line, versions 2 to 5."""

from __future__ import annotations

import bisect
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["LineTable", "line_table"]

_STRING, _LINE_STRP, _STRP, _UDATA, _DATA16 = 0x08, 0x1F, 0x0E, 0x0F, 0x1E
_FIXED = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, _DATA16: 16}  # DW_FORM_data*: bytes
_PATH, _DIRECTORY = 1, 2  # DW_LNCT_*


@dataclass(slots=True)
class LineTable:
    """Where runs of instructions begin, and what they were compiled from."""

    files: list[str] = field(default_factory=lambda: [""])
    addresses: list[int] = field(default_factory=list)  # ascending
    places: list[tuple[int, int, int]] = field(default_factory=list)  # file, line, column; line 0: nobody says

    def place(self, address: int) -> tuple[int, int, int]:
        at = bisect.bisect_right(self.addresses, address) - 1
        return self.places[at] if at >= 0 else (0, 0, 0)


def line_table(sections: Mapping[str, bytes]) -> LineTable:
    """Of the debug sections by name. Empty where there are none, or none that can be read."""
    table = LineTable()
    data = sections.get(".debug_line", b"")
    rows: list[tuple[int, tuple[int, int, int]]] = []
    at = 0
    try:
        while at + 4 <= len(data):
            (length,) = struct.unpack_from("<I", data, at)
            rows += _Unit(data[: at + 4 + length], at + 4, sections, table).run()
            at += 4 + length
    except (IndexError, struct.error, ValueError):
        return LineTable()  # what was made by somebody else may be in a form of its own: findings have no lines then
    for address, place in sorted(rows, key=lambda row: row[0]):
        table.addresses.append(address)
        table.places.append(place)
    return table


class _Unit:
    """One unit's header, and the machine that its program runs on."""

    def __init__(self, data: bytes, at: int, sections: Mapping[str, bytes], table: LineTable) -> None:
        self.data, self.at, self.sections, self.table = data, at, sections, table
        version = self._number("<H")
        if version >= 5:
            self.at += 2  # sizes of addresses and segment selectors
        header_length = self._number("<I")
        self.program_at = self.at + header_length
        self.step = self._number("<B")
        if version >= 4:
            self.at += 1  # operations of an instruction
        self.at += 1
        self.line_base, self.line_range, self.opcode_base = (self._number(kind) for kind in ("<b", "<B", "<B"))
        self.lengths = data[self.at : self.at + self.opcode_base - 1]
        self.at += self.opcode_base - 1
        self.files = self._files_5() if version >= 5 else self._files_4()

    def _number(self, layout: str) -> int:
        (value,) = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return int(value)

    def _leb(self, signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value

    def _string(self) -> str:
        end = self.data.index(b"\0", self.at)
        text = self.data[self.at : end].decode("utf-8", "replace")
        self.at = end + 1
        return text

    def _numbered(self, folder: str, name: str) -> int:
        path = name if name.startswith("/") or not folder else os.path.join(folder, name)
        if path not in self.table.files:
            self.table.files.append(path)
        return self.table.files.index(path)

    def _files_4(self) -> dict[int, int]:
        folders = [""]
        while self.data[self.at]:
            folders.append(self._string())
        self.at += 1
        numbers: dict[int, int] = {}
        while self.data[self.at]:
            name = self._string()
            folder, _, _ = self._leb(), self._leb(), self._leb()
            numbers[len(numbers) + 1] = self._numbered(folders[folder], name)
        return numbers

    def _files_5(self) -> dict[int, int]:
        folders = [str(entry.get(_PATH, "")) for entry in self._entries()]
        return {
            at: self._numbered(folders[int(entry.get(_DIRECTORY, 0))] if folders else "", str(entry.get(_PATH, "")))
            for at, entry in enumerate(self._entries())
        }

    def _entries(self) -> list[dict[int, str | int]]:
        forms = [(self._leb(), self._leb()) for _ in range(self._number("<B"))]
        return [{kind: self._form(form) for kind, form in forms} for _ in range(self._leb())]

    def _form(self, form: int) -> str | int:
        if form == _STRING:
            return self._string()
        if form in (_LINE_STRP, _STRP):
            place = self._number("<I")
            texts = self.sections[".debug_line_str" if form == _LINE_STRP else ".debug_str"]
            return texts[place : texts.index(b"\0", place)].decode("utf-8", "replace")
        if form == _UDATA:
            return self._leb()
        if form not in _FIXED:
            raise ValueError(form)
        self.at += _FIXED[form]
        return int.from_bytes(self.data[self.at - _FIXED[form] : self.at], "little")

    def run(self) -> list[tuple[int, tuple[int, int, int]]]:
        """Each place where the line changes, and an end without a line behind every sequence."""
        rows: list[tuple[int, tuple[int, int, int]]] = []
        self.at = self.program_at
        address, file, line, column = 0, 1, 1, 0
        while self.at < len(self.data):
            opcode = self._number("<B")
            if opcode >= self.opcode_base:
                special = opcode - self.opcode_base
                address += special // self.line_range * self.step
                line += self.line_base + special % self.line_range
                rows.append((address, (self.files.get(file, 0), line, column)))
            elif opcode == 0:
                size = self._leb()
                end = self.at + size
                kind = self._number("<B")
                if kind == 1:  # the end of a sequence
                    rows.append((address, (0, 0, 0)))
                    address, file, line, column = 0, 1, 1, 0
                elif kind == 2:
                    address = int.from_bytes(self.data[self.at : end], "little")
                self.at = end
            elif opcode == 1:
                rows.append((address, (self.files.get(file, 0), line, column)))
            elif opcode == 2:
                address += self._leb() * self.step
            elif opcode == 3:
                line += self._leb(signed=True)
            elif opcode == 4:
                file = self._leb()
            elif opcode == 5:
                column = self._leb()
            elif opcode == 8:
                address += (255 - self.opcode_base) // self.line_range * self.step
            elif opcode == 9:
                address += self._number("<H")
            else:
                for _ in range(self.lengths[opcode - 1]):
                    self._leb()
        return rows
