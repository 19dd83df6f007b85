"""Kernels in string literals, ported in place: the passes see the text as a file, and their edits go to where each character
stands in the literals."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from porter.analysis.runtime_texts import CREATE, RuntimeText, runtime_texts
from porter.cache_folder import cache_dir, write_atomically
from porter.findings import Edit, FileStatus, Finding, Safety, encode, hole
from porter.frontend.lexer import TokenFile
from porter.frontend.literal_text import LiteralText, literal_text
from porter.frontend.project import Project
from porter.frontend.unit import Unit
from porter.passes.host.runtime_header import add_includes
from porter.port.edits.assemble import assembled
from porter.port.sources.nvrtc_options import COMPILE, ported_options

__all__ = ["HEADER", "UnitOf", "with_kernel_strings"]

HEADER = "porter/rtc.h"
UnitOf = Callable[[Project], tuple[Unit, list[Finding]]]  # of the project's only file, with what the passes find in it
_HOLE = re.compile("\u27e6(\\d+):(\\d+)\u27e7")
_OF_HIPRTC = re.compile(r"#include <[^>]*>\r?\n|#ifdef __HIPCC__\r?\n|#endif\r?\n")  # hiprtc has included the runtime's
_ROLES = "the kernels in this string have warps with roles or clusters, which also change their launches: they stay as they are; move the text into a .cu file and port that"
_WIDE = "the kernel source in this string of wide characters was not ported"
_NOT_APPLIED = " (not applied: the place reaches from one literal into another of its kind, or would end the literal)"


def with_kernel_strings(unit: Unit, findings: list[Finding], unit_of: UnitOf) -> list[Finding]:
    """The findings, with findings of the texts in the file's literals, and with calls that give porter's headers to
    hiprtc."""
    runtime = runtime_texts(unit.file, unit.scopes)
    calls = any(unit.file.places(CREATE, COMPILE))
    if not runtime.texts and not calls:
        return findings
    result = list(findings)
    wanted: set[str] = set()
    for text in runtime.texts:
        inner = _of_text(unit, text, unit_of)
        wanted |= _headers(inner)
        start = unit.tokens[text.first].start
        if any(f.rule == "kernel-text" and f.start == start for f in inner):
            result = [f for f in result if f.rule != "kernel-text" or f.start != start]
        result += inner
    if not calls or unit.path.suffix == ".c":
        return result
    options = ported_options(unit)
    result += options
    wanted |= {name for f in options for e in f.edits for name in re.findall(r"-include (porter/[\w/]+\.h)", e.text)}
    if not wanted:
        wanted = {header for text in _of_members(unit) for header in _headers(_ported(*text, unit_of))}
    return [_called(unit, f, bool(wanted)) for f in result]


def _of_text(unit: Unit, text: RuntimeText, unit_of: UnitOf) -> list[Finding]:
    literal = _literal(unit.file, text)
    start, end = unit.tokens[text.first].start, unit.tokens[text.last - 1].end
    if literal is None:
        return [Finding("kernel-text", start, end, Safety.LEFT, _WIDE)]
    return _ported(literal, start, end, unit_of)


def _literal(file: TokenFile, text: RuntimeText) -> LiteralText | None:
    return literal_text(file.text, [(t.start, t.end) for t in file.tokens[text.first : text.last]])


def _of_members(unit: Unit) -> Iterator[tuple[LiteralText, int, int]]:
    """The texts of the other files of the unit."""
    for member in unit.members:
        if member.path == unit.path or b'"' not in member.data or b"__global__" not in member.data:
            continue
        for text in runtime_texts(member.tokens, member.scopes).texts:
            literal = _literal(member.tokens, text)
            if literal is not None:
                yield literal, 0, 0


def _ported(literal: LiteralText, start: int, end: int, unit_of: UnitOf) -> list[Finding]:
    """What is found in a text, at its places in the file."""
    inner, inner_findings = unit_of(_as_a_file(literal.text))
    if inner.facts.mirrored or inner.facts.clusters:
        return [Finding("kernel-text", start, end, Safety.LEFT, _ROLES)]
    port = assembled(inner, inner_findings)
    if port.status is FileStatus.FAILED:
        return [
            Finding("kernel-text", start, end, Safety.LEFT, f"the kernel source in this string stays: {port.problem}")
        ]
    headers = (_for_hiprtc(f) for f in add_includes(inner, inner_findings, ""))
    return [_placed(literal, f) for f in (*inner_findings, *(f for f in headers if f is not None))]


def _as_a_file(text: str) -> Project:
    """A project of one file, which has the text."""
    path = cache_dir() / "texts" / hashlib.sha256(encode(text)).hexdigest()[:16] / "kernel.cu"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, encode(text))
    return Project(None, given=(path,))


def _for_hiprtc(finding: Finding) -> Finding | None:
    """Without the headers that hiprtc includes itself; None where nothing is left."""
    edits = tuple(replace(edit, text=_OF_HIPRTC.sub("", edit.text)) for edit in finding.edits)
    if finding.edits and not any(edit.text.strip() for edit in edits):
        return None
    names = sorted(set(re.findall(r'"(porter/[\w/]+\.h)"', "".join(edit.text for edit in edits))))
    message = f"adds {', '.join(names)} to the text" if names else finding.message
    return replace(finding, edits=edits, message=message)


def _headers(findings: list[Finding]) -> set[str]:
    """porter's headers that the ported text includes."""
    return {name for f in findings for e in f.edits for name in re.findall(r'\\?"(porter/[\w/]+\.h)\\?"', e.text)}


