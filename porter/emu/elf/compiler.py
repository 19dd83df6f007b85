"""Which compiler made device code, as the code itself says: in assembly text, or in the sections of a code object."""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.toolchain.elf_sections import elf_sections

__all__ = ["Compiler", "compiler_of"]

_COMMENT, _COMMAND_LINE, _TEXTS = ".comment", ".GCC.command.line", ".debug_str"
_IDENT = re.compile(rb'^\s*\.ident\s+"([^"\n]+)"', re.MULTILINE)
_PRODUCER = re.compile(rb'clang version [^\0"\n]+')
_COMMAND = re.compile(
    rb'\.section\s+\.GCC\.command\.line.*\n\s*\.zero\s+1\n((?:\s*\.asci[iz]\s+"[^"\n]*"\n|\s*\.zero\s+1\n)+)'
)
_LINKER = b"Linker:"
_CHECKOUT = re.compile(r"https?://\S+|\b[0-9a-f]{40}\b")


@dataclass(frozen=True, slots=True)
class Compiler:
    """`version`: name and version, empty where the code does not say; `flags`: empty where they are not recorded."""

    version: str = ""
    flags: str = ""


def compiler_of(code: bytes) -> Compiler:
    """The compiler of assembly text or of an ELF file."""
    if code.startswith(b"\x7fELF"):
        sections = {section.name: section.data for section in elf_sections(code)}
        named = [text for text in sections.get(_COMMENT, b"").split(b"\0") if text and not text.startswith(_LINKER)]
        recorded = sections.get(_COMMAND_LINE, b"").replace(b"\0", b" ")
        texts = sections.get(_TEXTS, b"")
    else:
        named = _IDENT.findall(code)
        block = _COMMAND.search(code)
        recorded = b" ".join(re.findall(rb'"([^"\n]*)"', block[1])) if block else b""
        texts = code
    ident = named[0] if named else b""
    producers = _PRODUCER.findall(texts)
    # With -grecord-command-line the producer of the debug information ends with the flags.
    own = ident[ident.find(b"clang version") :] if b"clang version" in ident else b""
    behind = [text[len(own) :] for text in producers if own and text.startswith(own)]
    flags = recorded or max(behind, key=len, default=b"")
    return Compiler(_short(ident or min(producers, key=len, default=b"")), flags.decode("utf-8", "replace").strip())


def _short(version: bytes) -> str:
    """Without the address and the commit of the compiler's sources."""
    text = " ".join(_CHECKOUT.sub("", version.decode("utf-8", "replace")).split())
    return text.replace("( ", "(").replace(" )", ")").replace("()", "").strip()
