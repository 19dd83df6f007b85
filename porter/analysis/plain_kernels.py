"""Kernels of mirrored units that need no mirrors: what their threads do together is no more than __syncthreads().

A block of more than 512 threads, or with a part of a warp, has no mirrored form. A kernel that is launched with one, and
that neither it nor what it calls asks for its warp, keeps CUDA's threads: one lane each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from porter.analysis.launched_blocks import launched_threads, most_threads
from porter.frontend.lexer import Kind, TokenFile, template_begin
from porter.frontend.scopes import Function
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit

__all__ = ["ATOMIC", "named_in", "plain_kernels", "runtime_call_around"]

ATOMIC = re.compile(r"(?:unsafeA|a)tomic[A-Z]\w*")
# What depends on the warp, or is a macro of mirrored units.
_OF_WARPS = re.compile(
    r"__shfl\w*|__ballot\w*|__any\w*|__all\w*|__match\w*|__activemask|__syncwarp|__reduce_\w+|__syncthreads_\w+|asm|__asm\w*"
    r"|warpSize|cooperative_groups|cg|cub|cuda|nvcuda|wmma|__pipeline_\w+|__mbarrier_\w+|__lane\w*|PORTER\w*"
)
_OF_THREADS = re.compile(rf"threadIdx|blockDim|printf|{ATOMIC.pattern}")  # the kernel's own are ported


def plain_kernels(unit: Unit, members: Sequence[SourceFile], named: frozenset[str]) -> frozenset[str]:
    """The kernels of a mirrored unit's main file that keep CUDA's threads; `named` are kernels that other files name."""
    if not unit.facts.mirrored or unit.facts.clusters or not unit.is_main:
        return frozenset()
    reader = _Reader(members)
    able = {f.name for f in unit.scopes.functions if f.kernel and f.body[0] >= 0 and _is_alone(unit, f)}
    able = {name for name in able - named if reader.is_plain(name)}
    if not able:
        return frozenset()
    threads = ((unit.launched(launch), n) for launch, n in launched_threads(unit))
    most = most_threads(unit.chip)
    return frozenset(name for name, n in threads if name in able and (n > most or (n > 1 and n % 32)))


def _is_alone(unit: Unit, kernel: Function) -> bool:
    """The only function of its name, launched and asked about, but not given to anybody."""
    if sum(f.name == kernel.name for f in unit.scopes.functions) > 1:
        return False
    launched = {template_begin(unit.file, k - 1) for k, token in enumerate(unit.tokens) if token.text == "<<<"}
    for index, token in enumerate(unit.tokens):
        if token.text != kernel.name or token.kind != Kind.IDENT or index == kernel.name_index:
            continue
        if token.directive >= 0 or (index not in launched and not runtime_call_around(unit, index)):
            return False
    return True


def runtime_call_around(unit: Unit, index: int) -> bool:
    """Is it an argument of cudaFuncSetAttribute and the like?"""
    while index > 0 and unit.text(index - 1) in (")", "*", "&", "void", "const", "("):
        index -= 1
        if unit.text(index) == "(" and unit.text(index - 1).startswith("cudaFunc"):
            return True
    return False


def named_in(names: Collection[str], files: Iterable[SourceFile]) -> frozenset[str]:
    """The names that occur in one of the files."""
    words = {name: re.compile(rb"\b" + re.escape(name.encode("latin-1", "replace")) + rb"\b") for name in names}
    return frozenset(name for file in files for name, word in words.items() if word.search(file.data))


class _Reader:
    """What the functions and macros of a unit's files name."""

    def __init__(self, members: Sequence[SourceFile]) -> None:
        self._words: dict[str, list[frozenset[str]]] = {}
        for member in members:
            for function in member.scopes.functions:
                if function.name and function.body[0] >= 0:
                    self._add(function.name, member.tokens, *function.body)
            for directive in member.tokens.directives:
                if directive.name == "define" and directive.first < directive.last:
                    name = member.tokens.tokens[directive.first].text
                    self._add(name, member.tokens, directive.first + 1, directive.last)

    def _add(self, name: str, file: TokenFile, first: int, last: int) -> None:
        words = frozenset(t.text for t in file.tokens[first:last] if t.kind == Kind.IDENT)
        self._words.setdefault(name, []).append(words)

    def is_plain(self, kernel: str) -> bool:
        """What it calls may not even ask which thread it is: that is ported for the unit."""
        own = {word for words in self._words.get(kernel, ()) for word in words}
        if any(_OF_WARPS.fullmatch(word) for word in own):
            return False
        return not any(_OF_WARPS.fullmatch(w) or _OF_THREADS.fullmatch(w) for w in self._called(own, {kernel}))

    def _called(self, words: set[str], seen: set[str]) -> Iterator[str]:
        """All words of all functions and macros that are named."""
        todo = [word for word in words if word in self._words]
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            for inner in self._words[name]:
                yield from inner
                todo += [word for word in inner if word in self._words]
