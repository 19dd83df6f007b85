"""ThunderKittens at wave width (`--kittens native`): what of a unit stands in the way of one warp being a wavefront.

The library's own operations mean the same there. What counts lanes or threads by itself, or looks into a register tile,
means CUDA's 32 lanes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from porter.frontend.lexer import Kind, TokenFile, launch_arguments, template_begin
from porter.frontend.scopes import Function, Scopes

__all__ = ["HEADER", "Obstacle", "View", "included_at"]

HEADER = "kittens.cuh"
_WIDE = frozenset({"WARP_THREADS", "WARPGROUP_THREADS", "GROUP_THREADS"})
_USES = frozenset({"kittens", "warp", "warpgroup", "group", "tma", "warpid", "laneid", "shared_allocator", "semaphore"})
_OF_WARPS = re.compile(
    r"__(?:shfl|ballot|any|all|match|reduce|activemask)(?:_\w+)?|warpSize|tiled_partition|coalesced_threads|thread_rank|elect_sync"
)
_CLUSTERS = frozenset({"cluster", "__cluster_dims__", "clusterIdx", "cluster_ctarank", "cluster_nctarank"})
_LAUNCHES = re.compile(r"(?:cuda|cu)Launch(?:Cooperative)?Kernel(?:Ex\w*)?|cudaLaunchConfig_t|LaunchConfig")
_DECLARED = frozenset({"int", "unsigned", "size_t", "uint32_t", "auto", "const", "constexpr", "dim3", "short"})
_BEFORE_BODY = frozenset({"const", "noexcept", "->", "dim3"})
_COMPARED = frozenset({"==", "!="})


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A place that asks for CUDA's warps."""

    start: int
    end: int
    why: str


def included_at(file: TokenFile) -> int | None:
    """The token of the `#include` that brings ThunderKittens."""
    for directive in file.directives:
        if directive.name == "include" and directive.first < directive.last:
            token = file.tokens[directive.first]
            if token.kind == Kind.HEADER and token.text[1:-1].rpartition("/")[2] == HEADER:
                return directive.first
    return None


