"""What the preprocessor leaves out of a translation unit's files."""

from __future__ import annotations

import ctypes
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import clang.cindex as ci

from porter.frontend.ast import translation_unit
from porter.frontend.compilations import CUDA_NAMES, HIP_NAMES, HOST_COMPILER, values_of
from porter.frontend.libclang import KEEP_GOING, WITHOUT_BODIES, ParseOptions
from porter.frontend.source_file import SourceFile

__all__ = ["WITH_LEFT_OUT", "Spans", "left_out", "never_compiled"]

Spans = Sequence[tuple[int, int]]  # offsets

WITH_LEFT_OUT = KEEP_GOING | 0x1  # DetailedPreprocessingRecord
_HIP = re.compile(rb"\b(?:__HIP|__AMDGCN__|__AMDGPU__|HIP_VERSION|__gfx)")


class _Ranges(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint), ("ranges", ctypes.POINTER(ci.SourceRange)))


def left_out(unit: ci.TranslationUnit, paths: Iterable[Path]) -> dict[Path, Spans]:
    """By file that the unit reads: what was left out of it, from the directive before to the one behind. Nothing of files
    that it reads several times, since each time another part may be left out."""
    times = Counter(os.path.realpath(one.include.name) for one in unit.get_includes())
    times[os.path.realpath(unit.spelling)] += 1
    read = {path: times[os.path.realpath(path)] for path in paths}
    return {path: _skipped(unit, path) if count == 1 else () for path, count in read.items() if count}


def _skipped(unit: ci.TranslationUnit, path: Path) -> Spans:
    file = unit.get_file(str(path))
    if file is None:
        return []
    library = ci.conf.lib
    library.clang_getSkippedRanges.restype = ctypes.POINTER(_Ranges)
    library.clang_disposeSourceRangeList.restype = None
    skipped = library.clang_getSkippedRanges(unit, file)
    ranges = (skipped.contents.ranges[number] for number in range(skipped.contents.count))
    offsets = [(one.start.offset, one.end.offset) for one in ranges]
    library.clang_disposeSourceRangeList(skipped)
    return offsets


def never_compiled(members: Sequence[SourceFile], options: ParseOptions) -> Mapping[Path, Spans]:
    """By file: the text between the conditions' lines that no compilation of the unit sees, as CUDA or as a port. Nothing
    where a header is missing, since it may define any macro."""
    main = members[0].path
    known: list[Mapping[Path, Spans]] = []
    for before in _macros(members):
        unit = translation_unit(main, {}, options, before, wanted=WITH_LEFT_OUT | WITHOUT_BODIES)
        if unit is None or any(one.spelling.endswith("file not found") for one in unit.diagnostics):
            return {}
        known.append(left_out(unit, [member.path for member in members]))
    by_file: dict[Path, Spans] = {}
    for member in members:
        whole = [(-1, len(member.data))]
        spans = [_between_directives(member, one.get(member.path, whole)) for one in known]
        common = spans[0]
        for other in spans[1:]:
            common = _both(common, other)
        if common:
            by_file[member.path] = common
    return by_file


def _macros(members: Sequence[SourceFile]) -> list[str]:
    """For each compilation that is to be told apart, the text that defines its macros. A unit's main file that is no .cu
    may be compiled without kernels."""
    compilations = (0, 1) if members[0].path.suffix == ".cu" else (0, 1, HOST_COMPILER)
    builds = (False, True) if any(member.has(_HIP) for member in members) else (False,)
    texts = []
    for hip in builds:
        for compilation in compilations:
            values = values_of(compilation, hip)
            names = [name for name in (*CUDA_NAMES, *HIP_NAMES) if name in values]
            defined = (f"#define {name} {values[name]}\n" for name in names if values[name] is not None)
            texts.append("".join([*(f"#undef {name}\n" for name in names), *defined]))
    return texts


def _between_directives(source: SourceFile, spans: Spans) -> Spans:
    """What was left out without the lines of the conditions, which are read."""
    gaps = []
    directives = source.tokens.directives
    for first, last in spans:
        begin = next((one.end for one in directives if one.start <= first < one.end), first)
        end = next((one.start for one in directives if one.start <= last <= one.end), last)
        if begin < end:
            gaps.append((begin, end))
    return sorted(gaps)


def _both(spans: Spans, others: Spans) -> Spans:
    """What two lists of spans have in common."""
    pairs = ((max(a, c), min(b, d)) for a, b in spans for c, d in others)
    return sorted((first, last) for first, last in pairs if first < last)
