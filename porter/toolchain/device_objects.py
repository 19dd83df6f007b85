"""Device code in objects and static libraries that `hipcc -c -fgpu-rdc` and `hipcc --emit-static-lib` made.

Such an object is the host's, with the device code of each target as LLVM bitcode in a section named after it. The host code
names the symbols that the program's own fat binary has to define.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.errors import InputError
from porter.toolchain.elf_sections import ELF, elf_sections

__all__ = ["DeviceObject", "device_objects"]

_SECTION = "__CLANG_OFFLOAD_BUNDLE__"
_NEW = ".llvm.offloading"
_ARCHIVE, _THIN = b"!<arch>\n", b"!<thin>\n"


@dataclass(frozen=True, slots=True)
class DeviceObject:
    """One object: where it is, for messages; the bitcode for this GPU; the host's half as it lies in the file."""

    name: str
    bitcode: bytes
    host: bytes


def device_objects(path: Path, target: str) -> list[DeviceObject]:
    """Those for a chip of an object or a static library; none in one that has host code alone. InputError where device code cannot be
    linked here."""
    data = path.read_bytes()
    if data.startswith(_THIN):
        raise InputError(
            f"{path}: a thin archive, which holds the names of its objects alone", "name the objects themselves"
        )
    members = _members(data) if data.startswith(_ARCHIVE) else [("", data)]
    return [
        object_here
        for name, member in members
        if (object_here := _read(f"{path}({name})" if name else str(path), member, target))
    ]


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    at = len(_ARCHIVE)
    names = b""
    while at + 60 <= len(data):
        name, size = data[at : at + 16].rstrip(), int(data[at + 48 : at + 58])
        content = data[at + 60 : at + 60 + size]
        if name == b"//":
            names = content
        elif name not in (b"/", b"/SYM64/"):
            if name.startswith(b"/"):  # where it is in the table of long names
                start = int(name[1:])
                name = names[start : names.index(b"\n", start)]
            yield name.rstrip(b"/").decode("utf-8", "replace"), content
        at += 60 + size + size % 2


def _read(name: str, data: bytes, target: str) -> DeviceObject | None:
    if not data.startswith(ELF):
        return None
    try:
        sections = {section.name: section.data for section in elf_sections(data)}
    except (ValueError, IndexError, struct.error):
        return None  # the linker says what is wrong with it
    if _NEW in sections:
        raise InputError(
            f"{name}: device code of clang's new offload driver, which porter does not link",
            "compile it with --no-offload-new-driver, or give porter its source",
        )
    targets = {text[len(_SECTION) :]: code for text, code in sections.items() if text.startswith(f"{_SECTION}hip")}
    if not targets:
        return None
    bitcode = next((code for named, code in targets.items() if target in named), b"")
    if not bitcode:
        raise InputError(
            f"{name}: device code for {', '.join(targets)}, none for {target}",
            f"compile it with --offload-arch={target}",
        )
    if not bitcode.startswith((b"BC\xc0\xde", b"\xde\xc0\x17\x0b")):
        raise InputError(f"{name}: its device code is no LLVM bitcode", "compile it with -fgpu-rdc")
    return DeviceObject(name, bitcode, data)