def _placed(literal: LiteralText, finding: Finding) -> Finding:
    """A finding of the text as one of the file. A comment on it may come to stand within the literal."""
    start = literal.place(finding.start)
    end = max(start, literal.end(finding.end) if finding.end > finding.start else start)
    message = finding.message.replace("\\", "/").replace('"', "'")
    edits = [_edit(literal, edit) for edit in finding.edits]
    here = replace(finding, start=start, end=end, message=message, includes=(), edits=())
    if any(edit is None for edit in edits):
        return replace(here, safety=Safety.LEFT, message=message + _NOT_APPLIED)
    return replace(here, edits=tuple(edit for edit in edits if edit is not None))


def _edit(literal: LiteralText, edit: Edit) -> Edit | None:
    start = literal.place(edit.start)
    end = literal.end(edit.end) if edit.end > edit.start else start
    parts: list[str] = []
    at = 0
    for mark in _HOLE.finditer(edit.text):
        first, last = int(mark[1]), int(mark[2])
        parts += [literal.spelled(edit.text[at : mark.start()], edit.start, edit.end) or "\0" * (at < mark.start())]
        parts += [hole(literal.place(first), literal.end(last) if last > first else literal.place(first))]
        at = mark.end()
    rest = literal.spelled(edit.text[at:], edit.start, edit.end)
    if rest is None or "\0" in "".join(parts):
        return None
    return Edit(start, end, "".join([*parts, rest]))


def _called(unit: Unit, finding: Finding, headers: bool) -> Finding:
    """The finding at a call of NVRTC's, where porter's function takes hiprtc's place."""
    if finding.rule != "name-nvrtc":
        return finding
    name = unit.text(unit.file.token_at(finding.start))
    if name == CREATE and headers:
        new, effect = "porter::create_program", "it adds porter's headers that the text includes"
    elif name == COMPILE:
        new, effect = (
            "porter::compile_program",
            "it compiles for the device that the program runs on, and takes options of several words",
        )
    else:
        return finding
    edits = tuple(replace(edit, text=new) for edit in finding.edits)
    includes = (*finding.includes, HEADER)
    return replace(
        finding, edits=edits, includes=includes, safety=Safety.EXACT, message=f"{name} becomes {new}: {effect}"
    )
