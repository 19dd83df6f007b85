"""HIP's headers, precompiled: three quarters of a small source's compilation is spent on them, the same each time.

A set of flags gets its precompiled header at its second compilation, because making one costs as much as compiling
without. It serves sources that include hip_runtime.h before anything that could change what is in it.
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
from porter.toolchain.store import digest, file_digest, keep, seen_before

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
_WHOLE = re.compile(rb'#[ \t]*include[ \t]*"(/[^"\n]+)"')  # a harness's file around a source


def starts_with_hip(source: Path, around: bool = True) -> bool:
    """Whether hip_runtime.h comes before any definition and before headers that may not come after it.

    `around`: it may be in the file that the source includes first, by its whole path.
    """
    try:
        with source.open("rb") as file:
            head = file.read(1 << 16)
    except OSError:
        return False
    at = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    while not _HIP.match(head, at):
        skip = _SKIP.match(head, at)
        if skip is None:
            whole = _WHOLE.match(head, at)
            return around and whole is not None and starts_with_hip(Path(os.fsdecode(whole[1])), around=False)
        at = skip.end()
    return True


def header_flags(
    command: Sequence[str], source: Path, defines: Sequence[str], flags: Sequence[str], identity: str
) -> tuple[str, ...]:
    """What to add to `command` so that it starts from the precompiled header; nothing where that may not be.

    `command` is the compilation without its source and output, `defines` and `flags` the caller's part of it.
    """
    if any(name.startswith(_SENSITIVE) for name in defines) or any(word.startswith(_OWN_WORDS) for word in flags):
        return ()
    if not starts_with_hip(source):
        return ()
    dropped = {f"-D{name}" for name in defines}
    words = tuple(
        word
        for word in command
        if word not in dropped and not word.startswith(("-I", "-cuid=")) and word not in ("-S", "-c")
    )
    key = digest("precompiled", identity, _printf_digest(), *words)
    if not seen_before(key):
        return ()
    text = keep(digest("prelude"), ".h", _write_prelude)

    def make(out: Path) -> str:
        emit = ("-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp")
        return run((*words, *emit, "-Xclang", "-o", "-Xclang", str(out), str(text)), "HIP's headers")

    try:
        made = keep(key, ".pch", make)
    except CompileError:
        return ()
    return "-Xclang", "-include-pch", "-Xclang", str(made)


def _write_prelude(out: Path) -> str:
    out.write_text("#include <hip/hip_runtime.h>\n")
    return ""


@functools.cache
def _printf_digest() -> str:
    return file_digest(RUNTIME_INCLUDE / "porter" / "device_printf.h")
