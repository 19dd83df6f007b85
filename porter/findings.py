"""The data that flows from stage to stage; frozen, without behaviour beyond derived facts.

Source text is bytes decoded as latin-1, so one character is one byte. Any byte sequence is a legal input, offsets are
byte offsets, and text without an edit comes out as it went in.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from porter.chip import DEFAULT_CHIP

__all__ = ["BUILDS", "Edit", "FilePort", "FileStatus", "Finding", "PortReport", "Safety", "decode", "encode", "hole"]


class Safety(enum.Enum):
    """How far the port of one site can be trusted, from best to worst."""

    EXACT = "exact"  # same meaning, same cost
    HINT = "hint"  # same meaning, but a number or a choice in it was made for NVIDIA's chips
    SLOWER = "slower"  # same meaning, costs more than a native rewrite would
    REVIEW = "review"  # ported, but a person must confirm the assumption that is named
    LEFT = "left"  # not ported: the site stands as it was, marked
    ERROR = "error"  # the compiler refuses the port here (porter convert --build)

    @property
    def needs_person(self) -> bool:
        return self in (Safety.REVIEW, Safety.LEFT, Safety.ERROR)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace source[start:end] by text. An insertion has start == end."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One site in one file: what was found (rule), and the edits that port it."""

    rule: str
    start: int
    end: int
    safety: Safety
    message: str
    edits: tuple[Edit, ...] = ()
    includes: tuple[str, ...] = ()  # headers that the edits rely on, e.g. "porter/warp.h"
    compiled: bool = True  # False: the port's compiler never sees the site, e.g. `#ifdef _WIN32`
    accepted: str = ""  # why it needs no person though its safety says so: what somebody wrote or set
    called: bool = True  # False: in a function or a branch of a library's header that nothing in the run reaches

    @property
    def needs_person(self) -> bool:
        return self.safety.needs_person and self.compiled and self.called and not self.accepted


BUILDS = ("compiles", "does not compile", "lacks headers", "not in the build", "not finished")


class FileStatus(enum.Enum):
    PORTED = "ported"
    UNCHANGED = "unchanged"  # parsed, held nothing to port
    ALREADY_HIP = "already-hip"
    PASSED_OVER = "passed-over"  # a name of a tree that is no file of it: a link, a pipe; `problem` says which
    FAILED = "failed"  # not ported at all; `problem` says why


@dataclass(frozen=True, slots=True)
class FilePort:
    """The port of one file: before, after and everything found on the way."""

    path: str  # as given, relative to the tree's root when there is one
    output: str  # where the port goes, likewise
    status: FileStatus
    source: str = ""
    port: str = ""
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()  # e.g. headers that were not found and stood in for by empty ones
    parser: str = (
        "libclang"  # "libclang", "libclang with errors", "tokens", "text" (build files), "" (nothing to parse)
    )
    problem: str = ""
    fix: str = ""
    conflicts: tuple[int, ...] = ()  # lines of the output that ask a person to settle a merge with changes by hand
    build: str = ""  # a word of BUILDS: what the compiler said of this translation unit; "" where it was not asked
    # Headers that a file must include before it includes this one within braces: `<name>`, `porter/name`.
    hoisted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PortReport:
    """All files of one run. Counts are derived, never stored."""

    files: tuple[FilePort, ...]
    target: str = DEFAULT_CHIP.target
    warp: int = 32
    seconds: float = 0.0
    version: str = ""
    built: bool = False  # the translation units of the port were compiled

    def count(self, safety: Safety) -> int:
        return sum(f.safety is safety for port in self.files for f in port.findings)

    @property
    def failed(self) -> tuple[FilePort, ...]:
        return tuple(f for f in self.files if f.status is FileStatus.FAILED)


def decode(data: bytes) -> str:
    return data.decode("latin-1")


def encode(text: str) -> bytes:
    return text.encode("latin-1")


def hole(start: int, end: int) -> str:
    """A mark in an edit's text that stands for source[start:end] as it comes out of the rewrite (port/edits/rewrite.py)."""
    return f"\u27e6{start}:{end}\u27e7"
