"""Commands that say nothing once nvcc's flags are gone: `target_compile_options(app PRIVATE)` goes, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from porter.buildfiles.cmake_lexer import Command, lex_cmake
from porter.findings import Edit, Finding

__all__ = ["without_emptied"]

# How many arguments name what a command speaks of; the others are keywords or what it says.
_ABOUT = {
    "target_compile_options": 1, "target_link_options": 1, "target_compile_definitions": 1, "target_link_libraries": 1,
    "target_include_directories": 1, "add_compile_options": 0, "add_link_options": 0, "add_compile_definitions": 0,
    "add_definitions": 0, "link_libraries": 0, "include_directories": 0,
}  # fmt: skip
_KEYWORDS = frozenset({"PRIVATE", "PUBLIC", "INTERFACE", "BEFORE", "AFTER", "SYSTEM"})
_PROPERTIES = frozenset({"set_target_properties", "set_source_files_properties"})


def without_emptied(text: str, command: Command, findings: Sequence[Finding]) -> list[Finding]:
    """The findings of a command; all with one edit that removes it if there would be nothing left that it says."""
    edits = sorted({e for f in findings for e in f.edits}, key=lambda e: (e.start, e.end))
    if not edits or any(e.start < command.start or e.end > command.end for e in edits) or _says_nothing(command):
        return list(findings)
    ported = lex_cmake(_applied(text, command, edits))
    if len(ported) != 1 or not _says_nothing(ported[0]):
        return list(findings)
    whole = _line(text, command)
    return [replace(f, start=command.start, edits=(whole,)) if f.edits else f for f in findings]


def _says_nothing(command: Command) -> bool:
    values = command.values
    if command.name in _ABOUT:
        return all(value in _KEYWORDS for value in values[_ABOUT[command.name] :])
    if command.name in _PROPERTIES:
        return "PROPERTIES" in values and len(values) - values.index("PROPERTIES") <= 2
    if command.name == "set_property":
        return "PROPERTY" in values and len(values) - values.index("PROPERTY") == 2
    if command.name == "set":
        return len(values) == 2 and values[1] == f"${{{values[0]}}}"
    if command.name in ("string", "list"):
        return values[:1] == ["APPEND"] and not "".join(values[2:]).strip()
    return False


def _applied(text: str, command: Command, edits: Sequence[Edit]) -> str:
    pieces, at = [], command.start
    for edit in edits:
        if edit.start >= at:
            pieces += [text[at : edit.start], edit.text]
            at = edit.end
    return "".join([*pieces, text[at : command.end]])


def _line(text: str, command: Command) -> Edit:
    """Removes the command, and its lines if nothing else is on them."""
    start, end = text.rfind("\n", 0, command.start) + 1, text.find("\n", command.end)
    end = len(text) if end < 0 else end + 1
    if text[start : command.start].strip() or text[command.end : end].strip():
        return Edit(command.start, command.end, "")
    return Edit(start, end, "")