@dataclass(frozen=True)
class View:
    """A file of a unit."""

    file: TokenFile
    scopes: Scopes
    beside: Sequence[TokenFile] = ()  # the unit's other files

    def text(self, index: int) -> str:
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""

    # ---- kernels and the numbers of their threads ----

    @cached_property
    def kernels(self) -> Mapping[str, Function]:
        """The kernels that use the library, by name."""
        found = (f for f in self.scopes.functions if f.kernel and f.body[0] >= 0)
        return {f.name: f for f in found if not _USES.isdisjoint(self._words(f.first, f.body[1]))}

    def _words(self, first: int, last: int) -> set[str]:
        return {self.text(i) for i in range(first, last)}

    @cached_property
    def _values(self) -> Mapping[str, Sequence[tuple[TokenFile, int, int]]]:
        """What names of numbers and blocks are set to, as tokens of a file of the unit."""
        values: dict[str, list[tuple[TokenFile, int, int]]] = {}
        for file in (self.file, *self.beside):
            for name, first, last in _set_in(file):
                values.setdefault(name, []).append((file, first, last))
        return values

    @cached_property
    def _results(self) -> Mapping[str, Sequence[tuple[TokenFile, int, int]]]:
        """What functions of numbers and blocks return."""
        results: dict[str, list[tuple[TokenFile, int, int]]] = {}
        for file in (self.file, *self.beside):
            for name, first, last in _returned_in(file):
                results.setdefault(name, []).append((file, first, last))
        return results

    def kind(self, first: int, last: int) -> str:
        """How an expression counts threads: "wide" by the library's constants, "number" by numbers, or "unknown": also
        where several things of a name are counted in different ways."""
        kind = self._kind(self.file, first, last, frozenset())
        return "unknown" if kind == "mixed" else kind

    def _kind(self, file: TokenFile, first: int, last: int, seen: frozenset[str]) -> str:
        kinds = set()
        for index in range(first, last):
            text = file.tokens[index].text
            if text in _WIDE:
                return "wide"
            if text.rstrip("uUlL").isdigit() and int(text.rstrip("uUlL")) >= 32:
                kinds.add("number")
            elif text not in seen:
                called = index + 1 < len(file.tokens) and file.tokens[index + 1].text == "("
                spans = (self._results if called else self._values).get(text, ())
                meant = {self._kind(*span, seen | {text}) for span in spans}
                kinds |= {"mixed"} if {"wide", "number"} <= meant else meant
        return next((kind for kind in ("mixed", "wide", "number") if kind in kinds), "unknown")

    def launches(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """The `<<<` and the block's tokens of each launch of a kernel that uses the library, or is not of this file."""
        plain = {f.name for f in self.scopes.functions if f.kernel and f.body[0] >= 0} - set(self.kernels)
        for i in self.file.places("<<<"):
            parts = launch_arguments(self.file, i)
            if len(parts) > 1 and self.text(template_begin(self.file, i - 1)) not in plain:
                yield i, parts[1]

    def bounds(self) -> Iterator[tuple[int, int]]:
        """The tokens of the first argument of the kernels' launch bounds."""
        for kernel in self.kernels.values():
            for i in range(kernel.first, kernel.name_index):
                if self.text(i) == "__launch_bounds__":
                    yield from self.file.arguments(i + 1)[:1]

    # ---- obstacles ----

    def obstacles(self) -> Iterator[Obstacle]:
        """What means CUDA's warps, in the file's order."""
        lanes = {"laneid"}
        for i, token in enumerate(self.file.tokens):
            why = "" if token.directive >= 0 else self._why(i, lanes)
            if why:
                yield Obstacle(token.start, token.end, why)
        for _, block in self.launches():
            if self.kind(*block) == "unknown":
                token = self.file.tokens[block[0]]
                yield Obstacle(token.start, token.end, "the block's threads cannot be told from here")

    def _why(self, i: int, lanes: set[str]) -> str:
        text = self.text(i)
        if text in ("asm", "__asm__"):
            return "inline assembly works on CUDA's lanes"
        if text in _CLUSTERS and self.text(i - 1) != "." and self.text(i + 1) in ("::", "(", ","):
            return "the library at wave width has no clusters"
        if _OF_WARPS.fullmatch(text):
            return f"{text} is of a warp of 32 lanes"
        if _LAUNCHES.fullmatch(text):
            return "the block's threads cannot be told from here"
        if text == "tiles" and self.text(i + 1) == "[" and self._looks_into(i + 1):
            return "which elements a lane holds is the layout's, and that is another one"
        if text == "threadIdx":
            return self._thread(i)
        if text == "init_semaphore" and self.text(i + 1) == "(":
            counts = self.file.arguments(i + 1)[1:]
            return "the semaphore counts CUDA's threads" if any(self.kind(*c) == "number" for c in counts) else ""
        if text in lanes and self.text(i - 1) not in (".", "->"):
            return self._lane(i, lanes)
        return ""

    def _looks_into(self, bracket: int) -> bool:
        while self.text(bracket) == "[":
            bracket = self.file.partner(bracket) + 1
        return self.text(bracket) == "." and self.text(bracket + 1) == "data"

    def _thread(self, i: int) -> str:
        if self.text(i + 2) != "x":
            return "a warp has threads of one row"
        if self._compared_to_0(i, i + 3):
            return ""
        before = [self.text(k) for k in range(i - 8, i)]
        if before == ["blockIdx", ".", "x", "*", "blockDim", ".", "x", "+"]:
            return ""  # any number of threads will do
        return "threads are counted as CUDA's"

    def _compared_to_0(self, first: int, last: int) -> bool:
        if self.text(last) in _COMPARED and self.text(last + 1) == "0":
            return True
        return self.text(first - 1) == "!" or (self.text(first - 2) == "0" and self.text(first - 1) in _COMPARED)

    def _lane(self, i: int, lanes: set[str]) -> str:
        """Lanes may be compared with 0, and walk in steps of a warp."""
        first, last = i, i + 1
        if self.text(i + 1) == "(":
            last = self.file.partner(i + 1) + 1
        while self.text(first - 1) == "::":
            first = template_begin(self.file, first - 2)
        if self._compared_to_0(first, last):
            return ""
        if self.text(first - 1) == "=" and self.text(last) == ";":
            name = self.text(first - 2)
            if self.text(first - 3) in _DECLARED and self._walks(last + 1, name):
                return ""
            if self.text(first - 3) in _DECLARED:
                lanes.add(name)
                return ""
        if i == first and self.text(i - 1) in _DECLARED and self.text(i + 1) == "=":
            return ""  # its declaration
        return "lanes are counted as CUDA's"

    def _walks(self, condition: int, name: str) -> bool:
        """Does a loop with this condition go on by a warp's lanes?"""
        step = condition
        while self.text(step) not in (";", "{", "}", ""):
            step += 1
        words = [self.text(k) for k in range(step + 1, step + 8)]
        words = [w for w in words if w not in ("kittens", "::")]
        return words[:2] == [name, "+="] and words[2] in _WIDE


def _set_in(file: TokenFile) -> Iterator[tuple[str, int, int]]:
    """Names of numbers and blocks with the tokens of what they are set to."""
    tokens = file.tokens
    for i in range(2, len(tokens)):
        text, kind, name = tokens[i].text, tokens[i - 2].text, tokens[i - 1].text
        if text in ("=", "(", "{") and kind in _DECLARED and name.isidentifier():
            if text == "=":
                yield name, i + 1, _statement_end(file, i)
            elif kind == "dim3":
                yield name, i + 1, file.partner(i)


def _returned_in(file: TokenFile) -> Iterator[tuple[str, int, int]]:
    """Names of functions of numbers and blocks with the tokens of what each `return` of theirs gives."""
    for opening in file.places("("):
        name, closing = file.tokens[opening - 1], file.partner(opening)
        if closing < 0 or name.kind != Kind.IDENT or file.tokens[opening - 2].text not in _DECLARED:
            continue
        brace = closing + 1
        while brace < len(file.tokens) and file.tokens[brace].text in _BEFORE_BODY:
            brace += 1
        if brace < len(file.tokens) and file.tokens[brace].text == "{":
            for index in range(brace, file.partner(brace)):
                if file.tokens[index].text == "return":
                    yield name.text, index + 1, _statement_end(file, index)


def _statement_end(file: TokenFile, index: int) -> int:
    while index < len(file.tokens) and file.tokens[index].text not in (";", "}"):
        index += 1
    return index
