"""Properties of targets and sources: pairs in set_target_properties(), lists in set_property()."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from porter.buildfiles.cmake_lexer import Argument, Command
from porter.buildfiles.cmake_names import argument_removal
from porter.buildfiles.tables import tables
from porter.findings import Edit, Finding, Safety

__all__ = ["property_findings"]

_PAIRS = frozenset({"set_target_properties", "set_source_files_properties", "set_directory_properties"})
_ON = frozenset({"ON", "TRUE", "1", "YES", "Y"})


def property_findings(text: str, command: Command, target: str, replaced: Callable[..., Edit]) -> Iterator[Finding]:
    """`replaced(*lines)` puts other commands in this one's place, or none."""
    values = command.values
    if command.name in _PAIRS and "PROPERTIES" in values:
        yield from _pairs(text, command, target, replaced)
    elif command.name == "set_property" and "PROPERTY" in values:
        yield from _list(text, command, target, replaced)


def _pairs(text: str, command: Command, target: str, replaced: Callable[..., Edit]) -> Iterator[Finding]:
    at = command.values.index("PROPERTIES")
    pairs = list(zip(command.arguments[at + 1 :: 2], command.arguments[at + 2 :: 2], strict=False))
    gone = [p for p in pairs if _kind(p[0].value) in ("gone", "rdc")]
    lines = _relocatable(command.values[:at], [p for p in gone if _kind(p[0].value) == "rdc"])
    if gone and len(gone) == len(pairs):
        edits: tuple[Edit, ...] = (replaced(*lines),)
    else:
        edits = tuple(e for pair in gone for e in _removal(text, pair))
        if lines:
            newline = "\r\n" if "\r\n" in text else "\n"
            indent = re.match(r"[ \t]*", text[text.rfind("\n", 0, command.start) + 1 : command.start])
            pad = newline + (indent[0] if indent else "")
            edits = (*edits, Edit(command.end, command.end, "".join(pad + line for line in lines)))
    if gone:
        yield _gone(command, [p[0].value for p in gone], bool(lines), edits)
    for name, value in pairs:
        yield from _value(name, [value], target, text)


def _list(text: str, command: Command, target: str, replaced: Callable[..., Edit]) -> Iterator[Finding]:
    at = command.values.index("PROPERTY")
    if len(command.arguments) <= at + 1:
        return
    name, values = command.arguments[at + 1], command.arguments[at + 2 :]
    if _kind(name.value) in ("gone", "rdc"):
        pairs = [(name, values[0])] if values and _kind(name.value) == "rdc" else []
        owners = [v for v in command.values[1:at] if v not in ("APPEND", "APPEND_STRING")]
        lines = _relocatable(owners, pairs) if command.values[0] == "TARGET" else []
        yield _gone(command, [name.value], bool(lines), (replaced(*lines),))
        return
    yield from _value(name, list(values), target, text)


def _kind(name: str) -> str:
    row = tables().variable(name)
    return row.kind if row is not None else ""


def _gone(command: Command, names: list[str], relocatable: bool, edits: tuple[Edit, ...]) -> Finding:
    if relocatable:
        message = (
            "relocatable device code: compiled and linked with -fgpu-rdc; a static library of it must be linked as HIP"
        )
        return Finding("build-cmake-separable", command.start, command.end, Safety.REVIEW, message, edits)
    notes = {row.note for row in map(tables().variable, names) if row is not None}
    message = f"{', '.join(names)}: {'; '.join(sorted(notes))}"
    return Finding("build-cmake-property", command.start, command.end, Safety.EXACT, message, edits)


def _relocatable(targets: list[str], pairs: list[tuple[Argument, Argument]]) -> list[str]:
    if not any(value.value.upper() in _ON or "$" in value.value for _, value in pairs):
        return []
    lines = []
    for target in targets:
        lines.append(f"target_compile_options({target} PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)")
        lines.append(f"target_link_options({target} PRIVATE -fgpu-rdc --hip-link)")
    return lines


def _removal(text: str, pair: tuple[Argument, Argument]) -> Iterator[Edit]:
    name, value = pair
    first = argument_removal(text, name)
    if "#" in text[name.end : value.start]:
        yield first
        yield argument_removal(text, value)
    else:
        yield Edit(first.start, value.end, "")


def _value(name: Argument, values: list[Argument], target: str, text: str) -> Iterator[Finding]:
    """The values that must follow the names; the names themselves are in cmake_names."""
    if name.value == "CUDA_ARCHITECTURES" and values:
        if len(values) == 1 and values[0].value.upper() in ("OFF", "FALSE", ""):
            return
        edits = [Edit(values[0].inner, values[0].inner_end, target)]
        edits.extend(argument_removal(text, argument) for argument in values[1:])
        safety = Safety.REVIEW if any("$" in v.value for v in values) else Safety.EXACT
        message = f"the GPU is {target}"
        yield Finding("build-cmake-architectures", values[0].start, values[-1].end, safety, message, tuple(edits))
    elif name.value in ("LANGUAGE", "LINKER_LANGUAGE", "CUDA_SOURCE_PROPERTY_FORMAT"):
        for value in values:
            if name.value == "CUDA_SOURCE_PROPERTY_FORMAT":
                edits = [Edit(name.inner, name.inner_end, "LANGUAGE"), Edit(value.inner, value.inner_end, "HIP")]
            elif value.value == "CUDA":
                edits = [Edit(value.inner, value.inner_end, "HIP")]
            else:
                continue
            message = "the language of the sources is HIP"
            yield Finding("build-cmake-language", name.start, value.end, Safety.EXACT, message, tuple(edits))
