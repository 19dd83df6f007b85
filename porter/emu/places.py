"""Which source line an instruction belongs to: of a library's code that the compiler inlined, the user's own line."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from porter.paths import RUNTIME_INCLUDE

__all__ = ["Place", "in_library", "inlined_at", "place_of"]


@dataclass(frozen=True, slots=True)
class Place:
    """`inner_file` and `inner_line` say where in a library's header the instruction comes from; empty without one."""

    file: str
    line: int
    inner_file: str = ""
    inner_line: int = 0
    column: int = 0  # of `line`; 0: not known

    def __str__(self) -> str:
        inner = f" (in {self.inner_file.rpartition('/')[2]}:{self.inner_line})" if self.inner_line else ""
        return f"{self.file}:{self.line}{inner}" if self.line else ""


_FRAME = re.compile(r"(.*?):(\d+)(?::(\d+))?$")
_LIBRARY = re.compile(
    r"/(?:site|dist)-packages/|/porter/runtime/|^/usr/(?:local/)?(?:include|lib)|/opt/rocm|/rocm-[\d.]+/|/lib/clang/"
    r"|/include/(?:hip|hipcub|rocprim|rocwmma|thrust|c\+\+)/"
)


@functools.cache
def in_library(path: str) -> bool:
    """Whether a file is the toolchain's, ROCm's or porter's, by where it lies; porter's own lie beside ports, too."""
    parts = path.split("/")
    own = ("/".join(parts[-count:]) for count in range(2, 5))
    return _LIBRARY.search(path) is not None or not _runtime_headers().isdisjoint(own)


@functools.cache
def _runtime_headers() -> frozenset[str]:
    """The names by which ports include porter's headers."""
    return frozenset(path.relative_to(RUNTIME_INCLUDE).as_posix() for path in RUNTIME_INCLUDE.rglob("*.h*"))


def inlined_at(comment: str) -> tuple[tuple[str, int, int], ...]:
    """The callers, innermost first, that clang writes behind a .loc: `; a.h:1:2 @[ b.h:3:4 @[ c.hip:5:6 ] ]`."""
    frames = (_FRAME.match(part) for part in comment.rstrip(" ]").split(" @[ ")[1:])
    return tuple((frame[1], int(frame[2]), int(frame[3] or 0)) for frame in frames if frame)


def place_of(file: str, line: int, callers: tuple[tuple[str, int, int], ...], column: int = 0) -> Place:
    """Where a report says that the instruction is: in the innermost code that is no library's, if there is any."""
    if line and not in_library(file):
        return Place(file, line, column=column)
    for caller, caller_line, at in callers:
        if caller_line and not in_library(caller):
            inner = (file, line) if line and in_library(file) else ("", 0)
            return Place(caller, caller_line, *inner, at)
    return Place(file, line, column=column)
