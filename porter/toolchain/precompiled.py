"""HIP's headers and torch's, precompiled: most of a small source's compilation is spent on them, the same each time.

A set of flags gets its precompiled header at its second compilation, because making one costs as much as compiling
without. It serves sources that include hip_runtime.h, or that and torch/extension.h, before anything that could change what is
in them.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence
from pathlib import Path

from porter.errors import CompileError
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain.process import run
from porter.toolchain.store import digest, file_digest, keep, seen_before, stamp

__all__ = ["header_flags", "starts_with_hip"]

_SENSITIVE = ("HIP", "_", "NDEBUG", "WIN32", "__")  # macros that HIP's headers or those below them look at
_OWN_WORDS = ("-D", "-U", "-I", "-i", "-x")  # flags that may change what the headers are
# What may stand before it: nothing of it looks at macros of porter's, and those of HIP's headers that ports include
# are the same before it and after it.
_SKIP = re.compile(
    rb"\s+|//[^\n]*|/\*.*?\*/|#[ \t]*pragma[ \t]+once|#[ \t]*define[ \t]+PORTER_\w+[^\\\n]*(?=\n)"
    rb"|#[ \t]*include[ \t]*(?:<hip/hip_(?:bf16|fp16|fp8)\.h>|<(?!hip|roc|cu)[^>\n]+>|\"(?:\.\./)*porter/[^\"\n]+\")",
    re.DOTALL,
)
_HIP = re.compile(rb'#[ \t]*include[ \t]*[<"]hip/hip_runtime\.h[>"]')
_TORCH = re.compile(rb'#[ \t]*include[ \t]*[<"]torch/extension\.h[>"]')
_OF_TORCH = ("torch/extension.h", "torch/all.h", "Python.h")  # each of torch's folders, and Python's, has one of them
_WHOLE = re.compile(rb'#[ \t]*include[ \t]*"(/[^"\n]+)"')  # a harness's file around a source


def starts_with_hip(source: Path) -> bool:
    """Whether hip_runtime.h comes before any definition and before headers that may not come after it."""
    return _starts_with((_HIP,), source)


def _starts_with(wanted: Sequence[re.Pattern[bytes]], source: Path, around: bool = True) -> bool:
    """The same for several headers in this order. `around`: they may be in the file that the source includes first, by its whole
    path."""
    try:
        with source.open("rb") as file:
            head = file.read(1 << 16)
    except OSError:
        return False
    at = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    for number, header in enumerate(wanted):
        while not (line := header.match(head, at)):
            skip = _SKIP.match(head, at)
            if skip is None:
                whole = _WHOLE.match(head, at) if number == 0 else None
                return around and whole is not None and _starts_with(wanted, Path(os.fsdecode(whole[1])), around=False)
            at = skip.end()
        at = line.end()
    return True


def header_flags(
    command: Sequence[str], source: Path, defines: Sequence[str], flags: Sequence[str], identity: str
) -> tuple[str, ...]:
    """What to add to `command` so that it starts from the precompiled header; nothing where that may not be.

    `command` is the compilation without its source and output, `defines` and `flags` the caller's part of it.
    """
    torch = [word for word in command if word.startswith("-I") and _of_torch(Path(word[2:]))]
    if torch and _starts_with((_HIP, _TORCH), source):
        ours = [word for word in command if not word.startswith(("-I", "-fdebug-prefix-map="))]
        about = identity, *map(_stamps, torch)
        instantiated = ("-fpch-instantiate-templates",)  # a third of what is left of a source's compilation
        headers = ("hip/hip_runtime.h", "torch/extension.h")
        return _precompiled((*ours, *dict.fromkeys(torch)), headers, *about, extra=instantiated)
    if any(name.startswith(_SENSITIVE) for name in defines) or any(word.startswith(_OWN_WORDS) for word in flags):
        return ()
    if not starts_with_hip(source):
        return ()
    dropped = {f"-D{name}" for name in defines}
    words = [word for word in command if word not in dropped and not word.startswith("-I")]
    return _precompiled(words, ("hip/hip_runtime.h",), identity)


def _precompiled(
    command: Sequence[str], headers: Sequence[str], *about: str, extra: Sequence[str] = ()
) -> tuple[str, ...]:
    """The flags for a header that includes these, compiled as `command` has it; none at the first time. `about`: what else the
    headers depend on."""
    words = tuple(word for word in command if not word.startswith("-cuid=") and word not in ("-S", "-c"))
    key = digest("precompiled", _printf_digest(), *headers, *about, *words)
    if not seen_before(key):
        return ()

    def write(out: Path) -> str:
        out.write_text("".join(f"#include <{header}>\n" for header in headers))
        return ""

    text = keep(digest("prelude", *headers), ".h", write)

    def make(out: Path) -> str:
        emit = ("-fsyntax-only", *extra, "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp")
        return run((*words, *emit, "-Xclang", "-o", "-Xclang", str(out), str(text)), " and ".join(headers))

    try:
        made = keep(key, ".pch", make)
    except CompileError:
        return ()
    return "-Xclang", "-include-pch", "-Xclang", str(made)


def _of_torch(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _OF_TORCH)


def _stamps(word: str) -> str:
    """What changes when another release is installed there."""
    return "".join(stamp(str(path)) for name in _OF_TORCH if (path := Path(word[2:]) / name).is_file())


@functools.cache
def _printf_digest() -> str:
    return file_digest(RUNTIME_INCLUDE / "porter" / "device_printf.h")
