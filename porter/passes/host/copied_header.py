"""`#pragma once` in a unit that torch's extension builder compiles: its hipify copies headers, and some files go on including
what it copied."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from porter.findings import Edit, Finding, Safety, decode, encode
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["has_copies", "is_once", "run"]

MESSAGE = "torch's hipify copies this header, and the unit includes both: an include guard holds for the copy too"
_ONCE = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)
# The files whose #include lines hipify changes.
_READ = frozenset({".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".in", ".hpp"})
_NOT_READ = re.compile(rb"^[ \t]*#(?!include [<\"])[ \t]*include[ \t]*[<\"]([^>\"\r\n]+)", re.MULTILINE)
_TORCH = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"](?:torch|ATen|c10|pybind11)/", re.MULTILINE)


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if not unit.has(_ONCE) or not unit.tokens or not has_copies(unit.members):
        return []
    name = re.sub(r"\W", "_", unit.path.name)
    guard = f"PORTER_ONCE_{name}_{hashlib.sha256(encode(unit.file.text)).hexdigest()[:8]}".upper()
    start = min([unit.tokens[0].start, *(one.start for one in unit.file.directives[:1])])
    end = len(unit.file.text)
    line = "" if unit.file.text.endswith("\n") else "\n"
    edits = (
        Edit(start, start, f"#ifndef {guard}\n#define {guard}\n"),
        Edit(end, end, f"{line}#endif  // {guard}\n"),
    )
    return [Finding("copied-header", start, start, Safety.EXACT, MESSAGE, edits)]


def is_once(data: bytes) -> bool:
    """Whether a file is read once by `#pragma once`."""
    return _ONCE.search(data) is not None


def has_copies(members: Sequence[SourceFile]) -> bool:
    """Whether hipify runs over a unit, and a file of it includes the project's by lines that hipify does not change."""
    if not any(one.has(_TORCH) for one in members):
        return False
    names = {one.path.name for one in members}
    return any(one.path.suffix not in _READ and one.includes for one in members) or any(
        name.rpartition("/")[2] in names for one in members if one.has(_NOT_READ) for name in _unread(one)
    )


def _unread(source: SourceFile) -> list[str]:
    return [decode(unread[1]) for unread in _NOT_READ.finditer(source.data)]
