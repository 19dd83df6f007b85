"""Static shared memory of a translation unit: arrays and variables that blocks of a kernel have whatever is launched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from porter.analysis.launch_requests import parameters
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.scopes import Function, Scopes
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit

__all__ = ["Static", "has_statics", "leading", "statics"]

_SHARED = re.compile(rb"(?<!extern )\b__shared__\b(?! *extern)")


@dataclass(frozen=True, slots=True)
class Static:
    path: Path | None  # None: the unit's own file
    place: int  # offset after the declaration
    name: str
    kernels: frozenset[str]  # that lead to it by the names of functions


def has_statics(source: SourceFile) -> bool:
    """May a file have static shared memory?"""
    return source.has(_SHARED)


def statics(unit: Unit, others: Iterable[SourceFile]) -> list[Static]:
    """Of the file, and of the unit's other files."""
    files = [(None, unit.file, unit.scopes), *((s.path, s.tokens, s.scopes) for s in others)]
    all_statics = [(path, *one) for path, file, scopes in files for one in _declared(file, scopes)]
    inner = {function.name for *_, function in all_statics if not function.kernel}
    kernels = leading(files, inner) if inner else {}
    return [
        Static(path, place, name, frozenset({f.name}) if f.kernel else kernels.get(f.name, frozenset()))
        for path, place, name, f in all_statics
    ]


def _declared(file: TokenFile, scopes: Scopes) -> Iterator[tuple[int, str, Function]]:
    """Places after declarations, the names, and the functions."""
    tokens = file.tokens

    def text(index: int) -> str:
        return tokens[index].text if 0 <= index < len(tokens) else ""

    for index in file.places("__shared__"):
        if tokens[index].directive >= 0:
            continue
        begin = index
        while text(begin - 1) not in (";", "{", "}", ")", ""):
            begin -= 1
        last = next((i for i in range(index, len(tokens)) if text(i) in (";", "{", "")), index)
        function = scopes.at(index).function
        if function is None or text(last) != ";" or "extern" in {text(i) for i in range(begin, last)}:
            continue
        for name, _ in parameters(file, index, last):
            yield tokens[last].end, name, function


def leading(files: Sequence[tuple[Path | None, TokenFile, Scopes]], inner: Set[str]) -> Mapping[str, frozenset[str]]:
    """By name, the kernels whose code leads to these functions; every kernel to what has no name to call it by."""
    words: dict[str, set[str]] = {}
    kernels: set[str] = set()
    for _, file, scopes in files:
        for function in scopes.functions:
            if function.name and function.body[0] >= 0 and function.device:
                kernels |= {function.name} if function.kernel else set()
                body = range(function.params[1], function.body[1])
                own = (file.tokens[i] for i in body)
                words.setdefault(function.name, set()).update(t.text for t in own if t.kind == Kind.IDENT)
    kernels_of: dict[str, set[str]] = {name: set() for name in inner}
    for kernel in kernels:
        seen, todo = {kernel}, [kernel]
        while todo:
            fresh = words.get(todo.pop(), set()) - seen
            seen |= fresh
            todo += fresh & words.keys()
        for name in inner:
            if name in seen or name not in words:
                kernels_of[name].add(kernel)
    return {name: frozenset(own) for name, own in kernels_of.items()}
