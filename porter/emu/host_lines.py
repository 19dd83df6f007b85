"""Where the host's own code was, for findings of the runtime (host/memory/host_accesses.cpp): a folder with a request comes in, and
the answer goes into it.

The request is `frames`, with a zero byte behind each item. For each frame of the call, inner ones first, it has the
code's file, the address, and the file's begin in memory. The first address is of the instruction itself, the others are
where a call returns to. The answer: `place` in words, and `file` and `line` of the source.
"""

from __future__ import annotations

import bisect
import struct
from collections.abc import Sequence
from pathlib import Path

from porter.emu.elf.line_table import LineTable, line_table
from porter.toolchain.elf_sections import elf_sections

__all__ = ["Frame", "main", "place_of"]

Frame = tuple[str, int, int]
_SYSTEM = ("/usr/", "/lib")
_FIXED_ADDRESSES = 2  # e_type of a program that is not moved


def main(folder: str) -> int:
    """0; the answer may be empty."""
    items = Path(folder, "frames").read_bytes().decode("utf-8", "replace").split("\0")[:-1]
    frames = [(name, int(address), int(base)) for name, address, base in zip(items[::3], items[1::3], items[2::3])]
    for name, text in zip(("place", "file", "line"), place_of(frames)):
        Path(folder, name).write_text(str(text))
    return 0


def place_of(frames: Sequence[Frame]) -> tuple[str, str, int]:
    """The place in words, the file and the line of the innermost frame that is in a source of the program's own. Where that
    inlined a function of a header, it is the line before. Without lines: the file of the code and the distance in it, and 0.
    """
    tables: dict[str, tuple[LineTable, bool]] = {}
    for number, (name, address, base) in enumerate(frames):
        if name not in tables:
            tables[name] = _lines(name)
        lines, fixed = tables[name]
        at = bisect.bisect_right(lines.addresses, (address if fixed else address - base) - (number > 0)) - 1
        near = ""
        while at >= 0 and lines.places[at][1]:
            file, line, _ = lines.places[at]
            if not _of_a_library(lines.files[file]):
                return f"{near}{lines.files[file]}:{line}", lines.files[file], line
            near, at = "or behind ", at - 1
    name, address, base = next((frame for frame in frames if not frame[0].startswith(_SYSTEM)), ("", 0, 0))
    return (f"{name}+0x{address - base:x}" if name else ""), "", 0


def _of_a_library(file: str) -> bool:
    """A header of the compiler or the system, whose functions are inlined."""
    return file.startswith(_SYSTEM) or "/include/" in file


def _lines(name: str) -> tuple[LineTable, bool]:
    try:
        data = Path(name).read_bytes()
        sections = {one.name: one.data for one in elf_sections(data) if one.name.startswith(".debug_")}
        return line_table(sections), struct.unpack_from("<H", data, 16)[0] == _FIXED_ADDRESSES
    except (OSError, struct.error, IndexError, ValueError):
        return LineTable(), False
